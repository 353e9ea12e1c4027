"""The gradient laboratory: how a state travels forward through a recurrent net, and its gradient backward.

    GradientLab(radius=0.9, length=50)

The net is h_t = f(U h_{t−1} + x_t). Its loss reads one score from the last state, L = v·h_T with |v| = 1, so that
every gradient sets off with norm 1 and shows nothing but what the way back does to it (Bengio, Simard and Frasconi,
1994; Pascanu, Mikolov and Bengio, 2013). The numbers drawn at random (U, x, h_0, v) go to the browser, which computes
the rest, so the laboratory also works on a page without a kernel; `curves` computes the same here.

Clipping acts where training does it: on the gradient of the parameters (here U alone), after the way back. It does not
change the way. Left out on purpose: training, biases, an input matrix, losses at earlier steps.

A net with a large radius and quiet input can be chaotic. Then rounding grows as the gradient does, and two computers
agree on the first steps only: where the gradient exceeds about 10¹⁰, the browser's digits need not be Python's.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from traitlets import Bytes, Float, Int, Unicode

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits

_HERE = Path(__file__).parent
_LONGEST = 200
_TABLE_ROWS = 10

# f(a), and its slope as a function of h = f(a)
_FUNCTIONS = {
    "tanh": (np.tanh, lambda h: 1 - h**2),
    "relu": (lambda a: np.maximum(a, 0), lambda h: (h > 0).astype(float)),
    "linear": (lambda a: a, np.ones_like),
}

_RULES = {
    "radius": (lambda _, r: 0.2 <= r <= 2, "from 0.2 to 2"),
    "length": (lambda _, n: 10 <= n <= _LONGEST, f"from 10 to {_LONGEST}"),
    "loudness": (lambda _, a: 0 <= a <= 3, "from 0 to 3"),
    "nonlinearity": (lambda _, name: name in _FUNCTIONS, "'tanh', 'relu' or 'linear'"),
    "start": (lambda _, name: name in ("plain", "orthogonal"), "'plain' or 'orthogonal'"),
    "clip": (lambda _, limit: limit is None or 0 < limit < float("inf"), "None or a limit above 0"),
    "step": (lambda _, t: 0 <= t <= _LONGEST, f"from 0 to {_LONGEST}"),
}


@dataclass(frozen=True)
class Curves:
    """What the laboratory draws, float64. T is the length; index t of the first three belongs to step t = 0 … T."""

    state: np.ndarray  # ‖h_t‖, (T+1,)
    gradient: np.ndarray  # ‖∂L/∂h_t‖, (T+1,)
    reference: np.ndarray  # radius^(T−t), (T+1,): a straight line on a logarithmic axis
    slope: np.ndarray  # mean of f′ over the units at steps 1 … T, (T,)
    share: np.ndarray  # norm of what steps 1 … T each add to ∂L/∂U, (T,)
    dU: float  # ‖∂L/∂U‖ after the way back
    clipped: float  # the same after clipping


class GradientLab(TabledWidget):
    """Norms of the state and of its gradient at every step of a small recurrent net, with sliders.

    radius: spectral radius of U, its largest eigenvalue by absolute value, 0.2 to 2.
    length: number of steps T, 10 to 200.
    nonlinearity: f, "tanh", "relu" or "linear".
    clip: the largest norm that ∂L/∂U may have, or None for no clipping.
    hidden: number of units H, 2 to 128. seed: of all that is drawn at random.
    loudness: standard deviation of the inputs, 0 to 3 (0.3 unless given).
    start: "plain" (U normal, then scaled) or "orthogonal" (U a rotation or reflection, then scaled).
    step: the step at which the numbers are shown, 0 to 200 (the last one if there are fewer).

    All but hidden and seed are traits that may be read and set at any time. ValueError, in one line, for bad values.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    hidden = Int().tag(sync=True)
    plain = Bytes().tag(sync=True)  # U with spectral radius 1, (H, H); all bytes are little-endian float32
    orthogonal = Bytes().tag(sync=True)  # its orthogonal factor, (H, H)
    inputs = Bytes().tag(sync=True)  # x at loudness 1, (200, H)
    first = Bytes().tag(sync=True)  # h_0, norm 1, (H,)
    reader = Bytes().tag(sync=True)  # v, norm 1, (H,)
    description = Unicode().tag(sync=True)

    radius = Float(0.9).tag(sync=True)
    length = Int(50).tag(sync=True)
    loudness = Float(0.3).tag(sync=True)
    nonlinearity = Unicode("tanh").tag(sync=True)
    start = Unicode("plain").tag(sync=True)
    clip = Float(None, allow_none=True).tag(sync=True)
    step = Int(0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, radius=0.9, length=50, nonlinearity="tanh", hidden=32, seed=0, clip=None, **state):
        if not isinstance(hidden, int) or not 2 <= hidden <= 128:
            raise ValueError(f"hidden is {hidden!r}: it must be an integer from 2 to 128")
        if not isinstance(seed, int) or seed < 0:
            raise ValueError(f"seed is {seed!r}: it must be an integer of at least 0")
        drawn = {name: values.astype("<f4") for name, values in _draw(hidden, seed).items()}
        self._drawn = {name: values.astype(float) for name, values in drawn.items()}  # rounded as the browser has them
        super().__init__(
            hidden=hidden,
            description=f"{hidden} units. U, the inputs, h₀ and v are random numbers, drawn once with seed {seed}.",
            **{name: values.tobytes() for name, values in drawn.items()},
        )
        given = {"radius": radius, "length": length, "nonlinearity": nonlinearity, "clip": clip}
        set_traits(self, tuple(_RULES), {**given, **state})

    @property
    def U(self) -> np.ndarray:
        """The recurrent matrix (H, H) as the sliders stand: its spectral radius is `radius`."""
        return self.radius * self._drawn[self.start]

    @property
    def x(self) -> np.ndarray:
        """The inputs (T, H) as the sliders stand."""
        return self.loudness * self._drawn["inputs"][: self.length]

    def curves(self) -> Curves:
        """All norms, computed here: what the browser draws."""
        states, gradients, shares = flow(self.U, self.x, self._drawn["first"], self._drawn["reader"], self.nonlinearity)
        dU = float(np.linalg.norm(shares.sum(0)))
        return Curves(
            state=np.linalg.norm(states, axis=1),
            gradient=np.linalg.norm(gradients, axis=1),
            reference=self.radius ** np.arange(self.length, -1, -1.0),
            slope=_FUNCTIONS[self.nonlinearity][1](states[1:]).mean(1),
            share=np.linalg.norm(shares, axis=(1, 2)),
            dU=dU,
            clipped=dU if self.clip is None else min(dU, self.clip),
        )

    def _beside(self) -> tuple[str, str]:
        curves = self.curves()
        return f"gradient laboratory: {_sentence(self, curves)}", _table(self, curves)


