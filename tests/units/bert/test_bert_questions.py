"""Questions that are answered by a span: asked, aimed at, found and counted."""

import pytest
import torch
from unrolled.bert import Bert, BertConfig
from unrolled.experiments.bert.questions import (
    Question,
    answers,
    batches,
    best,
    learned,
    measured,
    overlap,
    questions,
    scored,
    target,
)
from unrolled.experiments.tagging.snips import Utterance, made_utterances
from unrolled.wordpiece import SPECIALS, WordPiece

REQUESTS = [
    Utterance(["book", "two", "in", "new", "york"], ["O", "B-party_size", "O", "B-city", "I-city"], "Book"),
    Utterance(["one", "or", "two"], ["B-party_size", "O", "B-party_size"], "Book"),  # twice: which one is meant?
    Utterance(["hello"], ["O"], "Book"),
    Utterance(["go"], ["B-timeRange"], "Book"),
]
PIECES = WordPiece(
    [*SPECIALS, "book", "two", "in", "new", "yo", "##rk", "or", "city", "party", "size", "time", "?", "go"]
)


def test_one_slot_that_is_there_and_one_that_is_not():
    asked = questions(REQUESTS, PIECES, seed=0)
    assert [one.words[0] for one in asked] == ["book", "book", "go", "go"]
    for yes, no in (asked[:2], asked[2:]):
        assert yes.answer is not None and no.answer is None and yes.name != no.name
    assert asked[0].answer == {"city": (3, 5), "party_size": (1, 2)}[asked[0].name]
    assert asked[1].name == "timeRange" and asked[2].answer == (0, 1)


def test_the_question_is_the_slot_s_name_in_words():
    asked = questions(REQUESTS, PIECES, seed=0)
    (time,) = [one for one in asked if one.name == "timeRange" and one.answer]
    spelt = [PIECES.pieces[i] for i in time.item.ids]
    assert spelt == ["[CLS]", "time", "[UNK]", "?", "[SEP]", "go", "[SEP]"]
    assert time.item.segments == [0] * 5 + [1] * 2


def city(longest=128):
    chosen = (questions(REQUESTS, PIECES, seed, longest) for seed in range(20))
    return next(one for asked in chosen for one in asked if one.name == "city" and one.answer)


def test_the_target_is_the_first_and_the_last_piece_and_cls_for_none():
    # [CLS] city ? [SEP] book two in new yo ##rk [SEP]
    assert target(city()) == (7, 9)
    assert target(city(longest=10)) == (7, 8)  # "##rk" is cut away: what is left of the last word ends the answer
    assert target(city(longest=9)) == (0, 0)  # the last word is cut away
    assert target(questions(REQUESTS, PIECES, 0)[1]) == (0, 0)


def test_the_best_span_begins_before_it_ends_and_lies_in_the_passage():
    of = (-1, -1, -1, 0, 1, 1, 2, -1)
    logits = torch.zeros(2, 10)  # two pads
    logits[0, 6], logits[1, 3] = 5.0, 5.0  # the wrong way round: 6 to 3
    logits[:, 1] = 9.0  # in the question
    logits[:, 8:] = -torch.inf
    logits[0, 4], logits[1, 5] = 3.0, 3.5
    assert best(logits, of) == (1, 2)
    logits[:, 0] = 3.25
    assert best(logits, of) is None  # no more than no answer
    logits[:, 0] = 3.2
    assert best(logits, of) == (1, 2)


def test_overlap_by_hand():
    assert overlap((1, 4), (2, 5)) == pytest.approx(2 / 3)  # two words of three, of both
    assert overlap((1, 2), (2, 3)) == 0.0 and overlap((1, 5), (1, 2)) == pytest.approx(0.4)
    assert overlap(None, None) == 1.0 and overlap(None, (0, 1)) == overlap((0, 1), None) == 0.0


def test_scores_by_hand():
    asked = [Question("x", [], answer, None) for answer in ((0, 2), (1, 2), None, None)]
    found = scored(asked, [(0, 1), (1, 2), None, (0, 1)])
    assert found.exact == 0.5 and found.f1 == round((2 / 3 + 1 + 1 + 0) / 4, 4)
    assert found.exact_of_answered == 0.5 and found.f1_of_answered == round((2 / 3 + 1) / 2, 4)
    assert found.none == 0.5 and found.none_of_answered == 0.0
    assert scored(asked, [None, (1, 2), None, None]).none_of_answered == 0.5


def test_made_requests_are_learned_and_the_net_stays():
    torch.manual_seed(0)
    requests = made_utterances(150, 0)
    own = sorted({word for one in requests for word in one.words} | {"?"})
    pieces = WordPiece([*SPECIALS, *own, "track", "artist", "city", "object", "name", "rating", "value"])
    asked = questions(requests, pieces, seed=0)
    bert = Bert(BertConfig(len(pieces), 32, 2, 2, 64, 48, dropout=0.0))
    before = bert.embeddings.pieces.weight.clone()
    finder = learned(bert, asked, pieces, steps=400, rate=4e-3)
    assert torch.equal(before, bert.embeddings.pieces.weight)
    assert len(answers(finder, pieces, asked, size=7)) == len(asked)
    assert measured(finder, pieces, asked).exact > 0.85
    assert len(next(batches(asked, pieces, 8, 0)).targets) == 8
