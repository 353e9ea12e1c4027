"""Fill the mask without a browser: its Python side against the net itself, and its JavaScript against Python."""

import math

import numpy as np
import pytest
import torch
from unrolled.bert import Bert, BertConfig, Pieces, PretrainedBert
from unrolled.widgets.fill_mask import FillMask, candidates
from unrolled.wordpiece import SPECIALS, WordPiece
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("bert")

WORDS = "the old man woman took boat a . , un ##lock ##ed door she"
PIECES = WordPiece([*SPECIALS, *WORDS.split()])
LINES = ["the old man took a boat.", "she unlocked the door [SEP] the man took [MASK] boat.", "The door."]
MASKED = [[3], [3, 12], []]
_nets = {}


def net(longest=48) -> PretrainedBert:
    """A small net that has learned nothing, but has opinions: its numbers are far from where they begin."""
    if longest not in _nets:
        torch.manual_seed(2)
        model = PretrainedBert(BertConfig(len(PIECES), 16, 2, 2, 32, longest, dropout=0.2))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(0.4 * torch.randn_like(parameter))
        _nets[longest] = model
    return _nets[longest]


def filler(lines=LINES, **state) -> FillMask:
    return FillMask(net(), PIECES, lines, **({"masked": MASKED} if lines is LINES else {}) | state)


@torch.no_grad()
def guesses(text: str, hidden=()) -> torch.Tensor:
    """p of each piece at every place, (N, V): by the whole net, a text at a time."""
    ids = [PIECES.cls, *PIECES.encode(text, specials=True), PIECES.sep]
    first = ids.index(PIECES.sep)
    shown = [PIECES.mask if i in hidden else piece for i, piece in enumerate(ids)]
    model = net().eval()
    return model.guesses(Pieces.of([shown], [[int(i > first) for i in range(len(ids))]]))[0].exp()


# --- the numbers


@pytest.mark.parametrize("n", range(3))
def test_every_stored_answer_is_the_nets_own(n):
    widget = filler()
    free, pieces = widget.lines[n]["free"], widget.lines[n]["pieces"]
    for choice in [[], *([i] for i in free), *([i, j] for i in free for j in free if i < j)]:
        expected = guesses(LINES[n], choice)
        found = widget.filled(n, choice)
        assert [one.place for one in found] == sorted(choice + widget.lines[n]["fixed"])
        for one in found:
            row = expected[one.place]
            np.testing.assert_allclose(one.chances, row.topk(5).values, atol=1e-6)
            assert one.words == [PIECES.pieces[i] for i in row.topk(5).indices]
            if one.place in widget.lines[n]["fixed"]:
                assert (one.stood, one.rank, one.chance) == (None, None, None)
                continue
            assert one.stood == pieces[one.place]
            order = [PIECES.pieces[i] for i in row.argsort(descending=True)]
            assert order[one.rank - 1] == one.stood
            assert one.chance == pytest.approx(row[PIECES.ids[one.stood]].item(), abs=1e-6)


def test_the_loss_of_what_is_hidden_is_that_of_the_training():
    hidden = [2, 4]
    found = candidates(net(), PIECES, LINES[0], hidden)
    ids = torch.tensor([[PIECES.cls, *PIECES.encode(LINES[0]), PIECES.sep]])
    targets = torch.full_like(ids, -1)
    targets[0, hidden] = ids[0, hidden]
    ids[0, hidden] = PIECES.mask
    losses = net().eval()(Pieces.of(ids.tolist()), targets, torch.tensor([0]))
    assert np.mean([-math.log(one.chance) for one in found]) == pytest.approx(losses.masked.item(), abs=1e-5)


def test_what_can_be_hidden_are_all_pieces_but_special_ones():
    widget = filler()
    pieces, fixed, free = (widget.lines[1][name] for name in ("pieces", "fixed", "free"))
    assert " ".join(pieces) == "[CLS] she un ##lock ##ed the door [SEP] the man took [MASK] boat . [SEP]"
    assert fixed == [11]
    assert free == [1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13]


def test_dropout_is_off_and_training_goes_on_as_before():
    net().train()
    one, other = (candidates(net(), PIECES, LINES[0], [3]) for _ in range(2))
    assert one == other and net().training
    net().eval()
    candidates(net(), PIECES, LINES[0], [3])
    assert not net().training


