"""The public checks of unit 1: n-grams.

Each states one property of an answer. None computes what its exercise asks for: expected values are worked by hand,
with the arithmetic beside them, or follow from another value of the same answer. What draws at random is counted,
with a margin wide enough that a right answer fails less than once in a million seeds.

Left out on purpose: speed, and what the answer looks like inside.
"""

import math

import torch

from unrolled.checking import check, close, holds, seeded
from unrolled.checking.always import Always
from unrolled.checking.chance import share_is
from unrolled.checking.kinds import mapping, number, symbols
from unrolled.checking.plain import short
from unrolled.checks.helpers import told
from unrolled.checks.helpers.toys import (
    chain_model,
    ids_are_well,
    random_counts,
    random_log_probs,
    recording_model,
    table_model,
)

# Who follows whom: 5 different pairs, 6 in all. After a come b (twice) and c; before b stand a and c.
PAIRS = {("a",): {"b": 2, "c": 1}, ("b",): {"c": 1}, ("c",): {"a": 1, "b": 1}}
UNIGRAM = {"a": 0.1, "b": 0.4, "c": 0.3, "e": 0.2}


@check(
    "ngram_counts", weight=2, hint="On paper, slide a window of two words over the text. What do you note at each step?"
)
def pairs_are_counted(answer):
    """In “the cat saw the dog and the cat ran”, the is followed by cat twice and by dog once, and so on."""
    expected = {
        ("the",): {"cat": 2, "dog": 1},
        ("cat",): {"saw": 1, "ran": 1},
        ("saw",): {"the": 1},
        ("dog",): {"and": 1},
        ("and",): {"the": 1},
    }
    words = ["the", "cat", "saw", "the", "dog", "and", "the", "cat", "ran"]
    close(answer(words, 2), expected, "the counts for n = 2")


@check("ngram_counts", hint="A context is the n − 1 symbols before, as a tuple. Neighbouring windows overlap.")
def windows_of_three_overlap(answer):
    """In the letters of “banana”, the context (a, n) is followed by a twice."""
    expected = {("b", "a"): {"n": 1}, ("a", "n"): {"a": 2}, ("n", "a"): {"n": 1}}
    close(answer(list("banana"), 3), expected, "the counts for n = 3")


@check("ngram_counts", hint="How long is a context of n − 1 symbols when n is 1?")
def one_symbol_has_the_empty_context(answer):
    """For n = 1 every symbol is counted after the empty context ()."""
    close(answer(list("banana"), 1), {(): {"b": 1, "a": 3, "n": 2}}, "the counts for n = 1")


@check("ngram_counts", hint="Write out the windows of five symbols: which is missing, or counted twice?")
def every_window_is_counted_once(answer):
    """The counts of a text of N symbols add up to N − n + 1, its number of windows, for each n."""
    text = seeded().choices(range(4), k=60)
    for n in (1, 2, 3, 5):
        table = mapping(answer(text, n), f"the result for n = {n}")
        for context in table:
            ok = isinstance(context, tuple) and len(context) == n - 1
            holds(ok, f"for n = {n} the context {short(context)} is no tuple of {n - 1} symbols")
        rows = [mapping(row, f"what follows {short(context)}") for context, row in table.items()]
        total = sum(number(count, "a count") for row in rows for count in row.values())
        close(total, 60 - n + 1, f"the sum of all counts of 60 symbols for n = {n}")


@check("ngram_counts", needs="pairs_are_counted", hint="How many windows has it? Is the table new in each call?")
def a_short_text_has_no_counts(answer):
    """Fewer than n tokens give {}; exactly n give a single count."""
    close(answer(["so", "it"], 3), {}, "the counts of two words for n = 3")
    close(answer([], 1), {}, "the counts of no words for n = 1")
    close(answer(["so", "it", "goes"], 3), {("so", "it"): {"goes": 1}}, "the counts of three words for n = 3")


@check("mle", weight=2, hint="Of the four times that the context came, how many were followed by cat?")
def three_of_four_are_three_quarters(answer):
    """If cat followed three times and dog once, their probabilities are 3/4 and 1/4."""
    counts = {("the",): {"cat": 3, "dog": 1}, ("a",): {"cat": 5}}
    for word, expected in (("the", {"cat": 0.75, "dog": 0.25}), ("a", {"cat": 1.0})):
        got = answer(counts, (word,))
        close(got, expected, f"P(· | {word})", hint=told.of_strangers(got, expected))


