"""Attention, heads, masks and positions against torch's own, arithmetic on paper and themselves."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from unrolled.attention import (
    POSITIONS,
    Config,
    MultiHeadAttention,
    Positions,
    SelfAttention,
    additive,
    attention,
    attention_weights,
    causal_mask,
    padding_mask,
    sinusoids,
)
from unrolled.language_model import IGNORED
from unrolled.tagging import Words, pad
from unrolled.training import Batch, fit

SENTENCES = [[3, 1, 4, 1, 5], [2], [6, 5, 3]]
REAL = torch.arange(5) < torch.tensor([5, 1, 3])[:, None]  # (B, N)


def numbers(*size, **how):
    return torch.randn(*size, dtype=torch.float64, **how)


def masks(b=2, h=3, m=4, n=5):
    """One of each form that a mask may have, with a row that may look nowhere."""
    found = [
        torch.rand(size) > 0.4 for size in [(m, n), (1, n), (m, 1), (b, 1, n), (b, m, n), (b, 1, m, n), (b, h, m, n)]
    ]
    found[0][1] = False
    found[5][0, :, 2] = False
    return [None, padding_mask(torch.rand(b, n) > 0.4), *found]


# --- the equation ----------------------------------------------------------------------------------------------------


def test_attention_by_hand():
    """q = (2, 0, 0, 0), K = 4, so that √K = 2; keys (ln 3, …) and (0, …) have scores ln 3 and 0: weights 3/4 and 1/4.

    Of the values (4, 0) and (0, 8) that is (3, 2). A mask that hides the first key leaves (0, 8).
    """
    q = torch.tensor([[2.0, 0, 0, 0]])
    k, v = torch.tensor([[math.log(3), 1, 1, 1], [0, 1, 1, 1]]), torch.tensor([[4.0, 0], [0, 8]])
    out, weights = attention(q, k, v)
    torch.testing.assert_close(weights, torch.tensor([[0.75, 0.25]]))
    torch.testing.assert_close(out, torch.tensor([[3.0, 2.0]]))
    assert attention(q, k, v, torch.tensor([[False, True]]))[0].tolist() == [[0, 8]]


@pytest.mark.parametrize("number", range(len(masks())))
def test_attention_is_torchs_own_and_so_are_its_gradients(number):
    q, k, v = numbers(2, 3, 4, 6, requires_grad=True), numbers(2, 3, 5, 6, requires_grad=True), numbers(2, 3, 5, 2)
    v.requires_grad_()
    mask = masks()[number]
    mask = mask[:, None] if mask is not None and mask.ndim == 3 else mask
    ours, weights = attention(q, k, v, mask)
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(ours, weights @ v)
    aim = numbers(*ours.shape)
    slopes = [torch.autograd.grad((out * aim).sum(), [q, k, v]) for out in (ours, theirs)]
    torch.testing.assert_close(*slopes)
    assert all(slope.isfinite().all() for slope in slopes[0])


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_any_axes_may_stand_in_front(lead):
    q, k, v = numbers(*lead, 4, 6), numbers(*lead, 5, 6), numbers(*lead, 5, 2)
    out, weights = attention(q, k, v, causal_mask(5, 4))
    assert out.shape == (*lead, 4, 2) and weights.shape == (*lead, 4, 5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(*lead, 4).double())
    assert weights[..., ~causal_mask(5, 4)].eq(0).all()


def test_who_may_look_nowhere_gets_zeros_and_spoils_no_gradient():
    q, k, v = (1000 * numbers(1, 3, 4) for _ in range(3))
    for part in (q, k, v):
        part.requires_grad_()
    mask = torch.tensor([[True, True, False], [False] * 3, [True, False, True]])
    out, weights = attention(q, k, v, mask)
    assert out[0, 1].eq(0).all() and weights[0, 1].eq(0).all()
    slopes = torch.autograd.grad(out.square().sum(), [q, k, v])
    assert all(slope.isfinite().all() for slope in slopes) and slopes[0][0, 1].eq(0).all()


def test_scores_have_variance_one_whatever_the_width():
    for width in (4, 64, 1024):
        q, k = numbers(200, width), numbers(200, width)
        scores = attention_weights(q, k).log()
        centred = scores - scores.mean(1, keepdim=True)
        assert centred.var().item() == pytest.approx(1, abs=0.15)


def test_nothing_to_ask_and_nowhere_to_look():
    assert attention(numbers(2, 0, 4), numbers(2, 3, 4), numbers(2, 3, 5))[0].shape == (2, 0, 5)
    out, weights = attention(numbers(2, 3, 4), numbers(2, 0, 4), numbers(2, 0, 5))
    assert out.eq(0).all() and out.shape == (2, 3, 5) and weights.shape == (2, 3, 0)


# --- masks -----------------------------------------------------------------------------------------------------------


def test_the_causal_mask_and_its_last_rows():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert torch.equal(causal_mask(7), torch.ones(7, 7).tril().bool())
    for queries in range(8):
        assert torch.equal(causal_mask(7, queries), causal_mask(7)[7 - queries :])


def test_padding_and_order_together():
    mask = padding_mask(REAL) & causal_mask(5)
    for b in range(3):
        for i in range(5):
            for j in range(5):
                assert mask[b, 0, i, j] == (REAL[b, j] and j <= i)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_the_additive_convention_gives_the_same_numbers(dtype):
    q, k, v = (torch.randn(2, 3, 5, 4).to(dtype) for _ in range(3))
    added = additive(causal_mask(5), dtype)
    assert added.dtype == dtype and set(added.flatten().tolist()) == {0.0, -math.inf}
    ways = [F.scaled_dot_product_attention(q, k, v, attn_mask=mask) for mask in (causal_mask(5), added)]
    torch.testing.assert_close(*ways)


# --- many heads ------------------------------------------------------------------------------------------------------


def twins(width=12, heads=3, bias=True):
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(width, heads, bias=bias, batch_first=True).double()
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    return MultiHeadAttention.like(theirs), theirs


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("heads", [1, 3, 12])
@pytest.mark.parametrize("need_weights", [True, False])
def test_after_copying_it_is_torchs_multi_head_attention(heads, bias, need_weights):
    ours, theirs = twins(heads=heads, bias=bias)
    x, context = numbers(3, 4, 12, requires_grad=True), numbers(3, 5, 12, requires_grad=True)
    mine = ours(x, context, padding_mask(REAL), need_weights)
    mine, looked = mine if need_weights else (mine, None)
    wanted, weights = theirs(x, context, context, key_padding_mask=~REAL, average_attn_weights=False)
    torch.testing.assert_close(mine, wanted)
    if need_weights:
        torch.testing.assert_close(looked, weights)
    slopes = []
    for out, model in ((mine, ours), (wanted, theirs)):
        model.zero_grad()
        slopes.append(torch.autograd.grad(out.square().sum(), [x, context], retain_graph=True))
        out.square().sum().backward(inputs=list(model.parameters()))
    torch.testing.assert_close(*slopes)
    ours_of_all = torch.cat([part.weight.grad for part in (ours.query, ours.key, ours.value)])
    torch.testing.assert_close(ours_of_all, theirs.in_proj_weight.grad)
    torch.testing.assert_close(ours.output.weight.grad, theirs.out_proj.weight.grad)


@pytest.mark.parametrize("number", range(len(masks())))
def test_the_fused_way_and_the_one_with_weights_are_equal(number):
    torch.manual_seed(number)
    model, x, context, mask = MultiHeadAttention(6, 3).double(), numbers(2, 4, 6), numbers(2, 5, 6), masks()[number]
    out, weights = model(x, context, mask, need_weights=True)
    torch.testing.assert_close(model(x, context, mask), out)
    assert weights.shape == (2, 3, 4, 5)
    full = torch.ones(2, 3, 4, 5, dtype=torch.bool)
    if mask is not None:
        full &= mask[:, None] if mask.ndim == 3 else mask
    assert weights[~full].eq(0).all()
    torch.testing.assert_close(weights.sum(3), full.any(3).double())


def test_a_head_is_attention_by_its_own_columns():
    model, x = MultiHeadAttention(6, 3, bias=False).double(), numbers(2, 4, 6)
    found = torch.zeros(2, 4, 6).double()
    for h in range(3):
        rows = slice(2 * h, 2 * h + 2)
        q, k, v = (x @ part.weight[rows].T for part in (model.query, model.key, model.value))
        found = found + attention(q, k, v)[0] @ model.output.weight[:, rows].T
    torch.testing.assert_close(model(x), found)


def test_queries_one_by_one_against_keys_that_are_ready_are_the_same():
    model, x = MultiHeadAttention(6, 3).double(), numbers(2, 5, 6)
    whole, (k, v) = model(x, mask=causal_mask(5)), model.keys_values(x)
    steps = [model.attend(x[:, i : i + 1], k[:, :, : i + 1], v[:, :, : i + 1]) for i in range(5)]
    torch.testing.assert_close(torch.cat(steps, 1), whole)
    last = model.attend(x[:, 3:], k, v, causal_mask(5, 2))
    torch.testing.assert_close(last, whole[:, 3:])


def test_a_sentence_alone_and_in_a_batch_gets_the_same():
    model, x = MultiHeadAttention(6, 3).double(), numbers(3, 5, 6)
    together = model(x.masked_fill(~REAL[:, :, None], 1e6), mask=padding_mask(REAL))
    for b, n in enumerate((5, 1, 3)):
        torch.testing.assert_close(together[b, :n], model(x[b : b + 1, :n])[0])


def test_widths_heads_and_masks_that_cannot_be_are_refused():
    for width, heads in ((6, 4), (6, 0), (0, 1)):
        with pytest.raises(ValueError, match=f"width is {width}, heads {heads}: heads must divide width"):
            MultiHeadAttention(width, heads)
    model, x = MultiHeadAttention(6, 3), torch.randn(2, 4, 6)
    for mask in (torch.ones(4, 4), torch.ones(4, 5, dtype=torch.bool), torch.ones(4, dtype=torch.bool)):
        with pytest.raises(ValueError, match=r"the mask must be bool, \(4, 4\), \(2, 4, 4\) or \(2, 3, 4, 4\)"):
            model(x, mask=mask)
    with pytest.raises(ValueError, match="got torch.bool, \\(3, 4, 4\\)"):
        model(x, mask=torch.ones(3, 4, 4, dtype=torch.bool))


def test_a_sentence_without_words():
    model = MultiHeadAttention(6, 3)
    assert model(torch.zeros(2, 0, 6)).shape == (2, 0, 6)
    assert model(torch.zeros(0, 4, 6)).shape == (0, 4, 6)
    assert model(torch.zeros(2, 0, 6), need_weights=True)[1].shape == (2, 3, 0, 0)


# --- order -----------------------------------------------------------------------------------------------------------


def test_sinusoids_by_hand():
    """Position 1, d = 4: sin 1, cos 1, sin 1/100, cos 1/100."""
    assert [round(x, 2) for x in sinusoids(2, 4)[1].tolist()] == [0.84, 0.54, 0.01, 1.0]
    assert sinusoids(2, 4)[0].tolist() == [0, 1, 0, 1]
    for p in (0, 3, 700):
        for i in range(4):
            angle = p / 10_000 ** (2 * i / 8)
            found = sinusoids(701, 8)[p, 2 * i : 2 * i + 2].tolist()
            assert found == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-6)
    assert torch.equal(sinusoids(5, 6, start=3), sinusoids(8, 6)[3:])
    torch.testing.assert_close(sinusoids(5, 5), torch.stack([*_odd(5, 5)], 1))


def _odd(n, d):
    """Columns for an odd d: 10000^(2i/d) with that d, and no cosine for the last sine."""
    for column in range(d):
        angle = torch.arange(n).double() / 10_000 ** (column // 2 * 2 / d)
        yield (angle.cos() if column % 2 else angle.sin()).float()


def test_a_shift_is_a_rotation_the_same_for_all_positions():
    """(sin ω(p + s), cos ω(p + s)) is (sin ωp, cos ωp) turned by ωs."""
    table, s, d = sinusoids(60, 8), 7, 8
    for i in range(4):
        turn = s / 10_000 ** (2 * i / d)
        matrix = torch.tensor([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        pair = table[:, 2 * i : 2 * i + 2]
        torch.testing.assert_close(pair[s:], pair[:-s] @ matrix.T, atol=1e-5, rtol=0)


@pytest.mark.parametrize("kind", POSITIONS)
def test_positions_go_on_where_they_stopped(kind):
    places = Positions(kind, width=6, longest=20)
    assert torch.equal(places(5, start=7), places(12)[7:])
    assert places(0).shape == (0, 6)
    if kind == "learned":
        with pytest.raises(ValueError, match="position 20 has no vector: 20 positions were learned"):
            places(1, start=20)
    else:
        assert torch.equal(places(30)[25:], sinusoids(30, 6)[25:] if kind == "sinusoid" else torch.zeros(5, 6))


def test_positions_that_there_are_not_are_refused():
    with pytest.raises(ValueError, match="there are no positions 'sine': choose one of sinusoid, learned, none"):
        Positions("sine", 4)


# --- the net ---------------------------------------------------------------------------------------------------------


def words(sentences=SENTENCES):
    return Words(*pad(sentences))


def net(**settings):
    torch.manual_seed(0)
    return SelfAttention(Config(9, 3, **{"width": 12, "heads": 3, "layers": 2} | settings)).double().eval()


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("causal", [True, False])
def test_a_sentence_gets_the_same_whoever_stands_beside_it(positions, causal):
    model = net(positions=positions, causal=causal, residual=causal)
    together = model(words()).logits
    for b, sentence in enumerate(SENTENCES):
        torch.testing.assert_close(together[b, : len(sentence)], model(words([sentence])).logits[0])


@pytest.mark.parametrize("causal", [True, False])
def test_only_a_causal_net_is_blind_for_what_follows(causal):
    model, ids = net(causal=causal), torch.tensor([[3, 1, 4, 1, 5]])
    other = torch.tensor([[3, 1, 4, 2, 2]])
    real = torch.ones(1, 5, dtype=torch.bool)
    moved = (model(Words(ids, real)).logits - model(Words(other, real)).logits)[0].abs().amax(1)
    assert moved[3:].gt(1e-3).all()
    assert moved[:3].eq(0).all() if causal else moved[:3].gt(1e-6).all()


def test_without_positions_to_exchange_words_is_to_exchange_answers():
    order = torch.tensor([4, 2, 0, 1, 3])
    ids, real = torch.tensor([[3, 1, 4, 1, 5]]), torch.ones(1, 5, dtype=torch.bool)
    for positions in POSITIONS:
        model = net(positions=positions)
        moved, stayed = model(Words(ids[:, order], real)).logits, model(Words(ids, real)).logits[:, order]
        assert torch.allclose(moved, stayed) == (positions == "none")


@pytest.mark.parametrize("residual", [True, False])
def test_weights_are_those_of_every_layer_and_what_it_reads_goes_by_them(residual):
    model, given = net(causal=True, residual=residual), words()
    found = model.weights(given)
    assert [tuple(w.shape) for w in found] == [(3, 3, 5, 5)] * 2
    for w in found:
        assert w[~(padding_mask(REAL) & causal_mask(5)).expand_as(w)].eq(0).all()
    x = model.embedded(given)
    for layer, w in zip(model.layers, found, strict=True):
        values = (w @ layer.keys_values(x)[1]).transpose(1, 2).flatten(2)
        x = layer.output(values) + (x if residual else 0)
    torch.testing.assert_close(x, model.read(given))


def test_it_learns_and_pads_keep_an_embedding_of_zeros():
    model = net(residual=True).float()
    targets = pad([[1, 2, 1, 0, 1], [2], [0, 0, 2]], IGNORED)[0]
    history = fit(model, iter([Batch(words(), targets)] * 60), steps=60, rate=2e-2)
    assert history.losses[0] > 0.8 and history.losses[-1] < 0.05
    assert model.E.weight[0].eq(0).all()


def test_dropout_is_for_training_alone():
    model = net(dropout=0.5)
    assert torch.equal(model(words()).logits, model(words()).logits)
    model.train()
    assert not torch.equal(model(words()).logits, model(words()).logits)


def test_half_precision_at_tiny_sizes():
    model, targets = net(causal=True, residual=True).float().train(), pad([[1, 2, 1, 0, 1], [2], [0, 0, 2]], IGNORED)[0]
    wanted = model(words(), targets).loss
    with torch.autocast("cpu", torch.bfloat16):
        loss = model(words(), targets).loss
    torch.testing.assert_close(loss.float(), wanted, rtol=0.05, atol=0.02)
    loss.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())
    q = torch.randn(2, 4, 8, dtype=torch.bfloat16)
    out, weights = attention(q, q, q, causal_mask(4))
    assert out.dtype == weights.dtype == torch.bfloat16 and weights[:, ~causal_mask(4)].eq(0).all()


# --- on a GPU --------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("causal", [True, False])
def test_on_cuda_the_answers_are_those_of_the_cpu(causal):
    model = net(causal=causal).float()
    wanted = model(words()).logits
    torch.testing.assert_close(model.cuda()(words().to("cuda")).logits.cpu(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.gpu
def test_in_bfloat16_the_answers_are_near_and_gradients_flow():
    model, given = net(causal=True).float().cuda(), words().to("cuda")
    wanted = model(given).logits
    model = model.bfloat16()
    output = model(given, torch.where(given.mask, 1, IGNORED))
    torch.testing.assert_close(output.logits.float(), wanted, rtol=0.1, atol=0.05)
    output.loss.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())
