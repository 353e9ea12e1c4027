"""Number phrases: a number in English words, and in the morphemes of another language, with the true alignment.

    parts = number_phrases("de", train=4000, test=1000, seed=0)
    parts["train"][0]        # Pair(source=["thirty", "one"], target=["ein", "und", "dreißig"], aligned=[1, None, 0])

The words are num2words'. German, Turkish and Finnish write a number as one word, which is cut here into its morphemes;
a word of French or Arabic is a morpheme already, but for quatre-vingt (left whole) and Arabic hundreds (cut before
hundred). Because both sides name the same digits, it is known which English word a morpheme comes from: the one that
names the same digit of the same place, or the same power. What joins (und, et, و) comes from none. Where English has
one word for two morphemes both come from it (drei zehn: thirteen), and where the other language has one for two, it is
set beside the word with the digit (ألفان, two thousand: two).

Numbers are below a million. Left out on purpose: ordinals, years, prices.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from num2words import num2words

MOST = 999_999
Role = tuple[bool, str]  # whether it counts thousands; "hundreds" (the digit), "hundred" (the word), "tens", "units" …


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation, as words; aligned: for each target word the number of its source word or None."""

    source: list[str]
    target: list[str]
    aligned: list[int | None]


# --- languages -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Language:
    """How num2words' phrases are cut into words, and which of these name units, tens and powers; others join."""

    name: str
    cut: Callable[[str], list[str]]
    units: frozenset[str]
    tens: frozenset[str]
    hundred: frozenset[str]
    thousand: frozenset[str]


def _spaces(text: str) -> list[str]:
    return text.replace(",", "").replace("-", " ").split()


def _french(text: str) -> list[str]:
    whole = re.sub(r"quatre-vingts?", lambda found: found[0].replace("-", "‑"), text)  # a hyphen that is not cut
    return [word.replace("‑", "-") for word in _spaces(whole)]


def _arabic(text: str) -> list[str]:
    return re.sub(r"(\w{2,})مائة", r"\1 مائة", text).split()


def _morphemes(*words: str) -> Callable[[str], list[str]]:
    """Cuts what is written as one word: at each place the longest morpheme that fits."""
    longest_first = re.compile("|".join(sorted(words, key=len, reverse=True)))

    def cut(text: str) -> list[str]:
        found = longest_first.findall(text)
        if "".join(found) != text.replace(" ", ""):
            raise ValueError(f"{text!r} has a piece that is no morpheme known here")
        return found

    return cut


def _language(name, cut, units: str, tens: str, hundred: str, thousand: str, joins: str = "") -> Language:
    kinds = [frozenset(words.split()) for words in (units, tens, hundred, thousand)]
    if cut is _morphemes:
        cut = _morphemes(*frozenset().union(*kinds), *joins.split())
    return Language(name, cut, *kinds)


# fmt: off
LANGUAGES = {
    "en": _language("English", _spaces, "one two three four five six seven eight nine zero",
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
        "twenty thirty forty fifty sixty seventy eighty ninety", "hundred", "thousand"),
    "de": _language("German", _morphemes,
        "null ein eins zwei drei vier fünf sech sechs sieb sieben acht neun elf zwölf",
        "zehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", "hundert", "tausend", "und"),
    "fr": _language("French", _french, "zéro un deux trois quatre cinq six sept huit neuf "
        "onze douze treize quatorze quinze seize",
        "dix vingt trente quarante cinquante soixante quatre-vingt quatre-vingts", "cent cents", "mille"),
    "tr": _language("Turkish", _morphemes, "sıfır bir iki üç dört beş altı yedi sekiz dokuz",
        "on yirmi otuz kırk elli altmış yetmiş seksen doksan", "yüz", "bin"),
    "fi": _language("Finnish", _morphemes, "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
        "kymmenen kymmentä toista", "sata sataa", "tuhat tuhatta"),
    "ar": _language("Arabic", _arabic, "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة أحد اثنا",
        "عشر عشرة عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون", "مائة مئتان مئتا", "ألف ألفاً آلاف ألفان ألفا"),
}
# fmt: on
DUALS = {"مئتان": "hundreds", "مئتا": "hundreds", "ألفان": "units", "ألفا": "units"}  # a digit and a power in one
COUNTED = {"kymmentä", "toista"}  # the unit before them names tens
JOINS = {"and", "und", "et", "و"}


def spelt(number: int, language: str) -> list[str]:
    """A number's words. ValueError for another language, or a number below 0 or above 999,999."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r} here: choose one of {', '.join(LANGUAGES)}")
    if not 0 <= number <= MOST:
        raise ValueError(f"the number is {number}: it must be from 0 to {MOST:,}")
    return LANGUAGES[language].cut(num2words(number, lang=language))


# --- the true alignment ----------------------------------------------------------------------------------------------


def roles(words: Sequence[str], language: str) -> list[Role | None]:
    """What each word of a number names; None for what joins."""
    of = LANGUAGES[language]
    last = max((i for i, word in enumerate(words) if word in of.thousand), default=-1)
    return _group(words[: last + 1], of, True) + _group(words[last + 1 :], of, False)


def _group(words: Sequence[str], of: Language, thousands: bool) -> list[Role | None]:
    hundred = max((i for i, word in enumerate(words) if word in of.hundred), default=-1)
    names: list[str | None] = []
    for i, word in enumerate(words):
        if word in JOINS:
            names.append(None)
        elif word in DUALS:
            names.append(DUALS[word])
        elif word in of.hundred:
            names.append("hundred")
        elif word in of.thousand and i == len(words) - 1:
            names.append("thousand")
        elif i < hundred:
            names.append("hundreds")
        else:
            counts_tens = word in of.tens or words[i + 1 : i + 2] and words[i + 1] in COUNTED
            names.append("tens" if counts_tens else "units")
    return [None if name is None else (thousands, name) for name in names]


def pair(number: int, language: str) -> Pair:
    """A number in English and in another language."""
    source, target = spelt(number, "en"), spelt(number, language)
    places = {role: i for i, role in enumerate(roles(source, "en")) if role is not None}
    return Pair(source, target, [_place(role, places) for role in roles(target, language)])


def _place(role: Role | None, places: dict[Role, int]) -> int | None:
    """Thirteen stands for its ten and for its three; a power alone (cent, bin) is the power, not its digit."""
    if role is None:
        return None
    thousands, name = role
    other = {"units": "tens", "tens": "units"}.get(name, name)
    return places[role] if role in places else places.get((thousands, other))


# --- a data set ------------------------------------------------------------------------------------------------------


def number_phrases(language: str, train: int, test: int, seed: int = 0, dev: int = 0) -> dict[str, list[Pair]]:
    """The parts "train", "dev" and "test": different numbers, from one to six digits, short ones as likely as long ones
    as long as there are any. ValueError if so many different numbers below a million do not exist.
    """
    if train + test + dev > MOST // 2:
        raise ValueError(f"{train + test + dev:,} different numbers are asked for: at most {MOST // 2:,}")
    chance, drawn = random.Random(seed), {}  # a dictionary keeps the order
    while len(drawn) < train + test + dev:
        digits = chance.randint(1, 6)
        drawn[chance.randint(10 ** (digits - 1), 10**digits - 1)] = True
    numbers = list(drawn)
    chance.shuffle(numbers)  # or the short ones would all come early
    cuts = {"train": numbers[:train], "dev": numbers[train : train + dev], "test": numbers[train + dev :]}
    return {part: [pair(number, language) for number in of] for part, of in cuts.items()}
