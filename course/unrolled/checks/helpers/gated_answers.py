"""How answers about gated nets are asked and read: each is held to its kind and shape, then to the library's net.

The nets are those of `gated`; the checks of unit 3 use both. Left out on purpose: what an exercise asks to be written.

Shapes: B sequences, T steps, D numbers in an input, H in a state.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from unrolled.checking.answer import Answer
from unrolled.checking.compare import Mismatch, close, holds
from unrolled.checking.kinds import floats, mapping, pair, readable, refuse
from unrolled.checking.plain import describe

from . import told
from .gated import GATES, LibraryLSTM, Params, States, exchanged

FAR = "It is far off, so no difference is to blame: which path, factor or axis is wrong?"

# --- a net for 3.9 ---------------------------------------------------------------------------------------------------

Step = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


def loaded_step(params: Params, gates: str = "") -> Step:
    """step(x, h, c) -> (h, c) of a net loaded from `params`, with these two gates exchanged on the way.

    It computes in the floating-point format of what it is given, and holds that to tensors of fitting shapes.
    """
    mixed, (hidden, width) = exchanged(params, gates), params["W_f"].shape

    def step(x: Any, h: Any, c: Any) -> tuple[Tensor, Tensor]:
        _asked_well((x, h, c), width, hidden)
        own = {name: value.to(x.dtype) for name, value in mixed.items()}
        with torch.no_grad():
            return LibraryLSTM([own]).step(x, h, c)

    return step


def finds(answer: Answer, params: Params, gates: str, about: str = "") -> None:
    """Hold an answer to 3.9 to the two gates (or "") that were exchanged in the net that it is given."""
    what = f"the answer for a net {about}" + (f"with {gates[0]} and {gates[1]} exchanged" if gates else "that is sound")
    got = answer(loaded_step(params, gates), params)
    if got is None:  # its form is not the trouble: no net was found to fit
        why = 'Fits it to the last bit? torch.allclose allows for less. Or is "" meant?'
        raise Mismatch(f"{what}: none", what, "", repr(gates), "None (did none of the seven fit?)", hint=why)
    turned = isinstance(got, str) and got != gates and sorted(got) == sorted(gates)
    close(got, gates, what, hint="The two letters come in the order of the text: f, i, g, o." if turned else "")


def _asked_well(given: tuple, width: int, hidden: int) -> None:
    """Hold what a step was given to three dense tensors of one format, (B, width), (B, hidden) and (B, hidden)."""
    wanted = "it takes x of shape (B, D), then h and c, each of shape (B, H), all of floating numbers"
    for name, value, size in zip("xhc", given, (width, hidden, hidden), strict=True):
        plain = readable(value) and value.dtype in (torch.float32, torch.float64)
        well = plain and value.dim() == 2 and value.shape[1] == size
        holds(well and len(value) > 0, f"step was given {describe(value)} as {name}: {wanted}")
    x, h, c = given
    holds(len(x) == len(h) == len(c), f"step was given {len(x)}, {len(h)} and {len(c)} rows: x, h and c need as many")
    holds(x.dtype == h.dtype == c.dtype, "step was given x, h and c of different dtypes: all need the same")


# --- reading what answers return -------------------------------------------------------------------------------------


def read_gates(answer: Answer, x: Tensor, h: Tensor, params: Params) -> dict[str, Tensor]:
    """The four gates that an answer to 3.2 returns, each held to the shape (B, H)."""
    got = mapping(answer(x, h, params), "the result")
    return {gate: floats(got.get(gate), tuple(h.shape), f"the gate {gate}") for gate in GATES}


def read_step(answer: Answer, x: Tensor, h: Tensor, c: Tensor, params: Params) -> tuple[Tensor, Tensor]:
    """The next h and c that an answer to 3.3 returns, each held to the shape (B, H)."""
    new_h, new_c = pair(answer(x, h, c, params), "the result")
    got = floats(new_h, tuple(h.shape), "the new h"), floats(new_c, tuple(c.shape), "the new c")
    _in_order([got], lambda: [LibraryLSTM([params]).step(x, h, c)], "h and c")
    return got


def read_forward(answer: Answer, x: Tensor, layers: list[Params], states: States) -> tuple[Tensor, States]:
    """The outputs (B, T, H) and the last states that an answer to 3.6 returns, held to their kinds and shapes."""
    outputs, last = pair(answer(x, layers, states), "the result")
    shape = tuple(states[0][0].shape)
    outputs = floats(outputs, (shape[0], x.shape[1], shape[1]), "the outputs")
    if not isinstance(last, list | tuple) or len(last) != len(layers):
        wanted = f"a list with one pair (h, c) for each layer, {len(layers)} in all"
        refuse("the last states", wanted, last)
    pairs = [pair(state, f"the last state of layer {layer}") for layer, state in enumerate(last)]
    for layer, state in enumerate(pairs):
        for name, part in zip("hc", state, strict=True):
            floats(part, shape, f"the last {name} of layer {layer}")
    _in_order(pairs, lambda: LibraryLSTM(layers)(x, states)[1] if x.shape[1] else states, "h and c of the last states")
    return outputs, pairs


@torch.no_grad()
def _in_order(got: States, right: Callable[[], States], what: str) -> None:
    """Hold that pairs (h, c) are not the right ones the other way round."""
    if all(bool((h.abs() <= c.abs()).all()) for h, c in got):
        return  # as it must be, h being o ⊙ tanh(c): what is right need not be computed
    expected = right()

    def fit(pairs: States) -> bool:
        parts = zip(sum(pairs, ()), sum(expected, ()), strict=True)
        return all(torch.allclose(one.double(), other.double(), 1e-4, 1e-5) for one, other in parts)

    if fit([(c, h) for h, c in got]) and not fit(got):
        raise Mismatch(f"{what} are exchanged: h comes first, then c", what, form=True, hint="Return h, then c.")


def same_states(
    got: States,
    expected: States,
    what: str,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    hint: str = "",
    same_dtype: bool = False,
) -> None:
    """Hold the (h, c) of each layer to the expected ones."""
    for layer, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        for name, one, other in zip("hc", mine, theirs, strict=True):
            close(one, other, f"the last {name} of layer {layer} {what}".strip(), rtol, atol, same_dtype, hint)


def sum_of_biases(answer: Answer, bias_ih: Tensor, bias_hh: Tensor, value: float) -> Tensor:
    """The sum (4H,) of the two biases that an answer to 3.5 returns, each held to the shape (4H,)."""
    one, other = pair(answer(bias_ih, bias_hh, value), "the result")
    shape = tuple(bias_ih.shape)
    return floats(one, shape, "the first of the two biases") + floats(other, shape, "the second of the two biases")


def rows_alone(answer: Answer, batch: tuple[Tensor, ...], params: Params, what: str) -> None:
    """Hold what comes for a row of `batch` alone to what comes for it among the others."""
    together = answer(*batch, params)
    for row in range(len(batch[0])):
        alone = answer(*(part[row : row + 1] for part in batch), params)
        close(alone, _row(together, row, len(batch[0]), what), f"{what} of a row alone", 1e-4, 1e-5)


def sequences_alone(answer: Answer, x: Tensor, layers: list[Params], states: States) -> None:
    """Hold what an answer to 3.6 gives for the first and the last sequence alone to what it gives for all at once."""
    outputs, last = read_forward(answer, x, layers, states)
    for row in (slice(0, 1), slice(len(x) - 1, None)):
        first, expected = ([(h[row], c[row]) for h, c in pairs] for pairs in (states, last))
        alone, ends = read_forward(answer, x[row], layers, first)
        close(alone, outputs[row], "the outputs of a row alone", 1e-4, 1e-5)
        same_states(ends, expected, "of a row alone")


def in_pieces(answer: Answer, x: Tensor, layers: list[Params], states: States, cuts: tuple[int, ...]) -> None:
    """Hold what an answer to 3.6 gives for a text cut into pieces, states carried over, to what it gives at once."""
    outputs, last = read_forward(answer, x, layers, states)
    parts = []
    for start, end in zip((0, *cuts), (*cuts, x.shape[1]), strict=True):
        part, states = read_forward(answer, x[:, start:end], layers, states)
        parts.append(part)
    close(torch.cat(parts, dim=1), outputs, "the outputs of all pieces", 1e-4, 1e-5)
    same_states(states, last, "after the last piece")


def gradient_arrives(
    answer: Answer,
    x: Tensor,
    layers: list[Params],
    states: States,
    upstream: Tensor,
    what: str,
    rtol: float,
    atol: float,
) -> None:
    """Hold the gradient by x of Σ outputs · upstream, for an answer to 3.6, to that of torch's net."""
    got = answer.gradients(x, layers, states, upstream=upstream)["arguments"][0]
    expected = LibraryLSTM(layers).gradient_by_inputs(x, states, upstream)
    close(got, expected, what, rtol, atol, hint=told.of_gradient(got, expected))


