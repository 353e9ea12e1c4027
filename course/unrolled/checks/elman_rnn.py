"""The public checks of unit 2: from a fixed window to the Elman RNN.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from the library's own net with the weights copied in. Hand-worked states use that
tanh(ln a) = (a² − 1)/(a² + 1): so tanh(ln 2) = 0.6, tanh(ln 3) = 0.8 and tanh(ln 6) = 35/37.

Left out on purpose: speed, and what the answer looks like inside.
"""

import math

import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_, clip_grads_with_norm_, get_total_norm

from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.chance import share_is
from unrolled.checking.kinds import floats, integers, mapping, pair
from unrolled.checks.helpers import recurrent, told
from unrolled.checks.helpers.recurrent import (
    LibraryNet,
    batch_of,
    equal_autograd,
    equal_slopes,
    exact,
    example,
    gradients_are,
    no_differences,
    numbers,
    read,
    steps_teach,
    symbol_ids,
)
from unrolled.checks.helpers.sampling import RARE, text_of
from unrolled.checks.helpers.toys import adding_step, recording_step

LIBRARY = (torch.nn.RNN, torch.nn.RNNCell, torch.rnn_tanh, torch.rnn_tanh_cell)
FORWARD_MODE = (torch.func.jvp, torch.func.jacfwd, torch.autograd.forward_ad.make_dual)
forbid("elman_step", *LIBRARY)
forbid("rnn_forward", *LIBRARY)
forbid("bptt_gradients", torch.autograd.grad, torch.autograd.backward, *FORWARD_MODE)
forbid("clip_gradients", *(f.__wrapped__ for f in (clip_grad_norm_, clip_grads_with_norm_, get_total_norm)))

LN2, LN3 = math.log(2), math.log(3)


@check("window_logits", weight=2, hint="Stage by stage: e (4 numbers), W e + b, tanh, U h + c. Which one is off?")
def two_embeddings_stand_end_to_end(answer):
    """For the embeddings (1, 0) and (0.5, −1) and the weights (1, 1, 2, 1), the hidden unit is tanh(1)."""
    E, W, U = exact([1, 0], [0.5, -1]), exact([1, 1, 2, 1]), exact([2], [-1])
    got = answer(torch.tensor([[0, 1]]), E, W, exact(0), U, exact(0, 3))
    close(got, exact([2 * math.tanh(1), 3 - math.tanh(1)]), "the logits")


@check("window_logits", weight=2, hint="Which part of e is the embedding of context[:, 0]?")
def the_oldest_symbol_comes_first(answer):
    """In the window (2, 0, 1) the embedding of symbol 2 comes first, whole, then that of 0, then that of 1."""
    E = exact([LN2, 0], [LN3, -LN2], [0, -LN3])  # tanh: (0.6, 0), (0.8, −0.6), (0, −0.8)
    one = torch.eye(6, dtype=torch.float64)  # as W it leaves e as it is, and three rows of it as U show half of e
    for first, expected in ((0, [0, -0.8, 0.6]), (3, [0, 0.8, -0.6])):
        got = answer(torch.tensor([[2, 0, 1]]), E, one, exact(*[0] * 6), one[first : first + 3], exact(0, 0, 0))
        close(got, exact(expected), "the logits that show half of e")


@check("window_logits", hint="b is added inside the tanh, c outside.")
def zero_embeddings_leave_the_biases(answer):
    """If all embeddings are zero, only the biases speak: U tanh(b) + c, whatever stands in the window."""
    U, c = exact([1, 0], [0, 1], [1, 1]), exact(0, 1, 10)
    got = answer(torch.tensor([[0], [2]]), exact(*[[0, 0]] * 3), exact([1, 2], [3, 4]), exact(LN2, -LN3), U, c)
    close(got, exact(*[[0.6, 0.2, 9.8]] * 2), "the logits")  # tanh b = (0.6, −0.8)


