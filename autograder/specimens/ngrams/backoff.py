# Answers to 1.9, the mended model. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: three_cases — Unknown context, seen pair, unseen pair
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,))
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    alpha = d * len(row) / total / sum(p for w, p in unigram.items() if w not in row)
    return alpha * unigram[word]


# %% right: mass_by_subtraction — What the seen words leave of one, shared among the others
def backoff(bigrams, unigram, prev, word, d):
    if (prev,) not in bigrams:
        return unigram[word]
    row = bigrams[(prev,)]
    total = sum(row.values())
    kept = {w: (c - d) / total for w, c in row.items()}
    if word in kept:
        return kept[word]
    left = 1 - sum(kept.values())
    unseen = set(unigram) - set(row)
    return left * unigram[word] / sum(unigram[w] for w in unseen)


# %% right: whole_distribution — Builds the distribution over all words and looks one up
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if row:
        total = sum(row.values())
        weights = {w: p for w, p in unigram.items() if w not in row}
        scale = d * len(row) / total / sum(weights.values()) if weights else 0.0
        table = {w: (c - d) / total for w, c in row.items()} | {w: scale * p for w, p in weights.items()}
    else:
        table = unigram
    return table[word]


# %% right: tensors — A mask of seen words, with torch in float64
import torch


def backoff(bigrams, unigram, prev, word, d):
    words = list(unigram)
    row = bigrams.get((prev,), {})
    c = torch.tensor([row.get(w, 0) for w in words], dtype=torch.float64)
    p = torch.tensor([unigram[w] for w in words], dtype=torch.float64)
    if c.sum() == 0:
        return unigram[word]
    seen = c > 0
    free = torch.where(seen, 0.0, p)
    taken = d * seen.sum() / c.sum()
    return torch.where(seen, (c - d) / c.sum(), taken * free / free.sum())[words.index(word)].item()


# %% wrong: no_discount — The classmate's model: seen pairs keep all, unseen ones get the unigram
# fails: a_seen_pair_pays_the_discount, unseen_words_share_the_rest
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    return row[word] / sum(row.values()) if word in row else unigram[word]


# %% wrong: no_normalising — Hands out the unigram without normalising it over the unseen words
# fails: unseen_words_share_the_rest, other_texts_back_off
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word]


# %% wrong: normalised_over_all — Divides by the sum over all words
# fails: unseen_words_share_the_rest, other_texts_back_off
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(unigram.values())


# %% wrong: normalised_over_the_seen — Divides by the sum over the words that were seen
# fails: unseen_words_share_the_rest
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w in row)


# %% wrong: equal_shares — Shares what was taken equally among the unseen words
# fails: unseen_words_share_the_rest
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total / (len(unigram) - len(row))


# %% wrong: discount_forgotten — Shares out what it never took
# fails: a_seen_pair_pays_the_discount
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return row[word] / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: kinds_forgotten — Shares out the discount of one pair
# fails: unseen_words_share_the_rest
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: discount_from_the_share — Takes d from the probability, not from the count
# fails: a_seen_pair_pays_the_discount
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return row[word] / total - d
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: interpolates — Adds the shorter context for seen words, too
# fails: a_seen_pair_pays_the_discount
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * unigram[word]


# %% wrong: alpha_too_early — Computes α before it is needed, and divides by zero when no word is unseen
# fails: a_context_that_every_word_has_followed
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    alpha = d * len(row) / total / sum(p for w, p in unigram.items() if w not in row)
    return (row[word] - d) / total if word in row else alpha * unigram[word]


# %% wrong: crashes_on_unseen — An unknown prev raises KeyError
# fails: after_an_unknown_context_the_unigram_speaks
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams[(prev,)]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: discounts_the_unknown_context — Multiplies the unigram by d after an unknown prev
# fails: after_an_unknown_context_the_unigram_speaks
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return d * unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: unigram_alone — Never looks at the context
# fails: a_seen_pair_pays_the_discount, unseen_words_share_the_rest
def backoff(bigrams, unigram, prev, word, d):
    return unigram[word]


# %% wrong: nothing_left_is_never_seen — With d = 1 what came once is taken for unseen
# fails: the_mended_model_sums_to_one, other_texts_back_off
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    own = (row.get(word, 0) - d) / total
    if own > 0:
        return own
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: no_discount_is_the_usual_one — `d or 0.75`
# fails: other_texts_back_off
def backoff(bigrams, unigram, prev, word, d):
    d = d or 0.75
    row = bigrams.get((prev,), {})
    if not row:
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: zero_is_no_context — `if not prev` takes 0 and "" for no word at all
# fails: zero_and_the_empty_word_back_off_too
def backoff(bigrams, unigram, prev, word, d):
    if not prev or (prev,) not in bigrams:
        return unigram[word]
    row = bigrams[(prev,)]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)


# %% wrong: no_discount_is_the_shortcut — With d = 0 the unseen words get their unigram for nothing
# fails: the_mended_model_sums_to_one
def backoff(bigrams, unigram, prev, word, d):
    row = bigrams.get((prev,), {})
    if not row or (d == 0 and word not in row):
        return unigram[word]
    total = sum(row.values())
    if word in row:
        return (row[word] - d) / total
    return d * len(row) / total * unigram[word] / sum(p for w, p in unigram.items() if w not in row)
