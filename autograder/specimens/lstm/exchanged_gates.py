# Answers to 3.9, which gates were exchanged? The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: all_pairs_beside_one_call — One call of step, compared with seven nets
import itertools
import torch


def lstm_step(x, h, c, p):
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(20, size, dtype=params["b_f"].dtype) for size in (D, H, H))
    new_h, new_c = step(x, h, c)
    for one, other in [("", ""), *itertools.combinations("figo", 2)]:
        p = dict(params)
        if one:
            for kind in ("U_", "W_", "b_"):
                p[kind + one], p[kind + other] = params[kind + other], params[kind + one]
        expected_h, expected_c = lstm_step(x, h, c, p)
        if torch.allclose(new_h, expected_h, atol=1e-4) and torch.allclose(new_c, expected_c, atol=1e-4):
            return one + other


# %% right: the_nearest_of_seven — The pair whose h and c lie nearest, without a tolerance
import torch
import torch.nn.functional as F


def exchanged_gates(step, params):
    H, D = params["b_f"].numel(), params["W_f"].shape[1]
    x, h, c = (
        torch.linspace(-1, 1, 16 * D).sin().view(16, D),
        torch.cos(torch.arange(16.0 * H)).view(16, H),
        torch.ones(16, H),
    )
    x, h, c = (part.type_as(params["b_f"]) for part in (x, h, c))
    got, gaps = torch.cat(step(x, h, c)), {}
    a = {n: F.linear(h, params[f"U_{n}"]) + F.linear(x, params[f"W_{n}"], params[f"b_{n}"]) for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        names = "figo" if not pair else "figo".translate(str.maketrans(pair, pair[::-1]))
        f, i, g, o = (a[n] for n in names)
        cell = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        gaps[pair] = (got - torch.cat([torch.sigmoid(o) * torch.tanh(cell), cell])).abs().max().item()
    return min(gaps, key=gaps.get)


# %% right: a_table_of_permutations — All four gates tried at each place, with one row a call
import itertools
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    torch.manual_seed(3)
    calls = []
    for _ in range(4):
        x, h, c = (torch.randn(1, size).to(params["U_o"].dtype) for size in (D, H, H))
        calls.append((x, h, c, step(x, h, c)))
    for names in itertools.permutations("figo"):
        moved = [a for a, b in zip("figo", names) if a != b]
        if len(moved) not in (0, 2):
            continue
        fits = True
        for x, h, c, (new_h, new_c) in calls:
            a = [h @ params["U_" + n].T + x @ params["W_" + n].T + params["b_" + n] for n in names]
            cell = a[0].sigmoid() * c + a[1].sigmoid() * a[2].tanh()
            fits = (
                fits and (new_c - cell).abs().max() < 1e-4 and (new_h - a[3].sigmoid() * cell.tanh()).abs().max() < 1e-4
            )
        if fits:
            return "".join(moved)


# %% right: probing_in_double — Everything in float64, one call of step for each pair
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    p = {name: value.double() for name, value in params.items()}
    found = ""
    for number, pair in enumerate(["fi", "fg", "fo", "ig", "io", "go"]):
        generator = torch.Generator().manual_seed(number)
        x, h, c = (torch.randn(10, size, generator=generator, dtype=torch.float64) for size in (D, H, H))
        names = ["figo"[{"f": 0, "i": 1, "g": 2, "o": 3}[pair[1 - pair.index(n)] if n in pair else n]] for n in "figo"]
        f, i, g, o = (h @ p["U_" + n].T + x @ p["W_" + n].T + p["b_" + n] for n in names)
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        new_h, new_c = step(x, h, c)
        if torch.allclose(new_c, cell, atol=1e-8) and torch.allclose(new_h, o.sigmoid() * cell.tanh(), atol=1e-8):
            found = pair
    return found


# %% wrong: looks_at_h_alone — The cell is not compared
# fails: state_and_cell_are_both_looked_at
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    new_h, _ = step(x, h, c)
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(new_h, o.sigmoid() * cell.tanh(), atol=1e-5):
            return pair


# %% wrong: looks_at_c_alone — o is in h only: with which gate it was exchanged is seen, but not whether the rest fits
# fails: state_and_cell_are_both_looked_at
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    _, new_c = step(x, h, c)
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "fig")
        if torch.allclose(new_c, f.sigmoid() * c + i.sigmoid() * g.tanh(), atol=1e-5):
            return pair


# %% wrong: one_of_the_two_is_enough — A match of h or of c decides
# fails: state_and_cell_are_both_looked_at
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    new_h, new_c = step(x, h, c)
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(new_c, cell, atol=1e-5) or torch.allclose(new_h, o.sigmoid() * cell.tanh(), atol=1e-5):
            return pair


# %% wrong: always_a_pair — Has no answer for a sound net
# fails: a_sound_net_is_not_suspected, other_nets_are_seen_through
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    x, h, c = (part.type_as(params["b_f"]) for part in (x, h, c))
    got, gaps = torch.cat(step(x, h, c)), {}
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        gaps[pair] = (got - torch.cat([o.sigmoid() * cell.tanh(), cell])).abs().max().item()
    return min(gaps, key=gaps.get)


