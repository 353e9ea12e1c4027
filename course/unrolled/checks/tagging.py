"""The public checks of unit 4: batches with pads, both directions, a path of tags, spans, and pooled states.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own nets with the weights copied in. The property that all exercises about batches share:
what stands at a pad, and how many pads there are, is of no matter. Batches, nets and paths to compare with are in
`unrolled.checks.helpers.batches`, the parts that 4.10 asks in `parts`.

Left out on purpose: speed, and what the answer looks like inside.
"""

import math

import torch
import torch.nn.functional as F

from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats, number
from unrolled.checks.helpers import batches, parts, told
from unrolled.checks.helpers.batches import (
    disturbed,
    hmm_of,
    lengths_of,
    longer,
    mask_of,
    no_better_path,
    read_batch,
    read_pooled,
)
from unrolled.checks.helpers.recurrent import exact, numbers, symbol_ids
from unrolled.experiments.tagging import reports
from unrolled.experiments.tagging.baselines import HiddenMarkov

RNN_OF_THE_LIBRARY = (
    *(torch.nn.RNN, torch.nn.RNN.forward, torch.rnn_tanh),
    *(torch.nn.RNNCell, torch.nn.RNNCell.forward, torch.rnn_tanh_cell),
)
forbid("viterbi", HiddenMarkov.tag)
forbid("bidirectional_forward", *RNN_OF_THE_LIBRARY)
forbid("span_scores", reports)
forbid("pad_batch", torch.nn.utils.rnn.pad_sequence)

LN2, LN3 = math.log(2), math.log(3)
SOFT = 1e-4, 1e-5  # rtol and atol for sums that float32 may take in any order


# --- 4.1 -------------------------------------------------------------------------------------------------------------


@check("viterbi", hint="Write the table of best scores, a row a word: which tag before each gave it?")
def cooks_taste_fish_by_hand(answer):
    """Of the eight paths for three words and two tags, worked out in the text, noun, verb, noun comes: [0, 1, 0]."""
    start, transition = exact(0.8, 0.2).log(), exact([0.3, 0.7], [0.6, 0.4]).log()
    emission = exact([0.5, 0.1], [0.1, 0.6], [0.4, 0.3]).log()
    close(answer(start, transition, emission), [0, 1, 0], "the path")


@check(
    "viterbi", weight=3, hint="Keep, for each tag, the best path that ends in it; choose among them only at the end."
)
def no_path_is_better(answer):
    """For small sentences and few tags, none of all K^T paths has a higher probability than the one that comes."""
    rng = seeded()
    for steps, tags in ((2, 2), (3, 3), (5, 3), (4, 4), (6, 2)):
        given = hmm_of(rng, steps, tags)
        no_better_path(answer, *given, batches.best_of_all(*given))


@check("viterbi", hint="The likeliest first tag is a trap here: only the last word shows it.")
def a_late_word_changes_an_early_tag(answer):
    """Two sentences that differ in their last word alone have different first tags."""
    start, transition = exact(0.6, 0.4).log(), exact([0.9, 0.1], [0.1, 0.9]).log()
    for last, expected in (([0.9, 0.1], [0, 0, 0]), ([0.01, 0.9], [1, 1, 1])):
        emission = exact([0.5, 0.5], [0.5, 0.5], last).log()
        close(answer(start, transition, emission), expected, "the path")


@check("viterbi", hint="transition[i, j] is from tag i to tag j. Over which of the two axes is the maximum taken?")
def rows_come_before_columns(answer):
    """Where each tag allows one follower only, a ring of three tags, the path goes round in that direction."""
    ring = torch.full((3, 3), -torch.inf)
    for tag in range(3):
        ring[tag, (tag + 1) % 3] = 0.0
    start = torch.tensor([-torch.inf, 0.0, -torch.inf])
    close(answer(start, ring, torch.zeros(5, 3)), [1, 2, 0, 1, 2], "the path")


@check("viterbi", hint="A sum of logarithms is enough: no exp, and no product of probabilities.")
def long_sentences_do_not_underflow(answer):
    """For 300 words, each of a probability of e^−40 or less, the path is still the best one."""
    tags = [(t * t) % 4 for t in range(300)]
    emission = torch.full((300, 4), -60.0)
    emission[range(300), tags] = -40.0
    close(answer(torch.zeros(4) - 2, torch.zeros(4, 4) - 2, emission), tags, "the path")


