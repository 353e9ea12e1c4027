"""Our engine's settings, and its place in nbgrader: a step in the stead of `Execute`.

nbgrader_config.py names it in `Autograde.autograde_preprocessors`, so that `nbgrader autograde` and formgrader's button
grade as `autograder grade` does. Student code and torch run in a process beside nbgrader's, which stays warm from one
submission to the next. A unit that asks for checks which nothing declares is run as nbgrader itself would, with a
warning.
"""

from pathlib import Path

import nbformat
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float, Integer

from autograder.course import Assignment, Course
from autograder.judging.jail.limits import MIB, Limits
from autograder.judging.place import NoChecks, Place
from autograder.judging.plain.preprocessors import ExecuteForMarks
from autograder.judging.pool import judge_beside
from autograder.recording.ledger import graders_key


class JudgeInJail(NbGraderPreprocessor):
    """Runs a notebook in the jail, judges its exercises from outside, and puts outputs and points into the cells."""

    cell_seconds = Float(30, help="Seconds that one cell may take.").tag(config=True)
    call_seconds = Float(10, help="Seconds that one call of an answer may take.").tag(config=True)
    exercise_seconds = Float(30, help="Seconds that all calls of one exercise may take together.").tag(config=True)
    notebook_seconds = Float(240, help="Seconds that everything may take together.").tag(config=True)
    memory_mib = Integer(2048, help="MiB of memory that a submission may take.").tag(config=True)
    require_jail = Bool(False, help="Refuse to grade where a layer of the jail is missing.").tag(config=True)

    def limits(self) -> Limits:
        return Limits(
            cell_seconds=self.cell_seconds,
            call_seconds=self.call_seconds,
            exercise_seconds=self.exercise_seconds,
            notebook_seconds=self.notebook_seconds,
            cpu_seconds=int(self.notebook_seconds) + 60,
            memory=self.memory_mib * MIB,
        )

    def place(self, assignment: Assignment, require_jail: bool = False) -> Place:
        """What a worker must know to judge submissions of this unit as these settings say."""
        return Place(assignment, graders_key(assignment), self.limits(), require_jail or self.require_jail)

    def preprocess(self, nb, resources):
        course = Course.find(Path(CourseDirectory(parent=self).root))
        assignment = Assignment(course, resources["nbgrader"]["assignment"])
        try:
            text = judge_beside(self.place(assignment), nbformat.writes(nb))
        except NoChecks as reason:
            self.log.warning("%s Student code runs without walls.", reason)
            return self._in_process(nb, resources)
        return nbformat.reads(text, as_version=4), resources

    def _in_process(self, nb, resources):
        return ExecuteForMarks(parent=self.parent).preprocess(nb, resources)
