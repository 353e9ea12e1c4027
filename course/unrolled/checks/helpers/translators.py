"""Parameters of encoders, decoders and scores, and the library's functions for them, for the checks of unit 5.

An encoder is {"E", "forward", "backward", "W", "b"}, a decoder {"E", "U", "W", "C", "b", "V", "d"}, as in the
exercises. The twins are torch's own: a packed nn.RNN for the encoder, its cell for the decoder, F.bilinear and one
F.linear over joined vectors for the scores, a softmax of each row's real places alone. Left out on purpose: what an
exercise asks to be written.

Shapes: B sentences, N words of a source, V words of its vocabulary, U of the target's; D numbers in an embedding, H in
a state of one direction, S in the decoder's, K in a key, Q in a query, A in the additive score.
"""

import random
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.checking.compare import close, holds
from unrolled.checking.kinds import floats, integers, readable, refuse

from . import told
from .batches import LibraryBothWays, both_ways
from .recurrent import numbers, symbol_ids

Params = dict[str, Any]
SOFT = 1e-4, 1e-5  # rtol and atol for sums that float32 may take in any order


def parts_of(got: Any, count: int, what: str = "the result") -> Sequence[Any]:
    """`got`, if it is a tuple (or a list) of so many things."""
    if not isinstance(got, tuple | list) or len(got) != count:
        how = "of the wrong length" if isinstance(got, tuple | list) else "of the wrong kind"
        refuse(what, f"a tuple of {count} tensors", got, how)
    return got


def of_shape(part: Any, shape: tuple[int, ...], name: str) -> Tensor:
    """`part`, if it is a tensor of this shape."""
    if not readable(part) or tuple(part.shape) != shape:
        refuse(
            name, f"a tensor of shape {shape}", part, "of the wrong shape" if readable(part) else "of the wrong kind"
        )
    return part


def read_pairs(got: Any, batch: int, n: int, m: int) -> list[Tensor]:
    """The five tensors of an answer to 5.1, each held to its kind and shape."""
    names = ("the sources", n), ("their mask", n), ("what is read", m), ("what is to be said", m), ("its mask", m)
    found = parts_of(got, 5)
    for part, (name, size) in zip(found, names, strict=True):
        if "mask" not in name:
            integers(part, (batch, size), name)
            continue
        wanted = f"a tensor of bools of shape {(batch, size)}"
        if not (readable(part) and part.dtype == torch.bool):
            refuse(name, wanted, part, "of the wrong dtype" if readable(part) else "of the wrong kind")
        if tuple(part.shape) != (batch, size):
            refuse(name, wanted, part, "of the wrong shape")
    return list(found)


# --- the encoder -----------------------------------------------------------------------------------------------------


def encoder_of(
    rng: random.Random, sizes: tuple[int, int, int, int], dtype: torch.dtype = torch.float32
) -> tuple[Params, int]:
    """Parameters drawn from ±0.8 for sizes (V, D, H, S), and V."""
    V, D, H, S = sizes
    (layer,) = both_ways(rng, D, H, 1, dtype)
    own = {"E": (V, D), "W": (S, 2 * H), "b": (S,)}
    return {name: numbers(rng, *shape, spread=0.8, dtype=dtype) for name, shape in own.items()} | layer, V


def encoded(ids: Tensor, mask: Tensor, params: Params) -> tuple[Tensor, Tensor]:
    """The states (B, N, 2H) and s_0 (B, S) by torch's net over packed sources, each of which has a real word."""
    layer = {way: params[way] for way in ("forward", "backward")}
    return _ended(LibraryBothWays([layer])(params["E"][ids], mask), mask, params)


def _ended(states: Tensor, mask: Tensor, params: Params) -> tuple[Tensor, Tensor]:
    half = states.shape[2] // 2
    last = states[torch.arange(len(states)), mask.sum(1) - 1, :half]
    return states, F.linear(torch.cat([last, states[:, 0, half:]], 1), params["W"], params["b"]).tanh()


def read_encoded(answer: Any, ids: Tensor, mask: Tensor, params: Params) -> tuple[Tensor, Tensor]:
    """What an answer to 5.2 returns, held to its kinds and shapes."""
    states, first = parts_of(answer(ids, mask, params), 2)
    width = params["W"].shape
    return floats(states, (*ids.shape, width[1]), "the states"), floats(first, (len(ids), width[0]), "s_0")


def encoder_teaches(answer: Any, ids: Tensor, mask: Tensor, params: Params, upstream: list[Tensor]) -> None:
    """Hold the gradients by all parameters of an answer to 5.2 to those of torch's net."""
    got = answer.gradients(ids, mask, params, upstream=upstream)["arguments"][2]
    net = LibraryBothWays([{way: params[way] for way in ("forward", "backward")}])
    own = {name: params[name].clone().requires_grad_() for name in ("E", "W", "b")}
    states, first = _ended(net(own["E"][ids], mask), mask, own)
    leaves = [*own.values(), *net.parameters()]
    found = torch.autograd.grad((states * upstream[0]).sum() + (first * upstream[1]).sum(), leaves)
    for name, theirs in zip(own, found[:3], strict=True):
        close(got[name], theirs, f"the gradient by {name}", *SOFT, hint=told.of_gradient(got[name], theirs))
    by_name = dict(zip((name for name, _ in net.named_parameters()), found[3:], strict=True))
    for way, end in (("forward", ""), ("backward", "_reverse")):
        for name, place in (("U", "weight_hh"), ("W", "weight_ih"), ("b", "bias_ih")):
            mine, theirs = got[way][name], by_name[f"net.{place}_l0{end}"]
            what = f"the gradient by {name} of the {way} direction"
            close(mine, theirs, what, *SOFT, hint=told.of_gradient(mine, theirs))


