"""The hidden checks of unit 8: pieces of words, packed and masked texts, pairs, embeddings, a head, a diagnosis.

The properties of `unrolled.checks.bert` on other inputs, drawn anew from each seed and compared with torch's own
functions or with the source's solution (`agrees`), and the cases that students forget. What is drawn by an answer is
counted, as `drawn.near` says. Their sentences are shown with the marks,
their values are not: no sentence and no `what` here holds a number of the inputs.
"""

import itertools

import torch
import unrolled.checks.bert  # noqa: F401  (what a hidden check needs must be declared before it)
from unrolled.checking import check, close, holds, seeded
from unrolled.checking.kinds import floats, pair, refuse
from unrolled.checks.helpers import drawn, tunings
from unrolled.checks.helpers.blocks import more_names
from unrolled.checks.helpers.heads import turned
from unrolled.checks.helpers.recurrent import FLOAT32, close_in_type, numbers, symbol_ids
from unrolled.checks.helpers.said import count_of
from unrolled.checks.helpers.teaching import taught
from unrolled.experiments.bert.parts import CLS, SEP
from unrolled.language_model import IGNORED

from autograder.judging.agreeing import agrees

DOUBLE, SINGLE = torch.float64, torch.float32
PRECISION = {SINGLE: FLOAT32, DOUBLE: (1e-8, 1e-10)}  # rtol and atol that a right answer keeps


# --- more of 8.1 and 8.2 ---------------------------------------------------------------------------------------------


@agrees("wordpiece", weight=1, hint="At each place the longest piece that fits: go through a word on paper.")
def short_words_come_in_pieces(rng):
    """Words of a few letters come in the longest pieces that fit, or as unknown."""
    for letters in ("ab", "abc"):
        pieces = {"##" * rng.randint(0, 1) + drawn.word_of(rng, letters, 3) for _ in range(14)} | {"a", "##b"}
        yield from ((drawn.word_of(rng, letters, 8), pieces) for _ in range(12))


@agrees(
    "wordpiece",
    weight=3.75,
    hint="Try one letter, a whole word, no list at all, a word of hundreds of letters.",
    what="the pieces",
)
def other_words_and_lists(rng):
    """Other words and lists, short and long ones, lists without a piece among them."""
    yield "word", set()
    for letters, most, size in (("ab", 8, 12), ("abc", 6, 40), ("xyzw", 5, 9)):
        pieces = {("##" * rng.randint(0, 1)) + drawn.word_of(rng, letters, 3) for _ in range(size)}
        pieces |= {"##" + letter for letter in letters[1:]} | {letters[0]}
        for _ in range(12):
            yield drawn.word_of(rng, letters, most), pieces
        yield letters[0] + "".join(rng.choices(letters[1:], k=300)), pieces


@check("wordpiece", weight=2.5, hint="Where it begins, and where it does not: two ways of writing, two pieces.")
def inside_and_outside_are_two(answer):
    """A piece for the beginning does not stand inside a word, nor one for the inside at its beginning."""
    rng = seeded()
    one, other = drawn.word_of(rng, "abc", 4), drawn.word_of(rng, "def", 4)
    close(answer(one + other, {one, "##" + other}), [one, "##" + other], "the pieces of both kinds")
    for pieces in ({one, other}, {"##" + one, "##" + other}, {"##" + one, other}):
        close(answer(one + other, pieces), ["[UNK]"], "what a word is that only pieces of the wrong kind make up")


@check(
    "wordpiece",
    weight=1.75,
    hint="The longest that fits is taken, and stays; where nothing fits, how much is unknown?",
)
def what_was_taken_is_not_given_back(answer):
    """Where the longest piece leaves a rest that nothing fits, the word is unknown, whatever shorter ones would do."""
    rng = seeded()
    a, b, c = (drawn.word_of(rng, letters, 3) for letters in ("ab", "cd", "ef"))
    pieces = {a, a + b, "##" + b + c, "##" + b}
    close(answer(a + b + c, pieces), ["[UNK]"], "the pieces of a word whose rest does not fit")
    other = "With another list the same word is cut otherwise: is anything remembered?"
    close(answer(a + b + c, pieces - {a + b}), [a, "##" + b + c], "the pieces without the longest", hint=other)
    close(answer(a + b + b, pieces), [a + b, "##" + b], "the pieces of a word that does fit")


