"""What student code may see: the interpreter and its packages, the course package and its data. Nothing else.

The grader's own package may lie inside one of these (installed, or beside a virtual environment); only the parts that
run in the worker are shown, and never the hidden checks.
"""

import os
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

AUTOGRADER = Path(__file__).resolve().parents[2]
WORKER_PARTS = ("__init__.py", "words.py", "judging/__init__.py", "judging/boundary", "judging/jail", "judging/warm")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/localtime", "/etc/ld.so.cache")
MOST_ENTRIES = 10_000  # of a data folder, that are looked at for links
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")  # not /dev/zero: by it memory could be shared, uncounted
MACHINE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu")


def shown(extra: Iterable[str | Path] = ()) -> list[str]:
    """Files and folders to show read-only, none inside another; `extra` are data folders that a unit needs.

    Links are followed: of a folder that is one, what it leads to is shown, and so is what links inside of it lead to.
    """
    import unrolled

    extra = [str(path) for path in extra]
    extra += [target for folder in extra for target in _led_to(folder)]
    wanted = [sys.prefix, sys.base_prefix, *SYSTEM, *map(str, unrolled.__path__), *extra]
    wanted = sorted({os.path.realpath(path) for path in wanted if os.path.exists(path)})
    tops = [path for path in wanted if not any(path.startswith(f"{other}/") for other in wanted if other != path)]
    hidden = os.path.realpath(AUTOGRADER)
    return [part for top in tops for part in _without(top, hidden)]


def aliases(extra: Iterable[str | Path]) -> list[tuple[str, str]]:
    """Names by which data folders and links inside of them are asked for, each with the path that it leads to."""
    folders = [str(path) for path in extra]
    asked = [*folders, *(os.path.join(place, name) for folder in folders for place, name in _links_in(folder))]
    seen = {os.path.realpath(folder) for folder in folders}.union(*map(_led_to, folders))
    found = {name: os.path.realpath(name) for path in asked for name in names(path)}
    there = tuple(f"{place}/" for place in [*seen, *found])
    return sorted((name, path) for name, path in found.items() if path in seen and not name.startswith(there))


def names(path: str | Path) -> list[str]:
    """The names that a path goes by before its last link is followed, the given one first; none where it is no link."""
    found, name = [], os.path.abspath(path)
    while (following := _followed(name)) != name and name not in found:
        found.append(name)
        name = following
    return found if os.path.exists(name) else []


def _followed(path: str) -> str:
    """The path with its first link followed."""
    above = "/"
    for part in Path(path).parts[1:]:
        here = os.path.join(above, part)
        if os.path.islink(here):
            rest = os.path.relpath(path, here)
            return os.path.normpath(os.path.join(above, os.readlink(here), rest))
        above = here
    return path


def _led_to(folder: str) -> list[str]:
    """Where links inside a folder lead, but not to a folder above it: that would show what lies beside."""
    real = os.path.realpath(folder)
    targets = {os.path.realpath(os.path.join(place, name)) for place, name in _links_in(folder)}
    return sorted(target for target in targets if not f"{real}/".startswith(f"{target.rstrip('/')}/"))


def _links_in(folder: str) -> list[tuple[str, str]]:
    """Links inside a folder, each as a place and a name, as far as one looks."""
    walk = os.walk(os.path.realpath(folder))
    entries = ((place, name) for place, folders, files in walk for name in [*folders, *files])
    return [(place, name) for place, name in islice(entries, MOST_ENTRIES) if os.path.islink(os.path.join(place, name))]


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
