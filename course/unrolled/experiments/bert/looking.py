"""Where the heads of a BERT look: the weights of one text for the views of unit 6, and heads in a few numbers.

    HeadView(*looks(bert, pieces, "the old man took a boat."), layer=2, head=1)
    habits(bert, pieces, texts)[2][1]["the piece before"]

Clark and others, "What does BERT look at?" (2019), found heads that look at the piece before or at the one after, and a
great many that look at a special piece: perhaps where a head looks that has nothing to say. MiniLM's weights of one
text, and the habits of several nets, are stored: `python -m unrolled.experiments.bert looks`.

Shapes: L layers, H heads, N pieces with [CLS] and [SEP].
"""

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from unrolled.bert import Bert, Pieces, PretrainedBert
from unrolled.pretraining import pack
from unrolled.wordpiece import WordPiece

HABITS = "[CLS]", "[SEP]", "itself", "the piece before", "the piece after", "others"
_TOGETHER = 16  # texts that are read at once


class Looks(NamedTuple):
    """Where each piece of a text looks, by each head."""

    tokens: list[str]  # N pieces, with [CLS] and [SEP]
    weights: list[Tensor]  # of each layer (1, H, N, N) float32: a row for each piece that looks


@torch.no_grad()
def looks(net: Bert | PretrainedBert, pieces: WordPiece, first: str, second: str | None = None) -> Looks:
    """Of a text, or of two in one sequence; without dropout."""
    bert = _encoder(net)
    after = None if second is None else pieces.encode(second)
    ids, segments = pack(pieces.encode(first), after, pieces, bert.config.longest)
    read = _read(bert, Pieces.of([ids], [segments], pieces.pad))
    return Looks([pieces.pieces[i] for i in ids], read)


def habits(net: Bert | PretrainedBert, pieces: WordPiece, texts: Sequence[str | Sequence[str]]) -> list[list[dict]]:
    """Of each layer each head's share of weight on HABITS, which sum to 1, over all pieces of texts or lists of words.

    [CLS] and [SEP] are looked at, but do not count as lookers. "[CLS]" and "[SEP]" come before the rest: what stands
    before the first piece is [CLS], and not the piece before.
    """
    bert = _encoder(net)
    rows = [pieces.encode(text) if isinstance(text, str) else pieces.of_words(text)[0] for text in texts]
    rows = [pack(row, None, pieces, bert.config.longest)[0] for row in rows if row]
    sums, count = torch.zeros(bert.config.layers, bert.config.heads, len(HABITS), dtype=torch.float64), 0
    for at in range(0, len(rows), _TOGETHER):
        batch = Pieces.of(rows[at : at + _TOGETHER], pad=pieces.pad)
        found, lookers = _shares(torch.stack(_read(bert, batch)), batch, pieces)
        sums, count = sums + found, count + lookers
    return [[dict(zip(HABITS, head, strict=True)) for head in layer] for layer in (sums / count).tolist()]


def evenly(pieces: WordPiece, texts: Sequence[str | Sequence[str]], longest: int) -> dict[str, float]:
    """The shares of HABITS if each piece gave every piece of its text the same weight."""
    sums, count = dict.fromkeys(HABITS, 0.0), 0
    for text in texts:
        row = pieces.encode(text) if isinstance(text, str) else pieces.of_words(text)[0]
        n = min(len(row), longest - 2)
        before = max(0, n - 1)  # pieces with another before them
        shares = n, n, n, before, before, n * n - n - 2 * before
        sums = {name: sums[name] + share / (n + 2) for name, share in zip(HABITS, shares, strict=True)}
        count += n
    return {name: share / count for name, share in sums.items()}


def _encoder(net: Bert | PretrainedBert) -> Bert:
    return net.bert if isinstance(net, PretrainedBert) else net


@torch.no_grad()
def _read(bert: Bert, batch: Pieces) -> list[Tensor]:
    """Weights (B, H, N, N) of each layer, on the CPU; without dropout, and training goes on as before."""
    was_training = bert.training
    bert.eval()
    found = bert(batch.to(bert.device), weights=True).weights
    bert.train(was_training)
    return [layer.cpu() for layer in found]


def _shares(weights: Tensor, batch: Pieces, pieces: WordPiece) -> tuple[Tensor, int]:
    """Sums (L, H, 6) of the weights (L, B, H, N, N) on each of HABITS, over all pieces that look, and their number."""
    apart = torch.arange(batch.ids.shape[1])
    apart = (apart - apart[:, None])[None]  # (1, N, N): how far behind the piece that looks
    free = batch.mask[:, None, :].expand(-1, len(apart[0]), -1).clone()  # (B, N, N)
    kinds = [(batch.ids == i)[:, None, :] for i in (pieces.cls, pieces.sep)]
    kinds += [apart == distance for distance in (0, -1, 1)] + [torch.ones_like(free)]
    looker = batch.mask & (batch.ids != pieces.cls) & (batch.ids != pieces.sep)  # (B, N)
    sums = []
    for kind in kinds:
        taken = free & kind & looker[:, :, None]  # (B, N, N)
        sums.append((weights * taken[:, None]).sum((1, 3, 4), dtype=torch.float64))  # (L, H)
        free &= ~kind
    return torch.stack(sums, 2), int(looker.sum())


# --- stored ----------------------------------------------------------------------------------------------------------


def packed(found: Looks) -> dict:
    """Weights as float16, as text: a third of the size that numbers in JSON have."""
    weights = torch.cat(found.weights).half().numpy()  # (L, H, N, N)
    told = {"tokens": found.tokens, "shape": list(weights.shape)}
    return told | {"float16": base64.b64encode(weights.astype("<f2").tobytes()).decode()}


def stored_looks(file: str | Path, row: str = "MiniLM, one text") -> Looks:
    """A row of assets/bert/looks.json that `packed` wrote."""
    told = json.loads(Path(file).read_text(encoding="utf-8"))[row]
    numbers = np.frombuffer(base64.b64decode(told["float16"]), "<f2").astype(np.float32).reshape(told["shape"])
    return Looks(told["tokens"], list(torch.from_numpy(numbers)[:, None]))
