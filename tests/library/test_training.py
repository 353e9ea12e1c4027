"""Training: how a text is cut, what one step does, that it learns, and that a seed decides."""

import itertools
import math

import pytest
import torch
from torch import nn
from unrolled import training
from unrolled.elman_rnn import ElmanRNN, WindowModel
from unrolled.language_model import IGNORED, LanguageModel, cross_entropy, detached
from unrolled.training import (
    Batch,
    contiguous_batches,
    evaluate,
    fit,
    padded,
    random_batches,
    sequence_batches,
    train,
)

COUNTING = torch.arange(12).repeat(60)  # 0 1 … 11 0 1 …: each symbol says what comes next


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def first(batches, count):
    return list(itertools.islice(batches, count))


# --- batches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size, batch, length", [(1000, 4, 16), (50, 4, 16), (17, 16, 8), (9, 32, 8), (2, 1, 1)])
def test_a_target_is_the_symbol_after_its_input(size, batch, length):
    text = torch.arange(size)
    for cut in contiguous_batches, random_batches:
        for piece in first(cut(text, batch, length, generator()), 20):
            assert torch.equal(piece.targets, piece.inputs + 1)
            assert piece.inputs.min() >= 0 and piece.targets.max() < size


@pytest.mark.parametrize(("limit", "threads"), [(10**9, 1), (0, 2)])
def test_a_small_net_is_trained_on_one_thread_and_the_number_comes_back(monkeypatch, limit, threads):
    monkeypatch.setattr(training, "SMALL", limit)
    before, seen = torch.get_num_threads(), []

    class Watched(WindowModel):
        def read(self, tokens, state):
            seen.append(torch.get_num_threads())
            return super().read(tokens, state)

    torch.set_num_threads(2)
    try:
        training.train(Watched(5, 2, 3, 4), torch.arange(50) % 5, steps=2)
        assert set(seen) == {threads} and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_contiguous_rows_go_on_where_they_stopped_and_cover_the_text():
    """1,001 symbols in 4 rows of 250: 15 pieces of 16 a pass; a pass begins anew, and somewhere else."""
    pieces = first(contiguous_batches(torch.arange(1001), 4, 16, generator()), 31)
    for before, after in itertools.pairwise(pieces):
        if after.goes_on:
            assert torch.equal(after.inputs[:, 0], before.targets[:, -1])
    assert [i for i, piece in enumerate(pieces) if not piece.goes_on] == [0, 15, 30]
    seen = torch.cat([piece.inputs.flatten() for piece in pieces[:15]])
    assert len(seen.unique()) == len(seen) == 4 * 15 * 16
    assert len({int(pieces[i].inputs[0, 0]) for i in (0, 15, 30)}) > 1


def test_random_pieces_come_from_everywhere_and_start_afresh():
    pieces = first(random_batches(torch.arange(21), 8, 5, generator()), 50)
    assert {int(start) for piece in pieces for start in piece.inputs[:, 0]} == set(range(16))
    assert not any(piece.goes_on for piece in pieces)


def test_padding_hides_what_is_not_there():
    piece = padded([torch.tensor([1, 2, 3, 4]), torch.tensor([5, 6])])
    assert piece.targets.tolist() == [[2, 3, 4], [6, IGNORED, IGNORED]]
    assert piece.inputs[0].tolist() == [1, 2, 3]
    assert piece.inputs[1, 0] == 5
    assert piece.inputs.min() >= 0


def test_every_sequence_is_drawn():
    sequences = [torch.tensor([i, 9]) for i in range(8)]
    drawn = {int(i) for piece in first(sequence_batches(sequences, 4, generator()), 30) for i in piece.inputs[:, 0]}
    assert drawn == set(range(8))


# --- one step --------------------------------------------------------------------------------------------------------


class Probe(LanguageModel):
    """Its logits are one parameter, whatever it reads; it remembers the states it was given. The loss can be steep."""

    def __init__(self, steepness=1.0):
        super().__init__(2)
        self.o, self.steepness, self.given, self.modes = nn.Parameter(torch.zeros(2)), steepness, [], []

    def start(self, batch=1):
        return torch.zeros(batch, 1)

    def read(self, tokens, state):
        self.given.append(state)
        self.modes.append(self.training)
        logits = (self.steepness * self.o).expand(*tokens.shape, 2)
        return logits, state + 1 + 0 * self.o.sum()


def test_one_step_follows_adam():
    """Adam's first step is rate · g / |g|: each parameter moves by the rate, against the sign of its gradient."""
    model = Probe()
    history = fit(
        model, [Batch(torch.zeros(1, 3, dtype=torch.int64), torch.ones(1, 3, dtype=torch.int64))], steps=1, rate=0.1
    )
    assert model.o.tolist() == pytest.approx([-0.1, 0.1], rel=1e-4)
    assert history.losses == pytest.approx([math.log(2)])
    assert history.steps == [1]


