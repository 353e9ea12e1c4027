"""Self-attention with unit 6's parameters, to be built upon: what a block takes as given.

    self_attention(x, params, heads, mask)    # many heads, as in unit 6

A layer's parameters are those of unit 6: "Wq", "Wk", "Wv" (E, D), "bq", "bk", "bv" (E,), "Wo" (D, E) and "bo" (D,),
with E = H·K numbers for all heads; head h has the rows hK to (h + 1)K of the first three. Left out on purpose:
whatever an exercise of this unit asks to be written.

Shapes: B texts, N words, D numbers in a word's vector, H heads, K in each.
"""

from jaxtyping import Float
from torch import Tensor

from unrolled.attention import attention

# ruff: noqa: F722 (jaxtyping writes shapes as strings)


def split_heads(x: Float[Tensor, "B N E"], heads: int) -> Float[Tensor, "B H N K"]:
    """The first K numbers of each word become head 0, the next K head 1, and so on."""
    return x.unflatten(2, (heads, -1)).movedim(2, 1)  # (B, N, E) -> (B, N, H, K) -> (B, H, N, K)


def join_heads(x: Float[Tensor, "B H N K"]) -> Float[Tensor, "B N E"]:
    """The way back."""
    return x.movedim(1, 2).flatten(2)  # (B, H, N, K) -> (B, N, H, K) -> (B, N, E)


def self_attention(
    x: Float[Tensor, "B N D"], params: dict[str, Tensor], heads: int, mask: Tensor | None = None
) -> Float[Tensor, "B N D"]:
    """New vectors by H heads; mask: bool, of a shape that broadcasts to (B, H, N, N), true where a word may look.

    A word that may look nowhere gets b^O.
    """
    roles = (split_heads(x @ params[f"W{r}"].mT + params[f"b{r}"], heads) for r in "qkv")
    return join_heads(attention(*roles, mask)[0]) @ params["Wo"].mT + params["bo"]
