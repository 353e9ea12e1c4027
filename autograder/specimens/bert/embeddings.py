# Answers to 8.6, three embeddings and a norm. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: of_the_library — Torch's lookup and torch's norm
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    x = F.embedding(ids, params["T"]) + F.embedding(segments, params["S"])
    x = x + params["P"][: ids.shape[1]]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], eps=1e-12)


# %% right: by_var — var without Bessel's correction
import torch


def embeddings(ids, segments, params):
    places = torch.arange(ids.shape[-1])
    x = params["T"][ids] + params["P"][places][None] + params["S"][segments]
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, unbiased=False, keepdim=True)
    return params["gamma"] * (x - mean) * torch.rsqrt(variance + 1e-12) + params["beta"]


# %% right: one_hot_products — Products of one-hot rows with the tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    hot = lambda numbers, table: F.one_hot(numbers, len(table)).to(table.dtype) @ table
    x = hot(ids, params["T"]) + hot(segments, params["S"]) + params["P"].narrow(0, 0, ids.size(1))
    centred = x - x.sum(-1, keepdim=True) / x.shape[-1]
    spread = (centred.square().sum(-1, keepdim=True) / x.shape[-1] + 1e-12).sqrt()
    return centred / spread * params["gamma"] + params["beta"]


# %% right: piece_by_piece — Row by row, piece by piece
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    rows = []
    for row, kinds in zip(ids, segments):
        vectors = []
        for n in range(len(row)):
            x = params["T"][row[n]] + params["P"][n] + params["S"][kinds[n]]
            d = x - x.mean()
            vectors.append(d / torch.sqrt((d * d).mean() + 1e-12) * params["gamma"] + params["beta"])
        rows.append(torch.stack(vectors))
    return torch.stack(rows)


# %% wrong: no_segments — Without segments
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: no_places — Without places
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: places_from_one — Places counted from 1
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][(torch.arange(N) + 1).clamp(max=len(params["P"]) - 1)] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: segments_turned — The segments exchanged
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][1 - segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: segments_of_the_first_row — The first text's segments for all
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments[:1]]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: segments_from_one — Segments 1 and 2
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][(segments + 1).clamp(max=1)]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: segment_times_row — The segment's number times its row
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + (segments[..., None] * params["S"][1])
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: last_places — The last N places of the table
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][-N:] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: places_by_text — The place of the text, not that of the piece
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][torch.arange(len(ids)) % len(params["P"])][:, None] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: places_start_again — Places begin again in the second segment
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = (
        params["T"][ids]
        + params["P"][torch.where(segments == 1, (segments.cumsum(1) - 1).clamp(min=0), torch.arange(N).expand_as(ids))]
        + params["S"][segments]
    )
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: no_norm — The sum alone
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    return x


# %% wrong: norm_without_gamma — The norm's own numbers are left out
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], eps=1e-12)


# %% wrong: norm_of_the_pieces — Only the pieces' vectors are normed
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids]
    return (
        F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12) + params["P"][:N] + params["S"][segments]
    )


# %% wrong: norm_of_the_text — All of a text's numbers are normed at once
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    return F.layer_norm(x, x.shape[-2:], eps=1e-12) * params["gamma"] + params["beta"]


# %% wrong: unbiased — The variance with Bessel's correction
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    d = x - x.mean(-1, keepdim=True)
    return d / (x.var(-1, keepdim=True) + 1e-12).sqrt() * params["gamma"] + params["beta"]


# %% wrong: library_eps — Torch's own ε
# fails: tiny_numbers_are_normed_too
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-5)


# %% wrong: no_eps — Without ε
# fails: tiny_numbers_are_normed_too
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    d = x - x.mean(-1, keepdim=True)
    return d / d.square().mean(-1, keepdim=True).sqrt() * params["gamma"] + params["beta"]


# %% wrong: eps_outside — ε outside the root
# fails: tiny_numbers_are_normed_too
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    d = x - x.mean(-1, keepdim=True)
    return d / (d.square().mean(-1, keepdim=True).sqrt() + 1e-12) * params["gamma"] + params["beta"]


# %% wrong: scaled_pieces — The pieces' vectors times √D, as the transformer has them
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"].shape[1] ** 0.5 * params["T"][ids] + params["P"][:N] + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: side_by_side — The mean of three
# fails: tiny_numbers_are_normed_too
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    x = x / 3
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: sinusoids — Fixed sines in the place of the table
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


from unrolled.attention import sinusoids


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + sinusoids(N, params["T"].shape[1]).to(params["T"].dtype) + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: places_as_numbers — The table of places as plain numbers
# fails: all_of_the_tables_are_taught
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N].detach() + params["S"][segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: segments_as_numbers — The table of segments as plain numbers
# fails: all_of_the_tables_are_taught
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"].data[segments]
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)


# %% wrong: in_single — In float32, and back
# fails: other_texts_and_tables
import torch
import torch.nn.functional as F


def embeddings(ids, segments, params):
    N = ids.shape[1]
    x = params["T"][ids] + params["P"][:N] + params["S"][segments]
    x = x.float().to(x.dtype)
    return F.layer_norm(x, x.shape[-1:], params["gamma"], params["beta"], 1e-12)
