"""Unit 4's question, asked of an encoder and a decoder: a sentence is read, and the number of its hidden verb written.

    translator = trained_teller(made_sentences(3000, 0), steps=500, context="attention")
    agreement_probe(teller_score(translator), agreement_items(1000, seed=1))

The source is a sentence with a gap for its verb, the target one word, "singular" or "plural". Left out on purpose:
writing the verb itself, which no reader could know.
"""

from collections.abc import Sequence

import torch

from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.experiments.seq2seq.reading import started
from unrolled.experiments.seq2seq.trainer import Trained, train_translator
from unrolled.experiments.tagging.agreement import GAP, gaps, with_gap
from unrolled.experiments.tagging.grammar import AgreementItem, Score, Sentence
from unrolled.seq2seq import BEGIN

ANSWERS = "singular", "plural"  # in the order of AgreementItem.forms


def trained_teller(sentences: Sequence[Sentence], steps: int, seed: int = 0, **settings) -> Trained:
    """settings: of `train_translator`, such as context and score."""
    hidden = [gap for s in sentences for gap in gaps(s)]
    pairs = [Pair(words, [tags[words.index(GAP)]], [words.index(GAP)]) for words, tags in hidden]
    return train_translator(pairs, steps=steps, seed=seed, minimum_count=2, **settings)


def teller_score(trained: Trained) -> Score:
    """For `agreement_probe`: ln P of the two answers as the first word that is written."""

    def score(items: Sequence[AgreementItem]) -> list[tuple[float, float]]:
        state = started(trained.model, trained.reader, [with_gap(item) for item in items])
        log_probs, *_ = trained.model.step(state, torch.full((len(items),), BEGIN))  # (N, U)
        return [tuple(row) for row in log_probs[:, trained.reader.ids(ANSWERS)].tolist()]

    return score
