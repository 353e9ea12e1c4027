"""The hidden checks of unit 6: attention of a text to itself, masks, many heads, positions, and a leak detector.

The properties of `unrolled.checks.attention` on other inputs, drawn anew from each seed and compared with torch's own
functions or with the source's solution (`agrees`), and the cases that students forget. Their sentences are shown with
the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import torch
import torch.nn.functional as F
import unrolled.checks.attention  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import attending, leaking
from unrolled.checks.helpers import heads as twins
from unrolled.checks.helpers.heads import library_attend, qkv, seen_of
from unrolled.checks.helpers.recurrent import FLOAT32, numbers, symbol_ids
from unrolled.checks.helpers.translators import SOFT

from autograder.judging.agreeing import agrees

PRECISION = {torch.float32: FLOAT32, torch.float64: (1e-10, 1e-12)}  # rtol and atol that a right answer keeps
SINGLE, DOUBLE = torch.float32, torch.float64


# --- more of 6.1 -----------------------------------------------------------------------------------------------------


@check("plain_self_attention", weight=2, hint="Try one text, one word, one number, sizes all equal, and float64.")
def other_texts_ask_themselves(answer):
    """Other sizes, in either format, which the new vectors keep with all its digits."""
    rng = seeded()
    for shape, dtype in (((1, 1, 1), DOUBLE), ((5, 5, 5), SINGLE), ((3, 8, 2), DOUBLE), ((1, 2, 7), SINGLE)):
        x = numbers(rng, *shape, spread=1.3, dtype=dtype)
        for causal in (True, False):
            new = F.scaled_dot_product_attention(x, x, x, is_causal=causal, scale=1.0)
            close(answer(x, causal), new, "the new vectors", *PRECISION[dtype], same_dtype=True)


@check("plain_self_attention", hint="What does a word know of its place? Nothing but, causal, who stands before it.")
def words_in_another_order(answer):
    """All words seen, words in another order have the same new vectors, in that order; causal they have not."""
    rng = seeded()
    x = numbers(rng, 2, 6, 3, spread=1.5, dtype=DOUBLE)
    order = [3, 5, 0, 4, 2, 1]
    got = floats(answer(x, False), (2, 6, 3), "the new vectors")
    close(answer(x[:, order], False), got[:, order], "the new vectors of words in another order", *SOFT)
    got = floats(answer(x, True), (2, 6, 3), "the new vectors, causal")
    moved = floats(answer(x[:, order], True), (2, 6, 3), "the new vectors, causal")
    holds(bool((moved - got[:, order]).abs().max() > 1e-3), "causal, the order of the words has no effect")


# --- more of 6.2 -----------------------------------------------------------------------------------------------------


@check("attend", weight=3, hint="Try sizes of one, sizes all equal, no axis in front, three of them, and float64.")
def other_questions_and_answers(answer):
    """Other sizes and masks, in either format, which both results keep with all its digits."""
    rng = seeded()
    for lead, sizes, shape, dtype in (
        ((), (1, 1, 1, 1), (1,), DOUBLE),
        ((3, 3), (3, 3, 3, 3), (3, 1, 3, 3), SINGLE),
        ((3, 3), (2, 4, 2, 3), (3, 2, 4), DOUBLE),
        ((2,), (6, 3, 7, 2), (2, 6, 3), DOUBLE),
        ((2, 1, 2), (2, 4, 3, 5), (2, 1, 1, 2, 4), DOUBLE),
        ((4, 2), (5, 7, 12, 3), (4, 1, 1, 7), SINGLE),
    ):
        q, k, v = qkv(rng, lead, sizes, 3.0, dtype)
        for mask in (None, seen_of(rng, *shape)):
            right = library_attend(q, k, v, mask)
            attending.attended_are(answer, (q, k, v), mask, right, how=PRECISION[dtype], same_dtype=True)


@check("attend", hint="A query's result depends on the keys and values that it may look at, in any order.")
def what_is_hidden_changes_nothing(answer):
    """Other keys and values where nobody may look change nothing, and keys in another order find the same."""
    rng = seeded()
    q, k, v = qkv(rng, (2, 2), (5, 5, 3, 2))
    mask = seen_of(rng, 1, 1, 5, 5)
    mask[..., 2] = False
    mask[..., 4] = True
    before = attending.read_attended(answer(q, k, v, mask), q, k, v)
    other_k, other_v = k.clone(), v.clone()
    other_k[..., 2, :], other_v[..., 2, :] = 300 * q[..., 0, :], -70.0
    moved = attending.read_attended(answer(q, other_k, other_v, mask), q, k, v)
    close(moved[0], before[0], "what was found, with other keys and values where nobody looks", *SOFT)
    order = [4, 2, 0, 1, 3]
    moved = attending.read_attended(answer(q, k[..., order, :], v[..., order, :], mask[..., order]), q, k, v)
    close(moved[0], before[0], "what was found, with keys in another order", *SOFT)
    close(moved[1], before[1][..., order], "the weights, with keys in another order", *SOFT)


@check(
    "attend",
    needs="a_query_with_nothing_to_see_finds_zeros",
    hint="Its row alone is empty: is it the batch's, or its own?",
)
def some_queries_see_nothing(answer):
    """Among sentences and heads some queries may look nowhere: zeros there, the library's numbers elsewhere."""
    rng = seeded()
    q, k, v = qkv(rng, (3, 2), (4, 4, 3, 2), 2.0, DOUBLE)
    mask = seen_of(rng, 3, 2, 4, 4)
    empty = torch.zeros(3, 2, 4, dtype=torch.bool)
    empty[0, 1, 2] = empty[2, 0, 0] = empty[1, :, :] = True
    seen = mask & ~empty[..., None]
    out, weights = attending.read_attended(answer(q, k, v, seen), q, k, v)
    right = library_attend(q, k, v, mask)
    close(weights, right[1] * ~empty[..., None], "the weights", *SOFT)
    close(out, right[0] * ~empty[..., None], "what was found", *SOFT)
    one_for_all_keys = empty.logical_not()[..., None]  # (3, 2, 4, 1)
    two = attending.read_attended(answer(q, k, v, one_for_all_keys), q, k, v)
    close(two[1], library_attend(q, k, v)[1] * one_for_all_keys, "the weights, with a mask of one column", *SOFT)
    upstream = [torch.ones_like(out), torch.ones_like(weights)]
    for got in answer.gradients(q, k, v, seen, upstream=upstream)["arguments"][:3]:
        holds(got is not None and bool(got.isfinite().all()), "a gradient is missing or no number")


