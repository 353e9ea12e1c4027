"""The hidden checks of unit 5: pairs in a batch, an encoder, a decoder, its loss, beam search, and attention.

The properties of `unrolled.checks.seq2seq` on other inputs, drawn anew from each seed and compared with torch's own
functions or with the source's solution (`agrees`), and the cases that students forget. Their sentences are shown with
the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import math

import torch
import unrolled.checks.seq2seq  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import broken, deciding, translators
from unrolled.checks.helpers.batches import disturbed, lengths_of, longer, mask_of, sequences_of
from unrolled.checks.helpers.recurrent import FLOAT32, numbers, symbol_ids
from unrolled.checks.helpers.translators import SOFT, library_scores, library_weights, read_encoded, read_pairs

from autograder.judging.agreeing import agrees

PRECISION = {torch.float32: FLOAT32, torch.float64: (1e-10, 1e-12)}  # rtol and atol that a right answer keeps
KINDS = (torch.float32, torch.float64)
SCORES = ("dot", "scaled", "bilinear", "additive")
LOUD = None  # float64, with embeddings that drive every tanh to its ends


# --- more of 5.1 -----------------------------------------------------------------------------------------------------


@agrees(
    "translation_batch",
    weight=1,
    hint="For each pair on paper: what is read, what is said?",
    what="the five",
    read=lambda got: list(translators.parts_of(got, 5)),
)
def a_few_pairs_become_tensors(rng):
    """Pairs of several lengths become sources, what is read and what is said, with masks."""
    return tuple(sequences_of(rng, rng.sample(range(1, 8), 3), 4, 99) for _ in ("source", "target"))


@agrees(
    "translation_batch",
    weight=2.75,
    hint="Try one pair, many, empty lists, and ids so large that no float holds them.",
    what="the five",
    rtol=0.0,
    atol=0.0,
    read=lambda got: list(translators.parts_of(got, 5)),
)
def other_pairs(rng):
    """Other pairs, one alone and many, with ids of any size and empty lists among them."""
    for batch, longest, top in ((1, 5, 9), (6, 8, 40), (3, 1, 3), (5, 4, 2**40)):
        yield tuple(
            sequences_of(rng, [rng.randint(0, longest) for _ in range(batch)], 0, top) for _ in ("source", "target")
        )


@check("translation_batch", weight=0.25, needs="two_pairs_by_hand", hint="Say dtype= for what is empty.")
def nothing_is_of_the_same_type(answer):
    """Where sources and targets are empty, ids are whole numbers as ever."""
    batch = seeded().randint(2, 6)
    source, _, read, said, _ = read_pairs(answer([[]] * batch, [[]] * batch), batch, 0, 1)
    holds(all(ids.dtype == torch.int64 for ids in (source, read, said)), "ids are not of the type torch.int64")


@check(
    "translation_batch",
    weight=1.25,
    hint="What does a row depend on besides its own pair, but for the number of its pads?",
)
def pairs_keep_their_order(answer):
    """The pairs in another order give the rows in that order, and a pair alone gives its own row."""
    rng = seeded()
    sources, targets = (sequences_of(rng, [rng.randint(1, 6) for _ in range(5)] + [7], 4, 30) for _ in range(2))
    order = rng.sample(range(6), 6)
    five = read_pairs(answer(sources, targets), 6, 7, 8)
    moved = answer([sources[n] for n in order], [targets[n] for n in order])
    for mine, theirs in zip(read_pairs(moved, 6, 7, 8), five, strict=True):
        close(mine, theirs[order], "the tensors of pairs in another order")
    n, m = len(sources[0]), len(targets[0]) + 1
    alone = read_pairs(answer(sources[:1], targets[:1]), 1, n, m)
    for mine, theirs, width in zip(alone, five, (n, n, m, m, m), strict=True):
        close(mine, theirs[:1, :width], "the tensors of one pair alone")


# --- more of 5.2 -----------------------------------------------------------------------------------------------------


@check("encode", weight=3, hint="Try one word, one unit, one row, equal sizes, float64, large embeddings.")
def other_encoders_and_sources(answer):
    """Other sizes, in either format, which both results keep, with other ids at the pads."""
    rng = seeded()
    for sizes, batch, places, dtype in (
        ((5, 2, 1, 3), 1, 1, KINDS[1]),
        ((4, 4, 4, 4), 4, 4, KINDS[0]),
        ((9, 1, 3, 1), 5, 8, KINDS[1]),
        ((6, 3, 2, 5), 1, 6, KINDS[0]),
        ((6, 2, 3, 2), 3, 4, LOUD),
    ):
        params, V = translators.encoder_of(rng, sizes, dtype or KINDS[1])
        if dtype is LOUD:
            dtype, params["E"] = KINDS[1], 1e4 * params["E"]
        lengths = lengths_of(rng, batch, places)
        mask = mask_of(lengths, places)
        ids = symbol_ids(rng, V, batch, places)
        states, first = read_encoded(answer, ids, mask, dict(reversed(params.items())))
        expected = translators.encoded(ids, mask, params)
        close(states, expected[0].detach(), "the states", *PRECISION[dtype], same_dtype=True)
        close(first, expected[1].detach(), "s_0", *PRECISION[dtype], same_dtype=True)
        holds(bool((states[~mask] == 0).all()), "a state at a pad is not 0")


@check(
    "encode",
    needs="both_results_teach_the_encoder",
    hint="Which words take part, and how far back? All of the row, and no others.",
)
def nothing_is_learnt_from_pads(answer):
    """The gradients of other batches, with other ids at the pads, are torch's, each result asked by itself."""
    rng = seeded()
    for which, dtype in ((0, KINDS[0]), (1, KINDS[1])):
        params, V = translators.encoder_of(rng, (7, 3, 2, 4), dtype)
        ids, mask = symbol_ids(rng, V, 4, 11), mask_of(lengths_of(rng, 4, 11), 11)
        upstream = [numbers(rng, 4, 11, 4, dtype=dtype), numbers(rng, 4, 4, dtype=dtype)]
        upstream[which] = torch.zeros_like(upstream[which])
        translators.encoder_teaches(answer, ids, mask, params, list(upstream))


