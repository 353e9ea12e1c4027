"""The public checks of unit 6: attention of a text to itself, masks, many heads, positions, and a leak detector.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own functions with the same parameters. Beside, in `helpers`: the cases by hand in
`attention_cases`, torch's functions in `heads`, the models that 6.9 asks in `leaking`.

Left out on purpose: speed, how much memory an answer takes, and whether it computes all positions in one product.
"""

import math

import torch
import torch.nn.functional as F

from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import attention_cases as cases
from unrolled.checks.helpers import heads as twins
from unrolled.checks.helpers import leaking, told
from unrolled.checks.helpers.attending import (
    attended_are,
    gradient_is,
    heads_are,
    logits_of,
    masked,
    pruned_of,
    read_attended,
    read_heads,
    same_by_name,
    same_where_real,
    sees,
    shares,
    table,
)
from unrolled.checks.helpers.heads import LAYER, library_attend, qkv, seen_of
from unrolled.checks.helpers.recurrent import exact, numbers, symbol_ids
from unrolled.checks.helpers.translators import SOFT, gradients_by
from unrolled.tagging import attention_pool

ATTENTION_OF_THE_LIBRARY = (
    *(F.scaled_dot_product_attention, torch.nn.MultiheadAttention, torch.nn.MultiheadAttention.forward),
    *(F.multi_head_attention_forward, torch.nn.TransformerEncoderLayer, attention_pool),
)
for _name in ("plain_self_attention", "attend", "multi_head_attention", "label_logits"):
    forbid(_name, *ATTENTION_OF_THE_LIBRARY)

DOUBLE, EXACT = torch.float64, (1e-5, 1e-7)
HIDDEN = "A masked score may not count, not as the largest one either: which is that low?"
SEEN = {False: "all words seen", True: "causal"}


# --- 6.1 -------------------------------------------------------------------------------------------------------------


@check("plain_self_attention", weight=2, hint="Three scores a word, a softmax over them, a weighted sum of the words.")
def three_words_by_hand(answer):
    """Words (a, 0), (0, a), (a, a) with a² = ln 2: weights 2/5, 1/5, 2/5 of the first; causal 1, and 1/3, 2/3."""
    x, new = cases.three_words()
    for causal, seen in SEEN.items():
        close(answer(x, causal), new[causal], f"the new vectors, {seen}")


@check(
    "plain_self_attention", weight=2, hint="Over which axis do the weights of one word sum to one? Are scores scaled?"
)
def it_is_the_librarys_attention_of_a_text_to_itself(answer):
    """The new vectors are those of torch's attention, unscaled, for texts of any size."""
    rng = seeded()
    for shape in ((2, 5, 3), (4, 4, 4), (3, 1, 2), (1, 6, 1)):
        x = numbers(rng, *shape, spread=1.5)
        for causal in (False, True):
            expected = F.scaled_dot_product_attention(x, x, x, is_causal=causal, scale=1.0)
            got = floats(answer(x, causal), shape, "the new vectors")
            close(got, expected, f"the new vectors for x of shape {shape}, causal={causal}", *SOFT)


@check("plain_self_attention", hint="Which words j may word i see? Itself is one of them.")
def what_is_to_come_changes_nothing(answer):
    """Causal: other words from a place on leave all before it as it was; the first word stays what it is."""
    rng = seeded()
    x = numbers(rng, 2, 6, 3, spread=1.5)
    got = floats(answer(x, True), (2, 6, 3), "the new vectors")
    close(got[:, 0], x[:, 0], "the first word, causal", *SOFT)
    for place in (1, 3, 5):
        other = torch.cat([x[:, :place], 2 - x[:, place:]], 1)
        moved = floats(answer(other, True), (2, 6, 3), "the new vectors")
        close(
            moved[:, :place], got[:, :place], f"the words before place {place}, where all from there on differ", *SOFT
        )
        holds(bool((moved[:, place:] - got[:, place:]).abs().max() > 1e-3), "a word does not depend on what it may see")