@check("wordpiece", weight=1.25, hint="A letter is what Python says it is, as it stands: nothing is changed about it.")
def letters_of_any_kind(answer):
    """Capitals, accents, figures, signs and letters of other scripts are letters like all others."""
    rng = seeded()
    for word in ("Ärger", "北京大学", "ŒUVRE", "naïve", "x2y3", "🐋🐋", "don't"):
        head, rest = word[:1], ["##" + letter for letter in word[1:]]
        close(answer(word, {head, *rest}), [head, *rest], "the pieces of a word of other letters")
        close(answer(word, {word, word.lower(), word.swapcase(), head, *rest}), [word], "the piece of a whole word")
        close(answer("A" + word, {"a", "##" + word}), ["[UNK]"], "what begins with a capital that is not on the list")
    pieces = {".", "##.", "a.c", "##?", "##*b", "##[x]", "##x"}
    for word, right in (("a.c?", ["a.c", "##?"]), ("abc", ["[UNK]"]), (".x*b[x]", [".", "##x", "##*b", "##[x]"])):
        close(answer(word, pieces), right, "the pieces of a word with signs", hint="A sign is a letter like others.")
    long = drawn.word_of(rng, "ab", 1) * 41
    close(answer(long, {long, long[0], "##" + long[0]}), [long], "the piece of a long word that is on the list")


@agrees(
    "best_merge", weight=0.75, hint="Count pieces and pairs on paper: which pair has the best score?", what="the pair"
)
def a_few_words_have_their_pair(rng):
    """Of a few words in letters the pair comes that has the best score, where a word repeats a piece, too."""
    for _ in range(6):
        words = rng.sample(["salt", "sail", "last", "list", "tail", "ails"], 4)
        yield ({(word[0], *("##" + letter for letter in word[1:])): rng.randint(1, 9) for word in words},)
    (a, b, c), n = rng.sample("abcdefgh", 3), rng.randint(1, 9)  # 2n/(3n · 3n), 1/(6n), and 1/(33n) for the beginning
    yield ({(a, *["##" + a] * 3): n, (a,): 10 * n, (b, "##" + c): 6 * n},)
    yield ({(a, *["##" + a] * 2): 2 * n, (b, "##" + c): 3 * n},)  # 2n/(2n · 4n) and 1/(3n)


@agrees(
    "best_merge",
    weight=3.75,
    hint="Count again: how often a pair stands, how often each of both, anywhere, in all words?",
    what="the pair",
)
def other_words_and_counts(rng):
    """Other words and counts, one word alone and many."""
    yield ({("a", "##b"): 1},)
    yield ({("a", "##a", "##a", "##a"): 2, ("b", "##a"): 3},)
    for most in (9, 9, 9, 9000):
        for letters in ("abc", "abcdefg", "ab"):
            for words in (2, 3, rng.randint(1, 12), rng.randint(1, 12)):
                yield (drawn.splits_of(rng, letters, words, most),)


