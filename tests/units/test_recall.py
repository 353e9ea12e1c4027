"""The recall task: what a sequence holds, and what a net can and cannot learn from it."""

import itertools

import pytest
import torch
from unrolled.elman_rnn import WindowModel
from unrolled.experiments.recall import LETTERS, QUESTION, SYMBOLS, recall_accuracy, recall_batches
from unrolled.language_model import IGNORED
from unrolled.lstm import LSTM

pytestmark = pytest.mark.unit("elman_rnn", "lstm")


@pytest.mark.parametrize("distance", [1, 2, 9])
def test_the_answer_is_the_first_symbol_and_nothing_else_tells_it(distance):
    for piece in itertools.islice(recall_batches(distance, 50, torch.Generator().manual_seed(0)), 5):
        assert piece.inputs.shape == piece.targets.shape == (50, distance + 1)
        assert torch.equal(piece.targets[:, -1], piece.inputs[:, 0])
        assert (piece.targets[:, :-1] == IGNORED).all()
        assert (piece.inputs[:, -1] == QUESTION).all()
        noise = piece.inputs[:, 1:-1]
        assert ((noise >= LETTERS) & (noise < QUESTION)).all()
        assert set(piece.inputs[:, 0].tolist()) == set(range(LETTERS))


def test_a_short_distance_is_learnt_and_the_seed_decides():
    assert recall_accuracy(2, "orthogonal", seed=1, steps=150) > 0.95
    assert recall_accuracy(3, steps=3) == recall_accuracy(3, steps=3)


def test_a_window_answers_exactly_as_far_as_it_reaches():
    """The letter at distance d is symbol d + 1 of the window; one symbol less, and guessing is all there is."""

    def accuracy(window):
        return recall_accuracy(3, make=lambda n: WindowModel(n, window, width=8, hidden=16), steps=200)

    assert accuracy(window=4) > 0.95
    assert accuracy(window=3) == pytest.approx(1 / LETTERS, abs=0.08)


def test_the_orthogonal_start_remembers_further_than_the_default():
    assert recall_accuracy(8, "orthogonal") > 0.9
    assert recall_accuracy(8, "default") < 0.4


def test_an_lstm_remembers_further_than_an_elman_net_if_its_forget_gates_start_open():
    def accuracy(forget_bias):
        return recall_accuracy(20, make=lambda n: LSTM(n, 32, forget_bias=forget_bias))

    assert accuracy(3.0) > 0.9
    assert accuracy(None) < 0.4
    assert recall_accuracy(20, "orthogonal") < 0.4


def test_no_distance_is_refused():
    with pytest.raises(ValueError, match="the distance is 0"):
        recall_accuracy(0)


def test_the_letters_the_noise_and_the_question_are_all_symbols():
    assert SYMBOLS == QUESTION + 1
