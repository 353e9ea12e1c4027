"""A made language in which one can say at each character what a reader has to remember.

    the cook sings aaa### "we hold the fish" (old (red) moon) gold.

Words carry no meaning and come in any order. Three things do have rules: quotes that were opened are closed; brackets
nest, up to three deep, and all of them are closed; and a run of letters a is followed by as many marks #. None of
this can be seen in the last characters alone: whether a word may be followed by a quotation mark depends on one that
may stand thirty characters back. `labels` says, character by character, what the rules demand to be remembered.
Karpathy, Johnson and Fei-Fei ("Visualizing and understanding recurrent networks", 2015) looked for cells like these
in nets that had read source code and novels, where the truth has to be guessed.

Left out on purpose: quotes inside brackets or brackets inside quotes; the words' own letters never include an a.
"""

import random

import numpy as np

# fmt: off
WORDS = [
    "the", "old", "clock", "strikes", "five", "we", "hold", "one", "red", "fish",
    "cook", "sings", "of", "moon", "gold", "river", "in", "his", "green", "song",
]
# fmt: on
DEEPEST, LONGEST = 3, 8  # levels of brackets; letters in a run
ALPHABET = sorted(set("".join(WORDS)) | set('a#"(). '))


def structured_text(length: int, seed: int) -> str:
    """`length` characters, cut off where they end; the same seed gives the same text. ValueError below 1."""
    if length < 1:
        raise ValueError(f"the length is {length}: it must be at least 1")
    chance, sentences, size = random.Random(seed), [], 0
    while size < length:
        sentences.append(_sentence(chance))
        size += len(sentences[-1])
    return "".join(sentences)[:length]


def _sentence(chance: random.Random) -> str:
    parts = chance.choices([_words, _quotes, _brackets, _count], k=chance.randint(2, 5))
    return " ".join(part(chance) for part in parts) + ". "


def _words(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))


def _quotes(chance: random.Random) -> str:
    return f'"{" ".join(chance.choices(WORDS, k=chance.randint(1, 8)))}"'


def _brackets(chance: random.Random, depth: int = 1) -> str:
    inside = [_words(chance)]
    if depth < DEEPEST and chance.random() < 0.6:
        inside += [_brackets(chance, depth + 1)]
        inside += [_words(chance)] if chance.random() < 0.5 else []
    return f"({' '.join(inside)})"


def _count(chance: random.Random) -> str:
    n = chance.randint(1, LONGEST)
    return "a" * n + "#" * n


def labels(text: str) -> dict[str, np.ndarray]:
    """What a reader must remember after each character, integers (T,) by name; any text of the alphabet will do.

    "in quotes": 1 from the opening mark on, 0 again from the closing mark on. "depth of brackets": how many are open.
    "how many are owed": marks # that are still to come, as far as one can know by then.
    """
    quoted, depth, owed, rows = 0, 0, 0, []
    for character in text:
        quoted ^= character == '"'
        depth = max(depth + (character == "(") - (character == ")"), 0)
        owed = max(owed + (character == "a") - (character == "#"), 0)
        rows.append((quoted, depth, owed))
    names = "in quotes", "depth of brackets", "how many are owed"
    columns = np.array(rows, dtype=np.int64).reshape(-1, len(names)).T
    return dict(zip(names, columns, strict=True))


def closings(text: str) -> dict[str, np.ndarray]:
    """Where a reader who does not remember is caught out: indices of characters of a text, by the name of the label.

    The marks that close quotes; the brackets that close; and what follows a mark #, be it another # or not.
    """
    found, places = labels(text), np.arange(len(text))
    characters = np.array(list(text), dtype="U1")
    after_a_mark = np.append(False, characters[:-1] == "#")[: len(text)]
    caught = (characters == '"') & (found["in quotes"] == 0), characters == ")", after_a_mark
    return {name: places[at] for name, at in zip(found, caught, strict=True)}
