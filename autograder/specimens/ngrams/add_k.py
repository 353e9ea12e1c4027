# Answers to 1.5, add-k. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: one_formula — The formula serves the unseen context, too
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size)


# %% right: three_cases — Unseen context, unseen word, seen word
def add_k(counts, context, word, k, vocab_size):
    if context not in counts:
        return 1 / vocab_size
    total = 0
    for c in counts[context].values():
        total += c
    if word not in counts[context]:
        return k / (total + k * vocab_size)
    return (counts[context][word] + k) / (total + k * vocab_size)


# %% right: a_mixture — A mixture of the shares and the uniform
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    total = sum(row.values())
    trust = total / (total + k * vocab_size)
    share = row.get(word, 0) / total if total else 0.0
    return trust * share + (1 - trust) / vocab_size


# %% right: counter_and_tensor — A Counter and a tensor of no dimension
from collections import Counter

import torch


def add_k(counts, context, word, k, vocab_size):
    row = Counter(counts.get(context, {}))
    above = torch.tensor(row[word] + k, dtype=torch.float64)
    return above / (row.total() + k * vocab_size)


# %% right: exact_fractions — Exact fractions, turned into a float
from fractions import Fraction


def add_k(counts, context, word, k, vocab_size):
    k, row = Fraction(k), counts.get(context, {})
    return float((row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size))


# %% wrong: k_above_only — Adds k to the numerator alone
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    total = sum(row.values())
    return (row.get(word, 0) + k) / total if total else 1 / vocab_size


# %% wrong: k_once_below — Adds k to the denominator once
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k)


# %% wrong: v_without_k — Adds V, not k times V
# fails: it_sums_to_one_over_the_vocabulary, other_counts_are_smoothed
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + vocab_size)


# %% wrong: always_one — Adds one, whatever k is
# fails: k_leads_from_the_counts_to_the_uniform, other_counts_are_smoothed
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + 1) / (sum(row.values()) + vocab_size)


# %% wrong: v_of_seen_words — Counts the words seen after the context instead of V
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    if not row:
        return 1 / vocab_size
    return (row.get(word, 0) + k) / (sum(row.values()) + k * len(row))


# %% wrong: unseen_words_get_nothing — Smooths only what was seen
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    if row and word not in row:
        return 0.0
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size)


# %% wrong: crashes_on_unseen_word — An unseen word raises KeyError
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row[word] + k) / (sum(row.values()) + k * vocab_size)


# %% wrong: crashes_on_unseen_context — An unseen context raises KeyError
# fails: a_context_never_seen_is_uniform, contexts_never_seen_of_any_length
def add_k(counts, context, word, k, vocab_size):
    row = counts[context]
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size)


# %% wrong: zero_after_unseen_context — An unseen context gives zero
# fails: a_context_never_seen_is_uniform
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context)
    if row is None:
        return 0.0
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size)


# %% wrong: total_of_the_whole_text — Divides by all windows instead of the context's
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    total = sum(sum(r.values()) for r in counts.values())
    return (row.get(word, 0) + k) / (total + k * vocab_size)


# %% wrong: integer_division — Divides with //
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) // (sum(row.values()) + k * vocab_size)


# %% wrong: precedence — Forgets the brackets of the numerator
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context, {})
    return row.get(word, 0) + k / (sum(row.values()) + k * vocab_size)


# %% wrong: always_uniform — 1/V for everything
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    return 1 / vocab_size


# %% wrong: the_ending_will_do — A context never seen is shortened until one was
# fails: contexts_never_seen_of_any_length
def add_k(counts, context, word, k, vocab_size):
    known = next((context[i:] for i in range(len(context) + 1) if context[i:] in counts), None)
    row = counts.get(known, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocab_size)


# %% wrong: its_own_vocabulary — Counts the words of the table instead of V
# fails: every_word_gets_one_more
def add_k(counts, context, word, k, vocab_size):
    row = counts.get(context)
    if row is None:
        return 1 / vocab_size
    words = {w for followers in counts.values() for w in followers}
    return (row.get(word, 0) + k) / (sum(row.values()) + k * len(words))
