"""The hidden checks of unit 7: the parts of a block, encoder and decoder, a language model with a cache, a diagnosis.

The properties of `unrolled.checks.transformer` on other inputs, drawn anew from each seed and compared with torch's own
functions or with the source's solution (`agrees`), and the cases that students forget. Their sentences are shown with
the marks, their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import torch
import torch.nn.functional as F
import unrolled.checks.transformer  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import ailing, blocks, said, told
from unrolled.checks.helpers.heads import layer_of, real_of, seen_of, turned
from unrolled.checks.helpers.recurrent import FLOAT32, numbers, symbol_ids
from unrolled.checks.helpers.teaching import taught
from unrolled.checks.helpers.translators import SOFT

from autograder.judging.agreeing import agrees

SINGLE, DOUBLE = torch.float32, torch.float64
PRECISION = {SINGLE: FLOAT32, DOUBLE: (1e-9, 1e-11)}  # rtol and atol that a right answer keeps


# --- more of 7.1 and 7.2 ---------------------------------------------------------------------------------------------


@agrees(
    "layer_norm",
    weight=3,
    hint="Try no axis in front, three of them, D = 1, sizes all equal, an ε far below any net's.",
    what="the vectors",
    rtol=1e-4,
    atol=1e-5,
)
def other_vectors_are_normed(rng):
    """Other sizes, other ε, numbers of any size."""
    for shape in ((1,), (7,), (2, 2), (5, 5, 5), (3, 1, 2, 4), (1, 1)):
        learned, (spread, centre) = blocks.norm_of(rng, shape[-1]), rng.choice([(1e-3, 0), (1, 5), (1e4, 0)])
        x = numbers(rng, *shape, spread=spread) + centre
        yield x, learned["gamma"], learned["beta"], rng.choice([1e-12, 1e-5, 1e-3, 2.0])


@check("layer_norm", weight=2, hint="Is ε inside the root, as it came, and is each number of the type that came?")
def the_type_is_kept(answer):
    """In either format, which the vectors keep with all its digits, whether x lies in memory row by row or not."""
    rng = seeded()
    for dtype in (SINGLE, DOUBLE):
        x, own = numbers(rng, 4, 3, 5, dtype=dtype), blocks.norm_of(rng, 5, dtype)
        expected = blocks.library_norm(x, own, 1e-3)
        for one in (x, turned(x), x.transpose(0, 1).contiguous().transpose(0, 1)):
            got = answer(one, *own.values(), 1e-3)
            hint = told.of_type(got, expected, PRECISION[dtype])
            close(got, expected, "the vectors", *PRECISION[dtype], same_dtype=True, hint=hint)


@check("layer_norm", hint="Is x far larger, or far from 0, and ε next to nothing: what does a norm leave of it?")
def scale_and_place_are_taken_out(answer):
    """With an ε next to nothing the norm of a·x + b is that of x, for any a above 0 and any b."""
    rng = seeded()
    x, own = numbers(rng, 3, 6, dtype=DOUBLE), blocks.norm_of(rng, 6, DOUBLE)
    got = floats(answer(x, *own.values(), 1e-14), (3, 6), "the vectors")
    a, b = rng.uniform(2, 9), rng.uniform(-50, 50)
    close(answer(a * x + b, *own.values(), 1e-14), got, "the vectors, scaled and moved", 1e-6, 1e-6)


@check(
    "feed_forward",
    weight=2,
    hint="Try no axis in front, three, F = 1 and 4D, sizes all equal, float64, a transposed x.",
)
def other_small_nets(answer):
    """Other sizes, in either format, which the vectors keep, x in any order in memory, with more parameters."""
    rng = seeded()
    for shape, inner, dtype in (
        ((4,), 1, DOUBLE),
        ((2, 5), 9, SINGLE),
        ((3, 3, 3), 3, DOUBLE),
        ((2, 1, 2, 6), 4, DOUBLE),
        ((3, 4, 2), 8, SINGLE),
    ):
        x, params = numbers(rng, *shape, spread=3.0, dtype=dtype), blocks.forward_of(rng, shape[-1], inner, dtype)
        got, right = answer(turned(x), blocks.more_names(params)), blocks.library_forward(x, params)
        hint = told.of_type(got, right, PRECISION[dtype])
        close(got, right, "the vectors", *PRECISION[dtype], same_dtype=True, hint=hint)


@check("feed_forward", hint="max(0, ·) is 0 below 0 and the number itself above, however large or small.")
def what_is_below_zero_says_nothing(answer):
    """Where all sums in the middle are below 0 the result is b2, and numbers of any size pass as they are."""
    rng = seeded()
    params = blocks.forward_of(rng, 4, 5, DOUBLE)
    silent = params | {"b1": params["b1"] - 1000}
    x = numbers(rng, 2, 3, 4, dtype=DOUBLE)
    close(answer(x, silent), params["b2"].expand(2, 3, 4), "the vectors, where all sums are below 0")
    close(answer(1e5 * x, params), blocks.library_forward(1e5 * x, params), "the vectors of large numbers", *SOFT)
    faint, near = 1e-3 * x, params | {"b1": torch.zeros_like(params["b1"])}
    right = blocks.library_forward(faint, near)
    close(answer(faint, near), right, "the vectors of sums near 0", *PRECISION[DOUBLE])


# --- more of 7.3 -----------------------------------------------------------------------------------------------------


@check(
    "encoder_block",
    weight=3,
    hint="Try one word, one head, heads of one number, sizes all equal, a mask a head, float64.",
)
def other_blocks(answer):
    """Other sizes and masks, in either format, which the vectors keep, with more names in the dictionaries."""
    rng = seeded()
    for B, N, sizes, heads, dtype in (
        (1, 1, (1, 1, 1), 1, DOUBLE),
        (4, 4, (4, 4, 4), 4, SINGLE),
        (2, 6, (4, 8, 3), 1, DOUBLE),
        (3, 5, (6, 6, 2), 3, DOUBLE),
    ):
        x, params = numbers(rng, B, N, sizes[0], spread=2.0, dtype=dtype), blocks.block_of(rng, sizes, dtype)
        for norm in ("post", "pre"):
            for mask in (None, seen_of(rng, B, 1, N, N), seen_of(rng, B, heads, N, N)):
                got = answer(turned(x), blocks.more_names(params), heads, mask, norm)
                right = blocks.library_block(x, params, heads, mask, norm)
                close(got, right, "the new vectors", *PRECISION[dtype], same_dtype=True)


@check("encoder_block", weight=2, hint="With nothing added by attention and FFN, what is left of x, before and after?")
def layers_that_say_nothing(answer):
    """Where both layers give zeros, pre-norm leaves the words as they are, and post-norm norms them twice."""
    rng = seeded()
    x, params = numbers(rng, 2, 3, 5, spread=4.0, dtype=DOUBLE), blocks.block_of(rng, (5, 5, 4), DOUBLE)
    params["attention"] |= {name: torch.zeros_like(params["attention"][name]) for name in ("Wo", "bo")}
    params["forward"] |= {name: torch.zeros_like(params["forward"][name]) for name in ("W2", "b2")}
    close(answer(x, params, 5, None, "pre"), x, "the words, pre-norm")
    twice = blocks.library_norm(blocks.library_norm(x, params["norm1"]), params["norm2"])
    close(answer(x, params, 5, None, "post"), twice, "the words, post-norm", *SOFT)


@check("encoder_block", hint="Do words with large numbers, or a text of pads alone, go through as they should?")
def loud_words_and_empty_texts(answer):
    """Words with large numbers have the library's vectors, and a text that sees nothing spoils no gradient."""
    rng = seeded()
    x, params = numbers(rng, 2, 3, 4, spread=1e4, dtype=DOUBLE), blocks.block_of(rng, (4, 4, 4), DOUBLE)
    mask = torch.tensor([[True, True, False], [False, False, False]])[:, None, None]
    for norm in ("pre", "post"):
        right = blocks.library_block(x, params, 2, mask, norm)
        close(answer(x, params, 2, mask, norm), right, "the new vectors", *SOFT)
        upstream = numbers(rng, 2, 3, 4, dtype=DOUBLE)
        taught(answer, dict(x=x, params=params, heads=2, mask=mask, norm=norm), blocks.library_block, upstream)