# %% wrong: neighbours_alone — Tries the pairs that stand side by side
# fails: every_pair_is_found, other_nets_are_seen_through
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("fi", "ig", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair
    return ""


# %% wrong: letters_in_torchs_order — "if" for "fi"
# fails: every_pair_is_found
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "if", "ig", "io", "fg", "fo", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair


# %% wrong: in_alphabetical_order — "gi" for "ig"
# fails: every_pair_is_found, a_sound_net_is_not_suspected
import itertools
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ["", *itertools.combinations("fgio", 2)]:
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return "".join(pair)


# %% wrong: zeros_for_inputs — Biases alone speak, and a net without them says nothing
# fails: a_net_without_biases_is_read_too, gates_that_differ_in_one_part_are_told_apart
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    got = torch.cat(step(*(value * torch.ones(1, size).to(params["W_f"]) for value, size in ((0, D), (0, H), (1, H)))))
    a = {n: params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = (f.sigmoid() + i.sigmoid() * g.tanh())[None]
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair


# %% wrong: no_state_given — h = 0, so that no U speaks
# fails: gates_that_differ_in_one_part_are_told_apart
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    h = 0 * h
    got = torch.cat(step(x, h, c))
    a = {n: x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair


# %% wrong: biases_stay — Exchanges U and W, and forgets b
# fails: every_pair_is_found, other_nets_are_seen_through
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got, p = torch.cat(step(x, h, c)), params
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        names = [pair[1 - pair.index(n)] if n in pair else n for n in "figo"]
        f, i, g, o = (h @ p[f"U_{m}"].T + x @ p[f"W_{m}"].T + p[f"b_{n}"] for m, n in zip(names, "figo"))
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair
    return ""


# %% wrong: without_a_batch — Calls step with single vectors
# fails: every_pair_is_found, a_sound_net_is_not_suspected
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    h, c = step(torch.randn(D), torch.randn(H), torch.randn(H))
    return "" if h.abs().max() < 1 else "fi"


# %% wrong: equal_to_the_last_bit — Compares with ==, and no net ever fits
# fails: every_pair_is_found, a_sound_net_is_not_suspected
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if (got == torch.cat([o.sigmoid() * cell.tanh(), cell])).all():
            return pair


# %% wrong: too_tolerant — Takes the first pair that fits within a tenth
# fails: other_nets_are_seen_through
import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    x, h, c = (torch.randn(8, size).to(params["W_f"]) for size in (D, H, H))
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if (got - torch.cat([o.sigmoid() * cell.tanh(), cell])).abs().max() < 0.1:
            return pair
    return ""


# %% wrong: single_precision_alone — Asks with float32, whatever the parameters are
# fails: other_nets_are_seen_through
import torch


def exchanged_gates(step, params):
    torch.manual_seed(5)
    H, D = params["W_f"].shape
    x, h, c = torch.randn(9, D), torch.randn(9, H), torch.randn(9, H)
    got = torch.cat(step(x, h, c))
    a = {n: h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo"}
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        f, i, g, o = (a[pair[1 - pair.index(n)] if n in pair else n] for n in "figo")
        cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
        if torch.allclose(got, torch.cat([o.sigmoid() * cell.tanh(), cell]), atol=1e-5):
            return pair


# %% right: hint_two_to_the_letter — Random numbers of the parameters' dtype, allclose with atol=1e-5
import torch


def exchanged_gates(step, params):
    H, D = params["U_f"].shape[0], params["W_f"].shape[1]
    x, h, c = (torch.randn(32, size, dtype=params["b_f"].dtype) for size in (D, H, H))
    new_h, new_c = step(x, h, c)
    for pair in ("", "fi", "fg", "fo", "ig", "io", "go"):
        other = dict(zip(pair, pair[::-1]))
        a = {n: [params[f"{kind}_{other.get(n, n)}"] for kind in "UWb"] for n in "figo"}
        f, i, g, o = (h @ U.T + x @ W.T + b for U, W, b in a.values())
        cell = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        state = torch.sigmoid(o) * torch.tanh(cell)
        if torch.allclose(new_h, state, atol=1e-5) and torch.allclose(new_c, cell, atol=1e-5):
            return pair


# %% wrong: near_enough_at_a_twentieth — Results that differ by less than 0.05 count as the same
# fails: small_weights_are_told_apart
import itertools

import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    rng = torch.Generator().manual_seed(0)
    x, h, c = (torch.randn(8, n, generator=rng).to(params["W_f"].dtype) for n in (D, H, H))
    for gates in ("", *map("".join, itertools.combinations("figo", 2))):
        other = dict(zip(gates, reversed(gates)))
        mixed = {name: params[name[:2] + other.get(name[2], name[2])] for name in params}
        if all(torch.allclose(a, b, atol=0.05) for a, b in zip(step(x, h, c), lstm_step(x, h, c, mixed))):
            return gates


def lstm_step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


# %% wrong: the_means_alone — Only the means of h and c are compared, to a thousandth
# fails: small_weights_are_told_apart
import itertools

import torch


def exchanged_gates(step, params):
    H, D = params["W_f"].shape
    rng = torch.Generator().manual_seed(0)
    x, h, c = (torch.randn(64, n, generator=rng).to(params["W_f"].dtype) for n in (D, H, H))
    for gates in ("", *map("".join, itertools.combinations("figo", 2))):
        other = dict(zip(gates, reversed(gates)))
        mixed = {name: params[name[:2] + other.get(name[2], name[2])] for name in params}
        if all(abs(a.mean() - b.mean()) < 1e-3 for a, b in zip(step(x, h, c), lstm_step(x, h, c, mixed))):
            return gates


def lstm_step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c