@check("window_logits", needs="two_embeddings_stand_end_to_end", hint="Which axes does your product mix?")
def each_window_has_a_row_of_its_own(answer):
    """The logits of a window do not depend on the other windows of the batch."""
    rng = seeded()
    model = numbers(rng, 5, 3), numbers(rng, 7, 6), numbers(rng, 7), numbers(rng, 5, 7), numbers(rng, 5)
    context = symbol_ids(rng, 5, 4, 2)
    together = floats(answer(context, *model), (4, 5), "the logits of four windows")
    for row in range(4):
        alone = answer(context[row : row + 1], *model)
        close(alone, together[row : row + 1], "the logits of a window alone", 1e-4, 1e-5)


@check("elman_step", weight=2, hint="Write down U h, the column of W, and b. Which one is off?")
def one_step_by_hand(answer):
    """U h = (ln 2, 0), the column (ln 3, 0) and b = (0, −ln 2) give the state (35/37, −0.6)."""
    params = {"U": exact([0, LN2], [0, 0]), "W": exact([9, LN3, 9], [9, 0, 9]), "b": exact(0, -LN2)}
    params |= {"V": exact([1, 1], [1, 1], [1, 1]), "c": exact(1, 1, 1)}
    # U (0, 1) = (ln 2, 0); tanh(ln 2 + ln 3) = tanh(ln 6) = 35/37, tanh(−ln 2) = −3/5
    close(answer(torch.tensor([1]), exact([0, 1]), params), exact([35 / 37, -0.6]), "the next state")


@check("elman_step", hint="W times a one-hot vector is one column of W.")
def each_symbol_reads_its_own_column(answer):
    """From the state 0 without a bias, the new state is the tanh of the symbol's column of W."""
    params = {"U": exact([3, 4], [5, 6]), "W": exact([LN2, LN3, 0], [0, -LN2, LN3]), "b": exact(0, 0)}
    expected = exact([0, 0.8], [0.6, 0], [0, 0.8], [0.8, -0.6])
    close(answer(torch.tensor([2, 0, 2, 1]), exact(*[[0, 0]] * 4), params), expected, "the states after 2, 0, 2 and 1")


@check("elman_step", weight=2, hint="Taken by name? Is it U or its transpose, and what does each matrix multiply?")
def it_is_a_step_of_the_librarys_net(answer):
    """With the same weights, in whatever order, it gives the same state as one step of torch.nn.RNN."""
    ids, h, params = batch_of(seeded(), 3, 1)
    with torch.no_grad():
        expected = LibraryNet(params)(ids, h)[1]
    close(answer(ids[:, 0], h, recurrent.the_other_way_round(params)), expected, "the next state", 1e-4, 1e-5)


@check("elman_step", hint="h[:] = …, .detach() and numpy all cut the way back to h.")
def the_gradient_finds_its_way_back_to_h(answer):
    """h is left as it was, and the gradients of the new state by h, U, W and b are those of torch.nn.RNN."""
    ids, h, params = batch_of(seeded(), 3, 1)
    expected = LibraryNet(params).gradients_of(ids, h, [torch.zeros(3, 1, 5), torch.ones(3, 4)])
    gradients_are(answer.gradients(ids[:, 0], h, params)["arguments"], expected, "UWb", "h")


@check("rnn_forward", weight=2, hint="Compute both states by hand, then both outputs.")
def two_symbols_by_hand(answer):
    """One hidden unit reads two symbols: its states are 0.6 and 35/37, and V h + c follows at each step."""
    params = {"U": exact([LN2 / 0.6]), "W": exact([LN2, LN3]), "b": exact(0), "V": exact([1], [10]), "c": exact(0, -1)}
    # h_1 = tanh(0 + ln 2) = 0.6;  h_2 = tanh(ln 2/0.6 · 0.6 + ln 3) = tanh(ln 6) = 35/37
    logits, last = pair(answer(torch.tensor([[0, 1]]), exact([0]), params), "the result")
    close(logits, exact([[0.6, 5], [35 / 37, 350 / 37 - 1]]), "the logits")
    close(last, exact([35 / 37]), "the last state")


