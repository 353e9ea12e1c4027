"""Attention step by step without a browser: what Python sends and refuses, and the JavaScript against Python."""

import numpy as np
import pytest
import torch
from unrolled.widgets.attention_steps import AttentionSteps
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("seq2seq")

SOURCE = ["three", "hundred", "twenty", "one", "</s>"]
TARGET = ["drei", "hundert", "ein", "und", "zwanzig", "</s>"]
ALIGNED = [0, 1, 3, None, 2, 4]
NAMES = ["dot", "scaled dot", "bilinear", "additive"]


def drawn(seed=0, rows=6, columns=5) -> np.ndarray:
    """Weights that sum to one in each row, with a column of exact zeros where there is room for one."""
    weights = np.random.default_rng(seed).dirichlet(np.full(columns, 0.6), rows)
    if columns > 2:
        weights[:, 1] = 0
    return weights / weights.sum(1, keepdims=True)


def steps(weights=None, aligned=ALIGNED, **state) -> AttentionSteps:
    weights = {name: drawn(seed) for seed, name in enumerate(NAMES)} if weights is None else weights
    return AttentionSteps(SOURCE, TARGET, weights, aligned, **state)


# --- what Python sends


def test_the_browser_gets_the_weights_as_they_were_given():
    widget = steps()
    sent = np.frombuffer(widget.weights, "<f4").reshape(4, 6, 5)
    for k, name in enumerate(NAMES):
        np.testing.assert_allclose(sent[k], drawn(k), atol=1e-7)
        np.testing.assert_array_equal(widget.matrix(name), sent[k])
    assert (widget.source, widget.target, widget.scores) == (SOURCE, TARGET, NAMES)
    assert widget.aligned == [0, 1, 3, -1, 2, 4]


@pytest.mark.parametrize(
    "kind",
    [np.array, np.ndarray.tolist, torch.tensor, lambda w: torch.tensor(w, dtype=torch.bfloat16)],
    ids=["array", "list", "tensor", "bfloat16"],
)
def test_one_matrix_of_any_kind_may_be_given(kind):
    widget = AttentionSteps(tuple(SOURCE), TARGET, kind(drawn()))
    assert (widget.scores, widget.aligned) == (["attention"], [])
    np.testing.assert_allclose(widget.matrix(), drawn(), atol=0.004)


def test_entropy_is_between_none_and_that_of_equal_weights():
    widget = steps({"drawn": drawn(), "equal": np.full((6, 5), 0.2), "hard": np.eye(6, 5) + np.eye(6, 5, -5)})
    np.testing.assert_allclose(widget.entropy("equal"), np.log2(5), atol=1e-6)
    assert widget.entropy("hard").tolist() == [0] * 6
    assert ((widget.entropy("drawn") > 0) & (widget.entropy("drawn") < np.log2(5))).all()


def test_entropy_by_hand():
    """(1/2, 1/4, 1/4): 1/2 · 1 + 1/4 · 2 + 1/4 · 2 = 1.5 bits."""
    assert AttentionSteps(["a", "b", "c"], ["x"], [[0.5, 0.25, 0.25]]).entropy().tolist() == [1.5]


def test_hits_count_the_rows_that_have_a_true_source_word():
    right = np.zeros((6, 5))
    right[range(6), [0, 1, 3, 0, 2, 4]] = 1  # the row of “und”, which comes from no word, counts for neither
    wrong = right[:, ::-1]
    widget = steps({"right": right, "wrong": wrong, "equal": np.full((6, 5), 0.2)})
    assert [widget.hits(name) for name in widget.scores] == [(5, 5), (1, 5), (1, 5)]  # the first of equal ones
    assert steps(aligned=None).hits() == (0, 0)
    assert steps(aligned=[None] * 6).hits() == (0, 0)


# --- what can't be shown

