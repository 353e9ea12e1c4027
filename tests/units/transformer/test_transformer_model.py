"""Blocks, stacks and the nets made of them, against torch's own, arithmetic on paper and themselves."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from unrolled.attention import POSITIONS, causal_mask, padding_mask
from unrolled.decoding import beam_search, greedy
from unrolled.encoder_decoder import Classifier, Config, EncoderDecoder
from unrolled.language_model import IGNORED
from unrolled.seq2seq import BEGIN, END, Pairs
from unrolled.tagging import Words
from unrolled.training import Batch, fit
from unrolled.transformer import (
    ACTIVATIONS,
    NORMS,
    Decoder,
    DecoderBlock,
    Encoder,
    EncoderBlock,
    FeedForward,
    LayerNorm,
    layer_norm,
)

REAL = torch.tensor([[True] * 5, [True, False, False, True, False], [False] * 5])  # (B, N); the last: pads alone


def numbers(*size, **how):
    return torch.randn(*size, dtype=torch.float64, **how)


def shaken(model):
    """Every parameter away from where it begins, so that a shift of 0 or a factor of 1 hides nothing."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def slopes(out, *inputs):
    return torch.autograd.grad((out * torch.linspace(-1, 2, out.numel()).to(out).view_as(out)).sum(), inputs)


# --- parts -----------------------------------------------------------------------------------------------------------


def test_layer_norm_by_hand():
    """x = (1, 3): μ = 2, σ² = (1 + 1)/2 = 1, √(1 + ε) = 2 with ε = 3: ∓1/2; γ = (2, 4), β = (1, 0)."""
    x, gamma, beta = torch.tensor([1.0, 3.0]), torch.tensor([2.0, 4.0]), torch.tensor([1.0, 0.0])
    assert layer_norm(x, gamma, beta, eps=3.0).tolist() == [0.0, 2.0]


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
@pytest.mark.parametrize("eps", [1e-5, 0.5])
def test_layer_norm_is_torchs_own_and_so_are_its_gradients(lead, eps):
    x, theirs = (3 * numbers(*lead, 6) + 2).requires_grad_(), shaken(nn.LayerNorm(6, eps).double())
    ours = LayerNorm(6, eps).double()
    ours.load_state_dict({"gamma": theirs.weight, "beta": theirs.bias})
    written = layer_norm(x, theirs.weight, theirs.bias, eps)
    torch.testing.assert_close(written, theirs(x))
    torch.testing.assert_close(ours(x), theirs(x))
    torch.testing.assert_close(
        slopes(written, x, theirs.weight, theirs.bias), slopes(theirs(x), x, theirs.weight, theirs.bias)
    )


def test_feed_forward_by_hand():
    """W₁ x + b₁ = (1 − 3, 2·3 + 1) = (−2, 7); relu leaves (0, 7); W₂ of that is 5·7, and b₂ = −1 makes 34."""
    net = FeedForward(2, 2, "relu")
    net.load_state_dict(
        {
            "first.weight": torch.tensor([[1.0, -1.0], [0.0, 2.0]]),
            "first.bias": torch.tensor([0.0, 1.0]),
            "second.weight": torch.tensor([[3.0, 5.0], [0.0, 0.0]]),
            "second.bias": torch.tensor([-1.0, 9.0]),
        }
    )
    assert net(torch.tensor([1.0, 3.0])).tolist() == [34.0, 9.0]


def test_what_there_is_not_is_refused():
    with pytest.raises(ValueError, match="there is no norm 'none': choose one of pre, post"):
        EncoderBlock(6, 2, 8, norm="none")
    with pytest.raises(ValueError, match="there is no activation 'tanh': choose one of gelu, relu"):
        FeedForward(6, 8, "tanh")
    with pytest.raises(ValueError, match="heads must divide width"):
        DecoderBlock(6, 4, 8)


# --- blocks against torch's ------------------------------------------------------------------------------------------


