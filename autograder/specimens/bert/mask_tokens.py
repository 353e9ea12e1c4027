# Answers to 8.4, hidden pieces. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: three_draws — A draw for what is chosen, one for what becomes of it, one for the id
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    generator = torch.Generator().manual_seed(seed)
    usual = torch.tensor([one for one in range(V) if one not in set(specials)])
    chosen = (torch.rand(ids.shape, generator=generator) < 0.15) & ~torch.isin(ids, torch.tensor(specials))
    fate = torch.rand(ids.shape, generator=generator)
    drawn = usual[torch.randint(len(usual), ids.shape, generator=generator)]
    corrupted = torch.where(chosen & (fate < 0.8), mask, ids)
    corrupted = torch.where(chosen & (fate >= 0.9), drawn, corrupted)
    return corrupted, torch.where(chosen, ids, IGNORED)


# %% right: one_draw — One number a place says whether and what
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    u = torch.rand(ids.shape, generator=dice, dtype=torch.float64)
    for one in specials:
        u = torch.where(ids == one, 1.0, u)
    weights = torch.ones(V)
    weights[list(specials)] = 0
    drawn = torch.multinomial(weights, ids.numel(), replacement=True, generator=dice).view_as(ids)
    new = ids.clone()
    new[u < 0.12] = mask
    place = (u >= 0.12) & (u < 0.135)
    new[place] = drawn[place]
    targets = ids.clone()
    targets[u >= 0.15] = IGNORED
    return (new, targets)


# %% right: place_by_place — Python's generator, id by id
import random

import torch


def mask_tokens(ids, specials, mask, V, seed):
    rng, never = random.Random(seed), set(specials)
    new, targets = [], []
    for row in ids.tolist():
        new.append([])
        targets.append([])
        for one in row:
            out, target = one, -1
            if one not in never and rng.random() < 0.15:
                target, fate = one, rng.random()
                if fate < 0.8:
                    out = mask
                elif fate < 0.9:
                    out = rng.randrange(V)
                    while out in never:
                        out = rng.randrange(V)
            new[-1].append(out)
            targets[-1].append(target)
    return torch.tensor(new), torch.tensor(targets)


# %% right: of_the_chosen_alone — The chosen places are drawn for, and no others
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    torch.random.manual_seed(seed)
    may = torch.ones_like(ids, dtype=torch.bool)
    for one in specials:
        may &= ids != one
    chosen = torch.bernoulli(torch.full(ids.shape, 0.15)).bool() & may
    targets = torch.full_like(ids, IGNORED)
    targets[chosen] = ids[chosen]
    fate = torch.rand(int(chosen.sum()))
    allowed = torch.tensor(sorted(set(range(V)) - set(specials)))
    drawn = allowed[torch.randint(len(allowed), fate.shape)]
    put = torch.where(fate < 0.1, drawn, ids[chosen])
    put = torch.where(fate >= 0.2, torch.full_like(put, mask), put)
    corrupted = ids.clone()
    corrupted[chosen] = put
    return corrupted, targets


# %% right: numpy_choice — numpy draws one of three fates
import numpy as np
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    rng = np.random.default_rng(seed)
    old = ids.numpy()
    chosen = (rng.random(old.shape) < 0.15) & ~np.isin(old, specials)
    fate = rng.choice(3, size=old.shape, p=[0.8, 0.1, 0.1])
    usual = np.setdiff1d(np.arange(V), specials)
    out = np.where(chosen & (fate == 0), mask, np.where(chosen & (fate == 1), rng.choice(usual, old.shape), old))
    return torch.from_numpy(out), torch.from_numpy(np.where(chosen, old, IGNORED))


