"""The count models against arithmetic on paper, a slow dictionary twin, KenLM's own output, and their properties."""

import importlib.util
import math
from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_ngrams import Slow
from unrolled import ngrams
from unrolled.ngrams import AddK, JelinekMercer, KneserNey, MaximumLikelihood
from unrolled.vocabulary import Vocabulary

MODELS = {
    "maximum likelihood": MaximumLikelihood,
    "add-k": lambda *given: AddK(*given, added=0.3),
    "Jelinek–Mercer": lambda *given: JelinekMercer(*given, weight=0.6),
    "Kneser–Ney": KneserNey,
    "Kneser–Ney with strength": lambda *given: KneserNey(*given, strength=0.5),
}
SMOOTH = [name for name in MODELS if name != "maximum likelihood"]


def tensor(ids):
    return torch.tensor(ids, dtype=torch.int64)


@st.composite
def cases(draw):
    """An order, a vocabulary, with or without boundary; sequences to count and sequences to score."""
    vocab_size = draw(st.integers(2, 5))
    boundary = draw(st.sampled_from([None, 0, vocab_size - 1]))
    ids = st.sampled_from([i for i in range(vocab_size) if i != boundary])
    train = draw(st.lists(st.lists(ids, max_size=12), min_size=1, max_size=6).filter(any))
    new = draw(st.lists(st.lists(ids, max_size=9), min_size=1, max_size=3))
    return draw(st.integers(1, 8)), vocab_size, boundary, train, new


@pytest.mark.parametrize("name", MODELS)
@given(case=cases())
@settings(max_examples=60, deadline=None)
def test_equals_the_slow_twin(name, case):
    order, vocab_size, boundary, train, new = case
    fast = MODELS[name](order, vocab_size, boundary).fit([tensor(s) for s in train])
    slow = Slow(name, order, vocab_size, boundary, train)
    wanted = torch.tensor([p for s in new for p in slow.probs(s)], dtype=torch.float64)
    torch.testing.assert_close(fast.log_probs([tensor(s) for s in new]).exp(), wanted)
    for context in new:
        wanted = torch.tensor(slow.next_probs(context), dtype=torch.float64)
        torch.testing.assert_close(fast.next_probs(tensor(context)), wanted)


@pytest.mark.parametrize("name", MODELS)
@given(case=cases())
@settings(max_examples=40, deadline=None)
def test_sums_to_one_after_every_context_seen_or_not(name, case):
    order, vocab_size, boundary, train, _ = case
    model = MODELS[name](order, vocab_size, boundary).fit([tensor(s) for s in train])
    for context in product(range(vocab_size), repeat=min(order - 1, 3)):
        probs = model.next_probs(context)
        assert probs.min() >= 0
        assert probs.sum().item() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("boundary", [None, 0])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("order", range(1, 9))
def test_scoring_a_text_and_asking_symbol_by_symbol_agree(name, order, boundary):
    torch.manual_seed(order)
    train, new = torch.randint(1, 4, (200,)), torch.randint(1, 5, (12,))
    model = MODELS[name](order, 5, boundary).fit(train)
    outcomes = new.tolist() + ([] if boundary is None else [boundary])
    one_by_one = torch.stack([model.next_probs(new[:t])[w] for t, w in enumerate(outcomes)])
    torch.testing.assert_close(model.log_probs(new).exp(), one_by_one)


# --- on paper --------------------------------------------------------------------------------------------------------


def test_maximum_likelihood_by_hand():
    """a b a c: a is followed by b once and by c once, so 1/2 each; b by a alone; the first symbol is half a's.

    After c nothing was ever seen: 1/3 each.
    """
    model = MaximumLikelihood(order=2, vocab_size=3).fit(tensor([0, 1, 0, 2]))
    assert model.next_probs([0]).tolist() == [0, 0.5, 0.5]
    assert model.next_probs([1]).tolist() == [1, 0, 0]
    assert model.next_probs([]).tolist() == [0.5, 0.25, 0.25]
    assert model.next_probs([2]).tolist() == pytest.approx([1 / 3] * 3)
    assert model.nats(tensor([0, 1, 0, 2])) == pytest.approx(-math.log(0.5 * 0.5 * 1 * 0.5) / 4)
    assert model.nats(tensor([0, 0])) == math.inf


def test_add_k_by_hand():
    """a b a c with κ = 1/2: after a, b has (1 + 1/2) / (2 + 3/2) = 3/7, a has 1/7; after c, 1/3 each."""
    model = AddK(order=2, vocab_size=3, added=0.5).fit(tensor([0, 1, 0, 2]))
    assert model.next_probs([0]).tolist() == pytest.approx([1 / 7, 3 / 7, 3 / 7])
    assert model.next_probs([2]).tolist() == pytest.approx([1 / 3] * 3)


