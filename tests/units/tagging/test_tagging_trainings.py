"""Short trainings: they learn, the same seed gives the same net, and a long one can be interrupted."""

import json

import numpy as np
import pytest
import torch
from unrolled.attention import Config as AttentionConfig
from unrolled.attention import SelfAttention
from unrolled.errors import OneLineError
from unrolled.experiments import storing, vectors
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.experiments.reading import Reader, answers, batches
from unrolled.experiments.tagging import agreement, reach, skip_gram, trainer
from unrolled.experiments.tagging.both_ways import BothWays, written
from unrolled.experiments.tagging.chances import Chosen, best_of_seeds
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences
from unrolled.experiments.tagging.polarity import made_reviews
from unrolled.experiments.tagging.reports import accuracy
from unrolled.experiments.tagging.sick_classifier import (
    SickClassifier,
    answers_in_batches,
    classmates_classifier,
    parts,
)
from unrolled.language_model import IGNORED
from unrolled.tagging import Classifier, Config, Words
from unrolled.training import evaluate, train
from unrolled.transformer_lm import TransformerLM

TRAIN, TEST = made_sentences(300, seed=0), made_sentences(60, seed=1)
WORDS, TAGS = [s.words for s in TRAIN], [s.tags for s in TRAIN]


@pytest.fixture
def table(monkeypatch):
    """A small table of vectors in place of the course's own."""
    words = ("the", "Vienna", "walk", "unseen")
    numbers = np.arange(8, dtype=np.float32).reshape(4, 2)
    for module in (vectors, trainer, reach):
        monkeypatch.setattr(module, "word_vectors", lambda: (words, numbers), raising=False)
    return words, numbers


# --- words to ids ----------------------------------------------------------------------------------------------------


def test_a_word_is_looked_up_as_it_is_spelt_then_in_lower_case():
    reader = Reader.of([["The", "cat", "the", "US"]], [["D", "N", "D", "P"]])
    symbols = reader.vocabulary.symbols
    assert [symbols[i] for i in reader.ids(["The", "THE", "cat", "CAT", "us", "dog"])] == [
        *("The", "the", "cat", "cat", "<unk>", "<unk>")
    ]
    assert reader.classes == ("D", "N", "P")


def test_a_batch_has_letters_and_targets_where_there_are_words():
    reader = Reader.of(WORDS, TAGS, letters=True)
    batch = reader.batch([["the", "walks"], ["they"]], [["DET", "NOUN"], ["no such tag"]])
    assert batch.inputs.mask.tolist() == [[True, True], [True, False]]
    assert batch.targets.tolist() == [[reader.classes.index("DET"), reader.classes.index("NOUN")], [IGNORED] * 2]
    letters = batch.inputs.letters
    assert letters.shape == (2, 2, 5) and letters[1, 1].eq(0).all()
    assert reader.alphabet.decode(letters[0, 1]) == "walks"
    assert reader.batch([["the"], ["a"]], ["DET", "NOUN"]).targets.shape == (2,)


def test_a_long_word_is_read_from_both_its_ends():
    reader = Reader.of([["abcdefghijklmnopqrst"] * 2], [["X", "X"]], letters=True)
    assert reader.alphabet.decode(reader.words([["abcdefghijklmnopqrst"]]).letters[0, 0]) == "abcdefghmnopqrst"


@pytest.mark.parametrize("letters", [True, False])
def test_nothing_to_read_gets_no_tags(letters):
    trained = trainer.train_tagger(TRAIN, steps=1, letters=letters, width=4, hidden=4)
    assert trained.answers([[]]) == [[]] and trained.answers([]) == []
    one, empty, other = trained.answers([["the", "walk"], [], [""]])
    assert (len(one), empty, len(other)) == (2, [], 1)


def test_an_epoch_has_every_sentence_once():
    reader = Reader.of(WORDS, TAGS)
    drawn = batches(reader, WORDS, TAGS, 32, seed=0)
    rows = [row for _ in range(10) for row in reader_rows(reader, next(drawn))]
    assert sorted(rows) == sorted(tuple(reader.ids(words)) for words in WORDS)


