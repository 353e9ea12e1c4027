"""The public checks of unit 3: gates, the LSTM's step, its gradient, its layers, and the GRU.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own nets with the weights copied in. Hand-worked gates use that σ(ln 3) = 3/4,
tanh(ln 2) = 3/5 and tanh(ln 3) = 4/5; the longer cases are in `unrolled.checks.helpers.gated_cases`.

Left out on purpose: speed, and what the answer looks like inside.
"""

import torch

from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats, pair
from unrolled.checks.helpers import gated, gated_answers, told
from unrolled.checks.helpers import gated_cases as worked
from unrolled.checks.helpers.gated import GATES, OPEN, SHUT, LibraryLSTM, biases_alone, gated_parameters, step_inputs
from unrolled.checks.helpers.gated_answers import finds, read_forward, read_gates, read_step, same_states, sum_of_biases
from unrolled.checks.helpers.gated_cases import LN2, LN3
from unrolled.checks.helpers.recurrent import exact, numbers
from unrolled.gru import GRUCell

for exercise in ("lstm_gates", "lstm_step", "lstm_forward"):
    forbid(exercise, *gated.LSTM_OF_THE_LIBRARY)
forbid("gru_step", *gated.GRU_OF_THE_LIBRARY, GRUCell, GRUCell.forward)
forbid("cell_jacobian", *gated.AUTOGRAD)


@check("soft_write", weight=2, hint="Where w is 1, which of the two must be left, and which where w is 0?")
def an_open_gate_writes_and_a_shut_one_keeps(answer):
    """Where the gate is open to the last bit the new stands, where it is shut the old, exactly."""
    params = {"U": torch.zeros(2, 2), "W": torch.tensor([[OPEN], [SHUT]]), "b": torch.zeros(2)}
    old, new = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[5.0, 6.0], [7.0, 8.0]])
    got = answer(old, new, torch.ones(2, 1), torch.ones(2, 2), params)
    close(got, torch.tensor([[5.0, 2.0], [7.0, 4.0]]), "the mixture of 1 2 | 3 4 and 5 6 | 7 8", 0, 0)


@check("soft_write", hint="With which two weights are new and old added, and what is their sum?")
def what_is_the_same_in_both_stays(answer):
    """Where old and new are equal the gate is of no matter, and where it is half open the mean of both comes."""
    rng = seeded()
    params = {"U": numbers(rng, 3, 3), "W": numbers(rng, 3, 2), "b": numbers(rng, 3)}
    both, x, h = numbers(rng, 2, 3, spread=3.0), numbers(rng, 2, 2), numbers(rng, 2, 3)
    close(answer(both, both, x, h, params), both, "the mixture of two equal vectors", 1e-4, 1e-5)
    params = {name: 0 * value for name, value in params.items()}
    close(answer(both, both + 2, x, h, params), both + 1, "the mixture by a gate of σ(0) = 1/2", 1e-4, 1e-5)


@check("soft_write", hint="Rows of h times U: h @ U.T. Does each of U, W and b speak, and to its own vector?")
def state_input_and_bias_open_the_gate(answer):
    """Each alone opens the gates of two units to 3/4 and 1/2: h by U, x by W, and b."""
    for what, x, h, params in gated.one_voice():
        got = answer(exact([0, 0]), exact([4, 4]), x, h, params)
        close(got, exact([3, 2]), f"4 written over 0 by a gate that {what} alone opens")


@check("soft_write", weight=2, hint="First U h + W x + b on paper, then σ of it, then the mixture.")
def four_and_eight_by_hand(answer):
    """U h = (ln 3, 0) and W x = (0, −ln 3) make the gate (3/4, 1/4), and of 4 and 8 it makes 7 and 5."""
    close(answer(*worked.four_and_eight()), exact([7, 5]), "the mixture")


