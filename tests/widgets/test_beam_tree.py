"""The beam tree without a browser: what Python sends and refuses, and the JavaScript against Python."""

import numpy as np
import pytest
import torch
from unrolled.decoding import beam_search, named
from unrolled.widgets.beam_tree import BeamTree
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("seq2seq")

SYMBOLS = ["<s>", "</s>", "ein", "und", "zwanzig", "drei", "hundert"]


def found(seed=0, width=3, limit=6):
    """A search on random probabilities of the next word, the end likelier with each: its record and what it returns."""
    words = len(SYMBOLS)
    draws = torch.randn(words, words, generator=torch.Generator().manual_seed(seed)) * 2
    draws[:, 0] = -30  # nobody writes <s>

    def step(state, before):
        ending = state[:, None] * torch.eye(words)[1]
        return (draws[before] + 0.5 * ending).log_softmax(1), state + 1

    record = []
    best = beam_search(step, torch.zeros(1), 0, 1, width, limit, record=record)
    return named(record, SYMBOLS), best


def tree(steps=None, **state) -> BeamTree:
    return BeamTree(found()[0] if steps is None else steps, **state)


def one(word, log_prob, parent=0, kept=True, ended=False) -> dict:
    return {"parent": parent, "word": word, "log_prob": log_prob, "kept": kept, "ended": ended}


# What ended leaves the beam here, for a list of its own: the other way to search.
LISTED = [
    [one("a", -0.5), one("b", -1.0), one("</s>", -3.0, kept=False, ended=True)],
    [one("</s>", -1.1, ended=True), one("a", -1.5, parent=1), one("b", -1.6, parent=1, kept=False)],
    [one("b", -1.75, parent=1), one("</s>", -2.5, parent=1, ended=True), one("a", -9, parent=1, kept=False)],
]


# --- what Python sends


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("width", [1, 4])
def test_the_ranking_is_what_the_search_returns(seed, width):
    record, best = found(seed, width)
    widget = tree(record)
    assert widget.width == width
    for alpha in (0, 0.7, 1):
        expected = sorted(best, key=lambda hypothesis: -hypothesis.score(alpha))
        ranked = widget.ranking(alpha)
        words = [[SYMBOLS[i] for i in one.words] + ["</s>"] * one.ended for one in expected]
        assert [one.words for one in ranked] == words
        assert [one.ended for one in ranked] == [one.ended for one in expected]
        np.testing.assert_allclose([one.score for one in ranked], [one.score(alpha) for one in expected])


@pytest.mark.parametrize("seed", range(5))
def test_what_is_drawn_is_the_record_what_is_kept_first(seed):
    record, _ = found(seed, width=4)
    widget = tree(record)
    for drawn, more, candidates in zip(widget.steps, widget.more, record, strict=True):
        kept = [one for one in candidates if one["kept"]]
        pruned = [one for one in candidates if not one["kept"]]
        assert drawn == kept + pruned[:6]
        assert more == max(0, len(pruned) - 6)


def test_every_hypothesis_is_its_parents_with_one_word_more():
    widget = tree()
    for t, candidates in enumerate(widget.steps):
        for n, one in enumerate(candidates):
            before = widget.words(t - 1, one["parent"]) if t else []
            assert widget.words(t, n) == before + [one["word"]] * bool(one["word"])


def test_an_ended_one_that_is_not_listed_again_is_left_in_the_end():
    widget = tree(LISTED)
    assert [(" ".join(one.words), one.log_prob, one.ended) for one in widget.ranking()] == [
        ("a </s>", -1.1, True),
        ("b a b", -1.75, False),
        ("b a </s>", -2.5, True),
    ]
    assert widget.finals == [[1, 0], [2, 0], [2, 1]]


def test_an_ended_one_that_lost_its_place_is_not_left():
    stays = one("", -2, parent=1, kept=False, ended=True)
    steps = [[one("a", -0.5), one("</s>", -2, ended=True)], [one("a", -0.6), one("b", -0.7), stays]]
    assert [one.words for one in tree(steps).ranking()] == [["a", "a"], ["a", "b"]]


def test_length_normalisation_by_hand():
    """α = 1: −1.1 / 2 = −0.55, −1.75 / 3 = −0.5833, −2.5 / 3 = −0.8333. α = 2: −0.275, −0.1944, −0.2778."""
    widget = tree(LISTED, alpha=1.0)
    np.testing.assert_allclose([one.score for one in widget.ranking()], [-0.55, -1.75 / 3, -2.5 / 3])
    assert [one.words[0] for one in widget.ranking(2)] == ["b", "a", "b"]


def test_tensors_and_numpy_numbers_may_be_given():
    record, _ = found()
    kinds = [
        [
            {
                **one,
                "parent": np.int64(one["parent"]),
                "log_prob": torch.tensor(one["log_prob"]),
                "kept": np.bool_(one["kept"]),
            }
            for one in step
        ]
        for step in record
    ]
    assert len(state_of(tree(kinds))["steps"]) == len(record)
    np.testing.assert_allclose(tree(kinds).ranking()[0].log_prob, tree().ranking()[0].log_prob, rtol=1e-6)


def test_what_is_looked_at_stays_inside():
    widget = tree(step=1, candidate=8)
    widget.step = 0
    assert widget.candidate == len(widget.steps[0]) - 1