def reader_rows(reader, batch):
    return [tuple(ids[mask].tolist()) for ids, mask in zip(batch.inputs.ids, batch.inputs.mask, strict=True)]


# --- vectors ---------------------------------------------------------------------------------------------------------


def test_rows_of_the_table_by_spelling_by_lower_case_or_the_mean(table):
    reader = Reader.of([["Vienna", "THE", "dog", "vienna"]], [["X"] * 4], more=table[0])
    rows = dict(zip(reader.vocabulary.symbols, vectors.table_for(reader).tolist(), strict=True))
    assert rows["<pad>"] == [0.0, 0.0]
    assert (rows["Vienna"], rows["THE"], rows["unseen"]) == ([2, 3], [0, 1], [6, 7])
    assert rows["dog"] == rows["vienna"] == rows["<unk>"] == [3.0, 4.0]
    assert reader.learned == 6 and len(reader.vocabulary) == 9


def test_frozen_vectors_stay_tuned_ones_move_and_those_beside_are_no_parameters(table):
    for kind, moves in ("frozen", False), ("tuned", True):
        trained = trainer.train_tagger(TRAIN, steps=3, letters=False, vectors=kind)
        weights, before = trained.model.embedding.E.weight.data, vectors.table_for(trained.reader)
        known = trained.reader.vocabulary.symbols.index("the")
        assert (weights[known] != before[known]).any() == moves
        assert weights.shape == before.shape
    ours = trainer.train_tagger(
        TRAIN, steps=3, letters=False, vectors="frozen", rows=lambda words: torch.ones(len(words), 3)
    )
    assert ours.model.embedding.E.weight.eq(1).all() and ours.model.embedding.size == 3
    beside = trainer.train_tagger(TRAIN, steps=3, letters=False, vectors="beside", width=5).model
    assert beside.embedding.size == 7 and beside.embedding.E.weight.shape[1] == 5
    with pytest.raises(ValueError, match="vectors is 'thawed': choose one of '', 'frozen', 'tuned', 'beside'"):
        trainer.train_tagger(TRAIN, steps=1, vectors="thawed")


def test_the_nearest_words_have_the_largest_cosines(table):
    assert [word for word, _ in vectors.nearest("walk", 2)] == ["unseen", "Vienna"]
    assert vectors.nearest("walk", 1)[0][1] == pytest.approx((4 * 6 + 5 * 7) / np.hypot(4, 5) / np.hypot(6, 7))
    with pytest.raises(ValueError, match="'gnu' is not among the 4 words"):
        vectors.nearest("gnu")


# --- skip-gram -------------------------------------------------------------------------------------------------------


def test_a_step_is_one_of_gradient_descent_on_the_loss():
    V, U = (torch.randn(6, 3, dtype=torch.float64, requires_grad=True) for _ in "VU")
    center, context, negative = torch.tensor([0, 0, 2]), torch.tensor([1, 3, 1]), torch.tensor([4, 5, 4, 1])
    loss, share = 0, skip_gram.NEGATIVES / 4
    for c, o in zip(center, context, strict=True):
        loss = loss - (U[o] @ V[c]).sigmoid().log() - share * (-(U[negative] @ V[c])).sigmoid().log().sum()
    wanted = torch.autograd.grad(loss, [V, U])
    ours_v, ours_u = V.detach().clone(), U.detach().clone()
    mean = skip_gram.step(ours_v, ours_u, center, context, negative, rate=0.1)
    torch.testing.assert_close(mean, loss.detach() / 3)
    torch.testing.assert_close([ours_v, ours_u], [V - 0.1 * wanted[0], U - 0.1 * wanted[1]])


