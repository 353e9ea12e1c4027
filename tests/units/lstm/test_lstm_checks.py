"""The checks of unit 3: the library's gated nets, the net that 3.9 asks, and how answers are read.

What all units share is in `test_verify_units.py`.
"""

import itertools
import random
import re

import pytest
import torch
from unrolled.checking import LocalAnswer, Mismatch, registry, run, table
from unrolled.checking.registry import checks_of, forbidden
from unrolled.checks.helpers import gated
from unrolled.checks.helpers.gated_answers import (
    loaded_step,
    read_forward,
    read_gates,
    read_step,
    rows_alone,
    sum_of_biases,
)
from unrolled.checks.helpers.recurrent import exact, numbers

import autograder.hidden.lstm  # noqa: F401  (registers the hidden checks)
from autograder import specimens

UNIT = ("soft_write", "lstm_gates", "lstm_step", "cell_jacobian", "forget_bias", "lstm_forward", "repack")
UNIT += ("gru_step", "exchanged_gates")


def step_of(x, h, c, p):
    """The formulas of the text, for these tests alone."""
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def pair_of(step, params, rows=8):
    """A right answer to 3.9 for nets of random inputs."""
    hidden, width = params["W_f"].shape
    x, h, c = (torch.randn(rows, size, dtype=params["W_f"].dtype) for size in (width, hidden, hidden))
    found = step(x, h, c)
    for gates in ("", *gated.PAIRS):
        expected = step_of(x, h, c, gated.exchanged(params, gates))
        if all(torch.allclose(a, b, atol=1e-5) for a, b in zip(found, expected, strict=True)):
            return gates
    return None


# --- the checks as a whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", UNIT)
def test_each_exercise_has_four_to_eight_public_checks(exercise):
    public = [check for check in checks_of(exercise) if not check.hidden]
    assert 4 <= len(public) <= 8
    assert all(check.hint.endswith((".", "?", "!")) for check in public)


def test_inputs_drawn_anew_refuse_no_right_answer(monkeypatch):
    for seed in range(10):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
        assert run("exchanged_gates", LocalAnswer(pair_of)).all_held, seed
        assert run("lstm_step", LocalAnswer(step_of)).all_held, seed


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's own, inside jacfwd
@pytest.mark.parametrize(
    ("exercise", "name", "called"),
    [
        ("lstm_step", "librarys_cell", "LSTMCell"),
        ("lstm_step", "librarys_routine", "lstm_cell"),
        ("cell_jacobian", "by_autograd", "grad"),
        ("cell_jacobian", "by_functional_autograd", "grad"),
        ("cell_jacobian", "by_forward_mode", "jacfwd"),
        ("lstm_forward", "librarys_lstm", "LSTM"),
        ("gru_step", "librarys_cell", "GRUCell"),
        ("gru_step", "librarys_routine", "gru_cell"),
    ],
)
def test_a_short_cut_is_named_whatever_else_it_does(exercise, name, called):
    (cheat,) = (specimen for specimen in specimens.load("lstm", exercise) if specimen.name == name)
    space = {"__name__": "__main__"}
    exec(cheat.source, space)
    report = run(exercise, LocalAnswer(space[exercise], forbidden(exercise)))
    assert report.earned == 0
    message = report.checks[0].message
    assert "write it yourself" in message and called in message


def test_a_diagnosis_may_use_the_librarys_net():
    """3.9 asks which two were exchanged, not for a step of one's own; 3.3 asks for the step."""
    assert not {torch.nn.LSTM, torch.nn.LSTMCell} & set(forbidden("exchanged_gates"))
    assert torch.nn.LSTM in forbidden("lstm_step") and torch.nn.LSTM in forbidden("lstm_forward")


# --- what the checks say ---------------------------------------------------------------------------------------------


def specimen(exercise, name):
    (found,) = (one for one in specimens.load("lstm", exercise) if one.name == name)
    space = {"__name__": "__main__"}
    exec(found.source, space)
    return LocalAnswer(space[exercise], forbidden(exercise))


def public(exercise, answer):
    """What students see of each public check, by its name: the lines below those that do not hold."""
    checks = run(exercise, answer).to_dict()["checks"]
    return {one["name"]: table.details(one) for one in checks if not one["hidden"]}


def test_a_gate_without_a_gradient_is_not_what_was_asked_for():
    told = public("soft_write", specimen("soft_write", "a_gate_without_a_gradient"))
    wrong = {name: lines for name, lines in told.items() if lines}
    assert list(wrong) == ["the_gate_can_be_learnt"]
    assert wrong["the_gate_can_be_learnt"][0] == "the gradient by b: missing"
    assert ".tolist()" in wrong["the_gate_can_be_learnt"][-1]


