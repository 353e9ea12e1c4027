"""Attacks that want to use up what others need, or to make the grader wait."""

from . import RIGHT, Attack

# Memory that processes could share: without a file, and by way of a device, which needs no right to write.
_SHARED = """
import mmap, os
def shared(size):
    for way in (lambda: mmap.mmap(-1, size), lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), size),
                lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), size, prot=mmap.PROT_READ)):
        try: memory = way()
        except OSError as error: print("refused", error); continue
        for at in range(0, size, 4096):
            try: memory[at] = 1
            except TypeError: memory[at]
        return memory
"""

EXHAUST = [
    Attack("endless cell", "run for ever", "while True: pass" + "\n# %%" + RIGHT, 1, ("timed out",)),
    Attack(
        "swallowed interrupts",
        "run for ever and swallow every interrupt",
        "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass" + "\n# %%" + RIGHT,
        1,
        ("timed out",),
    ),
    Attack("endless call", "never return", "def triple(x):\n    while True: pass", 0, ("timed out",)),
    Attack(
        "sleep with signals off",
        "ignore the interrupt and sleep",
        """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
def triple(x):
    while True: time.sleep(100)
""",
        0,
        ("timed out",),
    ),
    Attack(
        "fork bomb",
        "start processes without end",
        """
import os
def bomb():
    while True:
        try: os.fork()
        except OSError as error:
            print("refused", error)
            return
bomb()
import multiprocessing
try: multiprocessing.Process(target=bomb).start()
except OSError as error: print("refused", error)
"""
        + RIGHT,
        1,
    ),
    Attack(
        "thread bomb",
        "start threads without end",
        """
import threading, time
threading.stack_size(65536)
while True:
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
"""
        + "\n# %%"
        + RIGHT,
        1,
        ("crashed",),
    ),
    Attack(
        "memory",
        "allocate memory without end",
        "kept = []\nwhile True: kept.append(bytearray(10_000_000))" + "\n# %%" + RIGHT,
        1,
        ("graded", "out of memory", "timed out"),
    ),
    Attack(
        "shared memory",
        "allocate shared mappings, which no limit on data counts",
        _SHARED
        + """
held = []
while len(held) < 40 and (more := shared(50_000_000)): held.append(more)
if len(held) == 40: print("GAINED", len(held))
"""
        + "\n# %%"
        + RIGHT,
        1,
        ("graded", "out of memory"),
    ),
    Attack(
        "memory out of sight",
        "fill shared mappings and let go of their pages, which stay and are counted nowhere",
        _SHARED
        + """
held = []
while len(held) < 40 and (more := shared(50_000_000)):
    held.append(more)
    more.madvise(mmap.MADV_DONTNEED)
if len(held) == 40: print("GAINED", len(held))
"""
        + "\n# %%"
        + RIGHT,
        1,
        ("graded", "out of memory"),
    ),
    Attack(
        "a first thread that ends",
        "end the first thread, so that the system says of the process that it has no memory, and go on in another",
        """
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(1000,)).start()
def triple(x): ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[__import__("platform").machine()], 0)
""",
        0,
        ("crashed",),
    ),
    Attack(
        "memory in a call",
        "allocate a huge tensor when called",
        "import torch\ndef triple(x): return torch.ones(10**9, 8)",
        0,
        ("out of memory",),
    ),
    Attack(
        "disk",
        "fill the disk with large and with many files",
        """
import os
for number in range(10_000):
    try:
        with open(f"file-{number}", "wb") as file: file.write(b"x" * 3_000_000)
    except OSError as error:
        print("refused", error)
        break
else: print("GAINED")
try: open("large", "wb").truncate(10**10); print("GAINED")
except OSError as error: print("refused", error)
"""
        + RIGHT,
        1,
    ),
    Attack(
        "output flood", "print without end", "while True: print('x' * 10_000)" + "\n# %%" + RIGHT, 1, ("timed out",)
    ),
    Attack("exit", "end the process", "import os\ndef triple(x): os._exit(0)", 0, ("crashed",)),
    Attack("segfault", "crash the interpreter", "import ctypes\ndef triple(x): ctypes.string_at(0)", 0, ("crashed",)),
    Attack(
        "stack overflow",
        "overflow the C stack",
        "import sys\nsys.setrecursionlimit(10**9)\ndef triple(x): return triple(x)",
        0,
        ("crashed", "out of memory", "timed out"),
    ),
    Attack(
        "endless iterator",
        "return a list that never ends when it is read",
        """
class Endless(list):
    def __iter__(self):
        while True: yield 6
def triple(x): return Endless([6])
""",
        0,
        ("timed out", "out of memory", "graded"),
    ),
    Attack(
        "generator",
        "return an endless generator",
        "def triple(x):\n    while True: yield 6",
    ),
    Attack(
        "nested lists",
        "return lists nested beyond any stack",
        """
def triple(x):
    value = []
    for _ in range(100_000): value = [value]
    return value
""",
        0,
        ("graded", "crashed"),
    ),
    Attack(
        "callback flood",
        "call a check's function for ever",
        "def triple(x):\n    while callable(x): x(1)\n    return 0",
        0,
        ("timed out",),
    ),
    Attack(
        "odd tensors",
        "return tensors that are sparse, on no device, huge by their strides, complex or in need of gradients",
        """
import torch
values = [torch.eye(2).to_sparse(), torch.ones(2, device="meta"), torch.ones(1).expand(2**40), torch.ones(2) * 1j,
          torch.ones(2, requires_grad=True), torch.full((2,), float("nan")), torch.ones(0, 2**31 - 1)]
count = 0
def triple(x):
    global count
    count += 1
    return values[count % len(values)]
""",
        0,
        ("out of memory",),
    ),
    Attack(
        "colliding keys",
        "return a dict whose keys all fall into one place of a hash table",
        """
def triple(x):
    return {k * (2**61 - 1): 0 for k in range(1, 20_000)}
""",
        0,
        ("graded", "timed out"),
    ),
    Attack(
        "arithmetic without a pause",
        "compute what no interrupt can stop",
        "def triple(x): return 7 ** (10 ** 8) if x else 0",
        0,
        ("timed out", "crashed"),
    ),
    Attack(
        "enormous int",
        "return an int with a million digits",
        "def triple(x): return 10 ** 1_000_000",
    ),
    Attack(
        "message without end",
        "make a check's own message millions of letters long, in one word, so that setting it takes hours",
        """
def triple(x):
    if callable(x):
        for size in (60_000_000, 12_000_000):
            try: x("y" * size)
            except TypeError: pass
    raise ValueError("y" * 3_000_000)
""",
    ),
    Attack(
        "large arguments of a callback",
        "make a check keep, or read, hundreds of megabytes by calling its function with them",
        """
def triple(x):
    while callable(x):
        try: x("y" * 8_000_000)
        except TypeError as error:
            if "too large" in str(error): break
    return 0
""",
    ),
    Attack(
        "many arguments of callbacks",
        "make a check keep hundreds of megabytes by calling its function with a little, often",
        """
def triple(x):
    for _ in range(100_000) if callable(x) else ():
        try: x(["y"] * 60_000)
        except TypeError as error:
            if "too large" in str(error): break
    return 0
""",
    ),
]
