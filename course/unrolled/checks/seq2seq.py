"""The public checks of unit 5: pairs in a batch, an encoder, a decoder, its loss, beam search, and attention.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same
answer, or come from torch's own functions with the same parameters (`unrolled.checks.helpers.translators`). The
decoders that answers are given to call are in `deciding`, the parts that 5.10 asks in `broken`.

Left out on purpose: speed, and what the answer looks like inside.
"""

import itertools
import math

import torch
import torch.nn.functional as F

from unrolled import decoding
from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats, number
from unrolled.checks.helpers import broken, deciding, told, translators
from unrolled.checks.helpers.batches import disturbed, lengths_of, longer, mask_of
from unrolled.checks.helpers.recurrent import exact, numbers, symbol_ids
from unrolled.checks.helpers.translators import SOFT, library_scores, library_weights, read_encoded, read_pairs
from unrolled.tagging import attention_pool

CELLS_OF_THE_LIBRARY = (
    *(torch.nn.RNN, torch.nn.RNN.forward, torch.rnn_tanh),
    *(torch.nn.RNNCell, torch.nn.RNNCell.forward, torch.rnn_tanh_cell),
)
ATTENTION_OF_THE_LIBRARY = (F.scaled_dot_product_attention, torch.nn.MultiheadAttention, attention_pool)
forbid("encode", *CELLS_OF_THE_LIBRARY)
forbid("decoder_step", *CELLS_OF_THE_LIBRARY)
forbid("attention_weights", *ATTENTION_OF_THE_LIBRARY)
forbid("attention_step", *CELLS_OF_THE_LIBRARY, *ATTENTION_OF_THE_LIBRARY)
forbid("beam_search", decoding)
forbid("best_hypothesis", decoding)

LN2, LN3 = math.log(2), math.log(3)
BEGIN, END = 2, 3


# --- 5.1 -------------------------------------------------------------------------------------------------------------


@check("translation_batch", weight=2, hint="Three lists a pair: which has the mark in front, which behind?")
def two_pairs_by_hand(answer):
    """Sources 5 6 7 and 8, targets 9 and 4 5: sources with a mask, what is read after <s>, what is said up to </s>."""
    source, mask, read, said, said_mask = read_pairs(answer([[5, 6, 7], [8]], [[9], [4, 5]]), 2, 3, 3)
    close(source, torch.tensor([[5, 6, 7], [8, 0, 0]]), "the sources")
    close(mask, mask_of((3, 1), 3), "their mask")
    close(read, torch.tensor([[2, 9, 0], [2, 4, 5]]), "what is read")
    close(said, torch.tensor([[9, 3, 0], [4, 5, 3]]), "what is to be said")
    close(said_mask, mask_of((2, 3), 3), "the mask of what is to be said")


@check("translation_batch", weight=2, hint="ids[b][mask[b]] must be the list again that row b was made from.")
def masks_give_the_lists_back(answer):
    """What a mask picks out of a row is what stood there, whatever lengths the lists have, and the rest is PAD."""
    rng = seeded()
    sources = [[rng.randrange(4, 50) for _ in range(n)] for n in (3, 6, 1, 4)]
    targets = [[rng.randrange(4, 50) for _ in range(n)] for n in (5, 2, 7, 1)]
    source, mask, read, said, said_mask = read_pairs(answer(sources, targets), 4, 6, 8)
    for ids, real, lists, what in (
        (source, mask, sources, "the sources"),
        (read, said_mask, [[BEGIN, *t] for t in targets], "what is read"),
        (said, said_mask, [[*t, END] for t in targets], "what is to be said"),
    ):
        close([row[on].tolist() for row, on in zip(ids, real, strict=True)], lists, f"{what}, as the mask picks it out")
        holds(bool((ids[~real] == 0).all()), f"{what}: where the mask leaves something out there is not PAD")


@check("translation_batch", hint="Is a mask made from the lengths, or from ids that differ from a mark's?")
def a_word_may_have_the_number_of_a_mark(answer):
    """Words with the ids 0, 2 and 3 are words: the masks keep them, and no mark is lost."""
    source, mask, read, said, said_mask = read_pairs(answer([[0, 4, 0], [2, 3]], [[3, 0], [0, 2, 0]]), 2, 3, 4)
    close(source, torch.tensor([[0, 4, 0], [2, 3, 0]]), "the sources")
    close(mask, mask_of((3, 2), 3), "their mask")
    close(read, torch.tensor([[2, 3, 0, 0], [2, 0, 2, 0]]), "what is read")
    close(said, torch.tensor([[3, 0, 3, 0], [0, 2, 0, 3]]), "what is to be said")
    close(said_mask, mask_of((3, 4), 4), "the mask of what is to be said")


@check(
    "translation_batch", hint="Without a word the decoder still reads <s> and says </s>. Say dtype= for what is empty."
)
def empty_lists_and_types(answer):
    """Where sources are empty N is 0, where targets are M is 1; ids are int64, masks bool."""
    for sources, targets, n in (([[], []], [[], []], 0), ([[7], []], [[], []], 1), ([[]], [[]], 0)):
        source, mask, read, said, said_mask = read_pairs(answer(sources, targets), len(sources), n, 1)
        for ids, what in ((source, "the sources"), (read, "what is read"), (said, "what is to be said")):
            holds(ids.dtype == torch.int64, f"{what} are {ids.dtype}, not torch.int64, for {sources} and {targets}")
        close(mask, mask_of([len(s) for s in sources], n), f"the mask for the sources {sources}")
        close(read, torch.full_like(read, BEGIN), "what is read, where all targets are empty")
        close(said, torch.full_like(said, END), "what is to be said, where all targets are empty")
        close(said_mask, torch.ones_like(said, dtype=torch.bool), "the mask of what is to be said")


# --- 5.2 -------------------------------------------------------------------------------------------------------------


