"""Submissions of unit 1 whose metadata was stripped or changed: every cell is recognised, every setting put right."""

import pytest
import unit_one as one
from unit_one import CHECKS, answers, cell, every, filled, given, index, mended, own, same, sound, text

from autograder.receiving.repair import Unrecognisable, recognise, repair


def strip(*keys, ids=False, only=lambda each: True):
    """A change that takes metadata away: these keys, or all of it."""

    def change(notebook):
        for each in notebook["cells"]:
            if only(each):
                each["metadata"] = {k: v for k, v in each["metadata"].items() if keys and k not in keys}
                if ids:
                    each.pop("id")

    return change


def colab(notebook):
    """Colab writes ids of its own into the metadata and keeps little else."""
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    for number, each in enumerate(notebook["cells"]):
        each.pop("id")
        each["metadata"] = {"id": f"kX{number}"}


RECOGNISED = "setup, ngram_counts, ngram_counts-check, mle, mle-check and 15 more were recognised without a grade id"


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (strip(), RECOGNISED),
        (strip(ids=True), "recognised without a grade id"),
        (strip("nbgrader"), RECOGNISED),
        (
            strip("nbgrader", only=lambda each: one.name(each) in CHECKS[::2]),
            "sample-check and backoff-check were recognised",
        ),
        (strip("nbgrader", ids=True, only=lambda each: one.name(each) in answers()), "recognised without a grade id"),
        (colab, "recognised without a grade id"),
        (every("metadata", []), RECOGNISED),
        (every("metadata"), RECOGNISED),
        (every("metadata", {"nbgrader": None, "tags": "exercise"}), RECOGNISED),
    ],
    ids=["all", "all and ids", "nbgrader", "some checks", "answers", "Colab", "lists", "none", "odd"],
)
def test_stripped_metadata(damage, told):
    notebook = filled()
    damage(notebook)
    result = mended(notebook)
    assert same(result) and any(told in note for note in result.repairs), result.repairs


def test_tags_come_back_without_a_word():
    notebook = filled()
    strip("tags")(notebook)
    result = mended(notebook)
    assert same(result) and not any("tags" in note for note in result.repairs), result.repairs


def test_a_cell_of_ones_own_is_run_whatever_its_tags():
    own = {"cell_type": "code", "source": "def helper(): ...", "metadata": {"tags": ["experiment", "mine"]}}
    notebook = filled()
    notebook["cells"].insert(3, own | {"outputs": [], "execution_count": None})
    (kept,) = [each for each in mended(notebook).notebook["cells"] if text(each) == own["source"]]
    assert kept["metadata"]["tags"] == ["mine"]


def test_a_stripped_answer_that_is_no_python_is_still_its_exercises():
    broken = answers()["mle"].replace("(counts, context):", "(counts, context)", 1)
    notebook = filled({"mle": broken})
    strip(ids=True)(notebook)
    assert given(mended(notebook).notebook) == answers() | {"mle": broken}


def test_a_stripped_answer_under_another_name_is_found_between_its_neighbours():
    renamed = "def my_own_idea(rows, key):\n    return rows[key]"
    notebook = filled({"mle": renamed})
    strip(ids=True)(notebook)
    assert given(mended(notebook).notebook) == answers() | {"mle": renamed}


def test_stripped_experiments_get_their_tags_back_although_they_were_edited():
    notebook = filled()
    number = next(
        i
        for i, each in enumerate(notebook["cells"])
        if len(text(each).splitlines()) > 8 and "experiment" in each["metadata"].get("tags", [])
    )
    notebook["cells"][number]["source"] = text(notebook["cells"][number]) + "\nprint(1)"
    strip(ids=True)(notebook)
    result = mended(notebook).notebook["cells"][number]
    assert result["metadata"]["tags"] == ["experiment"] and result["source"].endswith("print(1)")


def test_a_stripped_copy_of_an_experiment_is_not_run_either():
    notebook = filled()
    experiment = next(each for each in notebook["cells"] if each["metadata"].get("tags") == ["experiment"])
    notebook["cells"].append(one.copy(experiment) | {"id": "copy"})
    strip(ids=True)(notebook)
    copies = [each for each in mended(notebook).notebook["cells"] if each["source"] == text(experiment)]
    assert [each["metadata"].get("tags") for each in copies] == [["experiment"], ["experiment"]]