@check("encode", needs="sources_without_a_word", hint="0 is a number of steps, too: which loop or stack needs one?")
def an_empty_batch_of_words_has_its_shapes(answer):
    """For N = 0 the states have no place, and s_0 depends on the bias alone, in either format."""
    rng = seeded()
    for dtype in KINDS:
        params, V = translators.encoder_of(rng, (5, 2, 3, 4), dtype)
        states, first = read_encoded(answer, symbol_ids(rng, V, 3, 0), mask_of((0, 0, 0), 0), params)
        close(first, params["b"].tanh().repeat(3, 1), "s_0", *SOFT, same_dtype=True)
        close(states, params["b"].new_zeros(3, 0, 6), "the states", same_dtype=True)


# --- more of 5.3 -----------------------------------------------------------------------------------------------------


@check("decoder_step", weight=3, hint="Try one row, one unit, equal sizes, every word, float64, large embeddings.")
def other_decoders(answer):
    """Other sizes, in either format, which both results keep, with the parameters in another order."""
    rng = seeded()
    for sizes, batch, dtype in (
        ((5, 2, 1, 3), 1, KINDS[1]),
        ((4, 4, 4, 4), 4, KINDS[0]),
        ((9, 1, 3, 1), 6, KINDS[1]),
        ((5, 3, 2, 4), 1, KINDS[0]),
        ((6, 2, 3, 2), 4, LOUD),
    ):
        state, words, c, params = translators.step_given(rng, batch, sizes, dtype or KINDS[1])
        if dtype is LOUD:
            dtype, params["E"] = KINDS[1], 1e4 * params["E"]
        given = state, words, c, dict(reversed(params.items()))
        said, new = translators.read_step(answer(*given), given)
        right = translators.library_step(*given)
        close(new, right[1], "the new state", *PRECISION[dtype], same_dtype=True)
        close(said, right[0], "the logits", *PRECISION[dtype], same_dtype=True)