@check("plain_self_attention", hint="Which scores belong to one text? For a batch: (B, N, D) with (B, D, N).")
def texts_do_not_meet(answer):
    """A text alone has the vectors that it has in a batch."""
    x = numbers(seeded(), 3, 4, 3, spread=1.5)
    for causal in (False, True):
        got = floats(answer(x, causal), (3, 4, 3), "the new vectors")
        for row in range(3):
            close(answer(x[row : row + 1], causal), got[row : row + 1], f"text {row} alone, causal={causal}", *SOFT)


@check("plain_self_attention", weight=2, hint=told.ROW_BY_ROW)
def scores_of_any_size(answer):
    """Vectors of thousands and thousands of millions, next to small ones: the weights are what they are."""
    x, new = cases.loud_texts()
    lower = {False: "", True: "What may not be seen needs a score that is lower than any number."}
    for causal, seen in SEEN.items():
        for dtype in (torch.float64, torch.float32):
            what = f"the new vectors in {dtype}, {seen}"
            close(answer(x.to(dtype), causal), new[causal].to(dtype), what, *SOFT, hint=lower[causal])


@check("plain_self_attention", weight=2, hint="x goes in three times: as question, as answer and as what is summed.")
def words_are_taught_three_ways(answer):
    """The gradient by x is that of torch's attention, causal and not."""
    rng = seeded()
    x, upstream = (numbers(rng, 2, 4, 3, dtype=DOUBLE) for _ in range(2))
    for causal in (False, True):

        def twin(x, causal=causal):
            return [F.scaled_dot_product_attention(x, x, x, is_causal=causal, scale=1.0)]

        (expected,) = gradients_by(twin, [x], [upstream])
        got = answer.gradients(x, causal, upstream=upstream)["arguments"][0]
        gradient_is(got, expected, f"x, causal={causal}", *SOFT)


# --- 6.2 -------------------------------------------------------------------------------------------------------------


@check("attend", weight=2, hint="√4 = 2: scores of ln 3 and 0, weights of 3/4 and 1/4.")
def two_keys_by_hand(answer):
    """A query (2 ln 3, 0, 0, 0) and keys with a 1 and a 0 in front: weights 3/4 and 1/4, of 4 and 8 they make 5."""
    q, k, v = cases.two_keys()
    attended_are(answer, (q[:1], k, v), None, (exact([5]), exact([0.75, 0.25])), how=EXACT)


@check(
    "attend", weight=2, hint="Is divided by √K, K of the keys? Do the weights of one query sum to one over the keys?"
)
def it_is_the_librarys(answer):
    """What is found, and the weights, are those of torch's attention, whatever axes stand in front."""
    rng = seeded()
    for lead, sizes in (
        ((), (2, 3, 4, 5)),
        ((3,), (4, 4, 4, 4)),
        ((2, 3), (3, 5, 8, 1)),
        ((2, 2), (1, 1, 2, 3)),
        ((1,), (5, 2, 1, 2)),
    ):
        q, k, v = qkv(rng, lead, sizes)
        about = f" for axes {lead} in front and M, N, K, W of {sizes}"
        attended_are(answer, (q, k, v), None, library_attend(q, k, v), about)


@check(
    "attend",
    weight=2,
    needs="it_is_the_librarys",
    hint="Before the softmax, not after it; True is where a query may look.",
)
def masks_of_all_shapes(answer):
    """With masks of any shape that broadcasts the weights are torch's, and exactly 0 where a mask is false."""
    rng, in_line = seeded(), ""
    q, k, v = qkv(rng, (2, 3), (4, 4, 3, 2))
    for shape in ((4, 4), (2, 1, 4, 4), (2, 1, 1, 4), (2, 3, 4, 4), (3, 4, 4), (4,), (1, 3, 4, 4)):
        mask = seen_of(rng, *shape)
        about = f" with a mask of shape {shape}"
        weights = attended_are(answer, (q, k, v), mask, library_attend(q, k, v, mask), about, hint=in_line)
        shares(weights, mask)
        in_line = "Axes are put in line from the last one on: whose is each row of this mask?"


