"""Texts drawn by an answer that samples with a state, for the checks of unit 2.

The net has the same logits at every step, so that the draws are independent and can be counted. What is drawn is held
to be as many ids as were asked for. Left out on purpose: how probable a symbol should be; each check says so itself.
"""

import torch

from unrolled.checking.answer import Answer
from unrolled.checking.compare import Mismatch
from unrolled.checking.kinds import symbols
from unrolled.checks.helpers.toys import constant_step

LENGTH = "`length` symbols are asked for, and no symbol ends the text before."
RARE = "At τ = 1 draws differ, here none does. Is τ used as it stands, and no symbol left out?"
ADDED = "Now and then what must never come comes: is anything added to its probability?"


def text_of(answer: Answer, logits: torch.Tensor, length: int, temperature: float, seed: int) -> list[int]:
    """The ids that the answer draws after [0] from a net with these logits, shape (V,), at every step."""
    return ids_of(answer(constant_step(logits), torch.zeros(1), [0], length, temperature, seed), length, len(logits))


def ids_of(got: object, length: int, vocab_size: int) -> list[int]:
    """`got`, held to be a list of `length` ids."""
    try:
        return symbols(got, length, vocab_size, "the text")
    except Mismatch as wrong:
        wrong.hint = LENGTH if isinstance(got, list) and len(got) != length else ""
        raise
