# Answers to 2.3, forward. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: states_in_a_list — The loop of the text, with a case for no symbols
import torch


def rnn_forward(ids, h0, params):
    h, logits = h0, []
    for t in range(ids.shape[1]):
        x = params["W"].T[ids[:, t]]
        h = torch.tanh(x + h @ params["U"].T + params["b"])
        logits.append(h @ params["V"].T + params["c"])
    if not logits:
        return h0.new_zeros(len(ids), 0, len(params["c"])), h0
    return torch.stack(logits, dim=1), h


# %% right: input_first — What each symbol reads in is looked up for all steps before the loop
import torch
import torch.nn.functional as F


def rnn_forward(ids, h0, params):
    read_in = F.embedding(ids, params["W"].T) + params["b"]  # (B, T, H)
    states = [h0]
    for step in read_in.unbind(1):
        states.append((F.linear(states[-1], params["U"]) + step).tanh())
    after = torch.stack(states, 1)[:, 1:]
    return F.linear(after, params["V"], params["c"]), states[-1]


# %% right: row_by_row — A loop over the batch around the loop over time, with einsum
import torch


def rnn_forward(ids, h0, params):
    U, W, b, V, c = (params[name] for name in ("U", "W", "b", "V", "c"))
    logits, last = [], []
    for text, h in zip(ids, h0):
        outputs = [h.new_zeros(0, len(c))]
        for symbol in text:
            h = torch.tanh(torch.einsum("ij,j->i", U, h) + W[:, symbol] + b)
            outputs.append((V @ h + c)[None])
        logits.append(torch.cat(outputs))
        last.append(h)
    return torch.stack(logits), torch.stack(last)


# %% right: recursion — The first symbols first, then one more step
import torch


def rnn_forward(ids, h0, params):
    if ids.shape[1] == 0:
        return torch.empty(len(ids), 0, len(params["V"]), dtype=h0.dtype), h0
    before, h = rnn_forward(ids[:, :-1], h0, params)
    h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, -1]].T + params["b"])
    now = h @ params["V"].T + params["c"]
    return torch.cat([before, now[:, None]], dim=1), h


# %% right: a_tensor_filled_in — Logits written into a tensor that was made for them
import torch


def rnn_forward(ids, h0, params):
    B, T = ids.shape
    logits, h = h0.new_empty(B, T, len(params["V"])), h0
    for t in range(T):
        one_hot = torch.nn.functional.one_hot(ids[:, t], params["W"].shape[1]).to(h0.dtype)
        h = torch.tanh(h @ params["U"].T + one_hot @ params["W"].T + params["b"])
        logits[:, t] = h @ params["V"].T + params["c"]
    return [logits, h]


# %% wrong: state_reset_each_step — Every step starts from h0
# fails: two_symbols_by_hand, it_is_the_librarys_net, the_future_is_not_seen
import torch


def rnn_forward(ids, h0, params):
    states, h = [], h0
    for t in range(ids.shape[1]):
        h = torch.tanh(h0 @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    after = torch.stack(states, dim=1) if states else h0[:, None][:, :0]
    return after @ params["V"].T + params["c"], h


# %% wrong: transposed_u — Multiplies with the transpose of U
# fails: it_is_the_librarys_net, other_texts_and_sizes
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"] + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: missing_output_bias — No c
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T, h


# %% wrong: missing_bias — No b
# fails: it_is_the_librarys_net, other_texts_and_sizes
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T)
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: one_state_early — The logits of step t come from the state before it
# fails: two_symbols_by_hand, the_future_is_not_seen, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1)[:, :-1] @ params["V"].T + params["c"], h


