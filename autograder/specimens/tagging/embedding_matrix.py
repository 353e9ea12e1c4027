# Answers to 4.2, a table for a vocabulary. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: filled_in_place — A matrix of the mean first, then the rows that are known
import torch


def embedding_matrix(words, table):
    vectors = list(table.values())
    mean = sum(vectors[1:], vectors[0].clone()) / len(vectors)
    matrix = mean.repeat(len(words), 1)
    for row, word in enumerate(words):
        for spelling in (word.lower(), word):
            if spelling in table:
                matrix[row] = table[spelling]
    matrix[0] = 0
    return matrix


# %% right: chained_conditions — if, elif, else
import torch


def embedding_matrix(words, table):
    some = next(iter(table.values()))
    matrix = torch.zeros(len(words), len(some), dtype=some.dtype)
    for place in range(1, len(words)):
        word = words[place]
        if word in table:
            matrix[place] = table[word]
        elif word.lower() in table:
            matrix[place] = table[word.lower()]
        else:
            matrix[place] = torch.stack([*table.values()]).mean(dim=0)
    return matrix


# %% right: by_indices — Rows of one stacked table, the mean and zeros behind it
import torch


def embedding_matrix(words, table):
    names = {word: place for place, word in enumerate(table)}
    rows = torch.stack(list(table.values()))
    rows = torch.cat([rows, rows.mean(0, keepdim=True), 0 * rows[:1]])
    places = [names.get(word, names.get(word.lower(), len(names))) for word in words]
    return rows[[len(names) + 1, *places[1:]]]


# %% right: numpy_rows — By numpy, in the type of the vectors
import numpy as np
import torch


def embedding_matrix(words, table):
    plain = {word: vector.numpy() for word, vector in table.items()}
    mean = np.mean(list(plain.values()), axis=0)
    rows = [np.zeros_like(mean)]
    rows += [plain[w] if w in plain else plain[w.lower()] if w.lower() in plain else mean for w in words[1:]]
    return torch.from_numpy(np.stack(rows))


# %% wrong: everything_in_small_letters — Looks up the lower case only
# fails: the_exact_spelling_comes_first
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    rows = [torch.zeros_like(mean)] + [table.get(word.lower(), mean) for word in words[1:]]
    return torch.stack(rows)


# %% wrong: the_table_in_small_letters — Lowers the words of the table, too
# fails: the_exact_spelling_comes_first, a_capital_falls_back_on_the_small_letter
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    small = {word.lower(): vector for word, vector in table.items()}
    rows = [torch.zeros_like(mean)] + [small.get(word.lower(), mean) for word in words[1:]]
    return torch.stack(rows)


# %% wrong: exact_spelling_only — A capital makes a word unknown
# fails: a_capital_falls_back_on_the_small_letter
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    return torch.stack([torch.zeros_like(mean)] + [table.get(word, mean) for word in words[1:]])


# %% wrong: unknown_words_are_zeros — Leaves the rows of unknown words empty
# fails: what_is_unknown_gets_the_mean_of_the_table
import torch


def embedding_matrix(words, table):
    some = next(iter(table.values()))
    matrix = torch.zeros(len(words), len(some), dtype=some.dtype)
    for place, word in enumerate(words):
        if place and (word in table or word.lower() in table):
            matrix[place] = table.get(word, table.get(word.lower()))
    return matrix


# %% wrong: the_mean_of_what_was_found — The mean of the rows of the matrix instead of the table's
# fails: what_is_unknown_gets_the_mean_of_the_table
import torch


def embedding_matrix(words, table):
    found = [table.get(word, table.get(word.lower())) for word in words[1:]]
    some = next(iter(table.values()))
    known = [vector for vector in found if vector is not None] or [0 * some]
    mean = torch.stack(known).mean(0)
    return torch.stack([torch.zeros_like(mean)] + [mean if vector is None else vector for vector in found])


# %% wrong: random_rows_for_unknown_words — What is unknown is drawn
# fails: what_is_unknown_gets_the_mean_of_the_table
import torch


