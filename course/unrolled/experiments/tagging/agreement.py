"""Two nets for the agreement probe of `grammar`: one that reads from left to right, and one that sees both sides.

    items = agreement_items(600, seed=1)
    model, vocabulary = trained_language_model(made_sentences(3000, 0), steps=400)
    agreement_probe(language_model_score(model, vocabulary), items)

`language_model_score` serves every language model of the course that reads words. The other net fills a gap: the verb
is hidden, and the state at its place, with the words on both sides, tells whether it is singular or plural.
Left out on purpose: choosing. Sizes and rates are those that `trainer` has for everything else.
"""

from collections.abc import Sequence

import torch

from unrolled.experiments.reading import Reader, batches
from unrolled.experiments.tagging.grammar import EITHER_NOUN_OR_VERB, VERBS, AgreementItem, Score, Sentence
from unrolled.experiments.tagging.trainer import Trained
from unrolled.language_model import LanguageModel
from unrolled.lstm import LSTM
from unrolled.tagging import Config, Tagger, pad
from unrolled.training import fit, train
from unrolled.vocabulary import Vocabulary

GAP = "<gap>"
SINGULAR = set(VERBS) | set(EITHER_NOUN_OR_VERB.values())  # forms of a verb in the made language
PLURAL = set(VERBS.values()) | set(EITHER_NOUN_OR_VERB)


# --- from left to right ----------------------------------------------------------------------------------------------


def trained_language_model(
    sentences: Sequence[Sentence], steps: int, seed: int = 0, layers: int = 1
) -> tuple[LSTM, Vocabulary]:
    """An LSTM that predicts each next word of a sentence from those before it."""
    words = [word for s in sentences for word in s.words]
    vocabulary = Vocabulary.of(words, 2, boundary="</s>", unknown="<unk>")
    edge = torch.tensor([vocabulary.boundary])
    torch.manual_seed(seed)
    model = LSTM(len(vocabulary), hidden=64, width=32, layers=layers)
    texts = [torch.cat([edge, vocabulary.encode(s.words), edge]) for s in sentences]
    train(model, texts, steps=steps, batch=32, rate=8e-3, seed=seed)
    return model, vocabulary


def language_model_score(model: LanguageModel, vocabulary: Vocabulary) -> Score:
    """For `agreement_probe`: ln P of each form after the words before it, which begin with the vocabulary's boundary.

    The vocabulary is of words, with an unknown one; both forms of a verb must be in it (ValueError).
    """

    @torch.no_grad()
    def score(items: Sequence[AgreementItem]) -> list[tuple[float, float]]:
        forms = torch.stack([vocabulary.encode(item.forms) for item in items])  # (N, 2)
        if (forms == vocabulary.unknown).any():
            raise ValueError("a form of a verb is not in the vocabulary: train on more sentences")
        before = [[vocabulary.boundary, *vocabulary.encode(item.words[: item.at]).tolist()] for item in items]
        ids, mask = pad(before)  # (N, T)
        logits = model(ids.to(model.device)).logits.cpu()  # (N, T, V); a pad comes after all that counts
        last = logits[torch.arange(len(items)), mask.sum(1) - 1].log_softmax(1)  # (N, V)
        return [tuple(pair) for pair in last.gather(1, forms).tolist()]

    return score


# --- both sides ------------------------------------------------------------------------------------------------------


def trained_gap_filler(
    sentences: Sequence[Sentence], steps: int, directions: int = 2, seed: int = 0, rate: float = 1e-2
) -> Trained:
    """A tagger with two tags, singular and plural, of which only the hidden verb of a sentence has one."""
    gaps = [gap for s in sentences for gap in _gaps(s)]
    words, tags = [words for words, _ in gaps], [tags for _, tags in gaps]
    reader = Reader.of(words, [["singular", "plural"]], minimum_count=2)
    torch.manual_seed(seed)
    model = Tagger(Config(reader.learned, 2, width=32, directions=directions, dropout=0.0))
    history = fit(model, batches(reader, words, tags, 32, seed), steps=steps, rate=rate)
    return Trained(model, reader, history)


def gap_filler_score(trained: Trained) -> Score:
    """For `agreement_probe`: the scores of singular and plural at the gap, whatever the verb."""

    @torch.no_grad()
    def score(items: Sequence[AgreementItem]) -> list[tuple[float, float]]:
        hidden = [[*item.words[: item.at], GAP, *item.words[item.at + 1 :]] for item in items]
        logits = trained.model(trained.reader.words(hidden).to(trained.model.device)).logits.cpu()  # (N, T, 2)
        plural, singular = (trained.reader.classes.index(name) for name in ("plural", "singular"))
        return [
            (float(row[item.at, singular]), float(row[item.at, plural]))
            for row, item in zip(logits, items, strict=True)
        ]

    return score


def _gaps(sentence: Sentence) -> list[tuple[list[str], list[str]]]:
    """The sentence once for each of its verbs: that one hidden, and a tag for it alone."""
    found = []
    for at, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
        if tag == "VERB" and word in SINGULAR | PLURAL:
            tags = [""] * len(sentence.words)
            tags[at] = "plural" if word in PLURAL else "singular"
            found.append(([*sentence.words[:at], GAP, *sentence.words[at + 1 :]], tags))
    return found
