"""WordPiece: words, pieces and lists of pieces, against `tokenizers`, a slow twin and cases on paper."""

import random
import string
import unicodedata
from collections import Counter
from functools import cache

import pytest
from unrolled import data
from unrolled.data.made_text import structured_text
from unrolled.wordpiece import LONGEST, SPECIALS, PiecesError, WordPiece, is_punctuation, words
from unrolled.wordpiece_training import SCORES, Merging, train

LIST = [*SPECIALS, "un", "##roll", "##ed", "unroll", "u", "##n", "r", "##r", "##rolled", "the", "!", "a", "##a", "中"]
HOSTILE = [
    "",
    "   \t\r\n ",
    "\x00a\x00b\ufffdc\u200bd\u00ade",  # nothing, a replacement, no width, a soft hyphen
    "naïve café Ångström é e\u0301 \u0301",
    "İstanbul ΟΔΥΣΣΕΥΣ ΣΑΣ ẞ ß ǅ ﬁ Ǆ",
    "中文字 mixed 中a文b 日本語 カタカナ 한국어 \u3000x",
    "don't stop—now… “quoted” ‘single’ $5 a+b=c <tag> ~^`|",
    "\u037e \u1fef \u2126 \u212b",  # a Greek question mark is ; once it is taken apart, and two signs are letters
    "a\u2028b\u2029c\u0085d\u00a0e\u2003f\u1680g",
    "[CLS] a [MASK] b [SEP][PAD][UNK]",
    "[MASK]ing un[MASK] [mask] [ MASK ] [[MASK]] [CLS",
    "##ed un##roll # ## ###",
    "a" * LONGEST + " " + "a" * (LONGEST + 1),
    "😀👍🏽 👩‍👩‍👧 🇬🇧",
    "नमस्ते שלום مرحبا ไทย",
    "1,234.56 2⁵ ½ Ⅷ ①",
    "x" * 5000,
    "\u0e01" * 120,
]


def plain_split(word, pieces):
    """What the definition says, letter by letter."""
    found, at = [], 0
    while at < len(word):
        fitting = [n for n in range(1, len(word) - at + 1) if ("##" if at else "") + word[at : at + n] in pieces]
        if not fitting or len(word) > 100:
            return ["[UNK]"]
        found.append(("##" if at else "") + word[at : at + max(fitting)])
        at += max(fitting)
    return found


def shakespeare():
    return data.load("tiny_shakespeare")[:200_000]


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, lower, accents, wanted",
    [
        ("Don't  STOP!", True, None, ["don", "'", "t", "stop", "!"]),
        ("Don't  STOP!", False, None, ["Don", "'", "t", "STOP", "!"]),
        ("Café É", True, None, ["cafe", "e"]),
        ("Café É", True, True, ["café", "é"]),
        ("Café É", False, None, ["Café", "É"]),
        ("Café É", False, False, ["Cafe", "E"]),
        ("a中文b", True, None, ["a", "中", "文", "b"]),
        ("カタカナ", True, True, ["カタカナ"]),
        ("a$b_c", True, None, ["a", "$", "b", "_", "c"]),
        ("ΣΑΣ", True, None, ["σασ"]),
    ],
)
def test_words(text, lower, accents, wanted):
    assert words(text, lower, accents) == wanted


def test_all_of_ascii_that_is_seen_and_no_letter_or_digit_is_punctuation():
    seen = [chr(code) for code in range(33, 127)]
    assert [c for c in seen if is_punctuation(c)] == [c for c in seen if not c.isalnum()]
    assert is_punctuation("—") and is_punctuation("¿") and not is_punctuation("€") and not is_punctuation("中")


# --- pieces ----------------------------------------------------------------------------------------------------------


def test_the_longest_piece_comes_first():
    pieces = WordPiece(LIST)
    assert pieces.split("unrolled") == ["unroll", "##ed"]  # though un and ##rolled are on the list, too
    assert pieces.split("un") == ["un"] and pieces.split("unr") == ["un", "##r"]
    assert pieces.split("una") == ["un", "##a"] and pieces.split("the") == ["the"]


def test_a_word_of_which_a_part_has_no_piece_is_unknown_as_a_whole():
    assert WordPiece(LIST).split("unx") == ["[UNK]"]
    assert WordPiece(LIST).split("thea") == ["the", "##a"] and WordPiece(LIST).split("ther") == ["the", "##r"]
    assert WordPiece(LIST).split("edun") == ["[UNK]"]  # ##ed begins no word


def test_a_word_of_more_than_a_hundred_letters_is_unknown():
    assert WordPiece(LIST).split("a" * LONGEST) == ["a", *["##a"] * (LONGEST - 1)]
    assert WordPiece(LIST).split("a" * (LONGEST + 1)) == ["[UNK]"]


