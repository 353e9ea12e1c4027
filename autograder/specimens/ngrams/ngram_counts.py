# Answers to 1.1, counting. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: windows_by_slicing — A loop over the windows
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        context, symbol = tuple(tokens[i : i + n - 1]), tokens[i + n - 1]
        if context not in counts:
            counts[context] = {}
        if symbol not in counts[context]:
            counts[context][symbol] = 0
        counts[context][symbol] += 1
    return counts


# %% right: defaultdict_of_counters — A defaultdict of Counters, returned as it is
from collections import Counter, defaultdict


def ngram_counts(tokens, n):
    counts = defaultdict(Counter)
    for gram in zip(*[tokens[i:] for i in range(n)]):
        counts[gram[:-1]][gram[-1]] += 1
    return counts


# %% right: counter_of_windows — One Counter of whole windows, taken apart at the end
from collections import Counter


def ngram_counts(tokens, n):
    windows = Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    table = {}
    for window, times in windows.items():
        table.setdefault(window[:-1], {})[window[-1]] = times
    return table


# %% right: sliding_deque — A queue that keeps the last n symbols
from collections import deque


def ngram_counts(tokens, n):
    counts, window = {}, deque(maxlen=n)
    for token in tokens:
        window.append(token)
        if len(window) == n:
            *context, last = window
            row = counts.setdefault(tuple(context), dict())
            row[last] = row.get(last, 0) + 1
    return counts


# %% right: numpy_ids — Ids and numpy's unique rows
import numpy as np


def ngram_counts(tokens, n):
    symbols = list(dict.fromkeys(tokens))
    if len(tokens) < n:
        return {}
    ids = np.array([symbols.index(token) for token in tokens])
    grams, times = np.unique(np.lib.stride_tricks.sliding_window_view(ids, n), axis=0, return_counts=True)
    counts = {}
    for gram, c in zip(grams, times):
        *context, symbol = (symbols[i] for i in gram)
        counts.setdefault(tuple(context), {})[symbol] = int(c)
    return counts


# %% wrong: misses_the_last_window — Stops one window too early
# fails: pairs_are_counted, windows_of_three_overlap, every_window_is_counted_once
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n):
        context, symbol = tuple(tokens[i : i + n - 1]), tokens[i + n - 1]
        counts.setdefault(context, {}).setdefault(symbol, 0)
        counts[context][symbol] += 1
    return counts


# %% wrong: runs_past_the_end — Counts shortened windows at the end
# fails: pairs_are_counted, every_window_is_counted_once
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens)):
        *context, symbol = tokens[i : i + n]
        row = counts.setdefault(tuple(context), {})
        row[symbol] = row.get(symbol, 0) + 1
    return counts


# %% wrong: contexts_are_lists — Uses a list as a key
# fails: pairs_are_counted, windows_of_three_overlap
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        context = tokens[i : i + n - 1]
        if context not in counts:
            counts[context] = {}
        counts[context][tokens[i + n - 1]] = counts[context].get(tokens[i + n - 1], 0) + 1
    return counts


# %% wrong: contexts_are_strings — Joins the context to one string
# fails: pairs_are_counted, one_symbol_has_the_empty_context
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        context = " ".join(tokens[i : i + n - 1])
        row = counts.setdefault(context, {})
        row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return counts


# %% wrong: bare_symbol_for_pairs — The context of a pair is the bare word, not a tuple of one
# fails: pairs_are_counted, every_window_is_counted_once
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        context = tuple(tokens[i : i + n - 1])
        if n == 2:
            context = context[0]
        row = counts.setdefault(context, {})
        row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return counts


# %% wrong: unigrams_without_context — For n = 1 returns the plain counts of symbols
# fails: one_symbol_has_the_empty_context
from collections import Counter


def ngram_counts(tokens, n):
    if n == 1:
        return Counter(tokens)
    counts = {}
    for i in range(len(tokens) - n + 1):
        row = counts.setdefault(tuple(tokens[i : i + n - 1]), Counter())
        row[tokens[i + n - 1]] += 1
    return counts


# %% wrong: context_of_n_symbols — Takes n symbols as context instead of n - 1
# fails: pairs_are_counted, one_symbol_has_the_empty_context
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n):
        row = counts.setdefault(tuple(tokens[i : i + n]), {})
        row[tokens[i + n]] = row.get(tokens[i + n], 0) + 1
    return counts