@check("encode", weight=2, hint="Where does each direction end: at which word of the row, and with which state?")
def two_words_and_one_by_hand(answer):
    """The example of unit 4, one unit each way, and s_0 = tanh(→h_n − ←h_1 / 2): tanh 0.4 and tanh 0.3."""
    params = {
        "E": exact([5.0], [0.0], [0.0], [0.0], [LN2], [LN3]),
        "forward": {"U": exact([0.0]), "W": exact([1.0]), "b": exact(0.0)},
        "backward": {"U": exact([(LN3 - LN2) / 0.8]), "W": exact([1.0]), "b": exact(0.0)},
        "W": exact([1.0, -0.5]),
        "b": exact(0.0),
    }
    states, first = read_encoded(answer, torch.tensor([[4, 5], [4, 0]]), mask_of((2, 1), 2), params)
    close(states, exact([[0.6, 0.8], [0.8, 0.8]], [[0.6, 0.6], [0.0, 0.0]]), "the states")
    close(first, exact([math.tanh(0.4)], [math.tanh(0.3)]), "s_0")


@check("encode", weight=2, hint="Forward states first, zeros at the pads; each direction begins with zeros.")
def states_are_the_librarys(answer):
    """The states are those of torch.nn.RNN in both directions for a packed batch, and zeros at the pads."""
    rng = seeded()
    params, V = translators.encoder_of(rng, (9, 3, 4, 2))
    ids, mask = symbol_ids(rng, V, 4, 6), mask_of((2, 6, 1, 4), 6)
    states, _ = read_encoded(answer, ids, mask, params)
    close(states, translators.encoded(ids, mask, params)[0].detach(), "the states", *SOFT)


@check("encode", weight=2, hint="The row's own last word for →h, its first for ←h; then W, b and tanh.")
def s_0_joins_what_each_direction_read_last(answer):
    """s_0 is tanh(W [→h_n ; ←h_1] + b), with n the row's own length."""
    rng = seeded()
    for lengths in ((5, 5, 5), (2, 5, 1)):
        params, V = translators.encoder_of(rng, (7, 2, 3, 4))
        ids, mask = symbol_ids(rng, V, 3, 5), mask_of(lengths, 5)
        _, first = read_encoded(answer, ids, mask, params)
        close(first, translators.encoded(ids, mask, params)[1].detach(), f"s_0 for rows of {lengths} words", *SOFT)


@check("encode", weight=2, hint="Which words did the state read that you take for the last one?")
def pads_change_no_source(answer):
    """Other ids at the pads, more pads, and no other row beside it leave states and s_0 of a row as they are."""
    rng = seeded()
    params, V = translators.encoder_of(rng, (8, 3, 2, 3))
    ids, mask = symbol_ids(rng, V, 3, 4), mask_of((4, 2, 3), 4)
    states, first = read_encoded(answer, ids, mask, params)
    other = read_encoded(answer, ids.where(mask, (ids + 3) % V), mask, params)
    close(other[0], states, "the states with other ids at the pads", *SOFT)
    close(other[1], first, "s_0 with other ids at the pads", *SOFT)
    more = read_encoded(answer, longer(ids, 2, 5), longer(mask, 2, False), params)
    close(more[0][:, :4], states, "the states with two more pads", *SOFT)
    close(more[1], first, "s_0 with two more pads", *SOFT)
    alone = read_encoded(answer, ids[1:2, :2], mask[1:2, :2], params)
    close(alone[0], states[1:2, :2], "the states of the second row alone", *SOFT)
    close(alone[1], first[1:2], "s_0 of the second row alone", *SOFT)


@check("encode", hint="zeros that always have a shape: x.new_zeros(…). What is tanh(W 0 + b)?")
def sources_without_a_word(answer):
    """A row of pads has states of zeros and s_0 = tanh(b), and so has every row where N is 0."""
    rng = seeded()
    params, V = translators.encoder_of(rng, (6, 2, 3, 2))
    ids = symbol_ids(rng, V, 2, 3)
    states, first = read_encoded(answer, ids, mask_of((0, 3), 3), params)
    close(states[0], torch.zeros(3, 6), "the states of a row of pads")
    close(first[0], params["b"].tanh(), "s_0 of a row of pads", *SOFT)
    beside = translators.encoded(ids[1:], mask_of((3,), 3), params)[1].detach()
    close(first[1:], beside, "s_0 of the row beside", *SOFT, hint="It has words: what has each direction read last?")
    states, first = read_encoded(answer, ids[:, :0], mask_of((0, 0), 0), params)
    close(first, params["b"].tanh().expand(2, -1), "s_0 for N = 0", *SOFT)


@check(
    "encode",
    weight=2,
    needs="s_0_joins_what_each_direction_read_last",
    hint="Does .detach(), .data or a tensor made anew cut the way?",
)
def both_results_teach_the_encoder(answer):
    """The gradients of states and of s_0 by all parameters are those of torch.nn.RNN."""
    rng = seeded()
    params, V = translators.encoder_of(rng, (6, 2, 3, 4), torch.float64)
    ids, mask = symbol_ids(rng, V, 3, 4), mask_of((4, 1, 3), 4)
    upstream = [numbers(rng, 3, 4, 6, dtype=torch.float64), numbers(rng, 3, 4, dtype=torch.float64)]
    translators.encoder_teaches(answer, ids, mask, params, upstream)


# --- 5.3 -------------------------------------------------------------------------------------------------------------


@check("decoder_step", weight=2, hint="Three products and a bias in one tanh; the logits from what comes out.")
def one_unit_by_hand(answer):
    """ln 3 as the sum of word, state, context and bias: the new state is 0.8, and the logits are 1.6 and −0.3."""
    params = {
        "E": exact([0.0], [0.0], [0.0], [0.0], [LN3]),
        "U": exact([2.0]),
        "W": exact([2.0]),
        "C": exact([-1.0, 0.0]),
        "b": exact(-LN3),
        "V": exact([2.0], [-1.0]),
        "d": exact(0.0, 0.5),
    }
    given = exact([LN3 / 2]), torch.tensor([4]), exact([LN3, 7.0]), params
    logits, new = translators.read_step(answer(*given), given)
    close(new, exact([0.8]), "the new state")
    close(logits, exact([1.6, -0.3]), "the logits")


