"""The public checks of unit 4: batches with pads, both directions, a path of tags, spans, and pooled states.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own nets with the weights copied in. The property that all exercises about batches share:
what stands at a pad, and how many pads there are, is of no matter. What answers are given and compared with is in
`unrolled.checks.helpers`: `batches`, `paths`, `pooled`, `spans`, and `parts` for 4.10.

Left out on purpose: speed, and what the answer looks like inside.
"""

import math

import torch

from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import batches, parts, paths, pooled, spans
from unrolled.checks.helpers.batches import SOFT, disturbed, lengths_of, mask_of, read_batch
from unrolled.checks.helpers.pooled import loss_is, read_pooled
from unrolled.checks.helpers.recurrent import close_in_type, exact, numbers, symbol_ids
from unrolled.experiments.tagging import reports
from unrolled.experiments.tagging.baselines import HiddenMarkov

forbid("viterbi", HiddenMarkov.tag)
forbid("bidirectional_forward", *batches.RNN_OF_THE_LIBRARY)
forbid("span_scores", reports)
forbid("pad_batch", torch.nn.utils.rnn.pad_sequence, torch._C._nn.pad_sequence)

LN2, LN3 = math.log(2), math.log(3)


@check("viterbi", weight=2, hint="Write the table of best scores, a row a word: which tag before each gave it?")
def cooks_taste_fish_by_hand(answer):
    """Of the eight paths for three words and two tags, worked out in the text, noun, verb, noun comes: [0, 1, 0]."""
    close(answer(*paths.COOKS), [0, 1, 0], "the path")


@check("viterbi", hint="transition[i, j] is from tag i to tag j. Over which of the two axes is the maximum taken?")
def rows_come_before_columns(answer):
    """Where each tag allows one follower only, a ring of three tags, the path goes round in that direction."""
    paths.goes_round(answer)


@check("viterbi", weight=3, hint="Keep, for each tag, the best path that ends in it; choose among them at the end.")
def no_path_is_better(answer):
    """For small sentences and few tags, none of all K^T paths has a higher probability than the one that comes."""
    rng = seeded()
    for steps, tags, spread in ((2, 2, 2.0), (3, 3, 2.0), (5, 3, 0.3), (4, 4, 0.3), (6, 2, 2.0), (6, 3, 0.3)):
        given = paths.hmm_of(rng, steps, tags, spread=spread)
        paths.no_better_path(answer, given, paths.best_of_all(*given))


@check("viterbi", hint="The likeliest first tag is a trap here: only the last word shows it.")
def a_late_word_changes_an_early_tag(answer):
    """Two sentences that differ in their last word alone have different first tags."""
    for last, expected in (([0.9, 0.1], [0, 0, 0]), ([0.01, 0.9], [1, 1, 1])):
        close(answer(*paths.ending_in(last)), expected, "the path")


@check(
    "viterbi",
    weight=2,
    needs="rows_come_before_columns",
    hint="Is it one path that you look for, or what all paths to a tag have together?",
)
def one_path_beats_two_that_meet(answer):
    """One path of probability 4/10 comes, though two of 3/10 each meet at the second word, in another tag."""
    close(answer(*paths.ONE_AGAINST_TWO), [0, 0, 2], "the path")


@check(
    "viterbi",
    needs="rows_come_before_columns",
    hint="Sums go far below −1000: no exp, no product, and no number that stands for −∞.",
)
def long_sentences_do_not_underflow(answer):
    """For 300 words, each of a probability of e^−40 or less, and where the best path begins with e^−1000, it comes."""
    given, expected = paths.long_sentence()
    close(answer(*given), expected, "the path")
    late = "At the first word the other tag is e^1000 times likelier, and loses in the end: is this one still there?"
    close(answer(*paths.late_winner()), [1, 1, 1], "the path that begins with e^−1000", hint=late)


