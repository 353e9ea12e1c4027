# Answers to 3.6, forward through layers. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: layer_by_layer — A step of its own, a loop over time within one over layers
import torch


def step(x, h, c, p):
    f, i, o = (torch.sigmoid(h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"]) for n in "fio")
    c = f * c + i * torch.tanh(h @ p["U_g"].T + x @ p["W_g"].T + p["b_g"])
    return o * torch.tanh(c), c


def lstm_forward(x, layers, states):
    last = []
    for number, params in enumerate(layers):
        h, c = states[number]
        outputs = []
        for t in range(x.shape[1]):
            h, c = step(x[:, t], h, c, params)
            outputs.append(h)
        x = torch.stack(outputs, dim=1) if outputs else h.new_zeros(len(h), 0, h.shape[1])
        last.append((h, c))
    return x, last


# %% right: step_by_step_through_all_layers — The loop over time outside, each step climbs all layers
import torch
import torch.nn.functional as F


def lstm_forward(x, layers, states):
    states = list(states)
    outputs = x.new_empty(x.shape[0], x.shape[1], states[0][0].shape[1])
    for t in range(x.shape[1]):
        below = x[:, t]
        for layer, p in enumerate(layers):
            h, c = states[layer]
            a = {n: F.linear(h, p["U_" + n], p["b_" + n]) + F.linear(below, p["W_" + n]) for n in "figo"}
            c = a["f"].sigmoid() * c + a["i"].sigmoid() * a["g"].tanh()
            below = a["o"].sigmoid() * c.tanh()
            states[layer] = (below, c)
        outputs[:, t] = below
    return outputs, states


# %% right: input_hoisted_and_packed — W x + b of all gates and steps in one product before each loop
import torch


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        U, W, b = (torch.cat([params[f"{kind}_{gate}"] for gate in "ifgo"]) for kind in "UWb")
        read_in = torch.einsum("btd,gd->btg", x, W) + b
        outputs = [h[:, None, :][:, :0]]
        for now in read_in.unbind(1):
            i, f, g, o = (now + h @ U.T).chunk(4, dim=-1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h.unsqueeze(1))
        x = torch.cat(outputs, 1)
        last += [[h, c]]
    return [x, last]


# %% right: recursion — The first steps first, then one more; the layers below first, then one more
import torch


def lstm_forward(x, layers, states):
    if len(layers) > 1:
        below, last = lstm_forward(x, layers[:-1], states[:-1])
        top, end = lstm_forward(below, layers[-1:], states[-1:])
        return top, list(last) + list(end)
    if x.shape[1] == 0:
        return torch.zeros(len(x), 0, states[0][0].shape[1], dtype=x.dtype), states
    before, [(h, c)] = lstm_forward(x[:, :-1], layers, states)
    p, now = layers[0], x[:, -1]
    f, i, g, o = (h @ p[f"U_{n}"].T + now @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return torch.cat([before, h[:, None]], dim=1), [(h, c)]


# %% wrong: all_layers_read_x — Each layer starts from the input of the net
# fails: the_layers_are_those_of_the_librarys_lstm
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        last.append((h, c))
    return torch.cat(outputs, dim=1), last


# %% wrong: last_layers_states_for_all — The states of the top layer, as often as there are layers
# fails: the_layers_are_those_of_the_librarys_lstm, a_layer_more_changes_nothing_below
import torch


def lstm_forward(x, layers, states):
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
    return x, [(h, c)] * len(layers)


# %% wrong: one_state_for_all_layers — A layer goes on from where the one below ended
# fails: the_layers_are_those_of_the_librarys_lstm, stopping_and_going_on_changes_nothing
import torch


def lstm_forward(x, layers, states):
    (h, c), last = states[0], []
    for p in layers:
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: cells_climb — Passes the cells to the next layer instead of the outputs
# fails: the_layers_are_those_of_the_librarys_lstm, other_nets_and_texts
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs, cells = [h[:, None][:, :0]], [c[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
            cells.append(c[:, None])
        x = torch.cat(cells, dim=1)
        last.append((h, c))
    return torch.cat(outputs, dim=1), last


# %% wrong: state_reset_each_step — Every step starts from the first states
# fails: two_steps_by_hand, the_layers_are_those_of_the_librarys_lstm, the_future_is_not_seen
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h0, c0) in zip(layers, states):
        outputs, h, c = [h0[:, None][:, :0]], h0, c0
        for t in range(x.shape[1]):
            f, i, g, o = (h0 @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c0 + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: row_0_for_all — Each step reads the state and the cell of the batch's first row
# fails: each_sequence_is_read_alone, the_layers_are_those_of_the_librarys_lstm
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h[0] @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c[0] + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: from_right_to_left — Reads the text backwards
# fails: two_steps_by_hand, the_future_is_not_seen
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in reversed(range(x.shape[1])):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.insert(1, h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: looks_ahead — Each step reads the input to come
# fails: the_future_is_not_seen, the_layers_are_those_of_the_librarys_lstm
import torch


def lstm_forward(x, layers, states):
    last, x = [], torch.cat([x[:, 1:], x[:, -1:]], dim=1)
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: detached_states — What is carried on is a plain number
# fails: the_gradient_lives_through_a_hundred_steps
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            h, c = h.detach(), c.detach()
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: stops_at_nothing — Has no case for a text of no steps
# fails: no_steps_leave_the_states_as_they_were
import torch


def lstm_forward(x, layers, states):
    last = []
    for p, (h, c) in zip(layers, states):
        outputs = []
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h)
        x = torch.stack(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: the_top_states_alone — One pair instead of a list of them
# fails: two_steps_by_hand, the_layers_are_those_of_the_librarys_lstm
import torch


def lstm_forward(x, layers, states):
    for p, (h, c) in zip(layers, states):
        outputs = [h[:, None][:, :0]]
        for t in range(x.shape[1]):
            f, i, g, o = (h @ p[f"U_{n}"].T + x[:, t] @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
    return x, (h, c)


# %% wrong: a_gate_without_a_bias — The input gates of all layers have no bias
# fails: the_layers_are_those_of_the_librarys_lstm, other_nets_and_texts
import torch


def lstm_step(x, h, c, p):
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        params = params | {"b_i": 0 * params["b_i"]}
        outputs = [x.new_zeros(len(x), 0, h.shape[1])]
        for t in range(x.shape[1]):
            h, c = lstm_step(x[:, t], h, c, params)
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: the_first_layers_u_for_all — All layers share the matrices for h
# fails: the_layers_are_those_of_the_librarys_lstm, other_nets_and_texts
import torch


def lstm_step(x, h, c, p):
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        params = params | {name: layers[0][name] for name in params if name[0] == "U"}
        outputs = [x.new_zeros(len(x), 0, h.shape[1])]
        for t in range(x.shape[1]):
            h, c = lstm_step(x[:, t], h, c, params)
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: a_gate_that_is_not_trained — Right numbers, but no gradient reaches the forget gates
# fails: every_number_of_every_layer_learns
import torch


def lstm_step(x, h, c, p):
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        params = {n: block.detach() if n[2] == "f" else block for n, block in params.items()}
        outputs = [x.new_zeros(len(x), 0, h.shape[1])]
        for t in range(x.shape[1]):
            h, c = lstm_step(x[:, t], h, c, params)
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: one_layer_is_not_trained — Right numbers, but the first layer stays as it was
# fails: every_number_of_every_layer_learns
import torch


def lstm_step(x, h, c, p):
    f, i, g, o = (h @ p[f"U_{n}"].T + x @ p[f"W_{n}"].T + p[f"b_{n}"] for n in "figo")
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        params = {n: b.detach() for n, b in params.items()} if params is layers[0] else params
        outputs = [x.new_zeros(len(x), 0, h.shape[1])]
        for t in range(x.shape[1]):
            h, c = lstm_step(x[:, t], h, c, params)
            outputs.append(h[:, None])
        x = torch.cat(outputs, dim=1)
        last.append((h, c))
    return x, last


# %% wrong: librarys_lstm — Lets torch.nn.LSTM read
# fails: two_steps_by_hand, the_layers_are_those_of_the_librarys_lstm
import torch


def lstm_forward(x, layers, states):
    net = torch.nn.LSTM(x.shape[2], states[0][0].shape[1], len(layers), batch_first=True, dtype=x.dtype)
    outputs, (h, c) = net(x, (torch.stack([s[0] for s in states]), torch.stack([s[1] for s in states])))
    return outputs, list(zip(h, c))


# %% wrong: zeros_mean_go_on — First states of zeros are taken for "go on from the last call"
# fails: each_call_begins_where_it_is_told_to
import torch


def step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


kept = []


def lstm_forward(x, layers, states):
    if kept and all(not h.any() and not c.any() for h, c in states):
        if kept[-1][0][0].shape == states[0][0].shape and len(kept[-1]) == len(states):
            states = kept[-1]
    last = []
    for params, (h, c) in zip(layers, states):
        outputs = []
        for t in range(x.shape[1]):
            h, c = step(x[:, t], h, c, params)
            outputs.append(h)
        x = torch.stack(outputs, dim=1) if outputs else x.new_zeros(len(h), 0, h.shape[1])
        last.append((h, c))
    kept.append([(h.detach(), c.detach()) for h, c in last])
    return x, last


# %% wrong: no_steps_in_float32 — For T = 0 a block of torch's default type comes
# fails: each_call_begins_where_it_is_told_to
import torch


def step(x, h, c, params):
    f, i, g, o = (h @ params[f"U_{n}"].T + x @ params[f"W_{n}"].T + params[f"b_{n}"] for n in "figo")
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def lstm_forward(x, layers, states):
    last = []
    for params, (h, c) in zip(layers, states):
        outputs = []
        for t in range(x.shape[1]):
            h, c = step(x[:, t], h, c, params)
            outputs.append(h)
        x = torch.stack(outputs, dim=1) if outputs else torch.zeros(len(h), 0, h.shape[1])
        last.append((h, c))
    return x, last
