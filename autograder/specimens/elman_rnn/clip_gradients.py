# Answers to 2.6, clipping. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: one_factor — The norm of all, then one factor
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.sqrt(sum(g.pow(2).sum() for g in gradients.values()))
    if norm <= max_norm:
        return dict(gradients)
    return {name: g * (max_norm / norm) for name, g in gradients.items()}


# %% right: one_long_vector — Put end to end, scaled, with the library's small number below the line
import torch


def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.flatten() for g in gradients.values()])
    factor = (max_norm / (everything.norm() + 1e-6)).clamp(max=1.0)
    return {name: factor * g for name, g in gradients.items()}


# %% right: norm_of_norms — The norm of the tensors' norms
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.stack([torch.linalg.vector_norm(g) for g in gradients.values()]).norm().item()
    factor = 1.0
    if norm > max_norm:
        factor = max_norm / norm
    clipped = {}
    for name in gradients:
        clipped[name] = gradients[name] * factor
    return clipped


# %% right: plain_python — Numbers one by one in math.hypot
import math

import torch


def clip_gradients(gradients, max_norm):
    norm = math.hypot(*(x for g in gradients.values() for x in g.reshape(-1).tolist()))
    return {name: g / max(1.0, norm / max_norm) for name, g in gradients.items()}


# %% wrong: each_tensor_alone — Clips each tensor by its own norm
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    return {name: g * min(1.0, max_norm / (g.norm().item() + 1e-12)) for name, g in gradients.items()}


# %% wrong: each_number_alone — Cuts every number at the limit
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    return {name: g.clamp(-max_norm, max_norm) for name, g in gradients.items()}


# %% wrong: always_scaled — Makes small gradients as large as the limit, too
# fails: small_gradients_stay_as_they_are, other_gradients_are_scaled_alike
import math

import torch


def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(g.square().sum().item() for g in gradients.values()))
    return {name: g * max_norm / norm if norm else g for name, g in gradients.items()}


# %% wrong: zeros_divided_by_zero — Nothing over nothing
# fails: small_gradients_stay_as_they_are
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients.values()]).norm()
    return {name: g / norm * min(norm, max_norm) for name, g in gradients.items()}


# %% wrong: root_forgotten — Compares the square of the norm
# fails: three_and_four_are_five_together, small_gradients_stay_as_they_are
import torch


def clip_gradients(gradients, max_norm):
    norm = sum(g.square().sum().item() for g in gradients.values())
    factor = min(1.0, max_norm / norm) if norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: sum_of_norms — Adds the norms instead of their squares
# fails: three_and_four_are_five_together, small_gradients_stay_as_they_are
import torch


def clip_gradients(gradients, max_norm):
    norm = sum(g.norm().item() for g in gradients.values())
    factor = max_norm / norm if norm > max_norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: largest_norm — Goes by the largest tensor
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    norm = max(g.norm().item() for g in gradients.values())
    factor = max_norm / norm if norm > max_norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: matrix_norm — The spectral norm for matrices
# fails: the_direction_stays, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    norms = [torch.linalg.matrix_norm(g, 2) if g.dim() == 2 else g.norm() for g in gradients.values()]
    norm = torch.stack(norms).norm().item()
    factor = max_norm / norm if norm > max_norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: norm_of_what_is_clipped — Overwrites the gradients while it measures them
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import math

import torch


def clip_gradients(gradients, max_norm):
    for g in gradients.values():
        norm = math.sqrt(sum(other.square().sum().item() for other in gradients.values()))
        if norm > max_norm:
            g *= max_norm / norm
    return gradients


# %% wrong: divides_by_the_norm — Norm 1, whatever the limit is
# fails: the_direction_stays, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients.values()]).norm().item()
    factor = 1 / norm if norm > max_norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: upside_down — Scales up what is too large
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients.values()]).norm().item()
    factor = norm / max_norm if norm > max_norm else 1.0
    return {name: g * factor for name, g in gradients.items()}


# %% wrong: a_list — Gives the tensors without their names
# fails: three_and_four_are_five_together
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.stack([g.norm() for g in gradients.values()]).norm().item()
    factor = max_norm / norm if norm > max_norm else 1.0
    return [g * factor for g in gradients.values()]


# %% wrong: never_clips — Gives back what came
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
def clip_gradients(gradients, max_norm):
    return gradients


# %% wrong: librarys_clipping — Lets torch.nn.utils clip
# fails: three_and_four_are_five_together, small_gradients_stay_as_they_are
import torch


def clip_gradients(gradients, max_norm):
    parameters = [torch.nn.Parameter(torch.zeros_like(g)) for g in gradients.values()]
    for parameter, g in zip(parameters, gradients.values()):
        parameter.grad = g
    torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    return {name: parameter.grad for name, parameter in zip(gradients, parameters)}


# %% wrong: names_exchanged — Each tensor comes back under another one's name
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import math


def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients.values()))
    factor = min(1.0, max_norm / norm) if norm else 1.0
    return {name: g * factor for name, g in zip(gradients, reversed(list(gradients.values())))}


# %% wrong: clipped_in_place — The dictionary that came goes back, its tensors changed
# fails: three_and_four_are_five_together, other_gradients_are_scaled_alike
import math


def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients.values()))
    for name in gradients:
        if norm > max_norm:
            gradients[name] *= max_norm / norm
    return gradients


# %% wrong: in_float64 — More exact than the gradients, in a type that nobody asked for
# fails: other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    wide = {name: g.double() for name, g in gradients.items()}
    norm = torch.cat([g.flatten() for g in wide.values()]).norm()
    return {name: g * max_norm / norm if norm > max_norm else g for name, g in wide.items()}


# %% wrong: below_one_kept — Takes a norm below one for small, whatever the limit is
# fails: other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    norm = torch.cat([g.flatten() for g in gradients.values()]).norm().item()
    factor = max_norm / norm if norm > max(max_norm, 1.0) else 1.0
    return {name: factor * g for name, g in gradients.items()}


# %% wrong: cut_before — Cuts numbers beyond a million before it measures
# fails: other_gradients_are_scaled_alike
import torch


def clip_gradients(gradients, max_norm):
    cut = {name: g.clamp(-1e6, 1e6) for name, g in gradients.items()}
    norm = torch.cat([g.flatten() for g in cut.values()]).norm().item()
    return {name: g * min(1.0, max_norm / norm if norm else 1.0) for name, g in cut.items()}


# %% wrong: names_in_the_order_of_the_alphabet — The gradients change places under sorted names
# fails: the_direction_stays, other_gradients_are_scaled_alike
import math


def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients.values()))
    factor = max_norm / norm if norm > max_norm else 1.0
    return dict(zip(sorted(gradients), [g * factor for g in gradients.values()]))
