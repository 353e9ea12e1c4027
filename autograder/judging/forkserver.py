"""multiprocessing's fork server: it imports a module once and forks for each process, so that none waits for imports.

It listens on a socket in the folder of temporary files, and a socket's path is short: where TMPDIR is too long for it,
the socket goes to /tmp.
"""

import multiprocessing
import os
import tempfile
from multiprocessing import util
from multiprocessing.context import ForkServerContext

from autograder.course import Trouble

# Bytes of the folder: a socket's path has 104 on macOS, 108 on Linux, of which multiprocessing takes 33 for itself.
LONGEST = 70
SHORT = "/tmp"


def context(preload: str) -> ForkServerContext:
    """What makes processes that have the module `preload` imported. Raises Trouble."""
    if len(os.fsencode(tempfile.gettempdir())) > LONGEST:
        _keep_sockets_in(SHORT)
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload([preload])
    return forks


def _keep_sockets_in(folder: str) -> None:
    before, tempfile.tempdir = tempfile.tempdir, folder
    try:
        util.get_temp_dir()  # made at its first use and kept; removed when this process ends
    except OSError as error:
        reason = f"{folder} cannot be used instead ({error.strerror})"
        raise Trouble(f"TMPDIR is too long a path for a socket, and {reason}: shorten TMPDIR.") from error
    finally:
        tempfile.tempdir = before
