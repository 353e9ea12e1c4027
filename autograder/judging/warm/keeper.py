"""Watches one student's process from outside its namespaces: interrupts it, ends it, says how it ended.

The keeper obeys one byte at a time, looks at memory and threads every few milliseconds, and when the process is gone
it waits for, or ends, whatever is left, reports and goes.
"""

import contextlib
import os
import resource
import select
import shutil
import signal
import socket
import struct
import time
from pathlib import Path

from autograder.judging.jail import linux
from autograder.judging.jail.limits import MIB, Limits

INTERRUPT, END, GONE = b"i", b"e", b"g"  # GONE: it has closed its connection, so it is ending, or it plays dead
BY_ITSELF, ON_REQUEST, MEMORY, THREADS, PROCESSOR, UNSEEN = range(6)
REPORT = struct.Struct("<Biq")  # why it ended, its exit code (negative: a signal), its largest memory in bytes
PERIOD = 0.02  # seconds between two looks
SPARE = 64 * MIB  # for pages of libraries that are touched only now, and are nobody's doing
PATIENCE = 0.5  # seconds that a process without a connection has to end
_PAGE = resource.getpagesize()


def keep(child: int, orders: socket.socket, limits: Limits, sweep: str | None = None) -> None:
    """Return when the process has ended and the report is sent; `sweep` is a folder to empty in between."""
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    why = _watch(child, orders, limits)
    _end(child)
    _, status, usage = os.wait4(child, 0)
    _end_the_rest()
    if sweep:
        empty(sweep)
    code = os.waitstatus_to_exitcode(status)
    if why == BY_ITSELF and code == -signal.SIGKILL and usage.ru_utime + usage.ru_stime > limits.cpu_seconds - 0.5:
        why = PROCESSOR  # which the system measures in coarser steps
    with contextlib.suppress(OSError):
        orders.send(REPORT.pack(why, code, usage.ru_maxrss * 1024))


def empty(folder: str) -> None:
    """Remove everything in the folder, whatever its owner did to its permissions."""
    for top, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(top, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)
    for entry in list(os.scandir(folder)):
        shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)


def _watch(child: int, orders: socket.socket, limits: Limits) -> int:
    """Why the process ended, or is to be ended."""
    exited = os.pidfd_open(child)
    begun = _memory(child)
    allowed = begun + limits.memory + SPARE  # what is the process's alone has a limit of the system's
    while True:
        ready, _, _ = select.select([orders, exited], [], [], PERIOD)
        if exited in ready:
            return BY_ITSELF
        if orders in ready:
            order = orders.recv(1)
            if order == GONE and select.select([exited], [], [], PATIENCE)[0]:
                return BY_ITSELF
            if order != INTERRUPT:
                return ON_REQUEST
            os.kill(child, signal.SIGINT)
        memory = _memory(child)
        if memory > allowed:
            return MEMORY
        if begun and not memory and not select.select([exited], [], [], PATIENCE)[0]:
            return UNSEEN  # its first thread has ended, and the system shows nothing of the others
        if _threads(child) > limits.threads:
            return THREADS


def _memory(process: int) -> int:
    """Bytes of memory in use; 0 where /proc does not say."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _threads(process: int) -> int:
    try:
        return len(os.listdir(f"/proc/{process}/task"))
    except OSError:
        return 0


def _end(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _end_the_rest() -> None:
    """End every process that came to the keeper when its parent died."""
    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        try:
            for name in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                _end(int(name))
            os.waitpid(-1, os.WNOHANG)
        except (OSError, ChildProcessError):
            return
