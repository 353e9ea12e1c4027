"""The gate microscope without a browser: what it reads, rounds and finds, and its JavaScript against Python."""

import base64
import json

import numpy as np
import pytest
import torch
from unrolled.widgets.gate_microscope import GateMicroscope, correlations, followers
from unrolled.widgets.gate_microscope.reading import AS_TRAINED
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("lstm")

TEXT = 'she said "oh no" and (he (did) not) 😀\n'
QUOTED = np.array([1.0 if 10 <= t < 15 else 0.0 for t in range(len(TEXT))])
DEPTH = np.cumsum([(character == "(") - (character == ")") for character in TEXT])


def traces(hidden: int = 30, letters: str = "figoch", seed: int = 0) -> dict[str, np.ndarray]:
    """Random arrays of the right ranges; the cell of unit 7 follows the quotes, that of unit 3 the depth, downwards."""
    random = np.random.default_rng(seed)
    arrays = {}
    for letter in letters:
        normal = random.standard_normal((len(TEXT), hidden))
        arrays[letter] = 1 / (1 + np.exp(-normal)) if letter in "fio" else normal if letter == "c" else np.tanh(normal)
    if "c" in arrays and hidden > 7:
        arrays["c"][:, 7] = 3 * QUOTED + 0.1 * arrays["c"][:, 7]
        arrays["c"][:, 3] = 1 - DEPTH
    return arrays


def losses(seed: int = 1) -> np.ndarray:
    """Of all characters but the first, which nothing predicts."""
    return np.concatenate([[np.nan], np.random.default_rng(seed).exponential(size=len(TEXT) - 1)])


def microscope(**changes) -> GateMicroscope:
    variants = {
        AS_TRAINED: {"sample": "she said"},
        "cell of unit 7 set to 0": {"losses": losses() + 2 * QUOTED, "sample": 'she said "'},
        "input gates open": {"losses": losses(2)},
    }
    given = dict(arrays=traces(), losses=losses(), labels={"in quotes": QUOTED, "depth": DEPTH}, variants=variants)
    return GateMicroscope(TEXT, **{**given, **changes})


# --- the numbers


def test_correlations_are_numpys():
    values = np.random.default_rng(0).standard_normal((50, 6))
    label = values[:, 2] - 0.3 * values[:, 4]
    expected = [np.corrcoef(column, label)[0, 1] for column in values.T]
    np.testing.assert_allclose(correlations(values, label), expected, rtol=1e-12)
    np.testing.assert_allclose(correlations(torch.from_numpy(values), torch.from_numpy(label)), expected, rtol=1e-12)


def test_what_never_changes_follows_nothing():
    values = np.stack([np.full(20, 0.3), np.arange(20.0)], axis=1)
    assert correlations(values, np.arange(20)).tolist() == pytest.approx([0, 1])
    assert correlations(values, np.ones(20)).tolist() == [0, 0]


def test_the_unit_that_follows_a_label_is_found():
    widget = microscope(array="c")
    assert widget.order == "in quotes"
    assert widget.in_order()[0] == widget.unit == 7
    widget.order = "depth"
    assert widget.in_order()[0] == 3
    assert widget.correlation("depth")[3] == pytest.approx(-1)
    widget.order = ""
    assert widget.in_order() == list(range(30))


def test_followers_takes_the_best_of_each_label_in_turn():
    labels = {"in quotes": QUOTED, "depth": DEPTH}
    found = followers(traces()["c"], labels, 6)
    assert found[:2] == [7, 3]
    assert len(found) == len(set(found)) == 6
    assert sorted(followers(traces()["c"], labels, 99)) == list(range(30))
    widget = microscope(units=found, array="c")
    assert widget.in_order()[0] == 7
    np.testing.assert_allclose(widget.correlation("depth"), correlations(traces()["c"][:, found], DEPTH))


