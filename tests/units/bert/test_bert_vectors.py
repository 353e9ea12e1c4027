"""One word in two senses, and the search for a sentence that says the same: each by cases by hand."""

import math
from collections import Counter

import pytest
import torch
from unrolled.experiments.bert import retrieval, senses
from unrolled.experiments.bert.finetuning import Classifier
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.experiments.bert.retrieval import Search
from unrolled.experiments.seq2seq.numbers import Pair
from unrolled.wordpiece import SPECIALS, WordPiece, words


def list_of(*texts):
    letters = sorted({letter for text in texts for letter in text if letter != " "})
    return WordPiece([*SPECIALS, *(mark + letter for letter in letters for mark in ("", "##"))])


PIECES = list_of("abcdefghijklmnopqrstuvwxyz.,'?")


def made_net(seed=0):
    torch.manual_seed(seed)
    return RECIPES["smoke"].net().bert.eval()


# --- senses ----------------------------------------------------------------------------------------------------------


def test_each_sentence_has_its_word_once_and_none_stands_twice():
    texts = [text for some in senses.SENTENCES.values() for of in some.values() for text in of]
    assert len(set(texts)) == len(texts)
    for word, some in senses.SENTENCES.items():
        assert [len(of) for of in some.values()] == [6, 6]
        assert all(words(text).count(word) == 1 for of in some.values() for text in of)


def test_a_words_vector_is_the_mean_of_its_pieces():
    bert = RECIPES["cpu"].net().bert.eval()
    short = list_of("abcdefghijklmnopqrstuvwxyz.,'")
    found = senses.occurrences(bert, short, "bank")
    assert found.vectors.shape == (bert.config.layers + 1, 12, bert.config.width)
    text = found.sentences[1]
    ids = [short.cls, *short.encode(text), short.sep]
    hidden = bert(senses.Pieces.of([ids])).hidden
    at = 1 + len(short.encode(text[: text.index("bank")]))
    assert torch.allclose(found.vectors[2, 1], hidden[2][0, at : at + 4].mean(0), atol=1e-5)


def test_a_word_without_sentences_is_answered_in_a_line():
    for ask in (lambda word: senses.occurrences(made_net(), PIECES, word), senses.static):
        with pytest.raises(ValueError, match="no sentences with 'spring': choose one of bank, rose"):
            ask("spring")


def test_static_vectors_are_of_what_stands_around():
    around, kinds = senses.static("bank")
    assert around.shape[0] == len(kinds) == 12
    assert senses.told_apart(around, kinds) == pytest.approx(11 / 12)  # as it is stored


def test_the_nearest_other_sentence_decides():
    vectors = torch.tensor([[1.0, 0.0], [9.0, 1.0], [0.0, 1.0], [0.5, 4.0], [1.0, 0.9]])
    assert senses.told_apart(vectors, ["a", "a", "b", "b", "b"]) == 0.8  # the last is nearer to the second
    assert senses.told_apart(vectors, ["a", "b", "a", "b", "a"]) == 0.0


def test_the_two_directions_keep_what_differs_most():
    torch.manual_seed(0)
    plane = torch.randn(9, 2) @ torch.linalg.qr(torch.randn(5, 2)).Q.T + 3
    drawn = senses.flat(plane)
    assert torch.allclose(torch.cdist(drawn, drawn), torch.cdist(plane, plane), atol=1e-4)


# --- searching -------------------------------------------------------------------------------------------------------


def test_ranks_by_hand():
    scores = torch.tensor([[3.0, 1.0, 2.0], [5.0, 4.0, 4.0], [1.0, 1.0, 1.0]])
    assert retrieval.ranks(scores).tolist() == [1.0, 2.5, 2.0]
    assert retrieval.told(torch.tensor([1.0, 2.0, 4.0, 1.0])) == {"recall at 1": 0.5, "MRR": 0.6875}


def test_tf_idf_by_hand():
    queries, texts = ["red red sea", "unknown"], ["the red sea", "the sea", "the red red house"]
    found = retrieval.tf_idf(queries, texts)
    common, rare = math.log(3 / 2), math.log(3)  # red and sea stand in two of three, the house in one
    third = 4 * common / (math.sqrt(5) * math.hypot(2 * common, rare))
    wanted = [3 / math.sqrt(10), 1 / math.sqrt(5), third]
    assert found[0].tolist() == pytest.approx(wanted, abs=1e-6) and found[1].tolist() == [0, 0, 0]


def test_a_sentences_vector_does_not_depend_on_its_company():
    bert, texts = made_net(), ["a cat.", "it was a long day", "b"]
    for pool in retrieval.POOLS:
        together = retrieval.sentence_vectors(bert, PIECES, texts, pool)
        alone = torch.cat([retrieval.sentence_vectors(bert, PIECES, [text], pool) for text in texts])
        assert together.shape == (3, bert.config.width) and torch.allclose(together, alone, atol=1e-5)
    with pytest.raises(ValueError, match="no pool 'sum'"):
        retrieval.sentence_vectors(bert, PIECES, texts, "sum")


def test_pairs_are_of_different_sentences_and_none_is_in_two_parts(monkeypatch):
    """Of thirty French sentences with one to four English ones each, of which one is everywhere."""
    pairs = [Pair([f"e{f}", f"{e}"] if e else ["common"], [f"f{f}"], []) for f in range(30) for e in range(f % 4 + 1)]
    monkeypatch.setattr(retrieval, "tatoeba", lambda **_: {"train": pairs[::2], "test": pairs[1::2]})
    parts = retrieval.searches(test=2, train=10)
    seen = Counter(text for search in parts.values() for some in search for text in some)
    assert max(seen.values()) == 1 and [len(parts[part].queries) for part in ("test", "train")] == [2, 10]
    of = {" ".join(pair.source): {p.target[0] for p in pairs if p.source == pair.source} for pair in pairs}
    for search in parts.values():
        assert all(of[query] & of[text] for query, text in zip(search.queries, search.texts, strict=True))


def test_reading_both_learns_which_say_the_same():
    """Two texts say the same if they have the same letters; what TF-IDF thinks best is of no use here."""
    letters = "abcdefghijklmnopqrst"
    texts = [f"{a}{b} z" for a, b in zip(letters[::2], letters[1::2], strict=True)]
    search = Search([f"{text[:2]} y" for text in texts], texts)
    torch.manual_seed(0)
    model = retrieval.reader_of_both(RECIPES["smoke"].net().bert, PIECES, search, steps=150)
    assert isinstance(model, Classifier) and not model.training
    before = torch.rand(10, 10)
    after = retrieval.ranked_again(model, PIECES, search, before)
    again = retrieval.reader_of_both(RECIPES["smoke"].net().bert, PIECES, search, steps=2, seed=1)
    assert (after > 1).all() and before.max() <= 1 and not again.training  # all ten are read again
    assert (retrieval.ranks(after) <= 10).all()
