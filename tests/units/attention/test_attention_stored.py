"""What is stored for unit 6 is whole, and says what the unit tells of it."""

import json
from pathlib import Path
from statistics import mean

import pytest
from unrolled.experiments.attention import costs
from unrolled.experiments.attention.stored import EXPERIMENTS, SEEDS
from unrolled.experiments.tagging.agreement import by_distance

STORED = Path(__file__).parents[3] / "assets" / "attention"


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def over_seeds(rows, name, read):
    return mean(read(rows[f"{name}, seed {seed}"]) for seed in SEEDS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)


def test_only_attention_back_in_the_sequence_counts_within_seconds():
    rows = stored("positions")
    for seed in SEEDS:
        row = rows[f"count, causal, none, seed {seed}"]
        assert min(row["accuracy"][n] for n in ("20", "40")) >= 0.99 and row["seconds"]["cpu"] < 10
        assert rows[f"count, both sides, none, seed {seed}"]["accuracy"]["20"] < 0.6
        assert 0.9 < rows[f"count, LSTM, seed {seed}"]["accuracy"]["20"] < 0.98


def test_what_follows_is_known_to_those_alone_who_see_it():
    rows = stored("positions")
    for positions in ("sinusoid", "learned"):
        assert over_seeds(rows, f"next, both sides, {positions}", lambda row: row["accuracy"]["20"]) > 0.9
        assert over_seeds(rows, f"next, causal, {positions}", lambda row: row["accuracy"]["20"]) < 0.12


def test_beyond_the_training_length_learned_positions_end():
    rows = stored("positions")
    for seed in SEEDS:
        found = rows[f"before, causal, learned, 21 rows, seed {seed}"]["accuracy"]
        assert found["20"] > 0.99 and found["30"] is None
        for positions in ("sinusoid", "learned"):
            found = rows[f"before, causal, {positions}, seed {seed}"]["accuracy"]
            assert found["20"] > 0.99 and found["40"] < 0.8


def test_without_the_root_wide_heads_learn_nothing():
    rows = stored("scale")
    for width in (64, 128):
        for seed in SEEDS:
            bad, good = (rows[f"width {width}, {kind}, seed {seed}"] for kind in ("unscaled", "scaled"))
            assert bad["accuracy"] < 0.45 < 0.99 < good["accuracy"]
            assert bad["entropy"]["after"] < good["entropy"]["after"] / 2
    assert over_seeds(rows, "width 16, unscaled", lambda row: row["accuracy"]) > 0.99


def test_with_four_heads_one_of_them_finds_the_vowel():
    rows = stored("heads")
    for seed in SEEDS:
        row = rows[f"4 heads, seed {seed}"]
        losses = [1 - half["vowel"] for half in row["halves without"]]
        assert row["whole"] > 0.99 and sum(loss > 0.1 for loss in losses) == 1
        assert rows[f"1 heads, seed {seed}"]["whole"] < 0.6 < rows[f"8 heads, seed {seed}"]["whole"]


def test_plain_attention_keeps_n_squared_numbers_and_overtakes_the_rnn():
    rows = stored("costs")
    seconds = {
        kind: [rows[f"{kind}, {n} words, measured"]["cpu seconds"] for n in (256, 2048)] for kind in costs.MEASURED
    }
    assert (
        seconds["self-attention"][0] < seconds["recurrent"][0] < seconds["recurrent"][1] < seconds["self-attention"][1]
    )
    assert seconds["fused"][1] < seconds["recurrent"][1]
    kept = [rows[f"self-attention, {n} words, measured"]["kept bytes"] for n in (1024, 2048)]
    assert 3.8 < kept[1] / kept[0] <= 4


def test_pronouns_find_their_nouns():
    for row in stored("pronouns").values():
        assert row["accuracy"] > 0.95


def test_heads_of_a_tagger_know_less_of_trees_than_a_fixed_distance():
    rows = stored("syntax")
    fixed = rows["fixed distance"]["relations"]
    for seed in SEEDS:
        trained, untrained = (rows[f"{name}, seed {seed}"] for name in ("trained", "untrained"))
        assert trained["tags"] > 0.85
        shares = [of["relations"]["all"]["accuracy"] for of in (untrained, trained)]
        assert shares[0] < shares[1] < fixed["all"]["accuracy"]


def test_where_the_subject_is_far_a_layer_of_heads_is_behind_recurrent_nets():
    recurrent = json.loads((STORED.parent / "tagging" / "agreement.json").read_text(encoding="utf-8"))
    for seed in SEEDS:
        for mask, directions in ("causal", 1), ("both sides", 2):
            heads = {"heads": stored("agreement")[f"self-attention, {mask}, seed {seed}"]}
            beside = {"beside": recurrent[f"gap filler, directions {directions}, seed {seed}"]}
            found = by_distance(json.dumps(heads), json.dumps(beside))
            near, far = (abs(found["heads"][at] - found["beside"][at]) for at in (1, 4))
            assert near < 0.05 < 0.3 < far and found["heads"][4] < 0.65
            assert all(found["heads"][at] < found["beside"][at] for at in (2, 3, 4))
