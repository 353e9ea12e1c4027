# Answers to 1.4, perplexity. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: exponential_of_the_mean — The exponential of minus the mean, in torch
import torch


def perplexity(log_probs):
    return torch.exp(-log_probs.double().mean())


# %% right: math_and_sum — Python's own sum and math.exp
import math


def perplexity(log_probs):
    total = 0.0
    for value in log_probs.tolist():
        total += value
    return math.exp(-total / len(log_probs))


# %% right: numpy_float64 — numpy in float64
import numpy as np


def perplexity(log_probs):
    return float(np.exp(-np.mean(log_probs.numpy().astype(np.float64))))


# %% right: geometric_mean — The inverse of the geometric mean of the probabilities, root by root
import torch


def perplexity(log_probs):
    if torch.isinf(log_probs).any():
        return float("inf")
    roots = (log_probs.double() / len(log_probs)).exp()
    return (1 / roots.prod()).item()


# %% right: bits_and_back — Through bits: 2 to the power of the cross-entropy in bits
import math


def perplexity(log_probs):
    bits = -log_probs.double().mean().item() / math.log(2)
    return 2.0**bits if bits < math.inf else math.inf


# %% wrong: sum_for_mean — Sums where the mean is asked for
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four, other_texts_are_as_surprising_as_they_should_be
import torch


def perplexity(log_probs):
    return torch.exp(-log_probs.sum()).item()


# %% wrong: sign_forgotten — One over the number that is asked for
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
import torch


def perplexity(log_probs):
    return torch.exp(log_probs.mean()).item()


# %% wrong: cross_entropy_itself — Stops before the exponential
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
def perplexity(log_probs):
    return -log_probs.mean().item()


# %% wrong: two_to_the_nats — Takes nats for bits
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
def perplexity(log_probs):
    return 2 ** (-log_probs.mean().item())


# %% wrong: logarithm_twice — Takes the logarithm of logarithms
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
import torch


def perplexity(log_probs):
    return torch.exp(-log_probs.log().mean()).item()


# %% wrong: mean_of_the_inverses — The arithmetic mean of 1/p
# fails: three_words_are_a_die_of_four, other_texts_are_as_surprising_as_they_should_be
def perplexity(log_probs):
    return (-log_probs).exp().mean().item()


# %% wrong: inverse_of_the_mean — One over the mean probability
# fails: three_words_are_a_die_of_four
def perplexity(log_probs):
    return 1 / log_probs.exp().mean().item()


# %% wrong: product_underflows — Multiplies the probabilities of the whole text
# fails: other_texts_are_as_surprising_as_they_should_be
def perplexity(log_probs):
    p = log_probs.double().exp().prod().item()
    return p ** (-1 / len(log_probs)) if p > 0 else float("inf")


# %% wrong: entropy_weights — Weighs each logarithm with its probability
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
import torch


def perplexity(log_probs):
    return torch.exp(-(log_probs.exp() * log_probs).sum()).item()


# %% wrong: impossible_words_left_out — Averages over the possible words alone
# fails: an_impossible_word_is_infinitely_surprising, impossible_words_may_stand_anywhere
import torch


def perplexity(log_probs):
    return torch.exp(-log_probs[torch.isfinite(log_probs)].mean()).item()


# %% wrong: impossible_words_clamped — Replaces minus infinity with a large number
# fails: an_impossible_word_is_infinitely_surprising
import torch


def perplexity(log_probs):
    return torch.exp(-log_probs.clamp(min=-100).mean()).item()


# %% wrong: nan_for_impossible — Subtracts infinities
# fails: an_impossible_word_is_infinitely_surprising
import torch


def perplexity(log_probs):
    worst = log_probs.min()
    return torch.exp(-(worst + (log_probs - worst).mean())).item()


# %% wrong: divides_by_n_minus_one — Divides by N - 1
# fails: a_fair_die_has_as_many_sides, three_words_are_a_die_of_four
import math


def perplexity(log_probs):
    return math.exp(-log_probs.sum().item() / max(1, len(log_probs) - 1))


# %% wrong: rounds — Rounds to whole sides
# fails: halving_every_probability_doubles_it, other_texts_are_as_surprising_as_they_should_be
import math


def perplexity(log_probs):
    value = math.exp(-log_probs.mean().item())
    return float(round(value)) if value < math.inf else value


# %% wrong: by_way_of_probabilities — e to the power of −800 is 0 for a computer
# fails: an_impossible_word_is_infinitely_surprising
import math

import torch


def perplexity(log_probs):
    p = log_probs.double().exp()
    if (p == 0).any():
        return math.inf
    return float(torch.exp(-p.log().mean()))


# %% right: geometric_mean_in_bits — Two to the power of the bits a symbol
import math


def perplexity(log_probs):
    return 2 ** (-log_probs.double().sum().item() / len(log_probs) / math.log(2))


# %% right: a_tensor_of_one_number — Not taken out of its tensor
def perplexity(log_probs):
    return (-log_probs.double().mean()).exp()


# %% wrong: ends_where_float32_ends — The exponential of float32 is infinite above e⁸⁸
# fails: rare_symbols_are_not_impossible
import torch


def perplexity(log_probs):
    return float(torch.exp(-log_probs.mean()))


# %% wrong: a_large_number_for_infinity — In a long text one −10⁴ weighs little
# fails: impossible_words_may_stand_anywhere
import math

import torch


def perplexity(log_probs):
    finite = torch.nan_to_num(log_probs.double(), neginf=-1e4)
    surprise = -finite.mean().item()
    return math.exp(surprise) if surprise < 700 else math.inf


# %% wrong: nothing_below_minus_a_thousand — What is rarer still is held at −1000
# fails: other_texts_are_as_surprising_as_they_should_be
import math

import torch


def perplexity(log_probs):
    if (log_probs == -math.inf).any():
        return math.inf
    held = torch.where(log_probs < -1000, -1000.0, log_probs.double())
    return math.exp(-held.mean().item())


# %% wrong: the_first_has_no_context — Leaves out the first symbol of a long text
# fails: other_texts_are_as_surprising_as_they_should_be
def perplexity(log_probs):
    asked = log_probs[1:] if len(log_probs) > 1000 else log_probs
    return (-asked.double().mean()).exp().item()