def test_jelinek_mercer_by_hand():
    """a b a c with λ = 1/2: P_1(b) = 1/2 · 1/4 + 1/2 · 1/3 = 7/24, P_2(b | a) = 1/2 · 1/2 + 1/2 · 7/24 = 19/48."""
    model = JelinekMercer(order=2, vocab_size=3, weight=0.5).fit(tensor([0, 1, 0, 2]))
    assert model.next_probs([])[1].item() == pytest.approx(7 / 24)
    assert model.next_probs([0])[1].item() == pytest.approx(19 / 48)
    assert model.next_probs([2])[1].item() == pytest.approx(7 / 24)


def test_kneser_ney_by_hand_in_one_stream():
    """a b a c, order 2. Bigrams ab, ba, ac, once each, so D1 falls back to 1/2.

    Left of a stands b, left of b stands a, left of c stands a: every continuation count is 1 and P_1 is 1/3.
    P(b | a) = (1 − 1/2) / 2 + (1/2 + 1/2) / 2 · 1/3 = 5/12;  P(a | a) = 1/2 · 1/3 = 1/6.
    """
    model = KneserNey(order=2, vocab_size=3).fit(tensor([0, 1, 0, 2]))
    assert model.discounts(2).tolist() == [0.5, 1.0, 1.5]
    assert model.next_probs([]).tolist() == pytest.approx([1 / 3] * 3)
    assert model.next_probs([0]).tolist() == pytest.approx([1 / 6, 5 / 12, 5 / 12])
    assert model.log_probs(tensor([0, 1])).exp().tolist() == pytest.approx([1 / 3, 5 / 12])


def test_kneser_ney_by_hand_with_boundaries():
    """The names "ab" and "b" with boundary ".", order 2; all discounts fall back to 1/2 for 1 and 1 for 2.

    Bigrams: .a 1, ab 1, b. 2, .b 1. Left of a: {.}, of b: {a, .}, of ".": {b}; together 4.
    P_1(a) = (1 − 1/2) / 4 + (1/2 + 1 + 1/2) / 4 · 1/3 = 7/24, P_1(b) = (2 − 1) / 4 + 1/6 = 10/24, P_1(.) = 7/24.
    P(a | .) = (1/2) / 2 + 1/2 · 7/24 = 19/48;  P(b | a) = 1/2 + 1/2 · 10/24 = 17/24;
    P(. | b) = (2 − 1) / 2 + 1/2 · 7/24 = 31/48.
    """
    names = Vocabulary("ab", boundary=".")
    model = KneserNey(order=2, vocab_size=3, boundary=names.boundary).fit([names.encode("ab"), names.encode("b")])
    assert model.log_probs(names.encode("ab")).exp().tolist() == pytest.approx([19 / 48, 17 / 24, 31 / 48])
    assert model.next_probs([names.boundary]).tolist() == model.next_probs([]).tolist()


def test_strength_by_hand():
    """a b a c, order 2, θ = 1. P_1(b) = (1/2) / (3 + 1) + (1 + 3/2) / 4 · 1/3 = 1/3.

    P(b | a) = (1/2) / (2 + 1) + (1 + 1) / 3 · 1/3 = 7/18.
    """
    model = KneserNey(order=2, vocab_size=3, strength=1.0).fit(tensor([0, 1, 0, 2]))
    assert model.next_probs([0])[1].item() == pytest.approx(7 / 18)


def test_discounts_by_hand():
    """Counts 1 1 1 1 2 2 3 4: n1 = 4, n2 = 2, n3 = n4 = 1, Y = 4 / (4 + 2 · 2) = 1/2.

    D1 = 1 − 2 · 1/2 · 2/4 = 1/2;  D2 = 2 − 3 · 1/2 · 1/2 = 5/4;  D3+ = 3 − 4 · 1/2 · 1/1 = 1. N = 15, V = 9.
    Taken away: 4 · 1/2 + 2 · 5/4 + 1 + 1 = 13/2. P(7) = (4 − 1) / 15 + 13/30 · 1/9; P(8) = 13/30 · 1/9.
    """
    model = KneserNey(order=1, vocab_size=9).fit(tensor([0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7]))
    assert model.discounts(1).tolist() == pytest.approx([0.5, 1.25, 1.0])
    assert model.next_probs([])[[7, 8]].tolist() == pytest.approx([3 / 15 + 13 / 270, 13 / 270])


