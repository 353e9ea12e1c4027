"""The hidden checks of unit 2: from a fixed window to the Elman RNN.

The properties of `unrolled.checks.elman_rnn` on other inputs, drawn anew from each seed and compared with small
references of their own, which go from number to number in float64, and the cases that students forget. Their
sentences are shown with the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import math

import torch
import torch.nn.functional as F
import unrolled.checks.elman_rnn  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.always import Always
from unrolled.checking.chance import ALL_THE_SAME, SELDOM, margin
from unrolled.checking.kinds import floats, mapping, pair
from unrolled.checks.helpers.recurrent import (
    FLOAT32,
    PRECISION,
    LibraryNet,
    batch_of,
    close_in_type,
    elman_parameters,
    example,
    numbers,
    read,
    steps_teach,
    symbol_ids,
    the_other_way_round,
)
from unrolled.checks.helpers.sampling import ADDED, ids_of, text_of
from unrolled.checks.helpers.toys import adding_step

from autograder.judging.agreeing import agrees

SUMMED = PRECISION | {torch.float32: (1e-5, 1e-6)}  # of a few numbers
AS_A_LOOP = PRECISION | {torch.float64: (1e-11, 1e-13)}


def affine(M, x, bias):
    """M x + bias, number by number, of lists of Python floats."""
    return [math.fsum([b, *(m * n for m, n in zip(row, x, strict=True))]) for row, b in zip(M, bias, strict=True)]


# --- 2.1 -------------------------------------------------------------------------------------------------------------


def window_by_hand(window, E, W, b, U, c):
    """Reference for 2.1, one window, lists of floats."""
    e = [number for symbol in window for number in E[symbol]]
    return affine(U, list(map(math.tanh, affine(W, e, b))), c)


STAGES = "Stage by stage on paper: e, then W e + b, its tanh, then U h + c."


@agrees("window_logits", weight=1.5, hint=STAGES, what="the logits", rtol=FLOAT32[0], atol=FLOAT32[1])
def windows_of_two_and_three(rng):
    """Windows of two and three symbols have the logits that the parameters give them."""
    for k, V, D, H in ((2, 6, 3, 4), (3, 5, 2, 7)):
        E, W, b, U, c = (numbers(rng, *shape) for shape in ((V, D), (H, k * D), (H,), (V, H), (V,)))
        yield symbol_ids(rng, V, 4, k), E, W, b, U, c


@check("window_logits", weight=2.5, hint="Try sizes of which no two are equal, and the same windows with another E.")
def other_windows_and_sizes(answer):
    """Windows of one to five symbols, other sizes and other parameters, in either floating-point format."""
    rng = seeded()
    for k, dtype in ((1, torch.float32), (2, torch.float64), (3, torch.float32), (5, torch.float64)):
        V, D, H, B = rng.sample(range(2, 8), 4)
        context, shapes = symbol_ids(rng, V, B, k), ((V, D), (H, k * D), (H,), (V, H), (V,))
        for _ in range(2):  # the same windows, read by two models
            model = [numbers(rng, *shape, dtype=dtype) for shape in shapes]
            expected = [window_by_hand(window, *(part.tolist() for part in model)) for window in context.tolist()]
            close_in_type(answer(context, *model), torch.tensor(expected, dtype=dtype), "the logits")


@check("window_logits", weight=1.25, needs="the_oldest_symbol_comes_first", hint="Which columns of W has which place?")
def each_place_has_columns_of_its_own(answer):
    """Exchanging two places of all windows, and their columns of W, changes nothing."""
    rng = seeded()
    E, W, b, U, c = (numbers(rng, *shape) for shape in ((6, 3), (5, 9), (5,), (6, 5), (6,)))
    context, swapped = symbol_ids(rng, 6, 4, 3), torch.cat([W[:, 6:], W[:, 3:6], W[:, :3]], dim=1)
    before = floats(answer(context, E, W, b, U, c), (4, 6), "the logits")
    close(answer(context.flip(1), E, swapped, b, U, c), before, "the logits after exchanging", *FLOAT32)


@check(
    "window_logits",
    weight=1.25,
    needs="zero_embeddings_leave_the_biases",
    hint="tanh keeps the hidden units between −1 and 1.",
)
def loud_embeddings_do_not_get_louder(answer):
    """When the hidden units are at their ends, embeddings ten times as large change nothing."""
    rng = seeded()
    E = torch.where(numbers(rng, 6, 3) > 0, 40.0, -40.0)
    W = torch.cat([torch.eye(3), torch.eye(3) / 10], dim=1)  # the older symbol decides
    b, U, c, context = numbers(rng, 3), numbers(rng, 4, 3), numbers(rng, 4), symbol_ids(rng, 6, 5, 2)
    expected = E[context[:, 0]].sign() @ U.T + c
    for loudness in (1, 10):
        close(answer(context, loudness * E, W, b, U, c), expected, "the logits", *FLOAT32)


def lasting(params):
    """A net with these outputs whose gradients live for hundreds of steps: U only turns, and what is read is faint."""
    U, W = torch.linalg.qr(params["U"]).Q, 0.01 * params["W"]
    return params | {"U": U, "W": W, "b": torch.zeros_like(params["b"])}


# --- 2.2 and 2.3 -----------------------------------------------------------------------------------------------------


def states_by_hand(ids, h, params):
    """Reference for 2.2 and 2.3, one sequence of ids: h_1, h_2, … as lists of floats."""
    U, W, b, states = params["U"].tolist(), params["W"].T.tolist(), params["b"].tolist(), []
    for symbol in ids:
        h = [math.tanh(number) for number in affine(U, h, map(sum, zip(W[symbol], b, strict=True)))]
        states.append(h)
    return states


@check("elman_step", weight=2, hint="Try sizes that differ, then equal ones, and a state of zeros beside another.")
def other_steps_and_sizes(answer):
    """Other sizes of the state, the vocabulary and the batch, and states of zeros, in either format."""
    rng = seeded()
    for sizes, dtype in (((3, 3, 3), torch.float64), ((1, 4, 1), torch.float32), ((5, 7, 4), torch.float32)):
        H, V, B = rng.sample(sizes, 3)
        params = the_other_way_round(elman_parameters(rng, H, V, dtype))
        ids, h = symbol_ids(rng, V, B), numbers(rng, B, H, dtype=dtype)
        h[: int(B > 1)] = 0  # one row of a batch may be at its beginning
        rows = zip(ids.tolist(), h.tolist(), strict=True)
        expected = torch.tensor([states_by_hand([symbol], row, params)[0] for symbol, row in rows], dtype=dtype)
        close_in_type(answer(ids, h, params), expected, "the next state")


@check("elman_step", needs="one_step_by_hand", hint="Which three of the five parameters make the next state?")
def the_output_plays_no_part(answer):
    """The next state does not depend on the parameters of the output, which may even be missing."""
    ids, h, params = batch_of(seeded(), 2, 1)
    expected = LibraryNet(params)(ids, h)[1].detach()
    inner = {name: params[name] for name in "UWb"}
    for given in (inner, inner | {"V": torch.full((5, 4), math.nan), "c": torch.full((5,), math.inf)}):
        close(answer(ids[:, 0], h, given), expected, "the next state", *FLOAT32)


@check("elman_step", needs="one_step_by_hand", hint="Is each row's symbol read with each row's state?")
def rows_may_change_places(answer):
    """Putting the rows of a batch into another order puts their states into that order."""
    rng = seeded()
    ids, h, params = batch_of(rng, 6, 1)
    order = torch.tensor(rng.sample(range(6), 6))
    expected = LibraryNet(params)(ids, h)[1].detach()
    close(answer(ids[order, 0], h[order], params), expected[order], "the states", *FLOAT32)


@check("rnn_forward", weight=2, hint="Try a text of one symbol, then a batch of one, then sizes that are all equal.")
def other_texts_and_sizes(answer):
    """Texts of one symbol to dozens, other sizes of everything, in either format; parameters in any order."""
    rng = seeded()
    for B, T, V, H in ((3, 3, 3, 3), (1, 1, 2, 1), (2, 40, 3, 5), (5, 2, 6, 4)):
        dtype = torch.float64 if T > 2 else torch.float32
        params = the_other_way_round(elman_parameters(rng, H, V, dtype))
        ids, h0 = symbol_ids(rng, V, B, T), numbers(rng, B, H, dtype=dtype)
        states = [states_by_hand(*row, params) for row in zip(ids.tolist(), h0.tolist(), strict=True)]
        rows, c = params["V"].tolist(), params["c"].tolist()
        logits = torch.tensor([[affine(rows, h, c) for h in row] for row in states], dtype=dtype)
        last = torch.tensor([row[-1] for row in states], dtype=dtype)
        close_in_type(pair(answer(ids, h0, params), "the result"), (logits, last), "the logits and the last state")


@check("rnn_forward", needs="it_is_the_librarys_net", hint="What may padding at the end of a row change?")
def padding_at_the_end_changes_nothing_before_it(answer):
    """A short text filled up at its end has the logits that it has alone, up to there."""
    rng = seeded()
    ids, h0, params = batch_of(rng, 3, 8)
    for row, length in enumerate(rng.sample(range(1, 8), 3)):
        padded = ids.clone()
        padded[row, length:] = 0
        alone = LibraryNet(params)(ids[row : row + 1, :length], h0[row : row + 1])[0].detach()
        logits, _ = read(answer, padded, h0, params)
        close(logits[row : row + 1, :length], alone, "the logits before the padding", *FLOAT32)


@check(
    "rnn_forward", needs="stopping_and_going_on_changes_nothing", hint="Is the state of a piece its last, or one off?"
)
def a_text_may_come_symbol_by_symbol(answer):
    """Read in pieces of any length, none and one among them, a text has the same logits and the same last state."""
    rng = seeded()
    ids, h0, params = batch_of(rng, 2, 9, torch.float64)
    (logits, last), state = LibraryNet(params)(ids, h0), h0
    for start, end in ((0, 1), (1, 1), (1, 2), (2, 6), (6, 9)):
        part, state = read(answer, ids[:, start:end], state, params)
        close_in_type(part, logits[:, start:end].detach(), "the logits of a piece")
    close_in_type(state, last.detach(), "the last state")


@check("rnn_forward", needs="the_gradient_finds_its_way_back_to_h0", hint="Which steps does a late loss teach?")
def every_output_sends_its_gradient_back(answer):
    """The outputs of a long text send their gradients to h0 and to all parameters, as those of torch.nn.RNN do."""
    rng = seeded()
    ids, h0, params = batch_of(rng, 2, 100, torch.float64)
    upstream = numbers(rng, 2, 100, 5, dtype=torch.float64), torch.zeros(2, 4, dtype=torch.float64)  # logits alone
    steps_teach(answer, (ids, h0, lasting(params)), list(upstream))


# --- 2.4 -------------------------------------------------------------------------------------------------------------


def loss_by_hand(logits, targets, pad):
    """Reference for 2.4, over lists of rows."""
    costs = []
    for row, wanted in zip(logits.tolist(), targets.tolist(), strict=True):
        for scores, target in zip(row, wanted, strict=True):
            if target != pad:
                top = max(scores)
                costs.append(top + math.log(math.fsum(math.exp(s - top) for s in scores)) - scores[target])
    return torch.tensor(math.fsum(costs) / len(costs), dtype=logits.dtype)


@agrees("sequence_loss", weight=1.25, hint="Each real place on paper, then their mean.", what="the loss", rtol=1e-4)
def a_small_batch_costs_what_it_should(rng):
    """A batch with padding behind a text costs the mean of its real places."""
    logits, targets = numbers(rng, 2, 5, 4, spread=2.0), symbol_ids(rng, 4, 2, 5)
    targets[1, rng.randint(2, 4) :] = pad = rng.choice([-1, 4])
    return logits, targets, pad


@check("sequence_loss", weight=2.75, hint="Try a batch of three, with sizes of which no two are equal.")
def other_batches_cost_what_they_should(answer):
    """Other logits, small and large, other sizes, padding with another number, in either floating-point format."""
    rng = seeded()
    cases = (-1, 1, torch.float32), (-100, 20, torch.float64), (99, 4000, torch.float32), (None, 3, torch.float32)
    for pad, spread, dtype in cases:
        B, T, V = rng.sample(range(2, 8), 3)
        pad = V if pad is None else pad  # the first number that is no id
        logits, targets = numbers(rng, B, T, V, spread=spread, dtype=dtype), symbol_ids(rng, V, B, T)
        for row in range(1, B):
            targets[row, rng.randrange(T) :] = pad
        close_in_type(answer(logits, targets, pad), loss_by_hand(logits, targets, pad), "the loss", SUMMED)


@check(
    "sequence_loss",
    weight=1.25,
    needs="padding_counts_neither_above_nor_below",
    hint="May padding stand only at the end?",
)
def what_stands_at_the_padding_is_of_no_matter(answer):
    """Padding may stand anywhere, even for a whole row, and the logits there may be anything."""
    rng = seeded()
    logits, targets = numbers(rng, 4, 6, 5, spread=3.0), symbol_ids(rng, 5, 4, 6)
    targets[1], targets[0, 0], targets[2, 3:5] = -1, -1, -1
    expected = loss_by_hand(logits, targets, -1)
    for stray in (0.0, 1e4, -3e38):
        changed = torch.where((targets == -1)[..., None], torch.tensor([stray, 0, 0, 0, 1]), logits)
        close(answer(changed, targets, -1), expected, "the loss", 1e-5, 1e-6)


@check(
    "sequence_loss",
    weight=1.5,
    needs="a_net_can_learn_from_it",
    hint="Which places teach, and over how many is the mean?",
)
def padding_teaches_nothing(answer):
    """Where padding stands the gradient is zero; elsewhere it is as ever, over the number of places that count."""
    rng = seeded()
    logits, targets = numbers(rng, 3, 4, 5, spread=2.0, dtype=torch.float64), symbol_ids(rng, 5, 3, 4)
    targets[1, 2:], targets[2, 1:] = -1, -1
    counts = (targets != -1)[..., None]
    expected = (logits.softmax(-1) - F.one_hot(targets.clamp(min=0), 5)) * counts / counts.sum()
    slopes = answer.gradients(logits, targets, -1)["arguments"][0]
    close_in_type(slopes, expected, "the gradient by the logits")


# --- 2.5 -------------------------------------------------------------------------------------------------------------


@check("bptt_gradients", weight=3, hint="Try equal sizes, a text of one symbol, a long one, and loud outputs.")
def other_nets_and_texts(answer):
    """Other nets, loud ones too, texts of any length, in either format: autograd's gradients, exact as a loop."""
    rng = seeded()
    for T, V, H, loud in ((1, 3, 3, 1), (2, 7, 1, 1), (7, 5, 2, 20), (4, 4, 4, 1), (100, 6, 5, 1)):
        params = the_other_way_round(elman_parameters(rng, H, V, torch.float64 if T > 2 else torch.float32))
        params["V"] *= loud
        params = lasting(params) if T == 100 else params
        ids, targets, h0 = symbol_ids(rng, V, T), symbol_ids(rng, V, T), numbers(rng, H, dtype=params["V"].dtype)
        expected = LibraryNet(params).gradients(ids, targets, h0)
        close_in_type(answer(ids, targets, h0, params), expected, "the gradients", AS_A_LOOP)


