# Answers to 6.9, a leak detector. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: place_by_place — One symbol at a time is changed, in many texts
import torch


def leaks(model, vocabulary, length):
    g = torch.Generator().manual_seed(5)
    ids = torch.randint(vocabulary, (150, length), generator=g)
    before, found = model(ids), set()
    for s in range(1, length):
        for step in range(1, min(vocabulary, 8)):
            other = ids.clone()
            other[:, s] = (other[:, s] + step) % vocabulary
            moved = (model(other) - before).abs().reshape(150, length, -1).amax((0, 2))
            found |= {t for t in range(s) if moved[t] > 5e-4}
    return sorted(found)


# %% right: beginnings_shared — One beginning, many ends: all must say the same up to there
import torch


def leaks(model, vocabulary, length):
    torch.manual_seed(71)
    found = []
    for t in range(length):
        spread = 0.0
        for _ in range(60):
            ids = torch.randint(0, vocabulary, (30, length))
            ids[:, : t + 1] = ids[0, : t + 1]
            out = model(ids)[:, t].reshape(30, -1)
            spread = max(spread, (out.max(0).values - out.min(0).values).max().item())
        if spread > 1e-4:
            found.append(t)
    return found


# %% right: python_lists — Python's generator, texts as lists, allclose
import random

import torch


def leaks(model, vocabulary, length):
    rng = random.Random(0)
    draw = lambda n: [rng.randrange(vocabulary) for _ in range(n)]
    seen = [False] * length
    for t in range(length):
        starts = [draw(t + 1) for _ in range(200)]
        a = torch.tensor([s + draw(length - t - 1) for s in starts])
        b = torch.tensor([s + draw(length - t - 1) for s in starts])
        seen[t] = not torch.allclose(model(a)[:, t], model(b)[:, t], rtol=0, atol=1e-4)
    return [t for t, one in enumerate(seen) if one]


# %% wrong: only_the_next_symbol — Leaks from farther away are not looked for
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1] = torch.randint(vocabulary, (300,))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: only_the_last_symbol — Nor leaks from nearby
# fails: wrong_masks_are_found, each_position_is_judged_by_itself
import torch


def leaks(model, vocabulary, length):
    ids = torch.randint(vocabulary, (300, length))
    other = ids.clone()
    other[:, -1] = torch.randint(vocabulary, (300,))
    moved = (model(ids) - model(other)).abs().reshape(300, length, -1).amax((0, 2))
    return [t for t in range(length - 1) if moved[t] > 1e-4]


# %% wrong: one_text — A single text, which happens to show it or not
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    torch.manual_seed(72)
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (1, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (1, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: exactly_equal — Rounding is taken for a leak
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if not torch.equal(model(ids)[:, t], model(other)[:, t]):
            found.append(t)
    return found


# %% wrong: allclose_as_it_is — Its tolerance is 10⁻⁸ where a number is near 0
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids, other = torch.randint(vocabulary, (2, 300, length))
        other[:, : t + 1] = ids[:, : t + 1]
        if not torch.allclose(model(ids)[:, t], model(other)[:, t]):
            found.append(t)
    return found


# %% wrong: too_tolerant — Small leaks pass
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 0.05:
            found.append(t)
    return found


# %% wrong: from_two_behind_on — The next symbol stays what it was
# fails: wrong_masks_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).mean() > 1e-4:
            found.append(t)
    return found


# %% wrong: two_texts — Zeros throughout, the highest symbol throughout, and what falls is not seen
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.zeros(1, length, dtype=torch.int64)
        other = ids.clone()
        other[:, t + 1 :] = vocabulary - 1
        if (model(ids)[:, t] - model(other)[:, t]).max() > 1e-4:
            found.append(t)
    return found


# %% wrong: all_outputs_up_to_t — A leak before t is put down to t
# fails: each_position_is_judged_by_itself
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, : t + 1] - model(other)[:, : t + 1]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: all_outputs — What comes later may differ
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids) - model(other)).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: t_itself_changed — A position depends on its own symbol
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t:] = torch.randint(vocabulary, (300, length - t))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: past_changed — Looks for what every model may do
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(1, length):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, :t] = torch.randint(vocabulary, (300, t))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: who_is_seen — The positions that are seen too early, not those that see
# fails: each_position_is_judged_by_itself
import torch