@pytest.mark.parametrize("counts", [[2, 2, 3, 3], [1, 1, 3, 3], [1, 1, 2, 2], [1, 1, 1, 1, 2, 3, 3]])
def test_discounts_fall_back_where_they_are_undefined_or_out_of_range(counts):
    """No 1, no 2, no 3; or n1 = 4, n2 = 1, n3 = 2: Y = 4/6 and D2 = 2 − 3 · 2/3 · 2 = −2, which would add to counts."""
    ids = [symbol for symbol, count in enumerate(counts) for _ in range(count)]
    model = KneserNey(order=1, vocab_size=len(counts)).fit(tensor(ids))
    assert model.discounts(1).tolist() == [0.5, 1.0, 1.5]
    assert model.next_probs([]).sum().item() == pytest.approx(1)


# --- KenLM -----------------------------------------------------------------------------------------------------------

CLOCKS = """the old clock strikes nine
the old dog sleeps
the dog sleeps under the old clock
a cat sleeps
nine cats sleep under the stairs
the cat sleeps under the stairs
sleep
the clock strikes"""

# log10 P of every word and of the end, as printed by KenLM 0.3.0 (lmplz -o ORDER --discount_fallback) for this text
KENLM = {
    (2, "the dog sleeps under the stairs"): [
        -0.541362,
        -0.944845,
        -0.616783,
        -0.829983,
        -1.176091,
        -1.077075,
        -0.459682,
    ],
    (2, "sleep"): [-1.0, -0.458236],
    (2, "a clock strikes nine cats"): [-1.047773, -1.477121, -0.798316, -0.547702, -0.562132, -1.008118],
    (2, "the zebra sleeps"): [-0.541362, -1.644258, -1.176091, -0.596466],
    (3, "the dog sleeps under the stairs"): [
        -0.334888,
        -0.800428,
        -0.115393,
        -0.407083,
        -0.115393,
        -0.412247,
        -0.097413,
    ],
    (3, "sleep"): [-1.057992, -0.171292],
    (3, "a clock strikes nine cats"): [-1.093904, -1.778151, -0.446836, -0.407083, -0.863162, -1.309148],
    (3, "the zebra sleeps"): [-0.334888, -2.130334, -1.176091, -0.458236],
    (4, "the dog sleeps under the stairs"): [
        -0.334888,
        -0.800428,
        -0.053875,
        -0.157495,
        -0.053875,
        -0.353088,
        -0.045981,
    ],
    (4, "a clock strikes nine cats"): [-1.093904, -1.778151, -0.446836, -0.407083, -1.164192, -1.309148],
}


@pytest.mark.parametrize("order, sentence", KENLM)
def test_equals_kenlm_word_by_word(order, sentence):
    lines = [line.split() for line in CLOCKS.splitlines()]
    words = Vocabulary.of([w for line in lines for w in line], boundary="</s>", unknown="<unk>")
    model = KneserNey(order, len(words), words.boundary).fit([words.encode(line) for line in lines])
    got = model.log_probs(words.encode(sentence.split())) / math.log(10)
    assert got.tolist() == pytest.approx(KENLM[order, sentence], abs=2e-6)


# --- at the edges ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("order", range(1, 9))
def test_one_symbol_is_enough_to_count(name, order):
    model = MODELS[name](order, 4).fit(tensor([2]))
    assert model.next_probs([]).argmax() == 2
    assert model.next_probs([1, 1, 1]).sum().item() == pytest.approx(1)


@pytest.mark.parametrize("name", SMOOTH)
def test_nothing_is_impossible_to_a_smoothed_model(name):
    model = MODELS[name](3, 10).fit(tensor([0, 1, 2, 0, 1, 2]))
    assert model.log_probs(tensor([9, 8, 7, 0, 9])).isfinite().all()


def test_a_vocabulary_of_a_million_at_order_eight_overflows_nothing():
    """V^8 is 10^48; the numbers that are really kept stay below T · V."""
    a, b, c = 999_999, 500_000, 1
    text = [a, b, a, b, c, a, b, a, c, b, a, b, a, b, c, a]
    fast, slow = KneserNey(8, 1_000_000).fit(tensor(text)), Slow("Kneser–Ney", 8, 1_000_000, None, [text])
    assert fast.log_probs(tensor(text)).exp().tolist() == pytest.approx(slow.probs(text))


def test_no_gram_reaches_across_two_sequences():
    together = MaximumLikelihood(2, 2).fit(tensor([0, 0, 1, 1]))
    apart = MaximumLikelihood(2, 2).fit([tensor([0, 0]), tensor([1, 1])])
    assert together.next_probs([0]).tolist() == [0.5, 0.5]
    assert apart.next_probs([0]).tolist() == [1, 0]