@check("bptt_gradients", hint="What do the probabilities less a one-hot vector sum to?")
def the_columns_of_the_output_balance(answer):
    """Over the vocabulary the gradients by c sum to zero, and so does each column of the gradient by V."""
    ids, targets, h0, params = example(seeded(), 9)
    got = mapping(answer(ids, targets, h0, params), "the result")
    for name, shape in (("c", (4,)), ("V", (4, 3))):
        gradient = floats(got.get(name), shape, "a gradient")
        holds(bool(gradient.abs().max() > 1e-6), "a gradient of the output is zero")
        close(gradient.sum(0), torch.zeros(shape[1:]), "the sum of a gradient over the vocabulary", atol=1e-9)


# --- 2.6 -------------------------------------------------------------------------------------------------------------


@agrees("clip_gradients", weight=0.75, hint="One norm of all, one factor for all: limit over norm, or one.", rtol=1e-4)
def gradients_are_clipped_together(rng):
    """Two matrices and a vector get one factor, where they are longer together than the limit."""
    for limit in (0.5, rng.uniform(1, 2), 50.0):
        yield {name: numbers(rng, *shape) for name, shape in (("W", (3, 4)), ("b", (3,)), ("U", (3, 3)))}, limit


SHAPES = {torch.float32: [(2, 3), (), (4,)], torch.float64: [(5, 2)] * 6}
NAMES = ["b", "W", "V", "U", "c", "E"]  # in no order, so that none is to be had by sorting


