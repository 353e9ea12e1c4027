"""Count models of any order: maximum likelihood, add-k, Jelinek–Mercer, interpolated modified Kneser–Ney.

Counting is sorting. A k-gram is a pair: its first k−1 symbols, which were numbered one step earlier, and its last
symbol. One integer holds the pair whatever k is, and equal integers come to lie side by side. So there is no loop
over the text, and the same lines run on a CPU and on a GPU.

Follows Chen and Goodman, "An empirical study of smoothing techniques for language modeling" (1998), and at the two
ends of a sentence KenLM (Heafield et al., "Scalable modified Kneser–Ney language model estimation", 2013).
Left out on purpose: pruning, models larger than memory, Good–Turing and Katz back-off.
Cost: order 8 on the first million characters of tiny Shakespeare takes about half a second on two cores.

Shapes: N symbols in a sequence, T tokens once all sequences stand in one row, V vocabulary, C symbols of context,
G_k distinct k-grams (G_0 is 1: the empty one).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float64, Int64
from torch import Tensor

from unrolled.vocabulary import Vocabulary

# ruff: noqa: F722 (jaxtyping writes shapes as strings)

__all__ = ["AddK", "CountModel", "Grams", "JelinekMercer", "KneserNey", "MaximumLikelihood", "Vocabulary"]

Sequences = Int64[Tensor, " N"] | Sequence[Int64[Tensor, " _"]]  # one sequence of ids, or many


@dataclass
class Grams:
    """The distinct k-grams of a text in ascending order of `keys`. The place of a k-gram there is its number."""

    keys: Int64[Tensor, " G_k"]  # number of the first k−1 symbols · V + the last symbol
    counts: Int64[Tensor, " G_k"]  # how often the k-gram occurs
    suffixes: Int64[Tensor, " G_k"]  # number of its last k−1 symbols among the (k−1)-grams

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, keys: Int64[Tensor, "*shape"]) -> Int64[Tensor, "*shape"]:
        """The numbers of these k-grams; G_k, which is nobody's number, for one that never occurred."""
        places = torch.searchsorted(self.keys, keys)  # 0 … G_k
        return torch.where(F.pad(self.keys, (0, 1), value=-1)[places] == keys, places, len(self))


def count_all_orders(
    tokens: Int64[Tensor, " T"],
    position: Int64[Tensor, " T"],
    scored: Bool[Tensor, " T"],
    order: int,
    vocab_size: int,
) -> list[Grams]:
    """Number and count the k-grams for k = 1 … order; the numbers of single symbols are their ids, seen or not.

    position: how many tokens of the same sequence stand before this one. A k-gram ends where that is k−1 or more,
    so none reaches across two sequences. scored: False at a beginning, which is context but never an outcome.
    """
    symbols = torch.arange(vocab_size, device=tokens.device)
    counts = torch.bincount(tokens[scored], minlength=vocab_size)
    levels = [Grams(symbols, counts, suffixes=torch.zeros_like(symbols))]
    numbers = tokens  # (T,) of the (k−1)-gram that ends here
    for k in range(2, order + 1):
        ends = torch.where(position >= k - 1)[0]  # (T_k,) where a k-gram ends
        pairs = numbers[ends - 1] * vocab_size + tokens[ends]  # (T_k,) below T · V, far from int64's limit
        keys, places, counts = torch.unique(pairs, return_inverse=True, return_counts=True)  # (G_k,) (T_k,) (G_k,)
        suffixes = torch.empty_like(keys).scatter_(0, places, numbers[ends])  # (G_k,)
        levels.append(Grams(keys, counts, suffixes))
        numbers = torch.zeros_like(tokens).index_copy_(0, ends, places)  # (T,)
    return levels