# --- more of 7.4 and 7.5 ---------------------------------------------------------------------------------------------


@check("cross_attention", weight=3, hint="Try one word each, one head, heads of one number, sizes all equal, float64.")
def other_memories(answer):
    """Other sizes, pads anywhere, in either format, which the vectors keep, with more names in the dictionary."""
    rng = seeded()
    for B, M, N, D, E, heads, dtype in (
        (1, 1, 1, 1, 1, 1, DOUBLE),
        (4, 4, 4, 4, 4, 4, SINGLE),
        (2, 6, 3, 5, 8, 2, DOUBLE),
        (5, 2, 5, 4, 3, 1, DOUBLE),
        (1, 3, 7, 6, 6, 6, SINGLE),
    ):
        y, memory = (numbers(rng, B, n, D, spread=2.0, dtype=dtype) for n in (M, N))
        params, real = layer_of(rng, D, E, dtype), real_of(rng, B, N)
        right = blocks.library_cross(y, memory, params, heads, real)
        found = answer(y, turned(memory), blocks.more_names(params), heads, real)
        close(found, right, "what was found", *PRECISION[dtype], same_dtype=True)


@check(
    "cross_attention",
    weight=2,
    hint="Who asks, who is asked, who is a pad: does anything else depend on a word's place?",
)
def a_memory_is_a_set(answer):
    """A memory's words in another order leave what is found; words that ask in another order find it in that order."""
    rng = seeded()
    y, memory, params, real = numbers(rng, 2, 4, 6), numbers(rng, 2, 4, 6), layer_of(rng, 6, 4), real_of(rng, 2, 4)
    order, found = [2, 0, 3, 1], blocks.words_of(answer(y, memory, params, 2, real), y)
    close(answer(y, memory[:, order], params, 2, real[:, order]), found, "what is found in another order", *SOFT)
    close(answer(y[:, order], memory, params, 2, real), found[:, order], "what words in another order find", *SOFT)


