"""The hidden checks of unit 4: batches with pads, both directions, a path of tags, spans, and pooled states.

The properties of `unrolled.checks.tagging` on other inputs, drawn anew from each seed and compared with torch's own
nets, with the source's solution (`agrees`) or with a small reference here, and the cases that students forget. Their
sentences are shown with the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import torch
import torch.nn.functional as F
import unrolled.checks.tagging  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats, pair
from unrolled.checks.helpers import batches, parts, paths, pooled, told
from unrolled.checks.helpers.batches import disturbed, lengths_of, longer, mask_of
from unrolled.checks.helpers.recurrent import FLOAT32, numbers, symbol_ids

from autograder.judging.agreeing import agrees

PRECISION = {torch.float32: FLOAT32, torch.float64: (1e-10, 1e-12)}  # rtol and atol that a right answer keeps
KINDS = (torch.float32, torch.float64)


# --- more of 4.1 -----------------------------------------------------------------------------------------------------


def best_score(start, transition, emission):
    """The best log probability of all paths, by the table of the text, in float64."""
    scores = start.double() + emission[0].double()
    for row in emission[1:].double():
        scores = (scores.unsqueeze(1) + transition.double()).amax(0) + row
    return scores.max().item()


@check("viterbi", weight=2, hint="Write the table of best scores for three words: which tag before gave each?")
def no_path_is_better_in_short_sentences(answer):
    """In sentences of a few words and three tags no path is better than the one that comes."""
    rng = seeded()
    for steps in (3, 4, 5, 6):
        given = paths.hmm_of(rng, steps, 3)
        paths.no_better_path(answer, given, best_score(*given))


@check("viterbi", weight=2.75, hint="Try one tag alone, and many; a sentence of one word, and a long one.")
def other_sentences_and_tags(answer):
    """Other numbers of words and of tags, in either format: no path is better than the one that comes."""
    rng = seeded()
    for steps, tags, dtype in (
        (1, 1, KINDS[0]),
        (9, 1, KINDS[0]),
        (1, 6, KINDS[1]),
        (30, 17, KINDS[0]),
        (60, 5, KINDS[1]),
    ):
        given = paths.hmm_of(rng, steps, tags, dtype)
        paths.no_better_path(answer, given, best_score(*given))


@agrees("viterbi", weight=0.25, needs="no_path_is_better_in_short_sentences", hint="How many tags have no words?")
def no_words_have_no_path(rng):
    """Without a word there is no tag, however many there are to choose from."""
    start, transition, emission = paths.hmm_of(rng, 1, rng.randint(2, 6))
    return start, transition, emission[:0]


@check("viterbi", weight=0.25, hint="Sums go far below −1000: no exp, no product, and nothing that stands for −∞.")
def very_improbable_sentences_have_their_path(answer):
    """Where a tag is by far the likelier at first, and by far the less likely in the end, no path is better."""
    far = seeded().uniform(900, 1100)
    start, transition = torch.tensor([0.0, -far]), -3 * far * (1 - torch.eye(2))
    given = start, transition, torch.tensor([[0.0, 0.0], [-1.0, -1.0], [-2 * far, 0.0]])
    paths.no_better_path(answer, given, best_score(*given), 1e-6)


@check("viterbi", weight=1.25, needs="rows_come_before_columns", hint="Of the paths that are left, is yours the best?")
def what_is_impossible_is_not_taken(answer):
    """Where starts, steps and words have the probability 0 here and there, the path goes round all of them."""
    rng = seeded()
    for steps, tags in ((6, 4), (12, 5), (4, 3)):
        start, transition, emission = paths.hmm_of(rng, steps, tags)
        possible = [rng.randrange(tags) for _ in range(steps)]
        for table, kept in ((start, [possible[0]]), (transition, list(zip(possible, possible[1:], strict=False)))):
            cut = numbers(rng, *table.shape) > 0.2
            for place in kept:
                cut[place] = False
            table[cut] = -torch.inf
        for t, tag in enumerate(possible):
            cut = numbers(rng, tags) > 0.4
            cut[tag] = False
            emission[t, cut] = -torch.inf
        given = start, transition, emission
        paths.no_better_path(answer, given, best_score(*given))


@check(
    "viterbi",
    weight=1.25,
    needs="no_path_is_better",
    hint="What is less by as much for all tags decides nothing. In which type are the sums?",
)
def a_sum_more_at_every_word_changes_no_path(answer):
    """With a number more for every tag of a word, even far below 0, the best path is the same, if only by a little."""
    rng = seeded()
    for spread in (2.0, 1e-4):
        start, transition, emission = paths.hmm_of(rng, 8, 4, torch.float64, spread)
        given = start, transition, emission - 1000 * torch.arange(8.0, dtype=torch.float64)[:, None]
        paths.no_better_path(answer, given, best_score(*given), 0, 1e-8)


# --- more of 4.2 -----------------------------------------------------------------------------------------------------


def table_of(rng, words, width, dtype):
    """Vectors for some words, in a random order."""
    return {word: numbers(rng, width, dtype=dtype) for word in rng.sample(words, len(words))}


@agrees(
    "embedding_matrix",
    weight=3.75,
    hint="For each word: as it stands, in small letters, or the mean.",
    what="the matrix",
)
def words_with_and_without_vectors(rng):
    """Words as they stand in the table, with a capital, and unknown ones have their rows."""
    table = table_of(rng, ["us", "US", *rng.sample(["sea", "boat", "Naxos", "oar"], 3)], 3, KINDS[0])
    words = ["us", "US", "Us", "sea", "Sea", "boat", "BOAT", "naxos", "Naxos", "oar", "Oar", "fjord"]
    return ["<pad>", *rng.sample(2 * words, 2 * len(words))], table


SPELLINGS = "cook Cook COOK sea Sea ferry Noon noon at At a A".split()  # noqa: SIM905


@agrees(
    "embedding_matrix",
    weight=3.5,
    hint="Exact, else .lower(), else the table's mean; row 0 zeros.",
    what="the matrix",
)
def other_words_and_tables(rng):
    """Other words and tables, in either format, the words of the table in any order."""
    for width, dtype in ((1, torch.float32), (3, torch.float64), (5, torch.float32)):
        table = table_of(rng, rng.sample(SPELLINGS, 6), width, dtype)
        yield ["<pad>", "<unk>", *rng.choices(SPELLINGS, k=9), "unheard-of"], table
        yield ["<pad>"], table
        yield ["<pad>", "NOON", "Noon"], {"noon": numbers(rng, width, dtype=dtype)}
        yield ["<pad>", "Straße", "STRASSE", "straße"], table_of(rng, ["strasse", "sea"], width, dtype)
        yield ["At", "At", "a", "<unk>"], table_of(rng, ["At", "A"], width, dtype)


@agrees("embedding_matrix", weight=0.75, hint="Of the first word nothing but its place counts.", what="the matrix")
def the_first_word_may_be_any(rng):
    """Row 0 is zeros though the table has a vector for its word, which counts in the mean and wherever it stands."""
    first, other = rng.sample(SPELLINGS, 2)
    return [first, other, "fjord", first], table_of(rng, [first, other, "whale"], 3, KINDS[0])


@check("embedding_matrix", weight=0.75, hint="A new tensor without dtype= is float32: what type have the vectors?")
def the_type_is_the_tables(answer):
    """The matrix has the type of the vectors, be it float32 or float64."""
    for dtype in KINDS:
        table = table_of(seeded(), SPELLINGS[:4], 3, dtype)
        expected = torch.stack([torch.zeros(3, dtype=dtype), table["Cook"], table["COOK"]])
        close(answer(["<pad>", "Cook", "COOK"], table), expected, "the matrix", same_dtype=True)


@check(
    "embedding_matrix",
    weight=1.75,
    hint="Exact, lower case, the mean: is a vector of zeros taken for none at any of these?",
)
def a_word_whose_vector_is_zero_is_known(answer):
    """A word that the table has a vector of zeros for keeps it, under its own spelling and by way of the small one."""
    table = {"nil": torch.zeros(3), "Nil": torch.ones(3), "one": torch.full((3,), 4.0)}
    expected = torch.stack([torch.zeros(3), torch.zeros(3), torch.ones(3), torch.zeros(3), table["one"]])
    close(answer(["", "nil", "Nil", "NIL", "ONE"], table), expected, "the matrix")


# --- more of 4.3 -----------------------------------------------------------------------------------------------------


@agrees(
    "pad_batch",
    weight=2.5,
    hint="The longest gives the width: what stands behind the others?",
    read=lambda got: pair(got, "ids and mask"),
)
def a_few_sequences_are_filled_up(rng):
    """Sequences of several lengths are filled up with the pad, and the mask tells which ids are real."""
    sequences = batches.sequences_of(rng, [9, *rng.sample(range(1, 9), 4)], 0, 3)
    return sequences, rng.randint(0, 3)


@agrees(
    "pad_batch",
    weight=3.5,
    hint="Try one sequence, equal ones, empty ones, and numbers that no float holds.",
    what="ids and mask",
    rtol=0,
    atol=0,
    read=lambda got: tuple(pair(got, "ids and mask")),
)
def other_sequences_and_pads(rng):
    """Other sequences and pads, equal, negative and large ones among them."""
    for batch, steps, pad in ((1, 4, 0), (6, 9, -100), (3, 4, 10**12), (5, 5, 3), (2, 12, -1)):
        yield batches.sequences_of(rng, [rng.randint(0, steps) for _ in range(batch)], -3, 2**40 * (pad > 9) + 9), pad
    one, other = batches.sequences_of(rng, (4, 2))
    yield ([one, other, one, [], other, []],)


@check("pad_batch", weight=1.5, hint="Does a row depend on the rows around it in more than the number of its pads?")
def rows_keep_their_order(answer):
    """The sequences in another order give the rows in that order."""
    rng = seeded()
    sequences = batches.sequences_of(rng, [rng.randint(0, 6) for _ in range(5)] + [6])
    order = rng.sample(range(6), 6)
    ids, mask = batches.read_batch(answer(sequences, 4), 6, 6)
    again = pair(answer([sequences[n] for n in order], 4), "ids and mask")
    close(tuple(again), (ids[order], mask[order]), "ids and mask in another order")


# --- more of 4.4 and 4.5 ---------------------------------------------------------------------------------------------


def batch_of_tags(rng, batch, steps, tags, dtype=torch.float32):
    """Logits, targets that are no class at the pads, and the mask."""
    mask = mask_of(lengths_of(rng, batch, steps), steps)
    nowhere = torch.tensor(rng.choice([-1, tags, 10**6, -(2**31)]))
    logits = disturbed(numbers(rng, batch, steps, tags, spread=4.0, dtype=dtype), mask, rng)
    return logits, symbol_ids(rng, tags, batch, steps).where(mask, nowhere), mask


@agrees(
    "masked_cross_entropy",
    weight=2,
    hint="Try one tag alone, one word alone, words of tag 0, and float64.",
    what="the loss",
    rtol=1e-4,
)
def losses_of_other_batches(rng):
    """Other sizes, in either format, one tag alone and one word alone among them."""
    for batch, steps, tags, dtype in (
        (1, 1, 5, KINDS[0]),
        (3, 4, 1, KINDS[1]),
        (7, 9, 17, KINDS[0]),
        (2, 6, 3, KINDS[1]),
    ):
        yield batch_of_tags(rng, batch, steps, tags, dtype)


@check("masked_cross_entropy", hint="0 times −∞ is nan, and no number is below all logits: is −∞ left as it is?")
def impossible_tags_cost_nothing(answer):
    """Where a tag has the logit −∞, at pads even their target, the loss is that of the tags that are left."""
    rng = seeded()
    for lower, dtype in ((0.0, KINDS[0]), (3e4, KINDS[1])):  # also than what may be put in the place of −∞
        logits, targets, mask = batch_of_tags(rng, 3, 4, 5, dtype)
        fewer, four = logits - lower, (targets % 4).where(mask, targets if lower else torch.tensor(4))
        fewer[..., 4] = -torch.inf
        expected = F.cross_entropy(fewer[..., :4][mask], four[mask])
        got = answer(fewer, four, mask)
        close(got, expected, "the loss", *FLOAT32, hint=pooled.of_tag_0(got, fewer, four, mask))


@check("masked_cross_entropy", needs="the_gradient_is_zero_at_the_pads_alone", hint="Does anything come back by a pad?")
def training_never_sees_a_pad(answer):
    """With other logits at the pads the gradients are the same, and the result keeps the logits' type."""
    rng = seeded()
    for dtype in KINDS:
        logits, targets, mask = batch_of_tags(rng, 3, 5, 4, dtype)
        other = disturbed(logits, mask, rng)
        first, second = (answer.gradients(given, targets, mask) for given in (logits, other))
        close(second["arguments"][0], first["arguments"][0], "the gradient by the logits", *FLOAT32, same_dtype=True)
        expected = (logits.softmax(-1) - F.one_hot(targets.where(mask, torch.tensor(0)), 4)) / mask.sum()
        real, what = first["arguments"][0][mask], "the gradient by real logits"
        hint = told.of_type(real, expected[mask], PRECISION[dtype]) or "By a real word it is (ŷ − one-hot) / N."
        close(real, expected[mask], what, *PRECISION[dtype], hint=hint)
        loss = floats(first["output"], (), "the loss")
        close(loss, loss.to(dtype), "the loss", same_dtype=True, hint="In which type do the logits come?")


