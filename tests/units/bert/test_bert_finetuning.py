"""Fine-tuning: tasks, a start from what was learned or from nothing, and what is counted."""

import copy
from hashlib import sha256
from types import SimpleNamespace

import pytest
import torch
from unrolled.bert import Bert, BertConfig, Classifier, Tagger
from unrolled.experiments.bert import finetuning, minilm
from unrolled.experiments.bert.finetuning import Task, Tuned, answers, commonest, drawn, score, start, task, tuned
from unrolled.experiments.bert.reading import Reader
from unrolled.experiments.tagging.grammar import Sentence
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, "good", "bad", "film", "is", "un", "##re", "##al", "a", "?"])
CONFIG = BertConfig(len(PIECES), 16, 2, 1, 32, 16, dropout=0.0)


@pytest.fixture
def bert():
    torch.manual_seed(0)
    return Bert(CONFIG)


def films(n=60):
    reader = Reader(PIECES, ("no", "yes"), 16)
    texts = [f"{'a ' * (i % 5)}film is {'good' if i % 3 else 'bad'}" for i in range(n)]
    items, labels = [reader.text(text) for text in texts], ["yes" if "good" in text else "no" for text in texts]
    return Task("films", reader, dict.fromkeys(finetuning.PARTS, items), dict.fromkeys(finetuning.PARTS, labels))


def words(name="parts of speech", longest=16):
    reader = Reader(PIECES, ("B-x", "I-x", "O"), longest)
    sentences = [["a", "unreal", "film"], ["film", "unreal"], ["a"]]
    tags = [["O", "B-x", "I-x"], ["O", "B-x"], ["O"]]
    items = [reader.words(sentence) for sentence in sentences]
    return Task(name, reader, dict.fromkeys(finetuning.PARTS, items), dict.fromkeys(finetuning.PARTS, tags))