@check(
    "attend",
    weight=2,
    needs="two_keys_by_hand",
    hint="Which softmax is 0/0? Give such a row finite scores, and take its weights away.",
)
def a_query_with_nothing_to_see_finds_zeros(answer):
    """Where a query may look nowhere, weights, what is found and gradients are zeros; its neighbours have theirs."""
    given, mask = cases.two_keys(), sees("11 00")
    out, weights = read_attended(answer(*given, mask), *given)
    close(weights, exact([0.75, 0.25], [0, 0]), "the weights")
    close(out, exact([5], [0]), "what was found", hint="Weights of zeros find zeros: is it their sum?")
    upstream, found = cases.gradients_of_two_keys()
    got = answer.gradients(*given, mask, upstream=upstream)["arguments"]
    for mine, (name, theirs) in zip(got, found.items(), strict=False):
        gradient_is(mine, theirs, name)


@check("attend", weight=2, needs="two_keys_by_hand", hint=told.ROW_BY_ROW)
def scores_of_queries_of_any_size(answer):
    """Scores of thousands, of thousands of millions, in rows that lie far apart, masked ones far above the others."""
    given, mask, shares_of = cases.loud_queries()
    two = shares_of[:, :2].clone()
    two[3] = 0.5
    for dtype in (torch.float64, torch.float32):
        q, k, v = (x.to(dtype) for x in given)
        halves = two @ given[2][:2], two
        attended_are(answer, (q, k[:2], v[:2]), None, [x.to(dtype) for x in halves], f" in {dtype}, without a mask")
        whole = shares_of @ given[2], shares_of
        expected, about = [x.to(dtype) for x in whole], f" in {dtype}, with a mask"
        weights = attended_are(answer, (q, k, v), mask, expected, about, hint=HIDDEN)
        holds(bool((weights[~mask] == 0).all()), f"a weight is not exactly 0 where it is False,{about}", hint=HIDDEN)


@check("attend", weight=2, hint="Does .detach(), .item() or a new tensor cut the way to one of the three?")
def all_three_are_taught(answer):
    """The gradients by q, k and v are those of torch's attention, through what is found and through the weights."""
    rng = seeded()
    q, k, v = qkv(rng, (2, 2), (3, 4, 5, 2), 1.0, DOUBLE)
    mask = seen_of(rng, 2, 1, 3, 4)
    upstream = [numbers(rng, 2, 2, 3, 2, dtype=DOUBLE), numbers(rng, 2, 2, 3, 4, dtype=DOUBLE)]
    found = gradients_by(lambda q, k, v: library_attend(q, k, v, mask), [q, k, v], upstream)
    got = answer.gradients(q, k, v, mask, upstream=upstream)["arguments"]
    for mine, theirs, name in zip(got, found, "qkv", strict=False):
        gradient_is(mine, theirs, name, *SOFT)


# --- 6.3 -------------------------------------------------------------------------------------------------------------


@check("attention_mask", weight=2, hint="A row for each word that asks, a column for each word that is asked.")
def two_sentences_by_hand(answer):
    """Of three words and of two with a pad: which word may look where, all words seen and causal."""
    real = sees("111 110")
    everywhere = torch.stack([sees("111 111 111"), sees("110 110 110")])[:, None]
    so_far = torch.stack([sees("100 110 111"), sees("100 110 110")])[:, None]
    close(masked(answer, real, False, "keep"), everywhere, "the mask, all words seen")
    close(masked(answer, real, True, "keep"), so_far, "the mask, causal")


@check(
    "attention_mask", weight=2, hint="Keep is True where a query may look, drop where it may not; −∞ is added there."
)
def three_kinds_are_one_mask(answer):
    """Drop is the contrary of keep, and add is 0 where keep is true and −∞ where it is false."""
    rng = seeded()
    real = twins.real_of(rng, 4, 5)
    whose = "Who is looked at decides: pads, and causal what comes later, are closed; no others."
    for causal in (False, True):
        keep = twins.seen_by_loops(real, causal)
        close(masked(answer, real, causal, "keep"), keep, f"keep, causal={causal}", hint=whose)
        close(masked(answer, real, causal, "drop"), keep.logical_not(), f"drop, causal={causal}")
        zero = torch.zeros(keep.shape).masked_fill(keep.logical_not(), -torch.inf)
        close(masked(answer, real, causal, "add"), zero, f"add, causal={causal}")