@check("rnn_forward", weight=2, hint="First steps first. Taken by name? Does each step go on from the state before?")
def it_is_the_librarys_net(answer):
    """With the same weights, in any order, it gives the logits and last state of torch.nn.RNN and torch.nn.Linear."""
    ids, h0, params = batch_of(seeded(), 3, 7)
    with torch.no_grad():
        expected = LibraryNet(params)(ids, h0)
    got = pair(answer(ids, h0, recurrent.the_other_way_round(params)), "the result")
    close(got, expected, "the logits and the last state", 1e-4, 1e-5)


@check("rnn_forward", hint="Which symbols may o_t depend on?")
def the_future_is_not_seen(answer):
    """Changing a symbol changes the logits from its step on, and none before."""
    ids, h0, params = batch_of(seeded(), 2, 6)
    changed = ids.clone()
    changed[:, 3] = (ids[:, 3] + 1) % 5
    before, after = (read(answer, text, h0, params)[0] for text in (ids, changed))
    close(after[:, :3], before[:, :3], "the logits before the changed symbol", 1e-4, 1e-5)
    for step in (3, 4):
        far = bool((after[:, step] - before[:, step]).abs().max() > 1e-4)
        holds(far, f"changing the symbol at step 3 left the logits at step {step} as they were")


@check("rnn_forward", hint="Each row of the batch has a state of its own.")
def each_sequence_is_read_alone(answer):
    """What stands in the other rows of a batch changes nothing."""
    ids, h0, params = batch_of(seeded(), 3, 4)
    logits, last = read(answer, ids, h0, params)
    for row in (slice(0, 1), slice(2, 3)):
        got = pair(answer(ids[row], h0[row], params), "the result")
        close(got, (logits[row], last[row]), "the result of a row alone", 1e-4, 1e-5)


@check("rnn_forward", hint="What must be carried from one piece to the next?")
def stopping_and_going_on_changes_nothing(answer):
    """Reading a text in two pieces, the state carried over, is reading it at once."""
    ids, h0, params = batch_of(seeded(), 2, 7)
    logits, last = read(answer, ids, h0, params)
    first, between = read(answer, ids[:, :3], h0, params)
    second, end = read(answer, ids[:, 3:], between, params)
    close(torch.cat([first, second], dim=1), logits, "the logits of two pieces", 1e-4, 1e-5)
    close(end, last, "the last state of two pieces", 1e-4, 1e-5)


@check("rnn_forward", needs="two_symbols_by_hand", hint="How many rows of logits, and which state, has no symbol?")
def no_symbols_leave_the_state_as_it_was(answer):
    """With T = 0 the logits have the shape (B, 0, V), and the state is h0."""
    ids, h0, params = batch_of(seeded(), 2, 0)
    last = read(answer, ids, h0, params)[1]
    close(last, h0, "the state after no symbols", hint="Where does the state start, before any symbol?")


@check("rnn_forward", hint="No state may become a plain number on its way.")
def the_gradient_finds_its_way_back_to_h0(answer):
    """h0 is left as it was; the gradients by h0 and all parameters, of logits and last state, are torch.nn.RNN's."""
    rng = seeded()
    steps_teach(answer, batch_of(rng, 2, 4), [numbers(rng, 2, 4, 5), torch.ones(2, 4)])


@check("sequence_loss", weight=2, hint="One softmax, no more. Then −ln (not log2) of the target's, then the mean.")
def a_half_and_three_quarters(answer):
    """Targets with the probabilities 1/2 and 3/4 cost (ln 2 + ln 4/3)/2 = 0.4904 nats a symbol."""
    logits = exact([[0, 0], [LN3, 0]])  # e^0 : e^0 = 1 : 1 and e^(ln 3) : e^0 = 3 : 1
    close(answer(logits, torch.tensor([[0, 0]]), -1), torch.tensor((LN2 + math.log(4 / 3)) / 2), "the loss")


@check("sequence_loss", hint="V is the last axis, and the mean is over all B times T places.")
def knowing_nothing_costs_ln_v(answer):
    """A net that finds all V symbols equally probable loses ln V, whatever the targets are."""
    for vocab_size in (2, 65):
        targets = symbol_ids(seeded(), vocab_size, 3, 4)
        close(answer(torch.full((3, 4, vocab_size), 0.7), targets, -1), torch.tensor(math.log(vocab_size)), "the loss")