@check("mle", hint="Divide by all that came after this context, in these counts, and round nothing.")
def what_follows_a_context_sums_to_one(answer):
    """The probabilities after a context add up to one, over the symbols seen there and no others."""
    counts = random_counts(seeded(), "abcdef")
    for context, row in counts.items():
        probabilities = mapping(answer(counts, context), f"P(· | {context[0]})")
        which = "Which symbols did these counts see after this context?"
        close(set(probabilities), set(row), f"the symbols that may follow {context[0]}", hint=which)
        total = sum(number(p, f"a probability after {context[0]}") for p in probabilities.values())
        close(total, 1.0, f"the sum of P(· | {context[0]})")


@check("mle", needs="three_of_four_are_three_quarters", hint="Is there anything to divide?")
def a_context_never_seen_says_nothing(answer):
    """After a context that never came there is no estimate: {}."""
    close(answer({("the",): {"cat": 3}}, ("my",)), {}, "P(· | my), for counts that know only the")


@check("sentence_log_prob", weight=2, hint="Two words make three factors. Which is the third?")
def two_words_make_three_factors(answer):
    """With P(the | <s>) = 1/2, P(cat | the) = 1/4 and P(</s> | cat) = 1/8, the log probability is ln 1/64."""
    factors = {("<s>",): {"the": 1 / 2}, ("the",): {"cat": 1 / 4}, ("cat",): {"</s>": 1 / 8}}
    got = answer(["the", "cat"], table_model(factors), 2, {"the", "cat", "dog"})
    expected = -6 * math.log(2)  # ln 1/2 + ln 1/4 + ln 1/8 = −(1 + 2 + 3) ln 2
    close(got, expected, "ln P(the cat)", hint=told.of_logarithm(got, expected))


@check("sentence_log_prob", weight=2, hint="Print the padded sentence. Which symbols are predicted, after which?")
def each_word_is_asked_for_after_its_context(answer):
    """For n = 1, 2 and 3 the model is asked for each word and the end, after exactly n − 1 symbols."""
    s, e = "<s>", "</s>"
    expected = {
        1: {("a", ()), ("b", ()), (e, ())},
        2: {("a", (s,)), ("b", ("a",)), (e, ("b",))},
        3: {("a", (s, s)), ("b", (s, "a")), (e, ("a", "b"))},
    }
    for n in (1, 2, 3):
        prob, seen = recording_model(n - 1, 0.5)
        got, expected_ln = answer(["a", "b"], prob, n, {"a", "b"}), -3 * math.log(2)
        close(got, expected_ln, f"ln P(a b) for n = {n}", hint=told.of_logarithm(got, expected_ln))
        close(seen, expected[n], f"what the model is asked for when n = {n}")


@check("sentence_log_prob", hint="An unknown word is also a context for the next one.")
def unknown_words_become_unk(answer):
    """A word outside the vocabulary is read as <unk>; the markers <s> and </s> never are."""
    prob, seen = recording_model(1, 0.5)
    answer(["the", "axolotl", "ran"], prob, 2, {"the", "ran"})
    expected = {("the", ("<s>",)), ("<unk>", ("the",)), ("ran", ("<unk>",)), ("</s>", ("ran",))}
    close(seen, expected, "what the model is asked for when axolotl is unknown")


@check("sentence_log_prob", needs="two_words_make_three_factors", hint="What is ln p as p goes to 0?")
def an_impossible_word_makes_the_sentence_impossible(answer):
    """If one factor is zero the log probability is minus infinity, and nothing is raised."""

    def prob(word, context):
        return 0.0 if word == "b" else 0.5

    close(answer(["a", "b", "a"], prob, 2, {"a", "b"}), -math.inf, "ln P(a b a) when b is impossible")


@check("sentence_log_prob", hint="Their product is 0.0 for a computer. The sum of their logarithms?")
def a_long_sentence_does_not_underflow(answer):
    """40 words of probability 10⁻⁹ each have the log probability −369 ln 10, not minus infinity."""
    got = answer(["a"] * 40, Always(1e-9, "word", "context"), 1, {"a"})
    expected = -369 * math.log(10)  # 41 factors, with the end; −9 ln 10 each
    close(got, expected, "ln P of 40 words", rtol=1e-4, hint=told.of_logarithm(got, expected))