# --- more of 6.3 and 6.4 ---------------------------------------------------------------------------------------------


@agrees(
    "attention_mask",
    weight=3,
    hint="Loop over rows and columns, and compare, for one word and one sentence, too.",
    what="the mask",
)
def masks_of_other_batches(rng):
    """Other batches, pads anywhere, one word and one sentence among them, in all conventions."""
    for batch, places in ((1, 1), (4, 4), (6, 3), (1, 7), (2, 6)):
        real = numbers(rng, batch, places) < 0.3
        for causal in (False, True):
            for kind in ("keep", "drop", "add"):
                yield real, causal, kind


@check("attention_mask", hint="0 and −∞, and nothing between: what do they make of scores of any size?")
def what_is_added_hides_scores_of_any_size(answer):
    """Scores of any size with the mask of kind add have a softmax of exactly 0 where one may not look."""
    rng = seeded()
    real = twins.real_of(rng, 4, 6)
    real[:, 0] = True
    for causal in (False, True):
        seen = twins.seen_by_loops(real, causal)
        scores = numbers(rng, 4, 2, 6, 6, spread=1e12, dtype=DOUBLE)
        weights = (scores + attending.masked(answer, real, causal, "add")).softmax(-1)
        there = bool(weights.isfinite().all())
        holds(there, "a word that may look somewhere has no weights: there is −∞ throughout its row, or NaN in it")
        holds(bool((weights[~seen.expand_as(weights)] == 0).all()), "a weight is not 0 where one may not look")
        close(weights.sum(-1), torch.ones(4, 2, 6), "the sums of the weights")


