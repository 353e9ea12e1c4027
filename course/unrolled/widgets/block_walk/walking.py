"""The way of a vector through a block: the parts in order, and what stands behind each of them.

A sublayer's name is that of what it computes; "norm1" and "add1" are the norm and the sum of the first sublayer.
"""

from collections.abc import Mapping, Sequence

import numpy as np

NORMS = ("pre", "post")
LOOKS = {"attention": "weights", "cross": "cross_weights"}  # a part that looks, and the name of where it looks

NAMES = {  # in words
    "input": "comes in",
    "norm": "norm",
    "attention": "attention",
    "cross": "cross-attention",
    "feed_forward": "feed-forward",
    "add": "add",
    "final": "final norm",
}


def parts_of(norm: str, crossed: bool) -> list[str]:
    """A block's parts in order: x + f(norm(x)) for "pre", norm(x + f(x)) for "post"; crossed: does it ask a memory?"""
    parts = []
    for n, work in enumerate(("attention", "cross", "feed_forward") if crossed else ("attention", "feed_forward"), 1):
        parts += [f"norm{n}", work, f"add{n}"] if norm == "pre" else [work, f"add{n}", f"norm{n}"]
    return parts


def walk_through(
    x: np.ndarray, given: Mapping[str, np.ndarray], parts: Sequence[str], norm: str
) -> dict[str, np.ndarray]:
    """{place: (…, D)}: x as "input", then what stands behind each part; a sum adds what came in and what was found."""
    stream = now = x
    places = {"input": x}
    for part in parts:
        now = places[part] = stream + now if part.startswith("add") else given[part]
        if part.startswith("add") or (norm == "post" and part.startswith("norm")):
            stream = now
    return places
