"""What the widgets of attention heads share: which weights are taken, how few bytes are sent, how exact they are."""

import numpy as np
import pytest
import torch
from head_weights import SOURCE, TARGET, drawn, three_sets
from unrolled.widgets.head_sets import MOST_BYTES, pack
from unrolled.widgets.head_view import HeadView
from unrolled.widgets.model_view import ModelView
from widget_page import page_of

pytestmark = pytest.mark.unit("attention")

WORDS = ["a", "b", "c", "d", "e", "f", "g"]
BOTH = pytest.mark.parametrize("view", [HeadView, ModelView])


def sent(widget, kind: str) -> np.ndarray:
    """(L, H, M, N): what the browser makes of the bytes of a set."""
    at = widget.kinds.index(kind)
    cells, rows = ([int(np.prod(shape[:n])) for shape in widget.shapes] for n in (4, 3))
    codes = np.frombuffer(widget.codes, np.uint8)[sum(cells[:at]) :][: cells[at]].reshape(widget.shapes[at])
    scales = np.frombuffer(widget.scales, "<f4")[sum(rows[:at]) :][: rows[at]].reshape(widget.shapes[at][:3])
    return scales[..., None].astype(float) * codes / 255


# --- how exact


@pytest.mark.parametrize("sharp", [0.1, 2, 30])
def test_the_heaviest_weight_is_exact_and_no_other_is_more_than_a_step_off(sharp):
    powers = np.exp(sharp * np.random.default_rng(0).normal(size=(2, 3, 40, 64)))
    weights = powers / powers.sum(-1, keepdims=True)
    codes, scales = pack(weights)
    shown, step = scales[..., None].astype(float) * codes / 255, scales[..., None] / 255
    np.testing.assert_array_equal(shown.max(-1), weights.max(-1).astype(np.float32))
    assert (shown.argmax(-1) == weights.argmax(-1)).all()
    off = abs(shown - weights)
    least, nearly = weights < step / 2, (weights > 254.5 * step) & (codes < 255)
    assert (codes[least] == 1).all(), "told from 0, so it is sent as one step"
    assert (codes[nearly] == 254).all(), "told from the heaviest"
    assert (off[nearly] <= np.broadcast_to(step, off.shape)[nearly]).all()
    assert (off - step / 2)[~least & ~nearly].max() < 1e-7
    assert off[~least].max() <= 0.002, "what the views say: 0.2 percentage points, before rounding"


def test_zero_is_told_from_what_is_nearly_zero():
    """Codes by hand: 1/2 is 255 steps, 1/4 is 127.5 (to the even one), what is hardly seen is 1, 0 alone is 0."""
    codes, scales = pack(np.array([[[[0.5, 0.25, 0.25 - 1e-9, 1e-9, 0.0], [0, 0, 0, 0, 0]]]]))
    assert codes[0, 0].tolist() == [[255, 128, 127, 1, 0], [0] * 5]
    assert scales.tolist() == [[[0.5, 0.0]]]


def test_twelve_layers_of_twelve_heads_at_64_tokens_stay_under_a_megabyte_as_a_whole_page():
    words = [f"token{n}" for n in range(64)]
    layers = tuple(torch.tensor(drawn(1, 12, 64, 64, seed=n), dtype=torch.float32) for n in range(12))
    for view in (HeadView, ModelView):
        widget = view(words, layers)
        data, _ = widget._repr_mimebundle_()
        assert len(widget.codes) + len(widget.scales) == 12 * 12 * 64 * (64 + 4)
        assert len(page_of(widget)) + len(data["text/html"]) + len(data["text/plain"]) < 1_000_000


def test_what_is_too_much_gets_one_line():
    words = [f"token{n}" for n in range(96)]
    with pytest.raises(
        ValueError, match=r"^these weights are 922 kB \(attention \(8, 12, 96, 96\)\) and at most 700 kB"
    ):
        HeadView(words, drawn(8, 12, 96, 96))
    with pytest.raises(ValueError, match="tokens has 97 words: from 1 to 96 can be shown"):
        HeadView(["a"] * 97, drawn(97, 97))
    assert 4 / 3 * MOST_BYTES < 950_000


# --- what is taken


@BOTH
def test_arrays_and_tuples_of_layers_give_the_same_numbers(view):
    weights = drawn(3, 2, 7, 7)
    batch = [torch.tensor(np.stack([drawn(2, 7, 7, seed=9), layer])) for layer in weights]
    several = [weights, weights.tolist(), tuple(weights), list(map(torch.tensor, weights))]
    for given, sentence in [*((one, 0) for one in several), (tuple(batch), 1)]:
        widget = view(TARGET, given, sentence=sentence)
        assert widget.shapes == [[3, 2, 7, 7]]
        for layer, head in np.ndindex(3, 2):
            np.testing.assert_array_equal(widget.weights(layer, head), weights[layer, head].astype(np.float32))
        np.testing.assert_allclose(sent(widget, "attention"), weights, atol=0.004)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_weights_of_any_precision_may_be_given(dtype):
    weights = torch.tensor(drawn(2, 2, 7, 7), requires_grad=True).to(dtype)
    np.testing.assert_allclose(sent(HeadView(WORDS, weights), "attention"), weights.detach().double(), atol=0.004)


def test_one_layer_and_one_head_need_no_axes():
    weights = drawn(7, 7)
    assert HeadView(WORDS, weights).shapes == [[1, 1, 7, 7]]
    assert HeadView(WORDS, drawn(4, 7, 7)).shapes == [[1, 4, 7, 7]]
    assert HeadView(WORDS, (torch.tensor(weights),) * 2).shapes == [[2, 1, 7, 7]]
    assert HeadView(["a"], [[1]]).weights().tolist() == [[1]]


