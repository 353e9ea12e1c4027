"""The tag reader without a browser: its Python side against the net itself, and its JavaScript against Python."""

import numpy as np
import pytest
import torch
from unrolled.experiments.tagging.grammar import made_sentences
from unrolled.experiments.tagging.trainer import Trained, train_classifier, train_tagger
from unrolled.widgets.tag_reader import TagReader, contributions, cut
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("tagging")

LINES = ["the old teacher walks .", "every walk near the tower shines .", "Prerankali opens two light squares !"]
SMALL = dict(steps=30, width=12, spelling=8, hidden=10)
_made = {}


def tagger(**changes) -> Trained:
    """A small net, trained for a moment on the made grammar; one for each kind of settings."""
    key = str(sorted(changes.items()))
    if key not in _made:
        _made[key] = train_tagger(made_sentences(60, seed=0), seed=0, **{**SMALL, **changes})
    return _made[key]


def reader(sentences=LINES, net=None, **state) -> TagReader:
    return TagReader(net or tagger(), sentences, **state)


@torch.no_grad()
def logits_of(trained: Trained, words: list[str]) -> np.ndarray:
    trained.model.eval()
    return trained.model(trained.reader.words([words])).logits[0].double().numpy()


# --- the numbers

KINDS = [{}, {"letters": False}, {"layers": 2}, {"directions": 1}]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_probabilities_are_the_nets_own(kind):
    trained = tagger(**kind)
    widget = reader(net=trained)
    for n, line in enumerate(LINES):
        expected = torch.from_numpy(logits_of(trained, line.split())).softmax(1).numpy()
        np.testing.assert_allclose(widget.probabilities(n), expected, atol=1e-6)
        assert [widget.answers(n)] == trained.answers([line.split()])


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_directions_and_the_bias_add_up_to_the_logits(kind):
    trained = tagger(**kind)
    widget = reader(net=trained)
    for n, line in enumerate(LINES):
        forward, backward, bias = widget.contributions(n)
        np.testing.assert_allclose(forward + backward + bias, logits_of(trained, line.split()), atol=1e-5)
        assert (backward == 0).all() == (kind == {"directions": 1})


def test_each_direction_is_what_a_net_without_the_other_would_add():
    trained = tagger()
    _, forward, backward = contributions(trained, LINES[0])
    other = contributions(trained, "the old teacher walks here .")
    np.testing.assert_allclose(other.forward[:4], forward[:4], atol=1e-6)  # it has not seen what comes later
    assert abs(other.backward[:4] - backward[:4]).max() > 1e-3


def test_dropout_is_off_and_training_goes_on_as_before():
    trained = tagger()
    trained.model.train()
    one, other = (contributions(trained, LINES[1]).forward for _ in range(2))
    np.testing.assert_array_equal(one, other)
    assert trained.model.training
    trained.model.eval()
    contributions(trained, LINES[1])
    assert not trained.model.training


def test_the_commonest_answer_has_the_first_colour():
    widget = reader()
    answers = [tag for n in range(3) for tag in widget.answers(n)]
    first = widget.tags[widget.ranks.index(0)]
    assert answers.count(first) == max(map(answers.count, answers))
    assert sorted(widget.ranks) == list(range(len(widget.tags)))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I know that.", "I know that ."),
        ("I don't know John's 3,000 books, do I?", "I do n't know John 's 3,000 books , do I ?"),
        ('"Run" (at 10:30) …', '" Run " ( at 10:30 ) …'),
        ("the  old\tman", "the old man"),
        ("well...", "well ..."),
        ("do n't , John 's", "do n't , John 's"),
        ("", ""),
    ],
)
def test_a_line_is_cut_as_the_treebank_cuts(line, words):
    assert cut(line) == words.split()


def test_sentences_may_be_lines_lists_or_tagged():
    made = made_sentences(1, seed=3)[0]
    widget = reader([made, made.words, LINES[0], ("a.b", "c d")])
    assert widget.words == [made.words, made.words, LINES[0].split(), ["a.b", "c d"]]


# --- a sentence of one's own


def test_what_is_asked_is_answered():
    widget = reader(sentence=1, word=6)
    widget.set_state({"asked": {"call": 7, "text": "the wolf sleeps."}})  # as the browser does
    assert widget.answer["call"] == 7
    assert widget.answer["words"] == ["the", "wolf", "sleeps", "."]
    assert (widget.sentence, widget.word) == (3, 0)
    forward, backward, _ = widget.contributions()
    np.testing.assert_allclose(widget.answer["forward"], forward)
    np.testing.assert_allclose(widget.answer["backward"], backward)
    assert [widget.answers()] == tagger().answers([["the", "wolf", "sleeps", "."]])


def test_a_second_line_takes_the_place_of_the_first():
    widget = reader()
    widget.asked = {"call": 1, "text": "the wolf sleeps near the old tower ."}
    widget.word = 7
    widget.asked = {"call": 2, "text": "wolves sleep"}
    assert (widget.sentence, widget.word, widget.answers()) == (3, 0, widget.answers(3))
    assert len(widget.probabilities(3)) == 2