@check("soft_write", weight=2, needs="four_and_eight_by_hand", hint="Does .tolist(), .detach() or numpy cut the way?")
def the_gate_can_be_learnt(answer):
    """For this gate w, the gradient by b is (8 − 4) w (1 − w) = 3/4, and all else that is given has its own."""
    old, new, x, h, params = answer.gradients(*worked.four_and_eight())["arguments"]
    got = {"old": old, "new": new, "x": x, "h": h} | params
    for name, expected in worked.gradients_of_four_and_eight().items():
        close(got[name], expected, f"the gradient by {name}", hint=told.of_gradient(got[name], expected))


@check("lstm_gates", hint="A gate lies between 0 and 1. What is written may be negative: which function for which?")
def three_open_and_shut_and_g_takes_both_signs(answer):
    """Far out, f, i and o are 1 and 0, and g is 1 and −1."""
    loud = {f"W_{gate}": torch.tensor([[OPEN], [SHUT]]) for gate in GATES}
    got = answer(torch.ones(1, 1), torch.zeros(1, 2), biases_alone(1, **dict.fromkeys(GATES, [0.0, 0.0])) | loud)
    wide, narrow = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 0.0]])
    close(got, {"f": narrow, "i": narrow, "g": wide, "o": narrow}, "the gates", 0, 1e-12)


@check("lstm_gates", weight=2, hint="Read the letter after each underscore. Does every gate see h, x and b?")
def each_gate_reads_its_own_parameters(answer):
    """If one gate alone has parameters, it is σ(ln 3) = 3/4 or tanh(ln 3) = 4/5; the others are 1/2, or 0 for g."""
    for own, given, expected in worked.one_gate_speaks():
        close(answer(*given), expected, f"the gates where {own} alone has parameters")


@check("lstm_gates", hint="Rows of h times U: h @ U.T. Which matrix belongs to h, and which to x?")
def state_input_and_bias_move_every_gate(answer):
    """Each alone brings ln 3 to the first unit and 0 to the second: h by U, x by W, and b."""
    expected = {gate: exact([0.8, 0]) if gate == "g" else exact([0.75, 0.5]) for gate in GATES}
    for what, x, h, params in gated.one_voice():
        of_all = {f"{kind}_{gate}": part for gate in GATES for kind, part in params.items()}
        close(answer(x, h, of_all), expected, f"the gates moved by {what} alone")


@check("lstm_gates", weight=2, hint="Compare one gate at a time with the formula.")
def they_are_the_gates_of_the_librarys_lstm(answer):
    """f ⊙ c + i ⊙ g is the cell of torch.nn.LSTM with the same weights, and o ⊙ tanh of it the state."""
    rng = seeded()
    (x, h, c), params = step_inputs(rng, 4, 5, 3), gated_parameters(rng, 5, 3)
    got, (next_h, next_c) = read_gates(answer, x, h, params), LibraryLSTM([params]).step(x, h, c)
    close(got["f"] * c + got["i"] * got["g"], next_c, "f ⊙ c + i ⊙ g of your gates", 1e-4, 1e-5)
    close(got["o"] * torch.tanh(next_c), next_h, "your o ⊙ tanh of the next cell", 1e-4, 1e-5)