def test_plain_gradient_descent_follows_the_gradient():
    """The gradient of −ln softmax(0, 0)[1] is (1/2, −1/2)."""
    model, read = Probe(), torch.zeros(1, 3, dtype=torch.int64)
    fit(model, [Batch(read, read + 1)], steps=1, rate=0.1, optimizer="sgd")
    assert model.o.tolist() == pytest.approx([-0.05, 0.05])


def test_each_step_has_a_gradient_of_its_own():
    """After one step the logits are (−0.05, 0.05), so the second gradient is (p, −p) with p = 1 / (1 + e^0.1)."""
    model, read = Probe(), torch.zeros(1, 3, dtype=torch.int64)
    fit(model, [Batch(read, read + 1)] * 2, steps=2, rate=0.1, optimizer="sgd", decay=False)
    moved = 0.05 + 0.1 / (1 + math.exp(0.1))
    assert model.o.tolist() == pytest.approx([-moved, moved])


def test_the_state_is_carried_without_a_gradient_and_dropped_at_a_new_beginning():
    piece = torch.zeros(2, 3, dtype=torch.int64)
    batches = [Batch(piece, piece, goes_on) for goes_on in (False, True, True, False)]
    model = Probe()
    fit(model, batches, steps=4)
    assert [float(state[0]) for state in model.given] == [0, 1, 2, 0]
    assert not any(state.requires_grad for state in model.given)


def test_carrying_the_state_can_be_left_out():
    for carry, wanted in (True, 2), (False, 0):
        model = Probe()
        train(model, torch.zeros(100, dtype=torch.int64), steps=3, batch=2, length=8, carry_state=carry)
        assert float(model.given[-1][0, 0]) == wanted


@pytest.mark.parametrize("clip, wanted", [(None, 1000 / math.sqrt(2)), (2.0, 2.0), (1e6, 1000 / math.sqrt(2))])
def test_gradients_are_clipped_by_their_global_norm(clip, wanted):
    """Both logits have gradients of ±1/2, times the steepness of 1,000: together 1000/√2."""
    model, piece = Probe(steepness=1000.0), torch.zeros(1, 4, dtype=torch.int64)
    fit(model, [Batch(piece, piece)], steps=1, clip=clip)
    assert model.o.grad.norm().item() == pytest.approx(wanted, rel=1e-4)


def test_the_rate_falls_along_half_a_cosine(monkeypatch):
    rates = []

    class Spy(torch.optim.AdamW):
        def step(self):
            rates.append(self.param_groups[0]["lr"])
            super().step()

    monkeypatch.setitem(training.OPTIMIZERS, "adamw", Spy)
    piece = torch.zeros(1, 2, dtype=torch.int64)
    fit(Probe(), itertools.repeat(Batch(piece, piece)), steps=4, rate=1.0)
    assert rates == pytest.approx([1, (1 + math.sqrt(0.5)) / 2, 0.5, (1 - math.sqrt(0.5)) / 2])
    rates.clear()
    fit(Probe(), itertools.repeat(Batch(piece, piece)), steps=3, rate=0.5, decay=False)
    assert rates == [0.5] * 3


# --- whole trainings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("carry_state", [True, False])
@pytest.mark.parametrize("make", [lambda: ElmanRNN(12, 16), lambda: WindowModel(12, 2, 8, 16)])
def test_learns_to_count(make, carry_state):
    model = make()
    assert evaluate(model, COUNTING) == pytest.approx(math.log(12), abs=0.4)
    history = train(model, COUNTING, COUNTING[:100], steps=120, batch=8, length=12, rate=2e-2, carry_state=carry_state)
    assert history.heldout[-1] < 0.05
    assert history.losses[0] > 2 and history.losses[-1] < 0.1
    assert model(COUNTING[None, :30]).logits[0, 5:].argmax(-1).tolist() == COUNTING[6:31].tolist()
    assert history.seconds > 0


def test_learns_from_sequences():
    """Names of two kinds: 0 1 1 0 and 0 2 0. Only the second symbol is uncertain: ln 2 shared by 3 or 2 symbols."""
    names = [torch.tensor([0, 1, 1, 0]), torch.tensor([0, 2, 0])] * 10
    model = ElmanRNN(3, 16)
    history = train(model, names, names, steps=150, batch=16, rate=1e-2)
    assert history.heldout[-1] == pytest.approx(20 * math.log(2) / 50, abs=0.03)


def test_one_seed_gives_one_training_and_another_another():
    def losses(seed):
        torch.manual_seed(0)
        return train(ElmanRNN(12, 8), torch.randint(12, (500,)), steps=5, batch=4, length=8, seed=seed).losses

    assert losses(1) == losses(1)
    assert losses(1) != losses(2)


