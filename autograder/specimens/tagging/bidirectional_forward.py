# Answers to 4.6, forward and backward. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: turned_round_by_length — Each row is turned round by its own length, read, and turned back
import torch


def turned(x, mask):
    T = x.shape[1]
    t = torch.arange(T)
    back = mask.sum(1, keepdim=True) - 1 - t
    places = torch.where(mask, back, t.expand_as(back))
    return torch.take_along_dim(x, places[..., None], dim=1)


def read(x, p):
    h, out = x.new_zeros(x.shape[0], p["b"].shape[0]), []
    for now in x.unbind(1):
        h = torch.tanh(h @ p["U"].T + now @ p["W"].T + p["b"])
        out.append(h)
    return torch.stack(out, 1) if out else x.new_zeros(x.shape[0], 0, p["b"].shape[0])


def bidirectional_forward(x, mask, layers):
    for layer in layers:
        forward = read(x, layer["forward"])
        backward = turned(read(turned(x, mask), layer["backward"]), mask)
        both = torch.cat((forward, backward), 2)
        x = torch.where(mask[..., None], both, torch.zeros_like(both))
    return x


# %% right: row_by_row — One sentence after another, without a pad
import torch
import torch.nn.functional as F


def bidirectional_forward(x, mask, layers):
    B, T, H = len(x), x.shape[1], len(layers[0]["forward"]["b"])
    out = torch.zeros(B, T, 2 * H, dtype=x.dtype)
    for b in range(B):
        n = int(mask[b].sum())
        if n == 0:
            continue
        rows = list(x[b, :n])
        for layer in layers:
            states = {}
            for way in ("forward", "backward"):
                p, h, found = layer[way], torch.zeros(H, dtype=x.dtype), []
                for row in rows if way == "forward" else rows[::-1]:
                    h = torch.tanh(F.linear(h, p["U"]) + F.linear(row, p["W"], p["b"]))
                    found.append(h)
                states[way] = found if way == "forward" else found[::-1]
            rows = [torch.cat(pair) for pair in zip(states["forward"], states["backward"])]
        out[b, :n] = torch.stack(rows)
    return out


# %% right: held_at_zero — torch.where keeps the state as it was among the pads
import torch


def bidirectional_forward(x, mask, layers):
    B, T, _ = x.shape
    for layer in layers:
        H = layer["forward"]["U"].shape[0]
        ways = []
        for way in ("forward", "backward"):
            p = layer[way]
            h = torch.zeros(B, H, dtype=x.dtype)
            columns = [None] * T
            read_in = torch.einsum("btd,hd->bth", x, p["W"]) + p["b"]
            for step in range(T):
                t = step if way == "forward" else T - 1 - step
                real = mask[:, t : t + 1]
                h = torch.where(real, torch.tanh(read_in[:, t] + h.matmul(p["U"].t())), h)
                columns[t] = torch.where(real, h, torch.zeros_like(h))
            ways.append(torch.stack(columns, dim=1) if T else torch.zeros(B, 0, H, dtype=x.dtype))
        x = torch.cat(ways, -1)
    return x


# %% right: flipped_whole — The whole batch is flipped, mask and all; the state is zero until a row begins
import torch


def read(x, mask, p):
    h, out = x.new_zeros(len(x), len(p["b"])), [x.new_zeros(len(x), 0, len(p["b"]))]
    for t in range(x.shape[1]):
        h = mask[:, t].unsqueeze(1) * torch.tanh(x[:, t] @ p["W"].T + h @ p["U"].T + p["b"])
        out.append(h.unsqueeze(1))
    return torch.cat(out, dim=1)


def bidirectional_forward(x, mask, layers):
    for layer in layers:
        right = read(x, mask, layer["forward"])
        left = read(x.flip(1), mask.flip(1), layer["backward"]).flip(1)
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: backward_begins_in_the_pads — Flips whole rows, pads first, and reads them
# fails: with_pads_it_is_the_librarys_net, padding_changes_nothing
import torch


def read(x, p):
    h, out = x.new_zeros(len(x), len(p["b"])), [x.new_zeros(len(x), 0, len(p["b"]))]
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ p["W"].T + h @ p["U"].T + p["b"])
        out.append(h.unsqueeze(1))
    return torch.cat(out, dim=1)