@check("viterbi", hint="Without a word there is no tag; with one there is no transition yet.")
def no_word_and_one_word(answer):
    """No word has the empty path, and one word has the tag whose start and emission together are best."""
    start, transition, emission = paths.hmm_of(seeded(), 1, 4)
    close(answer(start, transition, emission[:0]), [], "the path for no word")
    close(answer(start, transition, emission), [int((start + emission[0]).argmax())], "the path for one word")


VECTORS = {
    "the": torch.tensor([1.0, 0.0]),
    "us": torch.tensor([0.0, 2.0]),
    "US": torch.tensor([5.0, 5.0]),
    "Paris": torch.tensor([-2.0, 1.0]),
}  # the mean is (1, 2)


@check("embedding_matrix", weight=2, hint="Look the word up as it stands first.")
def the_exact_spelling_comes_first(answer):
    """ "us" and "US" have vectors of their own, each in the row of its word."""
    got = answer(["<pad>", "US", "the", "us"], VECTORS)
    close(got, torch.tensor([[0.0, 0.0], [5.0, 5.0], [1.0, 0.0], [0.0, 2.0]]), "the matrix")


@check("embedding_matrix", weight=2, hint="Not in the table as it is spelt: is it there in lower case?")
def a_capital_falls_back_on_the_small_letter(answer):
    """ "The" and "THE" have the vector of "the"; "paris" has not that of "Paris"."""
    got = floats(answer(["<pad>", "The", "THE", "paris"], VECTORS), (4, 2), "the matrix")
    close(got[:3], torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), 'the rows of the pad, "The" and "THE"')
    of_paris = torch.equal(got[3].float(), VECTORS["Paris"])
    lowered = "Lower the word that is asked for, never the words of the table."
    hint = lowered if of_paris else "What is in no spelling there has the mean of the whole table."
    close(got[3], torch.tensor([1.0, 2.0]), 'the row of "paris"', hint=hint)


@check("embedding_matrix", hint="The mean of the table's vectors, each once, whatever words are asked for.")
def what_is_unknown_gets_the_mean_of_the_table(answer):
    """A word that is in no spelling there has the mean of the four vectors, (1, 2), however many ask for it."""
    got = floats(answer(["<pad>", "<unk>", "the", "the", "fjord"], VECTORS), (5, 2), "the matrix")
    the = VECTORS["the"].expand(2, 2)
    close(got[2:4], the, 'the rows of "the" and "the"', hint="A word may stand twice: each place has its row.")
    close(got[[1, 4]], torch.tensor([[1.0, 2.0], [1.0, 2.0]]), 'the rows of "<unk>" and "fjord"')


@check("embedding_matrix", hint="Row 0 is zeros, and nothing else depends on what words[0] is called.")
def the_first_row_is_zeros_whatever_its_name(answer):
    """Row 0 is zeros, even where the table has a vector for the first word; where that word stands again, it has it."""
    table = VECTORS | {"<pad>": torch.tensor([6.0, 7.0])}  # the mean is (2, 3)
    for first in ("<pad>", "the", "Paris", ""):
        got = floats(answer([first, "us", "fjord", first], table), (4, 2), "the matrix")
        close(got[0], torch.zeros(2), f"row 0, where the first word is {first!r}")
        close(got[1], VECTORS["us"], "the row of 'us'")
        whole = "The mean of all vectors of this very table, also of one that words[0] is called by."
        close(got[2], torch.tensor([2.0, 3.0]), "the row of 'fjord'", hint=whole)
        again = "Row 0 is the only one that is zeros: anywhere else words[0] is a word like any."
        close(got[3], table.get(first, got[2]), f"row 3, where {first!r} stands again", hint=again)


@check("embedding_matrix", hint="A new tensor without dtype= is float32: what type have the vectors?")
def the_matrix_has_the_type_of_the_vectors(answer):
    """Vectors in float64 make a matrix in float64, vectors in float32 one in float32."""
    for dtype in (torch.float64, torch.float32):
        table = {word: vector.to(dtype) / 3 for word, vector in VECTORS.items()}
        expected = torch.stack([0 * table["us"], table["Paris"], table["us"]])
        close(answer(["<pad>", "Paris", "us"], table), expected, "the matrix", 1e-12, 0, same_dtype=True)


