"""Symbols to numbers and back."""

import pytest
import torch
from unrolled.vocabulary import Vocabulary


def test_characters_are_sorted_and_come_back():
    letters = Vocabulary.of("banana bread")
    assert letters.symbols == [" ", "a", "b", "d", "e", "n", "r"]
    assert letters.encode("bad").tolist() == [2, 1, 3]
    assert letters.encode("bad").dtype == torch.int64
    assert letters.decode(letters.encode("a bread")) == "a bread"
    assert (letters.boundary, letters.unknown) == (None, None)


def test_specials_come_first_and_rare_words_become_unknown():
    words = Vocabulary.of(
        ["the", "cat", "saw", "the", "dog", "saw", "the"], minimum_count=2, boundary="</s>", unknown="<unk>"
    )
    assert words.symbols == ["</s>", "<unk>", "saw", "the"]
    assert (words.boundary, words.unknown) == (0, 1)
    assert words.encode(["the", "zebra", "saw"]).tolist() == [3, 1, 2]
    assert words.decode(torch.tensor([3, 1, 2]), separator=" ") == "the <unk> saw"


def test_an_unknown_written_in_the_text_is_the_unknown():
    words = Vocabulary.of(["a", "<unk>", "b"], unknown="<unk>")
    assert words.symbols == ["<unk>", "a", "b"]


def test_nothing_encodes_to_nothing():
    ids = Vocabulary("ab").encode("")
    assert (ids.tolist(), ids.dtype, ids.shape) == ([], torch.int64, (0,))


def test_a_vocabulary_takes_its_symbols_in_the_order_given_and_each_once():
    assert Vocabulary("cabca").symbols == ["c", "a", "b"]
    assert repr(Vocabulary("cab")) == "Vocabulary(3 symbols)"


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Vocabulary.of(""), "the text is empty"),
        (lambda: Vocabulary.of("ab", minimum_count=2, unknown="?"), "minimum_count is above every count"),
        (lambda: Vocabulary.of("aab", minimum_count=2), "give them a stand-in"),
        (lambda: Vocabulary.of("a.b", boundary="."), "the boundary '.' has another meaning"),
        (lambda: Vocabulary.of("ab", boundary="?", unknown="?"), "the boundary '?' has another meaning"),
        (lambda: Vocabulary("ab").encode("abcd"), "'c' is not in the vocabulary"),
        (lambda: Vocabulary("ab").decode([0, 2]), "id 2 is out of range: this vocabulary has ids 0 to 1"),
        (lambda: Vocabulary("ab").decode([-1]), "id -1 is out of range"),
    ],
)
def test_bad_input_gets_one_clear_line(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
