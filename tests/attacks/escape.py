"""Attacks that want out: the network, other processes, programs, other namespaces, other limits."""

from . import RIGHT, Attack

_REACH = """
def reach(what, function):
    try: print("GAINED", what, function())
    except (OSError, RuntimeError, ValueError, AttributeError, ImportError) as error: print("refused", what, error)
"""

ESCAPE = [
    Attack(
        "network",
        "open connections to the network, to this machine and to abstract sockets",
        _REACH
        + """
import socket, urllib.request
reach("tcp", lambda: socket.create_connection(("1.1.1.1", 80), 1))
reach("loopback", lambda: socket.create_connection(("127.0.0.1", PATHS["port"]), 1))
reach("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53)))
reach("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\\0anything"))
reach("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
reach("http", lambda: urllib.request.urlopen("http://127.0.0.1/", timeout=1))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "signals",
        "end the keeper, the worker, the grader and every other process",
        _REACH
        + """
import os, signal
for process in (-1, 0, os.getppid(), *range(2, 300), PATHS["grader"]):
    if process == 0: continue
    try: os.kill(process, signal.SIGKILL); print("GAINED", process)
    except OSError: pass
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "programs",
        "start a shell, a program and a new Python",
        _REACH
        + """
import os, subprocess, sys
reach("shell", lambda: subprocess.run("id", shell=True, capture_output=True).stdout)
reach("python", lambda: subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout)
reach("spawn", lambda: os.posix_spawn(sys.executable, [sys.executable], {}))
reach("exec", lambda: os.execv(sys.executable, [sys.executable]))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "namespaces",
        "make namespaces, mount, and change the root",
        _REACH
        + """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x00020000, 0x20000000, 0x40000000):
    if libc.unshare(flag) == 0: print("GAINED", "unshare", flag)
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: print("GAINED", "mount")
reach("chroot", lambda: os.chroot("."))
reach("setuid", lambda: os.setuid(0 if os.getuid() else 1))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "raised limits",
        "raise its own resource limits",
        _REACH
        + """
import resource
for what in (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):
    reach(what, lambda: resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "sockets without a network",
        "make socket pairs that can be dissolved and sent from, bind one, connect one, name a receiver",
        _REACH
        + """
import asyncio, ctypes, os, socket, struct
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), "no " + name)
for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_RAW):
    reach("pair", lambda: socket.socketpair(socket.AF_UNIX, kind))
    reach("pair", lambda: socket.socketpair(socket.AF_UNIX, kind | socket.SOCK_CLOEXEC))
pair, nowhere, name = socket.socketpair(), struct.pack("H14x", 0), struct.pack("H14s", 1, b"/tmp/left-behind")
for end in (pair[0].fileno(), *range(3, 64)):
    for what, address in (("connect", nowhere), ("connect", name), ("bind", name)):
        reach(what, lambda: called(what, end, address, 16))
    reach("listen", lambda: called("listen", end, 1))
    reach("sendto", lambda: called("sendto", end, b"x", 1, 0, name, 16))
pair[0].send(b"x")
async def tripled(x): return 3 * x
def triple(x): return asyncio.run(tripled(x)) if pair[1].recv(1, socket.MSG_PEEK) else 0
""",
        earns=1,
    ),
    Attack(
        "signals by files",
        "watch and lock files that others see, too: what one does, another notices",
        _REACH
        + """
import ctypes, fcntl, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), "no " + name)
reach("inotify", lambda: called("inotify_init"))
reach("inotify1", lambda: called("inotify_init1", 0))
file = os.open(os.__file__, os.O_RDONLY)
for how in (fcntl.LOCK_SH, fcntl.LOCK_EX): reach("flock", lambda: fcntl.flock(file, how | fcntl.LOCK_NB))
asked = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0)
for what in (fcntl.F_GETLK, fcntl.F_OFD_GETLK, fcntl.F_SETLEASE, fcntl.F_NOTIFY):
    reach(f"fcntl {what}", lambda: fcntl.fcntl(file, what, asked if what in (5, 36) else 0))
"""
        + RIGHT,
        earns=1,
    ),
]
