# Answers to 5.1, pairs in a batch. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: unit_4s_pad — Filled up by the function of unit 4
from unrolled.seq2seq import BEGIN, END
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[BEGIN, *target] for target in targets])
    said, _ = pad([[*target, END] for target in targets])
    return source, mask, read, said, target_mask


# %% right: librarys_pad_sequence — torch fills up; masks from lengths
import torch
from torch.nn.utils.rnn import pad_sequence


def translation_batch(sources, targets):
    def fill(lists):
        lengths = torch.tensor([len(one) for one in lists])
        ids = pad_sequence([torch.tensor(one, dtype=torch.long) for one in lists], batch_first=True)
        return ids, torch.arange(int(lengths.max()))[None] < lengths[:, None]

    source, mask = fill(sources)
    read, target_mask = fill([[2] + list(target) for target in targets])
    said, _ = fill([list(target) + [3] for target in targets])
    return [source, mask, read, said, target_mask]


# %% right: lists_first — Python lists, made longer one by one
import copy

import torch


def translation_batch(sources, targets):
    sources, targets = copy.deepcopy(sources), copy.deepcopy(targets)
    read, said = [], []
    for target in targets:
        read.append([2])
        read[-1].extend(target)
        target.append(3)
        said.append(target)
    out = []
    for lists in (sources, read, said):
        longest = max(len(one) for one in lists)
        real = [[True] * len(one) + [False] * (longest - len(one)) for one in lists]
        for one in lists:
            while len(one) < longest:
                one.append(0)
        shape = (len(lists), longest)
        out.append(torch.tensor(lists, dtype=torch.int64).view(shape))
        out.append(torch.tensor(real, dtype=torch.bool).view(shape))
    source, mask, read, target_mask, said, _ = out
    return source, mask, read, said, target_mask


# %% right: read_from_said — What is read is what is said, moved by one place
import torch


def translation_batch(sources, targets):
    B, N, M = len(sources), max(len(s) for s in sources), max(len(t) for t in targets) + 1
    source, mask = torch.zeros((B, N), dtype=torch.int64), torch.zeros((B, N), dtype=torch.bool)
    said, real = torch.zeros((B, M), dtype=torch.int64), torch.zeros((B, M), dtype=torch.bool)
    for b in range(B):
        for i, word in enumerate(sources[b]):
            source[b, i], mask[b, i] = word, True
        for j, word in enumerate(targets[b] + [3]):
            said[b, j], real[b, j] = word, True
    read = torch.cat([torch.full((B, 1), 2), said[:, :-1]], dim=1)
    read = torch.where(real, read, 0)
    return source, mask, read, said, real


# %% wrong: end_mark_missing — What is to be said has no end
# fails: two_pairs_by_hand, masks_give_the_lists_back
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 0] for target in targets])
    return source, mask, read, said, target_mask


# %% wrong: begin_mark_missing — What is read is what is to be said
# fails: two_pairs_by_hand, masks_give_the_lists_back
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    said, target_mask = pad([[*target, 3] for target in targets])
    return source, mask, said.clone(), said, target_mask


# %% wrong: shifted_targets — Both marks in both, so that the decoder says what it has just read
# fails: two_pairs_by_hand
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    both, target_mask = pad([[2, *target, 3] for target in targets])
    return source, mask, both, both.clone(), target_mask


# %% wrong: shifted_the_other_way — What is read is what comes next
# fails: two_pairs_by_hand
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[*target, 3] for target in targets])
    said, _ = pad([[2, *target] for target in targets])
    return source, mask, read, said, target_mask


# %% wrong: end_mark_read — The mark of the end behind each row that is read, where a pad belongs
# fails: two_pairs_by_hand
import torch
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    said, target_mask = pad([[*target, 3] for target in targets])
    read = torch.cat([torch.full((len(said), 1), 2), said[:, :-1]], 1)
    return source, mask, read, said, target_mask


# %% wrong: masks_from_ids — A word with the pad's number is taken for a pad
# fails: a_word_may_have_the_number_of_a_mark
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, _ = pad(sources)
    read, _ = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 3] for target in targets])
    return source, source != 0, read, said, said != 0


# %% wrong: mask_without_the_end — The target's mask covers its words, and not the mark
# fails: two_pairs_by_hand, masks_give_the_lists_back
import torch
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, _ = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 3] for target in targets])
    lengths = torch.tensor([len(target) for target in targets])
    return source, mask, read, said, torch.arange(said.shape[1]) < lengths[:, None]


# %% wrong: pads_in_front — Filled up at the left
# fails: two_pairs_by_hand
import torch


def translation_batch(sources, targets):
    def fill(lists):
        longest = max(map(len, lists))
        ids = torch.tensor([[0] * (longest - len(one)) + list(one) for one in lists], dtype=torch.int64)
        real = [[False] * (longest - len(one)) + [True] * len(one) for one in lists]
        return ids.view(len(lists), -1), torch.tensor(real, dtype=torch.bool).view(len(lists), -1)

    source, mask = fill(sources)
    read, target_mask = fill([[2, *target] for target in targets])
    said, _ = fill([[*target, 3] for target in targets])
    return source, mask, read, said, target_mask


# %% wrong: floats_where_nothing_is — No dtype said
# fails: empty_lists_and_types
import torch


def translation_batch(sources, targets):
    def fill(lists):
        longest = max(map(len, lists))
        ids = torch.tensor([[*one, *[0] * (longest - len(one))] for one in lists])
        return ids, torch.tensor([[t < len(one) for t in range(longest)] for one in lists]) > 0

    source, mask = fill(sources)
    read, target_mask = fill([[2, *target] for target in targets])
    said, _ = fill([[*target, 3] for target in targets])
    return source, mask, read, said, target_mask


# %% wrong: mark_appended_to_the_list — Changes the targets that were handed over
# fails: two_pairs_by_hand
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[2, *target] for target in targets])
    for target in targets:
        target.append(3)
    said, _ = pad(targets)
    return source, mask, read, said, target_mask


# %% wrong: int32 — A narrower type, in which large ids have no place
# fails: empty_lists_and_types
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 3] for target in targets])
    return source.int(), mask, read.int(), said.int(), target_mask


# %% wrong: ids_by_way_of_floats — Large ids are rounded
# fails: other_pairs
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad(sources)
    read, target_mask = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 3] for target in targets])
    return source.float().long(), mask, read.float().long(), said.float().long(), target_mask


# %% wrong: one_length_for_both — Sources and targets are filled up to the length of the longest of both
# fails: two_pairs_by_hand
import torch


def translation_batch(sources, targets):
    longest = max(map(len, sources + targets)) + 1

    def fill(lists):
        ids = torch.zeros(len(lists), longest, dtype=torch.int64)
        for b, one in enumerate(lists):
            ids[b, : len(one)] = torch.tensor(one, dtype=torch.int64)
        return ids, torch.arange(longest) < torch.tensor([len(one) for one in lists])[:, None]

    source, mask = fill(sources)
    read, target_mask = fill([[2, *target] for target in targets])
    said, _ = fill([[*target, 3] for target in targets])
    return source, mask, read, said, target_mask


# %% wrong: sources_have_marks_too — An end mark behind each source
# fails: two_pairs_by_hand
from unrolled.tagging import pad


def translation_batch(sources, targets):
    source, mask = pad([[*source, 3] for source in sources])
    read, target_mask = pad([[2, *target] for target in targets])
    said, _ = pad([[*target, 3] for target in targets])
    return source, mask, read, said, target_mask