@check("sequence_loss", weight=2, hint="Which targets are left when only what equals pad is struck out, and how many?")
def padding_counts_neither_above_nor_below(answer):
    """Three symbols at ln 2 each, and one at ln 4/3 with two places of padding, cost (3 ln 2 + ln 4/3)/4."""
    logits = exact(*[[[0, 0]] * 3] * 2)
    logits[1] = exact([LN3, 0], [5, -5], [-7, 7])
    for pad in (-1, 2):  # 2 is V, the first number that is no id
        got = answer(logits, torch.tensor([[0, 1, 1], [0, pad, pad]]), pad)
        close(got, torch.tensor((3 * LN2 + math.log(4 / 3)) / 4), f"the loss, padded with {pad}")


@check("sequence_loss", hint="Not finite? e^1000 is not needed. 0.55? Is anything normalised twice?")
def large_logits_are_safe(answer):
    """Logits of a thousand cost a thousand when they are wrong, nothing when they are right."""
    for first, loss in ((0, 0.0), (1, 1000.0)):
        got = answer(torch.tensor([[[1000.0, 0.0, 0.0]]]), torch.tensor([[first]]), -1)
        close(got, torch.tensor(loss), "the loss")


@check(
    "sequence_loss",
    needs="a_half_and_three_quarters",
    hint="If none comes back: did the loss become a plain number? If some does: which part is cut?",
)
def a_net_can_learn_from_it(answer):
    """Its gradient at each place is the probabilities, less one at the target, over the number of places."""
    logits, targets = exact([[0, 0], [LN3, 0]]), torch.tensor([[0, 1]])
    expected = exact([[-1 / 4, 1 / 4], [3 / 8, -3 / 8]])  # (1/2 − 1, 1/2)/2 and (3/4, 1/4 − 1)/2
    got = answer.gradients(logits, targets, -1)["arguments"][0]
    close(got, expected, "the gradient by the logits", hint=told.of_gradient(got, expected))


@check("bptt_gradients", weight=2, hint="Mend this one first. Follow the one step on paper: δo, then δh, then δa.")
def one_symbol_by_hand(answer):
    """One hidden unit reads one symbol: h = 0.6, the probabilities are (3/4, 1/4), and δa = 0.8 ln 3."""
    params = {"U": exact([LN2 / 2]), "W": exact([0, 9]), "b": exact(0), "V": exact([LN3 / 0.6], [0]), "c": exact(0, 0)}
    # h = tanh(ln 2/2 · 2) = 0.6; logits (ln 3, 0); δo = (3/4, 1/4 − 1); δa = ln 3/0.6 · 3/4 · (1 − 0.36) = 0.8 ln 3
    expected = {
        "V": exact([0.45], [-0.45]),  # δo h
        "c": exact(0.75, -0.75),  # δo
        "U": exact([1.6 * LN3]),  # δa h_0, and h_0 = 2
        "W": exact([0.8 * LN3, 0]),  # δa in the column of the symbol read
        "b": exact(0.8 * LN3),
    }
    close(answer(torch.tensor([0]), torch.tensor([1]), exact(2), params), expected, "the gradients")


@check("bptt_gradients", hint="These need δo, with its 1/T, and the states from h0 on. Which is off?")
def what_the_output_learns_equals_autograd(answer):
    """The gradients by V and c equal those of autograd, for texts of 1 to 6 symbols."""
    equal_autograd(answer, seeded(), "cV")


@check(
    "bptt_gradients",
    weight=2,
    hint="δh_t has a part from the right; δa_t takes the slope at h_t. Each step adds.",
)
def what_the_input_learns_equals_autograd(answer):
    """The gradients by b and W equal those of autograd, for texts of 1 to 6 symbols."""
    equal_autograd(answer, seeded(), "bW")


@check("bptt_gradients", weight=2, hint="U multiplies the state before: h at t − 1, h0 at first. Does each step add?")
def what_the_recurrence_learns_equals_autograd(answer):
    """The gradient by U equals that of autograd, for texts of 1 to 6 symbols."""
    equal_autograd(answer, seeded(), "U")


