"""The few system calls that Python does not offer, by ctypes. Failures raise OSError."""

import ctypes
import os
import platform

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 24, 36, 38

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), f"system call {number}")


def prctl(option: int, *arguments: object) -> int:
    values = [value if not isinstance(value, int) else ctypes.c_ulong(value) for value in arguments]
    values += [ctypes.c_ulong(0)] * (4 - len(values))
    return _checked(_libc.prctl(ctypes.c_int(option), *values), f"prctl {option}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    texts = [None if text is None else text.encode() for text in (source, target, kind)]
    options = None if data is None else data.encode()
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options), f"mount {target}")


def mount_read_only(top: str) -> None:
    """Make every mount from `top` down read-only in this mount namespace."""
    attributes = (ctypes.c_uint64 * 4)(1, 0, 0, 0)  # struct mount_attr: set MOUNT_ATTR_RDONLY, nothing else
    here, recursive = ctypes.c_int(-100), ctypes.c_uint(0x8000)  # AT_FDCWD, AT_RECURSIVE
    syscall(442, here, top.encode(), recursive, attributes, ctypes.c_size_t(32))  # mount_setattr, Linux 5.12


def drop_capabilities() -> None:
    """Give up every capability, also for programs started later."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:  # beyond the last one, or not ours to drop: then none is held either
            break
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, this process
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(header, nothing), "capset")
