"""The public checks of unit 8: pieces of words, packed and masked texts, pairs, embeddings, a head, a diagnosis.

Each states one property of an answer. Expected values are worked by hand, follow from another value of the same answer,
or come from torch's own functions with the same parameters (`unrolled.checks.helpers.drawn`). What an answer draws is
counted: a right one is refused in one case of 10⁸. The fine-tunings that 8.10 asks are in `tunings`.

Left out on purpose: speed, and how a generator is used, as long as one seed gives one result.
"""

import math

import torch

import unrolled.bert_checkpoints
import unrolled.pretraining
import unrolled.wordpiece
import unrolled.wordpiece_training
from unrolled.checking import check, close, forbid, holds, seeded
from unrolled.checking.kinds import floats
from unrolled.checks.helpers import drawn, tunings
from unrolled.checks.helpers.recurrent import exact, numbers, symbol_ids
from unrolled.checks.helpers.said import count_of
from unrolled.checks.helpers.teaching import taught
from unrolled.checks.helpers.translators import SOFT
from unrolled.experiments.bert import reading, sick_tunings
from unrolled.experiments.bert.parts import CLS, SEP
from unrolled.language_model import IGNORED

forbid("wordpiece", unrolled.wordpiece)
forbid("best_merge", unrolled.wordpiece_training)
for _name in ("pack_pair", "mask_tokens", "next_sentence_pairs"):
    forbid(_name, unrolled.pretraining)
forbid("align_labels", reading, sick_tunings)
for _name in ("embeddings", "classify"):  # a finished net that was read from a file is one, too
    forbid(_name, unrolled.bert_checkpoints)

LN2, LN3 = math.log(2), math.log(3)
DOUBLE, SINGLE = torch.double, torch.float


# --- 8.1 -------------------------------------------------------------------------------------------------------------


@check("wordpiece", weight=2, hint="At each place the longest first: whale, whal, wha. And a piece inside has ##.")
def the_longest_piece_at_each_place(answer):
    """With whal, w, ##hale, ##e, ##es and ##s on the list whales is whal ##es, and wes is w ##es."""
    pieces = {"whal", "w", "##hale", "##e", "##es", "##s"}
    close(answer("whales", pieces), ["whal", "##es"], "the pieces of whales")
    close(answer("wes", pieces), ["w", "##es"], "the pieces of wes")
    close(answer("whalees", pieces), ["whal", "##e", "##es"], "the pieces of whalees")


@check("wordpiece", weight=2, hint="A word that stands on the list is one piece; so is a single letter.")
def a_word_on_the_list_is_one_piece(answer):
    """A word that is on the list comes out whole, whatever else is on it, and one of one letter, too."""
    pieces = {"ship", "s", "sh", "##hip", "##ip", "##p", "##ship"}
    close(answer("ship", pieces), ["ship"], "the pieces of ship")
    close(answer("s", pieces), ["s"], "the pieces of s")
    close(answer("shipship", pieces), ["ship", "##ship"], "the pieces of shipship")


@check("wordpiece", weight=2, hint="One place where no piece fits: what is the whole word then?")
def what_does_not_fit_is_unknown(answer):
    """Where no piece fits, in front, inside or at the end, the whole word is one [UNK], and nothing else."""
    pieces = {"a", "##b", "##c", "ab", "##bd"}
    for word in ("x", "xa", "axb", "abcx", "abbdx", "abd", "ba", "cab", "bc", "aa"):
        close(answer(word, pieces), ["[UNK]"], f"the pieces of {word}")
    close(answer("abcb", pieces), ["ab", "##c", "##b"], "the pieces of abcb")


# --- 8.2 -------------------------------------------------------------------------------------------------------------

OLD, SAD, TOLD = ("o", "##l", "##d"), ("s", "##a", "##d"), ("t", "##o", "##l", "##d")


@check("best_merge", weight=2, hint="o 3, ##l 3, ##d 5, s 2, ##a 2: 3/(3 · 3), 3/(3 · 5), 2/(2 · 2), 2/(2 · 5).")
def old_and_sad_by_hand(answer):
    """old three times and sad twice, cut into letters: (s, ##a) has 2/4, more than all others."""
    close(answer({OLD: 3, SAD: 2}), ("s", "##a"), "the pair")
    close(answer({OLD: 3, SAD: 2, TOLD: 1}), ("t", "##o"), "the pair when told comes once")  # 1/(1 · 1)


