"""The hidden checks of unit 1: n-grams.

The properties of `unrolled.checks.ngrams` on other inputs, drawn anew from each seed and compared with the solution
or a small reference, and the cases that students forget. Their sentences are shown with the marks, their values
are not: no sentence and no `what` here holds a number of the inputs.
"""

import math
from collections import Counter

import torch
import unrolled.checks.ngrams  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.always import Always
from unrolled.checking.chance import ALL_THE_SAME, SELDOM, margin
from unrolled.checking.kinds import mapping, number, symbols
from unrolled.checks.helpers import told, toys
from unrolled.checks.helpers.toys import chain_model, ids_are_well, random_counts, random_log_probs, table_model

from autograder.judging.agreeing import agrees


def count(tokens: list, n: int) -> dict:
    """Reference for 1.1: a window is n neighbours of the text."""
    table: dict = {}
    for gram, times in Counter(zip(*(tokens[i:] for i in range(n)), strict=False)).items():
        table.setdefault(gram[:-1], {})[gram[-1]] = times
    return table


ANEW = "By hand for a text with long repetitions, then for another: is each counted anew?"


@agrees(
    "ngram_counts",
    weight=1.25,
    hint="Write the windows of a short text under one another.",
    what="the counts of words",
)
def short_texts_are_counted(rng):
    """The words of short texts are counted after their contexts, for n of one, two and three."""
    yield from ((rng.choices(["we", "row", "to", "sea"], k=rng.randint(4, 12)), n) for n in (1, 2, 3))


@agrees("ngram_counts", weight=2.5, hint=ANEW, what="the counts of another text")
def other_texts_are_counted(rng):
    """Texts of other lengths are counted as well, for n from 1 to 6."""
    yield from ((rng.choices("abc", k=rng.randint(n, 80)), n) for n in range(1, 7))
    yield rng.choices("ab", k=900), 1  # a count of hundreds, which a byte cannot hold


@check("ngram_counts", weight=1.25, needs="pairs_are_counted", hint="Where does your table live, and when is it made?")
def a_second_text_starts_from_zero(answer):
    """Counting one text leaves no trace in the counts of the next."""
    for text in (list("abab"), list("aba"), list("bbab")):
        close(answer(text, 2), count(text, 2), "the counts of one of three texts")


ZERO = "`if symbol:` leaves out some, `str(symbol)` makes others of them: is each kept as it is?"


@check("ngram_counts", weight=1.5, needs="a_second_text_starts_from_zero", hint=ZERO)
def empty_and_zero_are_symbols_too(answer):
    """0, the empty string and None are symbols like any other."""
    text = [0, "", None, 0, "", 0, 0, None]
    for n in (1, 2, 3):
        close(answer(text, n), count(text, n), "the counts of a text with such symbols")


MARKS = "Is a symbol changed first: its capitals, spaces, stops, or letters that look alike?"


@agrees("ngram_counts", weight=0.625, needs="empty_and_zero_are_symbols_too", hint=MARKS, what="the counts")
def each_symbol_is_counted_as_it_stands(rng):
    """A capital, a space or another mark makes another symbol."""
    marked = ["a", "A", "a ", " a", "a\n", "a.", "\uff41", " ", "\n", ".", ""]  # \uff41: an a of full width
    return ((rng.choices(marked, k=60), n) for n in (1, 2, 3))


ROWS = "Each count over its row's sum, in full? A row may be long, and a context of any length."


@agrees("mle", weight=2, hint=ROWS, what="the probabilities after a context")
def other_counts_become_probabilities(rng):
    """Other counts, of orders 1 to 4 and of many symbols, become the shares they are."""
    tables = [random_counts(rng, "uvwxyz", order) for order in (1, 2, 3, 4)]
    tables.append({("z",): {number: rng.randint(1, 9) for number in range(60)}})
    return ((table, context) for table in tables for context in table)


