"""The drawing of the whole encoder–decoder: each part once, in the order of the equations, and the memory's way."""

import matplotlib.pyplot as plt
import pytest
from unrolled.experiments.transformer.drawings import ALT, DECODER, ENCODER, draw_transformer

pytestmark = pytest.mark.unit("transformer")
SUBLAYER = {"pre": ["norm", "{}", "+"], "post": ["{}", "+", "norm"]}


@pytest.fixture
def drawn():
    """drawn(norm): the axes; closed after the test."""
    figures = []

    def draw(norm):
        figures.append(draw_transformer(norm))
        return figures[-1].axes[0]

    yield draw
    for figure in figures:
        plt.close(figure)


def column(ax, x: float) -> list[str]:
    """What stands in the middle of a stack, from below."""
    texts = [text for text in ax.texts if text.get_text() and text.get_position()[0] == x]
    return [text.get_text() for text in sorted(texts, key=lambda text: text.get_position()[1])]


def sublayers(norm: str, *works: str) -> list[str]:
    return [name.format(work) for work in works for name in SUBLAYER[norm]]


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_each_stack_has_its_parts_in_order(drawn, norm):
    ax, last = drawn(norm), ["norm"] if norm == "pre" else []
    own = sublayers(norm, "self-attention", "feed-forward")
    assert column(ax, ENCODER) == ["source words", "word vectors", "+", *own, *last]
    own = sublayers(norm, "masked self-attention", "cross-attention", "feed-forward")
    end = [*last, "matrix D × V", "softmax", "probabilities of the next word"]
    assert column(ax, DECODER) == ["target words so far", "word vectors", "+", *own, *end]


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_memory_leads_from_the_encoders_end_to_the_cross_attention(drawn, norm):
    ax = drawn(norm)
    (cross,) = (text for text in ax.texts if text.get_text() == "cross-attention")
    green = [line for line in ax.lines if line.get_color() == "#009e73"]
    assert green[0].get_xdata()[0] == ENCODER
    assert green[-1].get_ydata()[-1] == pytest.approx(cross.get_position()[1])
    above = [text.get_position()[1] for text in ax.texts if text.get_position()[0] == ENCODER]
    assert green[0].get_ydata()[0] > max(above), "behind the last part"


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_line_leads_around_each_part_from_before_it_to_its_sum(drawn, norm):
    ax = drawn(norm)
    around = [line for line in ax.lines if line.get_color() == "#0072b2"]
    assert len(around) == 2 + 3
    for line in around:
        x, start, end = line.get_xdata()[0], line.get_ydata()[0], line.get_ydata()[-1]
        stack = [text for text in ax.texts if text.get_text() and text.get_position()[0] == x]
        inside = [text.get_text() for text in stack if start < text.get_position()[1] < end - 0.05]
        assert len(inside) == (2 if norm == "pre" else 1)
        assert inside[-1].endswith(("attention", "forward"))
        assert (inside[0] == "norm") is (norm == "pre"), "inside the way around, or behind the sum"


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_no_text_leaves_its_box_or_the_figure(drawn, norm):
    ax = drawn(norm)
    ax.figure.canvas.draw()
    page = ax.figure.bbox
    boxes = [patch.get_window_extent() for patch in ax.patches if patch.get_facecolor()[3]]  # the frames have none
    for text in ax.texts:
        if text.get_text():
            box = text.get_window_extent()
            assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1, text.get_text()
        if "attention" in text.get_text():
            assert any(p.x0 < box.x0 and box.x1 < p.x1 and p.y0 < box.y0 and box.y1 < p.y1 for p in boxes), text


def test_the_alternative_text_names_every_part_and_another_order_is_refused():
    for norm, alt in ALT.items():
        for part in (
            "encoder",
            "decoder",
            "masked self-attention",
            "cross-attention",
            "feed-forward",
            "norm",
            "memory",
        ):
            assert part in alt, norm
    with pytest.raises(ValueError, match="there is no norm 'none': choose one of post, pre"):
        draw_transformer("none")
