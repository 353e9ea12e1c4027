"""Head view without a browser: its traits, its table, and the JavaScript against Python."""

import numpy as np
import pytest
from head_weights import SOURCE, TARGET, drawn, three_sets
from unrolled.widgets.head_view import HeadView
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("attention")


def view(**state) -> HeadView:
    return HeadView(TARGET, three_sets(), context=SOURCE, **state)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"token": 7}, "token is 7: it must be the number of a token that looks, from 0"),
        ({"token": -1}, "token is -1"),
        ({"arrangement": "circle"}, "arrangement is 'circle': it must be “columns” or “rows”"),
        ({"all": "yes"}, "all is 'yes'"),
    ],
)
def test_a_state_that_is_none_gets_one_line(state, says):
    with pytest.raises(ValueError) as error:
        view(**{"kind": "decoder", **state})
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_shorter_row_of_tokens_has_the_token_that_is_looked_at():
    widget = view(kind="decoder", token=6)
    widget.kind = "encoder"
    assert widget.token == len(SOURCE) - 1


def test_the_table_has_the_heaviest_weights_of_each_token():
    widget = view(kind="cross", layer=1, head=0)
    data, _ = widget._repr_mimebundle_()
    table = Table(data["text/html"])
    assert "layer 1 of 3, head 0 of 2, set “cross”; layers and heads are counted from 0" in table.caption
    head, *rows = table.rows
    assert head == ["", "looks most at", "then at", "then at"]
    weights = widget.weights()
    for i, (token, *cells) in enumerate(rows):
        assert token == TARGET[i]
        if i == 2:
            assert cells == ["nothing"] * 3
            continue
        order = np.argsort(-weights[i], kind="stable")[:3]
        assert cells == [f"{SOURCE[j]} {100 * weights[i, j]:.1f} %" for j in order]
    assert data["text/plain"].startswith(
        f"cross, layer 1, head 0: <s> → {rows[0][1]}, the → {rows[1][1]}, cat → nothing,"
    )


def test_a_short_row_has_short_cells_and_markup_stays_text():
    data, _ = HeadView(["<b>"], [[1]])._repr_mimebundle_()
    assert Table(data["text/html"]).rows[1] == ["<b>", "<b> 100.0 %", "nothing", "nothing"]
    assert "<b>" not in data["text/html"]


def test_the_widget_asks_nobody_and_is_light():
    assert_asks_nobody(view())
    assert len(str(HeadView._esm)) + len(str(HeadView._css)) < 35_000, "with what all widgets share"


def case(widget: HeadView) -> dict:
    """What the browser gets, and Python's numbers for each set: as shown, and as given."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    sets = [
        {"kind": kind, "rows": widget.rows(kind), "shown": one.shown().tolist(), "given": one.weights.tolist()}
        for kind, one in widget._sets.items()
    ]
    return {"state": state, "sets": sets}


def test_javascript_reads_what_python_sent(tmp_path):
    zeros = drawn(1, 2, 7, 7)
    zeros[0, 1, 3] = 0
    cases = [case(widget) for widget in (view(), HeadView(TARGET, zeros), HeadView(["a"], [[1]]))]
    assert_node_agrees("head_view", view(), cases, tmp_path)
