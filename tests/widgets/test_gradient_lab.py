"""The gradient laboratory without a browser: its Python side against autograd, and its JavaScript against Python."""

import base64
import itertools
import json

import numpy as np
import pytest
import torch
from unrolled.widgets.gradient_lab import GradientLab, flow, spectral_radius
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("elman_rnn")

FUNCTIONS = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda a: a}
KINDS = list(itertools.product(FUNCTIONS, ("plain", "orthogonal")))


def autograd(lab: GradientLab) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States (T+1, H), ∂L/∂h_t (T+1, H) and ∂L/∂U (H, H) of the net that the laboratory sends, by torch."""
    first, reader = (torch.from_numpy(np.frombuffer(b, "<f4").astype(float)) for b in (lab.first, lab.reader))
    U = torch.from_numpy(lab.U).requires_grad_()
    states = [first.requires_grad_()]
    for x_t in torch.from_numpy(lab.x):
        states.append(FUNCTIONS[lab.nonlinearity](U @ states[-1] + x_t))
        states[-1].retain_grad()
    (reader @ states[-1]).backward()
    stacked = [torch.stack(list(rows)).detach().numpy() for rows in (states, (h.grad for h in states))]
    return *stacked, U.grad.numpy()


# --- the numbers


@pytest.mark.parametrize(("nonlinearity", "start"), KINDS)
@pytest.mark.parametrize("radius", [0.5, 1.1])
def test_the_way_back_is_autograds(radius, nonlinearity, start):
    lab = GradientLab(radius, 40, nonlinearity, hidden=12, seed=3, start=start, loudness=0.7)
    states, gradients, dU = autograd(lab)
    curves = lab.curves()
    np.testing.assert_allclose(curves.state, np.linalg.norm(states, axis=1), rtol=1e-10)
    np.testing.assert_allclose(curves.gradient, np.linalg.norm(gradients, axis=1), rtol=1e-10)
    assert curves.dU == pytest.approx(np.linalg.norm(dU), rel=1e-10)


def test_flow_by_hand():
    # H = 1, U = 2, x = (1, 1), h_0 = 1, L = h_2. Linear: h = 1, 3, 7; back 1, 2, 4; ∂L/∂U = h_1 + 2 h_0 = 5.
    U, x, one = np.full((1, 1), 2.0), np.ones((2, 1)), np.ones(1)
    states, gradients, shares = flow(U, x, one, one, "linear")
    assert states.ravel().tolist() == [1, 3, 7]
    assert gradients.ravel().tolist() == [4, 2, 1]
    assert shares.ravel().tolist() == [2, 3]  # step 1 adds 2 · h_0, step 2 adds 1 · h_1
    _, gradients, shares = flow(U, -9 * x, one, one, "relu")  # h_1 = max(2 − 9, 0) = 0: the way back is closed
    assert gradients.ravel().tolist() == [0, 0, 1]
    assert shares.ravel().tolist() == [0, 0]


@pytest.mark.parametrize("start", ["plain", "orthogonal"])
@pytest.mark.parametrize("hidden", [2, 32, 128])
def test_the_radius_is_the_true_one(hidden, start):
    lab = GradientLab(radius=0.7, hidden=hidden, start=start, seed=1)
    assert spectral_radius(lab.U) == pytest.approx(0.7, rel=1e-5)
    if start == "orthogonal":
        np.testing.assert_allclose(lab.U @ lab.U.T, 0.49 * np.eye(hidden), atol=1e-6)


@pytest.mark.parametrize("radius", [0.5, 1.0, 1.7])
def test_an_orthogonal_linear_net_follows_the_straight_line(radius):
    curves = GradientLab(radius, 60, "linear", start="orthogonal").curves()
    np.testing.assert_allclose(curves.gradient, curves.reference, rtol=1e-4)
    assert curves.reference[0] == pytest.approx(radius**60)


def test_louder_input_saturates_tanh_and_the_gradient_vanishes_faster():
    quiet, loud = (GradientLab(1.0, loudness=loudness, start="orthogonal").curves() for loudness in (0.1, 2.0))
    assert loud.slope.mean() < quiet.slope.mean() < 1
    assert loud.gradient[0] < 1e-6 * quiet.gradient[0]


def test_clipping_shortens_the_gradient_of_u_and_leaves_the_way_back():
    lab = GradientLab(1.5, 30, "linear")
    free = lab.curves()
    lab.clip = 2.0
    clipped = lab.curves()
    assert free.clipped == free.dU > 2.0 == clipped.clipped
    np.testing.assert_array_equal(clipped.gradient, free.gradient)
    assert clipped.dU == free.dU
    lab.clip = 2 * free.dU
    assert lab.curves().clipped == free.dU


def test_a_share_is_what_a_step_adds():
    lab = GradientLab(0.9, 20, hidden=5)
    _, _, shares = flow(lab.U, lab.x, lab._drawn["first"], lab._drawn["reader"], "tanh")
    np.testing.assert_allclose(lab.curves().share, [np.linalg.norm(share) for share in shares])
    np.testing.assert_allclose(shares.sum(0), autograd(lab)[2], rtol=1e-10)


@pytest.mark.parametrize(("nonlinearity", "start"), KINDS)
def test_the_wildest_setting_stays_finite(nonlinearity, start):
    curves = GradientLab(2.0, 200, nonlinearity, hidden=128, loudness=3.0, start=start).curves()
    assert all(np.isfinite(values).all() for values in vars(curves).values())


def test_the_seed_decides():
    one, again, other = (GradientLab(seed=seed) for seed in (1, 1, 2))
    names = ("plain", "orthogonal", "inputs", "first", "reader")
    assert all(getattr(one, name) == getattr(again, name) for name in names)
    assert all(getattr(one, name) != getattr(other, name) for name in names)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (dict(radius=2.5), "radius is 2.5: it must be from 0.2 to 2"),
        (dict(radius=float("nan")), "radius is nan"),
        (dict(radius="big"), "radius is 'big'"),
        (dict(length=9), "length is 9: it must be from 10 to 200"),
        (dict(length=20.5), "length is 20.5"),
        (dict(nonlinearity="ReLU"), "nonlinearity is 'ReLU': it must be 'tanh', 'relu' or 'linear'"),
        (dict(start="identity"), "start is 'identity'"),
        (dict(loudness=-0.1), "loudness is -0.1"),
        (dict(clip=0.0), "clip is 0.0: it must be None or a limit above 0"),
        (dict(step=201), "step is 201"),
        (dict(hidden=1), "hidden is 1: it must be an integer from 2 to 128"),
        (dict(seed=-1), "seed is -1"),
        (dict(colour="red"), "there is no 'colour'"),
    ],
)
def test_bad_input_gets_one_line(arguments, says):
    with pytest.raises(ValueError) as error:
        GradientLab(**arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the table beside the view


def test_the_table_goes_the_way_of_the_gradient():
    lab = GradientLab(0.9, 50, clip=1.0)
    data, _ = lab._repr_mimebundle_()
    table, curves = Table(data["text/html"]), lab.curves()
    head, *rows = table.rows
    assert head == ["step t", "‖h_t‖", "‖∂L/∂h_t‖", "0.9^(T−t)"]
    assert [int(row[0]) for row in rows] == list(range(50, -1, -5))
    for t, *figures in rows:
        numbers = [curve[int(t)] for curve in (curves.state, curves.gradient, curves.reference)]
        assert figures == [f"{number:.3g}" for number in numbers]
    assert f"‖∂L/∂U‖ is {curves.dU:.3g}, 1 after clipping" in table.caption
    assert f"{curves.gradient[0]:.3g} arrives at step 0" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


# --- what unit 2 tells of it


def arrives(radius, **settings):
    return GradientLab(radius=radius, length=50, **settings).curves().gradient[0]


@pytest.mark.parametrize(
    ("start", "loudness", "radius"),
    [("plain", 0.1, 1.1), ("plain", 0.3, 1.5), ("orthogonal", 0.1, 1.13), ("orthogonal", 0.3, 1.33)],
)
def test_the_radius_that_balances_the_tanh(start, loudness, radius):
    """The gradient neither vanishes nor explodes there, and falls below a tenth at a radius that is less by 0.15."""
    assert 0.5 < arrives(radius, start=start, loudness=loudness) < 2
    assert arrives(radius - 0.15, start=start, loudness=loudness) < 0.1


def test_a_quiet_input_leaves_the_state_room_to_flatten_the_tanh():
    radii = np.arange(1.1, 1.76, 0.05)
    assert max(arrives(float(radius), loudness=0.1) for radius in radii) < 10 < arrives(1.8, loudness=0.1)
    near, far = (GradientLab(radius=radius, length=50, loudness=0.1).curves() for radius in (1.1, 1.75))
    assert far.state[25:].mean() > 2 * near.state[25:].mean() and far.slope.mean() < near.slope.mean() - 0.2


def test_a_loud_input_has_no_balance_but_with_an_orthogonal_start():
    radii = [float(radius) for radius in np.arange(0.2, 2.01, 0.1)]
    assert max(arrives(min(2.0, radius), loudness=0.9) for radius in radii) < 0.1
    assert 0.5 < arrives(1.85, loudness=0.9, start="orthogonal") < 2


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(GradientLab())


def case(lab: GradientLab) -> dict:
    """What the browser gets, and Python's curves. A chaotic net is left out: two computers need not agree on it."""
    curves = lab.curves()
    assert lab.nonlinearity == "linear" or curves.gradient.max() < 1e8
    numbers = {name: np.asarray(values).tolist() for name, values in vars(curves).items()}
    state = {name: value for name, value in state_of(lab).items() if not name.startswith("_")}
    return {"state": state, "curves": numbers}


def cases() -> list[dict]:
    settings = [dict(nonlinearity=f, start=start) for f, start in KINDS]
    grid = [dict(s, radius=r, loudness=a) for s in settings for r, a in ((0.2, 1.0), (0.9, 0.3), (1.3, 3.0))]
    edges = [
        dict(length=10, hidden=2, clip=1000.0),  # a limit that is not reached
        dict(length=200, hidden=128, seed=5),
        dict(loudness=0.0, radius=1.0, clip=0.01),
        dict(radius=2.0, length=200, nonlinearity="linear", clip=100.0),
        dict(radius=2.0, length=60, loudness=0.3),
    ]
    return [case(GradientLab(**arguments)) for arguments in (*grid, *edges)]


def test_javascript_computes_as_python_does(tmp_path):
    assert_node_agrees("gradient_lab", GradientLab(), cases(), tmp_path)


def test_bytes_are_float32():
    state = json.loads(json.dumps(state_of(GradientLab(hidden=4))))
    sizes = {
        name: len(base64.b64decode(state[name])) // 4 for name in ("plain", "orthogonal", "inputs", "first", "reader")
    }
    assert sizes == {"plain": 16, "orthogonal": 16, "inputs": 800, "first": 4, "reader": 4}
