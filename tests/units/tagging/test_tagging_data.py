"""What the unit reads: counts of the real data, snippets by hand, near-duplicates, and what stands in."""

import itertools
import random

import pytest
from unrolled.data import DataError
from unrolled.experiments.tagging import conll, polarity, snips
from unrolled.experiments.tagging.conll import read_conllu
from unrolled.experiments.tagging.polarity import Review, clusters, near_duplicates, split
from unrolled.experiments.tagging.snips import bio, read_snips

LINE = "{}\t{}\t_\t{}\t_\t_\t_\t_\t_\t_\n"


def conllu(*rows):
    return "".join(LINE.format(*row) for row in rows) + "\n"


# --- the treebank ----------------------------------------------------------------------------------------------------


def test_words_and_universal_tags_are_read_and_ranges_and_empty_nodes_passed_over():
    text = "# sent_id = 1\n# text = We don't\n" + conllu(
        (1, "We", "PRON"), ("2-3", "don't", "_"), (2, "do", "AUX"), (3, "n't", "PART"), ("3.1", "go", "VERB")
    )
    sentences = read_conllu(text + "\n" + conllu((1, "Yes", "INTJ")).rstrip("\n"))
    assert [s.words for s in sentences] == [["We", "do", "n't"], ["Yes"]]
    assert [s.tags for s in sentences] == [["PRON", "AUX", "PART"], ["INTJ"]]


def test_a_word_may_be_a_hash_or_hold_a_space():
    assert read_conllu(conllu((1, "#", "SYM"), (2, "1 000", "NUM")))[0].words == ["#", "1 000"]


def test_an_empty_text_has_no_sentences():
    assert read_conllu("") == read_conllu("# newdoc\n\n\n") == []


def test_what_is_no_conllu_is_refused_with_its_line():
    with pytest.raises(ValueError, match="line 2 has 1 columns; CoNLL-U has 10"):
        read_conllu("# text = a\n1 a _ DET\n")


def or_skip(name, read):
    """The real data; a stand-in has other counts."""
    from unrolled import data

    try:
        data.path(*name)
    except DataError:
        pytest.skip(f"needs {name[0]}")
    return read()


def test_the_treebank_has_its_published_counts():
    parts = or_skip(("ud_ewt", "en_ewt-ud-train.conllu"), conll.ud_ewt)
    counts = {part: (len(found), sum(len(s.words) for s in found)) for part, found in parts.items()}
    assert counts == {"train": (12_544, 204_577), "dev": (2001, 25_147), "test": (2077, 25_094)}
    assert all(len({tag for s in found for tag in s.tags}) == 17 for found in parts.values())
    assert all(len(s.words) == len(s.tags) > 0 for found in parts.values() for s in found)


# --- reviews ---------------------------------------------------------------------------------------------------------


def test_pairs_are_those_that_comparing_all_with_all_finds():
    chance = random.Random(1)
    sentences = [chance.choices("abcdefghij", k=chance.randint(0, 8)) for _ in range(150)]
    for alike in (0.4, 0.6, 1.0):
        wanted = {
            (i, j)
            for (i, one), (j, other) in itertools.combinations(enumerate(map(set, sentences)), 2)
            if one | other and len(one & other) >= alike * len(one | other)
        }
        assert wanted
        assert sorted(near_duplicates(sentences, alike)) == sorted(wanted)


def test_who_is_linked_through_another_is_in_one_group():
    chain = [list("abcde"), list("bcdef"), list("cdefg"), ["x"]]
    assert sorted(near_duplicates(chain)) == [(0, 1), (1, 2)]
    assert sorted(map(sorted, clusters(chain))) == [[0, 1, 2], [3]]


def test_a_split_keeps_every_review_once_and_near_ones_together():
    reviews = [Review([f"w{i}", f"v{i}", f"u{i}", f"t{k}"], i % 2) for i in range(100) for k in range(2)]
    parts = split(reviews, seed=0)
    assert {part: len(members) for part, members in parts.items()} == {"train": 160, "dev": 20, "test": 20}
    assert sorted(r.words for members in parts.values() for r in members) == sorted(r.words for r in reviews)
    assert not {r.words[0] for r in parts["train"]} & {r.words[0] for r in parts["test"] + parts["dev"]}
    assert split(reviews, seed=0) == parts != split(reviews, seed=1)


