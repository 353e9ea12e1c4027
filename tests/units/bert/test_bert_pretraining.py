"""What BERT is pre-trained on: cuts, pairs, what is hidden, buckets; by statistics, by cases on paper and by twins."""

import random
from collections import Counter

import pytest
import torch
from unrolled.language_model import IGNORED
from unrolled.pretraining import (
    BETWEEN,
    CUTS,
    batches,
    buckets,
    head,
    head_and_tail,
    hide,
    next_pairs,
    pack,
    shares,
    tail,
    windows,
)
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, *(f"w{i}" for i in range(95))])
CLS, SEP, MASK = PIECES.cls, PIECES.sep, PIECES.mask


def made_documents(count=30, seed=0):
    """Document d's sentences have ids of their own, so that each piece tells where it comes from."""
    chance, next_id = random.Random(seed), 0
    documents = []
    for _ in range(count):
        document = []
        for _ in range(chance.randint(1, 40)):
            size = chance.randint(1, 12)
            document.append(list(range(next_id, next_id + size)))
            next_id += size
        documents.append(document)
    return documents


# --- cuts ------------------------------------------------------------------------------------------------------------


def test_cuts_by_hand():
    ids = list(range(10))
    assert head(ids, 3) == [0, 1, 2] and tail(ids, 3) == [7, 8, 9]
    assert head_and_tail(ids, 8) == [0, 1, 4, 5, 6, 7, 8, 9]
    assert head_and_tail(ids, 3) == [7, 8, 9] and head_and_tail(ids, 10) == ids


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_a_cut_has_its_length_its_order_and_leaves_what_fits(cut):
    for size in range(8):
        for n in range(10):
            ids = list(range(size))
            kept = cut(ids, n)
            assert len(kept) == min(size, n) and kept == sorted(set(kept))
            assert n < size or kept == ids


def test_the_longer_part_loses_until_both_fit():
    for first in range(12):
        for second in range(12):
            for room in range(15):
                a, b = first, second
                while a + b > room:  # what the docstring says, piece by piece
                    a, b = (a - 1, b) if a > b else (a, b - 1)
                assert shares(first, second, room) == (a, b)


# --- packing ---------------------------------------------------------------------------------------------------------


def test_packing_by_hand():
    assert pack([7, 8], [9], PIECES, 10) == ([CLS, 7, 8, SEP, 9, SEP], [0, 0, 0, 0, 1, 1])
    assert pack([7, 8], None, PIECES, 10) == ([CLS, 7, 8, SEP], [0] * 4)
    assert pack([7, 8, 9, 10], [11, 12], PIECES, 7) == ([CLS, 7, 8, SEP, 11, 12, SEP], [0] * 4 + [1] * 3)
    assert pack([7, 8, 9, 10], None, PIECES, 4, "tail") == ([CLS, 9, 10, SEP], [0] * 4)
    assert pack([7], [], PIECES, 10) == ([CLS, 7, SEP, SEP], [0, 0, 0, 1])
    assert pack([7], [8], PIECES, 3) == ([CLS, SEP, SEP], [0, 0, 1])


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("longest", [3, 4, 5, 9, 40])
def test_a_pack_fits_and_keeps_its_special_pieces(cut, longest):
    for first in (0, 1, 3, 20):
        for second in (None, 0, 1, 3, 20):
            given = [list(range(50, 50 + first)), None if second is None else list(range(80, 80 + second))]
            ids, segments = pack(*given, PIECES, longest, cut)
            whole = first + (second or 0) + 2 + (second is not None)
            assert len(ids) == len(segments) == min(longest, whole)
            assert ids[0] == CLS and ids[-1] == SEP and ids.count(SEP) == 2 - (second is None)
            assert segments == sorted(segments)
            ends = [i for i, piece in enumerate(ids) if piece == SEP]
            assert segments.count(0) == ends[0] + 1 and segments.count(1) == len(ids) - ends[0] - 1
            assert given == [list(range(50, 50 + first)), None if second is None else list(range(80, 80 + second))]


def test_what_cannot_be_packed_is_refused():
    for second, longest, cut in (([8], 2, "head"), (None, 1, "head"), ([8], 9, "middle")):
        with pytest.raises(ValueError, match="one of head, tail, head and tail, and at least"):
            pack([7], second, PIECES, longest, cut)


def test_windows_cover_all_and_overlap():
    assert windows([1, 2, 3, 4, 5], 3, 2) == [[1, 2, 3], [3, 4, 5]]
    assert windows([1, 2, 3, 4, 5, 6], 3, 2) == [[1, 2, 3], [3, 4, 5], [5, 6]]
    assert windows([1, 2], 3, 1) == [[1, 2]] and windows([], 3, 3) == [[]]
    for size in range(20):
        for longest in range(1, 6):
            for step in range(1, longest + 1):
                found = windows(list(range(size)), longest, step)
                assert {i for window in found for i in window} == set(range(size))
                assert all(len(window) <= longest for window in found)
                assert len(found) == 1 or found[-2][-1] < size - 1  # none is for nothing
    with pytest.raises(ValueError, match="step is 4"):
        windows([1], 3, 4)


