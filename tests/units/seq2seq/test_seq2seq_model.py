"""Encoder, scores and decoder against torch.nn, arithmetic on paper and themselves: pads are not seen."""

import math
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from unrolled.gru import NAMES, GRUCell
from unrolled.language_model import IGNORED
from unrolled.seq2seq import (
    BEGIN,
    CONTEXTS,
    END,
    SCORES,
    Config,
    Encoder,
    Pairs,
    Score,
    Translator,
    attended,
    attention_weights,
)
from unrolled.tagging import pad
from unrolled.training import Batch, fit

LENGTHS = 5, 1, 3
MASK = torch.arange(5) < torch.tensor(LENGTHS)[:, None]  # (B, N)
CONFIG = Config(source=9, target=8, width=4, hidden=3, state=6)
SOURCES, TARGETS = [[4, 7, 2, 5, 5], [3], [8, 8, 2]], [[4, 5], [6, 7, 7, 4], []]


def numbers(*size, **how):
    return torch.randn(*size, dtype=torch.float64, **how)


def translator(context="attention", **settings):
    torch.manual_seed(0)
    return Translator(replace(CONFIG, context=context, **settings)).double().eval()


def batch(sources=SOURCES, targets=TARGETS):
    ids, mask = pad(sources)
    words = pad([[BEGIN, *target] for target in targets])[0]
    due = pad([[*target, END] for target in targets], IGNORED)[0]
    return Batch(Pairs(ids, mask, words), due)


# --- the encoder -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("directions", [1, 2])
def test_the_summary_is_what_torch_calls_h_n(directions):
    reader = Encoder(replace(CONFIG, directions=directions)).double()
    twin = nn.LSTM(4, 3, batch_first=True, bidirectional=directions == 2).double()
    with torch.no_grad():
        for cell, end in zip(reader.states.layers[0], ("", "_reverse"), strict=False):
            for name, value in (("weight_ih", cell.W), ("weight_hh", cell.U), ("bias_ih", cell.b)):
                twin.get_parameter(f"{name}_l0{end}").copy_(value)
            twin.get_parameter(f"bias_hh_l0{end}").zero_()
    ids, mask = pad(SOURCES)
    packed = nn.utils.rnn.pack_padded_sequence(
        reader.E(ids), torch.tensor(LENGTHS), batch_first=True, enforce_sorted=False
    )
    outputs, (last, _) = twin(packed)
    states, _, summary = reader(ids, mask)
    torch.testing.assert_close(states, nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)[0])
    torch.testing.assert_close(summary, torch.cat(list(last), dim=1))
    assert reader.size == 3 * directions == states.shape[2]


# --- the scores ------------------------------------------------------------------------------------------------------


def scored(kind, query, keys, **parameters):
    score = Score(kind, query.shape[-1], keys.shape[-1], width=2).double()
    for name, value in parameters.items():
        getattr(score, name).data.copy_(torch.tensor(value))
    return score(query, keys)


def test_four_scores_by_hand():
    """q = (1, 2), h = (3, 1) and (0, −1).

    dot: 1·3 + 2·1 = 5 and −2; scaled: the same by √2. bilinear with W = [[0, 1], [1, 0]] exchanges the parts of h:
    1·1 + 2·3 = 7 and −1. additive with W = W' = I, b = 0, u = (1, 1): tanh 4 + tanh 3 and tanh 1 + tanh 1.
    """
    query, keys = torch.tensor([[1.0, 2.0]]).double(), torch.tensor([[[3.0, 1.0], [0.0, -1.0]]]).double()
    one = [[1.0, 0.0], [0.0, 1.0]]
    assert scored("dot", query, keys).tolist() == [[5, -2]]
    assert scored("scaled", query, keys)[0].tolist() == pytest.approx([5 / math.sqrt(2), -2 / math.sqrt(2)])
    assert scored("bilinear", query, keys, W=[[0.0, 1.0], [1.0, 0.0]]).tolist() == [[7, -1]]
    additive = scored("additive", query, keys, W=one, W2=one, b=[0.0, 0.0], u=[1.0, 1.0])
    assert additive[0].tolist() == pytest.approx([math.tanh(4) + math.tanh(3), 2 * math.tanh(1)])


@pytest.mark.parametrize("kind", SCORES)
def test_many_queries_are_one_after_another_and_widths_may_differ(kind):
    key = 4 if kind in ("dot", "scaled") else 7
    score, queries, keys = Score(kind, 4, key).double(), numbers(3, 2, 4), numbers(3, 5, key)
    together = score(queries, keys)
    assert together.shape == (3, 2, 5)
    torch.testing.assert_close(together, torch.stack([score(q, keys) for q in queries.unbind(1)], dim=1))