def test_specials_in_a_text_are_text_unless_asked_for():
    pieces = WordPiece([*LIST, "[", "]", "mask"])
    assert pieces.tokenise("the [MASK]!") == ["the", "[", "mask", "]", "!"]
    assert pieces.tokenise("the [MASK]!", specials=True) == ["the", "[MASK]", "!"]


def test_ids_are_places_on_the_list_and_a_known_word_keeps_them():
    pieces = WordPiece(LIST)
    assert pieces.encode("unrolled the") == [LIST.index("unroll"), LIST.index("##ed"), LIST.index("the")]
    assert pieces.encode("unrolled the") == pieces.encode("unrolled the")
    assert (pieces.pad, pieces.unk, pieces.cls, pieces.sep, pieces.mask) == (0, 1, 2, 3, 4)
    assert pieces.decode(pieces.encode("Unrolled THE !")) == "unrolled the !"


def test_each_piece_knows_its_word_and_each_word_has_one():
    ids, of = WordPiece(LIST).of_words(["Unrolled", "\u200b", "xyz", "the!"])
    assert [LIST[i] for i in ids] == ["unroll", "##ed", "[UNK]", "[UNK]", "the", "!"]
    assert of == [0, 0, 1, 2, 3, 3]


def test_a_list_that_cannot_be_used_says_why(tmp_path):
    with pytest.raises(PiecesError, match=r"no \[MASK\]"):
        WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    with pytest.raises(PiecesError, match="'a' twice"):
        WordPiece([*SPECIALS, "a", "b", "a"])
    with pytest.raises(PiecesError, match="nothing.txt"):
        WordPiece.read(tmp_path / "nothing.txt")


def test_a_list_comes_back_from_its_file(tmp_path):
    WordPiece([*LIST, "\u2028", "\x85"]).write(tmp_path / "vocab.txt")  # which are ends of lines elsewhere
    assert WordPiece.read(tmp_path / "vocab.txt").pieces == [*LIST, "\u2028", "\x85"]


@pytest.mark.parametrize("seed", range(3))
def test_pieces_are_those_of_the_definition(seed):
    chance = random.Random(seed)
    some = {"".join(chance.choices("abc", k=chance.randint(1, 4))) for _ in range(12)}
    pieces = WordPiece([*SPECIALS, *(chance.choice(["", "##"]) + one for one in sorted(some))])
    for _ in range(300):
        word = "".join(chance.choices("abc", k=chance.randint(1, 9)))
        assert pieces.split(word) == plain_split(word, pieces.ids)


# --- the library -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tokenizers():
    return pytest.importorskip("tokenizers", reason="needs the extra `twins` (tokenizers)")


@cache
def old_characters():
    """Of Unicode 3.2 all but most of its letters without case, which are many; and two for private use."""
    kinds = [(chr(code), unicodedata.ucd_3_2_0.category(chr(code))) for code in range(0x30000)]
    moved = "\u166d\u1734"  # which Unicode has put into other categories since
    found = [c for c, kind in kinds if kind not in ("Cn", "Cs", "Co", "Lo") and c not in moved]
    return found + [c for c, kind in kinds if kind == "Lo"][::17] + ["\ue000", "\U000f0000"]


@pytest.mark.parametrize("lower, accents", [(True, None), (True, True), (False, None), (False, False)])
def test_every_character_is_treated_as_the_library_does(tokenizers, lower, accents):
    """Those of Unicode 3.2, which are in its tables as in ours."""
    strip = None if accents is None else not accents
    normalise = tokenizers.normalizers.BertNormalizer(True, True, strip, lower).normalize_str
    cut = tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    letters = old_characters()
    for some in (letters[at : at + 200] for at in range(0, len(letters), 200)):
        text = " ".join(f"a{letter}B{letter}" for letter in some)
        assert words(text, lower, accents) == [word for word, _ in cut(normalise(text))]


@pytest.mark.parametrize("lower", [True, False])
def test_hostile_strings_are_cut_as_the_library_does(tokenizers, lower):
    list_ = [*LIST, *(mark + c for c in string.printable[:94] for mark in ("", "##") if mark + c not in LIST)]
    ours = WordPiece(list_, lower)
    vocab = {piece: i for i, piece in enumerate(list_)}
    theirs = tokenizers.BertWordPieceTokenizer(vocab, lowercase=lower)
    bare = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    bare.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=lower)
    bare.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    for text in [*HOSTILE, " ".join(HOSTILE)]:
        assert ours.tokenise(text, specials=True) == theirs.encode(text, add_special_tokens=False).tokens, text
        assert ours.tokenise(text) == bare.encode(text).tokens, text