@check(
    "cross_attention", hint="Without a word b^O is found; with scores of any size no pad is seen, and all are numbers."
)
def empty_memories_spoil_nothing(answer):
    """Beside a memory without a word, and with large numbers, values and gradients are the library's."""
    rng = seeded()
    y, memory = (numbers(rng, 3, n, 4, spread=50.0, dtype=DOUBLE) for n in (2, 3))
    params, real = layer_of(rng, 4, 4, DOUBLE), torch.tensor([[False] * 3, [True, False, True], [True] * 3])
    right = blocks.library_cross(y, memory, params, 2, real)
    close(answer(y, memory, params, 2, real), right, "what was found", *SOFT)
    loud, right = 40 * y, blocks.library_cross(40 * y, 40 * memory, params, 2, real)
    close(answer(loud, 40 * memory, params, 2, real), right, "what was found with larger numbers", *SOFT)
    upstream = numbers(rng, 3, 2, 4, dtype=DOUBLE)
    taught(answer, dict(y=y, memory=memory, params=params, heads=2, real=real), blocks.library_cross, upstream)


@check(
    "decoder_block", weight=3, hint="Try one word, many words, one head, heads of one number, sizes all equal, float64."
)
def other_decoders(answer):
    """Other sizes, pads anywhere, in either format, which the vectors keep, with more names in the dictionaries."""
    rng = seeded()
    for B, M, N, sizes, heads, dtype in (
        (1, 1, 1, (1, 1, 1), 1, DOUBLE),
        (4, 4, 4, (4, 4, 4), 4, SINGLE),
        (2, 6, 3, (4, 8, 3), 1, DOUBLE),
        (1, 40, 2, (4, 4, 2), 2, DOUBLE),
        (3, 2, 5, (6, 3, 2), 3, DOUBLE),
    ):
        y, memory = (numbers(rng, B, n, sizes[0], spread=2.0, dtype=dtype) for n in (M, N))
        params, real = blocks.decoder_of(rng, sizes, dtype), real_of(rng, B, N)
        got = answer(turned(y), memory, blocks.more_names(params), heads, real)
        right = blocks.library_decoder(y, memory, params, heads, real)
        close(got, right, "the new vectors", *PRECISION[dtype], same_dtype=True)