# --- pairs -----------------------------------------------------------------------------------------------------------


def test_a_second_passage_follows_or_is_from_another_document():
    documents = made_documents()
    home = {i: number for number, document in enumerate(documents) for ids in document for i in ids}
    begins = {ids[0] for document in documents for ids in document}
    for seed in range(5):
        for pair in next_pairs(documents, 40, random.Random(seed)):
            assert pair.first and pair.second and {pair.first[0], pair.second[0]} <= begins  # whole sentences
            for part in (pair.first, pair.second):
                assert part == list(range(part[0], part[-1] + 1)) and len({home[i] for i in part}) == 1
            follows = home[pair.first[0]] == home[pair.second[0]]
            assert pair.elsewhere == 1 - follows
            assert not follows or pair.second[0] == pair.first[-1] + 1
            assert len(pair.first) < 40 and len(pair.first) + len(pair.second) < 40 + 12  # a sentence beyond, at most


def test_half_of_the_pairs_follow_and_none_is_lost():
    documents = made_documents(200, seed=1)
    pairs = [pair for seed in range(5) for pair in next_pairs(documents, 30, random.Random(seed))]
    share = sum(pair.elsewhere for pair in pairs) / len(pairs)
    assert abs(share - 0.5) < 4 * (0.25 / len(pairs)) ** 0.5
    read = Counter(i for pair in next_pairs(documents, 30, random.Random(0)) for i in pair.first)
    read.update(i for p in next_pairs(documents, 30, random.Random(0)) if not p.elsewhere for i in p.second)
    assert max(read.values()) == 1  # each sentence is read once at its own place
    whole = sum(len(ids) for document in documents for ids in document)
    assert len(read) > 0.9 * whole


def test_every_other_document_is_as_likely():
    documents = [[[i] * 3 for _ in range(40)] for i in range(5)]
    drawn = Counter()
    for seed in range(60):
        drawn.update((p.first[0], p.second[0]) for p in next_pairs(documents, 12, random.Random(seed)) if p.elsewhere)
    assert set(drawn) == {(i, j) for i in range(5) for j in range(5) if i != j}
    mean = drawn.total() / 20
    assert all(abs(n - mean) < 5 * mean**0.5 for n in drawn.values())


@pytest.mark.parametrize("most", [9, 30, 60])
def test_lengths_do_not_tell_the_kinds_apart(most):
    """Whatever the sentences' lengths: the parts, as packed, are as long, and the second ends its sentence as often."""
    chance = random.Random(most)
    documents = [[[5] * (chance.randint(3, most) - 1) + [6] for _ in range(400)] for _ in range(6)]
    found = {0: [], 1: []}
    for seed in range(6):
        for pair in next_pairs(documents, 61, random.Random(seed)):
            ids, segments = pack(pair.first, pair.second, PIECES, 64)
            found[pair.elsewhere].append([len(ids), sum(segments), ids[-2] == 6])
    one, other = (torch.tensor(rows).float() for rows in found.values())
    spread = (one.var(0) / len(one) + other.var(0) / len(other)).sqrt()
    assert ((one.mean(0) - other.mean(0)).abs() < 4 * spread + 0.02 * one.mean(0)).all()


def test_pairs_need_two_documents():
    with pytest.raises(ValueError, match="two documents"):
        list(next_pairs([[[1], [2]]], 10, random.Random(0)))


# --- hiding ----------------------------------------------------------------------------------------------------------


def rows(n=400, length=60, seed=0):
    """Packed pairs with pads and specials, of ordinary pieces 5 … 99."""
    chance, ids = random.Random(seed), []
    for _ in range(n):
        a, b = chance.randint(5, 25), chance.randint(5, 25)
        row, _ = pack(chance.choices(range(5, 100), k=a), chance.choices(range(5, 100), k=b), PIECES, length)
        row[chance.randrange(1, a)] = PIECES.unk
        ids.append(row + [PIECES.pad] * (length - len(row)))
    return torch.tensor(ids)


def test_special_pieces_and_pads_are_never_chosen_and_nothing_is_changed_in_place():
    ids = rows()
    before = ids.clone()
    found = hide(ids, PIECES, torch.Generator().manual_seed(0))
    assert torch.equal(ids, before)
    special = ids < len(SPECIALS)
    assert (found.targets[special] == IGNORED).all() and torch.equal(found.ids[special], ids[special])
    unchosen = found.targets == IGNORED
    assert torch.equal(found.ids[unchosen], ids[unchosen])
    assert torch.equal(found.targets[~unchosen], ids[~unchosen])


