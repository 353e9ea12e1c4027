"""The language model: one text in whatever pieces, with a cache and without, beside what it must not see."""

import pytest
import torch
from unrolled.attention import POSITIONS, causal_mask
from unrolled.decoding import beam_search, sample
from unrolled.language_model import IGNORED
from unrolled.training import evaluate, fit, random_batches, sequence_batches, train
from unrolled.transformer import NORMS
from unrolled.transformer_lm import TransformerLM, generate, parameter_count

V, C = 7, 6


def net(**settings):
    torch.manual_seed(0)
    return TransformerLM(V, **{"width": 8, "heads": 2, "layers": 2, "context": C} | settings).double().eval()


def text(batch=2, symbols=20):
    return torch.randint(V, (batch, symbols), generator=torch.Generator().manual_seed(1))


KINDS = [{}, {"norm": "post"}, {"positions": "sinusoid"}, {"positions": "none", "tied": False}, {"context": 1}]


# --- one text in whatever pieces -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sizes", [[1] * 20, [20], [3, 0, 7, 10], [6, 6, 8], [5, 1, 1, 13]])
def test_however_it_is_cut_and_by_whichever_way_a_text_is_read_the_same(kind, sizes):
    model, tokens = net(**kind), text()
    whole, last = model.read(tokens, model.start(2))
    state, cache, plain, cached = None, model.empty(2), [], []
    for piece in tokens.split(sizes, dim=1):
        output = model(piece, state=state)
        state = output.state
        found, cache = model.cached(piece, cache)
        plain.append(output.logits)
        cached.append(found)
    torch.testing.assert_close(torch.cat(plain, 1), whole)
    torch.testing.assert_close(torch.cat(cached, 1), whole)
    assert torch.equal(state, last) and torch.equal(cache.ids, last)
    assert all(part.shape[2] == last.shape[1] for kept in cache.kept for part in kept)


def test_the_window_is_read_from_nothing_and_moves_on_by_half():
    """C = 6: symbols 0–5 are the first window; with symbol 6 it holds 3–6, with symbol 8 3–8; with symbol 9 6–9."""
    model, tokens = net(), text(1, 12)
    logits, state = model.read(tokens, model.start(1))
    for first, due in ((0, range(6)), (3, range(6, 9)), (6, range(9, 12))):
        for i in due:
            alone = model.stack(model.embedded(tokens[:, first : i + 1]), causal_mask(i + 1 - first))
            torch.testing.assert_close(logits[:, i], alone[:, -1] @ model.E.T)
    assert torch.equal(state, tokens[:, 6:])


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("positions", POSITIONS)
def test_no_symbol_knows_those_behind_it(norm, positions):
    model, tokens = net(norm=norm, positions=positions, context=20), text()
    other = tokens.clone()
    other[:, 8:] = (other[:, 8:] + 1) % V
    moved = (model(tokens).logits - model(other).logits).abs().amax(2)
    assert moved[:, :8].eq(0).all() and moved[:, 8:].gt(1e-6).all()


def test_what_is_kept_grows_by_one_symbol_and_nothing_kept_changes():
    model, tokens = net(), text()
    cache = model.cached(tokens[:, :3], model.empty(2))[1]
    held = [part.clone() for kept in cache.kept for part in kept]
    after = model.cached(tokens[:, 3:4], cache)[1]
    for old, now, part in zip(
        held, [p for k in cache.kept for p in k], [p for k in after.kept for p in k], strict=True
    ):
        assert old.shape == (2, 2, 3, 4) and part.shape == (2, 2, 4, 4)
        assert torch.equal(now, old) and torch.equal(part[:, :, :3], old)


def test_gradients_are_those_of_the_plain_way():
    model, tokens = net(), text()
    slopes = []
    for way, first in ((model.read, model.start(2)), (model.cached, model.empty(2))):
        loss = way(tokens[:, :6], first)[0].log_softmax(2)[:, :, 0].sum()
        slopes.append(torch.autograd.grad(loss, list(model.parameters())))
    torch.testing.assert_close(*slopes)


# --- writing ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [{}, {"temperature": 0.5}, {"temperature": 2.0, "top_k": 3}, {"top_k": 1}])
def test_with_a_cache_it_writes_what_it_writes_without(how):
    model, prompt = net(), text(3, 4)
    ways = [generate(model, prompt, 15, generator=torch.Generator().manual_seed(2), cache=c, **how) for c in (1, 0)]
    assert torch.equal(*ways) and ways[0].shape == (3, 15)


def test_the_one_most_probable_symbol_is_written_with_top_k_of_one():
    model, written = net(), text(2, 1)
    found = generate(model, written, 4, top_k=1)
    for i in range(4):
        assert torch.equal(model(written).logits[:, -1].argmax(1), found[:, i])
        written = torch.cat([written, found[:, i : i + 1]], dim=1)


def test_the_training_switch_stays_where_it_was_and_nothing_may_be_asked_for():
    model = net(dropout=0.5).train()
    once = generate(model, text(2, 1), 5, generator=torch.Generator().manual_seed(0))
    assert torch.equal(once, generate(model, text(2, 1), 5, generator=torch.Generator().manual_seed(0)))
    assert model.training and generate(model, text(2, 1), 0).shape == (2, 0)
    with pytest.raises(ValueError, match="temperature is 0"):
        generate(model, text(2, 1), 1, temperature=0)