@check("lstm_gates", needs="they_are_the_gates_of_the_librarys_lstm", hint="Does .detach() or numpy cut the way?")
def gradients_find_every_gate(answer):
    """The gradients by x, h and each parameter are there, and say how the gates move with each."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 2, 3, 4, torch.float64), gated_parameters(rng, 3, 4, dtype=torch.float64)
    gated_answers.gates_move_as_gradients_say(answer, x, h, params)


@check("lstm_step", weight=2, hint="Which gate multiplies the old cell, and which the proposal?")
def saturated_gates_keep_erase_and_replace(answer):
    """f open and i shut keep the cell exactly, both shut erase it, i open and f shut put g = 1 in its place."""
    x, h, c = torch.ones(1, 2), torch.zeros(1, 3), torch.tensor([[2.0, -3.0, 5.0]])
    cases = ("kept", OPEN, SHUT, c), ("erased", SHUT, SHUT, 0 * c), ("replaced", SHUT, OPEN, c**0)
    for what, f, i, expected in cases:
        params = biases_alone(2, f=[f] * 3, i=[i] * 3, g=[OPEN] * 3, o=[OPEN] * 3)
        close(read_step(answer, x, h, c, params)[1], expected, f"the cell that should be {what}", 0, 0)


@check("lstm_step", hint="Of h and c, which one is squashed, and which one comes first?")
def the_state_stays_below_one_and_the_cell_need_not(answer):
    """Of a pair (h, c), all |h| < 1, while a cell that is added to goes from 2 to 3."""
    params = biases_alone(2, f=[OPEN] * 2, i=[OPEN] * 2, g=[OPEN, SHUT], o=[OPEN] * 2)
    h, c = read_step(answer, torch.ones(1, 2), torch.zeros(1, 2), torch.tensor([[2.0, -2.0]]), params)
    holds(bool((h.abs() < 1).all()), f"h, the first of the pair, holds {h.abs().max():.4g}, too much for a state")
    close(c, torch.tensor([[3.0, -3.0]]), "the second of the pair, c")


@check("lstm_step", weight=2, hint="Is it the new cell that is shown, and its tanh?")
def an_open_output_gate_shows_the_new_cell(answer):
    """Where o is 1 the state is tanh of the new cell, where o is 0 it is 0, and the cell is the same for both."""
    rng = seeded()
    inputs, params = step_inputs(rng, 3, 2, 4), gated_parameters(rng, 2, 4)
    h, c = read_step(answer, *inputs, params | biases_alone(2, o=[OPEN] * 4))
    close(h, torch.tanh(c), "the state where o is 1 (beside tanh of the new cell)", 1e-5, 1e-6)
    hidden = read_step(answer, *inputs, params | biases_alone(2, o=[SHUT] * 4))
    close(hidden, (0 * h, c), "the new h and c where o is 0", 1e-5, 1e-6)


@check("lstm_step", weight=2, hint="k = f ⊙ c, then j = i ⊙ g, then their sum, then h.")
def one_step_by_hand(answer):
    """f = 1/2, i = 3/4, g = 0.8 and o = 0.8 bring the cell from 2(ln 2 − 0.6) to ln 2, and the state to 0.48."""
    given, expected_h, expected_c = worked.one_step()
    h, c = read_step(answer, *given)
    close(c, expected_c, "the cell")
    close(h, expected_h, "the state")


@check("lstm_step", weight=2, hint="Compare the cell first. If it is right, only o and tanh are left.")
def it_is_a_step_of_the_librarys_lstm(answer):
    """With the same weights it gives the state and the cell of torch.nn.LSTM."""
    rng = seeded()
    inputs, params = step_inputs(rng, 4, 3, 5), gated_parameters(rng, 3, 5)
    close(read_step(answer, *inputs, params), LibraryLSTM([params]).step(*inputs), "the pair (h, c)", 1e-4, 1e-5)


@check("lstm_step", needs="it_is_a_step_of_the_librarys_lstm", hint="Does .detach(), numpy or c *= f cut the way?")
def the_gradient_finds_its_way_back(answer):
    """x, h and c are left as they were, and the gradients by them and all parameters are those of torch.nn.LSTM."""
    rng = seeded()
    inputs, params, upstream = step_inputs(rng, 2, 3, 4), gated_parameters(rng, 3, 4), numbers(rng, 2, 2, 4)
    *got, by_name = answer.gradients(*inputs, params, upstream=list(upstream))["arguments"]
    for name, mine, theirs in zip("xhc", got, LibraryLSTM([params]).gradients(inputs, upstream), strict=True):
        close(mine, theirs, f"the gradient by {name}", 1e-4, 1e-5, hint=told.of_gradient(mine, theirs))
    for name, theirs in LibraryLSTM([params]).gradients_of_a_step(inputs, upstream).items():
        mine = by_name[name]
        close(mine, theirs, f"the gradient by {name}", 1e-4, 1e-5, hint=told.of_gradient(mine, theirs))


@check("cell_jacobian", hint="Where neither gate nor proposal sees h, which single path from cell to cell is left?")
def without_the_state_only_the_forget_gate_is_left(answer):
    """If all U are zero, or o is, or the old cell is so large that its tanh is flat, ∂c_t/∂c_{t−1} is diag(f)."""
    x, c, o, params = gated.one_sequence(seeded(), 2, 3)
    deaf = {name: 0 * value if name[0] == "U" else value for name, value in params.items()}
    cases = ("U = 0", c, o, deaf), ("o = 0", c, 0 * o, params), ("a cell of 50", 0 * c + 50, o, params)
    for what, cell, gate, given in cases:
        expected = torch.diag(LibraryLSTM([given]).jacobian(x, cell, gate).diagonal())
        close(answer(x, cell, gate, given), expected, f"the Jacobian for {what}", 1e-6, 1e-9)


@check("cell_jacobian", weight=2, hint="Derive one gate on paper: by its σ or tanh, then by U h, then by h's own c.")
def each_path_through_the_state_is_there(answer):
    """If the state moves f alone, i alone, g alone or o alone, the matrix is what autograd finds in torch.nn.LSTM."""
    x, c, o, params = gated.one_sequence(seeded(), 2, 3)
    for path in GATES:
        given = {n: 0 * v if n[0] == "U" and n[2] != path else v for n, v in params.items()}
        expected = LibraryLSTM([given]).jacobian(x, c, o)
        close(answer(x, c, o, given), expected, f"the Jacobian with U_{path} alone", 1e-6, 1e-9)


@check("cell_jacobian", hint="Which factor belongs to rows, v[:, None] * U, and which to columns, U * v?")
def rows_are_what_is_moved_and_columns_what_moves_it(answer):
    """If unit 2 alone speaks, and only to the proposal of unit 0, one number off the diagonal is not zero: [0, 2]."""
    x, c, o, params = gated.one_sequence(seeded(), 2, 3)
    given = {n: 0 * v if n[0] == "U" else v for n, v in params.items()}
    given["U_g"][0, 2] = 2.0
    got, expected = floats(answer(x, c, o, given), (3, 3), "the Jacobian"), LibraryLSTM([given]).jacobian(x, c, o)
    gated_answers.off_the_diagonal(got, [(0, 2)])
    close(got[0, 2], expected[0, 2], "the one number off the diagonal, [0, 2]", 1e-6, 1e-9)


@check("cell_jacobian", weight=2, hint="Five numbers first: tanh c, h, f, i, g. Then f, and the three paths through h.")
def one_unit_by_hand(answer):
    """One unit with tanh c = 0.6, f = 3/4, i = 1/2 and g = 0.6: 3/4 + (3/16 ln 2 + 0.3 − 0.32) · 0.32."""
    given, expected = worked.one_jacobian()
    close(answer(*given), expected, "the Jacobian of one unit")


@check("cell_jacobian", weight=2, needs="one_unit_by_hand", hint="Differences are near it: derive each path instead.")
def it_is_the_formula_and_no_difference(answer):
    """It is right to the last digits that float64 has, as the formula is and differences of c_t are not."""
    gated_answers.exact_to_the_last_digits(answer, *gated.one_sequence(seeded(), 3, 4))


@check("forget_bias", weight=2, hint="torch adds the two: what must they sum to? Which quarter of i, f, g, o is f's?")
def the_sum_is_the_value_at_the_forget_gates(answer):
    """From biases of zeros, the sum of the two is the value in the second quarter."""
    for value in (1.0, 2.5):
        total = sum_of_biases(answer, torch.zeros(12), torch.zeros(12), value)
        close(total[3:6], torch.full((3,), value), "the sum of the two at the forget gates (entries 3 to 5)")


@check("forget_bias", hint="Add, or put in its place? And what does the other bias hold there?")
def what_stood_there_gives_way(answer):
    """Whatever the two biases that are given hold there, the sum at the forget gates is the value."""
    rng = seeded()
    for value in (1.0, 0.0):
        total = sum_of_biases(answer, numbers(rng, 12), numbers(rng, 12), value)
        close(total[3:6], torch.full((3,), value), "the sum of the two at the forget gates", 1e-5, 1e-6)


@check("forget_bias", hint="Three of four quarters, in both biases, are none of your business.")
def all_else_stays_in_both(answer):
    """The entries of i, g and o are what they were, in each of the two biases."""
    biases = torch.arange(1.0, 9.0), torch.arange(11.0, 19.0)
    for name, got, old in zip(("first", "second"), pair(answer(*biases, 1.0), "the result"), biases, strict=True):
        got = floats(got, (8,), f"the {name} bias")
        for gate, start in (("i", 0), ("g", 4), ("o", 6)):
            close(got[start : start + 2], old[start : start + 2], f"the entries of {gate} in the {name} bias")


@check("forget_bias", hint="Which gate does torch read from the entries H to 2H?")
def torchs_lstm_keeps_that_share_of_its_cell(answer):
    """With the two and no weights, torch's LSTM keeps σ(value) of its cell: 3/4 for ln 3, half for 0."""
    for value, share in ((LN3, 0.75), (0.0, 0.5)):
        kept = gated.kept_by(sum_of_biases(answer, torch.ones(20), torch.ones(20), value))
        close(kept, torch.full((5,), share), "the share of its cell that torch's LSTM keeps", 1e-4, 1e-5)