def test_of_a_long_sentence_one_place_at_a_time_is_stored():
    widget = filler(["the old man took a boat, the woman took a door, she unlocked the old door."])
    assert (len(widget.lines[0]["free"]) > 18, widget.lines[0]["most"]) == (True, 1)
    widget.masked = [[1, 2]]
    assert list(widget.more) == ["0:1,2"]


def test_a_net_with_few_pieces_has_few_candidates():
    pieces = WordPiece([*SPECIALS[:4], "[MASK]"])
    widget = FillMask(PretrainedBert(BertConfig(5, 8, 1, 1, 8, 8)), pieces, ["[MASK]"])
    assert sum(widget.filled()[0].chances) == pytest.approx(1, abs=1e-5)


# --- what is not stored


def test_more_than_two_at_once_are_asked_of_the_net_when_they_are_looked_at():
    widget = filler()
    assert widget.more == {}
    widget.set_state({"masked": [[1, 3, 4], *MASKED[1:]]})  # as the browser does
    words, chances, rank, chance = widget.more["0:1,3,4"][1]
    expected = guesses(LINES[0], [1, 3, 4])[3]
    np.testing.assert_allclose(chances, expected.topk(5).values, atol=1e-6)
    assert words == [PIECES.pieces[i] for i in expected.topk(5).indices]
    assert chance == pytest.approx(expected[PIECES.ids["man"]].item(), abs=1e-6)
    widget.masked = MASKED
    assert list(widget.more) == ["0:1,3,4"], "two are stored"


def test_a_line_of_ones_own_is_read_and_every_choice_of_it_asked():
    widget = filler(sentence=1, place=13)
    widget.set_state({"asked": {"call": 7, "text": "The [MASK] took a door."}})
    assert widget.answer == {"call": 7}
    assert (widget.sentence, widget.place, widget.masked) == (3, 0, [*MASKED, []])
    assert " ".join(widget.lines[3]["pieces"]) == "[CLS] the [MASK] took a door . [SEP]"
    assert widget.lines[3]["own"]
    assert widget.more["3:"][0][2:] == [0, 0.0], "nobody knows what stood there"
    widget.masked = [*MASKED, [5]]
    assert [len(found) for found in (widget.more["3:"], widget.more["3:5"])] == [1, 2]
    assert widget.filled() == candidates(net(), PIECES, "The [MASK] took a door.", [5])


def test_a_second_line_takes_the_place_of_the_first():
    widget = filler()
    widget.read("the [MASK] took a door")
    widget.place = 6
    widget.read("she [MASK]")
    assert (len(widget.lines), widget.sentence, widget.place, list(widget.more)) == (4, 3, 0, ["3:"])


def test_a_call_without_a_line_only_says_that_somebody_is_there():
    widget = filler(sentence=1)
    widget.asked = {"call": 5, "text": "  "}
    assert (widget.answer, widget.sentence, len(widget.lines)) == ({"call": 5}, 1, 3)


def test_a_line_that_cannot_be_read_is_answered_with_a_note():
    widget = filler(sentence=1)
    widget.asked = {"call": 5, "text": "man " * 60}
    assert widget.answer == {
        "call": 5,
        "note": "the sentence has 62 pieces with [CLS] and [SEP]: up to 40 can be shown",
    }
    assert (widget.sentence, len(widget.lines)) == (1, 3)


# --- what can't be shown


@pytest.mark.parametrize(
    ("lines", "state", "says"),
    [
        ("the old man", {}, "sentences must be a list of 1 to 12 texts"),
        ([], {}, "sentences must be a list of 1 to 12 texts"),
        (["a"] * 13, {}, "sentences must be a list of 1 to 12 texts"),
        ([" "], {}, "' ' is no sentence: give a text"),
        ([["the", "man"]], {}, "is no sentence: give a text"),
        (["man " * 39], {}, "the sentence has 41 pieces with [CLS] and [SEP]: up to 40 can be shown"),
        (["[CLS] the man"], {}, "write the sentence without [CLS] and [PAD]"),
        (["the man [SEP]"], {}, "write [SEP] at most once, between two texts"),
        (["a [SEP] a [SEP] a"], {}, "write [SEP] at most once, between two texts"),
        (LINES, {"masked": [[3]]}, "masked is [[3]]: it must be a list for each sentence, of places in order"),
        (LINES, {"masked": [[0], [], []]}, "masked is [[0], [], []]: it must be"),
        (LINES, {"masked": [[3, 1], [], []]}, "masked is [[3, 1], [], []]: it must be"),
        (LINES, {"masked": [[], [11], []]}, "that may be hidden ([CLS] has place 0)"),
        (LINES, {"sentence": 3}, "sentence is 3: it must be the number of a sentence, from 0"),
        (LINES, {"place": 9}, "place is 9: it must be a place of the sentence, from 0"),
        (LINES, {"colour": "red"}, "there is no 'colour'"),
    ],
)
def test_bad_input_gets_one_line(lines, state, says):
    with pytest.raises(ValueError) as error:
        filler(lines, **state)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_short_net_takes_short_sentences():
    with pytest.raises(ValueError, match="the sentence has 9 pieces with .* up to 8 can be shown"):
        FillMask(net(longest=8), PIECES, LINES[:1])