@check("mle", needs="three_of_four_are_three_quarters", hint="Is a number added or left out on the way?")
def a_text_read_many_times_has_the_same_shares(answer):
    """Multiplying all counts by one number changes no probability."""
    table = random_counts(seeded(), "uvwxyz")
    often = {context: {symbol: 1000 * times for symbol, times in row.items()} for context, row in table.items()}
    for context in table:
        shares = mapping(answer(table, context), "the probabilities after a context")
        expected = {symbol: number(share, "a probability") for symbol, share in shares.items()}
        close(answer(often, context), expected, "the probabilities after multiplying")


OTHERS = "Is a context never seen answered by another: its ending, all together, an earlier call's?"


@check("mle", weight=0.5, needs="a_context_never_seen_says_nothing", hint=OTHERS)
def never_seen_contexts_of_any_length_say_nothing(answer):
    """A context that never came has no estimate, be it long or empty, and even if its ending was seen."""
    pairs, triples = {("u",): {"v": 4}}, {("u", "v"): {"w": 2}, ("w", "v"): {"u": 1}}
    for table, contexts in ((pairs, [("w", "u"), ("u", "w"), ()]), (triples, [("v",), ("u",), (), ("w", "u", "v")])):
        for context in contexts:
            close(answer(table, context), {}, "the probabilities after a context never seen")


def word_model(rng):
    """A model of any order: each word after each context has a number of its own, drawn when it is asked first."""
    drawn: dict = {}

    def prob(word, context):
        holds(isinstance(word, str) and isinstance(context, tuple), "prob takes a word and a tuple of words")
        return drawn.setdefault((word, *map(str, context)), rng.uniform(0.01, 1))

    return prob


ASKED = "For n = 1, and for n = 3 with an unknown word: print what prob is asked for, and compare."


@agrees("sentence_log_prob", weight=2, hint=ASKED, what="ln P", tell=told.of_logarithm)
def other_sentences_and_orders(rng):
    """Other sentences, with unknown words in them, for n from 1 to 5; a capital or a space makes another word."""
    words = ["we", "We", "row", "row ", "to", "To", "Naxos", "and", "Paros", ""]
    sentences = [["We", "", "row ", *rng.choices(words, k=rng.randint(1, 12))] for _ in range(5)]
    return ((sentence, word_model(rng), n, {"We", "row", "to", "and"}) for n, sentence in enumerate(sentences, 1))


@check("sentence_log_prob", hint="How many factors has a sentence of no words?")
def a_sentence_of_no_words_only_ends(answer):
    """The empty sentence has one factor: the end, right after the beginning."""
    for n in (1, 3):
        model = table_model({("<s>",) * (n - 1): {"</s>": 0.25}})
        got, expected = answer([], model, n, {"a"}), math.log(0.25)
        close(got, expected, "ln P of the empty sentence", hint=told.of_logarithm(got, expected))


@check("sentence_log_prob", needs="two_words_make_three_factors", hint="Which factor comes last?")
def an_end_may_be_impossible_too(answer):
    """A zero for the end of the sentence, or for an unknown word, makes the sentence impossible as well."""
    for never in ("</s>", "<unk>"):
        got = answer(["a", "b"], lambda word, context, never=never: 0 if word == never else 1, 3, {"a"})
        close(got, -math.inf, "ln P of an impossible sentence")


@check("sentence_log_prob", weight=0.5, needs="unknown_words_become_unk", hint="Replace unknown words first, then pad.")
def marks_among_the_words_are_words_like_others(answer):
    """If the words themselves hold <s> or </s>, outside the vocabulary, they are unknown, and the sentence goes on."""
    prob, seen = toys.recording_model(1, 0.5)
    got = answer(["b", "</s>", "b", "<s>", "b"], prob, 2, {"b"})
    expected = {("b", ("<s>",)), ("<unk>", ("b",)), ("b", ("<unk>",)), ("</s>", ("b",))}
    close(seen, expected, "what the model is asked for")
    expected_ln = 6 * math.log(0.5)
    close(got, expected_ln, "ln P of a sentence with such words", hint=told.of_logarithm(got, expected_ln))


SMALL = "Is a tiny factor changed, taken for 0 or multiplied by others before its logarithm?"