@check(
    "best_merge",
    weight=1.5,
    hint="Of equal scores: compare the first pieces as Python compares strings, then the second.",
)
def equal_scores_go_by_spelling(answer):
    """Of pairs with equal scores it is the first by spelling, in whichever order the words come."""
    rng = seeded()
    letters = rng.sample("abcdefghij", 6)
    splits = {(letter, "##" + other): 2 for letter, other in zip(letters[:3], letters[3:], strict=True)}
    best = min(splits)
    for _ in range(4):
        words = rng.sample(list(splits), 3)
        close(answer({word: splits[word] for word in words}), best, "the pair of equal scores")
    close(answer({("b", "##z"): 1, ("b", "##c"): 1}), ("b", "##c"), "the pair of two with one beginning")
    close(answer({("z", "##a"): 1, ("ab", "##a"): 1, ("a", "##b"): 1}), ("a", "##b"), "the pair with the best score")
    close(answer({("z", "##c"): 1, ("Z", "##d"): 1, ("zz", "##b"): 1}), ("Z", "##d"), "the pair, a capital among them")
    close(answer({("b", "##c"): 1, ("y", "##z", "##x"): 1}), ("##z", "##x"), "the pair of which # decides")
    for n, m in itertools.permutations(
        range(1, 14), 2
    ):  # n/((n + m) n) and m/((n + m) m), whatever a float makes of it
        close(answer({("b", "##a"): n, ("b", "##c"): m}), ("b", "##a"), "the pair of equal fractions", hint=EXACT)
    for a, b in (((388, 161, 163), (399, 142, 176)), ((377, 196, 176), (379, 196, 175))):  # 8e-9 of it more for b
        splits = {
            (x, y): n for x, y, n in (("a", "##d", a[0]), ("b", "##c", b[0]), ("z", "##d", a[2]), ("z", "##c", b[2]))
        }
        splits |= {("a",): a[1], ("b",): b[1], ("z",): 9000}
        close(answer(splits), ("b", "##c"), "the pair whose score is larger by next to nothing", hint=EXACT)
    close(answer({("a", "##z"): 1, ("a!", "##b"): 1}), ("a", "##z"), "the pair whose first piece has no sign")
    # "ab" before "abc", though what comes of it reads "abz", and of the other "abcd"
    close(answer({("abc", "##d"): 1, ("ab", "##z"): 1}), ("ab", "##z"), "the pair whose first piece is shorter")


EXACT = "Equal fractions are equal, and others are not: what does a float make of them?"


@check("best_merge", weight=1.5, hint="What of all that is counted does this word add to, though it has no pair?")
def words_without_a_pair_count_too(answer):
    """Words of one piece make a piece frequent, and its pairs worse; without a pair there is none."""
    splits = {("a", "##b"): 6, ("c", "##d"): 4}
    close(answer(splits), ("c", "##d"), "the pair")  # 6/36 and 4/16
    close(answer(splits | {("c",): 20}), ("a", "##b"), "the pair when one piece is a word, too")  # 4/(24 · 4)
    for none in ({}, {("a",): 3}, {("a",): 1, ("##b",): 2, ("abc",): 9}):
        close(answer(none), None, "what is merged where no piece has a neighbour")


# --- more of 8.3 -----------------------------------------------------------------------------------------------------


@agrees("pack_pair", weight=1, hint="Write the row with its marks, then cut.", read=lambda got: pair(got, "the result"))
def two_texts_are_packed(rng):
    """Two texts are packed where there is room, and where the longer one has to lose its end."""
    for more in (0, rng.randint(1, 9), -1, -3):
        shorter = rng.randint(2, 6)
        texts = [[rng.randint(5, 99) for _ in range(n)] for n in rng.sample((shorter, shorter + rng.randint(3, 6)), 2)]
        yield *texts, 3 + sum(map(len, texts)) + more


@agrees(
    "pack_pair",
    weight=5.5,
    hint="Try None, empty lists, no room at all, room for one, equal lists, far from equal ones.",
    what="the ids and segments",
    read=lambda result: tuple(pair(result, "the result")),
)
def other_lists_and_lengths(rng):
    """Other lists, empty ones and none, in much room and in none."""
    for _ in range(60):
        first, second = ([rng.randint(0, 30) for _ in range(rng.choice([0, 1, 2, 5, 9, 30]))] for _ in range(2))
        second = rng.choice([second, second, None])
        longest = rng.randint(2 + (second is not None), 5 + len(first) + len(second or ()))
        yield first, second, longest
    yield [9], [], 3
    yield [], [], 3
    yield [], None, 2
    yield [7] * 400, [8] * 300, 128


@agrees(
    "pack_pair",
    weight=1,
    hint="Is there a second text, though an empty one?",
    read=lambda got: pair(got, "the result"),
)
def an_empty_text_is_one(rng):
    """A second text that is empty has its mark, and where there is none, there is no mark for it."""
    text = [rng.randint(5, 99) for _ in range(rng.randint(2, 9))]
    yield from ((text, second, len(text) + 3) for second in ([], None))


