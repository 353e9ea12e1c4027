"""What attention maps explain, and what not: where a classifier looks, against what its answer hangs on.

    trained = train_class(*made(1500, seed=0), steps=300)
    left_out(trained, words)        # (N,): by how much the answer's log-odds fall when a word cannot be seen
    scores(trained, words)          # {"weights, layer 0": (N,), …, "rollout": (N,)}: what maps say of each word
    agreement(trained, texts)       # {name: Agreement(rank=…, top=…)}, means over texts

A word is left out by the mask, so that the others keep their places. Maps: the weights that the first position gives to
each word, the mean of a layer's heads; those weights times what is fetched with them, ‖Σ_h α_h W^O_h v_h‖ (Kobayashi
and others, "Attention is not only a weight", 2020); and their rollout through all layers (Abnar and Zuidema,
"Quantifying attention flow in transformers", 2020). For the quarrel see Jain and Wallace, "Attention is not
explanation" (2019), and Wiegreffe and Pinter, "Attention is not not explanation" (2019).

Left out on purpose: gradients as explanations, and words that matter only together.
Shapes: N words of a text, a first position before them; H heads of L layers.
"""

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.experiments.reading import Sentences
from unrolled.experiments.transformer.first_position import Classed
from unrolled.tagging import Words

# --- what the answer hangs on ----------------------------------------------------------------------------------------


@torch.no_grad()
def left_out(trained: Classed, words: Sequence[str]) -> Tensor:
    """(N,): how far ln(p / (1 − p)) of the class that is answered falls when the net cannot see a word."""
    shown = trained.shown([words])
    seen = torch.cat([shown.mask, ~torch.eye(len(words), dtype=torch.bool, device=shown.mask.device)])  # (1 + N, N)
    logits = trained.model(Words(shown.ids.expand(len(seen), -1), seen)).logits.cpu()  # (1 + N, C)
    answer = torch.arange(logits.shape[1]) == logits[0].argmax()
    odds = logits[:, answer][:, 0] - logits[:, ~answer].logsumexp(1)  # ln p − ln(1 − p)
    return odds[0] - odds[1:]


# --- what maps say ---------------------------------------------------------------------------------------------------


@torch.no_grad()
def scores(trained: Classed, words: Sequence[str]) -> dict[str, Tensor]:
    """By name, a score (N,) for each word."""
    x, mask = trained.model.begun(trained.shown([words]))
    found, flow = {}, torch.eye(x.shape[1], device=x.device)
    for at, block in enumerate(trained.model.encoder.blocks):
        read = block.before(0, x)
        x, kept, weights, _ = block.advance(x, mask, weights=True)
        looked = weights[0].mean(0)  # (N + 1, N + 1)
        found[f"weights, layer {at}"] = looked[0, 1:]
        found[f"fetched, layer {at}"] = _fetched(block.attention, read, weights)[0, 1:]
        flow = (looked + torch.eye(len(looked), device=x.device)) / 2 @ flow  # half of a vector is what it was
    return {name: row.cpu() for name, row in (found | {"rollout": flow[0, 1:]}).items()}


def _fetched(layer, read: Tensor, weights: Tensor) -> Tensor:
    """(N + 1, N + 1): the length of what each position fetches from each other one."""
    _, values = layer.keys_values(read)  # (1, H, N + 1, K)
    columns = layer.output.weight.unflatten(1, (layer.heads, -1))  # (D, H, K)
    given = torch.einsum("hnk,dhk->hnd", values[0], columns)
    return torch.einsum("hmn,hnd->mnd", weights[0], given).norm(dim=2)


# --- one against the other -------------------------------------------------------------------------------------------


class Agreement(NamedTuple):
    """Of one kind of score with `left_out`, over texts."""

    rank: float  # mean Spearman correlation of a text's words
    top: float  # the share of texts in which both have the same word first


def agreement(trained: Classed, texts: Sentences) -> dict[str, Agreement]:
    """Of every score; and of "chance": scores drawn anew. Texts of one word alone say nothing, and are passed over."""
    found: dict[str, list[tuple[float, float]]] = {}
    chance = torch.Generator().manual_seed(0)
    for words in texts:
        if len(words) < 2:
            continue
        truth = left_out(trained, words).abs()
        drawn = {"chance": torch.rand(len(words), generator=chance)}
        for name, score in (scores(trained, words) | drawn).items():
            found.setdefault(name, []).append((spearman(score, truth), float(score.argmax() == truth.argmax())))
    return {name: Agreement(*(mean(column) for column in zip(*rows, strict=True))) for name, rows in found.items()}


def spearman(one: Tensor, other: Tensor) -> float:
    """The correlation of ranks, −1 to 1; equal numbers share the mean of their ranks. 0 where all of one are equal."""
    a, b = (_ranks(x.double()) for x in (one, other))
    a, b = a - a.mean(), b - b.mean()
    length = a.norm() * b.norm()
    return 0.0 if length == 0 else (a @ b / length).item()


def _ranks(x: Tensor) -> Tensor:
    below, above = (x[None] < x[:, None]).sum(1), (x[None] <= x[:, None]).sum(1)
    return (below + above - 1).double() / 2
