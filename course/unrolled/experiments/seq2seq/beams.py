"""What a wider beam finds, and what it costs.

    beam_report(trained, pairs, width=4)          # Beams(log_prob=−0.31, exact=0.97, …)

Left out on purpose: choosing alpha on a dev part.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

from unrolled.decoding import Hypothesis, beam_search
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import LIMIT, Reader, exact, started
from unrolled.experiments.seq2seq.trainer import Trained
from unrolled.seq2seq import BEGIN, END, Translator


class Beams(NamedTuple):
    """Means over the pairs."""

    log_prob: float  # of the hypothesis that was chosen, nats
    exact: float  # share right to the last word
    words: float  # in what was chosen
    ended: float  # share of those chosen that have an end
    steps: float  # calls of the decoder's step for one sentence
    rows: float  # beginnings that were made longer for one sentence
    seconds: float  # for one sentence


def searched(
    model: Translator, reader: Reader, source: Sequence[str], width: int, alpha: float = 0.0
) -> list[Hypothesis]:
    """What a beam of that width holds of one source in the end, best first."""
    return beam_search(model.step, started(model, reader, [source]), BEGIN, END, width, LIMIT, alpha)


def beam_report(trained: Trained, pairs: Sequence[Pair], width: int, alpha: float = 0.0) -> Beams:
    """Decode each pair's source with a beam of that width."""
    counted, began = [], time.process_time()

    def step(state, words):
        counted.append(len(words))
        return trained.model.step(state, words)

    best = []
    for p in pairs:
        state = started(trained.model, trained.reader, [p.source])
        best.append(beam_search(step, state, BEGIN, END, width, LIMIT, alpha)[0])
    seconds, n = time.process_time() - began, len(pairs)
    given = [trained.reader.words(one.words) for one in best]
    return Beams(
        sum(one.log_prob for one in best) / n,
        exact(given, [p.target for p in pairs]),
        sum(len(one.words) for one in best) / n,
        sum(one.ended for one in best) / n,
        len(counted) / n,
        sum(counted) / n,
        seconds / n,
    )
