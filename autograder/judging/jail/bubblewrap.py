"""The command that starts the warm worker in a root of its own."""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

SCRATCH = "/scratch"  # a mount point; each submission covers it with a folder of its own
TEMPORARY = 256 * 2**20  # bytes for the worker's own temporary files


def available() -> bool:
    return shutil.which("bwrap") is not None


def command(
    program: Iterable[str],
    shown: Iterable[str],
    environment: Mapping[str, str],
    aliases: Iterable[tuple[str, str]] = (),
) -> list[str]:
    """`program` in bubblewrap: nothing mounted but `shown` (read-only), a bare /dev, /proc and an empty /tmp.

    `aliases` are other names of some of it, each with its path.

    Started by root, it keeps the rights to change users and to end processes, so that each submission can run as
    nobody; it needs no user namespace then. Started by anybody else, it has one.
    """
    words = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "grader"]
    if os.geteuid() == 0:
        words += ["--cap-drop", "ALL"]
        words += [word for name in ("SETUID", "SETGID", "KILL") for word in ("--cap-add", f"CAP_{name}")]
    else:
        words += ["--unshare-user"]
    words += ["--proc", "/proc", "--dev", "/dev", "--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"]
    words += ["--size", str(TEMPORARY), "--perms", "1777", "--tmpfs", "/tmp", "--perms", "0755", "--dir", SCRATCH]
    mounts = [*((path, path) for path in shown), *((real, name) for name, real in aliases)]
    for folder in _parents(
        place for _, place in mounts
    ):  # made by us, since those that bubblewrap makes are closed to others
        words += ["--perms", "0755", "--dir", folder]
    for path, place in mounts:
        words += ["--ro-bind", path, place]
    words += _links()
    for name, value in environment.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", SCRATCH, "--", *program]


def _parents(paths: Iterable[str]) -> list[str]:
    """Every folder above these paths, outermost first."""
    above = {str(parent) for path in paths for parent in Path(path).parents}
    return sorted(above - {"/"})


def _links() -> list[str]:
    """/lib and its like are links into /usr on most systems; the loader asks for them by these names."""
    links = [path for path in ("/lib", "/lib32", "/lib64", "/bin") if os.path.islink(path)]
    return [word for path in links for word in ("--symlink", os.readlink(path), path)]
