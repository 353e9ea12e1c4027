# Answers to 3.4, the Jacobian of the cell. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: diagonal_matrices — The formula as it stands, with torch.diag and products
import torch


def cell_jacobian(x, c, o, params):
    h = o * torch.tanh(c)
    a = {gate: params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig"}
    f, i, g = torch.sigmoid(a["f"]), torch.sigmoid(a["i"]), torch.tanh(a["g"])
    by_h = torch.diag(c * f * (1 - f)) @ params["U_f"]
    by_h += torch.diag(g * i * (1 - i)) @ params["U_i"]
    by_h += torch.diag(i * (1 - g**2)) @ params["U_g"]
    return torch.diag(f) + by_h @ torch.diag(o * (1 - torch.tanh(c) ** 2))


# %% right: number_by_number — Two loops, one number of the matrix at a time
import torch


def cell_jacobian(x, c, o, params):
    H, t = len(c), torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    J = c.new_zeros(H, H)
    for row in range(H):
        for column in range(H):
            by_h = c[row] * f[row] * (1 - f[row]) * params["U_f"][row, column]
            by_h += g[row] * i[row] * (1 - i[row]) * params["U_i"][row, column]
            by_h += i[row] * (1 - g[row] ** 2) * params["U_g"][row, column]
            J[row, column] = by_h * o[column] * (1 - t[column] ** 2) + (f[row] if row == column else 0)
    return J


# %% right: forward_column_by_column — Moves each number of c by a tangent of its own
import torch


def cell_jacobian(x, c, o, params):
    t, columns = torch.tanh(c), []
    h = o * t
    f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = torch.sigmoid(f), torch.sigmoid(i), torch.tanh(g)
    for dc in torch.eye(len(c), dtype=c.dtype):
        dh = o * (1 - t * t) * dc
        df, di, dg = (params[f"U_{gate}"] @ dh for gate in "fig")
        df, di, dg = f * (1 - f) * df, i * (1 - i) * di, (1 - g * g) * dg
        columns.append(df * c + f * dc + di * g + i * dg)
    return torch.stack(columns, dim=1)


# %% right: einsum_over_the_gates — The three paths as one sum
import torch


def cell_jacobian(x, c, o, params):
    U, W, b = (torch.stack([params[f"{kind}_{gate}"] for gate in "fig"]) for kind in "UWb")
    t = torch.tanh(c)
    a = torch.einsum("gij,j->gi", U, o * t) + torch.einsum("gid,d->gi", W, x) + b
    f, i, g = a[0].sigmoid(), a[1].sigmoid(), a[2].tanh()
    slopes = torch.stack([c * f * (1 - f), g * i * (1 - i), i * (1 - g) * (1 + g)])
    J = torch.einsum("gi,gij,j->ij", slopes, U, o / torch.cosh(c.clamp(-300, 300)) ** 2)
    J.diagonal().add_(f)
    return J


# %% right: numpy_in_double — numpy in float64, turned back at the end
import numpy as np
import torch


def cell_jacobian(x, c, o, params):
    p = {name: value.numpy().astype(np.float64) for name, value in params.items()}
    x, c_, o = (part.numpy().astype(np.float64) for part in (x, c, o))
    h = o * np.tanh(c_)
    f, i, g = (np.tanh((p[f"U_{n}"] @ h + p[f"W_{n}"] @ x + p[f"b_{n}"]) / (1 if n == "g" else 2)) for n in "fig")
    f, i = (1 + f) / 2, (1 + i) / 2
    by_h = (c_ * f * (1 - f))[:, None] * p["U_f"] + (g * i * (1 - i))[:, None] * p["U_i"]
    by_h += (i * (1 - g**2))[:, None] * p["U_g"]
    return torch.tensor(np.diag(f) + by_h * (o * (1 - np.tanh(c_) ** 2)), dtype=c.dtype)


# %% wrong: the_direct_path_alone — diag(f), as if h did not depend on c
# fails: each_path_through_the_state_is_there, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    h = o * torch.tanh(c)
    return torch.diag(torch.sigmoid(params["U_f"] @ h + params["W_f"] @ x + params["b_f"]))


# %% wrong: transposed — Rows and columns exchanged
# fails: rows_are_what_is_moved_and_columns_what_moves_it, a_small_change_of_the_cell_does_what_it_says
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    by_h = by_h + (i * (1 - g**2))[:, None] * params["U_g"]
    return (torch.diag(f) + by_h * (o * (1 - t**2))).T


# %% wrong: u_transposed — The transposes of the U, in what is differentiated and in the derivative
# fails: rows_are_what_is_moved_and_columns_what_moves_it, each_path_through_the_state_is_there
import torch


def cell_jacobian(x, c, o, params):
    t, U = torch.tanh(c), {gate: params[f"U_{gate}"].T for gate in "fig"}
    f, i, g = (U[gate] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (
        (c * f * (1 - f))[:, None] * U["f"] + (g * i * (1 - i))[:, None] * U["i"] + (i * (1 - g**2))[:, None] * U["g"]
    )
    return torch.diag(f) + by_h * (o * (1 - t**2))


# %% wrong: rows_for_columns — The factors of the gates stand at the columns
# fails: each_path_through_the_state_is_there, jacobians_of_other_sizes
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = c * f * (1 - f) * params["U_f"] + g * i * (1 - i) * params["U_i"] + i * (1 - g**2) * params["U_g"]
    return torch.diag(f) + by_h * (o * (1 - t**2))[:, None]


# %% wrong: output_gate_forgotten — h depends on c by 1 − tanh² c alone
# fails: without_the_state_only_the_forget_gate_is_left, each_path_through_the_state_is_there
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (i * (1 - g**2))[:, None] * params["U_g"]) * (1 - t**2)


# %% wrong: tanh_of_c_forgotten — h depends on c by o alone
# fails: without_the_state_only_the_forget_gate_is_left, each_path_through_the_state_is_there
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (i * (1 - g**2))[:, None] * params["U_g"]) * o


