"""Namespaces of a submission's own: users, mounts, processes, network, IPC."""

import os
from collections.abc import Iterable

from . import linux

_KINDS = {
    "mounts": linux.CLONE_NEWNS,
    "processes": linux.CLONE_NEWPID,
    "ipc": linux.CLONE_NEWIPC,
    "network": linux.CLONE_NEWNET,
}
NOBODY = 65534


def become_nobody() -> None:
    """As root, turn into the user that owns nothing; else change nothing."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def nobody_can_read(paths: Iterable[str]) -> bool:
    """Whether student code run as nobody would find these: an interpreter in root's home, say, it would not."""
    child = os.fork()
    if child == 0:
        try:
            become_nobody()
            os._exit(0 if all(os.access(path, os.R_OK) for path in paths) else 1)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def leave(besides: frozenset[str] = frozenset()) -> list[str]:
    """Enter new namespaces of every kind the system gives, but for those that the worker has already (`besides`).

    The next process forked is the first of the new process namespace. Returns the names of what was entered.
    """
    entered = []
    try:
        users = os.geteuid(), os.getegid()
        linux.unshare(linux.CLONE_NEWUSER)
        _map(*users)
        entered.append("users")
    except OSError:
        pass  # as root, or with rights left, the others may work all the same
    for name, flag in _KINDS.items():
        if name in besides:
            continue
        try:
            linux.unshare(flag)
            entered.append(name)
        except OSError:
            continue
    return entered


def _map(user: int, group: int) -> None:
    """The one user and group that exist in the new namespace are those we had."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def empty_folder(path: str, size: int) -> None:
    """Cover `path` with a folder in memory that only this mount namespace sees. Raises OSError.

    Everything else becomes read-only: Landlock does not ask who changes a file's mode, owner or times.
    """
    linux.mount("none", "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount_read_only("/")
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    linux.mount("scratch", path, "tmpfs", flags, f"size={size},nr_inodes=4096,mode=700")
