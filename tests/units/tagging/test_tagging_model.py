"""The nets against torch.nn, arithmetic on paper and themselves: neither pads nor neighbours change an answer."""

import math

import pytest
import torch
from torch import nn
from unrolled.language_model import IGNORED
from unrolled.tagging import (
    PAD,
    POOLINGS,
    UNKNOWN,
    BiLSTM,
    Classifier,
    Config,
    Embedding,
    Spelling,
    Tagger,
    Words,
    attention_pool,
    last_states,
    masked_max,
    masked_mean,
    pad,
    reverse,
)
from unrolled.training import Batch, fit

LENGTHS = 5, 1, 3
MASK = torch.arange(5) < torch.tensor(LENGTHS)[:, None]  # (B, T)


def states(*size, **how):
    return torch.randn(*size, dtype=torch.float64, **how)


# --- batches ---------------------------------------------------------------------------------------------------------


def test_sequences_are_filled_up_at_the_end():
    ids, mask = pad([[4, 7, 2], [9]])
    assert ids.tolist() == [[4, 7, 2], [9, 0, 0]] and ids.dtype == torch.int64
    assert mask.tolist() == [[True, True, True], [True, False, False]] and mask.dtype == torch.bool


def test_a_pad_value_may_stand_for_something_real_too():
    ids, mask = pad([[0, 5], [0]], value=5)
    assert ids.tolist() == [[0, 5], [0, 5]]
    assert mask.tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize(("given", "shape"), [([], (0, 0)), ([[]], (1, 0)), ([[], [3]], (2, 1))])
def test_empty_sequences_are_rows_without_a_real_step(given, shape):
    ids, mask = pad(given)
    assert ids.shape == mask.shape == shape
    assert mask.sum(1).tolist() == [len(row) for row in given]


def test_only_what_is_real_is_turned_round():
    x = torch.arange(15.0).reshape(3, 5, 1)
    assert reverse(x, MASK)[:, :, 0].tolist() == [[4, 3, 2, 1, 0], [5, 6, 7, 8, 9], [12, 11, 10, 13, 14]]
    torch.testing.assert_close(reverse(reverse(x, MASK), MASK), x)


# --- pooling ---------------------------------------------------------------------------------------------------------

ROWS = torch.tensor([[[1.0, -4.0], [3.0, -2.0], [100.0, 100.0]], [[7.0, 7.0], [8.0, 8.0], [9.0, 9.0]]])
REAL = torch.tensor([[True, True, False], [False, False, False]])


@pytest.mark.parametrize(
    ("pool", "wanted"), [(masked_mean, [2.0, -3.0]), (masked_max, [3.0, -2.0]), (last_states, [3.0, -2.0])]
)
def test_pooling_by_hand_and_zeros_where_nothing_is_real(pool, wanted):
    assert pool(ROWS, REAL).tolist() == [wanted, [0.0, 0.0]]


def test_attention_by_hand():
    """Scores ln 2 · (1, 3) by a query (ln 2, 0): weights 2 : 8, so h = 0.2 (1, −4) + 0.8 (3, −2)."""
    pooled, weights = attention_pool(ROWS, REAL, torch.tensor([math.log(2), 0.0]))
    assert weights.flatten().tolist() == pytest.approx([0.2, 0.8, 0, 0, 0, 0])
    assert pooled.flatten().tolist() == pytest.approx([2.6, -2.4, 0, 0])
    assert weights[~REAL].eq(0).all()


def with_query(states, mask):
    return attention_pool(states, mask, torch.linspace(-1, 1, states.shape[2], dtype=states.dtype))[0]


@pytest.mark.parametrize("pool", [masked_mean, masked_max, last_states, with_query])
@pytest.mark.parametrize("bad", [1e30, math.inf, math.nan])
def test_a_pad_may_hold_anything_and_no_gradient_is_spoilt(pool, bad):
    x = states(3, 5, 4)
    clean = x.masked_fill(~MASK[:, :, None], 0.0).requires_grad_()
    dirty = x.masked_fill(~MASK[:, :, None], bad).requires_grad_()
    weights = states(3, 4)
    pooled = [pool(given, MASK) for given in (clean, dirty)]
    torch.testing.assert_close(*pooled)
    one, other = (
        torch.autograd.grad((out * weights).sum(), given)[0] for out, given in zip(pooled, (clean, dirty), strict=True)
    )
    torch.testing.assert_close(one, other)
    assert other[~MASK].eq(0).all()


