"""How well hidden pieces are guessed in chapters that were not trained on, beside guesses that read no context.

measured(model, Heldout.of(corpus, pieces, recipe))      # losses in nats, shares that are right
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from unrolled.bert import PretrainedBert
from unrolled.experiments.bert.books import Corpus
from unrolled.experiments.bert.recipes import Recipe
from unrolled.language_model import IGNORED
from unrolled.pretraining import Batch, batches
from unrolled.wordpiece import WordPiece

PAIRS = 1024  # that are looked at, always the same


@dataclass(frozen=True)
class Heldout:
    """Pairs with hidden pieces, and what they would cost without a context."""

    batches: list[Batch]
    unigram: float  # nats: −ln of how often the piece stands in the training text, with one added
    commonest: float  # share of the hidden pieces that are the commonest piece of all

    @classmethod
    def of(cls, corpus: Corpus, pieces: WordPiece, recipe: Recipe) -> "Heldout":
        """Of pairs as long as those that are trained on. The chapters are shuffled by seed 0."""
        some = list(batches(corpus.heldout, pieces, recipe.length, recipe.batch, seed=0))
        some = some[: max(1, PAIRS // recipe.batch)]
        logs = _unigram(corpus, len(pieces))
        hidden = torch.cat([batch.targets[batch.targets != IGNORED] for batch in some])
        return cls(some, -logs[hidden].mean().item(), (hidden == logs.argmax()).float().mean().item())


def _unigram(corpus: Corpus, size: int) -> Tensor:
    counts = torch.ones(size, dtype=torch.float64)
    for document in corpus.train:
        counts += torch.from_numpy(document.ids.astype("int64")).bincount(minlength=size)
    return (counts / counts.sum()).log()


@torch.no_grad()
def measured(model: PretrainedBert, heldout: Heldout) -> dict[str, float]:
    """Mean losses and shares that are right, of the hidden pieces and of the pairs, without dropout."""
    was_training, sums, counts = model.training, torch.zeros(4, dtype=torch.float64), torch.zeros(2)
    model.eval()
    for batch in heldout.batches:
        batch = batch.to(model.bert.device)
        found, hidden = model(*batch), batch.targets[batch.targets != IGNORED]
        right = (
            (found.masked_logits.argmax(1) == hidden).sum(),
            (found.following_logits.argmax(1) == batch.elsewhere).sum(),
        )
        n, pairs = len(hidden), len(batch.elsewhere)
        sums += torch.tensor([found.masked * n, right[0], found.following * pairs, right[1]], dtype=torch.float64)
        counts += torch.tensor([n, pairs])
    model.train(was_training)
    names = "masked", "masked right", "following", "following right"
    shares = (sums / counts.repeat_interleave(2)).tolist()
    return dict(zip(names, shares, strict=True)) | {"unigram": heldout.unigram, "commonest": heldout.commonest}