@check("decoder_step", weight=2, hint="For rows M x is x @ M.T. Which rows meet, and from what are the logits made?")
def it_is_the_librarys_cell(answer):
    """Logits and new state are those of torch's own cell, which reads embedding and context as one vector."""
    rng = seeded()
    for sizes in ((7, 3, 4, 5), (6, 3, 3, 3)):
        given = translators.step_given(rng, 4, sizes)
        logits, new = translators.read_step(answer(*given), given)
        expected = translators.library_step(*given)
        close(new, expected[1], f"the new state for sizes U, D, S, K of {sizes}", *SOFT)
        close(logits, expected[0], f"the logits for sizes U, D, S, K of {sizes}", *SOFT)


@check("decoder_step", hint="What does a row's result depend on? Its own word, state and context.")
def rows_are_sentences_of_their_own(answer):
    """A row alone has the same logits and state, and another context changes those of its own row alone."""
    rng = seeded()
    state, words, c, params = given = translators.step_given(rng, 3, (5, 2, 3, 4))
    logits, new = translators.read_step(answer(*given), given)
    one = state[1:2], words[1:2], c[1:2], params
    alone = translators.read_step(answer(*one), one)
    close(alone[0], logits[1:2], "the logits of a row alone", *SOFT)
    close(alone[1], new[1:2], "the new state of a row alone", *SOFT)
    moved = c.clone()
    moved[2] = -moved[2]
    other = translators.read_step(answer(state, words, moved, params), given)
    close(other[1][:2], new[:2], "the new states of rows whose context is the same", *SOFT)
    holds(bool((other[1][2] - new[2]).abs().max() > 1e-3), "another context leaves the new state as it is")


@check(
    "decoder_step",
    weight=2,
    needs="it_is_the_librarys_cell",
    hint="Does .detach(), .item() or a new tensor cut the way to one of them?",
)
def a_step_teaches_all_that_it_uses(answer):
    """The gradients by state, context and all parameters are those of torch's own cell."""
    rng = seeded()
    state, words, c, params = given = translators.step_given(rng, 3, (5, 2, 3, 4), torch.float64)
    words[0] = 0  # the pad's row of E is a row as others are
    upstream = [numbers(rng, 3, 5, dtype=torch.float64), numbers(rng, 3, 3, dtype=torch.float64)]

    def twin(state, c, *rest):
        return translators.library_step(state, words, c, dict(zip(params, rest, strict=True)))

    by_state, by_c, *rest = translators.gradients_by(twin, [state, c, *params.values()], upstream)
    got = answer.gradients(*given, upstream=upstream)["arguments"]
    close(got[0], by_state, "the gradient by the state", *SOFT, hint=told.of_gradient(got[0], by_state))
    close(got[2], by_c, "the gradient by c", *SOFT, hint=told.of_gradient(got[2], by_c))
    for name, expected in zip(params, rest, strict=True):
        mine = got[3][name]
        close(mine, expected, f"the gradient by {name}", *SOFT, hint=told.of_gradient(mine, expected))


# --- 5.4 -------------------------------------------------------------------------------------------------------------


@check("teacher_forced_loss", weight=2, hint="Which three numbers are picked, and by how many are they divided?")
def three_words_by_hand(answer):
    """Words of the probabilities 1/4 and 1/2 in one row and 1/8 in the other: 6 ln 2 for three words, 2 ln 2."""
    table = torch.full((6, 6), -9.0)
    table[2, 4], table[4, 3], table[2, 3] = -2 * LN2, -LN2, -3 * LN2
    table[2, 5] = math.log(5 / 8)  # what it would say itself
    read, said = torch.tensor([[2, 4], [2, 0]]), torch.tensor([[4, 3], [3, 0]])
    close(answer(deciding.fixed(table), torch.zeros(2), read, said, mask_of((2, 1), 2)), 2 * LN2, "the loss")


@check("teacher_forced_loss", weight=2, hint="At step j read[:, j] goes in, with the state that the step before gave.")
def a_decoder_that_knows_the_text_loses_nothing(answer):
    """A decoder that is certain of the next word, by all words read so far, has the loss 0, whatever its state is."""
    rng = seeded()
    for form in deciding.FORMS:
        step, state, rule = deciding.adding(3, 9, form)
        read = torch.cat([torch.full((3, 1), BEGIN), symbol_ids(rng, 9, 3, 4)], 1)
        said = torch.tensor([[rule(sum(row[: j + 1])) for j in range(5)] for row in read.tolist()])
        mask = mask_of((5, 2, 3), 5)
        read, said = read.where(mask, torch.tensor(0)), said.where(mask, torch.tensor(0))
        close(answer(step, state, read, said, mask), 0.0, f"the loss, where the state is a {form}")
        said[1, 1] = 3 + (said[1, 1] - 2) % 6
        hint = "One word of ten costs 1000, and a mean of words is 100: what makes it less, or more?"
        close(answer(step, state, read, said, mask), 100.0, "the loss of ten words, one of which costs 1000", hint=hint)


