"""The hidden checks of unit 3: gates, the LSTM's step, its gradient, its layers, and the GRU.

The properties of `unrolled.checks.lstm` on other inputs, drawn anew from each seed and compared with torch's own nets
or with small references that go from number to number in float64, and the cases that students forget. Their
sentences are shown with the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import itertools
import math

import torch
import unrolled.checks.lstm  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats, pair, readable
from unrolled.checking.plain import describe
from unrolled.checks.helpers import gated
from unrolled.checks.helpers.gated import GATES, OPEN, SHUT, LibraryLSTM, biases_alone, gated_parameters, step_inputs
from unrolled.checks.helpers.gated_answers import (
    gradient_arrives,
    in_pieces,
    loaded_step,
    read_forward,
    read_gates,
    read_step,
    rows_alone,
    same_states,
    sum_of_biases,
)
from unrolled.checks.helpers.recurrent import FLOAT32, PRECISION, numbers, the_other_way_round

from autograder.judging.agreeing import agrees

SIZES = (  # B, D, H and the format: one row, equal sizes, one unit, and sizes that are all different
    (1, 3, 5, torch.float64),
    (3, 3, 3, torch.float64),
    (4, 2, 1, torch.float32),
    (2, 6, 4, torch.float32),
)


def sigmoid(number):
    """1/(1 + e^−number) of a Python float, for any number that is not huge."""
    return 1 / (1 + math.exp(-number))


def moved(U, W, b, x, h):
    """U h + W x + b, number by number, of lists of Python floats."""
    rows = zip(U, W, b, strict=True)
    return [math.fsum([bias, *map(float.__mul__, u, h), *map(float.__mul__, w, x)]) for u, w, bias in rows]


def gate_by_hand(params, name, x, h, squash):
    """Reference for one gate of a batch, a tensor in float64; `name` is "_f" for the parameters U_f, W_f, b_f."""
    U, W, b = (params[f"{kind}{name}"].tolist() for kind in "UWb")
    rows = [[squash(n) for n in moved(U, W, b, *row)] for row in zip(x.tolist(), h.tolist(), strict=True)]
    return torch.tensor(rows, dtype=torch.float64)


def loud(params):
    """The same parameters four times as large: gates come near to 0 and 1, and are neither."""
    return {name: 4 * value for name, value in params.items()}


def turned(value):
    """The same tensor, but in memory its last axis comes first."""
    return value.movedim(-1, 0).contiguous().movedim(0, -1)


# --- 3.1 -------------------------------------------------------------------------------------------------------------


def of_one_gate(params):
    """ "U_w", "W_w" and "b_w" under the names U, W and b."""
    return {name[0]: value for name, value in params.items()}


@check("soft_write", weight=2, hint="Try sizes of which no two are equal, then all equal.")
def other_memories_and_sizes(answer):
    """Other sizes of everything, in either floating-point format, and parameters in any order."""
    rng = seeded()
    for B, D, H, dtype in SIZES:
        old, new = (numbers(rng, B, H, spread=3.0, dtype=dtype) for _ in range(2))
        (x, h, _), params = step_inputs(rng, B, D, H, dtype), of_one_gate(gated_parameters(rng, D, H, "w", dtype))
        w = gate_by_hand(params, "", x, h, sigmoid)
        expected = (old + w * (new - old)).to(dtype)
        got = answer(old, new, x, h, the_other_way_round(params))
        close(got, expected, "the mixture", *PRECISION[dtype], same_dtype=True)


@check("soft_write", hint="Is a gate that is nearly open taken for an open one? torch.sigmoid has no such limit.")
def nearly_open_is_not_open(answer):
    """Gates near to 0 and 1 mix to a formula's precision, and one far out has a gradient of zero, which is a number."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 4, 3, 5, torch.float64), of_one_gate(gated_parameters(rng, 3, 5, "w"))
    old, new = (numbers(rng, 4, 5, spread=3.0, dtype=torch.float64) for _ in range(2))
    params = {name: value.double() for name, value in loud(params).items()}
    w = gate_by_hand(params, "", x, h, sigmoid)
    close(answer(old, new, x, h, params), old + w * (new - old), "the mixture by loud gates", 1e-9, 1e-11)
    far = {"U": torch.zeros(2, 2), "W": torch.zeros(2, 1), "b": torch.tensor([SHUT, OPEN]) / 2}
    given = torch.ones(1, 2), torch.zeros(1, 2), torch.ones(1, 1), torch.ones(1, 2), far
    got = answer.gradients(*given)["arguments"][4]["b"]
    close(got, torch.zeros(2), "the gradient by b of gates far out")


