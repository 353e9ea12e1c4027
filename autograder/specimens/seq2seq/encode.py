# Answers to 5.2, an encoder. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: unit_4s_function — The answer of unit 4's exercise, and the two ends picked out of it
import torch


def both_directions(x, mask, layers):
    B, T = mask.shape
    for layer in layers:
        both = []
        for way, order in (("forward", range(T)), ("backward", reversed(range(T)))):
            U, W, b = (layer[way][name] for name in "UWb")
            h = x.new_zeros(B, len(b))
            states = x.new_zeros(B, T, len(b))
            for t in order:
                h = torch.tanh(h @ U.T + x[:, t] @ W.T + b) * mask[:, t, None]
                states[:, t] = h
            both.append(states)
        x = torch.cat(both, dim=-1)
    return x


def encode(ids, mask, params):
    states = both_directions(params["E"][ids], mask, [params])
    H = len(params["forward"]["b"])
    last = mask.sum(1) - 1
    if ids.shape[1] == 0:
        ends = states.new_zeros(len(ids), 2 * H)
    else:
        forward = states[torch.arange(len(ids)), last.clamp(min=0), :H]
        ends = torch.cat([forward, states[:, 0, H:]], 1)
    return states, torch.tanh(ends @ params["W"].T + params["b"])


# %% right: row_by_row — Each source alone, in lists; zeros behind it
import torch


def encode(ids, mask, params):
    H = len(params["forward"]["b"])
    zero = params["E"].new_zeros(H)
    all_states, firsts = [], []
    for row, real in zip(ids, mask):
        n = int(real.sum())
        words = [params["E"][i] for i in row[:n]]
        found = {}
        for way, order in (("forward", range(n)), ("backward", range(n - 1, -1, -1))):
            p, h = params[way], zero
            found[way] = [zero] * len(row)
            for t in order:
                h = torch.tanh(p["U"] @ h + p["W"] @ words[t] + p["b"])
                found[way][t] = h
            found[way + " end"] = h
        pairs = [torch.cat([a, b]) for a, b in zip(found["forward"], found["backward"])]
        all_states.append(torch.stack(pairs) if pairs else zero.new_zeros(0, 2 * H))
        ends = torch.cat([found["forward end"], found["backward end"]])
        firsts.append(torch.tanh(params["W"] @ ends + params["b"]))
    return torch.stack(all_states), torch.stack(firsts)


# %% right: turned_round_and_gathered — Each row's own words turned round, one loop for both directions
import torch
import torch.nn.functional as F


def run(x, p):
    h, out = x.new_zeros(x.shape[0], p["b"].shape[0]), []
    for t in range(x.shape[1]):
        h = (F.linear(h, p["U"]) + F.linear(x[:, t], p["W"], p["b"])).tanh()
        out.append(h)
    return torch.stack(out, 1) if out else x.new_zeros(x.shape[0], 0, p["b"].shape[0])


def encode(ids, mask, params):
    B, N = ids.shape
    lengths = mask.sum(1)
    places = torch.arange(N).expand(B, N)
    turned = torch.where(mask, lengths[:, None] - 1 - places, places)
    x = F.embedding(ids, params["E"])
    forward = run(x, params["forward"])
    backward = run(x.gather(1, turned[..., None].expand_as(x)), params["backward"])
    backward = backward.gather(1, turned[..., None].expand_as(backward))
    states = torch.cat([forward, backward], 2).masked_fill(~mask[..., None], 0.0)
    H = forward.shape[2]
    is_last = (places == lengths[:, None] - 1) & mask
    forward_end = (states[..., :H] * is_last[..., None]).sum(1)
    backward_end = states[:, :1, H:].sum(1)
    return [states, F.linear(torch.cat([forward_end, backward_end], -1), params["W"], params["b"]).tanh()]