@check("lstm_forward", weight=2, hint="Compute c and h of both steps by hand: which h does the second step read?")
def two_steps_by_hand(answer):
    """One unit: its cell is ln 2 and then ln 2/2 + 0.6, and 0.8 tanh of each is an output."""
    given, expected, last_h, last_c = worked.two_steps()
    outputs, last = read_forward(answer, *given)
    close(outputs, expected, "the outputs")
    same_states(last, [(last_h, last_c)], "")


@check("lstm_forward", weight=2, hint="What does layer l read, and which layer's states come back as whose?")
def the_layers_are_those_of_the_librarys_lstm(answer):
    """One layer, and three of which each reads the outputs of the one below, are torch.nn.LSTM."""
    for depth in (1, 3):
        x, layers, states = gated.stack_of(seeded(), depth, 3, 5, 4, 4)
        (got, ends), (outputs, last) = read_forward(answer, x, layers, states), LibraryLSTM(layers)(x, states)
        same_states(ends, last, f"of {depth}")  # the lowest layer first: where it goes wrong is where to look
        close(got, outputs, f"the outputs of the last layer of {depth}", 1e-4, 1e-5)


@check("lstm_forward", hint="Which inputs may the output of step t depend on?")
def the_future_is_not_seen(answer):
    """Changing an input changes the outputs from its step on, and none before."""
    gated_answers.sees_no_future(answer, *gated.stack_of(seeded(), 2, 2, 6, 3, 4), step=3)