@check("decoder_block", weight=2, hint="With two of the three silent, what does the third one add, and to what?")
def one_part_at_a_time(answer):
    """Where two of the three parts give zeros, y is left, and the third one's sum is added to it."""
    rng = seeded()
    sizes, silent = (4, 4, 6), {"attention": ("Wo", "bo"), "cross": ("Wo", "bo"), "forward": ("W2", "b2")}
    y, memory = (numbers(rng, 2, 3, 4, spread=2.0, dtype=DOUBLE) for _ in range(2))
    params, real = blocks.decoder_of(rng, sizes, DOUBLE), real_of(rng, 2, 3)
    for part in silent:
        own = {name: dict(one) for name, one in params.items()}
        for other in silent.keys() - {part}:
            own[other] |= {name: torch.zeros_like(own[other][name]) for name in silent[other]}
        close(
            answer(y, memory, own, 2, real), blocks.library_decoder(y, memory, own, 2, real), "the new vectors", *SOFT
        )


@check("decoder_block", hint="A text alone, and one beside a memory without a word: what does each part add there?")
def decoders_beside_an_empty_memory(answer):
    """Beside a memory without a word the vectors are the library's, and a text alone has those of the batch."""
    rng = seeded()
    y, memory = (numbers(rng, 2, n, 6, dtype=DOUBLE) for n in (4, 3))
    params, real = blocks.decoder_of(rng, (6, 6, 4), DOUBLE), torch.tensor([[False] * 3, [False, True, True]])
    right = blocks.library_decoder(y, memory, params, 3, real)
    got = blocks.words_of(answer(y, memory, params, 3, real), y)
    close(got, right, "the new vectors", *SOFT)
    close(answer(y[1:], memory[1:], params, 3, real[1:]), got[1:], "the new vectors of a text alone", *SOFT)


# --- more of 7.6 -----------------------------------------------------------------------------------------------------


def _texts(rng, B, N, V, pad):
    """Texts whose lengths differ, with pads at the end; at least one symbol is to be said."""
    ids = symbol_ids(rng, V - 1, B, N)
    ids = ids + (ids >= pad)  # no symbol is the pad
    lengths = torch.tensor([N, *(rng.randint(0, N) for _ in range(B - 1))])
    return torch.where(torch.arange(N) < lengths[:, None], ids, pad)


@agrees(
    "causal_lm_loss", weight=3, hint="Try two symbols, one text, other pads, texts of pads.", what="the loss", rtol=1e-4
)
def other_texts_and_pads(rng):
    """Other sizes and pads, texts of any length beside each other, in either format."""
    for B, N, V, pad in ((1, 2, 2, 1), (4, 4, 4, 2), (5, 7, 6, 0), (3, 2, 9, 8), (2, 9, 3, 1)):
        logits = numbers(rng, B, N, V, spread=4.0, dtype=rng.choice([SINGLE, DOUBLE]))
        yield logits, _texts(rng, B, N, V, pad), pad