@check("attention_mask", hint="A pad may not be looked at. May it look?")
def pads_are_not_seen(answer):
    """Nobody may look at a pad; what a word may see does not depend on whether it is one, nor on other sentences."""
    rng = seeded()
    real = twins.real_of(rng, 5, 5)
    got = masked(answer, real, False, "keep")
    for b in range(5):
        close(got[b, 0], real[b].expand(5, 5), f"where the words of sentence {b} may look, all words seen")
        alone = masked(answer, real[b : b + 1], True, "keep")
        close(masked(answer, real, True, "keep")[b : b + 1], alone, f"sentence {b} alone and in a batch, causal")


@check("attention_mask", hint="Word i sees itself: is that j ≤ i or j < i? Rows are i.")
def causal_words_see_themselves_and_what_was_before(answer):
    """Without pads word i sees i + 1 words, the first ones, in texts of one word and of many."""
    for n in (1, 2, 7):
        got = masked(answer, torch.ones(2, n, dtype=torch.bool), True, "keep")
        for i in range(n):
            close(got[1, 0, i].tolist(), [j <= i for j in range(n)], f"where word {i} of {n} may look, causal")


@check("attention_mask", hint="Nowhere to look: keep is False throughout, drop is True, and −∞ is added, no less.")
def sentences_without_a_word(answer):
    """A sentence of pads alone may look nowhere, and its mask to be added is −∞ throughout."""
    real = sees("000 101")
    for causal in (False, True):
        close(masked(answer, real, causal, "keep")[0], torch.zeros(1, 3, 3, dtype=torch.bool), "keep, of pads alone")
        close(masked(answer, real, causal, "drop")[0], torch.ones(1, 3, 3, dtype=torch.bool), "drop, of pads alone")
        close(masked(answer, real, causal, "add")[0], torch.full((1, 3, 3), -torch.inf), "add, of pads alone")


# --- 6.4 -------------------------------------------------------------------------------------------------------------


@check("split_heads", weight=2, hint="A word's first K numbers are those of head 0. Does its row stay its row?")
def two_heads_by_hand(answer):
    """Three words of six numbers, two heads: head 0 has the first three of each word, head 1 the last three."""
    x = torch.arange(18.0).reshape(1, 3, 6)
    expected = [[0, 1, 2], [6, 7, 8], [12, 13, 14]], [[3, 4, 5], [9, 10, 11], [15, 16, 17]]
    close(answer(x, 2), torch.tensor(expected).float()[None], "the heads")


@check("split_heads", weight=2, hint="First (B, N, H, K), then the axes N and H change places.")
def each_head_has_its_own_numbers(answer):
    """Head h of word i has the numbers from h·K to (h + 1)·K, for sizes that are equal and others."""
    rng = seeded()
    for B, N, H, K in ((2, 3, 3, 3), (3, 2, 4, 1), (1, 5, 1, 4), (4, 1, 2, 3), (2, 2, 2, 2)):
        x = numbers(rng, B, N, H * K)
        got = floats(answer(x, H), (B, H, N, K), "the heads")
        for h in range(H):
            close(got[:, h], x[:, :, h * K : (h + 1) * K], f"head {h} for B, N, H, K of {(B, N, H, K)}")


@check("split_heads", hint="Numbers are only put elsewhere: does .detach() or a new tensor cut the way?")
def each_number_is_taught_once(answer):
    """The gradient by x is the upstream one, put back in its place."""
    x = numbers(seeded(), 2, 3, 6, dtype=DOUBLE)
    upstream = torch.arange(36.0, dtype=DOUBLE).reshape(2, 2, 3, 3)
    expected = torch.cat([upstream[:, 0], upstream[:, 1]], 2)
    got = answer.gradients(x, 2, upstream=upstream)["arguments"][0]
    gradient_is(got, expected, "x")


