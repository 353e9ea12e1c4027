"""This side's end of the warm worker: starts it, asks it for forks, starts it anew when it is gone."""

import contextlib
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO

from autograder.judging.boundary.channel import Channel
from autograder.judging.boundary.session import CRASHED, OUT_OF_MEMORY, TIMED_OUT, Mishap, Session
from autograder.judging.jail import bubblewrap, launch, visible
from autograder.judging.jail.limits import MIB, Limits

from . import keeper, zygote

START_SECONDS = 120.0
HELLO_SECONDS = 10.0


class WorkerFailed(Exception):
    """The worker cannot start or fork: the grader's trouble, no submission's."""


class Worker:
    """A warm worker process. `layers` names what it is in as a whole."""

    def __init__(self, preload: Iterable[str] = (), data: Iterable[str | Path] = (), bubblewrapped: bool | None = None):
        self._preload, self._data = list(preload), [str(path) for path in data]
        self._wrapped = bubblewrap.available() if bubblewrapped is None else bubblewrapped
        self._nursery: launch.Nursery | None = None  # without bubblewrap: its own
        self._control: socket.socket | None = None
        self._folder: tempfile.TemporaryDirectory | None = None
        self.layers: list[str] = []

    def fork(self, limits: Limits, answer: Callable[[Session, Any], Any]) -> Session:
        """A new process for a submission, in its jail. Raises WorkerFailed."""
        for _ in range(2):  # once more if the worker was gone
            if self._control is None:
                self.start()
            session = self._try_fork(limits, answer)
            if session is not None and session.greet(HELLO_SECONDS):
                return session
            words = self._last_words()
            self.close()
        raise WorkerFailed(f"the worker does not fork: {words}")

    def _try_fork(self, limits: Limits, answer: Callable[[Session, Any], Any]) -> Session | None:
        ours, theirs = socket.socketpair()
        watch, watched = socket.socketpair(type=socket.SOCK_SEQPACKET)
        try:
            socket.send_fds(self._control, [zygote.message(limits)], [theirs.fileno(), watched.fileno()])
        except OSError:
            ours.close()
            watch.close()
            return None
        finally:
            theirs.close()
            watched.close()
        return Session(Channel(ours), _Kept(watch, limits), answer)

    def start(self) -> None:
        """Take the process that was started ahead, or start one; in bubblewrap if that is there and works."""
        ways = [self._taken, self._forked, self._forked] if self._wrapped else []  # twice: a nursery may be of no use
        for way in [*ways, self._begun]:
            if (control := way()) is not None:
                self._control = control
                return
        words = self._last_words()
        self.close()
        raise WorkerFailed(f"the worker does not start: {words}")

    def _taken(self) -> socket.socket | None:
        ahead = launch.taken()
        return ahead and self._ready(ahead, wrapped=True)

    def _forked(self) -> socket.socket | None:
        with self._words() as words, contextlib.suppress(OSError):
            return self._ready(launch.warm_worker(self._data, words), wrapped=True)
        return None

    def _begun(self) -> socket.socket | None:
        """Without bubblewrap."""
        self._wrapped = False
        with self._words() as words, contextlib.suppress(OSError):
            os.makedirs(self._scratch(False), mode=0o777)
            os.chmod(self._scratch(False), 0o777)
            self._nursery = launch.Nursery(False, self._folder.name, self._data, words)
            return self._ready(self._nursery.worker(words), wrapped=False)
        return None

    def _words(self) -> BinaryIO:
        """A file to complain into, in a new folder."""
        self._clean()
        self._folder = tempfile.TemporaryDirectory(prefix="unrolled-worker-")
        os.chmod(self._folder.name, 0o711)
        return open(os.path.join(self._folder.name, "stderr"), "wb")

    def _ready(self, control: socket.socket, wrapped: bool) -> socket.socket | None:
        """Tell the process what to prepare for, and wait until it has; None if it does not."""
        self.layers = ["bubblewrap", "network"] if wrapped else []
        control.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):
            cores = sorted(os.sched_getaffinity(0))
            shown = visible.shown(self._data)
            control.send(zygote.setup(self._scratch(wrapped), shown, self.layers, self._preload, cores))
            if control.recv(len(zygote.READY)) == zygote.READY:
                return control
        control.close()
        self._stop()
        return None

    def _scratch(self, wrapped: bool) -> str:
        return bubblewrap.SCRATCH if wrapped else os.path.join(self._folder.name, "scratch")

    def close(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        self._stop()
        self._clean()

    def _clean(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _stop(self) -> None:
        if self._nursery is not None:
            self._nursery.end()
            self._nursery = None

    def _last_words(self) -> str:
        try:
            lines = Path(self._folder.name, "stderr").read_text(errors="replace").strip().splitlines()
            return lines[-1][:200]
        except (OSError, AttributeError, IndexError):
            return "it says nothing"


class _Kept:
    """A student's process, by way of its keeper."""

    def __init__(self, orders: socket.socket, limits: Limits):
        self._orders, self._limits = orders, limits
        orders.settimeout(HELLO_SECONDS)

    def interrupt(self) -> None:
        with contextlib.suppress(OSError):
            self._orders.send(keeper.INTERRUPT)

    def end(self, gone: bool = False) -> Mishap:
        """End the process, if it is not `gone` by itself; returns when it is."""
        with contextlib.suppress(OSError):
            self._orders.send(keeper.GONE if gone else keeper.END)
        try:
            report = self._report()
        except OSError:
            report = b""
        finally:
            self._orders.close()
        if len(report) != keeper.REPORT.size:
            return Mishap(CRASHED, "the process could not be watched")
        return _mishap(*keeper.REPORT.unpack(report)[:2], self._limits)

    def _report(self) -> bytes:
        try:
            return self._orders.recv(keeper.REPORT.size)
        except ConnectionResetError:  # it went without reading our last order; its report is there all the same
            return self._orders.recv(keeper.REPORT.size)


def _mishap(why: int, code: int, limits: Limits) -> Mishap:
    if why == keeper.MEMORY:
        return Mishap(OUT_OF_MEMORY, f"it used more than {limits.memory // MIB} MiB of memory")
    if why == keeper.THREADS:
        return Mishap(CRASHED, f"it started more than {limits.threads} threads")
    if why == keeper.UNSEEN:
        return Mishap(CRASHED, "it ended its first thread and went on in others")
    if why == keeper.PROCESSOR:
        return Mishap(TIMED_OUT, f"it used more than {limits.cpu_seconds} s of processor time")
    if why == keeper.ON_REQUEST:
        return Mishap(CRASHED, "it closed its connection to the grader")
    if code < 0:
        return Mishap(CRASHED, f"signal {-code} ended the process ({signal.strsignal(-code) or 'unknown'})")
    return Mishap(CRASHED, f"the code ended the process with exit code {code}")