# %% right: the_seed_of_all_for_a_while — The seed of all generators, put back behind it, and numbers in the order of memory
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    with torch.random.fork_rng():
        torch.random.manual_seed(seed)
        pick = torch.rand_like(ids, dtype=torch.float64).lt(0.15)
        for s in specials:
            pick &= ids.ne(s)
        d = torch.randint(0, 10, ids.shape)
        good = torch.tensor(list(set(range(V)) - set(specials)))
        other = good[torch.randint(0, good.numel(), ids.shape)]
    out = ids.clone()
    out[pick & (d > 1)] = mask
    out[pick & (d == 0)] = other[pick & (d == 0)]
    tgt = torch.empty_like(ids).fill_(IGNORED)
    tgt[pick] = ids[pick]
    return [out, tgt]


# %% wrong: pads_and_marks_too — Special ids are chosen like all others
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = torch.rand(ids.shape, generator=dice) < 0.15
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: pads_alone_kept — Only the first special id is kept
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials[:1]))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: ends_alone_kept — The first and the last place are kept, whatever stands there
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.zeros_like(ids, dtype=torch.bool)
    special[:, 0] = special[:, -1] = True
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: ends_kept_too — The first and the last place are kept, too
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    special[:, 0] = special[:, -1] = True
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: of_the_whole_length — 15 % of the length, taken from what may be chosen
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    share = 0.15 * ids.numel() / (~special).sum().clamp(min=1)
    chosen = (torch.rand(ids.shape, generator=dice) < share) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: fifteen_in_a_row — As many of each row as 15 % of it, no more and no fewer
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    order = (torch.rand(ids.shape, generator=dice) + 9 * special).argsort(1).argsort(1)
    chosen = (order < (0.15 * (~special).sum(1, keepdim=True)).round()) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: at_least_one — A row of which nothing is chosen gets one
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    none = ~chosen.any(1)
    chosen[none, 0] = ~special[none, 0]
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: one_row_for_all — The same places in all rows
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape[1], generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: whole_rows — Rows are chosen, not places
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(len(ids), 1, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: runs_of_three — Three in a row are hidden together
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    begin = torch.rand(ids.shape, generator=dice) < 0.0527
    chosen = torch.stack([begin.roll(n, 1) for n in range(3)]).any(0) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: all_masked — Every chosen place is masked
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 1)] = mask
    swapped = chosen & (fate > 1)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: never_kept — 80 and 20
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.8)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: never_random — 80 masked and 20 kept
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate > 1)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: ninety — 90 masked, 10 random
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.9)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: tenth_of_the_rest — 10 % of what is left, not of all
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.98)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: seventy — 70, 20, 10
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.7)] = mask
    swapped = chosen & (fate >= 0.8)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: random_over_masks — Random ids replace a tenth of the masks, as a second draw
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (torch.rand(ids.shape, generator=dice) < 0.1)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: fate_of_all — One fate for all
# fails: the_shares_are_as_told
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(1, generator=dice).expand(ids.shape)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: fate_of_a_row — One fate a row
# fails: each_place_by_itself
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(len(ids), 1, generator=dice).expand(ids.shape)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: same_generator_twice — Two generators of one seed: all that is chosen is masked
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=torch.Generator().manual_seed(seed))
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: twenty — 20 % are chosen
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.2) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: twelve — 12 % are chosen: the masked ones
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.12) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: any_id — Random ids from the whole list, special ones among them
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V)])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: after_the_first_five — Random ids from 5 on, whatever is special
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.arange(5, V)
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: after_the_largest_special — Random ids above the largest special one
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(min(max(specials) + 1, V - 1), V)])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: never_the_last — The last id of the list is never drawn
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V - 1) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: never_the_first — Id 0 is never drawn
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(1, V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: ids_of_the_text — Random ids taken from the text
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = ids.flatten()[torch.randperm(ids.numel(), generator=dice)].view_as(ids)
    drawn = torch.where(torch.isin(drawn, usual), drawn, usual[0])
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: one_id_for_all — One random id for the whole call
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), (1,), generator=dice).expand(ids.shape)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: next_usual — A special id that is drawn becomes the next usual one
# fails: random_ids_come_from_the_whole_list
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = torch.randint(V, ids.shape, generator=dice)
    drawn = usual[torch.searchsorted(usual, drawn).clamp(max=len(usual) - 1)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: in_place — The ids that were given are written over
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    targets = ids.masked_fill(~chosen, IGNORED)
    new = ids
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    return (new, targets)


# %% wrong: targets_afterwards — Targets taken from what was already hidden
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = new.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: all_targets — Every place is a target
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.clone()
    return (new, targets)


# %% wrong: all_usual_targets — Every place that is not special is a target
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(special, IGNORED)
    return (new, targets)


# %% wrong: masked_are_targets — Only what is masked is a target
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(new != mask, IGNORED)
    return (new, targets)


# %% wrong: changed_are_targets — What was kept is no target
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(new == ids, IGNORED)
    return (new, targets)


# %% wrong: minus_hundred — Another library's number for what is ignored
# fails: shares_of_other_texts
import torch

IGNORED = -100


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: zero_for_ignored — 0 where nothing is asked
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, 0)
    return (new, targets)


