"""The public checks of unit 7: the parts of a block, encoder and decoder, a language model with a cache, a diagnosis.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own functions with the same parameters (`unrolled.checks.helpers.blocks`). The models that
7.9 asks are in `ailing`.

Left out on purpose: speed, and how much memory an answer takes; 7.7 is held to have no other symbol than the newest.
"""

import math

import torch
import torch.nn.functional as F

import unrolled.encoder_decoder
import unrolled.transformer_lm
from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import ailing, blocks, said
from unrolled.checks.helpers.attending import sees
from unrolled.checks.helpers.heads import layer_of, real_of, seen_of
from unrolled.checks.helpers.recurrent import exact, numbers, symbol_ids
from unrolled.checks.helpers.teaching import leaves_of, taught
from unrolled.checks.helpers.translators import SOFT

NORMS_OF_THE_LIBRARY = (
    *(F.layer_norm, F.group_norm, F.instance_norm, F.batch_norm, torch.nn.LayerNorm.forward),
    *(torch.layer_norm, torch.native_layer_norm, torch.group_norm, torch.batch_norm, torch.instance_norm),
)
ATTENTION_OF_THE_LIBRARY = (
    *(torch.nn.MultiheadAttention, torch.nn.MultiheadAttention.forward, F.multi_head_attention_forward),
)
LAYERS_OF_THE_LIBRARY = (
    *(torch.nn.TransformerEncoderLayer, torch.nn.TransformerDecoderLayer),
    *(torch.nn.TransformerEncoderLayer.forward, torch.nn.TransformerDecoderLayer.forward),
)
OTHER_MODULES = unrolled.transformer_lm, unrolled.encoder_decoder
forbid("layer_norm", *NORMS_OF_THE_LIBRARY, F.rms_norm, torch.rms_norm)
forbid("cross_attention", *ATTENTION_OF_THE_LIBRARY, *OTHER_MODULES)
for _name in ("encoder_block", "decoder_block", "cached_step"):
    forbid(_name, *ATTENTION_OF_THE_LIBRARY, *LAYERS_OF_THE_LIBRARY, *OTHER_MODULES)
for _name in ("causal_lm_loss", "parameter_count"):
    forbid(_name, *OTHER_MODULES)

LN2, LN3 = math.log(2), math.log(3)
DOUBLE = torch.float64
NEAR = 1e-4, 1e-4  # where an ε of 1e-5 was left out of the sum by hand


# --- 7.1 -------------------------------------------------------------------------------------------------------------


@check("layer_norm", weight=2, hint="Mean 2, variance (1 + 1)/2 = 1, √(1 + 3) = 2: −1/2 and 1/2; then γ and β.")
def one_and_three_by_hand(answer):
    """(1, 3) with ε = 3 is (−1/2, 1/2); with γ = (2, 4) and β = (10, 20) it is (9, 22)."""
    got = answer(exact(1, 3), exact(2, 4), exact(10, 20), 3.0)
    close(got, exact(9, 22), "the vector")


@check("layer_norm", weight=2, hint="Divided by D or by D − 1? ε inside the root or outside? Over which axis?")
def it_is_the_librarys_norm(answer):
    """Vectors of any size, under any axes, have the library's numbers, with a large ε and a small one."""
    rng = seeded()
    for shape in ((5,), (3, 4), (4, 4), (2, 3, 6), (2, 2, 3, 2), (3, 1)):
        own = blocks.norm_of(rng, shape[-1])
        x = 2 * numbers(rng, *shape) + 1
        for eps in (1e-5, 0.3):
            got = floats(answer(x, own["gamma"], own["beta"], eps), shape, "the vectors")
            expected = blocks.library_norm(x, own, eps)
            close(got, expected, f"the vectors for x of shape {shape} and ε of {eps}", *SOFT)


@check("layer_norm", hint="Whose numbers are μ and σ² of? Those of one word, and of no other.")
def each_word_is_normed_by_itself(answer):
    """A word alone has the vector that it has beside others."""
    rng = seeded()
    x, own = numbers(rng, 3, 4, 5), blocks.norm_of(rng, 5)
    got = floats(answer(x, own["gamma"], own["beta"], 1e-5), (3, 4, 5), "the vectors")
    for b, i in ((0, 0), (1, 3), (2, 2)):
        alone = answer(x[b, i], own["gamma"], own["beta"], 1e-5)
        close(alone, got[b, i], f"the vector of word {i} of text {b} alone", *SOFT)


