"""What student code may see: the interpreter and its packages, the course package and its data. Nothing else.

The grader's own package may lie inside one of these (installed, or beside a virtual environment); only the parts that
run in the worker are shown, and never the hidden checks.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

AUTOGRADER = Path(__file__).resolve().parents[2]
WORKER_PARTS = ("__init__.py", "words.py", "judging/__init__.py", "judging/boundary", "judging/jail", "judging/warm")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/localtime", "/etc/ld.so.cache")
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")  # not /dev/zero: by it memory could be shared, uncounted
MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu")


def shown(extra: Iterable[str | Path] = ()) -> list[str]:
    """Files and folders to show read-only, none inside another; `extra` are data folders that a unit needs."""
    import unrolled

    wanted = [sys.prefix, sys.base_prefix, *SYSTEM, *map(str, unrolled.__path__), *map(str, extra)]
    wanted = sorted({os.path.realpath(path) for path in wanted if os.path.exists(path)})
    tops = [path for path in wanted if not any(path.startswith(f"{other}/") for other in wanted if other != path)]
    hidden = os.path.realpath(AUTOGRADER)
    return [part for top in tops for part in _without(top, hidden)]


def worker_parts() -> list[str]:
    """The parts of the grader that the warm worker imports before it forks."""
    return [str(AUTOGRADER / part) for part in WORKER_PARTS]


def _without(folder: str, hidden: str) -> list[str]:
    """The folder, or everything in it but `hidden`."""
    if folder == hidden:
        return []
    if not hidden.startswith(f"{folder}/"):
        return [folder]
    return [part for entry in sorted(os.listdir(folder)) for part in _without(os.path.join(folder, entry), hidden)]
