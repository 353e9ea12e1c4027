"""Fill the mask: click pieces of a sentence to hide them, and see what BERT puts in their place.

    FillMask(model, pieces, ["the old man took a boat."], masked=[[3]])

A net that was trained on hidden pieces (Devlin and others, 2019) gives each hidden place a probability p of every piece
on its list; the loss of its training is −ln p of the piece that stood there. Each place is filled by itself: the net
gives no probability of two pieces together.

For the given sentences the answers to every choice of one or two hidden pieces travel to the browser, and are there on
a page without a kernel. More at once, and a sentence that the reader types, go to the kernel. Left out on purpose:
pieces that are exchanged instead of hidden, and filling in one by one.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from traitlets import Bytes, Dict, Int, List, Unicode, observe

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits
from .packing import Places, pack, stored, together
from .reading import BEST, Filled, Line, check_net, fill, read_line

_HERE = Path(__file__).parent
_MOST_SENTENCES = 12


def _masks_fit(widget, masked) -> bool:
    if len(masked) != len(widget.lines):
        return False
    return all(
        list(places) == sorted(set(places) & set(line["free"]))
        for places, line in zip(masked, widget.lines, strict=True)
    )


_RULES = {
    "sentence": (lambda widget, n: 0 <= n < len(widget.lines), "the number of a sentence, from 0"),
    "place": (
        lambda widget, i: 0 <= i < len(widget.lines[widget.sentence]["pieces"]),
        "a place of the sentence, from 0",
    ),
    "masked": (_masks_fit, "a list for each sentence, of places in order that may be hidden ([CLS] has place 0)"),
    "asked": (
        lambda _, asked: isinstance(asked.get("call"), int) and isinstance(asked.get("text"), str),
        "{'call': a number, 'text': a line}",
    ),
}


class FillMask(TabledWidget):
    """A sentence in pieces, some of them hidden, and for each hidden place the likeliest pieces.

    model: an `unrolled.bert.PretrainedBert`; pieces: its `unrolled.wordpiece.WordPiece`.
    sentences: 1 to 12 texts of at most 40 pieces; [MASK] may stand in them, and [SEP] once, between two texts.

    Traits that may be read and set at any time: masked (for each sentence the list of its hidden places; [CLS] has
    place 0), sentence and place (what is looked at, from 0). The sentence that a reader typed comes after the given
    ones. ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    # Of each sentence: pieces, fixed (places of [MASK] in the text), free (that may be hidden), most (so many hidden
    # at once are stored), own (did the reader type it?).
    lines = List().tag(sync=True)
    best = Int(BEST).tag(sync=True)  # candidates of a place
    names = List(Unicode()).tag(sync=True)
    codes = Bytes().tag(sync=True)  # see `packing`
    chances = Bytes().tag(sync=True)
    # What the kernel has said beyond that: "sentence:place,place" -> of each place words, chances, rank and chance.
    more = Dict().tag(sync=True)

    # The browser's number of a question and the line; "" only asks whether somebody is there.
    asked = Dict({"call": 0, "text": ""}).tag(sync=True)
    answer = Dict({"call": -1}).tag(sync=True)  # the same number; and a note if the line could not be read

    masked = List(List(Int())).tag(sync=True)
    sentence = Int(0).tag(sync=True)
    place = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, model, pieces, sentences, **state):
        check_net(model, pieces)
        _check_number(sentences)
        self._net, self._read = (model, pieces), [read_line(model, pieces, text) for text in sentences]
        self._given, self._answers = len(sentences), stored(model, pieces, self._read)
        packed = pack(self._answers)
        lines = [self._shown(line, together(line)) for line in self._read]
        empty = [[] for _ in lines]
        super().__init__(lines=lines, best=min(BEST, len(pieces)), masked=empty, **packed._asdict())
        set_traits(self, ("masked", "sentence", "place"), state)

    def filled(self, sentence: int | None = None, masked: Sequence[int] | None = None) -> list[Filled]:
        """What the net puts at the hidden places of a sentence (None: the one looked at, as it stands)."""
        n = self.sentence if sentence is None else sentence
        choice = tuple(self.masked[n] if masked is None else masked)
        if choice not in self._answers[n]:
            self._answers[n][choice] = fill(*self._net, self._read[n], [choice])[0]
        return self._answers[n][choice]

    def read(self, text: str) -> None:
        """One more sentence, in place of an earlier one of this kind, and looks at it."""
        line = read_line(*self._net, text)
        with self.hold_sync():  # the browser hears of it at once
            self.place = 0  # the one looked at might not be there any more
            self._read[self._given :], self._answers[self._given :] = [line], [{}]
            self.more = {key: found for key, found in self.more.items() if not key.startswith(f"{self._given}:")}
            self.lines = [*self.lines[: self._given], self._shown(line, -1, own=True)]
            self.masked = [*self.masked[: self._given], []]
            self.sentence = self._given
            self._tell_more(None)

    def _shown(self, line: Line, most: int, own: bool = False) -> dict:
        pieces = [self._net[1].pieces[i] for i in line.ids]
        return {"pieces": pieces, "fixed": line.fixed, "free": line.free, "most": most, "own": own}

    @observe("masked", "sentence")
    def _tell_more(self, change) -> None:
        """What is looked at and was not stored is asked of the net now."""
        n = self.sentence
        choice: Places = tuple(self.masked[n]) if n < len(self.masked) else ()
        key = f"{n}:{','.join(map(str, choice))}"
        if n < len(self.lines) and len(choice) > self.lines[n]["most"] and key not in self.more:
            found = [[one.words, one.chances, one.rank or 0, one.chance or 0.0] for one in self.filled(n, choice)]
            self.more = {**self.more, key: found}

    @observe("asked")
    def _answer(self, change) -> None:
        told = {"call": change.new["call"]}
        if change.new["text"].strip():
            try:
                self.read(change.new["text"])
            except ValueError as error:
                told["note"] = str(error)
        self.answer = told

    @observe("sentence")
    def _stay_inside(self, change) -> None:
        self.place = min(self.place, self._length(change.new) - 1)

    def _beside(self) -> tuple[str, str]:
        told = [f"{one.words[0]} {100 * one.chances[0]:.1f} %" for one in self.filled()]
        said = f"fill the mask: {self._text(self.sentence)} → {', '.join(told) or 'nothing is hidden'}"
        return said, "".join(_tables(self, n) for n in range(len(self.lines)))

    def _length(self, n: int) -> int:
        return len(self.lines[n]["pieces"])

    def _text(self, n: int) -> str:
        """A sentence as it stands, without [CLS] and the last [SEP]."""
        hidden = self.masked[n]
        shown = ["[MASK]" if i in hidden else piece for i, piece in enumerate(self.lines[n]["pieces"])]
        return " ".join(shown[1:-1])


