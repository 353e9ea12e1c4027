# Answers to 3.5, the bias of the forget gates. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: half_in_each — Both biases carry half of the value
def forget_bias(bias_ih, bias_hh, value):
    H = bias_ih.shape[0] // 4
    new_ih, new_hh = bias_ih.clone(), bias_hh.clone()
    new_ih[H : 2 * H] = value / 2
    new_hh[H : 2 * H] = value / 2
    return new_ih, new_hh


# %% right: the_second_makes_up_for_the_first — The first bias stays, the second one gets what is missing
import torch


def forget_bias(bias_ih, bias_hh, value):
    i, f, g, o = bias_hh.chunk(4)
    return bias_ih, torch.cat([i, value - bias_ih.chunk(4)[1], g, o])


# %% right: a_table_of_gates — Four rows, one a gate; a list comes back
import torch


def forget_bias(bias_ih, bias_hh, value):
    rows = [bias.reshape(4, -1).clone() for bias in (bias_ih, bias_hh)]
    rows[0]["ifgo".index("f")] = 0
    rows[1]["ifgo".index("f")] = value
    return [row.flatten() for row in rows]


# %% right: a_mask — Where the entries are those of f, and elsewhere
import torch


def forget_bias(bias_ih, bias_hh, value):
    gate = torch.arange(len(bias_ih)) * 4 // len(bias_ih)
    return torch.where(gate == 1, torch.tensor(float(value), dtype=bias_ih.dtype), bias_ih), bias_hh * (gate != 1)


# %% right: numpy_copies — numpy arrays come back
def forget_bias(bias_ih, bias_hh, value):
    new_ih, new_hh = bias_ih.numpy().copy(), bias_hh.numpy().copy()
    H = len(new_ih) // 4
    new_ih[H : 2 * H], new_hh[H : 2 * H] = value - 1, 1
    return new_ih, new_hh


# %% wrong: both_set_to_the_value — The sum is twice the value
# fails: the_sum_is_the_value_at_the_forget_gates, torchs_lstm_keeps_that_share_of_its_cell
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[H : 2 * H] = value
    bias_hh[H : 2 * H] = value
    return bias_ih, bias_hh


# %% wrong: bias_ih_alone — What stands in the other bias is added by torch
# fails: what_stood_there_gives_way, other_biases_and_values
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih = bias_ih.clone()
    bias_ih[H : 2 * H] = value
    return bias_ih, bias_hh


# %% wrong: added_to_what_was_there — Adds where it should set
# fails: what_stood_there_gives_way, other_biases_and_values
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[H : 2 * H] += value
    return bias_ih, bias_hh


# %% wrong: the_first_quarter — Takes the text's order f, i, g, o for torch's
# fails: the_sum_is_the_value_at_the_forget_gates, all_else_stays_in_both
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[:H], bias_hh[:H] = value, 0
    return bias_ih, bias_hh


# %% wrong: the_third_quarter — Counts the quarters from one
# fails: the_sum_is_the_value_at_the_forget_gates, all_else_stays_in_both
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[2 * H : 3 * H], bias_hh[2 * H : 3 * H] = value, 0
    return bias_ih, bias_hh


# %% wrong: a_different_quarter_each — The second bias is cleared at another gate
# fails: what_stood_there_gives_way, all_else_stays_in_both
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[H : 2 * H], bias_hh[:H] = value, 0
    return bias_ih, bias_hh


# %% wrong: all_gates — Every gate is opened
# fails: all_else_stays_in_both, other_biases_and_values
def forget_bias(bias_ih, bias_hh, value):
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[:], bias_hh[:] = value, 0
    return bias_ih, bias_hh


# %% wrong: the_rest_zeroed — Begins with new zeros
# fails: all_else_stays_in_both, other_biases_and_values
import torch


def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = torch.zeros_like(bias_ih), torch.zeros_like(bias_hh)
    bias_ih[H : 2 * H] = value
    return bias_ih, bias_hh


# %% wrong: all_of_it_moved — The second bias is zero, the first one has what both had
# fails: all_else_stays_in_both
import torch


def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    total = bias_ih + bias_hh
    total[H : 2 * H] = value
    return total, torch.zeros_like(bias_hh)


# %% wrong: one_unit_alone — The first forget gate alone
# fails: the_sum_is_the_value_at_the_forget_gates, other_biases_and_values
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_hh[H : 2 * H] = 0
    bias_ih[H] = value
    return bias_ih, bias_hh


# %% wrong: the_sum_alone — One bias comes back
# fails: the_sum_is_the_value_at_the_forget_gates, all_else_stays_in_both
def forget_bias(bias_ih, bias_hh, value):
    H = len(bias_ih) // 4
    total = bias_ih + bias_hh
    total[H : 2 * H] = value
    return total
