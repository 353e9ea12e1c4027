# Answers to 5.10, which part is broken. The format is described in autograder/specimens/__init__.py.
# ruff: noqa


# %% right: many_pairs — Random sources and references of all lengths, with Python's generator
import random

import torch


def broken_parts(write, step, sizes):
    rng = random.Random(3)

    def ids(top, length):
        return [rng.randrange(4, top) for _ in range(length)]

    found = []
    for _ in range(60):
        source = ids(sizes["V"], rng.randint(1, 10))
        if len({tuple(write(source, ids(sizes["U"], n))) for n in (1, 2, 5, 10, 10)}) > 1:
            found = ["write"]
            break
    for _ in range(10):
        words = torch.tensor(list(range(sizes["U"])) * 2)
        c = torch.randn(len(words), sizes["K"])
        if not bool((step(torch.randn(len(words), sizes["S"]), words, c)[2] == c).all()):
            found.append("step")
            break
    return found


# %% right: several_steps — Steps one after another; the context that arrives is compared with the first
import torch


def broken_parts(write, step, sizes):
    torch.manual_seed(71)
    names = []
    V, U, S, K = sizes["V"], sizes["U"], sizes["S"], sizes["K"]
    for n in range(1, 11):
        for _ in range(6):
            source = torch.randint(4, V, (n,)).tolist()
            base = write(source, torch.randint(4, U, (10,)).tolist())
            for m in (1, 3, 7, 10):
                if write(source, torch.randint(4, U, (m,)).tolist()) != base and "write" not in names:
                    names.append("write")
    state, c = torch.randn(U, S), torch.randn(U, K) * 2
    first = c.clone()
    for round in range(3):
        log_probs, state, c = step(state, torch.arange(U).roll(round), c)
    if (c - first).abs().max() > 0:
        names.append("step")
    return names


# %% right: ordered_questions — Each reference is one word many times, each row tells itself from all others
import torch


def broken_parts(write, step, sizes):
    def reads_the_answer():
        for first in range(4, sizes["V"]):
            for length in (1, 2, 4, 9):
                source = [4 + (first + 3 * i) % (sizes["V"] - 4) for i in range(length)]
                said = [
                    write(source, [word] * n + [other] * (10 - n))
                    for word in range(4, sizes["U"])
                    for other in (4, sizes["U"] - 1)
                    for n in (0, 1, 10)
                ]
                said += [write(source, [4] * n) for n in range(1, 10)]
                if any(one != said[0] for one in said):
                    return True
        return False

    def loses_the_context():
        B = 3 * sizes["U"]
        c = torch.linspace(-5, 5, B * sizes["K"]).reshape(B, sizes["K"])
        state = torch.linspace(-1, 1, B * sizes["S"]).reshape(B, sizes["S"])
        _, _, after = step(state, torch.arange(B) % sizes["U"], c)
        return not torch.allclose(after, c, rtol=0, atol=1e-6)

    return [name for name, bad in (("write", reads_the_answer()), ("step", loses_the_context())) if bad]


# %% wrong: one_reference — Compares an evaluation with itself
# fails: an_evaluation_that_reads_the_answer_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)
    found = []
    source, reference = (torch.randint(4, sizes[k], (6,), generator=g).tolist() for k in "VU")
    if write(source, reference) != write(source, reference):
        found.append("write")
    c = torch.randn(20, sizes["K"], generator=g)
    words = torch.arange(20) % sizes["U"]
    if not torch.equal(step(torch.randn(20, sizes["S"], generator=g), words, c)[2], c):
        found.append("step")
    return found


# %% wrong: one_length — All references have six words
# fails: an_evaluation_that_reads_the_answer_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n=6):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V"), ids("U"), ids("U")) for _ in range(60)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    c = torch.randn(3 * sizes["U"], sizes["K"], generator=g)
    state = torch.randn(3 * sizes["U"], sizes["S"], generator=g)
    words = torch.arange(3 * sizes["U"]) % sizes["U"]
    if not torch.equal(step(state, words, c)[2], c):
        found.append("step")
    return found


# %% wrong: only_the_lengths_differ — References of one word, repeated
# fails: an_evaluation_that_reads_the_answer_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)
    sources = [torch.randint(4, sizes["V"], (n,), generator=g).tolist() for n in range(1, 11)]
    found = ["write"] if any(write(s, [4] * 9) != write(s, [4] * 10) for s in sources) else []
    c = torch.randn(3 * sizes["U"], sizes["K"], generator=g)
    state = torch.randn(3 * sizes["U"], sizes["S"], generator=g)
    words = torch.arange(3 * sizes["U"]) % sizes["U"]
    if not torch.equal(step(state, words, c)[2], c):
        found.append("step")
    return found


