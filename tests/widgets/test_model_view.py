"""Model view without a browser: what a head does on average, its table, and the JavaScript against Python."""

import numpy as np
import pytest
from head_weights import SOURCE, TARGET, drawn, three_sets
from unrolled.widgets.model_view import ModelView
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("attention")


def view(**state) -> ModelView:
    return ModelView(TARGET, three_sets(), context=SOURCE, **state)


# --- habits


@pytest.mark.parametrize(("offset", "habit"), [(0, 0), (-1, 1), (1, 2)])
def test_a_head_that_looks_at_one_neighbour_has_that_habit_alone(offset, habit):
    """A head that moves by one place; the token at the end, which has no such neighbour, sees nothing."""
    habits = ModelView(TARGET, np.eye(7, k=offset)).habits()[0, 0]
    expected = np.zeros(3)
    expected[habit] = 1
    np.testing.assert_array_equal(habits[:3], expected)
    assert (habits[4], habits[5]) == (0, (7 - abs(offset)) / 7)


def test_equal_weights_have_the_largest_entropy_and_no_habit():
    habits = ModelView(TARGET, np.full((7, 7), 1 / 7)).habits()[0, 0]
    np.testing.assert_allclose(habits, [1 / 7] * 4 + [np.log2(7), 1], rtol=1e-6)


def test_habits_by_hand():
    """Rows (1/2, 1/2), (1/4, 3/4): itself (1/2 + 3/4)/2, before 1/4, after 1/2, first (1/2 + 1/4)/2,
    entropy (1 + (1/4 · 2 + 3/4 · log2 4/3))/2."""
    habits = ModelView(["a", "b"], [[0.5, 0.5], [0.25, 0.75]]).habits()[0, 0]
    np.testing.assert_allclose(habits, [0.625, 0.25, 0.5, 0.375, (1.5 + 0.75 * np.log2(4 / 3)) / 2, 1])


def test_what_may_see_nothing_is_not_counted():
    weights = drawn(7, 7)
    weights[6] = 0
    habits, shorter = ModelView(TARGET, weights).habits()[0, 0], weights[:6]
    np.testing.assert_allclose(habits[0], np.diagonal(shorter).mean(), rtol=1e-6)
    np.testing.assert_allclose(habits[3], shorter[:, 0].mean(), rtol=1e-6)
    assert habits[5] == pytest.approx(6 / 7)
    assert ModelView(TARGET, np.zeros((7, 7))).habits().tolist() == [[[0] * 6]]


def test_one_token_alone_has_no_neighbours():
    assert ModelView(["a"], [[1]]).habits()[0, 0].tolist() == [1, 0, 0, 1, 0, 1]


def test_habits_come_from_what_was_given_not_from_what_is_sent():
    """Hardly any weight lies on 63 of 64 tokens; sent as one step each it would seem to be a good deal."""
    weights = np.full((64, 64), 1e-6)
    np.fill_diagonal(weights, 1 - 63e-6)
    assert ModelView([f"t{n}" for n in range(64)], weights).habits()[0, 0, 4] < 0.01


# --- the table, the state


@pytest.mark.parametrize(("state", "says"), [({"shade": "red"}, "shade is 'red': it must be “weight” or “row”")])
def test_a_state_that_is_none_gets_one_line(state, says):
    with pytest.raises(ValueError) as error:
        view(**state)
    assert says in str(error.value)


def test_the_tables_have_every_head():
    widget = view()
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "all heads (layers × heads): encoder 2 × 4, decoder 3 × 2, cross 3 × 2"
    tables = [Table(html + "</table>") for html in data["text/html"].split("</table>")[:-1]]
    for table, kind, first in zip(tables, widget.kinds, (0, 0, 3), strict=True):
        assert f"set “{kind}”" in table.caption
        names = [
            "weight on itself",
            "weight on the token before",
            "weight on the token after",
            "weight on the first token",
        ]
        head, *rows = table.rows
        assert head == ["", *names[first:], "entropy in bits"]
        habits = widget.habits(kind)
        assert len(rows) == habits.shape[0] * habits.shape[1]
        for (layer, h), (name, *cells) in zip(np.ndindex(habits.shape[:2]), rows, strict=True):
            assert name == f"layer {layer}, head {h}"
            shares = [float(cell.removesuffix(" %")) / 100 for cell in cells[:-1]]
            np.testing.assert_allclose(shares, habits[layer, h, first:4], atol=0.00051)
            assert float(cells[-1]) == pytest.approx(habits[layer, h, 4], abs=0.0051)


def test_the_widget_asks_nobody_and_is_light():
    assert_asks_nobody(view())
    assert len(str(ModelView._esm)) + len(str(ModelView._css)) < 30_000, "with what all widgets share"


def case(widget: ModelView) -> dict:
    """What the browser gets, and Python's numbers for each set."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    found = {
        kind: {"shown": one.shown().tolist(), "habits": widget.habits(kind).tolist()}
        for kind, one in widget._sets.items()
    }
    return {"state": state, "found": found}


def test_javascript_reads_what_python_sent(tmp_path):
    cases = [case(widget) for widget in (view(), ModelView(TARGET, np.zeros((7, 7))), ModelView(["a"], [[1]]))]
    assert_node_agrees("model_view", view(), cases, tmp_path)