@check("best_merge", weight=2, hint="How often does each stand in the text: a word's pieces as often as the word?")
def the_counts_are_of_the_text(answer):
    """What a word has counts as often as the word comes, a piece that it has twice counts twice."""
    close(answer({("a", "##b"): 8, ("c", "##d"): 3, ("c",): 6}), ("a", "##b"), "the pair of 8/64 and 3/27")
    close(answer({("a", "##b"): 2, ("c", "##d"): 3}), ("a", "##b"), "the pair of 2/4 and 3/9")
    close(answer({("a", "##b", "##b"): 1, ("c", "##d"): 3}), ("a", "##b"), "the pair of 1/2, 1/4 and 3/9")
    close(answer({("a", "##a", "##a"): 2, ("c", "##d"): 3}), ("c", "##d"), "the pair of 2/8, 2/16 and 3/9")
    splits = {("a", "##a", "##a", "##a"): 2, ("a",): 20, ("c", "##d"): 12}
    close(answer(splits), ("##a", "##a"), "the pair of 4/36 and 1/12", hint="How often are ##a and ##a neighbours?")


@check("best_merge", hint="Of equal scores: which a is smaller? And only then: which b? No pair: None.")
def ties_and_nothing_to_merge(answer):
    """Of equal scores the first by spelling, and None where no two pieces are neighbours."""
    close(answer({("b", "##x"): 2, ("a", "##y"): 2}), ("a", "##y"), "the pair of two equal ones")
    close(answer({("a", "##y"): 1, ("a", "##x"): 1}), ("a", "##x"), "the pair of two that begin alike")
    three = {("b", "##c"): 1, ("z", "##q", "##p"): 1}
    close(answer(three), ("##q", "##p"), "the pair of three equal ones", hint="Python puts # before all letters.")
    rounded = {("b", "##a"): 3, ("b", "##c"): 2}
    close(answer(rounded), ("b", "##a"), "the pair of 3/15 and 2/10", hint="Equal is equal: where does a float round?")
    for none in ({}, {("a",): 4, ("b",): 1}):
        close(answer(none), None, "what is merged where there is no pair")


# --- 8.3 -------------------------------------------------------------------------------------------------------------


@check("pack_pair", weight=2, hint="[CLS] A [SEP] B [SEP]: to which text does each [SEP] belong?")
def two_texts_by_hand(answer):
    """Two ids and three: eight in all, of which the first four have segment 0."""
    ids, segments = drawn.packed(answer, [11, 12], [21, 22, 23], 20)
    close(ids, [CLS, 11, 12, SEP, 21, 22, 23, SEP], "the ids")
    close(segments, [0, 0, 0, 0, 1, 1, 1, 1], "the segments")


@check("pack_pair", weight=2, hint="None is no second text; an empty list is one without ids. Which [SEP] is there?")
def no_second_text_and_an_empty_one(answer):
    """Without a second text there is one [SEP], with an empty one there are two."""
    for second, ids in ((None, [CLS, 7, 8, SEP]), ([], [CLS, 7, 8, SEP, SEP])):
        got = drawn.packed(answer, [7, 8], second, 9)
        close(got[0], ids, f"the ids for second = {second}")
        close(got[1], [0, 0, 0, 0, 1][: len(ids)], f"the segments for second = {second}")
    close(drawn.packed(answer, [], [5], 9), ([CLS, SEP, 5, SEP], [0, 0, 1, 1]), "the result for an empty first text")


@check("pack_pair", weight=2, hint="Cut A and B before anything is put around them: how much room have they?")
def what_is_too_long_loses_its_end(answer):
    """The longer one loses its last id, again and again; of two equal ones the second does."""
    first, second = [11, 0, 13, 14, 15, 16], [0, 22]
    cases = ((11, 6, 2), (10, 5, 2), (8, 3, 2), (7, 2, 2), (6, 2, 1), (5, 1, 1), (4, 1, 0), (3, 0, 0))
    for longest, n, m in cases:
        right = [CLS, *first[:n], SEP, *second[:m], SEP], [0] * (n + 2) + [1] * (m + 1)
        ids, segments = drawn.packed(answer, first, second, longest)
        close(len(ids), len(right[0]), f"the number of ids for longest = {longest}")
        close(ids, right[0], f"the ids for longest = {longest}", hint="Who loses one, each time, and at which end?")
        close(segments, right[1], f"the segments for longest = {longest}", hint="Which text is each [SEP] of?")
    for longest, n in ((8, 6), (5, 3), (2, 0)):
        right = [CLS, *first[:n], SEP], [0] * (n + 2)
        close(drawn.packed(answer, first, None, longest), right, f"the result of one text for longest = {longest}")


