"""Mended submissions of unit 1, graded: the damage costs no point but those of answers that are gone."""

import one_judge
import pytest
import unit_one as one
from unit_one import answers, filled, index, mended, own, raw, text

from autograder.judging.rubric import Rubric

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def unit() -> Rubric:
    return Rubric.of(one.source(), "ngrams")


def points(unit: Rubric, content) -> dict[str, float]:
    judgement = one_judge.patient().grade(mended(content).notebook, unit)
    return {report.exercise: report.earned for report in judgement.reports}


def stripped(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id")


def backwards(notebook):
    notebook["cells"].reverse()


def in_one_cell(notebook):
    solved = "\n\n".join(answers()[name] for name in answers() if name != "written-question")
    notebook["cells"] = [own("import math\nfrom collections import Counter\n\nimport torch\n\n" + solved)]


def into_lines(notebook):
    """Every answer split in two, as the editor's command does."""
    for name in answers():
        cell = one.cell(notebook, name)
        first, *rest = text(cell).splitlines(keepends=True)
        cell["source"] = first
        notebook["cells"].insert(index(notebook, name) + 1, own("".join(rest), cell["cell_type"]))


def without_checks(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if not (one.name(cell) or "").endswith("-check")]


def tried_first(notebook):
    """A first try above each answer, under the same id."""
    for name in answers():
        cell = one.cell(notebook, name)
        first = one.copy(cell) | {"source": f"def {name.replace('-', '_')}(*arguments):\n    return None"}
        notebook["cells"].insert(notebook["cells"].index(cell), first)


@pytest.mark.parametrize(
    "damage",
    [stripped, backwards, in_one_cell, into_lines, without_checks, tried_first],
    ids=lambda damage: damage.__name__,
)
def test_full_marks_in_spite_of_the_damage(unit, damage):
    notebook = filled()
    damage(notebook)
    assert points(unit, notebook) == {exercise.name: exercise.points for exercise in unit.exercises}


def test_a_torn_file_earns_what_stands_before_the_tear(unit):
    content = raw(filled())
    earned = points(unit, content[: content.index(b'"grade_id": "kneser_ney"')])
    known = ["ngram_counts", "mle", "sentence_log_prob", "perplexity", "add_k"]
    assert earned == {exercise.name: exercise.points * (exercise.name in known) for exercise in unit.exercises}