def test_rounding_keeps_a_number_within_half_a_step_of_its_rows_range():
    arrays = traces()
    arrays["f"][:, 5] = 0.25  # a row without a range
    widget = microscope(arrays=arrays)
    for letter, exact in arrays.items():
        step = (exact.max(0) - exact.min(0)) / 255
        assert (np.abs(widget.values(letter) - exact) <= 0.5 * step + 1e-6).all()
    assert (widget.values("f")[:, 5] == 0.25).all()


def test_one_byte_travels_for_a_number():
    state = json.loads(json.dumps(state_of(microscope())))
    sizes = {name: len(base64.b64decode(state[name])) for name in ("numbers", "ranges", "truths", "follows", "losses")}
    T = len(TEXT)
    assert sizes == {
        "numbers": 6 * 30 * T,
        "ranges": 4 * 6 * 30 * 2,
        "truths": 4 * 2 * T,
        "follows": 4 * 2 * 6 * 30,
        "losses": 4 * 3 * T,
    }


def test_the_change_of_loss_is_that_of_the_variant():
    widget = microscope(variant="cell of unit 7 set to 0")
    change = widget.change()
    assert np.isnan(change[0])
    np.testing.assert_allclose(change[1:], 2 * QUOTED[1:], atol=1e-12)
    assert (widget.change(AS_TRAINED)[1:] == 0).all()


def test_losses_may_begin_with_the_second_character():
    short, full = microscope(losses=losses()[1:]), microscope()
    assert short.losses == full.losses


def test_tensors_of_any_kind_are_read():
    gates = torch.rand(len(TEXT), 4, dtype=torch.bfloat16).requires_grad_()
    quoted = torch.from_numpy(QUOTED).bool()
    widget = GateMicroscope(TEXT, {"f": gates}, torch.ones(len(TEXT)), {"in quotes": quoted})
    np.testing.assert_allclose(widget.values("f"), gates.detach().double(), atol=0.5 / 255 + 1e-6)


def test_losses_labels_and_variants_may_be_left_out():
    widget = GateMicroscope(TEXT, {"o": traces()["o"]})
    assert (widget.order, widget.labels, widget.variants, widget.losses) == ("", [], [AS_TRAINED], b"")


# --- bad input

BIG = np.full((500, 256), 0.5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (dict(text=""), "the text is ''"),
        (dict(text=list(TEXT)), "it must be a string"),
        (dict(text="x" * 501), "the text has 501 characters and there is room for 500: give text[:500]"),
        (dict(arrays={}), "at least one array"),
        (dict(arrays=traces()["f"]), "arrays must be a dictionary"),
        (dict(arrays={"s": traces()["f"]}), "there is no array 's': letters are f, i, g, o, c, h"),
        (dict(arrays={"f": traces()["f"][1:]}), f"expected ({len(TEXT)}, H), one row for each character"),
        (dict(arrays={"f": traces()["f"][None]}), "f has shape (1,"),
        (dict(arrays={"f": [["a"]]}), "f is not made of numbers"),
        (dict(arrays={"f": traces()["f"] + np.nan}), "f is nan at character 0, unit 0"),
        (dict(arrays={"f": traces()["c"]}), "but the forget gate lies between 0 and 1"),
        (dict(arrays={"h": 2 * traces()["c"]}), "but the state lies between -1 and 1"),
        (dict(arrays={**traces(), **traces(4, "c")}), "different numbers of units: f (38, 30)"),
        (dict(text="x" * 500, arrays={"f": BIG, "c": BIG}), "256 units × 500 characters × 2 arrays are too much"),
        (dict(text="x" * 500, arrays={"f": BIG, "c": BIG}), "name at most 120 of the units (units=…"),
        (dict(text="x" * 9, arrays={"f": np.zeros((9, 300))}), "name at most 256 of the units"),
        (dict(units=[0, 30]), "expected different numbers from 0 to 29"),
        (dict(units=[1, 1]), "units are [1, 1]"),
        (dict(units=[]), "at least one"),
        (dict(labels={"in quotes": QUOTED[1:]}), "label 'in quotes' has shape (37,): expected (38,)"),
        (dict(labels={"": QUOTED}), "a label is called ''"),
        (dict(losses=losses()[2:]), "the losses of 'as trained' have shape (36,)"),
        (dict(losses=np.inf * losses()), "none infinite"),
        (dict(losses=None), "variants are compared with the net as trained"),
        (dict(variants={"no gate": {}}), "variant 'no gate' has no losses"),
        (dict(variants={"no gate": {"losses": [1]}}), "the losses of 'no gate' have shape (1,)"),
        (dict(array="q"), "array is 'q': it must be the letter of an array that was given"),
        (dict(order="verbs"), "order is 'verbs'"),
        (dict(page=3), "page is 3: it must be a page of 12 units, from 0"),
        (dict(variant="no gate"), "variant is 'no gate'"),
        (dict(character=len(TEXT)), f"character is {len(TEXT)}"),
        (dict(unit=30), "unit is 30"),
        (dict(colour="red"), "there is no 'colour'"),
    ],
)
def test_bad_input_gets_one_line(arguments, says):
    arguments = dict(arguments)
    text = arguments.pop("text", TEXT)
    with pytest.raises(ValueError) as error:
        if text is TEXT:
            microscope(**arguments)
        else:
            GateMicroscope(text, **{"arrays": traces(), **arguments})
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the tables beside the view


