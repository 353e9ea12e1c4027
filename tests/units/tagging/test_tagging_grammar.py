"""The made language keeps its own rules, and the probe counts what it says it counts."""

import pytest
from unrolled.experiments.tagging import grammar
from unrolled.experiments.tagging.grammar import AgreementItem, agreement_items, agreement_probe, made_sentences

TAGS = {"DET", "NOUN", "ADJ", "ADP", "VERB", "AUX", "ADV", "PROPN", "PRON", "NUM", "CCONJ", "SCONJ", "INTJ", "PUNCT"}
SENTENCES = made_sentences(1000, seed=0)
PLURAL_VERBS = {p for words in (grammar.VERBS, grammar.BEINGS) for p in words.values()} | set(
    grammar.EITHER_NOUN_OR_VERB
)


def test_the_same_seed_gives_the_same_sentences():
    assert made_sentences(50, seed=3) == made_sentences(50, seed=3) != made_sentences(50, seed=4)
    assert made_sentences(0, seed=3) == []
    with pytest.raises(ValueError, match="n is -1"):
        made_sentences(-1, seed=0)


def test_every_word_has_a_tag_and_sentences_end_with_a_mark():
    assert all(len(s.words) == len(s.tags) and s.tags[-1] == "PUNCT" for s in SENTENCES)
    tags = {tag for s in SENTENCES for tag in s.tags}
    assert tags == TAGS


def test_a_verb_agrees_with_the_first_noun_of_its_clause():
    """In a clause that begins with a determiner, the subject is its first noun."""
    checked = 0
    for s in SENTENCES:
        if "CCONJ" in s.tags or "SCONJ" in s.tags or s.tags[0] not in ("DET", "NUM"):
            continue
        noun = s.words[s.tags.index("NOUN")]
        verb = next(w for w, t in zip(s.words, s.tags, strict=True) if t in ("VERB", "AUX"))
        plural = any(noun in words.values() for words in (grammar.NOUNS, grammar.EITHER_NOUN_OR_VERB)) or (
            noun in grammar.EITHER_ADJECTIVE_OR_NOUN.values()
        )
        assert (verb in PLURAL_VERBS) == plural, s
        checked += 1
    assert checked > 400


@pytest.mark.parametrize(("word", "tags"), [("light", {"ADJ", "NOUN"}), ("walks", {"NOUN", "VERB"})])
def test_some_words_have_two_tags(word, tags):
    found = {t for s in SENTENCES for w, t in zip(s.words, s.tags, strict=True) if w == word}
    assert found == tags


def test_a_test_text_has_words_that_training_had_not():
    known = {w for s in SENTENCES for w in s.words}
    new = [w for s in made_sentences(200, seed=1) for w in s.words if w not in known]
    assert 10 < len(new) < 200


PLURALS = set(grammar.NOUNS.values()) | set(grammar.EITHER_NOUN_OR_VERB.values())
PLURALS |= set(grammar.EITHER_ADJECTIVE_OR_NOUN.values())
ITEMS = agreement_items(400, seed=0)


def test_the_items_say_where_the_verb_stands_and_what_is_between():
    for item in ITEMS:
        subject = item.words[item.at - item.distance]
        assert (subject in PLURALS) == bool(item.right)
        assert item.words[item.at] == item.forms[item.right] != item.forms[1 - item.right]
        assert item.at - item.distance <= 2  # a determiner and an adjective at most
        assert 0 <= item.distractors <= 4
    assert {item.distractors for item in ITEMS} == {0, 1, 2, 3, 4}
    assert 150 < sum(item.right for item in ITEMS) < 250


def item(right, distance, distractors):
    return AgreementItem(["the", "key", "opens", "."], 2, ("opens", "open"), right, distance, distractors)


def test_the_probe_by_hand():
    """Right, right, wrong, and a tie, which is wrong."""
    given = [item(0, 1, 0), item(1, 1, 0), item(1, 4, 1), item(0, 4, 2)]
    told = agreement_probe(lambda items: [(-1.0, -2.0), (-2.0, -1.0), (-1.0, -2.0), (-3.0, -3.0)], given)
    assert told == {
        "all": {0: (0.5, 4)},
        "distance": {1: (1.0, 2), 4: (0.0, 2)},
        "distractors": {0: (1.0, 2), 1: (0.0, 1), 2: (0.0, 1)},
    }


def test_who_looks_at_the_nearest_noun_fails_where_a_distractor_is_nearest():
    def nearest(items):
        return [(0.0, 1.0) if item.words[item.at - 1] in PLURALS else (1.0, 0.0) for item in items]

    told = agreement_probe(nearest, ITEMS)
    assert told["distractors"][0][0] == 1.0
    assert told["distractors"][4][0] == 0.0
    assert told["all"][0][1] == sum(n for _, n in told["distance"].values()) == len(ITEMS)


def test_scores_must_be_as_many_as_items():
    with pytest.raises(ValueError, match="400 items need as many pairs of scores; found 1"):
        agreement_probe(lambda items: [(0.0, 1.0)], ITEMS)
