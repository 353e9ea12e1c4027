"""The ladder: its splits, its rungs on a small text, its command, and the results that are stored."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ["ann", "bo", "cy", "dee", "ed", "flo", "gil", "hal", "ida", "jo"] * 3
PLAY = "the clock strikes nine, and the cat sleeps under the stairs. " * 40


@pytest.fixture
def ladder(monkeypatch):
    """The script as a module, on two small texts of our own."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import ladder

    monkeypatch.setattr(ladder.data, "load", {"names": "\n".join(NAMES), "tiny_shakespeare": PLAY}.__getitem__)
    monkeypatch.setattr(ladder.data, "source", lambda name: SimpleNamespace(title=f"our {name}", is_stand_in=True))
    return ladder


def test_shakespeare_is_cut_at_nine_tenths(ladder):
    text = ladder.texts()["shakespeare"]
    cut = int(0.9 * len(PLAY))
    assert text.vocabulary.decode(text.parts["train"]) == PLAY[:cut]
    assert text.vocabulary.decode(text.parts["heldout"]) == PLAY[cut:]


def test_names_are_split_80_10_10_and_the_leak_is_counted(ladder):
    """Each of ten names stands three times among thirty; 24 train, 3 dev, 3 test."""
    text = ladder.texts()["names"]
    parts = {part: [text.vocabulary.decode(ids) for ids in members] for part, members in text.parts.items()}
    assert {part: len(members) for part, members in parts.items()} == {"train": 24, "dev": 3, "test": 3}
    assert sorted(sum(parts.values(), [])) == sorted(NAMES)
    assert text.about["leak"]["test"] == sum(name in parts["train"] for name in parts["test"]) / 3 > 0


def test_distinct_names_leak_nothing(ladder):
    text = ladder.texts()["distinct names"]
    assert [len(text.parts[part]) for part in ("train", "dev", "test")] == [8, 1, 1]
    assert text.about["leak"] == {"dev": 0, "test": 0}