# %% wrong: in_place_states — One tensor for all states, so that all are the last one
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, states = h0.clone(), [h0]
    for t in range(ids.shape[1]):
        h.copy_(torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"]))
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: detached_states — Each state is carried on as a plain number
# fails: the_gradient_finds_its_way_back_to_h0
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h.detach() @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: detached_outputs — Only the last state can be learnt from, not the logits
# fails: the_gradient_finds_its_way_back_to_h0
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h.detach() if t + 1 < ids.shape[1] else h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: looks_ahead — Adds the symbol to come, which training makes look brilliant
# fails: the_future_is_not_seen, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    to_come = torch.cat([ids[:, 1:], ids[:, -1:]], dim=1)
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, to_come[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: from_right_to_left — Reads the text backwards
# fails: two_symbols_by_hand, the_future_is_not_seen
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, []
    for t in reversed(range(ids.shape[1])):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.insert(0, h)
    after = torch.stack([h0, *states], dim=1)[:, 1:]
    return after @ params["V"].T + params["c"], h


# %% wrong: batch_shares_a_state — Averages the states of the batch at each step
# fails: each_sequence_is_read_alone, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        h = h.mean(0, keepdim=True).expand_as(h0)
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: time_before_batch — Stacks along the wrong axis
# fails: it_is_the_librarys_net, other_texts_and_sizes
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states)[1:] @ params["V"].T + params["c"], h


# %% wrong: last_logits_only — Many-to-one, where many-to-many is asked for
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h = h0
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
    return h @ params["V"].T + params["c"], h


# %% wrong: the_output_is_fed_back — A Jordan network's step: the logits, not the state, travel
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    h, logits = h0, [h0.new_zeros(len(ids), len(params["c"]))]
    for t in range(ids.shape[1]):
        fed_back = logits[-1].softmax(-1) @ params["V"] if t else h0
        h = torch.tanh(fed_back @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        logits.append(h @ params["V"].T + params["c"])
    return torch.stack(logits, dim=1)[:, 1:], h


# %% wrong: stops_at_nothing — Has no case for a text of no symbols
# fails: no_symbols_leave_the_state_as_it_was
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, []
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        states.append(h)
    return torch.stack(states, dim=1) @ params["V"].T + params["c"], h


# %% wrong: stops_at_padding — Takes symbol 0 for padding and leaves the state there as it was
# fails: it_is_the_librarys_net, other_texts_and_sizes
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t in range(ids.shape[1]):
        new = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        h = torch.where((ids[:, t] == 0)[:, None], h, new)
        states.append(h)
    return torch.stack(states, dim=1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: librarys_rnn — Lets torch.nn.RNN read
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    H, V = params["W"].shape
    rnn = torch.nn.RNN(V, H, batch_first=True).to(h0.dtype)
    rnn.load_state_dict(
        {
            "weight_ih_l0": params["W"],
            "weight_hh_l0": params["U"],
            "bias_ih_l0": params["b"],
            "bias_hh_l0": torch.zeros_like(params["b"]),
        }
    )
    states, last = rnn(torch.eye(V, dtype=h0.dtype)[ids], h0[None])
    return states @ params["V"].T + params["c"], last[0]


# %% wrong: librarys_routine — Calls what stands below torch.nn.RNN
# fails: two_symbols_by_hand, it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    weights = [params["W"], params["U"], params["b"], torch.zeros_like(params["b"])]
    x = torch.eye(params["W"].shape[1], dtype=h0.dtype)[ids]
    states, last = torch.rnn_tanh(x, h0[None], weights, True, 1, 0.0, False, False, True)
    return states @ params["V"].T + params["c"], last[0]


# %% wrong: parameters_detached — The first state may be learnt from, no parameter may
# fails: the_gradient_finds_its_way_back_to_h0
import torch


def rnn_forward(ids, h0, params):
    U, W, b, V, c = (params[name].detach() for name in "UWbVc")
    h, logits = h0, [h0.new_zeros(len(h0), 0, len(c))]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ U.T + W[:, ids[:, t]].T + b)
        logits.append((h @ V.T + c)[:, None])
    return torch.cat(logits, dim=1), h


# %% wrong: output_detached — V and c learn nothing
# fails: the_gradient_finds_its_way_back_to_h0
import torch


def rnn_forward(ids, h0, params):
    h, logits = h0, [h0.new_zeros(len(h0), 0, len(params["c"]))]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        logits.append((h @ params["V"].detach().T + params["c"].detach())[:, None])
    return torch.cat(logits, dim=1), h


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: it_is_the_librarys_net
import torch


def rnn_forward(ids, h0, params):
    U, W, b, V, c = params.values()
    h, logits = h0, [h0.new_zeros(len(h0), 0, len(c))]
    for t in range(ids.shape[1]):
        h = torch.tanh(h @ U.T + W[:, ids[:, t]].T + b)
        logits.append((h @ V.T + c)[:, None])
    return torch.cat(logits, dim=1), h


# %% wrong: in_float64 — More exact than the parameters, in a type that nobody asked for
# fails: other_texts_and_sizes
import torch


def rnn_forward(ids, h0, params):
    U, W, b, V, c = (params[name].double() for name in "UWbVc")
    states = [h0.double()]
    for symbols in ids.T:
        states.append(torch.tanh(states[-1] @ U.T + W.T[symbols] + b))
    return torch.stack(states, 1)[:, 1:] @ V.T + c, states[-1]


# %% wrong: nothing_in_float32 — Without a symbol the logits have a type of their own
# fails: a_text_may_come_symbol_by_symbol
import torch


def rnn_forward(ids, h0, params):
    h, logits = h0, []
    for symbols in ids.T:
        h = torch.tanh(h @ params["U"].T + params["W"].T[symbols] + params["b"])
        logits.append(h @ params["V"].T + params["c"])
    return torch.stack(logits, 1) if logits else torch.zeros(len(ids), 0, len(params["c"])), h


# %% wrong: truncated — Cuts the way back after every eighth symbol
# fails: every_output_sends_its_gradient_back
import torch


def rnn_forward(ids, h0, params):
    h, states = h0, [h0]
    for t, symbols in enumerate(ids.T):
        h = h.detach() if t and t % 8 == 0 else h
        h = torch.tanh(h @ params["U"].T + params["W"].T[symbols] + params["b"])
        states.append(h)
    return torch.stack(states, 1)[:, 1:] @ params["V"].T + params["c"], h


# %% wrong: cut_every_fifty_steps — Truncated within the text, as between two pieces of it
# fails: every_output_sends_its_gradient_back
import torch


def rnn_forward(ids, h0, params):
    h, logits = h0, [h0.new_zeros(len(h0), 0, len(params["c"]))]
    for t in range(ids.shape[1]):
        h = h.detach() if t and t % 50 == 0 else h
        h = torch.tanh(h @ params["U"].T + params["W"][:, ids[:, t]].T + params["b"])
        logits.append((h @ params["V"].T + params["c"])[:, None])
    return torch.cat(logits, dim=1), h