@check("clip_gradients", weight=2.5, hint="Is it limit over norm, of these gradients alone, whatever names and shapes?")
def other_gradients_are_scaled_alike(answer):
    """Other gradients, tiny and huge, of any shape and either format, all get the factor that the limit asks for."""
    rng = seeded()
    for spread, dtype in ((9.0, torch.float32), (9.0, torch.float64), (0.03, torch.float32), (1e8, torch.float64)):
        gradients = {
            n: numbers(rng, *s, spread=spread, dtype=dtype) for n, s in zip(NAMES, SHAPES[dtype], strict=False)
        }
        norm = math.sqrt(math.fsum(x * x for g in gradients.values() for x in g.flatten().tolist()))
        for limit in (0.3 * norm, 0.9 * norm, 1.1 * norm):
            expected = {name: g * min(1.0, limit / norm) for name, g in gradients.items()}
            close_in_type(answer(gradients, limit), expected, "the clipped gradients", SUMMED)


@agrees("clip_gradients", weight=0.25, needs="three_and_four_are_five_together", hint="Is there anything to divide by?")
def nothing_stays_nothing(rng):
    """Gradients of nothing but zeros stay as they are, whatever the limit."""
    return {"W": torch.zeros(rng.randint(2, 5), 3), "b": torch.zeros(4)}, rng.uniform(0.5, 2)


