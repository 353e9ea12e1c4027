"""A source in few words: what nbgrader is told by it, and what its author is told of its mistakes."""

import json

import jupytext
import pytest
from little_course import ROOT

from autograder.course import Assignment, Course, Trouble
from autograder.releasing.source import cell_lines, open_source, read_source

HERE = Course.find(ROOT)
UNIT = "04_labelling"
HEAD = """---
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Tagging
"""
ANSWER = "def relabel(words):\n    ### BEGIN SOLUTION\n    return words\n    ### END SOLUTION"
QUESTION = '+++ {"tags": ["question"], "points": 4}\n\n### BEGIN SOLUTION\nBecause.\n### END SOLUTION\n'
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS\n"


def code(source, *tags, **nbgrader):
    """A code cell as it stands in a source; with `nbgrader`, that is its metadata by hand."""
    about = f"nbgrader: {json.dumps(nbgrader)}\n" if nbgrader else ""
    return f"```{{code-cell}} ipython3\n---\ntags: [{', '.join(tags)}]\n{about}---\n{source}\n```\n"


def exercise(source=ANSWER):
    return code(source, "exercise")


def check(source="check(relabel, points=3)"):
    return code(source, "check")


def check_by_hand(source, grade_id="relabel-check", points=3):
    return code(source, "check", schema_version=3, grade_id=grade_id, points=points, grade=True, locked=True)


def opened(tmp_path, *parts, unit=UNIT):
    folder = tmp_path / "solutions"
    folder.mkdir(exist_ok=True)
    (folder / f"{unit}.md").write_text("\n".join([HEAD, *parts]), encoding="utf-8")
    return Assignment(Course(tmp_path, folder), unit)


def complaints(tmp_path, *parts):
    """What is said of a source with these cells, without the place; nothing of a sound one."""
    source = open_source(opened(tmp_path, *parts))
    try:
        source.refuse(source.faults)
    except Trouble as trouble:
        return [line.partition(": ")[2] for line in str(trouble).splitlines()]
    return []


# --- what nbgrader is told


def test_each_kind_of_cell_becomes_what_nbgrader_knows(tmp_path):
    assignment = opened(tmp_path, code("import math", "setup"), exercise(), check(), QUESTION)
    _, setup, answer, checked, question = read_source(assignment).cells
    assert setup.metadata == {
        "nbgrader": {
            "schema_version": 3, "grade_id": "setup", "grade": False, "locked": True, "solution": False, "task": False
        }
    }  # fmt: skip
    assert answer.metadata.tags == ["exercise"] and answer.source == ANSWER
    assert answer.metadata.nbgrader == {
        "schema_version": 3, "grade_id": "relabel", "grade": False, "locked": False, "solution": True, "task": False
    }  # fmt: skip
    assert checked.metadata.tags == ["check"] and checked.source == "check(relabel, points=3)"
    assert checked.metadata.nbgrader == {
        "schema_version": 3, "grade_id": "relabel-check", "points": 3,
        "grade": True, "locked": True, "solution": False, "task": False,
    }  # fmt: skip
    assert set(question.metadata) == {"nbgrader"}
    assert question.metadata.nbgrader == {
        "schema_version": 3, "grade_id": "written-question", "points": 4,
        "grade": True, "locked": False, "solution": True, "task": False,
    }  # fmt: skip


def test_a_question_may_say_in_which_steps_its_points_come(tmp_path):
    halves = QUESTION.replace('"points": 4', '"points": 4, "step": 0.5')
    question = read_source(opened(tmp_path, exercise(), check(), halves)).cells[-1]
    assert question.metadata.step == 0.5 and question.metadata.nbgrader.points == 4


@pytest.mark.parametrize("step", ["0", "-1", "3", '"half"', "true"])
def test_steps_that_do_not_lead_to_its_points_are_told(tmp_path, step):
    wrong = QUESTION.replace('"points": 4', f'"points": 4, "step": {step}')
    (told,) = complaints(tmp_path, exercise(), check(), wrong)
    assert "the question's step is" in told and "step: 0.5" in told


