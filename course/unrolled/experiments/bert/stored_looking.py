"""What the stored experiment on heads does: where those of several nets look in the treebank's sentences."""

from dataclasses import replace
from functools import cache

from unrolled.bert import Bert
from unrolled.experiments.bert.looking import evenly, habits, looks, packed
from unrolled.experiments.bert.minilm import minilm
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.experiments.bert.stored_tuning import net
from unrolled.experiments.storing import Rows
from unrolled.experiments.tagging.conll import ud_ewt
from unrolled.wordpiece import WordPiece

SEEDS = range(3)
TEXT = "The old captain opened the letter.", "It was from his daughter."


@cache
def sentences(count: int) -> list[list[str]]:
    """The first ones of the treebank's dev part."""
    return [sentence.words for sentence in ud_ewt(stand_in=False)["dev"][:count]]


def looking(count=300) -> Rows:
    """Habits of MiniLM, of the small net and of the small net before its training; MiniLM's weights in one text."""
    pieces = net()[1]
    yield "evenly, small net's pieces", lambda: _evenly(*net(), count)
    yield "small net", lambda: _habits(*net(), count)
    for seed in SEEDS:
        untrained = replace(RECIPES["cpu"], seed=seed)
        yield f"small net, untrained, seed {seed}", lambda recipe=untrained: _habits(recipe.net().bert, pieces, count)
    yield "evenly, MiniLM's pieces", lambda: _evenly(*minilm(), count)
    yield "MiniLM", lambda: _habits(*minilm(), count)
    yield "MiniLM, one text", lambda: packed(looks(*minilm(), *TEXT))


def _evenly(bert: Bert, pieces: WordPiece, count: int) -> dict:
    return _told([[evenly(pieces, sentences(count), bert.config.longest)]], count)


def _habits(bert: Bert, pieces: WordPiece, count: int) -> dict:
    return _told(habits(bert, pieces, sentences(count)), count)


def _told(found: list[list[dict]], count: int) -> dict:
    rounded = [[{name: round(share, 4) for name, share in head.items()} for head in layer] for layer in found]
    return {"layers": rounded, "sentences": count}


EXPERIMENTS = {"looks": looking}
