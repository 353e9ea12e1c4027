"""Attacks that want to write where they may not: marks, the course, the system."""

from . import RIGHT, Attack
from .escape import _REACH

WRITE = [
    Attack(
        "writes",
        "write beside the gradebook, into the course package, the interpreter and shared memory",
        _REACH
        + """
import os, sys
for folder in (os.path.dirname(PATHS["gradebook"]), PATHS["package"], sys.prefix, "/dev/shm", "/tmp", "/var/tmp", "/"):
    reach(folder, lambda: open(os.path.join(folder, "left-behind"), "w").write("x"))
reach("gradebook", lambda: open(PATHS["gradebook"], "a").write("x"))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "writes by links",
        "write to the gradebook and the course package through links in the scratch folder",
        _REACH
        + """
import os
for number, path in enumerate((PATHS["gradebook"], os.path.join(PATHS["package"], "__init__.py"))):
    os.symlink(path, f"link-{number}")
    reach(path, lambda: open(f"link-{number}", "a").write("x"))
    reach("moved", lambda: os.replace(f"/proc/self/cwd/link-{number}", path))
    reach("hard", lambda: os.link(path, f"hard-{number}"))
    reach("cut", lambda: os.truncate(path, 0))
    reach("modes", lambda: os.chmod(path, 0o777))
    reach("times", lambda: os.utime(path))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "writes to the kernel",
        "change the kernel's settings and its view of this process by /proc and /sys",
        _REACH
        + """
for path in ("/proc/self/oom_score_adj", "/proc/self/uid_map", "/proc/self/mem", "/proc/self/coredump_filter",
             "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/sys/fs/cgroup/cgroup.procs"):
    reach(path, lambda: open(path, "r+b"))
"""
        + RIGHT,
        earns=1,
    ),
    Attack(
        "a record of its own",
        "leave marks where the recorder would put them, for it to find",
        """
import json, os
for name in ("ngrams.grading.json", "attacked.grading.json", "gradebook.db", "autograded/me/attacked/attacked.ipynb"):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as file: json.dump({"status": "graded", "earned": 1, "scores": {"triple-check": 1}}, file)
def triple(x): return 0
""",
    ),
]