def flow(U, x, first, reader, nonlinearity) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States (T+1, H), gradients ∂L/∂h_t (T+1, H) and what each step adds to ∂L/∂U (T, H, H), for L = reader · h_T.

    U (H, H), inputs x (T, H), first state (H,), reader (H,); nonlinearity "tanh", "relu" or "linear".
    """
    f, slope = _FUNCTIONS[nonlinearity]
    h = [first]
    for x_t in x:  # forward: h_t = f(U h_{t−1} + x_t)
        h.append(f(U @ h[-1] + x_t))  # (H, H) @ (H,) -> (H,)
    gradients, shares = [reader], []
    for t in range(len(x), 0, -1):  # backward: ∂L/∂h_{t−1} = Uᵀ diag(f′) ∂L/∂h_t
        da = slope(h[t]) * gradients[-1]  # ∂L/∂a_t, (H,)
        shares.append(np.outer(da, h[t - 1]))  # (H, H)
        gradients.append(U.T @ da)  # (H,)
    return np.stack(h), np.stack(gradients[::-1]), np.stack(shares[::-1])


def spectral_radius(U: np.ndarray) -> float:
    """The largest eigenvalue of U (H, H) by absolute value."""
    return float(np.abs(np.linalg.eigvals(U)).max())


def _draw(hidden: int, seed: int) -> dict[str, np.ndarray]:
    """All random numbers; both matrices have spectral radius 1, both vectors norm 1."""
    random = np.random.default_rng(seed)
    normal = random.standard_normal((hidden, hidden))
    q, r = np.linalg.qr(normal)
    first, reader = random.standard_normal((2, hidden))
    return {
        "plain": normal / spectral_radius(normal),
        "orthogonal": q * np.sign(np.diag(r)),  # these signs make every rotation equally probable
        "first": first / np.linalg.norm(first),
        "reader": reader / np.linalg.norm(reader),
        "inputs": random.standard_normal((_LONGEST, hidden)),
    }


# --- the table beside the view


def _figure(number: float) -> str:
    return f"{number:.3g}"


def _sentence(lab: GradientLab, curves: Curves) -> str:
    f = "linear units" if lab.nonlinearity == "linear" else {"tanh": "tanh", "relu": "ReLU"}[lab.nonlinearity]
    clipped = f", {_figure(curves.clipped)} after clipping" if lab.clip is not None else ""
    return (
        f"{f}, {lab.start} start, radius {lab.radius:g}, loudness {lab.loudness:g}: of a gradient of norm 1 at step "
        f"{lab.length}, {_figure(curves.gradient[0])} arrives at step 0 (the radius alone: "
        f"{_figure(curves.reference[0])}). ‖∂L/∂U‖ is {_figure(curves.dU)}{clipped}"
    )


def _table(lab: GradientLab, curves: Curves) -> str:
    """The norms at some steps, in the order in which the gradient passes them."""
    head = ["step t", "‖h_t‖", "‖∂L/∂h_t‖", f"{lab.radius:g}^(T−t)"]
    rows = [
        [str(t), *(_figure(curve[t]) for curve in (curves.state, curves.gradient, curves.reference))]
        for t in np.linspace(lab.length, 0, _TABLE_ROWS + 1).round().astype(int)
    ]
    return html_table(f"The gradient on its way back: {_sentence(lab, curves)}. {lab.description}", head, rows)
