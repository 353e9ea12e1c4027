"""Dates: written out in English in one of several forms, and again as ISO 8601 or as in German, with alignments.

    parts = dates("iso", train=4000, test=1000, seed=0)
    parts["train"][0]       # Pair(source=["4", "March", "2", "0", "2", "5"], target=["2", "0", "2", "5", "-", …])

Forms and names are Babel's (Unicode's Common Locale Data Repository), American and British. A number is written digit
by digit. A digit of a year or day comes from the same digit in the source; the second digit of a month, and the first,
come from the month's name; a leading zero of a day comes from the day's only digit. What the source does not have,
dashes and dots, comes from nowhere, nor does anything come from the name of the weekday. Left out on purpose: months
written as numbers, which nobody can tell from days.
"""

import random
import re
from collections.abc import Sequence
from datetime import date, timedelta

from babel.dates import format_date, get_date_format

from unrolled.experiments.seq2seq.numbers import Pair

FIRST, DAYS = date(1900, 1, 1), 365 * 200
FORMS = [(locale, form) for locale in ("en_US", "en_GB") for form in ("full", "long", "medium")]
TARGETS = {"iso": ("en", "y-MM-dd"), "de": ("de", "d. MMMM y")}  # a locale, and a pattern in the repository's letters
Token = tuple[str, str, int]  # a word or a digit, the letter of its field ("" for none), its place from the field's end


def dates(target: str, train: int, test: int, seed: int = 0, dev: int = 0) -> dict[str, list[Pair]]:
    """The parts "train", "dev" and "test": different days from 1900 to 2099. target: "iso" or "de".

    ValueError for another target, or if there are not so many days.
    """
    if target not in TARGETS:
        raise ValueError(f"there is no way {target!r} to write a date here: choose one of {', '.join(TARGETS)}")
    if train + test + dev > DAYS:
        raise ValueError(f"{train + test + dev:,} different days are asked for: there are {DAYS:,}")
    chance = random.Random(seed)
    drawn = [
        _pair(FIRST + timedelta(days=day), chance.choice(FORMS), target)
        for day in chance.sample(range(DAYS), train + test + dev)
    ]
    return {"train": drawn[:train], "dev": drawn[train : train + dev], "test": drawn[train + dev :]}


def _pair(day: date, form: tuple[str, str], target: str) -> Pair:
    locale, name = form
    source = tokens(day, locale, get_date_format(name, locale).pattern)
    written = tokens(day, *TARGETS[target])
    return Pair([word for word, _, _ in source], [word for word, _, _ in written], _aligned(source, written))


def tokens(day: date, locale: str, pattern: str) -> list[Token]:
    """The words, digits and marks of a day that is written after a pattern such as "d MMMM y"."""
    found: list[Token] = []
    for piece in re.finditer(r"(?P<field>([A-Za-z])\2*)|[^A-Za-z]+", pattern):
        if letters := piece["field"]:
            text = format_date(day, letters, locale=locale)
            cut = list(text) if text.isdigit() else [text]
            found += [(word, letters[0], len(cut) - 1 - i) for i, word in enumerate(cut)]
        else:
            found += [(mark, "", 0) for mark in piece[0].replace(" ", "")]
    return found


def _aligned(source: Sequence[Token], target: Sequence[Token]) -> list[int | None]:
    places = {(field, place): i for i, (_, field, place) in enumerate(source) if field}
    return [places.get((field, place), places.get((field, 0))) if field else None for _, field, place in target]