# %% wrong: one_row — A batch of one, in which rows cannot be mixed
# fails: a_context_that_is_overwritten_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    for word in range(sizes["U"]):
        c = torch.randn(1, sizes["K"], generator=g)
        if not torch.equal(step(torch.randn(1, sizes["S"], generator=g), torch.tensor([word]), c)[2], c):
            return found + ["step"]
    return found


# %% wrong: one_context_for_all_rows — Rows that hold the same context cannot show that it comes from another row
# fails: a_context_that_is_overwritten_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    B = sizes["U"]
    c = torch.randn(1, sizes["K"], generator=g).expand(B, -1).clone()
    if not torch.equal(step(torch.randn(B, sizes["S"], generator=g), torch.arange(B), c)[2], c):
        found.append("step")
    return found


# %% wrong: marks_never_read — Words from 4 on alone
# fails: a_context_that_is_overwritten_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    c, state = torch.randn(40, sizes["K"], generator=g), torch.randn(40, sizes["S"], generator=g)
    if not torch.equal(step(state, torch.tensor(ids("U", 40)), c)[2], c):
        found.append("step")
    return found


# %% wrong: contexts_of_one_sign — Positive contexts alone
# fails: a_context_that_is_overwritten_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    B = sizes["U"]
    c, state = torch.rand(B, sizes["K"], generator=g), torch.randn(B, sizes["S"], generator=g)
    if not torch.equal(step(state, torch.arange(B), c)[2], c):
        found.append("step")
    return found


# %% wrong: zeros_in — A context of zeros fades to itself
# fails: a_context_that_is_overwritten_is_found
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    B = sizes["U"]
    c, state = torch.zeros(B, sizes["K"]), torch.randn(B, sizes["S"], generator=g)
    if not torch.equal(step(state, torch.arange(B), c)[2], c):
        found.append("step")
    return found


# %% wrong: state_taken_for_the_context — Accuses a step of moving its state on
# fails: sound_evaluations_are_not_accused
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", n), ids("U", 10), ids("U", n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    B = sizes["U"]
    c, state = torch.randn(B, sizes["K"], generator=g), torch.randn(B, sizes["S"], generator=g)
    _, new, after = step(state, torch.arange(B), c)
    if not (torch.equal(new, state) and torch.equal(after, c)):
        found.append("step")
    return found


# %% wrong: must_equal_the_reference — Accuses a net of not being right
# fails: sound_evaluations_are_not_accused
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    found = [] if all(write(ids("V", 5), one) == one for one in [ids("U", 5) for _ in range(5)]) else ["write"]
    B = sizes["U"]
    c, state = torch.randn(B, sizes["K"], generator=g), torch.randn(B, sizes["S"], generator=g)
    if not torch.equal(step(state, torch.arange(B), c)[2], c):
        found.append("step")
    return found


# %% wrong: other_sources_compared — Two sources with two references: no wonder that two texts come
# fails: sound_evaluations_are_not_accused
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    cases = [(ids("V", 6), ids("V", 6), ids("U", 10), ids("U", 3)) for _ in range(40)]
    found = ["write"] if any(write(s, a) != write(t, b) for s, t, a, b in cases) else []
    B = sizes["U"]
    c, state = torch.randn(B, sizes["K"], generator=g), torch.randn(B, sizes["S"], generator=g)
    if not torch.equal(step(state, torch.arange(B), c)[2], c):
        found.append("step")
    return found


# %% wrong: stops_at_the_first — Where both are broken only one is named
# fails: both_may_be_broken
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(name, n):
        return torch.randint(4, sizes[name], (n,), generator=g).tolist()

    for n in range(1, 11):
        for _ in range(8):
            source = ids("V", n)
            if write(source, ids("U", 10)) != write(source, ids("U", n)):
                return ["write"]
    B = sizes["U"]
    c, state = torch.randn(B, sizes["K"], generator=g), torch.randn(B, sizes["S"], generator=g)
    return [] if torch.equal(step(state, torch.arange(B), c)[2], c) else ["step"]


# %% wrong: sizes_of_the_example — Ids and widths written into the answer
# fails: parts_of_other_sizes
import torch


