"""A sentence as BERT reads it, and what the net puts in the place of each piece that is hidden.

A net trained on hidden pieces gives each place a probability p of every piece on the list. Each hidden place is filled
by itself: what is put in at the others is not known there.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.bert import Pieces, PretrainedBert
from unrolled.wordpiece import SPECIALS, WordPiece

BEST = 5  # candidates shown of a place
_MOST_PIECES = 40  # of a line: more are not read by eye
_TOGETHER = 64  # sequences that the net reads at once


class Line(NamedTuple):
    """[CLS] text [SEP], or [CLS] text [SEP] text [SEP]."""

    ids: list[int]
    segments: list[int]
    fixed: list[int]  # places where the text itself says [MASK]: nobody knows what stood there
    free: list[int]  # places that may be hidden: all pieces but the special ones


class Filled(NamedTuple):
    """What a net says of one hidden place."""

    place: int  # 0 is [CLS]
    stood: str | None  # the piece that was hidden; None where the text itself says [MASK]
    words: list[str]  # the likeliest pieces, the best first
    chances: list[float]  # and their probabilities
    rank: int | None  # of the piece that stood there, from 1
    chance: float | None  # and its probability; −ln of it is the loss


def check_net(model, pieces) -> None:
    """ValueError, in one line, for what is no pre-trained net with its list of pieces."""
    if not isinstance(model, PretrainedBert):
        raise ValueError("give a PretrainedBert as model: a Bert without its head for hidden pieces can fill no mask")
    if not isinstance(pieces, WordPiece) or len(pieces) != model.bert.config.pieces:
        raise ValueError(f"give the WordPiece of this net as pieces: a list of {model.bert.config.pieces}")


def read_line(model: PretrainedBert, pieces: WordPiece, text) -> Line:
    """A text; [MASK] may stand in it, and [SEP] once, between two parts. ValueError, in one line, for what can't be."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{text!r:.60} is no sentence: give a text")
    inner = pieces.encode(text, specials=True)
    _check_specials(inner, pieces)
    ids = [pieces.cls, *inner, pieces.sep]
    if len(ids) > (most := min(_MOST_PIECES, model.bert.config.longest)):
        raise ValueError(f"the sentence has {len(ids)} pieces with [CLS] and [SEP]: up to {most} can be shown")
    first = ids.index(pieces.sep)
    special = {pieces.ids[name] for name in SPECIALS}
    return Line(
        ids,
        [int(place > first) for place in range(len(ids))],
        [place for place, i in enumerate(ids) if i == pieces.mask],
        [place for place, i in enumerate(ids) if i not in special],
    )


def _check_specials(ids: list[int], pieces: WordPiece) -> None:
    if pieces.cls in ids or pieces.pad in ids:
        raise ValueError("write the sentence without [CLS] and [PAD]: [CLS] comes by itself")
    parts = " ".join("|" if i == pieces.sep else "x" for i in ids).split("|")
    if len(parts) > 2 or not all(part.strip() for part in parts):
        raise ValueError("write [SEP] at most once, between two texts: the last one comes by itself")


def candidates(model: PretrainedBert, pieces: WordPiece, text: str, masked: Sequence[int] = ()) -> list[Filled]:
    """What the net puts at each hidden place of a text, in order: where it says [MASK], and at the places of `masked`.

    Place 0 is [CLS]. ValueError, in one line, for a text or places that cannot be.
    """
    check_net(model, pieces)
    line = read_line(model, pieces, text)
    if wrong := sorted(set(masked) - set(line.free)):
        raise ValueError(f"place {wrong[0]} cannot be hidden: choose from {', '.join(map(str, line.free))}")
    return fill(model, pieces, line, [masked])[0]


def fill(model: PretrainedBert, pieces: WordPiece, line: Line, choices: Sequence[Iterable[int]]) -> list[list[Filled]]:
    """For each choice of places to hide, what the net puts there; dropout is off, and training goes on as before."""
    hidden = [sorted({*line.fixed, *choice}) for choice in choices]
    was_training = model.training
    model.eval()
    found = []
    for at in range(0, len(hidden), _TOGETHER):
        found += _together(model, pieces, line, hidden[at : at + _TOGETHER])
    model.train(was_training)
    return found


@torch.no_grad()
def _together(model: PretrainedBert, pieces: WordPiece, line: Line, hidden: list[list[int]]) -> list[list[Filled]]:
    ids = torch.tensor(line.ids).repeat(len(hidden), 1)  # (B, N)
    chosen = torch.zeros(ids.shape, dtype=torch.bool)
    for row, places in enumerate(hidden):
        chosen[row, places] = True
    batch = Pieces(
        ids.masked_fill(chosen, pieces.mask), torch.tensor(line.segments).repeat(len(ids), 1), torch.ones_like(chosen)
    )
    device = model.bert.device
    states = model.bert(batch.to(device)).hidden[-1][chosen.to(device)]  # (K, D), row by row
    chances = model.masked(states, model.bert.embeddings.pieces.weight).softmax(-1).cpu()  # (K, V)
    rows = iter(chances)
    return [[_filled(next(rows), place, line, pieces) for place in places] for places in hidden]


def _filled(chances: Tensor, place: int, line: Line, pieces: WordPiece) -> Filled:
    best = chances.topk(min(BEST, len(chances)))
    words = [pieces.pieces[i] for i in best.indices.tolist()]
    if place in line.fixed:
        return Filled(place, None, words, best.values.tolist(), None, None)
    stood = line.ids[place]
    rank = 1 + int((chances > chances[stood]).sum())
    return Filled(place, pieces.pieces[stood], words, best.values.tolist(), rank, chances[stood].item())
