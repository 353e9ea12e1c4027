"""The experiments' parts: books as documents, SNLI, the pre-training and how it goes on after an interruption."""

import itertools
import json
import math
from collections import Counter
from dataclasses import replace

import pytest
import torch
from unrolled.data import DataError
from unrolled.experiments.bert import books, pieces_list, snli
from unrolled.experiments.bert.books import Corpus, Encoded, sentences
from unrolled.experiments.bert.heldout import Heldout, measured
from unrolled.experiments.bert.pretrain import endless, pretrain
from unrolled.experiments.bert.recipes import RECIPES, Recipe
from unrolled.experiments.checkpoints import CheckpointError
from unrolled.language_model import IGNORED
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, *(f"w{i}" for i in range(195))])


@pytest.fixture(autouse=True)
def said_anew():
    from unrolled.data import places

    places.say_once.cache_clear()
    yield
    places.say_once.cache_clear()


def made_corpus(seed=0, documents=24):
    """Documents of which each has pieces of its own, so that a passage from elsewhere can be told."""
    torch.manual_seed(seed)
    found = []
    for i in range(documents):
        own = 5 + 8 * i
        found.append(Encoded((own + torch.randint(8, (int(torch.randint(2, 9, ())),))).tolist() for _ in range(40)))
    return Corpus(found[:20], found[20:], "made")


# --- books -----------------------------------------------------------------------------------------------------------


def test_sentences_end_where_they_end():
    text = "“Call me Ishmael.” Some years ago! he said, never mind. Is it? Yes.)  It is… so. "
    found = ["“Call me Ishmael.”", "Some years ago! he said, never mind.", "Is it?", "Yes.)", "It is… so."]
    assert [sentence.strip() for sentence in sentences(text)] == found
    assert sentences("  ") == [] and sentences("no end") == ["no end"]


def test_a_document_is_its_sentences():
    given = [[5, 6], [], [7], [65_535, 8, 9]]
    document = Encoded(given)
    assert len(document) == 4 and list(document) == given and document[1:3] == [[], [7]] and document[-1] == given[-1]
    assert all(isinstance(i, int) for i in document[3])
    with pytest.raises(IndexError):
        document[4]


def test_chapters_become_documents_and_every_twentieth_is_held_out(monkeypatch):
    text = "\n\n".join(f"Chapter number {i}. It ends here.\nA paragraph." for i in range(45))
    monkeypatch.setattr(books.data, "load", lambda *_: text)
    monkeypatch.setattr(
        books, "data_set", lambda _: type("Set", (), {"files": [type("F", (), {"name": "x"})], "title": "T"})
    )
    letters = WordPiece(
        [*SPECIALS, *(mark + c for c in "abcdefghijklmnopqrstuvwxyz0123456789." for mark in ("", "##"))]
    )
    corpus = books.books(letters)
    assert (len(corpus.train), len(corpus.heldout), corpus.title) == (43, 2, "T")
    found = [letters.decode(ids) for ids in corpus.heldout[0]]
    assert found == ["chapter number 19 .", "it ends here .", "a paragraph ."]
    counts = books.word_counts()
    assert counts["chapter"] == 43 and counts["19"] == counts["39"] == 0 and counts["18"] == 1
    assert len(books.books(letters, most=9).train) == 9


def test_without_the_books_shakespeare_stands_in_and_one_line_says_so(monkeypatch, capsys):
    whole = books.data.load

    def missing(name, *file):
        if name == "books":
            raise DataError("made by hand")
        return whole(name, *file)

    monkeypatch.setattr(books.data, "load", missing)
    chapters, title = books.chapters()
    told = [line for line in capsys.readouterr().out.splitlines() if "Shakespeare stands in" in line]
    assert len(told) == 1 and title.startswith("a stand-in for the books")
    assert len(chapters) > 100 and all(len(chapter) > 5 for chapter in chapters[:-1])


