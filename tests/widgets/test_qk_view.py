"""Query and keys without a browser: what Python sends and refuses, and the JavaScript against Python."""

import numpy as np
import pytest
import torch
from unrolled.widgets.qk_view import QKView
from widget_page import Table, assert_asks_nobody, assert_node_agrees, page_of, state_of

pytestmark = pytest.mark.unit("attention")

TOKENS = ["the", "cat", "sat", "down"]
SEEN = ["die", "Katze", "saß", "da", "."]
MASK = np.array([[1, 1, 1, 1, 1], [1, 0, 1, 0, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]], bool)


def vectors(*shape: int, seed: int = 0) -> np.ndarray:
    return 1.5 * np.random.default_rng(seed).normal(size=shape)


def view(mask=MASK, **state) -> QKView:
    return QKView(TOKENS, vectors(3, 4, 6), vectors(3, 5, 6, seed=1), context=SEEN, mask=mask, **state)


# --- numbers


@pytest.mark.parametrize("mask", [None, MASK])
@pytest.mark.parametrize("scaled", [True, False])
def test_weights_are_torchs_and_nothing_where_nothing_may_be_seen(mask, scaled):
    q, k = (torch.tensor(vectors(3, n, 6, seed=seed)).float() for n, seed in ((4, 0), (5, 1)))
    for head in range(3):
        widget = view(mask, head=head, scaled=scaled)
        scores = (q @ k.mT)[head].double() / (6**0.5 if scaled else 1)
        np.testing.assert_allclose(widget.scores(), scores, atol=1e-5)
        if mask is not None:
            scores = scores.masked_fill(~torch.tensor(mask), -torch.inf)
        wanted = torch.softmax(scores, -1).nan_to_num(0)
        np.testing.assert_allclose(widget.weights(), wanted, atol=1e-5)
        np.testing.assert_allclose(widget.products().sum(1), (q @ k.mT)[head, 0], atol=1e-5)


def test_large_scores_and_far_away_ones_are_safe():
    weights = QKView(["a", "b"], [[300.0, 0], [-300, 0]], [[300.0, 0], [-300, 0]], scaled=False).weights()
    assert weights.tolist() == [[1, 0], [0, 1]]


def test_weights_by_hand():
    """q = (1, 2), keys (2, 0) and (0, 0): products (2, 0) and 0; /√2: √2 and 0; e^√2 / (e^√2 + 1) = 0.8044."""
    widget = QKView(["a"], [[1, 2]], [[2, 0], [0, 0]], context=["x", "y"])
    assert widget.products().tolist() == [[2, 0], [0, 0]]
    np.testing.assert_allclose(widget.weights(), [[0.80443, 0.19557]], atol=1e-5)


@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist, torch.tensor, lambda v: torch.tensor(v).bfloat16()])
def test_vectors_of_any_kind_may_be_given(kind):
    widget = QKView(TOKENS, kind(vectors(2, 4, 6)), kind(vectors(2, 4, 6, seed=1)))
    assert widget.shape == [2, 4, 4, 6]
    np.testing.assert_allclose(np.frombuffer(widget.queries, "<f4").reshape(2, 4, 6), vectors(2, 4, 6), rtol=0.004)


def test_one_head_needs_no_axis_and_a_batch_is_chosen_from():
    q, k = vectors(2, 3, 4, 6), vectors(2, 3, 4, 6, seed=1)
    one = QKView(TOKENS, q[1, 2], k[1, 2])
    batch = QKView(TOKENS, q, k, sentence=1, head=2)
    assert (one.shape, batch.shape) == ([1, 4, 4, 6], [3, 4, 4, 6])
    np.testing.assert_array_equal(one.weights(), batch.weights())


@pytest.mark.parametrize("axes", [(), (1,), (1, 1)])
@pytest.mark.parametrize("kind", [np.asarray, torch.tensor, np.ndarray.tolist])
def test_a_mask_of_one_sentence_may_have_axes_of_length_one(axes, kind):
    assert np.frombuffer(view(kind(MASK.reshape(*axes, 4, 5))).mask, np.uint8).tolist() == MASK.ravel().tolist()
    assert np.frombuffer(view(kind(MASK[1])).mask, np.uint8).reshape(4, 5).tolist() == [MASK[1].tolist()] * 4


def test_twelve_heads_at_64_tokens_and_width_64_stay_under_a_megabyte_as_a_whole_page():
    words = [f"token{n}" for n in range(64)]
    widget = QKView(words, vectors(12, 64, 64), vectors(12, 64, 64))
    assert len(page_of(widget)) + len(widget._repr_mimebundle_()[0]["text/html"]) < 1_000_000


# --- what can't be shown

