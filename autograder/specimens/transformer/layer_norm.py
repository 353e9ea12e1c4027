# Answers to 7.1, layer normalisation. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: var_biased — torch's variance, told not to correct
import torch


def layer_norm(x, gamma, beta, eps):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, unbiased=False)
    return torch.addcmul(beta, gamma, (x - mean) * torch.rsqrt(var + eps))


# %% right: sums — Sums divided by D, written out
import torch


def layer_norm(x, gamma, beta, eps):
    D = x.size(-1)
    mu = torch.sum(x, dim=-1) / D
    centred = x - mu.unsqueeze(-1)
    sigma = (torch.sum(centred * centred, dim=-1) / D + eps) ** 0.5
    y = centred / sigma.unsqueeze(-1)
    return y * gamma + beta


# %% right: word_by_word — A loop over the words
import torch


def layer_norm(x, gamma, beta, eps):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        off = row - row.mean()
        rows.append(off / (off.dot(off) / len(row) + eps).sqrt() * gamma + beta)
    return torch.stack(rows).reshape(x.shape)


# %% right: in_double — Computed in double precision, returned in the type that came
import torch


def layer_norm(x, gamma, beta, eps):
    z = x.double()
    z = z - z.mean(dim=-1, keepdim=True)
    z = z / torch.sqrt(z.square().mean(dim=-1, keepdim=True) + eps)
    return (z * gamma.double() + beta.double()).to(x.dtype)


# %% right: matrix — Centring as a product with I − 1/D
import torch


def layer_norm(x, gamma, beta, eps):
    D = x.shape[-1]
    z = x - x[..., :1]  # near 0 first: what is taken off is taken off again
    centre = torch.eye(D, dtype=x.dtype) - 1 / D
    z = z @ centre
    return torch.einsum("...d,d->...d", z * (torch.linalg.vecdot(z, z) / D + eps).rsqrt()[..., None], gamma) + beta


# %% wrong: unbiased — Divided by D − 1
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: unbiased_with_one_kept — The same, and a case for D = 1
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    if x.shape[-1] > 1:
        var = var * x.shape[-1] / (x.shape[-1] - 1)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: epsilon_outside — ε added to σ, behind the root
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / (torch.sqrt(var) + eps) + beta


# %% wrong: no_epsilon — No ε at all
# fails: one_and_three_by_hand, far_from_zero_and_all_alike
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var) + beta


# %% wrong: another_epsilon — 10⁻⁵, whatever is given
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + 1e-5) + beta


# %% wrong: epsilon_squared — The square of ε
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps**2) + beta


# %% wrong: no_root — Divided by the variance
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / (var + eps) + beta


# %% wrong: over_words — Mean and variance over the words of a text
# fails: it_is_the_librarys_norm, each_word_is_normed_by_itself
import torch