@pytest.mark.parametrize("name", ["by_small_differences", "by_finer_differences", "by_differences_forwards"])
@pytest.mark.parametrize("seed", range(5))
def test_differences_are_no_formula_and_are_named(name, seed, monkeypatch):
    monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
    message, hint = public("cell_jacobian", specimen("cell_jacobian", name))["it_is_the_formula_and_no_difference"]
    assert "as by differences" in message and "Differences" in hint


def test_a_formula_is_not_taken_for_differences_on_any_seed(monkeypatch):
    right = [one.name for one in specimens.load("lstm", "cell_jacobian") if one.kind == "right"]
    for seed in range(20):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
        for name in right:
            assert run("cell_jacobian", specimen("cell_jacobian", name)).all_held, (seed, name)


def test_who_compares_bit_by_bit_is_told_of_rounding():
    told = public("exchanged_gates", specimen("exchanged_gates", "equal_to_the_last_bit"))
    message, values, hint = told["every_pair_is_found"]
    assert message == "the answer for a net with f and i exchanged: none"
    assert "did none of the seven fit?" in values and "torch.allclose" in hint


def test_a_pair_turned_round_is_told_its_order_and_nothing_else():
    for lines in public("lstm_step", specimen("lstm_step", "h_and_c_exchanged")).values():
        assert lines == ["It builds on a property above that does not hold yet."] or (
            len(lines) == 1 and "h comes first, then c" in lines[0]
        )


def test_states_turned_round_are_told_their_order():
    def forward(x, layers, states):
        outputs, last = gated.LibraryLSTM(layers)(x, states) if x.shape[1] else (x.new_zeros(len(x), 0, 4), states)
        return outputs, [(c, h) for h, c in last]

    told = public("lstm_forward", LocalAnswer(forward))
    assert told["two_steps_by_hand"] == ["h and c of the last states are exchanged: h comes first, then c"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a_gate_that_is_not_trained", "in layer 0 only 84 of the 4H(H + D + 1) = 112 numbers have a gradient"),
        ("one_layer_is_not_trained", "in layer 0 only 0 of the 4H(H + D + 1) = 112 numbers have a gradient"),
    ],
)
def test_each_number_of_a_layer_is_counted(name, says):
    told = public("lstm_forward", specimen("lstm_forward", name))
    assert [check for check, lines in told.items() if lines] == ["every_number_of_every_layer_learns"]
    assert told["every_number_of_every_layer_learns"][0] == says


def test_the_number_of_parameters_is_that_of_the_text():
    """H = 5 and D = 2: 4 · 5 · (5 + 2 + 1) = 160 in the first layer, 4 · 5 · 11 = 220 in the second."""
    x, layers, states = gated.stack_of(random.Random(10), 2, 2, 3, 2, 5, torch.float64)
    found = gated.LibraryLSTM(layers).gradients_by_parameters(x, states, numbers(random.Random(11), 2, 3, 5))
    assert [sum(int(one.count_nonzero()) for one in layer.values()) for layer in found] == [160, 220]
    assert all(found[k][name].shape == value.shape for k, layer in enumerate(layers) for name, value in layer.items())


def test_a_matrix_times_rows_gets_the_hint_for_it():
    def soft_write(old, new, x, h, params):
        w = torch.sigmoid(params["U"] @ h + params["W"] @ x + params["b"])
        return w * new + (1 - w) * old

    told = [lines for lines in public("soft_write", LocalAnswer(soft_write)).values() if len(lines) > 1]
    assert len(told) >= 3 and all("x @ M.T" in lines[-1] for lines in told)


def test_a_jacobian_by_autograd_is_called_so():
    message, *_ = public("cell_jacobian", specimen("cell_jacobian", "by_autograd")).values()
    assert message[0].startswith("the answer calls autograd (")


def test_both_gates_of_a_gru_are_in_the_first_hint():
    first = next(iter(public("gru_step", specimen("gru_step", "r_and_z_exchanged")).values()))
    assert re.search(r"\bz\b.*\br\b", first[-1])


# --- the library's nets ----------------------------------------------------------------------------------------------


