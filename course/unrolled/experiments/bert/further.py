"""Between pre-training and a task: the task's own texts, read without their labels; and poorer books to begin with.

    more = read_on(net, task("films", net.pieces).items["train"], steps=800)    # a Bert; net stays as it was
    hidden_loss(more, dev_items)                                                # nats a hidden piece

Gururangan and others, "Don't stop pretraining" (2020), call the first task-adaptive pre-training. Only hidden pieces
are asked: single texts make no pairs.

    shuffled(corpus, seed=0)        # the same sentences, their pieces in a drawn order
    one_book(corpus)                # as many steps are then more rounds through few pages

Shapes: B texts, N pieces of each.
"""

import copy
import random
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from unrolled.bert import Pieces, PretrainedBert
from unrolled.device import device
from unrolled.experiments.bert.books import Corpus, Encoded
from unrolled.experiments.bert.finetuning import RATE, fitted
from unrolled.experiments.bert.reading import Item, Reader
from unrolled.experiments.bert.small import Small
from unrolled.language_model import IGNORED, Output
from unrolled.pretraining import buckets, hide
from unrolled.training import Batch
from unrolled.wordpiece import WordPiece

TEXTS = 64  # in a batch


class HiddenPieces(nn.Module):
    """A net with its first head alone: what stood at hidden places."""

    def __init__(self, model: PretrainedBert):
        super().__init__()
        self.model = model

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.model.bert.device

    def forward(self, pieces: Pieces, targets: Tensor, state: None = None) -> Output:
        """targets (B, N), IGNORED where nothing is asked: logits (K, V) at the K places asked; loss in nats."""
        found = self.model(pieces, targets, torch.zeros(len(targets), dtype=torch.int64, device=self.device))
        return Output(found.masked_logits, found.masked, None)


def hidden_batches(items: Sequence[Item], pieces: WordPiece, size: int, seed: int) -> Iterator[Batch]:
    """Without end: every text once an epoch, each time with other pieces hidden."""
    chance, hidden, reader = random.Random(seed), torch.Generator().manual_seed(seed), Reader(pieces, ())
    while True:
        for group in buckets([len(item.ids) for item in items], size, chance):
            read = reader.batch([items[i] for i in group])
            shown = hide(read.ids, pieces, hidden)
            yield Batch(Pieces(shown.ids, read.segments, read.mask), shown.targets)


def read_on(net: Small, items: Sequence[Item], steps: int, seed: int = 0, rate: float = RATE) -> Small:
    """A copy that was trained for so many steps more to say the hidden pieces of these texts."""
    model = copy.deepcopy(net.model).to(device())
    fitted(HiddenPieces(model), hidden_batches(items, net.pieces, TEXTS, seed), steps, rate)
    return Small(model, net.pieces)


@torch.no_grad()
def hidden_loss(net: Small, items: Sequence[Item], batches: int = 16) -> float:
    """Nats a hidden piece, in so many batches, always the same."""
    asked, sums, count = HiddenPieces(net.model.eval()), 0.0, 0
    stream = hidden_batches(items, net.pieces, TEXTS, seed=0)
    for _, batch in zip(range(batches), stream):  # noqa: B905 (the stream has no end)
        targets = batch.targets.to(asked.device)
        number = int((targets != IGNORED).sum())
        sums += asked(batch.inputs.to(asked.device), targets).loss.item() * number
        count += number
    return sums / count


# --- poorer books ----------------------------------------------------------------------------------------------------


def shuffled(corpus: Corpus, seed: int = 0) -> Corpus:
    """The same pieces in every sentence that is trained on, in a drawn order; what is held out stays as it is."""
    chance = random.Random(seed)
    train = [Encoded(chance.sample(ids, len(ids)) for ids in document) for document in corpus.train]
    return corpus._replace(train=train)


def one_book(corpus: Corpus, share: int = 30) -> Corpus:
    """So much of the training part that follows itself, from its beginning: a thirtieth of all pieces, or just more."""
    wanted, train = sum(len(document.ids) for document in corpus.train) / share, []
    for document in corpus.train:
        if wanted <= 0:
            break
        train.append(document)
        wanted -= len(document.ids)
    return corpus._replace(train=train)