@check("decoder_step", hint="A step depends on what is given alone, in the same way for every word.")
def steps_in_a_row(answer):
    """Several steps, each from the state that the last one returned, give what torch's cell gives."""
    rng = seeded()
    state, _, c, params = translators.step_given(rng, 3, (6, 2, 4, 3))
    mine = theirs = state
    for _ in range(5):
        words = symbol_ids(rng, 6, 3)
        logits, mine = translators.read_step(answer(mine, words, c, params), (state, params))
        expected, theirs = translators.library_step(theirs, words, c, params)
        close(logits, expected, "the logits after several steps", *SOFT)
    close(mine, theirs, "the state after several steps", *SOFT)


# --- more of 5.4 -----------------------------------------------------------------------------------------------------


@agrees(
    "teacher_forced_loss", weight=3, hint="Try one row, one step, and states of all forms.", what="the loss", rtol=1e-4
)
def losses_of_other_batches(rng):
    """Other batches and decoders, with states of every form, one row and one step among them."""
    for batch, steps, form, dtype in (
        (1, 1, "tensor", KINDS[0]),
        (4, 6, "tuple", KINDS[1]),
        (5, 3, "dict", KINDS[0]),
        (1, 7, "tensor", KINDS[1]),
        (6, 1, "tuple", KINDS[0]),
    ):
        step, state = deciding.remembering(rng, batch, 8, form, dtype)
        mask = mask_of(lengths_of(rng, batch, steps), steps)
        read, said = (symbol_ids(rng, 7, batch, steps).add(1).where(mask, torch.tensor(0)) for _ in range(2))
        yield step, state, read, said, mask


@check(
    "teacher_forced_loss", hint="A row's words cost what they cost alone: is the mask that of the row, and of the step?"
)
def rows_of_a_batch_do_not_meet(answer):
    """The loss of a batch, whatever its order, is the mean of its rows' losses, each as often as it has words."""
    rng = seeded()
    table, lengths = numbers(rng, 7, 7, spread=3.0, dtype=KINDS[1]).log_softmax(1), lengths_of(rng, 5, 6)
    step, mask = deciding.fixed(table), mask_of(lengths, 6)
    read, said = (symbol_ids(rng, 6, 5, 6).add(1).where(mask, torch.tensor(0)) for _ in range(2))
    each = [-table[a[:n], b[:n]].sum() for a, b, n in zip(read, said, lengths, strict=True)]
    expected, order = sum(each) / sum(lengths), rng.sample(range(5), 5)
    close(answer(step, torch.zeros(5), read, said, mask), expected, "the loss of the batch")
    close(answer(step, torch.zeros(5), read[order], said[order], mask[order]), expected, "the loss in another order")
    wide = longer(read, 2, 0), longer(said, 2, 0), longer(mask, 2, False)
    close(answer(step, torch.zeros(5), *wide), expected, "the loss with more pads")


@check("teacher_forced_loss", hint="A word of probability nearly 0 costs much, and as much as its logarithm says.")
def improbable_words_cost_what_they_cost(answer):
    """Log probabilities of any size go into the mean as they are, and all other words may be impossible."""
    rng = seeded()
    table = torch.full((6, 6), -math.inf, dtype=KINDS[1])
    for word in range(6):
        table[word, (word + 1) % 6] = -rng.uniform(0, 900)
    read = symbol_ids(rng, 4, 3, 4) + 1
    said, mask = (read + 1) % 6, mask_of((4, 2, 1), 4)
    expected = -table[read, said][mask].mean()
    pads = torch.tensor(0)
    got = answer(deciding.fixed(table), torch.zeros(3), read.where(mask, pads), said.where(mask, pads), mask)
    close(got, expected, "the loss", same_dtype=True)