# %% wrong: no_seed — Drawn anew at each call
# fails: seeds_and_small_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator()
    dice.seed()
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: one_seed — The same places at each call
# fails: seeds_and_small_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(0)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: rounded_share — How many is 15 % of all, rounded: of a short text none
# fails: seeds_and_small_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    order = (torch.rand(ids.shape, generator=dice) + 9 * special).flatten().argsort().argsort().view_as(ids)
    chosen = (order < (0.15 * (~special).sum()).round()) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return (new, targets)


# %% wrong: exchanged — Targets first
# fails: shares_of_other_texts
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    special = torch.isin(ids, torch.tensor(specials))
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~special
    fate = torch.rand(ids.shape, generator=dice)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    drawn = usual[torch.randint(len(usual), ids.shape, generator=dice)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    swapped = chosen & (fate >= 0.9)
    new[swapped] = drawn[swapped]
    targets = ids.masked_fill(~chosen, IGNORED)
    return targets, new


# %% wrong: fifteen_of_all — Of all that may be chosen exactly 15 %, rounded up
# fails: places_are_chosen_one_by_one
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    ok = torch.tensor([v for v in range(V) if v not in set(specials)])
    may = (~torch.isin(ids, torch.tensor(specials))).flatten().nonzero().flatten()
    n = math.ceil(0.15 * len(may))
    take = may[torch.randperm(len(may), generator=dice)[:n]]
    chosen = torch.zeros(ids.numel(), dtype=torch.bool)
    chosen[take] = True
    chosen = chosen.view(ids.shape)
    f = torch.rand(ids.shape, generator=dice)
    shown = torch.where(chosen & (f < 0.8), mask, ids)
    shown = torch.where(chosen & (f >= 0.8) & (f < 0.9), ok[torch.randint(len(ok), ids.shape, generator=dice)], shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: int32 — Both in int32
# fails: each_place_is_hidden_or_as_it_was
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    ok = torch.tensor([v for v in range(V) if v not in set(specials)])
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~torch.isin(ids, torch.tensor(specials))
    f = torch.rand(ids.shape, generator=dice)
    shown = torch.where(chosen & (f < 0.8), mask, ids)
    shown = torch.where(chosen & (f >= 0.8) & (f < 0.9), ok[torch.randint(len(ok), ids.shape, generator=dice)], shown)
    return shown.int(), torch.where(chosen, ids, IGNORED).int()


# %% wrong: kinds_seed_zero — Only the choice comes from the seed, the kinds are always those of seed 0
# fails: each_place_by_itself
from unrolled.language_model import IGNORED
import torch


def mask_tokens(ids, specials, mask, V, seed):
    g, h = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(0)
    free = torch.tensor([i for i in range(V) if i not in specials])
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~torch.isin(ids, torch.tensor(specials))
    _ = torch.rand(ids.shape, generator=h)
    kind = torch.rand(ids.shape, generator=h)
    drawn = free[torch.randint(len(free), ids.shape, generator=h)]
    shown = torch.where(chosen & (kind < 0.8), mask, ids)
    shown = torch.where(chosen & (kind >= 0.9), drawn, shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: rejected_stays — A drawn special is thrown away and the place stays as it is
# fails: random_ids_are_any_ids
from unrolled.language_model import IGNORED
import torch


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    sp = torch.tensor(specials)
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~torch.isin(ids, sp)
    kind = torch.rand(ids.shape, generator=dice)
    drawn = torch.randint(V, ids.shape, generator=dice)
    drawn = torch.where(torch.isin(drawn, sp), ids, drawn)
    shown = torch.where(chosen & (kind < 0.8), mask, ids)
    shown = torch.where(chosen & (kind >= 0.9), drawn, shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: seed_mod — Only the seed's last byte counts
# fails: seeds_and_small_texts
from unrolled.language_model import IGNORED
import torch


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed % 256)
    free = torch.tensor([i for i in range(V) if i not in specials])
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~torch.isin(ids, torch.tensor(specials))
    kind = torch.rand(ids.shape, generator=dice)
    drawn = free[torch.randint(len(free), ids.shape, generator=dice)]
    shown = torch.where(chosen & (kind < 0.8), mask, ids)
    shown = torch.where(chosen & (kind >= 0.9), drawn, shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: by_id — Equal ids are chosen together
# fails: random_ids_are_any_ids
from unrolled.language_model import IGNORED
import torch


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    free = torch.tensor([i for i in range(V) if i not in specials])
    chosen = (torch.rand(V, generator=dice) < 0.15)[ids] & ~torch.isin(ids, torch.tensor(specials))
    kind = torch.rand(ids.shape, generator=dice)
    drawn = free[torch.randint(len(free), ids.shape, generator=dice)]
    shown = torch.where(chosen & (kind < 0.8), mask, ids)
    shown = torch.where(chosen & (kind >= 0.9), drawn, shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: never_itself — The drawn id is never the one that stood there (where there is another)
# fails: random_ids_are_any_ids
from unrolled.language_model import IGNORED
import torch


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    free = torch.tensor([i for i in range(V) if i not in specials])
    chosen = (torch.rand(ids.shape, generator=dice) < 0.15) & ~torch.isin(ids, torch.tensor(specials))
    kind = torch.rand(ids.shape, generator=dice)
    step = torch.randint(1, max(2, len(free)), ids.shape, generator=dice)
    place = torch.searchsorted(free, ids.contiguous())
    drawn = free[(place + step) % len(free)]
    shown = torch.where(chosen & (kind < 0.8), mask, ids)
    shown = torch.where(chosen & (kind >= 0.9), drawn, shown)
    return shown, torch.where(chosen, ids, IGNORED)


# %% wrong: another_than_it_was — A random id is another one than stood there
# fails: random_ids_are_any_ids
import torch
from unrolled.language_model import IGNORED


def mask_tokens(ids, specials, mask, V, seed):
    dice = torch.Generator().manual_seed(seed)
    usual = torch.tensor([one for one in range(V) if one not in specials])
    place = torch.full((V,), 0)
    place[usual] = torch.arange(len(usual))
    chosen = torch.isin(ids, usual) & (torch.rand(ids.shape, generator=dice) < 0.15)
    fate = torch.rand(ids.shape, generator=dice)
    step = torch.randint(1, max(2, len(usual)), ids.shape, generator=dice)
    other = usual[(place[ids] + step) % len(usual)]
    new = ids.clone()
    new[chosen & (fate < 0.8)] = mask
    new[chosen & (fate > 0.9)] = other[chosen & (fate > 0.9)]
    return new, ids.masked_fill(~chosen, IGNORED)
