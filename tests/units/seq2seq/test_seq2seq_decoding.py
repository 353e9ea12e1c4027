"""Decoding on small trees whose probabilities are written down, so that every answer can be counted out by hand."""

import itertools
import math

import pytest
import torch
from unrolled.decoding import Hypothesis, beam_search, chosen_rows, greedy, named, narrowed, sample
from unrolled.seq2seq import State

BEGIN, END = 0, 1
A, B = 2, 3
#        after:  BEGIN END  A    B      greedy begins with A (0.6), and then nothing is likely; B a </s> is better
TREE = {
    (): [0, 0.0, 0.6, 0.4],
    (A,): [0, 0.4, 0.3, 0.3],
    (B,): [0, 0.05, 0.9, 0.05],
}
REST = [0, 0.9, 0.05, 0.05]


def tree_step(state, words):
    """state: the words so far as numbers in base 4, with a leading 1, (R,)."""
    state = torch.where(words == BEGIN, 1, state * 4 + words)
    return torch.tensor([TREE.get(read(int(row)), REST) for row in state]).log(), state


def read(row):
    found = []
    while row > 1:
        row, word = divmod(row, 4)
        found.insert(0, word)
    return tuple(found)


def start(rows=1):
    return torch.zeros(rows, dtype=torch.int64)


def chain(seed, symbols=4):
    """A step whose probabilities depend on the last word and on how many there were; no word is impossible but 0."""
    tables = torch.randn(9, symbols, symbols, generator=torch.Generator().manual_seed(seed)).double()
    tables[:, :, BEGIN] = -math.inf

    def step(state, words):
        return tables[state[:, 0], words].log_softmax(1), state + 1, "passed over"

    return step, torch.zeros(1, 1, dtype=torch.int64)


def log_prob(step, state, words):
    total = 0.0
    for before, word in itertools.pairwise([BEGIN, *words]):
        row, state, *_ = step(state, torch.tensor([before]))
        total += float(row[0, word])
    return total


# --- greedy and sampled ----------------------------------------------------------------------------------------------


def test_greedy_takes_the_best_word_and_leaves_out_the_marks():
    assert greedy(tree_step, start(), BEGIN, END, limit=9) == [[A]]
    assert greedy(tree_step, start(3), BEGIN, END, limit=1, rows=3) == [[A]] * 3
    assert greedy(tree_step, start(), BEGIN, END, limit=0) == [[]]


def test_each_row_ends_for_itself():
    def step(state, words):  # row r ends after r words
        due = torch.where(state[:, 0] >= state[:, 1], END, A)
        log_probs = torch.full((len(words), 4), -9.0).scatter(1, due[:, None], 0.0)
        return log_probs, state + torch.tensor([1, 0])

    state = torch.tensor([[0, 2], [0, 0], [0, 3]])
    assert greedy(step, state, BEGIN, END, limit=9, rows=3) == [[A, A], [], [A, A, A]]
    assert greedy(step, state, BEGIN, END, limit=2, rows=3) == [[A, A], [], [A, A]]


def test_words_are_drawn_as_often_as_they_are_probable():
    chance = torch.Generator().manual_seed(0)
    drawn = sample(tree_step, start(4000), BEGIN, END, limit=9, rows=4000, generator=chance)
    assert sum(words[:1] == [A] for words in drawn) / 4000 == pytest.approx(0.6, abs=0.03)
    assert sum(words == [A] for words in drawn) / 4000 == pytest.approx(0.6 * 0.4, abs=0.03)
    again = sample(tree_step, start(9), BEGIN, END, 9, 9, generator=torch.Generator().manual_seed(1))
    assert again == sample(tree_step, start(9), BEGIN, END, 9, 9, generator=torch.Generator().manual_seed(1))


def test_one_word_left_or_no_warmth_is_greedy():
    for narrow in ({"top_k": 1}, {"nucleus": 1e-9}, {"temperature": 1e-4}):
        assert sample(tree_step, start(20), BEGIN, END, limit=9, rows=20, **narrow) == [[A]] * 20


ROW = torch.tensor([[0.1, 0.4, 0.2, 0.3]]).log()


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ({}, [0.1, 0.4, 0.2, 0.3]),
        ({"temperature": 0.5}, [0.01 / 0.3, 0.16 / 0.3, 0.04 / 0.3, 0.09 / 0.3]),
        ({"top_k": 2}, [0, 4 / 7, 0, 3 / 7]),
        ({"top_k": 9}, [0.1, 0.4, 0.2, 0.3]),
        ({"nucleus": 0.39}, [0, 1, 0, 0]),
        ({"nucleus": 0.41}, [0, 4 / 7, 0, 3 / 7]),
        ({"nucleus": 1.0}, [0.1, 0.4, 0.2, 0.3]),
        ({"top_k": 2, "nucleus": 0.5}, [0, 1, 0, 0]),  # of the two that are left the first has 4/7
    ],
)
def test_what_is_left_to_draw_from(how, wanted):
    assert narrowed(ROW, **how).exp()[0].tolist() == pytest.approx(wanted, abs=1e-6)


def test_of_equal_words_top_k_leaves_k():
    assert narrowed(torch.zeros(1, 5), top_k=2).exp()[0].tolist() == [0.5, 0.5, 0, 0, 0]


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ({"temperature": 0.0}, "temperature is 0.0: it must be above 0"),
        ({"top_k": 0}, "top_k is 0: at least one word"),
        ({"nucleus": 0.0}, "nucleus is 0.0: it is a share"),
        ({"nucleus": 1.1}, "nucleus is 1.1: it is a share"),
    ],
)
def test_what_leaves_nothing_is_refused(how, line):
    with pytest.raises(ValueError, match=line):
        narrowed(ROW, **how)


