"""GPT beside BERT: the same net, the same texts, the same steps, but each piece sees what stands before it alone.

    model = one_way(corpus, pieces, recipe)                  # trained to say the next piece
    measured(model, heldout.batches)                         # losses on what is held out
    goes_on(model, pieces, "The captain", 20, seed=0)        # a prompt goes on

Radford and others, "Improving language understanding by generative pre-training" (2018). Every piece of a text is a
target here; BERT learns from 15 % of them, but sees both sides. For a task the last piece stands for the text, since
it alone has seen all of it; a word's tag is read from its first piece, which knows nothing of what comes.
Left out on purpose: prompts that ask for an answer, for which such a net is too small.

Shapes: B sequences, N pieces of each, D numbers in a vector, V pieces on the list.
"""

from itertools import islice
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unrolled.attention import causal_mask, padding_mask
from unrolled.bert import Bert, BertConfig, MaskedHead, Pieces
from unrolled.device import device
from unrolled.experiments.bert.books import Corpus
from unrolled.experiments.bert.finetuning import BATCH, CLIP, RATE, Task, Tuned, fitted, start
from unrolled.experiments.bert.pretrain import BETAS, endless, groups
from unrolled.experiments.bert.recipes import Recipe
from unrolled.language_model import IGNORED, Output, cross_entropy
from unrolled.pretraining import Batch
from unrolled.progress import progress
from unrolled.wordpiece import WordPiece


def read_one_way(bert: Bert, pieces: Pieces) -> Tensor:
    """The last layer's vectors, (B, N, D), where nobody looks at what comes after."""
    x = bert.embeddings(pieces.ids, pieces.segments)
    mask = padding_mask(pieces.mask) & causal_mask(x.shape[1], device=x.device)  # (B, 1, N, N)
    for block in bert.blocks:
        x = block(x, mask)
    return x


class OneWay(nn.Module):
    """A language model of BERT's parts: the blocks read one way, and its head for hidden pieces says the next one."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert, self.head = Bert(config, pooler=False), MaskedHead(config)

    def forward(self, pieces: Pieces, targets: Tensor | None = None, state: None = None) -> Output:
        """logits (B, N, V): those at n score piece n + 1. targets (B, N) may leave places out by IGNORED."""
        hidden, table = read_one_way(self.bert, pieces), self.bert.embeddings.pieces.weight
        if targets is None:
            return Output(self.head(hidden, table), None, None)
        chosen = targets != IGNORED
        logits = self.head(hidden[chosen], table)  # (K, D) -> (K, V)
        return Output(logits, nn.functional.cross_entropy(logits, targets[chosen]), None)


class Told(NamedTuple):
    """What a model is asked, of the texts that BERT is asked of."""

    pieces: Pieces  # nothing is hidden
    following: Tensor  # (B, N) the next piece, IGNORED at the end
    hidden: Tensor  # (B, N) the same, but for those next pieces alone that are hidden from BERT


def whole(batch: Batch) -> Told:
    """A batch of the pre-training with its hidden pieces put back."""
    ids = torch.where(batch.targets != IGNORED, batch.targets, batch.pieces.ids)
    pieces = Pieces(ids, batch.pieces.segments, batch.pieces.mask)
    end = torch.full_like(ids[:, :1], IGNORED)
    following = torch.cat([ids.masked_fill(~pieces.mask, IGNORED)[:, 1:], end], 1)
    return Told(pieces, following, torch.cat([batch.targets[:, 1:], end], 1))


def one_way(corpus: Corpus, pieces: WordPiece, recipe: Recipe) -> OneWay:
    """Trained as `pretrain` trains, on the same batches, which hide nothing from it."""
    torch.manual_seed(recipe.seed)
    model = OneWay(recipe.config()).to(device()).train()
    descent = torch.optim.AdamW(groups(model), lr=recipe.rate, betas=BETAS, fused=True)
    losses: list[float] = []
    stream = islice(endless(corpus.train, pieces, recipe), recipe.steps)
    for step, batch in enumerate(progress(stream, recipe.steps, lambda: f"loss {losses[-1]:.3f}")):
        for group in descent.param_groups:
            group["lr"] = recipe.at(step)
        told = whole(batch.to(device()))
        loss = model(told.pieces, told.following).loss
        descent.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        descent.step()
        losses.append(loss.item())
    return model.eval()


@torch.no_grad()
def measured(model: OneWay, batches: list[Batch]) -> dict[str, float]:
    """Nats a piece: of all next pieces, and of those alone that are hidden from BERT, beside which it can stand."""
    sums, counts = torch.zeros(2, dtype=torch.float64), torch.zeros(2)
    for told in map(whole, batches):
        for i, targets in enumerate((told.following, told.hidden)):
            n = int((targets != IGNORED).sum())
            sums[i] += model(told.pieces, targets).loss.item() * n
            counts[i] += n
    every, hidden = (sums / counts).tolist()
    return {"next piece": round(every, 4), "pieces hidden from BERT": round(hidden, 4)}


# --- tasks -----------------------------------------------------------------------------------------------------------


class OneWayTask(nn.Module):
    """A head on what was read one way: of the last piece for a text, of each piece for its words."""

    def __init__(self, bert: Bert, classes: int, of_words: bool, dropout: float):
        super().__init__()
        self.bert, self.output, self.of_words = bert, nn.Linear(bert.config.width, classes), of_words
        self.dropout = nn.Dropout(dropout)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.bert.device

    def forward(self, pieces: Pieces, targets: Tensor | None = None, state: None = None) -> Output:
        """logits (B, C), or (B, N, C) for words."""
        hidden = read_one_way(self.bert, pieces)
        if not self.of_words:
            hidden = hidden[torch.arange(len(hidden)), pieces.mask.sum(1) - 1]  # (B, D): the last [SEP]
        logits = self.output(self.dropout(hidden))
        return Output(logits, None if targets is None else cross_entropy(logits, targets), None)


def tuned_one_way(model: OneWay, task: Task, steps: int, seed: int = 0, rate: float = RATE) -> Tuned:
    """As `finetuning.tuned` does it with BERT, on a copy."""
    bert = start(model.bert, seed)
    net = OneWayTask(bert, len(task.reader.classes), task.of_words, bert.embeddings.dropout.p)
    stream = task.reader.batches(task.items["train"], task.labels["train"], BATCH, seed)
    return Tuned(net, task.reader, fitted(net, stream, steps, rate))


# --- going on --------------------------------------------------------------------------------------------------------


@torch.no_grad()
def goes_on(model: OneWay, pieces: WordPiece, prompt: str, count: int, seed: int = 0, heat: float = 0.7) -> str:
    """The prompt and so many pieces more, each drawn from softmax(logits / heat), special ones left out."""
    ids, chance = [pieces.cls, *pieces.encode(prompt)], torch.Generator().manual_seed(seed)
    shut = [pieces.pad, pieces.unk, pieces.cls, pieces.sep, pieces.mask]
    for _ in range(min(count, model.bert.config.longest - len(ids))):
        logits = model(Pieces.of([ids])).logits[0, -1]
        logits[shut] = -torch.inf
        ids.append(int(torch.multinomial((logits / heat).softmax(0), 1, generator=chance)))
    return pieces.decode(ids[1:])
