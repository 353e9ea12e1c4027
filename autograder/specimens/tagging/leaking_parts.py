# Answers to 4.10, where the pads get in. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: many_kinds_of_pads — Zeros and loud numbers at the pads of all rows but the last, states of either sign
import torch


def leaking_parts(read, pool, width, hidden):
    torch.manual_seed(0)

    def sound(part, size):
        for sign in (-1, 1):
            x = sign * torch.rand(8, 3, size)
            alone = part(x, torch.ones(8, 3, dtype=torch.bool))
            for pads in (torch.zeros(8, 5, size), torch.full((8, 5, size), 40.0), torch.full((8, 5, size), -40.0)):
                for full in (0, 7):  # a row that goes on where the others end
                    mask = torch.tensor([[True] * 3 + [n == full] * 5 for n in range(8)])
                    together = part(torch.cat([x, pads], 1), mask)
                    together = together if together.dim() == 2 else together[:, :3]
                    if (together - alone)[1:7].abs().max() > 1e-4:
                        return False
        return True

    found = []
    if not sound(read, width):
        found.append("read")
    if not sound(pool, hidden):
        found.append("pool")
    return found


# %% right: beside_a_longer_row — A row by itself, then above and below one that is longer
import torch


def leaking_parts(read, pool, width, hidden):
    def differs(part, size, row, pads):
        n, T = len(row), len(row) + len(pads)
        alone = part(row[None], torch.ones(1, n, dtype=torch.bool))[0]
        x, mask = torch.stack([torch.cat([row, pads]), torch.randn(T, size)]), torch.ones(2, T, dtype=torch.bool)
        mask[0, n:] = False
        for mine in (part(x, mask)[0], part(x.flip(0), mask.flip(0))[1]):
            if not torch.allclose(mine[:n] if mine.dim() == 2 else mine, alone, rtol=1e-3, atol=1e-4):
                return True
        return False

    def leaks(part, size):
        rows = [torch.rand(n, size) + shift for n in (1, 3) for shift in (-3, 2)]
        pads = [torch.zeros(3, size), torch.randn(5, size) * 20]
        return any(differs(part, size, row, behind) for row in rows for behind in pads)

    return [name for name, part, size in (("read", read, width), ("pool", pool, hidden)) if leaks(part, size)]


# %% right: each_sentence_alone — Row after row alone, in float64
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(11)
    result = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        gap = 0.0
        for shift in (-4, 0, 4):
            lengths = [1, 3, 6] * 2
            batch = torch.randn(6, 10, size, generator=g, dtype=torch.float64) + shift
            mask = torch.tensor([[t < n for t in range(10)] for n in lengths])
            batch[~mask] *= 15
            together = part(batch, mask)
            for row, n in enumerate(lengths):
                alone = part(batch[row : row + 1, :n], mask[row : row + 1, :n])[0]
                mine = together[row, :n] if together.dim() == 3 else together[row]
                gap = max(gap, float((alone - mine).abs().max()))
        if gap > 1e-3:
            result.append(name)
    return result


# %% wrong: one_after_the_other — What pool is given comes from read, so that a leak in read is pool's as well
# fails: a_net_that_reads_the_pads_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    x = torch.randn(8, 6, width, generator=g)
    long = torch.cat([x, 10 * torch.randn(8, 3, width, generator=g)], 1)
    mask = (torch.arange(9) < 6).expand(8, 9)
    alone, together = read(x, mask[:, :6]), read(long, mask)
    found = [] if torch.allclose(alone, together[:, :6], atol=1e-4) else ["read"]
    if not torch.allclose(pool(alone, mask[:, :6]), pool(together, mask), atol=1e-4):
        found.append("pool")
    return found


# %% wrong: zeros_at_the_pads_only — Pads of zeros let most leaks through
# fails: sound_parts_are_not_accused, a_pool_that_takes_pads_for_steps_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        x = torch.rand(8, 4, size, generator=g) + 1
        mask = torch.ones(8, 4, dtype=torch.bool)
        more = torch.cat([mask, torch.zeros(8, 0, dtype=torch.bool)], 1)
        if not torch.allclose(part(x, mask), part(x, more), atol=1e-4):
            found.append(name)
    return found


# %% wrong: positive_states_only — Never tries a row whose real states are all negative
# fails: a_pool_that_takes_pads_for_steps_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        x = torch.rand(8, 4, size, generator=g) + 1
        pads = 20 * torch.randn(8, 3, size, generator=g)
        mask = (torch.arange(7) < 4).expand(8, 7)
        together = part(torch.cat([x, pads], 1), mask)
        together = together[:, :4] if together.dim() == 3 else together
        if not torch.allclose(part(x, mask[:, :4]), together, atol=1e-4):
            found.append(name)
    return found


# %% wrong: states_at_the_pads_compared — Accuses a net of what it leaves at the pads
# fails: what_read_leaves_at_the_pads_is_no_leak
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        leak = False
        for shift in (-3, 0, 3):
            x = torch.randn(9, 4, size, generator=g) + shift
            pads = 20 * torch.randn(9, 3, size, generator=g)
            mask = torch.arange(7) < torch.tensor([7] + 8 * [4])[:, None]
            alone, together = part(x, mask[:, :4])[1:], part(torch.cat([x, pads], 1), mask)[1:]
            if alone.dim() == 3:
                alone = torch.cat([alone, alone.new_zeros(8, 3, alone.shape[2])], 1)
            leak |= not torch.allclose(alone, together, atol=1e-4)
        if leak:
            found.append(name)
    return found