def test_a_call_without_a_line_says_that_somebody_is_there_and_changes_nothing():
    widget = reader(sentence=1, word=2)
    widget.asked = {"call": 5, "text": "  "}
    assert widget.answer == {"call": 5}
    widget.read("wolves sleep")
    before = widget.answer
    widget.asked = {"call": 6, "text": ""}
    assert widget.answer == {**before, "call": 6}


def test_a_line_that_is_too_long_is_answered_with_a_note():
    widget = reader(sentence=1)
    widget.asked = {"call": 5, "text": "wolf " * 61}
    assert widget.answer == {"call": 5, "note": "the sentence has 61 words: from 1 to 60 can be shown"}
    assert widget.sentence == 1
    widget.asked = {"call": 6, "text": "wolves sleep"}
    assert "note" not in widget.answer


# --- what can't be shown


@pytest.mark.parametrize(
    ("sentences", "state", "says"),
    [
        ("the old man", {}, "sentences must be a list of 1 to 20 sentences"),
        ([], {}, "sentences must be a list of 1 to 20 sentences"),
        (["a"] * 21, {}, "sentences must be a list of 1 to 20 sentences"),
        ([""], {}, "the sentence has 0 words: from 1 to 60 can be shown"),
        (["a " * 61], {}, "the sentence has 61 words"),
        ([3], {}, "3 is no sentence: give a line, a list of words or a tagged sentence"),
        ([["a", ""]], {}, "['a', ''] is no sentence"),
        (LINES, {"sentence": 3}, "sentence is 3: it must be the number of a sentence, from 0"),
        (LINES, {"word": 5}, "word is 5: it must be the number of a word, from 0"),
        (LINES, {"colour": "red"}, "there is no 'colour'"),
    ],
)
def test_bad_input_gets_one_line(sentences, state, says):
    with pytest.raises(ValueError) as error:
        reader(sentences, **state)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_only_a_trained_tagger_is_shown():
    classifier = train_classifier([["a", "a"], ["b", "b"]], ["x", "y"], steps=1, width=4, hidden=4)
    for wrong in (None, tagger().model, classifier):
        with pytest.raises(ValueError, match="give a trained tagger, as train_tagger returns it"):
            TagReader(wrong, LINES)


def test_the_browser_cannot_ask_nonsense():
    with pytest.raises(ValueError, match="asked is {'call': 'x'}: it must be"):
        reader().asked = {"call": "x"}


def test_another_sentence_keeps_the_word_inside():
    widget = reader(sentence=1, word=6)
    widget.sentence = 0
    assert widget.word == 4


# --- the table beside the view


def test_the_tables_say_for_every_word_where_the_lead_comes_from():
    widget = reader()
    data, _ = widget._repr_mimebundle_()
    tables = [Table(html + "</table>") for html in data["text/html"].split("</table>")[:-1]]
    assert [len(table.rows) for table in tables] == [1 + len(line.split()) for line in LINES]
    for n, (table, line) in enumerate(zip(tables, LINES, strict=True)):
        assert line in table.caption
        probs, parts = widget.probabilities(n), widget.contributions(n)
        for t, (word, first, second, lead, *terms) in enumerate(table.rows[1:]):
            assert word == line.split()[t]
            assert first == f"{widget.answers(n)[t]} {100 * probs[t].max():.1f} %"
            one, two = (widget.tags.index(cell.split()[0]) for cell in (first, second))
            assert float(lead) == pytest.approx(np.log(probs[t, one] / probs[t, two]), abs=0.006)
            assert sum(map(float, terms)) == pytest.approx(float(lead), abs=0.021)
            assert float(terms[0]) == pytest.approx(parts[0][t, one] - parts[0][t, two], abs=0.0051)
    assert data["text/plain"].startswith("tag reader: the/")
    assert "application/vnd.jupyter.widget-view+json" in data


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(reader())


def test_the_widget_is_light():
    assert len(str(TagReader._esm)) + len(str(TagReader._css)) < 30_000, "with what all widgets share"
    numbers = state_of(reader())
    assert len(numbers["forward"]) < 4 / 3 * 4 * 18 * len(numbers["tags"]) + 4


def case(widget: TagReader) -> dict:
    """What the browser gets, and Python's numbers for each sentence."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    found = []
    for n in range(len(widget._parts)):
        forward, backward, bias = widget.contributions(n)
        found.append({"p": widget.probabilities(n).tolist(), "logits": (forward + backward + bias).tolist()})
    return {"state": state, "found": found}


def test_javascript_computes_as_python_does(tmp_path):
    widgets = [reader(net=tagger(**kind)) for kind in KINDS]
    widgets[1].read("the wolf sleeps .")
    assert_node_agrees("tag_reader", reader(), [case(widget) for widget in widgets], tmp_path)
