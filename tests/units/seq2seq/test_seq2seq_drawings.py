"""Drawings of encoder and decoder: which states the context reaches."""

import matplotlib.pyplot as plt
import pytest
from unrolled.experiments.seq2seq.drawings import ORANGE, SOURCE, TARGET, draw_translators


@pytest.fixture
def arrows():
    """The numbers of all arrows and of those that carry the context, in a drawing of one panel."""
    made = []

    def count(context, **how):
        made.append(draw_translators((context,), **how))
        drawn = [text.arrow_patch for text in made[-1].axes[0].texts if getattr(text, "arrow_patch", None)]
        orange = plt.matplotlib.colors.to_rgba(ORANGE)
        return len(drawn), sum(patch.get_edgecolor() == orange for patch in drawn)

    yield count
    for figure in made:
        plt.close(figure)


WORDS = len(SOURCE) + 2 * len(TARGET)  # words that are read, and those that are said
LINKS = len(SOURCE) - 1 + len(TARGET)  # from state to state


def test_idea_1_hands_over_once(arrows):
    assert arrows("first") == (WORDS + LINKS + 1, 1)


def test_idea_2_hands_over_at_every_step(arrows):
    assert arrows("every") == (WORDS + LINKS + 2 + len(TARGET), 2 + len(TARGET))


@pytest.mark.parametrize("looking", [0, 2])
def test_attention_looks_at_every_state_when_the_state_before_asks(arrows, looking):
    carried = 1 + len(SOURCE) + 1
    assert arrows("attention", looking=looking) == (WORDS + LINKS + carried + 1, carried)


def test_several_panels_have_a_title_each():
    figure = draw_translators(("first", "every", "attention"))
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["idea 1", "idea 2", "attention"]
    plt.close(figure)