@check(
    "clip_gradients",
    weight=1.25,
    needs="three_and_four_are_five_together",
    hint="How long are many short arrows together?",
)
def many_small_ones_are_large_together(answer):
    """Many tensors, each below the limit, are clipped if they are above it together."""
    ones = {f"p{i}": torch.tensor([0.6, -0.8]) for i in range(100)}  # each of norm 1, together 10
    for limit, factor in ((5, 0.5), (2.5, 0.25), (10, 1.0), (20, 1.0)):
        expected = {name: g * factor for name, g in ones.items()}
        close(answer(ones, limit), expected, "the clipped gradients", 1e-5, 1e-6)


# --- 2.7 -------------------------------------------------------------------------------------------------------------


@agrees("tied_logits", weight=1, hint="P h, then E of it, then c.", what="the logits", rtol=FLOAT32[0], atol=FLOAT32[1])
def states_become_logits_by_way_of_embeddings(rng):
    """States of a batch have the logits that the projection, the embeddings and the biases give them."""
    for H, D, V in ((3, 5, 6), (4, 4, 4)):
        yield numbers(rng, 2, 4, H), numbers(rng, V, D), numbers(rng, D, H), numbers(rng, V)


@check("tied_logits", weight=2.5, hint="H, then D, then V, and each state of each row by itself?")
def other_states_and_embeddings(answer):
    """Other sizes, equal ones among them, in either floating-point format."""
    rng = seeded()
    for B, T, H, D, V in ((2, 3, 5, 4, 6), (3, 3, 3, 3, 3), (1, 1, 2, 6, 4)):
        dtype = torch.float64 if B == 3 else torch.float32
        h, E, P, c = (numbers(rng, *shape, dtype=dtype) for shape in ((B, T, H), (V, D), (D, H), (V,)))
        rows = [[affine(E.tolist(), affine(P.tolist(), s, [0.0] * D), c.tolist()) for s in row] for row in h.tolist()]
        close_in_type(answer(h, E, P, c), torch.tensor(rows, dtype=dtype), "the logits")