def twin(kind, norm="pre", activation="gelu", eps=1e-5):
    torch.manual_seed(0)
    how = {"norm_first": norm == "pre", "activation": activation, "layer_norm_eps": eps}
    return shaken(kind(12, 3, 20, dropout=0.0, batch_first=True, **how).double())


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("norm", NORMS)
def test_after_copying_an_encoder_block_is_torchs(norm, activation):
    theirs = twin(nn.TransformerEncoderLayer, norm, activation, eps=1e-3)
    ours, x, real = EncoderBlock.like(theirs), numbers(2, 5, 12, requires_grad=True), REAL[:2]
    mine, wanted = ours(x, padding_mask(real)), theirs(x, src_key_padding_mask=~real)
    torch.testing.assert_close(mine, wanted)
    torch.testing.assert_close(slopes(mine, x), slopes(wanted, x))
    order = causal_mask(5)
    torch.testing.assert_close(ours(x, order), theirs(x, src_mask=~order))
    ours(x, padding_mask(real)).sum().backward()
    theirs(x, src_key_padding_mask=~real).sum().backward()
    torch.testing.assert_close(ours.feed_forward.first.weight.grad, theirs.linear1.weight.grad)
    torch.testing.assert_close(ours.norms[0].gamma.grad, theirs.norm1.weight.grad)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("norm", NORMS)
def test_after_copying_a_decoder_block_is_torchs(norm, activation):
    theirs = twin(nn.TransformerDecoderLayer, norm, activation)
    y, memory, real = numbers(2, 4, 12, requires_grad=True), numbers(2, 5, 12, requires_grad=True), REAL[:2]
    ours = DecoderBlock.like(theirs)
    mine = ours(y, memory, memory_mask=padding_mask(real))
    wanted = theirs(y, memory, tgt_mask=~causal_mask(4), memory_key_padding_mask=~real)
    torch.testing.assert_close(mine, wanted)
    torch.testing.assert_close(slopes(mine, y, memory), slopes(wanted, y, memory))


@pytest.mark.parametrize("norm", NORMS)
def test_a_block_is_its_formula(norm):
    block, x = shaken(EncoderBlock(6, 2, 8, norm).double()), numbers(2, 4, 6)
    first, second = block.norms
    if norm == "pre":
        y = x + block.attention(first(x))
        wanted = y + block.feed_forward(second(y))
    else:
        y = first(x + block.attention(x))
        wanted = second(y + block.feed_forward(y))
    torch.testing.assert_close(block(x), wanted)


@pytest.mark.parametrize("norm", NORMS)
def test_a_sequence_alone_and_with_pads_gets_the_same(norm):
    stack, x = shaken(Encoder(6, 2, 8, 2, norm).double()), numbers(3, 5, 6)
    together = stack(x.masked_fill(~REAL[:, :, None], 1e3), padding_mask(REAL))
    assert together[:2].isfinite().all()
    for b in (0, 1):
        torch.testing.assert_close(together[b, REAL[b]], stack(x[b : b + 1, REAL[b]])[0])


def test_a_decoder_may_read_a_memory_of_another_length_and_of_pads_alone():
    decoder, y, memory = shaken(Decoder(6, 2, 8, 2).double()), numbers(3, 4, 6), numbers(3, 5, 6)
    out = decoder(y, memory, memory_mask=padding_mask(REAL))
    assert out.shape == (3, 4, 6) and out.isfinite().all()
    torch.testing.assert_close(out[1:2], decoder(y[1:2], memory[1:2, REAL[1]]))
    moved = decoder(y, memory + 1, memory_mask=padding_mask(REAL))
    assert torch.equal(moved[2], out[2]) and not torch.allclose(moved[0], out[0])


@pytest.mark.parametrize("kind", [Encoder, Decoder])
def test_only_pre_norm_is_normalised_at_the_end(kind):
    for norm in NORMS:
        stack, x = kind(6, 2, 8, 3, norm).double(), numbers(2, 4, 6)
        out = stack(x) if kind is Encoder else stack(x, x)
        torch.testing.assert_close(out.mean(2), torch.zeros(2, 4).double(), atol=1e-6, rtol=0)
        torch.testing.assert_close(out.var(2, correction=0), torch.ones(2, 4).double(), atol=1e-3, rtol=0)
        assert isinstance(stack.last, LayerNorm) == (norm == "pre")