def _check_number(sentences) -> None:
    if isinstance(sentences, str) or not isinstance(sentences, Sequence) or not 1 <= len(sentences) <= _MOST_SENTENCES:
        raise ValueError(f"sentences must be a list of 1 to {_MOST_SENTENCES} texts")


# --- the tables beside the view


def _tables(widget: FillMask, n: int) -> str:
    """What is hidden now; and of a given sentence each piece hidden alone."""
    found, tables = widget.filled(n), ""
    if found:
        tables += _table(f"“{widget._text(n)}”: what the net puts in", found)
    if not widget.lines[n]["own"]:
        whole = " ".join(widget.lines[n]["pieces"][1:-1])
        places = set(widget.lines[n]["fixed"])
        alone = [one for i in widget.lines[n]["free"] for one in widget.filled(n, [i]) if one.place not in places]
        tables += _table(f"“{whole}”: each piece hidden alone", alone)
    return tables


def _table(caption: str, found: list[Filled]) -> str:
    """A row a place: what stood there, the likeliest pieces, and how likely was what stood there."""
    rows = []
    for one in found:
        stood = [one.stood or "[MASK]", f"{one.place}"]
        likeliest = [f"{word} {100 * p:.1f} %" for word, p in zip(one.words, one.chances, strict=True)]
        known = ["", ""] if one.chance is None else [f"{one.rank}", f"{-math.log(max(one.chance, 1e-38)):.2f}"]
        rows.append([*stood, *likeliest, *known])
    head = ["stood there", "place", "likeliest", *(f"{k}." for k in range(2, 1 + len(found[0].words)))] if found else []
    return html_table(caption, [*head, "rank of what stood there", "−ln p of it, nats"], rows)
