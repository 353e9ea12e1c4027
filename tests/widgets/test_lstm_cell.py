"""The LSTM cell's diagram without a browser: its Python side against torch, and its JavaScript against Python."""

import base64
import itertools

import numpy as np
import pytest
import torch
from unrolled.widgets.lstm_cell import PARTS, PRESETS, LSTMCellDiagram, lstm_step
from unrolled.widgets.modules import join_module
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("lstm")

SIZES = {"U": ("H", "H"), "W": ("H", "D"), "b": ("H",)}


def weights(hidden: int = 3, width: int = 2, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    sizes = {"H": hidden, "D": width}
    return {
        f"{kind}_{gate}": random.standard_normal([sizes[axis] for axis in axes])
        for gate in "figo"
        for kind, axes in SIZES.items()
    }


def diagram(hidden: int = 3, width: int = 2, seed: int = 0, **changes) -> LSTMCellDiagram:
    random = np.random.default_rng(seed + 1)
    given = {
        "params": weights(hidden, width, seed),
        "x": random.normal(size=width).clip(-5, 5),
        "h": random.uniform(-1, 1, hidden),
        "c": random.normal(size=hidden).clip(-5, 5),
    }
    return LSTMCellDiagram(**{**given, **changes})


# --- the numbers


@pytest.mark.parametrize(("hidden", "width"), [(1, 1), (3, 2), (4, 4)])
def test_the_step_is_torchs(hidden, width):
    params = weights(hidden, width)
    cell = torch.nn.LSTMCell(width, hidden, dtype=torch.float64)
    with torch.no_grad():
        for mine, theirs in (("W", cell.weight_ih), ("U", cell.weight_hh), ("b", cell.bias_ih)):
            theirs.copy_(torch.from_numpy(np.concatenate([params[f"{mine}_{gate}"] for gate in "ifgo"])))
        cell.bias_hh.zero_()
    widget = diagram(hidden, width)
    x, h, c = (torch.tensor([values], dtype=torch.float64) for values in (widget.x, widget.h, widget.c))
    new_h, new_c = (values.detach().numpy()[0] for values in cell(x, (h, c)))
    found = widget.step()
    np.testing.assert_allclose(found["h"], new_h, rtol=1e-12)
    np.testing.assert_allclose(found["c"], new_c, rtol=1e-12)


def test_a_step_by_hand():
    # All sums 0: every gate half open, the proposal 0. What is kept is half the cell, nothing is written.
    params = {name: np.zeros_like(values) for name, values in weights(1, 1).items()}
    found = lstm_step(params, np.ones(1), np.zeros(1), np.array([4.0]))
    assert [found[name].item() for name in "figokjc"] == [0.5, 0.5, 0, 0.5, 2, 0, 2]
    assert found["h"].item() == pytest.approx(0.5 * np.tanh(2))


@pytest.mark.parametrize(
    ("name", "cell"), [("keep", "before"), ("replace", "g"), ("erase", "zero"), ("add", "sum"), ("as computed", None)]
)
def test_a_preset_does_what_it_is_called(name, cell):
    widget = diagram(preset=next(preset for preset in PRESETS if preset.startswith(name)))
    found = widget.step()
    before, g = np.array(widget.c), found["g"]
    expected = {"before": before, "g": g, "zero": 0 * g, "sum": before + g, None: diagram().step()["c"]}[cell]
    np.testing.assert_allclose(found["c"], expected, atol=0.01)


def test_a_closed_output_gate_hides_the_cell_and_leaves_it():
    widget = diagram(preset="hide: output gate closed")
    np.testing.assert_allclose(widget.step()["h"], 0, atol=0.005)
    np.testing.assert_allclose(widget.step()["c"], diagram().step()["c"])


def test_params_may_be_tensors_and_stay_as_they_were():
    params = {name: torch.from_numpy(values).requires_grad_() for name, values in weights().items()}
    before = {name: values.clone() for name, values in params.items()}
    widget = diagram(params=params, x=torch.tensor([1.0, 0.5]), preset="hide: output gate closed")
    other = diagram(x=[1.0, 0.5], preset="hide: output gate closed")
    np.testing.assert_array_equal(widget.step()["h"], other.step()["h"])
    assert all((params[name] == before[name]).all() for name in params)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (dict(params=[1]), "params must be a dictionary with U_f, W_f, b_f"),
        (dict(params={"U_f": [[1]]}), "lacks W_f"),
        (dict(params={**weights(), "U_o": np.ones((3, 2))}), "U_o has shape (3, 2): expected (3, 3), as W_f is (3, 2)"),
        (dict(params={**weights(), "b_i": np.ones((1, 3))}), "b_i has shape (1, 3): expected (3,)"),
        (dict(params={**weights(), "W_g": [["a"]]}), "W_g is not made of numbers"),
        (dict(params={**weights(), "b_f": np.full(3, np.inf)}), "b_f has a number that is not finite"),
        (dict(params=weights(5, 2)), "W_f has shape (5, 2): expected (H, D), H units and D inputs, each 1 to 4"),
        (dict(params=weights(2, 5)), "W_f has shape (2, 5)"),
        (dict(x=[[1, 2]]), "x has shape (1, 2): expected one row of numbers, without a batch axis"),
        (dict(x=[1.0]), "x is [1.0]: it must be as many numbers from −5 to 5 as W has columns"),
        (dict(x=[1.0, 6.0]), "x is [1.0, 6.0]"),
        (dict(h=[0.0, 0.0, 1.5]), "h is [0.0, 0.0, 1.5]: it must be a number from −1 to 1 for each unit"),
        (dict(c=[0.0]), "c is [0.0]: it must be a number from −5 to 5 for each unit"),
        (dict(part="all"), "part is 'all': it must be one of gates, k, j, c, tanh, h"),
        (dict(preset="open"), "preset is 'open': it must be one of 'as computed', "),
        (dict(unit=3), "unit is 3"),
        (dict(entry=2), "entry is 2"),
        (dict(colour="red"), "there is no 'colour'"),
    ],
)
def test_bad_input_gets_one_line(changes, says):
    with pytest.raises(ValueError) as error:
        diagram(**changes)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the table beside the view