@agrees(
    "tag_accuracy", weight=2, hint="Words that are right among the real ones, over the real ones.", what="the accuracy"
)
def accuracies_of_other_batches(rng):
    """Other batches, of one word and of many, with other numbers at the pads."""
    for batch, steps, tags in ((1, 1, 2), (5, 8, 3), (4, 3, 17), (2, 30, 2)):
        mask = mask_of(lengths_of(rng, batch, steps), steps)
        gold, predicted = symbol_ids(rng, tags, batch, steps), symbol_ids(rng, tags, batch, steps)
        yield predicted.where(mask, torch.tensor(-1)), gold.where(mask, torch.tensor(rng.choice([-1, 0, 7]))), mask


@check("tag_accuracy", hint="Which axis does your mean run over, and which numbers does it hold?")
def order_and_padding_change_no_accuracy(answer):
    """The sentences in another order, and more pads behind them, have the same accuracy."""
    rng = seeded()
    mask, gold = mask_of(lengths_of(rng, 5, 6), 6), symbol_ids(rng, 3, 5, 6)
    predicted = gold.where(numbers(rng, 5, 6) > -0.4, (gold + 1) % 3)
    share = ((predicted == gold) & mask).sum().item() / mask.sum().item()
    close(answer(predicted, gold, mask), share, "the accuracy")
    order = rng.sample(range(5), 5)
    close(answer(predicted[order], gold[order], mask[order]), share, "the accuracy in another order")
    more = longer(predicted, 4, 1), longer(gold, 4, 1), longer(mask, 4, False)
    close(answer(*more), share, "the accuracy with more pads")