def every_number_learns(answer: Answer, x: Tensor, layers: list[Params], states: States, upstream: Tensor) -> None:
    """Hold the gradients by all parameters, for an answer to 3.6, to those of torch's net: 4H(H + D + 1) a layer."""
    got = answer.gradients(x, layers, states, upstream=upstream)["arguments"][1]
    expected = LibraryLSTM(layers).gradients_by_parameters(x, states, upstream)
    for layer, (mine, theirs) in enumerate(zip(got, expected, strict=True)):
        learn = sum(int(gradient.count_nonzero()) for gradient in mine.values() if gradient is not None)
        wanted = sum(gradient.numel() for gradient in theirs.values())
        holds(learn == wanted, f"in layer {layer} only {learn} of the 4H(H + D + 1) = {wanted} numbers have a gradient")
        for name, gradient in theirs.items():
            close(mine[name], gradient, f"the gradient by {name} of layer {layer}", 1e-6, 1e-9, hint=told.ARRIVES)


def gates_move_as_gradients_say(answer: Answer, x: Tensor, h: Tensor, params: Params) -> None:
    """Hold the gradients of the sum of all gates, for an answer to 3.2, to what a small step of each argument does.

    `x`, `h` and `params` are in float64; the step goes one way, by the same numbers each time.
    """
    by_x, by_h, by_name = answer.gradients(x, h, params)["arguments"]
    given, got = {"x": x, "h": h} | params, {"x": by_x, "h": by_h} | by_name

    def sum_at(name: str, value: Tensor) -> Tensor:
        moved = given | {name: value}
        gates = read_gates(answer, moved.pop("x"), moved.pop("h"), moved)
        return torch.stack(list(gates.values())).sum()

    for name, value in given.items():
        holds(got[name] is not None, f"no gradient of the gates reaches {name}")
        way = torch.sin(torch.arange(1.0, 1 + value.numel(), dtype=value.dtype)).view_as(value)
        slope = (sum_at(name, value + 1e-6 * way) - sum_at(name, value - 1e-6 * way)) / 2e-6
        close((got[name] * way).sum(), slope, f"the gradient by {name} along a step", 1e-5, 1e-7, hint=told.ARRIVES)


