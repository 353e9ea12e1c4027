# Answers to 7.9, what ails a translator. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: one_batch_each — All words behind, all pads, all orders in a batch
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% right: eight_by_eight — Batches of eight, drawn by Python's generator
import random

import torch


def symptoms(model, sizes):
    rng, has = random.Random(3), {"future": False, "pads": False, "order": True, "rows": False}
    draw = lambda top, n: torch.tensor([[rng.randrange(4, top) for _ in range(n)] for _ in range(8)])
    differ = lambda a, b: not torch.allclose(a, b, rtol=0, atol=1e-4)
    for case in range(30):
        lengths, N, M = [rng.randint(1, 8) for _ in range(8)], 8, 6
        real = torch.tensor([[j < n for j in range(N)] for n in lengths])
        s, w, t = draw(sizes["V"], N), draw(sizes["U"], M), case % (M - 1)
        said = model(s, real, w)
        kept = torch.tensor([j <= t for j in range(M)])
        has["future"] |= differ(model(s, real, w.where(kept, draw(sizes["U"], M)))[:, t], said[:, t])
        has["pads"] |= differ(model(s.where(real, draw(sizes["V"], N)), real, w), said)
        turned = torch.tensor([[*rng.sample(row[:n], n), *row[n:]] for row, n in zip(s.tolist(), lengths)])
        has["order"] &= not differ(model(turned, real, w), said)
        r = slice(case % 8, case % 8 + 1)
        has["rows"] |= differ(model(s[r], real[r], w[r]), said[r])
    return [name for name, one in has.items() if one]


# %% right: other_rows_redrawn — Rows: the others drawn anew, the same pair kept
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(
        moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1])
        for r in torch.randperm(B)[:60].tolist()
    ):
        found.append("rows")
    return found


# %% wrong: never_anything — All is well
# fails: words_to_come_are_found, pads_and_bags_are_found, strangers_are_found
def symptoms(model, sizes):
    return []


# %% wrong: always_everything — Nothing is well
# fails: sound_models_have_none
def symptoms(model, sizes):
    return ["future", "pads", "order", "rows"]


# %% wrong: leak_alone — Only the leak is looked for
# fails: pads_and_bags_are_found, strangers_are_found
import torch


def symptoms(model, sizes):
    w, w2 = torch.randint(4, sizes["U"], (2, 200, 6))
    s, real = torch.randint(4, sizes["V"], (200, 8)), torch.ones(200, 8, dtype=torch.bool)
    for t in range(5):
        other = torch.cat([w[:, : t + 1], w2[:, t + 1 :]], 1)
        if (model(s, real, other) - model(s, real, w))[:, t].abs().max() > 1e-4:
            return ["future"]
    return []


# %% wrong: next_word_alone — Only the word behind is changed
# fails: words_to_come_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(
        moved(model(s, real, torch.cat([w[:, :t], w2[:, t : t + 1], w[:, t + 1 :]], 1))[:, t - 1], said[:, t - 1])
        for t in range(2, M)
    ):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: last_word_alone — Only the last word is changed
# fails: words_to_come_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if moved(model(s, real, torch.cat([w[:, :-1], w2[:, -1:]], 1))[:, -2], said[:, -2]):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: compares_what_may_move — The place of the change is compared, too
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(
        moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, : t + 1], said[:, : t + 1]) for t in range(1, M)
    ):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: one_pair — A single pair, which happens to show it or not
# fails: words_to_come_are_found
import torch


def symptoms(model, sizes):
    torch.manual_seed(11)
    B, N, M = 1, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(1)):
        found.append("rows")
    return found


