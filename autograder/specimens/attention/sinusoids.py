# Answers to 6.6, sines and cosines. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: number_by_number — The formula in two loops
import math
import torch


def sinusoids(n, d):
    table = torch.zeros(n, d)
    for p in range(n):
        for i in range(d // 2):
            angle = p / 10000 ** (2 * i / d)
            table[p, 2 * i] = math.sin(angle)
            table[p, 2 * i + 1] = math.cos(angle)
    return table


# %% right: by_logarithms — The well-known form with exp
import math
import torch


def sinusoids(n, d):
    pe = torch.zeros(n, d)
    position = torch.arange(0, n, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10000.0) / d))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


# %% right: stacked_pairs — Pairs side by side, then flat
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% right: cosine_as_a_shifted_sine — A quarter turn added to every other column
import torch


def sinusoids(n, d):
    c = torch.arange(d)
    angles = torch.arange(n, dtype=torch.float64)[:, None] * 10000.0 ** -((c - c % 2).double() / d)
    return torch.sin(angles + torch.pi / 2 * (c % 2)).float()


# %% right: numpy — By way of NumPy
import numpy as np
import torch


def sinusoids(n, d):
    angles = np.arange(n)[:, None] / np.power(10000.0, np.arange(0, d, 2) / d)
    table = np.empty((n, d))
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return torch.tensor(table, dtype=torch.float32)


# %% wrong: sine_and_cosine_exchanged — Cosines in the even columns
# fails: position_one_by_hand
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.cos(), angles.sin()), dim=-1).reshape(n, d)


# %% wrong: all_sines_first — The form of some slides: sines in the first half
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.cat((angles.sin(), angles.cos()), dim=-1)


# %% wrong: base_1000 — Another base
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 1000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: exponent_halved — i/d in the place of 2i/d
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(d // 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: exponent_doubled — 2i counted twice
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (2 * torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: a_rate_for_each_column — The cosine turns at a rate of its own
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(d) / d)
    table = angles.sin()
    table[:, 1::2] = angles.cos()[:, 1::2]
    return table


# %% wrong: positions_from_one — The first position is 1
# fails: position_one_by_hand
import torch


def sinusoids(n, d):
    angles = torch.arange(1, n + 1)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: fastest_last — The order of the pairs turned round
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    angles = angles.flip(1)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: last_rate_is_the_base — The slides' rates, i/(d/2 − 1)
# fails: position_one_by_hand
import torch


def sinusoids(n, d):
    half = max(d // 2 - 1, 1)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(d // 2) / half)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: multiplied_by_the_power — Faster and faster
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] * 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: scaled_by_the_length — Positions as shares of n
# fails: rows_do_not_depend_on_how_many_there_are
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / max(n, 1) / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: transposed — A column for each position
# fails: position_one_by_hand
import torch


def sinusoids(n, d):
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d).T


# %% wrong: double_precision — float64
# fails: position_one_by_hand
import torch


def sinusoids(n, d):
    angles = torch.arange(n, dtype=torch.float64)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)


# %% wrong: no_table_without_rows — n = 0 is not thought of
# fails: rows_do_not_depend_on_how_many_there_are
import math
import torch


def sinusoids(n, d):
    rows = [
        torch.tensor([f(p / 10000 ** (i / d)) for i in range(0, d, 2) for f in (math.sin, math.cos)]) for p in range(n)
    ]
    return torch.stack(rows)


# %% wrong: degrees — Angles in degrees
# fails: position_one_by_hand, pairs_turn_ever_more_slowly
import torch


def sinusoids(n, d):
    angles = torch.deg2rad(torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d, 2) / d))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, d)