@check("layer_norm", weight=2, hint="What is lost in E[x²] − μ²? And what is divided by where σ is 0?")
def far_from_zero_and_all_alike(answer):
    """Numbers far from 0 keep the digits that they have, and of equal numbers β is left, without NaN."""
    x = torch.tensor([[100000.0, 100001, 100002, 100003], [7.0, 7, 7, 7]])
    gamma, beta = torch.ones(4), torch.tensor([1.0, 2, 3, 4])
    expected = torch.tensor([-1.5, -0.5, 0.5, 1.5]) / math.sqrt(1.25 + 1e-5)
    got = answer(x, gamma, beta, 1e-5)
    close(got, torch.stack([expected, torch.zeros(4)]) + beta, "the vectors", *NEAR)
    two = answer(exact(10000.1, 10000.2), exact(1, 1), exact(0, 0), 1e-12)
    hint = "How many digits has σ² left here, and is ε the one that was given?"
    close(two, exact(-1, 1), "the vector of 10000.1 and 10000.2, in float64", 1e-7, 1e-8, hint=hint)
    got = answer.gradients(x, gamma, beta, 1e-5, upstream=torch.ones(2, 4))["arguments"][0]
    holds(bool(floats(got, (2, 4), "the gradient by x").isfinite().all()), "a gradient is no number")


@check("layer_norm", weight=2, hint="μ and σ depend on x, also where its numbers are all equal: is a way cut off?")
def x_gamma_and_beta_are_taught(answer):
    """The gradients by x, γ and β are the library's, also at a vector of equal numbers."""
    rng = seeded()
    x, upstream = (numbers(rng, 2, 3, 4, dtype=DOUBLE) for _ in range(2))
    x[1, 1] = 0.5

    def twin(x, gamma, beta, eps):
        return blocks.library_norm(x, {"gamma": gamma, "beta": beta}, eps)

    taught(answer, {"x": x} | blocks.norm_of(rng, 4, DOUBLE) | {"eps": 0.1}, twin, upstream)


# --- 7.2 -------------------------------------------------------------------------------------------------------------


@check("feed_forward", weight=2, hint="Sums of 3, −1 and 1; max(0, ·) makes 3, 0, 1; then W2 and b2.")
def three_in_the_middle_by_hand(answer):
    """(1, 2) becomes 3, −1, 1 in the middle, 3, 0, 1 after max(0, ·), and (3, 3) at the end."""
    params = {"W1": exact([1, 1], [1, -1], [0, 1]), "b1": exact(0, 0, -1)}
    params |= {"W2": exact([1, 5, 0], [0, 5, 2]), "b2": exact(0, 1)}
    close(answer(exact(1, 2), params), exact(3, 3), "the vector")


@check("feed_forward", hint="W1, b1, max(0, ·), W2, b2: is each applied as it is, over the last axis alone?")
def each_word_goes_through_the_same_net(answer):
    """Vectors under any axes have the library's numbers, and a word alone has those that it has beside others."""
    rng = seeded()
    for shape, inner in (
        *(((3,), 5), ((4, 3), 2), ((3, 3), 3), ((5, 2), 8), ((2, 3, 4), 6), ((2, 2, 2, 2), 3), ((2, 1), 1)),
    ):
        x, params = numbers(rng, *shape), blocks.forward_of(rng, shape[-1], inner)
        got = floats(answer(x, params), shape, "the vectors")
        close(got, blocks.library_forward(x, params), f"the vectors for x of shape {shape} and F = {inner}", *SOFT)
        first = x.reshape(-1, shape[-1])[0]
        close(answer(first, params), got.reshape(-1, shape[-1])[0], "the vector of the first word alone", *SOFT)


@check("feed_forward", hint="Which of the five has no way to the result?")
def x_and_the_four_are_taught(answer):
    """The gradients by x and by the four parameters are the library's."""
    rng = seeded()
    x, upstream = (numbers(rng, 2, 3, 4, dtype=DOUBLE) for _ in range(2))
    taught(answer, {"x": x, "params": blocks.forward_of(rng, 4, 6, DOUBLE)}, blocks.library_forward, upstream)


# --- 7.3 -------------------------------------------------------------------------------------------------------------


