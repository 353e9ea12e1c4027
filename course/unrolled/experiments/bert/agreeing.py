"""Unit 4's question, asked of a BERT: the verb is hidden by [MASK], and the likelier of its two forms is the answer.

    items = with_being(agreement_items(1000, seed=1))           # "the keys near the door are old ."
    agreement_probe(mask_score(small()), items)                 # of a net that never read the made language
    agreement_probe(mask_score(read_on(small(), made_items(pieces), steps=500)), items)

Goldberg, "Assessing BERT's syntactic abilities" (2019), asked it so of Linzen and others' sentences. What is hidden is
"is" or "are": a form must be one piece to be said at one place, and "opens" is two of the small net's. An adjective
stands behind, as in all sentences of the made language that have these verbs; it tells no number.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch

from unrolled.bert import Pieces, PretrainedBert
from unrolled.experiments.bert.reading import Item, Reader
from unrolled.experiments.bert.small import Small
from unrolled.experiments.tagging.grammar import ADJECTIVES, AgreementItem, Score, Sentence
from unrolled.pretraining import pack
from unrolled.wordpiece import WordPiece

FORMS = "is", "are"  # in the order of AgreementItem.forms
LONGEST = 128  # pieces of a sentence, far more than any has


def with_being(items: Sequence[AgreementItem]) -> list[AgreementItem]:
    """The same subjects and phrases; the verb is one of FORMS, and an adjective ends the sentence."""
    return [
        replace(
            item,
            words=[*item.words[: item.at], FORMS[item.right], ADJECTIVES[n % len(ADJECTIVES)], "."],
            forms=FORMS,
        )
        for n, item in enumerate(items)
    ]


def made_items(sentences: Sequence[Sentence], pieces: WordPiece) -> list[Item]:
    """To be read on: `further.read_on` hides pieces of them."""
    reader = Reader(pieces, ())
    return [reader.text(" ".join(sentence.words)) for sentence in sentences]


def from_scratch(net: Small, seed: int) -> Small:
    """A net of the same sizes, its numbers drawn."""
    torch.manual_seed(seed)
    return Small(PretrainedBert(net.model.bert.config), net.pieces)


def mask_score(net: Small, together: int = 64) -> Score:
    """For `agreement_probe`: ln p of both forms at [MASK].

    ValueError if a form is several pieces: they cannot be said at one place.
    """

    @torch.no_grad()
    def score(items: Sequence[AgreementItem]) -> list[tuple[float, float]]:
        reader, model, found = Reader(net.pieces, ()), net.model.eval(), []
        for at in range(0, len(items), together):
            some = items[at : at + together]
            forms = torch.tensor([[_one_piece(net.pieces, form) for form in item.forms] for item in some])  # (B, 2)
            batch = reader.batch([_hidden(item, net.pieces) for item in some])
            found += _at_masks(model, batch, net.pieces.mask).gather(1, forms).tolist()
        return [tuple(pair) for pair in found]

    return score


def _at_masks(model: PretrainedBert, batch: Pieces, mask: int) -> torch.Tensor:
    """(B, V): what is guessed at the one hidden place of each."""
    guesses = model.guesses(batch.to(model.bert.device)).cpu()  # (B, N, V)
    return guesses[torch.arange(len(guesses)), (batch.ids == mask).int().argmax(1)]


def _hidden(item: AgreementItem, pieces: WordPiece) -> Item:
    text = " ".join([*item.words[: item.at], "[MASK]", *item.words[item.at + 1 :]])
    return Item(*pack(pieces.encode(text, specials=True), None, pieces, LONGEST))


def _one_piece(pieces: WordPiece, form: str) -> int:
    ids = pieces.encode(form)
    if len(ids) != 1:
        raise ValueError(f"{form!r} is {len(ids)} pieces: the probe asks for forms of one")
    return ids[0]
