# Answers to 1.8, the diagnosis of a broken model. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: loop_over_contexts — A loop, a sum, a comparison
def diagnose(prob, contexts, vocab):
    wrong = {}
    for context in contexts:
        total = sum(prob(word, context) for word in vocab)
        if abs(total - 1) > 1e-6:
            wrong[context] = total
    return wrong


# %% right: math_isclose — math.isclose and math.fsum
import math


def diagnose(prob, contexts, vocab):
    totals = {context: math.fsum(prob(word, context) for word in vocab) for context in contexts}
    return {c: t for c, t in totals.items() if not math.isclose(t, 1, rel_tol=0, abs_tol=1e-6)}


# %% right: a_matrix — A matrix of probabilities, summed along its rows, with torch
import torch


def diagnose(prob, contexts, vocab):
    rows = [[prob(word, context) for word in vocab] for context in contexts]
    totals = torch.tensor(rows, dtype=torch.float64).sum(1)
    off = (totals - 1).abs() > 1e-6
    return {context: total.item() for context, total, bad in zip(contexts, totals, off) if bad}


# %% right: numpy_rows — numpy, and the words in a set
import numpy as np


def diagnose(prob, contexts, vocab):
    sick = dict()
    for context in contexts:
        mass = np.array([prob(word, context) for word in set(vocab)]).sum()
        if not 1 - 1e-6 <= mass <= 1 + 1e-6:
            sick[context] = mass
    return sick


# %% wrong: exact_comparison — Compares with != 1, so rounding counts as a mistake
# fails: rounding_is_no_mistake, near_misses_are_told_apart
def diagnose(prob, contexts, vocab):
    wrong = {}
    for context in contexts:
        total = sum(prob(word, context) for word in vocab)
        if total != 1:
            wrong[context] = total
    return wrong


# %% wrong: only_too_much — Looks for masses above one alone
# fails: wrong_contexts_are_found, other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if total > 1 + 1e-6}


# %% wrong: only_too_little — Looks for masses below one alone
# fails: wrong_contexts_are_found, other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if total < 1 - 1e-6}


# %% wrong: the_sound_ones — Returns the contexts that do sum to one
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) <= 1e-6}


# %% wrong: every_context — Returns all masses
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    return {context: sum(prob(word, context) for word in vocab) for context in contexts}


# %% wrong: the_gap_not_the_mass — Returns by how much the mass is off
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    wrong = {}
    for context in contexts:
        total = sum(prob(word, context) for word in vocab)
        if abs(total - 1) > 1e-6:
            wrong[context] = abs(total - 1)
    return wrong


# %% wrong: names_without_masses — Returns a list of contexts
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    return [context for context in contexts if abs(sum(prob(w, context) for w in vocab) - 1) > 1e-6]


# %% wrong: stops_at_the_first — Returns after the first wrong context
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    for context in contexts:
        total = sum(prob(word, context) for word in vocab)
        if abs(total - 1) > 1e-6:
            return {context: total}
    return {}


# %% wrong: total_never_reset — Carries the sum of one context into the next
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    wrong, total = {}, 0.0
    for context in contexts:
        for word in vocab:
            total += prob(word, context)
        if abs(total - 1) > 1e-6:
            wrong[context] = total
    return wrong


# %% wrong: tolerance_too_wide — Lets a thousandth pass
# fails: rounding_is_no_mistake, near_misses_are_told_apart
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-3}


# %% wrong: tolerance_too_narrow — Reports what misses one by a billionth
# fails: near_misses_are_told_apart
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-9}


# %% wrong: arguments_swapped — Asks prob(context, word)
# fails: wrong_contexts_are_found, other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(context, word) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-6}


# %% wrong: bare_contexts — Takes the context out of its tuple
# fails: wrong_contexts_are_found
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context[0]) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-6}


# %% wrong: empty_contexts_skipped — Takes a mass of zero for nothing to report
# fails: no_mass_at_all_is_wrong_too
def diagnose(prob, contexts, vocab):
    totals = {context: sum(prob(word, context) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if total and abs(total - 1) > 1e-6}


# %% wrong: nothing_is_ever_wrong — Returns {}
# fails: wrong_contexts_are_found, other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    return {}


# %% wrong: the_empty_context_is_skipped — `if context` is false for ()
# fails: a_sound_model_has_nothing_to_report
def diagnose(prob, contexts, vocab):
    masses = {context: sum(prob(word, context) for word in vocab) for context in contexts if context}
    return {context: mass for context, mass in masses.items() if abs(mass - 1) > 1e-6}


# %% wrong: words_of_the_contexts_too — Adds what stands in the contexts to the vocabulary
# fails: other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    words = set(vocab).union(*contexts)
    totals = {context: sum(prob(word, context) for word in words) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-6}


# %% wrong: unknown_and_end_too — Adds <unk> and </s> to the vocabulary
# fails: other_models_are_seen_through
def diagnose(prob, contexts, vocab):
    words = dict.fromkeys([*vocab, "<unk>", "</s>"])
    totals = {context: sum(prob(word, context) for word in words) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-6}


# %% wrong: too_much_is_enough — Adds no further once it is clear that the sum is too large
# fails: large_masses_are_told_in_full
def diagnose(prob, contexts, vocab):
    wrong = {}
    for context in contexts:
        total = 0.0
        for word in vocab:
            total += prob(word, context)
            if total > 2:
                break
        if abs(total - 1) > 1e-6:
            wrong[context] = total
    return wrong


# %% wrong: no_probability_above_one — Cuts each at one before it is added
# fails: large_masses_are_told_in_full
def diagnose(prob, contexts, vocab):
    totals = {context: sum(min(1.0, prob(word, context)) for word in vocab) for context in contexts}
    return {context: total for context, total in totals.items() if abs(total - 1) > 1e-6}


# %% wrong: added_in_float32 — Each addition is rounded to seven digits
# fails: near_misses_are_told_apart
import numpy as np


def diagnose(prob, contexts, vocab):
    wrong = {}
    for context in contexts:
        total = np.float32(0)
        for word in vocab:
            total += np.float32(prob(word, context))
        if abs(total - 1) > 1e-6:
            wrong[context] = float(total)
    return wrong