@check("encoder_block", weight=2, hint="What does attention read, what is added to what, and where is the norm?")
def two_words_through_a_block_by_hand(answer):
    """(1, 3) and (2, 6): pre-norm gives (0, 5) and (1, 8), post-norm (−1, 1) twice."""
    x, params = said.block_by_hand()
    close(answer(x, params, 1, None, "pre"), exact([0, 5], [1, 8])[None], "the new vectors, pre-norm", *NEAR)
    close(answer(x, params, 1, None, "post"), exact([-1, 1], [-1, 1])[None], "the new vectors, post-norm", *NEAR)


@check("encoder_block", weight=3, hint="Has each of the two its own norm, with an ε of 10⁻⁵, and a way past it?")
def it_is_the_librarys_block(answer):
    """The new vectors are those of torch's functions in a row, before and after, for blocks of any size."""
    rng = seeded()
    for B, N, sizes, heads in ((2, 4, (6, 6, 5), 3), (3, 3, (3, 3, 3), 3), (1, 5, (4, 6, 7), 2), (2, 1, (2, 4, 3), 1)):
        x, params = numbers(rng, B, N, sizes[0], spread=2.0), blocks.block_of(rng, sizes)
        for norm in ("pre", "post"):
            got = blocks.words_of(answer(x, params, heads, None, norm), x)
            expected = blocks.library_block(x, params, heads, None, norm)
            close(got, expected, f"the new vectors for B, N, H of {(B, N, heads)}, {norm}-norm", *SOFT)


@check("encoder_block", hint="Does the mask reach attention as it is, and is nothing else done by it?")
def words_see_what_the_mask_allows(answer):
    """With padding masks, causal ones, one for each head, and more names in params, the vectors are the library's."""
    rng = seeded()
    x, params = numbers(rng, 4, 4, 6, spread=2.0), blocks.block_of(rng, (6, 6, 5))
    named = blocks.more_names(params)
    padding = real_of(rng, 4, 4)[:, None, None]
    for mask in (
        padding,
        blocks.so_far(4),
        padding & blocks.so_far(4),
        seen_of(rng, 4, 2, 4, 4),
        seen_of(rng, 2, 4, 4),
        seen_of(rng, 4),
    ):
        for norm in ("pre", "post"):
            got = blocks.words_of(answer(x, named, 2, mask, norm), x)
            expected = blocks.library_block(x, params, 2, mask, norm)
            close(got, expected, f"the new vectors with a mask of shape {tuple(mask.shape)}, {norm}-norm", *SOFT)


@check("encoder_block", hint="Only attention lets a word see others. Does a norm, or something else, do so here?")
def other_words_come_in_by_attention_alone(answer):
    """A word that sees itself alone has the vector that it has in a text of one word, whatever stands beside it."""
    rng = seeded()
    x, params = numbers(rng, 2, 3, 4, spread=2.0), blocks.block_of(rng, (4, 4, 6))
    for norm in ("pre", "post"):
        got = blocks.words_of(answer(x, params, 2, torch.eye(3, dtype=torch.bool), norm), x)
        alone = answer(x[1:, 2:], params, 2, None, norm)
        close(alone, got[1:, 2:], f"a word that sees itself alone, {norm}-norm", *SOFT)


@check("encoder_block", weight=2, hint="Which of the sixteen has no way to the result, or a way too many?")
def all_sixteen_parameters_are_taught(answer):
    """The gradients by x and by all parameters are the library's, before and after."""
    rng = seeded()
    params, mask = blocks.block_of(rng, (4, 6, 5), DOUBLE), blocks.so_far(3)
    x, upstream = (numbers(rng, 2, 3, 4, spread=2.0, dtype=DOUBLE) for _ in range(2))
    for norm in ("pre", "post"):
        given = {"x": x, "params": params, "heads": 2, "mask": mask, "norm": norm}
        taught(answer, given, blocks.library_block, upstream)


# --- 7.4 -------------------------------------------------------------------------------------------------------------