@check("pack_pair", weight=3, hint="Who is longer loses one, again and again: how long are both in the end?")
def each_keeps_its_beginning(answer):
    """Of both texts the beginning stays, the room is full, and a text far below its half of it loses nothing."""
    rng = seeded()
    first, second = ([rng.randint(5, 99) for _ in range(n)] for n in rng.sample(range(20, 40), 2))
    for a, b in ((first, second), (second, first), (first, second[:3]), (first[:4], second)):
        ids, segments = drawn.packed(answer, a, b, 23)  # room for twenty
        left, right = (min(len(one), max(10, 20 - len(other))) for one, other in ((a, b), (b, a)))
        close(ids, [CLS, *a[:left], SEP, *b[:right], SEP], "the ids")
        close(segments, [0] * (left + 2) + [1] * (right + 1), "the segments")


# --- more of 8.4 -----------------------------------------------------------------------------------------------------


@check("mask_tokens", weight=3, hint="15 % of what? And of the chosen: 80 %, 10 % and 10 %, of the same number each?")
def shares_of_other_texts(answer):
    """Whether half of a text is special or hardly any: of the rest 15 % are chosen, and of these 80, 10 and 10 %."""
    rng = seeded()
    for share in (0.5, 0.02):
        specials = rng.sample(range(3000), 6)
        ids, may = drawn.texts_of(rng, 150, 400, 3000, specials, share)
        mask, seed = specials[2], rng.randrange(10**6)
        new, _, chosen = drawn.masked(answer, ids, specials, mask, 3000, seed)
        count, hidden, kept = (int(one.sum()) for one in (chosen, chosen & (new == mask), chosen & (new == ids)))
        holds(drawn.near(count, int(may.sum()), 0.15), "of what may be chosen another share than 15 % is")
        holds(drawn.near(hidden, count, 0.8), "of the chosen another share than 80 % is masked")
        holds(drawn.near(kept, count, 0.1), "of the chosen another share than 10 % is kept")