@check("lstm_forward", hint="Each row of the batch has an h and a c of its own, in each layer.")
def each_sequence_is_read_alone(answer):
    """What stands in the other rows of a batch changes nothing."""
    gated_answers.sequences_alone(answer, *gated.stack_of(seeded(), 2, 3, 4, 2, 4))


@check("lstm_forward", hint="What must be carried from one piece to the next, of each layer?")
def stopping_and_going_on_changes_nothing(answer):
    """Reading a text in two pieces, the states carried over, is reading it at once."""
    gated_answers.in_pieces(answer, *gated.stack_of(seeded(), 2, 2, 7, 3, 4), cuts=(3,))


@check(
    "lstm_forward",
    needs="two_steps_by_hand",
    hint="Which shape have the outputs, and which states come back?",
)
def no_steps_leave_the_states_as_they_were(answer):
    """With T = 0 the outputs have the shape (B, 0, H), and the states are those that were given."""
    x, layers, states = gated.stack_of(seeded(), 2, 2, 0, 3, 4)
    last = read_forward(answer, x, layers, states)[1]
    same_states(last, states, "after no steps", hint="Where does each state start, before any step?")


@check("lstm_forward", needs="the_layers_are_those_of_the_librarys_lstm", hint="No state may become a plain number.")
def the_gradient_lives_through_a_hundred_steps(answer):
    """What is read at the first step moves the output a hundred steps later as it does in torch.nn.LSTM."""
    what = "the gradient of the last output by x"
    gated_answers.gradient_arrives(answer, *gated.a_hundred_steps(seeded()), what, 1e-3, 1e-6)