def embedding_matrix(words, table):
    some = next(iter(table.values()))
    g = torch.Generator().manual_seed(0)
    rows = [torch.zeros_like(some)]
    for word in words[1:]:
        row = table.get(word, table.get(word.lower()))
        rows.append(torch.randn(len(some), generator=g).to(some.dtype) if row is None else row)
    return torch.stack(rows)


# %% wrong: the_pad_is_a_word — Looks up the first word as all others
# fails: the_first_row_is_zeros_whatever_its_name
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    return torch.stack([table.get(word, table.get(word.lower(), mean)) for word in words])


# %% wrong: the_pad_by_its_name — Zeros for "<pad>" wherever it stands
# fails: the_first_row_is_zeros_whatever_its_name
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    rows = []
    for word in words:
        known = table.get(word, table.get(word.lower(), mean))
        rows.append(torch.zeros_like(mean) if word == "<pad>" else known)
    return torch.stack(rows)


# %% wrong: always_float32 — A new tensor without a dtype
# fails: the_matrix_has_the_type_of_the_vectors
import torch


def embedding_matrix(words, table):
    known = torch.stack(list(table.values()))
    matrix = torch.zeros(len(words), known.shape[1])
    for place, word in enumerate(words[1:], start=1):
        row = table.get(word, table.get(word.lower()))
        matrix[place] = known.mean(0) if row is None else row
    return matrix


# %% wrong: a_vector_as_a_truth_value — Takes a vector of zeros for none
# fails: a_word_whose_vector_is_zero_is_known
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    rows = [torch.zeros_like(mean)]
    for word in words[1:]:
        row = table.get(word, 0 * mean)
        row = row if row.any() else table.get(word.lower(), 0 * mean)
        rows.append(row if row.any() else mean)
    return torch.stack(rows)


# %% wrong: small_letters_first — The lower case wins where both are there
# fails: the_exact_spelling_comes_first
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    rows = [table.get(word.lower(), table.get(word, mean)) for word in words]
    rows[0] = torch.zeros_like(mean)
    return torch.stack(rows)


# %% wrong: a_mean_for_all_tables — Finds the mean once, for the first table of each width
# fails: the_first_row_is_zeros_whatever_its_name
import torch

MEANS = {}


def embedding_matrix(words, table):
    vectors = list(table.values())
    mean = MEANS.setdefault(vectors[0].shape, sum(vectors) / len(vectors))
    found = [table.get(word, table.get(word.lower(), mean)) for word in words]
    return torch.stack([torch.zeros_like(mean), *found[1:]])


# %% wrong: the_pad_has_no_part_in_the_mean — Leaves the vector of words[0] out of the mean
# fails: the_first_row_is_zeros_whatever_its_name
import torch


def embedding_matrix(words, table):
    rest = {word: vector for word, vector in table.items() if word != words[0]} or table
    mean = torch.stack(list(rest.values())).mean(0)
    found = [table.get(word, table.get(word.lower(), mean)) for word in words]
    return torch.stack([torch.zeros_like(mean), *found[1:]])


# %% wrong: folded_for_comparison — casefold, which makes more equal than the lower case does
# fails: other_words_and_tables
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    found = [table.get(word, table.get(word.casefold(), mean)) for word in words]
    return torch.stack([torch.zeros_like(mean), *found[1:]])


# %% wrong: a_row_for_each_name — A word that stands twice has the row of its first place alone
# fails: what_is_unknown_gets_the_mean_of_the_table
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    matrix = torch.zeros(len(words), len(mean), dtype=mean.dtype)
    for word in words[1:]:
        matrix[words.index(word)] = table.get(word, table.get(word.lower(), mean))
    matrix[0] = 0
    return matrix


# %% wrong: the_first_word_is_never_one — Zeros wherever a word is called as words[0] is
# fails: the_first_row_is_zeros_whatever_its_name
import torch


def embedding_matrix(words, table):
    mean = torch.stack(list(table.values())).mean(0)
    matrix = torch.zeros(len(words), len(mean), dtype=mean.dtype)
    for place, word in enumerate(words):
        if word == words[0]:
            continue
        matrix[place] = table.get(word, table.get(word.lower(), mean))
    return matrix