# --- 6.5 -------------------------------------------------------------------------------------------------------------


@check("multi_head_attention", weight=2, hint="Two heads of one number each; then [head 0 ; head 1], then W^O and b^O.")
def three_words_with_two_heads_by_hand(answer):
    """Three words, two heads of width 1: head 0 finds 3, 5, 5, head 1 5, 9, 5, and (h_1, 2 h_0 + h_1) + (1, 0)."""
    x, params, *expected = cases.two_heads_of_one_number()
    heads_are(answer, (x, params, 2, None), expected, how=EXACT)


@check(
    "multi_head_attention", weight=3, hint="Split, attend with √K of a head, join in order, W^O. Compare the weights."
)
def it_is_the_librarys_with_copied_weights(answer):
    """New vectors and weights are those of torch.nn.MultiheadAttention, with one head, with many, with masks."""
    rng = seeded()
    for B, N, D, heads in ((2, 5, 6, 2), (3, 4, 4, 4), (1, 3, 3, 1), (4, 4, 8, 2)):
        x, params = numbers(rng, B, N, D, spread=1.5), twins.layer_of(rng, D, D)
        shapes = (B, 1, N, N), (N, N), (heads, N, N), (B, heads, N, N)
        for mask in (None, *(seen_of(rng, *shape) for shape in shapes)):
            seen = "without a mask" if mask is None else f"with a mask of shape {tuple(mask.shape)}"
            given, about = (x, params, heads, mask), f" for B, N, D, H of {(B, N, D, heads)}, {seen}"
            heads_are(answer, given, twins.library_heads(*given), about)


@check("multi_head_attention", weight=2, hint="How wide is a head? The rows of W^Q tell, not the width of x.")
def heads_may_be_wider_or_narrower_than_the_words(answer):
    """E need not be D: new vectors and weights are those of heads that are asked one after another."""
    rng = seeded()
    for B, N, D, E, heads in ((2, 4, 3, 6, 2), (2, 3, 8, 4, 4), (1, 5, 2, 5, 1), (3, 3, 6, 3, 3)):
        x, params, mask = numbers(rng, B, N, D), twins.layer_of(rng, D, E), seen_of(rng, B, 1, N, N)
        expected = twins.head_by_head(x, params, heads, mask)
        heads_are(answer, (x, params, heads, mask), expected, f" for D, E, H of {(D, E, heads)}")
        more = twins.net_of(rng, (4, D, E, 2)) | params
        other = ", with other names in params"
        heads_are(answer, (x, more, heads, mask), expected, other, hint="Take the eight by their names.")


@check("multi_head_attention", hint="A word that may look nowhere finds zeros: what do W^O and b^O make of them?")
def a_word_with_nothing_to_see_has_the_bias(answer):
    """A word that may look nowhere gets b^O, and its gradients are numbers."""
    rng = seeded()
    x, params = numbers(rng, 2, 3, 4, dtype=DOUBLE), twins.layer_of(rng, 4, 4, DOUBLE)
    mask = seen_of(rng, 2, 1, 3, 3)
    mask[1] = False
    out, weights = read_heads(answer(x, params, 2, mask), x, 2)
    close(out[1], params["bo"].expand(3, 4), "the new vectors of a sentence that may look nowhere")
    close(weights[1], torch.zeros(2, 3, 3), "the weights of a sentence that may look nowhere")
    upstream = [torch.ones(2, 3, 4, dtype=DOUBLE), torch.zeros(2, 2, 3, 3, dtype=DOUBLE)]
    got = answer.gradients(x, params, 2, mask, upstream=upstream)["arguments"][0]
    close(floats(got, (2, 3, 4), "the gradient by x")[1], torch.zeros(3, 4), "the gradient by that sentence")


