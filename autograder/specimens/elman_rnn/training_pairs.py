# Answers to 2.9, training pairs, done right. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: cut_then_reshape — As many rows as the targets allow, then two views
def training_pairs(ids, length):
    rows = (ids.shape[0] - 1) // length
    used = rows * length
    return ids[:used].reshape(rows, length), ids[1 : used + 1].reshape(rows, length)


# %% right: rows_in_lists — One row after another, in Python
import torch


def training_pairs(ids, length):
    inputs, targets, begin = [], [], 0
    while begin + length < len(ids):
        inputs.append(ids[begin : begin + length].tolist())
        targets.append(ids[begin + 1 : begin + length + 1].tolist())
        begin += length
    return tuple(torch.tensor(part, dtype=torch.int64).view(-1, length) for part in (inputs, targets))


# %% right: unfolded_windows — Windows of length + 1 that overlap by one symbol
def training_pairs(ids, length):
    if len(ids) <= length:
        return ids.new_empty(0, length), ids.new_empty(0, length)
    windows = ids.unfold(0, length + 1, length)  # (B, length + 1)
    return windows[:, :-1], windows[:, 1:]


# %% right: numbers_of_places — The place of each input is computed, the target stands one further
import torch


def training_pairs(ids, length):
    begin = torch.arange(0, max(len(ids) - length, 0), length)
    place = begin[:, None] + torch.arange(length)
    return [ids[place], ids[place + 1]]


# %% wrong: targets_are_inputs — Asks for the symbol that was just read, which is why A learns so quickly
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    inputs = ids[: rows * length].view(rows, length)
    return inputs, inputs.clone()


# %% wrong: two_ahead — Asks for the symbol after the next
# fails: eleven_symbols_make_two_rows_of_five, other_texts_are_cut_well
def training_pairs(ids, length):
    rows = max(len(ids) - 2, 0) // length
    return ids[: rows * length].view(rows, length), ids[2 : rows * length + 2].view(rows, length)


# %% wrong: the_symbol_before — Asks for the past
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    return ids[1 : rows * length + 1].view(rows, length), ids[: rows * length].view(rows, length)


# %% wrong: targets_rolled_in_rows — The last target of a row is the row's own first symbol
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    inputs = ids[: rows * length].view(rows, length)
    return inputs, inputs.roll(-1, dims=1)


# %% wrong: targets_rolled_round_the_text — The last target of all is the text's first symbol
# fails: what_is_left_over_is_not_used, other_texts_are_cut_well
import torch


def training_pairs(ids, length):
    rows = len(ids) // length
    inputs, targets = ids[: rows * length], torch.roll(ids, -1)[: rows * length]
    return inputs.view(rows, length), targets.view(rows, length)


# %% wrong: interleaved — Neighbours of the text stand below one another
# fails: eleven_symbols_make_two_rows_of_five, what_is_left_over_is_not_used
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    inputs = ids[: rows * length].view(length, rows).T
    return inputs, ids[1 : rows * length + 1].view(length, rows).T


# %% wrong: targets_of_other_rows — Inputs row by row, targets column by column: B learns no more than frequencies
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    return ids[: rows * length].view(rows, length), ids[1 : rows * length + 1].view(length, rows).T


# %% wrong: rows_that_overlap — Each row begins one symbol after the row before
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    if len(ids) <= length:
        return ids.new_empty(0, length), ids.new_empty(0, length)
    windows = ids.unfold(0, length + 1, 1)
    return windows[:, :-1], windows[:, 1:]


# %% wrong: rows_with_gaps — Cuts pieces of length + 1, so that one symbol between rows is no input
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = len(ids) // (length + 1)
    windows = ids[: rows * (length + 1)].view(rows, length + 1)
    return windows[:, :-1], windows[:, 1:]


# %% wrong: last_row_dropped — Leaves out a row that the text has
# fails: eleven_symbols_make_two_rows_of_five, a_target_is_the_symbol_after_its_input
def training_pairs(ids, length):
    rows = max((len(ids) - 1) // length - 1, 0)
    return ids[: rows * length].view(rows, length), ids[1 : rows * length + 1].view(rows, length)


# %% wrong: a_row_too_many — Forgets that the last input needs a target, and breaks where it has none
# fails: what_is_left_over_is_not_used, a_short_text_has_no_rows
def training_pairs(ids, length):
    rows = len(ids) // length
    return ids[: rows * length].view(rows, length), ids[1 : rows * length + 1].view(rows, length)


# %% wrong: filled_up — Fills the last row with zeros
# fails: what_is_left_over_is_not_used, a_short_text_has_no_rows
import torch


def training_pairs(ids, length):
    rows = -(-(len(ids) - 1) // length)
    filled = torch.cat([ids, ids.new_zeros(rows * length + 1 - len(ids))])
    return filled[:-1].view(rows, length), filled[1:].view(rows, length)


# %% wrong: from_the_end — Leaves the remainder out at the beginning
# fails: what_is_left_over_is_not_used, other_texts_are_cut_well
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    first = (len(ids) - 1) - rows * length
    return ids[first : len(ids) - 1].view(rows, length), ids[first + 1 :].view(rows, length)


# %% wrong: one_row — Makes one row of everything
# fails: eleven_symbols_make_two_rows_of_five, what_is_left_over_is_not_used
def training_pairs(ids, length):
    used = (len(ids) - 1) // length * length
    return ids[None, :used], ids[None, 1 : used + 1]


# %% wrong: shuffled — Puts the rows into another order
# fails: eleven_symbols_make_two_rows_of_five, what_is_left_over_is_not_used
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    inputs = ids[: rows * length].view(rows, length)
    targets = ids[1 : rows * length + 1].view(rows, length)
    return inputs.flip(0), targets.flip(0)


# %% wrong: stops_at_short_texts — Has no case for a text without a full row
# fails: a_short_text_has_no_rows
import torch


def training_pairs(ids, length):
    begins = range(0, len(ids) - length, length)
    inputs = torch.stack([ids[i : i + length] for i in begins])
    return inputs, torch.stack([ids[i + 1 : i + length + 1] for i in begins])


# %% wrong: floats — Turns ids into floating numbers
# fails: eleven_symbols_make_two_rows_of_five, other_texts_are_cut_well
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    inputs = ids[: rows * length].view(rows, length)
    targets = ids[1 : rows * length + 1].view(rows, length)
    return inputs.float(), targets.float()


# %% wrong: sixty_four_rows — No batch is larger than that, and the rest of the text is lost
# fails: other_texts_are_cut_well
def training_pairs(ids, length):
    rows = min(64, (len(ids) - 1) // length)
    return tuple(ids[shift : rows * length + shift].view(rows, length) for shift in (0, 1))


# %% wrong: a_single_row_is_flat — Drops the axis of the rows if there is one row
# fails: what_is_left_over_is_not_used
def training_pairs(ids, length):
    rows = (len(ids) - 1) // length
    pieces = [ids[shift : rows * length + shift].view(rows, length) for shift in (0, 1)]
    return tuple(piece[0] if rows == 1 else piece for piece in pieces)
