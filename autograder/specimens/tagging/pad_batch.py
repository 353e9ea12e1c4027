# Answers to 4.3, pad and mask. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: lists_filled_up — Plain lists, then two tensors
import torch


def pad_batch(sequences, pad=0):
    longest = max([len(s) for s in sequences])
    rows = [list(s) + [pad] * (longest - len(s)) for s in sequences]
    real = [[True] * len(s) + [False] * (longest - len(s)) for s in sequences]
    shape = len(sequences), longest
    return torch.tensor(rows, dtype=torch.long).view(shape), torch.tensor(real, dtype=torch.bool).view(shape)


# %% right: scattered — All ids in one go, where the mask says
import torch


def pad_batch(sequences, pad=0):
    lengths = torch.tensor([len(s) for s in sequences])
    mask = torch.arange(int(lengths.max())).unsqueeze(0) < lengths.unsqueeze(1)
    ids = torch.full(mask.shape, pad, dtype=torch.int64)
    ids[mask] = torch.tensor([i for s in sequences for i in s], dtype=torch.int64)
    return ids, mask


# %% right: zip_longest — Columns by itertools, with a mark of its own for what is not there
import itertools

import torch


def pad_batch(sequences, pad=0):
    nothing = object()
    columns = list(itertools.zip_longest(*sequences, fillvalue=nothing))
    B = len(sequences)
    ids = [[pad if c[b] is nothing else c[b] for c in columns] for b in range(B)]
    mask = [[c[b] is not nothing for c in columns] for b in range(B)]
    return torch.tensor(ids, dtype=torch.int64).reshape(B, -1 if columns else 0), torch.tensor(
        mask, dtype=torch.bool
    ).reshape(B, len(columns))


# %% right: numpy_and_back — numpy's arrays, handed over
import numpy as np
import torch


def pad_batch(sequences, pad=0):
    T = max(map(len, sequences))
    ids = np.full((len(sequences), T), pad, dtype=np.int64)
    mask = np.zeros((len(sequences), T), dtype=bool)
    for b, s in enumerate(sequences):
        ids[b, : len(s)] = s
        mask[b, : len(s)] = 1
    return torch.from_numpy(ids), torch.from_numpy(mask)


# %% wrong: mask_from_the_ids — What differs from the pad is real
# fails: a_real_id_may_look_like_a_pad
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    return ids, ids != pad


# %% wrong: mask_inverted — True at the pads
# fails: three_sequences_by_hand, the_mask_gives_the_sequences_back
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    return ids, torch.arange(T) >= torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: pads_in_front — Right-aligned, as for a net that takes the last step
# fails: three_sequences_by_hand, a_real_id_may_look_like_a_pad
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([[pad] * (T - len(s)) + list(s) for s in sequences], dtype=torch.int64)
    mask = torch.tensor([[False] * (T - len(s)) + [True] * len(s) for s in sequences], dtype=torch.bool)
    return ids, mask


# %% wrong: time_first — (T, B), as torch's recurrent nets like it
# fails: three_sequences_by_hand, ids_are_int64_and_nothing_is_a_batch_too
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    mask = torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]
    return ids.T, mask.T


# %% wrong: mask_of_numbers — 1 and 0 for True and False
# fails: three_sequences_by_hand, ids_are_int64_and_nothing_is_a_batch_too
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    return ids, (torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]).long()


# %% wrong: always_zeros — The pad that is asked for is not looked at
# fails: a_real_id_may_look_like_a_pad, the_mask_gives_the_sequences_back
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.zeros(len(sequences), T, dtype=torch.int64)
    for row, s in zip(ids, sequences):
        row[: len(s)] = torch.tensor(s, dtype=torch.int64)
    return ids, torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: longest_first — Sorted by length, as packing once asked for
# fails: rows_keep_their_order
import torch


def pad_batch(sequences, pad=0):
    sequences = sorted(sequences, key=len, reverse=True)
    T = len(sequences[0])
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    return ids, torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: cut_to_the_shortest — A rectangle without a pad
# fails: three_sequences_by_hand
import torch


def pad_batch(sequences, pad=0):
    T = min(len(s) for s in sequences)
    return torch.tensor([s[:T] for s in sequences], dtype=torch.int64), torch.ones(len(sequences), T, dtype=torch.bool)


# %% wrong: one_pad_too_many — Every row ends in a pad
# fails: three_sequences_by_hand, ids_are_int64_and_nothing_is_a_batch_too
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences) + 1
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int64)
    return ids, torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: an_empty_batch_is_float — No dtype, so a batch of nothing is float32
# fails: ids_are_int64_and_nothing_is_a_batch_too
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences])
    return ids, torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: librarys_pads — Lets torch fill up
# fails: three_sequences_by_hand
import torch
from torch.nn.utils.rnn import pad_sequence


def pad_batch(sequences, pad=0):
    rows = [torch.tensor(s, dtype=torch.int64) for s in sequences]
    ids = pad_sequence(rows, batch_first=True, padding_value=pad)
    return ids, torch.arange(ids.shape[1]) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: narrow_ids — Saves memory where ids are large
# fails: ids_are_int64_and_nothing_is_a_batch_too
import torch


def pad_batch(sequences, pad=0):
    T = max(len(s) for s in sequences)
    ids = torch.tensor([list(s) + [pad] * (T - len(s)) for s in sequences], dtype=torch.int32)
    return ids, torch.arange(T) < torch.tensor([len(s) for s in sequences])[:, None]


# %% wrong: a_row_is_found_by_its_value — index finds the first of two equal rows, and the second stays empty
# fails: the_mask_gives_the_sequences_back
import torch


def pad_batch(sequences, pad=0):
    T = max(map(len, sequences))
    ids = torch.full((len(sequences), T), pad, dtype=torch.int64)
    mask = torch.zeros(ids.shape, dtype=torch.bool)
    for sequence in sequences:
        row = sequences.index(sequence)
        ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)
        mask[row, : len(sequence)] = True
    return ids, mask


# %% wrong: by_way_of_floats — Ids go through float32, which has 24 bits for them
# fails: ids_are_int64_and_nothing_is_a_batch_too, other_sequences_and_pads
import torch


def pad_batch(sequences, pad=0):
    T = max(map(len, sequences))
    ids = torch.zeros(len(sequences), T) + pad
    for row, sequence in enumerate(sequences):
        ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.float32)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    return ids.to(torch.int64), torch.arange(T) < lengths[:, None]


# %% wrong: the_librarys_inner_pads — The same function of torch by its inner name
# fails: three_sequences_by_hand
import torch


def pad_batch(sequences, pad=0):
    rows = [torch.tensor(sequence, dtype=torch.int64) for sequence in sequences]
    ids = torch._C._nn.pad_sequence(rows, batch_first=True, padding_value=float(pad))
    return ids, torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]
