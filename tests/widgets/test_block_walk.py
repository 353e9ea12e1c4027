"""The block walk without a browser: what is sent, refused and recorded, and the JavaScript against Python."""

import numpy as np
import pytest
import torch
from unrolled.attention import causal_mask
from unrolled.transformer import Decoder, DecoderBlock, Encoder
from unrolled.transformer_lm import TransformerLM
from unrolled.widgets.block_walk import BlockWalk, parts_of, record
from widget_page import Table, assert_asks_nobody, assert_node_agrees, page_of, state_of

pytestmark = pytest.mark.unit("transformer")

TOKENS = ["the", "cat", "sat"]
CONTEXT = ["die", "Katze", "saß", "."]
ENCODER = {
    "pre": ["norm1", "attention", "add1", "norm2", "feed_forward", "add2"],
    "post": ["attention", "add1", "norm1", "feed_forward", "add2", "norm2"],
}
DECODER = {
    "pre": ["norm1", "attention", "add1", "norm2", "cross", "add2", "norm3", "feed_forward", "add3"],
    "post": ["attention", "add1", "norm1", "cross", "add2", "norm2", "feed_forward", "add3", "norm3"],
}


def rows(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape or (3, 6))


def weights(seed: int, *shape: int) -> np.ndarray:
    powers = np.exp(rows(seed, *shape))
    return powers / powers.sum(-1, keepdims=True)


def view(norm="pre", cross=False, looks=True, closed=True, **state) -> BlockWalk:
    parts = [part for part in parts_of(norm, cross) if not part.startswith("add")]
    layers = [{part: rows(10 * n + k) for k, part in enumerate(parts, 1)} for n in range(2)]
    if looks:
        layers[0]["weights"], layers[1]["weights"] = weights(5, 2, 3, 3), weights(6, 2, 3, 3)
    if looks and cross:
        layers[1]["cross_weights"] = weights(7, 4, 3, 4)  # of the first layer they are not known
    final = rows(99) if closed else None
    context = CONTEXT if cross else None
    return BlockWalk(TOKENS, rows(0), layers, norm, final, context, **state)


# --- the order of parts, and the sums


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_parts_stand_in_the_order_of_the_equations(norm):
    assert parts_of(norm, crossed=False) == ENCODER[norm]
    assert parts_of(norm, crossed=True) == DECODER[norm], "self-attention, then the memory, then the feed-forward net"


def test_a_walk_by_hand():
    """x = (3, 4), attention finds (1, −1), feed-forward (0, 2): sums (4, 3) and (4, 5), lengths 5 and √41."""
    pre = {"norm1": [[9, 9]], "attention": [[1, -1]], "norm2": [[7, 7]], "feed_forward": [[0, 2]]}
    widget = BlockWalk(["a"], [[3, 4]], [pre])
    (walk,) = widget.walk()
    assert {place: x.tolist() for place, x in walk.items()} == {
        "input": [3, 4],
        "norm1": [9, 9],
        "attention": [1, -1],
        "add1": [4, 3],
        "norm2": [7, 7],
        "feed_forward": [0, 2],
        "add2": [4, 5],
    }
    assert widget.lengths() == pytest.approx([5, 41**0.5])


def test_post_norm_adds_to_what_the_norm_gave():
    """x = 1; attention 2: sum 3, the norm makes it 10; feed-forward 5: sum 15, the norm makes it 20; then the same."""
    post = {"attention": [[2]], "norm1": [[10]], "feed_forward": [[5]], "norm2": [[20]]}
    one, other = BlockWalk(["a"], [[1]], [post, post], norm="post").walk()
    assert [x.item() for x in one.values()] == [1, 2, 3, 10, 5, 15, 20]
    assert [x.item() for x in other.values()] == [20, 2, 22, 10, 5, 15, 20]


