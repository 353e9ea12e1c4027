"""Questions that are answered by a span of the text, or by none: a slot's name asked of a request to a voice assistant.

    asked = questions(snips()["train"], pieces, seed=0)      # [Question("party size number", …, answer=(4, 5)), …]
    finder = learned(bert, asked, pieces, steps=400)
    measured(finder, pieces, questions(snips()["test"], pieces, 1))   # Answered(exact=…, f1=…, …)

After Rajpurkar and others, "SQuAD" (2016) and "Know what you don't know" (2018): [CLS] question [SEP] passage [SEP], a
score for each piece to be the first and to be the last one; place 0, [CLS], for no answer. For each request one slot
that it has is asked for, and one that it has not.

Left out on purpose: passages longer than the net's positions, and a threshold for no answer that is chosen.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.bert import Bert, SpanFinder
from unrolled.experiments.bert.finetuning import BATCH, RATE, fitted, start
from unrolled.experiments.bert.reading import Item, Reader
from unrolled.experiments.tagging.reports import spans
from unrolled.experiments.tagging.snips import Utterance
from unrolled.pretraining import buckets
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece

Span = tuple[int, int] | None  # first word, and the word behind the last; None: no answer


@dataclass(frozen=True)
class Question:
    """What is asked, of which words, and the right answer."""

    name: str
    words: list[str]
    answer: Span
    item: Item


def questions(requests: Sequence[Utterance], pieces: WordPiece, seed: int, longest: int = 128) -> list[Question]:
    """Two of each request that has a slot: one slot that it has, once, and one that it has not, drawn by seed."""
    chance, reader = random.Random(seed), Reader(pieces, (), longest)
    names = sorted({name for one in requests for name, _, _ in spans(one.tags)})
    asked = []
    for one in requests:
        found = sorted(spans(one.tags))
        counts = Counter(name for name, _, _ in found)
        once = [(name, (first, end)) for name, first, end in found if counts[name] == 1]
        others = [name for name in names if name not in counts]
        drawn = [chance.choice(once)] if once else []
        drawn += [(chance.choice(others), None)] if once and others else []
        asked += [Question(name, one.words, answer, _item(reader, name, one.words)) for name, answer in drawn]
    return asked


def _item(reader: Reader, name: str, words: Sequence[str]) -> Item:
    spelt = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name.replace("_", " "))
    return reader.words(words, question=[*spelt.split(), "?"])


# --- training --------------------------------------------------------------------------------------------------------


def target(question: Question) -> tuple[int, int]:
    """The first and the last piece of the answer; (0, 0) for none, and for one that was cut away in part."""
    of, answer = question.item.of_word, question.answer
    if answer is None or answer[1] - 1 not in of:
        return 0, 0
    inside = [at for at, word in enumerate(of) if answer[0] <= word < answer[1]]
    return inside[0], inside[-1]


def batches(asked: Sequence[Question], pieces: WordPiece, size: int, seed: int) -> Iterator[Batch]:
    """Without end: every question once an epoch."""
    chance, reader = random.Random(seed), Reader(pieces, ())
    while True:
        for group in buckets([len(one.item.ids) for one in asked], size, chance):
            some = [asked[i] for i in group]
            yield Batch(reader.batch([one.item for one in some]), torch.tensor([target(one) for one in some]))


def learned(
    bert: Bert,
    asked: Sequence[Question],
    pieces: WordPiece,
    *,
    steps: int,
    batch: int = BATCH,
    rate: float = RATE,
    seed: int = 0,
    fresh: bool = False,
) -> SpanFinder:
    """A copy of the net with two scores for each piece, trained. fresh: from drawn numbers, see `finetuning.start`."""
    finder = SpanFinder(start(bert, seed, fresh))
    stream = batches(asked, pieces, batch, seed)
    fitted(finder, stream, steps, rate)
    return finder


# --- answers ---------------------------------------------------------------------------------------------------------


def best(logits: Tensor, of_word: Sequence[int]) -> Span:
    """The span with the highest sum of its two scores, if it is above that of [CLS] twice. logits (2, N)."""
    n = len(of_word)
    inside = torch.tensor([word >= 0 for word in of_word])
    sums = (logits[0, :n, None] + logits[1, None, :n]).masked_fill(~(inside[:, None] & inside).triu(), -torch.inf)
    at = int(sums.argmax())  # (N, N): first piece, last piece
    if sums.flatten()[at] <= logits[0, 0] + logits[1, 0]:
        return None
    return of_word[at // n], of_word[at % n] + 1


@torch.no_grad()
def answers(finder: SpanFinder, pieces: WordPiece, asked: Sequence[Question], size: int = 64) -> list[Span]:
    """Of each question."""
    reader, found = Reader(pieces, ()), []
    for first in range(0, len(asked), size):
        items = [one.item for one in asked[first : first + size]]
        logits = finder(reader.batch(items).to(finder.device)).logits.cpu()  # (B, 2, N)
        found += [best(row, item.of_word) for row, item in zip(logits, items, strict=True)]
    return found


class Answered(NamedTuple):
    """Shares, from 0 to 1."""

    exact: float  # of answers that are right to the word, none where there is none
    f1: float  # mean over the questions
    exact_of_answered: float  # the first two of questions that have an answer
    f1_of_answered: float
    none: float  # of questions without one, how many got none
    none_of_answered: float  # of questions that have one, how many got none


def overlap(gold: Span, given: Span) -> float:
    """F1 of the words of two spans; of two that are none 1, of one that is none 0."""
    if gold is None or given is None:
        return float(gold == given)
    both = max(0, min(gold[1], given[1]) - max(gold[0], given[0]))
    return 2 * both / (gold[1] - gold[0] + given[1] - given[0])


def scored(asked: Sequence[Question], given: Sequence[Span]) -> Answered:
    """Answers against the right ones. Both kinds of questions must be there."""
    rows = [
        (one.answer is None, one.answer == span, overlap(one.answer, span), span is None)
        for one, span in zip(asked, given, strict=True)
    ]

    def share(values: list) -> float:
        return round(sum(values) / len(values), 4)

    answered = [row for row in rows if not row[0]]
    return Answered(
        share([exact for _, exact, _, _ in rows]),
        share([f1 for _, _, f1, _ in rows]),
        share([exact for _, exact, _, _ in answered]),
        share([f1 for _, _, f1, _ in answered]),
        share([exact for no, exact, _, _ in rows if no]),
        share([none for _, _, _, none in answered]),
    )


def measured(finder: SpanFinder, pieces: WordPiece, asked: Sequence[Question]) -> Answered:
    """What it answers, scored."""
    return scored(asked, answers(finder, pieces, asked))
