"""What the unit reads: numbers and dates with alignments that are counted out, strings, times of day, sentences."""

import random
import re
from datetime import date

import pytest
from num2words import num2words
from unrolled.data import DataError
from unrolled.experiments.seq2seq import tatoeba as sentences
from unrolled.experiments.seq2seq.copying import strings
from unrolled.experiments.seq2seq.dates import dates, tokens
from unrolled.experiments.seq2seq.numbers import JOINS, LANGUAGES, MOST, Pair, number_phrases, pair, roles, spelt
from unrolled.experiments.seq2seq.tatoeba import cut, joined, read_pairs, references, split, tatoeba, vulgar
from unrolled.experiments.seq2seq.two_answers import all_times

OTHERS = [language for language in LANGUAGES if language != "en"]
SOME = [*range(0, 121), 200, 700, 1000, 2000, 2200, 10_000, 101_000, 200_200, MOST] + random.Random(0).sample(
    range(MOST), 300
)


def from_where(p):
    return [(word, None if place is None else p.source[place]) for word, place in zip(p.target, p.aligned, strict=True)]


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_morphemes_of_a_number_are_what_num2words_writes(language):
    bare = {"en": r"[ ,-]", "fr": r"[ -]"}.get(language, " ")
    for number in SOME:
        written = re.sub(bare, "", num2words(number, lang=language))
        assert re.sub(bare, "", "".join(spelt(number, language))) == written


@pytest.mark.parametrize("language", OTHERS)
def test_only_what_joins_comes_from_nowhere(language):
    for number in SOME:
        p = pair(number, language)
        assert len(p.aligned) == len(p.target)
        assert {word for word, place in zip(p.target, p.aligned, strict=True) if place is None} <= JOINS
        assert all(p.source[place] != "and" for place in p.aligned if place is not None)


@pytest.mark.parametrize("language", OTHERS)
def test_each_digit_comes_from_the_same_digit(language):
    """Where a word stands for one digit alone, its source is the English word of that digit at that place."""
    digits = {
        ("de", "zwei"): "two", ("de", "drei"): "three", ("fr", "deux"): "two", ("fr", "trois"): "three",
        ("tr", "iki"): "two", ("fi", "kaksi"): "two", ("ar", "ثلاثة"): "three",
    }  # fmt: skip
    for number in SOME:
        for word, source in from_where(pair(number, language)):
            if (language, word) in digits:
                digit = digits[language, word]
                tens = {"two": ("twelve", "twenty"), "three": ("thirteen", "thirty")}[digit]
                assert source == digit or source in tens


@pytest.mark.parametrize(
    ("number", "language", "wanted"),
    [
        (31, "de", "ein←one und← dreißig←thirty"),
        (13, "de", "drei←thirteen zehn←thirteen"),
        (216_000, "de", "zwei←two hundert←hundred sech←sixteen zehn←sixteen tausend←thousand"),
        (97, "fr", "quatre-vingt←ninety dix←ninety sept←seven"),
        (1171, "fr", "mille←thousand cent←hundred soixante←seventy et← onze←one"),
        (2345, "tr", "iki←two bin←thousand üç←three yüz←hundred kırk←forty beş←five"),
        (13_040, "fi", "kolme←thirteen toista←thirteen tuhatta←thousand neljä←forty kymmentä←forty"),
        (2345, "ar", "ألفان←two و← ثلاث←three مائة←hundred و← خمسة←five و← أربعون←forty"),
    ],
)  # fmt: skip
def test_alignments_by_hand(number, language, wanted):
    found = " ".join(f"{word}←{source or ''}" for word, source in from_where(pair(number, language)))
    assert found == wanted


def test_the_same_digit_twice_is_told_apart_by_its_place():
    p = pair(22_022, "de")  # twenty-two thousand and twenty-two: zwei und zwanzig tausend zwei und zwanzig
    assert p.source == ["twenty", "two", "thousand", "and", "twenty", "two"]
    assert p.aligned == [1, None, 0, 2, 5, None, 4]
    assert roles(p.source, "en")[0] == (True, "tens") and roles(p.source, "en")[4] == (False, "tens")


def test_parts_share_no_number_and_the_same_seed_gives_the_same():
    parts = number_phrases("de", train=300, test=100, dev=50, seed=3)
    assert {part: len(of) for part, of in parts.items()} == {"train": 300, "dev": 50, "test": 100}
    seen = {" ".join(p.source) for of in parts.values() for p in of}
    assert len(seen) == 450
    assert parts == number_phrases("de", train=300, test=100, dev=50, seed=3)
    assert parts != number_phrases("de", train=300, test=100, dev=50, seed=4)
    lengths = [len(p.source) for p in parts["train"]]
    assert min(lengths) == 1 and max(lengths) >= 10


def test_numbers_and_languages_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="no language 'la' here: choose one of en, de, fr, tr, fi, ar"):
        spelt(1, "la")
    with pytest.raises(ValueError, match="the number is 1000000: it must be from 0 to 999,999"):
        spelt(1_000_000, "de")
    with pytest.raises(ValueError, match="600,000 different numbers are asked for"):
        number_phrases("de", train=600_000, test=0)
    with pytest.raises(ValueError, match="no morpheme known here"):
        LANGUAGES["de"].cut("zweifel")


# --- dates, strings, times -------------------------------------------------------------------------------------------


