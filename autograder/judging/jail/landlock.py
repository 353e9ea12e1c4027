"""Landlock: a process gives up, for good, every file that it did not list.

System calls and constants as in the kernel's `include/uapi/linux/landlock.h`. Left out on purpose: rules for single
ports (none may be opened at all).
"""

import ctypes
import os
from collections.abc import Iterable

from . import linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_BITS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights over files each version knows
_NO_SPECIAL_FILES = ~(1 << 6 | 1 << 9 | 1 << 10 | 1 << 11)  # character devices, sockets, pipes, block devices
READ = _READ_FILE | _READ_DIR
FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15  # what a rule for a single file may name


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """The kernel's Landlock version; 0 if it has none."""
    try:
        return linux.syscall(_CREATE, None, 0, ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """From now on only these files and what is beneath them; no TCP, no signals and sockets to others.

    Needs `no_new_privs`. Paths that do not exist are passed over. Raises OSError where Landlock is missing.
    """
    abi = version()
    if not abi:
        raise OSError("Landlock is missing")
    everything = (1 << _BITS_BY_ABI.get(abi, 16)) - 1
    rules = _Ruleset(everything, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = linux.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    for path in readable:
        _allow(ruleset, path, READ)
    for path in writable:
        _allow(ruleset, path, everything & _NO_SPECIAL_FILES & ~_EXECUTE)
    linux.syscall(_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    rights &= -1 if os.path.isdir(path) else FILE_RIGHTS
    rule = _Beneath(rights, parent)
    linux.syscall(_ADD, ruleset, 1, ctypes.byref(rule), 0)
    os.close(parent)