class CountModel:
    """What the models share. Each one is a single line, applied for k = 1 … order:

        P_k(w | h) = share_k(h w) + keep_k(h) · P_{k−1}(w | h without its first symbol),      P_0(w) = 1 / V

    `_smooth` says what the two tables hold. A k-gram never seen has share 0. A context never seen keeps everything,
    so that P_k = P_{k−1}. Near its beginning a sequence has shorter contexts, and k stops there.

    boundary: the id that stands before and after each sequence, which the model adds itself. Before, it is only
    ever context (KenLM's <s>); after, an outcome like any other (</s>). None: nothing stands there, as in one long
    stream of characters.
    """

    interpolates = True  # False: P_0 stands in the place of P_{k−1}, and only the longest context speaks

    def __init__(self, order: int, vocab_size: int, boundary: int | None = None):
        if order < 1:
            raise ValueError(f"the order is {order}: it must be at least 1, which looks at no context at all")
        if vocab_size < 1:
            raise ValueError(f"vocab_size is {vocab_size}: it must be at least 1")
        if boundary is not None and not 0 <= boundary < vocab_size:
            raise ValueError(f"the boundary is {boundary}: it must be an id, 0 to {vocab_size - 1}, or None")
        self.order, self.vocab_size, self.boundary = order, vocab_size, boundary
        self.levels: list[Grams] = []  # [k−1] holds the k-grams

    def fit(self, sequences: Sequences) -> "CountModel":
        """Count one sequence or many, on the device they are on. Returns the model itself."""
        sequences = self._checked(sequences)
        if sum(map(len, sequences)) == 0:
            raise ValueError("there is nothing to count: the text is empty")
        self.levels = count_all_orders(*self._lay_out(sequences), self.order, self.vocab_size)
        self._share_and_keep = [self._tables(k) for k in range(1, self.order + 1)]
        return self

    def log_probs(self, sequences: Sequences) -> Float64[Tensor, " M"]:
        """ln P of every symbol given those before it in its sequence; the sequences one after another.

        M = N, and one more for the end of each sequence if there is a boundary.
        """
        device = self.device
        tokens, position, scored = (row.to(device) for row in self._lay_out(self._checked(sequences)))
        probs = self._uniform(len(tokens))  # (T,)
        contexts = torch.zeros_like(tokens)  # (T,) number of the (k−1)-gram that ends one token earlier
        for k, grams in enumerate(self.levels, start=1):
            numbers = grams.find(contexts * self.vocab_size + tokens)  # (T,)
            probs = torch.where(position >= k - 1, self._mix(k, contexts, numbers, probs), probs)
            contexts = F.pad(numbers[:-1], (1, 0)).where(position >= k, len(grams))
        return probs[scored].log()

    def next_probs(self, context: Int64[Tensor, " C"] | Sequence[int]) -> Float64[Tensor, " V"]:
        """P of every symbol of the vocabulary as the next one; context: the sequence so far, which may be empty."""
        tokens = self._visible(context).to(self.device)  # (at most order−1,)
        probs, outcomes = self._uniform(self.vocab_size), self.levels[0].keys  # (V,) (V,)
        for k in range(1, len(tokens) + 2):
            h = self._number(tokens[len(tokens) - k + 1 :])  # () of the last k−1 tokens
            probs = self._mix(k, h, self.levels[k - 1].find(h * self.vocab_size + outcomes), probs)  # (V,)
        return probs

    def nats(self, sequences: Sequences) -> float:
        """Cross-entropy: the mean of −ln P over all symbols (and ends). Its exponential is the perplexity."""
        surprise = -self.log_probs(sequences)
        if len(surprise) == 0:
            raise ValueError("there is nothing to score: the text is empty")
        return surprise.mean().item()

    @property
    def device(self) -> torch.device:
        """Where the counts are."""
        if not self.levels:
            raise ValueError("this model has counted nothing yet: call fit first")
        return self.levels[0].keys.device

    def _smooth(self, k: int, counts: Tensor, contexts: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        """share_k (G_k,) and keep_k (G_{k−1},).

        For each k-gram h w: counts (G_k,), c(h w); contexts (G_k,), the number of h. For each h: totals (G_{k−1},),
        c(h). Where c(h) is 0 the result is not used.
        """
        raise NotImplementedError

    def _counts(self, k: int) -> Float64[Tensor, " G_k"]:
        return self.levels[k - 1].counts.double()

    def _tables(self, k: int) -> tuple[Tensor, Tensor]:
        """share_k (G_k+1,) and keep_k (G_{k−1}+1,): the last entry of each is for what was never seen."""
        counts, contexts = self._counts(k), self.levels[k - 1].keys // self.vocab_size  # (G_k,) (G_k,)
        below = len(self.levels[k - 2]) if k > 1 else 1  # G_{k−1}
        totals = counts.new_zeros(below).index_add_(0, contexts, counts)  # (G_{k−1},)
        share, keep = self._smooth(k, counts, contexts, totals)
        return F.pad(share, (0, 1), value=0.0), F.pad(keep.where(totals > 0, 1.0), (0, 1), value=1.0)

    def _mix(self, k: int, contexts: Tensor, numbers: Tensor, below: Tensor) -> Tensor:
        share, keep = self._share_and_keep[k - 1]
        return share[numbers] + keep[contexts] * (below if self.interpolates else 1 / self.vocab_size)

    def _uniform(self, size: int) -> Float64[Tensor, " size"]:
        return torch.full((size,), 1 / self.vocab_size, dtype=torch.float64, device=self.device)

    def _number(self, gram: Int64[Tensor, " k"]) -> Int64[Tensor, ""]:
        """The number of one k-gram, found through those of its beginnings; 0 for the empty one."""
        number = torch.zeros((), dtype=torch.int64, device=gram.device)
        for grams, symbol in zip(self.levels, gram, strict=False):
            number = grams.find(number * self.vocab_size + symbol)
        return number

    def _visible(self, context: Int64[Tensor, " C"] | Sequence[int]) -> Int64[Tensor, " K"]:
        """What the model sees of a sequence so far: at most order−1 tokens, none before the last boundary."""
        ids = context if isinstance(context, Tensor) else torch.tensor(context, dtype=torch.int64)
        self._check_ids(ids)
        if self.boundary is not None:
            ids = F.pad(ids, (1, 0), value=self.boundary)
            ids = ids[torch.where(ids == self.boundary)[0][-1] :]
        return ids[max(0, len(ids) - self.order + 1) :]

    def _lay_out(self, sequences: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """All sequences in one row, boundaries added: tokens, position, scored, each (T,); see count_all_orders."""
        edge = sequences[0].new_tensor([] if self.boundary is None else [self.boundary])  # (0,) or (1,)
        tokens = torch.cat([part for sequence in sequences for part in (edge, sequence, edge)])  # (T,)
        sizes = torch.tensor([len(sequence) + 2 * len(edge) for sequence in sequences], device=tokens.device)
        starts = torch.repeat_interleave(sizes.cumsum(0) - sizes, sizes)  # (T,)
        position = torch.arange(len(tokens), device=tokens.device) - starts  # (T,)
        return tokens, position, position >= len(edge)

    def _checked(self, sequences: Sequences) -> list[Tensor]:
        sequences = [sequences] if isinstance(sequences, Tensor) else list(sequences)
        if not sequences or not all(isinstance(s, Tensor) and s.ndim == 1 for s in sequences):
            raise ValueError("expected a tensor of ids, shape (N,), or a list of them: encode the text first")
        ids = torch.cat(sequences)  # (N,)
        self._check_ids(ids)
        if self.boundary is not None and (ids == self.boundary).any():
            raise ValueError(f"the boundary, id {self.boundary}, is inside a sequence: the model adds it itself")
        return sequences

    def _check_ids(self, ids: Tensor) -> None:
        if ids.ndim != 1 or ids.dtype != torch.int64:
            raise ValueError(f"expected ids of type int64, shape (N,); got {ids.dtype}, shape {tuple(ids.shape)}")
        wrong = ids[(ids < 0) | (ids >= self.vocab_size)]
        if len(wrong):
            raise ValueError(f"id {wrong[0].item()} is out of range: this model knows 0 to {self.vocab_size - 1}")


class MaximumLikelihood(CountModel):
    """P(w | h) = c(h w) / c(h) for the longest context alone; uniform after one that was never seen."""

    interpolates = False

    def _smooth(self, k: int, counts: Tensor, contexts: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        return counts / totals[contexts], torch.zeros_like(totals)


class AddK(CountModel):
    """P(w | h) = (c(h w) + κ) / (c(h) + κ V): as if every symbol had followed h another κ times."""

    interpolates = False

    def __init__(self, order: int, vocab_size: int, boundary: int | None = None, added: float = 1.0):
        """added: κ, above 0."""
        super().__init__(order, vocab_size, boundary)
        if not added > 0:
            raise ValueError(f"added is {added}: it must be above 0 (without it this is MaximumLikelihood)")
        self.added = added

    def _smooth(self, k: int, counts: Tensor, contexts: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        extra = self.added * self.vocab_size  # κ V, which P_0 = 1 / V hands out evenly
        return counts / (totals[contexts] + extra), extra / (totals + extra)


class JelinekMercer(CountModel):
    """P_k(w | h) = λ c(h w) / c(h) + (1 − λ) P_{k−1}(w | shorter h), with one λ for all orders."""

    def __init__(self, order: int, vocab_size: int, boundary: int | None = None, weight: float = 0.5):
        """weight: λ, between 0 and 1."""
        super().__init__(order, vocab_size, boundary)
        if not 0 < weight < 1:
            raise ValueError(f"the weight is {weight}: it must lie between 0 and 1")
        self.weight = weight

    def _smooth(self, k: int, counts: Tensor, contexts: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        return self.weight * counts / totals[contexts], torch.full_like(totals, 1 - self.weight)


class KneserNey(CountModel):
    """Interpolated modified Kneser–Ney (Chen and Goodman 1998, section 3):

        P_k(w | h) = (c(h w) − D(c(h w))) / (c(h) + θ) + (θ + Σ_v D(c(h v))) / (c(h) + θ) · P_{k−1}(w | shorter h)

    What D takes from the counts after h is what the shorter context hands out, so the sum over w stays one. At the
    highest order c counts occurrences; below, it counts the different symbols seen to the left of h w.
    θ is 0 in Kneser–Ney. Above 0 it trusts rare contexts less: the strength of a Pitman–Yor process, which
    Kneser–Ney approximates (Teh, "A hierarchical Bayesian language model based on Pitman–Yor processes", 2006).
    """

    def __init__(self, order: int, vocab_size: int, boundary: int | None = None, strength: float = 0.0):
        """strength: θ, 0 or more."""
        super().__init__(order, vocab_size, boundary)
        if not strength >= 0:
            raise ValueError(f"the strength is {strength}: it must be 0 (Kneser–Ney itself) or more")
        self.strength = strength

    def _counts(self, k: int) -> Float64[Tensor, " G_k"]:
        counts = super()._counts(k)
        if k == self.order:
            return counts
        lefts = torch.bincount(self.levels[k].suffixes, minlength=len(counts))  # (G_k,) N1+(· h w)
        return lefts.double().where(lefts > 0, counts)  # nothing stands left of a beginning: its count stays raw

    def discounts(self, k: int) -> Float64[Tensor, " 3"]:
        """D1, D2, D3+ of the k-grams: D_c = c − (c + 1) Y n_{c+1} / n_c with Y = n1 / (n1 + 2 n2).

        n_c is how many k-grams have count c. If one of n1, n2, n3 is zero, or a D_c comes out below 0 or above c,
        these counts are too few to tell: 1/2, 1 and 3/2 stand in for all three (KenLM's fall-back).
        """
        n = torch.bincount(self._counts(k).long().clamp(max=5), minlength=6).double()  # (6,) of which n[1] to n[4]
        c = torch.arange(1.0, 4.0, dtype=torch.float64, device=n.device)  # (3,)
        d = c - (c + 1) * n[1] / (n[1] + 2 * n[2]) * n[2:5] / n[1:4]  # (3,)
        return d if ((d >= 0) & (d <= c)).all() else c / 2  # a division by zero fails both comparisons

    def _smooth(self, k: int, counts: Tensor, contexts: Tensor, totals: Tensor) -> tuple[Tensor, Tensor]:
        d = F.pad(self.discounts(k), (1, 0))[counts.long().clamp(max=3)]  # (G_k,) D(c), and D(0) = 0
        given = torch.zeros_like(totals).index_add_(0, contexts, d)  # (G_{k−1},) Σ_v D(c(h v))
        return (counts - d) / (totals[contexts] + self.strength), (self.strength + given) / (totals + self.strength)