@check(
    "tied_logits", weight=1.25, needs="two_numbers_become_three_and_then_two", hint="Which row of E does a symbol own?"
)
def a_symbol_without_an_embedding_has_its_bias_alone(answer):
    """If a symbol's embedding becomes zero, its logit is its bias, and no other logit changes."""
    rng = seeded()
    h, E, P, c = (numbers(rng, *shape) for shape in ((2, 3, 4), (5, 5), (5, 4), (5,)))
    before = floats(answer(h, E, P, c), (2, 3, 5), "the logits")
    E[2], before[..., 2] = 0, c[2]
    close(answer(h, E, P, c), before, "the logits without an embedding", *FLOAT32)


# --- 2.8 -------------------------------------------------------------------------------------------------------------
# As in the public checks draws are few, and a right answer fails with less than 1e-7 under any seed.


@check("generate", weight=2, hint="Are the logits of this step used, or those of an earlier one?")
def each_state_has_its_own_probabilities(answer):
    """Where the probabilities alternate from state to state, so do the symbols, whatever form a state has."""
    even = torch.tensor([0.0, 0.0, -math.inf, -math.inf])
    odd = even.flip(0).double()

    def step(symbol, h):
        now, then = (floats(part, (1,), "a part of the state given to step") for part in pair(h, "the state"))
        return (odd if now.item() else even), (then, now)

    drawn = answer(step, (torch.zeros(1), torch.ones(1)), [1, 2, 0], 64, 1.0, seeded().randrange(10**6))
    drawn = ids_of(drawn, 64, 4)  # the third call of step has the first state again: even
    for first, possible in ((0, {0, 1}), (1, {2, 3})):
        stray = sum(symbol not in possible for symbol in drawn[first::2])
        holds(stray == 0, "a symbol was drawn where its probability is zero", ADDED if stray < 8 else "")
        # by chance: 2^−31
        holds(set(drawn[first::2]) == possible, "at every second place only one of two symbols was drawn", ALL_THE_SAME)


