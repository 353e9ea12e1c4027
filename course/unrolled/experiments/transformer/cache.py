"""What a cache saves: seconds to write a text, the plain way and with keys and values kept.

    seconds(model, symbols=128, cache=True)     # of the processor
    computed(128, cache=False)                  # vectors that go through the layers, in all
    kept_numbers(model, symbols=128)            # what the cache holds in the end

Left out on purpose: several texts side by side, and the seconds of a GPU.
"""

import time

import torch

from unrolled.device import device, one_thread
from unrolled.transformer_lm import TransformerLM, generate


def writer(width: int = 64, layers: int = 2, context: int = 256, symbols: int = 65, seed: int = 0) -> TransformerLM:
    """A net to be timed: what it has learned does not matter."""
    torch.manual_seed(seed)
    return TransformerLM(symbols, width, layers=layers, context=context).to(device()).eval()


def seconds(model: TransformerLM, symbols: int, cache: bool, repeats: int = 3) -> float:
    """The shortest of some measurements of writing so many symbols after one: processor seconds, on one thread."""
    first, taken = torch.zeros(1, 1, dtype=torch.int64), []
    with one_thread():
        for _ in range(repeats):
            began = time.process_time()
            generate(model, first, symbols, generator=torch.Generator().manual_seed(0), cache=cache)
            taken.append(time.process_time() - began)
    return min(taken)


def computed(symbols: int, cache: bool) -> int:
    """1 + 2 + … + S the plain way, S with a cache, as long as the window holds all."""
    return symbols if cache else symbols * (symbols + 1) // 2


def kept_numbers(model: TransformerLM, symbols: int) -> int:
    """2 L D S: a key and a value for each symbol, in each layer."""
    cache = model.cached(torch.zeros(1, symbols, dtype=torch.int64, device=model.device), model.empty())[1]
    return sum(part.numel() for kept in cache.kept for part in kept)
