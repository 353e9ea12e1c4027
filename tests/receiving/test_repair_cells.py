"""Cells of unit 1 deleted, copied, split, merged or moved: which answer counts, and where everything ends up."""

import json

import pytest
import unit_one as one
from unit_one import STUB, answers, cell, filled, given, graded, index, mended, own, same, sound, text


@pytest.mark.parametrize("wanted", ["setup", "mle-check", "ngram_counts-check", "backoff-check"])
def test_a_deleted_check_comes_back(wanted):
    notebook = filled()
    del notebook["cells"][index(notebook, wanted)]
    result = mended(notebook)
    assert same(result) and result.repairs == [f"{wanted} was missing and was put back as released"]


@pytest.mark.parametrize("wanted", ["mle", "backoff", "written-question"])
def test_a_deleted_answer_comes_back_as_released(wanted):
    notebook = filled()
    del notebook["cells"][index(notebook, wanted)]
    result = mended(notebook)
    assert result.notebook == mended(filled({wanted: text(cell(one.release(), wanted))})).notebook
    assert result.repairs == [f"{wanted} was missing and was put back as released"]


@pytest.mark.parametrize("nothing", ["", " \n\t\n", "RELEASED\n\n"])
def test_an_emptied_written_answer_is_like_an_untouched_one(nothing):
    released = text(cell(one.release(), "written-question"))
    result = mended(filled({"written-question": nothing.replace("RELEASED", released)}))
    assert text(cell(result.notebook, "written-question")) == released and result.repairs == []
    picture = filled({"written-question": ""})
    cell(picture, "written-question")["attachments"] = {"a.png": {"image/png": "iVBORw=="}}
    assert text(cell(mended(picture).notebook, "written-question")) == ""


def test_everything_deleted_but_one_answer():
    notebook = filled()
    notebook["cells"] = [own(answers()["mle"])]
    result = mended(notebook)
    assert [one.name(each) for each in result.notebook["cells"]] == [one.name(each) for each in graded(one.release())]
    assert given(result.notebook)["mle"] == answers()["mle"] and result.answered == 1


def copied(notebook, wanted, content, place):
    """A copy of a cell with another text, `place` cells behind it (0: above it, None: at the end)."""
    original = cell(notebook, wanted)
    number = len(notebook["cells"]) if place is None else notebook["cells"].index(original) + place
    notebook["cells"].insert(number, json.loads(json.dumps(original)) | {"source": content})


WRONG = "def mle(counts, context):\n    return {}  # a first try"


@pytest.mark.parametrize("place", [0, 1, 2, None])
def test_of_several_answers_the_last_counts(place):
    notebook = filled({"mle": WRONG} if place != 0 else None)
    copied(notebook, "mle", WRONG if place == 0 else answers()["mle"], place)
    result = mended(notebook)
    assert sound(result)
    assert result.repairs[0] == "2 cells were called mle; the last one counts"
    assert WRONG in one.texts(each for each in result.notebook["cells"] if not one.name(each))


@pytest.mark.parametrize("late", ["def mle(counts context):\n    pass", "print(mle({}, ()))", STUB, ""])
@pytest.mark.parametrize("place", [1, None])
def test_a_last_copy_that_is_no_answer_does_not_count(late, place):
    notebook = filled()
    copied(notebook, "mle", late, place)
    result = mended(notebook)
    assert sound(result)
    assert any(note.startswith("2 cells were called mle; the last") for note in result.repairs)


def test_a_copy_of_the_released_text_would_undo_the_answer_and_goes():
    notebook = filled()
    copied(notebook, "mle", text(cell(one.release(), "mle")), 1)
    assert same(mended(notebook))


def test_copied_checks():
    notebook = filled()
    for place in (0, 1, None):
        copied(notebook, "mle-check", "check(mle, points=1)", place)
    assert same(mended(notebook))


def test_an_answer_written_elsewhere_counts_if_its_cell_was_left_alone():
    notebook = filled({"mle": text(cell(one.release(), "mle"))})
    notebook["cells"].append(own(answers()["mle"]))
    assert sound(mended(notebook))


def test_a_cell_of_ones_own_does_not_outdo_the_answer():
    notebook = filled()
    notebook["cells"].append(own(WRONG))
    result = mended(notebook)
    assert sound(result)
    assert result.repairs == [] and text(result.notebook["cells"][-1]) == WRONG


def split(notebook, wanted, line, keep_metadata):
    number = index(notebook, wanted)
    upper, lower = notebook["cells"][number], json.loads(json.dumps(notebook["cells"][number]))
    lines = text(upper).splitlines(keepends=True)
    upper["source"], lower["source"] = lines[:line], lines[line:]
    if not keep_metadata:
        lower["metadata"] = {}
    lower["id"] = "a-new-id"
    notebook["cells"].insert(number + 1, lower)


@pytest.mark.parametrize("keep_metadata", [True, False])
@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_a_split_answer_is_joined(line, keep_metadata):
    notebook = filled()
    split(notebook, "mle", line, keep_metadata)
    result = mended(notebook)
    assert sound(result)
    assert "mle had been split into several cells, which were joined" in result.repairs