# --- more of 4.6 -----------------------------------------------------------------------------------------------------


@check("bidirectional_forward", weight=3, hint="Try one layer and three, one step, one unit, and sizes all equal.")
def other_nets_and_batches(answer):
    """Other sizes, in either format, with names in any order and other numbers at the pads."""
    rng = seeded()
    for depth, batch, steps, width, hidden, dtype in (
        (1, 1, 1, 2, 1, KINDS[1]),
        (3, 4, 7, 2, 3, KINDS[0]),
        (2, 4, 4, 4, 4, KINDS[1]),
        (1, 5, 12, 3, 2, KINDS[0]),
    ):
        mask = mask_of(lengths_of(rng, batch, steps), steps)
        x, layers = numbers(rng, batch, steps, width, dtype=dtype), batches.both_ways(rng, width, hidden, depth, dtype)
        got = answer(disturbed(x, mask, rng), mask, batches.turned_round(layers))
        batches.same_outputs(got, x, mask, layers, "the outputs", PRECISION[dtype])


@check("bidirectional_forward", hint="Each row of the batch is a sentence of its own.")
def the_order_of_the_batch_is_of_no_matter(answer):
    """The rows in another order have the outputs in that order, and each alone has the same."""
    rng = seeded()
    x, layers, mask = numbers(rng, 5, 6, 3), batches.both_ways(rng, 3, 2, 2), mask_of(lengths_of(rng, 5, 6), 6)
    got, order = floats(answer(x, mask, layers), (5, 6, 4), "the outputs"), rng.sample(range(5), 5)
    close(answer(x[order], mask[order], layers), got[order], "the outputs in another order", *FLOAT32)
    for row, length in enumerate(mask.sum(1).tolist()):
        alone = answer(x[row : row + 1, :length], mask[row : row + 1, :length], layers)
        close(alone, got[row : row + 1, :length], "the outputs of a row alone", *FLOAT32)
    holds(bool((got[mask].abs() < 1).all()), "an output is 1 or larger, which no tanh is")