@check("generate", needs="the_state_carries_all_that_was_read", hint="Which calls of step come before each draw?")
def starts_and_lengths_of_any_size(answer):
    """A long start is read whole and does not come back, and no symbols asked for are no symbols given."""
    # as in the public check the state is a sum, and its remainder by 5 is the next symbol
    texts = (0, [2], [2, 4, 3, 1]), (1, [2], [3, 1, 2, 4]), (3, [1] * 6, [4, 3]), (1, [0, 4], [0]), (2, [1, 2], [])
    for h0, start, expected in texts:
        for temperature in (0, 1.0):
            got = answer(adding_step(5), torch.tensor([float(h0)]), start, len(expected), temperature, 5)
            close(got, expected, "the text after another start")


@check(
    "generate",
    needs="temperature_sharpens_and_flattens",
    hint="Is τ used as it stands, nothing cut or added?",
)
def large_logits_and_small_temperatures_are_safe(answer):
    """Logits of thousands, and temperatures far from one, overflow nothing and are used as they stand."""
    rng = seeded()
    seed, best = rng.randrange(10**6), rng.randrange(64)
    drawn = text_of(answer, torch.tensor([3000.0, 3000.0, -3000.0]), 40, 1.0, seed)
    holds(set(drawn) == {0, 1}, "of three symbols, two of them equally probable, others were drawn")  # by chance: 2^−39
    logits = torch.linspace(-1, 0, 64).roll(best)
    logits[best] = 2.0  # its odds against the next one are e^200
    close(text_of(answer, logits, 8, 0.01, seed), [best] * 8, "the text at a temperature near zero")
    for temperature in (1e-4, 1e3):  # 64 others, no two alike and together as probable as the last one
        logits = temperature * torch.cat([torch.linspace(0, 1e-3, 64), torch.tensor([math.log(64) + 5e-4])])
        share = text_of(answer, logits, 128, temperature, seed).count(64) / 128
        holds(abs(share - 0.5) < margin(128), "at a temperature far from one the symbols have other shares")


