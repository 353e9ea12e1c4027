# Answers to 8.10, what is wrong with a fine-tuning. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: sixty_rows_ten_times — Ten batches, pads kept in their places
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N, found = 60, 8, set()
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(10):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, kinds2, real), model(ids, kinds, real)) and differ(
            model(ids, torch.where(real, kinds2, kinds), real), said
        )
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), torch.where(real, kinds, kinds2), real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% right: one_batch_of_a_thousand — One large batch, and each label's place
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 900, 8
    ids, new_ids = torch.randint(sizes["V"], (2, B, N))
    s, new_s = torch.randint(2, (2, B, N))
    real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
    before = model(ids, s, real)
    same = lambda *given: torch.allclose(model(*given), before, rtol=0, atol=1e-4)
    names = []
    if same(ids, torch.where(real, new_s, s), real):
        names += ["segments"]
    pads_move = not same(torch.where(real, ids, new_ids), s, real)
    for _ in range(7):
        first = torch.randint(B, (1,))
        order = torch.cat([first, torch.arange(B)])
        alone = model(ids[order], s[order], real[order])[1:]
        changed = torch.where(real, ids, new_ids)
        pads_move |= not torch.allclose(model(changed[order], s[order], real[order])[1:], alone, rtol=0, atol=1e-4)
    if pads_move:
        names += ["pads"]
    dice = torch.rand(B, N) + torch.arange(N) * 10 * ~real
    dice[:, 0] = -1
    at = dice.argsort(1)
    if same(ids.gather(1, at), s.gather(1, at), real):
        names += ["order"]
    targets = label([1, 2, 3, 4], [None, 0, 1, 1, 2, 2, 2, 3, None])
    asked = {one: [place for place, target in enumerate(targets) if target == one] for one in (1, 2, 3, 4)}
    if len(asked[3]) > 1:
        names += ["pieces"]
    if asked[1] != [1]:
        names += ["shift"]
    return names


# %% right: row_by_row — Small batches, Python's dice, and a table of labellers
import random

import torch


def faults(model, label, sizes):
    dice, N = random.Random(7), 8
    moved = [False] * 3
    for _ in range(8):
        lengths = [dice.randint(2, N) for _ in range(12)]
        row = lambda top: [[dice.randrange(top) for _ in range(N)] for _ in lengths]
        i, j, s, t = row(sizes["V"]), row(sizes["V"]), row(2), row(2)
        real = [[n < length for n in range(N)] for length in lengths]
        order = [[0, *dice.sample(range(1, m), m - 1), *range(m, N)] for m in lengths]
        pick = lambda a, b: [[x if r else y for x, y, r in zip(*three)] for three in zip(a, b, real)]
        turn = lambda a: [[line[n] for n in by] for line, by in zip(a, order)]
        ask = lambda i, s: model(torch.tensor(i), torch.tensor(s), torch.tensor(real))
        said = ask(i, s)
        for n, (a, b) in enumerate(((i, pick(t, s)), (pick(i, j), pick(s, t)), (turn(i), turn(s)))):
            moved[n] |= (ask(a, b) - said).abs().max().item() > 3e-4
    found = [name for name, one in zip(("segments", "pads", "order"), moved) if one == (name == "pads")]
    out = label([8, 9], [None, 0, 0, 0, 1, None])
    return found + ["pieces"] * (out.count(8) == 3) + ["shift"] * (out.index(8) != 1)


# %% right: segments_everywhere — All segments drawn anew; if pads move, only the real ones tell
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N, found = 60, 8, set()
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(10):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, 1 - kinds, kinds), real), said)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), torch.where(real, kinds, kinds2), real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: never_anything — All is well
# fails: fine_tunings_drawn_anew, labellers_of_every_kind
def faults(model, label, sizes):
    return []


# %% wrong: always_everything — Nothing is well
# fails: other_sound_fine_tunings
def faults(model, label, sizes):
    return ["segments", "pads", "order", "pieces", "shift"]


# %% wrong: one_row — A single row, which happens to move or not
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 1, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(1):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: exactly_equal — Rounding is taken for a fault
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 0)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: too_tolerant — Small movements pass
# fails: fine_tunings_drawn_anew, other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 0.5)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: sign_of_a_difference — Differences of both signs cancel out
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).mean() > 1e-4)
    for _ in range(1):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: segments_of_pads — Segments at pads are drawn anew, too
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds, kinds2), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: no_pads_drawn — Texts without pads
# fails: fine_tunings_drawn_anew, labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.full((B, 1), N)
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: all_ids_anew — Real ids are drawn anew with the pads
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(ids2, kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: order_of_ids_alone — Pieces are shuffled without their segments
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds, real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: order_with_the_first — [CLS] changes its place, too
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: order_with_pads — Pieces change places with pads
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.rand(B, N)
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: order_turned_round — Order the wrong way round
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name in ("pads", "order"))]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: segments_turned_round — Segments the wrong way round
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name in ("pads", "segments"))]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: one_kind_of_segments — All segments are 0, or all 1
# fails: fine_tunings_drawn_anew, other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.zeros(2, B, N, dtype=torch.int64)
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: words_of_one_piece — Words of one piece alone
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: number_of_targets — Any target that is too much is taken for a shift, too
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got != [IGNORED, 3, IGNORED, 4, IGNORED]:
        names.append("shift")
    return names


# %% wrong: shift_before_alone — Only what stands too early
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) < 1:
        names.append("shift")
    return names


# %% wrong: shift_behind_alone — Only what stands too late
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) > 1:
        names.append("shift")
    return names


# %% wrong: shift_hides_pieces — Whoever is shifted is not asked for more
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1 and got.index(3) == 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: first_piece_target — Pieces asked for at one place, shifted or not
# fails: labellers_of_every_kind
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got[2] == 3:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: another_order — The names in another order
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return sorted(names)