@check("bidirectional_forward", needs="gradients_come_back_from_both_directions", hint="Which numbers take part?")
def nothing_is_learnt_from_pads(answer):
    """The gradients by x are 0 at the pads, those by the parameters of one layer and of three are torch's."""
    rng = seeded()
    for dtype, depth in zip(KINDS, (1, 3), strict=True):
        layers, mask = batches.both_ways(rng, 3, 2, depth, dtype), mask_of(lengths_of(rng, 3, 4), 4)
        x, upstream = numbers(rng, 3, 4, 3, dtype=dtype), numbers(rng, 3, 4, 4, dtype=dtype)
        batches.same_gradients(answer, disturbed(x, mask, rng), mask, layers, upstream, 1e-3, 1e-4)


# --- more of 4.7 -----------------------------------------------------------------------------------------------------


def tags_of(rng, length, kinds):
    """Random BIO tags, stray ones among them."""
    return [rng.choice(["O", "B-" + rng.choice(kinds), "I-" + rng.choice(kinds)]) for _ in range(length)]


@agrees("span_scores", weight=5.25, hint="List the spans of both on paper: begin, end and type.", what="the three")
def scores_of_two_types(rng):
    """Sentences with spans of two types, of which some are predicted as they are and some are not."""
    for _ in range(4):
        gold = [["O", *tags_of(rng, rng.randint(1, 9), "xy")] for _ in range(12)]
        yield gold, [tags if rng.random() < 0.5 else ["O", *tags_of(rng, len(tags) - 1, "xy")] for tags in gold]
    inside = rng.randint(0, 3)
    yield [["B-x", *["I-x"] * inside, "B-x"]], [["B-y", *["I-y"] * inside, "B-y"]]