# --- more of 5.5 and 5.6 ---------------------------------------------------------------------------------------------


@agrees(
    "beam_search",
    weight=3,
    hint="Of all that goes on and all that has ended, the best; again and again.",
    what="the list",
    read=deciding.pairs_of,
)
def other_trees_and_widths(rng):
    """Other trees, widths, limits and marks, with states of every form, give the hypotheses that are kept."""
    for vocabulary, marks, width, limit, form in (
        (6, (2, 3), 2, 5, "tensor"),
        (9, (0, 1), 4, 4, "tuple"),
        (5, (4, 0), 3, 7, "dict"),
        (7, (6, 6), 5, 3, "tensor"),
        (3, (1, 2), 1, 6, "tuple"),
    ):
        tree = deciding.Tree(rng, vocabulary, *marks, form=form, closed_off=rng.choice([0.0, 0.3]))
        yield tree.step, tree.first, tree.begins, tree.ends, width, limit


@check("beam_search", weight=2, hint="Every hypothesis carries a state of its own: whose goes on with whose words?")
def each_hypothesis_goes_on_from_its_own_state(answer):
    """Where what is probable depends on all words before, each log probability is that of the hypothesis's words."""
    rng = seeded()
    for form in deciding.FORMS:
        tree = deciding.Tree(rng, 7, form=form, closed_off=0.2)
        for words, log_prob in tree.ask(answer, 6, 6):
            close(log_prob, tree.worth(words), "the log probability of a hypothesis")


@check("beam_search", hint="What is −∞ plus anything, and is it ever kept, where places are free?")
def what_is_impossible_is_never_kept(answer):
    """However wide the beam is, no hypothesis has a word that cannot come."""
    rng = seeded()
    tree = deciding.Tree(rng, 5, closed_off=0.8)
    for words, log_prob in tree.ask(answer, 300, 4):
        close(log_prob, tree.worth(words), "the log probability of a hypothesis")
        holds(math.isfinite(log_prob), "a hypothesis has the log probability −∞")


@check("beam_search", hint="Where two are as probable, what does your sorting compare next?")
def equal_ones_may_be_kept_either_way(answer):
    """Where all words are as probable, as many hypotheses come as may, each with its own log probability."""
    rng = seeded()
    for form in deciding.FORMS:
        even = torch.full((5,), -math.log(5), dtype=KINDS[1])
        tree = deciding.Tree(rng, 5, form=form, otherwise=even)
        found = tree.ask(answer, 4, 4)
        holds(len(found) == 4, "fewer hypotheses came than there are places")
        for words, log_prob in found:
            close(log_prob, tree.worth(words), "the log probability of a hypothesis")


@check("beam_search", hint="How many of those that are kept may come of one and the same beginning?")
def all_may_come_of_one_beginning(answer):
    """Where one beginning is by far the most probable, all places may go to what comes of it."""
    rng = seeded()
    for width in (2, 3, 4):
        likely = torch.tensor([0.01, 0.01, 0.01, 0.01, 0.96], dtype=KINDS[1]).log()
        after = torch.tensor([0.3, 0.25, 0.2, 0.15, 0.1], dtype=KINDS[1]).log()
        tree = deciding.Tree(rng, 5, known={(): likely, (4,): after})
        best = [[4, word] for word in range(width)]
        close([words for words, _ in tree.ask(answer, width, 2)], best, "the words of the hypotheses")


@agrees("best_hypothesis", weight=0.75, hint="Each log probability over its number of words to the power of alpha.")
def the_best_of_three_short_texts(rng):
    """Of three short texts the one comes that is best for its length."""
    for _ in range(20):
        lengths, alpha = rng.sample(range(1, 6), 3), rng.uniform(0.5, 1.0)
        yield [(sequences_of(rng, [n], 3, 99)[0], -rng.uniform(0.8, 1.2) * n**alpha) for n in lengths], alpha