def leaks(model, vocabulary, length):
    found = []
    for s in range(1, length):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, s] = torch.randint(vocabulary, (300,))
        if (model(ids)[:, :s] - model(other)[:, :s]).abs().max() > 1e-4:
            found.append(s)
    return found


# %% wrong: counted_from_one — The first position is called 1
# fails: wrong_masks_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t + 1)
    return found


# %% wrong: yes_or_no — Whether, not where
# fails: wrong_masks_are_found
import torch


def leaks(model, vocabulary, length):
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            return True
    return False


# %% wrong: the_first_alone — Stops at the first leak
# fails: wrong_masks_are_found
import torch


def leaks(model, vocabulary, length):
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            return [t]
    return []


# %% wrong: changed_from_two_on — The next symbol stays
# fails: wrong_masks_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 2 :] = torch.randint(vocabulary, (300, max(length - t - 2, 0)))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: the_text_cut_off — A shorter text, which the model may not be given
# fails: sound_models_are_not_accused
import torch


def leaks(model, vocabulary, length):
    ids = torch.randint(vocabulary, (300, length))
    whole, found = model(ids), []
    for t in range(length - 1):
        if (whole[:, t] - model(ids[:, : t + 1])[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: without_symbol_0 — The symbol 0 is never tried
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids = torch.randint(1, vocabulary, (300, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(1, vocabulary, (300, length - t - 1))
        if (model(ids)[:, t] - model(other)[:, t]).abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: ten_texts — Too few for what shows in one of fourteen
# fails: leaks_that_show_seldom_are_found
import torch


def leaks(model, vocabulary, length):
    torch.manual_seed(74)
    found = []
    for t in range(length - 1):
        ids = torch.randint(vocabulary, (10, length))
        other = ids.clone()
        other[:, t + 1 :] = torch.randint(vocabulary, (10, length - t - 1))
        if not torch.allclose(model(ids)[:, t], model(other)[:, t], atol=1e-4):
            found.append(t)
    return found


# %% wrong: mean_of_differences — What moves one number in few texts is lost in the mean over all
# fails: leaks_that_show_seldom_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    for t in range(length - 1):
        ids, drawn = torch.randint(vocabulary, (2, 400, length))
        other = torch.cat([ids[:, : t + 1], drawn[:, t + 1 :]], 1)
        moved = torch.nn.functional.l1_loss(model(other)[:, t], model(ids)[:, t])
        if moved.item() > 1e-4:
            found.append(t)
    return found


# %% wrong: sums_compared — The numbers at a position are added up first
# fails: leaks_without_a_mask_are_found
import torch


def leaks(model, vocabulary, length):
    def loudness(ids):
        out = model(ids)
        return out.reshape(*ids.shape, -1).sum(2)

    found = []
    for t in range(length - 1):
        ids, drawn = torch.randint(vocabulary, (2, 400, length))
        drawn[:, : t + 1] = ids[:, : t + 1]
        if (loudness(ids) - loudness(drawn))[:, t].abs().amax() > 1e-4:
            found.append(t)
    return found


# %% wrong: texts_of_one_symbol — One symbol throughout, and another one throughout after it
# fails: leaks_that_show_seldom_are_found
import torch


def leaks(model, vocabulary, length):
    found = []
    symbols = torch.arange(vocabulary)
    one, two = torch.cartesian_prod(symbols, symbols).T
    for t in range(length - 1):
        ids = one[:, None].expand(-1, length)
        other = torch.where(torch.arange(length) > t, two[:, None], ids)
        if (model(ids.clone()) - model(other))[:, t].abs().max() > 1e-4:
            found.append(t)
    return found


# %% wrong: zeros_behind — Texts of one symbol, and zeros in the place of the future
# fails: leaks_that_show_seldom_are_found
import torch


def leaks(model, vocabulary, length):
    ids = torch.arange(vocabulary).repeat_interleave(length).reshape(vocabulary, length)
    found = []
    for t in range(length - 1):
        kept = torch.arange(length) <= t
        moved = model(ids)[:, t] - model(ids * kept)[:, t]
        if bool((moved.abs() > 1e-4).any()):
            found.append(t)
    return found
