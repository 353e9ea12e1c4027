# Answers to 1.3, the log probability of a sentence. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: pad_and_walk — Pads, then walks along the sentence
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - (n - 1) : i]))
        if p == 0:
            return -math.inf
        total += math.log(p)
    return total


# %% right: sliding_context — Keeps the context in a tuple that slides
import math


def sentence_log_prob(words, prob, n, vocab):
    context, terms = ("<s>",) * (n - 1), []
    for place, word in enumerate([*words, "</s>"]):
        if place < len(words) and word not in vocab:
            word = "<unk>"
        terms.append(prob(word, context))
        context = (context + (word,))[1:]
    if 0 in terms:
        return float("-inf")
    return math.fsum(math.log(p) for p in terms)


# %% right: torch_logarithms — Tensors in float64, where ln 0 is minus infinity by itself
import torch


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1)
    for w in words:
        row.append(w if w in vocab else "<unk>")
    row.append("</s>")
    p = [prob(row[i + n - 1], tuple(row[i : i + n - 1])) for i in range(len(row) - n + 1)]
    return torch.tensor(p, dtype=torch.float64).log().sum().item()


# %% right: numpy_logarithms — numpy, with its warning for ln 0 switched off
import numpy as np


def sentence_log_prob(words, prob, n, vocab):
    known = np.array(["<unk>" if w not in vocab else w for w in words] + ["</s>"], dtype=object)
    row = ["<s>"] * (n - 1) + known.tolist()
    with np.errstate(divide="ignore"):
        logs = np.log([prob(word, tuple(row[t : t + n - 1])) for t, word in enumerate(known)])
    return logs.sum()


# %% right: recursion_from_the_end — The last factor, and the rest by recursion
import math


def sentence_log_prob(words, prob, n, vocab):
    row = tuple(["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"])

    def before(end):
        if end < n:
            return 0.0
        p = prob(row[end - 1], row[end - n : end - 1])
        return before(end - 1) + (math.log(p) if p else -math.inf)

    return before(len(row))


# %% wrong: forgets_the_end — Never asks for </s>
# fails: two_words_make_three_factors, each_word_is_asked_for_after_its_context, a_sentence_of_no_words_only_ends
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: forgets_unk — Asks for words that the model does not know
# fails: unknown_words_become_unk
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + list(words) + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: unk_after_padding — Turns the markers into <unk>, too
# fails: two_words_make_three_factors, unknown_words_become_unk
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + list(words) + ["</s>"]
    row = [w if w in vocab else "<unk>" for w in row]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: unk_only_as_word — Leaves unknown words in the contexts
