"""The one-way model sees nothing of what comes, and is asked what BERT is asked."""

from dataclasses import replace

import pytest
import torch
from unrolled.bert import Pieces
from unrolled.experiments.bert import one_way
from unrolled.experiments.bert.books import Corpus, Encoded
from unrolled.experiments.bert.finetuning import Task, score
from unrolled.experiments.bert.heldout import Heldout
from unrolled.experiments.bert.pretrain import endless
from unrolled.experiments.bert.reading import Reader
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.language_model import IGNORED
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, *(f"w{i}" for i in range(195))])
RECIPE = replace(RECIPES["smoke"], pieces=200)


def made_corpus():
    """Sentences that count upwards: whoever knows a piece knows the next."""
    chance = torch.Generator().manual_seed(0)
    starts = torch.randint(5, 180, (24, 30), generator=chance).tolist()
    documents = [Encoded(list(range(at, at + 6)) for at in row) for row in starts]
    return Corpus(documents[:20], documents[20:], "made")


def made_model(seed=0):
    torch.manual_seed(seed)
    return one_way.OneWay(RECIPE.config()).eval()


def test_nobody_sees_what_comes():
    model, ids = made_model(), torch.randint(5, 200, (3, 9))
    other = ids.clone()
    other[:, 5:] = torch.randint(5, 200, (3, 4))
    said, anew = (model(Pieces.of(part.tolist())).logits for part in (ids, other))
    assert torch.allclose(said[:, :5], anew[:, :5], atol=1e-6) and not torch.allclose(said[:, 5], anew[:, 5])
    alone = model(Pieces.of([ids[0, :4].tolist()])).logits
    assert torch.allclose(alone[0], said[0, :4], atol=1e-5)  # pads or pieces behind: no matter


def test_what_was_hidden_is_put_back_and_is_asked_one_place_earlier():
    corpus = made_corpus()
    batch = next(endless(corpus.train, PIECES, RECIPE))
    told = one_way.whole(batch)
    assert PIECES.mask in batch.pieces.ids and PIECES.mask not in told.pieces.ids
    lengths = batch.pieces.mask.sum(1)
    for row, n in enumerate(lengths.tolist()):
        assert told.following[row, : n - 1].tolist() == told.pieces.ids[row, 1:n].tolist()
        assert (told.following[row, n - 1 :] == IGNORED).all()
        chosen = (batch.targets[row] != IGNORED).nonzero()[:, 0]
        assert torch.equal((told.hidden[row] != IGNORED).nonzero()[:, 0], chosen - 1)
        assert torch.equal(told.hidden[row, chosen - 1], told.following[row, chosen - 1])


def test_it_learns_what_follows_and_goes_on():
    corpus = made_corpus()
    recipe = replace(RECIPE, width=32, steps=400, rate=1e-2, warmup=20, batch=16)
    model = one_way.one_way(corpus, PIECES, recipe)
    heldout = Heldout.of(corpus, PIECES, recipe)
    found = one_way.measured(model, heldout.batches)
    assert found["next piece"] < 3.0 < heldout.unigram  # a sentence's beginning cannot be known, the rest can
    said = one_way.goes_on(model, PIECES, "", 5, seed=1)
    assert said == one_way.goes_on(model, PIECES, "", 5, seed=1) and len(said.split()) == 5
    assert len(one_way.goes_on(model, PIECES, "", 500).split()) == recipe.longest - 1


@pytest.mark.parametrize("of_words", [False, True])
def test_a_task_is_read_from_what_has_seen_it(of_words):
    """A text's class is its first piece, which the last one has to look back for; a word's tag is that word's."""
    chance = torch.Generator().manual_seed(0)
    texts = [[f"w{i}" for i in row] for row in torch.randint(4, (80, 5), generator=chance).tolist()]
    reader = Reader(PIECES, ("w0", "w1", "w2", "w3"))
    items = [reader.words(words) for words in texts]
    labels = texts if of_words else [words[0] for words in texts]
    task = Task(
        "made", reader, dict.fromkeys(("train", "dev", "test"), items), dict.fromkeys(("train", "test"), labels)
    )
    model = made_model()
    kept = [parameter.clone() for parameter in model.parameters()]
    assert score(one_way.tuned_one_way(model, task, steps=200, rate=3e-3), task) > 0.9  # a tiny net, larger steps
    assert all(torch.equal(*pair) for pair in zip(kept, model.parameters(), strict=True))