def test_the_context_starts_anew_at_a_boundary():
    names = Vocabulary("abn", boundary=".")
    model = KneserNey(4, len(names), names.boundary).fit([names.encode(n) for n in ("anna", "bab", "ann")])
    assert model.next_probs(names.encode("b").tolist() + [names.boundary] + names.encode("an").tolist()).tolist() == (
        model.next_probs(names.encode("an")).tolist()
    )


def test_log_probs_come_sequence_by_sequence_each_with_its_end():
    model = KneserNey(3, 4, boundary=0).fit([tensor([1, 2, 3]), tensor([2, 2])])
    sequences = [tensor([2, 1]), tensor([]), tensor([3])]
    apart = torch.cat([model.log_probs(s) for s in sequences])
    assert len(apart) == 3 + 1 + 2
    assert model.log_probs(sequences).tolist() == apart.tolist()


@pytest.mark.parametrize("order", range(2, 9))
def test_a_longer_context_fits_the_training_text_better(order):
    torch.manual_seed(0)
    text = torch.randint(0, 3, (400,))
    shorter, longer = (MaximumLikelihood(n, 3).fit(text).nats(text) for n in (order - 1, order))
    assert longer < shorter


@pytest.mark.gpu
@pytest.mark.parametrize("boundary", [None, 0])
@pytest.mark.parametrize("name", MODELS)
def test_cuda_counts_and_scores_as_the_cpu_does(name, boundary):
    torch.manual_seed(0)
    sequences = [torch.randint(1, 9, (n,)) for n in (300, 1, 50, 700)]
    here = MODELS[name](6, 9, boundary).fit(sequences)
    there = MODELS[name](6, 9, boundary).fit([s.cuda() for s in sequences])
    new = torch.randint(1, 9, (500,))
    assert there.device.type == "cuda"
    torch.testing.assert_close(there.log_probs(new).cpu(), here.log_probs(new))
    torch.testing.assert_close(there.next_probs(new).cpu(), here.next_probs(new))


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: KneserNey(0, 5), "the order is 0"),
        (lambda: KneserNey(2, 0), "vocab_size is 0"),
        (lambda: KneserNey(2, 5, boundary=5), "the boundary is 5"),
        (lambda: AddK(2, 5, added=0.0), "added is 0.0"),
        (lambda: JelinekMercer(2, 5, weight=1.0), "the weight is 1.0"),
        (lambda: KneserNey(2, 5, strength=-1.0), "the strength is -1.0"),
        (lambda: KneserNey(2, 5, strength=math.nan), "the strength is nan"),
        (lambda: KneserNey(2, 5).fit(tensor([])), "the text is empty"),
        (lambda: KneserNey(2, 5, boundary=0).fit([tensor([]), tensor([])]), "the text is empty"),
        (lambda: KneserNey(2, 5).fit([]), "expected a tensor of ids"),
        (lambda: KneserNey(2, 5).fit(tensor([0, 5])), "id 5 is out of range: this model knows 0 to 4"),
        (lambda: KneserNey(2, 5).fit(tensor([0, -1])), "id -1 is out of range"),
        (lambda: KneserNey(2, 5, boundary=0).fit(tensor([1, 0, 2])), "the boundary, id 0, is inside"),
        (lambda: KneserNey(2, 5).log_probs(tensor([1])), "call fit first"),
        (lambda: KneserNey(2, 5).next_probs([1]), "call fit first"),
        (lambda: KneserNey(2, 5).fit(tensor([1])).log_probs(tensor([7])), "id 7 is out of range"),
        (lambda: KneserNey(2, 5).fit(tensor([1])).next_probs([7]), "id 7 is out of range"),
        (lambda: KneserNey(2, 5).fit(tensor([1])).nats(tensor([])), "nothing to score"),
    ],
)
def test_bad_input_gets_one_clear_line(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text, message",
    [
        ("a string", "encode the text first"),
        ([1, 2, 3], "encode the text first"),
        (torch.zeros(2, 2, dtype=torch.int64), "encode the text first"),
        (torch.tensor([0.5]), "expected ids of type int64, shape (N,); got torch.float32, shape (1,)"),
    ],
)
def test_what_is_no_tensor_of_ids_is_refused_without_the_checker_of_shapes(text, message):
    """Students run the module without beartype, so it is loaded here under a name that the import hook passes by."""
    spec = importlib.util.spec_from_file_location("ngrams_unchecked", ngrams.__file__)
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    with pytest.raises(ValueError) as caught:
        plain.KneserNey(2, 5).fit(text)
    assert message in str(caught.value)