@agrees(
    "split_heads", weight=2, hint="Try one head, heads of one number, an x.is_contiguous() of False.", what="the heads"
)
def heads_of_other_sizes(rng):
    """Other sizes, in either format, with one head and heads of one number, and numbers in another order in memory."""
    for B, N, H, K in ((1, 1, 1, 1), (3, 3, 3, 3), (2, 5, 1, 6), (2, 3, 6, 1), (4, 2, 5, 3)):
        x = numbers(rng, B, N, H * K, dtype=rng.choice([SINGLE, DOUBLE]))
        yield x, H
        yield twins.turned(x), H


@check("split_heads", hint="Numbers are only put elsewhere: which type do they have?")
def heads_keep_their_type(answer):
    """The heads have the type of the words, and joined again they are the words."""
    rng = seeded()
    for dtype in (SINGLE, DOUBLE):
        x = numbers(rng, 2, 3, 8, dtype=dtype)
        got = floats(answer(x, 4), (2, 4, 3, 2), "the heads")
        close(torch.cat(got.unbind(1), 2), x, "the heads side by side", 0.0, 0.0, same_dtype=True)


# --- more of 6.5 -----------------------------------------------------------------------------------------------------


@check("multi_head_attention", weight=3, hint="Try one word, one head, heads of one number, sizes all equal, float64.")
def other_layers(answer):
    """Other sizes and masks, in either format, which both results keep; parameters in another order, among others."""
    rng = seeded()
    for B, N, D, E, heads, dtype in (
        (1, 1, 1, 1, 1, DOUBLE),
        (3, 3, 3, 3, 3, SINGLE),
        (2, 6, 4, 8, 1, DOUBLE),
        (4, 2, 5, 6, 2, DOUBLE),
        (1, 5, 6, 3, 3, SINGLE),
    ):
        x, params = numbers(rng, B, N, D, spread=1.5, dtype=dtype), twins.layer_of(rng, D, E, dtype)
        more = dict(reversed((twins.net_of(rng, (3, D, E, D), dtype) | params).items()))
        for mask in (None, seen_of(rng, B, 1, N, N), seen_of(rng, heads, N, N), seen_of(rng, B, heads, N, N)):
            right = twins.head_by_head(x, params, heads, mask)
            attending.heads_are(answer, (x, more, heads, mask), right, how=PRECISION[dtype], same_dtype=True)


@check("multi_head_attention", hint="Which rows of the result does a word take part in? Those of its own sentence.")
def sentences_and_orders(answer):
    """A sentence alone has the vectors that it has in a batch, and words in another order have theirs in that order."""
    rng = seeded()
    x, params = numbers(rng, 4, 4, 6), twins.layer_of(rng, 6, 4)
    out, _ = attending.read_heads(answer(x, params, 2, None), x, 2)
    alone, _ = attending.read_heads(answer(x[2:3], params, 2, None), x[2:3], 2)
    close(alone, out[2:3], "the new vectors of a sentence alone", *SOFT)
    order = [2, 0, 3, 1]
    moved, _ = attending.read_heads(answer(x[:, order], params, 2, None), x, 2)
    close(moved, out[:, order], "the new vectors of words in another order", *SOFT)


@check("multi_head_attention", hint="Large numbers go into the scores as they are.")
def loud_words_ask_loudly(answer):
    """Words with large numbers, and masked ones with the largest scores, get what the library gives them."""
    rng = seeded()
    x, params, mask = numbers(rng, 2, 4, 4, spread=90.0, dtype=DOUBLE), twins.layer_of(rng, 4, 4, DOUBLE), None
    scale = torch.tensor([1.0, 1.0, 1.0, 1e5], dtype=DOUBLE)[:, None]
    for seen in (mask, torch.ones(4, 4, dtype=torch.bool).tril()):
        out, _ = attending.read_heads(answer(x * scale, params, 2, seen), x, 2)
        expected, _ = twins.head_by_head(x * scale, params, 2, seen)
        close(out, expected, "the new vectors", 1e-6, 1e-6)


# --- more of 6.6 and 6.7 ---------------------------------------------------------------------------------------------