@agrees("span_scores", weight=0.75, hint="What is 0 divided by 0 here?", what="the three")
def where_nothing_was_there_or_predicted(rng):
    """Where no span is there, or none was predicted, what cannot be divided is zero."""
    tags, nothing = ["B-x", *tags_of(rng, 5, "xy")], ["O"] * 6
    yield from (([tags], [nothing]), ([nothing], [tags]), ([nothing], [nothing]))


@agrees(
    "span_scores",
    weight=4.25,
    hint="Try stray I- tags, neighbours, and spans at both ends of a sentence.",
    what="the three",
)
def scores_of_other_sentences(rng):
    """Other sentences and types, of any tags in any order, some predicted right and some not."""
    for kinds in (["x"], ["x", "y"], ["time-range", "time", "party_size"], ["O", "B", "I-O"]):
        gold = [tags_of(rng, rng.randint(1, 9), kinds) for _ in range(12)]
        yield gold, [tags if rng.random() < 0.5 else tags_of(rng, len(tags), kinds) for tags in gold]


@check("span_scores", weight=1.75, hint="Count over all sentences first and divide once, at the end.")
def long_sentences_weigh_more(answer):
    """A sentence of many spans and one of a single span: all spans count alike, not all sentences."""
    many, one = ["B-a", "O"] * 9, ["B-a"]
    close(answer([many, one], [many, ["O"]]), (1.0, 0.9, 18 / 19), "the three")
    close(answer([many, one, []], [["O"] * 18, one, []]), (1.0, 0.1, 2 / 11), "the three")