@check("viterbi", hint="Without a word there is no tag; with one there is no transition yet.")
def no_word_and_one_word(answer):
    """No word has the empty path, and one word has the tag whose start and emission together are best."""
    start, transition, emission = hmm_of(seeded(), 1, 4)
    close(answer(start, transition, emission[:0]), [], "the path for no word")
    close(answer(start, transition, emission), [int((start + emission[0]).argmax())], "the path for one word")


# --- 4.2 -------------------------------------------------------------------------------------------------------------

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


@check("embedding_matrix", weight=2, hint="Lower the word that is asked for, never the words of the table.")
def a_capital_falls_back_on_the_small_letter(answer):
    """ "The" and "THE" have the vector of "the"; "paris" has not that of "Paris"."""
    got = answer(["<pad>", "The", "THE", "paris"], VECTORS)
    close(got, torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), "the matrix")


@check("embedding_matrix", hint="The mean of the table's vectors, each once, whatever words are asked for.")
def what_is_unknown_gets_the_mean_of_the_table(answer):
    """A word that is in no spelling there has the mean of the four vectors, (1, 2), however many ask for it."""
    got = answer(["<pad>", "<unk>", "the", "the", "fjord"], VECTORS)
    close(got, torch.tensor([[0.0, 0.0], [1.0, 2.0], [1.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), "the matrix")


@check("embedding_matrix", hint="Row 0 is the pad's: does a lookup write over it?")
def the_first_row_is_zeros_whatever_its_name(answer):
    """Row 0 is zeros, even where the table has a vector for the first word."""
    for first in ("<pad>", "the", "Paris", ""):
        got = floats(answer([first, "us"], VECTORS | {"<pad>": torch.tensor([3.0, 3.0])}), (2, 2), "the matrix")
        close(got[0], torch.zeros(2), f"row 0, where the first word is {first!r}")
        close(got[1], VECTORS["us"], "the row of 'us'")


@check("embedding_matrix", hint="A new tensor without dtype= is float32: what type have the vectors?")
def the_matrix_has_the_type_of_the_vectors(answer):
    """Vectors in float64 make a matrix in float64, vectors in float32 one in float32."""
    for dtype in (torch.float64, torch.float32):
        table = {word: vector.to(dtype) / 3 for word, vector in VECTORS.items()}
        expected = torch.stack([0 * table["us"], table["Paris"], table["us"]])
        close(answer(["<pad>", "Paris", "us"], table), expected, "the matrix", 1e-12, 0, same_dtype=True)


# --- 4.3 -------------------------------------------------------------------------------------------------------------


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


@check("pad_batch", hint="ids[b][mask[b]] must be sequence b again.")
def the_mask_gives_the_sequences_back(answer):
    """What the mask picks out of a row is its sequence, and all that it leaves out is the pad."""
    rng = seeded()
    lengths = [3, 6, 0, 1, 4]
    sequences = batches.sequences_of(rng, lengths)
    ids, mask = read_batch(answer(sequences, 5), 5, 6)
    back = [row[real].tolist() for row, real in zip(ids, mask, strict=True)]
    close(back, sequences, "the sequences that the mask picks out")
    holds(bool((ids[~mask] == 5).all()), "an id that the mask leaves out is not the pad, 5")


@check("pad_batch", hint="An empty tensor is float32, and a list of empty lists has no numbers: say dtype=.")
def ids_are_int64_and_nothing_is_a_batch_too(answer):
    """The ids are int64 and the mask is bool, also where all sequences are empty: both are (B, 0) then."""
    for sequences, steps in (([[1, 2], [3]], 2), ([[], []], 0), ([[4]], 1)):
        ids, mask = read_batch(answer(sequences), len(sequences), steps)
        holds(ids.dtype == torch.int64, f"the ids are {ids.dtype}, not torch.int64, for {sequences}")
        close(mask, mask_of([len(s) for s in sequences], steps), f"the mask for {sequences}", same_dtype=True)


# --- 4.4 -------------------------------------------------------------------------------------------------------------


@check("masked_cross_entropy", weight=2, hint="Three tokens are real: by how much is the sum of their losses divided?")
def three_real_tokens_by_hand(answer):
    """Three tokens with the probabilities 3/4, 1/2 and 1/4, in rows of two and one: (ln 4/3 + ln 2 + ln 4) / 3."""
    logits = exact([[LN3, 0], [0, 0]], [[LN3, 0], [9, 0]])  # softmax of (ln 3, 0) is (3/4, 1/4)
    targets, mask = torch.tensor([[0, 1], [1, 1]]), mask_of((2, 1), 2)
    close(answer(logits, targets, mask), (math.log(4 / 3) + LN2 + 2 * LN2) / 3, "the loss")


@check("masked_cross_entropy", hint="Softmax over the last axis, ln of the target's share, a minus, the mean.")
def without_pads_it_is_the_librarys(answer):
    """Where no token is a pad it is the cross-entropy that torch finds over all of them."""
    rng = seeded()
    logits, targets = numbers(rng, 3, 4, 5, spread=3.0), symbol_ids(rng, 5, 3, 4)
    expected = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    close(answer(logits, targets, mask_of((4, 4, 4), 4)), expected, "the loss", *SOFT)


@check("masked_cross_entropy", weight=2, hint="Pick what the mask says is real, before you look anything up.")
def what_stands_at_the_pads_is_of_no_matter(answer):
    """Other logits at the pads, targets there that are no class, as −1, −100 or 99, and more pads change nothing."""
    rng = seeded()
    mask = mask_of(lengths_of(rng, 4, 5), 5)
    logits, targets = numbers(rng, 4, 5, 3, spread=2.0), symbol_ids(rng, 3, 4, 5)
    loss = number(answer(logits, targets, mask), "the loss")
    for target in (-1, -100, 99):
        given = disturbed(logits, mask, rng), targets.where(mask, torch.tensor(target)), mask
        close(answer(*given), loss, f"the loss with other logits and targets of {target} at the pads", *SOFT)
    more = longer(logits, 3, 7.0), longer(targets, 3, 1), longer(mask, 3, False)
    close(answer(*more), loss, "the loss with three more pads in each row", *SOFT)
    other = number(answer(logits.where(~mask[..., None], -logits), targets, mask), "the loss")
    holds(abs(other - loss) > 1e-3, "other logits of the real tokens leave the loss as it is")


@check("masked_cross_entropy", hint="Is it a mean over tokens, or a mean over sentences of means?")
def each_token_counts_alike(answer):
    """A sentence of one word and one of six: the loss is (that of the one + 6 · that of the other) / 7."""
    rng = seeded()
    logits, targets = numbers(rng, 2, 6, 4, spread=3.0), symbol_ids(rng, 4, 2, 6)
    short = number(answer(logits[:1, :1], targets[:1, :1], mask_of((1,), 1)), "the loss of the sentence of one word")
    long = number(answer(logits[1:], targets[1:], mask_of((6,), 6)), "the loss of the sentence of six")
    holds(abs(short - long) > 1e-3, "two sentences of other logits have the same loss")
    close(answer(logits, targets, mask_of((1, 6), 6)), (short + 6 * long) / 7, "the loss of both", *SOFT)


@check("masked_cross_entropy", weight=2, hint="Does .item(), .detach() or a loop over numbers cut the way?")
def the_gradient_is_zero_at_the_pads_alone(answer):
    """By the logits of a real token it is (ŷ − one-hot) / N, N real tokens, and by those of a pad it is 0."""
    rng = seeded()
    mask = mask_of((3, 1), 3)
    logits, targets = numbers(rng, 2, 3, 4, dtype=torch.float64), symbol_ids(rng, 4, 2, 3)
    expected = (logits.softmax(-1) - F.one_hot(targets, 4)) * mask[..., None] / 4
    got = answer.gradients(logits, targets, mask)["arguments"][0]
    close(got, expected, "the gradient by the logits", 1e-9, 1e-12, hint=told.of_gradient(got, expected))


@check("masked_cross_entropy", hint="e to a large number overflows: log_softmax takes the largest off first.")
def large_logits_are_no_trouble(answer):
    """Logits of ±2000 give a loss of 0 where the target has the large one, of 4000 where it has the small one."""
    logits, mask = torch.tensor([[[2000.0, -2000.0], [2000.0, 2000.0]]]), mask_of((1,), 2)
    for target, expected in ((0, 0.0), (1, 4000.0)):
        close(answer(logits, torch.tensor([[target, 0]]), mask), expected, f"the loss for target {target}", *SOFT)


# --- 4.5 -------------------------------------------------------------------------------------------------------------


@check("tag_accuracy", hint="Of the real tokens alone: how many are there, and how many are right?")
def three_of_four_by_hand(answer):
    """Four tokens are real and three of them right, so it is 0.75, although both pads are right, too."""
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


@check("tag_accuracy", hint="Is it a share of tokens, or a mean of each sentence's share?")
def it_is_a_share_of_tokens(answer):
    """A sentence of one word that is wrong and one of four that are right make 4/5, not 1/2."""
    predicted, gold = torch.tensor([[1, 0, 0, 0], [1, 2, 3, 4]]), torch.tensor([[2, 0, 0, 0], [1, 2, 3, 4]])
    close(answer(predicted, gold, mask_of((1, 4), 4)), 0.8, "the accuracy")


# --- 4.6 -------------------------------------------------------------------------------------------------------------


@check("bidirectional_forward", weight=2, hint="Where does the backward direction begin in a row of one step?")
def two_steps_and_one_by_hand(answer):
    """One unit each way, two real steps in one row and one in the other: eight numbers of the text."""
    x = exact([[LN2], [LN3]], [[LN2], [5.0]])
    layer = {
        "forward": {"U": exact([0.0]), "W": exact([1.0]), "b": exact(0.0)},
        "backward": {"U": exact([(LN3 - LN2) / 0.8]), "W": exact([1.0]), "b": exact(0.0)},
    }
    got = floats(answer(x, mask_of((2, 1), 2), [layer]), (2, 2, 2), "the outputs")
    expected = exact([[0.6, 0.8], [0.8, 0.8]], [[0.6, 0.6], [0.0, 0.0]])
    close(got, expected, "the outputs")


@check("bidirectional_forward", weight=2, hint="The forward states are the first H numbers. What does layer 2 read?")
def without_pads_it_is_the_librarys_net(answer):
    """Where all steps are real, one layer and two give the outputs of torch.nn.RNN in both directions."""
    rng = seeded()
    for depth in (1, 2):
        x, layers = numbers(rng, 3, 5, 4), batches.both_ways(rng, 4, 3, depth)
        what = f"the outputs of {depth} layer{'s' * (depth > 1)}"
        batches.same_outputs(answer(x, mask_of((5, 5, 5), 5), layers), x, mask_of((5, 5, 5), 5), layers, what, *SOFT)


@check(
    "bidirectional_forward", weight=3, hint="Turn each sentence round by its own length, or keep h at 0 in the pads."
)
def with_pads_it_is_the_librarys_net(answer):
    """Rows of unequal length give the outputs of torch.nn.RNN for a packed batch, and zeros at the pads."""
    rng = seeded()
    for depth in (1, 2):
        x, layers, mask = numbers(rng, 4, 6, 3), batches.both_ways(rng, 3, 4, depth), mask_of((2, 6, 1, 4), 6)
        what = f"the outputs of {depth} layer{'s' * (depth > 1)}"
        batches.same_outputs(answer(x, mask, layers), x, mask, layers, what, *SOFT)


@check("bidirectional_forward", weight=2, hint="Which states did the step read that comes last in its row?")
def padding_changes_nothing(answer):
    """Other numbers at the pads, more pads, and no other row beside it leave the outputs of a row as they are."""
    rng = seeded()
    x, layers, mask = numbers(rng, 3, 5, 3), batches.both_ways(rng, 3, 2, 2), mask_of((5, 2, 3), 5)
    got = floats(answer(x, mask, layers), (3, 5, 4), "the outputs")
    close(answer(disturbed(x, mask, rng), mask, layers), got, "the outputs with other numbers at the pads", *SOFT)
    more = floats(answer(longer(x, 3, 9.0), longer(mask, 3, False), layers), (3, 8, 4), "the outputs")
    close(more[:, :5], got, "the outputs with three more pads", *SOFT)
    alone = answer(x[1:2, :2], mask[1:2, :2], layers)
    close(alone, got[1:2, :2], "the outputs of the second row alone", *SOFT)


@check("bidirectional_forward", hint="Turn the sentence round on paper: which direction sees what the other one saw?")
def the_other_way_round_directions_change_places(answer):
    """A sentence turned round, with the directions exchanged, has the outputs turned round, halves exchanged."""
    rng = seeded()
    x, (layer,), mask = numbers(rng, 2, 4, 3), batches.both_ways(rng, 3, 2, 1), mask_of((4, 4), 4)
    exchanged = {"forward": layer["backward"], "backward": layer["forward"]}
    got = floats(answer(x, mask, [layer]), (2, 4, 4), "the outputs")
    other = floats(answer(x.flip(1), mask, [exchanged]), (2, 4, 4), "the outputs")
    close(other.flip(1).roll(2, dims=-1), got, "the outputs of both, one turned round", *SOFT)
    holds(bool((got[..., :2] - got[..., 2:]).abs().max() > 1e-3), "both halves of the outputs are the same")


@check("bidirectional_forward", weight=2, hint="Does .detach(), .data or a tensor made anew cut the way?")
def gradients_come_back_from_both_directions(answer):
    """The gradients by x and by all parameters of two layers are those of torch.nn.RNN for a packed batch."""
    rng = seeded()
    x, layers = numbers(rng, 3, 4, 2, dtype=torch.float64), batches.both_ways(rng, 2, 3, 2, torch.float64)
    batches.same_gradients(answer, x, mask_of((4, 1, 3), 4), layers, numbers(rng, 3, 4, 6, dtype=torch.float64))


@check(
    "bidirectional_forward", hint="Is there something to stack where T is 0? x.new_zeros(B, T, H) always has a shape."
)
def no_steps_and_a_row_without_one(answer):
    """T = 0 gives outputs (B, 0, 2H), and a row of pads alone has zeros."""
    rng = seeded()
    x, layers = numbers(rng, 2, 3, 3), batches.both_ways(rng, 3, 2, 2)
    close(answer(x[:, :0], mask_of((0, 0), 0), layers), x.new_zeros(2, 0, 4), "the outputs for T = 0")
    got = floats(answer(x, mask_of((0, 3), 3), layers), (2, 3, 4), "the outputs")
    close(got[0], torch.zeros(3, 4), "the outputs of a row of pads alone")
    batches.same_outputs(got[1:], x[1:], mask_of((3,), 3), layers, "the outputs of the row beside it", *SOFT)


# --- 4.7 -------------------------------------------------------------------------------------------------------------

PLAYED = "O B-artist I-artist O B-album O O".split()  # noqa: SIM905


@check("span_scores", weight=2, hint="List the spans of both on paper, each as begin, end and type.")
def play_help_by_hand(answer):
    """Two spans are there and three were predicted, one of them right: 1/3, 1/2 and 2/5."""
    predicted = "B-artist B-artist I-artist O B-artist O O".split()  # noqa: SIM905
    close(answer([PLAYED], [predicted]), (1 / 3, 1 / 2, 2 / 5), "precision, recall and F1")


@check("span_scores", hint="A span is right if begin, end and type all are: tags that agree do not count.")
def a_span_is_right_as_a_whole(answer):
    """A span that is a word too short, a word too long or of another type is wrong."""
    for name, wrong in (
        ("a word too short", "O B-artist O O B-album O O"),
        ("a word too long", "O B-artist I-artist I-artist B-album O O"),
        ("of another type", "O B-title I-title O B-album O O"),
    ):
        close(answer([PLAYED], [wrong.split()]), (0.5, 0.5, 0.5), f"the three with a span {name}")


@check("span_scores", weight=2, hint="Where does a span end: at O, at any B-, and at an I- of another type.")
def where_one_span_ends_and_another_begins(answer):
    """B- begins a span even right behind one; I- goes on with its own type only, and else begins one, too."""
    for gold, predicted, expected in (
        ("B-x B-x", "B-x I-x", (0.0, 0.0, 0.0)),  # two of one word each; one of two words
        ("B-x I-y", "B-x B-y", (1.0, 1.0, 1.0)),
        ("O I-x I-x", "O B-x I-x", (1.0, 1.0, 1.0)),  # a stray I- opens a span
        ("B-x O I-x", "B-x O B-x", (1.0, 1.0, 1.0)),
        ("I-x B-x I-x", "B-x I-x I-x", (0.0, 0.0, 0.0)),
    ):
        close(answer([gold.split()], [predicted.split()]), expected, f"the three for {gold} and {predicted}")


@check("span_scores", hint="Which of the three is a division by zero where there is no span?")
def no_spans_make_zeros(answer):
    """Nothing predicted, nothing to find, or no sentence at all: what cannot be divided is 0, a float."""
    for gold, predicted in (([PLAYED], [["O"] * 7]), ([["O"] * 7], [PLAYED]), ([["O", "O"]], [["O", "O"]]), ([], [])):
        close(answer(gold, predicted), (0.0, 0.0, 0.0), f"the three for {gold} and {predicted}")
    close(answer([PLAYED], [PLAYED]), (1.0, 1.0, 1.0), "the three for what is all right")


@check("span_scores", hint="Two sentences may have a span at the same place. Is it counted twice?")
def each_sentence_has_spans_of_its_own(answer):
    """Spans at the same place of two sentences are two, and none goes on from one sentence into the next."""
    gold = [["B-x", "O"], ["B-x", "O"], ["O", "B-x"], ["I-x"]]
    predicted = [["B-x", "O"], ["O", "O"], ["O", "B-x"], ["I-x"]]
    close(answer(gold, predicted), (1.0, 0.75, 6 / 7), "precision, recall and F1")


@check("span_scores", hint="Precision divides by what was predicted, recall by what is there.")
def exchanged_arguments_exchange_the_first_two(answer):
    """With gold and predicted exchanged, precision and recall change places, and F1 stays."""
    one, other = [PLAYED, ["B-x"], ["O"]], [PLAYED, ["O"], ["O"]]
    close(answer(one, other), (1.0, 2 / 3, 0.8), "precision, recall and F1")
    close(answer(other, one), (2 / 3, 1.0, 0.8), "precision, recall and F1 of the two exchanged")


# --- 4.8 -------------------------------------------------------------------------------------------------------------


@check("masked_mean", weight=2, hint="Of how many steps is the sum made, and by how many is it divided?")
def the_mean_of_two_by_hand(answer):
    """Of (1, 10), (3, 20) and a pad it is (2, 15); of one real step it is that step."""
    states = exact([[1, 10], [3, 20], [100, 100]], [[5, 6], [-7, 50], [9, 9]])
    close(answer(states, mask_of((2, 1), 3)), exact([2, 15], [5, 6]), "the means")


@check("masked_mean", weight=2, hint="Is the sum, and the number that divides it, one of real steps alone?")
def pads_have_no_part_in_the_mean(answer):
    """Other numbers at the pads, and more pads, change no mean; with none it is the mean over time."""
    rng = seeded()
    states, mask = numbers(rng, 4, 5, 3), mask_of(lengths_of(rng, 4, 5), 5)
    got = floats(answer(states, mask), (4, 3), "the means")
    close(answer(disturbed(states, mask, rng), mask), got, "the means with other numbers at the pads", *SOFT)
    close(answer(longer(states, 4, 8.0), longer(mask, 4, False)), got, "the means with four more pads", *SOFT)
    close(answer(states, mask_of([5] * 4, 5)), states.mean(1), "the means where all steps are real", *SOFT)


@check("masked_mean", hint="The mask is (B, T), the states are (B, T, H): which axis does it lack, and where?")
def the_mask_picks_steps_and_not_units(answer):
    """Where B, T and H are all three, each row's mask still picks its own steps."""
    states = torch.arange(27.0).reshape(3, 3, 3)
    expected = torch.stack([states[0, 0], states[1, :2].mean(0), states[2].mean(0)])
    close(answer(states, mask_of((1, 2, 3), 3)), expected, "the means")


@check("masked_mean", weight=2, hint="0/0 is nan, and so is its gradient: what may the divisor never be?")
def a_row_without_a_real_step_has_zeros(answer):
    """A row of pads alone has the mean 0, and its gradient is 0, not nan."""
    states, mask = numbers(seeded(), 2, 3, 2), mask_of((0, 2), 3)
    close(answer(states, mask), torch.stack([torch.zeros(2), states[1, :2].mean(0)]), "the means", *SOFT)
    got = answer.gradients(states, mask)["arguments"][0]
    expected = torch.tensor([[[0.0] * 2] * 3, [[0.5] * 2, [0.5] * 2, [0.0] * 2]])
    close(got, expected, "the gradient by the states", hint=told.of_gradient(got, expected))


# --- 4.9 -------------------------------------------------------------------------------------------------------------


@check("attention_pool", weight=2, hint="Scores first, then a softmax over the real steps, then the weighted sum.")
def a_quarter_and_three_quarters_by_hand(answer):
    """Scores of 0 and ln 3 and a pad make the weights 1/4, 3/4 and 0, and of 4 and 8 the sum 7."""
    states, query = exact([[0, 4], [LN3, 8], [50, 50]]), exact(1, 0)
    pooled, weights = read_pooled(answer(states, mask_of((2,), 3), query), 1, 3, 2)
    close(weights, exact([0.25, 0.75, 0]), "the weights")
    close(pooled, exact([0.75 * LN3, 7]), "the pooled state")


@check("attention_pool", weight=2, hint="A pad's score must be −∞ before the softmax, not its weight 0 after it.")
def weights_are_zero_at_pads_and_sum_to_one(answer):
    """Each weight is at least 0, exactly 0 at a pad, and the weights of a row sum to one."""
    rng = seeded()
    states, mask, query = numbers(rng, 4, 6, 3, spread=2.0), mask_of(lengths_of(rng, 4, 6), 6), numbers(rng, 3)
    _, weights = read_pooled(answer(disturbed(states, mask, rng), mask, query), 4, 6, 3)
    batches.weights_are_shares(weights, mask)


@check("attention_pool", hint="One question for all rows: states @ query.")
def it_is_the_librarys_attention(answer):
    """The pooled states are those of torch's attention with this one question, without a scale."""
    rng = seeded()
    states, mask, query = numbers(rng, 3, 5, 4, spread=2.0), mask_of((5, 2, 1), 5), numbers(rng, 4, spread=2.0)
    pooled, weights = read_pooled(answer(states, mask, query), 3, 5, 4)
    close(pooled, batches.library_attention(states, mask, query), "the pooled states", *SOFT)
    close((weights[..., None] * states).sum(1), pooled, "the states weighted by your weights", *SOFT)


@check("attention_pool", hint="What does a question of zeros ask, and what does a loud one?")
def a_silent_question_takes_the_mean_and_a_loud_one_a_step(answer):
    """The question 0 gives the mean of the real steps; a loud one, scores of thousands, picks the best real step."""
    states, mask = torch.tensor([[[1.0, 0.0], [3.0, 1.0], [9.0, 9.0]]]), mask_of((2,), 3)
    pooled, _ = read_pooled(answer(states, mask, torch.zeros(2)), 1, 3, 2)
    close(pooled, torch.tensor([[2.0, 0.5]]), "the pooled state for the question 0", *SOFT)
    pooled, _ = read_pooled(answer(states, mask, torch.tensor([4000.0, 0.0])), 1, 3, 2)
    close(pooled, states[:, 1], "the pooled state for a loud question", *SOFT)


@check("attention_pool", weight=2, hint="Does .detach(), .tolist() or numpy cut the way?")
def the_question_can_be_learnt(answer):
    """The gradients by the states and by the question are those of torch's attention, and 0 at the pads."""
    rng = seeded()
    states, query = numbers(rng, 3, 4, 2, dtype=torch.float64), numbers(rng, 2, dtype=torch.float64)
    mask, upstream = mask_of((4, 1, 3), 4), numbers(rng, 3, 2, dtype=torch.float64)
    of_states, of_query = batches.attention_gradients(states, mask, query, upstream)
    none = torch.zeros(3, 4, dtype=torch.float64)
    got = answer.gradients(states, mask, query, upstream=[upstream, none])["arguments"]
    close(got[0], of_states, "the gradient by the states", hint=told.of_gradient(got[0], of_states))
    close(got[2], of_query, "the gradient by the question", hint=told.of_gradient(got[2], of_query))


# --- 4.10 ------------------------------------------------------------------------------------------------------------


@check(
    "leaking_parts", hint="Give a part one sentence alone, and the same with pads. What may differ, and by how much?"
)
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


@check("leaking_parts", weight=3, hint="Give pool states of your own: small and large ones at the pads, and zeros.")
def a_pool_that_takes_pads_for_steps_is_found(answer):
    """Six ways in which pads get into the pooled state, zeros among the states or not: pool is named, and it alone."""
    read, _ = parts.readers(seeded(), 3, 4)
    for name, pool in parts.LEAKY_POOLS.items():
        parts.finds(answer, read, pool, (3, 4), ["pool"], name)


@check("leaking_parts", hint="Each part is judged by itself: does what pool is given come from read?")
def both_may_leak(answer):
    """Where both leak both are named, first "read"."""
    _, leaky = parts.readers(seeded(), 2, 3)
    for (one, read), (other, pool) in zip(leaky.items(), parts.LEAKY_POOLS.items(), strict=False):
        parts.finds(answer, read, pool, (2, 3), ["read", "pool"], f"{one}, and {other}")