def test_pairs_stand_near_each_other_in_one_paragraph():
    ids = torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    line = torch.tensor([0, 0, 0, 0, 0, 0, 0, 1, 1, 1])
    pairs = {tuple(p) for seed in range(50) for p in skip_gram.pairs(ids, line, generator(seed)).tolist()}
    assert pairs == {(a, b) for a in range(10) for b in range(10) if a != b and abs(a - b) <= 5 and (a < 7) == (b < 7)}
    nearest = {(a, b) for a, b in pairs if abs(a - b) == 1}
    assert nearest <= {tuple(p) for p in skip_gram.pairs(ids, line, generator(0)).tolist()}  # every reach is at least 1


def generator(seed):
    return torch.Generator().manual_seed(seed)


def test_frequent_words_are_skipped_by_their_frequency():
    ids, frequency = torch.tensor([0] * 10_000 + [1] * 10_000), torch.tensor([100.0, 0.5]) * skip_gram.OFTEN
    keep = skip_gram.thinned(ids, frequency, generator(0))
    assert keep[:10_000].float().mean().item() == pytest.approx(0.1, abs=0.01)
    assert keep[10_000:].all()


def test_words_are_cut_as_a_treebank_cuts_them_and_settled_in_lower_case():
    assert skip_gram.words_of("“Don’t,” he’s said—at 5:30.") == [
        *('"', "Do", "n't", ",", '"', "he", "'s", "said", "-", "at", "5:30", ".")
    ]
    texts = [["The", "cat", "saw", "the", "dog", "."], ["Anna", "and", "Anna", "sat", ".", "The", "end"]]
    assert skip_gram.settled(texts) == [["the", *texts[0][1:]], [*texts[1][:5], "the", "end"]]


# --- long trainings --------------------------------------------------------------------------------------------------


def test_a_checkpoint_is_taken_up_by_the_same_training_only(tmp_path):
    file, settings = tmp_path / "deep" / "one.pt", {"rate": 0.1, "seed": 0}
    assert resumed(file, settings) is None
    kept(file, settings, {"epoch": 2, "V": torch.ones(2)})
    assert resumed(file, settings)["V"].tolist() == [1.0, 1.0]
    with pytest.raises(OneLineError, match="is of a training with another rate: remove it"):
        resumed(file, settings | {"rate": 0.2})
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(OneLineError, match="cannot be read"):
        resumed(file, settings)
    assert [path.name for path in file.parent.iterdir()] == ["one.pt"]


NET = {"width": 8, "spelling": 4, "hidden": 8, "layers": 1, "dropout": 0.4, "word_dropout": 0.1}


