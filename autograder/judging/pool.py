"""Where submissions are judged: processes on this machine, or a Dask cluster. Both are `concurrent.futures` executors.

A worker that dies takes nothing with it: what it had is given to others, and what was on its way when several died is
tried alone, so that only a submission that ends its worker by itself, for the second time, is recorded as the cause.
That is its own end, as final as any: the next run does not try it again. This module imports neither torch nor the
checks; the workers do.
"""

import atexit
import contextlib
import multiprocessing
import os
import pickle
import resource
import secrets
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from functools import partial
from multiprocessing import connection, util
from multiprocessing.context import BaseContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path

from autograder.course import Trouble
from autograder.judging import forkserver, quick
from autograder.judging.jail import launch
from autograder.judging.place import Place
from autograder.outcome import Judged, ended, failure

CONNECT_SECONDS = 15
KEPT = 2 * 2**30  # bytes that a worker may come to keep; a class of 1,000 has taken half of that


def judge_submission(place: Place, student: str) -> Judged:
    """The function that every worker runs."""
    from autograder.judging import grader

    return grader.judge_submission(place, student)


def judge_notebook(place: Place, text: str) -> str:
    """The same for a notebook that is mended already; see `autograder.judging.grader.judge_notebook`."""
    from autograder.judging import grader

    return grader.judge_notebook(place, text)


# --- starting early --------------------------------------------------------------------------------------------------

_ahead: list[tuple[BaseContext, launch.Seats]] = []


def start_ahead(workers: int) -> None:
    """Begin to start what the next `Processes` need; whoever calls this has seconds of imports of its own to do."""
    _ahead.append(_started(workers))
    atexit.register(lambda: [seats.clear() for _, seats in _ahead])
    quick.import_jsonschema()


def _started(workers: int) -> tuple[BaseContext, launch.Seats]:
    """A fork server that imports torch once, for all worker processes, and beside it their warm workers."""
    for name, value in launch.ONE_THREAD.items():  # a fork of many threads hangs
        os.environ.setdefault(name, value)
    context = forkserver.context("autograder.judging.preloaded")
    ensure_running()
    return context, launch.Seats(workers)


# --- pools -----------------------------------------------------------------------------------------------------------


