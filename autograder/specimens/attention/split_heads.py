# Answers to 6.4, from words to heads. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: chunks — Cut side by side, stacked
import torch


def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=2), dim=1)


# %% right: unflatten — An axis becomes two, and two change places
def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)


# %% right: view_and_contiguous — The classic lines
def split_heads(x, heads):
    B, N, D = x.size()
    return x.view(B, N, heads, D // heads).transpose(1, 2).contiguous()


# %% right: slices — Head by head
import torch


def split_heads(x, heads):
    K = x.shape[2] // heads
    return torch.cat([x[:, None, :, h * K : (h + 1) * K] for h in range(heads)], 1)


# %% wrong: reshaped_at_once — Numbers of other words
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, heads, N, E // heads)


# %% wrong: not_transposed — (B, N, H, K)
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, N, heads, E // heads)


# %% wrong: numbers_dealt_out — Head 0 has every other number
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, N, E // heads, heads).permute(0, 3, 1, 2)


# %% wrong: wrong_axes — Heads of K rows
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, N, heads, E // heads).permute(0, 2, 3, 1)


# %% wrong: heads_in_front — (H, B, N, K)
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, N, heads, E // heads).permute(2, 0, 1, 3)


# %% wrong: width_for_number — H numbers a head
# fails: two_heads_by_hand, each_head_has_its_own_numbers
def split_heads(x, heads):
    B, N, E = x.shape
    return x.reshape(B, N, E // heads, heads).transpose(1, 2)


# %% wrong: all_to_each — Every head has all numbers
# fails: two_heads_by_hand
def split_heads(x, heads):
    return x[:, None].expand(-1, heads, -1, -1)


# %% wrong: backwards — The last numbers first
# fails: two_heads_by_hand, each_head_has_its_own_numbers
import torch


def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=2)[::-1], dim=1)


# %% wrong: squeezed — One sentence loses its axis
# fails: two_heads_by_hand
import torch


def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=2), dim=1).squeeze()


# %% wrong: detached — The way back is cut
# fails: each_number_is_taught_once
import torch


def split_heads(x, heads):
    return torch.stack(x.detach().chunk(heads, dim=2), dim=1)


# %% wrong: made_single — float32 whatever came
# fails: heads_keep_their_type
import torch


def split_heads(x, heads):
    return torch.stack(x.float().chunk(heads, dim=2), dim=1)


# %% wrong: strides_by_hand — The numbers are taken to lie in memory row by row
# fails: heads_of_other_sizes
import torch


def split_heads(x, heads):
    B, N, E = x.shape
    K = E // heads
    return torch.as_strided(x, (B, heads, N, K), (N * E, K, E, 1))