@check("sentence_log_prob", hint=SMALL)
def very_rare_words_keep_their_logarithm(answer):
    """Words of a probability as small as a computer can hold are counted at their full logarithm."""
    got = answer(["b"] * 30, Always(1e-300, "word", "context"), 2, {"b"})
    expected = 31 * math.log(1e-300)
    close(got, expected, "ln P of a sentence of very rare words", hint=told.of_logarithm(got, expected))


@agrees("perplexity", weight=1.25, hint="The mean of the logarithms first: what is e to the power of −mean?", rtol=1e-3)
def short_texts_are_as_surprising_as_they_should_be(rng):
    """A few symbols with probabilities of their own have the perplexity of their mean logarithm."""
    return (random_log_probs(rng, rng.randint(3, 20)),)


LENGTHS = "From one symbol to thousands: is each taken in, as it is? What becomes of large numbers?"


@check("perplexity", weight=2.75, hint=LENGTHS)
def other_texts_are_as_surprising_as_they_should_be(answer):
    """Other texts, of one symbol up to thousands, one of them very rare, in either floating-point format."""
    rng = seeded()
    for length in (1, 2, rng.randint(20, 90), 5000):
        for dtype, rare in ((torch.float32, 0), (torch.float64, -1)):
            log_probs = random_log_probs(rng, length).to(dtype)
            for surprise in (log_probs[rare].item(), -10.0 * length):
                log_probs[rare] = surprise
                expected = math.exp(-math.fsum(log_probs.tolist()) / length)
                close(answer(log_probs), expected, "the perplexity of another text", rtol=1e-3)
    close(answer(log_probs), expected, "the perplexity of a text that was asked for before", rtol=1e-3)


@agrees("perplexity", weight=0.25, hint="Which number passes float32's largest?", rtol=1e-3)
def one_rare_symbol_makes_it_large(rng):
    """A single symbol that is rare enough makes a perplexity that only float64 can hold."""
    return (torch.tensor([-rng.uniform(600, 900), -1.0, 0.0]),)


@check(
    "perplexity",
    weight=1.25,
    needs="three_words_are_a_die_of_four",
    hint="What is the mean if every symbol was certain?",
)
def a_certain_text_has_a_die_of_one_side(answer):
    """If every symbol had probability one, the perplexity is one."""
    for length in (1, 9):
        close(answer(torch.zeros(length)), 1.0, "the perplexity of a certain text")


@check(
    "perplexity", weight=1.5, needs="three_words_are_a_die_of_four", hint="Put −∞ first, then last, then everywhere."
)
def impossible_words_may_stand_anywhere(answer):
    """First, last or everywhere, in a short text or a long one: minus infinity makes the perplexity infinite."""
    for length in (7, 3000):
        for places in ([0], [length - 1], range(length)):
            log_probs = random_log_probs(seeded(), length)
            log_probs[list(places)] = -math.inf
            close(answer(log_probs), math.inf, "the perplexity of an impossible text")


ANY_K = "k need not be whole, V is what it was given as, and a context may have any length."


@agrees("add_k", weight=3.5, needs="every_word_gets_one_more", hint=ANY_K, what="a probability")
def other_counts_are_smoothed(rng):
    """Other counts, of orders 1 to 4, with k from a thousandth to ten; words seen and unseen."""
    for order in (1, 2, 3, 4):
        table, k = random_counts(rng, "uvwxyz", order), 10 ** rng.uniform(-3, 1)
        yield from ((table, context, word, k, 11) for context in table for word in ("u", "v", "w", "nowhere"))


@check("add_k", weight=1.5, needs="every_word_gets_one_more", hint="Is it answered by another one, its ending perhaps?")
def contexts_never_seen_of_any_length(answer):
    """After any context that never came, long or empty, every word has probability 1/V, even if its ending came."""
    for context in ((), ("u", "v", "w"), ("w",), ("w", "u"), ("u", "w")):
        for word in ("u", "v"):
            close(answer({("u",): {"v": 4}}, context, word, 0.01, 20), 0.05, "P after a context never seen")


@agrees("kneser_ney", weight=1.5, hint="Two terms for a seen pair, one for another: check both on paper.")
def words_of_a_short_text_get_their_probabilities(rng):
    """After each word that a short text goes on from, all its words have their probabilities."""
    text = rng.choices("abcd", weights=(4, 3, 2, 1), k=rng.randint(9, 14))
    pairs, d = count(text, 2), rng.uniform(0.3, 0.8)
    yield from ((pairs, prev, word, d) for (prev,) in pairs for word in text)


