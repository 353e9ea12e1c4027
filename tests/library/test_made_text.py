"""The made language keeps its rules, and its labels say what a reader must remember."""

import itertools
import re

import pytest
from unrolled.data.made_text import ALPHABET, DEEPEST, LONGEST, WORDS, closings, labels, structured_text


@pytest.fixture(scope="module")
def text():
    return structured_text(50_000, seed=0)


def test_the_labels_of_a_line_written_by_hand():
    line = 'we aaa##"(go)" ((x) y).#'
    quote = "000000001111100000000000"
    depth = "000000000111000122111000"  # the bracket inside the quotes counts as well
    owed_ = "000123211111111111111110"
    found = labels(line)
    assert list(found) == ["in quotes", "depth of brackets", "how many are owed"]
    for name, wanted in zip(found, (quote, depth, owed_), strict=True):
        assert found[name].tolist() == [int(digit) for digit in wanted], name


def test_the_closings_of_a_line_written_by_hand():
    found = closings('we aa## "(go)" ((x) y).#')
    assert {name: places.tolist() for name, places in found.items()} == {
        "in quotes": [13],
        "depth of brackets": [12, 18, 21],
        "how many are owed": [6, 7],
    }
    assert closings("#")["how many are owed"].tolist() == []
    assert all(len(places) == 0 for places in closings("").values())


def test_no_label_falls_below_zero_whatever_a_net_writes():
    found = labels(')#)("')
    assert found["depth of brackets"].tolist() == [0, 0, 0, 1, 1]
    assert found["how many are owed"].tolist() == [0, 0, 0, 0, 0]
    assert all(column.shape == (0,) for column in labels("").values())


def test_everything_that_is_opened_is_closed_within_its_sentence(text):
    found = labels(text)
    ends = [i for i, character in enumerate(text) if character == "."]
    assert len(ends) > 500
    for column in found.values():
        assert (column[ends] == 0).all()
        assert column.max() > 0


def test_brackets_reach_the_deepest_level_and_runs_the_longest(text):
    found = labels(text)
    assert found["depth of brackets"].max() == DEEPEST
    assert found["how many are owed"].max() == LONGEST


def test_each_run_of_letters_has_as_many_marks(text):
    runs = re.findall(r"(a+)(#*)", text[: text.rindex(".")])
    assert len(runs) > 500
    assert all(len(letters) == len(marks) for letters, marks in runs)
    assert {len(letters) for letters, _ in runs} == set(range(1, LONGEST + 1))


def test_outside_of_quotes_no_mark_follows_a_word_and_inside_it_may(text):
    """What makes the label worth remembering: after a letter, only quotes can end in a quotation mark."""
    inside = labels(text)["in quotes"]
    after_letters = [i for i, (a, b) in enumerate(itertools.pairwise(text)) if a.isalpha() and b == '"']
    assert len(after_letters) > 500
    assert all(inside[i] for i in after_letters)


def test_all_of_the_alphabet_is_used_and_nothing_else(text):
    assert sorted(set(text)) == ALPHABET
    whole = text[: text.rindex(" ")]  # the last word may be cut off
    assert set(re.sub(r'[()".#a]', " ", whole).split()) == set(WORDS)


@pytest.mark.parametrize("length", [1, 2, 999])
def test_the_seed_decides_and_the_length_is_kept(length):
    assert len(structured_text(length, 3)) == length
    assert structured_text(length, 3) == structured_text(999, 3)[:length]
    assert structured_text(999, 3) != structured_text(999, 4)


def test_no_length_is_refused():
    with pytest.raises(ValueError, match="the length is 0: it must be at least 1"):
        structured_text(0, 0)