def test_the_librarys_lstm_computes_the_formula_in_each_layer():
    x, layers, states = gated.stack_of(random.Random(0), 2, 3, 4, 2, 5, torch.float64)
    outputs, last = gated.LibraryLSTM(layers)(x, states)
    for params, (h, c), (end_h, end_c) in zip(layers, states, last, strict=True):
        below = []
        for t in range(4):
            h, c = step_of(x[:, t], h, c, params)
            below.append(h)
        x = torch.stack(below, dim=1)
        assert torch.allclose(h, end_h) and torch.allclose(c, end_c)
    assert torch.allclose(x, outputs)


def test_the_librarys_gru_computes_the_formula():
    """r = σ(0) = 1/2, z = σ(0) = 1/2, n = tanh(0.25 + (2 · 0.5 + 0.5)/2) = tanh(1), h' = (tanh(1) + 0.5)/2."""
    params = gated.biases_alone(1, torch.float64, r=[0.0], z=[0.0], n=[0.25]) | {"U_n": exact([2]), "d_n": exact(0.5)}
    after = gated.library_gru(params, exact([7]), exact([0.5]))
    assert torch.allclose(after, (torch.tanh(exact([1])) + 0.5) / 2)


def test_autograd_and_finite_differences_agree():
    x, c, o, params = gated.one_sequence(random.Random(1), 2, 4)
    net = gated.LibraryLSTM([params])
    assert torch.allclose(net.slopes(x, c, o), net.jacobian(x, c, o), rtol=1e-6, atol=1e-9)
    f = torch.sigmoid(params["U_f"] @ (o * c.tanh()) + params["W_f"] @ x + params["b_f"])
    assert not torch.allclose(net.jacobian(x, c, o), torch.diag(f), atol=1e-3)  # the paths through h are there


def test_the_gradient_by_inputs_reaches_the_first_of_a_hundred_steps():
    """Else 3.6 would hold an answer to a gradient of nothing."""
    x, (layer,), states = gated.stack_of(random.Random(2), 1, 2, 100, 3, 4)
    upstream = torch.zeros(2, 100, 4)
    upstream[:, -1] = 1
    long = gated.LibraryLSTM([gated.long_memory(layer)]).gradient_by_inputs(x, states, upstream)
    short = gated.LibraryLSTM([layer]).gradient_by_inputs(x, states, upstream)
    assert long[:, 0].abs().max() > 1e-3 > 1e-6 > short[:, 0].abs().max()


def test_what_is_kept_is_the_sigmoid_of_the_second_quarter():
    bias = torch.tensor([9.0, -2.0, 5.0, 0.5])
    assert torch.allclose(gated.kept_by(bias), torch.sigmoid(torch.tensor([-2.0])), atol=1e-6)


def test_one_voice_alone_brings_ln_3_to_the_first_unit():
    for _, x, h, params in gated.one_voice():
        assert torch.allclose(h @ params["U"].T + x @ params["W"].T + params["b"], exact([3, 1]).log())


def test_exchanging_changes_two_gates_whole_and_twice_is_not_at_all():
    params = gated.gated_parameters(random.Random(3), 2, 3)
    mixed = gated.exchanged(params, "fo")
    for kind in "UWb":
        assert torch.equal(mixed[f"{kind}_f"], params[f"{kind}_o"]) and torch.equal(
            mixed[f"{kind}_o"], params[f"{kind}_f"]
        )
        assert torch.equal(mixed[f"{kind}_i"], params[f"{kind}_i"])
    again = gated.exchanged(mixed, "of")
    assert all(torch.equal(again[name], params[name]) for name in params)


# --- the net of 3.9 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gates", ["", *gated.PAIRS])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_loaded_step_is_that_of_the_exchanged_parameters(gates, dtype):
    params = gated.gated_parameters(random.Random(4), 3, 2)
    inputs = gated.step_inputs(random.Random(5), 4, 3, 2, dtype)
    mixed = {name: value.to(dtype) for name, value in gated.exchanged(params, gates).items()}
    for got, expected in zip(loaded_step(params, gates)(*inputs), step_of(*inputs, mixed), strict=True):
        assert torch.allclose(got, expected, atol=1e-6) and not got.requires_grad


