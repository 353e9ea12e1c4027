"""The tag reader: sentences coloured by tag, and what the two directions of a tagger add to each answer.

    TagReader(tagger, ["the old man the boat", "I know that ."])

A tagger's logits are V h + c, and its state is h = [→h ; ←h]. So they are a sum, →V →h + ←V ←h + c: what was read
from the left, what was read from the right, and the bias. In a net of several layers only the top one is taken apart:
each of its directions has already seen both directions of the layer below.

All numbers of the given sentences travel to the browser, which also answers on a page without a kernel. A sentence
that the reader types goes to the kernel as `asked`, and comes back as `answer`. Left out on purpose: changing the net.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from traitlets import Bytes, Dict, Float, Int, List, Unicode, observe

from ..arrays import numeric
from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits
from .reading import Parts, check_tagger, contributions, words_of

_HERE = Path(__file__).parent
_MOST_SENTENCES = 20
_ROWS = 8  # tags shown of a word

_RULES = {
    "sentence": (lambda widget, n: 0 <= n < len(widget._parts), "the number of a sentence, from 0"),
    "word": (lambda widget, t: 0 <= t < len(widget._parts[widget.sentence].words), "the number of a word, from 0"),
    "asked": (
        lambda _, asked: isinstance(asked.get("call"), int) and isinstance(asked.get("text"), str),
        "{'call': a number, 'text': a line}",
    ),
}


class TagReader(TabledWidget):
    """A sentence with a tag under each word; of the word looked at, the likeliest tags and where they come from.

    trained: a tagger with its reader, as `unrolled.experiments.tagging.trainer.train_tagger` returns it.
    sentences: lines, lists of words, or tagged sentences; 1 to 20 of them, each of at most 60 words.

    Traits that may be read and set at any time: sentence and word, numbers from 0. The sentence that a reader typed
    comes after the given ones. ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    tags = List(Unicode()).tag(sync=True)  # K of them
    ranks = List(Int()).tag(sync=True)  # of each tag: 0 for the commonest answer in the given sentences; its colour
    bias = List(Float()).tag(sync=True)  # (K,)
    directions = Int(2).tag(sync=True)
    rows = Int(_ROWS).tag(sync=True)
    words = List(List(Unicode())).tag(sync=True)  # of each given sentence; N in all
    forward = Bytes().tag(sync=True)  # float32 (N, K): what the direction from the left adds to the logits
    backward = Bytes().tag(sync=True)  # float32 (N, K)

    # The browser's number of a question and the line; "" only asks whether somebody is there.
    asked = Dict({"call": 0, "text": ""}).tag(sync=True)
    # The same number; and, once a line was read, its words, its parts (T, K), and a note if it could not be read.
    answer = Dict({"call": -1}).tag(sync=True)

    sentence = Int(0).tag(sync=True)
    word = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, trained, sentences, **state):
        check_tagger(trained)
        _check_number(sentences)
        self._trained = trained
        self._parts = [contributions(trained, sentence) for sentence in sentences]
        self._given = len(self._parts)
        super().__init__(
            tags=list(trained.reader.classes),
            ranks=_ranks(self._parts, numeric(trained.model.output.bias, "bias")),
            bias=numeric(trained.model.output.bias, "bias").tolist(),
            directions=trained.model.config.directions,
            words=[parts.words for parts in self._parts],
            forward=np.concatenate([parts.forward for parts in self._parts]).tobytes(),
            backward=np.concatenate([parts.backward for parts in self._parts]).tobytes(),
        )
        set_traits(self, ("sentence", "word"), state)

    def contributions(self, sentence: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The terms of a sentence's logits (None: the one looked at): forward and backward (T, K), bias (K,)."""
        parts = self._parts[self.sentence if sentence is None else sentence]
        return parts.forward.astype(float), parts.backward.astype(float), np.array(self.bias)

    def probabilities(self, sentence: int | None = None) -> np.ndarray:
        """P of each tag, (T, K), at each word of a sentence (None: the one looked at)."""
        return _softmax(sum(self.contributions(sentence)))

    def answers(self, sentence: int | None = None) -> list[str]:
        """The likeliest tag of each word."""
        return [self.tags[k] for k in self.probabilities(sentence).argmax(1)]

    def read(self, line) -> None:
        """Tags one more sentence, in place of an earlier one of this kind, and looks at it."""
        parts = contributions(self._trained, line)
        numbers = {name: getattr(parts, name).tolist() for name in ("forward", "backward")}
        with self.hold_sync():  # the browser hears of it at once
            self.word = 0  # the one looked at might not be there any more
            self._parts[self._given :] = [parts]
            self.answer = {"call": self.asked["call"], "words": parts.words, **numbers}
            self.sentence = self._given

    @observe("asked")
    def _answer(self, change) -> None:
        call, line = change.new["call"], change.new["text"]
        before = {name: value for name, value in self.answer.items() if name != "note"}
        if not line.strip():
            self.answer = {**before, "call": call}
            return
        try:
            self.read(line)
        except ValueError as error:
            self.answer = {**before, "call": call, "note": str(error)}

    @observe("sentence")
    def _stay_inside(self, change) -> None:
        self.word = min(self.word, len(self._parts[change.new].words) - 1)

    def _beside(self) -> tuple[str, str]:
        tagged = " ".join(map("/".join, zip(self._parts[self.sentence].words, self.answers(), strict=True)))
        return f"tag reader: {tagged}", "".join(_table(self, n) for n in range(len(self._parts)))


# --- reading what was given


def _check_number(sentences) -> None:
    if isinstance(sentences, str) or not isinstance(sentences, Sequence) or not 1 <= len(sentences) <= _MOST_SENTENCES:
        raise ValueError(f"sentences must be a list of 1 to {_MOST_SENTENCES} sentences")
    for sentence in sentences:
        words_of(sentence)


def _ranks(given: list[Parts], bias: np.ndarray) -> list[int]:
    """The place of each tag among all, the commonest answer first."""
    counts = Counter(k for parts in given for k in (parts.forward + parts.backward + bias).argmax(1).tolist())
    order = sorted(range(len(bias)), key=lambda k: (-counts[k], k))
    return [order.index(k) for k in range(len(bias))]


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(1, keepdims=True))  # (T, K)
    return powers / powers.sum(1, keepdims=True)


# --- the tables beside the view


def _table(widget: TagReader, sentence: int) -> str:
    """A row a word: the two likeliest tags, and where the lead of the first over the second comes from."""
    words, probs = widget._parts[sentence].words, widget.probabilities(sentence)
    forward, backward, bias = widget.contributions(sentence)
    rows = []
    for t, (first, second) in enumerate(np.argsort(-probs, axis=1, kind="stable")[:, [0, min(1, len(bias) - 1)]]):
        lead = [parts[first] - parts[second] for parts in (forward[t], backward[t], bias)]
        likeliest = [f"{widget.tags[k]} {100 * probs[t, k]:.1f} %" for k in (first, second)]
        rows.append([words[t], *likeliest, *(f"{part:+.2f}" for part in (sum(lead), *lead))])
    head = ["", "tag", "next", "lead in logits", "from the left", "from the right", "bias"]
    return html_table(f"“{' '.join(words)}”, its tags, and where the lead of each over the next comes from", head, rows)
