# Answers to 8.7, how many numbers. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: one_formula — One formula
def bert_size(V, D, L, F, longest):
    return (V + longest + 2) * D + 2 * D + L * (4 * D**2 + 2 * D * F + F + 9 * D) + D**2 + D


# %% right: shapes_listed — A list of shapes, multiplied out
from math import prod


def bert_size(V, D, L, F, longest):
    tables = [(V, D), (longest, D), (2, D), (D,), (D,)]
    block = [(D, D), (D,)] * 4 + [(D,), (D,)] * 2 + [(F, D), (F,), (D, F), (D,)]
    return sum(map(prod, tables)) + L * sum(map(prod, block)) + sum(map(prod, [(D, D), (D,)]))


# %% right: layer_by_layer — Linear layers and norms by name
def bert_size(V, D, L, F, longest):
    linear = lambda n, m: n * m + m
    norm = 2 * D
    total = D * V + D * longest + D * 2 + norm
    for _ in range(min(L, 1)):
        total += L * (3 * linear(D, D) + linear(D, D) + norm + linear(D, F) + linear(F, D) + norm)
    return total + linear(D, D)


# %% right: counted_by_torch — Differences of a formula in D
def bert_size(V, D, L, F, longest):
    rows = V + longest + 2 + 2 + 1  # of D numbers each: the tables, the norm, the pooler's bias
    rows += D  # the pooler
    rows += L * (4 * D + 4 + 2 * F + 1 + 4)
    return rows * D + L * F


# %% right: counted_on_meta — Torch's own layers without memory, counted
import torch


def bert_size(V, D, L, F, longest):
    with torch.device("meta"):
        tables = [torch.nn.Embedding(n, D) for n in (V, longest, 2)] + [torch.nn.LayerNorm(D), torch.nn.Linear(D, D)]
        block = torch.nn.TransformerEncoderLayer(D, 1, F)
    count = lambda m: sum(p.numel() for p in m.parameters())
    return sum(map(count, tables)) + L * count(block)


# %% wrong: no_pooler — Without the pooler
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D)


# %% wrong: no_pooler_bias — The pooler without its bias
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D


# %% wrong: no_segments — Without the table of segments
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: one_segment — One segment
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 1) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: no_places — Without the table of places
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: no_first_norm — Without the norm of the embeddings
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: norms_by_one — Norms of D numbers
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 2 * D) + D * D + D


# %% wrong: one_norm — One norm a block
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 4 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 2 * D) + D * D + D


# %% wrong: last_norm — A norm behind the last block, too, as pre-norm has
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + 3 * D


# %% wrong: no_attention_biases — Attention without biases
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * D * D
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: three_matrices — W^O is forgotten
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 3 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: no_forward_biases — The feed-forward layer without biases
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = 2 * D * F
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: inner_is_four — F is taken for 4D
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    F = 4 * D
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: blocks_once — One block
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + (attention + forward + 4 * D) + D * D + D


# %% wrong: output_twice — A table of its own for the output
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (2 * V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: biases_of_the_output — The masked head's bias, too
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D + V


# %% wrong: pooler_in_each_block — A pooler a block
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D + D * D + D)


# %% wrong: by_floats — Through floating numbers
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = int(2.0 * D * F) + F + D
    return int(tables + float(L) * (attention + forward + 4 * D) + D * D + D)


# %% wrong: in_millions — Rounded to millions
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + longest + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return round(1e-6 * (tables + L * (attention + forward + 4 * D) + D * D + D)) * 10**6


# %% wrong: fixed_places — 512 places, always
# fails: models_of_other_sizes
def bert_size(V, D, L, F, longest):
    tables = (V + 512 + 2) * D + 2 * D
    attention = 4 * (D * D + D)
    forward = D * F + F + F * D + D
    return tables + L * (attention + forward + 4 * D) + D * D + D


# %% wrong: int64_runs_over — In numpy's whole numbers, which run over
# fails: models_of_other_sizes
import numpy as np


def bert_size(V, D, L, F, longest):
    V, D, L, F, longest = np.array([V, D, L, F, longest])
    return int(D * D * (4 * L + 1) + D * (V + longest + 5 + L * (2 * F + 9)) + L * F)