@agrees("best_hypothesis", weight=2.75, hint="The end mark counts, and alpha is a power.", what="the words")
def the_best_of_other_hypotheses(rng):
    """Other hypotheses, one alone and many, with other powers."""
    for count, alpha in ((1, 0.5), (4, 0), (7, 0.6), (9, 1.0), (5, 2.5)):
        lengths = rng.sample(range(1, 30), count)
        yield [(sequences_of(rng, [n], 3, 99)[0], -rng.uniform(0.3, 0.5) * n**0.8) for n in lengths], alpha


@check(
    "best_hypothesis",
    weight=1.25,
    hint="With what is the first one compared, and does any number end up the same as another?",
)
def however_improbable_or_long(answer):
    """However improbable or long the texts are, the best comes, and where all are of probability 0, one of them."""
    rng = seeded()
    for far in (3e3, 1e7, 1e12):
        texts = [([word], -far * (1 + rng.random())) for word in rng.sample(range(3, 99), 4)]
        best = max(texts, key=lambda one: one[1])[0]
        impossible = [([5, 3], -math.inf), ([6, 3], -math.inf)]
        close(answer([impossible[0], *texts, impossible[1]], 1.0), best, "the words of the best")
    close(answer([([4] * 100, -2.0), ([5] * 250, -3.0)], 1.0), [5] * 250, "the words of the best of long texts")
    holds(answer(impossible, 0.6) in [words for words, _ in impossible], "none of the texts came, where all are equal")


@check("best_hypothesis", weight=1.25, hint="Where is the number of words counted, and from which list?")
def repeated_words_count_again(answer):
    """A text that repeats a word is as long as it is, and texts of one length are ranked by their probability."""
    rng = seeded()
    texts = [([5] * 8, -4.0), ([5, 6, 7], -2.0)]
    close(answer(texts, 1.0), [5] * 8, "the words of the best")
    same = [(sequences_of(rng, [5], 3, 9)[0], -rng.uniform(1, 9)) for _ in range(6)]
    close(answer([*same, ([9], 0.0)], 1.0), [9], "the words of the best, where one text is certain")
    for alpha in (0.0, 0.7, 3.0):
        close(answer(same, alpha), max(same, key=lambda one: one[1])[0], "the words of the best of one length")


# --- more of 5.7 and 5.8 ---------------------------------------------------------------------------------------------


@check("attention_scores", weight=3, hint="Try one row, one key, widths of 1, all sizes equal, and float64.")
def other_queries_and_keys(answer):
    """Other sizes, in either format, which the scores keep, with the parameters in another order."""
    rng = seeded()
    for kind in SCORES:
        free = kind in ("bilinear", "additive")
        for batch, places, widths, dtype in (
            (1, 1, (3, 2 if free else 3, 2), KINDS[1]),
            (4, 4, (4, 4, 4), KINDS[0]),
            (3, 1, (1, 1, 1), KINDS[1]),
            (1, 6, (4, 1 if free else 4, 2), KINDS[0]),
            (2, 5, (1, 4 if free else 1, 3), KINDS[1]),
        ):
            query = numbers(rng, batch, widths[0], spread=3.0, dtype=dtype)
            keys = numbers(rng, batch, places, widths[1], spread=3.0, dtype=dtype)
            params = dict(reversed(translators.score_of(rng, kind, widths, dtype).items()))
            got = floats(answer(query, keys, kind, params), (batch, places), "the scores")
            root = kind == "scaled" and dtype == torch.float64  # a root that was taken in float32 is right enough
            precision = (1e-6, 1e-9) if root else PRECISION[dtype]
            close(got, library_scores(query, keys, kind, params), "the scores", *precision, same_dtype=True)