ROW, STATE = torch.zeros(2, 3), torch.zeros(2, 4)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((None, STATE, STATE), "as x: it takes x of shape"),
        (([[0.0] * 3], STATE, STATE), "as x: it takes x of shape"),
        ((ROW[0], STATE[0], STATE[0]), r"shape \(3,\) and dtype float32 as x"),
        ((STATE, ROW, STATE), r"shape \(2, 4\) and dtype float32 as x"),
        ((ROW, ROW, STATE), r"shape \(2, 3\) and dtype float32 as h"),
        ((ROW, STATE, (STATE, STATE)), "a tuple of 2 items as c"),
        ((ROW.int(), STATE, STATE), "dtype int32 as x"),
        ((ROW[:0], STATE[:0], STATE[:0]), r"shape \(0, 3\)"),
        ((ROW, STATE.to_sparse(), STATE), "as h: it takes"),
        ((ROW, STATE, STATE.to("meta")), "as c: it takes"),
        ((ROW, STATE[:1], STATE), "2, 1 and 2 rows"),
        ((ROW, STATE.double(), STATE), "different dtypes"),
    ],
)
def test_a_step_that_is_called_badly_says_so(given, says):
    step = loaded_step(gated.gated_parameters(random.Random(6), 3, 4), "fo")
    with pytest.raises(Mismatch, match=says):
        step(*given)
    outcomes = {
        check.outcome for check in run("exchanged_gates", LocalAnswer(lambda step, params: step(*given))).checks
    }
    assert outcomes <= {"failed", "skipped"}


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_step_with_another_number_of_arguments_breaks_no_check(count):
    outcomes = {
        c.outcome for c in run("exchanged_gates", LocalAnswer(lambda step, params: step(*[ROW] * count))).checks
    }
    assert outcomes <= {"failed", "skipped"}


def test_each_pair_can_be_told_apart_where_the_checks_ask_for_it():
    """No two of the nets are alike on random inputs, even where o or g is always 0."""
    params = gated.gated_parameters(random.Random(7), 2, 5)
    for given, pairs in (
        (params, ("", *gated.PAIRS)),
        (params | gated.biases_alone(2, o=[gated.SHUT] * 5), ("", "fi", "fg", "ig", "fo", "io", "go")),
        (params | gated.biases_alone(2, g=[0.0] * 5), ("", "fo", "io", "fi")),
    ):
        inputs = gated.step_inputs(random.Random(8), 8, 2, 5)
        nets = [torch.cat(loaded_step(given, gates)(*inputs)) for gates in pairs]
        for one, other in itertools.combinations(nets, 2):
            assert (one - other).abs().max() > 1e-3


# --- reading what answers return -------------------------------------------------------------------------------------


def returning(value):
    return LocalAnswer(lambda *arguments: value)


@pytest.mark.parametrize("value", [None, {}, [], torch.ones(3), torch.ones(2, 3), {"f": None}, (torch.ones(3, 2), 1)])
def test_rows_are_rows_of_tensors_with_a_row_each(value):
    with pytest.raises(Mismatch, match="it: of the wrong (kind|shape)$"):
        rows_alone(returning(value), (torch.ones(3, 2),), {}, "it")


def test_rows_that_depend_on_each_other_are_noticed():
    x = numbers(random.Random(9), 3, 2)
    rows_alone(LocalAnswer(lambda x, params: {"a": (x, [2 * x])}), (x,), {}, "it")
    with pytest.raises(Mismatch, match="it of a row alone"):
        rows_alone(LocalAnswer(lambda x, params: {"a": (x, [x + x.mean(0)])}), (x,), {}, "it")


STATES = [(STATE, STATE)] * 2


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((torch.zeros(2, 5, 3), STATES), "the outputs: of the wrong shape"),
        ((torch.zeros(2, 5, 4), (STATE, STATE, STATE)), "the last states: of the wrong kind"),
        ((torch.zeros(2, 5, 4), STATE), "the last states: of the wrong kind"),
        ((torch.zeros(2, 5, 4), [(STATE, STATE), STATE]), "the last state of layer 1: of the wrong kind"),
        ((torch.zeros(2, 5, 4), [(STATE, ROW), (STATE, STATE)]), "the last c of layer 0: of the wrong shape"),
    ],
)
def test_a_forward_pass_is_held_to_its_form(value, says):
    with pytest.raises(Mismatch, match=says):
        read_forward(returning(value), torch.zeros(2, 5, 3), [{}, {}], STATES)


def test_a_step_is_a_pair_of_states_and_gates_are_four_by_name():
    for value in (STATE, (STATE, ROW), (ROW, STATE), (STATE,)):
        with pytest.raises(Mismatch):
            read_step(returning(value), ROW, STATE, STATE, {})
    for value in ([STATE] * 4, dict.fromkeys("fig", STATE), dict.fromkeys("figo", ROW)):
        with pytest.raises(Mismatch):
            read_gates(returning(value), ROW, STATE, {})
    with pytest.raises(Mismatch, match="the second of the two biases"):
        sum_of_biases(returning((torch.zeros(4), torch.zeros(3))), torch.zeros(4), torch.zeros(4), 1.0)