@check("cross_attention", weight=2, hint="q = ln 3 · y, k = m, v = 4 m: weights 1/2, 1/2 and 1/4, 3/4.")
def two_words_of_a_memory_by_hand(answer):
    """A memory of 2 and 3: y = 0 finds 10 and y = 1 finds 11; where the second word is a pad both find 8."""
    params = {"Wq": exact([LN3]), "Wk": exact([1]), "Wv": exact([4]), "Wo": exact([1])}
    params |= {name: exact(0) for name in ("bq", "bk", "bv", "bo")}
    y, memory = exact([0], [1]).expand(2, 2, 1), exact([2], [3]).expand(2, 2, 1)
    got = answer(y, memory, params, 1, sees("11 10"))
    close(got, exact([[10], [11]], [[8], [8]]), "what was found")


@check(
    "cross_attention",
    weight=3,
    hint="y gives M queries, memory N keys and N values; pads stand anywhere, also in between.",
)
def it_is_the_librarys_attention_to_a_memory(answer):
    """What is found is torch's, with M and N equal or not, one head and many, H·K and D equal or not."""
    rng = seeded()
    for B, M, N, D, E, heads in (
        *((2, 3, 5, 4, 4, 2), (2, 4, 4, 4, 4, 4), (3, 2, 3, 5, 6, 3), (1, 1, 6, 3, 3, 1), (3, 3, 3, 3, 3, 3)),
    ):
        y, memory, params = numbers(rng, B, M, D, spread=2.0), numbers(rng, B, N, D), layer_of(rng, D, E)
        real = real_of(rng, B, N)
        got = blocks.words_of(answer(y, memory, params, heads, real), y)
        expected = blocks.library_cross(y, memory, params, heads, real)
        close(got, expected, f"what was found for B, M, N, D, H·K, H of {(B, M, N, D, E, heads)}", *SOFT)


@check(
    "cross_attention", weight=2, hint="Is a pad's weight 0, whatever stands there? And where there is no word at all?"
)
def pads_of_the_memory_are_not_seen(answer):
    """Other numbers at the pads, more pads, and a large score there change nothing; without a word b^O is found."""
    rng = seeded()
    y, memory, params = numbers(rng, 3, 2, 4), numbers(rng, 3, 4, 4), layer_of(rng, 4, 4)
    real = sees("1101 0111 0000")
    got = blocks.words_of(answer(y, memory, params, 2, real), y)
    close(got[2], params["bo"].expand(2, 4), "what is found where there is no word", *SOFT)
    loud = torch.where(real[..., None], memory, 1e6 * memory.flip(1) + 3)
    close(answer(y, loud, params, 2, real), got, "what is found with other numbers at the pads", *SOFT)
    wider = F.pad(memory, (0, 0, 2, 0), value=2.0)
    close(answer(y, wider, params, 2, F.pad(real, (2, 0))), got, "what is found with two more pads in front", *SOFT)


@check("cross_attention", hint="Do the words of y see each other here? And a text another text's memory?")
def each_word_asks_by_itself(answer):
    """A word alone finds what it finds beside others, and a text alone what it finds in a batch."""
    rng = seeded()
    y, memory, params, real = numbers(rng, 3, 3, 4), numbers(rng, 3, 3, 4), layer_of(rng, 4, 8), sees("110 011 101")
    got = blocks.words_of(answer(y, memory, params, 2, real), y)
    for place in range(3):
        close(
            answer(y[:, place : place + 1], memory, params, 2, real), got[:, place : place + 1], "a word alone", *SOFT
        )
    alone = answer(y[1:2], memory[1:2], params, 2, real[1:2])
    close(alone, got[1:2], "a text alone", *SOFT)


@check(
    "cross_attention",
    weight=2,
    hint="By way of queries to y, of keys and values to the memory: is one cut, or are pads seen?",
)
def both_texts_and_the_eight_are_taught(answer):
    """The gradients by y, by the memory and by the eight parameters are the library's."""
    rng = seeded()
    y, memory, upstream = (numbers(rng, 2, n, 4, dtype=DOUBLE) for n in (3, 5, 3))
    given = {"y": y, "memory": memory, "params": layer_of(rng, 4, 6, DOUBLE), "heads": 2, "real": real_of(rng, 2, 5)}
    taught(answer, given, blocks.library_cross, upstream)


# --- 7.5 -------------------------------------------------------------------------------------------------------------