@pytest.mark.parametrize("keep_metadata", [True, False])
@pytest.mark.parametrize(("wanted", "at"), [("mle-check", len("check(mle,")), ("setup", len("import math\n"))])
def test_of_a_split_check_the_released_one_comes_back(wanted, at, keep_metadata):
    notebook = filled()
    number, source = index(notebook, wanted), text(cell(notebook, wanted))
    upper = notebook["cells"][number]
    lower = one.copy(upper) | {"id": "a-new-id", "source": source[at:]}
    upper["source"] = source[:at]
    if not keep_metadata:
        lower["metadata"] = {}
    notebook["cells"].insert(number + 1, lower)
    result = mended(notebook)
    assert sound(result)
    assert f"the text of {wanted} had been changed; the released one came back" in result.repairs


def test_an_answer_split_into_its_lines_is_joined():
    notebook = filled()
    for line in (4, 3, 2, 1):
        split(notebook, "mle", line, keep_metadata=False)
    assert sound(mended(notebook))


def test_helpers_split_from_an_answer_stay_above_it():
    helper = "def share(count, total):\n    return count / total\n"
    notebook = filled({"mle": helper + answers()["mle"]})
    split(notebook, "mle", 2, keep_metadata=True)
    result = mended(notebook)
    assert sound(result)
    assert text(result.notebook["cells"][index(result.notebook, "mle") - 1]) == helper


def merge(notebook, *wanted):
    """The cells become one, with the metadata of the last named, as an editor's merge command does."""
    cells = [cell(notebook, name) for name in wanted]
    places = sorted(notebook["cells"].index(each) for each in cells)
    source = "\n\n".join(text(notebook["cells"][place]) for place in places)
    into = cells[-1] | {"source": source}
    for place in reversed(places):
        del notebook["cells"][place]
    notebook["cells"].insert(places[0], into)


def test_merged_checks_are_two_again():
    notebook = filled()
    merge(notebook, "mle-check", "backoff-check")
    result = mended(notebook)
    assert same(result)
    assert "mle-check was missing and was put back as released" in result.repairs


@pytest.mark.parametrize("wanted", [("mle", "mle-check"), ("mle-check", "mle")])
def test_an_answer_merged_with_its_check(wanted):
    notebook = filled()
    merge(notebook, *wanted)
    result = mended(notebook)
    assert given(result.notebook)["mle"].startswith(answers()["mle"])
    assert [one.name(each) for each in graded(result.notebook)] == [one.name(each) for each in graded(one.release())]


@pytest.mark.parametrize(
    "wanted", [("mle", "perplexity"), ("perplexity", "mle"), ("add_k", "mle", "perplexity", "backoff")]
)
def test_merged_answers_are_cut_apart(wanted):
    notebook = filled()
    merge(notebook, *wanted)
    result = mended(notebook)
    assert {name: source.strip() for name, source in given(result.notebook).items()} == answers()
    assert any("cut out of it" in note for note in result.repairs)


def test_an_answer_under_another_exercises_id_gets_its_own_cell():
    notebook = filled()
    merge(notebook, "perplexity", "mle")
    cell(notebook, "mle")["source"] = "import torch\n\n# at last\n" + answers()["perplexity"]
    result = mended(notebook)
    assert given(result.notebook)["perplexity"] == "import torch\n\n# at last\n" + answers()["perplexity"]
    assert given(result.notebook)["mle"] == text(cell(one.release(), "mle"))


def test_a_cut_leaves_decorators_and_comments_with_their_function():
    notebook = filled({"perplexity": "# at last\n@torch.no_grad()\n" + answers()["perplexity"]})
    merge(notebook, "perplexity", "mle")
    found = given(mended(notebook).notebook)
    assert found["mle"] == answers()["mle"]
    assert found["perplexity"] == "# at last\n@torch.no_grad()\n" + answers()["perplexity"]


def test_all_answers_in_one_cell():
    notebook = filled()
    merge(notebook, *(name for name in answers() if name != "written-question"))
    found = given(mended(notebook).notebook)
    assert {name: source.strip() for name, source in found.items()} == answers()


@pytest.mark.parametrize(
    ("wanted", "before"),
    [("mle-check", "mle"), ("mle", "setup"), ("backoff", "mle"), ("backoff-check", "setup"), ("setup", "backoff")],
)
def test_a_moved_cell_goes_back(wanted, before):
    notebook = filled()
    moved = notebook["cells"].pop(index(notebook, wanted))
    notebook["cells"].insert(index(notebook, before), moved)
    result = mended(notebook)
    assert sound(result)
    assert len(result.repairs) == 1 and "stood out of the release's order" in result.repairs[0]


def test_reversed_cells():
    notebook = filled()
    notebook["cells"].reverse()
    result = mended(notebook)
    assert sound(result)
    assert len(result.notebook["cells"]) == len(notebook["cells"])


def test_own_cells_stay_where_they_are():
    notebook = filled()
    places = [index(notebook, "mle"), index(notebook, "perplexity") + 1, 0]
    for number, place in enumerate(places):
        notebook["cells"].insert(place, own(f"helper_{number} = {number}", id=f"mine-{number}"))
    result = mended(notebook)
    assert result.repairs == []
    assert one.texts(result.notebook["cells"]) == one.texts(notebook["cells"])
    assert [each["id"] for each in result.notebook["cells"]] == [each["id"] for each in notebook["cells"]]


def test_the_helper_above_a_moved_answer_goes_with_it():
    notebook = filled({"mle": "@cache\n" + answers()["mle"]})
    moved = notebook["cells"].pop(index(notebook, "mle"))
    notebook["cells"] += [own("from functools import cache"), moved]
    found = mended(notebook).notebook
    assert text(found["cells"][index(found, "mle") - 1]) == "from functools import cache"
    assert index(found, "mle-check") == index(found, "mle") + 1