def test_a_list_says_how_many_pieces_a_word_takes():
    pieces = WordPiece([*SPECIALS, "a", "##b", "##c"])
    assert pieces_list.fertility(pieces, Counter({"a": 2, "abc": 1, "x": 1})) == {"pieces a word": 1.5, "unknown": 0.25}


# --- SNLI ------------------------------------------------------------------------------------------------------------


def test_the_pairs_are_as_many_as_published_and_no_caption_is_in_two_parts():
    try:
        parts = snli.snli(stand_in=False)
    except DataError as problem:
        pytest.skip(str(problem))
    assert {part: len(found) for part, found in parts.items()} == {"train": 8840, "dev": 981, "test": 9842}
    assert Counter(pair.label for pair in parts["test"]) == {"entailment": 3329, "neutral": 3235, "contradiction": 3278}
    captions = {part: {pair.first for pair in found} for part, found in parts.items()}
    assert all(not captions[one] & captions[other] for one, other in itertools.combinations(captions, 2))
    assert snli.snli(seed=1)["train"] != parts["train"] == snli.snli()["train"]


def test_without_snli_made_pairs_stand_in_and_one_line_says_so(monkeypatch, capsys):
    def missing(*_):
        raise DataError("no network")

    monkeypatch.setattr(snli, "load", missing)
    parts = snli.snli()
    assert capsys.readouterr().out.startswith("SNLI cannot be had") and snli.snli() == parts
    assert {part: len(found) for part, found in parts.items()} == {"train": 1500, "dev": 200, "test": 200}
    assert {pair.label for pair in parts["dev"]} == set(snli.LABELS)
    with pytest.raises(DataError, match="no network"):
        snli.snli(stand_in=False)


# --- pre-training ----------------------------------------------------------------------------------------------------


def test_a_recipe_rises_stays_and_falls():
    recipe = Recipe(rate=2.0, warmup=4, steps=20, fall=0.25)
    rates = [recipe.at(step) for step in range(20)]
    assert rates[:4] == [0.5, 1.0, 1.5, 2.0] and set(rates[4:16]) == {2.0}
    assert rates[15:] == pytest.approx([2.0, 1.6, 1.2, 0.8, 0.4])
    assert Recipe(steps=10_000).at(3000) == Recipe(steps=90_000).at(3000)  # while it is level, the end is open


@pytest.mark.parametrize("scale, least, most", [("cpu", 1e6, 2e6), ("gpu", 6e6, 8e6)])
def test_the_nets_have_the_size_they_should(scale, least, most):
    with torch.device("meta"):
        assert least < sum(p.numel() for p in RECIPES[scale].net().parameters()) < most


def test_batches_go_on_pass_after_pass_and_another_step_begins_elsewhere():
    corpus, recipe = made_corpus(), replace(RECIPES["smoke"], documents=5)
    some = list(itertools.islice(endless(corpus.train, PIECES, recipe), 120))
    again = list(itertools.islice(endless(corpus.train, PIECES, recipe), 120))
    assert all(torch.equal(a.pieces.ids, b.pieces.ids) for a, b in zip(some, again, strict=True))
    other = next(endless(corpus.train, PIECES, recipe, step=40))
    assert not torch.equal(other.pieces.ids, some[0].pieces.ids) and len(some) == 120


def test_lengths_take_turns_with_as_many_pieces_each():
    corpus = made_corpus()
    recipe = replace(RECIPES["smoke"], length=32, shorter=(16, 8), batch=2, documents=5)
    shapes = [tuple(batch.pieces.ids.shape) for batch in itertools.islice(endless(corpus.train, PIECES, recipe), 60)]
    for at, (rows, longest) in enumerate(((2, 32), (4, 16), (8, 8))):
        of = shapes[at::3]
        assert all(b <= rows and n <= longest for b, n in of) and (rows, longest) in of
    alone = next(endless(corpus.train, PIECES, replace(recipe, shorter=())))
    assert torch.equal(next(endless(corpus.train, PIECES, recipe)).pieces.ids, alone.pieces.ids)