# %% wrong: windows_side_by_side — Windows that do not overlap
# fails: pairs_are_counted, windows_of_three_overlap
def ngram_counts(tokens, n):
    counts = {}
    for i in range(0, len(tokens) - n + 1, n):
        row = counts.setdefault(tuple(tokens[i : i + n - 1]), {})
        row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return counts


# %% wrong: seen_or_not — Notes that a pair was seen, not how often
# fails: pairs_are_counted, windows_of_three_overlap
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        counts.setdefault(tuple(tokens[i : i + n - 1]), {})[tokens[i + n - 1]] = 1
    return counts


# %% wrong: flat_counter — Counts whole windows without splitting off the context
# fails: pairs_are_counted
from collections import Counter


def ngram_counts(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


# %% wrong: one_table_for_all_calls — A default argument keeps the counts of the last call
# fails: a_second_text_starts_from_zero
def ngram_counts(tokens, n, counts={}):
    for i in range(len(tokens) - n + 1):
        row = counts.setdefault(tuple(tokens[i : i + n - 1]), {})
        row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return counts


# %% wrong: skips_falsy_symbols — Leaves out symbols that Python takes for false
# fails: empty_and_zero_are_symbols_too
def ngram_counts(tokens, n):
    counts = {}
    for i in range(len(tokens) - n + 1):
        symbol = tokens[i + n - 1]
        if symbol:
            row = counts.setdefault(tuple(tokens[i : i + n - 1]), {})
            row[symbol] = row.get(symbol, 0) + 1
    return counts


# %% wrong: counted_in_a_byte — The 256th time is the 0th
# fails: other_texts_are_counted
import numpy as np


def ngram_counts(tokens, n):
    table = {}
    for i in range(len(tokens) - n + 1):
        row = table.setdefault(tuple(tokens[i : i + n - 1]), {})
        row[tokens[i + n - 1]] = (row.get(tokens[i + n - 1], 0) + 1) % 256
    return {context: {s: int(np.uint8(times)) for s, times in row.items()} for context, row in table.items()}


# %% wrong: small_letters — The and the are one word
# fails: each_symbol_is_counted_as_it_stands
def ngram_counts(tokens, n):
    tokens = [t.lower() if isinstance(t, str) else t for t in tokens]
    table = {}
    for i in range(len(tokens) - n + 1):
        row = table.setdefault(tuple(tokens[i : i + n - 1]), {})
        row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return table


# %% wrong: remembered_by_length — Two texts of one length are taken for the same
# fails: a_second_text_starts_from_zero
known = {}


def ngram_counts(tokens, n):
    if (len(tokens), n) not in known:
        table = known[len(tokens), n] = {}
        for i in range(len(tokens) - n + 1):
            row = table.setdefault(tuple(tokens[i : i + n - 1]), {})
            row[tokens[i + n - 1]] = row.get(tokens[i + n - 1], 0) + 1
    return known[len(tokens), n]


# %% wrong: spaces_cut_off — A word and the same word with a space behind it are one
# fails: each_symbol_is_counted_as_it_stands
def ngram_counts(tokens, n):
    clean = [token.strip() if isinstance(token, str) else token for token in tokens]
    table = {}
    for start in range(len(clean) - n + 1):
        *before, last = clean[start : start + n]
        row = table.setdefault(tuple(before), {})
        row[last] = row.get(last, 0) + 1
    return table


# %% wrong: letters_that_look_alike — Unicode's normal form makes one symbol of several
# fails: each_symbol_is_counted_as_it_stands
import unicodedata


def ngram_counts(tokens, n):
    normal = [unicodedata.normalize("NFKC", t) if isinstance(t, str) else t for t in tokens]
    table = {}
    for start in range(len(normal) - n + 1):
        *before, last = normal[start : start + n]
        row = table.setdefault(tuple(before), {})
        row[last] = row.get(last, 0) + 1
    return table


# %% wrong: all_symbols_become_strings — 0 and "0", None and "None" are one
# fails: empty_and_zero_are_symbols_too
def ngram_counts(tokens, n):
    written = [str(token) for token in tokens]
    table = {}
    for start in range(len(written) - n + 1):
        *before, last = written[start : start + n]
        row = table.setdefault(tuple(before), {})
        row[last] = row.get(last, 0) + 1
    return table