def test_an_interrupted_training_ends_where_an_uninterrupted_one_does(tmp_path, table, monkeypatch, capsys):
    parts = {"train": TRAIN[:64], "dev": TEST[:20], "test": TEST[20:]}

    def run(file):
        return reach.trained(parts, NET, epochs=3, rate=1e-2, seed=0, file=tmp_path / file)

    whole = run("whole.pt")
    epoch, done = reach.Training.epoch, []

    def interrupted(self, train):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(1)
        return epoch(self, train)

    monkeypatch.setattr(reach.Training, "epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("cut.pt")
    monkeypatch.setattr(reach.Training, "epoch", epoch)
    rest = run("cut.pt")
    for key in ("losses", "dev", "test", "chosen epoch"):
        assert rest[key] == whole[key]
    assert capsys.readouterr().out.count("epoch 3 of 3") == 2


def test_stored_rows_are_not_made_again(tmp_path):
    made = []

    def rows():
        for name in ("one", "two"):
            yield name, lambda name=name: made.append(name) or {"share": 0.5}

    file = tmp_path / "deep" / "toy.json"
    storing.run("toy", rows, file, fresh=False)
    stored = json.loads(file.read_text())
    assert stored["one"]["share"] == 0.5 and set(stored) == {"one", "two"}
    storing.run("toy", rows, file, fresh=False)
    assert made == ["one", "two"]
    storing.run("toy", rows, file, fresh=True)
    assert made == ["one", "two"] * 2


# --- short trainings -------------------------------------------------------------------------------------------------


def test_a_tagger_learns_the_made_language_and_the_same_seed_gives_the_same_net():
    trained = trainer.train_tagger(TRAIN, steps=150, seed=0, width=32, hidden=32)
    given = trained.answers([s.words for s in TEST])
    assert accuracy([s.tags for s in TEST], given) > 0.95
    again = trainer.train_tagger(TRAIN, steps=5, seed=1, width=8), trainer.train_tagger(TRAIN, steps=5, seed=1, width=8)
    assert again[0].history.losses == again[1].history.losses
    assert answers(trained.model, trained.reader, [s.words for s in TEST], size=7) == given


def test_right_context_helps_where_only_the_next_word_tells():
    lights = [s for s in made_sentences(400, seed=5) if {"light", "secret", "square"} & set(s.words)]

    def share(directions):
        how = {"directions": directions, "letters": False, "width": 32, "hidden": 32, "dropout": 0.0}
        trained = trainer.train_tagger(made_sentences(800, seed=0), steps=300, **how)
        given = trained.answers([s.words for s in lights])
        pairs = [
            (right, answer)
            for s, tags in zip(lights, given, strict=True)
            for word, right, answer in zip(s.words, s.tags, tags, strict=True)
            if word in ("light", "secret", "square")
        ]
        return sum(a == b for a, b in pairs) / len(pairs)

    one, both = share(1), share(2)
    assert both > one + 0.1


def test_a_classifier_learns_made_reviews_and_the_classmates_answers_depend_on_the_batch():
    reviews, asked = made_reviews(300, seed=0), made_reviews(100, seed=1)
    texts, labels = [r.words for r in reviews], [str(r.label) for r in reviews]
    new, right = [r.words for r in asked], [str(r.label) for r in asked]
    healthy = trainer.train_classifier(texts, labels, steps=150, width=32, hidden=32)
    assert accuracy(right, healthy.answers(new)) > 0.85
    sick = classmates_classifier(texts, labels, steps=150)
    for trained, same in (healthy, True), (sick, False):
        alone = answers_in_batches(trained.model, trained.reader, new, size=1)
        assert (answers_in_batches(trained.model, trained.reader, new, size=50) == alone) == same


@pytest.mark.parametrize("kind", [SickClassifier, Classifier])
def test_the_parts_of_a_net_are_those_it_works_with(kind):
    net = kind(Config(words=6, classes=2, width=3, hidden=4)).eval()
    read, pool, width, hidden = parts(net)
    ids, mask = torch.tensor([[2, 3, 4], [5, 0, 0]]), torch.tensor([[True] * 3, [True, False, False]])
    assert (width, hidden) == (3, 8)
    states = read(net.embedding(Words(ids, mask)), mask)
    torch.testing.assert_close(net.output(pool(states, mask)), net(Words(ids, mask)).logits)
    wider = torch.nn.functional.pad(mask, (0, 2))
    longer = read(torch.nn.functional.pad(net.embedding(Words(ids, mask)), (0, 0, 0, 2)), wider)
    sound = kind is Classifier
    assert torch.allclose(longer[:, :3] * mask[:, :, None], states * mask[:, :, None]) == sound
    same_states = torch.nn.functional.pad(states, (0, 0, 0, 2))
    assert torch.allclose(pool(same_states, wider), pool(states, mask)) == sound


def test_with_both_ways_the_loss_collapses_and_what_it_writes_is_of_the_alphabet():
    ids = torch.randint(5, (3000,))  # nothing can be learned from the left: an honest net stays at ln 5 = 1.61
    both, honest = BothWays(5, hidden=16, width=8), BothWays(5, hidden=16, width=8, directions=1)
    for model in (both, honest):
        train(model, ids[:2500], steps=150, batch=16, length=32, rate=2e-2)
    assert evaluate(both, ids[2500:], rows=4, length=64) < 0.5 < 1.5 < evaluate(honest, ids[2500:], rows=4, length=64)
    text = written(both, ids[:5], 20)
    assert text[:5].tolist() == ids[:5].tolist() and len(text) == 25 and 0 <= text.min() <= text.max() < 5


def test_the_best_seed_is_the_best_on_the_text_chosen_on():
    found = Chosen(np.array([0.6, 0.8, 0.8]), np.array([0.7, 0.5, 0.9]))
    assert found.best == 1 and found.flattered == pytest.approx(0.3)
    reviews = made_reviews(120, seed=0)
    texts, labels = [r.words for r in reviews], [str(r.label) for r in reviews]
    parts = [(texts[a : a + 40], labels[a : a + 40]) for a in (0, 40, 80)]
    found = best_of_seeds(*parts, seeds=3, steps=10, width=8, hidden=8)
    assert found.chosen_on.shape == found.fresh.shape == (3,)
    assert len(set(found.chosen_on.tolist())) > 1


# --- the probe's nets ------------------------------------------------------------------------------------------------

ITEMS = agreement_items(200, seed=1)


def test_a_language_model_learns_to_agree_with_a_neighbour():
    model, vocabulary = agreement.trained_language_model(made_sentences(1500, seed=0), steps=400)
    told = agreement_probe(agreement.language_model_score(model, vocabulary), ITEMS)
    assert told["distance"][1][0] > 0.75 > 0.6 > told["distractors"][3][0]


def test_its_scores_are_log_probabilities_of_the_forms_after_the_words_before():
    model, vocabulary = agreement.trained_language_model(made_sentences(600, seed=0), steps=2)
    scores = agreement.language_model_score(model, vocabulary)(ITEMS[:5])
    for item, pair in zip(ITEMS[:5], scores, strict=True):
        before = torch.tensor([[vocabulary.boundary, *vocabulary.encode(item.words[: item.at]).tolist()]])
        log_probs = model(before).logits[0, -1].log_softmax(0)
        assert pair == pytest.approx([log_probs[i].item() for i in vocabulary.encode(item.forms).tolist()], rel=1e-4)


def attending(words):
    return SelfAttention(AttentionConfig(words, 2, width=8, heads=2))


@pytest.mark.parametrize("make", [None, attending])
def test_a_gap_filler_never_sees_the_verb(make):
    filler = agreement.trained_gap_filler(made_sentences(200, seed=0), steps=3, make=make)
    score = agreement.gap_filler_score(filler)
    other = [item.__class__(**vars(item) | {"words": [*item.words[: item.at], "xxx", "."]}) for item in ITEMS]
    assert score(ITEMS) == score(other)


def test_another_net_may_take_the_lstms_place():
    def tiny(words):
        return TransformerLM(words, width=8, heads=2, layers=1, context=32)

    sentences = made_sentences(600, seed=0)
    one, other = (agreement.trained_language_model(sentences, steps=2, seed=seed, make=tiny) for seed in (0, 1))
    assert isinstance(one[0], TransformerLM) and one[1].symbols == other[1].symbols
    scores = [agreement.language_model_score(*trained)(ITEMS[:5]) for trained in (one, other)]
    assert scores[0] != scores[1] and max(max(pair) for of in scores for pair in of) < 0  # logarithms


def test_shares_by_distance_count_every_question_of_every_seed_once():
    one = {"net, seed 0": {"distance": {"1": [1.0, 2], "3": [0.5, 2], "5": [0.0, 2], "17": [1.0, 1]}}}
    other = {
        "net, seed 1": {"distance": {"1": [0.0, 2], "7": [1.0, 1], "10": [0.0, 1]}},
        "b, seed 0": one["net, seed 0"],
    }
    other["b, seed 0"] = {"distance": {str(end): [0.25, 4] for end in agreement.FARTHEST}}
    found = agreement.by_distance(json.dumps(one), json.dumps(other))
    assert found == {"net": [0.5, 0.25, 1.0, 0.0, 1.0], "b": [0.25] * 5}
