"""JupyterLab on a folder, for tests that look at it in a browser."""

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

STARTS = 240  # seconds, on a machine with other work, too
OPTIONS = ("--no-browser", "--port=0", "--IdentityProvider.token=", "--allow-root")


@contextlib.contextmanager
def served(root: Path, log: Path, *options: str) -> Iterator[str]:
    """Its address; what it says goes into `log`."""
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--ServerApp.root_dir={root}", *options]
    with open(log, "w") as said:
        server = subprocess.Popen(command, cwd=log.parent, stdout=said, stderr=said, env=dict(os.environ))
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        server.wait(120)


def _address(server: subprocess.Popen, log: Path) -> str:
    for _ in range(STARTS * 2):
        assert server.poll() is None, log.read_text()
        if found := re.search(r"http://(?:localhost|127\.0\.0\.1):\d+", log.read_text()):
            try:
                urlopen(f"{found[0]}/api", timeout=5).close()
                return found[0]
            except OSError:
                pass
        time.sleep(0.5)
    raise AssertionError(log.read_text())