def broken_parts(write, step, sizes):
    g = torch.Generator().manual_seed(0)

    def ids(top, n):
        return torch.randint(4, top, (n,), generator=g).tolist()

    cases = [(ids(12, n), ids(10, 10), ids(10, n)) for n in range(1, 11) for _ in range(8)]
    found = ["write"] if any(write(s, a) != write(s, b) for s, a, b in cases) else []
    c, state = torch.randn(10, 3, generator=g), torch.randn(10, 5, generator=g)
    if not torch.equal(step(state, torch.arange(10), c)[2], c):
        found.append("step")
    return found


# %% wrong: about_the_same — A context that moves a little counts as the one that was given
# fails: a_context_that_is_overwritten_is_found
import random

import torch


def broken_parts(write, step, sizes):
    rng, found = random.Random(1), []
    for _ in range(150):
        source = [rng.randrange(4, sizes["V"]) for _ in range(rng.randint(1, 10))]
        one, other = ([rng.randrange(4, sizes["U"]) for _ in range(rng.randint(1, 10))] for _ in range(2))
        if write(source, one) != write(source, other):
            found = ["write"]
    words = torch.arange(sizes["U"]).repeat(4)
    c = torch.randn(len(words), sizes["K"])
    after = step(torch.randn(len(words), sizes["S"]), words, c)[2]
    return found + ([] if torch.allclose(after, c, rtol=0.01, atol=0.01) else ["step"])


# %% wrong: sums_of_rows — Two contexts with the same sum are taken for one
# fails: a_context_that_is_overwritten_is_found
import random

import torch


def broken_parts(write, step, sizes):
    rng, found = random.Random(1), []
    for _ in range(150):
        source = [rng.randrange(4, sizes["V"]) for _ in range(rng.randint(1, 10))]
        one, other = ([rng.randrange(4, sizes["U"]) for _ in range(rng.randint(1, 10))] for _ in range(2))
        if write(source, one) != write(source, other):
            found = ["write"]
    words = torch.arange(sizes["U"]).repeat(4)
    c = torch.randn(len(words), sizes["K"])
    after = step(torch.randn(len(words), sizes["S"]), words, c)[2]
    return found + ([] if torch.allclose(after.sum(1), c.sum(1)) else ["step"])


# %% wrong: states_of_zeros — A state that is added to the context is not seen where it is zero
# fails: a_context_that_is_overwritten_is_found
import random

import torch


def broken_parts(write, step, sizes):
    rng, found = random.Random(1), []
    for _ in range(150):
        source = [rng.randrange(4, sizes["V"]) for _ in range(rng.randint(1, 10))]
        one, other = ([rng.randrange(4, sizes["U"]) for _ in range(rng.randint(1, 10))] for _ in range(2))
        if write(source, one) != write(source, other):
            found = ["write"]
    words = torch.arange(sizes["U"]).repeat(4)
    c = torch.randn(len(words), sizes["K"])
    after = step(torch.zeros(len(words), sizes["S"]), words, c)[2]
    return found + ([] if torch.equal(after, c) else ["step"])


# %% wrong: two_lengths_of_source — Sources of one and of ten words, and references of one word again and again
# fails: an_evaluation_that_reads_the_answer_is_found
import torch


def broken_parts(write, step, sizes):
    references = [[word] * n for word in range(4, sizes["U"]) for n in (1, 10)]
    found = []
    for source in ([4], [4] * 10):
        if any(write(source, one) != write(source, references[0]) for one in references):
            found = ["write"]
    words = torch.arange(sizes["U"])
    c = torch.randn(len(words), sizes["K"])
    after = step(torch.randn(len(words), sizes["S"]), words, c)[2]
    return found + ([] if torch.equal(after, c) else ["step"])


# %% wrong: twenty_sources — Too few for what shows in one case of twenty
# fails: an_evaluation_that_reads_the_answer_is_found
import random

import torch


def broken_parts(write, step, sizes):
    def some(top):
        return [random.randrange(4, top) for _ in range(random.randint(1, 10))]

    sources = [some(sizes["V"]) for _ in range(20)]
    first = [write(source, some(sizes["U"])) for source in sources]
    second = [write(source, some(sizes["U"])) for source in sources]
    words = torch.arange(sizes["U"])
    c = torch.randn(len(words), sizes["K"])
    after = step(torch.randn(len(words), sizes["S"]), words, c)[2]
    return ["write"] * (first != second) + ["step"] * (not torch.equal(after, c))