@check("pad_batch", weight=2, hint="How long is the longest, and how many pads does each of the others need?")
def three_sequences_by_hand(answer):
    """5 6 7, then 8, then nothing: the ids stand at the left, zeros behind them, and the mask says which is which."""
    ids, mask = read_batch(answer([[5, 6, 7], [8], []]), 3, 3)
    close(ids, torch.tensor([[5, 6, 7], [8, 0, 0], [0, 0, 0]]), "the ids")
    close(mask, mask_of((3, 1, 0), 3), "the mask")


@check("pad_batch", weight=2, hint="Is the mask made from the lengths, or from which ids differ from the pad?")
def a_real_id_may_look_like_a_pad(answer):
    """A sequence that holds the pad's own number keeps it as a real step."""
    for pad in (0, 7):
        ids, mask = read_batch(answer([[7, 0, 7], [0, 7]], pad), 2, 3)
        close(ids, torch.tensor([[7, 0, 7], [0, 7, pad]]), f"the ids, with the pad {pad}")
        close(mask, mask_of((3, 2), 3), f"the mask, with the pad {pad}")


@check("pad_batch", hint="ids[b][mask[b]] must be sequence b again, though another one be equal to it.")
def the_mask_gives_the_sequences_back(answer):
    """What the mask picks out of a row is its sequence, and all that it leaves out is the pad."""
    sequences = batches.sequences_of(seeded(), [3, 6, 0, 1, 4])
    sequences += sequences[:3]
    ids, mask = read_batch(answer(sequences, 5), 8, 6)
    back = [row[real].tolist() for row, real in zip(ids, mask, strict=True)]
    close(back, sequences, "the sequences that the mask picks out")
    holds(bool((ids[~mask] == 5).all()), "an id that the mask leaves out is not the pad, 5")


@check("pad_batch", hint="An empty tensor is float32, and a list of empty lists has no numbers: say dtype=.")
def ids_are_int64_and_nothing_is_a_batch_too(answer):
    """The ids are int64, 2^24 + 1 among them, the mask is bool, also where all sequences are empty: (B, 0) then."""
    large = 2**24 + 1  # which float32 takes for 2^24
    for sequences, steps in (([[large, 2], [3]], 2), ([[], []], 0), ([[4]], 1)):
        ids, mask = read_batch(answer(sequences), len(sequences), steps)
        holds(ids.dtype == torch.int64, f"the ids are {ids.dtype}, not torch.int64, for {sequences}")
        if steps:
            floated = "Did the ids go through floats? float32 has no 2^24 + 1."
            holds(ids[0].tolist() == sequences[0], f"{ids[0].tolist()} came for {sequences[0]}", hint=floated)
        real = mask_of([len(s) for s in sequences], steps)
        close(mask, real, f"the mask for {sequences}", same_dtype=True, hint="True in the first n places of a row.")


@check("masked_cross_entropy", weight=2, hint="Three words are real: by how much is the sum of their losses divided?")
def three_real_words_by_hand(answer):
    """Three words with the probabilities 3/4, 1/2 and 1/4, in rows of two and one: (ln 4/3 + ln 2 + ln 4) / 3."""
    logits = exact([[LN3, 0], [0, 0]], [[LN3, 0], [9, 0]])  # softmax of (ln 3, 0) is (3/4, 1/4)
    targets, mask = torch.tensor([[0, 1], [1, 1]]), mask_of((2, 1), 2)
    got, expected = answer(logits, targets, mask), (math.log(4 / 3) + LN2 + 2 * LN2) / 3
    close(got, expected, "the loss", hint=pooled.of_tag_0(got, logits, targets, mask))