@check("soft_write", hint="w ⊙ new + (1 − w) ⊙ old is a weighted mean: where can it lie?")
def what_comes_lies_between_old_and_new(answer):
    """Each number lies between the old one and the new one, however loud the gate is."""
    rng = seeded()
    (x, h, old), new = step_inputs(rng, 5, 3, 4), numbers(rng, 5, 4, spread=2.0)
    for loud in (1, 100):
        params = {name: loud * value for name, value in of_one_gate(gated_parameters(rng, 3, 4, "w")).items()}
        got = floats(answer(old, new, x, h, params), (5, 4), "the mixture")
        within = (got >= torch.minimum(old, new) - 1e-5) & (got <= torch.maximum(old, new) + 1e-5)
        holds(bool(within.all()), "a number of the mixture lies neither at the old nor at the new one nor between them")


@check("soft_write", needs="an_open_gate_writes_and_a_shut_one_keeps", hint="⊙ goes number by number. Are rows mixed?")
def each_row_is_written_alone(answer):
    """The other rows of the batch are of no matter."""
    rng = seeded()
    (x, h, old), new = step_inputs(rng, 4, 3, 4), numbers(rng, 4, 4)
    params = of_one_gate(gated_parameters(rng, 3, 4, "w"))
    rows_alone(answer, (old, new, x, h), params, "the mixture")


# --- 3.2 and 3.3 -----------------------------------------------------------------------------------------------------


@check("lstm_gates", weight=2, hint="Try sizes of which no two are equal, then all equal.")
def gates_of_other_sizes(answer):
    """Other sizes of everything, in either format, however numbers lie in memory, and parameters in any order."""
    rng = seeded()
    for B, D, H, dtype in SIZES:
        (x, h, _), params = step_inputs(rng, B, D, H, dtype), gated_parameters(rng, D, H, dtype=dtype)
        expected = {
            gate: gate_by_hand(params, f"_{gate}", x, h, math.tanh if gate == "g" else sigmoid).to(dtype)
            for gate in GATES
        }
        for lay in (torch.clone, turned):
            got = answer(lay(x), lay(h), the_other_way_round(params))
            close(got, expected, "the gates", *PRECISION[dtype], same_dtype=True)


@check("lstm_gates", hint="Is a gate that is nearly open taken for an open one?")
def nearly_open_gates_are_not_open(answer):
    """Gates that come near to 0 and 1, and g to −1 and 1, are right to a formula's precision."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 3, 3, 4, torch.float64), loud(gated_parameters(rng, 3, 4, dtype=torch.float64))
    expected = {g: gate_by_hand(params, f"_{g}", x, h, math.tanh if g == "g" else sigmoid) for g in GATES}
    close(answer(x, h, params), expected, "the gates", 1e-9, 1e-11)


@check("lstm_gates", hint="What are σ(−a) and tanh(−a), beside σ(a) and tanh(a)?")
def with_all_signs_turned_gates_do_the_opposite(answer):
    """With the negatives of all parameters f, i and o are what was missing to 1, and g has the other sign."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 3, 4, 2), gated_parameters(rng, 4, 2)
    got = read_gates(answer, x, h, params)
    opposite = read_gates(answer, x, h, {name: -value for name, value in params.items()})
    for gate in GATES:
        close(got[gate] + opposite[gate], torch.full((3, 2), float(gate != "g")), "a gate and its opposite", *FLOAT32)


