"""How good translations are: corpus BLEU and chrF by sacrebleu, each with an interval by the bootstrap.

Papineni and others, "BLEU: a method for automatic evaluation of machine translation" (2002); Popović, "chrF: character
n-gram F-score for automatic MT evaluation" (2015); Post, "A call for clarity in reporting BLEU scores" (2018), who
wrote sacrebleu; the bootstrap for translations by Koehn, "Statistical significance tests for machine translation
evaluation" (2004): sentences are drawn with replacement, as many as there are, and scored, a thousand times over.

sacrebleu is no dependency of the course: `pip install sacrebleu`.
"""

from collections.abc import Sequence

from unrolled.errors import OneLineError

DRAWS, WIDTH = 1000, 0.95


class ScoringError(OneLineError):
    """sacrebleu is not installed."""


def scores(given: Sequence[str], references: Sequence[Sequence[str]], draws: int = DRAWS) -> dict[str, dict]:
    """ "BLEU" and "chrF", from 0 to 100: the score, the interval's ends, and sacrebleu's signature.

    references: of each sentence all of its right translations. Draws are seeded by sacrebleu (12345), unless the
    environment says otherwise in SACREBLEU_SEED. draws=0: no interval.
    """
    try:
        from sacrebleu.metrics import BLEU, CHRF
    except ImportError:
        raise ScoringError(
            "BLEU and chrF are counted by sacrebleu, which is not installed: pip install sacrebleu."
        ) from None
    most = max(map(len, references))
    streams = [[of[i] if i < len(of) else None for of in references] for i in range(most)]  # missing ones are None
    return {name: _score(metric, list(given), streams, draws) for name, metric in (("BLEU", BLEU()), ("chrF", CHRF()))}


def _score(metric, given: list[str], streams: list[list[str | None]], draws: int) -> dict:
    if not draws:
        return {"score": round(float(metric.corpus_score(given, streams).score), 2)}
    found = metric.corpus_score(given, streams, n_bootstrap=draws)
    middle, half = float(found._mean), float(found._ci)  # half the width that holds 95 % of the draws
    return {
        "score": round(float(found.score), 2),
        "interval": [round(middle - half, 2), round(middle + half, 2)],
        "signature": str(metric.get_signature()),
    }