@check("attention_scores", hint="No softmax, no mask, no tanh but that of the additive score.")
def loud_keys_have_loud_scores(answer):
    """Keys twice as loud have scores twice as large, but for the additive one, whose scores have a bound."""
    rng = seeded()
    for kind in SCORES:
        query, keys = numbers(rng, 3, 4, spread=40.0), numbers(rng, 3, 5, 4, spread=40.0)
        params = translators.score_of(rng, kind, (4, 4, 3))
        got = floats(answer(query, keys, kind, params), (3, 5), "the scores")
        twice = floats(answer(query, 2 * keys, kind, params), (3, 5), "the scores of louder keys")
        if kind == "additive":
            holds(bool((got.abs() <= params["u"].abs().sum() + 1e-4).all()), "an additive score is beyond its bound")
        else:
            close(twice, 2 * got, "the scores of keys twice as loud", 1e-3, 1e-2)
        order = rng.sample(range(5), 5)
        close(answer(query, keys[:, order], kind, params), got[:, order], "the scores in another order", *SOFT)


@check("attention_weights", weight=2, hint="Try one place, one row, as many rows as places, and float64.")
def weights_of_other_batches(answer):
    """Other sizes, in either format, which the weights keep, with loud numbers at the pads."""
    rng = seeded()
    for batch, places, dtype in (
        (1, 1, KINDS[1]),
        (5, 5, KINDS[0]),
        (7, 3, KINDS[1]),
        (1, 8, KINDS[0]),
        (4, 1, KINDS[0]),
    ):
        lengths = lengths_of(rng, batch, places)
        mask = mask_of(lengths, places)
        scores = numbers(rng, batch, places, spread=4.0, dtype=dtype)
        weights = floats(answer(disturbed(scores, mask, rng), mask), (batch, places), "the weights")
        close(weights, library_weights(scores, mask), "the weights", *PRECISION[dtype], same_dtype=True)
        translators.shares_of_real_places(weights, mask.clone())


@check("attention_weights", hint="Does a row's result depend on another row, or on how far up its scores lie?")
def rows_are_weighed_by_themselves(answer):
    """A number added to all scores of a row, far up or far down, leaves its weights and those of all others."""
    rng = seeded()
    scores, mask = numbers(rng, 4, 5, spread=2.0, dtype=KINDS[1]), mask_of((5, 2, 4, 3), 5)
    weights = floats(answer(scores, mask), (4, 5), "the weights")
    for far in (3000.0, -3000.0):
        moved = scores + far * torch.tensor([[1.0], [0.0], [-1.0], [2.0]], dtype=KINDS[1])
        close(answer(moved, mask), weights, "the weights, where rows lie far apart", *SOFT)
    order = rng.sample(range(4), 4)
    close(answer(scores[order], mask[order]), weights[order], "the weights of rows in another order", *SOFT)


@check("attention_weights", needs="scores_are_taught_and_pads_are_not", hint="A pad that holds no number sends back 0.")
def gradients_are_numbers_whatever_stands_at_pads(answer):
    """With infinities and NaN at the pads, in rows with and without a real place, the gradients are the same."""
    rng = seeded()
    scores, upstream = (numbers(rng, 4, 4, spread=2.0, dtype=KINDS[1]) for _ in range(2))
    mask = mask_of((3, 0, 4, 1), 4)
    clean = answer.gradients(scores, mask, upstream=upstream)["arguments"][0]
    for strange in (math.inf, -math.inf, math.nan, 1e30):
        given = scores.where(mask, torch.tensor(strange, dtype=KINDS[1]))
        got = answer.gradients(given, mask, upstream=upstream)["arguments"][0]
        close(got, clean, "the gradient by the scores", *SOFT)
        holds(bool((got[~mask] == 0).all()), "the gradient at a pad is not 0")


# --- more of 5.9 -----------------------------------------------------------------------------------------------------


