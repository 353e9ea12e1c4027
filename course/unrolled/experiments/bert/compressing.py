"""A tuned net made smaller: heads taken away, and weights of eight bits or fewer.

    lighter = without(model, [(0, 1), (3, 2)])     # a copy without head 1 of layer 0 and head 2 of layer 3
    rounded = of_bits(model, 8)                    # a copy whose matrices have 255 different numbers a row
    stored_bytes(model, 8)

Heads: Michel, Levy and Neubig, "Are sixteen heads really better than one?" (2019). A head that is taken away is taken
out of the matrices, so that less is computed, too. Rounding: each row w of a matrix becomes s · round(w / s), with s
such that the largest number of the row has the largest integer (Jacob and others, 2018, have the same by tensors).
It is tried what rounding does to the answers; computing with integers is left out.
"""

import copy
import time
from collections.abc import Iterable

import torch
from torch import nn

from unrolled.attention import MultiHeadAttention
from unrolled.bert import Pieces

Head = tuple[int, int]  # layer, and number in it


def without(model: nn.Module, heads: Iterable[Head]) -> nn.Module:
    """A copy of a task's model without these heads. ValueError for one that it has not, and for a layer's last one."""
    new, gone = copy.deepcopy(model), list(heads)
    has = [(layer, h) for layer, block in enumerate(new.bert.blocks) for h in range(block.attention.heads)]
    if unknown := [head for head in gone if head not in has]:
        raise ValueError(f"there is no head {unknown[0][1]} in layer {unknown[0][0]}: the net has {len(has)} heads")
    for layer, block in enumerate(new.bert.blocks):
        left = [h for h in range(block.attention.heads) if (layer, h) not in gone]
        if not left:
            raise ValueError(f"layer {layer} would have no head left: leave it one")
        block.attention = _with(block.attention, left)
    return new


def _with(old: MultiHeadAttention, heads: list[int]) -> MultiHeadAttention:
    """Attention with some of its heads: their rows of W^Q, W^K and W^V, their columns of W^O."""
    k = old.query.out_features // old.heads
    rows = torch.cat([torch.arange(h * k, (h + 1) * k) for h in heads])
    new = copy.deepcopy(old)
    new.heads = len(heads)
    for part in (new.query, new.key, new.value):
        part.weight, part.bias = nn.Parameter(part.weight[rows]), nn.Parameter(part.bias[rows])
        part.out_features = len(rows)
    new.output.weight = nn.Parameter(new.output.weight[:, rows])
    new.output.in_features = len(rows)
    return new


def rounded(matrix: torch.Tensor, bits: int) -> torch.Tensor:
    """Each row in steps of its own, between −n and n of them, n = 2^(bits − 1) − 1."""
    n = 2 ** (bits - 1) - 1
    step = matrix.abs().amax(1, keepdim=True).clamp(min=1e-30) / n
    return (matrix / step).round() * step


def of_bits(model: nn.Module, bits: int) -> nn.Module:
    """A copy whose matrices are rounded; vectors stay as they are. bits: 2 to 8."""
    if not 2 <= bits <= 8:
        raise ValueError(f"bits is {bits}: 2 to 8")
    new = copy.deepcopy(model)
    for parameter in new.parameters():
        if parameter.ndim == 2:
            parameter.data = rounded(parameter.data, bits)
    return new


def stored_bytes(model: nn.Module, bits: int = 32) -> int:
    """What the numbers take: matrices with so many bits and a float32 for each row, vectors in float32."""
    total = 0
    for parameter in model.parameters():
        steps = parameter.shape[0] * 32 if parameter.ndim == 2 and bits < 32 else 0
        total += parameter.numel() * (bits if parameter.ndim == 2 else 32) + steps
    return total // 8


@torch.no_grad()
def ratio(light: nn.Module, whole: nn.Module, pieces: Pieces, times: int = 30) -> float:
    """Processor time of one model over another's for a batch: the shortest readings, taken by turns."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for reading in range(2 * times):
        first = reading % 2 == 0
        began = time.process_time()
        (light if first else whole)(pieces)
        found[first].append(time.process_time() - began)
    return min(found[True]) / min(found[False])