# %% wrong: one_path_forgotten — Nothing through the input gate
# fails: each_path_through_the_state_is_there, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (i * (1 - g**2))[:, None] * params["U_g"]
    return torch.diag(f) + by_h * (o * (1 - t**2))


# %% wrong: partners_forgotten — The slopes of the gates, without what they multiply
# fails: each_path_through_the_state_is_there, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (f * (1 - f))[:, None] * params["U_f"] + (i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (1 - g**2)[:, None] * params["U_g"]) * (o * (1 - t**2))


# %% wrong: slope_of_a_sigmoid_for_tanh — g(1 − g) where 1 − g² belongs
# fails: each_path_through_the_state_is_there, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (i * g * (1 - g))[:, None] * params["U_g"]) * (o * (1 - t**2))


# %% wrong: o_of_this_step — Computes o anew, where that of the step before is given
# fails: each_path_through_the_state_is_there, the_output_gate_of_this_step_plays_no_part
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g, o = (params[f"U_{gate}"] @ (o * t) + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "figo")
    f, i, g, o = f.sigmoid(), i.sigmoid(), g.tanh(), o.sigmoid()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (i * (1 - g**2))[:, None] * params["U_g"]) * (o * (1 - t**2))


# %% wrong: c_for_h — The gates read the cell itself
# fails: each_path_through_the_state_is_there, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    t = torch.tanh(c)
    f, i, g = (params[f"U_{gate}"] @ c + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
    f, i, g = f.sigmoid(), i.sigmoid(), g.tanh()
    by_h = (c * f * (1 - f))[:, None] * params["U_f"] + (g * i * (1 - i))[:, None] * params["U_i"]
    return torch.diag(f) + (by_h + (i * (1 - g**2))[:, None] * params["U_g"]) * (o * (1 - t**2))


# %% wrong: by_small_differences — Moves each number a little, which is no formula
# fails: it_is_the_formula_and_no_difference, jacobians_of_other_sizes
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    moves = 1e-5 * torch.eye(len(c), dtype=c.dtype)
    return torch.stack([(after(c + move) - after(c - move)) / 2e-5 for move in moves], dim=1)


# %% wrong: by_finer_differences — Four points for each number, which comes nearer and is still no formula
# fails: it_is_the_formula_and_no_difference
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    columns, e = [], 1e-3
    for move in e * torch.eye(len(c), dtype=c.dtype):
        near, far = after(c + move) - after(c - move), after(c + 2 * move) - after(c - 2 * move)
        columns.append((8 * near - far) / (12 * e))
    return torch.stack(columns, dim=1)


# %% wrong: by_differences_forwards — Moves each number a little, and in one direction alone
# fails: it_is_the_formula_and_no_difference, an_open_forget_gate_passes_the_gradient_on
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    moves = 1e-6 * torch.eye(len(c), dtype=c.dtype)
    return torch.stack([(after(c + move) - after(c)) / 1e-6 for move in moves], dim=1)


# %% wrong: by_autograd — Lets autograd do it
# fails: without_the_state_only_the_forget_gate_is_left, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    return torch.autograd.functional.jacobian(after, c)


# %% wrong: by_functional_autograd — Lets torch.func do it
# fails: without_the_state_only_the_forget_gate_is_left, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    return torch.func.jacrev(after)(c)


# %% wrong: by_forward_mode — Lets autograd do it in the other direction
# fails: without_the_state_only_the_forget_gate_is_left, one_unit_by_hand
import torch


def cell_jacobian(x, c, o, params):
    def after(c):
        h = o * torch.tanh(c)
        f, i, g = (params[f"U_{gate}"] @ h + params[f"W_{gate}"] @ x + params[f"b_{gate}"] for gate in "fig")
        return f.sigmoid() * c + i.sigmoid() * g.tanh()

    return torch.func.jacfwd(after)(c)


# %% wrong: parameters_by_their_order — Takes the dictionary's order for that of the text
# fails: jacobians_of_other_sizes
import torch


def cell_jacobian(x, c, o, params):
    Uf, Wf, bf, Ui, Wi, bi, Ug, Wg, bg = list(params.values())[:9]
    h = o * torch.tanh(c)
    f, i = torch.sigmoid(Uf @ h + Wf @ x + bf), torch.sigmoid(Ui @ h + Wi @ x + bi)
    g = torch.tanh(Ug @ h + Wg @ x + bg)
    by_h = (c * f * (1 - f))[:, None] * Uf + (g * i * (1 - i))[:, None] * Ui + (i * (1 - g * g))[:, None] * Ug
    return torch.diag(f) + by_h * (o * (1 - torch.tanh(c) ** 2))
