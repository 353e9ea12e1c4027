"""What is stored for unit 7's blocks and tasks is whole, and says what the unit tells of it."""

import json
from pathlib import Path
from statistics import mean

import pytest
from unrolled.experiments.tagging.agreement import by_distance
from unrolled.experiments.transformer.stored import EXPERIMENTS, PATIENT, SEEDS

STORED = Path(__file__).parents[3] / "assets" / "transformer"


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def of_seeds(rows, name, read):
    return [read(rows[f"{name}, seed {seed}"]) for seed in SEEDS]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)


def test_post_norm_fails_where_pre_norm_does_not():
    rows = stored("norms")

    def losses(name):
        return of_seeds(rows, name, lambda row: row["heldout"])

    frequencies = 3.34  # what `norms.by_frequency` gives of tiny Shakespeare, or less
    assert sum(loss > frequencies for loss in losses("post, constant, rate 0.005")) == 2
    assert sum(loss > frequencies for loss in losses("post, warm-up, rate 0.005")) == 1
    for schedule in ("constant", "warm-up"):
        for rate in ("0.002", "0.005"):
            assert max(losses(f"pre, {schedule}, rate {rate}")) < 2.6
    assert max(losses("post, constant, rate 0.002")) < 2.6


def test_without_ways_past_nothing_but_frequencies_is_learned_and_attention_and_feed_forward_count():
    rows = stored("ablation")
    whole = mean(of_seeds(rows, "whole", lambda row: row["heldout"]))
    assert min(of_seeds(rows, "without residual", lambda row: row["heldout"])) > whole + 0.5
    for part in ("attention", "feed-forward"):
        assert min(of_seeds(rows, f"without {part}", lambda row: row["heldout"])) > whole


def test_the_transformer_translates_as_well_as_the_rnn_with_attention():
    rows = stored("tasks")
    for name, row in rows.items():
        assert row["exact"] > 0.97, name


def test_the_lstm_carries_parity_on_and_the_transformer_does_not():
    rows = stored("beyond")
    assert min(of_seeds(rows, "parity, LSTM", lambda row: row["accuracy"]["160"])) > 0.99
    for positions in ("sinusoid", "none"):
        assert max(of_seeds(rows, f"parity, transformer, {positions}", lambda row: row["accuracy"]["40"])) < 0.55
    assert min(of_seeds(rows, PATIENT, lambda row: row["accuracy"]["20"])) > 0.95  # patience, at its own length
    assert max(of_seeds(rows, PATIENT, lambda row: row["accuracy"]["40"])) < 0.55
    for task in ("counts", "brackets"):
        for length in ("40", "160"):
            lstm, net = (
                mean(of_seeds(rows, f"{task}, {name}", lambda row, n=length: row["accuracy"][n]))
                for name in ("LSTM", "transformer, sinusoid")
            )
            assert net < lstm


def test_classes_are_read_from_a_first_position_as_well_as_from_a_mean():
    rows = stored("first_position")
    for reading in ("first", "mean", "LSTM"):
        assert min(of_seeds(rows, f"made, {reading}", lambda row: row["accuracy"])) > 0.9
        assert min(of_seeds(rows, f"films, {reading}", lambda row: row["accuracy"])) > 0.6


def test_maps_say_more_than_chance_and_less_than_leaving_out():
    for row in stored("explaining").values():
        chance = row["agreement"].pop("chance")
        for of in row["agreement"].values():
            assert chance["rank"] + 0.2 < of["rank"] < 0.9 and chance["top"] < of["top"] < 1


def test_where_the_subject_is_far_a_transformer_is_behind_the_lstm():
    recurrent = json.loads((STORED.parent / "tagging" / "agreement.json").read_text(encoding="utf-8"))
    for seed in SEEDS:
        one = {"transformer": stored("agreement")[f"transformer, blocks 1, seed {seed}"]}
        other = {"LSTM": recurrent[f"language model, layers 1, seed {seed}"]}
        found = by_distance(json.dumps(one), json.dumps(other))
        assert all(found["transformer"][at] < found["LSTM"][at] for at in (2, 3, 4))
        assert found["transformer"][0] > 0.95 and found["transformer"][4] < 0.65