@pytest.mark.parametrize("norm", NORMS)
def test_weights_change_nothing_and_sum_to_one(norm):
    stack, x = Encoder(6, 2, 8, 2, norm).double(), numbers(2, 4, 6)
    found = stack.weights(x, causal_mask(4))
    assert [tuple(w.shape) for w in found] == [(2, 2, 4, 4)] * 2
    for w in found:
        torch.testing.assert_close(w.sum(3), torch.ones(2, 2, 4).double())
        assert w[..., ~causal_mask(4)].eq(0).all()
    block = stack.blocks[0]
    torch.testing.assert_close(block.advance(x, causal_mask(4), weights=True).x, block(x, causal_mask(4)))


def test_dropout_is_for_training_alone_and_keeps_the_mean():
    block, x = EncoderBlock(6, 2, 8, dropout=0.5).double(), numbers(1, 4, 6)
    wanted = block.eval()(x)
    assert torch.equal(block(x), wanted)
    block.train()
    assert not torch.equal(block(x), wanted)
    found = x + F.dropout(torch.ones(2000, 4, 6), 0.5, True).mean(0) * (wanted - x)
    torch.testing.assert_close(found, wanted, atol=0.5, rtol=0.2)


# --- the encoder–decoder ---------------------------------------------------------------------------------------------


def translator(**settings):
    torch.manual_seed(0)
    return shaken(EncoderDecoder(Config(9, 10, **{"width": 12, "heads": 3} | settings)).double().eval())


def shown():
    source = torch.tensor([[4, 5, 6, 7, 8], [5, 0, 0, 4, 0]])
    return Pairs(source, REAL[:2], torch.tensor([[BEGIN, 5, 6, 4], [BEGIN, 7, 8, 0]]))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("positions", POSITIONS)
def test_word_by_word_it_says_what_it_says_of_all_at_once(norm, positions):
    model, given = translator(norm=norm, positions=positions), shown()
    whole = model(given).logits.log_softmax(2)
    state = model.start(given.source, given.mask)
    for i, words in enumerate(given.words.unbind(1)):
        log_probs, state, _ = model.step(state, words)
        torch.testing.assert_close(log_probs, whole[:, i])


def test_no_word_knows_those_behind_it_and_pads_hold_nothing():
    model, given = translator(), shown()
    before = model(given).logits
    later = given.words.clone()
    later[:, 2:] = 9
    moved = (model(given._replace(words=later)).logits - before).abs().amax(2)
    assert moved[:, :2].eq(0).all() and moved[:, 2:].gt(1e-3).all()
    other = given.source.masked_fill(~given.mask, 8)
    torch.testing.assert_close(model(given._replace(source=other)).logits, before)


def test_beams_and_greedy_decoding_write_with_it():
    model, given = translator(), shown()
    state = model.start(given.source, given.mask)
    texts = greedy(model.step, state, BEGIN, END, 6, 2)
    alone = model.start(given.source[:1], given.mask[:1])
    best = beam_search(model.step, alone, BEGIN, END, width=1, limit=6)[0]
    assert list(best.words) == texts[0]
    wide = beam_search(model.step, alone, BEGIN, END, width=5, limit=6)
    words = torch.tensor([[BEGIN, *wide[0].words]])
    log_probs = model(Pairs(given.source[:1], given.mask[:1], words)).logits.log_softmax(2)[0]
    due = [*wide[0].words, END][: len(wide[0].words) + wide[0].ended]
    assert wide[0].log_prob == pytest.approx(sum(log_probs[i, word].item() for i, word in enumerate(due)))


