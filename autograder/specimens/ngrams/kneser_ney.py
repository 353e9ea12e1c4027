# Answers to 1.6, Kneser–Ney. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: generator_sums — Two sums over the rows, then the formula
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(1 for row in bigrams.values() if word in row) / pairs
    row = bigrams.get((prev,))
    if not row:
        return lower
    total = sum(row.values())
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% right: plain_loops — Loops and counters, no comprehensions
def kneser_ney(bigrams, prev, word, d):
    different_pairs = 0
    words_before = 0
    for context in bigrams:
        for follower in bigrams[context]:
            different_pairs += 1
            if follower == word:
                words_before += 1
    continuation = words_before / different_pairs
    if (prev,) not in bigrams:
        return continuation
    total, kinds, seen = 0, 0, 0
    for follower, c in bigrams[(prev,)].items():
        total += c
        kinds += 1
        if follower == word:
            seen = c
    discounted = seen - d if seen > d else 0.0
    return (discounted + d * kinds * continuation) / total


# %% right: counter_of_continuations — A Counter of who stands before whom
from collections import Counter


def kneser_ney(bigrams, prev, word, d):
    before = Counter(w for row in bigrams.values() for w in row)
    lower = before[word] / before.total()
    row = Counter(bigrams.get((prev,), {}))
    c = row.total()
    if c == 0:
        return lower
    return max(row[word] - d, 0) / c + d * len(row) / c * lower


# %% right: matrix — A matrix of counts, with torch
import torch


def kneser_ney(bigrams, prev, word, d):
    words = sorted({w for (v,), row in bigrams.items() for w in (v, *row)} | {prev, word})
    index = {w: i for i, w in enumerate(words)}
    c = torch.zeros(len(words), len(words), dtype=torch.float64)
    for (v,), row in bigrams.items():
        for w, times in row.items():
            c[index[v], index[w]] = times
    kinds = (c > 0).double()
    lower = kinds.sum(0) / kinds.sum()
    row = c[index[prev]]
    if row.sum() == 0:
        return lower[index[word]].item()
    p = (row - d).clamp(min=0) / row.sum() + d * kinds[index[prev]].sum() / row.sum() * lower
    return p[index[word]].item()


# %% wrong: raw_unigram — The plain unigram in place of the continuation counts
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term, other_texts_get_their_probabilities
def kneser_ney(bigrams, prev, word, d):
    everything = sum(sum(row.values()) for row in bigrams.values())
    lower = sum(row.get(word, 0) for row in bigrams.values()) / everything
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: discount_forgotten — Gives to the second term without taking from the first
# fails: a_seen_pair_adds_two_terms
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return row.get(word, 0) / total + d * len(row) / total * lower


# %% wrong: negative_mass — Takes d even from pairs that never came
# fails: an_unseen_pair_has_one_term, other_texts_get_their_probabilities
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return (row.get(word, 0) - d) / total + d * len(row) / total * lower


# %% wrong: kinds_forgotten — The second term's weight lacks the number of different followers
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d / total * lower


# %% wrong: weight_one_minus_d — Weighs the second term with 1 - d
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + (1 - d) * lower


# %% wrong: backs_off_instead — Uses the second term only where the pair never came
# fails: a_seen_pair_adds_two_terms
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * lower


# %% wrong: share_of_the_vocabulary — Divides the words before by the number of contexts
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    lower = sum(word in row for row in bigrams.values()) / len(bigrams)
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: pairs_counted_with_repetition — Divides the words before by all pairs, repetitions included
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(sum(row.values()) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: continuation_the_wrong_way — Counts the words after, not the words before
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = len(bigrams.get((word,), {})) / pairs
    row = bigrams.get((prev,), {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: context_is_no_tuple — Looks prev up without making it a tuple
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams.get(prev, {})
    total = sum(row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: crashes_on_unseen — A prev that never was a context raises KeyError
# fails: a_word_never_before_seen_as_context
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams[(prev,)]
    total = sum(row.values())
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: zero_after_unseen — A prev that never was a context gives zero
# fails: a_word_never_before_seen_as_context
def kneser_ney(bigrams, prev, word, d):
    if (prev,) not in bigrams:
        return 0.0
    pairs = sum(len(row) for row in bigrams.values())
    lower = sum(word in row for row in bigrams.values()) / pairs
    row = bigrams[(prev,)]
    total = sum(row.values())
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower


# %% wrong: maximum_likelihood — No smoothing at all
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    row = bigrams.get((prev,), {})
    return row.get(word, 0) / sum(row.values()) if row else 0.0


# %% wrong: continuation_alone — The lower order whatever came before
# fails: a_seen_pair_adds_two_terms, an_unseen_pair_has_one_term
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(len(row) for row in bigrams.values())
    return sum(word in row for row in bigrams.values()) / pairs


# %% wrong: the_last_word_is_no_context — A word that came, but only at the end, is looked up all the same
# fails: a_word_never_before_seen_as_context
def kneser_ney(bigrams, prev, word, d):
    types = sum(len(row) for row in bigrams.values())
    cont = sum(word in row for row in bigrams.values()) / types
    known = {w for row in bigrams.values() for w in row} | {v for (v,) in bigrams}
    if prev not in known:
        return cont
    row = bigrams.get((prev,), {})
    total = max(sum(row.values()), 1)
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * cont


# %% wrong: zero_is_no_context — `if not prev` takes 0 and "" for no word at all
# fails: zero_and_the_empty_word_are_words_too
def kneser_ney(bigrams, prev, word, d):
    pairs = sum(map(len, bigrams.values()))
    lower = sum(word in followers for followers in bigrams.values()) / pairs
    if not prev or (prev,) not in bigrams:
        return lower
    followers = bigrams[(prev,)]
    total = sum(followers.values())
    return (max(followers.get(word, 0) - d, 0) + d * len(followers) * lower) / total