@check("perplexity", weight=2, hint="What does the exponential of a mean of logarithms mean?")
def a_fair_die_has_as_many_sides(answer):
    """If every word gets probability 1/k, the perplexity is k."""
    for k in (2, 6, 100):
        close(answer(torch.full((50,), -math.log(k))), float(k), f"the perplexity of a die with {k} sides")


@check("perplexity", weight=2, hint="Add up the three logarithms by hand before you undo them.")
def three_words_are_a_die_of_four(answer):
    """Words of probability 1/2, 1/4 and 1/8 are as surprising as a die with four sides."""
    # (ln 2 + ln 4 + ln 8) / 3 = (1 + 2 + 3) ln 2 / 3 = 2 ln 2, and e^(2 ln 2) = 4
    close(answer(torch.tensor([1 / 2, 1 / 4, 1 / 8]).log()), 4.0, "the perplexity")


@check("perplexity", needs="three_words_are_a_die_of_four", hint="How does each logarithm change?")
def halving_every_probability_doubles_it(answer):
    """If each word is half as probable, the perplexity is twice as large."""
    log_probs = random_log_probs(seeded(), 40)
    before = number(answer(log_probs), "the perplexity")
    close(answer(log_probs - math.log(2)), 2 * before, "the perplexity after halving")


@check("perplexity", needs="three_words_are_a_die_of_four", hint="Is it about the text or its average word?")
def reading_the_text_twice_changes_nothing(answer):
    """A text and its repetition are equally surprising for each word."""
    log_probs = random_log_probs(seeded(), 40)
    once = number(answer(log_probs), "the perplexity")
    close(answer(log_probs.repeat(2)), once, "the perplexity of the text read twice")


@check("perplexity", needs="three_words_are_a_die_of_four", hint="What is the mean of −1 and −∞? Of 99 zeros and −800?")
def an_impossible_word_is_infinitely_surprising(answer):
    """A log probability of −∞ anywhere makes the perplexity infinite; one of −800 among 99 of 0 makes it e⁸."""
    close(answer(torch.tensor([-1.0, -math.inf, -2.0])), math.inf, "the perplexity")
    rare = torch.tensor([-800.0] + [0.0] * 99)  # the mean is −8
    close(answer(rare), math.exp(8), "the perplexity of −800 and 99 zeros", rtol=1e-4)


@check("perplexity", needs="an_impossible_word_is_infinitely_surprising", hint="Which number passes float32's 10³⁸?")
def rare_symbols_are_not_impossible(answer):
    """Log probabilities of −800 and 0, in float32, make a perplexity of e⁴⁰⁰, which only float64 can hold."""
    close(answer(torch.tensor([-800.0, 0.0])), math.exp(400), "the perplexity of −800 and 0", rtol=1e-4)


@check("add_k", weight=2, hint="Print c(h, w), c(h), k and V for this word: which is off, above or below?")
def every_word_gets_one_more(answer):
    """With k = 1, V = 6 and the counts 3 and 1: P(cat) = 4/10, P(dog) = 2/10, and 1/10 for a word never seen."""
    counts = {("the",): {"cat": 3, "dog": 1}, ("a",): {"cat": 7}}
    for word, expected in (("cat", 0.4), ("dog", 0.2), ("emu", 0.1)):  # (3+1)/(4+6), (1+1)/(4+6), (0+1)/(4+6)
        close(answer(counts, ("the",), word, 1, 6), expected, f"P({word} | the)")


@check("add_k", needs="every_word_gets_one_more", hint="By how much do all numerators together grow?")
def it_sums_to_one_over_the_vocabulary(answer):
    """The probabilities of all V words add up to one, whatever k is."""
    words, rng = "abcdef", seeded()
    counts = random_counts(rng, words)
    for k in (0.05, 1, rng.uniform(2, 9)):
        for context in counts:
            parts = [number(answer(counts, context, w, k, len(words)), f"P({w} | {context[0]})") for w in words]
            close(sum(parts), 1.0, f"the sum of P(· | {context[0]}) for k = {k:.3g}")


@check("add_k", needs="every_word_gets_one_more", hint="Put zero for both counts.")
def a_context_never_seen_is_uniform(answer):
    """After a context that never came every word has probability 1/V."""
    counts = {("the",): {"cat": 3, "dog": 1}}
    for k, size in ((1, 6), (0.5, 40)):
        close(answer(counts, ("my",), "cat", k, size), 1 / size, f"P(cat | my) for k = {k}, V = {size}")


