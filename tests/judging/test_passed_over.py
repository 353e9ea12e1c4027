"""Real notebooks with what grading passes over: lines for a shell, and names that only an experiment defines."""

import pytest
from graded_units import answers, filled, grade, lost, place, scratch, text
from one_judge import SHORT, engine

from autograder.judging.boundary.outputs import cleaned
from autograder.receiving.repair import python

LINES = {
    "shell": "!pip install torch",
    "pip": "%pip install torch",
    "conda": "%conda install torch",
    "system": "%system ls",
    "sx": "%sx ls",
    "assigned": "files = !ls\nassert list(files) == []",
    "assigned magic": "files = %sx ls",
    "lines": "!!ls",
    "in a branch": "if True:\n    !echo yes",
    "alias": "%ls",
    "continued": "!pip install \\\n    torch",
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_for_a_shell_is_passed_over_and_the_cell_runs(name):
    answer = f"{LINES[name]}\n{answers('ngrams')['mle']}\n{LINES[name]}"
    notebook = filled("ngrams", mle=answer)
    judgement = grade("ngrams", notebook)
    assert lost(judgement) == {}
    told = [output.get("text", "") for output in judgement.outputs[place(notebook, "mle")]]
    assert "Grading runs no programs and has passed over this line: " in told[0]


@pytest.mark.parametrize("name", LINES)
def test_mending_finds_the_answer_beside_such_a_line(name):
    answer = f"{LINES[name]}\n{answers('ngrams')['mle']}"
    assert python.defines(answer, "mle") and not python.defines(answer, "backoff")


@pytest.mark.parametrize("line", ["x != 3", "x = 3 % 2", "x = y != z", "x = not y"])
def test_python_is_not_taken_for_a_line_for_a_shell(line):
    assert not python.MAGIC.search(line)


def test_a_cell_for_a_shell_is_passed_over():
    notebook = scratch(filled("ngrams"), "%%bash\nls /\nexit 1", place(filled("ngrams"), "mle"))
    judgement = grade("ngrams", notebook)
    assert lost(judgement) == {}
    assert [output.get("text") for output in judgement.outputs[place(notebook, "mle") - 1]] == [
        "Grading runs no programs and has passed over this cell: %%bash\n"
    ]


def test_other_magics_of_a_cell_run():
    judgement = grade("ngrams", filled("ngrams", mle=f"%%time\n!ls\n{answers('ngrams')['mle']}"))
    assert lost(judgement) == {}


def test_a_note_is_one_short_line():
    session = engine()._worker.fork(SHORT, None)
    try:
        outputs = cleaned(session.cell("get_ipython().system('a\\n' * 10_000)", 5)[0])
    finally:
        session.end()
    assert len(outputs[0]["text"]) < 200 and outputs[0]["text"].count("\n") == 1


# --- experiments -----------------------------------------------------------------------------------------------------

SAYS = "NameError: mine is defined in an experiment cell, which grading does not run"


def with_experiment(source, **changed):
    """Unit 1 with `source` at the end of its first experiment."""
    notebook = filled("ngrams", **changed)
    cell = next(cell for cell in notebook["cells"] if "experiment" in cell["metadata"].get("tags", []))
    cell["source"] = f"{text(cell)}\n{source}"
    return notebook


@pytest.mark.parametrize("source", ["mine = 0", "%ls\nmine, b = 0, 1", "mine: int = 0"])
def test_a_name_that_an_experiment_defines_is_said_to_be_one(source):
    head, _, body = answers("ngrams")["mle"].partition("\n")
    answer = f"{head}\n    mine\n{body}"
    messages = lost(grade("ngrams", with_experiment(source, mle=answer)))["mle"]
    assert any(message.startswith(SAYS) for message in messages), messages


@pytest.mark.parametrize("source", ["def mine(): ...", "class mine: ...", "from math import pi as mine"])
def test_what_a_student_defined_in_an_experiment_is_there(source):
    head, _, body = answers("ngrams")["mle"].partition("\n")
    assert lost(grade("ngrams", with_experiment(source, mle=f"{head}\n    mine\n{body}"))) == {}


def test_so_it_is_where_the_answers_cell_does_not_run():
    notebook = with_experiment("mine = 0", mle=f"mine\n{answers('ngrams')['mle']}")
    judgement = grade("ngrams", notebook)
    assert any(SAYS in message for message in lost(judgement)["mle"])
    error = judgement.outputs[place(notebook, "mle")][0]
    assert f"NameError: {error['evalue']}" == SAYS and any("mine is defined in" in line for line in error["traceback"])


@pytest.mark.parametrize("source", ["", "def other():\n    mine = 0", "[mine for mine in ()]"])
def test_a_name_that_nothing_defines_is_not(source):
    judgement = grade("ngrams", with_experiment(source, mle=f"mine\n{answers('ngrams')['mle']}"))
    assert any("name 'mine' is not defined" in message for message in lost(judgement)["mle"])
