"""Texts, pairs and tagged words as batches for a net with a head, and its answers back."""

import itertools
from dataclasses import replace

import pytest
import torch
from unrolled.bert import Bert, BertConfig, Classifier, Tagger
from unrolled.experiments.bert.reading import Reader
from unrolled.language_model import IGNORED
from unrolled.training import fit
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, "good", "bad", "film", "is", "un", "##re", "##al", "a", "?"])
TAGS = Reader(PIECES, ("O", "B", "C"), longest=12)
TINY = BertConfig(len(PIECES), 16, 2, 1, 32, 16, dropout=0.0)


def names(item):
    return [PIECES.pieces[i] for i in item.ids]


def test_the_first_piece_carries_the_label_or_every_one():
    item = TAGS.words(["a", "unreal", "film"])
    assert names(item) == ["[CLS]", "a", "un", "##re", "##al", "film", "[SEP]"]
    assert item.of_word == (-1, 0, 1, 1, 1, 2, -1)
    x = IGNORED
    assert TAGS.targets([item], [["O", "B", "C"]]).tolist() == [[x, 0, 1, x, x, 2, x]]
    assert replace(TAGS, every=True).targets([item], [["O", "B", "C"]]).tolist() == [[x, 0, 1, 1, 1, 2, x]]
    assert TAGS.targets([item], [["O", "new", "C"]]).tolist() == [[x, 0, x, x, x, 2, x]]


def test_two_words_of_one_tag_are_two_labels_and_pads_have_none():
    items = [TAGS.words(["unreal", "unreal"]), TAGS.words(["a"])]
    x = IGNORED
    assert TAGS.targets(items, [["B", "B"], ["C"]]).tolist() == [[x, 1, x, x, 1, x, x, x], [x, 2, *[x] * 6]]


def test_a_question_stands_before_and_its_words_have_no_numbers():
    item = TAGS.words(["unreal", "film"], question=["a", "?"])
    assert names(item) == ["[CLS]", "a", "?", "[SEP]", "un", "##re", "##al", "film", "[SEP]"]
    assert item.of_word == (-1, -1, -1, -1, 0, 0, 0, 1, -1) and item.segments == [0] * 4 + [1] * 5
    with pytest.raises(ValueError, match="leave no room"):
        TAGS.words(["a"], question=["a"] * 12)


def test_what_is_too_long_is_cut_at_its_end_and_keeps_its_separator():
    item = TAGS.words(["film"] * 20)
    assert len(item.ids) == len(item.of_word) == 12 and names(item)[-1] == "[SEP]"
    assert item.of_word[1:-1] == tuple(range(10))
    asked = TAGS.words(["film"] * 20, question=["a", "?"])
    assert len(asked.ids) == 12 and names(asked)[:4] == ["[CLS]", "a", "?", "[SEP]"] and asked.of_word[-2] == 6


def test_batches_have_all_items_once_an_epoch():
    reader = Reader(PIECES, ("no", "yes"))
    items = [reader.text("film " * (i % 7 + 1), "a" if i % 2 else None) for i in range(50)]
    labels = ["yes" if i % 2 else "no" for i in range(50)]
    epoch = list(itertools.islice(reader.batches(items, labels, 8, seed=0), 7))
    assert sum(len(batch.targets) for batch in epoch) == 50
    for batch in epoch:
        assert torch.equal(batch.targets.bool(), (batch.inputs.ids == PIECES.sep).sum(1) == 2)


def test_classes_are_learned_and_come_back_in_order():
    torch.manual_seed(0)
    reader = Reader(PIECES, ("no", "yes"))
    texts = [f"{'a ' * (i % 5)}film is {'good' if i % 3 else 'bad'}" for i in range(60)]
    items, labels = [reader.text(t) for t in texts], ["yes" if "good" in t else "no" for t in texts]
    model = Classifier(Bert(TINY), 2)
    fit(model, reader.batches(items, labels, 16, seed=0), steps=60, rate=1e-2)
    assert reader.classified(model, items, size=7) == labels


def test_tags_are_learned_and_come_back_word_by_word():
    torch.manual_seed(0)
    kinds = {"a": "O", "film": "B", "unreal": "C"}
    sentences = [[*"a" * (i % 3), "unreal", "film", "unreal", "a"][i % 2 :] for i in range(40)]
    items, tags = [TAGS.words(s) for s in sentences], [[kinds[word] for word in s] for s in sentences]
    model = Tagger(Bert(TINY), 3)
    fit(model, TAGS.batches(items, tags, 8, seed=0), steps=80, rate=1e-2)
    assert TAGS.tagged(model, items, size=9) == tags
