# Answers to 2.5, gradients by hand. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: two_loops — Forward with all states kept, then backward, sums grow in place
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = params["U"], params["W"], params["b"], params["V"], params["c"]
    T, hs = len(ids), [h0]
    for t in range(T):
        hs.append(torch.tanh(U @ hs[t] + W[:, ids[t]] + b))
    dU, dW, db = torch.zeros_like(U), torch.zeros_like(W), torch.zeros_like(b)
    dV, dc, later = torch.zeros_like(V), torch.zeros_like(c), torch.zeros_like(b)
    for t in range(T - 1, -1, -1):
        do = torch.softmax(V @ hs[t + 1] + c, dim=0)
        do[targets[t]] = do[targets[t]] - 1
        do = do / T
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        dV += do[:, None] * hs[t + 1][None, :]
        dc += do
        dU += da[:, None] * hs[t][None, :]
        dW[:, ids[t]] += da
        db += da
        later = U.T @ da
    return {"U": dU, "W": dW, "b": db, "V": dV, "c": dc}


# %% right: products_of_all_steps — δo and δa of all steps first, then one product a parameter
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    U, V = params["U"], params["V"]
    x = F.one_hot(ids, params["W"].shape[1]).to(h0.dtype)  # (T, V)
    states = [h0]
    for row in x @ params["W"].T + params["b"]:
        states.append(torch.tanh(U @ states[-1] + row))
    h = torch.stack(states)  # (T + 1, H)
    wanted = F.one_hot(targets, len(V)).to(h0.dtype)
    do = ((h[1:] @ V.T + params["c"]).softmax(-1) - wanted) / len(ids)
    da = do @ V  # (T, H), what comes from above
    for t in reversed(range(len(ids))):
        if t + 1 < len(ids):
            da[t] += da[t + 1] @ U
        da[t] *= 1 - h[t + 1].square()
    return {"V": do.T @ h[1:], "c": do.sum(0), "U": da.T @ h[:-1], "W": da.T @ x, "b": da.sum(0)}


# %% right: jacobians — Each step's share as a product of Jacobians, forward through time
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in ("U", "W", "b", "V", "c"))
    T, H = len(ids), len(h0)
    grads = {name: torch.zeros_like(value) for name, value in params.items()}
    h, steps = h0, []  # for each step so far: its symbol, the state before it, and dh/da of it
    for t in range(T):
        before, h = h, torch.tanh(U @ h + W[:, ids[t]] + b)
        slope = 1 - h * h
        steps = [(s, p, torch.diag(slope) @ U @ J) for s, p, J in steps] + [(ids[t], before, torch.diag(slope))]
        do = (V @ h + c).softmax(0)
        do[targets[t]] -= 1
        do /= T
        grads["V"] += torch.outer(do, h)
        grads["c"] += do
        for symbol, state, J in steps:
            da = J.T @ (V.T @ do)
            grads["U"] += torch.outer(da, state)
            grads["W"][:, symbol] += da
            grads["b"] += da
    return grads


# %% right: numpy_backward — numpy in float64, turned back at the end
import numpy as np
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name].numpy().astype(np.float64) for name in "UWbVc")
    ids, targets, hs = ids.tolist(), targets.tolist(), [h0.numpy().astype(np.float64)]
    for i in ids:
        hs.append(np.tanh(U @ hs[-1] + W[:, i] + b))
    grads = {name: np.zeros(params[name].shape) for name in "UWbVc"}
    later = np.zeros(len(b))
    for t in reversed(range(len(ids))):
        scores = V @ hs[t + 1] + c
        p = np.exp(scores - scores.max())
        p /= p.sum()
        p[targets[t]] -= 1
        p /= len(ids)
        da = (p @ V + later) * (1 - hs[t + 1] ** 2)
        grads["V"] += np.outer(p, hs[t + 1])
        grads["c"] += p
        grads["U"] += np.outer(da, hs[t])
        grads["W"][:, ids[t]] += da
        grads["b"] += da
        later = da @ U
    return {name: torch.from_numpy(g).to(h0.dtype) for name, g in grads.items()}