def test_the_tables_say_what_follows_what_and_what_is_lost():
    data, _ = microscope(variant="cell of unit 7 set to 0")._repr_mimebundle_()
    of_units, of_variants = (Table(html + "</table>") for html in data["text/html"].split("</table>")[:2])
    assert of_units.rows[0][:2] == ["", "forget gate f"]
    quotes, depth = of_units.rows[1:]
    assert quotes[0] == "in quotes" and quotes[5].startswith("unit 7, +")
    assert depth[0] == "depth" and depth[5] == "unit 3, -1.00"
    before, change = np.nanmean(losses()), np.mean(2 * QUOTED[1:])
    assert of_variants.rows[1] == [AS_TRAINED, f"{before:.2f}", "+0.00", "she said"]
    assert of_variants.rows[2][1:] == [f"{before + change:.2f}", f"{change:+.2f}", 'she said "']
    assert f"mean loss {before:.2f} nats, cell of unit 7 set to 0: {change:+.2f}" in data["text/plain"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_without_labels_the_table_has_the_means():
    gates = traces()["o"]
    rows = Table(GateMicroscope(TEXT, {"o": gates})._repr_mimebundle_()[0]["text/html"]).rows
    assert rows[0] == ["", "output gate o"]
    assert [row[0] for row in rows[1:]] == [f"unit {unit}" for unit in range(12)]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx(gates.mean(0)[:12], abs=0.01)


def test_what_never_follows_is_not_called_best():
    widget = GateMicroscope(TEXT, {"f": np.full((len(TEXT), 3), 0.5)}, labels={"in quotes": QUOTED})
    assert Table(widget._repr_mimebundle_()[0]["text/html"]).rows[1] == ["in quotes", "none"]


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(microscope())


def test_the_widget_is_light():
    assert len(str(GateMicroscope._esm)) + len(str(GateMicroscope._css)) < 35_000, "with what all widgets share"


def case(widget: GateMicroscope) -> dict:
    """What the browser gets, and Python's numbers."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    numbers = {
        "values": {letter: widget.values(letter).T.tolist() for letter in widget.arrays},
        "order": widget.in_order(),
        "correlation": widget.correlation(widget.order).tolist() if widget.order else None,
        "change": [None if np.isnan(x) else x for x in widget.change()] if widget.losses else None,
    }
    return {"state": state, "numbers": numbers}


def test_javascript_reads_and_sorts_as_python_does(tmp_path):
    cases = [
        case(microscope(array=letter, order=order, variant=variant))
        for letter in "figoch"
        for order in ("", "in quotes", "depth")
        for variant in (AS_TRAINED, "input gates open")
    ]
    cases.append(case(microscope(units=[7, 3, 29], array="c", order="depth")))
    cases.append(case(GateMicroscope(TEXT, {"f": np.full((len(TEXT), 1), 0.5)})))
    assert_node_agrees("gate_microscope", microscope(), cases, tmp_path)