def test_its_weights_are_where_each_kind_of_attention_looks():
    model, given = translator(), shown()
    found = model.weights(given)
    shapes = {kind: [tuple(w.shape) for w in sets] for kind, sets in found.items()}
    assert shapes == {"encoder": [(2, 3, 5, 5)] * 2, "decoder": [(2, 3, 4, 4)] * 2, "cross": [(2, 3, 4, 5)] * 2}
    for w in found["encoder"] + found["cross"]:
        assert w.masked_select(~padding_mask(given.mask).expand_as(w)).eq(0).all()
    for w in found["decoder"]:
        assert w[..., ~causal_mask(4)].eq(0).all()


def test_it_learns_to_copy():
    torch.manual_seed(0)
    model = EncoderDecoder(Config(9, 10, width=24, heads=2, layers=1))
    given = shown()
    due = torch.tensor([[5, 6, 4, END], [7, 8, END, IGNORED]])
    history = fit(model, iter([Batch(given, due)] * 60), steps=60, rate=1e-2)
    assert history.losses[0] > 1.5 and history.losses[-1] < 0.05
    texts = greedy(model.step, model.start(given.source, given.mask), BEGIN, END, 6, 2)
    assert texts == [[5, 6, 4], [7, 8]]


# --- the classifier --------------------------------------------------------------------------------------------------


def test_the_first_position_stands_before_the_words_and_sees_the_real_ones_alone():
    torch.manual_seed(0)
    model = Classifier(Config(9, 3, width=12, heads=3)).double().eval()
    given = Words(shown().source, REAL[:2])
    logits = model(given).logits
    assert logits.shape == (2, 3)
    x, mask = model.begun(given)
    assert x.shape == (2, 6, 12) and torch.equal(x[:, 0], model.first.expand(2, -1)) and mask[:, 0, 0, 0].all()
    torch.testing.assert_close(model(Words(given.ids.masked_fill(~given.mask, 7), given.mask)).logits, logits)
    assert not torch.allclose(model(Words(given.ids.flip(1), given.mask)).logits, logits)
    empty = model(Words(given.ids, torch.zeros_like(given.mask))).logits
    torch.testing.assert_close(empty[0], empty[1])
    for w in model.weights(given):
        assert w.shape == (2, 3, 6, 6) and w[1, :, :, 2:4].eq(0).all() and w[1, :, 0, 0].gt(0).all()


def test_it_learns_a_class_for_the_whole():
    torch.manual_seed(0)
    model = Classifier(Config(6, 2, width=16, heads=2, layers=1))
    ids = torch.randint(1, 6, (64, 6))
    has_five = (ids == 5).any(1).long()
    words = Words(ids, torch.ones_like(ids, dtype=torch.bool))
    history = fit(model, iter([Batch(words, has_five)] * 80), steps=80, rate=1e-2)
    assert history.losses[-1] < 0.1 < math.log(2) / 2 < history.losses[0]


# --- in half precision, and on a GPU ---------------------------------------------------------------------------------


def test_half_precision_at_tiny_sizes():
    model, given = translator().float().train(), shown()
    due = torch.where(given.words == 0, IGNORED, given.words)
    wanted = model(given, due).loss
    with torch.autocast("cpu", torch.bfloat16):
        loss = model(given, due).loss
    torch.testing.assert_close(loss.float(), wanted, rtol=0.05, atol=0.05)
    loss.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.gpu
def test_on_cuda_the_answers_are_those_of_the_cpu():
    model, given = translator().float(), shown()
    wanted = model(given).logits
    torch.testing.assert_close(model.cuda()(given.to("cuda")).logits.cpu(), wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.gpu
def test_in_bfloat16_and_compiled_the_answers_are_near_and_gradients_flow():
    model, x = shaken(Encoder(16, 2, 32, 2).cuda()), torch.randn(2, 5, 16, device="cuda")
    wanted = model(x, causal_mask(5, device="cuda"))
    model.compile()
    with torch.autocast("cuda", torch.bfloat16):
        out = model(x, causal_mask(5, device="cuda"))
    torch.testing.assert_close(out.float(), wanted, rtol=0.1, atol=0.1)
    out.float().square().sum().backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())