@check("multi_head_attention", weight=2, hint="Which of the eight has no way to the result, or a way too many?")
def all_eight_parameters_are_taught(answer):
    """The gradients by x and by all parameters are the library's, through the new vectors and through the weights."""
    rng = seeded()
    x, params, mask = numbers(rng, 2, 4, 3, dtype=DOUBLE), twins.layer_of(rng, 3, 6, DOUBLE), seen_of(rng, 2, 1, 4, 4)
    upstream = [numbers(rng, 2, 4, 3, dtype=DOUBLE), numbers(rng, 2, 2, 4, 4, dtype=DOUBLE)]

    def twin(x, *rest):
        return twins.head_by_head(x, dict(zip(params, rest, strict=True)), 2, mask)

    by_x, *found = gradients_by(twin, [x, *params.values()], upstream)
    got = answer.gradients(x, params, 2, mask, upstream=upstream)["arguments"]
    gradient_is(got[0], by_x, "x", *SOFT)
    same_by_name(got[1], dict(zip(params, found, strict=True)), LAYER)


# --- 6.6 -------------------------------------------------------------------------------------------------------------


@check(
    "sinusoids", weight=2, hint="sin 1, cos 1, sin 0.01, cos 0.01: sine and cosine in turn, the first pair the fastest."
)
def position_one_by_hand(answer):
    """For d = 4 position 0 has 0, 1, 0, 1 and position 1 has 0.8415, 0.5403, 0.0100, 1.0000."""
    got = table(answer, 2, 4)
    close(got[0], torch.tensor([0.0, 1.0, 0.0, 1.0]), "position 0", 0.0, 1e-6)
    expected = torch.tensor([math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)])
    close(got[1], expected, "position 1", 0.0, 1e-6)