def test_each_layer_begins_with_what_the_one_before_gave():
    for norm, cross in [("pre", False), ("post", True)]:
        widget = view(norm, cross)
        one, other = widget.walk(1)
        np.testing.assert_array_equal(other["input"], one[widget.parts[-1]])
        assert list(one) == widget.places(0) and list(other) == widget.places(1) == widget.places()
        np.testing.assert_array_equal(other["final"], rows(99)[1].astype(np.float32))
        assert widget.lengths(1)[-1] == pytest.approx(np.linalg.norm(rows(99)[1]), rel=1e-6)


@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist, torch.tensor, lambda v: torch.tensor(v).bfloat16()])
def test_vectors_of_any_kind_may_be_given(kind):
    layer = {part: kind(rows(n)) for n, part in enumerate(["norm1", "attention", "norm2", "feed_forward"], 1)}
    widget = BlockWalk(TOKENS, kind(rows(0)), [layer])
    np.testing.assert_allclose(widget.walk(2)[0]["add2"], rows(0)[2] + rows(2)[2] + rows(4)[2], atol=0.05)


def test_a_sentence_of_a_batch_is_chosen():
    parts = ["norm1", "attention", "norm2", "feed_forward"]
    batch = {part: rows(n, 2, 3, 6) for n, part in enumerate(parts, 1)} | {"weights": weights(9, 2, 4, 3, 3)}
    one = {part: values[1] for part, values in batch.items()}
    widgets = BlockWalk(TOKENS, rows(0, 2, 3, 6), [batch], sentence=1), BlockWalk(TOKENS, rows(0, 2, 3, 6)[1], [one])
    assert state_of(widgets[0])["vectors"] == state_of(widgets[1])["vectors"]
    np.testing.assert_array_equal(widgets[0].weights(), widgets[1].weights())


# --- recording


def stacks(norm: str) -> dict:
    torch.manual_seed(3)
    sizes = {"width": 8, "heads": 2, "inner": 12, "layers": 2, "norm": norm, "dropout": 0.5}
    return {"encoder": Encoder(**sizes), "decoder": Decoder(**sizes)}


def end_of(recorded: dict) -> np.ndarray:
    """What comes out at the very end, (N, D), by the widget's own sums."""
    n = recorded["x"].shape[1]
    widget = BlockWalk(["w"] * n, **recorded)
    last = "final" if widget.closed else widget.parts[-1]
    return np.stack([widget.walk(i)[-1][last] for i in range(n)])


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("masked", [False, True])
def test_what_is_recorded_of_an_encoder_ends_as_the_encoder_does(norm, masked):
    encoder, x = stacks(norm)["encoder"], torch.randn(1, 5, 8)
    mask = torch.tensor([True, True, True, False, True])[None, None, None] if masked else None
    recorded = record(encoder, x, mask)
    assert encoder.training, "left as it was"
    np.testing.assert_allclose(end_of(recorded), encoder.eval()(x, mask)[0].detach(), atol=1e-5)
    for layer, wanted in zip(recorded["layers"], encoder.weights(x, mask), strict=True):
        torch.testing.assert_close(layer["weights"], wanted)
    assert (recorded["final"] is None) is (norm == "post")


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_what_is_recorded_of_a_decoder_ends_as_the_decoder_does(norm):
    decoder, y, memory = stacks(norm)["decoder"], torch.randn(1, 5, 8), torch.randn(1, 3, 8)
    real = torch.tensor([True, True, False])[None, None, None]
    recorded = record(decoder, y, memory=memory, memory_mask=real)
    np.testing.assert_allclose(
        end_of({**recorded, "context": list("abc")}), decoder.eval()(y, memory, memory_mask=real)[0].detach(), atol=1e-5
    )
    for layer in recorded["layers"]:
        assert (layer["weights"][0][:, ~causal_mask(5)] == 0).all()
        assert (layer["cross_weights"][..., 2] == 0).all() and (layer["cross_weights"][..., :2] > 0).all()