@check("bptt_gradients", weight=2, hint="Change one number of one parameter a little. How does the loss change?")
def a_small_change_of_any_number_does_what_they_say(answer):
    """They equal (L(θ + ε) − L(θ − ε))/2ε for each single number θ, ε = 10⁻⁵, for texts of 1 to 4 symbols."""
    equal_slopes(answer, seeded())


@check(
    "bptt_gradients",
    weight=2,
    needs="a_small_change_of_any_number_does_what_they_say",
    hint="Go back through the steps, in the type of the parameters: differences are only near it.",
)
def it_is_the_loop_and_no_difference(answer):
    """They are right to the last digits that float64 has, as a loop's are and differences of the loss are not."""
    no_differences(answer, seeded())


@check("bptt_gradients", hint="Taken by name? Does the second reading of a symbol add to the first, or replace it?")
def a_symbol_read_again_adds_up(answer):
    """If the text is one symbol over and over, its column of W has the gradient of b, in whatever order names come."""
    _, targets, h0, params = example(seeded(), 5)
    got = mapping(answer(torch.full((5,), 2), targets, h0, recurrent.the_other_way_round(params)), "the result")
    b = floats(got.get("b"), (3,), "the gradient by b")
    holds(bool(b.abs().max() > 1e-6), "the gradient by b is zero")
    close(got.get("W"), F.one_hot(torch.tensor(2), 4) * b[:, None], "the gradient by W")


@check("clip_gradients", weight=2, hint="√(9 + 16) = 5: by what must both be multiplied?")
def three_and_four_are_five_together(answer):
    """(3, 0) and (0, 4) have the norm 5 together; clipped at 1 they are (0.6, 0) and (0, 0.8)."""
    got = answer({"U": torch.tensor([3.0, 0.0]), "b": torch.tensor([0.0, 4.0])}, 1.0)
    close(got, {"U": torch.tensor([0.6, 0.0]), "b": torch.tensor([0.0, 0.8])}, "the clipped gradients")


@check("clip_gradients", hint="When is the factor 1?")
def small_gradients_stay_as_they_are(answer):
    """If the norm is the limit or less, nothing changes, and zeros stay zeros."""
    gradients = {"U": torch.tensor([[3.0], [0.0]]), "b": torch.tensor([4.0])}
    for limit in (5.0, 6.5, 100.0):
        close(answer(gradients, limit), gradients, f"gradients of the norm 5 and the limit {limit:g}")
    zeros = {"U": torch.zeros(2, 2), "b": torch.zeros(2)}
    close(answer(zeros, 1.0), zeros, "gradients of nothing but zeros")


@check(
    "clip_gradients",
    needs="three_and_four_are_five_together",
    hint="How many factors are there, and has each gradient its own name?",
)
def the_direction_stays(answer):
    """All gradients, read as one long vector, get the norm that is the limit, and point where they pointed."""
    rng = seeded()
    shapes = {"W": (4, 6), "b": (4,), "U": (4, 4)}
    gradients = {name: numbers(rng, *shape, spread=3.0) for name, shape in shapes.items()}
    got = mapping(answer(gradients, 2.0), "the result")
    after = torch.cat([floats(got.get(n), shape, f"the gradient {n}").reshape(-1) for n, shape in shapes.items()])
    before = torch.cat([gradient.reshape(-1) for gradient in gradients.values()])
    close(torch.linalg.vector_norm(after), 2.0, "the norm of all gradients, clipped at 2", 1e-4)
    close(F.cosine_similarity(after, before, dim=0), 1.0, "the cosine between before and after", 1e-4)


@check("tied_logits", weight=2, hint="First P h, by hand. It has D numbers.")
def two_numbers_become_three_and_then_two(answer):
    """From h = (1, 2), P brings (1, 2, 3), the rows of E make 1 and −4 of it, and c = (0.5, 10) is added."""
    P, E = exact([1, 0], [0, 1], [1, 1]), exact([1, 0, 0], [0, 1, -2])
    close(answer(exact([[1, 2]]), E, P, exact(0.5, 10)), exact([[1.5, 6]]), "the logits")