def test_the_held_out_text_is_measured_when_asked_and_at_the_end():
    history = train(ElmanRNN(12, 8), COUNTING, COUNTING[:50], steps=7, batch=4, length=8, evaluate_every=3)
    assert history.heldout_steps == [3, 6, 7]
    assert len(history.heldout) == 3 and len(history.losses) == len(history.steps) == 7
    assert train(ElmanRNN(12, 8), COUNTING, steps=2).heldout == []


def test_dropout_is_on_while_it_trains_and_off_between_and_afterwards():
    model, piece = Probe(), Batch(torch.zeros(1, 2).long(), torch.zeros(1, 2).long())
    for _ in range(2):
        fit(model, [piece] * 2, torch.zeros(3).long(), steps=2, evaluate_every=1)
        assert not model.training
    assert model.modes == [True, False, True, False] * 2


def test_batches_that_end_end_the_training():
    piece = torch.zeros(1, 2, dtype=torch.int64)
    assert fit(Probe(), [Batch(piece, piece)] * 2, steps=5).steps == [1, 2]
    assert fit(Probe(), [], steps=5).losses == []


# --- evaluation ------------------------------------------------------------------------------------------------------


def surprise(model, ids):
    """Sum of −ln P over all symbols but the first, read in one go."""
    return cross_entropy(model(ids[None, :-1]).logits, ids[None, 1:], reduction="sum").item()


@pytest.mark.parametrize("length", [1, 7, 256])
def test_one_row_is_one_long_run(length):
    model, text = ElmanRNN(5, 8), torch.randint(5, (41,))
    assert evaluate(model, text, rows=1, length=length) == pytest.approx(surprise(model, text) / 40, rel=1e-5)


def test_rows_share_no_target_and_leave_none_out():
    """A window of one has no past, so it does not matter where a row begins."""
    model, text = WindowModel(5, 1, 4, 8), torch.randint(5, (101,))
    wanted = surprise(model, text) / 100
    for rows in (1, 3, 7, 100, 1000):
        assert evaluate(model, text, rows=rows, length=1) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("rows", [1, 2, 64])
def test_sequences_are_scored_each_for_itself(rows):
    model, names = ElmanRNN(5, 8), [torch.randint(5, (n,)) for n in (2, 9, 4, 3, 9)]
    wanted = sum(surprise(model, name) for name in names) / (1 + 8 + 3 + 2 + 8)
    assert evaluate(model, names, rows=rows, length=3) == pytest.approx(wanted, rel=1e-5)


def test_evaluation_changes_no_mode_and_leaves_no_graph():
    for mode in (True, False):
        model = Probe().train(mode)
        evaluate(model, torch.tensor([0, 1, 1]))
        assert model.training == mode
        assert model.modes == [False]
        assert not model.given[0].requires_grad


def test_detaching_reaches_every_part_of_a_state():
    h = torch.ones(2, requires_grad=True) * 2
    assert not detached(h).requires_grad
    assert [part.requires_grad for part in detached((h, h))] == [False, False]
    assert torch.equal(detached(h), h)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, settings, message",
    [
        (torch.tensor([1]), {}, "the text is too short: it takes two symbols"),
        (torch.zeros(2, 5, dtype=torch.int64), {}, "expected a text of ids, shape (N,); got shape (2, 5)"),
        ([], {}, "a sequence is too short"),
        ([torch.tensor([1, 2]), torch.tensor([1])], {}, "a sequence is too short"),
        (COUNTING, {"batch": 0}, "batch is 0 and length is 64: both must be at least 1"),
        (COUNTING, {"length": 0}, "batch is 32 and length is 0"),
        (COUNTING, {"steps": 0}, "steps is 0"),
        (COUNTING, {"optimizer": "adam"}, "there is no optimizer 'adam' here: choose 'adamw' or 'sgd'"),
        (torch.tensor([0, 99, 0]), {}, "id 99 is out of range"),
    ],
)
def test_bad_input_gets_one_clear_line(text, settings, message):
    with pytest.raises(ValueError) as caught:
        train(ElmanRNN(12, 4), text, **{"steps": 1} | settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_text_too_short_to_score_is_refused():
    with pytest.raises(ValueError, match="the text is too short"):
        evaluate(ElmanRNN(12, 4), torch.tensor([3]))


@pytest.mark.gpu
def test_trains_on_cuda_and_answers_from_there():
    model = ElmanRNN(12, 16)
    history = train(model, COUNTING, COUNTING[:100], steps=120, batch=8, length=12, rate=2e-2)
    assert model.device.type == "cuda"
    assert history.heldout[-1] < 0.05
    logits, state = model.step(3, model.start())
    assert logits.device.type == "cpu" and state.device.type == "cuda"
    assert logits.argmax() == 4