def test_one_block_and_a_language_model_can_be_recorded():
    torch.manual_seed(4)
    block, y, memory = DecoderBlock(8, 2, 12), torch.randn(1, 4, 8), torch.randn(1, 3, 8)
    found = end_of({**record(block, y, memory=memory), "context": list("abc")})
    np.testing.assert_allclose(found, block(y, memory)[0].detach(), atol=1e-5)
    model, ids = TransformerLM(7, width=8, heads=2, layers=2, context=6), torch.tensor([[1, 5, 0, 3]])
    logits = model(ids).logits[0]
    np.testing.assert_allclose(
        end_of(record(model, ids)) @ model.V.detach().T.double().numpy(), logits.detach(), atol=1e-4
    )


def test_a_decoder_needs_a_memory():
    with pytest.raises(ValueError, match="a decoder's block asks a memory: give memory=…"):
        record(stacks("pre")["decoder"], torch.randn(1, 5, 8))


# --- what can't be shown

NAN = rows(1)
NAN[1, 2] = np.nan
LAYER = {"norm1": rows(1), "attention": rows(2), "norm2": rows(3), "feed_forward": rows(4)}
CROSS = {**LAYER, "cross": rows(5), "norm3": rows(6)}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tokens": "a b"}, "tokens is 'a b': give a list of words"),
        ({"x": rows(0, 4, 6)}, "x has shape (4, 6): expected (3, D) or (B, 3, D), a row for each token"),
        ({"x": rows(0, 3, 129)}, "x has 129 numbers a token: up to 128 can be shown"),
        ({"x": NAN}, "x has a number that is not finite in row 1, that of “cat”"),
        ({"x": None}, "x has shape ()"),
        ({"x": rows(0, 2, 3, 6), "sentence": 2}, "sentence is 2: x has a batch of 2, counted from 0"),
        ({"norm": "none"}, "norm is 'none': it must be “pre” or “post”"),
        ({"layers": []}, "layers has 0 blocks: from 1 to 24 can be shown"),
        ({"layers": [rows(0)]}, "layers must be a list with a mapping for each block"),
        ({"layers": 3}, "layers must be a list with a mapping for each block"),
        ({"layers": [LAYER, {"norm1": rows(0)}]}, "layers[1] lacks 'attention': a block of this kind has norm1, "),
        ({"layers": [CROSS, LAYER]}, "layers[1] lacks 'cross'"),
        ({"layers": [{**LAYER, "add1": rows(0)}]}, "layers[0] has 'add1': a block of this kind has norm1, attention,"),
        ({"layers": [{**LAYER, "norm3": rows(0)}]}, "layers[0] has 'norm3'"),
        (
            {"layers": [{**LAYER, "attention": rows(0, 3, 5)}]},
            "layers[0]['attention'] has shape (3, 5): expected (3, 6)",
        ),
        ({"layers": [{**LAYER, "norm2": NAN}]}, "layers[0]['norm2'] has a number that is not finite in row 1"),
        ({"layers": [{**LAYER, "norm2": "no"}]}, "layers[0]['norm2'] is not made of numbers"),
        ({"layers": [{**LAYER, "weights": rows(0)}]}, "layers[0]['weights'] has shape (3, 6): expected (heads, 3, 3)"),
        ({"layers": [{**LAYER, "weights": rows(0, 2, 3, 3)}]}, "layers[0]['weights'], head 0, row 0, that of “the”: "),
        ({"layers": [{**LAYER, "weights": weights(0, 25, 3, 3)}]}, "layers[0]['weights'] has 25 heads: up to 24"),
        ({"layers": [{**LAYER, "weights": np.full((1, 3, 3), np.nan)}]}, "layers[0]['weights'], head 0, row 0"),
        ({"layers": [{**CROSS, "cross_weights": weights(0, 2, 3, 4)}]}, "layers[0]['cross_weights'] needs context=…"),
        ({"final": rows(0, 3, 5)}, "final has shape (3, 5): expected (3, 6)"),
        (
            {"tokens": ["w"] * 60, "x": rows(0, 60, 128), "layers": [dict.fromkeys(LAYER, rows(0, 60, 128))] * 6},
            "these vectors and weights are 768 kB and at most 700 kB can be sent",
        ),
        ({"token": 3}, "token is 3: it must be the number of a token, from 0"),
        ({"layer": 1}, "layer is 1: it must be the number of a layer, from 0"),
        ({"part": "cross"}, "part is 'cross': it must be “input” or a part of these blocks"),
        ({"part": "final"}, "part is 'final': it must be “input” or a part of these blocks"),
        ({"own": "yes"}, "own is 'yes'"),
        ({"colour": "red"}, "there is no 'colour'"),
    ],
)
def test_what_is_none_gets_one_line(changes, says):
    given = {"tokens": TOKENS, "x": rows(0), "layers": [LAYER]}
    with pytest.raises(ValueError) as error:
        BlockWalk(**{**given, **changes})
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_row_that_may_see_nothing_may_be_shown():
    nothing = weights(1, 2, 3, 3)
    nothing[1, 2] = 0
    assert not BlockWalk(TOKENS, rows(0), [{**LAYER, "weights": nothing}]).weights()[1, 2].any()