def test_a_score_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="score 'dot' needs queries and keys of one width; got 4 and 7"):
        Score("dot", 4, 7)
    with pytest.raises(ValueError, match="no score 'cosine': choose one of dot, scaled, bilinear, additive"):
        Score("cosine", 4, 4)


# --- weights ---------------------------------------------------------------------------------------------------------


def test_weights_sum_to_one_and_are_zero_on_pads():
    weights = attention_weights(1000 * numbers(3, 4, 5), MASK)
    torch.testing.assert_close(weights.sum(2), torch.ones(3, 4).double())
    assert weights[~MASK[:, None].expand(3, 4, 5)].eq(0).all()
    torch.testing.assert_close(attention_weights(torch.zeros(3, 5), MASK).sum(1), torch.ones(3))


@pytest.mark.parametrize("at_pads", [0.0, math.inf, -math.inf, math.nan])
def test_what_stands_at_pads_counts_for_nothing_and_spoils_no_gradient(at_pads):
    scores = numbers(3, 5).masked_fill(~MASK, at_pads).requires_grad_()
    weights = attention_weights(scores, MASK)
    (slope,) = torch.autograd.grad((weights * numbers(3, 5)).sum(), scores)
    assert slope.isfinite().all() and slope[~MASK].eq(0).all() and weights[~MASK].eq(0).all()


def test_a_row_that_is_all_pads_has_zeros_and_no_nan():
    scores, mask = numbers(2, 3, requires_grad=True), torch.tensor([[True, False, False], [False, False, False]])
    weights = attention_weights(scores, mask)
    assert weights.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert torch.autograd.grad(weights.square().sum(), scores)[0].eq(0).all()
    assert attention_weights(torch.zeros(2, 0), torch.zeros(2, 0, dtype=torch.bool)).shape == (2, 0)


def test_scaled_dots_weights_and_sums_are_torchs_own_attention():
    queries, keys = numbers(3, 2, 4, requires_grad=True), numbers(3, 5, 4, requires_grad=True)
    ours = attended(attention_weights(Score("scaled", 4, 4)(queries, keys), MASK), keys)
    theirs = F.scaled_dot_product_attention(queries, keys, keys, attn_mask=MASK[:, None])
    torch.testing.assert_close(ours, theirs)
    aim = numbers(3, 2, 4)
    slopes = [torch.autograd.grad((out * aim).sum(), [queries, keys]) for out in (ours, theirs)]
    torch.testing.assert_close(*slopes)
    one = attended(attention_weights(queries[:, 0] @ keys.mT[0], MASK), keys)
    assert one.shape == (3, 4)


# --- the decoder ------------------------------------------------------------------------------------------------------


def test_the_writers_cell_is_the_gru_of_unit_3():
    torchs, ours = nn.GRUCell(4, 3).double(), GRUCell(4, 3).double()
    with torch.no_grad():
        for kind, (weight, bias) in {"W": ("weight_ih", "bias_ih"), "U": ("weight_hh", "bias_hh")}.items():
            rows, shifts = torchs.get_parameter(weight).chunk(3), torchs.get_parameter(bias).chunk(3)
            for gate, block, shift in zip(NAMES, rows, shifts, strict=True):
                ours.get_parameter(f"{kind}_{gate}").copy_(block)
                ours.get_parameter(f"b_{gate}").copy_(shift) if kind == "W" else None
                if kind == "U":
                    (ours.d_n if gate == "n" else ours.get_parameter(f"b_{gate}")).add_(
                        shift - (ours.d_n if gate == "n" else 0)
                    )
    x, h = numbers(2, 4), numbers(2, 3)
    torch.testing.assert_close(torchs(x, h), ours(x, h))


@pytest.mark.parametrize("context", CONTEXTS)
def test_teacher_forcing_says_what_step_by_step_is_said(context):
    model, piece = translator(context), batch()
    told = model(piece.inputs, piece.targets)
    state, log_probs, looked = model.start(piece.inputs.source, piece.inputs.mask), [], []
    for words in piece.inputs.words.unbind(1):
        row, state, weights = model.step(state, words)
        log_probs.append(row)
        looked.append(weights)
    torch.testing.assert_close(told.logits.log_softmax(2), torch.stack(log_probs, dim=1))
    if context == "attention":
        torch.testing.assert_close(told.weights, torch.stack(looked, dim=1))
    else:
        assert told.weights is None and looked == [None] * 5
    due = piece.targets
    real = due != IGNORED
    by_hand = -torch.stack(log_probs, dim=1).gather(2, due.clamp(min=0)[:, :, None])[:, :, 0][real].mean()
    torch.testing.assert_close(told.loss, by_hand)


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_first_step_by_its_equations(context):
    """s_0 = tanh(W c + d); s_1 = GRU([E[<s>] ; c^1], s_0); logits V s_1 + b, with α^1 from s_0."""
    model, (ids, mask) = translator(context, score="additive"), pad([SOURCES[0]])
    states, _, c = model.encoder(ids, mask)
    s, x = torch.tanh(model.first(c)), model.E.weight[BEGIN][None]
    q, u = model.score, states[0]
    if context == "attention":
        phi = torch.tanh(s @ q.W.T + u @ q.W2.T + q.b) @ q.u
        x = torch.cat([x, phi.softmax(0)[None] @ u], dim=1)
    elif context == "every":
        x = torch.cat([x, c], dim=1)
    wanted = model.output(model.cell(x, s))
    torch.testing.assert_close(model(Pairs(ids, mask, torch.tensor([[BEGIN]]))).logits[:, 0], wanted)
    assert model.cell.input_size == 4 + (0 if context == "first" else 6)