@check("masked_cross_entropy", hint="Softmax over the last axis, ln of the target's share, a minus, the mean.")
def without_pads_it_is_the_librarys(answer):
    """Where no word is a pad it is the cross-entropy that torch finds over all of them."""
    rng = seeded()
    given = numbers(rng, 3, 4, 5, spread=3.0), symbol_ids(rng, 5, 3, 4), mask_of((4, 4, 4), 4)
    loss_is(answer(*given), *given)


@check("masked_cross_entropy", weight=2, hint="Pick what the mask says is real, before you look anything up.")
def what_stands_at_the_pads_is_of_no_matter(answer):
    """Other logits at the pads, targets there that are no class, as −1, −100 or 99, and more pads change nothing."""
    pooled.loss_leaves_pads_out(answer, seeded())


@check("masked_cross_entropy", hint="Is it a mean over words, or a mean over sentences of means?")
def each_word_counts_alike(answer):
    """A sentence of one word and one of six: the loss is (that of the one + 6 · that of the other) / 7."""
    rng = seeded()
    given = numbers(rng, 2, 6, 4, spread=3.0), symbol_ids(rng, 4, 2, 6), mask_of((1, 6), 6)
    loss_is(answer(*given), *given, "the loss of both")


@check("masked_cross_entropy", weight=2, needs="each_word_counts_alike", hint="Does .item() or .detach() cut the way?")
def the_gradient_is_zero_at_the_pads_alone(answer):
    """By the logits of a real word it is (ŷ − one-hot) / N, N real words, and by those of a pad it is 0."""
    pooled.loss_has_its_gradient(answer, seeded())


@check("masked_cross_entropy", hint="The loss of one real word, beside a pad: is that what comes?")
def large_logits_are_no_trouble(answer):
    """Logits of ±2000 give a loss of 0 where the target has the large one, of 4000 where it has the small one."""
    pooled.loss_of_large_logits(answer)


@check("tag_accuracy", hint="Of the real words alone: how many are there, and how many are right?")
def three_of_four_by_hand(answer):
    """Four words are real and three of them right, so it is 0.75, although both pads are right, too."""
    predicted, gold = torch.tensor([[1, 2, 3], [4, 0, 0]]), torch.tensor([[1, 2, 9], [4, 0, 0]])
    close(answer(predicted, gold, mask_of((3, 1), 3)), 0.75, "the accuracy")


@check("tag_accuracy", weight=2, hint="A pad is neither right nor wrong.")
def pads_are_neither_right_nor_wrong(answer):
    """Whether the pads agree or not, all right is 1 and all wrong is 0."""
    tags, mask = symbol_ids(seeded(), 5, 3, 4), mask_of((4, 1, 2), 4)
    for at_pads in (0, 1):
        right, wrong = tags.where(mask, tags + at_pads), (tags + 1).where(mask, tags + at_pads)
        said = "other tags" if at_pads else "the same tags"
        close(answer(right, tags, mask), 1.0, f"the accuracy of all right, with {said} at the pads")
        close(answer(wrong, tags, mask), 0.0, f"the accuracy of all wrong, with {said} at the pads")


@check("tag_accuracy", hint="Is it a share of words, or a mean of each sentence's share?")
def it_is_a_share_of_words(answer):
    """A sentence of one word that is wrong and one of four that are right make 4/5, not 1/2."""
    predicted, gold = torch.tensor([[1, 0, 0, 0], [1, 2, 3, 4]]), torch.tensor([[2, 0, 0, 0], [1, 2, 3, 4]])
    close(answer(predicted, gold, mask_of((1, 4), 4)), 0.8, "the accuracy")


@check("bidirectional_forward", weight=2, hint="Beside the text's table: which of the eight numbers is off, and whose?")
def two_steps_and_one_by_hand(answer):
    """One unit each way, two real steps in one row, one in the other: eight numbers of the text, in float64."""
    batches.two_steps_and_one(answer)


@check("bidirectional_forward", weight=2, hint="The forward states are the first H numbers. What does layer 2 read?")
def without_pads_it_is_the_librarys_net(answer):
    """Where all steps are real, one layer and two give the outputs of torch.nn.RNN in both directions."""
    batches.like_the_library(answer, seeded(), (5, 5, 5), 5, 4)


