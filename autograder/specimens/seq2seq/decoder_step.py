# Answers to 5.3, one step of a decoder. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: linear — torch's linear maps
import torch.nn.functional as F


def decoder_step(state, words, c, params):
    inner = F.linear(state, params["U"], params["b"])
    inner = inner + F.linear(F.embedding(words, params["E"]), params["W"]) + F.linear(c, params["C"])
    new = inner.tanh()
    return F.linear(new, params["V"], params["d"]), new


# %% right: joined — One product of joined vectors with joined matrices
import torch


def decoder_step(state, words, c, params):
    joined = torch.cat([state, params["E"].index_select(0, words), c], dim=1)
    matrix = torch.cat([params["U"], params["W"], params["C"]], dim=1)
    new = torch.tanh(joined @ matrix.T + params["b"])
    return [new @ params["V"].T + params["d"], new]


# %% right: row_by_row — Column vectors, sentence by sentence
import torch


def decoder_step(state, words, c, params):
    p, logits, states = params, [], []
    for s, word, context in zip(state, words, c):
        s = torch.tanh(p["U"] @ s + p["W"] @ p["E"][word] + p["C"] @ context + p["b"])
        states.append(s)
        logits.append(p["V"] @ s + p["d"])
    return torch.stack(logits), torch.stack(states)


# %% right: einsum_and_one_hot — One-hot words, and letters for the axes
import torch
import torch.nn.functional as F


def decoder_step(state, words, c, params):
    E = params["E"]
    x = F.one_hot(words, len(E)).to(E.dtype) @ E
    new = torch.einsum("bs,rs->br", state, params["U"]) + torch.einsum("bd,sd->bs", x, params["W"])
    new = torch.tanh(new + torch.einsum("bk,sk->bs", c, params["C"]) + params["b"][None])
    return torch.einsum("bs,us->bu", new, params["V"]) + params["d"], new


# %% wrong: without_the_context — Idea 1, which gives c to the first state alone
# fails: one_unit_by_hand, it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: without_the_word — Blind to what it has written
# fails: it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: logits_from_the_state_before — The word that was read has no part in what is said
# fails: one_unit_by_hand, it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return state @ params["V"].T + params["d"], new


# %% wrong: state_not_transposed — U s for columns, written for rows
# fails: it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"] + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: log_probabilities — A softmax that nobody asked for
# fails: one_unit_by_hand, it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return (new @ params["V"].T + params["d"]).log_softmax(1), new


# %% wrong: no_tanh — A linear state
# fails: one_unit_by_hand, it_is_the_librarys_cell
def decoder_step(state, words, c, params):
    new = state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"]
    return new @ params["V"].T + params["d"], new


# %% wrong: first_context_for_all — The context of the first row for every row
# fails: rows_are_sentences_of_their_own
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c[0] @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: exchanged — The state first
# fails: one_unit_by_hand
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return new, new @ params["V"].T + params["d"]


# %% wrong: squeezed — Loses the batch of one, and the state of one unit
# fails: one_unit_by_hand, rows_are_sentences_of_their_own
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return (new @ params["V"].T + params["d"]).squeeze(), new.squeeze()


# %% wrong: words_detached — The embeddings learn nothing
# fails: a_step_teaches_all_that_it_uses
import torch


def decoder_step(state, words, c, params):
    x = params["E"][words].detach()
    new = torch.tanh(state @ params["U"].T + x @ params["W"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: state_detached — Nothing goes back through time
# fails: a_step_teaches_all_that_it_uses
import torch


def decoder_step(state, words, c, params):
    before = state.detach()
    new = torch.tanh(before @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: librarys_cell — torch's own cell
# fails: one_unit_by_hand
import torch


def decoder_step(state, words, c, params):
    joined, weights = torch.cat([params["E"][words], c], 1), torch.cat([params["W"], params["C"]], 1)
    new = torch.rnn_tanh_cell(joined, state, weights, params["U"], params["b"], 0 * params["b"])
    return new @ params["V"].T + params["d"], new


# %% wrong: output_bias_forgotten — Logits without d
# fails: one_unit_by_hand, it_is_the_librarys_cell
import torch


def decoder_step(state, words, c, params):
    new = torch.tanh(state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T, new


# %% wrong: tanh_as_a_quotient — Written out with exponentials, which are infinite for large numbers
# fails: other_decoders
def decoder_step(state, words, c, params):
    a = state @ params["U"].T + params["E"][words] @ params["W"].T + c @ params["C"].T + params["b"]
    new = (a.exp() - (-a).exp()) / (a.exp() + (-a).exp())
    return new @ params["V"].T + params["d"], new


# %% wrong: the_pads_row_is_never_learnt — An embedding that is told of a pad sends nothing back to its row
# fails: a_step_teaches_all_that_it_uses
import torch
import torch.nn.functional as F


def decoder_step(state, words, c, params):
    x = F.embedding(words, params["E"], padding_idx=0)
    new = torch.tanh(state @ params["U"].T + x @ params["W"].T + c @ params["C"].T + params["b"])
    return new @ params["V"].T + params["d"], new
