"""The classmate's net is clearly worse, but not hopeless; and nothing but an exchange is wrong with it."""

import itertools
import math

import pytest
import torch
from unrolled.data.made_text import ALPHABET, structured_text
from unrolled.experiments.lstm.sick_loading import EXCHANGED, exchange, loaded_by_a_classmate
from unrolled.lstm import LSTM, LSTMCell
from unrolled.training import evaluate, train
from unrolled.vocabulary import Vocabulary

characters = Vocabulary(ALPHABET)
heldout = characters.encode(structured_text(3000, seed=1))


@pytest.fixture(scope="module")
def trained():
    torch.manual_seed(0)
    model = LSTM(len(characters), hidden=64, width=16)
    train(model, characters.encode(structured_text(40_000, seed=0)), steps=300)
    return model


def test_it_is_clearly_worse_but_not_hopeless(trained):
    before, after = evaluate(trained, heldout), evaluate(loaded_by_a_classmate(trained), heldout)
    assert before < 1
    assert before + 0.2 < after < 0.75 * math.log(len(characters))  # a uniform guess costs ln V


def test_the_model_itself_stays_and_undoing_the_exchange_restores_it(trained):
    before = evaluate(trained, heldout)
    loaded = loaded_by_a_classmate(trained)
    assert evaluate(trained, heldout) == before != evaluate(loaded, heldout)
    exchange(loaded.cells[0], *EXCHANGED)
    assert evaluate(loaded, heldout) == before
    assert all(torch.equal(a, b) for a, b in zip(trained.parameters(), loaded.parameters(), strict=True))


def test_every_layer_is_exchanged():
    model = LSTM(5, hidden=4, layers=2)
    loaded = loaded_by_a_classmate(model)
    for ours, theirs in zip(model.cells, loaded.cells, strict=True):
        assert torch.equal(ours.named()[f"U_{EXCHANGED[0]}"], theirs.named()[f"U_{EXCHANGED[1]}"])


@pytest.mark.parametrize("one, other", list(itertools.permutations("figo", 2)))
def test_an_exchange_moves_two_gates_and_no_other(one, other):
    cell = LSTMCell(3, 4)
    before = {name: block.clone() for name, block in cell.named().items()}
    exchange(cell, one, other)
    for name, block in cell.named().items():
        source = {one: other, other: one}.get(name[2], name[2])
        assert torch.equal(block, before[name[:2] + source])
