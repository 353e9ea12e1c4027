"""A row of words or tokens, read from what a notebook has."""

from collections.abc import Sequence

_MOST = 60  # of a row: more are not read by eye


def read_words(words, name: str, most: int = _MOST) -> list[str]:
    """A row of 1 to `most` words; ValueError, in one line, for what is none."""
    if isinstance(words, str) or not isinstance(words, Sequence) or not all(isinstance(w, str) and w for w in words):
        raise ValueError(f"{name} is {words!r:.60}: give a list of words, none of them empty")
    if not 1 <= len(words) <= most:
        raise ValueError(f"{name} has {len(words)} words: from 1 to {most} can be shown")
    return list(words)
