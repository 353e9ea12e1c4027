# Answers to 8.2, the next merge. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: counters — Counters and min of a key
from collections import Counter


def best_merge(splits):
    pieces, pairs = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            pieces[piece] += count
        for two in zip(word, word[1:]):
            pairs[two] += count
    if not pairs:
        return None
    return min(pairs, key=lambda two: (-pairs[two] / (pieces[two[0]] * pieces[two[1]]), two))


# %% right: fractions — Exact scores, in the order of spelling
from fractions import Fraction


def best_merge(splits):
    def n(*run):
        total = 0
        for word, count in splits.items():
            total += count * sum(word[i : i + len(run)] == run for i in range(len(word)))
        return total

    candidates = sorted({two for word in splits for two in zip(word, word[1:])})
    if not candidates:
        return None
    return max(candidates, key=lambda two: Fraction(n(*two), n(two[0]) * n(two[1])))


# %% right: cross_multiplied — Scores compared by products of whole numbers
from collections import defaultdict


def best_merge(splits):
    n = defaultdict(int)
    for word, count in splits.items():
        for place in range(len(word)):
            n[word[place : place + 1]] += count
            if place:
                n[word[place - 1 : place + 1]] += count
    best = None
    for two in (key for key in n if len(key) == 2):
        if best is None:
            best = two
            continue
        mine = n[two] * n[best[:1]] * n[best[1:]]
        theirs = n[best] * n[two[:1]] * n[two[1:]]
        if mine > theirs or (mine == theirs and two < best):
            best = two
    return best


# %% right: logarithms — Sums of logarithms, rounded before they are compared
from collections import Counter
from math import log


def best_merge(splits):
    alone = Counter(p for word, count in splits.items() for p in word for _ in range(count))
    both = Counter(two for word, count in splits.items() for two in zip(word, word[1:]) for _ in range(count))
    scores = {two: round(log(n) - log(alone[two[0]]) - log(alone[two[1]]), 9) for two, n in both.items()}
    return min((two for two in scores if scores[two] == max(scores.values())), default=None)


# %% wrong: most_frequent — The most frequent pair, as BPE takes it
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two], two))


# %% wrong: sum_for_product — Divided by a sum
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] + alone[two[1]]), two))


# %% wrong: first_alone — The share of the first piece, a conditional probability
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / alone[two[0]], two))


# %% wrong: second_alone — The share of the second piece
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / alone[two[1]], two))


# %% wrong: words_once — Each word counted once for its pieces
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += 1
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: pairs_once — Each word counted once for its pairs
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += 1
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: all_once — How often words occur is not looked at
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += 1
        for two in zip(word, word[1:]):
            both[two] += 1
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: once_a_word — A piece that comes twice in a word counted once
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in set(word):
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: pairs_once_a_word — A pair that comes twice in a word counted once
# fails: the_counts_are_of_the_text
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in set(zip(word, word[1:])):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: the_worst — The smallest score
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: first_seen — Of equal scores the one that was seen first
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]),))


# %% wrong: last_by_spelling — Of equal scores the last by spelling
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return max(both, key=lambda two: (both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: joined_spelling — Of equal scores the first by the new piece's spelling
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), (two[0] + two[1]).replace("#", "")))


# %% wrong: by_the_second — Of equal scores the first by the second piece
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two[::-1]))


# %% wrong: most_frequent_of_equal — Of equal scores the more frequent pair
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), -both[two], two))


# %% wrong: merged_piece — The new piece, not the pair
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return "".join(min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))).replace("##", "", 1)


# %% wrong: words_of_one_left_out — Words of one piece add nothing
# fails: words_without_a_pair_count_too
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word if len(word) > 1 else ():
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: beginnings_and_ends — The first piece counted where a pair begins, the second where one ends
# fails: words_without_a_pair_count_too
from collections import Counter