def test_a_unit_with_hidden_checks_gets_their_block(tmp_path):
    assignment = opened(tmp_path, exercise(), check(), unit="09_ngrams")
    assert read_source(assignment).cells[2].source == (
        "### BEGIN HIDDEN TESTS\nimport autograder.hidden.ngrams\n\n### END HIDDEN TESTS\ncheck(relabel, points=3)"
    )


def test_an_exercise_is_called_after_what_its_check_asks_for(tmp_path):
    helped = "LIMIT = 3\n\ndef helper(): ...\n\nclass Tagger: ..."
    value = 'check(best, points=0.5, exercise="best")'
    assignment = opened(
        tmp_path, exercise(helped), check("check(Tagger, points=2)"), exercise("best = 7"), check(value)
    )
    names = [cell.metadata.nbgrader.grade_id for cell in read_source(assignment).cells[1:]]
    assert names == ["Tagger", "Tagger-check", "best", "best-check"]


def test_cells_with_metadata_of_their_own_keep_them(tmp_path):
    own = {"schema_version": 3, "grade_id": "relabel", "solution": True, "grade": False, "locked": False, "task": False}
    by_hand = check_by_hand(HIDDEN.format("assert relabel(2) == 2") + "3.0 * (relabel(1) == 1)")
    assignment = opened(
        tmp_path, code(ANSWER, "exercise", **own), by_hand, exercise("def mine(): ..."), check("check(mine, points=1)")
    )
    answer, checked, *_ = read_source(assignment).cells[1:]
    assert answer.metadata.nbgrader == own and checked.metadata.nbgrader.points == 3
    assert checked.source.endswith("3.0 * (relabel(1) == 1)") and "relabel(2)" in checked.source


def test_a_teachers_own_function_called_check_is_left_alone(tmp_path):
    assert complaints(tmp_path, exercise(), check_by_hand("check(relabel(1) == 1)")) == []


# --- what its author is told


