"""The jail: what a student's process may see and do, and how the system is made to keep it so.

Layers, each useful alone, all of them used where the system has them:

- `bubblewrap`: the warm worker lives in a root of its own, in which nothing is mounted but what `visible` names;
- `namespaces`: each submission becomes a user without rights, with users, mounts, processes, network and IPC of its
  own, and a scratch folder in memory that vanishes with them;
- `landlock`: the kernel refuses every file outside the list, even where the mounts would show it;
- `seccomp`: no sockets, no new processes, no programs, none of the calls that reach into others;
- `limits`: memory, CPU, files, threads.

`enter` applies them in a process that was just forked. Works as root and without; `describe` says what is missing.
"""

from .enter import Layout, enter
from .report import LAYERS, JailMissing, demand, describe, missing

__all__ = [
    "LAYERS",
    "JailMissing",
    "Layout",
    "bubblewrap",
    "demand",
    "describe",
    "enter",
    "launch",
    "limits",
    "linux",
    "missing",
    "namespaces",
    "visible",
]