@check("sinusoids", weight=6.5, hint="Try d = 2, many positions, and one.")
def tables_of_other_sizes(answer):
    """Other numbers of positions and widths have the published numbers."""
    rng = seeded()
    for n, d in ((1, 2), (rng.randint(2, 9), 2 * rng.randint(2, 9)), (8, 8), (400, 6), (3, 64)):
        close(attending.table(answer, n, d), twins.table_by_formula(n, d), "the table", 0.0, 1e-4)


@check("sinusoids", weight=0.5, needs="pairs_turn_ever_more_slowly", hint="Which shape has a table without a row?")
def no_positions_have_no_rows(answer):
    """A table of no positions has no row, and is as wide as the others."""
    d = 2 * seeded().randint(1, 9)
    for width in (d, d + 2):
        close(attending.table(answer, 0, width), torch.zeros(0, width), "the table of no positions")


@check(
    "sinusoids", weight=1.5, hint="A step of s turns each pair by an angle: which, and does it depend on the position?"
)
def a_step_turns_all_positions_alike(answer):
    """The row s places on is each row turned, pair by pair, by the same angles."""
    rng = seeded()
    d, s = 8, rng.randint(2, 5)
    pairs = attending.table(answer, 30, d).double().reshape(30, d // 2, 2)
    turn = s * torch.tensor([10000 ** (-2 * i / d) for i in range(d // 2)], dtype=DOUBLE)
    sine = pairs[:-s, :, 0] * turn.cos() + pairs[:-s, :, 1] * turn.sin()
    cosine = pairs[:-s, :, 1] * turn.cos() - pairs[:-s, :, 0] * turn.sin()
    close(torch.stack([sine, cosine], 2), pairs[s:], "the rows some places on", 0.0, 1e-4)


@check("label_logits", weight=3, hint="Try one sentence, one word, one head, other widths, pads anywhere.")
def other_nets(answer):
    """Other sizes, in either format, with pads anywhere: the logits of real words are the library's."""
    rng = seeded()
    for B, N, sizes, heads, dtype in (
        (1, 1, (3, 2, 2, 2), 1, DOUBLE),
        (5, 5, (9, 6, 5, 4), 5, SINGLE),
        (3, 7, (4, 4, 8, 3), 2, DOUBLE),
        (1, 4, (6, 8, 6, 1), 3, SINGLE),
        (4, 5, (7, 2, 4, 3), 2, DOUBLE),
    ):
        params, ids = twins.net_of(rng, sizes, dtype), symbol_ids(rng, sizes[0], B, N)
        params["E"] *= 1e5 if B == 4 else 1  # scores of any size
        real = twins.real_of(rng, B, N)
        real[:, 0] = True
        for causal in (True, False):
            got = attending.logits_of(answer, ids, real, dict(reversed(params.items())), heads, causal)
            right = twins.library_logits(ids, real, params, heads, causal)
            exactly = PRECISION[DOUBLE] if N == 1 and dtype == DOUBLE else SOFT  # other positions have seven digits
            attending.same_where_real(got, right, real, "the logits", *exactly, same_dtype=True)


@check("label_logits", hint="Same words, another order: what tells them apart, and when is it added?")
def order_matters(answer):
    """The same words in another order have other logits than before, for some words, causal and not."""
    rng = seeded()
    params, ids = twins.net_of(rng, (8, 6, 6, 3), DOUBLE), torch.tensor([[3, 1, 4, 6, 5]])
    real, order = torch.ones(1, 5, dtype=torch.bool), [4, 2, 0, 3, 1]
    looks = "Does a word see other words at all? True is where it may look."
    for causal in (False, True):
        got = attending.logits_of(answer, ids, real, params, 3, causal)
        other = attending.logits_of(answer, ids + torch.tensor([1, 1, 1, 1, 0]), real, params, 3, causal)
        holds(bool((other - got)[:, -1].abs().max() > 1e-3), "the words before a word have no effect", hint=looks)
        moved = attending.logits_of(answer, ids[:, order], real, params, 3, causal)
        holds(bool((moved - got[:, order]).abs().max() > 1e-3), "the order of the words has no effect")


@check("label_logits", hint="A sentence of pads alone may give anything, and must not spoil the others.")
def a_sentence_of_pads(answer):
    """Beside a sentence without a real word the others have the logits, and gradients, that they have alone."""
    rng = seeded()
    params, ids, real = twins.net_of(rng, (6, 4, 4, 3), DOUBLE), symbol_ids(rng, 6, 2, 3), attending.sees("000 111")
    got = attending.logits_of(answer, ids, real, params, 2, False)
    alone = attending.logits_of(answer, ids[1:], real[1:], params, 2, False)
    close(got[1:], alone, "the logits of the sentence beside", *SOFT)
    upstream = torch.zeros(2, 3, 3, dtype=DOUBLE)
    upstream[1] = 1.0
    found = answer.gradients(ids, real, params, 2, False, upstream=upstream)["arguments"][2]
    for name in ("E", "Wq", "Wv"):
        holds(found[name] is not None and bool(found[name].isfinite().all()), "a gradient is missing or no number")


# --- more of 6.8 and 6.9 ---------------------------------------------------------------------------------------------


@agrees(
    "pruned",
    weight=3,
    hint="What stays keeps its numbers, and so does what is no head's. Try one head, other orders.",
    what="the parameters",
    rtol=0.0,
    atol=0.0,
)
def other_layers_are_pruned(rng):
    """Other layers, of one head and of many, in either format, with the heads in any order."""
    for D, K, heads in ((4, 1, 4), (3, 3, 3), (6, 2, 5), (2, 4, 1), (5, 2, 6)):
        keep = rng.sample(range(heads), rng.randint(1, heads))
        for dtype in (SINGLE, DOUBLE):
            yield twins.net_of(rng, (4, D, K * heads, 2), dtype), heads, keep


@check("pruned", hint="Pruning twice is pruning once: the numbers are then those of the smaller layer.")
def pruning_twice_is_pruning_once(answer):
    """Heads taken away one after another leave the layer from which they were taken at once, types kept."""
    rng = seeded()
    for dtype in (SINGLE, DOUBLE):
        params = twins.layer_of(rng, 5, 8, dtype)
        once = attending.pruned_of(answer, params, 4, [3, 0])
        twice = attending.pruned_of(answer, attending.pruned_of(answer, params, 4, [0, 2, 3]), 3, [2, 0])
        close(twice, once, "what is left", 0.0, 0.0, same_dtype=True)


@check("leaks", weight=2, hint="Try two symbols, two positions, one position, many.")
def models_of_other_sizes(answer):
    """Other vocabularies and lengths, the smallest among them: the positions that see the future are named."""
    rng = seeded()
    names = list(leaking.LEAKING)
    for sizes in ((2, 2), (5, 3), (12, 9), (2, 5)):
        for name in rng.sample(names, 4):
            one, where = leaking.LEAKING[name]
            leaking.finds(answer, one, sizes, where(sizes[1]), "another model", shown=False)
        for name in (rng.choice(list(leaking.SOUND)), "numbers that tremble"):
            leaking.finds(answer, leaking.SOUND[name], sizes, [], "a sound model", shown=False)


@check("leaks", hint="Where nothing comes later, nothing can be seen. A model may also see everything before it.")
def one_position_has_no_future(answer):
    """A model of one position is sound, whatever it does, and one that depends on all before; one of two may leak."""
    for model, _ in leaking.LEAKING.values():
        leaking.finds(answer, model, (4, 1), [], "a model of one position", shown=False)
    for model in leaking.SOUND.values():
        leaking.finds(answer, model, (3, 4), [], "a sound model", shown=False)
    no_mask, _ = leaking.LEAKING["no mask"]
    leaking.finds(answer, no_mask, (3, 2), [0], "a model of two positions, which is not sound", shown=False)


@check("leaks", hint="What comes out may have any number of axes after the first two.")
def outputs_of_other_shapes(answer):
    """Models whose outputs are a number a position, or a table, are judged alike."""
    model, positions = leaking.LEAKING["a mask that is off by one"]
    sound = leaking.SOUND["attention to what stood before"]
    for form in (lambda y: y[..., 0], lambda y: y[..., None] * torch.ones(2), lambda y: y.double()):
        leaking.finds(answer, lambda ids, f=form: f(model(ids)), (6, 5), positions(5), "another form", shown=False)
        leaking.finds(answer, lambda ids, f=form: f(sound(ids)), (6, 5), [], "another form", shown=False)