@check("decoder_block", weight=2, hint="In which order do the three come, and is the memory read as it came?")
def two_words_through_a_decoder_by_hand(answer):
    """(1, 3) and (2, 6) before a memory of (12, 0), (8, 0) and a pad: (11, 4) and (12, 7)."""
    y, memory, params, real = said.decoder_by_hand()
    close(answer(y, memory, params, 1, real), exact([11, 4], [12, 7])[None], "the new vectors", *NEAR)


@check(
    "decoder_block",
    weight=3,
    hint="Self-attention, cross-attention, feed-forward: each reads norm(y), and is added to y.",
)
def it_is_the_librarys_decoder(answer):
    """The new vectors are those of torch's functions in a row, for blocks of any size."""
    rng = seeded()
    for B, M, N, sizes, heads in (
        *((2, 4, 3, (6, 6, 5), 3), (3, 3, 3, (3, 3, 3), 3), (1, 2, 5, (4, 6, 7), 2), (2, 1, 1, (2, 4, 3), 1)),
    ):
        y, memory = numbers(rng, B, M, sizes[0], spread=2.0), numbers(rng, B, N, sizes[0], spread=2.0)
        params, real = blocks.decoder_of(rng, sizes), real_of(rng, B, N)
        got = blocks.words_of(answer(y, memory, params, heads, real), y)
        expected = blocks.library_decoder(y, memory, params, heads, real)
        close(got, expected, f"the new vectors for B, M, N, H of {(B, M, N, heads)}", *SOFT)


@check("decoder_block", weight=2, hint="Which words may word i see in its own text? Itself is one of them.")
def words_to_come_change_nothing(answer):
    """Other words from a place on leave what comes out before it as it was, and change what comes out there."""
    rng = seeded()
    y, memory, params = numbers(rng, 2, 5, 4, spread=2.0), numbers(rng, 2, 3, 4), blocks.decoder_of(rng, (4, 4, 6))
    real = sees("111 110")
    got = blocks.words_of(answer(y, memory, params, 2, real), y)
    for place in (1, 3, 4):
        other = torch.cat([y[:, :place], 1 - y[:, place:].flip(2)], 1)
        moved = blocks.words_of(answer(other, memory, params, 2, real), y)
        close(moved[:, :place], got[:, :place], f"words before place {place}, where all from there on differ", *SOFT)
        holds(bool((moved[:, place:] - got[:, place:]).abs().max() > 1e-3), "a word does not depend on what it may see")


@check(
    "decoder_block",
    weight=2,
    hint="Every word may see all of the memory's real words: does a causal mask hide some?",
)
def all_of_the_memory_is_seen_but_its_pads(answer):
    """Each word depends on the memory's last real word, and none on its pads, nor on more names in params."""
    rng = seeded()
    y, memory, params = numbers(rng, 2, 3, 4, spread=2.0), numbers(rng, 2, 4, 4), blocks.decoder_of(rng, (4, 4, 6))
    real, params = sees("1111 1100"), blocks.more_names(params)
    got = blocks.words_of(answer(y, memory, params, 2, real), y)
    other = torch.where(real[..., None], memory, 50 - memory)
    close(answer(y, other, params, 2, real), got, "the new vectors with other numbers at the pads", *SOFT)
    other = memory.clone()
    other[0, 3] = other[1, 1] = numbers(rng, 4, spread=3.0)
    moved = (blocks.words_of(answer(y, other, params, 2, real), y) - got).abs().amax(2)
    holds(bool((moved > 1e-4).all()), "a word does not depend on the memory's last real word")


@check("decoder_block", weight=2, hint="Which of the parameters has no way to the result, or a way too many?")
def all_of_the_decoder_is_taught(answer):
    """The gradients by y, by the memory and by all parameters are the library's."""
    rng = seeded()
    params, real = blocks.decoder_of(rng, (4, 6, 5), DOUBLE), sees("111 011")
    y, memory, upstream = (numbers(rng, 2, 3, 4, spread=2.0, dtype=DOUBLE) for _ in range(3))
    given = {"y": y, "memory": memory, "params": params, "heads": 2, "real": real}
    taught(answer, given, blocks.library_decoder, upstream)


# --- 7.6 -------------------------------------------------------------------------------------------------------------


@check("causal_lm_loss", weight=2, hint="The logits at the first word say the second. Two questions: ln 2 and ln 3.")
def two_questions_by_hand(answer):
    """The text 2 0 1 with logits (ln 2, 0, 0), (0, 0, 0) and any: (ln 2 + ln 3)/2."""
    logits = exact([LN2, 0, 0], [0, 0, 0], [9, -9, 5])[None]
    got = said.loss_of(answer, logits, torch.tensor([[2, 0, 1]]), pad=7)
    close(got, (LN2 + LN3) / 2, "the loss")


