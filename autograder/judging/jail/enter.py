"""Into the jail: what a forked process does before any student code runs in it."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from . import landlock, limits, linux, namespaces, seccomp, visible
from .limits import Limits


@dataclass(frozen=True)
class Layout:
    """Where things are for a submission; the same for all of a worker."""

    scratch: str
    shown: tuple[str, ...]
    layers: tuple[str, ...] = ()  # what the worker as a whole is in already
    as_nobody: bool = True  # whether root's submissions run as nobody


def separate(layout: Layout, bounds: Limits) -> list[str]:
    """First half, before the last fork: become nobody, leave the worker's namespaces, get an empty folder.

    Returns the names of the layers now in force.
    """
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # changing users makes /proc/self root's; this brings it back
    if layout.as_nobody:
        namespaces.become_nobody()
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    entered = namespaces.leave(frozenset({"network"} & set(layout.layers)))
    if "mounts" in entered:
        try:
            namespaces.empty_folder(layout.scratch, bounds.scratch)
        except OSError:
            entered.remove("mounts")
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    nobody = ["nobody"] if os.geteuid() != 0 else []
    return sorted({*entered, *nobody, *layout.layers})


def enter(layout: Layout, bounds: Limits, keep: int) -> list[str]:
    """Second half, in the student's process: close everything but the file `keep`, give up every right.

    Returns the names of the layers that this adds. Order matters: Landlock and seccomp come last, since what they
    take away is needed until then.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    _close_all_but(keep)
    os.setsid()
    os.chdir(layout.scratch)
    os.umask(0o077)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.drop_capabilities()
    readable = [*layout.shown, *visible.DEVICES, *visible.MACHINE]
    steps: dict[str, Callable[[], None]] = {
        "limits": lambda: limits.apply(bounds),
        "landlock": lambda: landlock.restrict(readable, [layout.scratch, "/dev/null"]),
        "seccomp": lambda: seccomp.restrict(os.getpid()),
    }
    return [name for name, step in steps.items() if _works(step)]


def _works(step: Callable[[], None]) -> bool:
    try:
        step()
    except OSError:
        return False
    return True


def _close_all_but(keep: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.closerange(3, keep)
    os.closerange(keep + 1, 65536)