@check("add_k", needs="every_word_gets_one_more", hint="Try both in the formula.")
def k_leads_from_the_counts_to_the_uniform(answer):
    """A very small k leaves the shares of the counts; a very large k makes all words equally probable."""
    counts = {("the",): {"cat": 3, "dog": 1}}
    close(answer(counts, ("the",), "cat", 1e-12, 6), 0.75, "P(cat | the) for k = 10⁻¹²")
    close(answer(counts, ("the",), "cat", 1e9, 8), 0.125, "P(cat | the) for k = 10⁹, V = 8")


@check("kneser_ney", weight=2, hint="Compute both terms by hand: which one is off?")
def a_seen_pair_adds_two_terms(answer):
    """For a → b twice, a → c, b → c, c → a, c → b and d = 1/2: P(b | a) = 19/30 and P(c | a) = 9/30."""
    # (2 − 1/2)/3 + 1/2·2/3·2/5 = 15/30 + 4/30, and (1 − 1/2)/3 + 1/2·2/3·2/5 = 5/30 + 4/30
    close(answer(PAIRS, "a", "b", 0.5), 19 / 30, "P(b | a)")
    close(answer(PAIRS, "a", "c", 0.5), 9 / 30, "P(c | a)")


@check("kneser_ney", weight=2, hint="A pair that never came has the second term alone.")
def an_unseen_pair_has_one_term(answer):
    """In the same table P(a | a) = 1/15: nothing for the pair itself, its share of what d took away."""
    close(answer(PAIRS, "a", "a", 0.5), 1 / 15, "P(a | a)")  # 0 + 1/2·2/3·1/5
    close(answer(PAIRS, "b", "b", 0.5), 1 / 5, "P(b | b)")  # 0 + 1/2·1/1·2/5


@check("kneser_ney", hint="What d takes, the second term must give back.")
def all_words_after_a_context_sum_to_one(answer):
    """For every context and every discount the probabilities of all words add up to one."""
    words = "abcde"
    pairs = random_counts(seeded(), words)
    for d in (0.1, 0.75, 1.0):
        for (prev,) in pairs:
            parts = [number(answer(pairs, prev, w, d), f"P({w} | {prev})") for w in words]
            close(sum(parts), 1.0, f"the sum of P(· | {prev}) for d = {d}")
            holds(min(parts) < max(parts), f"all words have the same probability after {prev}")


@check("kneser_ney", hint="Count pairs, not how often they came.")
def new_company_counts_and_repetition_does_not(answer):
    """Seeing a → b a hundred times instead of twice leaves P(b | b) as it was; a new pair e → b raises it."""
    before = number(answer(PAIRS, "b", "b", 0.5), "P(b | b)")
    often = PAIRS | {("a",): {"b": 100, "c": 1}}
    close(answer(often, "b", "b", 0.5), before, "P(b | b) when a → b came a hundred times")
    after = number(answer(PAIRS | {("e",): {"b": 1}}, "b", "b", 0.5), "P(b | b)")
    holds(after > before, f"P(b | b) went from {before:.4g} to {after:.4g} when e → b was new: it should rise")


@check("kneser_ney", needs="a_seen_pair_adds_two_terms", hint="Which term needs no count of prev?")
def a_word_never_before_seen_as_context(answer):
    """After a word that never was a context, P(b) is 2/5: two of five different pairs end in b. A last word is one."""
    close(answer(PAIRS, "z", "b", 0.5), 2 / 5, "P(b | z)")
    close(answer(PAIRS, "z", "a", 0.5), 1 / 5, "P(a | z)")
    pairs = {("a",): {"b": 3, "c": 1}, ("b",): {"c": 1}}  # of a text whose last word is c
    close(answer(pairs, "c", "c", 0.5), 2 / 3, "P(c | c), if c follows a and b but nothing follows c")


# Every statistical check compares shares of independent draws within `margin`, 1e-8 each, at most 3 in a check. Draws
# are dear where answers are asked across a boundary, so 64 must do: a right answer draws one symbol half of the time
# here, and wrong ones nearly always or nearly never.