NO_CHECK = "no check cell asks for this exercise (relabel)"
SLIPS = {
    "no points": ([exercise(), check("check(relabel)")], ["the check cell says check(relabel) without points"]),
    "no call": (
        [exercise(), check("relabel([1])")],
        [NO_CHECK, "the cell tagged check holds no call like check(NAME, points=2)"],
    ),
    "unknown name": (
        [check("check(forward, points=1)")],
        ["the check cell asks for forward, which no exercise cell above it defines"],
    ),
    "check above": (
        [check(), exercise()],
        ["the check cell asks for relabel, which no exercise cell above it defines"],
    ),
    "no check": ([exercise()], [NO_CHECK]),
    "two checks": (
        [exercise(), check(), check()],
        ["a second check cell is called relabel-check; the other is in line 17"],
    ),
    "two exercises": (
        [exercise(), exercise(), check()],
        ["a second exercise cell is called relabel; the other is in line 7"],
    ),
    "two names": (
        [exercise(f"def helper(): ...\n{ANSWER}"), check("check(helper, points=1)"), check()],
        ["check cells ask for helper and relabel of one exercise cell"],
    ),
    "more code": (
        [exercise(), check("check(relabel, points=3)\n1 + 1")],
        ["the check cell holds more than check(relabel, points=3)"],
    ),
    "more arguments": (
        [exercise(), check("check(relabel, points=3, hint='no')")],
        [NO_CHECK, "check(relabel, points=3, hint='no') may hold the answer, its points and exercise=… only"],
    ),
    "another value": (
        [exercise(), check("check(relabel(1), points=3, exercise='relabel')")],
        [
            NO_CHECK,
            "check(relabel(1), points=3, exercise='relabel') must hand over the answer by its exercise's name, "
            "which is what the grader asks for",
        ],
    ),
    "plain value": (
        [exercise("best = 7"), check("check(best, points=1)")],
        ['best is a plain value: say check(…, exercise="best")'],
    ),
    "no Python": (
        [exercise("relabel = = 1"), check()],
        [
            "the exercise cell is no Python: invalid syntax (its line 1)",
            "the check cell asks for relabel, which no exercise cell above it defines",
        ],
    ),
    "grade id": (
        [exercise(), check_by_hand("check(relabel, points=3)", grade_id="relabel-test")],
        ["the check cell's grade_id is 'relabel-test', not 'relabel-check'"],
    ),
    "points by hand": (
        [exercise(), check_by_hand("check(relabel, points=2)")],
        ["nbgrader's metadata say 3 points, the cell says check(relabel, points=2)"],
    ),
    "no grade id": (
        [code("x = 1", schema_version=3, solution=True)],
        ["nbgrader's metadata have no grade_id"],
    ),
    "metadata that are a word": (
        [code("1").replace("tags: []", "nbgrader: yes please")],
        ["nbgrader's metadata are 'yes please', not names with values"],
    ),
    "another unit's hidden checks": (
        [exercise(), check_by_hand(HIDDEN.format("import autograder.hidden.lstm") + "check(relabel, points=3)")],
        ["the hidden block imports autograder.hidden.lstm; this unit's is autograder.hidden.labelling"],
    ),
    "hidden block without end": (
        [exercise(), check_by_hand("### BEGIN HIDDEN TESTS\nassert relabel\ncheck(relabel, points=3)")],
        ["### BEGIN HIDDEN TESTS has no END"],
    ),
    "answer without end": ([exercise(ANSWER.replace("END", "end")), check()], ["### BEGIN SOLUTION has no END"]),
    "end without begin": (
        [exercise(ANSWER.replace("BEGIN", "begin")), check()],
        ["### END SOLUTION stands where BEGIN is due"],
    ),
    "begin twice": (
        [exercise(ANSWER.replace("    return", "    ### BEGIN SOLUTION\n    return")), check()],
        ["### BEGIN SOLUTION stands where END is due"],
    ),
    "answer in no exercise": ([code(ANSWER)], ["### BEGIN SOLUTION stands in a cell that is no exercise"]),
    "hidden tests in no check": (
        [code(HIDDEN.format("assert 1"))],
        ["### BEGIN HIDDEN TESTS stands in a cell that is no check"],
    ),
    "pasted picture": (
        ["## A trellis\n\n![](attachment:trellis.png)\n"],
        ["the picture trellis.png was pasted into the cell “# Tagging”; a text keeps none: save it as a file"],
    ),
    "an import that answers may use": (
        [code("%time 1\nimport math", "experiment"), code("import math\nfrom unrolled import figures", "experiment")],
        ["import math belongs to the setup cell: answers may use it, and grading runs no experiment"],
    ),
    "a tag of one's own": (
        [code("x = 1", "widget")],
        [
            "the tag widget means nothing; those that do are setup, exercise, check, question, experiment, "
            "and Jupyter Book's"
        ],
    ),
    "two tags": (
        [code(ANSWER, "exercise", "check")],
        ["the tag exercise belongs to a code cell, with no other of setup, exercise, check, question beside it"],
    ),
    "a question in code": (
        [code("1", "question")],
        ["the tag question belongs to a markdown cell, with no other of setup, exercise, check, question beside it"],
    ),
    "a question without points": (
        [QUESTION.replace(', "points": 4', "")],
        ["the question needs points, a positive number"],
    ),
    "two questions": (
        [QUESTION, QUESTION],
        ["a second question cell is called written-question; the other is in line 7"],
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_mistake_is_told(tmp_path, slip):
    cells, told = SLIPS[slip]
    assert complaints(tmp_path, *cells) == told


@pytest.mark.parametrize("tag", ["experiment", "hide-input", "remove-output", "raises-exception", "margin"])
def test_tags_that_grading_or_the_book_reads_are_no_mistake(tmp_path, tag):
    assert complaints(tmp_path, exercise(), check(), code("x = 1", tag)) == []


def test_a_cell_of_assertions_may_have_any_name(tmp_path):
    named = code(ANSWER, schema_version=3, grade_id="relabelling", grade=False, solution=True, locked=False)
    for cell in (exercise(), named):
        assert complaints(tmp_path, cell, check_by_hand("assert relabel([]) == []", grade_id="test_relabel")) == []
    source = read_source(opened(tmp_path, exercise(), check_by_hand("assert relabel", grade_id="test_relabel")))
    assert [each.metadata.nbgrader.grade_id for each in source.cells[1:]] == ["relabel", "test_relabel"]


@pytest.mark.parametrize("points", ["0", "-1", "'3'", "True", "len('ab')", "1e999"])
def test_points_are_a_positive_number(tmp_path, points):
    (told,) = complaints(tmp_path, exercise(), check(f"check(relabel, points={points})"))
    assert told.startswith("check(relabel, points=") and told.endswith("needs points, a positive number")


def test_tags_that_are_no_list_are_told_with_their_line(tmp_path):
    assignment = opened(tmp_path, "```{code-cell} ipython3\n:tags: check\n\ncheck(relabel, points=3)\n```\n")
    with pytest.raises(Trouble) as caught:
        read_source(assignment)
    assert str(caught.value) == "solutions/04_labelling.md:8: tags are a list, as in tags: [check]"


def test_all_mistakes_are_told_at_once_each_with_its_line(tmp_path):
    assignment = opened(
        tmp_path, exercise(), check("check(relabel)"), exercise("def forward(): ..."), QUESTION, QUESTION
    )
    with pytest.raises(Trouble) as caught:
        read_source(assignment)
    assert str(caught.value).splitlines() == [
        "solutions/04_labelling.md:17: the check cell says check(relabel) without points",
        "solutions/04_labelling.md:24: no check cell asks for this exercise (forward)",
        "solutions/04_labelling.md:37: a second question cell is called written-question; the other is in line 31",
    ]


# --- the lines, and the way there and back


TEXT = """---
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Title

```{code-cell} ipython3
1
```
Words below a cell.

+++

## More words

```python
+++ {"no": "cell"}
```

+++ {"points": 4}

A question.

````{code-cell} ipython3
---
tags: [check]
---
check
````
"""


def test_each_cell_is_found_in_the_text():
    assert cell_lines(TEXT) == [5, 7, 10, 14, 20, 24]
    assert cell_lines("```{code-cell}\n1\n```\n") == [1]


@pytest.mark.parametrize("unit", HERE.assignments(), ids=str)
def test_each_cell_of_a_real_unit_is_found_in_its_text(unit):
    source = open_source(unit)
    for cell, line in zip(source.notebook.cells, cell_lines(source.text), strict=True):
        here = source.text.splitlines()[line - 1]
        first = "```{code-cell}" if cell.cell_type == "code" else cell.source.splitlines()[0]
        assert here.startswith((first, '+++ {"')), (line, here)


@pytest.mark.parametrize("unit", HERE.assignments(), ids=str)
def test_jupytext_writes_what_it_read(unit):
    text = open_source(unit).text
    assert jupytext.writes(jupytext.reads(text, fmt="md:myst"), fmt="md:myst") == text


@pytest.mark.parametrize("unit", HERE.assignments(), ids=str)
def test_jupyterlab_saves_what_it_opened_and_ran(unit, tmp_path):
    """As JupyterLab opens a text as a notebook, runs it and saves it: by jupytext's part of the server."""
    text = open_source(unit).text
    (tmp_path / "unit.md").write_text(text, encoding="utf-8")
    manager = jupytext.TextFileContentsManager(root_dir=str(tmp_path))
    model = manager.get("unit.md", type="notebook", content=True)
    notebook = model["content"]
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3", "version": "3.14.0"}
    for count, cell in enumerate(cell for cell in notebook.cells if cell.cell_type == "code"):
        cell.metadata["trusted"], cell.execution_count = True, count
        cell.outputs = [{"output_type": "stream", "name": "stdout", "text": "it ran\n"}]
    manager.save(model, "unit.md")
    assert (tmp_path / "unit.md").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("unit", HERE.assignments(), ids=str)
def test_a_real_unit_says_each_thing_once(unit):
    source = open_source(unit)
    assert not any(told.by_hand for told in source.told)
    assert "nbgrader" not in source.text.replace("nbgrader's", "") and "BEGIN HIDDEN" not in source.text
