# Answers to 7.8, the number of parameters. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: by_parts — A sum over parts
def parameter_count(V, D, F, L):
    linear = lambda rows, columns: rows * columns + rows
    block = sum([4 * linear(D, D), linear(F, D), linear(D, F), 2 * (D + D)])
    return V * D + sum(block for _ in range(L)) + D + D


# %% right: expanded — Multiplied out
def parameter_count(V, D, F, L):
    return 4 * L * D**2 + 2 * L * D * F + L * F + (9 * L + V + 2) * D


# %% right: by_code — Tensors of these shapes, counted
import math


def parameter_count(V, D, F, L):
    layer = [(D, D)] * 4 + [(D,)] * 4
    block = layer + [(F, D), (F,), (D, F), (D,)] + [(D,)] * 4
    return sum(math.prod(shape) for shape in [(V, D), (D,), (D,)] + block * L)


# %% wrong: output_counted — E is counted twice
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return 2 * V * D + 2 * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 4 * D)


# %% wrong: no_biases — Matrices alone
# fails: a_small_model_by_hand, it_is_how_many_there_are, one_more_of_each
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (4 * D * D + 2 * D * F + 4 * D)


# %% wrong: attention_without_biases — The four biases of attention are left out
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (4 * D * D + 2 * D * F + F + D + 4 * D)


# %% wrong: three_matrices — W^O is left out
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (3 * D * D + 3 * D + 2 * D * F + F + D + 4 * D)


# %% wrong: no_last_norm — The norm at the end is left out
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 4 * D)


# %% wrong: one_norm_a_block — One norm a block
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 2 * D)


# %% wrong: norms_without_beta — γ alone
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 2 * D)


# %% wrong: norms_as_numbers — Two numbers a norm
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 2 + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 4)


# %% wrong: last_norm_in_each_block — The norm at the end in each block
# fails: it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 6 * D)


# %% wrong: one_block — L is left out
# fails: it_is_how_many_there_are, one_more_of_each
def parameter_count(V, D, F, L):
    return V * D + 2 * D + (4 * D * D + 4 * D + 2 * D * F + F + D + 4 * D)


# %% wrong: four_times_as_wide — F = 4D, whatever F is
# fails: a_small_model_by_hand, it_is_how_many_there_are, one_more_of_each
def parameter_count(V, D, F, L):
    F = 4 * D
    return V * D + 2 * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 4 * D)


# %% wrong: feed_forward_once — One matrix of the feed-forward layer
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (4 * D * D + 4 * D + D * F + F + D + 4 * D)


# %% wrong: biases_exchanged — 2F for F + D
# fails: a_small_model_by_hand, it_is_how_many_there_are, one_more_of_each
def parameter_count(V, D, F, L):
    return V * D + 2 * D + L * (4 * D * D + 4 * D + 2 * D * F + 2 * F + 4 * D)


# %% wrong: a_float — A number with a point
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return float(V * D + 2 * D + L * (4 * D * D + 4 * D + 2 * D * F + F + D + 4 * D))


# %% wrong: the_rule_of_thumb — 12 L D²
# fails: a_small_model_by_hand, it_is_how_many_there_are
def parameter_count(V, D, F, L):
    return V * D + 12 * L * D * D


# %% wrong: through_a_float — A large number loses its last digits
# fails: models_of_other_settings
def parameter_count(V, D, F, L):
    block = 4.0 * D * (D + 1) + 2.0 * D * F + F + 5.0 * D
    return int(V * D + 2 * D + L * block)


# %% wrong: block_upon_block — As many calls within each other as blocks
# fails: models_of_other_settings
def parameter_count(V, D, F, L):
    if L > 1:
        return parameter_count(V, D, F, L - 1) + 4 * D * D + 9 * D + 2 * D * F + F
    return V * D + 2 * D + 4 * D * D + 9 * D + 2 * D * F + F