@check("sample", weight=2, hint="torch.multinomial draws an index with the probabilities it is given.")
def symbols_are_drawn_as_often_as_they_are_probable(answer):
    """At temperature 1, a symbol of probability 1/2 comes half of the time, fifty of 1/100 the other half."""
    rng = seeded()
    usual, *rare = rng.sample(range(100), 51)
    p = torch.zeros(100).index_fill(0, torch.tensor(rare), 0.01).index_fill(0, torch.tensor(usual), 0.5)
    drawn = symbols(answer(Always(p, "ids"), [0], 64, 1.0, rng.randrange(10**6)), 64, 100, "the text")
    share_is(drawn, usual, 0.5, "at temperature 1")
    holds(set(drawn) <= {usual, *rare}, "a symbol was drawn, although its probability is 0")
    holds(len(set(drawn)) > 4, "of fifty symbols of equal probability only few were drawn")  # by chance: < 1e-13


@check("sample", weight=2, hint="Does next_probs see what you have just drawn?")
def each_symbol_depends_on_all_before(answer):
    """Each symbol is asked for with all symbols so far, the start among them, and only new ones come back."""

    def next_probs(ids):
        ids_are_well(ids)
        return torch.nn.functional.one_hot(torch.tensor(sum(ids) % 5), 5).float()

    # one certain symbol each time, the sum of all before modulo 5: 1+2 = 3, 3+3 = 6, 6+1 = 7, 7+2 = 9, 9+4 = 13
    close(answer(next_probs, [1, 2], 5, 1.0, 0), [3, 1, 2, 4, 3], "the text after [1, 2]")


@check("sample", weight=4, hint="Print p^(1/τ) of all symbols: is each drawn in proportion to it?")
def temperature_sharpens_and_flattens(answer):
    """At τ = 1/4 odds of 4 : 1 become 256 : 1, at τ = 10 10¹⁰ : 1 become 10 : 1, at τ = 1/20 1.23 : 1 become 64 : 1."""
    seed = seeded().randrange(10**6)
    cases = (4, 0.25, 256, 64), (1e10, 10.0, 10, 128), (64**0.05, 0.05, 64, 128)  # as many others as the odds become
    for odds, temperature, others, length in cases:
        p = torch.tensor([1.0] * others + [odds]) / (others + odds)
        drawn = symbols(answer(Always(p, "ids"), [0], length, temperature, seed), length, others + 1, "the text")
        share_is(drawn, others, 0.5, f"odds of {odds:.4g} : 1 to {others} others at temperature {temperature:g}")


@check("sample", hint="1/τ cannot be computed here. What is the limit?")
def temperature_zero_takes_the_most_probable(answer):
    """At temperature 0 the most probable symbol follows each time."""
    table = torch.tensor([[0.333, 0.334, 0.333], [0.2, 0.399, 0.401], [0.4, 0.35, 0.25]])  # 0 → 1 → 2 → 0
    got = answer(chain_model(table), [0], 9, 0, seeded().randrange(10**6))
    close(got, [1, 2, 0, 1, 2, 0, 1, 2, 0], "the text after [0] at temperature 0")


@check("sample", hint="What does a computer make of a small number to the power of 100?")
def near_zero_the_most_probable_wins(answer):
    """At temperature 0.01 nothing underflows: the most probable of many improbable symbols comes each time."""
    p = torch.full((64,), 1 / 66)
    best = seeded().randrange(64)
    p[best] = 3 / 66  # its odds against each other one are 3^100
    got = answer(Always(p, "ids"), [0], 8, 0.01, seeded().randrange(10**6))
    close(got, [best] * 8, "the text at a temperature near zero")


@check("sample", hint="Make one generator, seed it once, and with the seed as it is.")
def the_seed_decides_the_text(answer):
    """The same seed gives the same 12 symbols, other seeds give others, and 0 is a seed like any other."""

    def text(seed):
        return symbols(answer(Always(torch.full((100,), 0.01), "ids"), [0], 12, 1.0, seed), 12, 100, "the text")

    for seed in (seeded().randrange(10**6), 0):
        first, next_one, far, again = text(seed), text(seed + 1), text(seed + 2**20), text(seed)
        close(again, first, "the second text with the same seed" + " 0" * (seed == 0))
        holds(first not in (next_one, far), "two seeds gave the same 12 symbols")  # by chance: 100^−12
        holds(first[1:] != next_one[:-1], "the next seed gave the same text, moved by one symbol")  # 100^−11


