"""Workers that die, alone or several, and a cluster that loses one: no submission is lost, none blamed in vain."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import BrokenExecutor, CancelledError, Future
from importlib.util import find_spec
from pathlib import Path

import jailed_course
import psutil
import pytest
from jailed_course import TWO, UNIT, book, hand_in, mark
from processes import below

from autograder import grade as grading
from autograder.course import Assignment, Course, Trouble
from autograder.judging import pool
from autograder.judging.jail import launch
from autograder.judging.jail.limits import Limits
from autograder.judging.place import Place
from autograder.outcome import NEVER, Judged, Outcome
from autograder.recording import ledger

PLACE = Place(Assignment(Course(Path("/nowhere"), Path("/nowhere")), UNIT), "", Limits())


class Workers:
    """A pool whose workers die of certain submissions, and with them whatever is on its way."""

    def __init__(self, deadly=(), once=(), raises=None):
        self.width, self.deadly, self.once, self.raises = 2, set(deadly), set(once), raises or {}
        self.broken, self.stopped, self.tried = False, 0, []

    def submit(self, function, place, student):
        if self.broken:
            raise BrokenExecutor
        future = Future()
        self.tried.append(student)
        if student in self.deadly | self.once:
            self.broken = True
            self.once.discard(student)
            future.set_exception(BrokenExecutor())
        elif student in self.raises:
            future.set_exception(self.raises[student])
        elif not self.broken:
            future.set_result(Judged(Outcome(student, "graded")))
        return future

    def stop(self):
        self.broken, self.stopped = False, self.stopped + 1


def statuses(workers, students="abcdefgh"):
    return {judged.outcome.student: judged.outcome for judged in pool.judge_all(workers, PLACE, students)}


def test_everybody_is_judged_and_the_pool_ends():
    workers = Workers()
    assert {outcome.status for outcome in statuses(workers).values()} == {"graded"}
    assert len(workers.tried) == 8 and workers.stopped == 1


def test_only_the_submission_that_ends_its_worker_alone_is_blamed():
    found = statuses(Workers(deadly="cf"))
    assert [name for name, outcome in found.items() if outcome.status == "crashed"] == ["c", "f"]
    assert "it ended the process that graded it, twice" in found["c"].reason
    assert found["c"].key != NEVER, "the next run would begin it again"
    assert set(found) == set("abcdefgh")


def test_a_worker_that_dies_once_costs_nobody_anything():
    assert {outcome.status for outcome in statuses(Workers(once="ae")).values()} == {"graded"}


def test_an_error_of_the_graders_is_one_submissions_and_trouble_is_everybodys():
    found = statuses(Workers(raises={"b": OSError("disk")}))
    assert found["b"].reason == "the grader could not go on: OSError: disk" and found["c"].status == "graded"
    assert found["b"].key == NEVER, "it is tried again"
    with pytest.raises(Trouble, match="no walls"):
        statuses(Workers(raises={"b": Trouble("no walls")}))
    with pytest.raises(Trouble, match="what was graded so far is kept"):
        statuses(Workers(raises={"b": CancelledError()}))


BOUNDED = "from autograder.judging import pool; pool.bound_memory(2**30); bytearray({})"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_what_a_worker_keeps_is_bounded():
    assert subprocess.run([sys.executable, "-c", BOUNDED.format(2**29)], timeout=60).returncode == 0
    too_much = subprocess.run([sys.executable, "-c", BOUNDED.format(2**31)], capture_output=True, timeout=60)
    assert b"MemoryError" in too_much.stderr


def test_what_is_too_much_for_the_grader_is_the_submissions_end(monkeypatch):
    from autograder.judging import grader

    class Full:
        def judge_submission(self, student):
            raise MemoryError

    monkeypatch.setattr(grader, "_grader", lambda place: Full())
    outcome = grader.judge_submission(PLACE, "ada").outcome
    assert outcome.status == "crashed" and "too much" in outcome.reason and outcome.key != NEVER


def test_a_process_that_nothing_else_can_stop_is_ended():
    code = "from autograder.judging.place import ended_after\nwith ended_after(0.3):\n    while True: pass"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert run.returncode == 1 and run.stderr == b""
    code = "import time\nfrom autograder.judging.place import ended_after\nwith ended_after(0.3): pass\ntime.sleep(1)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


# --- real processes


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = jailed_course.make(tmp_path_factory.mktemp("pool"))
    for number in range(12):
        hand_in(assignment, f"student_{number:02}", TWO if number % 3 else {})
    return assignment


def _newest_worker() -> psutil.Process:
    return max(below("forkserver").values(), key=lambda process: process.create_time())


@pytest.mark.slow
def test_a_killed_worker_process_costs_nobody_anything(assignment):
    killed = []

    def kill(outcome):
        if not killed:
            killed.append(_newest_worker())
            killed[0].kill()

    grading.grade(assignment, workers=2, progress=kill, force=True)
    assert killed
    assert [outcome for outcome in ledger.read(assignment).values() if outcome.status != "graded"] == []
    assert [mark(assignment, f"student_{number:02}") for number in range(3)] == [0, 3, 3]


def much(mark: str) -> bytes:
    Path(mark).touch()
    return b"x" * 200_000_000


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.1, 0.2, 0.3, 0.4])
def test_a_worker_killed_while_it_gives_its_result_holds_up_nobody(tmp_path, wait):
    processes, mark = pool.Processes(1), tmp_path / "returns"
    future = processes.submit(much, str(mark))
    while not mark.exists():
        time.sleep(0.001)
    time.sleep(wait)
    _newest_worker().kill()
    with contextlib.suppress(BrokenExecutor):
        assert len(future.result(timeout=60)) == 200_000_000
    processes.stop()


def test_results_and_errors_come_as_they_are():
    processes = pool.Processes(1)
    assert processes.submit(divmod, 7, 2).result(60) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        processes.submit(divmod, 7, 0).result(60)
    with pytest.raises(Trouble, match="no unit"):
        processes.submit(refuse, "no unit").result(60)
    processes.stop()


def refuse(reason: str):
    raise Trouble(reason)


@pytest.mark.slow
def test_no_process_and_no_file_outlives_the_grading(assignment, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    launch.warm_worker(launch.data_folders(), sys.stderr).close()  # the nursery stays, for the next
    before = below("zygote")
    grading.grade(assignment, student="student_00", force=True)
    deadline = time.monotonic() + 20  # a process that was told to end needs a moment on a busy machine
    while (left := below("zygote").keys() - before.keys()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == set()
    left = [place for place in tmp_path.iterdir() if not place.name.startswith("pymp-")]  # goes when this process does
    assert left == []


# --- Dask

HAS_DASK = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra `scale` (distributed)")


@contextlib.contextmanager
def cluster(tmp_path, workers: int):
    """A scheduler and its workers, each a process of its own. Gives the address and the workers."""
    dask = [sys.executable, "-W", "ignore", "-m", "distributed.cli.dask_scheduler"]
    place = tmp_path / "scheduler.json"
    common = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path, "start_new_session": True}
    begun = [subprocess.Popen([*dask, "--port", "0", "--no-dashboard", "--scheduler-file", str(place)], **common)]
    try:
        while not place.exists():
            assert begun[0].poll() is None, "the scheduler does not start"
            time.sleep(0.2)
        dask[-1] = "distributed.cli.dask_worker"
        options = ["--scheduler-file", str(place), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        begun += [subprocess.Popen([*dask, *options], **common) for _ in range(workers)]
        yield json.loads(place.read_text())["address"], begun[1:]
    finally:
        for process in begun:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@HAS_DASK
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_marks_and_outlives_a_worker(assignment, tmp_path):
    grading.grade(assignment, workers=2, force=True)
    alone, seen = book(assignment), []

    with cluster(tmp_path, workers=2) as (address, workers):

        def kill(outcome):
            seen.append(outcome)
            if len(seen) == 3:
                workers[0].kill()

        grading.grade(assignment, scheduler=address, progress=kill, force=True)
        assert workers[1].poll() is None
    assert len(seen) == 12 and book(assignment) == alone
    assert {outcome.status for outcome in seen} == {"graded"}


@HAS_DASK
@pytest.mark.filterwarnings("ignore")
def test_no_scheduler_is_said_in_one_line(monkeypatch):
    monkeypatch.setattr(pool, "CONNECT_SECONDS", 1)
    with pytest.raises(Trouble, match="There is no Dask scheduler at tcp://127.0.0.1:9"):
        pool.Cluster("tcp://127.0.0.1:9")


def test_without_dask_the_way_to_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Trouble, match=r"pip install 'unrolled-autograder\[scale\]'"):
        pool.Cluster("tcp://127.0.0.1:9")