NAN = vectors(3, 4, 6)
NAN[2, 1, 0] = np.nan


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tokens": "a b"}, "tokens is 'a b': give a list of words"),
        ({"context": ["a"] * 97}, "context has 97 words: from 1 to 96 can be shown"),
        ({"q": NAN}, "q has a number that is not finite in head 2, row 1, that of “cat”"),
        ({"q": vectors(3, 5, 6)}, "q has shape (3, 5, 6): expected (4, K), (heads, 4, K) or (B, heads, 4, K), a row"),
        ({"k": vectors(3, 4, 6)}, "k has shape (3, 4, 6): expected (5, K)"),
        ({"k": vectors(5)}, "k has shape (5,)"),
        ({"k": vectors(5, 0)}, "k has shape (5, 0)"),
        ({"k": "keys"}, "k is not made of numbers"),
        ({"k": None}, "k has shape ()"),
        ({"k": vectors(2, 5, 6)}, "q has 3 heads and k has 2: give as many to both"),
        ({"k": vectors(3, 5, 7)}, "q has 6 numbers a token and k has 7: give as many to both"),
        ({"q": vectors(3, 4, 129)}, "q has 129 numbers a token: up to 128 can be shown"),
        ({"q": vectors(3, 4, 128)}, "q has 128 numbers a token and k has 6"),
        ({"q": vectors(2, 3, 4, 6), "sentence": 2}, "sentence is 2: q has a batch of 2, counted from 0"),
        ({"q": vectors(200, 4, 128), "k": vectors(200, 5, 128)}, "q and k are 922 kB and at most 700 kB can be sent"),
        ({"mask": MASK[:3]}, "mask has shape (3, 5): expected (4, 5), of one sentence and for all heads alike"),
        ({"mask": np.stack([MASK, MASK])}, "mask has shape (2, 4, 5): expected (4, 5)"),
        ({"mask": np.where(MASK, 0.0, -1e9)}, "mask is made of float64: give bools, True where a query may look"),
        ({"mask": torch.tensor(MASK).float()}, "mask is made of float32: give bools"),
        ({"head": 3}, "head is 3: it must be the number of a head, from 0"),
        ({"query": 4}, "query is 4: it must be the number of a token that looks, from 0"),
        ({"key": 5}, "key is 5: it must be the number of a token that is seen, from 0"),
        ({"scaled": "yes"}, "scaled is 'yes'"),
        ({"colour": "red"}, "there is no 'colour'"),
    ],
)
def test_what_is_none_gets_one_line(changes, says):
    given = {"tokens": TOKENS, "q": vectors(3, 4, 6), "k": vectors(3, 5, 6), "context": SEEN}
    with pytest.raises(ValueError) as error:
        QKView(**{**given, **changes})
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the table beside the view


@pytest.mark.parametrize("scaled", [True, False])
def test_the_table_says_all_that_is_shown_of_a_query(scaled):
    widget = view(head=1, query=1, scaled=scaled)
    data, _ = widget._repr_mimebundle_()
    table = Table(data["text/html"])
    assert table.caption == "Query “cat” with each key, head 1 of 3, counted from 0"
    head, *rows = table.rows
    assert head == ["", "q·k", "q·k / √6" if scaled else "q·k, not divided", "weight"]
    for j, (token, total, score, weight) in enumerate(rows):
        assert token == SEEN[j]
        assert float(total) == pytest.approx(widget.products()[j].sum(), abs=0.0051)
        if MASK[1, j]:
            assert float(score) == pytest.approx(widget.scores()[1, j], abs=0.0051)
        else:
            assert (score, weight) == ("may not be seen", "0.0 %")
        assert float(weight.removesuffix(" %")) == pytest.approx(100 * widget.weights()[1, j], abs=0.051)
    assert data["text/plain"].startswith("query and keys, head 1, “cat”: die ")


# --- the JavaScript


def test_the_widget_asks_nobody_and_is_light():
    assert_asks_nobody(view())
    assert len(str(QKView._esm)) + len(str(QKView._css)) < 30_000, "with what all widgets share"


def case(widget: QKView) -> dict:
    """What the browser gets, and Python's numbers for each head and query, divided and not."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    found = []
    for head, query, scaled in np.ndindex(widget.shape[0], widget.shape[1], 2):
        widget.head, widget.query, widget.scaled = head, query, bool(scaled)
        numbers = {name: getattr(widget, name)()[query].tolist() for name in ("scores", "weights")}
        found.append(
            {"head": head, "query": query, "scaled": bool(scaled), "products": widget.products().tolist(), **numbers}
        )
    return {"state": state, "found": found, "mask": widget._mask.tolist()}


def test_javascript_computes_as_python_does(tmp_path):
    far = QKView(["a", "b"], [[300.0, 0], [-300, 0]], [[300.0, 0], [-300, 0]])
    widgets = [view(), view(None), far, QKView(["a"], [[1]], [[1]])]
    assert_node_agrees("qk_view", view(), [case(widget) for widget in widgets], tmp_path)