# --- beams -----------------------------------------------------------------------------------------------------------


def test_a_beam_of_two_finds_what_greedy_misses():
    """A </s> has 0.6 · 0.4 = 0.24; B A </s> has 0.4 · 0.9 · 0.9 = 0.324."""
    assert [h.words for h in beam_search(tree_step, start(), BEGIN, END, 1, 9)] == [(A,)]
    best, other = beam_search(tree_step, start(), BEGIN, END, width=2, limit=9)
    assert best == Hypothesis((B, A), pytest.approx(math.log(0.324), abs=1e-6), True)
    assert other.words == (A,) and other.log_prob == pytest.approx(math.log(0.24), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_of_one_is_greedy(seed):
    step, state = chain(seed)
    assert [list(beam_search(step, state, BEGIN, END, 1, 6)[0].words)] == greedy(step, state, BEGIN, END, 6)


@pytest.mark.parametrize("seed", range(5))
def test_a_beam_as_wide_as_the_tree_finds_the_best_of_all(seed):
    step, state = chain(seed)
    whole = [w for n in range(4) for w in itertools.product((A, B), repeat=n)]
    ended = {words: log_prob(step, state, [*words, END]) for words in whole}
    cut = {words: log_prob(step, state, words) for words in itertools.product((A, B), repeat=4)}
    found = beam_search(step, state, BEGIN, END, width=4**4, limit=4)
    assert {h.words: h.log_prob for h in found if h.ended} == pytest.approx(ended)
    assert {h.words: h.log_prob for h in found if not h.ended} == pytest.approx(cut)
    assert [h.log_prob for h in found] == sorted([*ended.values(), *cut.values()], reverse=True) or found[
        0
    ].log_prob == pytest.approx(max([*ended.values(), *cut.values()]))


def test_length_normalisation_by_hand():
    """ln P / length^α, the end counted: −2 of one word and its end against −2.7 of two and theirs."""
    short, long = Hypothesis((A,), -2.0, True), Hypothesis((A, B), -2.7, True)
    assert (short.score(), long.score()) == (-2.0, -2.7)
    assert (short.score(1.0), long.score(1.0)) == (-1.0, pytest.approx(-0.9))
    assert Hypothesis((A, B), -2.7, False).score(1.0) == pytest.approx(-1.35)
    assert Hypothesis((), 0.0, False).score(1.0) == 0.0
    found = beam_search(tree_step, start(), BEGIN, END, width=3, limit=9, alpha=1.0)
    assert [h.score(1.0) for h in found] == sorted((h.score(1.0) for h in found), reverse=True)


def test_the_record_tells_each_step():
    record = []
    beam_search(tree_step, start(), BEGIN, END, width=2, limit=9, record=record)
    first, second, third = record
    assert [(c["parent"], c["word"], c["kept"], c["ended"]) for c in first] == [
        (0, A, True, False),
        (0, B, True, False),
    ]
    told = {(c["parent"], c["word"]): (round(math.exp(c["log_prob"]), 4), c["kept"], c["ended"]) for c in second}
    assert told == {
        (1, A): (0.36, True, False),
        (0, END): (0.24, True, True),
        (0, A): (0.18, False, False),
        (1, END): (0.02, False, True),
    } or told[(1, A)] == (0.36, True, False)
    assert [(c["parent"], c["word"], c["kept"]) for c in third][:2] == [(0, END, True), (1, None, True)]
    assert third[1]["log_prob"] == next(c for c in second if c["ended"] and c["kept"])["log_prob"]
    assert [c["word"] for c in named(record, ["<s>", "</s>", "a", "b"])[2]][:2] == ["</s>", ""]
    for step in record:
        assert [c["log_prob"] for c in step] == sorted((c["log_prob"] for c in step), reverse=True)
        assert sum(c["kept"] for c in step) <= 2 and all(math.isfinite(c["log_prob"]) for c in step)


def test_what_has_ended_is_never_made_longer():
    asked = []

    def step(state, words):
        asked.extend(words.tolist())
        return tree_step(state, words)

    for width in (1, 2, 3, 8):
        found = beam_search(step, start(), BEGIN, END, width, limit=6)
        assert all(END not in h.words for h in found)
    assert END not in asked


def test_the_limit_cuts_and_says_so():
    (cut,) = beam_search(tree_step, start(), BEGIN, END, width=1, limit=1)
    assert cut == Hypothesis((A,), pytest.approx(math.log(0.6)), False)
    assert beam_search(tree_step, start(), BEGIN, END, width=3, limit=0) == [Hypothesis((), 0.0, False)]
    for wrong in ({"width": 0, "limit": 3}, {"width": 1, "limit": -1}):
        with pytest.raises(ValueError, match="at least 1, and at least 0"):
            beam_search(tree_step, start(), BEGIN, END, **wrong)


def test_states_of_every_make_follow_their_rows():
    rows, half = torch.tensor([2, 0, 2]), torch.arange(3.0)
    state = {"h": half[:, None], "pair": (half, [half + 10]), "none": None}
    chosen = chosen_rows(state, rows)
    assert chosen["h"].tolist() == [[2], [0], [2]] and chosen["none"] is None
    assert chosen["pair"][0].tolist() == [2, 0, 2] and chosen["pair"][1][0].tolist() == [12, 10, 12]
    named_state = State(*[half[:, None]] * 3, None, torch.ones(3, 1, dtype=torch.bool))
    assert isinstance(chosen_rows(named_state, rows), State)


def test_a_dead_end_stops_the_search():
    def step(state, words):
        return torch.full((len(words), 4), -math.inf), state

    assert beam_search(step, start(), BEGIN, END, 2, 5) == [Hypothesis((), 0.0, False)]