TWICE = "By hand for a text of eight words, then for another: does each start from its own counts?"


@agrees("kneser_ney", weight=3.75, hint=TWICE, what="a probability")
def other_texts_get_their_probabilities(rng):
    """Other texts, every pair of their words, with several discounts."""
    for d in (0.3, 0.75, rng.uniform(0.05, 0.95)):
        text = rng.choices("abcde", weights=(9, 5, 3, 2, 1), k=rng.randint(12, 40))
        for pairs in (count(text, 2), count(text[::-1], 2)):
            yield from ((pairs, prev, word, d) for prev in "abcdef" for word in "abcde")


FALSY = "`if prev:` and `if word:` are false for more words than you think."


@agrees("kneser_ney", weight=0.625, needs="other_texts_get_their_probabilities", hint=FALSY, what="a probability")
def zero_and_the_empty_word_are_words_too(rng):
    """0 and the empty string are words like any other, before a word and after one."""
    for words in (range(4), ["", "a", "b"]):
        pairs = count(rng.choices(words, k=25), 2)
        yield from ((pairs, prev, word, 0.5) for prev in words for word in words)


@agrees("kneser_ney", weight=0.25, hint="May a word be known, and yet no context?", what="a probability")
def after_a_last_word_the_company_decides(rng):
    """After a word that only ends the text, each word has its share of all the different pairs."""
    pairs = count([*rng.choices("abc", k=12), "last"], 2)
    return pairs, "last", "last", 0.5


@check("kneser_ney", weight=1.25, needs="a_seen_pair_adds_two_terms", hint="How many different words stand before it?")
def a_word_that_follows_nothing_has_no_probability(answer):
    """A word that never followed another has probability zero after every word, known or not."""
    pairs = {("p",): {"q": 3, "r": 1}, ("q",): {"r": 2}}
    for prev in ("p", "q", "nowhere"):
        for word in ("p", "elsewhere"):
            close(answer(pairs, prev, word, 0.6), 0.0, "the probability of a word that follows nothing")


@check("kneser_ney", weight=1.25, needs="a_seen_pair_adds_two_terms", hint="Put d = 0 and d = 1 into the formula.")
def the_discount_may_be_none_or_one(answer):
    """With d = 0 only the counts speak; with d = 1 pairs that came once keep nothing of their own."""
    pairs = {("p",): {"q": 3, "r": 1}, ("q",): {"r": 2}, ("r",): {"p": 1}}  # 4 different pairs
    for word, plain_share, discounted in (
        ("q", 3 / 4, 2 / 4 + 2 / 4 / 4),
        ("r", 1 / 4, 2 / 4 * 2 / 4),
        ("p", 0, 2 / 4 / 4),
    ):
        close(answer(pairs, "p", word, 0), plain_share, "a probability for d = 0")
        close(answer(pairs, "p", word, 1), discounted, "a probability for d = 1")


# As in the public checks: each share may be off by `margin`, exceeded with a probability of at most 1e-8. A check
# looks at four shares at most, so a right answer fails with less than 1e-7 under any seed.


def is_odd(place: int) -> bool:
    """Whether a place has an odd number of ones in base two (Thue and Morse): no window of ids tells what comes."""
    return bool(place.bit_count() % 2)


@check("sample", weight=2, hint="Are the probabilities asked for anew, with all ids so far, after each symbol?")
def each_place_has_its_own_probabilities(answer):
    """Where the probabilities change from place to place, so do the symbols."""
    even, odd = torch.tensor([0.5, 0.5, 0.0, 0.0]), torch.tensor([0.0, 0.0, 0.5, 0.5], dtype=torch.float64)

    def next_probs(ids):
        ids_are_well(ids)
        return odd if is_odd(len(ids)) else even

    drawn = symbols(answer(next_probs, [1, 2], 64, 1.0, seeded().randrange(10**6)), 64, 4, "the text")
    for parity, possible in ((False, {0, 1}), (True, {2, 3})):
        came = {symbol for place, symbol in enumerate(drawn, 2) if is_odd(place) == parity}
        holds(came <= possible, "a symbol was drawn where its probability is zero")
        # by chance: 2^-30
        holds(came == possible, "at half of the places only one of two symbols was drawn", ALL_THE_SAME)