class Processes:
    """Worker processes on this machine. They end with this process, however it ends."""

    def __init__(self, workers: int):
        self.width, self._executor = workers, None
        self._folders = Path(tempfile.gettempdir(), f"unrolled-grading-{secrets.token_hex(4)}-")  # how theirs begin
        self._seats: launch.Seats | None = None

    def submit(self, *work) -> Future:
        if self._executor is None:
            self._executor = self._begin()
        promised: Future = Future()
        self._executor.submit(_put_down, *work).add_done_callback(partial(_hand_over, promised))
        return promised

    def _begin(self) -> Executor:
        context, self._seats = _ahead.pop() if _ahead else _started(self.width)
        given = str(self._folders), self._seats.taken_from
        return ProcessPoolExecutor(self.width, context, initializer=_settle, initargs=given)

    def stop(self) -> None:
        """End the workers, whatever they do."""
        if self._executor is None:
            return
        executor, self._executor = self._executor, None
        processes = list((executor._processes or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        self._tidy()  # while the workers would still do it themselves, if this process were killed here
        for process in processes:
            process.kill()
        for process in processes:
            process.join()
        self._seats.clear()
        self._tidy()

    def _tidy(self) -> None:
        for folder in self._folders.parent.glob(f"{self._folders.name}*"):
            _remove(folder)


class Cluster:
    """The workers of a Dask cluster, which must see the course's folder under the same path."""

    def __init__(self, address: str):
        try:
            from distributed import Client
        except ImportError:
            told = "--scheduler needs Dask: pip install 'unrolled-autograder[scale]', here and where the workers run."
            raise Trouble(told) from None
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise Trouble(f"There is no Dask scheduler at {address} ({type(error).__name__}).") from error
        self._executor = self._client.get_executor(pure=False)
        self.width = max(2, sum(self._client.ncores().values()))

    def submit(self, *work) -> Future:
        return self._executor.submit(*work)

    def stop(self) -> None:
        self._executor.shutdown(wait=False)  # which cancels what was not begun
        self._client.close(timeout=5)


def _settle(beginning: str, seats: socket.socket) -> None:
    """In a new worker process: deaf to Ctrl-C, which the parent answers; gone, with its files, when the parent is."""
    tempfile.tempdir = tempfile.mkdtemp(dir=os.path.dirname(beginning), prefix=os.path.basename(beginning))
    bound_memory(KEPT)
    os.chmod(tempfile.tempdir, 0o711)  # a submission's own user must get through to its scratch folder
    watch = threading.Thread(target=_end_with_the_parent, daemon=True)
    watch.start()
    util.Finalize(None, _let_it_tidy, (watch,), exitpriority=1)
    launch.sit_down(seats)
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which student code would inherit


def bound_memory(more: int) -> None:
    """Let what a submission makes this process keep end in a MemoryError, before the system ends whom it likes."""
    with contextlib.suppress(OSError, ValueError):  # /proc is Linux's
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + more, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _end_with_the_parent() -> None:
    """Without this a worker waits for ever for work from a parent that was killed."""
    connection.wait([multiprocessing.parent_process().sentinel])
    _remove(tempfile.gettempdir())
    os._exit(1)


def _let_it_tidy(watch: threading.Thread) -> None:
    """The main thread ends first if it has a result for a parent that was killed, and the files would stay."""
    if connection.wait([multiprocessing.parent_process().sentinel], 0.5):
        watch.join()


def _remove(folder: str | Path, seconds: float = 10) -> None:
    """Until it is gone, since the main thread and student code may still write into it; then they cannot."""
    end = time.monotonic() + seconds
    while os.path.lexists(folder) and time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)


# A result goes through a file, and only its path through the executor's pipe. Who writes more than a pipe takes in one
# piece (4 KiB) and is killed in the middle leaves half a message, for whose end the executor would wait for ever.


def _put_down(function: Callable, *arguments) -> str:
    """In a worker process: call, and write what came, or what was raised, into a file; its path."""
    try:
        came = function(*arguments), None
    except Exception as error:
        came = None, error
    handle, path = tempfile.mkstemp(prefix="result-")
    with open(handle, "wb") as file:
        pickle.dump(came, file, pickle.HIGHEST_PROTOCOL)
    return path


def _hand_over(promised: Future, done: Future) -> None:
    """In the parent: what a worker put down becomes the result that was promised."""
    if done.cancelled():
        promised.cancel()
        promised.set_running_or_notify_cancel()
        return
    try:
        with open(done.result(), "rb") as file:
            result, error = pickle.load(file)
        os.unlink(file.name)
    except Exception as trouble:  # among them BrokenExecutor: the worker died
        result, error = None, trouble
    promised.set_exception(error) if error else promised.set_result(result)


# --- running ---------------------------------------------------------------------------------------------------------


def judge_all(pool: Processes | Cluster, place: Place, students: Iterable[str]) -> Iterator[Judged]:
    """Every student's submission judged, in the order in which they are done. Raises Trouble; the pool ends with it."""
    waiting = deque(students)
    try:
        while waiting:
            suspects = yield from _until_a_death(pool, place, waiting, pool.width + 2)  # so that no worker waits
            for student in suspects:
                if (yield from _until_a_death(pool, place, deque([student]), 1)):
                    yield ended(student)
    finally:
        pool.stop()


def _until_a_death(pool, place: Place, waiting: deque, most: int) -> Generator[Judged, None, list[str]]:
    """Judges what waits, `most` at a time; returns those that were on their way when a worker died."""
    running: dict[Future, str] = {}
    lost: list[str] = []
    while (waiting or running) and not lost:
        while waiting and len(running) < most:
            student = waiting.popleft()
            running[_submitted(pool, place, student)] = student
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            student = running.pop(future)
            judged = _result(future, student)
            if judged is None:
                lost.append(student)
            else:
                yield judged
    if lost:
        pool.stop()
    return [*lost, *running.values()]


def _submitted(pool, place: Place, student: str) -> Future:
    try:
        return pool.submit(judge_submission, place, student)
    except BrokenExecutor as error:  # a worker died while it had nothing to do
        future: Future = Future()
        future.set_exception(error)
        return future


def _result(future: Future, student: str) -> Judged | None:
    """What became of it; None if its worker died."""
    try:
        return future.result()
    except BrokenExecutor:
        return None
    except Trouble:
        raise
    except CancelledError:
        raise Trouble("The workers are gone; what was graded so far is kept. Start again when they are back.") from None
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # Dask's word for what ended several workers in turn
            return ended(student)
        return failure(student, f"{type(error).__name__}: {error}")


# --- one process beside nbgrader's -----------------------------------------------------------------------------------

_beside: dict[Place, Processes] = {}


def judge_beside(place: Place, text: str) -> str:
    """Judges a notebook in a process that is kept for the next one, until checks or settings change."""
    if place not in _beside:
        while _beside:
            _beside.popitem()[1].stop()
        _beside[place] = Processes(1)
        atexit.register(_beside[place].stop)
    try:
        return _beside[place].submit(judge_notebook, place, text).result()
    except BrokenExecutor as error:
        _beside.pop(place).stop()
        raise RuntimeError("the process that judges submissions ended") from error