# --- what can't be shown

FIRST = [one("a", -1.0)]


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([], "steps must be a list with a list of candidates for each step, none of them empty"),
        ("ab", "steps must be a list"),
        ([FIRST, []], "none of them empty"),
        ([FIRST[0]], "steps must be a list with a list of candidates for each step"),
        ([[("a", -1)]], "step 0, candidate 0 is ('a', -1): give {parent, word, log_prob, kept, ended}"),
        ([[{"parent": 0, "word": "a"}]], "step 0, candidate 0 lacks 'log_prob'"),
        ([[one("a", float("nan"))]], "step 0, candidate 0: log_prob is nan: give a finite number"),
        ([FIRST + [one("b", -np.inf, kept=False)]], "step 0, candidate 1: log_prob is -inf: give a finite number"),
        ([[one("a", 0.25)]], "step 0, candidate 0: log_prob is 0.25: that of the whole hypothesis is at most 0"),
        ([FIRST, [one("b", -0.5)]], "log_prob is -0.5: that of the whole hypothesis is at most -1, its parent's"),
        ([[one("a", "x")]], "log_prob of step 0, candidate 0 is not made of numbers"),
        ([[one("a", -1, parent=1)]], "step 0, candidate 0: parent is 1: the first step has one parent, 0"),
        ([FIRST, [one("b", -2, parent=1)]], "step 1, candidate 0: parent is 1: the step before kept 1"),
        ([FIRST, [one("b", -2, parent=None)]], "parent is None"),
        ([[one(5, -1)]], "word is 5: give it as text (unrolled.decoding.named does that)"),
        ([[one("", -1)]], "step 0, candidate 0 has no word"),
        ([[one("a", -1, kept=False)]], "step 0 keeps 0 candidates: from 1 to 8 can be shown"),
        ([FIRST * 9], "step 0 keeps 9 candidates: from 1 to 8 can be shown"),
        ([FIRST] * 41, "there are 41 steps: up to 40 can be shown"),
        (
            [[one("</s>", -1, ended=True)], [one("a", -2)]],
            "step 1, candidate 0 follows an end: it may only stay as it is",
        ),
        ([[one("</s>", -1, ended=True)], [one("", -2, ended=True)]], "follows an end"),
    ],
)
def test_what_is_no_record_gets_one_line(steps, says):
    with pytest.raises(ValueError) as error:
        tree(steps)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"step": 6}, "step is 6: it must be the number of a step, from 0"),
        ({"candidate": 7}, "candidate is 7: it must be the number of a candidate that is drawn, from 0"),
        ({"alpha": -1.0}, "alpha is -1.0: it must be a number from 0 to 2"),
        ({"width": 3}, "there is no 'width': this widget has step, candidate, alpha"),
    ],
)
def test_a_state_that_is_none_gets_one_line(state, says):
    with pytest.raises(ValueError) as error:
        tree(**state)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the tables beside the view


def test_the_tables_say_all_that_is_drawn_and_the_ranking():
    widget = tree(found(width=4)[0], alpha=1.0)
    data, _ = widget._repr_mimebundle_()
    steps, ranking = (Table(html + "</table>") for html in data["text/html"].split("</table>")[:-1])
    rows = iter(steps.rows[1:])
    for t, candidates in enumerate(widget.steps):
        for n, one in enumerate(candidates):
            step, words, log_prob, fate = next(rows)
            assert (step, words) == (str(t + 1), " ".join(widget.words(t, n)))
            assert float(log_prob) == pytest.approx(one["log_prob"], abs=0.0051)
            assert (fate.startswith("kept"), fate.endswith("ended")) == (one["kept"], one["ended"])
        if widget.more[t]:
            assert next(rows)[1] == f"and {widget.more[t]} more"
    assert list(rows) == []
    assert "width 4" in steps.caption and "length^1" in ranking.caption
    for row, (n, one) in zip(ranking.rows[1:], enumerate(widget.ranking(), start=1), strict=True):
        assert row[:2] + row[4:] == [str(n), " ".join(one.words), "yes" if one.ended else "no"]
        assert float(row[3]) == pytest.approx(one.score, abs=0.00051)
    best = " ".join(widget.ranking()[0].words)
    assert data["text/plain"].startswith(f"beam tree, width 4, {len(widget.steps)} steps; best: {best} (")


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(tree())


def test_the_widget_is_light():
    assert len(str(BeamTree._esm)) + len(str(BeamTree._css)) < 30_000, "with what all widgets share"


def case(widget: BeamTree) -> dict:
    """What the browser gets, and Python's words of each candidate and ranking at three α."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    words = [[widget.words(t, n) for n in range(len(step))] for t, step in enumerate(widget.steps)]
    rankings = [[alpha, [[*one] for one in widget.ranking(alpha)]] for alpha in (0, 0.6, 1)]
    return {"state": state, "width": widget.width, "words": words, "rankings": rankings}


def test_javascript_computes_as_python_does(tmp_path):
    widgets = [tree(found(seed, width)[0]) for seed in range(3) for width in (1, 4)] + [tree(LISTED)]
    assert_node_agrees("beam_tree", tree(), [case(widget) for widget in widgets], tmp_path)