@check(
    "span_scores",
    weight=1.75,
    needs="where_one_span_ends_and_another_begins",
    hint="A type is all that stands behind the first hyphen.",
)
def types_may_have_hyphens(answer):
    """A type that has hyphens of its own is one type, told from others that begin or end alike."""
    gold = [["B-time-range", "I-time-range", "O", "B-time"]]
    close(answer(gold, gold), (1.0, 1.0, 1.0), "the three")
    close(answer(gold, [["B-time", "I-time", "O", "B-time"]]), (0.5, 0.5, 0.5), "the three")
    close(answer(gold, [["B-time-range", "I-range", "O", "B-time"]]), (1 / 3, 0.5, 0.4), "the three")


# --- more of 4.8 and 4.9 ---------------------------------------------------------------------------------------------


@check("masked_mean", weight=2, hint="Try one step, one unit, sizes all equal, and float64.")
def means_of_other_batches(answer):
    """Other sizes, in either format, which the means keep, with other numbers at the pads, and states of zeros."""
    rng = seeded()
    for batch, steps, hidden, dtype in (
        (1, 1, 4, KINDS[1]),
        (4, 4, 4, KINDS[0]),
        (6, 9, 1, KINDS[1]),
        (3, 2, 5, KINDS[0]),
    ):
        lengths = lengths_of(rng, batch, steps)
        states, mask = numbers(rng, batch, steps, hidden, spread=3.0, dtype=dtype), mask_of(lengths, steps)
        states[:, 0] = 0  # a real one
        expected = torch.stack([row[:length].mean(0) for row, length in zip(states, lengths, strict=True)])
        close(answer(disturbed(states, mask, rng), mask), expected, "the means", *PRECISION[dtype], same_dtype=True)


@check("masked_mean", needs="a_row_without_a_real_step_has_zeros", hint="A mean gives each of its n steps 1/n.")
def each_real_step_has_its_share_of_the_gradient(answer):
    """By each real step the gradient is the upstream one over the number of real steps, by each pad it is 0."""
    rng = seeded()
    lengths = [*lengths_of(rng, 4, 6), 0]
    states, mask, upstream = numbers(rng, 5, 6, 3), mask_of(lengths, 6), numbers(rng, 5, 3)
    expected = torch.zeros(5, 6, 3)
    for row, length in enumerate(lengths):
        expected[row, :length] = upstream[row] / max(length, 1)
    got = answer.gradients(states, mask, upstream=upstream)["arguments"]
    close(got[0], expected, "the gradient by each state", *FLOAT32)


@check("attention_pool", weight=2, hint="Try one step, one unit, sizes all equal, and float64.")
def questions_to_other_batches(answer):
    """Other sizes, in either format, which the result keeps, with loud numbers at the pads, and a loud question."""
    rng = seeded()
    sizes = (1, 1, 3, 0), (3, 1, 2, 1), (1, 4, 3, 0), (4, 4, 4, 0), (5, 8, 1, 1), (3, 5, 6, 0)
    for batch, steps, hidden, kind in sizes:
        asked_well(answer, rng, batch, steps, hidden, KINDS[kind])
    asked_well(answer, rng, 3, 4, 2, KINDS[1], loud=4000.0)


def asked_well(answer, rng, batch, steps, hidden, dtype, loud=1.0):
    """Hold an answer to torch's attention; numbers at the pads are a million, those of the question `loud`."""
    mask = mask_of(lengths_of(rng, batch, steps), steps)
    states, query = numbers(rng, batch, steps, hidden, dtype=dtype), numbers(rng, hidden, spread=2.0, dtype=dtype)
    given = 2e4 * disturbed(states, mask, rng)
    query = query * loud
    got, shares = pooled.read_pooled(answer(states.where(mask[..., None], given), mask, query), batch, steps, hidden)
    pooled.pooled_are(got, pooled.library_attention(states, mask, query), "the pooled states", PRECISION[dtype])
    close(shares, shares.to(dtype), "the weights", same_dtype=True, hint=told.IN_TYPE)
    pooled.weights_are_shares(shares, mask, loud > 1)