# --- the decoder -----------------------------------------------------------------------------------------------------


def decoder_of(rng: random.Random, sizes: tuple[int, int, int, int], dtype: torch.dtype = torch.float32) -> Params:
    """Parameters drawn from ±0.8 for sizes (U, D, S, K)."""
    U, D, S, K = sizes
    shapes = {"E": (U, D), "U": (S, S), "W": (S, D), "C": (S, K), "b": (S,), "V": (U, S), "d": (U,)}
    return {name: numbers(rng, *shape, spread=0.8, dtype=dtype) for name, shape in shapes.items()}


def step_given(
    rng: random.Random, batch: int, sizes: tuple[int, int, int, int], dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor, Params]:
    """The arguments of one step: states, words, contexts, parameters."""
    U, _, S, K = sizes
    state, c = numbers(rng, batch, S, dtype=dtype), numbers(rng, batch, K, dtype=dtype)
    return state, symbol_ids(rng, U, batch), c, decoder_of(rng, sizes, dtype)


def library_step(state: Tensor, words: Tensor, c: Tensor, params: Params) -> tuple[Tensor, Tensor]:
    """Logits and new state by torch's own cell, which reads the embedding and the context as one vector."""
    joined, weights = torch.cat([params["E"][words], c], 1), torch.cat([params["W"], params["C"]], 1)
    new = torch.rnn_tanh_cell(joined, state, weights, params["U"], params["b"], torch.zeros_like(params["b"]))
    return F.linear(new, params["V"], params["d"]), new


def read_step(got: Any, given: tuple) -> tuple[Tensor, Tensor]:
    """The logits and the new state of an answer to 5.3, held to their kinds and shapes."""
    logits, new = parts_of(got, 2)
    state, params = given[0], given[-1]
    return floats(logits, (len(state), len(params["d"])), "the logits"), floats(
        new, tuple(state.shape), "the new state"
    )


def gradients_by(function: Any, leaves: list, upstream: Sequence[Tensor]) -> list:
    """The gradients of Σ output · upstream by leaves, of a function of those leaves."""
    fresh = [leaf.clone().requires_grad_() for leaf in leaves]
    outputs = function(*fresh)
    total = sum((part * weight).sum() for part, weight in zip(outputs, upstream, strict=True))
    return list(torch.autograd.grad(total, fresh))


# --- attention -------------------------------------------------------------------------------------------------------


def score_of(rng: random.Random, kind: str, sizes: tuple[int, int, int], dtype: torch.dtype = torch.float32) -> Params:
    """The parameters of a score for sizes (Q, K, A)."""
    Q, K, A = sizes
    additive = {"Wq": (A, Q), "Wh": (A, K), "b": (A,), "u": (A,)}
    shapes = {"bilinear": {"W": (Q, K)}, "additive": additive}.get(kind, {})
    return {name: numbers(rng, *shape, dtype=dtype) for name, shape in shapes.items()}


def library_scores(query: Tensor, keys: Tensor, kind: str, params: Params) -> Tensor:
    """Scores (B, N) by torch's functions for pairs of vectors: each key beside a copy of its query."""
    asked = query[:, None].expand(-1, keys.shape[1], -1).contiguous()
    if kind == "additive":
        joined, weights = torch.cat([asked, keys], 2), torch.cat([params["Wq"], params["Wh"]], 1)
        return F.linear(F.linear(joined, weights, params["b"]).tanh(), params["u"][None])[..., 0]
    square = params["W"] if kind == "bilinear" else torch.eye(keys.shape[2], dtype=keys.dtype)
    found = F.bilinear(asked, keys, square[None])[..., 0]
    return found / keys.shape[2] ** 0.5 if kind == "scaled" else found


def library_weights(scores: Tensor, mask: Tensor) -> Tensor:
    """A softmax of each row's real places alone; zeros behind it."""
    rows = [F.softmax(row[:n], 0) for row, n in zip(scores, mask.sum(1).tolist(), strict=True)]
    return torch.stack([F.pad(row, (0, scores.shape[1] - len(row))) for row in rows])


def shares_of_real_places(weights: Tensor, mask: Tensor) -> None:
    """Hold weights to be at least 0, exactly 0 at pads, and to sum to one in each row that has a real place."""
    holds(bool((weights[~mask] == 0).all()), "the weight of a pad is not exactly 0")
    holds(bool((weights >= 0).all()), "a weight is below 0, or no number")
    close(weights.sum(1), mask.any(1).to(weights.dtype), "the sums of the weights of each row", *SOFT)


def library_attention_step(state: Tensor, words: Tensor, keys: Tensor, mask: Tensor, params: Params) -> tuple:
    """Logits, new state, context and weights by the twins above."""
    weights = library_weights(library_scores(state, keys, "additive", params["score"]), mask)
    c = torch.bmm(weights[:, None], keys).squeeze(1)
    return (*library_step(state, words, c, params), c, weights)