@check("teacher_forced_loss", weight=2, hint="Pick the real words' numbers, then take the mean of those alone.")
def pads_cost_nothing(answer):
    """More pads, whose log probability is −∞, leave the loss as it is: a finite number."""
    rng = seeded()
    step, state = deciding.remembering(rng, 3, 7)
    mask = mask_of((4, 1, 3), 4)
    read, said = (symbol_ids(rng, 6, 3, 4).add(1).where(mask, torch.tensor(0)) for _ in range(2))
    loss = number(answer(step, state, read, said, mask), "the loss")
    holds(math.isfinite(loss), f"the loss is {loss}, though no real word is impossible")
    more = longer(read, 3, 0), longer(said, 3, 0), longer(mask, 3, False)
    close(answer(step, state, *more), loss, "the loss with three more pads", *SOFT)
    other = answer(step, state, read, (said % 6 + 1).where(mask, torch.tensor(0)), mask)
    holds(abs(number(other, "the loss") - loss) > 1e-3, "other words are to be said, and the loss is the same")


@check("teacher_forced_loss", hint="Is it a mean over all real words, whatever their ids, or a mean of means?")
def each_word_counts_alike(answer):
    """A row of one word and one of five: the loss is (that of the one + 5 · that of the other) / 6."""
    rng = seeded()
    table = numbers(rng, 6, 6, spread=3.0).log_softmax(1)
    step, mask = deciding.fixed(table), mask_of((1, 5), 5)
    read, said = (symbol_ids(rng, 5, 2, 5).add(1).where(mask, torch.tensor(0)) for _ in range(2))
    short = number(answer(step, torch.zeros(1), read[:1, :1], said[:1, :1], mask[:1, :1]), "the loss of one word")
    long = number(answer(step, torch.zeros(1), read[1:], said[1:], mask[1:]), "the loss of five words")
    holds(abs(short - long) > 1e-3, "two rows of other words have the same loss, or none")
    close(answer(step, torch.zeros(2), read, said, mask), (short + 5 * long) / 6, "the loss of both rows", *SOFT)


@check(
    "teacher_forced_loss",
    weight=2,
    needs="three_words_by_hand",
    hint="From log probabilities to the loss: do .item(), .detach(), torch.tensor(…) cut the way?",
)
def the_loss_teaches_the_decoder(answer):
    """By the log probability of each real word that is to be said the gradient is −1/N, by all others 0."""
    deciding.loss_teaches(answer, seeded())


@check(
    "teacher_forced_loss",
    needs="three_words_by_hand",
    hint="Are all real words counted, whatever their ids, in torch and in step's type?",
)
def the_loss_is_a_tensor_in_its_type(answer):
    """A tensor of shape () comes, in float64 where the log probabilities are, else in float32."""
    rng = seeded()
    for dtype in (torch.float32, torch.float64):
        table = numbers(rng, 5, 5, dtype=dtype).log_softmax(1)
        read, said = symbol_ids(rng, 5, 2, 3), symbol_ids(rng, 5, 2, 3)
        got = floats(answer(deciding.fixed(table), torch.zeros(2), read, said, mask_of((3, 3), 3)), (), "the loss")
        precision = (1e-10, 1e-12) if dtype == torch.float64 else SOFT
        close(got, -table[read, said].mean(), "the loss", *precision, same_dtype=True)


# --- 5.5 -------------------------------------------------------------------------------------------------------------


@check("beam_search", weight=2, hint="Draw the tree: which two beginnings are kept after each word?")
def the_tree_of_the_text(answer):
    """Width 1 finds a text of probability 0.2, and width 2 the best one, of 0.36, besides it."""
    known = {
        (): exact(0, 0, 0, 0.1, 0.5, 0.4).log(),
        (4,): exact(0, 0, 0, 0.4, 0.3, 0.3).log(),
        (5,): exact(0, 0, 0, 0.9, 0.05, 0.05).log(),
    }
    tree = deciding.Tree(seeded(), 6, known=known)
    close(tree.ask(answer, 1, 3), [([4, 3], math.log(0.2))], "the hypotheses of width 1")
    both = [([5, 3], math.log(0.36)), ([4, 3], math.log(0.2))]
    close(tree.ask(answer, 2, 3), both, "the hypotheses of width 2")


@check("beam_search", weight=2, hint="With one beam, the most probable word goes on at each step.")
def one_beam_is_greedy(answer):
    """Width 1 returns one text, each word the most probable after those before, up to end or limit."""
    rng = seeded()
    for vocabulary, limit, form in ((5, 4, "tensor"), (8, 6, "tuple"), (4, 1, "dict")):
        tree = deciding.Tree(rng, vocabulary, form=form)
        words, _ = tree.ask(answer, 1, limit)[0]
        whole = words[-1:] == [tree.ends] or len(words) == limit
        holds(whole, "the text stops before its end and before the limit")
        expected = [int(tree.after(tuple(words[:j])).argmax()) for j in range(len(words))]
        close(words, expected, "the words of the one hypothesis")


@check("beam_search", weight=2, hint="Are all beginnings kept, what has ended too, each with its own state and sum?")
def a_wide_beam_finds_the_best_of_all(answer):
    """A beam as wide as there are texts finds the most probable of all of them, each of which was tried."""
    rng = seeded()
    for vocabulary, limit in ((4, 3), (5, 3), (4, 4)):
        tree = deciding.Tree(rng, vocabulary)
        found = tree.ask(answer, vocabulary**limit, limit)
        close(
            found[0][1], tree.best(limit), f"the best log probability of {vocabulary} words and at most {limit} steps"
        )


@check("beam_search", weight=2, hint="Which state goes on with which words, and is each word's logarithm added once?")
def log_probabilities_are_those_of_the_words(answer):
    """Each hypothesis has the sum of the log probabilities of its own words, each after those before."""
    rng = seeded()
    for width, form in itertools.product((2, 3, 7), deciding.FORMS):
        tree = deciding.Tree(rng, 6, form=form)
        for words, log_prob in tree.ask(answer, width, 5):
            close(log_prob, tree.worth(words), f"the log probability of {words}, width {width}")