@check("diagnose", weight=2, hint="Add up all words of the vocabulary, one context at a time.")
def wrong_contexts_are_found(answer):
    """Of three contexts with total masses 1, 0.9 and 1.25, the last two are named, each with its mass."""
    table = {
        ("a",): {"x": 0.5, "y": 0.25, "z": 0.25},
        ("b",): {"x": 0.5, "y": 0.3, "z": 0.1},
        ("c",): {"x": 0.5, "y": 0.5, "z": 0.25},
    }
    got = answer(table_model(table), list(table), ["x", "y", "z"])
    close(got, {("b",): 0.9, ("c",): 1.25}, "the contexts that are wrong")


@check("diagnose", needs="wrong_contexts_are_found", hint="Is every context reported, or one passed over?")
def a_sound_model_has_nothing_to_report(answer):
    """If every context sums to one the result is {}; if () is asked about and has the mass 1/2, it is reported."""
    table = {(c,): {"x": 0.5, "y": 0.25, "z": 0.25} for c in "abc"}
    close(answer(table_model(table), list(table), ["x", "y", "z"]), {}, "the contexts that are wrong")
    empty = answer(table_model({(): {"x": 0.25, "y": 0.25}}), [()], ["x", "y"])
    close(empty, {(): 0.5}, "the contexts that are wrong where () has the mass 1/2")


@check("diagnose", needs="wrong_contexts_are_found", hint="Is 0.1 + 0.2 == 0.3 in Python?")
def rounding_is_no_mistake(answer):
    """A mass that misses one by less than a millionth is sound; one that misses it by 0.0001 is not."""
    words = list("abcdefghij")
    table = {("tenths",): dict.fromkeys(words, 0.1), ("short",): dict.fromkeys(words, 0.09999)}
    # in floating point ten times 0.1 adds up to 0.9999999999999999
    got = answer(table_model(table), list(table), words)
    wide = "By how much may a sum miss one? 0.0001 is too much."
    named = got if isinstance(got, dict) else {("tenths",): 1.0}
    hint = "" if ("tenths",) in named else "Is the sum told in full?" if ("short",) in named else wide
    close(got, {("short",): 0.9999}, "the contexts that are wrong", hint=hint)


@check("backoff", weight=2, hint="A seen pair keeps its count, less the discount.")
def a_seen_pair_pays_the_discount(answer):
    """For a → b twice and a → c once, d = 1/2: P(b | a) = 1/2 and P(c | a) = 1/6."""
    close(answer(PAIRS, UNIGRAM, "a", "b", 0.5), 1 / 2, "P(b | a)")  # (2 − 1/2)/3
    close(answer(PAIRS, UNIGRAM, "a", "c", 0.5), 1 / 6, "P(c | a)")  # (1 − 1/2)/3


@check("backoff", weight=2, hint="What was taken? Which words may have it, in what ratio?")
def unseen_words_share_the_rest(answer):
    """After a, the words a and e were never seen: they share 1/3 in the ratio 1 to 2 of their unigrams."""
    # taken: 1/2·2/3 = 1/3; unigrams of the unseen: 0.1 + 0.2 = 0.3; so 1/3·0.1/0.3 and 1/3·0.2/0.3
    close(answer(PAIRS, UNIGRAM, "a", "a", 0.5), 1 / 9, "P(a | a)")
    close(answer(PAIRS, UNIGRAM, "a", "e", 0.5), 2 / 9, "P(e | a)")


@check("backoff", hint="Which words does the sum under α run over?")
def the_mended_model_sums_to_one(answer):
    """For every context and every discount the probabilities of all words add up to one."""
    rng, words = seeded(), "abcdef"
    pairs, masses = random_counts(rng, words), [rng.uniform(0.5, 2) for _ in words]
    unigram = {w: mass / sum(masses) for w, mass in zip(words, masses, strict=True)}
    for d in (0.2, 0, 1):
        hint = "" if d == 0.2 else f"Put d = {d} into both formulas. Seen is what c(v, w) > 0 says."
        for (prev,) in pairs:
            parts = [number(answer(pairs, unigram, prev, w, d), f"P({w} | {prev})") for w in words]
            close(sum(parts), 1.0, f"the sum of P(· | {prev}) for d = {d}", hint=hint)
            holds(min(parts) < max(parts), f"all words have the same probability after {prev}")


@check("backoff", needs="a_seen_pair_pays_the_discount", hint="What is left to go by?")
def after_an_unknown_context_the_unigram_speaks(answer):
    """After a word that never was a context, each word has its unigram probability."""
    for word, expected in UNIGRAM.items():
        close(answer(PAIRS, UNIGRAM, "z", word, 0.5), expected, f"P({word} | z)")