def test_only_a_net_with_its_head_and_its_own_list_is_shown():
    with pytest.raises(ValueError, match="give a PretrainedBert as model"):
        FillMask(Bert(BertConfig(len(PIECES), 8, 1, 1, 8, 8)), PIECES, LINES)
    for wrong in (None, WordPiece(SPECIALS)):
        with pytest.raises(ValueError, match=f"give the WordPiece of this net as pieces: a list of {len(PIECES)}"):
            FillMask(net(), wrong, LINES)


def test_a_place_that_cannot_be_hidden_is_refused():
    with pytest.raises(ValueError, match="place 8 cannot be hidden: choose from 1, 2, 3, 4, 5, 6, 7"):
        candidates(net(), PIECES, LINES[0], [3, 8])


def test_the_browser_cannot_ask_nonsense():
    with pytest.raises(ValueError, match="asked is {'call': 'x'}: it must be"):
        filler().asked = {"call": "x"}


def test_another_sentence_keeps_the_place_inside():
    widget = filler(sentence=1, place=13)
    widget.sentence = 2
    assert widget.place == 4


# --- the tables beside the view


def test_the_tables_say_what_is_hidden_and_each_piece_alone():
    widget = filler()
    data, _ = widget._repr_mimebundle_()
    tables = [Table(html + "</table>") for html in data["text/html"].split("</table>")[:-1]]
    hidden, alone, *_ = tables
    assert [len(table.rows) - 1 for table in tables] == [1, 7, 3, 11, 3]
    assert hidden.caption == "“the old [MASK] took a boat .”: what the net puts in"
    assert alone.caption == "“the old man took a boat .”: each piece hidden alone"
    for place, row in enumerate(alone.rows[1:], start=1):
        (one,) = widget.filled(0, [place])
        likeliest = [f"{word} {100 * p:.1f} %" for word, p in zip(one.words, one.chances, strict=True)]
        assert row == [one.stood, f"{place}", *likeliest, f"{one.rank}", f"{-math.log(one.chance):.2f}"]
    assert hidden.rows[1] == alone.rows[3]
    assert tables[2].rows[2][:2] == ["[MASK]", "11"] and tables[2].rows[2][-2:] == ["", ""]
    first = widget.filled()[0]
    said = f"fill the mask: the old [MASK] took a boat . → {first.words[0]} {100 * first.chances[0]:.1f} %"
    assert data["text/plain"] == said
    assert "application/vnd.jupyter.widget-view+json" in data


# --- the JavaScript


def test_the_widget_asks_nobody_and_writes_no_markup():
    assert_asks_nobody(filler())


def test_the_widget_is_light():
    assert len(str(FillMask._esm)) + len(str(FillMask._css)) < 32_000, "with what all widgets share"
    assert sum(len(state_of(filler())[name]) for name in ("codes", "chances")) < 20_000


def case(widget: FillMask) -> dict:
    """What the browser gets, and Python's answers to choices of each sentence."""
    state = {name: value for name, value in state_of(widget).items() if not name.startswith("_")}
    found = []
    for n, answers in enumerate(widget._answers):
        for choice, filled in answers.items():
            found.append({"n": n, "choice": choice, "filled": [one._asdict() for one in filled]})
    return {"state": state, "found": found}


def test_javascript_reads_as_python_does(tmp_path):
    widgets = [filler(), filler(["[MASK] old [MASK]"])]
    widgets[0].masked = [[1, 2, 3, 4], *MASKED[1:]]
    widgets[0].read("the [MASK] man")
    widgets[0].masked = [*widgets[0].masked[:3], [3]]
    assert_node_agrees("fill_mask", filler(), [case(widget) for widget in widgets], tmp_path)