@check(
    "bidirectional_forward",
    weight=3,
    needs="without_pads_it_is_the_librarys_net",
    hint="Turn each sentence by its own length, or keep h at 0 in the pads.",
)
def with_pads_it_is_the_librarys_net(answer):
    """Rows of unequal length give the outputs of torch.nn.RNN for a packed batch, and zeros at the pads."""
    batches.like_the_library(answer, seeded(), (2, 6, 1, 4), 6, 3)


@check("bidirectional_forward", weight=2, hint="Which states did the step read that comes last in its row?")
def padding_changes_nothing(answer):
    """Other numbers at the pads, more pads, and no other row beside it leave the outputs of a row as they are."""
    batches.outputs_leave_pads_out(answer, seeded())


@check("bidirectional_forward", hint="Turn the sentence round on paper: which direction sees what the other one saw?")
def the_other_way_round_directions_change_places(answer):
    """A sentence turned round, with the directions exchanged, has the outputs turned round, halves exchanged."""
    batches.turned_round_and_exchanged(answer, seeded())


@check(
    "bidirectional_forward",
    weight=2,
    needs="with_pads_it_is_the_librarys_net",
    hint="Does .detach(), .data or a tensor made anew cut the way?",
)
def gradients_come_back_from_both_directions(answer):
    """The gradients by x and by all parameters of two layers are those of torch.nn.RNN for a packed batch."""
    rng = seeded()
    x, layers = numbers(rng, 3, 4, 2, dtype=torch.float64), batches.both_ways(rng, 2, 3, 2, torch.float64)
    batches.same_gradients(answer, x, mask_of((4, 1, 3), 4), layers, numbers(rng, 3, 4, 6, dtype=torch.float64))


@check(
    "bidirectional_forward",
    needs="without_pads_it_is_the_librarys_net",
    hint="x.new_zeros(B, T, H) has a shape where T is 0, and is what a row of pads has.",
)
def no_steps_and_a_row_without_one(answer):
    """T = 0 gives outputs (B, 0, 2H), and a row of pads alone has zeros."""
    batches.rows_without_a_step(answer, seeded())


@check("span_scores", weight=2, hint="List the spans of both on paper, each as begin, end and type.")
def play_help_by_hand(answer):
    """Two spans are there and three were predicted, one of them right: 1/3, 1/2 and 2/5."""
    predicted = "B-artist B-artist I-artist O B-artist O O".split()  # noqa: SIM905
    close(answer([spans.PLAYED], [predicted]), (1 / 3, 1 / 2, 2 / 5), "precision, recall and F1")


@check("span_scores", hint="A span is right if begin, end and type all are: tags that agree do not count.")
def a_span_is_right_as_a_whole(answer):
    """A span that is a word too short, a word too long or of another type is wrong."""
    for name, wrong in spans.OFF.items():
        close(answer([spans.PLAYED], [wrong.split()]), (0.5, 0.5, 0.5), f"the three with a span {name}")


@check("span_scores", weight=2, hint="Where does a span end: at O, at any B-, and at an I- of another type.")
def where_one_span_ends_and_another_begins(answer):
    """B- begins a span even right behind one; I- goes on with its own type only, and else begins one, too."""
    for gold, predicted, expected in spans.EDGES:
        close(answer([gold.split()], [predicted.split()]), expected, f"the three for {gold} and {predicted}")


@check("span_scores", hint="The type is all that stands behind the first hyphen, whatever it is: tag[2:].")
def a_type_may_have_hyphens_or_be_called_O(answer):
    """B-a-x is not B-b-x, I-a-x goes on with B-a-x alone, and B-O is a span."""
    for gold, predicted, expected in spans.NAMES:
        close(answer([gold.split()], [predicted.split()]), expected, f"the three for {gold} and {predicted}")