# --- 8.4 -------------------------------------------------------------------------------------------------------------


@check("mask_tokens", weight=2, hint="What is a target, what stands where there is none, and what is never chosen?")
def each_place_is_hidden_or_as_it_was(answer):
    """Where nothing is chosen the id stays, the target is IGNORED; special ids are never chosen and never put in."""
    rng = seeded()
    for B, N, V, specials, mask in ((30, 40, 60, [0, 1, 2, 3, 4], 4), (1, 900, 9, [8, 5], 8), (500, 1, 30, [7], 7)):
        ids, _ = drawn.texts_of(rng, B, N, V, specials, 0.3)
        _, _, chosen = drawn.masked(answer, ids, specials, mask, V, rng.randrange(10**6))
        holds(bool(chosen.any()), f"nothing is chosen of ids of shape {(B, N)}")


@check("mask_tokens", weight=3, hint="15 % of what may be chosen; then 80 %, 10 % and 10 %: of how many each?")
def the_shares_are_as_told(answer):
    """15 % of the ids that are no special ones are chosen; of these 80 % masked, 10 % exchanged, 10 % as they were."""
    rng = seeded()
    ids, may = drawn.texts_of(rng, 200, 300, 2000, [0, 1, 2, 3, 4], 0.25)
    new, _, chosen = drawn.masked(answer, ids, [0, 1, 2, 3, 4], 4, 2000, rng.randrange(10**6))
    count, hidden, kept = (int(one.sum()) for one in (chosen, chosen & (new == 4), chosen & (new == ids)))
    cases = (count, int(may.sum()), 0.15, "chosen"), (hidden, count, 0.8, "masked"), (kept, count, 0.1, "kept")
    for came, of, share, what in cases:
        holds(drawn.near(came, of, share), f"{came} of {of} are {what}: about {share:.0%} are asked for")


@check("mask_tokens", weight=2, hint="All ids that are no special ones are equally likely. Which one comes too often?")
def random_ids_are_any_ids(answer):
    """What is put in at random is any id that is no special one, each as often as the others."""
    rng = seeded()
    for specials, V in (([0, 1, 2, 3, 4], 11), ([9, 2], 10), (list(range(8)), 10), ([0, 2], 3)):
        drawn.drawn_evenly(answer, specials, V, rng.randrange(10**6))


@check("mask_tokens", weight=2, hint="A draw for each place, none for a row: how many rows have nothing chosen then?")
def places_are_chosen_one_by_one(answer):
    """Of rows of five ids, beside others or alone, 0.85⁵ have none that is chosen; the seed decides."""
    ids = 5 + symbol_ids(seeded(), 40, 3000, 5)
    one, again, other = (drawn.masked(answer, ids, [0, 4], 4, 45, seed) for seed in (0, 0, 1))
    alone = torch.cat([drawn.masked(answer, ids[:1], [0, 4], 4, 45, seed)[2] for seed in range(120)])
    for chosen, what in ((one[2], "rows of one text"), (alone, "texts of one row")):
        came, of = int((~chosen).all(1).sum()), len(chosen)
        holds(drawn.near(came, of, 0.85**5), f"in {came} of {of} {what} nothing is chosen: {0.85**5:.0%} are likely")
    both = int((one[2][::2] & one[2][1::2]).sum())
    holds(drawn.near(both, 7500, 0.15**2), f"two rows have the same place chosen {both} times in 7500")
    close(again[:2], one[:2], "what the same seed gives again")
    holds(not torch.equal(one[2], other[2]), "two seeds choose the same places")


# --- 8.5 -------------------------------------------------------------------------------------------------------------


@check("next_sentence_pairs", weight=2, hint="Go through each document: for which sentences is there a pair?")
def a_pair_for_each_that_has_a_next(answer):
    """Three sentences, one, and two: three pairs, in order, each with its next sentence or one of another document."""
    documents = [["a1", "a2", "a3"], ["b1"], ["c1", "c2"]]
    for seed in range(30):
        drawn.drawn_pairs(answer, documents, seed)