def test_a_run_says_what_it_ran_on_and_stores_every_rung(ladder, monkeypatch, tmp_path, capsys):
    (tmp_path / "published.json").write_text((ROOT / "assets/ladder/published.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(ladder, "RESULTS", tmp_path)
    monkeypatch.setattr("rungs.ngrams.STRENGTHS", (0.0,))
    monkeypatch.setattr("rungs.ngrams.SIZES", (100,))
    monkeypatch.setattr("sys.argv", ["ladder.py", "ngrams"])
    ladder.main()
    result = json.loads((tmp_path / "ngrams.json").read_text(encoding="utf-8"))
    assert result["texts"]["names"]["stand_in"] and result["texts"]["names"]["title"] == "our names"
    rungs = [rung for rung in result["rungs"] if rung["text"] == "shakespeare"]
    assert {rung["settings"]["order"] for rung in rungs} == set(range(1, 9))
    longest = [rung["nats"]["train"] for rung in rungs if rung["settings"] == {"order": 8}][0]
    shortest = [rung["nats"]["train"] for rung in rungs if rung["settings"] == {"order": 1}][0]
    assert 0 < longest < shortest
    assert "not comparable with published figures" in " ".join(capsys.readouterr().out.split())


def test_the_nets_climb_with_several_seeds_and_give_the_notebook_its_curves(ladder, monkeypatch, tmp_path, capsys):
    (tmp_path / "published.json").write_text((ROOT / "assets/ladder/published.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(ladder, "RESULTS", tmp_path)
    import rungs.elman_rnn as unit

    monkeypatch.setattr(unit, "MOST_STEPS", 3)
    monkeypatch.setattr(unit, "SEEDS", (0, 1))
    monkeypatch.setattr(unit, "SIZES", (1200,))
    monkeypatch.setattr("sys.argv", ["ladder.py", "elman_rnn"])
    ladder.main()
    result = json.loads((tmp_path / "elman_rnn.json").read_text(encoding="utf-8"))
    for name, points in result["shakespeare_by_size"].items():
        assert [size for size, _, _ in points] == [1200, int(0.9 * len(PLAY))]
        assert all((spread == 0) == name.startswith("Kneser") for _, _, spread in points)
    runs = [rung for rung in result["rungs"] if rung["model"] != "Kneser–Ney"]
    assert all(rung["settings"]["seeds"] == 2 and rung["settings"]["steps"] <= 3 for rung in runs)
    assert {tuple(rung["nats"]) for rung in runs} == {("heldout",), ("dev", "test")}
    printed = " ".join(capsys.readouterr().out.split())
    assert f"± {runs[0]['spread']['heldout']:.4f}" in printed
    assert "RNN, validation perplexity 7.24; validation 1.98" in printed  # a figure for a text that we do not have


def test_the_lstm_climbs_beside_the_elman_net_at_equal_parameters_and_time(ladder, monkeypatch, tmp_path):
    (tmp_path / "published.json").write_text((ROOT / "assets/ladder/published.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(ladder, "RESULTS", tmp_path)
    import rungs.lstm as unit

    monkeypatch.setattr(unit, "MOST_STEPS", 3)
    monkeypatch.setattr(unit, "SEEDS", (0, 1))
    monkeypatch.setattr(unit, "SIZES", (1200,))
    monkeypatch.setattr(unit, "_time_of_a_step", lambda *recipes: 1.4)  # Elman's time over the LSTM's
    monkeypatch.setattr("sys.argv", ["ladder.py", "lstm"])
    ladder.main()
    result = json.loads((tmp_path / "lstm.json").read_text(encoding="utf-8"))
    assert set(result["shakespeare_by_size"]) == {"Kneser–Ney", "Elman RNN", "LSTM"}
    for points in result["shakespeare_by_size"].values():
        assert [size for size, _, _ in points] == [1200, int(0.9 * len(PLAY))]
    for text, models in result["side_by_side"].items():
        elman, lstm = models["Elman RNN"], models["LSTM"]
        assert ("LSTM, larger" in models) == ("Elman RNN, larger" in models) == (text == "shakespeare")
        assert 0.97 * elman["parameters"] < lstm["parameters"] <= elman["parameters"]
        assert lstm["steps"] == elman["steps"] <= 3 and lstm["spread"] > 0
        assert ("LSTM, equal time" in models) == (text in unit.TIMED)
    assert result["side_by_side"]["shakespeare"]["LSTM, equal time"]["steps"] == round(1.4 * 3)
    assert {(trial["tied"], trial["dropout"]) for trial in result["trials"]} == {
        (tied, dropout) for tied in (True, False) for dropout in unit.DROPOUTS
    }
    assert all(list(rung["nats"]) == ["choice"] for rung in result["rungs"][:4])


def test_the_transformer_climbs_beside_kneser_ney_and_is_not_trained_twice(ladder, monkeypatch, tmp_path):
    (tmp_path / "published.json").write_text((ROOT / "assets/ladder/published.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(ladder, "RESULTS", tmp_path)
    monkeypatch.chdir(tmp_path)  # checkpoints lie under the folder where one works
    import rungs.transformer as unit

    monkeypatch.setattr(unit, "SMALL_SEEDS", (0, 1))
    monkeypatch.setattr(unit, "SCALE", "smoke")
    monkeypatch.setattr(unit.hunger, "SIZES", (1200,))
    monkeypatch.setattr(unit.hunger, "MOST_STEPS", 3)
    monkeypatch.setattr("sys.argv", ["ladder.py", "transformer"])
    ladder.main()
    result = json.loads((tmp_path / "transformer.json").read_text(encoding="utf-8"))
    (points,) = result["shakespeare_by_size"].values()
    assert [size for size, _, _ in points] == [1200, int(0.9 * len(PLAY))]
    parts = {text: set(models["transformer"]["nats"]) for text, models in result["side_by_side"].items()}
    assert parts.pop("shakespeare") == {"heldout", "heldout, in pieces"}
    assert parts == {"names": {"dev", "test"}, "distinct names": {"dev", "test"}}
    assert all(set(models) == {"Kneser–Ney", "transformer"} for models in result["side_by_side"].values())
    monkeypatch.setattr("unrolled.experiments.transformer.language._downhill", None)
    ladder.main()
    again = json.loads((tmp_path / "transformer.json").read_text(encoding="utf-8"))
    assert again["shakespeare_by_size"] == result["shakespeare_by_size"]


def test_the_largest_lstm_that_fits_is_taken(ladder):
    import rungs.lstm as unit
    from climbing import parameters

    limit = parameters(unit.ELMAN.build(65))
    fitting = unit.recipe(65, tied=True, dropout=0.0)
    assert parameters(fitting.build(65)) <= limit
    assert parameters(unit.LSTM(65, fitting.about["hidden"] + 1, width=unit.WIDTH, tied=True)) > limit


def test_equal_time_is_measured(ladder, monkeypatch):
    """A clock that only the first net moves twice as far: a step of it takes twice the time."""
    import rungs.lstm as unit

    ticks = iter([at for round_ in range(9) for at in (8 * round_, 8 * round_ + 4, 8 * round_ + 5, 8 * round_ + 7)])
    monkeypatch.setattr(unit, "_now", ticks.__next__)
    text = ladder.texts()["shakespeare"]
    small = unit.recipe(len(text.vocabulary), **unit.CHOSEN)
    assert unit._time_of_a_step(small, small, text, text.parts["train"], steps=1) == 2


def test_kneser_ney_and_the_nets_are_asked_for_the_same_symbols(ladder):
    """Each name's letters and its end: as many targets as the count model has outcomes."""
    import climbing

    text = ladder.texts()["names"]
    sequences = climbing.sequences(text, text.parts["test"])
    assert sum(len(ids) - 1 for ids in sequences) == climbing.symbols(text.parts["test"])
    assert text.vocabulary.decode(sequences[0]).strip(".") == text.vocabulary.decode(text.parts["test"][0])


def test_an_unknown_unit_gets_one_clear_line(ladder, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["ladder.py", "ngram"])
    with pytest.raises(SystemExit) as ended:
        ladder.main()
    assert ended.value.code == 2
    assert "there are no rungs for 'ngram': choose from" in capsys.readouterr().err


def test_missing_data_gets_one_clear_line(ladder, monkeypatch):
    def no_data(name):
        raise ladder.OneLineError("no network, no names")

    monkeypatch.setattr(ladder.data, "load", no_data)
    monkeypatch.setattr("sys.argv", ["ladder.py", "ngrams"])
    with pytest.raises(SystemExit) as ended:
        ladder.main()
    assert ended.value.code == "no network, no names"


def test_the_stored_rungs_reach_what_the_course_promises():
    result = json.loads((ROOT / "assets/ladder/ngrams.json").read_text(encoding="utf-8"))
    assert not any(about["stand_in"] for about in result["texts"].values())

    def best(text, part):
        return min(rung["nats"][part] for rung in result["rungs"] if rung["text"] == text)

    assert best("shakespeare", "heldout") <= 1.517
    assert best("names", "dev") <= 1.974
    assert best("names", "test") <= 1.977


def test_the_stored_curves_of_unit_2_are_those_of_its_rungs():
    stored = json.loads((ROOT / "assets/ladder/elman_rnn.json").read_text(encoding="utf-8"))
    for points in stored["shakespeare_by_size"].values():
        assert [size for size, _, _ in points] == [10_000, 30_000, 100_000, 300_000, 1_003_854]
        means = [mean for _, mean, _ in points]
        assert means == sorted(means, reverse=True)  # more text never hurt
    counted = {r["train_symbols"]: r["nats"] for r in stored["rungs"] if r["model"] == "Kneser–Ney"}
    assert counted[1_003_854]["heldout"] == pytest.approx(1.522636, abs=1e-6)  # unit 1's own rung


def test_the_stored_comparison_of_unit_3_is_that_of_its_rungs():
    stored = json.loads((ROOT / "assets/ladder/lstm.json").read_text(encoding="utf-8"))
    for points in stored["shakespeare_by_size"].values():
        assert [size for size, _, _ in points] == [30_000, 100_000, 1_003_854]
        means = [mean for _, mean, _ in points]
        assert means == sorted(means, reverse=True)  # more text never hurt
    elman = json.loads((ROOT / "assets/ladder/elman_rnn.json").read_text(encoding="utf-8"))
    again = stored["side_by_side"]["shakespeare"]["Elman RNN"]
    before = [r for r in elman["rungs"] if (r["model"], r["train_symbols"]) == ("Elman RNN", 1_003_854)]
    assert again["mean"] == pytest.approx(before[0]["nats"]["heldout"], abs=0.01)  # the same net as in unit 2
    for models in stored["side_by_side"].values():
        assert models["LSTM"]["parameters"] <= models["Elman RNN"]["parameters"]
    models = stored["side_by_side"]["shakespeare"]
    larger = models["LSTM, larger"]["parameters"], models["Elman RNN, larger"]["parameters"]
    assert larger[0] == pytest.approx(larger[1], rel=0.01)
    best = min(stored["trials"], key=lambda trial: trial["mean"])
    lstm = next(r for r in stored["rungs"] if r["model"] == "LSTM")
    assert all(lstm["settings"][key] == best[key] for key in ("tied", "dropout"))  # what the trials chose was used


def test_the_stored_rungs_of_unit_7_reach_what_the_unit_says_of_them():
    stored = json.loads((ROOT / "assets/ladder/transformer.json").read_text(encoding="utf-8"))
    assert not any(about["stand_in"] for about in stored["texts"].values())
    (points,) = stored["shakespeare_by_size"].values()
    assert [size for size, _, _ in points] == [10_000, 30_000, 100_000, 300_000, 1_003_854]
    means = [mean for _, mean, _ in points]
    assert means == sorted(means, reverse=True)  # more text never hurt
    found = {text: models["transformer"]["nats"] for text, models in stored["side_by_side"].items()}
    counted = {text: models["Kneser–Ney"]["nats"] for text, models in stored["side_by_side"].items()}
    assert found["shakespeare"]["heldout"] < found["shakespeare"]["heldout, in pieces"] < 1.60
    assert counted["shakespeare"]["heldout"] == pytest.approx(1.522636, abs=1e-6)  # unit 1's own rung, not reached
    for text in ("names", "distinct names"):
        assert found[text]["test"] < counted[text]["test"]
