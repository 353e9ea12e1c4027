"""What becomes of vectors and of gradients on their way through many blocks, before anything is learned.

    found = by_depth(layers=24)                      # Depth(sizes=[…], gradients=[…], alike=[…]), 25 numbers each
    by_depth("residual", "norm", layers=24)          # without these of `switched.PARTS`
    by_depth(layers=24, norm="post")
    by_depth("norm", layers=24, larger=2)            # all matrices of the blocks twice as large as they are drawn

A text of random symbols goes through a net that is not trained, and the loss's gradient comes back. With x_l the
vectors that go into block l (x_L: that come out of the last), `sizes` are the root mean squares of their numbers,
`gradients` the norms of ∂loss/∂x_l, and `alike` the mean cosine of two vectors of one text. With residual connections
and pre-norm x_{l+1} = x_l + f(x_l), so that ∂x_{l+1}/∂x_l = 1 + ∂f/∂x_l: a product of many of these need not vanish.

After He and others, "Identity mappings in deep residual networks" (2016), Dong and others, "Attention is not all you
need: pure attention loses rank doubly exponentially with depth" (2021), and Xiong and others, "On layer normalization
in the transformer architecture" (2020). Left out on purpose: how it goes on in a training; that is `norms`.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from unrolled.attention import causal_mask
from unrolled.device import one_thread
from unrolled.experiments.transformer.switched import language_model
from unrolled.language_model import cross_entropy
from unrolled.transformer_lm import TransformerLM

SYMBOLS, ROWS, LENGTH = 27, 8, 32


class Depth(NamedTuple):
    """By depth: before the first block, before the second, …, after the last."""

    sizes: list[float]
    gradients: list[float]
    alike: list[float]


def by_depth(
    *without: str, layers: int = 24, norm: str = "pre", seed: int = 0, width: int = 32, larger: float = 1.0
) -> Depth:
    """Of one net; `seed` decides on its numbers and on the text; `larger`: by how much the blocks' matrices are."""
    net = language_model(SYMBOLS, *without, layers=layers, norm=norm, width=width, context=LENGTH, seed=seed)
    for matrix in (p for p in net.stack.blocks.parameters() if p.dim() == 2):
        matrix.data.mul_(larger)
    ids = torch.randint(SYMBOLS, (ROWS, LENGTH + 1), generator=torch.Generator().manual_seed(seed))
    with one_thread():
        stream = passed(net, ids[:, :-1])
        loss = cross_entropy(net.stack.last(stream[-1]) @ net.V.T, ids[:, 1:])
        slopes = torch.autograd.grad(loss, stream)
    sizes = [x.square().mean().sqrt().item() for x in stream]
    return Depth(sizes, [slope.norm().item() for slope in slopes], [_alike(x) for x in stream])


def passed(net: TransformerLM, ids: Tensor) -> list[Tensor]:
    """The vectors (B, N, D) before each block, and behind the last."""
    stream, mask = [net.embedded(ids)], causal_mask(ids.shape[1])
    for block in net.stack.blocks:
        stream.append(block(stream[-1], mask))
    return stream


def _alike(x: Tensor) -> float:
    """The mean cosine of two vectors at different places of a text."""
    unit = x.detach() / x.detach().norm(dim=2, keepdim=True).clamp(min=1e-30)
    cosines, n = unit @ unit.mT, x.shape[1]  # (B, N, N)
    return ((cosines.sum() - cosines.diagonal(dim1=1, dim2=2).sum()) / (len(x) * n * (n - 1))).item()