# %% wrong: nothing_from_the_right — Each step learns from its own target only
# fails: what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    for t in range(len(ids)):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
    return g


# %% wrong: not_accumulated_over_time — Each step replaces what the others found
# fails: what_the_output_learns_equals_autograd, what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] = torch.outer(do, hs[t + 1])
        g["c"] = do
        g["U"] = torch.outer(da, hs[t])
        g["W"] = torch.zeros_like(W)
        g["W"][:, ids[t]] = da
        g["b"] = da
        later = U.T @ da
    return g


# %% wrong: last_step_only — Goes back one step from the end and stops
# fails: what_the_output_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    h = h0
    for i in ids:
        before, h = h, torch.tanh(U @ h + W[:, i] + b)
    do = (V @ h + c).softmax(0)
    do[targets[-1]] -= 1
    da = (V.T @ do) * (1 - h**2)
    dW = torch.zeros_like(W)
    dW[:, ids[-1]] = da
    return {"U": torch.outer(da, before), "W": dW, "b": da, "V": torch.outer(do, h), "c": do}


# %% wrong: column_overwritten — A symbol read twice keeps only one of its two gradients
# fails: a_symbol_read_again_adds_up, what_the_input_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] = da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: added_at_once — dW[:, ids] += … adds only one of a symbol's gradients, too
# fails: a_symbol_read_again_adds_up, other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    h = torch.stack(hs)
    do = (h[1:] @ V.T + c).softmax(-1)
    do[torch.arange(len(ids)), targets] -= 1
    do = do / len(ids)
    later, das = torch.zeros_like(h0), []
    for t in reversed(range(len(ids))):
        das.insert(0, (V.T @ do[t] + later) * (1 - hs[t + 1] ** 2))
        later = U.T @ das[0]
    da, dW = torch.stack(das), torch.zeros_like(W)
    dW[:, ids] += da.T
    return {"U": da.T @ h[:-1], "W": dW, "b": da.sum(0), "V": do.T @ h[1:], "c": do.sum(0)}


# %% wrong: h_t_for_u — Takes the state after the step where the one before belongs
# fails: one_symbol_by_hand, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t + 1])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: missing_mean — The gradients of the sum
# fails: what_the_output_learns_equals_autograd, a_small_change_of_any_number_does_what_they_say
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: mean_for_some — 1/T for V and c, forgotten for what flows on
# fails: what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1]) / len(ids)
        g["c"] += do / len(ids)
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: u_not_transposed — Sends the gradient back through U instead of its transpose
# fails: what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U @ da
    return g


# %% wrong: outer_product_turned — ∂L/∂U transposed
# fails: what_the_recurrence_learns_equals_autograd, a_small_change_of_any_number_does_what_they_say
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(hs[t], da)
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: tanh_forgotten — Leaves out 1 − h²
# fails: one_symbol_by_hand, what_the_input_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = V.T @ do + later
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: squashed_from_above_only — The part from the right is not multiplied by 1 − h²
# fails: what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do) * (1 - hs[t + 1] ** 2) + later
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: truncated — Stops the gradient after five steps
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    for end in range(len(ids)):
        do = (V @ hs[end + 1] + c).softmax(0)
        do[targets[end]] -= 1
        do = do / len(ids)
        g["V"] += torch.outer(do, hs[end + 1])
        g["c"] += do
        dh = V.T @ do
        for t in range(end, max(-1, end - 6), -1):
            da = dh * (1 - hs[t + 1] ** 2)
            g["U"] += torch.outer(da, hs[t])
            g["W"][:, ids[t]] += da
            g["b"] += da
            dh = U.T @ da
    return g