# --- the table beside the view


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_table_says_all_that_is_shown_of_a_token(norm):
    widget = view(norm, cross=True, token=1)
    data, _ = widget._repr_mimebundle_()
    table = Table(data["text/html"])
    assert table.caption == f"“cat” through 2 layers, {norm}-norm; layers from 0"
    head, *body = table.rows
    assert head == ["", "length", "mean μ", "spread σ"]
    vectors = [x for places in widget.walk() for x in places.values()]
    for (name, *numbers), x in zip(body, vectors, strict=True):
        np.testing.assert_allclose([float(n) for n in numbers], [np.linalg.norm(x), x.mean(), x.std()], atol=0.0051)
        assert name.startswith("layer ")
    wanted = {"pre": ["layer 0, comes in", "layer 0, norm 1", "layer 0, attention", "layer 0, add 1"]}
    wanted["post"] = ["layer 0, comes in", "layer 0, attention", "layer 0, add 1", "layer 0, norm 1"]
    assert [name for name, *_ in body][:4] == wanted[norm]
    assert body[-1][0] == "layer 1, final norm"
    assert data["text/plain"].startswith(f"“cat” through 2 layers ({norm}-norm), length of its vector: ")


# --- the JavaScript


def test_the_widget_asks_nobody_and_is_light():
    assert_asks_nobody(view())
    assert len(str(BlockWalk._esm)) + len(str(BlockWalk._css)) < 45_000, "with what all widgets share"
    words = [f"word{n}" for n in range(40)]
    layers = [dict.fromkeys(LAYER, rows(0, 40, 128)) | {"weights": weights(0, 4, 40, 40)}] * 5
    widget = BlockWalk(words, rows(0, 40, 128), layers)
    assert len(page_of(widget)) + len(widget._repr_mimebundle_()[0]["text/html"]) < 1_000_000


def case(widget: BlockWalk) -> dict:
    """What the browser gets, and Python's walk and weights of each token."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    walks = [
        [[[place, x.tolist(), np.linalg.norm(x), x.mean(), x.std()] for place, x in places.items()] for places in walk]
        for walk in map(widget.walk, range(len(widget.tokens)))
    ]
    looks = [
        {
            part: None if (found := widget.weights(part, layer)) is None else found.tolist()
            for part in ("attention", "cross")
        }
        for layer in range(widget.depth)
    ]
    lengths = [widget.lengths(token) for token in range(len(widget.tokens))]
    return {"state": state, "walks": walks, "looks": looks, "lengths": lengths}


def test_javascript_computes_as_python_does(tmp_path):
    widgets = [
        view("pre"),
        view("post", closed=False),
        view("pre", cross=True, closed=False),
        view("post", cross=True, looks=False),
    ]
    assert_node_agrees("block_walk", view(), [case(widget) for widget in widgets], tmp_path)
