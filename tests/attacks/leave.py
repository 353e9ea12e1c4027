"""Attacks that want to outlive their submission: for the next one, or for their own next run."""

from . import RIGHT, Attack
from .escape import _REACH

LEAVE = [
    Attack(
        "daemon threads",
        "keep a thread that goes on answering after the call",
        """
import threading, time
def later():
    while True:
        time.sleep(0.01)
        globals()["triple"] = lambda x: 3 * x
threading.Thread(target=later, daemon=True).start()
def triple(x): return 0
""",
    ),
    Attack(
        "import hooks",
        "patch the import machinery and modules for whoever comes next",
        """
import builtins, sys
real = builtins.__import__
builtins.__import__ = lambda name, *rest: real(name, *rest)
sys.modules["torch"] = sys.modules["math"]
sys.modules["unrolled.checking"] = sys.modules["math"]
import unrolled
unrolled.left_behind = True
def triple(x): return 0
""",
        statuses=("graded", "crashed"),
    ),
    Attack(
        "files",
        "leave files wherever they can be written",
        """
import os, tempfile
for folder in (".", tempfile.gettempdir(), "/tmp", "/dev/shm", os.path.expanduser("~"), "/var/tmp"):
    try: open(os.path.join(folder, "left-behind"), "w").write("x")
    except OSError as error: print("refused", error)
os.makedirs("locked/inside")
os.chmod("locked", 0)
"""
        + RIGHT,
        1,
    ),
    Attack(
        "shared memory segments",
        "leave System V, POSIX and keyring memory",
        """
import ctypes
from multiprocessing import shared_memory
libc = ctypes.CDLL(None, use_errno=True)
for what in (libc.shmget(1234, 4096, 0o1666), libc.semget(1234, 1, 0o1666), libc.msgget(1234, 0o1666),
             libc.syscall(248, b"user", b"left-behind", b"x", 1, -4)):
    if what >= 0: print("GAINED", what)
try: shared_memory.SharedMemory("left-behind", create=True, size=4096); print("GAINED")
except OSError as error: print("refused", error)
"""
        + RIGHT,
        1,
    ),
    Attack(
        "next run",
        "keep the inputs of checks for its own next run, which follows when it ends its process",
        """
import os, sys
here = [os.path.join(top, name) for top in (".", "/tmp", "/scratch") if os.path.isdir(top)
        for name in ("kept", "left-behind")]
for path in here:
    if os.path.exists(path): print("GAINED", open(path).read())
if hasattr(sys, "kept"): print("GAINED", sys.kept)
def triple(x):
    sys.kept = x
    for path in here:
        try: open(path, "w").write(str(x))
        except OSError: pass
    os._exit(1)
""",
        statuses=("crashed",),
    ),
    Attack(
        "exit handlers",
        "run code when the process ends",
        """
import atexit, signal, os, time
atexit.register(lambda: time.sleep(100))
signal.signal(signal.SIGTERM, signal.SIG_IGN)
class Last:
    def __del__(self): time.sleep(100)
last = Last()
"""
        + RIGHT,
        1,
    ),
    Attack(
        "page cache",
        "write bits into the system's page cache, by dropping pages of a library, and read which are there",
        _REACH
        + """
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.syscall.restype = ctypes.c_void_p, ctypes.c_long
def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), "no " + name)
file = os.open(os.__file__, os.O_RDONLY)
reach("drop", lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED))
reach("fetch", lambda: called("readahead", file, ctypes.c_long(0), ctypes.c_size_t(4096)))
reach("look", lambda: os.preadv(file, [bytearray(8)], 0, 8))
seen = mmap.mmap(file, 0, prot=mmap.PROT_READ)
seen[0]
reach("page out", lambda: seen.madvise(21))
reach("cold", lambda: seen.madvise(20))
where, vector = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file, 0), ctypes.create_string_buffer(1)
reach("mincore", lambda: called("mincore", ctypes.c_void_p(where), ctypes.c_size_t(4096), vector))
span, counts = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()
reach("cachestat", lambda: called("syscall", 451, file, span, counts, 0))
os.preadv(file, [bytearray(8)], 0)
"""
        + RIGHT,
        earns=1,
    ),
]