def bidirectional_forward(x, mask, layers):
    for layer in layers:
        both = torch.cat([read(x, layer["forward"]), read(x.flip(1), layer["backward"]).flip(1)], dim=-1)
        x = both * mask[..., None]
    return x


# %% wrong: backward_states_misaligned — Turned round by length, and turned back as a whole row
# fails: with_pads_it_is_the_librarys_net, padding_changes_nothing
import torch


def turned(x, mask):
    t = torch.arange(x.shape[1])
    back = mask.sum(1, keepdim=True) - 1 - t
    return torch.take_along_dim(x, torch.where(mask, back, t.expand_as(back))[..., None], dim=1)


def read(x, p):
    h, out = x.new_zeros(len(x), len(p["b"])), [x.new_zeros(len(x), 0, len(p["b"]))]
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ p["W"].T + h @ p["U"].T + p["b"])
        out.append(h.unsqueeze(1))
    return torch.cat(out, dim=1)


def bidirectional_forward(x, mask, layers):
    for layer in layers:
        both = torch.cat([read(x, layer["forward"]), read(turned(x, mask), layer["backward"]).flip(1)], dim=-1)
        x = both * mask[..., None]
    return x


# %% wrong: backward_not_turned_back — The backward states stay in the order in which they were computed
# fails: without_pads_it_is_the_librarys_net, two_steps_and_one_by_hand
import torch


def bidirectional_forward(x, mask, layers):
    for layer in layers:
        ways = []
        for way, order in (("forward", range(x.shape[1])), ("backward", reversed(range(x.shape[1])))):
            p = layer[way]
            h, out = x.new_zeros(len(x), len(p["b"])), [x.new_zeros(len(x), 0, len(p["b"]))]
            for t in order:
                h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
                out.append(h[:, None])
            ways.append(torch.cat(out, 1))
        x = torch.cat(ways, dim=-1)
    return x


# %% wrong: concatenated_along_time — Puts the backward states behind the forward ones
# fails: two_steps_and_one_by_hand, without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["backward"], reversed(range(T))),
        )
        x = torch.cat([right, left], dim=1)
    return x


# %% wrong: directions_added — Adds the two states
# fails: two_steps_and_one_by_hand, without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        x = one_way(x, mask, layer["forward"], range(T)) + one_way(x, mask, layer["backward"], reversed(range(T)))
    return x


# %% wrong: each_direction_for_itself — The second layer of a direction reads that direction alone
# fails: without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    ways = []
    for way in ("forward", "backward"):
        y = x
        for n, layer in enumerate(layers):
            H = len(layer[way]["b"])
            part = slice(0, H) if way == "forward" else slice(H, None)
            p = dict(layer[way])
            p["W"] = p["W"][:, part] if n else p["W"]
            y = one_way(y, mask, p, range(T) if way == "forward" else reversed(range(T)))
        ways.append(y)
    return torch.cat(ways, dim=-1)


# %% wrong: halves_exchanged — The backward half comes first
# fails: two_steps_and_one_by_hand, without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["backward"], reversed(range(T))),
        )
        x = torch.cat([left, right], dim=-1)
    return x


# %% wrong: one_set_of_parameters — Both directions use the forward parameters
# fails: without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["forward"], reversed(range(T))),
        )
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: both_from_left_to_right — The backward net reads forwards, too
# fails: without_pads_it_is_the_librarys_net, the_other_way_round_directions_change_places
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        x = torch.cat([one_way(x, mask, layer[way], range(T)) for way in ("forward", "backward")], dim=-1)
    return x


# %% wrong: mask_inverted — Keeps the pads and wipes the words
# fails: two_steps_and_one_by_hand, padding_changes_nothing
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T, mask = x.shape[1], ~mask
    for layer in layers:
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["backward"], reversed(range(T))),
        )
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: outputs_at_pads_not_zero — Right at the words, with the last state standing at the pads
# fails: with_pads_it_is_the_librarys_net, two_steps_and_one_by_hand
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def held(x, mask, p, order):
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        new = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"])
        h = torch.where(mask[:, t, None], new, h)
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        right, left = held(x, mask, layer["forward"], range(T)), held(x, mask, layer["backward"], reversed(range(T)))
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: second_layer_reads_x — Each layer begins from the net's input
# fails: without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        below = x if layer is layers[0] else torch.cat([x, x], dim=-1)[..., : layer["forward"]["W"].shape[1]]
        below = torch.nn.functional.pad(below, (0, layer["forward"]["W"].shape[1] - below.shape[-1]))
        top = torch.cat(
            [
                one_way(below, mask, layer["forward"], range(T)),
                one_way(below, mask, layer["backward"], reversed(range(T))),
            ],
            dim=-1,
        )
    return top


