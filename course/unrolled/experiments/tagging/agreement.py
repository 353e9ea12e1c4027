"""Nets for the agreement probe of `grammar`: some that read from left to right, and some that see both sides.

    items = agreement_items(600, seed=1)
    model, vocabulary = trained_language_model(made_sentences(3000, 0), steps=400)
    agreement_probe(language_model_score(model, vocabulary), items)

`language_model_score` serves every language model of the course that reads words. The other nets fill a gap: the verb
is hidden, and the state at its place, with the words on both sides, tells whether it is singular or plural. Later units
put nets of their own in the place of the LSTM (`make`), and `by_distance` tells all of them in one table.
Left out on purpose: choosing. Sizes and rates are those that `trainer` has for everything else.
"""

import json
from collections.abc import Callable, Sequence

import torch
from torch import nn

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
READ, ASKED = 3000, 1000  # sentences to train on, and items of the probe, wherever its results are stored
FARTHEST = 1, 5, 9, 13, 17  # the ends of the groups of distances that `by_distance` tells


# --- from left to right ----------------------------------------------------------------------------------------------


def trained_language_model(
    sentences: Sequence[Sentence],
    steps: int,
    seed: int = 0,
    layers: int = 1,
    rate: float = 8e-3,
    make: Callable[[int], LanguageModel] | None = None,
) -> tuple[LanguageModel, Vocabulary]:
    """A net that predicts each next word of a sentence from those before it.

    make: from the number of words; without it the net is an LSTM with `layers` layers.
    """
    words = [word for s in sentences for word in s.words]
    vocabulary = Vocabulary.of(words, 2, boundary="</s>", unknown="<unk>")
    edge = torch.tensor([vocabulary.boundary])
    torch.manual_seed(seed)
    model = make(len(vocabulary)) if make else LSTM(len(vocabulary), hidden=64, width=32, layers=layers)
    texts = [torch.cat([edge, vocabulary.encode(s.words), edge]) for s in sentences]
    train(model, texts, steps=steps, batch=32, rate=rate, seed=seed)
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
    sentences: Sequence[Sentence],
    steps: int,
    directions: int = 2,
    seed: int = 0,
    rate: float = 1e-2,
    make: Callable[[int], nn.Module] | None = None,
) -> Trained:
    """A tagger with two tags, singular and plural, of which only the hidden verb of a sentence has one.

    make: from the number of words, another net that reads `tagging.Words` and gives two logits for each; without it
    the net is a recurrent one of so many `directions`.
    """
    words, tags = map(list, zip(*(gap for s in sentences for gap in gaps(s)), strict=True))
    reader = Reader.of(words, [["singular", "plural"]], minimum_count=2)
    torch.manual_seed(seed)
    recurrent = Config(reader.learned, 2, width=32, directions=directions, dropout=0.0)
    model = make(reader.learned) if make else Tagger(recurrent)
    history = fit(model, batches(reader, words, tags, 32, seed), steps=steps, rate=rate)
    return Trained(model, reader, history)


def gap_filler_score(trained: Trained) -> Score:
    """For `agreement_probe`: the scores of singular and plural at the gap, whatever the verb."""

    @torch.no_grad()
    def score(items: Sequence[AgreementItem]) -> list[tuple[float, float]]:
        hidden = [with_gap(item) for item in items]
        logits = trained.model(trained.reader.words(hidden).to(trained.model.device)).logits.cpu()  # (N, T, 2)
        plural, singular = (trained.reader.classes.index(name) for name in ("plural", "singular"))
        return [
            (float(row[item.at, singular]), float(row[item.at, plural]))
            for row, item in zip(logits, items, strict=True)
        ]

    return score


def with_gap(item: AgreementItem) -> list[str]:
    """The item's words, its verb hidden."""
    return [*item.words[: item.at], GAP, *item.words[item.at + 1 :]]


def gaps(sentence: Sentence) -> list[tuple[list[str], list[str]]]:
    """The sentence once for each of its verbs: that one hidden, and a tag for it alone."""
    found = []
    for at, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True)):
        if tag == "VERB" and word in SINGULAR | PLURAL:
            tags = [""] * len(sentence.words)
            tags[at] = "plural" if word in PLURAL else "singular"
            found.append(([*sentence.words[:at], GAP, *sentence.words[at + 1 :]], tags))
    return found


# --- what is stored of it --------------------------------------------------------------------------------------------


def by_distance(*stored: str) -> dict[str, list[float]]:
    """{net: its share of right numbers in each group of distances}, all seeds together, from stored rows as JSON.

    The groups end at 1, 5, 9, 13 and 17 words from the subject's noun to the verb.
    """
    found: dict[str, list[list[float]]] = {}
    for name, row in (pair for text in stored for pair in json.loads(text).items()):
        groups = found.setdefault(name.partition(", seed")[0], [[0, 0] for _ in FARTHEST])
        for distance, (share, asked) in row["distance"].items():
            group = groups[sum(int(distance) > end for end in FARTHEST)]
            group[0] += share * asked
            group[1] += asked
    return {name: [right / asked for right, asked in groups] for name, groups in found.items()}