@check("span_scores", hint="Which of the three is a division by zero where there is no span?")
def no_spans_make_zeros(answer):
    """Nothing predicted, nothing to find, or no sentence at all: what cannot be divided is 0, a float."""
    for gold, predicted in spans.NOTHING:
        close(answer(gold, predicted), (0.0, 0.0, 0.0), f"the three for {gold} and {predicted}")
    close(answer([spans.PLAYED], [spans.PLAYED]), (1.0, 1.0, 1.0), "the three for what is all right")


@check("span_scores", hint="Is any span taken for one of another sentence, or for a part of it?")
def each_sentence_has_spans_of_its_own(answer):
    """Spans at the same place of two sentences are two, and none goes on from one sentence into the next."""
    for gold, predicted, expected, what in spans.TWO_SENTENCES:
        close(answer(gold, predicted), expected, f"the three where {what}")


@check("span_scores", hint="Precision divides by what was predicted, recall by what is there.")
def exchanged_arguments_exchange_the_first_two(answer):
    """With gold and predicted exchanged, precision and recall change places, and F1 stays."""
    one, other = [spans.PLAYED, ["B-x"], ["O"]], [spans.PLAYED, ["O"], ["O"]]
    close(answer(one, other), (1.0, 2 / 3, 0.8), "precision, recall and F1")
    close(answer(other, one), (2 / 3, 1.0, 0.8), "precision, recall and F1 of the two exchanged")


@check("masked_mean", weight=2, hint="Of how many steps is the sum made, and by how many is it divided?")
def the_mean_of_two_by_hand(answer):
    """Of (1, 10), (3, 20) and a pad it is (2, 15), of one real step that step; a state of zeros is a step, too."""
    states = exact([[1, 10], [3, 20], [100, 100]], [[5, 6], [-7, 50], [9, 9]], [[0, 0], [4, 6], [8, 8]])
    close(answer(states, mask_of((2, 1, 2), 3)), exact([2, 15], [5, 6], [2, 3]), "the means")


@check("masked_mean", weight=2, hint="Is the sum, and the number that divides it, one of real steps alone?")
def pads_have_no_part_in_the_mean(answer):
    """Other numbers at the pads, and more pads, change no mean; with none it is the mean over time."""
    pooled.mean_leaves_pads_out(answer, seeded())


@check("masked_mean", hint="A row's mask picks steps of this row, all numbers of each: is an axis another's?")
def the_mask_picks_steps_and_not_units(answer):
    """Where B, T and H are all three, each row's mask still picks its own steps, and float64 stays float64."""
    states = (torch.arange(27, dtype=torch.float64) / 7).reshape(3, 3, 3)
    expected = torch.stack([states[0, 0], states[1, :2].mean(0), states[2].mean(0)])
    close_in_type(answer(states, mask_of((1, 2, 3), 3)), expected, "the means")


@check("masked_mean", weight=2, hint="0/0 is nan, and so is its gradient: what may the divisor never be?")
def a_row_without_a_real_step_has_zeros(answer):
    """A row of pads alone has the mean 0, and its gradient is 0, not nan."""
    pooled.mean_of_a_row_of_pads(answer, seeded())


@check("attention_pool", weight=2, hint="Scores first, then a softmax over the real steps, then the weighted sum.")
def a_quarter_and_three_quarters_by_hand(answer):
    """Scores of 0 and ln 3 and a pad make the weights 1/4, 3/4 and 0, and of 4 and 8 the sum 7."""
    states, query = exact([[0, 4], [LN3, 8], [50, 50]]), exact(1, 0)
    result, weights = read_pooled(answer(states, mask_of((2,), 3), query), 1, 3, 2)
    pooled.weights_are(weights, exact([0.25, 0.75, 0]), mask_of((2,), 3))
    close_in_type(result, exact([0.75 * LN3, 7]), "the pooled state")


