"""Numbers that a batch is made into, for the checks of 4.4, 4.8 and 4.9: a loss, and one vector a row.

`library_attention` is torch's own attention with one question. Left out on purpose: what an exercise asks to be
written.

Shapes: B sequences, T steps, H numbers in a state, K tags.
"""

import random
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.compare import Mismatch, close, holds
from unrolled.checking.kinds import floats, number, pair, readable

from . import told
from .batches import SOFT, disturbed, lengths_of, longer, mask_of
from .recurrent import numbers, symbol_ids

# --- a loss ----------------------------------------------------------------------------------------------------------

TAG_0 = "Tag 0 is a tag as all others are: the mask alone tells what is a pad."


def loss_is(
    got: Any, logits: Tensor, targets: Tensor, mask: Tensor, what: str = "the loss", rtol: float = 1e-4
) -> None:
    """Hold a loss to the mean cross-entropy of the real words, and say so where the words of tag 0 were left out."""
    expected = F.cross_entropy(logits[mask], targets[mask])
    close(got, expected, what, rtol, 1e-5, hint=of_tag_0(got, logits, targets, mask))


def of_tag_0(got: Any, logits: Tensor, targets: Tensor, mask: Tensor) -> str:
    """The hint for a loss that leaves tag 0 out; it is nan where there is no other."""
    if not (readable(got) and got.dim() == 0):
        return ""
    others = F.cross_entropy(logits[mask], targets[mask], ignore_index=0)
    return TAG_0 if torch.isclose(got.double(), others.double(), 1e-4, 1e-6, equal_nan=True) else ""


def loss_leaves_pads_out(answer: Any, rng: random.Random) -> None:
    """Hold a loss to be the same with other pads, with targets there that are no tags, and with more pads."""
    mask = mask_of(lengths_of(rng, 4, 5), 5)
    logits, targets = numbers(rng, 4, 5, 3, spread=2.0), symbol_ids(rng, 3, 4, 5)
    loss = number(answer(logits, targets, mask), "the loss")
    for target in (-1, -100, 99):
        given = disturbed(logits, mask, rng), targets.where(mask, torch.tensor(target)), mask
        close(answer(*given), loss, f"the loss with other logits and targets of {target} at the pads", *SOFT)
    more = longer(logits, 3, 7.0), longer(targets, 3, 1), longer(mask, 3, False)
    close(answer(*more), loss, "the loss with three more pads in each row", *SOFT)
    other = number(answer(logits.where(~mask[..., None], -logits), targets, mask), "the loss")
    holds(abs(other - loss) > 1e-3, "other logits of the real words leave the loss as it is")


OVERFLOWS = "e to a large number overflows: log_softmax takes the largest off first."


def loss_of_large_logits(answer: Any) -> None:
    """Hold the loss of one word, whose logits are 2000 for tag 1 and −2000 for the others, beside a pad."""
    logits, mask = torch.tensor([[[-2000.0, 2000.0, -2000.0], [2000.0] * 3]]), mask_of((1,), 2)
    for target, expected in ((1, 0.0), (2, 4000.0)):
        got = answer(logits, torch.tensor([[target, 0]]), mask)
        stray = readable(got) and not bool(got.isfinite().all())
        close(got, expected, f"the loss for target {target}", 1e-4, 1e-5, hint=OVERFLOWS * stray)


def loss_has_its_gradient(answer: Any, rng: random.Random) -> None:
    """Hold the gradient by the logits to the one that follows from the formula, by four real words."""
    mask, logits, targets = mask_of((3, 1), 3), numbers(rng, 2, 3, 4, dtype=torch.float64), symbol_ids(rng, 4, 2, 3)
    expected = (logits.softmax(-1) - F.one_hot(targets, 4)) * mask[..., None] / 4
    got = answer.gradients(logits, targets, mask)["arguments"][0]
    hint = told.of_type(got, expected, (1e-9, 1e-12)) or told.of_gradient(got, expected)
    close(got, expected, "the gradient by the logits", 1e-9, 1e-12, hint=hint)


# --- a mean ----------------------------------------------------------------------------------------------------------


def mean_leaves_pads_out(answer: Any, rng: random.Random) -> None:
    """Hold means to be the same with other pads and with more of them, and to be torch's where there is none."""
    states, mask = numbers(rng, 4, 5, 3), mask_of(lengths_of(rng, 4, 5), 5)
    got = floats(answer(states, mask), (4, 3), "the means")
    close(answer(disturbed(states, mask, rng), mask), got, "the means with other numbers at the pads", *SOFT)
    close(answer(longer(states, 4, 8.0), longer(mask, 4, False)), got, "the means with four more pads", *SOFT)
    close(answer(states, mask_of([5] * 4, 5)), states.mean(1), "the means where all steps are real", *SOFT)


def mean_of_a_row_of_pads(answer: Any, rng: random.Random) -> None:
    """Hold the means of a row of pads and of a row that has two steps, and their gradients."""
    states, mask = numbers(rng, 2, 3, 2), mask_of((0, 2), 3)
    means = floats(answer(states, mask), (2, 2), "the means")
    close(means[0], torch.zeros(2), "the mean of a row of pads")
    close(
        means[1], states[1, :2].mean(0), "the mean of the row beside it", *SOFT, hint="Is it divided by its own steps?"
    )
    got = answer.gradients(states, mask)["arguments"][0]
    expected = torch.tensor([[[0.0] * 2] * 3, [[0.5] * 2, [0.5] * 2, [0.0] * 2]])
    close(got, expected, "the gradient by the states", hint=told.of_gradient(got, expected))