@check("sinusoids", weight=2, hint="The pair m turns by 1/10000^(2m/d) from one position to the next: m counts pairs.")
def pairs_turn_ever_more_slowly(answer):
    """Each pair is a point on a circle, which the step from a position to the next turns by 10000^(−2m/d)."""
    for n, d in ((12, 2), (9, 8), (30, 6)):
        pairs = table(answer, n, d).double().reshape(n, d // 2, 2)
        close(pairs.square().sum(2), torch.ones(n, d // 2), f"sine² + cosine² for d = {d}", 0.0, 1e-5)
        step = torch.tensor([10000 ** (-2 * m / d) for m in range(d // 2)], dtype=DOUBLE)
        sine = pairs[1:, :, 0] * pairs[:-1, :, 1] - pairs[1:, :, 1] * pairs[:-1, :, 0]
        close(sine, step.sin().expand(n - 1, -1), f"sines of the turns for d = {d}", 0.0, 1e-5)


@check("sinusoids", hint="What may row p depend on, besides p and d? And what is a table without a row?")
def rows_do_not_depend_on_how_many_there_are(answer):
    """A longer table begins with the shorter one; with n = 0 it has no row."""
    longer = table(answer, 40, 6)
    for n in (1, 2, 17):
        close(table(answer, n, 6), longer[:n], f"the first {n} rows of 40", 0.0, 1e-6)
    close(table(answer, 0, 6), torch.zeros(0, 6), "the table for n = 0")


# --- 6.7 -------------------------------------------------------------------------------------------------------------


@check("label_logits", weight=2, hint="x_i = E[word] + p_i; what attention made of that; then W and b.")
def two_words_by_hand(answer):
    """Causal, with W^Q = 0 the first word finds itself, the second the mean of both, and b^O = (0, 2) is added."""
    ids, params, expected = cases.net_of_two_words()
    got = logits_of(answer, ids, sees("11"), params, 2, True)
    close(got[0], expected, "the logits", 1e-6, 1e-6)


@check(
    "label_logits",
    weight=2,
    hint="E[ids] + p goes into the heads, with the mask; what they found, and no more, into W and b.",
)
def it_is_the_librarys_parts_together(answer):
    """The logits of real words are what torch's functions give in a row, causal and not."""
    rng = seeded()
    for B, N, sizes, heads in ((3, 5, (7, 4, 6, 3), 2), (4, 4, (5, 4, 4, 4), 4), (1, 1, (4, 2, 3, 2), 1)):
        params, ids, real = twins.net_of(rng, sizes), symbol_ids(rng, sizes[0], B, N), twins.real_of(rng, B, N)
        for causal in (False, True):
            real[:, 0] = True  # the first word has somewhere to look
            got = logits_of(answer, ids, real, params, heads, causal)
            expected = twins.library_logits(ids, real, params, heads, causal)
            same_where_real(got, expected, real, f"the logits for B, N, H of {(B, N, heads)}, causal={causal}")


@check("label_logits", hint="Does your mask reach the attention, and is it that of each sentence?")
def pads_change_no_label(answer):
    """Other symbols at the pads, more pads, and no sentence beside it leave the logits of real words as they are."""
    rng = seeded()
    params, ids = twins.net_of(rng, (8, 4, 6, 3)), symbol_ids(rng, 8, 3, 4)
    real = sees("1111 1100 1110")
    for causal in (False, True):
        got = logits_of(answer, ids, real, params, 2, causal)
        other = logits_of(answer, ids.where(real, (ids + 3) % 8), real, params, 2, causal)
        same_where_real(other, got, real, f"the logits with other symbols at the pads, causal={causal}")
        wide = logits_of(answer, F.pad(ids, (0, 2), value=5), F.pad(real, (0, 2)), params, 2, causal)
        same_where_real(wide[:, :4], got, real, f"the logits with two more pads, causal={causal}")
        alone = logits_of(answer, ids[1:2, :2], real[1:2, :2], params, 2, causal)
        close(alone, got[1:2, :2], f"the logits of the second sentence alone, causal={causal}", *SOFT)


@check("label_logits", hint="Is causal handed on? Which words may a word see?")
def causal_labels_do_not_see_what_is_to_come(answer):
    """Causal: other words after a place leave the logits up to it as they were; else they move them."""
    rng = seeded()
    params, ids, real = twins.net_of(rng, (8, 4, 6, 3)), symbol_ids(rng, 8, 3, 6), torch.ones(3, 6, dtype=torch.bool)
    other = torch.cat([ids[:, :3], (ids[:, 3:] + 1) % 8], 1)
    got, moved = (logits_of(answer, one, real, params, 2, True) for one in (ids, other))
    close(moved[:, :3], got[:, :3], "the logits of the first three words, causal", *SOFT)
    got, moved = (logits_of(answer, one, real, params, 2, False) for one in (ids, other))
    holds(bool((moved[:, :3] - got[:, :3]).abs().max() > 1e-3), "without causal a word does not see those after it")


@check("label_logits", weight=2, hint="Which parameter has no way to the logits?")
def the_whole_net_is_taught(answer):
    """The gradients by all eleven parameters are those of torch's functions."""
    rng = seeded()
    params, ids = twins.net_of(rng, (5, 4, 6, 3), DOUBLE), symbol_ids(rng, 5, 2, 4)
    real, upstream = torch.ones(2, 4, dtype=torch.bool), numbers(rng, 2, 4, 3, dtype=DOUBLE)

    def twin(*own):
        return [twins.library_logits(ids, real, dict(zip(params, own, strict=True)), 2, True)]

    found = dict(zip(params, gradients_by(twin, list(params.values()), [upstream]), strict=True))
    got = answer.gradients(ids, real, params, 2, True, upstream=upstream)["arguments"][2]
    same_by_name(got, found, tuple(params))


# --- 6.8 -------------------------------------------------------------------------------------------------------------


@check("pruned", weight=2, hint="Head h has the rows from h·K on of three matrices and three biases. And of W^O?")
def one_of_two_heads_by_hand(answer):
    """Two heads of two numbers: head 1 has the last two rows, and of W^O the last two columns; b^O stays."""
    params, left = cases.second_of_two_heads()
    got = pruned_of(answer, params, 2, [1])
    for name, expected in left.items():
        close(got[name], expected, f"{name} of what is left")


@check("pruned", weight=2, hint="Rows, biases and columns must be those of the same heads, in the order of keep.")
def what_is_left_does_what_it_did(answer):
    """The layer that is left gives the sum of the kept heads' parts, and their weights, in the order of keep."""
    rng = seeded()
    for D, E, heads, keep in ((4, 6, 3, [0, 2]), (5, 8, 4, [3, 1]), (4, 4, 4, [2]), (3, 6, 2, [1, 0]), (4, 3, 1, [0])):
        params, x = twins.layer_of(rng, D, E), numbers(rng, 2, 4, D)
        got, K = pruned_of(answer, params, heads, keep), E // heads
        silent = params | {"Wo": params["Wo"].clone()}
        for h in set(range(heads)) - set(keep):
            silent["Wo"][:, h * K : (h + 1) * K] = 0
        expected, weights = twins.head_by_head(x, silent, heads)
        left = twins.head_by_head(x, got, len(keep))
        about = f"with the heads {keep} of {heads}"
        close(left[1], weights[:, keep], f"the weights {about}", *SOFT)
        close(left[0], expected, f"the new vectors {about}", *SOFT)


@check("pruned", hint="Only eight of the names are a layer's, and of these bo belongs to no head.")
def all_else_stays_as_it_is(answer):
    """With all heads in order nothing changes, and what else is in the dictionary stays as it is."""
    rng = seeded()
    for params in (twins.net_of(rng, (5, 4, 6, 3)), twins.net_of(rng, (6, 6, 6, 6))):
        for keep in ([0, 1, 2], [1], [2, 0]):
            got = pruned_of(answer, params, 3, keep)
            for name in params if len(keep) == 3 else ("E", "W", "b", "bo"):
                close(got[name], params[name], f"{name}, where the heads {keep} of 3 are kept")


# --- 6.9 -------------------------------------------------------------------------------------------------------------

SIZES = 7, 6  # symbols, positions


@check("leaks", weight=2, hint="Which outputs do you compare? Those at a position and before it, never those after it.")
def sound_models_are_not_accused(answer):
    """A model whose positions depend on what stood there and before has no leak; one beside them, off by one, has."""
    for name, model in leaking.SOUND.items():
        leaking.finds(answer, model, SIZES, [], name)
    off = leaking.LEAKING["a mask that is off by one"]
    leaking.finds(answer, off[0], SIZES, off[1](SIZES[1]), "a mask that is off by one, which is not sound")


@check("leaks", weight=2, hint="Change what comes later: may anything move at t? Try many texts.")
def wrong_masks_are_found(answer):
    """Masks that are off by one, transposed, or missing, in either layer: all positions but the last."""
    masks = "a mask that is off by one", "a mask that is transposed", "no mask", "a second layer without its mask"
    leaking.finds_each(answer, SIZES, masks)


@check("leaks", weight=2, hint="A leak may come from far away, for one symbol alone, or be small. What do you change?")
def leaks_without_a_mask_are_found(answer):
    """Means and norms over all positions, a glance at the last symbol or at one alone, small leaks, probabilities."""
    names = "a mean over all positions", "a norm over all positions", "the next symbol, where it is 0"
    names += "the last symbol seen everywhere", "a leak that is a thousandth", "probabilities, whose sum is always 1"
    leaking.finds_each(answer, SIZES, names)


@check("leaks", weight=2, hint="How often does it show, in how many numbers? Each text and number counts by itself.")
def leaks_that_show_seldom_are_found(answer):
    """Leaks that show in one text of fourteen, one of them small and in one number, and leaks that need two symbols."""
    seldom = "the next symbol, where it is 0 after 0 or 1", "a small leak in one number, where 0 comes after 0 or 1"
    leaking.finds_each(answer, (7, 10), seldom)
    leaking.finds_each(answer, SIZES, ("whether the next symbol is larger", "whether the next two differ"))


@check("leaks", weight=2, hint="Each position by itself: is it this one that moves, or another one?")
def each_position_is_judged_by_itself(answer):
    """Where some positions alone see the future, they are named and no others."""
    names = "the symbol two places later", "the first position sees the second", "the last but one sees the last"
    leaking.finds_each(answer, SIZES, (*names, "every other position sees the next"))