def same(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


@pytest.fixture
def offline(monkeypatch, tmp_path):
    for name in ("UNROLLED_DATA", "UNROLLED_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))


def test_the_net_stays_as_it_was_and_its_copy_learns(bert):
    before = copy.deepcopy(bert)
    net = tuned(bert, films(), steps=60, rate=1e-2, dropout=0.0)
    assert same(bert, before) and not same(net.model.bert, bert)
    assert isinstance(net.model, Classifier) and len(net.losses) == 60
    assert score(net, films()) == 1.0


def test_a_fresh_start_has_the_settings_and_the_seed_s_numbers_alone(bert):
    other = copy.deepcopy(bert)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.add_(1.0)
    assert same(start(bert, seed=3, fresh=True), start(other, seed=3, fresh=True))
    assert not same(start(bert, seed=3, fresh=True), start(bert, seed=4, fresh=True))
    assert same(start(bert, seed=3), bert)
    rates = {module.p for module in start(bert, dropout=0.2).modules() if isinstance(module, torch.nn.Dropout)}
    assert rates == {0.2}


def test_the_same_seed_gives_the_same_training(bert):
    one, again, other = (tuned(bert, films(), labels=20, steps=4, seed=seed).losses for seed in (1, 1, 2))
    assert one == again != other


def test_so_many_labels_are_drawn_and_belong_to_their_texts(bert):
    asked = films()
    items, labels = drawn(asked, 10, seed=0)
    assert len(items) == 10 and items != drawn(asked, 10, seed=1)[0]
    right = dict(zip(map(id, asked.items["train"]), asked.labels["train"], strict=True))
    assert [right[id(item)] for item in items] == labels
    assert len(drawn(asked, 10_000, seed=0)[0]) == 60
    with pytest.raises(ValueError, match="labels is 0"):
        drawn(asked, 0, seed=0)


def test_all_pieces_carry_the_label_in_training_only_where_asked():
    asked = words()
    carried = [
        int((some.reader.targets(some.items["train"], some.labels["train"]) >= 0).sum())
        for some in (asked, asked.every())
    ]
    assert carried == [6, 10]  # six words, two of them of three pieces
    assert asked.of_words and not films().of_words


def test_words_that_were_cut_away_are_wrong(bert):
    whole, short = words(), words(longest=4)
    nets = [Tuned(Tagger(bert, 3), some.reader, []) for some in (whole, short)]
    assert [len(tags) for tags in answers(nets[1], short)] == [3, 2, 1]
    assert answers(nets[1], short)[0][2] == ""
    found = answers(nets[0], whole)
    right = sum(a == b for x, y in zip(whole.labels["test"], found, strict=True) for a, b in zip(x, y, strict=True))
    assert score(nets[0], whole) == right / 6


def test_slots_are_counted_by_spans_and_the_commonest_label_names_none():
    assert commonest(words("slots")) == 0.0
    assert commonest(words()) == 3 / 6 and commonest(films()) == 40 / 60


def test_slots_score_is_the_spans_f1(bert, monkeypatch):
    given = [["O", "B-x", "O"], ["O", "B-x"], ["O"]]  # of two spans one is right
    monkeypatch.setattr(finetuning, "answers", lambda *_: given)
    assert score(Tuned(None, None, []), words("slots")) == pytest.approx(0.5)


@pytest.mark.parametrize("name", finetuning.TASKS)
def test_without_data_every_task_is_made(name, offline):
    found = task(name, PIECES, longest=32)
    assert set(found.items) == set(finetuning.PARTS)
    for part in finetuning.PARTS:
        assert len(found.items[part]) == len(found.labels[part]) > 100
    assert max(len(item.ids) for item in found.items["train"]) <= 32
    assert found.of_words == (name in ("slots", "parts of speech"))
    assert 0 <= commonest(found) < 0.7


def test_another_task_is_answered_in_a_line():
    with pytest.raises(ValueError, match="no task 'sums': choose one of films"):
        task("sums", PIECES)


# --- MiniLM ----------------------------------------------------------------------------------------------------------


def test_capitals_are_told_by_the_segment():
    asked = words()
    raised = minilm.with_capitals(
        asked,
        dict.fromkeys(finetuning.PARTS, [Sentence(w, []) for w in (["A", "unReal", "Film"], ["f", "Unreal"], "a")]),
    )
    assert [item.segments for item in raised.items["test"]] == [[0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 1, 1, 0], [0] * 3]
    assert [item.ids for item in raised.items["test"]] == [item.ids for item in asked.items["test"]]


def test_it_is_at_hand_if_all_files_lie_there_whole(offline, monkeypatch, tmp_path):
    assert not minilm.at_hand()
    files = [SimpleNamespace(name=f"minilm/{name}", sha256=sha256(name.encode()).hexdigest()) for name in "ab"]
    monkeypatch.setattr(minilm, "data_set", lambda name: SimpleNamespace(files=files))
    (tmp_path / "minilm").mkdir()
    (tmp_path / "minilm" / "a").write_text("a")
    assert not minilm.at_hand()
    (tmp_path / "minilm" / "b").write_text("torn")
    assert not minilm.at_hand()
    (tmp_path / "minilm" / "b").write_text("b")
    assert minilm.at_hand()


def test_an_interrupted_training_goes_on_as_if_it_had_not_been(bert, tmp_path, monkeypatch):
    monkeypatch.setattr(minilm, "EVERY", 3)
    recipe, file = minilm.Recipe(steps=8, rate=1e-3, batch=8), tmp_path / "run.pt"
    without = minilm.start

    def still(bert, seed):
        return without(bert, seed, dropout=0.0)

    monkeypatch.setattr(minilm, "start", still)
    whole, losses = minilm._trained(bert, films(), recipe, 0, None)

    class Interruption(Exception):
        pass

    def five(stream, *_, **__):
        for count, batch in enumerate(stream):
            if count == 5:
                raise Interruption
            yield batch

    with monkeypatch.context() as patched, pytest.raises(Interruption):
        patched.setattr(minilm, "progress", five)
        minilm._trained(bert, films(), recipe, 0, file)
    again, later = minilm._trained(bert, films(), recipe, 0, file)
    assert later == losses and same(whole, again)
