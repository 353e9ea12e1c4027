"""Attention weights of made-up models, for the tests of the widgets that show heads."""

import numpy as np

SOURCE = ["die", "Katze", "schlief", "nicht", "."]
TARGET = ["<s>", "the", "cat", "did", "not", "sleep", "."]


def drawn(*shape: int, seed: int = 0, causal: bool = False) -> np.ndarray:
    """float64 weights (…, M, N), each row with sum 1; if causal, 0 after the row's own place."""
    powers = np.exp(2 * np.random.default_rng(seed).normal(size=shape))
    if causal:
        powers = np.tril(powers)
    return powers / powers.sum(-1, keepdims=True)


def three_sets() -> dict[str, np.ndarray]:
    """An encoder of 2 layers, a decoder of 3; its token 2 may see nothing of the source in layer 1, head 0."""
    M, N = len(TARGET), len(SOURCE)
    cross = drawn(3, 2, M, N, seed=2)
    cross[1, 0, 2] = 0
    return {"encoder": drawn(2, 4, N, N), "decoder": drawn(3, 2, M, M, seed=1, causal=True), "cross": cross}