def test_the_reviews_are_as_many_as_published_and_no_test_sentence_has_a_twin_in_training():
    parts = or_skip(("sentence_polarity",), polarity.sentence_polarity)
    every = [r for members in parts.values() for r in members]
    assert [sum(r.label == label for r in every) for label in (0, 1)] == [5331, 5331]
    assert [len(parts[part]) for part in ("train", "dev", "test")] == [8530, 1066, 1066]
    seen = {frozenset(r.words) for r in parts["train"]}
    assert not any(frozenset(r.words) in seen for r in parts["dev"] + parts["test"])
    words = [r.words for part in ("train", "dev", "test") for r in parts[part]]
    pairs, part_of = list(near_duplicates(words)), [name for name, members in parts.items() for _ in members]
    assert len(pairs) == 45  # among all sentences; none of them from one part to another
    assert all(part_of[i] == part_of[j] for i, j in pairs)


# --- requests --------------------------------------------------------------------------------------------------------


def test_pieces_become_words_and_bio_tags():
    text = '{"PlayMusic": [{"data": [{"text": "play "}, {"text": "silver rain", "entity": "track"}, {"text": "! "},'
    text += '{"text": "now", "entity": "track"}]}, {"data": [{"text": "stop"}]}]}'
    one, other = read_snips(text)
    assert one.words == ["play", "silver", "rain", "!", "now"]
    assert one.tags == ["O", "B-track", "I-track", "O", "B-track"]
    assert (one.intent, other.intent, other.tags) == ("PlayMusic", "PlayMusic", ["O"])


def test_tags_of_a_span():
    assert bio(3, "city") == ["B-city", "I-city", "I-city"]
    assert bio(2, None) == ["O", "O"]
    assert bio(0, "city") == []


def test_the_requests_are_as_many_as_published():
    parts = or_skip(("snips", "snips/val_RateBook.json"), snips.snips)
    assert [sum(u.intent == intent for u in parts["test"]) for intent in snips.INTENTS] == [100] * 7
    assert len(parts["train"]) + len(parts["dev"]) == 13_784
    every = [u for members in parts.values() for u in members]
    assert all(len(u.words) == len(u.tags) > 0 for u in every)
    assert "Romántica" in {word for u in every for word in u.words}  # read as UTF-8
    assert len({tag[2:] for u in every for tag in u.tags if tag != "O"}) == 39


# --- stand-ins -------------------------------------------------------------------------------------------------------

SETS = {
    "The English Web Treebank": (conll, "load", conll.ud_ewt),
    "Sentence polarity": (polarity, "path", polarity.sentence_polarity),
    "Snips": (snips, "path", snips.snips),
}


@pytest.mark.parametrize("title", SETS)
def test_without_its_data_a_reader_says_so_in_one_line_and_gives_made_sentences(title, monkeypatch, capsys):
    from unrolled.data import places

    module, name, read = SETS[title]
    places.say_once.cache_clear()

    def missing(*_):
        raise DataError("no network")

    monkeypatch.setattr(module, name, missing)
    parts = read()
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 1 and told[0].startswith(f"{title} cannot be had") and "stand in." in told[0]
    assert set(parts) == {"train", "dev", "test"} and min(map(len, parts.values())) >= 100
    assert read() == parts
    with pytest.raises(DataError, match="no network"):
        read(stand_in=False)
    capsys.readouterr()
    places.say_once.cache_clear()


def test_made_reviews_cannot_be_told_by_counting_words_alone():
    reviews = polarity.made_reviews(500, seed=0)
    assert polarity.made_reviews(500, seed=0) == reviews != polarity.made_reviews(500, seed=1)
    assert 200 < sum(r.label for r in reviews) < 300
    favourable = [r for r in reviews if r.label]
    assert any(set(r.words) & set(polarity.BAD) for r in favourable)


def test_made_requests_have_all_intents_and_slots():
    made = snips.made_utterances(400, seed=0)
    assert {u.intent for u in made} == set(snips.INTENTS)
    assert {tag[2:] for u in made for tag in u.tags if tag != "O"} == set(snips.WHAT)
    assert all(len(u.words) == len(u.tags) for u in made)