@check("lstm_gates", hint="Which axes does your product mix? B must stay the first.")
def each_row_has_gates_of_its_own(answer):
    """The gates of a row do not depend on the other rows of the batch."""
    rng = seeded()
    x, h, _ = step_inputs(rng, 3, 2, 4)
    rows_alone(answer, (x, h), gated_parameters(rng, 2, 4), "the gates")


@check("lstm_step", weight=2, hint="Try sizes of which no two are equal, then all equal.")
def steps_of_other_sizes(answer):
    """Other sizes of everything, in either format, however numbers lie in memory, and parameters in any order."""
    rng = seeded()
    for B, D, H, dtype in SIZES:
        inputs, params = step_inputs(rng, B, D, H, dtype), gated_parameters(rng, D, H, dtype=dtype)
        expected = LibraryLSTM([params]).step(*inputs)
        for lay in (torch.clone, turned):
            got = read_step(answer, *map(lay, inputs), the_other_way_round(params))
            close(got, expected, "the pair of state and cell", *PRECISION[dtype], same_dtype=True)


@check("lstm_step", needs="saturated_gates_keep_erase_and_replace", hint="Each unit has gates of its own: ⊙.")
def each_unit_obeys_its_own_gates(answer):
    """Side by side one unit keeps its cell, one erases it, one replaces it and one adds to it, to the last bit."""
    rng = seeded()
    c = torch.tensor([[float(rng.randrange(2, 9)) for _ in range(4)] for _ in range(4)])
    params = biases_alone(3, f=[OPEN, SHUT, SHUT, OPEN], i=[SHUT, SHUT, OPEN, OPEN], g=[SHUT] * 4, o=[OPEN] * 4)
    expected = torch.stack([c[:, 0], 0 * c[:, 1], 0 * c[:, 2] - 1, c[:, 3] - 1], dim=1)
    got = read_step(answer, numbers(rng, 4, 3), numbers(rng, 4, 4), c, params)
    close(got, (torch.tanh(expected), expected), "the pair of state and cell", 0, 1e-6)


@check("lstm_step", needs="saturated_gates_keep_erase_and_replace", hint="Nothing holds a cell back: is it clipped?")
def a_cell_may_be_as_large_as_it_likes(answer):
    """A cell of hundreds or of thousands is kept and added to as a small one is."""
    rng = seeded()
    c = torch.tensor([[float(sign * rng.randrange(10**size, 2 * 10**size)) for size in (2, 3, 4)] for sign in (1, -1)])
    params = biases_alone(2, f=[OPEN] * 3, i=[OPEN] * 3, g=[OPEN] * 3, o=[OPEN] * 3)
    close(read_step(answer, numbers(rng, 2, 2), numbers(rng, 2, 3), c, params)[1], c + 1, "a large cell", 1e-6, 0)


@check("lstm_step", hint="Each row of the batch has a state and a cell of its own.")
def each_row_steps_alone(answer):
    """The other rows of the batch are of no matter."""
    rng = seeded()
    rows_alone(answer, step_inputs(rng, 4, 2, 4), gated_parameters(rng, 2, 4), "the state and the cell")


@check("lstm_step", needs="it_is_a_step_of_the_librarys_lstm", hint="Which h and which c does the next step need?")
def many_steps_stay_with_the_librarys(answer):
    """Step by step through a text, state and cell stay those of torch.nn.LSTM, and no state reaches 1."""
    rng = seeded()
    x, (layer,), ((h, c),) = gated.stack_of(rng, 1, 2, 25, 3, 4)
    expected = LibraryLSTM([layer])(x, [(h, c)])[1][0]
    for step in range(25):
        h, c = read_step(answer, x[:, step], h, c, layer)
        holds(bool((h.abs() < 1).all()), "a number of a state is 1 or larger")
    close((h, c), expected, "the pair of state and cell after many steps", 1e-3, 1e-4)


# --- 3.4 -------------------------------------------------------------------------------------------------------------