@check("lstm_forward", needs="the_layers_are_those_of_the_librarys_lstm", hint="Which one is not read, or cut off?")
def every_number_of_every_layer_learns(answer):
    """In each layer 4H(H + D + 1) numbers have a gradient, that of torch.nn.LSTM: every U, W and b takes part."""
    x, layers, states = gated.stack_of(seeded(), 2, 2, 3, 2, 4, torch.float64)
    gated_answers.every_number_learns(answer, x, layers, states, numbers(seeded(), 2, 3, 4, dtype=torch.float64))


@check("repack", weight=2, hint="Cut the rows into four blocks of H. Where is the block of the first target letter?")
def blocks_keep_their_rows_together(answer):
    """From the order ifgo to figo the first two blocks of two rows each change places, whole."""
    old = torch.tensor([[1, 10], [2, 20], [3, 30], [4, 40], [5, 50], [6, 60], [7, 70], [8, 80]])
    close(answer(old, "ifgo", "figo"), old[[2, 3, 0, 1, 4, 5, 6, 7]], "the rows 1 2 | 3 4 | 5 6 | 7 8 in the new order")


@check("repack", weight=2, hint="Is your order that of the target in the source, or the other way round?")
def going_round_is_not_going_back(answer):
    """Where every block moves round: ifgo to fogi makes f, o, g, i of i, f, g, o, and not o, i, g, f."""
    i, f, g, o = blocks = tuple(torch.arange(4.0)[:, None, None] + torch.zeros(4, 1, 3))
    close(answer(torch.cat(blocks), "ifgo", "fogi"), torch.cat([f, o, g, i]), "i f g o of 0 1 2 3, put as f o g i")
    close(answer(torch.cat(blocks), "gfoi", "ifgo"), torch.cat([o, f, i, g]), "g f o i of 0 1 2 3, put as i f g o")


@check("repack", hint="Which of the two orders says what `packed` is now? Neither needs to be torch's.")
def there_and_back_again_is_where_it_was(answer):
    """A bias or weights packed in another order, and then as before, are as they were."""
    rng = seeded()
    for shape in ((20,), (20, 3)):
        old, order = numbers(rng, *shape), "".join(rng.sample(GATES, 4))
        other = order[1:] + order[:1]
        there = floats(answer(old, order, other), shape, "what is packed anew")
        holds(not torch.equal(there, old), f"from the order {order} to {other} nothing moved")
        close(answer(there, other, order), old, f"what went from {order} to {other} and back")


@check("repack", needs="going_round_is_not_going_back", hint="torch packs i, f, g, o.")
def torchs_lstm_takes_what_is_packed_anew(answer):
    """U, W and b packed as f, o, g, i become the weights of torch.nn.LSTM, rows and all."""
    params = gated_parameters(seeded(), 2, 5)
    for kind in "UWb":
        got = answer(gated.packed(params, kind, "fogi"), "fogi", "ifgo")
        close(got, gated.packed(params, kind), f"{kind} of all gates in torch's order")


