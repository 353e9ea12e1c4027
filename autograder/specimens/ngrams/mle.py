# Answers to 1.2, maximum likelihood. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: shares_of_the_row — Each count by the sum of its row
def mle(counts, context):
    if context not in counts:
        return {}
    total = sum(counts[context].values())
    return {word: c / total for word, c in counts[context].items()}


# %% right: counter_total — A Counter and its total
from collections import Counter


def mle(counts, context):
    row = Counter(counts.get(context))
    probabilities = {}
    for word in row:
        probabilities[word] = row[word] / row.total()
    return probabilities


# %% right: in_logarithms — Differences of logarithms, undone at the end
import math


def mle(counts, context):
    row = counts.get(context, {})
    log_total = math.log(sum(row.values())) if row else 0.0
    return {word: math.exp(math.log(c) - log_total) for word, c in row.items()}


# %% right: a_tensor_normalised — A tensor, divided by its sum
import torch


def mle(counts, context):
    try:
        row = counts[context]
    except KeyError:
        return {}
    c = torch.tensor(list(row.values()), dtype=torch.float64)
    return dict(zip(row, c / c.sum()))


# %% right: fractions_to_floats — Exact fractions first
from fractions import Fraction


def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values())
    return {word: float(Fraction(c, total)) for word, c in row.items()}


# %% wrong: crashes_on_unseen — An unseen context raises KeyError
# fails: a_context_never_seen_says_nothing
def mle(counts, context):
    total = sum(counts[context].values())
    return {word: c / total for word, c in counts[context].items()}


# %% wrong: integer_division — Divides with //
# fails: three_of_four_are_three_quarters, what_follows_a_context_sums_to_one
def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values())
    return {word: c // total for word, c in row.items()}


# %% wrong: total_of_the_whole_text — Divides by the number of all windows: P(context, word)
# fails: three_of_four_are_three_quarters, what_follows_a_context_sums_to_one
def mle(counts, context):
    total = sum(sum(row.values()) for row in counts.values())
    return {word: c / total for word, c in counts.get(context, {}).items()}


# %% wrong: number_of_kinds — Divides by how many different words followed
# fails: three_of_four_are_three_quarters, what_follows_a_context_sums_to_one
def mle(counts, context):
    row = counts.get(context, {})
    return {word: c / len(row) for word, c in row.items()}


# %% wrong: all_equal — Every word that followed gets the same share
# fails: three_of_four_are_three_quarters, other_counts_become_probabilities
def mle(counts, context):
    row = counts.get(context, {})
    return {word: 1 / len(row) for word in row}


# %% wrong: counts_not_probabilities — Returns the counts
# fails: three_of_four_are_three_quarters, what_follows_a_context_sums_to_one
def mle(counts, context):
    return counts.get(context, {})


# %% wrong: add_one_already — Smooths, which nobody asked for yet
# fails: three_of_four_are_three_quarters, other_counts_become_probabilities
def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values()) + len(row)
    return {word: (c + 1) / total for word, c in row.items()}


# %% wrong: uniform_after_unseen — Invents an estimate for an unseen context
# fails: a_context_never_seen_says_nothing
def mle(counts, context):
    words = {word for row in counts.values() for word in row}
    row = counts.get(context, dict.fromkeys(words, 1))
    total = sum(row.values())
    return {word: c / total for word, c in row.items()}


# %% wrong: none_after_unseen — Returns None for an unseen context
# fails: a_context_never_seen_says_nothing
def mle(counts, context):
    if context in counts:
        total = sum(counts[context].values())
        return {word: c / total for word, c in counts[context].items()}


# %% wrong: the_whole_vocabulary — Adds unseen words with probability zero
# fails: three_of_four_are_three_quarters, what_follows_a_context_sums_to_one
def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values())
    words = {word for r in counts.values() for word in r}
    return {word: row.get(word, 0) / total for word in words} if row else {}


# %% wrong: only_the_best — Gives the most probable word alone
# fails: three_of_four_are_three_quarters
def mle(counts, context):
    row = counts.get(context, {})
    if not row:
        return {}
    best = max(row, key=row.get)
    return {best: row[best] / sum(row.values())}


# %% wrong: rounds — Rounds to two digits
# fails: other_counts_become_probabilities
def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values())
    return {word: round(c / total, 2) for word, c in row.items()}


# %% wrong: the_ten_most_frequent — What follows seldom is left out
# fails: other_counts_become_probabilities
def mle(counts, context):
    row = counts.get(context, {})
    total = sum(row.values())
    return {symbol: row[symbol] / total for symbol in sorted(row, key=row.get)[-10:]}


# %% wrong: the_ending_will_do — A context never seen is shortened until one was
# fails: never_seen_contexts_of_any_length_say_nothing
def mle(counts, context):
    while context and context not in counts:
        context = context[1:]
    row = counts.get(context, {})
    return {symbol: times / sum(row.values()) for symbol, times in row.items()}


# %% wrong: all_that_end_alike — Adds up the rows of all contexts that end as this one does
# fails: never_seen_contexts_of_any_length_say_nothing
from collections import Counter


def mle(counts, context):
    row = Counter()
    for other, followers in counts.items():
        if other[len(other) - len(context) :] == context:
            row.update(followers)
    return {symbol: times / row.total() for symbol, times in row.items()}


# %% wrong: all_rows_for_the_empty_context — () is answered by the whole table
# fails: never_seen_contexts_of_any_length_say_nothing
from collections import Counter


def mle(counts, context):
    row = Counter(counts.get(context, {}))
    if not context and context not in counts:
        for followers in counts.values():
            row.update(followers)
    return {symbol: times / row.total() for symbol, times in row.items()}
