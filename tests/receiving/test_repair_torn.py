"""Files torn, damaged in the middle, or left with merge conflicts: what is still there counts."""

import json
from difflib import SequenceMatcher

import pytest
import unit_one as one
from unit_one import STUB, answers, cell, filled, given, index, mended, raw, same, text

from autograder.receiving.repair import Unreadable

# --- torn and damaged files


@pytest.mark.parametrize("wanted", ["mle", "perplexity-check", "backoff"])
def test_a_torn_file_keeps_what_stands_before_the_tear(wanted):
    content = raw(filled())
    tear = content.index(f'"grade_id": "{wanted}"'.encode())
    result = mended(content[:tear])
    whole_cells = index(filled(), wanted)
    assert result.repairs[0].startswith(f"the file is damaged: {whole_cells} cells could be read")
    kept = {one.name(each) for each in filled()["cells"][:whole_cells]}
    expected = filled({name: text(cell(one.release(), name)) for name in answers() if name not in kept})
    assert result.notebook == mended(expected).notebook


def test_a_tear_at_any_place_loses_no_answer_before_it():
    content = raw(filled())
    places = {
        name: content.index(json.dumps(answer.splitlines()[-1], ensure_ascii=False).encode())
        for name, answer in answers().items()
    }
    for tear in range(0, len(content), 997):
        try:
            found = given(mended(content[:tear]).notebook)
        except Unreadable:
            assert tear < places["ngram_counts"] + 50
            continue
        for name, place in places.items():
            assert tear < place + 200 or found[name] == answers()[name]


def test_a_torn_utf16_file_with_half_a_letter_at_its_end():
    content = raw(filled()).decode().encode("utf-16-le")
    result = mended(content[: len(content) // 2 // 2 * 2 + 1])
    assert given(result.notebook)["mle"] == answers()["mle"]


def test_a_cell_damaged_outside_its_text_is_pieced_together():
    content = raw(filled()).replace(b'"grade_id": "mle",', b'"grade_id": "mle" "x', 1)
    result = mended(content)
    assert same(result)
    assert result.repairs == [
        f"the file is damaged: {len(filled()['cells'])} cells could be read, what is missing is as released"
    ]


def test_a_cell_whose_beginning_is_gone_is_found_by_its_text():
    content = raw(filled())
    place = content.rindex(b"{", 0, content.rindex(b'"cell_type"', 0, content.index(b'"grade_id": "mle"')))
    result = mended(content[:place] + b"#" + content[place + 1 :])
    assert same(result)


# --- merge conflicts


def conflict(ours: bytes, theirs: bytes, base: bool = False) -> bytes:
    """Two versions as git leaves them in the working tree."""
    a, b, lines = ours.decode().splitlines(True), theirs.decode().splitlines(True), []
    for tag, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += a[i:j]
        else:
            ancestor = ["||||||| 1a2b3c4\n", *a[i:j][:1]] if base else []
            lines += ["<<<<<<< HEAD\n", *a[i:j], *ancestor, "=======\n", *b[k:m], ">>>>>>> theirs\n"]
    return "".join(lines).encode()


TOLD = "two versions stood in the file, with git's conflict markers: the last answer that is Python counts"


@pytest.mark.parametrize("base", [False, True])
def test_of_two_sides_the_second_counts(base):
    older = raw(filled({"mle": "def mle(counts, context):\n    return {}", "written-question": "I do not know."}))
    result = mended(conflict(older, raw(filled()), base))
    assert same(result) and result.repairs == [TOLD]


@pytest.mark.parametrize("broken", ["def mle(counts, context)\n    return {}", STUB, ""])
def test_of_two_sides_the_first_counts_where_the_second_is_no_answer(broken):
    result = mended(conflict(raw(filled()), raw(filled({"mle": broken}))))
    assert given(result.notebook) == answers()
    assert TOLD in result.repairs


def test_a_side_without_the_cell_takes_it_from_the_other():
    other = filled()
    del other["cells"][index(other, "mle") : index(other, "mle") + 2]
    result = mended(conflict(raw(filled()), raw(other)))
    assert given(result.notebook) == answers()


def test_a_conflict_in_a_torn_file():
    content = conflict(raw(filled({"mle": STUB})), raw(filled()))
    result = mended(content[: content.index(b'"grade_id": "backoff"')])
    expected = filled({name: text(cell(one.release(), name)) for name in ("backoff", "written-question")})
    assert given(result.notebook) == given(mended(expected).notebook)
    assert result.repairs[0] == TOLD


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_markers_inside_a_cell(newline):
    first, second = "def mle(counts, rows):\n    return {}", answers()["mle"]
    both = newline.join(["<<<<<<< HEAD", *first.splitlines(), "=======", *second.splitlines(), ">>>>>>> other"])
    result = mended(filled({"mle": both}))
    assert given(result.notebook)["mle"].split() == second.split()
    assert (
        given(mended(filled({"mle": both.replace(second.splitlines()[0], "def (")})).notebook)["mle"].split()
        == first.split()
    )
    assert result.repairs == ["conflict markers stood in 1 cell: the last side counts"]


def test_a_heading_of_equals_signs_is_no_conflict():
    heading = answers()["mle"].replace('"""{', '"""Title\n=======\n{', 1)
    assert given(mended(filled({"mle": heading})).notebook)["mle"] == heading
