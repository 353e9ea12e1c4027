"""The stored agreement probe: the small net as it was shipped, after the made language, and the language alone."""

from unrolled.experiments.bert.agreeing import from_scratch, made_items, mask_score, with_being
from unrolled.experiments.bert.further import TEXTS, read_on
from unrolled.experiments.bert.small import Small
from unrolled.experiments.bert.stored_tuning import SEEDS, shipped
from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging.agreement import ASKED, READ
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences

STEPS = 500  # of TEXTS sentences: as many sentences as the other units' nets read in 1,000 steps of 32
STARTS = {"read on": lambda seed: shipped(), "from scratch": lambda seed: from_scratch(shipped(), seed)}


def agreement(steps: int = STEPS) -> Rows:
    """Each net asked the same; those that read the made language by three seeds."""
    yield "BERT, as shipped", lambda: _probed(shipped()) | {"steps": 0}
    for kind, begin in STARTS.items():
        for seed in SEEDS:
            yield f"BERT, {kind}, seed {seed}", lambda begin=begin, seed=seed: _after(begin(seed), seed, steps)


def _after(net: Small, seed: int, steps: int) -> dict:
    sentences = made_items(made_sentences(READ, 0), net.pieces)
    return _probed(read_on(net, sentences, steps, seed)) | {"steps": steps, "sentences a step": TEXTS}


def _probed(net: Small) -> dict:
    return agreement_probe(mask_score(net), with_being(agreement_items(ASKED, seed=1)))


EXPERIMENTS = {"agreement": agreement}