@check("beam_search", weight=2, hint="What has ended is neither thrown out nor put aside: it takes part as it is.")
def what_has_ended_competes_as_it_is(answer):
    """A text that ends at once, of probability 0.55, keeps its place and its number, beside one that goes on."""
    known = {
        (): exact(0, 0, 0, 0.55, 0.45).log(),
        (4,): exact(0, 0, 0, 0.4, 0.6).log(),
        (4, 4): exact(0, 0, 0, 0.4, 0.6).log(),
    }
    tree = deciding.Tree(seeded(), 5, known=known)
    close(tree.ask(answer, 2, 3), [([3], math.log(0.55)), ([4, 4, 4], math.log(0.162))], "the hypotheses of width 2")
    close(tree.ask(answer, 2, 2), [([3], math.log(0.55)), ([4, 4], math.log(0.27))], "those after two words at most")
    close(tree.ask(answer, 1, 3), [([3], math.log(0.55))], "the hypothesis of width 1")


@check("beam_search", hint="Nothing written yet is no text that has ended: look at the words, then at the last one.")
def begin_and_end_may_be_one_mark(answer):
    """Where `begin` and `end` are one id, the search still begins, and texts end as they do with two."""
    rng = seeded()
    for width in (1, 3):
        tree = deciding.Tree(rng, 6, begins=3, ends=3)
        for words, log_prob in tree.ask(answer, width, 4):
            holds(bool(words), "a text without a word came, though there are rounds to go")
            close(log_prob, tree.worth(words), f"the log probability of {words}, width {width}")
            holds(
                words[-1] == 3 or len(words) == 4, f"{words} came, which has not ended, though there are rounds to go"
            )


@check("beam_search", hint="What if there are fewer ways than places, none at all, or no round?")
def few_ways_and_no_round(answer):
    """No word of probability 0 is taken, fewer hypotheses than `width` may come, and limit 0 gives the empty one."""
    sure = torch.full((5,), -torch.inf, dtype=torch.float64)
    known = {(): sure.index_fill(0, torch.tensor(4), 0.0), (4,): exact(0, 0, 0, 0.75, 0.25).log()}
    known |= {(4, 4): sure.index_fill(0, torch.tensor(3), 0.0)}
    tree = deciding.Tree(seeded(), 5, known=known)
    both = [([4, 3], math.log(0.75)), ([4, 4, 3], math.log(0.25))]
    close(tree.ask(answer, 9, 4), both, "the hypotheses, where only two texts are possible")
    close(tree.ask(answer, 3, 0), [([], 0.0)], "the hypotheses for limit 0")


@check("beam_search", hint="Add logarithms: a product becomes 0. And no word is too improbable but one of −∞.")
def long_texts_do_not_underflow(answer):
    """Of 40 words, each of probability e^−30 or less, the best are found, and the numbers are right."""
    right = [4 + (j * j) % 3 for j in range(40)]
    low = torch.tensor([-50.0, -50, -50, -5000, -50, -50, -50], dtype=torch.float64)  # the end is the least probable
    known = {tuple(right[:j]): low.index_fill(0, torch.tensor(right[j]), -30.0) for j in range(40)}
    words, log_prob = deciding.Tree(seeded(), 7, known=known, otherwise=low).ask(answer, 2, 40)[0]
    close(words, right, "the words of the best hypothesis")
    close(log_prob, -1200.0, "the log probability of the best hypothesis")


# --- 5.6 -------------------------------------------------------------------------------------------------------------

THREE = [([4, 3], -2.0), ([5, 6, 7, 3], -3.0), ([3], -1.5)]


@check("best_hypothesis", weight=2, hint="Divide each log probability by its number of words to the power of alpha.")
def three_hypotheses_by_hand(answer):
    """ln P of −2, −3 and −1.5 for 2, 4 and 1 words: with α = 0 the last is best, with α = 1 that of four words."""
    close(answer(list(THREE), 0.0), [3], "the words for alpha = 0")
    close(answer(list(THREE), 1.0), [5, 6, 7, 3], "the words for alpha = 1")
    close(answer([([4, 3], -2.0), ([5, 6, 7, 3], -3.0)], 0.5), [4, 3], "the words for alpha = 0.5")


@check("best_hypothesis", hint="Below 0, divided by a larger number is larger: do long texts gain or lose?")
def the_longer_gains_with_alpha(answer):
    """Of two texts of one log probability the longer is the best, and with a large α the longest of all is."""
    close(answer([([4, 5, 3], -2.0), ([4, 3], -2.0)], 0.7), [4, 5, 3], "the words of the better of two")
    hint = "Do words count that come again, and is alpha the power, however large?"
    close(answer([*THREE, ([4] * 9, -9.5)], 6.0), [4] * 9, "the words for alpha = 6", hint=hint)


@check("best_hypothesis", hint="Is the best the best of all, in each order, and for alpha = 0, too?")
def the_order_is_of_no_matter(answer):
    """In whatever order three hypotheses come, one of probability 0 among them, the best is the same."""
    for alpha, expected in ((0.0, [3]), (1, [5, 6, 7, 3])):
        for order in itertools.permutations([*THREE, ([8, 8, 8, 8, 8, 3], -math.inf)]):
            close(answer(list(order), alpha), expected, f"the words for alpha = {alpha}")
    close(answer([([7, 3], -4.0)], 1.0), [7, 3], "the words of the only hypothesis")


# --- 5.7 -------------------------------------------------------------------------------------------------------------


@check("attention_scores", weight=2, hint="q · h = q₁ h₁ + q₂ h₂ + …, once for each key; scaled, over √K.")
def two_keys_by_hand(answer):
    """For q = (1, 2, 0, 2) the keys (3, 1, 9, 0) and (0, 0, 5, 4) have the products 5 and 8; scaled, 2.5 and 4."""
    query, keys = exact([1, 2, 0, 2]), exact([[3, 1, 9, 0], [0, 0, 5, 4]])
    close(answer(query, keys, "dot", {}), exact([5, 8]), "the scores of kind dot")
    close(answer(query, keys, "scaled", {}), exact([2.5, 4]), "the scores of kind scaled")


