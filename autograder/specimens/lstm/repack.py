# Answers to 3.7, packing in another order. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: rows_by_index — The numbers of the rows, block after block
import torch


def repack(packed, source, target):
    H = packed.shape[0] // 4
    rows = [source.index(gate) * H + row for gate in target for row in range(H)]
    return packed[rows]


# %% right: an_axis_for_the_gates — Four blocks on an axis of their own
def repack(packed, source, target):
    blocks = packed.reshape(4, packed.shape[0] // 4, *packed.shape[1:])
    return blocks[[source.find(gate) for gate in target]].flatten(0, 1)


# %% right: written_into_a_copy — Each block is copied to where it belongs
import torch


def repack(packed, source, target):
    new, H = torch.empty_like(packed), len(packed) // 4
    for place, gate in enumerate(source):
        there = target.index(gate)
        new[there * H : (there + 1) * H] = packed[place * H : (place + 1) * H]
    return new


# %% wrong: by_einsum — A permutation matrix of the four blocks
# fails: numbers_of_any_type_are_only_moved
import torch


def repack(packed, source, target):
    P = torch.tensor([[float(a == b) for b in source] for a in target], dtype=torch.float64)
    blocks = torch.stack(torch.tensor_split(packed, 4)).double()
    return torch.einsum("ts,s...->t...", P, blocks).reshape(packed.shape).to(packed.dtype)


# %% wrong: numpy_take — numpy, and a numpy array comes back
# fails: numbers_of_any_type_are_only_moved
import numpy as np


def repack(packed, source, target):
    return np.concatenate([np.split(packed.numpy(), 4)[source.index(gate)] for gate in target])


# %% wrong: inverse_permutation — Looks the source up in the target, which a swap does not show
# fails: going_round_is_not_going_back, other_orders_and_shapes
import torch


def repack(packed, source, target):
    blocks = packed.chunk(4)
    return torch.cat([blocks[target.index(gate)] for gate in source])


# %% wrong: target_relative_to_torch — Takes every source for torch's order
# fails: going_round_is_not_going_back, there_and_back_again_is_where_it_was
import torch


def repack(packed, source, target):
    blocks = dict(zip("ifgo", packed.chunk(4)))
    return torch.cat([blocks[gate] for gate in target])


# %% wrong: always_to_torch — Takes every target for torch's order
# fails: blocks_keep_their_rows_together, going_round_is_not_going_back
import torch


def repack(packed, source, target):
    blocks = dict(zip(source, packed.chunk(4)))
    return torch.cat([blocks[gate] for gate in "ifgo"])


# %% wrong: swaps_i_and_f — The one exchange that is needed between the text and torch
# fails: going_round_is_not_going_back, other_orders_and_shapes
import torch


def repack(packed, source, target):
    first, second, third, fourth = packed.chunk(4)
    return torch.cat([second, first, third, fourth])


# %% wrong: every_fourth_row — Takes rows of a gate for every fourth
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
import torch


def repack(packed, source, target):
    blocks = {gate: packed[place::4] for place, gate in enumerate(source)}
    return torch.stack([blocks[gate] for gate in target], dim=1).flatten(0, 1)


# %% wrong: blocks_interleaved — The blocks are right, and then put together row by row
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
import torch


def repack(packed, source, target):
    blocks = dict(zip(source, packed.chunk(4)))
    return torch.stack([blocks[gate] for gate in target], dim=1).flatten(0, 1)


# %% wrong: columns_for_rows — Cuts along the last axis
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
import torch


def repack(packed, source, target):
    size = max(1, packed.shape[-1] // 4)
    blocks = dict(zip(source, packed.split(size, dim=-1)))
    return torch.cat([blocks[gate] for gate in target if gate in blocks], dim=-1)


# %% wrong: four_rows_alone — One row a gate
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
def repack(packed, source, target):
    return packed[[source.index(gate) for gate in target]]


# %% wrong: reversed_blocks — The rows of each block backwards
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
import torch


def repack(packed, source, target):
    blocks = dict(zip(source, packed.chunk(4)))
    return torch.cat([blocks[gate].flip(0) for gate in target])


# %% wrong: matrices_alone — Needs a second axis
# fails: there_and_back_again_is_where_it_was, other_orders_and_shapes
import torch


def repack(packed, source, target):
    rows, columns = packed.shape
    blocks = packed.reshape(4, rows // 4, columns)
    return torch.cat([blocks[source.index(gate)] for gate in target])


# %% wrong: blocks_stacked — Leaves the gates on an axis of their own
# fails: blocks_keep_their_rows_together, other_orders_and_shapes
import torch


def repack(packed, source, target):
    blocks = dict(zip(source, packed.chunk(4)))
    return torch.stack([blocks[gate] for gate in target])


# %% wrong: in_place — Copies the blocks over one another
# fails: blocks_keep_their_rows_together, going_round_is_not_going_back
def repack(packed, source, target):
    H = len(packed) // 4
    for there, gate in enumerate(target):
        here = source.index(gate)
        packed[there * H : (there + 1) * H] = packed[here * H : (here + 1) * H].clone()
    return packed


# %% wrong: nothing_moved — Gives back what came
# fails: blocks_keep_their_rows_together, there_and_back_again_is_where_it_was
def repack(packed, source, target):
    return packed.clone()


# %% wrong: by_a_view — .view, which some matrices do not have
# fails: memory_may_lie_otherwise
import torch


def repack(packed, source, target):
    H = len(packed) // 4
    blocks = packed.view(4, -1)
    return torch.stack([blocks[source.index(g)] for g in target]).view(packed.shape)