@check("cell_jacobian", weight=3, hint="Try sizes of which no two are equal, one unit, and many.")
def jacobians_of_other_sizes(answer):
    """Other sizes, in either format, parameters in any order, to a formula's precision, which no difference reaches."""
    rng = seeded()
    for D, H, dtype in ((3, 1, torch.float32), (2, 5, torch.float32), (4, 4, torch.float64), (1, 7, torch.float64)):
        x, c, o, params = gated.one_sequence(rng, D, H, dtype)
        tight = (1e-12, 1e-14) if dtype == torch.float64 else (1e-4, 1e-5)
        right = LibraryLSTM([params]).jacobian(x, c, o)
        close(answer(x, c, o, the_other_way_round(params)), right, "the Jacobian", *tight)


@check("cell_jacobian", hint="Move one number of c a little, o as it is. How does each number of c_t change?")
def a_small_change_of_the_cell_does_what_it_says(answer):
    """Each column is the change of c_t when that number of c_{t−1} moves a little up and down, over the distance."""
    x, c, o, params = gated.one_sequence(seeded(), 3, 4)
    close(answer(x, c, o, params), LibraryLSTM([params]).slopes(x, c, o), "the Jacobian", 1e-6, 1e-8)


@check("cell_jacobian", hint="What are f, f(1 − f) and i when f is 1 and i is 0?")
def an_open_forget_gate_passes_the_gradient_on(answer):
    """Where f is open and i shut to the last bit, all passes unchanged; where both are shut, nothing does."""
    x, c, o, params = gated.one_sequence(seeded(), 2, 3, torch.float32)
    for f in (OPEN, SHUT):
        given = params | {"b_f": torch.full((3,), f), "b_i": torch.full((3,), SHUT)}
        close(answer(x, c, o, given), torch.eye(3) * (f == OPEN), "the Jacobian of saturated gates", 0, 1e-6)


@check("cell_jacobian", hint="Which o is given: that of this step, or of the one before?")
def the_output_gate_of_this_step_plays_no_part(answer):
    """U_o, W_o and b_o make o_t, which is not in c_t: a change of them changes nothing."""
    x, c, o, params = gated.one_sequence(seeded(), 2, 4)
    expected = LibraryLSTM([params]).jacobian(x, c, o)
    for given in (params | {"b_o": params["b_o"] + 3}, params | {"U_o": -params["U_o"]}):
        close(answer(x, c, o, given), expected, "the Jacobian after a change of the output gate", 1e-6, 1e-9)


# --- 3.5 -------------------------------------------------------------------------------------------------------------


@check("forget_bias", weight=3.5, hint="Try one unit, then many; a negative value, and a whole number.")
def other_biases_and_values(answer):
    """Other numbers of units and other values, in either floating-point format."""
    rng = seeded()
    for H, value, dtype in ((1, -2.0, torch.float64), (6, 3, torch.float32), (7, 1.25, torch.float64)):
        old = numbers(rng, 2, 4 * H, dtype=dtype)
        expected = old.sum(0)
        expected[H : 2 * H] = value
        close(sum_of_biases(answer, *old, value), expected, "the sum of the two new biases", *FLOAT32)


@check("forget_bias", weight=1.5, needs="all_else_stays_in_both", hint="May a number move from one bias to the other?")
def neither_bias_takes_from_the_other(answer):
    """In each of the two biases the entries of i, g and o are what they were, to the last bit."""
    value = (rng := seeded()).uniform(1, 3)
    for H, dtype in ((1, torch.float32), (4, torch.float32), (4, torch.float64)):
        old = numbers(rng, 2, 4 * H, dtype=dtype)
        for got, before in zip(pair(answer(*old, value), "the result"), old, strict=True):
            after = floats(got, (4 * H,), "one of the two biases")
            rest = torch.cat([before[:H], before[2 * H :]])
            close(torch.cat([after[:H], after[2 * H :]]), rest, "the entries of i, g and o", 0, 0)


# --- 3.6 -------------------------------------------------------------------------------------------------------------