# %% wrong: exactly_equal — Rounding is taken for a symptom
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 0)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: too_tolerant — Small faults pass
# fails: words_to_come_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 0.2)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: sign_of_a_difference — Differences of both signs cancel out
# fails: words_to_come_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).mean() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: pads_and_words — Words and pads are drawn anew together
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s2, real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: no_pads_drawn — Sources without pads
# fails: pads_and_bags_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.full((B, 1), N)
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: more_pads — The number of pads is changed
# fails: pads_and_bags_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(
        model(torch.cat([s, s2[:, :3] * 0 + 4], 1), torch.cat([real, real[:, :3] & False], 1), w),
        model(torch.cat([s, s2[:, :3] * 0 + 4], 1), torch.cat([real, real[:, :3] & False], 1), w),
    ):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: order_with_pads — Words change places with pads
# fails: pads_and_bags_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = torch.rand(B, N).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: order_turned_round — Order the wrong way round
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: two_neighbours — Only the first two words are exchanged
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = torch.arange(N).repeat(B, 1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: first_row_alone — Only the first row is asked alone
# fails: strangers_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(1)):
        found.append("rows")
    return found


# %% wrong: rows_shuffled — The same rows in another order
# fails: strangers_are_found
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if moved(model(s.flip(0), real.flip(0), w.flip(0)).flip(0), said):
        found.append("rows")
    return found


# %% wrong: only_one_named — The first symptom is named and no other
# fails: several_at_once
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found[:1]


# %% wrong: order_hidden_by_pads — Where pads are seen order is not asked
# fails: several_at_once
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    if found[-1:] == ["pads"]:
        real = torch.ones_like(real)
        said = model(s, real, w)
        return found
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: in_another_order — Rows before order
# fails: several_at_once
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return sorted(found, reverse=True)


# %% wrong: a_set — A set of names
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(4, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return set(found)


# %% wrong: marks_as_words — Ids from 0 on
# fails: sound_models_have_none
import torch


def symptoms(model, sizes):
    B, N, M = 200, 8, 6
    s, s2 = torch.randint(0, sizes["V"], (2, B, N))
    w, w2 = torch.randint(4, sizes["U"], (2, B, M))
    real = torch.arange(N) < torch.randint(1, N + 1, (B, 1))
    moved = lambda a, b: bool((a - b).abs().max() > 1e-4)
    said, found = model(s, real, w), []
    if any(moved(model(s, real, torch.cat([w[:, :t], w2[:, t:]], 1))[:, :t], said[:, :t]) for t in range(1, M)):
        found.append("future")
    if moved(model(s.where(real, s2), real, w), said):
        found.append("pads")
    places = (torch.rand(B, N) + ~real).argsort(1)
    if not moved(model(s.gather(1, places), real, w), said):
        found.append("order")
    if any(moved(model(s[r : r + 1], real[r : r + 1], w[r : r + 1]), said[r : r + 1]) for r in range(40)):
        found.append("rows")
    return found


# %% wrong: one_pair_at_a_time — A question for each pair, too many in all
# fails: sound_models_have_none, models_drawn_anew
import torch


def symptoms(model, sizes):
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    has = [False, False, True, False]
    for case in range(150):
        s, s2 = torch.randint(4, sizes["V"], (2, 8, 8))
        w, w2 = torch.randint(4, sizes["U"], (2, 8, 6))
        real = torch.arange(8) < torch.randint(1, 9, (8, 1))
        said, r, t = model(s, real, w), case % 8, case % 5
        words, pads, order = w.clone(), s.clone(), s.clone()
        words[r, t + 1 :] = w2[r, t + 1 :]
        pads[r] = s[r].where(real[r], s2[r])
        order[r] = s[r][(torch.rand(8) + ~real[r]).argsort()]
        has[0] |= differ(model(s, real, words)[r, t], said[r, t])
        has[1] |= differ(model(pads, real, w)[r], said[r])
        has[2] &= not differ(model(order, real, w)[r], said[r])
        has[3] |= differ(model(s[r : r + 1], real[r : r + 1], w[r : r + 1])[0], said[r])
    return [name for name, one in zip(("future", "pads", "order", "rows"), has) if one]