@check(
    "causal_lm_loss",
    weight=2,
    hint="Which logits have no answer? Those at the last symbol, and those before a pad.",
)
def logits_without_an_answer(answer):
    """Other logits at the last symbol and at pads change nothing; the loss has the type of the logits."""
    rng = seeded()
    for dtype in (SINGLE, DOUBLE):
        ids, logits = _texts(rng, 5, 6, 7, 3), numbers(rng, 5, 6, 7, spread=3.0, dtype=dtype)
        asked = F.pad(ids[:, 1:] != 3, (0, 1))
        before = floats(answer(logits, ids, 3), (), "the loss")
        other = torch.where(asked[..., None], logits, 1e4 * logits.flip(0))
        hint = "Far larger logits stand there now: are they counted, or does their size spoil the others?"
        close(answer(other, ids, 3), before, "the loss with other logits where nothing is asked", *SOFT, hint=hint)
        logs = logits[:, :-1].log_softmax(2).gather(2, ids[:, 1:, None])[..., 0]
        right = -logs[asked[:, :-1]].mean()
        hint = told.of_type(before, right, PRECISION[dtype])
        close(before, right, "the loss", *PRECISION[dtype], same_dtype=True, hint=hint)


# --- more of 7.7 and 7.8 ---------------------------------------------------------------------------------------------


@check("cached_step", weight=3, hint="Try one text, one head, heads of one number, as many heads as texts, long texts.")
def other_models_step_by_step(answer):
    """Other models and texts, with more names in the dictionaries: at each symbol the plain way's logits."""
    rng = seeded()
    for B, N, V, sizes, heads, count, dtype in (
        (1, 12, 3, (2, 2, 3), 1, 1, DOUBLE),
        (4, 4, 4, (4, 4, 4), 4, 4, SINGLE),
        (3, 5, 7, (4, 6, 2), 3, 2, DOUBLE),
        (2, 3, 5, (6, 4, 8), 1, 3, SINGLE),
    ):
        params, ids = blocks.model_of(rng, V, sizes, count, dtype), symbol_ids(rng, V, B, N)
        got = said.step_by_step(answer, ids, params, heads, blocks.more_names(params))
        right = blocks.library_model(ids, params, heads)
        close(got, right, "the logits", *SOFT, same_dtype=True)
        close(got[:, 0], right[:, 0], "the first logits", *PRECISION[dtype])  # p_0 has no digits to lose
        first = answer(ids[:, 0], blocks.empty_cache(params, heads, B), params, heads)
        _, grown = blocks.read_grown(first, ids, blocks.empty_cache(params, heads, B), params)
        kept = [list(pair) for pair in blocks.library_cache(ids[:, :1], params, heads)]
        grown = [list(pair) for pair in grown]
        hint = told.of_type(grown, kept, PRECISION[dtype])
        close(grown, kept, "the first cache", *PRECISION[dtype], same_dtype=True, hint=hint)


@check(
    "cached_step",
    weight=2,
    hint="All of the past is in the cache, also in a long one, and in one that others made.",
)
def a_cache_of_somebody_else(answer):
    """A cache of few symbols or many is looked at as it stands, and comes back with one more; types are kept."""
    rng = seeded()
    for dtype in (SINGLE, DOUBLE):
        for B, n, sizes, heads in (
            (2, 5, (4, 4, 6), 2),
            (3, 3, (6, 3, 4), 3),
            (1, 1, (2, 4, 2), 1),
            (2, 99, (4, 4, 3), 2),
        ):
            params, text = blocks.model_of(rng, 6, sizes, 2, dtype), symbol_ids(rng, 6, B, n + 1)
            before, after = (blocks.library_cache(text[:, :m], params, heads) for m in (n, n + 1))
            lying = [tuple(map(turned, pair)) for pair in before]
            given = answer(text[:, n], lying, params, heads)
            logits, grown = blocks.read_grown(given, text[:, n], before, params)
            right = blocks.library_model(text, params, heads)[:, n]
            close(logits, right, "the logits", *SOFT, same_dtype=True)
            close([list(pair) for pair in grown], [list(pair) for pair in after], "the cache", *SOFT, same_dtype=True)


