"""The checks of unit 3: the library's gated nets, the net that 3.9 asks, and how answers are read.

What all units share is in `test_unit_checks.py`.
"""

import itertools
import random

import pytest
import torch
from unrolled.checking import LocalAnswer, Mismatch, gated, registry, run
from unrolled.checking.recurrent import exact, numbers
from unrolled.checking.registry import checks_of, forbidden

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
    """A right answer to 3.9 for float32 nets of random inputs."""
    hidden, width = params["W_f"].shape
    x, h, c = (torch.randn(rows, size) for size in (width, hidden, hidden))
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
        ("soft_write", "calls_the_finished_model", "lstm.LSTMCell"),
        ("lstm_gates", "calls_the_finished_model", "lstm.LSTMCell"),
        ("lstm_step", "librarys_cell", "LSTMCell"),
        ("lstm_step", "librarys_routine", "lstm_cell"),
        ("cell_jacobian", "by_autograd", "grad"),
        ("cell_jacobian", "by_functional_autograd", "grad"),
        ("cell_jacobian", "by_forward_mode", "jacfwd"),
        ("forget_bias", "calls_the_finished_model", "lstm.LSTMCell"),
        ("lstm_forward", "librarys_lstm", "LSTM"),
        ("lstm_forward", "calls_the_finished_model", "lstm.LSTMCell"),
        ("repack", "calls_the_finished_model", "lstm.LSTMCell"),
        ("gru_step", "librarys_cell", "GRUCell"),
        ("gru_step", "librarys_routine", "gru_cell"),
        ("gru_step", "calls_the_finished_model", "gru.GRUCell"),
        ("exchanged_gates", "calls_the_finished_model", "lstm.LSTMCell"),
    ],
)
def test_a_short_cut_is_named_whatever_else_it_does(exercise, name, called):
    (cheat,) = (specimen for specimen in specimens.load("lstm", exercise) if specimen.name == name)
    space = {"__name__": "__main__"}
    exec(cheat.source, space)
    report = run(exercise, LocalAnswer(space[exercise], forbidden(exercise)))
    assert report.earned == 0
    message = report.checks[0].message
    assert "the finished implementation" in message and called in message


def test_a_diagnosis_may_use_the_librarys_net():
    """3.9 asks which two were exchanged, not for a step of one's own; 3.3 asks for the step."""
    assert forbidden("exchanged_gates") == ()
    assert torch.nn.LSTM in forbidden("lstm_step") and torch.nn.LSTM in forbidden("lstm_forward")


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
    for got, expected in zip(gated.loaded_step(params, gates)(*inputs), step_of(*inputs, mixed), strict=True):
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
    step = gated.loaded_step(gated.gated_parameters(random.Random(6), 3, 4), "fo")
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
        nets = [torch.cat(gated.loaded_step(given, gates)(*inputs)) for gates in pairs]
        for one, other in itertools.combinations(nets, 2):
            assert (one - other).abs().max() > 1e-3


# --- reading what answers return -------------------------------------------------------------------------------------


def returning(value):
    return LocalAnswer(lambda *arguments: value)


@pytest.mark.parametrize("value", [None, {}, [], torch.ones(3), torch.ones(2, 3), {"f": None}, (torch.ones(3, 2), 1)])
def test_rows_are_rows_of_tensors_with_a_row_each(value):
    with pytest.raises(Mismatch, match="it: of the wrong kind"):
        gated.rows_alone(returning(value), (torch.ones(3, 2),), {}, "it")


def test_rows_that_depend_on_each_other_are_noticed():
    x = numbers(random.Random(9), 3, 2)
    gated.rows_alone(LocalAnswer(lambda x, params: {"a": (x, [2 * x])}), (x,), {}, "it")
    with pytest.raises(Mismatch, match="it of a row alone"):
        gated.rows_alone(LocalAnswer(lambda x, params: {"a": (x, [x + x.mean(0)])}), (x,), {}, "it")


STATES = [(STATE, STATE)] * 2


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ((torch.zeros(2, 5, 3), STATES), "the outputs: of the wrong kind"),
        ((torch.zeros(2, 5, 4), (STATE, STATE, STATE)), "the last states are of the wrong kind"),
        ((torch.zeros(2, 5, 4), STATE), "the last states are of the wrong kind"),
        ((torch.zeros(2, 5, 4), [(STATE, STATE), STATE]), "the last state of layer 1: of the wrong kind"),
        ((torch.zeros(2, 5, 4), [(STATE, ROW), (STATE, STATE)]), "the last c of layer 0: of the wrong kind"),
    ],
)
def test_a_forward_pass_is_held_to_its_form(value, says):
    with pytest.raises(Mismatch, match=says):
        gated.read_forward(returning(value), torch.zeros(2, 5, 3), [{}, {}], STATES)


def test_a_step_is_a_pair_of_states_and_gates_are_four_by_name():
    for value in (STATE, (STATE, ROW), (ROW, STATE), (STATE,)):
        with pytest.raises(Mismatch):
            gated.read_step(returning(value), ROW, STATE, STATE, {})
    for value in ([STATE] * 4, dict.fromkeys("fig", STATE), dict.fromkeys("figo", ROW)):
        with pytest.raises(Mismatch):
            gated.read_gates(returning(value), ROW, STATE, {})
    with pytest.raises(Mismatch, match="the second of the two biases"):
        gated.sum_of_biases(returning((torch.zeros(4), torch.zeros(3))), torch.zeros(4), torch.zeros(4), 1.0)
