"""What attention costs, and what it shortens: products, steps one after another, and the way of a gradient.

    products("attention", n=40, m=40)         # multiplications of one sentence: {"encoder": …, "scores": …}
    ways("attention", n=40, m=40)             # Ways(longest=4, steps=123)
    seconds("attention", n=40, m=40)          # measured, of the processor: whoever else works on it does not count

Vaswani and others, "Attention is all you need" (2017), compare layers by the same three numbers; `DESIGNS` is a table
of designs that unit 6 completes. Left out on purpose: additions, tanh and softmax, whose number grows as that of the
products does, products number by number (the gates'), and the one layer that makes the first state.
"""

import time

import torch

from unrolled.experiments.ways import Graph, Ways, graph_of, ways_of
from unrolled.seq2seq import CONTEXTS, Config, Pairs, Translator

SIZES = Config(source=100, target=100, score="bilinear", width=32, hidden=32, state=64)


# --- counted ---------------------------------------------------------------------------------------------------------


def products(context: str, n: int, m: int, config: Config = SIZES) -> dict[str, int]:
    """Multiplications for a source of n words and a target of m, part by part; context: one of CONTEXTS.

    Of the scores the bilinear one is counted, with W h of each key once.
    """
    size, state = config.directions * config.hidden, config.state
    seen = config.width + (0 if context == "first" else size)
    counted = {
        "encoder": n * config.directions * 4 * config.hidden * (config.width + config.hidden),
        "decoder": m * 3 * state * (seen + state),
        "output": m * state * config.target,
        "keys": n * size * state if context == "attention" else 0,
        "scores": n * m * state if context == "attention" else 0,
        "sums": n * m * size if context == "attention" else 0,
    }
    return counted | {"all": sum(counted.values())}


# --- measured --------------------------------------------------------------------------------------------------------


@torch.no_grad()
def seconds(context: str, n: int, m: int, batch: int = 16, repeats: int = 5, config: Config = SIZES) -> float:
    """The shortest of some measurements of one batch, read and written by teacher forcing: processor seconds."""
    torch.manual_seed(0)
    settings = {name: getattr(config, name) for name in ("source", "target", "score", "width", "hidden", "state")}
    model = Translator(Config(context=context, **settings)).eval()
    source, words = (torch.randint(4, config.source, (batch, length)) for length in (n, m))
    shown, taken = Pairs(source, torch.ones_like(source, dtype=torch.bool), words), []
    for _ in range(repeats):
        began = time.process_time()
        model(shown)
        taken.append(time.process_time() - began)
    return min(taken)


# --- ways ------------------------------------------------------------------------------------------------------------


def ways(context: str, n: int, m: int) -> Ways:
    """Of a design, one of DESIGNS, for a source of n words and a target of m."""
    return ways_of(DESIGNS[context](n, m), n, m)


def _recurrent(context: str, n: int, m: int) -> Graph:
    """An encoder in both directions, and a decoder: words x, states f and b, the summary c, states s, logits y."""
    edges = [(("x", i), (way, i)) for i in range(n) for way in "fb"]
    edges += [(("f", i), ("f", i + 1)) for i in range(n - 1)] + [(("b", i + 1), ("b", i)) for i in range(n - 1)]
    edges += [(("f", n - 1), ("c", 0)), (("b", 0), ("c", 0)), (("c", 0), ("s", -1))]
    edges += [(("s", j - 1), ("s", j)) for j in range(m)] + [(("s", j), ("y", j)) for j in range(m)]
    if context == "every":
        edges += [(("c", 0), ("s", j)) for j in range(m)]
    if context == "attention":
        edges += [((way, i), ("c", j + 1)) for i in range(n) for way in "fb" for j in range(m)]
        edges += [(("s", j - 1), ("c", j + 1)) for j in range(m)]  # the state that asks
        edges += [(("c", j + 1), ("s", j)) for j in range(m)]
    return graph_of(edges)


DESIGNS = {context: lambda n, m, context=context: _recurrent(context, n, m) for context in CONTEXTS}