@BOTH
def test_each_set_knows_who_looks_at_whom(view):
    sets = three_sets()
    widget = view(TARGET, sets, context=SOURCE, kind="cross", layer=2)
    assert widget.kinds == list(sets)
    for kind, weights in sets.items():
        np.testing.assert_allclose(sent(widget, kind), weights, atol=0.004)
        assert widget.shapes[widget.kinds.index(kind)] == list(weights.shape)
    rows = [widget.rows(kind) for kind in widget.kinds]
    assert rows == [(SOURCE, SOURCE), (TARGET, TARGET), (TARGET, SOURCE)]
    assert view(TARGET, sets["cross"], context=SOURCE).rows() == (TARGET, SOURCE)
    named = view(TARGET, {"with positions": drawn(7, 7), "without": drawn(7, 7)})
    assert named.rows("without") == (TARGET, TARGET)


@BOTH
def test_another_set_may_have_fewer_layers_and_heads(view):
    widget = view(TARGET, three_sets(), context=SOURCE, kind="decoder", layer=2, head=1)
    widget.kind = "encoder"
    assert (widget.layer, widget.head) == (1, 1)
    assert view(TARGET, three_sets(), layer=2, kind="cross", context=SOURCE).layer == 2, "in any order"


def test_a_row_of_zeros_may_see_nothing():
    weights = drawn(2, 7, 7)
    weights[1, 3] = 0
    widget = HeadView(WORDS, weights, head=1)
    assert (widget.weights()[3] == 0).all() and (sent(widget, "attention")[0, 1, 3] == 0).all()


# --- what can't be shown


def changed(value, at=(1, 0, 2)) -> np.ndarray:
    weights = drawn(3, 2, 7, 7)
    weights[at] = value
    return weights


NAN = float("nan")
SHORT = 0.87 * drawn(7)


@pytest.mark.parametrize(
    ("attentions", "says"),
    [
        (
            changed(SHORT),
            "attentions, layer 1, head 0, row 2, that of “c”, sums to 0.870: a row must sum to 1, or to 0 if",
        ),
        (changed(SHORT), "model.eval()"),
        (tuple(changed(SHORT)), "attentions, layer 1, head 0, row 2, that of “c”, sums to 0.870"),
        ({"all": changed(SHORT)}, "attentions['all'], layer 1, head 0, row 2, that of “c”, sums to"),
        (
            changed([NAN] * 7, (2, 1, 6)),
            "attentions, layer 2, head 1, row 6, that of “g”, has a number that is not finite",
        ),
        (changed([float("inf")] + [0] * 6), "has a number that is not finite"),
        (changed([1.5, -0.5, 0, 0, 0, 0, 0]), "layer 1, head 0, row 2, that of “c”, has -0.5: no weight is below 0"),
        (
            drawn(3, 2, 6, 6),
            "attentions has shape (3, 2, 6, 6): expected (…, heads, 7, 7), a row for each token that looks",
        ),
        (drawn(7), "attentions has shape (7,)"),
        (drawn(1, 1, 1, 7, 7), "attentions has shape (1, 1, 1, 7, 7)"),
        (np.zeros((0, 7, 7)), "attentions has shape (0, 7, 7)"),
        ((drawn(2, 7, 7), drawn(3, 7, 7)), "attentions has layers with 2, 3 heads: give equal ones"),
        ((drawn(2, 7, 7), drawn(2, 5, 5)), "attentions[1] has shape (2, 5, 5)"),
        ((None, None), "attentions[0] is None: the model returned no weights"),
        (None, "attentions is None: the model returned no weights"),
        ((), "attentions has shape (0,)"),
        ("all", "attentions is not made of numbers"),
        ([[1, 0], [1]], "attentions is not made of numbers"),
        ({}, "attentions must have a name for each set"),
        ({1: drawn(7, 7)}, "attentions must have a name for each set"),
        ({"cross": drawn(7, 7)}, "attentions['cross'] needs context=…, the tokens that the encoder reads"),
        ({"encoder": None}, "attentions['encoder'] needs context=…"),
        ({"decoder": None}, "attentions['decoder'] is None"),
    ],
)
@BOTH
def test_weights_that_are_none_get_one_line(view, attentions, says):
    with pytest.raises(ValueError) as error:
        view(WORDS, attentions)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "state", "says"),
    [
        (("a b", [[1]]), {}, "tokens is 'a b': give a list of words"),
        ((["a", ""], [[1]]), {}, "none of them empty"),
        (([], [[1]]), {}, "tokens has 0 words"),
        ((["a"], [[1]], ["b", 2]), {}, "context is ['b', 2]: give a list of words"),
        ((["a", "b"], [[1], [1]], ["c"]), {"layer": 1}, "layer is 1: it must be the number of a layer, from 0"),
        ((["a", "b"], [[0.5, 0.5]], ["c"]), {}, "and a column for each that is seen. It may be transposed"),
        ((["a"], [[1]]), {"head": -1}, "head is -1: it must be the number of a head, from 0"),
        ((["a"], [[1]]), {"kind": "cross"}, "kind is 'cross': it must be the name of one of the given sets"),
        ((["a"], [[1]]), {"colour": "red"}, "there is no 'colour'"),
        ((["a"], (np.ones((2, 1, 1, 1)),)), {"sentence": 2}, "sentence is 2: attentions[0] has a batch of 2, counted"),
    ],
)
@BOTH
def test_words_and_states_that_are_none_get_one_line(view, arguments, state, says):
    with pytest.raises(ValueError) as error:
        view(*arguments, **state)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