# %% wrong: probabilities_alone — Forgets the one at the target
# fails: one_symbol_by_hand, the_columns_of_the_output_balance
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0) / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: from_zeros — Forgets that the text may not be at its beginning
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [torch.zeros_like(h0)]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = (V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] -= 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: uphill — The negative gradients, ready to be added
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, i] + b))
    g = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    later = torch.zeros_like(h0)
    for t in reversed(range(len(ids))):
        do = -(V @ hs[t + 1] + c).softmax(0)
        do[targets[t]] += 1
        do = do / len(ids)
        da = (V.T @ do + later) * (1 - hs[t + 1] ** 2)
        g["V"] += torch.outer(do, hs[t + 1])
        g["c"] += do
        g["U"] += torch.outer(da, hs[t])
        g["W"][:, ids[t]] += da
        g["b"] += da
        later = U.T @ da
    return g


# %% wrong: by_autograd — Lets backward() do it
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    leaves = {name: value.clone().requires_grad_() for name, value in params.items()}
    h, logits = h0, []
    for i in ids:
        h = torch.tanh(leaves["U"] @ h + leaves["W"][:, i] + leaves["b"])
        logits.append(leaves["V"] @ h + leaves["c"])
    F.cross_entropy(torch.stack(logits), targets).backward()
    return {name: leaf.grad for name, leaf in leaves.items()}


# %% wrong: by_functional_autograd — Lets torch.func do it
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    def loss(p):
        h, logits = h0, []
        for i in ids:
            h = torch.tanh(p["U"] @ h + p["W"][:, i] + p["b"])
            logits.append(p["V"] @ h + p["c"])
        return F.cross_entropy(torch.stack(logits), targets)

    return torch.func.grad(loss)(params)


# %% wrong: by_forward_mode — Lets autograd do it in the other direction
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    def loss(p):
        h, logits = h0, []
        for i in ids:
            h = torch.tanh(p["U"] @ h + p["W"].T.index_select(0, i[None])[0] + p["b"])
            logits.append(p["V"] @ h + p["c"])
        return F.cross_entropy(torch.stack(logits), targets)

    return torch.func.jacfwd(loss)(params)


# %% wrong: by_autograd_in_a_thread — Lets backward() do it where nobody looks
# fails: one_symbol_by_hand, what_the_output_learns_equals_autograd
import threading

import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    found = {}

    def work():
        leaves = {name: value.clone().requires_grad_() for name, value in params.items()}
        h, logits = h0, []
        for i in ids:
            h = torch.tanh(leaves["U"] @ h + leaves["W"][:, i] + leaves["b"])
            logits.append(leaves["V"] @ h + leaves["c"])
        F.cross_entropy(torch.stack(logits), targets).backward()
        found.update((name, leaf.grad) for name, leaf in leaves.items())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found


# %% wrong: by_small_differences — Moves each number a little up and down, which is no loop backwards
# fails: it_is_the_loop_and_no_difference, other_nets_and_texts
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    def loss(p):
        h, logits = h0, []
        for i in ids:
            h = torch.tanh(p["U"] @ h + p["W"][:, i] + p["b"])
            logits.append(p["V"] @ h + p["c"])
        return F.cross_entropy(torch.stack(logits), targets)

    grads = {}
    for name in "UWbVc":
        slopes, e = [], 1e-5 if h0.dtype == torch.float64 else 1e-2
        for place in range(params[name].numel()):
            move = torch.zeros_like(params[name])
            move.view(-1)[place] = e
            up, down = (loss(params | {name: params[name] + by}) for by in (move, -move))
            slopes.append((up - down) / (2 * e))
        grads[name] = torch.stack(slopes).view_as(params[name])
    return grads


# %% wrong: by_finer_differences — Four points for each number, which comes nearer and is still no loop backwards
# fails: it_is_the_loop_and_no_difference
import torch
import torch.nn.functional as F


