"""A small grammar of ours: tagged sentences whose verbs agree with their subjects, whatever stands between the two.

    the key to the old cabinets near the door opens .
    DET NOUN ADP DET ADJ NOUN ADP DET NOUN VERB PUNCT

It stands in where no treebank can be had, so it is made to be as awkward as one: `light` is an adjective or a noun,
and only the next word tells which; `walks` is a noun or a verb; names, adjectives in -ish and adverbs in -ly are made
of syllables, so that a test text has words that no training text had. `agreement_items` and `agreement_probe` ask one
question of any model: is the verb's right form more likely than the wrong one? Linzen, Dupoux and Goldberg,
"Assessing the ability of LSTMs to learn syntax-sensitive dependencies" (2016), asked it of Wikipedia's sentences.
Left out on purpose: meaning. "the letter sleeps near two towers" is as good as any other.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

# fmt: off
NOUNS = {  # singular and plural
    "key": "keys", "cabinet": "cabinets", "teacher": "teachers", "river": "rivers", "singer": "singers",
    "tower": "towers", "farmer": "farmers", "letter": "letters", "bridge": "bridges", "horse": "horses",
    "child": "children", "wolf": "wolves", "mouse": "mice", "lamp": "lamps", "garden": "gardens", "clock": "clocks",
}
EITHER_NOUN_OR_VERB = {  # a noun's singular and plural; the verb's plural and singular
    "walk": "walks", "dance": "dances", "smile": "smiles", "cook": "cooks", "watch": "watches", "guard": "guards",
}
EITHER_ADJECTIVE_OR_NOUN = {
    "light": "lights", "patient": "patients", "secret": "secrets", "square": "squares", "original": "originals",
}
VERBS = {  # singular and plural
    "opens": "open", "sleeps": "sleep", "shines": "shine", "falls": "fall", "waits": "wait", "sings": "sing",
    "grows": "grow", "laughs": "laugh",
}
BEINGS = {"is": "are", "was": "were", "seems": "seem"}
ADJECTIVES = ["old", "red", "quiet", "tall", "green", "small"]
ADVERBS = ["often", "soon", "again", "here"]
PREPOSITIONS = ["near", "of", "behind", "with", "above", "under"]
SINGULAR_WORDS, PLURAL_WORDS = ["the", "a", "every", "this"], ["the", "some", "these", "many"]
NUMBERS = ["two", "three", "seven", "12", "40"]
STARTS = ["va", "ro", "li", "te", "mu", "ka", "sho", "pre", "du", "ni"]
MIDDLES = ["ran", "ti", "vel", "mo", "sk", "lor"]
# fmt: on
Tagged = list[tuple[str, str]]  # words with their tags


@dataclass(frozen=True)
class Sentence:
    """Words, and a tag for each."""

    words: list[str]
    tags: list[str]


@dataclass(frozen=True)
class AgreementItem:
    """A sentence with one question: which of two forms stands at a place?"""

    words: list[str]  # with the right form at its place
    at: int  # the place of the verb; a model that reads from left to right may look at words[:at] only
    forms: tuple[str, str]  # the verb in the singular and in the plural
    right: int  # 0 if the subject is singular, 1 if it is plural
    distance: int  # words from the subject's noun to the verb; 1 if they are neighbours
    distractors: int  # nouns of the other number between them


Score = Callable[[Sequence[AgreementItem]], Sequence[tuple[float, float]]]


# --- sentences -------------------------------------------------------------------------------------------------------


def made_sentences(n: int, seed: int) -> list[Sentence]:
    """n sentences; the same seed gives the same ones. ValueError if n is negative."""
    if n < 0:
        raise ValueError(f"n is {n}: it must be at least 0")
    chance = random.Random(seed)
    return [Sentence(*map(list, zip(*_sentence(chance), strict=True))) for _ in range(n)]


def made_splits() -> dict[str, list[Sentence]]:
    """3,000 sentences to train on, 500 to choose with, 500 to test on: "train", "dev", "test"."""
    return {"train": made_sentences(3000, 0), "dev": made_sentences(500, 1), "test": made_sentences(500, 2)}


def _sentence(chance: random.Random) -> Tagged:
    kind = chance.random()
    if kind < 0.7:
        body = _clause(chance)
    elif kind < 0.85:
        body = [*_clause(chance), (chance.choice(["and", "but"]), "CCONJ"), *_clause(chance)]
    else:
        speaker = chance.choice([("she", "says"), ("he", "says"), ("they", "say"), ("we", "say")])
        body = [(speaker[0], "PRON"), (speaker[1], "VERB"), ("that", "SCONJ"), *_clause(chance)]
    opening = [("oh", "INTJ"), (",", "PUNCT")] if chance.random() < 0.05 else []
    return [*opening, *body, (chance.choice([".", ".", ".", "!"]), "PUNCT")]


def _clause(chance: random.Random) -> Tagged:
    plural = chance.random() < 0.5
    if chance.random() < 0.1:
        subject = [(chance.choice(["they", "we"] if plural else ["she", "he", "it"]), "PRON")]
    else:
        subject = _noun_phrase(chance, plural) + _phrases_between(chance, chance.choice([0, 0, 1, 1, 2]))
    return subject + _adverb(chance) + _predicate(chance, plural)


def _phrases_between(chance: random.Random, n: int) -> Tagged:
    """n times a preposition and a noun phrase of any number."""
    return [
        pair
        for _ in range(n)
        for pair in [(chance.choice(PREPOSITIONS), "ADP"), *_noun_phrase(chance, chance.random() < 0.5)]
    ]


def _noun_phrase(chance: random.Random, plural: bool) -> Tagged:
    """Its noun comes last."""
    if not plural and chance.random() < 0.12:
        return [(_made_word(chance).capitalize(), "PROPN")]
    first = [(chance.choice(PLURAL_WORDS if plural else SINGULAR_WORDS), "DET")]
    if plural and chance.random() < 0.2:
        first = [(chance.choice(NUMBERS), "NUM")]
    nouns = chance.choice([NOUNS, NOUNS, EITHER_NOUN_OR_VERB, EITHER_ADJECTIVE_OR_NOUN])
    noun = chance.choice(list(nouns.items()))[plural]
    return first + (_adjective(chance) if chance.random() < 0.4 else []) + [(noun, "NOUN")]


def _adjective(chance: random.Random) -> Tagged:
    made = [_made_word(chance) + "ish"]
    return [(chance.choice(chance.choice([ADJECTIVES, list(EITHER_ADJECTIVE_OR_NOUN), made])), "ADJ")]


def _adverb(chance: random.Random) -> Tagged:
    if chance.random() < 0.75:
        return []
    return [(chance.choice([chance.choice(ADVERBS), _made_word(chance) + "ly"]), "ADV")]


def _predicate(chance: random.Random, plural: bool) -> Tagged:
    if chance.random() < 0.3:
        return [(chance.choice(list(BEINGS.items()))[plural], "AUX"), *_adjective(chance)]
    if chance.random() < 0.4:
        form = chance.choice(list(EITHER_NOUN_OR_VERB.items()))[not plural]
    else:
        form = chance.choice(list(VERBS.items()))[plural]
    return [(form, "VERB"), *(_phrases_between(chance, 1) if chance.random() < 0.3 else [])]


def _made_word(chance: random.Random) -> str:
    return chance.choice(STARTS) + "".join(chance.choices(MIDDLES, k=chance.randint(1, 2)))


# --- the agreement probe ---------------------------------------------------------------------------------------------


def agreement_items(n: int, seed: int, most_between: int = 4) -> list[AgreementItem]:
    """n questions; 0 to `most_between` phrases stand between the subject and its verb, each as often as any other.

    Training sentences have at most two such phrases, so that three and more ask for what was never seen.
    """
    chance = random.Random(seed)
    return [_item(chance, chance.randint(0, most_between)) for _ in range(n)]


def _item(chance: random.Random, between: int) -> AgreementItem:
    plural = chance.random() < 0.5
    subject, phrases = _noun_phrase(chance, plural), _phrases_between(chance, between)
    before = [word for word, _ in subject + phrases]
    forms = chance.choice(list(VERBS.items()))
    nouns = [word for word, tag in phrases if tag in ("NOUN", "PROPN")]
    others = sum(_is_plural(noun) != plural for noun in nouns)
    return AgreementItem([*before, forms[plural], "."], len(before), forms, int(plural), len(phrases) + 1, others)


def _is_plural(noun: str) -> bool:
    return any(noun in words.values() for words in (NOUNS, EITHER_NOUN_OR_VERB, EITHER_ADJECTIVE_OR_NOUN))


def agreement_probe(score: Score, items: Sequence[AgreementItem]) -> dict[str, dict[int, tuple[float, int]]]:
    """How often a model prefers the verb's right form: {"all", "distance", "distractors"}, each {key: (share, n)}.

    score: gets the items and gives for each the scores of item.forms, in that order; the higher one is the model's
    choice, and a tie counts as wrong. Log probabilities will do, of the form alone or of the whole sentence. A model
    must not look at item.right, nor at item.words[item.at]. The keys are the item's distance and its distractors; the
    only key of "all" is 0. ValueError if the number of scores is another than that of the items.
    """
    scores = list(score(items))
    if len(scores) != len(items):
        raise ValueError(f"{len(items)} items need as many pairs of scores; found {len(scores)}")
    held = [float(pair[item.right]) > float(pair[1 - item.right]) for pair, item in zip(scores, items, strict=True)]
    groups: dict[str, dict[int, list[bool]]] = {name: defaultdict(list) for name in ("all", "distance", "distractors")}
    for item, right in zip(items, held, strict=True):
        for name, key in ("all", 0), ("distance", item.distance), ("distractors", item.distractors):
            groups[name][key].append(right)
    return {
        name: {key: (sum(of) / len(of), len(of)) for key, of in sorted(group.items())} for name, group in groups.items()
    }