# %% wrong: nothing_for_no_steps — Has no case for T = 0
# fails: no_steps_and_a_row_without_one
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        ways = []
        for way, order in (("forward", range(T)), ("backward", reversed(range(T)))):
            states = one_way(x, mask, layer[way], order)
            ways.append(torch.stack([states[:, t] for t in range(T)], dim=1))
        x = torch.cat(ways, dim=-1)
    return x


# %% wrong: below_is_not_trained — What a layer reads is detached
# fails: gradients_come_back_from_both_directions
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        x = x if layer is layers[0] else x.detach()
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["backward"], reversed(range(T))),
        )
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: backward_is_not_trained — Right numbers, but nothing reaches the backward parameters
# fails: gradients_come_back_from_both_directions
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        fixed = {name: value.detach() for name, value in layer["backward"].items()}
        right, left = one_way(x, mask, layer["forward"], range(T)), one_way(x, mask, fixed, reversed(range(T)))
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: other_nets_and_batches
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        ways = []
        for params, order in zip(layer.values(), (range(T), reversed(range(T)))):
            U, W, b = params.values()
            ways.append(one_way(x, mask, {"U": U, "W": W, "b": b}, order))
        x = torch.cat(ways, dim=-1)
    return x


# %% wrong: transposed_u — Multiplies with the transpose of U
# fails: without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        layer = {way: p | {"U": p["U"].T} for way, p in layer.items()}
        right, left = (
            one_way(x, mask, layer["forward"], range(T)),
            one_way(x, mask, layer["backward"], reversed(range(T))),
        )
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: states_start_where_the_other_ended — The backward net goes on from the last forward state
# fails: two_steps_and_one_by_hand, without_pads_it_is_the_librarys_net
import torch


def one_way(x, mask, p, order):
    """States (B, T, H) of one direction, zeros at the pads."""
    h = x.new_zeros(len(x), len(p["b"]))
    out = x.new_zeros(len(x), x.shape[1], len(p["b"]))
    for t in order:
        h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
        out[:, t] = h
    return out


def bidirectional_forward(x, mask, layers):
    T = x.shape[1]
    for layer in layers:
        right = one_way(x, mask, layer["forward"], range(T))
        p = layer["backward"]
        h, left = (
            right[:, -1] if T else x.new_zeros(len(x), len(layer["forward"]["b"])),
            torch.zeros_like(right),
        )
        for t in reversed(range(T)):
            h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
            left[:, t] = h
        x = torch.cat([right, left], dim=-1)
    return x


# %% wrong: librarys_net — Lets torch.nn.RNN read
# fails: two_steps_and_one_by_hand
import torch


def bidirectional_forward(x, mask, layers):
    librarys = torch.nn.RNN(
        x.shape[2], len(layers[0]["forward"]["b"]), len(layers), batch_first=True, bidirectional=True, dtype=x.dtype
    )
    return librarys(x)[0] * mask[..., None]


# %% wrong: states_kept_in_float32 — A buffer without a dtype, and the right one for what comes out
# fails: two_steps_and_one_by_hand, other_nets_and_batches
import torch


def bidirectional_forward(x, mask, layers):
    B, T = mask.shape
    for layer in layers:
        ways = []
        for way, order in (("forward", range(T)), ("backward", reversed(range(T)))):
            p = layer[way]
            h = x.new_zeros(B, len(p["b"]))
            states = torch.zeros(B, T, len(p["b"]))
            for t in order:
                h = torch.tanh(h @ p["U"].T + x[:, t] @ p["W"].T + p["b"]) * mask[:, t, None]
                states[:, t] = h
            ways.append(states)
        x = torch.cat(ways, dim=-1).to(x.dtype)
    return x