def test_a_date_in_each_form():
    day = date(2025, 3, 4)
    assert [word for word, _, _ in tokens(day, "en_US", "MMMM d, y")] == ["March", "4", ",", *"2025"]
    assert [word for word, _, _ in tokens(day, "de", "d. MMMM y")] == ["4", ".", "März", *"2025"]
    assert tokens(day, "en", "y-MM-dd")[-2:] == [("0", "d", 1), ("4", "d", 0)]


@pytest.mark.parametrize("target", ["iso", "de"])
def test_a_dates_digits_come_from_the_same_digits(target):
    parts = dates(target, train=200, test=50, seed=1)
    whole = [p for of in parts.values() for p in of]
    assert len({tuple(p.target) for p in whole}) == len(whole) == 250
    for p in whole:
        year = [i for i in range(len(p.source)) if p.source[i : i + 4] == list(p.source[-4:])][-1:]
        assert year or p.source
        for i, (word, source) in enumerate(from_where(p)):
            if word in "-.":
                assert source is None
            elif word.isdigit() and source.isdigit():
                assert word == source or (word == "0" and i == 8)  # the zero before the day's only digit
            else:
                assert source.isalpha()
    with pytest.raises(ValueError, match="no way 'roman' to write a date here: choose one of iso, de"):
        dates("roman", 1, 1)
    with pytest.raises(ValueError, match="80,000 different days are asked for: there are 73,000"):
        dates("iso", 80_000, 0)


def test_strings_are_copied_or_turned_round():
    for p in strings(50, longest=6, seed=0):
        assert p.target == p.source and p.aligned == list(range(len(p.source))) and 1 <= len(p.source) <= 6
    for p in strings(50, longest=6, seed=0, shortest=6, turned=True):
        assert p.target == p.source[::-1] and [p.source[i] for i in p.aligned] == p.target and len(p.source) == 6


def test_each_time_has_two_right_answers_of_three_words():
    pairs = all_times()
    answers = references(pairs)
    assert len(answers) == 72 and {len(of) for of in answers.values()} == {2}
    assert answers["two", "forty"] == [["zwei", "Uhr", "vierzig"], ["zwanzig", "vor", "drei"]]
    assert answers["one", "ten"] == [["ein", "Uhr", "zehn"], ["zehn", "nach", "eins"]]
    assert answers["twelve", "fifty-five"] == [["zwölf", "Uhr", "fünfundfünfzig"], ["fünf", "vor", "eins"]]
    assert {len(p.target) for p in pairs} == {3}


# --- sentences -------------------------------------------------------------------------------------------------------


def test_words_are_cut_in_lower_case_and_joined_again():
    assert cut("J’ai dit\u202f: «\u00a0Non, l'ami.\u00a0»") == [
        *("j'", "ai", "dit", ":", "«", "non", ",", "l'", "ami", ".", "»")
    ]
    for text in ("je n'ai pas l'heure, moi.", "où es-tu ?".replace("-", " - "), "non !"):
        assert joined(cut(text)) == text


def test_long_lines_and_vulgar_ones_are_left_out(monkeypatch):
    monkeypatch.setitem(sentences.VULGAR, "fr", sentences._digits("zut"))
    sentences._listed.cache_clear()
    text = "Go.\tVa !\tmore\nWell.\tZut !\nOne two three.\tUn.\n"
    assert list(read_pairs(text, longest=3)) == [Pair(["go", "."], ["va", "!"], [None, None])]
    assert vulgar(["oh", "zut"], "fr") and not vulgar(["zut"], "en")
    sentences._listed.cache_clear()


def test_twins_of_a_sentence_stay_in_one_part():
    pairs = [Pair(cut(f"{word}{end}"), [str(i)], [None]) for word in "abcdefghij" for i, end in enumerate(".!?")]
    parts = split(pairs, seed=0, test=3, dev=2)
    letters = {part: {p.source[0] for p in of} for part, of in parts.items()}
    assert [len(parts[part]) for part in ("test", "dev", "train")] == [9, 6, 15]
    assert sorted(letter for of in letters.values() for letter in of) == list("abcdefghij")
    with pytest.raises(ValueError, match="10 sentences are to be held out, and there are 10"):
        split(pairs, seed=0, test=5, dev=5)


def test_tatoebas_parts_share_no_english_side():
    try:
        parts = tatoeba(longest=5, test=100, dev=50, stand_in=False)
    except DataError:
        pytest.skip("needs fra_eng")
    sides = {part: {re.sub(r"[\W_]", "", "".join(p.source)) for p in of} for part, of in parts.items()}
    assert len(sides["test"]) == 100 and len(sides["dev"]) == 50
    assert not sides["test"] & sides["train"] and not sides["test"] & sides["dev"] and not sides["dev"] & sides["train"]
    assert all(max(len(p.source), len(p.target)) <= 5 for of in parts.values() for p in of)
    found = references(parts["test"])
    assert len(found) >= 100 and sum(map(len, found.values())) == len(parts["test"])


def test_numbers_stand_in_for_tatoeba_and_one_line_says_so(monkeypatch, capsys):
    def nowhere(name):
        raise DataError("not here")

    monkeypatch.setattr(sentences, "path", nowhere)
    parts = tatoeba()
    assert parts["train"][0] in number_phrases("fr", train=4000, test=300, dev=100, seed=0)["train"]
    assert capsys.readouterr().out.count("number phrases stand in") <= 1
    with pytest.raises(DataError):
        tatoeba(stand_in=False)
