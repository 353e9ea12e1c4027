"""Counting by hand: known and unknown words, pairs of tags, spans as seqeval has them, and a curve of thresholds."""

import random

import numpy as np
import pytest
from unrolled.data import DataError
from unrolled.experiments.tagging.baselines import MostFrequentTag
from unrolled.experiments.tagging.reports import (
    accuracy,
    by_words,
    confusion,
    precision_recall,
    span_scores,
    spans,
)
from unrolled.experiments.tagging.snips import snips


def test_accuracy_over_sentences_counts_words():
    assert accuracy([["A"], ["A", "B", "A"]], [["A"], ["B", "B", "B"]]) == 0.5
    assert accuracy(["x", "y", "x"], ["x", "x", "x"]) == pytest.approx(2 / 3)
    assert accuracy([1, 0], [1, 1]) == 0.5
    with pytest.raises(ValueError, match="nothing to count"):
        accuracy([[]], [[]])
    with pytest.raises(ValueError):
        accuracy([["A", "B"]], [["A"]])


def test_known_words_are_counted_apart_from_unknown_ones():
    told = by_words([["a", "new"], ["a", "b"]], [["X", "X"], ["Y", "Y"]], [["X", "Y"], ["X", "Y"]], {"a", "b"})
    assert told == (0.5, pytest.approx(2 / 3), 0.0, 4, 1)
    assert np.isnan(by_words([["a"]], [["X"]], [["X"]], {"a"}).unknown)


def test_a_row_is_the_right_tag_and_a_column_the_answer():
    assert confusion([["X", "X", "Y"]], [["X", "Y", "Y"]], ["X", "Y", "Z"]).tolist() == [
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 0],
    ]


@pytest.mark.parametrize(
    ("tags", "wanted"),
    [
        ("O B-a I-a O", {("a", 1, 3)}),
        ("B-a B-a", {("a", 0, 1), ("a", 1, 2)}),
        ("I-a I-a O I-b", {("a", 0, 2), ("b", 3, 4)}),  # a stray I- opens a span
        ("B-a I-b I-b", {("a", 0, 1), ("b", 1, 3)}),
        ("O O", set()),
        ("", set()),
        ("B-x-y I-x-y", {("x-y", 0, 2)}),
    ],
)
def test_spans_by_hand(tags, wanted):
    assert spans(tags.split()) == wanted


def test_scores_of_spans_by_hand():
    """Right: b of the first sentence. Predicted are three, wanted are two."""
    gold = [["B-a", "I-a", "O", "B-b"], ["O"]]
    predicted = [["B-a", "O", "O", "B-b"], ["B-b"]]
    precision, recall, f1 = span_scores(gold, predicted)
    assert (precision, recall, f1) == (pytest.approx(1 / 3), 0.5, pytest.approx(0.4))


def test_where_nothing_is_predicted_or_wanted_scores_are_zero():
    assert span_scores([["B-a"]], [["O"]]) == (0.0, 0.0, 0.0)
    assert span_scores([["O"]], [["B-a"]]) == (0.0, 0.0, 0.0)
    assert span_scores([], []) == (0.0, 0.0, 0.0)


def random_tags(chance, n):
    names = ["O", "B-a", "I-a", "B-b", "I-b"]
    return [chance.choices(names, k=chance.randint(1, 8)) for _ in range(n)]


def test_scores_are_those_that_seqeval_printed():
    """seqeval 1.2.2 on these: precision 3 of 6, recall 3 of 7."""
    gold = [["B-a", "I-a", "O", "I-b", "I-b"], ["O", "B-b", "I-a", "B-a"], ["I-a", "B-a", "I-a"]]
    predicted = [["B-a", "I-a", "I-b", "I-b", "I-b"], ["O", "B-b", "I-a", "I-a"], ["B-a", "B-a", "O"]]
    assert span_scores(gold, predicted) == (0.5, 0.42857142857142855, 0.4615384615384615)


@pytest.mark.filterwarnings("ignore")  # it warns where it divides by zero, and of what it imports
def test_scores_equal_seqeval():
    metrics = pytest.importorskip("seqeval.metrics", reason="needs seqeval: pip install .[bench]")
    chance = random.Random(0)
    for _ in range(100):
        gold = random_tags(chance, 5)
        predicted = [
            [tag if chance.random() < 0.7 else chance.choice(["O", "B-a", "I-b"]) for tag in row] for row in gold
        ]
        theirs = [score(gold, predicted) for score in (metrics.precision_score, metrics.recall_score, metrics.f1_score)]
        assert span_scores(gold, predicted) == pytest.approx(theirs)


@pytest.fixture(scope="module")
def slots():
    """Snips's test requests: their tags, and the most frequent tag of each word."""
    try:
        parts = snips(stand_in=False)
    except DataError:
        pytest.skip("needs snips")
    tagger = MostFrequentTag().fit(parts["train"])
    return [request.tags for request in parts["test"]], [tagger.tag(request.words) for request in parts["test"]]


def test_scores_of_the_requests_slots_are_those_that_seqeval_printed(slots):
    """seqeval 1.2.2 on these 700 requests."""
    assert span_scores(*slots) == pytest.approx((0.4836104513064133, 0.5674470457079153, 0.5221851756860734))


@pytest.mark.filterwarnings("ignore")
def test_scores_of_the_requests_slots_equal_seqeval(slots):
    metrics = pytest.importorskip("seqeval.metrics", reason="needs seqeval: pip install .[bench]")
    theirs = [score(*slots) for score in (metrics.precision_score, metrics.recall_score, metrics.f1_score)]
    assert span_scores(*slots) == pytest.approx(theirs)


def test_a_curve_by_hand():
    """Scores 0.9 (1), 0.8 (0), 0.6 (1 and 0, equal): precision 1, 1/2, 1/2; recall 1/2, 1/2, 1."""
    curve = precision_recall([0, 1, 1, 0], [0.6, 0.9, 0.6, 0.8])
    assert curve.thresholds.tolist() == [0.9, 0.8, 0.6]
    assert curve.precision.tolist() == [1.0, 0.5, 0.5]
    assert curve.recall.tolist() == [0.5, 0.5, 1.0]
    assert curve.area == pytest.approx(0.75)
    assert curve.best_f1 == (pytest.approx(2 / 3), 0.9)


def test_a_curve_does_not_depend_on_the_order_and_guessing_has_the_share_of_ones_as_area():
    chance = np.random.default_rng(0)
    gold, scores = (chance.random(20_000) < 0.3).astype(int), chance.random(20_000)
    order = chance.permutation(20_000)
    one, other = precision_recall(gold, scores), precision_recall(gold[order], scores[order])
    assert one.area == pytest.approx(other.area)
    assert one.area == pytest.approx(0.3, abs=0.02)
    assert precision_recall([1, 0, 1], [3, 1, 2]).area == 1.0
    with pytest.raises(ValueError, match="no gold answer|recall has no meaning"):
        precision_recall([0, 0], [0.1, 0.2])