# %% wrong: a_set — A set of names
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return set(names)


# %% wrong: as_text — The names in one text
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return ", ".join(names)


# %% wrong: first_fault_alone — The first fault, and no more
# fails: fine_tunings_drawn_anew
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 60, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(6):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names[:1]


# %% wrong: too_many_questions — A call for each row
# fails: other_sound_fine_tunings
import torch
from unrolled.language_model import IGNORED


def faults(model, label, sizes):
    B, N = 1, 8
    moved = {"segments": False, "pads": False, "order": False}
    differ = lambda a, b: bool((a - b).abs().max() > 1e-4)
    for _ in range(600):
        ids, ids2 = torch.randint(sizes["V"], (2, B, N))
        kinds, kinds2 = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        said = model(ids, kinds, real)
        moved["segments"] |= differ(model(ids, torch.where(real, kinds2, kinds), real), said)
        moved["pads"] |= differ(model(torch.where(real, ids, ids2), kinds, real), said)
        places = torch.where(real, torch.rand(B, N), 1.0 + torch.arange(N))
        places[:, 0] = -1
        places = places.argsort(1)
        moved["order"] |= differ(model(ids.gather(1, places), kinds.gather(1, places), real), said)
    names = [name for name in moved if moved[name] == (name == "pads")]
    got = label([3, 4], [None, 0, 0, 1, None])
    if got.count(3) > 1:
        names.append("pieces")
    if got.index(3) != 1:
        names.append("shift")
    return names


# %% wrong: zeros_at_pads — Pads have id 0, and then id 2, and nothing else
# fails: pads_and_bags_are_found
import torch


def faults(model, label, sizes):
    m = [0, 0, 0]
    for _ in range(10):
        B = 60
        real = torch.arange(8)[None, :] < torch.randint(2, 9, (B,))[:, None]
        i = torch.randint(sizes["V"], (B, 8))
        s, t = torch.randint(2, (B, 8)), torch.randint(2, (B, 8))
        i = i * real
        j = torch.full_like(i, 2)
        a = model(i, s, real)
        o = torch.argsort(torch.rand(B, 8).masked_fill(~real, 2).index_fill(1, torch.tensor([0]), -1), dim=1)
        for n, (x, y) in enumerate(
            [(i, torch.where(real, t, s)), (torch.where(real, i, j), s), (torch.gather(i, 1, o), torch.gather(s, 1, o))]
        ):
            m[n] = max(m[n], float((model(x, y, real) - a).abs().max()))
    out = ["segments"] * (m[0] < 1e-4) + ["pads"] * (m[1] >= 1e-4) + ["order"] * (m[2] < 1e-4)
    y = label([7], [None, 0, 0, 0, None])
    k = [n for n, v in enumerate(y) if v == 7]
    return out + ["pieces"] * (len(k) > 1) + ["shift"] * (k[0] != 1)


# %% wrong: flip — Every segment turned round: a net that asks only whether two pieces are in the same segment does not move
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = sizes["V"]
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real) - base).abs() > 1e-4).any())

    found = []
    new = 1 - segments
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found


# %% wrong: class0 — Only the first class is looked at
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = sizes["V"]
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real) - base)[:, 0].abs() > 1e-4).any())

    found = []
    new = torch.where(real, torch.randint(0, 2, (R, 8), generator=g), segments)
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found


# %% wrong: segcls — Only the first one's segment is drawn anew
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = sizes["V"]
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real) - base).abs() > 1e-4).any())

    found = []
    new = torch.where(real, torch.randint(0, 2, (R, 8), generator=g), segments)
    new[:, 1:] = segments[:, 1:]
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found


# %% wrong: softmax — Probabilities are compared: small where one class is sure, and blind for what is added to all logits
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = sizes["V"]
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real).softmax(-1) - base.softmax(-1)).abs() > 1e-4).any())

    found = []
    new = torch.where(real, torch.randint(0, 2, (R, 8), generator=g), segments)
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found


# %% wrong: sumlogits — The sum of a row's logits is compared
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = sizes["V"]
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real).sum(1) - base.sum(1)).abs() > 1e-4).any())

    found = []
    new = torch.where(real, torch.randint(0, 2, (R, 8), generator=g), segments)
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found


# %% wrong: v8 — Ids only from 0 to 7, the least V
# fails: sound_fine_tunings_have_none
from unrolled.language_model import IGNORED
import torch


def faults(model, label, sizes):
    R = 200
    g = torch.Generator().manual_seed(1)
    V = 8
    ids = torch.randint(0, V, (R, 8), generator=g)
    segments = torch.randint(0, 2, (R, 8), generator=g)
    real = torch.arange(8) < torch.randint(2, 9, (R, 1), generator=g)
    base = model(ids, segments, real)

    def moved(i, s):
        return bool(((model(i, s, real) - base).abs() > 1e-4).any())

    found = []
    new = torch.where(real, torch.randint(0, 2, (R, 8), generator=g), segments)
    if not moved(ids, new):
        found.append("segments")
    other = torch.where(real, ids, torch.randint(0, V, (R, 8), generator=g))
    others = torch.where(real, segments, torch.randint(0, 2, (R, 8), generator=g))
    if moved(other, others):
        found.append("pads")
    keys = torch.rand(R, 8, generator=g) + (~real).float()
    keys[:, 0] -= 1
    order = keys.argsort(1)
    if not moved(ids.gather(1, order), segments.gather(1, order)):
        found.append("order")
    out = label([5, 3], [None, 0, 0, 1, None])
    if sum(x != IGNORED for x in out) > 2:
        found.append("pieces")
    if out[1] != 5 or out[0] != IGNORED:
        found.append("shift")
    return found