@pytest.mark.parametrize("context", CONTEXTS)
def test_neither_pads_nor_neighbours_change_an_answer(context):
    model, piece = translator(context), batch()
    together = model(piece.inputs)
    for i, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = model(batch([source], [target]).inputs)
        torch.testing.assert_close(together.logits[i, : len(target) + 1], alone.logits[0])
        if context == "attention":
            torch.testing.assert_close(together.weights[i, : len(target) + 1, : len(source)], alone.weights[0])
            assert together.weights[i, :, len(source) :].eq(0).all()
    dirty = piece.inputs.source.masked_fill(~piece.inputs.mask, 6)
    torch.testing.assert_close(model(piece.inputs._replace(source=dirty)).logits, together.logits)


def test_weights_come_from_the_state_before_the_word_is_read():
    model, piece = translator(), batch([SOURCES[0]] * 2, [[4, 5, 6], [4, 7, 6]])
    one, other = model(piece.inputs).weights
    torch.testing.assert_close(one[:3], other[:3])  # the words differ at the third step, and so does the state after it
    assert (one[3] - other[3]).abs().max() > 1e-6


@pytest.mark.parametrize(("context", "reaches"), [("first", False), ("every", True), ("attention", False)])
def test_only_idea_2_gives_c_to_each_step(context, reaches):
    model, (ids, mask) = translator(context), pad(SOURCES)
    state = model.start(ids, mask)
    other = state._replace(summary=state.summary + 1)
    words = torch.full((3,), BEGIN)
    assert torch.equal(model.step(state, words)[0], model.step(other, words)[0]) != reaches


@pytest.mark.parametrize("context", CONTEXTS)
def test_an_empty_source_and_an_empty_target_are_read(context):
    model = translator(context)
    loss = model(batch([[], [4]], [[5], []]).inputs, batch([[], [4]], [[5], []]).targets).loss
    loss.backward()
    assert loss.isfinite() and all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
    nothing = model(Pairs(*pad([[4, 5]]), torch.zeros(1, 0, dtype=torch.int64)))
    assert nothing.logits.shape == (1, 0, 8)
    assert context != "attention" or nothing.weights.shape[:2] == (1, 0)


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="no context 'last': choose one of first, every, attention"):
        translator("last")
    with pytest.raises(ValueError, match="needs queries and keys of one width; got 5 and 6"):
        translator(score="dot", state=5)
    assert translator("first", score="dot", state=5).score is None


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("score", SCORES)
def test_every_parameter_is_trained(context, score):
    model, piece = translator(context, score=score), batch()
    model(piece.inputs, piece.targets).loss.backward()
    assert [name for name, p in model.named_parameters() if p.grad is None or p.grad.eq(0).all()] == []


def test_a_net_learns_three_pairs_by_heart():
    torch.manual_seed(0)
    model, piece = Translator(CONFIG), batch()
    history = fit(model, iter([piece] * 150), steps=150, rate=2e-2)
    assert history.losses[-1] < 0.1 < 1 < history.losses[0]


def test_dropout_is_for_training_alone():
    model, piece = translator(dropout=0.5), batch()
    assert torch.equal(model(piece.inputs).logits, model(piece.inputs).logits)
    model.train()
    assert not torch.equal(model(piece.inputs).logits, model(piece.inputs).logits)


@pytest.mark.gpu
@pytest.mark.parametrize("context", CONTEXTS)
def test_cuda_says_the_same(context):
    model, piece = translator(context), batch()
    here = model(piece.inputs, piece.targets)
    there = model.cuda()(piece.inputs.to("cuda"), piece.targets.cuda())
    torch.testing.assert_close(there.logits.cpu(), here.logits)
    torch.testing.assert_close(there.loss.cpu(), here.loss)


@pytest.mark.gpu
def test_half_precision_trains_on_cuda():
    torch.manual_seed(0)
    model, piece = Translator(CONFIG).cuda(), batch()
    with torch.autocast("cuda", torch.bfloat16):
        loss = model(piece.inputs.to("cuda"), piece.targets.cuda()).loss
    loss.backward()
    assert loss.isfinite() and all(p.grad.isfinite().all() for p in model.parameters())