def setting(wanted, **values):
    def change(notebook):
        one.about(cell(notebook, wanted)).update(values)

    return change


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (setting("mle-check", points=100), "nbgrader's settings of mle-check had been changed (points)"),
        (setting("mle-check", points=None, grade=False), "settings of mle-check had been changed (grade, points)"),
        (setting("mle", grade=True, points=50), "settings of mle had been changed (grade)"),
        (setting("mle", solution=False, locked=True), "settings of mle had been changed (locked, solution)"),
        (setting("mle", schema_version=99), "settings of mle had been changed (schema_version)"),
        (setting("mle", schema_version=1, task=True), "settings of mle had been changed (schema_version, task)"),
        (setting("mle", grade_id="mle-2"), "mle was recognised without a grade id"),
        (setting("mle-check", grade_id="other"), "mle-check was recognised without a grade id"),
        (setting("mle", grade_id=["mle"]), "mle was recognised without a grade id"),
        (setting("mle-check", checksum="0" * 32), None),
    ],
)
def test_changed_settings_are_put_right(damage, told):
    notebook = filled()
    damage(notebook)
    result = mended(notebook)
    assert same(result)
    assert [note for note in result.repairs if told and told in note] == result.repairs


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("wanted", ["mle", "mle-check", "written-question"])
def test_a_cell_turned_into_another_kind(kind, wanted):
    notebook = filled()
    each = cell(notebook, wanted)
    told = [f"{wanted} had been turned into another kind of cell"] if each["cell_type"] != kind else []
    each["cell_type"] = kind
    result = mended(notebook)
    assert same(result) and result.repairs == told


def test_a_cell_that_claims_to_be_graded_and_is_not_becomes_plain():
    notebook = filled()
    bonus = {"grade_id": "bonus", "grade": True, "solution": False, "locked": True, "points": 100, "schema_version": 3}
    notebook["cells"].append(own("100", metadata={"nbgrader": bonus}))
    result = mended(notebook)
    assert sound(result)
    assert result.notebook["cells"][-1]["metadata"] == {}
    assert "1 cell that the release does not know claimed to be graded" in result.repairs


def test_a_changed_check_has_the_released_text_again():
    notebook = filled()
    cell(notebook, "mle-check")["source"] = "check(mle, points=100)"
    result = mended(notebook)
    assert same(result)
    assert result.repairs == ["the text of mle-check had been changed; the released one came back"]


def test_an_import_written_into_the_setup_is_kept_above_it():
    notebook = filled()
    cell(notebook, "setup")["source"] = text(cell(notebook, "setup")) + "\nfrom collections import defaultdict"
    result = mended(notebook)
    assert sound(result)
    above = result.notebook["cells"][index(result.notebook, "setup") - 1]
    assert above["source"].endswith("defaultdict") and above["metadata"] == {}
    assert "what setup defined besides is kept in a cell above" in result.repairs


def test_a_stripped_check_with_other_points_is_recognised_by_its_call():
    notebook = filled()
    cell(notebook, "mle-check")["source"] = "check(mle, points=9)\n"
    strip(ids=True)(notebook)
    assert same(mended(notebook))


def test_a_setup_that_is_no_python_any_more_is_just_put_right():
    notebook = filled()
    cell(notebook, "setup")["source"] = "import math import re"
    assert same(mended(notebook))


def test_own_cells_without_ids_get_some_that_nobody_has():
    notebook = filled()
    notebook["cells"] += [own("a = 1", id="own-001"), own("b = 2", id=None), own("c = 3", id="own-001")]
    result = mended(notebook)
    assert [each["id"] for each in result.notebook["cells"][-3:]] == ["own-001", "own-002", "own-003"]
    assert result.repairs == ["2 cells had no cell id of their own"]


def test_inside_nbgrader_the_same_repairs_are_made_in_place():
    import nbformat

    notebook = filled()
    strip(ids=True)(notebook)
    theirs, released = nbformat.from_dict(notebook), nbformat.from_dict(one.release())
    recognise(theirs, released)
    told = repair(theirs, released)
    assert told == mended(notebook).repairs
    assert theirs == mended(notebook).notebook and isinstance(theirs.cells[0].metadata, nbformat.NotebookNode)
    with pytest.raises(Unrecognisable):
        recognise(nbformat.v4.new_notebook(), released)