def test_what_is_held_out_is_measured_beside_what_knows_no_context():
    corpus, recipe = made_corpus(), RECIPES["smoke"]
    heldout = Heldout.of(corpus, PIECES, recipe)
    counts = torch.ones(200)
    for document in corpus.train:
        for sentence in document:
            counts += torch.bincount(torch.tensor(sentence), minlength=200)
    hidden = torch.cat([b.targets[b.targets != IGNORED] for b in heldout.batches])
    assert heldout.unigram == pytest.approx(-(counts / counts.sum()).log()[hidden].mean().item(), rel=1e-5)
    model = recipe.net().train()
    found = measured(model, heldout)
    assert model.training and found["unigram"] == heldout.unigram
    flat = [(b, model.eval()(*b)) for b in heldout.batches]
    n = sum(len(losses.masked_logits) for _, losses in flat)
    wanted = sum(losses.masked.item() * len(losses.masked_logits) for _, losses in flat) / n
    assert found["masked"] == pytest.approx(wanted, rel=1e-5)
    right = sum((losses.following_logits.argmax(1) == b.elsewhere).sum().item() for b, losses in flat)
    assert found["following right"] == pytest.approx(right / sum(len(b.elsewhere) for b, _ in flat))


def test_a_small_net_learns_both(tmp_path):
    """Pieces of a document are its own: who reads both ways knows eight candidates, and sees what is from elsewhere."""
    corpus = made_corpus(documents=24)
    corpus = Corpus(corpus.train[:6], corpus.train[:6], "made")
    recipe = Recipe(200, 64, 2, 1, 32, length=24, batch=32, steps=250, rate=5e-3, warmup=20, documents=6, every=125)
    done = pretrain(corpus, PIECES, recipe, tmp_path)
    found = done.log[-1]["heldout"]
    assert found["unigram"] > 3.8 and found["masked"] < math.log(8) + 0.3  # nobody can know which of the eight
    assert found["following right"] > 0.75
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines == done.log and [line["step"] for line in lines] == [125, 250]
    assert not done.model.training


def test_a_training_goes_on_also_with_more_steps_and_not_with_another_net(tmp_path):
    corpus, recipe = made_corpus(), RECIPES["smoke"]
    first = pretrain(corpus, PIECES, recipe, tmp_path)
    assert first.step == 6
    same = pretrain(corpus, PIECES, recipe, tmp_path)
    assert same.step == 6 and same.log == first.log
    assert all(torch.equal(a, b) for a, b in zip(same.model.parameters(), first.model.parameters(), strict=True))
    more = pretrain(corpus, PIECES, replace(recipe, steps=9, length=20), tmp_path)
    assert [line["step"] for line in more.log] == [3, 6, 9] and more.log[:2] == first.log
    assert more.seconds >= first.seconds
    with pytest.raises(CheckpointError, match="another width"):
        pretrain(corpus, PIECES, replace(recipe, width=8), tmp_path)


def test_a_seed_repeats_a_training():
    corpus = made_corpus()
    one, other = (pretrain(corpus, PIECES, RECIPES["smoke"]) for _ in range(2))
    assert [line["heldout"] for line in one.log] == [line["heldout"] for line in other.log]


def test_the_large_recipe_takes_a_step_here_too(tmp_path):
    """Its net and its settings, but for a batch of two pairs of 32 pieces and two steps."""
    recipe = replace(RECIPES["gpu"], pieces=200, length=32, batch=2, steps=2, documents=4)
    done = pretrain(made_corpus(), PIECES, recipe, tmp_path)
    assert done.step == 2 and done.model.bert.config.layers == 6 and math.isfinite(done.log[-1]["heldout"]["masked"])


@pytest.mark.gpu
def test_on_cuda_it_trains_in_bfloat16(tmp_path):
    done = pretrain(made_corpus(), PIECES, RECIPES["smoke"], tmp_path)
    assert done.model.bert.device.type == "cuda" and done.log[-1]["heldout"]["masked"] < 6