@check("attention_step", weight=2, hint="Try one row, one word, sizes all equal, and float64.")
def other_steps_with_attention(answer):
    """Other sizes, in either format, which all four results keep, with other keys at the pads."""
    rng = seeded()
    for sizes, places, batch, dtype in (
        ((5, 2, 3, 4), 1, 1, KINDS[1]),
        ((4, 4, 4, 4), 4, 4, KINDS[0]),
        ((6, 1, 1, 1), 5, 3, KINDS[1]),
        ((5, 3, 2, 6), 7, 1, KINDS[0]),
    ):
        state, words, _, params = translators.step_given(rng, batch, sizes, dtype)
        params["score"] = translators.score_of(rng, "additive", (sizes[2], sizes[3], 3), dtype)
        keys = numbers(rng, batch, places, sizes[3], spread=2.0, dtype=dtype)
        lengths = lengths_of(rng, batch, places)
        mask = mask_of(lengths, places)
        got = translators.parts_of(answer(state, words, disturbed(keys, mask, rng), mask, params), 4)
        expected = translators.library_attention_step(state, words, keys, mask, params)
        for mine, theirs, name in zip(got, expected, ("logits", "new state", "c", "weights"), strict=True):
            close(mine, theirs, f"the {name}", *PRECISION[dtype], same_dtype=True)


@check("attention_step", hint="Which of the results depend on the words that are read, and which cannot?")
def the_word_that_is_read_does_not_ask(answer):
    """Other words change logits and state, and leave c and the weights as they are: the state before asked."""
    rng = seeded()
    state, words, _, params = translators.step_given(rng, 3, (6, 3, 4, 2))
    params["score"] = translators.score_of(rng, "additive", (4, 2, 3))
    given = numbers(rng, 3, 5, 2, spread=2.0), mask_of((5, 3, 1), 5), params
    one = translators.parts_of(answer(state, words, *given), 4)
    other = translators.parts_of(answer(state, (words + 1) % 6, *given), 4)
    close(other[2:], one[2:], "c and the weights, where other words are read", *SOFT)
    new = [floats(four[1], (3, 4), "the new state") for four in (one, other)]
    holds(all(bool(state.isfinite().all()) for state in new), "a new state is not a finite number")
    holds(bool((new[0] - new[1]).abs().amax(1).min() > 1e-4), "another word leaves a new state as it is")


# --- more of 5.10 ----------------------------------------------------------------------------------------------------


@check("broken_parts", weight=2, hint="Try other sizes: are your ids those of this vocabulary, your rows as wide?")
def parts_of_other_sizes(answer):
    """Other sizes, widths of one among them: what is broken is named, and what is sound is not."""
    rng = seeded()
    for V, U, S, K in ((8, 8, 1, 2), (40, 9, 4, 4), (9, 30, 2, 6)):
        sizes = {"V": V, "U": U, "S": S, "K": K}
        sound = rng.choice(list(broken.SOUND_WRITES.values())), rng.choice(list(broken.SOUND_STEPS.values()))
        write, step = rng.choice(list(broken.BROKEN_WRITES.values())), rng.choice(list(broken.BROKEN_STEPS.values()))
        broken.finds(answer, sound[0], sound[1], sizes, [], "other parts", shown=False)
        broken.finds(answer, write, sound[1], sizes, ["write"], "other parts", shown=False)
        broken.finds(answer, sound[0], step, sizes, ["step"], "other parts", shown=False)
        broken.finds(answer, write, step, sizes, ["write", "step"], "other parts", shown=False)


@check("broken_parts", hint="A step may do what it likes with everything but the context that it hands on.")
def what_is_strange_is_not_broken(answer):
    """A net that says nothing, or always the same, is sound, and so is a step that hands its context on: no other."""
    for write in broken.SOUND_WRITES.values():
        for carry in broken.SOUND_STEPS.values():
            broken.finds(answer, write, carry, {"V": 20, "U": 11, "S": 3, "K": 7}, [], "strange parts", shown=False)
        faded = broken.BROKEN_STEPS["a context that fades"]
        broken.finds(answer, write, faded, {"V": 20, "U": 11, "S": 3, "K": 7}, ["step"], "strange parts", shown=False)