# --- attention with one question -------------------------------------------------------------------------------------

OWN_LARGEST = "nan is 0/0 or ∞/∞: is the row's own largest real score taken off before e to it?"


def library_attention(states: Tensor, mask: Tensor, query: Tensor) -> Tensor:
    """What torch's attention makes of the real states of each row for one question, unscaled: (B, H)."""
    asked = query.expand(len(states), 1, -1)  # (H,) -> (B, 1, H)
    return F.scaled_dot_product_attention(asked, states, states, attn_mask=mask[:, None], scale=1.0)[:, 0]


def attention_gradients(states: Tensor, mask: Tensor, query: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of Σ pooled · upstream of `library_attention` by the states and by the question."""
    states, query = states.clone().requires_grad_(), query.clone().requires_grad_()
    return torch.autograd.grad((library_attention(states, mask, query) * upstream).sum(), [states, query])


def read_pooled(got: Any, batch: int, steps: int, hidden: int) -> tuple[Tensor, Tensor]:
    """The pooled states (B, H) and the weights (B, T) of an answer to 4.9, each held to its kind and shape."""
    pooled, weights = pair(got, "the result")
    if isinstance(pooled, Tensor) and tuple(pooled.shape) == (batch, steps) != (batch, hidden):
        raise Mismatch("the pooled states and the weights are exchanged", "the result", form=True)
    return floats(pooled, (batch, hidden), "the pooled states"), floats(weights, (batch, steps), "the weights")


OVER_ROWS = "Over which axis is the softmax? All steps of one row share a sum of one, not all rows at a step."


def over_rows(weights: Tensor, mask: Tensor) -> str:
    """The hint for weights that sum to one over the rows of the batch; with one row all real ones are 1 or nan."""
    at_steps = weights.nansum(0)[mask.any(0)]
    return OVER_ROWS if torch.allclose(at_steps, torch.ones_like(at_steps), 1e-3, 1e-3) else ""


def weights_are(weights: Tensor, expected: Tensor, mask: Tensor) -> None:
    """Hold weights (B, T) to what they should be."""
    hint = over_rows(weights, mask) or told.of_type(weights, expected, (1e-9, 1e-12))
    close(weights, expected, "the weights", 1e-9, 1e-12, same_dtype=True, hint=hint)


def pooled_are(got: Tensor, expected: Tensor, what: str, precision: tuple[float, float]) -> None:
    """Hold pooled states to what they should be, type and all; nan has a cause of its own."""
    hint = OWN_LARGEST if bool(got.isnan().any()) else told.of_type(got, expected, precision)
    close(got, expected, what, *precision, same_dtype=True, hint=hint)


def weights_are_shares(weights: Tensor, mask: Tensor, loud: bool = False) -> None:
    """Hold weights (B, T) to be exactly 0 at pads, above 0 at real steps (unless `loud`), of sum one in each row."""
    holds(bool((weights[~mask] == 0).all()), "the weight of a pad is not exactly 0")
    holds(loud or bool((weights[mask] > 0).all()), "the weight of a real step is not above 0")
    what, ones = "the sums of the weights of each row", weights.new_ones(len(mask))
    close(weights.sum(1), ones, what, 1e-4, 1e-5, hint=over_rows(weights, mask))


# Two real states and a pad in each row. The question (4000, 0) gives scores of thousands, in either row of the other
# sign, and to the pad of one row a higher one than to its real steps; so does (−4000, 0).
LOUD = torch.tensor([[[1.0, 0.0], [3.0, 1.0], [9.0, 9.0]], [[-5.0, 2.0], [-7.0, 4.0], [-1.0, -1.0]]])


def silent_and_loud(answer: Any) -> None:
    """Hold the answer to the mean for the question 0, and for a loud one to the best real step of each row."""
    mask = mask_of((2, 2), 3)
    got, _ = read_pooled(answer(LOUD, mask, torch.zeros(2)), 2, 3, 2)
    pooled_are(got, LOUD[:, :2].mean(1), "the pooled states for the question 0", SOFT)
    for loud, best in ((4000.0, [1, 0]), (-4000.0, [0, 1])):
        got, _ = read_pooled(answer(LOUD, mask, torch.tensor([loud, 0.0])), 2, 3, 2)
        pooled_are(got, LOUD[[0, 1], best], "the pooled states for a loud question", SOFT)


def question_has_its_gradient(answer: Any, rng: random.Random) -> None:
    """Hold the gradients of the pooled states by the states and by the question to those of torch's attention."""
    states, query = numbers(rng, 3, 4, 2, dtype=torch.float64), numbers(rng, 2, dtype=torch.float64)
    mask, upstream = mask_of((4, 1, 3), 4), numbers(rng, 3, 2, dtype=torch.float64)
    of_states, of_query = attention_gradients(states, mask, query, upstream)
    none = torch.zeros(3, 4, dtype=torch.float64)
    got = answer.gradients(states, mask, query, upstream=[upstream, none])["arguments"]
    close(got[0], of_states, "the gradient by the states", hint=told.of_gradient(got[0], of_states))
    close(got[2], of_query, "the gradient by the question", hint=told.of_gradient(got[2], of_query))