@pytest.mark.parametrize("share", [0.15, 0.5])
def test_the_share_is_of_the_real_pieces_of_each_row(share):
    ids = rows()
    found = hide(ids, PIECES, torch.Generator().manual_seed(0), share)
    ordinary = (ids >= len(SPECIALS)).sum(1)
    assert torch.equal((found.targets != IGNORED).sum(1).float(), (share * ordinary).round().clamp(min=1))


def test_eight_in_ten_are_hidden_one_is_exchanged_and_one_stays():
    ids = torch.cat([rows(seed=seed) for seed in range(5)])
    found = hide(ids, PIECES, torch.Generator().manual_seed(1))
    chosen = found.targets != IGNORED
    now, was = found.ids[chosen], ids[chosen]
    n = int(chosen.sum())
    exchanged = (now != MASK) & (now != was)
    for share, wanted in (
        ((now == MASK).float().mean().item(), 0.8),
        (exchanged.float().mean().item(), 0.1 * 94 / 95),  # a piece drawn may be the one that stood there
        ((now == was).float().mean().item(), 0.1 + 0.1 / 95),
    ):
        assert abs(share - wanted) < 4 * (wanted * (1 - wanted) / n) ** 0.5
    drawn = torch.bincount(now[exchanged], minlength=100)
    assert drawn[: len(SPECIALS)].sum() == 0 and (drawn[5:] > 0).all()
    expected = drawn.sum().item() / 95
    assert ((drawn[5:] - expected).abs() < 5 * expected**0.5).all()


def test_every_place_is_as_likely():
    ids = torch.full((20_000, 9), 7)
    ids[:, 0], ids[:, 8] = CLS, PIECES.pad
    chosen = (hide(ids, PIECES, torch.Generator().manual_seed(2)).targets != IGNORED).float().mean(0)
    assert chosen[0] == chosen[8] == 0
    assert ((chosen[1:8] - 1 / 7).abs() < 4 * (6 / 49 / 20_000) ** 0.5).all()


def test_each_batch_draws_for_itself_and_a_seed_repeats_it():
    ids, chance = rows(20), torch.Generator().manual_seed(0)
    one, other = hide(ids, PIECES, chance), hide(ids, PIECES, chance)
    again = hide(ids, PIECES, torch.Generator().manual_seed(0))
    assert not torch.equal(one.ids, other.ids)
    assert torch.equal(one.ids, again.ids) and torch.equal(one.targets, again.targets)


def test_a_row_of_specials_alone_has_nothing_to_choose():
    ids = torch.tensor([[CLS, SEP, SEP, PIECES.pad]])
    assert (hide(ids, PIECES, torch.Generator()).targets == IGNORED).all()


# --- batches ---------------------------------------------------------------------------------------------------------


def test_buckets_have_all_once_and_lengths_that_are_close():
    chance = random.Random(0)
    lengths = [chance.randint(5, 200) for _ in range(1003)]
    groups = buckets(lengths, 20, chance)
    assert sorted(i for group in groups for i in group) == list(range(1003))
    assert sorted(map(len, groups)) == [3] + [20] * 50
    pads = sum(len(g) * max(lengths[i] for i in g) - sum(lengths[i] for i in g) for g in groups)
    assert pads < 0.08 * sum(lengths)
    means = [sum(lengths[i] for i in g) / len(g) for g in groups]
    assert means != sorted(means)


def test_a_batch_is_what_its_parts_say():
    documents = [[[5 + i % 95 for i in ids] for ids in document] for document in made_documents(40)]
    found = list(batches(documents, PIECES, 32, 8, seed=3))
    assert sum(len(batch.elsewhere) for batch in found) > 100
    for batch in found:
        ids = torch.where(batch.targets == IGNORED, batch.pieces.ids, batch.targets)
        assert ids.shape[1] <= 32 and (ids[:, 0] == CLS).all()
        assert torch.equal(ids == PIECES.pad, ~batch.pieces.mask)
        assert ((ids == SEP).sum(1) == 2).all() and set(batch.elsewhere.tolist()) <= {0, 1}
        separators = (ids == SEP).cumsum(1) - (ids == SEP).long()
        assert torch.equal(batch.pieces.segments.bool(), (separators == 1) & batch.pieces.mask)
    again = list(batches(documents, PIECES, 32, 8, seed=3))
    assert all(torch.equal(a.pieces.ids, b.pieces.ids) for a, b in zip(found, again, strict=True))
    other = list(batches(documents, PIECES, 32, 8, seed=4))
    assert not torch.equal(found[0].pieces.ids, other[0].pieces.ids)
    assert BETWEEN == 3