@check("lstm_forward", weight=3, hint="Try one step, then one sequence, then sizes that are all equal.")
def other_nets_and_texts(answer):
    """One layer to four, one step to dozens, other sizes, in either format, however numbers and names are ordered."""
    rng = seeded()
    for depth, B, T, D, H in ((1, 1, 1, 2, 3), (2, 3, 3, 3, 3), (4, 2, 2, 5, 2), (2, 1, 40, 1, 4)):
        dtype = torch.float64 if T > 2 else torch.float32
        x, layers, states = gated.stack_of(rng, depth, B, T, D, H, dtype)
        outputs, last = LibraryLSTM(layers)(x, states)
        got, ends = read_forward(answer, turned(x), list(map(the_other_way_round, layers)), states)
        close(got, outputs, "the outputs", *PRECISION[dtype], same_dtype=True)
        same_states(ends, last, "", *PRECISION[dtype], same_dtype=True)


@check("lstm_forward", needs="stopping_and_going_on_changes_nothing", hint="Is a state its piece's last, or one off?")
def a_text_may_come_step_by_step(answer):
    """Read in pieces of any length, none and one among them, a text has the same outputs and last states."""
    in_pieces(answer, *gated.stack_of(seeded(), 3, 2, 9, 2, 3), cuts=(1, 1, 2, 6))


@check("lstm_forward", hint="May anything of one call be known in the next? And what is the type of no steps?")
def each_call_begins_where_it_is_told_to(answer):
    """States of zeros are zeros, whatever was read before, and no steps have the type of the others."""
    rng = seeded()
    x, layers, states = gated.stack_of(rng, 2, 2, 4, 3, 3, torch.float64)
    silent = [(0 * h, 0 * c) for h, c in states]
    expected, last = LibraryLSTM(layers)(x, silent)
    for _ in range(2):
        got, ends = read_forward(answer, x, layers, silent)
        close(got, expected, "the outputs from states of zeros", *PRECISION[torch.float64])
        same_states(ends, last, "from states of zeros", *PRECISION[torch.float64])
    none = read_forward(answer, x[:, :0], layers, silent)[0]
    close(none, x.new_zeros(2, 0, 3), "the outputs of no steps", same_dtype=True)


@check("lstm_forward", hint="What does layer l know of the layers above it?")
def a_layer_more_changes_nothing_below(answer):
    """The last states of the lower layers are those of a net without the layer at the top."""
    x, layers, states = gated.stack_of(seeded(), 3, 2, 5, 3, 3)
    _, below = read_forward(answer, x, layers[:2], states[:2])
    _, last = read_forward(answer, x, layers, states)
    same_states(last[:2], below, "below another layer")


@check("lstm_forward", needs="the_gradient_lives_through_a_hundred_steps", hint="Which steps does a late loss teach?")
def every_output_sends_its_gradient_back(answer):
    """The outputs of all steps send their gradients to x and to the first states, as those of torch.nn.LSTM do."""
    rng = seeded()
    x, layers, states = gated.stack_of(rng, 2, 2, 6, 3, 4)
    weights = numbers(rng, 2, 6, 4)
    gradient_arrives(answer, x, layers, states, weights, "the gradient by x", *FLOAT32)
    got = answer.gradients(x, layers, states, upstream=weights)["arguments"][2]
    close(got, LibraryLSTM(layers).gradient_by_states(x, states, weights), "the gradient by the states", *FLOAT32)


# --- 3.7 -------------------------------------------------------------------------------------------------------------


def repacked_by_hand(rows, source, target):
    """Reference for 3.7, over a list of rows."""
    size = len(rows) // 4
    return [rows[size * source.index(gate) + row] for gate in target for row in range(size)]


@check("repack", weight=2, hint="Try a bias, a matrix, and one axis more; one unit, and five.")
def other_orders_and_shapes(answer):
    """Any order to any other, for a bias, for weights and for more axes, of floating or whole numbers."""
    rng = seeded()
    orders = ["".join(order) for order in itertools.permutations(GATES)]
    for shape in ((4,), (8, 3), (20, 2), (12, 2, 3), (4, 1), (28,)):
        old = torch.randperm(math.prod(shape)).reshape(shape)
        source, target = rng.sample(orders, 2)
        rows = torch.tensor(repacked_by_hand(old.tolist(), source, target))
        close(answer(old, source, target), rows, "the rows in the new order", same_dtype=True)
        old, rows = old.double() / 3, rows.double() / 3
        close(answer(old, source, target), rows, "the rows in the new order", 0, 0, same_dtype=True)


