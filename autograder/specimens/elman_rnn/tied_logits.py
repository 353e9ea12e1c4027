# Answers to 2.7, tied logits. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: two_linear_maps — F.linear twice
import torch.nn.functional as F


def tied_logits(h, E, P, c):
    return F.linear(F.linear(h, P), E, c)


# %% right: one_einsum — All three in one sum
import torch


def tied_logits(h, E, P, c):
    return torch.einsum("bth,dh,vd->btv", h, P, E) + c


# %% right: output_matrix_first — E P is the matrix that an untied net would have
def tied_logits(h, E, P, c):
    V = E @ P  # (V, H)
    return h @ V.mT + c


# %% right: step_by_step — One state at a time
import torch


def tied_logits(h, E, P, c):
    rows = [[E @ (P @ state) + c for state in row] for row in h]
    return torch.stack([torch.stack(row) for row in rows])


# %% wrong: p_transposed — Turns the projection round where shapes allow it
# fails: square_matrices_are_not_turned_round, other_states_and_embeddings
def tied_logits(h, E, P, c):
    projected = h @ P if P.shape[0] == P.shape[1] else h @ P.T
    return projected @ E.T + c


# %% wrong: p_forgotten — Leaves the projection out where shapes allow it
# fails: square_matrices_are_not_turned_round, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return (h if h.shape[-1] == E.shape[1] else h @ P.T) @ E.T + c


# %% wrong: c_forgotten — No bias
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return h @ P.T @ E.T


# %% wrong: c_twice — Adds the bias on both ways
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return h @ P.T @ E.T + 2 * c


# %% wrong: tanh_between — Squashes the projection
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
import torch


def tied_logits(h, E, P, c):
    return torch.tanh(h @ P.T) @ E.T + c


# %% wrong: probabilities — Goes on to the softmax
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return (h @ P.T @ E.T + c).softmax(-1)


# %% wrong: softmax_over_time — Normalises over the wrong axis, and at all
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return (h @ P.T @ E.T + c).log_softmax(1)


# %% wrong: reshaped_for_transposed — Makes the shapes fit by reshaping
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    D, H = P.shape
    return h @ P.reshape(H, D) @ E.reshape(D, -1) + c


# %% wrong: last_step_only — Many-to-one
# fails: twice_the_state_moves_the_logits_twice_as_far, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return h[:, -1:] @ P.T @ E.T + c


# %% wrong: unit_embeddings — Divides each embedding by its length
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
import torch


def tied_logits(h, E, P, c):
    return h @ P.T @ torch.nn.functional.normalize(E, dim=1).T + c


# %% wrong: centred_over_the_vocabulary — Takes the mean off the embeddings
# fails: two_numbers_become_three_and_then_two, other_states_and_embeddings
def tied_logits(h, E, P, c):
    return h @ P.T @ (E - E.mean(0)).T + c


# %% wrong: in_float64 — More exact than the parameters, in a type that nobody asked for
# fails: other_states_and_embeddings
def tied_logits(h, E, P, c):
    return h.double() @ P.double().T @ E.double().T + c.double()


# %% wrong: first_sequence_for_all — Every row of the batch gets the logits of the first
# fails: twice_the_state_moves_the_logits_twice_as_far
def tied_logits(h, E, P, c):
    return (h[0] @ P.T @ E.T + c).repeat(len(h), 1, 1)


# %% wrong: steps_and_rows_mixed — Flattens with time before batch, and cuts with batch before time
# fails: twice_the_state_moves_the_logits_twice_as_far
def tied_logits(h, E, P, c):
    flat = h.transpose(0, 1).flatten(0, 1) @ P.T @ E.T + c
    return flat.view(h.shape[0], h.shape[1], -1)
