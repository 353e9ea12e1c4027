"""The beam tree: the candidates of each step of a beam search, kept, cut off or ended, and the final ranking.

    record = []
    beam_search(step, state, BEGIN, END, width=4, limit=10, record=record)
    BeamTree(named(record, symbols))

A hypothesis is a beginning of a text; its log probability, in nats, is the sum of those of its words. Each step extends
every hypothesis by the words that may come next, and keeps the most probable results (Lowerre, 1976, for speech). In
the end they are ranked by log_prob / length^α, where the end counts as a word: α = 0 ranks by the log probability
itself, α = 1 by its mean over the words.

All numbers travel to the browser, which also answers on a page without a kernel. Left out on purpose: the search itself
(unrolled.decoding does it), and of what was cut off all but the best few of each step.
"""

from pathlib import Path
from typing import NamedTuple

from traitlets import Float, Int, List, observe

from ..modules import join_module
from ..tables import TabledWidget, html_table
from ..traits import ruled, set_traits
from .reading import MOST_PRUNED, finals, read_steps

_HERE = Path(__file__).parent
_LARGEST = 2  # where alpha's slider ends

_RULES = {
    "step": (lambda widget, step: 0 <= step < len(widget.steps), "the number of a step, from 0"),
    "candidate": (
        lambda widget, n: 0 <= n < len(widget.steps[widget.step]),
        "the number of a candidate that is drawn, from 0",
    ),
    "alpha": (lambda _, alpha: 0 <= alpha <= _LARGEST, f"a number from 0 to {_LARGEST}"),
}


class Ranked(NamedTuple):
    """A hypothesis that was left in the end."""

    words: list[str]  # with the end mark, if it has ended
    log_prob: float  # nats
    ended: bool  # or was it cut by the limit?
    score: float  # log_prob / length^alpha


class BeamTree(TabledWidget):
    """A tree from left to right: a column a step, in each what was kept above what was cut off.

    steps: of each step its candidates, best first, as dictionaries: parent (a number among the kept of the step before;
        0 in the first step), word (text; "" or None where an ended hypothesis stays), log_prob (of the whole, in nats),
        kept and ended (true or false). Up to 40 steps, up to 8 kept in each; of what was cut off the best 6 are drawn.

    Traits that may be read and set at any time: step and candidate (what is looked at, from 0, as it is drawn),
    alpha (of the ranking). ValueError, in one line, for what cannot be shown.
    """

    _esm = join_module(_HERE / "view.js")
    _css = join_module(_HERE / "style.css")

    steps = List().tag(sync=True)  # as given, what is kept first, without what is not drawn
    more = List(Int()).tag(sync=True)  # of each step: how many were cut off and are not drawn
    finals = List().tag(sync=True)  # [step, candidate] of each hypothesis that was left

    step = Int(0).tag(sync=True)
    candidate = Int(0).tag(sync=True)
    alpha = Float(0.0).tag(sync=True)
    _hold_to_rules = ruled(_RULES)

    def __init__(self, steps, **state):
        read = read_steps(steps)
        kept = [sum(one["kept"] for one in candidates) for candidates in read]
        drawn = [candidates[: count + MOST_PRUNED] for candidates, count in zip(read, kept, strict=True)]
        more = [len(all_) - len(some) for all_, some in zip(read, drawn, strict=True)]
        super().__init__(steps=drawn, more=more, finals=finals(read))
        set_traits(self, ("step", "candidate", "alpha"), {"step": 0, **state})  # step first

    @property
    def width(self) -> int:
        """The most hypotheses that a step kept."""
        return max(sum(one["kept"] for one in candidates) for candidates in self.steps)

    def words(self, step: int | None = None, candidate: int | None = None) -> list[str]:
        """A hypothesis word by word (None: the one looked at), with its end mark if it has ended."""
        t, n = self.step if step is None else step, self.candidate if candidate is None else candidate
        found = []
        for candidates in reversed(self.steps[: t + 1]):
            found.insert(0, candidates[n]["word"])
            n = candidates[n]["parent"]
        return [word for word in found if word]

    def ranking(self, alpha: float | None = None) -> list[Ranked]:
        """What was left, best first, by log_prob / length^alpha (None: alpha as it stands)."""
        alpha = self.alpha if alpha is None else alpha
        left = []
        for t, n in self.finals:
            words, one = self.words(t, n), self.steps[t][n]
            left.append(Ranked(words, one["log_prob"], one["ended"], one["log_prob"] / len(words) ** alpha))
        return sorted(left, key=lambda ranked: -ranked.score)

    @observe("step")
    def _stay_inside(self, change) -> None:
        self.candidate = min(self.candidate, len(self.steps[change.new]) - 1)

    def _beside(self) -> tuple[str, str]:
        best = self.ranking()[0]
        told = f"beam tree, width {self.width}, {len(self.steps)} steps; best: {' '.join(best.words)}"
        return f"{told} ({best.log_prob:.2f} nats)", _steps_table(self) + _ranking_table(self)


def _steps_table(widget: BeamTree) -> str:
    """A row for each candidate that is drawn: the whole hypothesis, its log probability, and what became of it."""
    rows = []
    for t, candidates in enumerate(widget.steps):
        for n, one in enumerate(candidates):
            fate = ("kept" if one["kept"] else "pruned") + (", ended" if one["ended"] else "")
            rows.append([f"{t + 1}", " ".join(widget.words(t, n)), f"{one['log_prob']:.2f}", fate])
        if widget.more[t]:
            rows.append([f"{t + 1}", f"and {widget.more[t]} more", "", "pruned"])
    head = ["step", "hypothesis", "log probability in nats", ""]
    return html_table(f"Beam search of width {widget.width}, step by step", head, rows)


def _ranking_table(widget: BeamTree) -> str:
    rows = [
        [f"{n}", " ".join(one.words), f"{one.log_prob:.2f}", f"{one.score:.3f}", "yes" if one.ended else "no"]
        for n, one in enumerate(widget.ranking(), start=1)
    ]
    head = ["rank", "hypothesis", "log probability in nats", "score", "ended"]
    return html_table(f"What was left, by log probability / length^{widget.alpha:g}", head, rows)