@check("repack", needs="going_round_is_not_going_back", hint="Going to A and then to B is going to B.")
def a_stop_on_the_way_changes_nothing(answer):
    """From one order to another by way of a third all comes where it comes directly."""
    rng = seeded()
    old = numbers(rng, 12, 5)
    first, way, last = (gates[0] + "".join(rng.sample(gates[1:], 3)) for gates in ("figo", "ofig", "goif"))
    direct = floats(answer(old, first, last), (12, 5), "what is packed anew")
    holds(not torch.equal(direct, old), "from one order to another one nothing moved")
    stop = floats(answer(old, first, way), (12, 5), "what is packed anew")
    close(answer(stop, way, last), direct, "what came by way of a third order")


@check("repack", needs="other_orders_and_shapes", hint="Does it matter how the numbers lie in memory?")
def memory_may_lie_otherwise(answer):
    """Weights that are the transpose of a matrix in memory are packed anew as others are."""
    old = numbers(seeded(), 8, 3)
    rows = torch.tensor(repacked_by_hand(old.tolist(), "ogif", "ifgo"))
    close(answer(turned(old), "ogif", "ifgo"), rows, "the rows in the new order", *FLOAT32)


@check("repack", needs="other_orders_and_shapes", hint="Rows are moved and nothing is computed: which step computes?")
def numbers_of_any_type_are_only_moved(answer):
    """Half precision, truth values, very large whole numbers and infinities come as they went."""
    rng = seeded()
    big = torch.tensor([[rng.randrange(2**60, 2**62) for _ in range(2)] for _ in range(8)])
    plain = numbers(rng, 8, 2)
    endless = torch.where(plain > 0, torch.inf, plain)
    for old in (big, endless, plain > 0, plain.to(torch.bfloat16)):
        order = torch.tensor(repacked_by_hand(list(range(8)), "gofi", "ifgo"))
        got = answer(old.clone(), "gofi", "ifgo")
        holds(readable(got) and got.dtype == old.dtype, f"of numbers of another type come {describe(got)}")
        holds(
            got.shape == old.shape and torch.equal(got, old[order]),
            "rows of numbers of another type are not in the new order",
        )


# --- 3.8 -------------------------------------------------------------------------------------------------------------


@agrees(
    "gru_step",
    weight=1.5,
    hint="r, z and n on paper, then h: which of them reads h how?",
    rtol=FLOAT32[0],
    atol=FLOAT32[1],
)
def a_gru_steps_on(rng):
    """A batch of states steps on as the three gates say."""
    for D, H in ((3, 4), (3, 3)):
        yield *step_inputs(rng, 2, D, H)[:2], gated.gru_parameters(rng, D, H)


@check("gru_step", weight=2.5, hint="Try sizes of which no two are equal, then all equal.")
def grus_of_other_sizes(answer):
    """Other sizes of everything, in either format, however numbers lie in memory, and parameters in any order."""
    rng = seeded()
    for B, D, H, dtype in SIZES:
        (x, h, _), params = step_inputs(rng, B, D, H, dtype), gated.gru_parameters(rng, D, H, dtype)
        expected = gated.library_gru(params, x, h)
        for lay in (torch.clone, turned):
            close(answer(lay(x), lay(h), the_other_way_round(params)), expected, "the new state", *PRECISION[dtype])


@check("gru_step", weight=1.25, hint="Each row of the batch has a state of its own.")
def each_row_of_it_steps_alone(answer):
    """The other rows of the batch are of no matter."""
    rng = seeded()
    x, h, _ = step_inputs(rng, 4, 2, 4)
    rows_alone(answer, (x, h), gated.gru_parameters(rng, 2, 4), "the new state")


