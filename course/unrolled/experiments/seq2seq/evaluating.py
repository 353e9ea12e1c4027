"""A translator of sentences, asked for the test part: by greedy decoding and by wider beams, with BLEU and chrF.

    evaluated(model, reader, parts["test"])       # {"test": …, "beams": […], "shown": […]}

Each different source is asked for once, and all its translations are right ones. A beam is searched once for all
alphas, since alpha only ranks what the search has kept.
"""

import time
from collections.abc import Sequence

from unrolled.decoding import Hypothesis
from unrolled.experiments.seq2seq.beams import searched
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import Reader, looked
from unrolled.experiments.seq2seq.scoring import scores
from unrolled.experiments.seq2seq.tatoeba import joined, references
from unrolled.progress import progress
from unrolled.seq2seq import Translator

WIDTHS, ALPHAS = (1, 2, 4, 8, 16), (0.0, 0.6, 1.0)
SHOWN = (  # sentences of our own, whose translations and weights are stored
    "the old man is not at home .",
    "she bought a red car yesterday .",
    "where did you find my keys ?",
    "i don' t know this song .",
    "we will never forget your black cat .",
)


def evaluated(model: Translator, reader: Reader, test: Sequence[Pair], widths: Sequence[int] = WIDTHS) -> dict:
    """test: what greedy decoding (a beam of one) gets; beams: the same for each width; shown: SHOWN, translated."""
    asked = references(test)
    right = [[joined(words) for words in of] for of in asked.values()]
    beams = [_beam(model, reader, list(asked), right, width) for width in widths]
    shown = [_shown(model, reader, sentence.split()) for sentence in SHOWN]
    return {"test sentences": len(asked), "test": beams[0]["alpha"]["0.0"], "beams": beams, "shown": shown}


def _beam(model: Translator, reader: Reader, sources: list, right: list[list[str]], width: int) -> dict:
    began, note = time.process_time(), f"beam of {width}"
    counted = progress(sources, len(sources), note=lambda: note)
    found = [searched(model, reader, source, width) for source in counted]
    row = {"width": width, "cpu seconds a sentence": round((time.process_time() - began) / len(sources), 5)}
    best = {alpha: [max(one, key=lambda h, a=alpha: h.score(a)) for one in found] for alpha in ALPHAS}
    of = ALPHAS if width > 1 else ALPHAS[:1]  # where one is kept, there is nothing to rank
    return row | {"alpha": {str(alpha): _told(reader, best[alpha], right) for alpha in of}}


def _told(reader: Reader, best: list[Hypothesis], right: list[list[str]]) -> dict:
    given = [joined(reader.words(one.words)) for one in best]
    return scores(given, right) | {
        "exact": round(sum(one in of for one, of in zip(given, right, strict=True)) / len(given), 4),
        "log prob": round(sum(one.log_prob for one in best) / len(best), 4),
        "words": round(sum(len(one.words) for one in best) / len(best), 3),
        "ended": round(sum(one.ended for one in best) / len(best), 4),
    }


def _shown(model: Translator, reader: Reader, source: list[str]) -> dict:
    """What is written with a beam of 4, and where the decoder looked."""
    target = reader.words(searched(model, reader, source, width=4)[0].words)
    told = {"source": source, "target": target}
    if model.config.context == "attention":
        weights = looked(model, reader, source, target)  # (M, N)
        told["weights"] = [[round(w, 3) for w in row] for row in weights.tolist()]
    return told
