"""The drawing of both directions: what a box needs, and what is drawn."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch
from unrolled import figures
from unrolled.experiments.tagging.drawings import draw_directions, needed


def test_an_output_needs_its_left_in_one_row_and_its_right_in_the_other():
    assert needed((1, 2), 3) == {(1, "forward", 1), (1, "forward", 2), (1, "backward", 2), (1, "backward", 3)}


def test_above_the_first_layer_all_of_the_layers_below_is_needed():
    below = {(1, way, step) for way in ("forward", "backward") for step in (1, 2, 3)}
    assert needed((2, 1), 3) == below | {(2, "forward", 1)} | {(2, "backward", step) for step in (1, 2, 3)}


def test_what_is_needed_is_filled_and_nothing_else():
    figure = draw_directions(["a", "b", "c"], layers=2, marked=(2, 3))
    boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, FancyBboxPatch)]
    blue = plt.matplotlib.colors.to_rgba(figures.COLOURS[5])
    assert len(boxes) == 12 and sum(box.get_facecolor() == blue for box in boxes) == len(needed((2, 3), 3))
    plt.close(figure)