# %% right: two_matrices — s_0 by a product for each half of W, h kept in the pads by arithmetic
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    real = mask.to(x.dtype)[..., None]
    B, N, _ = x.shape
    H = params["forward"]["U"].shape[0]
    states = torch.zeros(B, N, 2 * H, dtype=x.dtype)
    f = g = torch.zeros(B, H, dtype=x.dtype)
    for t in range(N):
        p = params["forward"]
        f = real[:, t] * torch.tanh(f @ p["U"].mT + x[:, t] @ p["W"].mT + p["b"]) + (1 - real[:, t]) * f
        states[:, t, :H] = real[:, t] * f
    for t in reversed(range(N)):
        p = params["backward"]
        g = real[:, t] * torch.tanh(g @ p["U"].mT + x[:, t] @ p["W"].mT + p["b"]) + (1 - real[:, t]) * g
        states[:, t, H:] = real[:, t] * g
    W = params["W"]
    return states, torch.tanh(f @ W[:, :H].T + g @ W[:, H:].T + params["b"])


# %% wrong: last_place_for_all — →h at the end of the batch, which is a pad's in all rows but the longest
# fails: two_words_and_one_by_hand, s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.tanh(h @ U.T + x[:, t] @ W.T + b) * mask[:, t, None]
            states[:, t] = h
        ways.append(states)
    states = torch.cat(ways, 2)
    H = ways[0].shape[2]
    ends = torch.cat([states[:, -1:, :H].sum(1), states[:, :1, H:].sum(1)], 1)
    return states, torch.tanh(ends @ params["W"].T + params["b"])


# %% wrong: first_rows_length_for_all — The length of the first row is taken for that of every row
# fails: s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.tanh(h @ U.T + x[:, t] @ W.T + b) * mask[:, t, None]
            states[:, t] = h
        ways.append(states)
    states = torch.cat(ways, 2)
    H, n = ways[0].shape[2], int(mask[0].sum())
    forward = states[:, n - 1, :H] if n else states.new_zeros(B, H)
    ends = torch.cat([forward, states[:, :1, H:].sum(1)], 1)
    return states, torch.tanh(ends @ params["W"].T + params["b"])


# %% wrong: both_ends_at_the_last_word — ←h_n for ←h_1: that direction has read a single word there
# fails: s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.tanh(h @ U.T + x[:, t] @ W.T + b) * mask[:, t, None]
            states[:, t] = h
        ways.append(states)
    states = torch.cat(ways, 2)
    last = (torch.arange(N) == mask.sum(1, keepdim=True) - 1)[..., None]
    return states, torch.tanh((states * last).sum(1) @ params["W"].T + params["b"])


# %% wrong: halves_exchanged — The backward state first
# fails: states_are_the_librarys, s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("backward", reversed(range(N))), ("forward", range(N))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states)
        ends.append(h)
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: backward_begins_in_the_pads — The way from right to left starts with what pads made of it
# fails: states_are_the_librarys, pads_change_no_source
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.tanh(h @ U.T + x[:, t] @ W.T + b)
            states[:, t] = h
        ways.append(states * mask[..., None])
    states = torch.cat(ways, 2)
    H = ways[0].shape[2]
    last = (torch.arange(N) == mask.sum(1, keepdim=True) - 1)[..., None]
    ends = torch.cat([(states[..., :H] * last).sum(1), states[:, :1, H:].sum(1)], 1)
    return states, torch.tanh(ends @ params["W"].T + params["b"])


# %% wrong: states_left_at_the_pads — What was kept over the pads is returned there, too
# fails: states_are_the_librarys
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h
        ways.append(states)
        ends.append(h)
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: no_tanh_for_s_0 — The sum as it is
# fails: two_words_and_one_by_hand, s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states)
        ends.append(h)
    return torch.cat(ways, 2), torch.cat(ends, 1) @ params["W"].T + params["b"]


# %% wrong: mean_for_the_ends — s_0 from the mean of all states
# fails: s_0_joins_what_each_direction_read_last
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states)
    states = torch.cat(ways, 2)
    mean = states.sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
    return states, torch.tanh(mean @ params["W"].T + params["b"])