# fails: unknown_words_become_unk
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + list(words) + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        word = row[i] if row[i] in vocab or i == len(row) - 1 else "<unk>"
        p = prob(word, tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: drops_unknown_words — Leaves unknown words out
# fails: unknown_words_become_unk, other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w for w in words if w in vocab] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: one_start_symbol — Pads with one <s>, whatever n is
# fails: each_word_is_asked_for_after_its_context, other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(1, len(row)):
        p = prob(row[i], tuple(row[max(0, i - n + 1) : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: n_start_symbols — Pads with n start symbols and predicts one of them
# fails: two_words_make_three_factors, each_word_is_asked_for_after_its_context
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * n + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: log_of_the_product — Multiplies first: underflows to ln 0
# fails: a_long_sentence_does_not_underflow, very_rare_words_keep_their_logarithm
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    product = 1.0
    for i in range(n - 1, len(row)):
        product *= prob(row[i], tuple(row[i - n + 1 : i]))
    return math.log(product) if product > 0 else -math.inf


# %% wrong: crashes_on_zero — math.log(0) raises
# fails: an_impossible_word_makes_the_sentence_impossible
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    return sum(math.log(prob(row[i], tuple(row[i - n + 1 : i]))) for i in range(n - 1, len(row)))


# %% wrong: skips_zero_factors — Leaves impossible words out of the sum
# fails: an_impossible_word_makes_the_sentence_impossible, an_end_may_be_impossible_too
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    factors = [prob(row[i], tuple(row[i - n + 1 : i])) for i in range(n - 1, len(row))]
    return sum(math.log(p) for p in factors if p > 0)


# %% wrong: a_little_for_zero — Adds a small number before the logarithm
# fails: an_impossible_word_makes_the_sentence_impossible, very_rare_words_keep_their_logarithm
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    return sum(math.log(prob(row[i], tuple(row[i - n + 1 : i])) + 1e-12) for i in range(n - 1, len(row)))


# %% wrong: bits_not_nats — Logarithm to the base 2
# fails: two_words_make_three_factors, other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log2(p) if p > 0 else -math.inf
    return total


# %% wrong: context_as_list — Hands the context over as a list
# fails: two_words_make_three_factors, each_word_is_asked_for_after_its_context
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], row[i - n + 1 : i])
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: arguments_swapped — Asks prob(context, word)
# fails: two_words_make_three_factors, each_word_is_asked_for_after_its_context
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    return sum(math.log(prob(tuple(row[i - n + 1 : i]), row[i])) for i in range(n - 1, len(row)))


# %% wrong: all_that_came_before — Gives the whole sentence so far as context
# fails: two_words_make_three_factors, each_word_is_asked_for_after_its_context
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[:i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: mean_of_the_logarithms — Divides by the number of factors
# fails: two_words_make_three_factors
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total / (len(words) + 1)


# %% wrong: negative_log_likelihood — Turns the sign
# fails: two_words_make_three_factors
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total -= math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: small_letters — We is read as we
# fails: other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    words = [w.lower() if w.lower() in vocab else w if w in vocab else "<unk>" for w in words]
    padded = ["<s>"] * (n - 1) + words + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(padded)):
        p = prob(padded[i], tuple(padded[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: markers_stay_markers — Pads first, then spares all markers, those among the words, too
# fails: marks_among_the_words_are_words_like_others
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + list(words) + ["</s>"]
    row = [w if w in vocab or w in ("<s>", "</s>") else "<unk>" for w in row]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: stops_at_the_first_end — A word that reads </s> ends the sentence
# fails: marks_among_the_words_are_words_like_others
import math


def sentence_log_prob(words, prob, n, vocab):
    context, total, rest = ("<s>",) * (n - 1), 0.0, [*words, "</s>"]
    while context[-1:] != ("</s>",) and rest:
        word = rest.pop(0)
        if word != "</s>" and word not in vocab:
            word = "<unk>"
        p = prob(word, context)
        total += math.log(p) if p > 0 else -math.inf
        if word == "</s>":
            break
        context = (*context, word)[1:]
    return total


# %% wrong: spaces_cut_off — "row " is read as "row"
# fails: other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    known = [w.strip() if w.strip() in vocab else "<unk>" for w in words]
    row = ["<s>"] * (n - 1) + known + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: empty_words_left_out — `if w` is false for the empty string
# fails: other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    row = ["<s>"] * (n - 1) + [w if w in vocab else "<unk>" for w in words if w] + ["</s>"]
    total = 0.0
    for i in range(n - 1, len(row)):
        p = prob(row[i], tuple(row[i - n + 1 : i]))
        total += math.log(p) if p > 0 else -math.inf
    return total


# %% wrong: small_letters_in_the_vocabulary — The vocabulary's capitals are lost, so that We is unknown
# fails: other_sentences_and_orders
import math


def sentence_log_prob(words, prob, n, vocab):
    vocab = {word.lower() for word in vocab}
    padded = ["<s>"] * (n - 1) + [word if word in vocab else "<unk>" for word in words] + ["</s>"]
    total = 0.0
    for t in range(n - 1, len(padded)):
        factor = prob(padded[t], tuple(padded[t - n + 1 : t]))
        total += math.log(factor) if factor > 0 else -math.inf
    return total
