"""WordPiece: rare words in pieces, so that a few thousand pieces write every word.

Schuster and Nakajima, "Japanese and Korean voice search" (2012), as Devlin and others, "BERT" (2019), use it: first a
text is cut into words, then each word into the longest pieces on a list, from its beginning on. A piece that does not
begin a word is written with ## before it: `unrolled` may become un ##roll ##ed. Lists are made by
`unrolled.wordpiece_training`.

The words and pieces are those of the library `tokenizers` (BertNormalizer, BertPreTokenizer, WordPiece). It differs in
characters younger than its tables of Unicode, and in 256 rare Chinese characters (U+2B820 to U+2B91F), which it takes
for letters by a slip. Left out on purpose: where in the text a piece stood.
"""

import string
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from unrolled.errors import OneLineError

SPECIALS = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"  # no text: pad, no piece fits, first, after each part, hidden
INSIDE = "##"  # before a piece that goes on with a word
LONGEST = 100  # letters of a word that is looked at
CHINESE = (  # ranges whose characters are words by themselves; Korean and Japanese syllables are letters
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class PiecesError(OneLineError):
    """A list of pieces cannot be used; the message says why."""


# --- a text in words -------------------------------------------------------------------------------------------------


class _Table(dict):
    """For str.translate: what becomes of a character, decided when it is first met."""

    def __init__(self, rule: Callable[[str], str]):
        super().__init__()
        self.rule = rule

    def __missing__(self, code: int) -> str:
        self[code] = self.rule(chr(code))
        return self[code]


def _cleaned(letter: str) -> str:
    """Control characters go, every kind of space is one, and Chinese characters get room."""
    if letter in "\t\n\r":
        return " "
    if letter == "\ufffd" or unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    if letter.isspace():
        return " "
    return f" {letter} " if any(first <= ord(letter) <= last for first, last in CHINESE) else letter


def is_punctuation(letter: str) -> bool:
    """Whether Unicode calls it punctuation; or ASCII has it and it is neither letter, digit nor space, such as $."""
    return letter in string.punctuation or unicodedata.category(letter).startswith("P")


CLEAN = _Table(_cleaned)
BARE = _Table(lambda letter: "" if unicodedata.category(letter) == "Mn" else letter)
SMALL = _Table(str.lower)  # letter by letter: str.lower of a whole word knows a second small sigma
APART = _Table(lambda letter: f" {letter} " if is_punctuation(letter) else letter)


def words(text: str, lower: bool = True, accents: bool | None = None) -> list[str]:
    """Cut a text where there is space, and around each punctuation mark and Chinese character.

    lower: in small letters. accents: whether é stays é; by default where large letters stay large.
    """
    text = text.translate(CLEAN)
    if not (not lower if accents is None else accents):
        text = unicodedata.normalize("NFD", text).translate(BARE)  # é is e and an accent: the accent goes
    if lower:
        text = text.translate(SMALL)
    return text.translate(APART).split()


# --- a word in pieces ------------------------------------------------------------------------------------------------


class WordPiece:
    """A list of pieces, and how a text is written with them.

    Attributes: pieces, the list, in which a piece's place is its id; ids, the way back; pad, unk, cls, sep and mask:
    the ids of SPECIALS.
    """

    def __init__(self, pieces: Iterable[str], lower: bool = True, accents: bool | None = None):
        """PiecesError if one of SPECIALS is missing or a piece stands twice. lower, accents: see `words`."""
        self.pieces, self.lower, self.accents = list(pieces), lower, accents
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}
        if missing := [special for special in SPECIALS if special not in self.ids]:
            raise PiecesError(f"the list of pieces has no {missing[0]}: add {', '.join(SPECIALS)}")
        if len(self.ids) < len(self.pieces):
            twice = next(piece for i, piece in enumerate(self.pieces) if self.ids[piece] != i)
            raise PiecesError(f"the list of pieces has {twice!r} twice: leave one out")
        self.pad, self.unk, self.cls, self.sep, self.mask = (self.ids[special] for special in SPECIALS)
        self._known: dict[str, list[int]] = {}  # words that were cut before

    def __len__(self) -> int:
        return len(self.pieces)

    def __repr__(self) -> str:
        return f"WordPiece({len(self)} pieces)"

    @classmethod
    def read(cls, file: str | Path, lower: bool = True, accents: bool | None = None) -> "WordPiece":
        """From a file with one piece a line, such as BERT's vocab.txt. PiecesError if it cannot be read."""
        try:
            return cls(Path(file).read_text(encoding="utf-8").split("\n")[:-1], lower, accents)
        except (OSError, UnicodeDecodeError) as problem:
            raise PiecesError(f"{file} is no list of pieces that can be read ({type(problem).__name__})") from None

    def write(self, file: str | Path) -> None:
        """One piece a line."""
        Path(file).write_text("".join(f"{piece}\n" for piece in self.pieces), encoding="utf-8", newline="\n")

    def split(self, word: str) -> list[str]:
        """The longest piece that begins the word, the longest that begins the rest, …; [UNK] if none does."""
        return [self.pieces[i] for i in self._cut(word)]

    def tokenise(self, text: str, specials: bool = False) -> list[str]:
        """The pieces of a text. specials: whether "[MASK]" in it is the special piece, or "[", "mask" and "]"."""
        return [self.pieces[i] for i in self.encode(text, specials)]

    def encode(self, text: str, specials: bool = False) -> list[int]:
        """The ids of `tokenise`; [CLS] and [SEP] are not added."""
        if specials:
            for special in SPECIALS:
                if special in text:
                    before, after = text.split(special, 1)
                    return [*self.encode(before, True), self.ids[special], *self.encode(after, True)]
        return [i for word in words(text, self.lower, self.accents) for i in self._cut(word)]

    def of_words(self, given: Sequence[str]) -> tuple[list[int], list[int]]:
        """For words that are cut already: the ids of their pieces, and for each piece the number of its word.

        A word of which nothing is left once it is cleaned gets [UNK], so that no word is without a piece.
        """
        found = [self.encode(word) or [self.unk] for word in given]
        return [i for ids in found for i in ids], [n for n, ids in enumerate(found) for _ in ids]

    def decode(self, ids: Iterable[int]) -> str:
        """Pieces in one string, those of a word joined. What `words` took away does not come back."""
        return " ".join(self.pieces[i] for i in ids).replace(f" {INSIDE}", "")

    def _cut(self, word: str) -> list[int]:
        if word not in self._known:
            self._known[word] = [self.unk] if len(word) > LONGEST else self._greedy(word)
        return self._known[word]

    def _greedy(self, word: str) -> list[int]:
        found, rest = [], word
        while rest:
            mark = INSIDE if found else ""
            size = next((n for n in range(len(rest), 0, -1) if mark + rest[:n] in self.ids), 0)
            if size == 0:
                return [self.unk]
            found.append(self.ids[mark + rest[:size]])
            rest = rest[size:]
        return found