@check("generate", weight=0.5, needs="temperature_sharpens_and_flattens", hint=SELDOM)
def rare_symbols_come_too(answer):
    """No symbol that can come is left out, however seldom it comes."""
    logits, h = torch.tensor([0.02, 0.01, 0.96, 0.01]).log(), torch.zeros(1)
    drawn = answer(Always((logits, h), "symbol", "h"), h, [0], 460, 1.0, seeded().randrange(10**6))
    holds(set(ids_of(drawn, 460, 4)) > {2}, "only the most probable symbol was drawn")  # by chance: 0.96^460 < 1e-8


@check("generate", needs="temperature_sharpens_and_flattens", hint="Which probability has a logit of −∞?")
def heat_does_not_make_the_impossible_possible(answer):
    """However high the temperature, symbols whose logit is minus infinity are never drawn, and the others are."""
    rng = seeded()
    possible, logits = rng.sample(range(1000), 2), torch.full((1000,), -math.inf)
    logits[possible] = torch.tensor([-8000.0, -8500.0])
    came = set(text_of(answer, logits, 64, 1e3, rng.randrange(10**6)))
    holds(came <= set(possible), "a symbol of probability zero was drawn at a high temperature")
    holds(len(came) == 2, "only one symbol was drawn at a high temperature")  # by chance: 0.63^64 < 1e-12


# --- 2.9 -------------------------------------------------------------------------------------------------------------


@agrees(
    "training_pairs",
    weight=1.25,
    hint="Write the text in rows, and under each symbol its follower.",
    read=lambda got: pair(got, "the result"),
)
def short_texts_are_cut_into_rows(rng):
    """A text of any symbols is cut into its full rows, each with its targets."""
    for size in (rng.randint(7, 12), rng.randint(20, 40)):
        yield symbol_ids(rng, 50, size), 6


@check("training_pairs", weight=2.5, hint="Row 0 begins the text, each row goes on where one stopped. Which are full?")
def other_texts_are_cut_well(answer):
    """Other texts and lengths of rows, one symbol among them: row after row, each target the symbol that follows."""
    rng = seeded()
    for length in (1, 2, 7, rng.randrange(3, 12)):
        for size in (length + 1, rng.randrange(30, 60), rng.randrange(900, 999), 5 * length, 5 * length + 1):
            ids = symbol_ids(rng, 9, size)
            got, text = pair(answer(ids, length), "the result"), ids.tolist()
            starts = range(0, size - length, length)
            for part, shift in zip(got, (0, 1), strict=True):
                rows = [text[start + shift : start + shift + length] for start in starts]
                expected = torch.tensor(rows, dtype=torch.int64).reshape(-1, length)
                close(part, expected, "the inputs or the targets of another text")


@agrees(
    "training_pairs",
    weight=0.25,
    needs="eleven_symbols_make_two_rows_of_five",
    hint="How many rows are full?",
    read=lambda got: pair(got, "the result"),
)
def texts_without_a_full_row(rng):
    """A text that no row fits into has none, in both of the two."""
    length = rng.randint(3, 9)
    return symbol_ids(rng, 9, rng.randint(1, length)), length


@check(
    "training_pairs",
    weight=1.25,
    needs="a_target_is_the_symbol_after_its_input",
    hint="Which input teaches the last target?",
)
def no_symbol_is_left_out_of_a_text_that_fits(answer):
    """In a text that fits exactly, all symbols but the first are targets, and all but the last are inputs."""
    rng = seeded()
    length, rows = rng.randrange(3, 9), rng.randrange(3, 9)
    text = torch.tensor(rng.sample(range(1000), length * rows + 1))
    for part, expected in zip(pair(answer(text, length), "the result"), (text[:-1], text[1:]), strict=True):
        close(part, expected.reshape(rows, length), "the inputs or the targets of a text that fits exactly")