@check("causal_lm_loss", weight=2, hint="What is said at i is held to the symbol at i + 1. Which two slices are that?")
def the_next_symbol_is_the_answer(answer):
    """Logits that are sure of the next symbol have a loss of 0, sure of their own a large one; sums over all texts."""
    rng = seeded()
    for B, N, V in ((2, 5, 6), (3, 3, 3), (1, 2, 4), (4, 6, 4)):
        ids = 1 + symbol_ids(rng, V - 1, B, N)
        sure = 40 * F.one_hot(ids.roll(-1, 1), V).float()
        close(said.loss_of(answer, sure, ids), 0.0, "the loss of logits that are sure of the next symbol", 0.0, 1e-5)
        logits = numbers(rng, B, N, V, spread=3.0)
        expected = F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()).item()
        close(said.loss_of(answer, logits, ids), expected, f"the loss for B, N, V of {(B, N, V)}", *SOFT)


@check(
    "causal_lm_loss",
    weight=2,
    hint="Pads are no answers. Is the mean over all answers at once, or text by text?",
)
def pads_are_not_to_be_said(answer):
    """Texts of 4, 2, 1 and no symbols: 3 + 1 answers, each counted alike, and more pads change nothing."""
    rng = seeded()
    ids = torch.tensor([[3, 1, 2, 4], [2, 4, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    logits = numbers(rng, 4, 4, 5, spread=3.0)
    logs = logits.log_softmax(2)
    asked = [(0, 0, 1), (0, 1, 2), (0, 2, 4), (1, 0, 4)]
    expected = -sum(logs[one].item() for one in asked) / 4
    close(said.loss_of(answer, logits, ids), expected, "the loss", *SOFT)
    wider = said.loss_of(answer, F.pad(logits, (0, 0, 0, 2), value=1.0), F.pad(ids, (0, 2)))
    close(wider, expected, "the loss with two more pads a text", *SOFT)


@check("causal_lm_loss", needs="the_next_symbol_is_the_answer", hint="Is a logarithm taken of a softmax that is 0?")
def logits_of_any_size(answer):
    """Logits of thousands give the loss that they have, finite, in float32 as well, whatever those beside them are."""
    logits = exact([3000, 0, -3000], [0, 3000, 2999], [0, 0, 0])[None]
    ids, expected = torch.tensor([[1, 2, 2]]), (6000 + math.log(1 + math.e)) / 2
    for dtype in (DOUBLE, torch.float32):
        close(said.loss_of(answer, logits.to(dtype), ids), expected, f"the loss in {dtype}", *SOFT)
        apart = torch.cat([logits, logits - 9000]).to(dtype)
        close(
            said.loss_of(answer, apart, ids.repeat(2, 1)), expected, f"the loss of far smaller ones in {dtype}", *SOFT
        )


@check(
    "causal_lm_loss", weight=2, hint="softmax − the answer, divided by how many there are; 0 where nothing is asked."
)
def what_is_said_is_taught(answer):
    """The gradient by the logits is the library's: 0 at the last symbol and before a pad."""
    ids = torch.tensor([[3, 1, 2], [2, 4, 0]])
    logits = numbers(seeded(), 2, 3, 5, spread=2.0, dtype=DOUBLE)

    def twin(logits, ids, pad):
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), ignore_index=pad)

    taught(answer, {"logits": logits, "ids": ids, "pad": 0}, twin, torch.ones((), dtype=DOUBLE))


# --- 7.7 -------------------------------------------------------------------------------------------------------------


@check(
    "cached_step",
    weight=2,
    hint="A word alone, at position 0: x = E[id] + p_0, the blocks, the norm, and E again.",
)
def the_first_symbol_needs_no_cache(answer):
    """With nothing before it, a symbol's logits are the library's for a text of one symbol, H·K and D equal or not."""
    rng = seeded()
    for B, V, sizes, heads, count in ((2, 5, (4, 4, 6), 2, 1), (1, 7, (6, 4, 5), 4, 2), (3, 3, (2, 6, 3), 3, 3)):
        params, ids = blocks.model_of(rng, V, sizes, count), symbol_ids(rng, V, B)
        cache = blocks.empty_cache(params, heads, B)
        logits, _ = blocks.read_grown(answer(ids, cache, params, heads), ids, cache, params)
        expected = blocks.library_model(ids[:, None], params, heads)[:, 0]
        close(logits, expected, f"the logits for B, H of {(B, heads)} and {count} blocks", *SOFT)


@check(
    "cached_step",
    weight=3,
    hint="Keys and values after the old ones; does the position go on? Which word does each see?",
)
def symbol_by_symbol_is_the_plain_way(answer):
    """Texts that go in symbol by symbol have, at each, the logits of the library's model for the whole text."""
    rng = seeded()
    for B, N, V, sizes, heads, count in (
        *((2, 4, 5, (4, 4, 6), 2, 2), (3, 3, 4, (6, 3, 5), 3, 1), (1, 6, 3, (4, 8, 3), 1, 3)),
    ):
        params, ids = blocks.model_of(rng, V, sizes, count), symbol_ids(rng, V, B, N)
        expected = blocks.library_model(ids, params, heads)
        got = said.step_by_step(answer, ids, params, heads)
        for n in range(N):
            close(got[:, n], expected[:, n], f"the logits after symbol {n}, for B, H of {(B, heads)}", *SOFT)


@check(
    "cached_step",
    weight=2,
    hint="What is kept of a word: keys and values of norm1's vectors, by heads, the new one last.",
)
def the_cache_grows_by_the_newest(answer):
    """From a cache of three symbols to one of four: the old ones first, as they were, the new one's after them."""
    rng = seeded()
    for sizes, heads in (((4, 4, 6), 2), ((6, 4, 5), 4), ((4, 6, 3), 1)):
        params, ids = blocks.model_of(rng, 5, sizes, 2), symbol_ids(rng, 5, 4, 4)
        before, after = (blocks.library_cache(ids[:, :n], params, heads) for n in (3, 4))
        logits, grown = blocks.read_grown(answer(ids[:, 3], before, params, heads), ids[:, 3], before, params)
        for n, (mine, theirs) in enumerate(zip(grown, after, strict=True)):
            for one, other, name in zip(mine, theirs, ("keys", "values"), strict=True):
                close(one[:, :, :3], other[:, :, :3], f"the {name} of the first three symbols in block {n}", *SOFT)
                close(one[:, :, 3], other[:, :, 3], f"the {name} of the newest symbol in block {n}", *SOFT)
        close(logits, blocks.library_model(ids, params, heads)[:, 3], "the logits after the fourth symbol", *SOFT)


@check("cached_step", hint="What does a step know of what was before? The cache alone.")
def the_past_is_in_the_cache_alone(answer):
    """Two steps from one cache, another text's, a text alone, more names in params: the logits are what they are."""
    rng = seeded()
    params, ids, others = blocks.model_of(rng, 6, (4, 4, 5), 2), symbol_ids(rng, 6, 3, 5), symbol_ids(rng, 6, 3, 5)
    params = blocks.more_names(params)
    cache = blocks.library_cache(ids[:, :3], params, 2)
    for last in (ids[:, 3], ids[:, 4]):
        logits, _ = blocks.read_grown(answer(last, cache, params, 2), last, cache, params)
        text = torch.cat([ids[:, :3], last[:, None]], 1)
        close(logits, blocks.library_model(text, params, 2)[:, 3], "the logits of another step from one cache", *SOFT)
        theirs = answer(others[:, 4], blocks.library_cache(others[:, :4], params, 2), params, 2)
        logits_then, _ = blocks.read_grown(theirs, ids[:, 4], blocks.library_cache(others[:, :4], params, 2), params)
        right = blocks.library_model(others, params, 2)[:, 4]
        close(logits_then, right, "the logits of other texts, asked after these", *SOFT)
        own = [(k[1:2], v[1:2]) for k, v in cache]
        alone, _ = blocks.read_grown(answer(last[1:2], own, params, 2), last[1:2], own, params)
        close(alone, logits[1:2], "the logits of a text alone", *SOFT)


# --- 7.8 -------------------------------------------------------------------------------------------------------------


@check(
    "parameter_count",
    weight=2,
    hint="E 6; attention 16 + 8, feed-forward 12 + 3 + 2, two norms 8; a norm of 4.",
)
def a_small_model_by_hand(answer):
    """V = 3, D = 2, F = 3 and one block: 6 + (24 + 17 + 8) + 4 = 59 numbers."""
    close(said.count_of(answer, 3, 2, 3, 1), 59, "the number for V, D, F, L of (3, 2, 3, 1)")


@check(
    "parameter_count", weight=2, hint="Which of the dictionary's numbers does your formula leave out, or count twice?"
)
def it_is_how_many_there_are(answer):
    """The numbers of models as 7.7 has them, counted one by one."""
    rng = seeded()
    for V, D, inner, count in ((5, 4, 16, 2), (2, 6, 1, 3), (9, 2, 8, 1), (1, 8, 4, 4)):
        model = blocks.model_of(rng, V, (D, D, inner), count)
        there = sum(
            one.numel() for part in (model | {"blocks": {}}, *model["blocks"]) for one in leaves_of(part).values()
        )
        close(said.count_of(answer, V, D, inner, count), there, f"the number for V, D, F, L of {(V, D, inner, count)}")


@check("parameter_count", hint="Which terms does one block more, one symbol more, one number more in the middle bring?")
def one_more_of_each(answer):
    """One symbol more brings D numbers, one more in the middle 2D + 1 a block, and all blocks bring the same."""
    base = said.count_of(answer, 10, 6, 7, 3)
    close(said.count_of(answer, 11, 6, 7, 3) - base, 6, "what one symbol more brings, for D = 6")
    close(
        said.count_of(answer, 10, 6, 8, 3) - base, 39, "what one number more in the middle brings, for D = 6 and L = 3"
    )
    more = [said.count_of(answer, 10, 6, 7, count) for count in (4, 5)]
    close(more[1] - more[0], more[0] - base, "what the fifth block brings, beside the fourth")


# --- 7.9 -------------------------------------------------------------------------------------------------------------

SIZES = {"V": 11, "U": 9}


@check(
    "symptoms",
    weight=2,
    hint="What may a sound model do? Whatever comes from its own source and the words so far.",
)
def sound_models_have_none(answer):
    """Models that read a source in order and say what comes from the words so far, whatever they make of them."""
    ailing.finds_each(answer, SIZES, "read", ailing.READ_IN_ORDER)
    ailing.finds_each(answer, SIZES, "say", ailing.SAID_FROM_BEFORE)
    ailing.finds_each(answer, SIZES, "mix", ailing.APART)
    ailing.finds(answer, SIZES, {"say": "the word that is to be said"})


@check("symptoms", weight=2, hint="Change what comes after a place, all of it: may what is said there move?")
def words_to_come_are_found(answer):
    """However words after a place come in, from near or far, at all places or one, a little or much."""
    ailing.finds_each(answer, SIZES, "say", ailing.SAID_FROM_BEHIND)


@check(
    "symptoms",
    weight=2,
    hint="Change the ids at pads alone; then the order of the real words alone.",
)
def pads_and_bags_are_found(answer):
    """Pads that are seen, all or some, much or little; and sources that are bags, whatever is taken from them."""
    ailing.finds_each(answer, SIZES, "read", ailing.READ_WITH_PADS)
    ailing.finds_each(answer, SIZES, "read", ailing.READ_AS_A_BAG)


@check(
    "symptoms", weight=2, hint="A pair beside others and the same pair alone. Does it matter which of the rows it is?"
)
def strangers_are_found(answer):
    """However the other rows come in, and whichever of them."""
    ailing.finds_each(answer, SIZES, "mix", ailing.TOGETHER)


@check("symptoms", weight=2, hint="Each symptom by itself: can one of them hide another, or look like it?")
def several_at_once(answer):
    """Models with two symptoms, three and four have all of them named, in order."""
    for read, say, mix in (
        ("no mask", "a mean of all words", ""),
        ("no mask, no places", "", "half the mean of all rows is taken off"),
        ("a mean of the words", "the last word", ""),
        ("pads in the sum", "the word that is to be said", "a norm over the rows"),
        ("no mask, no places", "the first place sees all", "a tenth of the next row"),
        ("nothing of the source", "nothing of the words", "each row by itself"),
    ):
        ailing.finds(answer, SIZES, {"read": read, "say": say, "mix": mix})