@pytest.mark.parametrize("pool", [masked_mean, masked_max, last_states, with_query])
def test_no_steps_at_all_are_zeros(pool):
    assert pool(torch.zeros(2, 0, 3), torch.zeros(2, 0, dtype=torch.bool)).tolist() == [[0.0] * 3] * 2


# --- both directions -------------------------------------------------------------------------------------------------


def twin(net, width, hidden, dtype=torch.float64):
    """torch.nn.LSTM with the parameters of a BiLSTM; its second biases are zero."""
    ways = len(net.layers[0])
    lstm = nn.LSTM(width, hidden, len(net.layers), batch_first=True, bidirectional=ways == 2).to(dtype)
    with torch.no_grad():
        for layer, cells in enumerate(net.layers):
            for cell, end in zip(cells, ("", "_reverse"), strict=False):
                lstm.get_parameter(f"weight_ih_l{layer}{end}").copy_(cell.W)
                lstm.get_parameter(f"weight_hh_l{layer}{end}").copy_(cell.U)
                lstm.get_parameter(f"bias_ih_l{layer}{end}").copy_(cell.b)
                lstm.get_parameter(f"bias_hh_l{layer}{end}").zero_()
    return lstm


def packed(lstm, x, lengths):
    whole = nn.utils.rnn.pack_padded_sequence(x, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
    return nn.utils.rnn.pad_packed_sequence(lstm(whole)[0], batch_first=True)[0]


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("directions", [1, 2])
def test_outputs_and_gradients_equal_torch_on_a_packed_batch(layers, directions):
    net = BiLSTM(4, 3, layers, directions=directions).double()
    lstm, x, weights = twin(net, 4, 3), states(3, 5, 4, requires_grad=True), states(3, 5, 3 * directions)
    ours, theirs = net(x, MASK), packed(lstm, x, LENGTHS)
    torch.testing.assert_close(ours, theirs)
    cell = net.layers[-1][-1]
    end = "_reverse" if directions == 2 else ""
    names = [f"{name}_l{layers - 1}{end}" for name in ("weight_ih", "weight_hh", "bias_ih")]
    mine = torch.autograd.grad((ours * weights).sum(), [x, cell.W, cell.U, cell.b])
    wanted = torch.autograd.grad((theirs * weights).sum(), [x, *map(lstm.get_parameter, names)])
    torch.testing.assert_close(mine, wanted)


def test_the_second_layer_reads_both_ways_of_the_first():
    net, x = BiLSTM(4, 3, layers=2).double(), states(3, 5, 4)
    assert net.layers[1][0].W.shape == net.layers[1][1].W.shape == (12, 6)
    with torch.no_grad():
        net.layers[0][1].W[:] = 0  # what the way from right to left hears of the input …
        before = net(x, MASK)
        net.layers[0][1].b[:] += 1  # … and then what it says without any
    assert not torch.allclose(before[:, :, :3], net(x, MASK)[:, :, :3])


def test_a_word_changes_states_on_both_its_sides():
    net, x = BiLSTM(4, 3), torch.randn(1, 5, 4)
    mask = torch.ones(1, 5, dtype=torch.bool)
    before, x[0, 2] = net(x, mask), 0.0
    changed = (net(x, mask) - before).abs() > 1e-6
    assert changed[0, :, :3].any(1).tolist() == [False, False, True, True, True]
    assert changed[0, :, 3:].any(1).tolist() == [True, True, True, False, False]


@pytest.mark.parametrize("wrong", [MASK.long(), MASK[:, :4], MASK[:2]])
def test_a_mask_that_does_not_fit_is_refused(wrong):
    with pytest.raises(ValueError, match="the mask must be bool"):
        BiLSTM(4, 3)(torch.zeros(3, 5, 4), wrong)


@pytest.mark.parametrize(("layers", "directions"), [(0, 2), (1, 3), (1, 0)])
def test_sizes_that_make_no_net_are_refused(layers, directions):
    with pytest.raises(ValueError, match="at least 1, and 1 or 2"):
        BiLSTM(4, 3, layers, directions=directions)


# --- words -----------------------------------------------------------------------------------------------------------


def test_a_word_from_its_letters_by_hand():
    """One filter (1, 10, 100) over embeddings 1, 2, 3 of three letters: 0 + 10 + 200, 1 + 20 + 300, 2 + 30 + 0."""
    net = Spelling(4, 1)
    with torch.no_grad():
        net.E.weight.zero_()
        net.E.weight[1:, 0] = torch.tensor([1.0, 2.0, 3.0])
        net.filters.weight.zero_()
        net.filters.bias.zero_()
        net.filters.weight[0, 0] = torch.tensor([1.0, 10.0, 100.0])
    assert net(torch.tensor([[[1, 2, 3, 0, 0]]])).item() == 321.0


def test_an_embedding_has_what_is_learned_the_table_and_the_letters():
    table = torch.randn(6, 5)
    net = Embedding(Config(words=6, classes=2, letters=9, width=3, spelling=4), table)
    words = Words(torch.tensor([[2, 5]]), torch.ones(1, 2, dtype=torch.bool), torch.tensor([[[3, 4, 0], [2, 2, 2]]]))
    x = net(words)
    assert x.shape == (1, 2, 12) and net.size == 12
    one_hot = torch.eye(6)[words.ids]
    torch.testing.assert_close(x[:, :, :3], one_hot @ net.E.weight)
    torch.testing.assert_close(x[:, :, 3:8], one_hot @ table)
    assert "table" not in dict(net.named_parameters())  # it stays as it is


def test_letters_that_a_net_looks_at_must_be_there():
    net = Embedding(Config(words=6, classes=2, letters=9))
    with pytest.raises(ValueError, match="give it words.letters"):
        net(Words(torch.ones(1, 1, dtype=torch.int64), torch.ones(1, 1, dtype=torch.bool)))


def test_word_dropout_forgets_its_share_of_words_in_training_only():
    net = Embedding(Config(words=6, classes=2, width=3, word_dropout=0.3))
    ids = torch.full((50, 40), 5)
    words = Words(ids, torch.ones_like(ids, dtype=torch.bool))
    forgotten = (net(words) == net.E.weight[UNKNOWN]).all(2)
    assert forgotten.float().mean().item() == pytest.approx(0.3, abs=0.03)
    assert torch.equal(net.eval()(words), net.E(ids))


# --- the nets --------------------------------------------------------------------------------------------------------

SENTENCES = [[2, 3, 4, 5, 3], [4], [5, 5, 2]]
SPELT = [[[2, 3], [3], [4, 4, 4], [2], [3]], [[4, 4, 4]], [[2], [2], [2, 3]]]


def words(sentences=SENTENCES, spelt=SPELT, more=0):
    """A batch; more: so many pads behind the longest sentence, and behind the longest word."""
    ids, mask = pad(sentences)
    longest = max(len(word) for one in spelt for word in one) + more
    letters = torch.zeros(*ids.shape, longest, dtype=torch.int64)
    for row, one in enumerate(spelt):
        for column, word in enumerate(one):
            letters[row, column, : len(word)] = torch.tensor(word)
    ids, mask = (nn.functional.pad(part, (0, more)) for part in (ids, mask))
    return Words(ids, mask, nn.functional.pad(letters, (0, 0, 0, more)))


def net_of(kind, pooling="max", **settings):
    torch.manual_seed(0)
    return kind(Config(6, 4, letters=5, width=3, spelling=2, hidden=3, layers=2, pooling=pooling, **settings)).eval()


NETS = [(Tagger, "max"), *((Classifier, pooling) for pooling in POOLINGS)]
each_net = pytest.mark.parametrize(("kind", "pooling"), NETS, ids=["tagger", *POOLINGS])


@each_net
def test_alone_in_a_batch_and_behind_more_pads_the_answer_is_the_same(kind, pooling):
    net = net_of(kind, pooling).double()
    together, padded = net(words()).logits, net(words(more=3)).logits
    for row, (sentence, spelt) in enumerate(zip(SENTENCES, SPELT, strict=True)):
        alone = net(words([sentence], [spelt])).logits[0]
        for other in (together[row], padded[row]):
            torch.testing.assert_close(other[: len(sentence)] if kind is Tagger else other, alone)


@each_net
def test_the_order_of_a_batch_does_not_matter(kind, pooling):
    net, order = net_of(kind, pooling), [2, 0, 1]
    given = words()
    turned = Words(*(part[order] for part in given))
    torch.testing.assert_close(net(turned).logits, net(given).logits[order])


@each_net
def test_what_stands_in_a_pad_reaches_neither_answers_nor_gradients(kind, pooling):
    net = net_of(kind, pooling)
    given = words()
    dirty = Words(torch.where(given.mask, given.ids, 5), given.mask, given.letters)
    targets = torch.where(given.mask, 1, IGNORED) if kind is Tagger else torch.tensor([0, 1, 2])
    gradients = []
    for batch in (given, dirty):
        net.zero_grad()
        net(batch, targets).loss.backward()
        gradients.append(net.embedding.E.weight.grad.clone())
    torch.testing.assert_close(*gradients)


def test_the_loss_is_the_mean_over_real_words():
    net, given = net_of(Tagger), words()
    targets, _ = pad([[1, 2, 3, 0, 1], [2], [0, 0, 3]], IGNORED)
    output = net(given, targets)
    log_probs = output.logits.log_softmax(-1)
    right = [log_probs[b, t, k] for b, row in enumerate(targets.tolist()) for t, k in enumerate(row) if k != IGNORED]
    assert len(right) == 9
    assert output.loss.item() == pytest.approx(-sum(right).item() / 9)


def test_the_ends_are_the_last_state_of_each_way():
    net, given = net_of(Classifier, "ends"), words()
    read, pooled = net.read(given), net.pool(net.read(given), given.mask)
    for row, length in enumerate(LENGTHS):
        wanted = torch.cat([read[row, length - 1, :3], read[row, 0, 3:]])
        torch.testing.assert_close(pooled[row], wanted)


@each_net
def test_a_net_learns_by_heart_what_it_is_shown(kind, pooling):
    net = net_of(kind, pooling, dropout=0.0)
    targets = pad([[1, 2, 3, 0, 1], [2], [0, 0, 3]], IGNORED)[0] if kind is Tagger else torch.tensor([0, 1, 2])
    history = fit(net, iter([Batch(words(), targets)] * 80), steps=80, rate=8e-2)
    assert history.losses[0] > 1.0 > 0.1 > history.losses[-1]


def test_a_pooling_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="there is no pooling 'sum': choose one of last, ends, mean, max, attention"):
        net_of(Classifier, "sum")


def test_pads_have_an_embedding_of_zeros_that_stays():
    net = net_of(Tagger)
    fit(net, iter([Batch(words(), torch.where(words().mask, 1, IGNORED))] * 3), steps=3)
    assert net.embedding.E.weight[PAD].tolist() == [0.0] * 3


# --- on a GPU --------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@each_net
def test_on_cuda_the_answers_are_those_of_the_cpu(kind, pooling):
    net, given = net_of(kind, pooling), words()
    wanted = net(given).logits
    torch.testing.assert_close(net.cuda()(given.to("cuda")).logits.cpu(), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.gpu
@each_net
def test_in_bfloat16_the_answers_are_near_and_gradients_flow(kind, pooling):
    net, given = net_of(kind, pooling).cuda(), words().to("cuda")
    targets = torch.where(given.mask, 1, IGNORED) if kind is Tagger else torch.tensor([0, 1, 2], device="cuda")
    wanted = net(given).logits
    net = net.bfloat16().train()
    output = net(given, targets)
    torch.testing.assert_close(net.eval()(given).logits.float(), wanted, rtol=0.1, atol=0.05)
    output.loss.backward()
    assert all(cell.U.grad.isfinite().all() for cells in net.states.layers for cell in cells)