WHERE_IT_STANDS = "Every τ above 0 counts as it stands. Is one replaced, or does a power of it become 0?"


@check("sample", needs="temperature_sharpens_and_flattens", hint=WHERE_IT_STANDS)
def temperatures_far_from_one_count_as_they_stand(answer):
    """However near to zero or far above one a temperature is, the odds become what it makes of them."""
    for odds, temperature, others in ((64**1e-4, 1e-4, 64), (8.0**40, 40.0, 8)):  # the odds become `others` to one
        p = torch.tensor([1.0] * others + [odds], dtype=torch.float64) / (others + odds)
        drawn = symbols(answer(Always(p, "ids"), [0], 128, temperature, seeded().randrange(10**6)), 128, 65, "the text")
        well = abs(drawn.count(others) / 128 - 0.5) <= margin(128)
        holds(well, "the most probable symbol was drawn too often or too seldom")


@check("sample", needs="symbols_are_drawn_as_often_as_they_are_probable", hint="What is 0 to the power 1/τ?")
def heat_does_not_make_the_impossible_possible(answer):
    """However high the temperature, a symbol of probability zero is never drawn."""
    p = torch.tensor([0.0, 0.9, 0.0, 0.1, 0.0])
    drawn = symbols(answer(Always(p, "ids"), [3], 40, 25.0, seeded().randrange(10**6)), 40, 5, "the text")
    holds(set(drawn) <= {1, 3}, "a symbol of probability zero was drawn at a high temperature")
    holds(len(set(drawn)) == 2, "only one symbol was drawn at a high temperature")  # by chance: 2 · 0.53^40 < 1e-10


@check("sample", weight=0.5, needs="symbols_are_drawn_as_often_as_they_are_probable", hint=SELDOM)
def rare_symbols_come_too(answer):
    """No symbol that can come is left out, however seldom it comes."""
    p = torch.tensor([0.96, 0.02, 0.01, 0.01])
    drawn = symbols(answer(Always(p, "ids"), [0], 460, 1.0, seeded().randrange(10**6)), 460, 4, "the text")
    holds(set(drawn) > {0}, "only the most probable symbol was drawn")  # by chance: 0.96^460 < 1e-8


@check("sample", needs="each_symbol_depends_on_all_before", hint="Which of all ids are new?")
def starts_and_lengths_of_any_size(answer):
    """A long start does not come back, and no symbols asked for are no symbols given."""
    step = chain_model(torch.eye(4).roll(1, dims=1))  # 0 → 1 → 2 → 3 → 0
    for start, expected in (([3, 3, 3, 1], [2, 3]), ([0, 2], [3, 0, 1]), ([2], [3]), ([0, 1], []), ([1], [2])):
        for temperature in (0, 1.0):
            close(answer(step, start, len(expected), temperature, 5), expected, "the text after another start")


@check("diagnose", weight=2, hint="Only the words of vocab count, and contexts may be longer.")
def other_models_are_seen_through(answer):
    """Other models, with contexts of two words and probabilities outside the vocabulary."""
    masses = [0.5, 0.999, 1.0, 1.0, 1.01, 1.5]
    contexts = seeded().sample([(v, w) for v in "klmxy" for w in "klmxy"], len(masses))
    wrong = {context: mass for context, mass in zip(contexts, masses, strict=True) if mass != 1.0}
    strangers = {"x": 0.2, "y": 0.1, "<unk>": 0.1, "</s>": 0.1}
    table = {
        context: {"k": mass / 2, "l": mass / 8, "m": mass * 3 / 8, **strangers}
        for context, mass in zip(contexts, masses, strict=True)
    }
    for _ in range(2):  # whoever is asked again says the same
        close(answer(table_model(table), list(table), list("klm")), wrong, "the contexts of another model")