@check("cached_step", hint="A position counts how many came before, in this text's cache.")
def the_same_symbol_again_and_again(answer):
    """One symbol repeated has other logits at each place, for its position goes on."""
    rng = seeded()
    params, ids = blocks.model_of(rng, 5, (6, 6, 4), 2), symbol_ids(rng, 5, 2, 1).repeat(1, 6)
    got = said.step_by_step(answer, ids, params, 2)
    close(got, blocks.library_model(ids, params, 2), "the logits", *SOFT)
    holds(bool(((got[:, 1:] - got[:, :-1]).abs().amax(2) > 1e-4).all()), "the logits do not change with the position")


@agrees(
    "parameter_count",
    weight=2.5,
    hint="Matrix by matrix, with its biases, then times the blocks.",
    rtol=0.0,
    read=lambda got: said.count_of(lambda: got),
)
def small_models_are_counted(rng):
    """Models of a few numbers have as many as their matrices and vectors hold."""
    return rng.randint(20, 99), 2 * rng.randint(2, 9), rng.randint(20, 40), rng.randint(2, 4)


@agrees(
    "parameter_count",
    weight=4.5,
    hint="Try settings of 1, all alike, and so large ones that a float is not exact.",
    what="the number",
    rtol=0.0,
    atol=0.0,
)
def models_of_other_settings(rng):
    """Other settings, the smallest and large ones."""
    yield 1, 1, 1, 1
    yield 7, 7, 7, 7
    yield 50257, 768, 3072, 12
    yield 10**6 + 1, 10**6 + 1, 4 * 10**6 + 3, 2001
    for _ in range(5):
        yield tuple(rng.randint(1, 500) for _ in range(4))


@check("parameter_count", weight=1.5, hint="Where does a block's number come in: times L, or once?")
def blocks_are_added_up(answer):
    """L blocks bring L times what one brings, whatever its sizes."""
    rng = seeded()
    V, D, inner = (rng.randint(2, 60) for _ in range(3))
    one, two, many = (said.count_of(answer, V, D, inner, count) for count in (1, 2, 11))
    close(many - one, 10 * (two - one), "what ten blocks more bring, beside one")
    close(2 * one - two, V * D + 2 * D, "what no block has")


# --- more of 7.9 -----------------------------------------------------------------------------------------------------


@check("symptoms", weight=2, hint="Try other vocabularies; each symptom may come with any other.")
def models_drawn_anew(answer):
    """Models of other sizes, made of parts drawn anew, sound ones and such with several symptoms."""
    rng = seeded()
    reads = [*ailing.READ_IN_ORDER, *ailing.READ_AS_A_BAG, *ailing.READ_WITH_PADS]
    for _ in range(12):
        sizes = {"V": rng.randint(8, 40), "U": rng.randint(8, 30)}
        says = rng.choice([list(ailing.SAID_FROM_BEFORE), list(ailing.SAID_FROM_BEHIND)])
        mixes = rng.choice([list(ailing.APART), list(ailing.TOGETHER)])
        parts = {"read": rng.choice(reads), "say": rng.choice(says), "mix": rng.choice(mixes)}
        ailing.finds(answer, sizes, parts, shown=False)


@check("symptoms", weight=2, hint="Which of your questions would a sound model answer with something that moves?")
def other_sound_models(answer):
    """Sound models of all kinds and other sizes are not accused."""
    rng = seeded()
    for read in ailing.READ_IN_ORDER:
        sizes = {"V": rng.randint(8, 60), "U": rng.randint(8, 20)}
        parts = {"read": read, "say": rng.choice(list(ailing.SAID_FROM_BEFORE))}
        ailing.finds(answer, sizes, parts | {"mix": rng.choice(list(ailing.APART))}, shown=False)
    ailing.finds(answer, {"V": 8, "U": 8}, {"mix": "a norm over the rows"}, shown=False)