@check("mask_tokens", weight=2, hint="One draw a place: is a row, a column or the whole call drawn at once?")
def each_place_by_itself(answer):
    """Places know nothing of their neighbours, nor what becomes of them; a row may have none that is chosen."""
    rng = seeded()
    ids, _ = drawn.texts_of(rng, 4000, 8, 500, [7, 499], 0.0)
    _, _, chosen = drawn.masked(answer, ids, [7, 499], 7, 500, rng.randrange(10**6))
    none = int((~chosen).all(1).sum())
    holds(drawn.near(none, 4000, 0.85**8), "there are too few or too many rows of which nothing is chosen")
    across, down = chosen[:, ::2] & chosen[:, 1::2], chosen[::2] & chosen[1::2]
    for two, what in ((across, "in a row"), (down, "in a column")):
        well = drawn.near(int(two.sum()), two.numel(), 0.15**2)
        holds(well, f"neighbours {what} are chosen together too often or too seldom")
    for place in (0, 7):
        well = drawn.near(int(chosen[:, place].sum()), 4000, 0.15)
        holds(well, "at the first or the last place another share is chosen")
    ids, seed = drawn.texts_of(rng, 200, 400, 500, [7, 499], 0.0)[0], rng.randrange(10**6)
    one, two = (drawn.masked(answer, ids, [7, 499], 7, 500, seed + more) for more in (0, 1))
    hidden = (one[0] == 7)[one[2]]
    share = hidden.double().mean().item()
    alike = hidden[: len(hidden) // 2 * 2].view(-1, 2).all(1)
    well = drawn.near(int(alike.sum()), len(alike), share**2)
    holds(well, "what becomes of a chosen place depends on the one before")
    both = one[2] & two[2]
    same = int(((one[0] == 7) & (two[0] == 7))[both].sum())
    holds(drawn.near(same, int(both.sum()), share**2), "what becomes of a place does not come from the seed", SEEDS)
    exchanged = both & (one[0] != ids) & (two[0] != ids) & (one[0] != 7) & (two[0] != 7)
    same = int((one[0] == two[0])[exchanged].sum())
    holds(same < 4, "what is put in at random does not come from the seed", SEEDS)


SEEDS = "Which of the draws come from the seed, and which are the same for all seeds?"


@check("mask_tokens", weight=2, hint="Which ids may be put in at random, which may not, and is one of them missing?")
def random_ids_come_from_the_whole_list(answer):
    """Each id that is no special one is put in as often as any other, the first and the last among them."""
    rng = seeded()
    for specials in ([3, 6, 8], [11, 0], [0, 1, 2, 3, 4], [11, 10, 4], [*range(3, 12)], [*range(10)], [*range(1, 12)]):
        drawn.drawn_evenly(answer, specials, 12, rng.randrange(10**6), shown=False)
    ids = torch.full((150, 400), 5)
    new, _, chosen = drawn.masked(answer, ids, [3, 6, 8], 6, 12, rng.randrange(10**6))
    others = new[chosen & (new != ids) & (new != 6)]
    two = others[: len(others) // 2 * 2].view(-1, 2)
    well = drawn.near(int((two[:, 0] == two[:, 1]).sum()), len(two), 1 / 8)
    holds(well, "ids that are put in one behind the other are alike too often or too seldom", hint="One draw a place.")


@check("mask_tokens", hint="Try texts of one id, of special ids alone, two seeds, ids that lie otherwise in memory.")
def seeds_and_small_texts(answer):
    """A text of one id is chosen in 15 of 100 seeds; one seed gives one result, others give others."""
    rng = seeded()
    start = rng.randrange(10**6)
    results = [drawn.masked(answer, torch.tensor([[9]]), [4, 2], 2, 20, start + n) for n in range(320)]
    count = sum(int(chosen.sum()) for _, _, chosen in results)
    holds(drawn.near(count, 320, 0.15), "a text of one id is chosen too often or too seldom")
    for ids in (torch.tensor([[4]]), torch.tensor([[4, 2, 2]]), torch.tensor([[2], [4]])):
        new, targets, _ = drawn.masked(answer, ids, [4, 2], 2, 20, start)
        close((new, targets), (ids, torch.full_like(ids, IGNORED)), "what becomes of special ids alone")
    ids, _ = drawn.texts_of(rng, 20, 60, 90, [5, 80], 0.2)
    one, again = (drawn.masked(answer, ids, [5, 80], 80, 90, start) for _ in range(2))
    drawn.masked(answer, turned(ids), [5, 80], 80, 90, start)  # the same seed may go through them in another order
    close(again[:2], one[:2], "what a seed gives the second time")
    for more in (1, 2**8, 2**16):
        other = drawn.masked(answer, ids, [5, 80], 80, 90, start + more)
        holds(not torch.equal(other[2], one[2]), "other seeds choose the same places", hint="Is all of the seed used?")


# --- more of 8.5 -----------------------------------------------------------------------------------------------------


@check("next_sentence_pairs", weight=3, hint="One coin for each pair: is there one for a document, or a pattern?")
def half_of_them_each_by_itself(answer):
    """Half of the pairs go on, half do not, whatever the pair before it did, in long documents and many short ones."""
    rng = seeded()
    sizes = [rng.randint(1, 60) for _ in range(80)], [2] * 500, [1500, 1]
    for documents in (*(drawn.documents_of(rng, some) for some in sizes), [["t", "t"], ["s"] * 1000]):
        got = drawn.drawn_pairs(answer, documents, rng.randrange(10**6))
        kinds = [one[2] for one in got]
        holds(drawn.near(sum(kinds), len(kinds), 0.5), "too few or too many pairs come from two documents")
        alike = [a == b for a, b in zip(kinds[::2], kinds[1::2], strict=False)]
        holds(
            drawn.near(sum(alike), len(alike), 0.5),
            "pairs one behind the other are of one kind too often or too seldom",
        )


@check("next_sentence_pairs", weight=2, hint="Which may be drawn? All sentences of all other documents.")
def all_of_the_others_may_be_drawn(answer):
    """Each sentence of each other document is drawn sooner or later, of documents of one sentence as well."""
    rng = seeded()
    drawn.all_come(answer, drawn.documents_of(rng, rng.sample([1, 2, 3], 3)), 400, shown=False)
    drawn.all_come(answer, [["u", "v"], ["w"], ["u", "v"]], 300, shown=False)


@check("next_sentence_pairs", hint="Is it drawn once for each pair, or once for many? Look at what comes twice.")
def strangers_are_drawn_anew(answer):
    """What comes from another document is drawn for each pair by itself: two of them are seldom the same sentence."""
    rng = seeded()
    got = drawn.drawn_pairs(answer, drawn.documents_of(rng, [200] * 5), rng.randrange(10**6))
    came = [second for _, second, elsewhere in got if elsewhere]
    alike = [one == other for one, other in zip(came[::2], came[1::2], strict=False)]
    holds(sum(alike) <= 12, "two pairs one behind the other often have the same sentence of another document")
    drawn.each_anew(answer, rng.randrange(10**6), shown=False)


@check("next_sentence_pairs", weight=2, hint="Is another document, or a next sentence, found by its place?")
def what_reads_the_same_is_not_the_same(answer):
    """Documents that read alike are two, and a sentence that comes again in its document has its own next one."""
    for documents in ([["x", "y"], ["x", "y"]], [["x", "x", "y", "x", "z"], ["w"]], [["a"], ["a", "a", "b"], ["a"]]):
        for seed in range(12):
            drawn.drawn_pairs(answer, list(documents), seed)
    close(answer([["x"], ["y"], ["z"]], 0), [], "the pairs of documents of one sentence")


@check("next_sentence_pairs", hint="Is the seed used, once, and does anything else decide?")
def a_seed_decides_the_pairs(answer):
    """The same seed gives the same pairs, and another one others."""
    rng = seeded()
    documents, seed = drawn.documents_of(rng, [30, 40, 20]), rng.randrange(10**6)
    one, again = (drawn.drawn_pairs(answer, documents, seed) for _ in range(2))
    close(again, one, "the pairs of one seed, asked for twice")
    for more in (1, 2**8, 2**16):
        other = drawn.drawn_pairs(answer, documents, seed + more)
        holds([three[2] for three in one] != [three[2] for three in other], "two seeds draw the same kinds")


# --- more of 8.6 and 8.7 ---------------------------------------------------------------------------------------------


@check("embeddings", weight=3, hint="Try one text, one piece, as many texts as pieces, all places of P, float64.")
def other_texts_and_tables(answer):
    """Other sizes, in either format, which the vectors keep, with more names in the dictionary."""
    rng = seeded()
    for B, N, V, D, longest, dtype in (
        *((1, 1, 2, 3, 1, DOUBLE), (4, 4, 4, 4, 4, SINGLE), (3, 5, 9, 4, 8, DOUBLE)),
        *((5, 3, 7, 6, 3, SINGLE), (2, 7, 3, 5, 40, DOUBLE)),
    ):
        params = drawn.tables_of(rng, V, D, longest, dtype)
        ids, segments = (symbol_ids(rng, most, B, N) for most in (V, 2))
        expected = drawn.library_embeddings(ids, segments, params)
        got = answer(turned(ids), turned(segments), more_names(params))
        close_in_type(got, expected, "the vectors", PRECISION)


@check(
    "embeddings",
    weight=2,
    hint="Which ε is asked for? Beside tiny numbers it is seen.",
)
def tiny_numbers_are_normed_too(answer):
    """Embeddings of a millionth and of thousands have the library's vectors, with its ε."""
    rng = seeded()
    for spread in (1e-6, 1e-3, 1e4):
        ids, segments = symbol_ids(rng, 6, 2, 4), symbol_ids(rng, 2, 2, 4)
        params = drawn.tables_of(rng, 6, 5, 4, DOUBLE, spread)
        close(answer(ids, segments, params), drawn.library_embeddings(ids, segments, params), "the vectors", 1e-6, 1e-8)


@check("embeddings", hint="Which row of which table does a number of the result depend on, and on which not?")
def all_of_the_tables_are_taught(answer):
    """The gradients by all five parameters are the library's, of rows that come twice or never as well."""
    rng = seeded()
    params, ids = drawn.tables_of(rng, 7, 4, 6, DOUBLE), torch.tensor([[2, 2, 5, 0], [5, 2, 6, 6]])
    segments, upstream = torch.tensor([[0, 0, 1, 1], [1, 1, 1, 1]]), numbers(rng, 2, 4, 4, dtype=DOUBLE)
    taught(answer, {"ids": ids, "segments": segments, "params": params}, drawn.library_embeddings, upstream)


@agrees("bert_size", weight=1.25, hint="Table by table and layer by layer, with biases and norms.", rtol=0.0)
def small_berts_are_counted(rng):
    """Models of a few numbers have as many as their tables and layers hold."""
    return rng.randint(20, 99), 2 * rng.randint(2, 9), rng.randint(2, 4), rng.randint(20, 40), rng.randint(8, 19)


@agrees(
    "bert_size",
    weight=3.75,
    hint="Try settings of 1, all alike, and so large ones that a float is not exact.",
    what="the number",
    rtol=0.0,
    atol=0.0,
)
def models_of_other_sizes(rng):
    """Other settings, the smallest and large ones."""
    yield 1, 1, 1, 1, 1
    yield 7, 7, 7, 7, 7
    yield 30522, 1024, 24, 4096, 512
    yield 10**9 + 8, 5 * 10**8 + 19, 97, 10**9 + 9, 10**6 + 4  # more than int64 holds
    for _ in range(5):
        yield tuple(rng.randint(1, 500) for _ in range(5))


@check("bert_size", weight=2.5, hint="One more of each: which tables and which layers grow, and by how many numbers?")
def one_more_of_each_setting(answer):
    """A piece, a block, a number in the middle and a place more bring what they bring, whatever the rest is."""
    rng = seeded()
    V, D, L, inner, longest = (rng.randint(2, 90) for _ in range(5))
    steps = (1, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)
    brings = D, 4 * D * D + 9 * D + 2 * D * inner + inner, L * (2 * D + 1), D
    before = count_of(answer, V, D, L, inner, longest)
    for step, more in zip(steps, brings, strict=True):
        settings = (one + two for one, two in zip((V, D, L, inner, longest), step, strict=True))
        close(count_of(answer, *settings) - before, more, "what one more of one setting brings", 0.0, 0.0)


# --- more of 8.8 and 8.9 ---------------------------------------------------------------------------------------------


@agrees("align_labels", weight=1, hint="Go along the pieces on paper: at which does a word begin?", what="the targets")
def words_in_full_have_their_targets(rng):
    """Of words that are there in full each first piece has the word's label, and no other piece has one."""
    return drawn.sentence_of(rng, rng.randint(3, 8), 3)


@agrees(
    "align_labels",
    weight=4,
    hint="Try one piece a word, many, words that were cut away, pads behind, labels that are alike.",
    what="the targets",
)
def other_words_and_pieces(rng):
    """Other sentences, words of one piece and of many, words that were cut away, in front and in the middle, too."""
    for words in (1, 2, 5, 12):
        for most, cut in ((1, 0.0), (3, 0.0), (4, 0.4)):
            yield drawn.sentence_of(rng, words, most, cut)
    yield [3, 1], [None, None]
    yield [5, 5, 5], [None, 1, 1, 2, None]
    yield [2, 0, 2], [None, 2, 2, 2, None, None]
    yield [4, 1], [0, 0, 1]
    yield [5], [0, 0]
    yield [5, 2], [1]
    yield [], []


@check("align_labels", weight=2.5, hint="A target for each word that has a piece: at which, and what is elsewhere?")
def one_target_a_word(answer):
    """As many targets as words have pieces, in their order, and IGNORED at every other piece."""
    rng = seeded()
    for _ in range(8):
        labels, word_of = drawn.sentence_of(rng, 9, 4, 0.2)
        got = answer(labels, word_of)
        if not isinstance(got, list) or not all(type(one) is int for one in got):
            refuse("the targets", "a list of ints", got)
        holds(len(got) == len(word_of), "there is not one target for each piece")
        first = {word_of.index(word): word for word in word_of if word is not None}
        close([one for one in got if one != IGNORED], [labels[word] for word in first.values()], "what is asked for")
        wrong = [place for place, one in enumerate(got) if (one != IGNORED) != (place in first)]
        holds(not wrong, "a target stands elsewhere than at a word's first piece")


@check("classify", weight=2, hint="Try one text, one piece, C = 1 and C = D, sizes all equal, float64.")
def other_texts_and_classes(answer):
    """Other sizes, in either format, which the logits keep, with more names in the dictionary."""
    rng = seeded()
    for B, N, D, C, form in (
        *((1, 1, 1, 1, DOUBLE), (3, 3, 3, 3, SINGLE), (2, 5, 4, 4, DOUBLE)),
        *((6, 2, 5, 1, SINGLE), (1, 7, 3, 8, DOUBLE), (4, 1, 4, 2, DOUBLE)),
    ):
        hidden, params = numbers(rng, B, N, D, spread=2.0, dtype=form), drawn.head_of(rng, D, C, form)
        expected = drawn.library_head(hidden, params)
        close_in_type(answer(turned(hidden), more_names(params)), expected, "the logits", PRECISION)


@check("classify", hint="Which numbers of the hidden states does a logit depend on, and is a way back cut?")
def the_first_place_alone_is_taught(answer):
    """The gradients are the library's: zeros at every place but the first, and none of a parameter's is cut."""
    rng = seeded()
    given = {"hidden": numbers(rng, 3, 4, 5, dtype=DOUBLE), "params": drawn.head_of(rng, 5, 2)}
    taught(answer, given, drawn.library_head, numbers(rng, 3, 2, dtype=DOUBLE))


@check("classify", hint="Does each text have logits of its own, and how large may a pooled number be?")
def large_states_and_single_texts(answer):
    """Hidden states of thousands have the limits of tanh, and a text alone the logits that it has in company."""
    rng = seeded()
    hidden, params = numbers(rng, 3, 2, 4, dtype=DOUBLE), drawn.head_of(rng, 4, 3)
    loud = floats(answer(1e5 * hidden, params), (3, 3), "the logits")
    right = (hidden[:, 0] @ params["W"].T + 1e-5 * params["b"]).sign() @ params["Wc"].T + params["bc"]
    close(loud, right, "the logits of large hidden states", 1e-6, 1e-8)
    close(answer(1e5 * hidden[1:2], params), loud[1:2], "the logits of a text alone", 1e-6, 1e-8)


# --- more of 8.10 ----------------------------------------------------------------------------------------------------


@check("faults", weight=2, hint="Try other sizes; each fault may come with any other.")
def fine_tunings_drawn_anew(answer):
    """Fine-tunings of other sizes, made of parts drawn anew, sound ones and such with several faults."""
    rng = seeded()
    for _ in range(12):
        piece = rng.choice(rng.choice([list(tunings.WITH_SEGMENTS), list(tunings.WITHOUT_SEGMENTS)]))
        read = rng.choice(rng.choice([list(tunings.IN_ORDER), list(tunings.AS_A_BAG)]))
        pads = tunings.ALL_PADS if read in tunings.IN_ORDER else tunings.WITH_PADS
        seen = rng.choice([*tunings.REAL_ALONE, rng.choice(list(pads))])
        parts = {"piece": piece, "seen": seen, "read": read, "label": rng.choice(list(tunings.LABELLERS))}
        tunings.finds(answer, {"V": rng.randint(8, 60), "C": rng.randint(2, 9)}, parts, shown=False)


@check("faults", weight=2, hint="Which of your questions would a sound one answer with something that moves?")
def other_sound_fine_tunings(answer):
    """Sound fine-tunings of all kinds and other sizes are not accused."""
    rng = seeded()
    for piece in tunings.WITH_SEGMENTS:
        sizes = {"V": rng.randint(8, 60), "C": rng.randint(2, 9)}
        tunings.finds(answer, sizes, {"piece": piece, "read": rng.choice(list(tunings.IN_ORDER))}, shown=False)
    for read in tunings.IN_ORDER:
        tunings.finds(answer, {"V": 8, "C": 2}, {"read": read}, shown=False)
    for say in tunings.SAID:
        tunings.finds(answer, {"V": 9, "C": rng.randint(2, 6)}, {"say": say}, shown=False)
    tunings.finds(answer, {"V": 30, "C": 2}, {"piece": "segments of ids above eleven"}, shown=False)
    tunings.finds(answer, {"V": 9, "C": 2}, {"piece": "pieces alone"}, shown=False)


@check("faults", hint="Is a label looked for where it belongs, and at pieces behind the first, on either side?")
def labellers_of_every_kind(answer):
    """All that may be wrong with labels, beside a model that is sound and one that has nothing right."""
    for label in tunings.LABELLERS:
        tunings.finds(answer, {"V": 12, "C": 4}, {"label": label}, shown=False)
        parts = {"piece": "pieces alone", "seen": "all of it", "read": "a mean", "label": label}
        tunings.finds(answer, {"V": 12, "C": 4}, parts, shown=False)