def test_the_table_follows_the_order_of_computation():
    widget = diagram(c=[1.0, -2.0, 0.5])
    data, _ = widget._repr_mimebundle_()
    table, found = Table(data["text/html"]), widget.step()
    assert table.rows[0] == ["", "unit 0", "unit 1", "unit 2"]
    starts = [
        "forget gate f",
        "input gate i",
        "proposal g",
        "output gate o",
        "kept k",
        "written j",
        "cell c",
        "tanh(c)",
    ]
    assert all(row[0].startswith(start) for row, start in zip(table.rows[1:], [*starts, "state h"], strict=True))
    for row, values in zip(table.rows[1:], found.values(), strict=True):
        assert row[1:] == [f"{value:.2f}" for value in values]
    assert "cell before (1.00, -2.00, 0.50)" in table.caption
    assert f"state ({', '.join(f'{value:.2f}' for value in found['h'])}); gates as computed" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(diagram())


def test_the_widget_is_light():
    assert len(str(LSTMCellDiagram._esm)) + len(str(LSTMCellDiagram._css)) < 34_000, "with what all widgets share"


def test_the_weights_are_float64():
    assert len(base64.b64decode(state_of(diagram(4, 2))["weights"])) == 8 * 4 * (16 + 8 + 4)


def case(widget: LSTMCellDiagram) -> dict:
    """What the browser gets, and Python's numbers."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    return {"state": state, "found": {name: values.tolist() for name, values in widget.step().items()}}


def test_javascript_computes_as_python_does(tmp_path):
    cases = [case(diagram(h, d, seed=h + d)) for h, d in itertools.product(range(1, 5), repeat=2)]
    cases += [case(diagram(preset=preset, part=part)) for preset, part in itertools.product(PRESETS, PARTS)]
    edge = diagram(x=[5.0, -5.0], h=[1.0, -1.0, 0.0], c=[5.0, -5.0, 0.0])
    assert_node_agrees("lstm_cell", diagram(), [*cases, case(edge)], tmp_path)


def test_a_neighbour_that_two_files_import_stands_there_once(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nimport { c } from "./c.js";\nexport default b + c;\n')
    (tmp_path / "b.js").write_text('import { c } from "./c.js";\nexport const b = c + 1;\n')
    (tmp_path / "c.js").write_text("export const c = 1;\n")
    assert join_module(tmp_path / "a.js") == "export const c = 1;\nexport const b = c + 1;\nexport default b + c;\n"
