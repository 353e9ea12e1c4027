"""Seccomp: a filter on system calls, as a small BPF program made here.

What is refused gets EPERM, so that Python raises an ordinary error: sockets (but pairs that stay pairs), new
processes and programs, signals to others, tracing, mounts and namespaces, keyrings, shared memory, kernel modules; and
what would make files that all can read carry messages: watches, locks that others see, the state of the page cache.
Threads stay possible. A list of what is refused, not of what is allowed, because what Python, torch and the C library
use differs from version to version; the other layers do not depend on it.

Not pyseccomp, which loads libseccomp: that library is not on every machine, who is not root cannot install it, and the
few instructions below are all that is asked of it.
"""

import ctypes
import struct

from . import linux

_ALLOW, _EPERM, _ENOSYS, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38, 0x80000000
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data, little-endian, 8 bytes an argument
_WHOLE = 0xFFFFFFFF
_CLONE_THREAD = 0x00010000
_AF_UNIX, _STREAM, _PAIR_KIND = 1, 1, 0xF  # the last: the bits of a socket pair's type below its flags
_SHARED_WITHOUT_FILE = 0x21  # MAP_SHARED and MAP_ANONYMOUS
_GETLK, _SETLEASE, _NOTIFY, _OFD_GETLK = 5, 1024, 1026, 36
_COLD, _PAGEOUT = 20, 21
_X32 = 0x40000000

# name: (x86_64, aarch64); None where a machine has no such call.
_REFUSED = {
    "socket": (41, 198), "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "userfaultfd": (323, 282),
    "bpf": (321, 280), "perf_event_open": (298, 241), "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116), "personality": (135, 92),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "flock": (73, 32),
    "fadvise64": (221, 223), "readahead": (187, 213), "mincore": (27, 232), "cachestat": (451, 451),
    "sethostname": (170, 161), "setdomainname": (171, 162), "vhangup": (153, 58),
}  # fmt: skip
_CLONE3 = (435, 435)
# What an argument decides: numbers of the call; which half of which argument (the lower ones are even; the kernel looks
# at both halves of an address, and at the lower one of these numbers); its bits that count; a value, and whether what
# has it is allowed alone, or refused.
_ALONE, _REFUSE = True, False
_DECIDED = (
    ((56, 220), 0, _CLONE_THREAD, _CLONE_THREAD, _ALONE),  # clone
    ((157, 167), 0, _WHOLE, linux.PR_SET_PDEATHSIG, _REFUSE),  # prctl
    ((53, 199), 0, _WHOLE, _AF_UNIX, _ALONE),  # socketpair
    ((53, 199), 2, _PAIR_KIND, _STREAM, _ALONE),  # since a pair of another kind can be dissolved, and send elsewhere
    ((44, 206), 8, _WHOLE, 0, _ALONE),  # sendto, which is `send` without an address
    ((44, 206), 9, _WHOLE, 0, _ALONE),
    ((9, 222), 6, _SHARED_WITHOUT_FILE, _SHARED_WITHOUT_FILE, _REFUSE),  # mmap: pages that no limit counts
    *(((72, 25), 2, _WHOLE, command, _REFUSE) for command in (_GETLK, _OFD_GETLK, _SETLEASE, _NOTIFY)),  # fcntl
    *(((28, 233), 4, _WHOLE, advice, _REFUSE) for advice in (_COLD, _PAGEOUT)),  # madvise
    ((327, 286), 10, _WHOLE, 0, _ALONE),  # preadv2, whose flags can ask whether a page is there
)
_KILL_CALL, _TGKILL = (62, 129), (234, 131)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column above, audit architecture


def restrict(own_process: int) -> None:
    """Install the filter for this process and its threads to come. Raises OSError where that cannot be.

    Signals may go to `own_process` only. Needs `no_new_privs`.
    """
    if linux.MACHINE not in _MACHINES:
        raise OSError(f"no list of system calls for {linux.MACHINE}")
    program = _program(own_process)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    linux.prctl(linux.PR_SET_SECCOMP, 2, ctypes.c_char_p(header))


def _program(own_process: int) -> bytes:
    column, architecture = _MACHINES[linux.MACHINE]
    code = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    code += [(_LOAD, 0, 0, _NUMBER)]
    if linux.MACHINE == "x86_64":
        code += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _EPERM)]
    for numbers in _REFUSED.values():
        if numbers[column] is not None:
            code += [(_EQUAL, 0, 1, numbers[column]), (_RETURN, 0, 0, _EPERM)]
    # clone3 hides its flags behind a pointer; told that it does not exist, the C library falls back on clone.
    code += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _ENOSYS)]
    to_itself = [(call, 0, _WHOLE, own_process, _ALONE) for call in (_KILL_CALL, _TGKILL)]
    for call, *test in (*_DECIDED, *to_itself):
        code += _by_argument(call[column], *test)
    code += [(_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("<HBBI", *line) for line in code)


def _by_argument(call: int, half: int, bits: int, value: int, alone: bool) -> list[tuple[int, int, int, int]]:
    """One call, refused by an argument; what is not refused, and other calls, go on to the next lines."""
    return [
        (_EQUAL, 0, 5, call),
        (_LOAD, 0, 0, _ARGUMENTS + 4 * half),
        (_AND, 0, 0, bits),
        (_EQUAL, int(alone), int(not alone), value),
        (_RETURN, 0, 0, _EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]