@check("attention_scores", weight=2, hint="W has a row for each number of q: q W is a vector as long as a key.")
def bilinear_by_hand(answer):
    """With W = [[1, 0, 2], [0, 3, 0]], q = (2, 1) asks for (2, 3, 4): 9 and 2. With the identity it is a product."""
    W = exact([1, 0, 2], [0, 3, 0])
    close(answer(exact([2, 1]), exact([[1, 1, 1], [1, 0, 0]]), "bilinear", {"W": W}), exact([9, 2]), "the scores")
    rng = seeded()
    query, keys = numbers(rng, 3, 4), numbers(rng, 3, 5, 4)
    expected = (keys * query[:, None]).sum(2)
    close(answer(query, keys, "bilinear", {"W": torch.eye(4)}), expected, "the scores with the identity", *SOFT)


@check("attention_scores", weight=2, hint="tanh(ln 2) = 0.6 and tanh(ln 3) = 0.8. What does u do with the two?")
def additive_with_identities_by_hand(answer):
    """With identities, b = 0 and u = (1, 2), q = (ln 2, 0): the key (0, ln 3) has 0.6 + 2 · 0.8, and −q has 0."""
    one, zero = torch.eye(2, dtype=torch.float64), torch.zeros(2, dtype=torch.float64)
    params = {"Wq": one, "Wh": one.clone(), "b": zero, "u": exact(1, 2)}
    query, keys = exact([LN2, 0]), exact([[0, LN3], [-LN2, 0]])
    close(answer(query, keys, "additive", params), exact([2.2, 0.0]), "the scores")
    silent = params | {"b": exact(LN3 - LN2, 0)}
    close(answer(query, 0 * keys, "additive", silent), exact([0.8, 0.8]), "the scores of keys of zeros, with a bias")


OF_KIND = {
    "dot": "Whose query meets whose keys, over which axis? Nothing is divided.",
    "scaled": "Divided by √K, for this kind alone: K is the width of a key.",
    "bilinear": "q W for every width, equal ones too, and not divided: which axis of W meets q?",
    "additive": "Are W_q and W_h told apart, and which axis of each meets what?",
}


@check("attention_scores", weight=2, hint="Which axis meets which? Look at the kind that is named.")
def all_four_are_the_librarys(answer):
    """Each kind has the scores that torch's functions for pairs of vectors give, for equal widths and others."""
    rng = seeded()
    for kind, widths in (
        ("dot", (5, 5, 1)),
        ("scaled", (3, 3, 1)),
        *(("bilinear", widths) for widths in ((2, 5, 1), (4, 4, 1))),
        *(("additive", widths) for widths in ((2, 5, 3), (5, 2, 4), (4, 4, 4))),
    ):
        query, keys = numbers(rng, 4, widths[0], spread=2.0), numbers(rng, 4, 4, widths[1], spread=2.0)
        params = translators.score_of(rng, kind, widths)
        got = floats(answer(query, keys, kind, params), (4, 4), f"the scores of kind {kind}")
        expected = library_scores(query, keys, kind, params)
        close(got, expected, f"the scores of kind {kind} for widths Q, K, A of {widths}", *SOFT, hint=OF_KIND[kind])


@check("attention_scores", hint="A row's query meets the keys of its own row, each by itself.")
def each_key_by_itself(answer):
    """A row alone, and a key alone, have the scores that they have in company."""
    rng = seeded()
    for kind in ("dot", "scaled", "bilinear", "additive"):
        query, keys, params = numbers(rng, 3, 4), numbers(rng, 3, 5, 4), translators.score_of(rng, kind, (4, 4, 2))
        got = floats(answer(query, keys, kind, params), (3, 5), f"the scores of kind {kind}")
        close(answer(query[1:2], keys[1:2], kind, params), got[1:2], f"those of a row alone, kind {kind}", *SOFT)
        close(answer(query, keys[:, 2:3], kind, params), got[:, 2:3], f"those of a key alone, kind {kind}", *SOFT)


@check(
    "attention_scores",
    weight=2,
    needs="all_four_are_the_librarys",
    hint="Does .detach(), .item() or a new tensor cut the way to one of them?",
)
def a_score_teaches_all_that_it_uses(answer):
    """The gradients by query, keys and all parameters are those of torch's functions, for each kind."""
    rng = seeded()
    for kind in ("dot", "scaled", "bilinear", "additive"):
        widths = (3, 3, 2) if kind in ("dot", "scaled") else (2, 3, 4)
        query = numbers(rng, 2, widths[0], dtype=torch.float64)
        keys = numbers(rng, 2, 4, widths[1], dtype=torch.float64)
        params, upstream = translators.score_of(rng, kind, widths, torch.float64), numbers(rng, 2, 4)

        def twin(query, keys, *rest, kind=kind, names=tuple(params)):
            return [library_scores(query, keys, kind, dict(zip(names, rest, strict=True)))]

        found = translators.gradients_by(twin, [query, keys, *params.values()], [upstream])
        got = answer.gradients(query, keys, kind, params, upstream=upstream.double())["arguments"]
        for name, mine, expected in zip(
            ("query", "keys", *params), (got[0], got[1], *got[3].values()), found, strict=True
        ):
            what = f"the gradient by {name} of kind {kind}"
            close(mine, expected, what, *SOFT, hint=told.of_gradient(mine, expected))


# --- 5.8 -------------------------------------------------------------------------------------------------------------


@check("attention_weights", weight=2, hint="e^0 = 1 and e^ln 3 = 3: which shares do they have of their sum?")
def a_quarter_three_quarters_and_a_pad(answer):
    """Scores of 0 and ln 3 and a pad have the weights 1/4, 3/4 and 0; one real place alone has the weight 1."""
    scores = exact([0, LN3, 9], [-5, 70, 7])
    close(answer(scores, mask_of((2, 1), 3)), exact([0.25, 0.75, 0], [1, 0, 0]), "the weights")