@check("next_sentence_pairs", weight=2, hint="A coin for each pair: how often 0, how often 1, and 0 behind a 1?")
def half_of_the_pairs_go_on(answer):
    """Half of the pairs have 0 and half 1, and none depends on the one before it."""
    rng = seeded()
    for documents in (*(drawn.documents_of(rng, sizes) for sizes in ([40] * 40, [2] * 400)), [["s"] * 800, ["t"]]):
        kinds = [one[2] for one in drawn.drawn_pairs(answer, documents, rng.randrange(10**6))]
        holds(drawn.near(sum(kinds), len(kinds), 0.5), f"{sum(kinds)} of {len(kinds)} pairs are from two documents")
        alike = sum(one == other for one, other in zip(kinds[::2], kinds[1::2], strict=False))
        holds(drawn.near(alike, len(kinds) // 2, 0.5), f"{alike} of {len(kinds) // 2} neighbours are of one kind")


@check("next_sentence_pairs", weight=2, hint="Which sentences of which documents may be drawn? All but one's own.")
def each_stranger_may_come(answer):
    """In three hundred seeds each sentence of each other document comes, those of the shortest one, too."""
    drawn.all_come(answer, [["a1", "a2"], ["b1"], ["c1", "c2", "c3"]], 300)
    drawn.all_come(answer, [["p", "q"], ["p", "q"], ["z"]], 200)
    drawn.each_anew(answer, 0)


@check("next_sentence_pairs", hint="All chance comes from the seed: is it used, and only once a call?")
def the_seed_decides_all_pairs(answer):
    """The same seed gives the same pairs again, and another seed others."""
    rng = seeded()
    documents = drawn.documents_of(rng, [50, 30, 1])
    one, again, other = (drawn.drawn_pairs(answer, documents, seed) for seed in (0, 0, 1))
    close(again, one, "the pairs of the same seed")
    holds([three[2] for three in one] != [three[2] for three in other], "two seeds give the same kinds")


# --- 8.6 -------------------------------------------------------------------------------------------------------------


@check("embeddings", weight=2, hint="(0, 2) + (1, 0) + (0, 1) = (1, 3): μ is 2, σ is 1. Then γ and β.")
def one_piece_by_hand(answer):
    """The sum (1, 3) becomes (−1, 1), and with γ = (2, 4) and β = (1, 1) it is (−1, 5)."""
    params = {"T": exact([9, 9], [0, 2]), "P": exact([1, 0], [7, 7]), "S": exact([5, 5], [0, 1])}
    params |= {"gamma": exact(2, 4), "beta": exact(1, 1)}
    close(answer(torch.tensor([[1]]), torch.tensor([[1]]), params), exact([-1, 5])[None], "the vector")


@check("embeddings", weight=2, hint="Which row of P does a place need, which of S a piece? Before or behind the norm?")
def they_are_the_librarys_vectors(answer):
    """Texts of any size have the vectors of torch's own norm of the three rows' sum."""
    rng = seeded()
    for B, N, V, D, longest in ((2, 3, 5, 4, 6), (4, 4, 4, 4, 4), (1, 5, 8, 3, 5), (3, 1, 6, 7, 2)):
        ids, segments = symbol_ids(rng, V, B, N), symbol_ids(rng, 2, B, N)
        params = drawn.tables_of(rng, V, D, longest, SINGLE)
        right = drawn.library_embeddings(ids, segments, params)
        close(answer(ids, segments, params), right, f"the vectors for B, N, D of {(B, N, D)}", *SOFT, same_dtype=True)


@check("embeddings", hint="1e-12 is next to nothing even beside small numbers. Which ε, which variance, which type?")
def small_numbers_in_float64(answer):
    """Embeddings of a hundred-thousandth each are normed like all others, and float64 stays float64."""
    rng = seeded()
    ids, segments = symbol_ids(rng, 5, 2, 3), symbol_ids(rng, 2, 2, 3)
    params = drawn.tables_of(rng, 5, 4, 3, DOUBLE, 1e-5)
    right = drawn.library_embeddings(ids, segments, params)
    close(answer(ids, segments, params), right, "the vectors", 1e-6, 1e-8, same_dtype=True)


@check("embeddings", hint="Which of the five has no way to the result, or a wrong one?")
def the_five_are_taught(answer):
    """The gradients by the three tables, γ and β are the library's."""
    rng = seeded()
    params, upstream = drawn.tables_of(rng, 6, 4, 5, DOUBLE), numbers(rng, 2, 3, 4, dtype=DOUBLE)
    given = {"ids": symbol_ids(rng, 6, 2, 3), "segments": symbol_ids(rng, 2, 2, 3), "params": params}
    taught(answer, given, drawn.library_embeddings, upstream)


# --- 8.7 -------------------------------------------------------------------------------------------------------------


@check("bert_size", weight=2, hint="Tables 18, their norm 4; attention 24, feed-forward 7, two norms 8; pooler 6.")
def a_small_bert_by_hand(answer):
    """V = 3, D = 2, F = 1, four places and one block: 22 + 39 + 6 = 67."""
    close(count_of(answer, 3, 2, 1, 1, 4), 67, "the number for V, D, L, F, longest of (3, 2, 1, 1, 4)")


@check("bert_size", weight=2, hint="Take the small one by hand first: what is counted once, and what L times?")
def base_as_it_was_published(answer):
    """V = 30,522, D = 768, twelve blocks, F = 3,072 and 512 places: 109,482,240."""
    close(count_of(answer, 30522, 768, 12, 3072, 512), 109482240, "the number of BASE", 0.0, 0.0)


@check("bert_size", hint="Which tables and layers grow with each setting, and by how many numbers?")
def one_more_of_each(answer):
    """A piece or a place more brings D numbers, one in the middle more 2D + 1 a block; all blocks bring the same."""
    base = count_of(answer, 10, 6, 3, 7, 8)
    for more, brings, what in (((11, 6, 3, 7, 8), 6, "a piece"), ((10, 6, 3, 7, 9), 6, "a place")):
        close(count_of(answer, *more) - base, brings, f"what {what} more brings, for D = 6")
    close(count_of(answer, 10, 6, 3, 8, 8) - base, 39, "what one number more in the middle brings, for D = 6 and L = 3")
    more = [count_of(answer, 10, 6, blocks, 7, 8) for blocks in (4, 5)]
    close(more[1] - more[0], more[0] - base, "what the fifth block brings, beside the fourth")


# --- 8.8 -------------------------------------------------------------------------------------------------------------


@check("align_labels", weight=2, hint="[CLS], three words of 1, 3 and 2 pieces, [SEP]: where does each word begin?")
def three_words_by_hand(answer):
    """Words of one piece, three and two between [CLS] and [SEP]: each label at its word's first piece."""
    got = answer([4, 0, 9], [None, 0, 1, 1, 1, 2, 2, None])
    close(got, [IGNORED, 4, 0, IGNORED, IGNORED, 9, IGNORED, IGNORED], "the targets")


@check("align_labels", weight=2, hint="Two words are two, whatever their labels are: what tells them apart?")
def words_with_one_label_are_two(answer):
    """Neighbours with the same label have a target each."""
    got = answer([3, 3, 3], [None, 0, 0, 1, 2, 2, None, None])
    close(got, [IGNORED, 3, IGNORED, 3, 3, IGNORED, IGNORED, IGNORED], "the targets")


@check("align_labels", hint="The number says which word it is; which words are there is not told by how many labels.")
def words_without_a_piece(answer):
    """Words that were cut away have no target, and the others theirs; without words all is IGNORED."""
    got = answer([1, 2, 3, 4, 5], [None, 1, 1, 3, None])
    close(got, [IGNORED, 2, IGNORED, 4, IGNORED], "the targets of words 1 and 3")
    close(answer([1, 2], [None, None]), [IGNORED, IGNORED], "the targets where no word is left")
    close(answer([6], [0, 0]), [6, IGNORED], "the targets without [CLS]", hint="What is before the first piece?")


# --- 8.9 -------------------------------------------------------------------------------------------------------------


@check("classify", weight=2, hint="tanh ln 2 = 0.6, tanh ln 3 = 0.8. Which place is read, where do b and bc go?")
def two_numbers_by_hand(answer):
    """(ln 2, ln 3) is pooled to (0.6, 0.8), and Wc of (1, 1), (5, 0) with bc of (0, 1) gives 1.4 and 4."""
    params = {"W": torch.eye(2, dtype=DOUBLE), "b": exact(0, LN3 - LN2), "Wc": exact([1, 1], [5, 0]), "bc": exact(0, 1)}
    close(answer(exact([LN2, LN2], [7, 8])[None], params), exact([1.4, 4.0]), "the logits")


@check("classify", weight=2, hint="W times a vector is h @ W.T for rows. Whose h is it?")
def they_are_the_librarys_logits(answer):
    """Texts of any size have the logits of torch's own layers, in the type that came."""
    rng = seeded()
    for B, N, D, C, dtype in ((2, 3, 4, 5, SINGLE), (3, 3, 3, 3, DOUBLE), (1, 4, 2, 2, SINGLE), (4, 1, 5, 1, DOUBLE)):
        hidden, params = numbers(rng, B, N, D, dtype=dtype), drawn.head_of(rng, D, C, dtype)
        right = drawn.library_head(hidden, params)
        close(answer(hidden, params), right, f"the logits for B, N, D, C of {(B, N, D, C)}", *SOFT, same_dtype=True)


@check("classify", hint="Which numbers do the logits depend on, and does a gradient find all of these?")
def the_first_place_decides(answer):
    """Other states behind the first place change nothing; the gradients by all that is given are the library's."""
    rng = seeded()
    hidden, params = numbers(rng, 2, 4, 3, dtype=DOUBLE), drawn.head_of(rng, 3, 2)
    got = floats(answer(hidden, params), (2, 2), "the logits")
    other = torch.cat([hidden[:, :1], 50 - hidden[:, 1:]], 1)
    close(answer(other, params), got, "the logits with other states behind the first")
    taught(answer, {"hidden": hidden, "params": params}, drawn.library_head, numbers(rng, 2, 2, dtype=DOUBLE))


# --- 8.10 ------------------------------------------------------------------------------------------------------------

SIZES = {"V": 20, "C": 3}


@check("faults", weight=2, hint="What may a sound one do? Whatever comes of real pieces, their places and segments.")
def sound_fine_tunings_have_none(answer):
    """Nets that use segments and places, however they do, and leave pads out; labels at first pieces."""
    tunings.finds_each(answer, SIZES, "piece", tunings.WITH_SEGMENTS | tunings.LARGE_IDS)
    tunings.finds_each(answer, SIZES, "say", tunings.SAID)
    tunings.finds_each(answer, SIZES, "read", tunings.IN_ORDER)
    tunings.finds(answer, SIZES, {"piece": "pieces alone"})


@check("faults", weight=2, hint="Change the segments alone. In how many rows may nothing move, though they matter?")
def ignored_segments_are_found(answer):
    """Nets to which segments are nothing, whatever else they do with pieces."""
    tunings.finds_each(answer, SIZES, "piece", tunings.WITHOUT_SEGMENTS)


@check("faults", weight=2, hint="Change what stands at pads alone; then the order of the real pieces alone.")
def pads_and_bags_are_found(answer):
    """Pads that are seen, all or some, much or little, and nets to which a text is a bag of pieces."""
    tunings.finds_each(answer, SIZES, "seen", tunings.ALL_PADS)
    tunings.finds_each(answer, SIZES, "read", tunings.AS_A_BAG | tunings.FIRST_ALONE)


@check("faults", weight=2, hint="Which words must you ask with, and where should each of their labels stand?")
def misplaced_labels_are_found(answer):
    """Labels on all pieces, one place before or behind, and both at once."""
    tunings.finds_each(answer, SIZES, "label", tunings.LABELLERS)


@check("faults", weight=2, hint="Each by itself: can one fault hide another, or look like it?")
def several_faults_at_once(answer):
    """Fine-tunings with two faults and more have all of them named, in order."""
    for piece, seen, read, label in (
        ("pieces alone", "all of it", "", ""),
        ("segments times nothing", "", "a mean", "all pieces"),
        ("", "pads by a twentieth", "attention without places", "first pieces, one place before"),
        ("the second for all", "pads with even ids", "the largest of each kind", "all pieces, one place behind"),
        ("", "what is real in the first row", "", "all pieces, one place before"),
    ):
        tunings.finds(answer, SIZES, {"piece": piece, "seen": seen, "read": read, "label": label})