def test_the_courses_decoders_write_with_its_cache():
    model = net()
    texts = sample(model.advance, model.empty(3), 0, 1, 9, 3, generator=torch.Generator().manual_seed(0))
    assert len(texts) == 3 and all(1 not in words for words in texts)
    best = beam_search(model.advance, model.empty(1), 0, 1, width=4, limit=5)[0]
    read = torch.tensor([[0, *best.words]])
    due = [*best.words, 1][: len(best.words) + best.ended]
    log_probs = model(read).logits.log_softmax(2)[0]
    assert best.log_prob == pytest.approx(sum(log_probs[i, symbol].item() for i, symbol in enumerate(due)))


# --- counted, trained, looked at -------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("inner", [None, 5])
def test_the_formula_counts_what_the_net_has(norm, positions, tied, inner):
    kind = {"norm": norm, "positions": positions, "tied": tied, "inner": inner}
    model = net(**kind)
    assert parameter_count(V, 8, 2, C, **kind) == sum(p.numel() for p in model.parameters())


def test_the_smallest_gpt_2_by_formula():
    """50,257 · 768 + 1,024 · 768 + 12 · (12 · 768² + 13 · 768) + 2 · 768."""
    assert parameter_count(50_257, 768, 12, 1024) == 124_439_808


def test_it_learns_a_text_that_repeats_itself():
    model, ids = net(width=16).float(), torch.tensor([0, 1, 2, 1, 3] * 40)
    chance = torch.Generator().manual_seed(0)
    fit(model, random_batches(ids, 16, C, chance), steps=150, rate=1e-2)
    assert evaluate(model, ids[:60]) < 0.1
    written = generate(model, torch.tensor([[0, 1, 2]]), 10, top_k=1)
    assert written.tolist() == [[1, 3, 0, 1, 2, 1, 3, 0, 1, 2]]


def test_the_courses_training_takes_it_whichever_way_it_cuts_a_text():
    model, ids = net().float(), text(1, 200)[0]
    for carry in (True, False):
        assert train(model, ids, steps=3, batch=4, length=9, carry_state=carry).losses[-1] > 0
    names = [text(1, n)[0] for n in (3, 6, 4)]
    assert fit(model, sequence_batches(names, 2, torch.Generator().manual_seed(0)), steps=3).losses[-1] > 0


def test_padding_behind_a_sequence_changes_no_loss():
    model, tokens = net(), text(2, 5)
    targets = tokens.roll(-1, 1)
    targets[0, 3:] = IGNORED
    other = tokens.clone()
    other[0, 3:] = 0
    assert torch.equal(model(tokens, targets).loss, model(other, targets).loss)


def test_weights_are_told_when_asked_for():
    model, tokens = net(dropout=0.3).train(), text(2, 5)
    found = model.weights(tokens)
    assert [tuple(w.shape) for w in found] == [(2, 2, 5, 5)] * 2 and model.training
    assert all(w[..., ~causal_mask(5)].eq(0).all() for w in found)
    torch.testing.assert_close(found, model.weights(tokens))


def test_what_does_not_fit_gets_one_clear_line():
    with pytest.raises(ValueError, match="context is 0, layers 2: both must be at least 1"):
        net(context=0)
    model = net()
    with pytest.raises(ValueError, match=r"the state has shape \(3, 2\); 2 sequences need \(2, n\) with n at most 6"):
        model(text(2, 3), state=text(3, 2))
    with pytest.raises(ValueError, match=r"the state has shape \(2, 7\)"):
        model(text(2, 3), state=text(2, 7))
    with pytest.raises(ValueError, match="id 7 is out of range: this model knows 0 to 6"):
        model(torch.tensor([[7]]))
    with pytest.raises(ValueError, match="there are no positions 'sine'"):
        net(positions="sine")
    assert model(torch.zeros(2, 0, dtype=torch.int64)).logits.shape == (2, 0, V)
    assert model.cached(torch.zeros(2, 0, dtype=torch.int64), model.empty(2))[0].shape == (2, 0, V)


# --- in half precision, and on a GPU ---------------------------------------------------------------------------------


def test_half_precision_at_tiny_sizes():
    model, tokens = net().float().train(), text(2, 5)
    wanted = model(tokens, tokens).loss
    with torch.autocast("cpu", torch.bfloat16):
        loss = model(tokens, tokens).loss
    torch.testing.assert_close(loss.float(), wanted, rtol=0.05, atol=0.05)
    loss.backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.gpu
@pytest.mark.parametrize("cache", [True, False])
def test_on_cuda_the_answers_are_those_of_the_cpu(cache):
    model, tokens = net().float(), text()
    wanted = model(tokens).logits
    model.cuda()
    read = model.cached(tokens.cuda(), model.empty(2)) if cache else model.read(tokens.cuda(), model.start(2))
    torch.testing.assert_close(read[0].cpu(), wanted, rtol=1e-4, atol=1e-4)