@check(
    "attention_weights", weight=2, hint="Before the softmax, not after it; over the row's places, not over the rows."
)
def weights_of_real_places_sum_to_one(answer):
    """The weights of each row sum to one, none is below 0, and at the pads they are exactly 0."""
    rng = seeded()
    for batch, places in ((4, 6), (5, 5), (1, 3)):
        mask = mask_of(lengths_of(rng, batch, places), places)
        scores = disturbed(numbers(rng, batch, places, spread=3.0), mask, rng)
        weights = floats(answer(scores, mask), (batch, places), "the weights")
        translators.shares_of_real_places(weights, mask)
        close(weights, library_weights(scores, mask), "the weights", *SOFT)


@check(
    "attention_weights",
    weight=2,
    hint="Which score of a pad never counts? And e^x of a large x: what is taken away first?",
)
def scores_may_be_of_any_size(answer):
    """Scores of ±5000, of ±10³⁰ and −∞, rows far apart, pads huge, infinite or NaN: the weights are right."""
    rows = ([5000.0, 4999.0, 9e9], [-1e12, -1e12, 0.0], [-7000.0, -7000.0, math.inf], [-math.inf, 3.0, math.nan])
    scores = torch.tensor(rows, dtype=torch.float64)
    e = math.e
    expected = exact([e / (1 + e), 1 / (1 + e), 0], [0.5, 0.5, 0], [0.5, 0.5, 0], [0, 1, 0])
    for dtype in (torch.float64, torch.float32):
        got = floats(answer(scores.to(dtype), mask_of((2, 2, 2, 2), 3)), (4, 3), "the weights")
        close(got, expected, f"the weights in {dtype}", *SOFT)
        holds(bool((got[:, 2] == 0).all()), f"the weight of a pad is not exactly 0 in {dtype}")
        far = torch.tensor([[-1e30, -1e30, 0], [3e6, 2e6, 9], [-math.inf, -1e30, 0], [1e30, -1e30, 1e30]], dtype=dtype)
        got = answer(far, mask_of((2, 2, 2, 2), 3))
        close(
            got,
            exact([0.5, 0.5, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]),
            f"the weights of scores up to 10³⁰ in {dtype}",
            *SOFT,
        )


@check("attention_weights", weight=2, hint="Without a real place: which softmax is 0/0, and what is its gradient?")
def a_row_without_a_place_has_zeros(answer):
    """A row of pads has weights of 0, whatever stands there, and a gradient of 0; the row beside it has its own."""
    scores, mask = exact([2.0, -math.inf, 5.0], [0.0, LN3, 1.0], [math.nan, 0.0, 1.0]), mask_of((0, 2, 0), 3)
    expected = exact([0, 0, 0], [0.25, 0.75, 0], [0, 0, 0])
    close(answer(scores, mask), expected, "the weights")
    got = answer.gradients(scores, mask, upstream=exact([1, 2, 3], [1, 0, 5], [3, 2, 1]))["arguments"][0]
    slope = exact([0, 0, 0], [0.1875, -0.1875, 0], [0, 0, 0])
    close(got, slope, "the gradient by the scores", hint=told.of_gradient(got, slope))


@check(
    "attention_weights",
    weight=2,
    needs="weights_of_real_places_sum_to_one",
    hint="Does a pad send something back, or .detach() cut the way?",
)
def scores_are_taught_and_pads_are_not(answer):
    """The gradient by the scores is that of torch's softmax over the real places, and 0 at the pads."""
    rng = seeded()
    scores, upstream = (numbers(rng, 4, 5, spread=2.0, dtype=torch.float64) for _ in range(2))
    mask = mask_of((5, 1, 3, 2), 5)
    (expected,) = translators.gradients_by(lambda s: [library_weights(s, mask)], [scores], [upstream])
    got = answer.gradients(scores, mask, upstream=upstream)["arguments"][0]
    close(got, expected, "the gradient by the scores", *SOFT, hint=told.of_gradient(got, expected))
    holds(bool((got[~mask] == 0).all()), "the gradient at a pad is not exactly 0")


# --- 5.9 -------------------------------------------------------------------------------------------------------------


@check(
    "attention_step", weight=2, hint="Scores of 0 and ln 3 first: then weights, then the weighted sum, then the step."
)
def a_step_by_hand(answer):
    """Weights of 1/4 and 3/4 for the keys (0, 4) and (1, 8): c = (0.75, 7), and with C = (4, 0) a state of tanh 3."""
    zero = torch.zeros(1, 1, dtype=torch.float64)
    score = {"Wq": zero, "Wh": exact([100.0, 0.0]), "b": exact(0.0), "u": exact(LN3)}
    params = {
        "E": torch.zeros(5, 1, dtype=torch.float64),
        "U": zero,
        "W": zero,
        "C": exact([4.0, 0.0]),
        "b": exact(0.0),
    }
    params |= {"V": exact([1.0], [-2.0]), "d": exact(0.0, 0.0), "score": score}
    given = exact([0.3]), torch.tensor([4]), exact([[0, 4], [1, 8], [90, 90]]), mask_of((2,), 3), params
    logits, new, c, weights = translators.parts_of(answer(*given), 4)
    close(weights, exact([0.25, 0.75, 0]), "the weights")
    close(c, exact([0.75, 7.0]), "c")
    close(new, exact([math.tanh(3.0)]), "the new state")
    close(logits, exact([math.tanh(3.0), -2 * math.tanh(3.0)]), "the logits")


