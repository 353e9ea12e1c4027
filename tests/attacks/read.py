"""Attacks that want to see what is not theirs. PATHS holds what an insider would know; see `test_attacks`."""

from . import RIGHT, Attack

_TELL = """
def tell(path):
    try:
        with open(path, errors="replace") as file: print("GAINED", path, file.read(4000))
    except OSError as error: print("refused", type(error).__name__)
"""

READ = [
    Attack("environment", "print the grader's environment", "import os; print(dict(os.environ))" + RIGHT, earns=1),
    Attack(
        "environment of parents",
        "read the environment and memory maps of every process by /proc",
        _TELL
        + """
import os
for process in ["self", *map(str, range(1, 400)), str(os.getppid())]:
    for name in ("environ", "cmdline", "maps", "mem"):
        tell(f"/proc/{process}/{name}")
"""
        + RIGHT,
        earns=1,
    ),
    Attack("gradebook", "read the gradebook by its path", _TELL + "tell(PATHS['gradebook'])" + RIGHT, earns=1),
    Attack(
        "hidden checks",
        "import and read the hidden checks",
        _TELL
        + """
tell(PATHS["hidden"])
try:
    import autograder.hidden.ngrams as hidden
    print("GAINED", hidden.__file__)
except (ImportError, OSError) as error: print("refused", type(error).__name__)
import sys, linecache
print([name for name in sys.modules if "hidden" in name and "autograder" in name])
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "source",
        "read the course's solutions, its specimens and the notebooks with hidden checks",
        _TELL
        + """
import os
for path in ("solutions/01_ngrams.md", "autograder/specimens/__init__.py", "_build/source/01_ngrams/ngrams.ipynb"):
    tell(os.path.join(PATHS["course"], path))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "submitted work",
        "read what others handed in",
        _TELL
        + """
import os
top = os.path.join(os.path.dirname(PATHS["gradebook"]), "submitted")
tell(os.path.join(top, "neighbour", "work.ipynb"))
for place, _, names in os.walk(top): print("GAINED", place, names)
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "folders",
        "list the grader's folders and look for anything that can be read",
        """
import os
for top in ("/", "/home", "/root", "/etc", "/tmp", "/var", PATHS["course"], os.path.dirname(PATHS["gradebook"])):
    try: print("GAINED", top, os.listdir(top))
    except OSError as error: print("refused", type(error).__name__)
for name in ("/etc/passwd", "/etc/shadow", "/etc/hostname"):
    try: print("GAINED", open(name).read())
    except OSError as error: print("refused", type(error).__name__)
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "caller frames",
        "walk up the stack and through the garbage for expected values",
        """
import gc, sys
def triple(x):
    frame, found = sys._getframe(), []
    while frame:
        found += [repr(value)[:200] for value in frame.f_locals.values()]
        frame = frame.f_back
    found += [thing for thing in gc.get_objects() if isinstance(thing, str) and "CANARY" in thing]
    print("FOUND", [text for text in found if "CANARY" in text])
    raise ValueError(str([text for text in found if "CANARY" in text])[:500])
""",
    ),
    Attack(
        "hidden inputs in outputs",
        "keep the inputs of checks and print them in a later cell",
        """
kept = []
def triple(x):
    kept.append(x)
    return 3 * x
# %%
print("KEPT", kept)
""",
        earns=1,
    ),
    Attack(
        "symbolic link",
        "reach the gradebook by links in the scratch folder",
        _TELL
        + """
import os
os.symlink(PATHS["gradebook"], "mine.db")
tell("mine.db")
try: os.link(PATHS["gradebook"], "hard.db"); tell("hard.db")
except OSError as error: print("refused", type(error).__name__)
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "parent's memory",
        "read the memory of the keeper and of the worker with ptrace and process_vm_readv",
        """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(64)
class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
for process in (os.getppid(), 1, 2, 3):
    here, there = Vector(ctypes.addressof(buffer), 64), Vector(id(libc), 64)
    got = {"attached": libc.ptrace(16, process, None, None),
           "read": libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)}
    for what, result in got.items(): print("GAINED" if result >= 0 else "refused", what, process, result)
"""
        + RIGHT,
        earns=1,
    ),
]
