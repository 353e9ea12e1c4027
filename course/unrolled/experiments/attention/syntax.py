"""Do heads know syntax? Where each looks, held against the trees of a treebank that say which word hangs on which.

    trees = ud_trees("dev")
    net = train_reader(ud_trees("train"), steps=1500)      # learns tags, never sees a tree
    syntax(looks(net, trees), trees)                                     # {"all": Found(…), "det": Found(…), …}
    syntax(offsets(trees), trees)                                        # of somebody who always points at place i + k

After Clark and others, "What does BERT look at?" (2019): a head finds the tree's edge of a word if it gives that edge's
other end more weight than any other word. Both directions are tried, from a word to what it hangs on and back. The best
pointer for each relation is chosen on the first half of the sentences and scored on the second; so are the fixed
distances, and the heads of a net that was not trained. Left out on purpose: roots and punctuation.

Shapes: P pointers, N words of a sentence.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.attention import Config, SelfAttention
from unrolled.data import load
from unrolled.experiments.reading import Reader, answers, batches
from unrolled.training import fit

OFFSETS = -4, -3, -2, -1, 1, 2, 3, 4
SMALL = 0.3  # standard deviation of the embeddings at the start, as in `pronouns`
RARE = 200  # a relation is told if it occurs so often in the second half
NET = {"width": 64, "heads": 4, "layers": 2, "residual": True, "dropout": 0.1}


class Tree(NamedTuple):
    """A sentence, and for each word the place of the word it hangs on (−1: none), and by which relation."""

    words: list[str]
    tags: list[str]
    heads: list[int]
    relations: list[str]


def ud_trees(part: str) -> list[Tree]:
    """A part of the English Web Treebank, "train", "dev" or "test". DataError where it cannot be had."""
    return read_trees(load("ud_ewt", f"en_ewt-ud-{part}.conllu"))


def read_trees(text: str) -> list[Tree]:
    """Trees out of CoNLL-U. A relation's subtype ("nmod:poss") is passed over."""
    found = []
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        rows = [row for row in rows if row[0].isdecimal()]
        if rows:
            relations = [row[7].partition(":")[0] for row in rows]
            found.append(Tree([r[1] for r in rows], [r[3] for r in rows], [int(r[6]) - 1 for r in rows], relations))
    return found


# --- pointers --------------------------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """A net, and what turns words into its ids."""

    model: SelfAttention
    reader: Reader

    def accuracy(self, sentences: Sequence[Tree]) -> float:
        """Of its tags."""
        said = answers(self.model, self.reader, [s.words for s in sentences])
        right = [a == b for tags, s in zip(said, sentences, strict=True) for a, b in zip(tags, s.tags, strict=True)]
        return sum(right) / len(right)


def train_reader(train: Sequence[Tree], steps: int, seed: int = 0, rate: float = 5e-3) -> Reading:
    """A net of self-attention that learns to tag; steps=0: one that learns nothing."""
    words, tags = [s.words for s in train], [s.tags for s in train]
    reader = Reader.of(words, tags, minimum_count=2)
    torch.manual_seed(seed)
    model = SelfAttention(Config(reader.learned, len(reader.classes), **NET)).eval()
    model.E.weight.data.mul_(SMALL)
    if steps:
        fit(model, batches(reader, words, tags, 32, seed), steps=steps, rate=rate)
    return Reading(model, reader)


Pointers = Iterator[tuple[list[str], Tensor]]  # names, and for each sentence weights (P, N, N)


def looks(reading: Reading, trees: Sequence[Tree]) -> Pointers:
    """Every head of every layer."""
    sizes = [layer.heads for layer in reading.model.layers]
    names = [f"layer {at}, head {h}" for at, heads in enumerate(sizes) for h in range(heads)]
    for tree in trees:
        words = reading.reader.words([tree.words]).to(reading.model.device)
        yield names, torch.cat([weights[0].cpu() for weights in reading.model.weights(words)])


def offsets(trees: Sequence[Tree]) -> Pointers:
    """Fixed distances, to the left and to the right."""
    names = [f"{k:+d}" for k in OFFSETS]
    for tree in trees:
        n = len(tree.words)
        yield (
            names,
            torch.stack(
                [torch.diag(torch.ones(max(n - abs(k), 0)), k) if abs(k) < n else torch.zeros(n, n) for k in OFFSETS]
            ),
        )


# --- scores ----------------------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """Of one relation."""

    accuracy: float  # of the chosen pointer, in the second half
    pointer: str  # which was the best in the first half
    direction: str  # "up": from a word to what it hangs on; "down": the other way
    words: int  # of the second half


def syntax(pointers: Pointers, trees: Sequence[Tree]) -> dict[str, Found]:
    """For all words together, and for each relation that is not rare."""
    halves: list[dict[str, Tensor]] = [{}, {}]  # relation -> right answers (2P,)
    counts: list[Counter] = [Counter(), Counter()]
    labels: list[tuple[str, str]] = []
    for number, (tree, (names, weights)) in enumerate(zip(trees, pointers, strict=True)):
        half, labels = int(number >= len(trees) // 2), [(name, way) for way in ("up", "down") for name in names]
        hits = _hits(tree, weights)  # (2P, N)
        for i, relation in enumerate(tree.relations):
            if tree.heads[i] >= 0 and relation != "punct":
                for name in ("all", relation):
                    halves[half][name] = halves[half].get(name, 0) + hits[:, i]
                    counts[half][name] += 1
    found = {}
    for relation, total in counts[1].most_common():
        if total >= RARE and relation in halves[0]:
            best = int(halves[0][relation].argmax())
            found[relation] = Found(halves[1][relation][best].item() / total, *labels[best], total)
    return found


def _hits(tree: Tree, weights: Tensor) -> Tensor:
    """(2P, N): whether the largest weight points at the other end of each word's edge, up and down."""
    n, others = len(tree.words), weights.clone()
    others.diagonal(dim1=1, dim2=2).fill_(-1.0)  # no word hangs on itself
    largest = others.argmax(2)  # (P, N)
    pointed = others.amax(2) > 0  # a fixed distance may point at no word
    heads = torch.tensor(tree.heads)
    up = (largest == heads) & pointed
    down = (largest[:, heads.clamp(min=0)] == torch.arange(n)) & pointed[:, heads.clamp(min=0)]
    return torch.cat([up, down]).long()