SHORT, NEGATIVE, NAN = drawn(), drawn(), drawn()
SHORT[2] *= 0.87
NEGATIVE[1, :2] += [0.5, -0.5]
NAN[4, 0] = np.nan


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (SHORT, "row 2 of weights, that of “ein”, sums to 0.870: the weights of a step must sum to 1"),
        ({"dot": SHORT}, "row 2 of weights['dot'], that of “ein”, sums to 0.870"),
        (np.zeros((6, 5)), "row 0 of weights, that of “drei”, sums to 0.000"),
        (NEGATIVE, "weights has -0.5 in row 1, that of “hundert”: no weight is below 0"),
        (NAN, "weights has a number that is not finite in row 4, that of “zwanzig”"),
        (drawn(rows=5), "weights has shape (5, 5): expected (6, 5), a row for each target word"),
        (drawn(rows=5, columns=6), "a column for each source word. It may be transposed"),
        (drawn()[None], "weights has shape (1, 6, 5): expected (6, 5)"),
        ("dot", "weights is not made of numbers"),
        ({}, "weights has 0 scores: give 1 to 6, {name: matrix}"),
        ({3: drawn()}, "give 1 to 6, {name: matrix}"),
    ],
)
def test_weights_that_are_none_get_one_line(weights, says):
    with pytest.raises(ValueError) as error:
        steps(weights)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("a b", ["x"], [[1]]), "source is 'a b': give a list of words"),
        ((["a"], ["x", ""], [[1], [1]]), "target is ['x', '']: give a list of words, none of them empty"),
        ((["a"], [], np.zeros((0, 1))), "target has 0 words: from 1 to 60 can be shown"),
        ((["a"] * 61, ["x"], [[1 / 61] * 61]), "source has 61 words"),
        (
            (["a"], ["x"], [[1]], [0, 0]),
            "aligned must be a list with the place of a source word, or None, for each of 1",
        ),
        ((["a"], ["x"], [[1]], [1]), "aligned has 1: give the place of a source word, 0 to 0, or None"),
        ((["a"], ["x"], [[1]], [-1]), "aligned has -1"),
        ((["a"], ["x"], [[1]], ["a"]), "aligned has 'a'"),
    ],
)
def test_words_and_alignments_that_are_none_get_one_line(arguments, says):
    with pytest.raises(ValueError) as error:
        AttentionSteps(*arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"step": 6}, "step is 6: it must be the number of a target word, from 0"),
        ({"score": "cosine"}, "score is 'cosine': it must be the name of one of the given scores"),
        ({"beside": "yes"}, "beside is 'yes'"),
        ({"colour": "red"}, "there is no 'colour'"),
    ],
)
def test_a_state_that_is_none_gets_one_line(state, says):
    with pytest.raises(ValueError) as error:
        steps(**state)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


# --- the table beside the view


@pytest.mark.parametrize("aligned", [ALIGNED, None])
def test_the_tables_say_all_that_is_shown(aligned):
    widget = steps(aligned=aligned, score="bilinear")
    data, _ = widget._repr_mimebundle_()
    tables = [Table(html + "</table>") for html in data["text/html"].split("</table>")[:-1]]
    for table, name in zip(tables, NAMES, strict=True):
        assert f"“{name}”" in table.caption
        head, *rows = table.rows
        assert head[1:7] == [*SOURCE, "entropy in bits"]
        for j, (word, *cells) in enumerate(rows):
            assert word == TARGET[j]
            shown = [float(cell.removesuffix(" %")) / 100 for cell in cells[:5]]
            np.testing.assert_allclose(shown, widget.matrix(name)[j], atol=0.00051)
            assert float(cells[5]) == pytest.approx(widget.entropy(name)[j], abs=0.0051)
            places = [] if aligned is None else [aligned[j]]
            assert cells[6:] == ["none" if place is None else SOURCE[place] for place in places]
        right, of = widget.hits(name)
        assert (f"{right} of {of} rows" in table.caption) == (aligned is not None)
    first = SOURCE[widget.heaviest("bilinear")[0]]
    assert data["text/plain"].startswith(f"attention (bilinear): drei ← {first}, hundert ← ")


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(steps())


def test_the_widget_is_light():
    assert len(str(AttentionSteps._esm)) + len(str(AttentionSteps._css)) < 30_000, "with what all widgets share"
    assert len(state_of(steps())["weights"]) < 4 / 3 * 4 * 4 * 6 * 5 + 4


def case(widget: AttentionSteps) -> dict:
    """What the browser gets, and Python's numbers for each score."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    found = [
        {
            "matrix": widget.matrix(name).tolist(),
            "entropy": widget.entropy(name).tolist(),
            "heaviest": widget.heaviest(name),
            "hits": list(widget.hits(name)),
        }
        for name in widget.scores
    ]
    return {"state": state, "found": found}


def test_javascript_computes_as_python_does(tmp_path):
    equal = AttentionSteps(["a", "b"], ["x", "y", "z"], [[0.5, 0.5], [1, 0], [0, 1]], [1, None, 1])
    widgets = [steps(), steps(drawn(7), None), equal, AttentionSteps(["a"], ["x"], [[1]])]
    assert_node_agrees("attention_steps", steps(), [case(widget) for widget in widgets], tmp_path)