@check("tied_logits", hint="With as many numbers in the state as in an embedding, no shape tells P from its transpose.")
def square_matrices_are_not_turned_round(answer):
    """From h = (1, 2), the projection that makes (2, 0) of it gives 2, 0 and 2 with the rows (1, 0), (0, 1), (1, 1)."""
    P, E = exact([0, 1], [0, 0]), exact([1, 0], [0, 1], [1, 1])
    close(answer(exact([[1, 2]]), E, P, exact(0, 0, 0)), exact([[2, 0, 2]]), "the logits")


@check("tied_logits", needs="two_numbers_become_three_and_then_two", hint="Is there a tanh or a softmax too many?")
def twice_the_state_moves_the_logits_twice_as_far(answer):
    """Zero states leave c; doubling a state doubles its logits' distance from c, at each step of each row by itself."""
    rng = seeded()
    h, E, P, c = numbers(rng, 2, 5, 4), numbers(rng, 6, 3), numbers(rng, 3, 4), numbers(rng, 6)
    close(answer(torch.zeros(2, 5, 4), E, P, c), c.expand(2, 5, 6), "the logits of zero states")
    once = floats(answer(h, E, P, c), (2, 5, 6), "the logits")
    close(answer(2 * h, E, P, c), 2 * once - c, "the logits of twice the states", 1e-4, 1e-5)
    mixed = "Each state has logits of its own. Does your product mix rows or steps?"
    close(answer(h[1:, 2:4], E, P, c), once[1:, 2:4], "the logits of two states alone", 1e-4, 1e-5, hint=mixed)


@check("generate", weight=2, hint="Write down all calls of step for a start of 3 symbols and a length of 2.")
def each_symbol_is_read_once_and_in_order(answer):
    """All of start is read, then each new symbol; every call gets the state that the call before gave."""
    step, seen = recording_step(5)
    # one certain symbol each time, the sum of all read so far modulo 5: 3 + 1 + 2 = 6, 6 + 1 = 7, 7 + 2 = 9
    close(answer(step, torch.zeros(1), [3, 1, 2], 3, 1.0, 0), [1, 2, 4], "the text after [3, 1, 2]")
    close(seen[:5], [3, 1, 2, 1, 2], "what step was given to read")
    holds(seen[5:] in ([], [4]), f"step was called {len(seen)} times: 5 are enough, 6 if the last symbol is read, too")


@check("generate", weight=2, hint="h0 is the state before the first symbol of start. Where does it go from there?")
def the_state_carries_all_that_was_read(answer):
    """Where the state is the sum of h0 and all that was read, and says the next symbol, a sum comes out."""
    # h0 = 1: 1 + 3 + 4 = 8 → 3, 8 + 3 = 11 → 1, 11 + 1 = 12 → 2, 12 + 2 = 14 → 4, 14 + 4 = 18 → 3
    close(answer(adding_step(5), torch.tensor([1.0]), [3, 4], 5, 1.0, 0), [3, 1, 2, 4, 3], "the text after [3, 4]")


# Every statistical check compares shares of independent draws within `margin`: 1e-8 each, at most 4 in a check. A right
# answer draws one symbol half of the time here, and wrong ones nearly always or nearly never, so 64 draws will do.


@check("generate", hint="Which way should a small τ push a large logit?")
def temperature_sharpens_and_flattens(answer):
    """Odds of 4 : 1 stay at τ = 1, are 256 : 1 at τ = 1/4; 2^24 : 1 are 64 : 1 at τ = 4; 1.231 : 1, 64 : 1 at 1/20."""
    seed = seeded().randrange(10**6)
    cases = (4, 1.0, 4, 64), (4, 0.25, 256, 64), (64**4, 4.0, 64, 64), (64**0.05, 0.05, 64, 128)
    for odds, temperature, others, length in cases:  # as many others as the odds become
        drawn = text_of(answer, torch.tensor([0.0] * others + [math.log(odds)]), length, temperature, seed)
        what = f"odds of {odds:.4g} : 1 to {others} others at temperature {temperature:g}"
        share_is(drawn, others, 0.5, what, *[RARE] * (temperature != 1))


