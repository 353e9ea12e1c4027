"""One submission: its cells are run, then each exercise is judged by calls into what they defined.

All cells run before the first hidden input is sent. What an exercise's name meant where its check stood is held on
to, so a later cell may use the name again. A process that dies takes nothing with it but the cell or call that killed
it: another is started, runs the same cells without the fatal one, and judging goes on, as often and as long as the
limits allow.
"""

import re
import time
from collections.abc import Callable
from typing import Any

from unrolled.checking import Report, run
from unrolled.checking.answer import NotStarted, StudentError
from unrolled.checking.elsewhere import look_elsewhere
from unrolled.checking.finished import ShortCut

from autograder.judging.boundary.channel import Kind
from autograder.judging.boundary.outputs import Room
from autograder.judging.boundary.session import TIMED_OUT, Ended, Mishap, Session, TookTooLong
from autograder.judging.boundary.standin import RemoteAnswer
from autograder.judging.boundary.wire import Handle
from autograder.judging.jail.limits import Limits
from autograder.words import DID_NOT_RUN, one_line

from .experiments import Experiments, definitions, is_skipped
from .rubric import Exercise, Rubric, grade_id_of, source_of
from .warm.worker import WorkerFailed

DENIALS = (StudentError, NotStarted, ShortCut)  # whatever was asked, the process may say so
MAX_STARTS = 8  # processes that one submission may use up
MAX_DEATHS = 2  # of them in the checks of one exercise