# %% wrong: to_the_last_bit — Takes rounding for a leak
# fails: rounding_is_no_leak
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        leak = False
        for shift in (-3, 0, 3):
            x = torch.randn(9, 4, size, generator=g) + shift
            pads = 20 * torch.randn(9, 3, size, generator=g)
            mask = torch.arange(7) < torch.tensor([7] + 8 * [4])[:, None]
            alone, together = part(x, mask[:, :4])[1:], part(torch.cat([x, pads], 1), mask)[1:]
            together = together[:, :4] if together.dim() == 3 else together
            leak |= not torch.equal(alone, together)
        if leak:
            found.append(name)
    return found


# %% wrong: mask_all_true — Asks both times for a batch without pads
# fails: sound_parts_are_not_accused
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        x = torch.randn(9, 4, size, generator=g)
        longer = torch.cat([x, 20 * torch.randn(9, 3, size, generator=g)], 1)
        alone = part(x, torch.ones(9, 4, dtype=torch.bool))
        together = part(longer, torch.ones(9, 7, dtype=torch.bool))
        together = together[:, :4] if together.dim() == 3 else together
        if not torch.allclose(alone, together, atol=1e-4):
            found.append(name)
    return found


# %% wrong: the_first_leak_alone — Stops where something leaks
# fails: both_may_leak
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        for shift in (-3, 0, 3):
            x = torch.randn(9, 4, size, generator=g) + shift
            pads = 20 * torch.randn(9, 3, size, generator=g)
            mask = torch.arange(7) < torch.tensor([7] + 8 * [4])[:, None]
            alone, together = part(x, mask[:, :4])[1:], part(torch.cat([x, pads], 1), mask)[1:]
            together = together[:, :4] if together.dim() == 3 else together
            if not torch.allclose(alone, together, atol=1e-4):
                return [name]
    return []


# %% wrong: shuffled_batch — Looks for rows that see each other, which these do not
# fails: a_net_that_reads_the_pads_is_found, a_pool_that_takes_pads_for_steps_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        x = torch.randn(6, 5, size, generator=g)
        mask = torch.arange(5) < torch.tensor([5, 2, 3, 1, 4, 5])[:, None]
        order = torch.randperm(6, generator=g)
        if not torch.allclose(part(x, mask)[order], part(x[order], mask[order]), atol=1e-4):
            found.append(name)
    return found


# %% wrong: other_numbers_same_length — Changes what stands at the pads, never how many there are
# fails: a_pool_that_takes_pads_for_steps_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(0)
    found = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        leak = False
        for shift in (-3, 0, 3):
            x = torch.randn(9, 7, size, generator=g) + shift
            mask = (torch.arange(7) < 4).expand(9, 7)
            loud = torch.where(mask[..., None], x, 20 * x)
            one, other = part(x, mask), part(loud, mask)
            if one.dim() == 3:
                one, other = one[:, :4], other[:, :4]
            leak |= not torch.allclose(one, other, atol=1e-4)
        if leak:
            found.append(name)
    return found


# %% wrong: same_batch_other_pads — A batch with other pads, and with fewer, but the same neighbours: never a row alone
# fails: a_pool_that_takes_pads_for_steps_is_found
import torch


def differs(one, other):
    return not torch.allclose(one, other, rtol=1e-3, atol=1e-4)


def leaking_parts(read, pool, width, hidden):
    g = torch.Generator().manual_seed(3)
    lengths = torch.tensor([1, 2, 3, 5] * 3)
    mask = torch.arange(9) < lengths[:, None]
    names = []
    for name, part, size in (("read", read, width), ("pool", pool, hidden)):
        leak = False
        for sign in (1.0, -1.0):
            real = sign * torch.rand(12, 9, size, generator=g) + 0.1 * sign
            quiet, loud, low = real.clone(), real.clone(), real.clone()
            quiet[~mask], loud[~mask], low[~mask] = 0.0, 30.0, -30.0
            narrow = part(real[:, :5], mask[:, :5])
            for batch in (quiet, loud, low):
                wide = part(batch, mask)
                if wide.dim() == 3:
                    leak |= differs(wide[:, :5][mask[:, :5]], narrow[mask[:, :5]])
                else:
                    leak |= differs(wide, narrow)
        if leak:
            names += [name]
    return names


# %% wrong: as_many_pads_in_each_row — A part that goes by the first row for all rows looks sound
# fails: a_pool_that_takes_pads_for_steps_is_found
import torch


def leaking_parts(read, pool, width, hidden):
    def moved(part, size):
        for shift in (-5.0, 0.0, 5.0):
            steps = torch.randn(6, 5, size) + shift
            alone = part(steps, torch.ones(6, 5, dtype=torch.bool))
            for pads in (torch.zeros(6, 4, size), 30 * torch.randn(6, 4, size)):
                mask = torch.tensor([[True] * 5 + [False] * 4] * 6)
                beside = part(torch.cat([steps, pads], 1), mask)
                if (beside[:, : alone.shape[1]] - alone).abs().max() > 1e-4:
                    return True
        return False

    return ["read"] * moved(read, width) + ["pool"] * moved(pool, hidden)