def exact_to_the_last_digits(answer: Answer, x: Tensor, c: Tensor, o: Tensor, params: Params) -> None:
    """Hold an answer to 3.4 to what the formula gives in float64, and say so where it is near, as differences are."""
    got, expected = answer(x, c, o, params), LibraryLSTM([params]).jacobian(x, c, o)
    close(got, expected, "the Jacobian", 1e-4, 1e-6, same_dtype=True, hint=FAR)
    gap = (got - expected).abs().max().item()
    holds(gap < 2e-14, f"the Jacobian is off by {gap:.0e}, as by differences; the formula is not")


def off_the_diagonal(got: Tensor, expected: list[tuple[int, int]]) -> None:
    """Hold the places off the diagonal of a matrix where it is not zero to the expected ones."""
    places = [tuple(place) for place in (got - got.diagonal().diag()).abs().gt(1e-9).nonzero().tolist()]
    holds(places == expected, f"the places off the diagonal that are not zero: {places or 'none'}, not {expected}")


def sees_no_future(answer: Answer, x: Tensor, layers: list[Params], states: States, step: int) -> None:
    """Hold that a change of x at `step` changes the outputs of an answer to 3.6 from there on, and none before."""
    changed = x.clone()
    changed[:, step] += 1
    before, after = (read_forward(answer, inputs, layers, states)[0] for inputs in (x, changed))
    close(after[:, :step], before[:, :step], "the outputs before the changed input", 1e-4, 1e-5)
    moved = (after - before)[:, step:].abs().amax(dim=(0, 2)) > 1e-5
    holds(bool(moved.all()), "changing an input left the output of its step or a later one as it was")


def _row(value: Any, row: int, rows: int, what: str) -> Any:
    """One row of a tensor (`rows`, …), or of each tensor in a dict, list or tuple."""
    if isinstance(value, dict) and value:
        return {key: _row(item, row, rows, what) for key, item in value.items()}
    if isinstance(value, list | tuple) and value:
        return type(value)(_row(item, row, rows, what) for item in value)
    if not (readable(value) and value.dim() == 2 and len(value) == rows):
        how = "of the wrong shape" if readable(value) else "of the wrong kind"
        refuse(what, "a row for each row of the batch", value, how)
    return value[row : row + 1]