@check("generate", hint="1/τ cannot be computed here. What is the limit?")
def temperature_zero_takes_the_largest_logit(answer):
    """At temperature 0 the symbol with the largest logit follows each time, be it the first or the last of all."""
    for best, logits in (1, [-2.0, -1.0, -1.5, -9.0]), (0, [0.4, 0.3, 0.1, 0.2]), (3, [5.0, 0.3, 0.1, 5.2]):
        close(text_of(answer, torch.tensor(logits), 8, 0, 3), [best] * 8, "the text at temperature 0")


@check("generate", hint="Make one generator, seed it once.")
def the_seed_decides_the_text(answer):
    """The same seed gives the same 64 symbols, which do not begin again; others give others, and 0 is a seed, too."""
    for seed in (seeded().randrange(10**6), 0):
        one, next_one, again = (text_of(answer, torch.zeros(100), 64, 1.0, seed + i) for i in (0, 1, 0))
        close(again, one, "the second text with the same seed" + " 0" * (seed == 0))
        holds(one != next_one, "two seeds gave the same 64 symbols")  # by chance: 100^−64, and below 1e-13 all others
        holds(one[1:] != next_one[:-1], "the draws are those of the next seed, one place on")
        holds(len(set(one)) > 2, "of a hundred symbols of equal probability only few were drawn")
        holds(all(one[n : n + 8] != one[:8] for n in range(1, 57)), "after a while the same symbols come again")


@check("training_pairs", weight=2, hint="Write the text in rows of 5, and under each symbol the one after it.")
def eleven_symbols_make_two_rows_of_five(answer):
    """The text 10, 11, …, 20 in rows of 5: 10 to 14 and 15 to 19, with the targets 11 to 15 and 16 to 20."""
    inputs = torch.tensor([[10, 11, 12, 13, 14], [15, 16, 17, 18, 19]])
    got = pair(answer(torch.arange(10, 21), 5), "the result")
    close(got[0], inputs, "the inputs")
    close(got[1], inputs + 1, "the targets")


@check("training_pairs", weight=2, hint="What is the target of the last symbol of a row?")
def a_target_is_the_symbol_after_its_input(answer):
    """Within a row each target is the next input; at its end it is the first input of the next row."""
    ids = symbol_ids(seeded(), 50, 41)
    inputs, targets = (integers(part, (5, 8), "one of the two") for part in pair(answer(ids, 8), "the result"))
    close(targets[:, :-1], inputs[:, 1:], "the targets within rows")
    order = "A row's last target begins the next row. Are the rows in the order of the text?"
    close(targets[:-1, -1], inputs[1:, 0], "the targets at the ends of rows", hint=order)
    close(targets[-1, -1], ids[-1].item(), "the last target, the text's last symbol")
    holds(not torch.equal(inputs, targets), "the targets are the inputs themselves")


@check("training_pairs", hint="One row of 4 inputs needs 5 symbols. Do two rows need 10, or 9?")
def what_is_left_over_is_not_used(answer):
    """In rows of 4, texts of 5, 12, 13, 16 and 17 symbols have 1, 2, 3, 3 and 4 rows, the first symbol in the first."""
    order = "So many rows are right. Row 0 begins the text; each goes on where the one before stopped."
    for size, rows in ((5, 1), (12, 2), (13, 3), (16, 3), (17, 4)):
        inputs, targets = pair(answer(torch.arange(size), 4), "the result")
        integers(targets, (rows, 4), f"the targets of a text of {size} symbols")
        integers(inputs, (rows, 4), "the inputs")
        close(inputs.flatten(), torch.arange(4 * rows), "the inputs row after row", hint=order)


@check("training_pairs", needs="eleven_symbols_make_two_rows_of_five", hint="How many rows has such a text?")
def a_short_text_has_no_rows(answer):
    """A text no longer than a row has no full row: both tensors have the shape (0, length)."""
    for size in (1, 3, 4):
        for part in pair(answer(torch.arange(size), 4), "the result"):
            integers(part, (0, 4), f"one of the two for a text of size {size} and rows of 4")