def bptt_gradients(ids, targets, h0, params):
    def loss(p):
        h, logits = h0.double(), []
        for i in ids:
            h = torch.tanh(p["U"] @ h + p["W"][:, i] + p["b"])
            logits.append(p["V"] @ h + p["c"])
        return F.cross_entropy(torch.stack(logits), targets)

    grads, wide, e = {}, {name: value.double() for name, value in params.items()}, 1e-3
    for name in "UWbVc":
        slopes = []
        for place in range(params[name].numel()):
            move = torch.zeros_like(wide[name])
            move.view(-1)[place] = e
            far, near, down, low = (loss(wide | {name: wide[name] + by * move}) for by in (2, 1, -1, -2))
            slopes.append((8 * (near - down) - (far - low)) / (12 * e))
        grads[name] = torch.stack(slopes).view_as(params[name]).to(h0.dtype)
    return grads


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = params.values()
    states = [h0]
    for i in ids:
        states.append((U @ states[-1] + W[:, i] + b).tanh())
    dU, dW, db, dV, dc = (torch.zeros_like(p) for p in (U, W, b, V, c))
    right = torch.zeros_like(h0)
    for t in range(len(ids) - 1, -1, -1):
        d_o = torch.softmax(V @ states[t + 1] + c, 0)
        d_o[targets[t]] -= 1
        d_o /= len(ids)
        d_a = (V.T @ d_o + right) * (1 - states[t + 1] ** 2)
        dV, dc, dU, db = dV + d_o.outer(states[t + 1]), dc + d_o, dU + d_a.outer(states[t]), db + d_a
        dW[:, ids[t]] += d_a
        right = U.T @ d_a
    return {"U": dU, "W": dW, "b": db, "V": dV, "c": dc}


# %% right: names_in_another_order — The dictionary that comes back begins with the output
import torch


def bptt_gradients(ids, targets, h0, params):
    hs = [h0]
    for i in ids:
        hs.append(torch.tanh(params["U"] @ hs[-1] + params["W"][:, i] + params["b"]))
    hs = torch.stack(hs)  # (T + 1, H)
    d_o = torch.softmax(hs[1:] @ params["V"].T + params["c"], 1)  # (T, V)
    d_o = d_o - torch.nn.functional.one_hot(targets, d_o.shape[1])
    d_o, d_h, d_as = d_o / len(ids), torch.zeros_like(h0), []
    for t in reversed(range(len(ids))):
        d_as.insert(0, (d_o[t] @ params["V"] + d_h) * (1 - hs[t + 1].square()))
        d_h = d_as[0] @ params["U"]
    d_a = torch.stack(d_as)
    W = torch.zeros_like(params["W"]).index_add(1, ids, d_a.T.contiguous())
    return {"c": d_o.sum(0), "V": d_o.T @ hs[1:], "b": d_a.sum(0), "W": W, "U": d_a.T @ hs[:-1]}


# %% wrong: in_float64 — More exact than the parameters, in a type that nobody asked for
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name].double() for name in "UWbVc")
    hs, T = [h0.double()], len(ids)
    for symbol in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, symbol] + b))
    found = {name: torch.zeros_like(part) for name, part in zip("UWbVc", (U, W, b, V, c))}
    right = torch.zeros_like(hs[0])
    for t in reversed(range(T)):
        d_o = torch.softmax(V @ hs[t + 1] + c, 0)
        d_o[targets[t]] -= 1
        d_a = (V.T @ d_o / T + right) * (1 - hs[t + 1] ** 2)
        found["V"] += torch.outer(d_o / T, hs[t + 1])
        found["c"] += d_o / T
        found["U"] += torch.outer(d_a, hs[t])
        found["W"][:, ids[t]] += d_a
        found["b"] += d_a
        right = U.T @ d_a
    return found


