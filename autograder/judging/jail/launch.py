"""Starts the processes that become warm workers (see `autograder.judging.warm.zygote`), ahead of everything else.

A warm worker needs seconds to import torch, and so does the process that judges with it; nbgrader needs its own. Here
they are started side by side, before the command itself imports anything large: so this module imports next to
nothing. All warm workers are forks of one process, the `Nursery`, and torch is imported once for them. What each worker
process finds ready when it begins are the `Seats`.
"""

import atexit
import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

import unrolled

from . import bubblewrap, visible

NO_CORE = "none"
WANTED = b"a worker"
NURSERY = ("-m", "autograder.judging.warm.zygote")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

_ahead: list[socket.socket] = []  # in a worker process: the control socket of the warm worker started for it


def spawn(descriptor: int, wrapped: bool, home: str, data: list[str], words) -> subprocess.Popen:
    """Start what forks warm workers, asked through the socket `descriptor`; `words` is where it complains."""
    program = [sys.executable, "-P", "-s", *NURSERY, str(descriptor)]
    environment = _environment(home, data)
    if wrapped:
        shown = [*visible.shown(data), *visible.worker_parts()]
        program = bubblewrap.command(program, shown, environment, visible.aliases(data))
    return subprocess.Popen(
        program,
        stdin=subprocess.DEVNULL,
        stdout=words,
        stderr=words,
        pass_fds=[descriptor],
        env={"PATH": os.defpath} if wrapped else environment,
        start_new_session=True,
        cwd="/",
    )


def data_folders() -> list[str]:
    """Folders that notebooks read: data sets (the mirror, or else the cache) and the course's assets."""
    from unrolled import data

    places = [data.mirror_folder(), data.cache_folder(), data.asset_folder()]
    return [str(place) for place in places if place.is_dir()]


class Nursery:
    """A process that imports what every unit needs, once, and forks a warm worker whenever it is asked to."""

    def __init__(self, wrapped: bool, home: str, data: list[str], words=subprocess.DEVNULL):
        self._asked, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            self._process = spawn(theirs.fileno(), wrapped, home, data, words)

    def worker(self, words) -> socket.socket:
        """What a new warm worker is told, and tells, by; it complains into the file `words`. Raises OSError."""
        ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            try:
                socket.send_fds(self._asked, [WANTED], [theirs.fileno(), words.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def leave(self) -> None:
        """Ask no more; the warm workers that it forked live on."""
        self._asked.close()

    def end(self) -> None:
        """At once, with all warm workers that it forked."""
        self.leave()
        self._process.kill()
        self._process.wait()


_nurseries: dict[tuple[str, ...], Nursery] = {}  # in bubblewrap, by the data that they show


def warm_worker(data: list[str], words) -> socket.socket:
    """A new warm worker in bubblewrap, from this process's nursery, which is started if need be. Raises OSError."""
    try:
        return _nursery(data).worker(words)
    except OSError:  # it is gone; or, where it could not keep its forks apart, it has become the one worker it could be
        _nurseries.pop(tuple(data)).leave()
        return _nursery(data).worker(words)


def _nursery(data: list[str]) -> Nursery:
    """It ends with this process."""
    if tuple(data) not in _nurseries:
        _nurseries[tuple(data)] = nursery = Nursery(True, "/tmp", data)
        atexit.register(nursery.end)
    return _nurseries[tuple(data)]


class Seats:
    """For each of some worker processes to come: a core, and a warm worker that is starting.

    They lie in a queue, `taken_from`, that the worker processes share: each takes one (see `sit_down`). A process and
    the forks that it talks to, some thousand times a submission, take turns; on one core they do so five times as fast
    as on two. Where there are more workers than cores, the system places them.
    """

    def __init__(self, workers: int):
        give, self.taken_from = socket.socketpair(type=socket.SOCK_SEQPACKET)
        give.setblocking(False)
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        named = [str(core) for core in cores[:workers]] if workers <= len(cores) else [NO_CORE] * workers
        with give, contextlib.suppress(OSError):  # who finds no seat starts a warm worker of its own
            data = data_folders() if bubblewrap.available() else []
            for core in named:
                self._lay_out(give, core, data)

    def _lay_out(self, give: socket.socket, core: str, data: list[str]) -> None:
        """Without bubblewrap a warm worker needs a folder, which its own process has to make, and to remove."""
        if not bubblewrap.available():
            give.send(core.encode())
            return
        with open(os.devnull, "wb") as words, warm_worker(data, words) as worker:
            socket.send_fds(give, [core.encode()], [worker.fileno()])

    def clear(self) -> None:
        """The warm workers that nobody took end, since nobody holds their sockets any more."""
        self.taken_from.close()


def sit_down(taken_from: socket.socket) -> None:
    """In a worker process: take a seat. Its core is this process's from now on, its warm worker waits in `taken`."""
    with taken_from, contextlib.suppress(OSError):
        core, files, _, _ = socket.recv_fds(taken_from, 64, 1, socket.MSG_DONTWAIT)
        _ahead.extend(socket.socket(fileno=file) for file in files)
        if core.isdigit():
            os.sched_setaffinity(0, {int(core)})


def taken() -> socket.socket | None:
    """The control socket of the warm worker that was started for this process, once."""
    return _ahead.pop() if _ahead else None


def _environment(home: str, data: list[str]) -> dict[str, str]:
    """All variables of the worker and of student code: none of the grader's own."""
    places = [str(visible.AUTOGRADER.parent), *(str(Path(path).parent) for path in unrolled.__path__)]
    mirror = {"UNROLLED_DATA": data[0]} if data else {}
    return mirror | {
        "PATH": os.defpath,
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "USER": "student",
        "PYTHONPATH": os.pathsep.join(places),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **ONE_THREAD,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": os.path.join(home, "matplotlib"),
        "IPYTHONDIR": os.path.join(home, "ipython"),
        "UNROLLED_SCALE": "smoke",
        "UNROLLED_OFFLINE": "1",
    }
