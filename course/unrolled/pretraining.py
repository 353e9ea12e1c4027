"""What BERT is pre-trained on: pairs of passages, cut to a length, with some of their pieces hidden.

Devlin and others, "BERT" (2019). Half of the pairs go on as the text does, half take their second passage from another
document; 15 % of the pieces are chosen, of which 80 % are hidden by [MASK], 10 % exchanged for another piece, and 10 %
left as they are. Batches are of pairs of about equal length ("buckets"), so that little is spent on pads.

What is hidden is drawn anew for each batch, as Liu and others, "RoBERTa" (2019), do. Left out on purpose: hiding whole
words, as later versions of BERT do.

Shapes: B pairs, N pieces of each; K pieces are chosen in a batch.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.bert import Pieces
from unrolled.language_model import IGNORED
from unrolled.wordpiece import SPECIALS, WordPiece

CHOSEN, HIDDEN, EXCHANGED = 0.15, 0.8, 0.1  # of the pieces; of the chosen ones
BETWEEN = 3  # [CLS] and two [SEP]
Ids = list[int]
Document = Sequence[Ids]  # sentences, in their order

# --- two parts in one sequence ---------------------------------------------------------------------------------------


def head(ids: Ids, n: int) -> Ids:
    """The first n pieces."""
    return ids[:n]


def tail(ids: Ids, n: int) -> Ids:
    """The last n pieces."""
    return ids[max(0, len(ids) - n) :]


def head_and_tail(ids: Ids, n: int) -> Ids:
    """The first quarter of n pieces and the last three, after Sun and others, "How to fine-tune BERT" (2019)."""
    return ids if len(ids) <= n else [*head(ids, n // 4), *tail(ids, n - n // 4)]


CUTS: dict[str, Callable[[Ids, int], Ids]] = {"head": head, "tail": tail, "head and tail": head_and_tail}


def shares(first: int, second: int, room: int) -> tuple[int, int]:
    """How many pieces of two parts stay in so much room: whichever is longer loses one, until both fit.

    Of equal ones the second loses.
    """
    spare = max(0, first + second - room)
    level = min(spare, abs(first - second))  # what the longer one loses alone
    first, second = (first - level, second) if first > second else (first, second - level)
    both = spare - level
    return first - both // 2, second - (both + 1) // 2


def pack(first: Ids, second: Ids | None, pieces: WordPiece, longest: int, cut: str = "head") -> tuple[Ids, Ids]:
    """[CLS] first [SEP], or [CLS] first [SEP] second [SEP], of at most `longest` pieces: ids and segments.

    cut: one of CUTS, what stays of a part that is too long. ValueError if not even the special pieces fit.
    """
    around = BETWEEN - (second is None)
    if cut not in CUTS or longest < around:
        raise ValueError(f"cut is {cut!r}, longest {longest}: one of {', '.join(CUTS)}, and at least {around}")
    kept = shares(len(first), len(second or ()), longest - around)
    ids = [pieces.cls, *CUTS[cut](first, kept[0]), pieces.sep]
    segments = [0] * len(ids)
    if second is not None:
        ids += [*CUTS[cut](second, kept[1]), pieces.sep]
    return ids, segments + [1] * (len(ids) - len(segments))


def windows(ids: Ids, longest: int, step: int) -> list[Ids]:
    """A long text in overlapping pieces of at most `longest`, each `step` after the one before; the last ends it."""
    if not 1 <= step <= longest:
        raise ValueError(f"step is {step}: at least 1, and at most the window's {longest}")
    starts = range(0, max(1, len(ids) - longest + step), step)
    return [ids[at : at + longest] for at in starts]


# --- does the second follow the first? -------------------------------------------------------------------------------


class Pair(NamedTuple):
    """Two passages, and whether the second is from another document: 1, or 0 if it follows the first."""

    first: Ids
    second: Ids
    elsewhere: int


def next_pairs(documents: Sequence[Document], room: int, chance: random.Random) -> Iterator[Pair]:
    """Each document in passages that fill `room` pieces, each cut in two between sentences, at a place drawn.

    The last sentence may reach beyond; whoever packs the pair cuts it. Half of the pairs get a second passage from
    another document instead; the sentences that lose their place then begin the next passage. A sentence that fills
    the room alone makes no pair. ValueError for fewer than two documents.

    Both kinds fill the room and end in the midst of a sentence equally often: else their lengths would tell them apart.
    """
    if len(documents) < 2:
        raise ValueError("pairs need two documents: one has no other to take a passage from")
    for number, document in enumerate(documents):
        at = 0
        while at < len(document):
            end = _far(document, at, room)
            middle = at + 1 if end - at < 3 else chance.randrange(at + 1, end)
            first = _joined(document[at:middle])
            if end - at > 1 and chance.random() < 0.5:
                yield Pair(first, _joined(document[middle:end]), 0)
                middle = end
            elif end - at > 1:
                other = documents[_other(number, len(documents), chance)]
                begin = chance.randrange(len(other))
                yield Pair(first, _joined(other[begin : _far(other, begin, room - len(first))]), 1)
            at = middle


def _far(document: Document, at: int, room: int) -> int:
    """Where a passage ends that begins with sentence `at` and fills the room, if the document goes on so long."""
    size = 0
    while size < room and at < len(document):
        size += len(document[at])
        at += 1
    return at


def _joined(sentences: Iterable[Ids]) -> Ids:
    return [i for sentence in sentences for i in sentence]


def _other(number: int, count: int, chance: random.Random) -> int:
    """Any of the other documents, each as likely."""
    drawn = chance.randrange(count - 1)
    return drawn + (drawn >= number)


# --- hiding ----------------------------------------------------------------------------------------------------------


class Hidden(NamedTuple):
    """A batch of which some pieces are hidden. Both (B, N) int64."""

    ids: Tensor
    targets: Tensor  # what stood there, at the chosen positions; IGNORED at all others


def hide(ids: Tensor, pieces: WordPiece, chance: torch.Generator, share: float = CHOSEN) -> Hidden:
    """Choose that share of each row's pieces, and at least one, never SPECIALS. ids (B, N) stay as they are.

    The number is rounded, and every piece of a row has the same chance. Another piece is any but SPECIALS.
    """
    special = torch.tensor(sorted(pieces.ids[name] for name in SPECIALS))
    ordinary = ~torch.isin(ids, special)  # (B, N)
    order = torch.rand(ids.shape, generator=chance).masked_fill(~ordinary, 2.0).argsort(1).argsort(1)  # ranks
    wanted = (share * ordinary.sum(1, keepdim=True)).round().clamp(min=1)  # (B, 1)
    chosen = ordinary & (order < wanted)
    fate = torch.rand(ids.shape, generator=chance)
    others = torch.tensor([i for i in range(len(pieces)) if i not in set(special.tolist())])
    drawn = others[torch.randint(len(others), ids.shape, generator=chance)]
    shown = torch.where(chosen & (fate < HIDDEN), pieces.mask, ids)
    shown = torch.where(chosen & (fate >= HIDDEN) & (fate < HIDDEN + EXCHANGED), drawn, shown)
    return Hidden(shown, torch.where(chosen, ids, IGNORED))


# --- batches ---------------------------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """What a `PretrainedBert` is called with."""

    pieces: Pieces
    targets: Tensor  # (B, N)
    elsewhere: Tensor  # (B,)

    def to(self, where: torch.device | str) -> "Batch":
        return Batch(*(part.to(where, non_blocking=True) for part in self))


def buckets(lengths: Sequence[int], size: int, chance: random.Random) -> list[list[int]]:
    """The numbers of sequences in batches of `size`, of about equal length, in a drawn order; the last may be smaller.

    Lengths are blurred by up to a tenth, so that batches are not the same each time.
    """
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] * (1 + 0.1 * chance.random()))
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    chance.shuffle(groups)
    return groups


def batches(documents: Sequence[Document], pieces: WordPiece, longest: int, size: int, seed: int) -> Iterator[Batch]:
    """One pass through the documents, in a drawn order: pairs of at most `longest` pieces, `size` a batch."""
    chance, hidden = random.Random(seed), torch.Generator().manual_seed(seed)
    pairs = list(next_pairs(chance.sample(documents, len(documents)), longest - BETWEEN, chance))
    packed = [pack(pair.first, pair.second, pieces, longest) for pair in pairs]
    for group in buckets([len(ids) for ids, _ in packed], size, chance):
        batch = Pieces.of([packed[i][0] for i in group], [packed[i][1] for i in group], pieces.pad)
        shown, targets = hide(batch.ids, pieces, hidden)
        elsewhere = torch.tensor([pairs[i].elsewhere for i in group])
        yield Batch(Pieces(shown, batch.segments, batch.mask), targets, elsewhere)