@check("attention_step", weight=2, hint="Who asks: s before the step or after it? What is summed: the keys themselves?")
def it_is_the_librarys_parts_together(answer):
    """All four are what torch's functions give in a row: the state *before* the step asks, and keys are summed."""
    rng = seeded()
    for sizes, places in (((6, 3, 4, 5), 7), ((4, 4, 4, 4), 4)):
        state, words, _, params = translators.step_given(rng, 4, sizes)
        params["score"] = translators.score_of(rng, "additive", (sizes[2], sizes[3], 4))
        keys = numbers(rng, 4, places, sizes[3], spread=2.0)
        given = state, words, keys, mask_of((places, 1, 3, 2), places), params
        names = "the logits", "the new state", "c", "the weights"
        got, expected = translators.parts_of(answer(*given), 4), translators.library_attention_step(*given)
        for name, mine, theirs in reversed(list(zip(names, got, expected, strict=True))):  # what is made first, first
            close(mine, theirs, name, *SOFT)


@check("attention_step", hint="A pad's weight must be exactly 0, and a row without a word still makes its step.")
def pads_and_rows_of_pads(answer):
    """Other keys at the pads change nothing, and a row without a real word has weights and c of zeros."""
    rng = seeded()
    state, words, c, params = translators.step_given(rng, 3, (5, 2, 3, 4))
    params["score"] = translators.score_of(rng, "additive", (3, 4, 2))
    keys, mask = numbers(rng, 3, 5, 4), mask_of((5, 0, 2), 5)
    got = translators.parts_of(answer(state, words, keys, mask, params), 4)
    other = translators.parts_of(answer(state, words, disturbed(keys, mask, rng), mask, params), 4)
    for mine, theirs, name in zip(other, got, ("logits", "new state", "c", "weights"), strict=True):
        close(mine, theirs, f"the {name} with other keys at the pads", *SOFT)
    new, c_new, weights = (
        translators.of_shape(part, shape, name)
        for part, shape, name in zip(
            got[1:], (tuple(state.shape), (3, 4), (3, 5)), ("the new state", "c", "the weights"), strict=True
        )
    )
    close(c_new[1], torch.zeros(4), "c of a row without a real word")
    close(weights[1], torch.zeros(5), "the weights of a row without a real word")
    step = translators.library_step(state, words, 0 * c, params)
    close(new[1:2], step[1][1:2], "the new state of a row without a real word", *SOFT)


@check(
    "attention_step",
    weight=2,
    needs="it_is_the_librarys_parts_together",
    hint="Which way is cut: through the weights, through the keys, or through the state?",
)
def attention_is_learnt_with_all_the_rest(answer):
    """The gradients by state, keys and all parameters are those of torch's functions."""
    rng = seeded()
    sizes = (5, 2, 3, 4)
    state, words, _, decoder = translators.step_given(rng, 3, sizes, torch.float64)
    words[0] = 0  # the pad's row of E is a row as others are
    score = translators.score_of(rng, "additive", (3, 4, 2), torch.float64)
    keys, mask = numbers(rng, 3, 4, 4, dtype=torch.float64), mask_of((4, 1, 3), 4)
    upstream = [numbers(rng, 3, size, dtype=torch.float64) for size in (5, 3, 4, 4)]

    def twin(state, keys, *rest):
        own = dict(zip([*decoder, *score], rest, strict=True))
        own = {name: own[name] for name in decoder if name != "b"} | {"b": rest[list(decoder).index("b")], "score": own}
        own["score"] = dict(zip(score, rest[len(decoder) :], strict=True))
        return translators.library_attention_step(state, words, keys, mask, own)

    leaves = [state, keys, *decoder.values(), *score.values()]
    found = translators.gradients_by(twin, leaves, upstream)
    got = answer.gradients(state, words, keys, mask, decoder | {"score": score}, upstream=upstream)["arguments"]
    mine = [got[0], got[2], *(got[4][name] for name in decoder), *(got[4]["score"][name] for name in score)]
    names = ["the state", "the keys", *decoder, *(f"{name} of the score" for name in score)]
    for name, one, expected in zip(names, mine, found, strict=True):
        close(one, expected, f"the gradient by {name}", *SOFT, hint=told.of_gradient(one, expected))


# --- 5.10 ------------------------------------------------------------------------------------------------------------

SIZES = {"V": 12, "U": 10, "S": 5, "K": 3}
FREE, KEPT = broken.SOUND_WRITES["a net that reads its own words"], broken.SOUND_STEPS["the context as it was"]


@check("broken_parts", hint="A sound part may say anything at all: what alone may it not do?")
def sound_evaluations_are_not_accused(answer):
    """Whatever a net writes, and however it carries its context along: if both are sound, []; and else not."""
    for (one, write), (other, carry) in itertools.product(broken.SOUND_WRITES.items(), broken.SOUND_STEPS.items()):
        broken.finds(answer, write, carry, SIZES, [], f"{one}, {other}")
    fades = broken.BROKEN_STEPS["a context that fades"]
    broken.finds(answer, FREE, fades, SIZES, ["step"], "a net that reads its own words, a context that fades")


@check("broken_parts", weight=3, hint="One source, several references, longer ones and shorter ones: what may change?")
def an_evaluation_that_reads_the_answer_is_found(answer):
    """However the reference gets into what is written, write is named, and it alone."""
    for name, write in broken.BROKEN_WRITES.items():
        broken.finds(answer, write, KEPT, SIZES, ["write"], name)


@check("broken_parts", weight=3, hint="Several rows that differ in everything, and every word: is each context kept?")
def a_context_that_is_overwritten_is_found(answer):
    """However the context becomes another one, in all rows or in some, step is named, and it alone."""
    for name, carry in broken.BROKEN_STEPS.items():
        broken.finds(answer, FREE, carry, SIZES, ["step"], name)


@check("broken_parts", hint="Each part is judged by itself; the names in the order of the arguments.")
def both_may_be_broken(answer):
    """Where both are broken both are named, first "write"."""
    for (one, write), (other, carry) in zip(broken.BROKEN_WRITES.items(), broken.BROKEN_STEPS.items(), strict=False):
        broken.finds(answer, write, carry, SIZES, ["write", "step"], f"{one}, {other}")