@check("gru_step", weight=1.25, hint="Is d_n added where h is zero? Is a z that is nearly 1 taken for 1?")
def from_a_state_of_zeros_and_with_loud_gates(answer):
    """A text's first step, from zeros, and gates near to 0 and 1 are those of torch.nn.GRU, in the type of the rest."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 24, 2, 4, torch.float64), gated.gru_parameters(rng, 2, 4, torch.float64)
    for state, given in ((0 * h, params), (torch.cat([0 * h[:1], h[1:]]), params), (h, loud(params))):
        expected = gated.library_gru(given, x, state)
        close(answer(x, state, given), expected, "the new state", *PRECISION[torch.float64], same_dtype=True)


@check("gru_step", weight=1.25, hint="Is it r ⊙ (U_n h + d_n), or U_n (r ⊙ h) + d_n?")
def r_comes_after_the_product(answer):
    """Where r differs from unit to unit, it is each unit's sum U_n h + d_n that is held back, not the state in it."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 3, 2, 4), gated.gru_parameters(rng, 2, 4)
    params |= {"b_r": torch.tensor([OPEN, SHUT, 0.0, 1.0]), "U_n": 3 * params["U_n"], "d_n": params["d_n"] + 1}
    close(answer(x, h, params), gated.library_gru(params, x, h), "the new state", *FLOAT32)


# --- 3.9 -------------------------------------------------------------------------------------------------------------


def finds_in(answer, params, gates):
    """As `finds`, but without the letters: what was exchanged stays hidden."""
    close(answer(loaded_step(params, gates), params), gates, "the answer for another net")


@check("exchanged_gates", weight=2, hint="Try other sizes: one unit, more inputs than units, and the reverse.")
def other_nets_are_seen_through(answer):
    """Other sizes, small weights as at a start, and either format: the pair, or none, is found."""
    rng, single, double = seeded(), torch.float32, torch.float64
    for D, H, spread, pairs, dtype in ((1, 1, 1.0, 2, single), (5, 2, 1.0, 3, double), (2, 6, 0.1, 6, single)):
        params = {n: spread * v for n, v in the_other_way_round(gated_parameters(rng, D, H, dtype=dtype)).items()}
        for gates in ("", *rng.sample(gated.PAIRS, pairs)):
            finds_in(answer, params, gates)


@check(
    "exchanged_gates",
    needs="every_pair_is_found",
    hint="How near is near enough? Right gates differ in last bits alone.",
)
def small_weights_are_told_apart(answer):
    """The weights of a net that has not learnt yet are small, and so are the differences: each pair is found."""
    rng = seeded()
    for D, H, spread in ((1, 1, 0.05), (3, 2, 0.03), (4, 6, 0.02)):
        params = {n: spread * v for n, v in gated_parameters(rng, D, H).items()}
        for gates in ("", *rng.sample(gated.PAIRS, 3)):
            finds_in(answer, params, gates)


@check("exchanged_gates", needs="every_pair_is_found", hint="What if two gates differ in U alone, and h is zero?")
def gates_that_differ_in_one_part_are_told_apart(answer):
    """Two gates that are alike but for U, or for W, or for b, are found out all the same."""
    rng = seeded()
    for kind, gates in zip("UWb", ("io", "fo", "fi"), strict=True):
        params = gated_parameters(rng, 3, 4)
        alike = {name: params[f"{name[:2]}{gates[0]}"] for name in params if name[2] in gates and name[0] != kind}
        finds_in(answer, params | alike, gates)


@check("exchanged_gates", needs="state_and_cell_are_both_looked_at", hint="Does a match of h alone decide, or of c?")
def what_says_nothing_decides_nothing(answer):
    """Where the state is always 0, or the cell takes nothing in, each pair that can be told apart is found."""
    rng = seeded()
    params = gated_parameters(rng, 2, 5)
    for given, pairs in (
        (params | biases_alone(2, o=[SHUT] * 5), ("", "fi", "fg", "ig")),
        (params | biases_alone(2, g=[0.0] * 5), ("", "fo", "io", "fi")),
    ):
        for gates in pairs:
            finds_in(answer, given, gates)