@check("attention_pool", hint="A weighted sum has no order, and a score is one step's own.")
def steps_in_another_order_keep_their_weights(answer):
    """With the real steps in another order the weights are in that order, and the pooled state is the same."""
    rng = seeded()
    states, mask, query = numbers(rng, 3, 6, 4, spread=2.0), mask_of((6, 6, 6), 6), numbers(rng, 4)
    order = rng.sample(range(6), 6)
    result, weights = pooled.read_pooled(answer(states, mask, query), 3, 6, 4)
    again, moved = pooled.read_pooled(answer(states[:, order], mask, query), 3, 6, 4)
    close(moved, weights[:, order], "the weights of the steps in another order", *FLOAT32)
    close(again, result, "the pooled state of the steps in another order", *FLOAT32)
    holds(bool((weights.amax(1) - weights.amin(1)).min() > 1e-3), "all steps of a row have the same weight")


@check("attention_pool", needs="the_question_can_be_learnt", hint="The weights are an output, too: are they cut off?")
def weights_send_their_gradient_back(answer):
    """A loss on the weights alone has the gradients of a softmax over the real steps, and none by a pad."""
    rng = seeded()
    states, query = numbers(rng, 2, 4, 3, dtype=torch.float64), numbers(rng, 3, dtype=torch.float64)
    mask, upstream = mask_of((4, 2), 4), numbers(rng, 2, 4, dtype=torch.float64)
    weights = (states @ query).where(mask, torch.tensor(-1e9, dtype=torch.float64)).softmax(1)
    by_score = weights * (upstream - (weights * upstream).sum(1, keepdim=True))
    none = torch.zeros(2, 3, dtype=torch.float64)
    by_query = torch.einsum("bt,bth->h", by_score, states)
    got = answer.gradients(states, mask, query, upstream=[none, upstream])["arguments"]
    for mine, theirs, what in ((got[0], by_score[..., None] * query, "states"), (got[2], by_query, "question")):
        hint = told.of_type(mine, theirs, PRECISION[theirs.dtype])
        close(mine, theirs, f"the gradient by the {what}", *PRECISION[theirs.dtype], hint=hint)


# --- more of 4.10 ----------------------------------------------------------------------------------------------------


@check("leaking_parts", weight=2, hint="Try one number wide, and many; is what you draw loud enough?")
def parts_of_other_sizes(answer):
    """Other sizes, one number wide among them: what leaks is named, and what is sound is not."""
    rng = seeded()
    for sizes in ((1, 2), (6, 4), (2, 9)):
        sound, leaky = parts.readers(rng, *sizes)
        for read, one in ((sound, []), (leaky[rng.choice(list(leaky))], ["read"])):
            pool = parts.POOLS[rng.choice(list(parts.POOLS))]
            parts.finds(answer, read, pool, sizes, one, "other parts", shown=False)
            for name in rng.sample(list(parts.LEAKY_POOLS), 2):
                parts.finds(answer, read, parts.LEAKY_POOLS[name], sizes, [*one, "pool"], "other parts", shown=False)


@check("leaking_parts", hint="Two ways of adding the same numbers differ in the last bits.")
def rounding_is_no_leak(answer):
    """A part whose numbers differ in the last bits, as when sums are taken in another order, is sound."""
    rng = seeded()
    sound, _ = parts.readers(rng, 3, 5)
    for one in (sound, parts.blurred(sound)):
        for pool in (parts.POOLS["the mean"], parts.blurred(parts.POOLS["the mean"])):
            parts.finds(answer, one, pool, (3, 5), [], "parts that round", shown=False)
    leaky = parts.blurred(parts.LEAKY_POOLS["the mean over all T places"])
    parts.finds(
        answer, parts.blurred(sound), leaky, (3, 5), ["pool"], "parts that round, one of which leaks", shown=False
    )


@check("leaking_parts", hint="Which places of the states are compared?")
def what_read_leaves_at_the_pads_is_no_leak(answer):
    """A net whose states at the pads are not zeros, but whose real ones see no pad, is sound."""
    sound, _ = parts.readers(seeded(), 4, 3)
    parts.finds(
        answer, parts.careless_at_pads(sound), parts.POOLS["the largest"], (4, 3), [], "states at the pads", shown=False
    )
    leaky = parts.LEAKY_POOLS["the largest, pads as zeros"]
    parts.finds(answer, parts.careless_at_pads(sound), leaky, (4, 3), ["pool"], "states at the pads", shown=False)