@check("gru_step", weight=2, hint="z chooses between h and n, r stands inside n alone. Which of z and 1 − z keeps h?")
def z_keeps_the_state_or_replaces_it(answer):
    """Where z is 1 the state stays exactly as it was, and where z is 0 it is n, here tanh(ln 2) = 0.6."""
    params = biases_alone(1, r=[0.0] * 2, z=[OPEN, SHUT], n=[LN2] * 2) | {"d_n": torch.zeros(2)}
    h = torch.tensor([[0.25, 0.25], [-0.5, -0.5]])
    close(answer(torch.ones(2, 1), h, params), torch.tensor([[0.25, 0.6], [-0.5, 0.6]]), "the new state", 0, 1e-6)


@check("gru_step", weight=2, hint="r multiplies U_n h + d_n as a whole, number by number, and nothing else.")
def r_lets_the_old_state_speak_or_not(answer):
    """Where r is 0 the proposal is tanh(W_n x + b_n); where r is 1, U_n h + d_n is added inside."""
    given, expected = worked.reset_or_not()
    close(answer(*given), expected, "the new state")


@check("gru_step", hint="Read the letter after each underscore. U or its transpose? Which vector for which?")
def each_gate_of_it_reads_its_own_parameters(answer):
    """If one U, W or b alone is not zero beside d_n, and if all are not, the state is that of torch.nn.GRU."""
    rng = seeded()
    (x, h, _), params = step_inputs(rng, 2, 3, 3), gated.gru_parameters(rng, 3, 3)
    for own in params:
        given = {name: value if name in (own, "d_n") else 0 * value for name, value in params.items()}
        expected = gated.library_gru(given, x, h)
        close(answer(x, h, given), expected, f"the new state where {own} and d_n alone speak", 1e-4, 1e-5)
    close(answer(x, h, params), gated.library_gru(params, x, h), "the new state where all speak", 1e-4, 1e-5)


@check("gru_step", hint="First r and z, then U_n h + d_n, then n, then h'.")
def one_unit_of_it_by_hand(answer):
    """r = 3/4, z = 1/2 and n = 0.6 bring the state from 0.5 to 0.55."""
    params = biases_alone(1, torch.float64, r=[LN3], z=[0.0], n=[LN2 - 1.5]) | {"U_n": exact([2]), "d_n": exact(1)}
    close(answer(exact([1]), exact([0.5]), params), exact([0.55]), "the new state")  # ln 2 − 1.5 + 3/4 · (2 · 0.5 + 1)


@check("exchanged_gates", weight=2, hint="Try lstm_step with each of six pairs. Last bits may differ: torch.allclose.")
def every_pair_is_found(answer):
    """Whichever two of f, i, g and o were exchanged, they are named, in that order."""
    params = gated_parameters(seeded(), 3, 4)
    for gates in gated.PAIRS:
        finds(answer, params, gates)


@check("exchanged_gates", hint="Two ways of adding the same numbers differ in the last bits: torch.allclose.")
def a_sound_net_is_not_suspected(answer):
    """A net loaded well is answered with "", and beside it one with i and g exchanged is found out."""
    params = gated_parameters(seeded(), 4, 4)
    for gates in ("", "ig"):
        finds(answer, params, gates)


@check("exchanged_gates", hint="If one of h and c says nothing, does the other one?")
def state_and_cell_are_both_looked_at(answer):
    """Where o is always 0 the cell alone tells f from i; where g is always 0 the state alone tells i from o."""
    params = gated_parameters(seeded(), 3, 4)
    finds(answer, params | biases_alone(3, o=[SHUT] * 4), "fi", "whose o is always 0, ")
    finds(answer, params | biases_alone(3, g=[0.0] * 4), "io", "whose g is always 0, ")


@check("exchanged_gates", hint="What must x, h and c be for all of U, W and b to speak? Not zeros, and not too large.")
def a_net_without_biases_is_read_too(answer):
    """Where all b are zero, as at many a start, the pair is found by what x, h and c bring about."""
    params = gated_parameters(seeded(), 2, 3)
    params |= {name: 0 * value for name, value in params.items() if name[0] == "b"}
    for gates in ("fi", "fo"):
        finds(answer, params, gates, "without biases, ")