# %% wrong: embeddings_for_states — The words' vectors are joined to the states that read them
# fails: states_are_the_librarys
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, D = x.shape
    H = len(params["forward"]["b"])
    ends = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h = x.new_zeros(B, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
        ends.append(h)
    states = x.repeat(1, 1, 2 * H)[..., : 2 * H] * mask[..., None]
    return states, torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: forward_twice — Both halves by the forward parameters
# fails: two_words_and_one_by_hand, states_are_the_librarys
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for order in (range(N), reversed(range(N))):
        U, W, b = (params["forward"][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states)
        ends.append(h)
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: stacked_without_a_word — Has nothing to stack where N is 0
# fails: sources_without_a_word
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), {}
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[t] = h * mask[:, t, None]
        ways.append(torch.stack([states[t] for t in range(N)], 1))
        ends.append(h)
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: index_minus_one — A row without a word takes the state at its last place
# fails: sources_without_a_word
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways = []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            new = torch.tanh(h @ U.T + x[:, t] @ W.T + b)
            h = new * mask[:, t, None] if way == "backward" else new
            states[:, t] = h
        ways.append(states)
    states = torch.cat(ways, 2)
    H = ways[0].shape[2]
    ends = torch.cat([states[torch.arange(B), mask.sum(1) - 1, :H], states[:, 0, H:]], 1)
    return states * mask[..., None], torch.tanh(ends @ params["W"].T + params["b"])


# %% wrong: s_0_detached — Nothing comes back from the decoder to the encoder
# fails: both_results_teach_the_encoder
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), x.new_zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states)
        ends.append(h.detach())
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: float32_buffer — States are collected in single precision
# fails: other_encoders_and_sources
import torch


def encode(ids, mask, params):
    x = params["E"][ids]
    B, N, _ = x.shape
    ways, ends = [], []
    for way, order in (("forward", range(N)), ("backward", reversed(range(N)))):
        U, W, b = (params[way][k] for k in "UWb")
        h, states = x.new_zeros(B, len(b)), torch.zeros(B, N, len(b))
        for t in order:
            h = torch.where(mask[:, t, None], torch.tanh(h @ U.T + x[:, t] @ W.T + b), h)
            states[:, t] = h * mask[:, t, None]
        ways.append(states.to(x.dtype))
        ends.append(h)
    return torch.cat(ways, 2), torch.tanh(torch.cat(ends, 1) @ params["W"].T + params["b"])


# %% wrong: librarys_net — torch.nn.RNN with the weights copied in
# fails: two_words_and_one_by_hand
import torch


def encode(ids, mask, params):
    H, D = params["forward"]["W"].shape
    net = torch.nn.RNN(D, H, batch_first=True, bidirectional=True, dtype=params["E"].dtype)
    states = net(params["E"][ids])[0]
    return states, states[:, 0, :1]


# %% wrong: gradients_go_back_five_words — Behind every fifth word the state is cut off from those before
# fails: nothing_is_learnt_from_pads
import torch


def encode(ids, mask, params):
    x, sides, lasts = params["E"][ids], [], []
    for way in ("forward", "backward"):
        p, places = params[way], list(range(ids.shape[1]))
        h, found = x.new_zeros(len(x), len(p["b"])), {}
        for count, i in enumerate(places if way == "forward" else places[::-1]):
            h = h.detach() if count and count % 5 == 0 else h
            new = torch.tanh(h @ p["U"].T + x[:, i] @ p["W"].T + p["b"])
            h = torch.where(mask[:, i, None], new, h)
            found[i] = torch.where(mask[:, i, None], new, torch.zeros_like(new))
        sides.append(torch.stack([found[i] for i in places], 1) if places else x.new_zeros(len(x), 0, len(p["b"])))
        lasts.append(h)
    return torch.cat(sides, 2), torch.tanh(torch.cat(lasts, 1) @ params["W"].T + params["b"])
