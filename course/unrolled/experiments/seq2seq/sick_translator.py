"""A classmate's translator: it trains, her evaluation says that all is well, and alone it writes nonsense.

    sick = classmates_translator(pairs, steps=400)
    reported(sick.model, sick.reader, pairs)                       # the share of right words that she reports
    word_accuracy(sick.translations(sources), targets)             # and the share that it writes alone

The last lines of this file give the faults away: guess first.
"""

import copy
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from unrolled.decoding import greedy
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import LIMIT, Reader, word_accuracy
from unrolled.experiments.seq2seq.trainer import Trained, train_translator
from unrolled.seq2seq import BEGIN, END, State, Translator
from unrolled.tagging import pad

NET = {"context": "every", "width": 32, "hidden": 32, "state": 64}
Step = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]
Parts = tuple[Callable[[list[int], list[int]], list[int]], Step, dict[str, int]]


def classmates_translator(pairs: Sequence[Pair], steps: int, seed: int = 0) -> Trained:
    """The classmate's net, trained on these pairs."""
    return train_translator(pairs, steps=steps, seed=seed, make=SickTranslator, **NET)


def healthy_translator(pairs: Sequence[Pair], steps: int, seed: int = 0) -> Trained:
    """One of the same size without a fault."""
    return train_translator(pairs, steps=steps, seed=seed, **NET)


def reported(model: Translator, reader: Reader, pairs: Sequence[Pair]) -> float:
    """The share of right words, as the owner of the net evaluates it."""
    write = parts(model)[0]
    sources = [reader.inputs([p.source]).source[0].tolist() for p in pairs]
    given = [reader.words(write(source, reader.ids(p.target))) for source, p in zip(sources, pairs, strict=True)]
    return word_accuracy(given, [p.target for p in pairs])


def parts(model: Translator) -> Parts:
    """write, step and sizes of a net of idea 2, for tests that know nothing of words.

    write(source ids, reference ids) -> ids: what the owner's evaluation takes for the net's translation.
    step(state (B, S) float32, words (B,) int64, c (B, K) float32) -> log probabilities (B, U), the state after the
    words, and the c that the next step is given. sizes: "V" and "U", the ids of source and target, of which the first
    four are marks; "S" and "K". On the CPU, without dropout and without gradients.
    """
    net = copy.deepcopy(model).cpu().eval()

    @torch.no_grad()
    def write(source: list[int], reference: list[int]) -> list[int]:
        return net.evaluated(source, reference) if isinstance(net, SickTranslator) else _alone(net, source)

    @torch.no_grad()
    def step(state: Tensor, words: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        nothing = c.new_zeros(len(c), 0, net.encoder.size)
        before = State(state, c, nothing, None, torch.zeros(len(c), 0, dtype=torch.bool))
        log_probs, after, _ = net.step(before, words)
        return log_probs, after.s, after.summary

    sizes = {"V": net.config.source, "U": net.config.target, "S": net.config.state, "K": net.encoder.size}
    return write, step, sizes


def _alone(net: Translator, source: list[int]) -> list[int]:
    ids, mask = pad([source])
    return greedy(net.step, net.start(ids, mask), BEGIN, END, LIMIT)[0]


class SickTranslator(Translator):
    """See above."""

    def advance(self, state: State, x: Tensor) -> tuple[State, Tensor | None]:
        state, weights = super().advance(state, x)
        return state._replace(summary=state.s), weights

    def evaluated(self, source: list[int], reference: list[int]) -> list[int]:
        ids, mask = pad([source])
        states, _ = self.written(torch.tensor([[BEGIN, *reference[:-1]]]), self.start(ids, mask))
        return self.output(states)[0].argmax(1).tolist()[: len(reference)]


# Each step puts its own state where c stood, so that only the first step sees c; and her evaluation never lets the net
# write: it reads the words of the reference, each of which was to be found.