class Sitting:
    """`fork` starts a process. After `judge`, `outputs` and `mishaps` hold what else there is to tell."""

    def __init__(self, notebook: dict[str, Any], rubric: Rubric, limits: Limits, fork: Callable[..., Session]):
        self._rubric, self._limits, self._fork = rubric, limits, fork
        self._cells = list(enumerate(notebook["cells"]))
        self._experiments = Experiments(notebook["cells"], rubric)
        self._asserts = {each.name: each.source for each in rubric.asserts}
        self._ends = time.monotonic() + limits.notebook_seconds
        self._fatal: set[int] = set()
        self._starts, self._deaths, self._exercise_ends = 0, 0, 0.0
        self._session: Session | None = None
        self._pins: dict[str, Handle] = {}
        self._failure: WorkerFailed | None = None
        self._room = Room()
        self.outputs: dict[int, list[dict[str, Any]]] = {}
        self.mishaps: list[Mishap] = []
        self.layers: tuple[str, ...] = ()

    def judge(self) -> list[Report]:
        """Run everything; one report for each exercise. Raises WorkerFailed for the grader's own trouble."""
        try:
            self._start()
            judged = [self._judge(exercise) for exercise in self._rubric.exercises]
        finally:
            self._leave()
        if self._failure:
            raise self._failure
        reports = [report for report, _ in judged]
        for report, used in judged:
            look_elsewhere(report, used, reports)
        return reports

    # --- cells -------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """A process in which every cell has run that does not kill it."""
        while self._starts < MAX_STARTS:
            self._leave()
            self._starts += 1
            begin = time.monotonic()
            self._session, self._pins = self._fork(self._limits, self._standing_in), {}
            self._ends += time.monotonic() - begin  # a worker that must start first is no fault of the notebook's
            self.layers = self._session.layers
            if all(self._run(index, cell) for index, cell in self._cells):
                self._pin_the_rest()
                return

    def _run(self, index: int, cell: dict[str, Any]) -> bool:
        """Run one cell, or pass over it; False if the process is gone."""
        name = grade_id_of(cell)
        for exercise in self._rubric.exercises:
            if exercise.check == name:
                return self._pin(exercise.name)
        own = self._asserts.get(name)
        if index in self._fatal or self._left() <= 0 or (own is None and cell.get("cell_type") != "code"):
            return True
        if own is not None:
            return self._run_code(index, own)
        if not is_skipped(cell, self._rubric):
            return self._run_code(index, source_of(cell))
        source = definitions(cell, self._rubric)
        return self._run_code(index, source) if source else True

    def _run_code(self, index: int, source: str) -> bool:
        seconds = min(self._limits.cell_seconds, self._left())
        try:
            raw, _ = self._session.cell(source, seconds)
            if index not in self.outputs:
                self.outputs[index] = self._experiments.named_in(self._room.cleaned(raw))
        except TookTooLong as error:
            self._note(index, "TookTooLong", error)
        except DENIALS as error:
            self._note(index, "Unreadable", error)
        except Ended as error:
            self._fatal.add(index)
            self._note(index, "Ended", error)
            return False
        return True

    def _note(self, index: int, name: str, error: Exception) -> None:
        """Say how the cell ended. What it showed the first time stays: another time hidden inputs may be known."""
        told = {"output_type": "error", "ename": name, "evalue": str(error), "traceback": [f"{name}: {error}"]}
        self.outputs.setdefault(index, [told])

    def _pin(self, name: str) -> bool:
        """Take hold of what the name means now; False if the process is gone."""
        try:
            found = self._session.request(Kind.PIN, name, name, seconds=self._limits.call_seconds)
        except DENIALS:
            return True
        except (Ended, TookTooLong):
            return False
        if isinstance(found, RemoteAnswer):
            self._pins[name] = found.handle_in(self._session)
        return True

    def _pin_the_rest(self) -> None:
        """Exercises whose check cell is gone, or stands above the answer."""
        for exercise in self._rubric.exercises:
            if exercise.name not in self._pins:
                self._pin(exercise.name)

    # --- checks ------------------------------------------------------------------------------------------------------

    def _judge(self, exercise: Exercise) -> tuple[Report, list[str]]:
        """The report, and the functions that an answer at fault leads to."""
        self._exercise_ends = time.monotonic() + self._limits.exercise_seconds
        self._deaths = 0
        if self._session:
            self._session.forget_seed()
        answer = RemoteAnswer(lambda: self._find(exercise.name), self._seconds)
        report = run(exercise.name, answer, exercise.points)
        for result in report.checks:
            result.message = self._experiments.named(result.message)
        return report, [] if report.all_held else self._used_by(answer)

    def _used_by(self, answer: RemoteAnswer) -> list[str]:
        """What the process says: nothing, where asking would need another one."""
        if self._session is None or self._session.ended:
            return []
        session, known, before = self._session, len(self.mishaps), len(self._session.mishaps)
        try:
            return answer.uses()
        except DENIALS:  # a question of ours, which is to change no status
            del self.mishaps[known:], session.mishaps[before:]
            return []

    def _find(self, name: str) -> tuple[Session, Handle]:
        """The process, and the exercise's object in it."""
        if self._session is None or self._session.ended:
            self._bring_back()
        if name not in self._pins:
            raise StudentError(f"the notebook defines no {name}{self._why_undefined(name)}")
        return self._session, self._pins[name]

    def _why_undefined(self, name: str) -> str:
        """The error that ended the exercise's own cell, if one did."""
        for index, cell in self._cells:
            for output in self.outputs.get(index, ()) if grade_id_of(cell) == name else ():
                if output["output_type"] == "error":
                    told = re.sub(r"\(<[^>]*>, (line \d+)\)", r"(\1)", output["evalue"])  # IPython's name for the cell
                    return DID_NOT_RUN + one_line(f"{output['ename']}: {told}", 150)
        return ""

    def _seconds(self) -> float:
        if self._left() <= 0:
            raise StudentError(f"not tried: the notebook had used up its {self._limits.notebook_seconds:g} s")
        left = self._exercise_ends - time.monotonic()
        if left <= 0:
            raise StudentError(f"not tried: earlier checks had used up {self._limits.exercise_seconds:g} s")
        return min(self._limits.call_seconds, left, self._left())

    def _bring_back(self) -> None:
        self._deaths += 1
        if self._deaths > MAX_DEATHS:
            raise StudentError("not tried: earlier calls had ended the process")
        begin = time.monotonic()
        try:
            self._start()
        except WorkerFailed as error:
            self._failure = error
        self._exercise_ends += time.monotonic() - begin
        if self._session is None or self._session.ended:
            raise StudentError("not tried: the notebook had ended its process too often")

    def _standing_in(self, session: Session, handle: Handle) -> RemoteAnswer:
        return RemoteAnswer(lambda: (session, handle), self._seconds, handle.name)

    def _left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            spent = f"the notebook took longer than {self._limits.notebook_seconds:g} s"
            self.mishaps.append(Mishap(TIMED_OUT, spent))
        return left

    def _leave(self) -> None:
        if self._session is not None:
            self.mishaps += self._session.mishaps
            self._session.mishaps = []
            self._session.end()
