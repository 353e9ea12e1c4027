# Answers to 8.8, labels of words for pieces. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: piece_before — Another word than the piece before
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(IGNORED if word is None or word == before else labels[word])
        before = word
    return targets


# %% right: seen_before — A set of the words that have had theirs
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    seen, out = {None}, []
    for word in word_of:
        out += [IGNORED if word in seen else labels[word]]
        seen.add(word)
    return out


# %% right: first_places — All IGNORED, then each word's first place
def align_labels(labels, word_of):
    targets = [-1] * len(word_of)
    for place in reversed(range(len(word_of))):
        if word_of[place] is not None:
            targets[place] = labels[word_of[place]]
            if place and word_of[place - 1] == word_of[place]:
                targets[place] = -1
    return targets


# %% right: by_index — The first place by index
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    return [
        labels[word] if word is not None and word_of.index(word) == place else IGNORED
        for place, word in enumerate(word_of)
    ]


# %% right: by_groups — Runs of one word, by groupby
from itertools import groupby


def align_labels(labels, word_of):
    result = []
    for word, run in groupby(word_of):
        size = len(list(run))
        result.extend([-1] * size if word is None else [labels[word]] + [-1] * (size - 1))
    return result


# %% wrong: every_piece — A label on every piece
# fails: other_words_and_pieces, one_target_a_word
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None else IGNORED)
        before = word
    return targets


# %% wrong: last_piece — The label on the last piece
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    behind = [*word_of[1:], None]
    return [labels[a] if a is not None and a != b else IGNORED for a, b in zip(word_of, behind)]


# %% wrong: shifted — [CLS] is forgotten: one place too early
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return targets[1:] + [IGNORED] * bool(targets)


# %% wrong: marks_left_out — No targets for [CLS] and [SEP]
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return [target for target, word in zip(targets, word_of) if word is not None]


# %% wrong: minus_hundred — Another library's number
# fails: other_words_and_pieces
IGNORED = -100


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: zero_elsewhere — 0 elsewhere, which is a label
# fails: other_words_and_pieces
IGNORED = 0


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: none_elsewhere — None elsewhere
# fails: other_words_and_pieces
IGNORED = None


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: labels_in_turn — The next label at each new word, whichever word it is
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before, rest = [], None, iter(labels)
    targets, before = [], None
    for word in word_of:
        targets.append(next(rest) if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: by_label — A new target where the label changes
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and labels[word] != before else IGNORED)
        before = None if word is None else labels[word]
    return targets


# %% wrong: zero_is_nothing — Word 0 is taken for none
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word and word != before else IGNORED)
        before = word
    return targets


# %% wrong: label_zero_is_nothing — Label 0 is taken for none
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append((labels[word] or IGNORED) if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: place_for_word — The label at the piece's place
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[min(len(targets), len(labels) - 1)] if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: from_one — Words counted from 1
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word - 1] if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: marks_repeat — [CLS] and [SEP] have the nearest word's label
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    if len(targets) > 1 and targets[0] == IGNORED:
        targets[0] = targets[1]
    return targets


# %% wrong: word_numbers — The words' numbers, not their labels
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(word if word is not None and word != before else IGNORED)
        before = word
    return targets


# %% wrong: all_words_or_fewer — Padded to as many as there are labels
# fails: other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    targets, before = [], None
    for word in word_of:
        targets.append(labels[word] if word is not None and word != before else IGNORED)
        before = word
    return targets + [IGNORED] * (12 - len(targets))


# %% wrong: before_the_first_is_the_last — Before the first piece stands the last one
# fails: words_without_a_piece, other_words_and_pieces
from unrolled.language_model import IGNORED


def align_labels(labels, word_of):
    return [IGNORED if w is None or w == word_of[i - 1] else labels[w] for i, w in enumerate(word_of)]
