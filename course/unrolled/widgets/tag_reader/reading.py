"""What a tagger says of one sentence, taken apart by direction; and how a typed line is cut into words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from unrolled.tagging import Classifier, Tagger

MOST_WORDS = 60  # of a sentence: more are not read by eye

# A word may hold a full stop, a comma or a colon (3,000 or 10:30), but not begin or end with one.
_MARKS = r"\s\"“”()\[\].,;:!?…"
_WORD = re.compile(rf"[^{_MARKS}]+(?:[.,:][^{_MARKS}]+)*|\.+|\S")
_CLITIC = re.compile(r"(?<=[^\W_])(n['’]t|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)


class Parts(NamedTuple):
    """Of one sentence: what each direction adds to the logits; with the bias (K,) the two sum up to them."""

    words: list[str]
    forward: np.ndarray  # (T, K) float32: the part of the state that was read from left to right
    backward: np.ndarray  # (T, K) float32


def cut(line: str) -> list[str]:
    """The words of a line, as the English treebank cuts: marks stand alone, and so do 's and n't."""
    return _WORD.findall(_CLITIC.sub(r" \1", line))


def check_tagger(trained) -> None:
    """ValueError, in one line, for what is no tagger with its reader."""
    model, reader = getattr(trained, "model", None), getattr(trained, "reader", None)
    if not isinstance(model, Tagger) or isinstance(model, Classifier) or not hasattr(reader, "classes"):
        raise ValueError("give a trained tagger, as train_tagger returns it: with a .model that tags and a .reader")


def words_of(sentence) -> list[str]:
    """Of a line, a list of words or a tagged sentence; ValueError, in one line, for what can't be shown."""
    sentence = getattr(sentence, "words", sentence)
    words = cut(sentence) if isinstance(sentence, str) else sentence
    if not isinstance(words, Sequence) or not all(isinstance(word, str) and word for word in words):
        raise ValueError(f"{words!r:.60} is no sentence: give a line, a list of words or a tagged sentence")
    if not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"the sentence has {len(words)} words: from 1 to {MOST_WORDS} can be shown")
    return list(words)


@torch.no_grad()
def contributions(trained, sentence) -> Parts:
    """V h + c = →V →h + ←V ←h + c, term by term, without dropout. A net of one direction has zeros for the other."""
    words, model = words_of(sentence), trained.model
    was_training = model.training
    model.eval()
    states = model.read(trained.reader.words([words]).to(model.device))[0]  # (T, G)
    model.train(was_training)
    middle, V = model.config.hidden, model.output.weight  # (K, G)
    forward, backward = (states[:, part] @ V[:, part].T for part in (slice(middle), slice(middle, None)))
    return Parts(words, forward.cpu().numpy().astype("<f4"), backward.cpu().numpy().astype("<f4"))  # (T, K) each
