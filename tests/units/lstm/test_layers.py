"""The drawing of a stacked net: it shows every step of every layer, and fills what a step really depends on."""

import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch
from unrolled import figures
from unrolled.experiments.lstm.layers import draw_layers, needed
from unrolled.lstm import LSTMCell


@pytest.fixture
def unrolled():
    """The right half of a drawing of two layers and three words, with layer 2, step 2 marked."""
    figure = draw_layers(["we", "hold", "fish"], layers=2, marked=(2, 2))
    yield figure.axes[1]
    plt.close(figure)


def test_the_boxes_that_are_needed_are_those_whose_state_carries_a_gradient():
    torch.manual_seed(0)
    rows, states = list(torch.randn(4, 1, 3)), {}
    for layer in (1, 2, 3):
        cell, h, c = LSTMCell(3, 3), torch.zeros(1, 3), torch.zeros(1, 3)
        for t, x in enumerate(rows):
            h, c = cell(x, h, c)
            states[layer, t + 1] = rows[t] = h
    boxes = [box for box in states if box != (2, 3)]
    gradients = torch.autograd.grad(states[2, 3].sum(), [states[box] for box in boxes], allow_unused=True)
    assert needed((2, 3)) == {box for box, gradient in zip(boxes, gradients, strict=True) if gradient is not None}


def test_each_layer_takes_each_step_and_reads_the_words(unrolled):
    boxes = [patch for patch in unrolled.patches if isinstance(patch, FancyBboxPatch)]
    texts = [text.get_text() for text in unrolled.texts]
    assert len(boxes) == 2 * 3
    assert [text.split("\n")[0] for text in texts if "\n" in text] == ["we", "hold", "fish"]
    assert {"states[0]", "states[1]", "last[0]", "last[1]"} <= set(texts)


def test_the_marked_box_is_outlined_and_what_it_needs_is_filled(unrolled):
    filled = {where(box) for box in unrolled.patches if to_hex(box.get_facecolor()) == figures.COLOURS[5]}
    outlined = {where(box) for box in unrolled.patches if to_hex(box.get_edgecolor()) == figures.COLOURS[1]}
    assert filled == needed((2, 2))
    assert outlined == {(2, 2)}


def where(box):
    """The layer and the step of a box, from the middle of what is drawn."""
    left, bottom, width, height = box.get_bbox().bounds
    return round(bottom + height / 2), round(left + width / 2)