def layer_norm(x, gamma, beta, eps):
    axis = max(x.dim() - 2, 0)
    mu = x.mean(axis, keepdim=True)
    var = ((x - mu) ** 2).mean(axis, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: over_the_batch — Over the first axis, as batch normalisation does
# fails: it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(0, keepdim=True)
    var = ((x - mu) ** 2).mean(0, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: over_everything — One mean for all words
# fails: it_is_the_librarys_norm, each_word_is_normed_by_itself
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean()
    var = ((x - mu) ** 2).mean()
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: words_and_numbers — Over the last two axes
# fails: it_is_the_librarys_norm, each_word_is_normed_by_itself
import torch


def layer_norm(x, gamma, beta, eps):
    dim = tuple(range(max(x.dim() - 2, 0), x.dim()))
    mu = x.mean(dim, keepdim=True)
    var = ((x - mu) ** 2).mean(dim, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: mean_not_taken_off — Only scaled
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * x / torch.sqrt(var + eps) + beta


# %% wrong: root_mean_square — The norm of another paper, without μ
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    return gamma * x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps) + beta


# %% wrong: beta_first — β is scaled, too
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * ((x - mu) / torch.sqrt(var + eps) + beta)


# %% wrong: gamma_beta_exchanged — β scales and γ is added
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return beta * (x - mu) / torch.sqrt(var + eps) + gamma


# %% wrong: one_plus_gamma — γ as what is added to one
# fails: one_and_three_by_hand, it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return (1 + gamma) * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: square_of_the_mean — The mean of squares less the square of the mean
# fails: far_from_zero_and_all_alike
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = (x * x).mean(-1, keepdim=True) - mu * mu
    return gamma * (x - mu) / torch.sqrt(var.clamp(min=0) + eps) + beta


# %% wrong: statistics_detached — μ and σ taken for constants
# fails: x_gamma_and_beta_are_taught
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    mu, var = mu.detach(), var.detach()
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: mean_absolute — The mean distance in the place of σ
# fails: it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    mu = x.mean(-1, keepdim=True)
    var = (x - mu).abs().mean(-1, keepdim=True) ** 2
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: two_axes_only — A shape with three axes is taken for granted
# fails: it_is_the_librarys_norm
import torch


def layer_norm(x, gamma, beta, eps):
    B, N, D = x.shape if x.dim() > 1 else (1, 1, len(x))
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return gamma * (x - mu) / torch.sqrt(var + eps) + beta


# %% wrong: single_precision — Everything in seven digits
# fails: the_type_is_kept
import torch


def layer_norm(x, gamma, beta, eps):
    x, kind = x.float(), x.dtype
    mu = x.mean(-1, keepdim=True)
    var = ((x - mu) ** 2).mean(-1, keepdim=True)
    return (gamma.float() * (x - mu) / torch.sqrt(var + eps) + beta.float()).to(kind)


# %% wrong: librarys_norm — torch's own
# fails: one_and_three_by_hand
import torch.nn.functional as F


def layer_norm(x, gamma, beta, eps):
    return F.layer_norm(x, gamma.shape, gamma, beta, eps)


# %% wrong: groups_of_one — torch's norm of groups
# fails: it_is_the_librarys_norm
import torch
import torch.nn.functional as F


def layer_norm(x, gamma, beta, eps):
    flat = x.reshape(-1, x.shape[-1])
    return F.group_norm(flat, 1, gamma, beta, eps).reshape(x.shape)


# %% wrong: more_digits_of_squares — The mean of the squares, in float64, less the square of the mean
# fails: far_from_zero_and_all_alike
import torch


def layer_norm(x, gamma, beta, eps):
    long = x.double()
    mu, squares = long.mean(-1, keepdim=True), (long**2).mean(-1, keepdim=True)
    z = (long - mu) * torch.rsqrt((squares - mu**2).clamp(min=0) + eps)
    return (z * gamma + beta).to(x.dtype)


# %% wrong: nothing_where_all_is_alike — β where all numbers are equal, without a way back
# fails: x_gamma_and_beta_are_taught
import torch


def layer_norm(x, gamma, beta, eps):
    off = x - x.mean(-1, keepdim=True)
    var = off.square().mean(-1, keepdim=True)
    z = torch.where(var > 0, off / torch.sqrt(var + eps), torch.zeros_like(x))
    return z * gamma + beta


# %% wrong: librarys_root — torch's RMS norm of what is centred
# fails: one_and_three_by_hand
import torch.nn.functional as F


def layer_norm(x, gamma, beta, eps):
    return F.rms_norm(x - x.mean(-1, keepdim=True), gamma.shape, eps=eps) * gamma + beta


# %% wrong: eps_of_a_net — An ε below that of a net is made larger
# fails: other_vectors_are_normed, scale_and_place_are_taken_out
import torch


def layer_norm(x, gamma, beta, eps):
    off = x - x.mean(-1, keepdim=True)
    return gamma * off / torch.sqrt(off.square().mean(-1, keepdim=True) + max(eps, 1e-6)) + beta
