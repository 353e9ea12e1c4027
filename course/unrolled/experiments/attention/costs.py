"""What a layer costs that lets every word know of every other: unit 5's table of costs, completed.

    counted("self-attention", n=100, d=64)       # Cost(products=…, kept=…, steps=3, longest=3, layers=1)
    seconds("self-attention", n=512)             # measured, of the processor: forward and backward
    kept_bytes("fused", n=512)                   # measured: what the forward leaves for the backward

The layers of Vaswani and others, "Attention is all you need" (2017), table 1: a recurrent one that reads in both
directions, a convolution that looks at three words, the same with gaps that double (dilated), and self-attention. A
convolution needs more layers until each word has seen each: all of them are counted. Left out on purpose: additions,
biases, tanh and softmax, and the vectors that go in and come out, n·d numbers in each design.

Shapes: n words, d numbers in each, h heads.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn

from unrolled.attention import MultiHeadAttention
from unrolled.experiments.ways import Graph, Ways, graph_of, ways_of

KERNEL = 3  # words that a convolution looks at
LAYERS = "recurrent", "convolution", "dilated", "self-attention"


class Cost(NamedTuple):
    """Of one sentence."""

    products: int  # multiplications
    kept: int  # numbers between input and output that a backward pass needs
    steps: int  # which must be taken one after another, whatever the machine
    longest: int  # steps from a word to the answer at the word farthest from it
    layers: int


def counted(kind: str, n: int, d: int, heads: int = 1) -> Cost:
    """Of one of LAYERS, for n words of width d. `ways` finds the same by walking."""
    if kind == "recurrent":  # W x and U h in two directions, each of width d/2, so that d numbers come out
        return Cost(n * (d * d + 2 * (d // 2) ** 2), n * d, n + 1, n + 1, 1)
    if kind in ("convolution", "dilated"):
        layers = len(gaps(kind, n))
        return Cost(layers * KERNEL * n * d * d, (layers - 1) * n * d, layers, layers, layers)
    if kind == "self-attention":  # q, k, v and the output; scores; sums. Kept: q, k, v, sums and all weights
        return Cost(4 * n * d * d + 2 * n * n * d, 4 * n * d + heads * n * n, 3, 3, 1)
    raise ValueError(f"there is no layer {kind!r}: choose one of {', '.join(LAYERS)}")


def gaps(kind: str, n: int) -> list[int]:
    """How far apart the words are at which each layer of a convolution looks, until the first sees the last."""
    found, reach = [1], KERNEL // 2
    while reach < n - 1:
        found.append(2 * found[-1] if kind == "dilated" else 1)
        reach += found[-1] * (KERNEL // 2)
    return found


# --- the same as graphs ----------------------------------------------------------------------------------------------


def ways(kind: str, n: int) -> Ways:
    """Of one of LAYERS, found by walking through what is computed from what: for short sentences."""
    return ways_of(GRAPHS[kind](n), n, n)


def _recurrent(n: int) -> Graph:
    edges = [(("x", i), (way, i)) for i in range(n) for way in "fb"]
    edges += [(("f", i), ("f", i + 1)) for i in range(n - 1)] + [(("b", i + 1), ("b", i)) for i in range(n - 1)]
    return graph_of(edges + [((way, i), ("y", i)) for i in range(n) for way in "fb"])


def _convolution(kind: str, n: int) -> Graph:
    far = gaps(kind, n)
    names = ["x", *range(1, len(far)), "y"]
    return graph_of(
        [
            ((names[layer], i), (names[layer + 1], i + gap * step))
            for layer, gap in enumerate(far)
            for i in range(n)
            for step in range(-(KERNEL // 2), KERNEL // 2 + 1)
            if 0 <= i + gap * step < n
        ]
    )


def _attention(n: int) -> Graph:
    """x gives q, k and v; a q and a k give a score, here joined with its weight to the sum of its query."""
    pairs = [(i, j) for i in range(n) for j in range(n)]
    edges = [(("x", i), ("qkv", i)) for i in range(n)] + [(("qkv", j), ("sum", i)) for i, j in pairs]
    return graph_of(edges + [(("sum", i), ("y", i)) for i in range(n)])


GRAPHS: dict[str, Callable[[int], Graph]] = {
    "recurrent": _recurrent,
    "convolution": partial(_convolution, "convolution"),
    "dilated": partial(_convolution, "dilated"),
    "self-attention": _attention,
}


# --- measured --------------------------------------------------------------------------------------------------------


class _Recurrent(nn.Module):
    def __init__(self, d: int, heads: int):
        super().__init__()
        self.layer = nn.RNN(d, d // 2, batch_first=True, bidirectional=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)[0]


class _Convolution(nn.Module):
    """One layer, whatever it reaches."""

    def __init__(self, d: int, heads: int):
        super().__init__()
        self.layer = nn.Conv1d(d, d, KERNEL, padding="same")

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x.mT).mT


class _Plain(MultiHeadAttention):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x, need_weights=True)[0]


MEASURED: dict[str, Callable[[int, int], nn.Module]] = {
    "recurrent": _Recurrent,
    "one convolution": _Convolution,
    "self-attention": _Plain,
    "fused": MultiHeadAttention,
}


def seconds(kind: str, n: int, d: int = 64, heads: int = 4, batch: int = 1, repeats: int = 5) -> float:
    """The shortest of some measurements of one of MEASURED, forward and backward: processor seconds."""
    layer, x = _made(kind, n, d, heads, batch)
    taken = []
    for _ in range(repeats):
        began = time.process_time()
        layer(x).sum().backward()
        taken.append(time.process_time() - began)
    return min(taken)


def kept_bytes(kind: str, n: int, d: int = 64, heads: int = 4, batch: int = 1) -> int:
    """What a forward pass of one of MEASURED leaves in memory for the backward pass, parameters and input apart."""
    layer, x = _made(kind, n, d, heads, batch)
    given = {part.untyped_storage().data_ptr() for part in [x, *layer.parameters()]}
    found: dict[int, int] = {}

    def keep(part: Tensor) -> Tensor:
        storage = part.untyped_storage()
        if storage.data_ptr() not in given:
            found[storage.data_ptr()] = storage.nbytes()
        return part

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda part: part):
        answer = layer(x)  # held until all is counted, so that no place is used twice
    return sum(found.values()) if answer is not None else 0


def _made(kind: str, n: int, d: int, heads: int, batch: int) -> tuple[nn.Module, Tensor]:
    if kind not in MEASURED:
        raise ValueError(f"{kind!r} is not measured: choose one of {', '.join(MEASURED)}")
    torch.manual_seed(0)
    return MEASURED[kind](d, heads), torch.randn(batch, n, d)