def best_merge(splits):
    first, second, both = Counter(), Counter(), Counter()
    for word, count in splits.items():
        for a, b in zip(word, word[1:]):
            first[a] += count
            second[b] += count
            both[a, b] += count
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (first[two[0]] * second[two[1]]), two))


# %% wrong: no_overlap — Pairs that overlap are counted once
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        place = 0
        while place + 1 < len(word):
            both[word[place : place + 2]] += count
            place += 2 if word[place : place + 1] == word[place + 1 : place + 2] else 1
    if not both:
        return None
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: empty_tuple — An empty pair where there is none
# fails: words_without_a_pair_count_too
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return ()
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: raises — An error where there is no pair
# fails: words_without_a_pair_count_too
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    return min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two))


# %% wrong: a_list — A list of two
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return list(min(both, key=lambda two: (-both[two] / (alone[two[0]] * alone[two[1]]), two)))


# %% wrong: whole_division — Divided without a remainder
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    alone, both = Counter(), Counter()
    for word, count in splits.items():
        for piece in word:
            alone[piece] += count
        for two in zip(word, word[1:]):
            both[two] += count
    if not both:
        return None
    return min(both, key=lambda two: (-10 * both[two] // (alone[two[0]] * alone[two[1]]), two))


# %% wrong: by_merged_name — Pairs that make the same piece are counted together
# fails: other_words_and_counts
from collections import Counter


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    made = Counter()
    for (a, b), n in two.items():
        made[a + b[2:]] += n
    return min(two, key=lambda p: (-made[p[0] + p[1][2:]] / (one[p[0]] * one[p[1]]), p), default=None)


# %% wrong: float32 — Float32 scores: near ones are called equal
# fails: equal_scores_go_by_spelling
from collections import Counter
import torch


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    if not two:
        return None
    pairs = sorted(two)
    s = torch.tensor([two[p] for p in pairs], dtype=torch.float32) / torch.tensor(
        [one[p[0]] * one[p[1]] for p in pairs], dtype=torch.float32
    )
    return pairs[s.tolist().index(s.max().item())]


# %% wrong: logs — A difference of logarithms, equal scores come apart
# fails: equal_scores_go_by_spelling
from collections import Counter
import math


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    return min(two, key=lambda p: (-(math.log(two[p]) - math.log(one[p[0]]) - math.log(one[p[1]])), p), default=None)


# %% wrong: inverse_twice — Min of n(a) n(b) / n(ab) as floats in two steps (n(a)/n(ab) * n(b))
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    return min(two, key=lambda p: (one[p[0]] / two[p] * one[p[1]], p), default=None)


# %% wrong: stripped — Ties compared without the ##
# fails: ties_and_nothing_to_merge
from collections import Counter


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    bare = lambda s: s.removeprefix("##")
    return min(two, key=lambda p: (-two[p] / (one[p[0]] * one[p[1]]), bare(p[0]), bare(p[1])), default=None)


# %% wrong: rounded — Scores rounded to six places
# fails: equal_scores_go_by_spelling
from collections import Counter


def best_merge(splits):
    one, two = Counter(), Counter()
    for w, n in splits.items():
        for p in w:
            one[p] += n
        for ab in zip(w, w[1:]):
            two[ab] += n
    return min(two, key=lambda p: (-round(two[p] / (one[p[0]] * one[p[1]]), 6), p), default=None)


# %% wrong: divided_twice — A dictionary of scores, divided twice
# fails: ties_and_nothing_to_merge
def best_merge(splits):
    single, double = {}, {}
    for word, count in splits.items():
        for i, piece in enumerate(word):
            single[piece] = single.get(piece, 0) + count
            if i + 1 < len(word):
                double[piece, word[i + 1]] = double.get((piece, word[i + 1]), 0) + count
    best, top = None, 0.0
    for (a, b), n in sorted(double.items()):
        score = n / single[a] / single[b]
        if score > top:
            best, top = (a, b), score
    return best