@check("diagnose", needs="other_models_are_seen_through", hint="The tolerance is 1e-6, on either side.")
def near_misses_are_told_apart(answer):
    """What misses one by more than a millionth is reported, on either side; what misses it by less is not."""
    off = {"a": 4e-6, "b": -4e-6, "c": 3e-7, "d": -3e-7}
    table = {(name,): {"x": 0.5, "y": 0.5 + by} for name, by in off.items()}
    expected = {(name,): 1 + off[name] for name in "ab"}
    got = answer(table_model(table), list(table), ["x", "y"])
    close(got, expected, "the contexts that nearly sum to one", rtol=1e-7)
    many = [str(word) for word in range(1000)]  # in float32, one by one, they would miss one by nearly 1e-5
    in_full = "Many small probabilities are added: in a format that is exact enough?"
    close(answer(Always(1e-3, "word", "context"), [("0",)], many), {}, "a sound model of many words", hint=in_full)


@check("diagnose", weight=0.5, needs="wrong_contexts_are_found", hint="Is each probability added, and as it is?")
def large_masses_are_told_in_full(answer):
    """However far a mass is above one, it is told as it is; a single probability may be above one, too."""
    masses = {("many",): dict.fromkeys("vwxyz", 1.0), ("large",): {"v": 2.5, "z": 1.75}}
    close(answer(table_model(masses), list(masses), list("vwxyz")), {("many",): 5.0, ("large",): 4.25}, "large masses")


@check("diagnose", needs="wrong_contexts_are_found", hint="A sum of zero is not one either.")
def no_mass_at_all_is_wrong_too(answer):
    """A context without any probability is reported, with the mass 0."""
    model = table_model({("full",): {"x": 1.0}, ("empty",): {"x": 0.0}})
    close(answer(model, [("full",), ("empty",)], ["x", "y"]), {("empty",): 0.0}, "the contexts without mass")


def backed_off(tokens: list, d: float):
    """Arguments of 1.9 for each pair of a text's words; its first comes once, so that α exists after every word."""
    pairs, lower = count(tokens, 2), {word: times / len(tokens) for word, times in Counter(tokens).items()}
    return ((pairs, lower, prev, word, d) for prev in lower for word in lower)


@agrees(
    "backoff", weight=2.5, hint="Seen words pay, unseen ones share: check one of each on paper.", what="a probability"
)
def a_short_text_backs_off(rng):
    """After each word of a short text, seen words pay the discount and unseen ones share it."""
    tokens, d = ["first", *rng.choices("abcd", k=rng.randint(6, 12)), "last"], rng.uniform(0.3, 0.8)
    yield from (one for one in backed_off(tokens, d) if one[2] != "last")


OWN_D = "Try d = 0 and d = 1, then another text: is d taken as it is, and each text by itself?"


@agrees("backoff", weight=3.5, hint=OWN_D, what="a probability")
def other_texts_back_off(rng):
    """Other texts, every pair of their words, with several discounts, none and one among them."""
    for d in (0, 0.3, rng.uniform(0.05, 0.95), 1):
        text = rng.choices("abcdef", weights=(9, 5, 3, 2, 1, 1), k=rng.randint(12, 40))
        for tokens in (text, text[::-1]):
            yield from backed_off(["first", *tokens, "last"], d)


@agrees("backoff", weight=0.75, needs="other_texts_back_off", hint=FALSY, what="a probability")
def zero_and_the_empty_word_back_off_too(rng):
    """0 and the empty string are words like any other, before a word and after one."""
    for first, words in ((9, range(4)), ("first", ["", "a", "b"])):
        yield from backed_off([first, *rng.choices(words, k=25)], 0.5)


@check(
    "backoff",
    weight=1.5,
    needs="a_seen_pair_pays_the_discount",
    hint="When do you need α, and when does it not exist?",
)
def a_context_that_every_word_has_followed(answer):
    """After a context that every word has followed, seen pairs pay the discount as ever, and nothing is raised."""
    for word, expected in (("x", 0.7 / 3), ("y", 1.7 / 3)):
        got = answer({("x",): {"x": 1, "y": 2}}, {"x": 0.4, "y": 0.6}, "x", word, 0.3)
        close(got, expected, "a probability after such a context")