def test_a_corpus_is_cut_as_the_library_does(tokenizers):
    text = shakespeare()
    ours = train(Counter(words(text[:30_000])), 400, "gain", minimum=5)
    theirs = tokenizers.BertWordPieceTokenizer(dict(ours.ids))
    for line in text.splitlines():
        assert ours.encode(line) == theirs.encode(line, add_special_tokens=False).ids


# --- lists -----------------------------------------------------------------------------------------------------------


def test_the_best_pair_by_hand():
    """hug ×10, pug ×5, hugs ×5: h 15, ##u 20, ##g 20, p 5, ##s 5; of 60 letters and pairs h##u 15, p##u 5, ##u##g 20,
    ##g##s 5. ratio: 15/(15·20) = 1/20, 5/(5·20) = 1/20, 20/(20·20) = 1/20, 5/(20·5) = 1/20: all equal, so the first by
    spelling. With one more word, "us": u 1 and ##s 6, u##s 1/(1·6) is the best. Most often meet ##u ##g."""
    merging = Merging({"hug": 10, "pug": 5, "hugs": 5})
    assert merging.pieces == {"h": 15, "##u": 20, "##g": 20, "p": 5, "##s": 5}
    assert merging.pairs == {("h", "##u"): 15, ("p", "##u"): 5, ("##u", "##g"): 20, ("##g", "##s"): 5}
    assert merging.best("ratio") == ("##g", "##s") and merging.best("count") == ("##u", "##g")
    assert Merging({"hug": 10, "pug": 5, "hugs": 5, "us": 1}).best("ratio") == ("u", "##s")
    assert Merging({"a": 3}).best() is None and merging.best(minimum=21) is None


def test_a_merge_goes_from_left_to_right_and_leaves_a_piece_with_its_mark():
    merging = Merging({"aaaaa": 2})
    assert merging.merge(("##a", "##a")) == "##aa"
    assert merging.words == [["a", "##aa", "##aa"]] and merging.pieces == {"a": 2, "##aa": 4, "##a": 0}
    assert merging.merge(("a", "##aa")) == "aaa" and merging.words == [["aaa", "##aa"]]


@pytest.mark.parametrize("score", SCORES)
def test_counts_kept_up_to_date_are_those_counted_anew(score):
    counts = Counter(structured_text(3000, seed=1).split())
    merging = Merging(counts)
    for _ in range(40):
        merging.merge(merging.best(score))
        pieces, pairs = Counter(), Counter()
        for word, times in zip(merging.words, counts.values(), strict=True):
            pieces.update({piece: times * word.count(piece) for piece in word})
            for pair in zip(word, word[1:], strict=False):
                pairs[pair] += times
        assert +merging.pieces == pieces and merging.pairs == pairs
        assert merging.best(score) is None or merging.pairs[merging.best(score)] > 0


@pytest.mark.parametrize("score", SCORES)
def test_a_list_has_the_specials_the_letters_and_what_was_merged(score):
    counts = Counter(words(shakespeare()[:10_000]))
    pieces = train(counts, 200, score, minimum=3)
    assert len(pieces) == len(set(pieces.pieces)) == 200 and tuple(pieces.pieces[:5]) == SPECIALS
    assert pieces.pieces == train(counts, 200, score, minimum=3).pieces
    alphabet = {letter for word in counts for letter in word}
    common = {letter for letter in alphabet if sum(n * word.count(letter) for word, n in counts.items()) >= 2}
    assert {piece.removeprefix("##") for piece in pieces.pieces[5:] if len(piece.removeprefix("##")) == 1} == common
    assert all(pieces.split(word) != ["[UNK]"] for word in counts if common.issuperset(word))


@pytest.mark.parametrize("score", ["count", "gain"])
def test_a_longer_list_makes_fewer_pieces_of_a_text(score):
    counts = Counter(words(shakespeare()[:10_000]))
    used = []
    for size in (100, 200, 400):
        pieces = train(counts, size, score, minimum=3)
        used.append(sum(times * len(pieces.split(word)) for word, times in counts.items()))
    assert used[0] > used[1] > used[2] > sum(counts.values())


def test_training_ends_where_nothing_is_left_to_merge_and_refuses_what_cannot_be():
    assert train({"ab": 2}, 50).pieces == [*SPECIALS, "##b", "a", "ab"]
    assert train({"ab": 2, "é": 1}, 50).pieces == [*SPECIALS, "##b", "a", "ab"]  # é is too rare
    with pytest.raises(PiecesError, match="7 specials and letters are more than 6"):
        train({"ab": 2}, 6)
    with pytest.raises(ValueError, match="no score 'best'"):
        train({"ab": 2}, 50, "best")
