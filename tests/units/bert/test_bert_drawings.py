"""The drawings of BERT: the input's three embeddings, and where each kind of task has its answers."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyBboxPatch
from unrolled.bert import Bert, BertConfig, Classifier, SpanFinder, Tagger
from unrolled.experiments.bert.drawings import ALT, GREEN, KINDS, draw_input, draw_tasks
from unrolled.pretraining import pack
from unrolled.wordpiece import SPECIALS, WordPiece


@pytest.fixture
def words():
    """The words of a drawing, panel by panel, with where they stand."""
    made = []

    def read(figure):
        made.append(figure)
        return [{text.get_position(): text.get_text() for text in ax.texts} for ax in figure.axes]

    yield read
    for figure in made:
        plt.close(figure)


@pytest.mark.parametrize(("first", "second"), [(("a", "b", "c"), ("d",)), (("a",), ("b", "a"))])
def test_the_input_has_the_ids_positions_and_segments_of_the_library(words, first, second):
    pieces = WordPiece([*SPECIALS, *"abcd"])
    ids, segments = pack([pieces.ids[i] for i in first], [pieces.ids[i] for i in second], pieces, 16)
    (drawn,) = words(draw_input(first, second))
    told = list(drawn.values())
    assert [word for word in told if word.startswith("T[")] == [f"T[{pieces.pieces[i].strip('[]')}]" for i in ids]
    assert [word for word in told if word.startswith("P[")] == [f"P[{n}]" for n in range(len(ids))]
    assert [word for word in told if word.startswith("S[")] == [f"S[{n}]" for n in segments]
    assert told.count("+") == 2 * len(ids)


def test_the_words_of_the_input_stand_in_what_is_said_for_those_who_cannot_see_it(words):
    (drawn,) = words(draw_input())
    row = [word for (_, height), word in drawn.items() if height == 3.75]
    assert " ".join(row) in ALT["input"] and len(row) == 10


def test_each_task_says_its_answers_above_the_pieces_they_belong_to(words):
    figure = draw_tasks()
    for ax, panel, kind in zip(figure.axes, words(figure), KINDS, strict=True):
        assert ax.get_title(loc="left") == kind.title
        assert [word for (_, height), word in panel.items() if height == 0] == list(kind.pieces)
        answers = {x: word for (x, height), word in panel.items() if height == 2.3 and float(x).is_integer()}
        assert answers == kind.answers
        boxes = [patch for patch in ax.patches if isinstance(patch, FancyBboxPatch)]
        assert sum(patch.get_edgecolor() == to_rgba(GREEN) for patch in boxes) == len(kind.answers)


def test_the_segments_are_those_of_the_library():
    for kind in KINDS:
        assert len(kind.pieces) == len(kind.segments)
        first = kind.pieces.index("[SEP]")
        assert kind.segments == "".join(str(int(n > first)) for n in range(len(kind.pieces)))


@pytest.mark.parametrize(("kind", "model"), [(0, Classifier), (1, Classifier), (2, SpanFinder), (3, Tagger)])
def test_the_heads_have_the_shapes_that_are_written(kind, model):
    bert = Bert(BertConfig(9, 8, 2, 1, 8, 8))
    rows = 2 if model is SpanFinder else 3
    head = model(bert) if model is SpanFinder else model(bert, rows)
    assert tuple(head.output.weight.shape) == (rows, 8)
    assert KINDS[kind].head.startswith("W: 2 × D" if model is SpanFinder else "W: C × D")