@check("attention_pool", weight=2, hint="A pad's score must be −∞ before the softmax, not its weight 0 after it.")
def weights_are_zero_at_pads_and_sum_to_one(answer):
    """Each weight is at least 0, exactly 0 at a pad, and the weights of a row sum to one."""
    rng = seeded()
    states, mask, query = numbers(rng, 4, 6, 3, spread=2.0), mask_of(lengths_of(rng, 4, 6), 6), numbers(rng, 3)
    _, weights = read_pooled(answer(disturbed(states, mask, rng), mask, query), 4, 6, 3)
    pooled.weights_are_shares(weights, mask)


@check(
    "attention_pool",
    needs="weights_are_zero_at_pads_and_sum_to_one",
    hint="One question for all rows, states @ query, unscaled; then a sum over steps, not a mean.",
)
def it_is_the_librarys_attention(answer):
    """The pooled states are those of torch's attention with this one question, without a scale."""
    rng = seeded()
    states, mask, query = numbers(rng, 3, 5, 4, spread=2.0), mask_of((5, 2, 1), 5), numbers(rng, 4, spread=2.0)
    result, weights = read_pooled(answer(states, mask, query), 3, 5, 4)
    pooled.pooled_are(result, pooled.library_attention(states, mask, query), "the pooled states", SOFT)
    close((weights[..., None] * states).sum(1), result, "the states weighted by your weights", *SOFT)


@check(
    "attention_pool",
    weight=2,
    needs="weights_are_zero_at_pads_and_sum_to_one",
    hint="Does each row weigh its own real steps alone, however large their scores are?",
)
def a_silent_question_takes_the_mean_and_a_loud_one_a_step(answer):
    """The question 0 gives the mean of the real steps; a loud one, with scores of tens of thousands, the best step."""
    pooled.silent_and_loud(answer)


@check(
    "attention_pool",
    weight=2,
    needs="it_is_the_librarys_attention",
    hint="Does .detach(), .tolist() or numpy cut the way?",
)
def the_question_can_be_learnt(answer):
    """The gradients by the states and by the question are those of torch's attention, and 0 at the pads."""
    pooled.question_has_its_gradient(answer, seeded())


@check("leaking_parts", hint="Give a part one sentence alone, and the same with pads. By how much may they differ?")
def sound_parts_are_not_accused(answer):
    """A right net in both directions, with five right ways to pool: []. With one that is not right: ["pool"]."""
    read, _ = parts.readers(seeded(), 3, 4)
    for name, pool in parts.POOLS.items():
        parts.finds(answer, read, pool, (3, 4), [], f"a sound net and {name}")
    name = "the mean over all T places"
    parts.finds(answer, read, parts.LEAKY_POOLS[name], (3, 4), ["pool"], f"a sound net and {name}")


@check("leaking_parts", weight=2, hint="Compare the states at the real places, once with pads behind and once without.")
def a_net_that_reads_the_pads_is_found(answer):
    """Whatever the pads do to the states of real steps, the part that reads is named, and it alone."""
    _, leaky = parts.readers(seeded(), 3, 4)
    for name, read in leaky.items():
        parts.finds(answer, read, parts.POOLS["the mean"], (3, 4), ["read"], name)


@check("leaking_parts", weight=3, hint="Give pool states of your own: zeros, small and large ones as pads, in any row.")
def a_pool_that_takes_pads_for_steps_is_found(answer):
    """Seven ways in which pads get into the pooled state, zeros among the states or not: pool is named, it alone."""
    read, _ = parts.readers(seeded(), 3, 4)
    for name, pool in parts.LEAKY_POOLS.items():
        parts.finds(answer, read, pool, (3, 4), ["pool"], name)


@check("leaking_parts", hint="Each part is judged by itself: does what pool is given come from read?")
def both_may_leak(answer):
    """Where both leak both are named, first "read"."""
    _, leaky = parts.readers(seeded(), 2, 3)
    for (one, read), (other, pool) in zip(leaky.items(), parts.LEAKY_POOLS.items(), strict=False):
        parts.finds(answer, read, pool, (2, 3), ["read", "pool"], f"{one}, and {other}")