# %% wrong: truncated_later — Stops the gradient at every fortieth step
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs, T = [h0], len(ids)
    for symbol in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, symbol] + b))
    found = {name: torch.zeros_like(part) for name, part in zip("UWbVc", (U, W, b, V, c))}
    right = torch.zeros_like(hs[0])
    for t in reversed(range(T)):
        d_o = torch.softmax(V @ hs[t + 1] + c, 0)
        d_o[targets[t]] -= 1
        d_a = (V.T @ d_o / T + right) * (1 - hs[t + 1] ** 2)
        found["V"] += torch.outer(d_o / T, hs[t + 1])
        found["c"] += d_o / T
        found["U"] += torch.outer(d_a, hs[t])
        found["W"][:, ids[t]] += d_a
        found["b"] += d_a
        right = U.T @ d_a * (t % 40 != 0)
    return found


# %% wrong: clipped_too — Clips the gradients, of which nobody spoke here
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs, T = [h0], len(ids)
    for symbol in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, symbol] + b))
    found = {name: torch.zeros_like(part) for name, part in zip("UWbVc", (U, W, b, V, c))}
    right = torch.zeros_like(hs[0])
    for t in reversed(range(T)):
        d_o = torch.softmax(V @ hs[t + 1] + c, 0)
        d_o[targets[t]] -= 1
        d_a = (V.T @ d_o / T + right) * (1 - hs[t + 1] ** 2)
        found["V"] += torch.outer(d_o / T, hs[t + 1])
        found["c"] += d_o / T
        found["U"] += torch.outer(d_a, hs[t])
        found["W"][:, ids[t]] += d_a
        found["b"] += d_a
        right = U.T @ d_a
    norm = torch.cat([part.flatten() for part in found.values()]).norm()
    return {name: part * min(1.0, 5.0 / norm) for name, part in found.items()}


# %% wrong: slope_of_the_step_before — What flows on from the right meets the slope of the state it goes to
# fails: what_the_input_learns_equals_autograd, what_the_recurrence_learns_equals_autograd
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    hs, T = [h0], len(ids)
    for symbol in ids:
        hs.append(torch.tanh(U @ hs[-1] + W[:, symbol] + b))
    found = {name: torch.zeros_like(part) for name, part in zip("UWbVc", (U, W, b, V, c))}
    right = torch.zeros_like(hs[0])
    for t in reversed(range(T)):
        d_o = torch.softmax(V @ hs[t + 1] + c, 0)
        d_o[targets[t]] -= 1
        d_a = (V.T @ d_o / T + right) * (1 - hs[t + 1] ** 2)
        found["V"] += torch.outer(d_o / T, hs[t + 1])
        found["c"] += d_o / T
        found["U"] += torch.outer(d_a, hs[t])
        found["W"][:, ids[t]] += d_a
        found["b"] += d_a
        right = U.T @ d_a * (1 - hs[t - 1] ** 2) if t else right
    return found


# %% wrong: forty_steps_back — Each error goes back forty steps at most
# fails: other_nets_and_texts
import torch


def bptt_gradients(ids, targets, h0, params):
    U, W, b, V, c = (params[name] for name in "UWbVc")
    states = [h0]
    for symbol in ids:
        states.append(torch.tanh(U @ states[-1] + W[:, symbol] + b))
    grads = {name: torch.zeros_like(params[name]) for name in "UWbVc"}
    for t in range(len(ids)):
        d_o = (V @ states[t + 1] + c).softmax(0)
        d_o[targets[t]] -= 1
        d_o = d_o / len(ids)
        grads["V"] += torch.outer(d_o, states[t + 1])
        grads["c"] += d_o
        d_h = V.T @ d_o
        for j in range(t, max(-1, t - 40), -1):
            d_a = d_h * (1 - states[j + 1] ** 2)
            grads["U"] += torch.outer(d_a, states[j])
            grads["W"][:, ids[j]] += d_a
            grads["b"] += d_a
            d_h = U.T @ d_a
    return grads
