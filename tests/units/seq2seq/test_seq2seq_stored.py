"""What is stored for unit 5 is whole, and says what the unit tells of it."""

import json
from pathlib import Path
from statistics import mean

import pytest
from unrolled.experiments.seq2seq.reach import recipe_of
from unrolled.experiments.seq2seq.stored import EXPERIMENTS, SEEDS
from unrolled.experiments.tagging.agreement import by_distance

STORED = Path(__file__).parents[3] / "assets" / "seq2seq"


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def over_seeds(rows, name, read):
    return mean(read(rows[f"{name}, seed {seed}"]) for seed in SEEDS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)


def test_with_attention_numbers_are_right_and_without_they_are_not():
    rows = stored("numbers")
    for seed in SEEDS:
        assert rows[f"attention, seed {seed}"]["exact"] >= 0.99
        assert rows[f"attention, seed {seed}"]["seconds"]["cpu"] < 40
    assert over_seeds(rows, "every", lambda row: row["exact"]) < 0.95
    assert over_seeds(rows, "first", lambda row: row["exact"]) < 0.5


def test_the_longer_the_string_the_less_of_it_goes_through_one_vector():
    rows = stored("bottleneck")
    for name in ("first", "every", "first, backwards", "every, backwards"):
        found = [over_seeds(rows, name, lambda row, n=n: row["exact"][str(n)]) for n in (2, 6, 10)]
        assert found[0] > found[1] > found[2]
    assert over_seeds(rows, "attention", lambda row: row["exact"]["10"]) > 0.9
    for name in ("first", "every"):
        at = [over_seeds(rows, name + end, lambda row: row["exact"]["7"]) for end in ("", ", backwards")]
        assert at[1] > at[0]


def test_where_the_order_changes_nets_look_elsewhere_than_straight_across():
    for name, row in stored("alignment").items():
        assert row["exact"] > 0.95, name
        if name.startswith(("German", "dates")):  # French goes through its words as English does
            assert row["right"] > row["diagonal"], name


def test_a_blind_decoder_mixes_two_answers_and_a_classmate_reports_too_much():
    rows = stored("two_answers")
    assert over_seeds(rows, "fed", lambda row: row["right"]) > 0.9
    assert over_seeds(rows, "blind", lambda row: row["mixed"]) > over_seeds(rows, "blind", lambda row: row["right"])
    for seed in SEEDS:
        sick, healthy = (stored("faults")[f"{kind}, seed {seed}"] for kind in ("sick", "healthy"))
        assert sick["reported"] > sick["alone"] and healthy["reported"] == healthy["alone"] > sick["alone"]


def test_the_sentences_were_trained_as_the_script_says():
    row = stored("tatoeba")["cpu, attention, seed 0"]
    assert row["settings"] == recipe_of("cpu", "attention", 0)
    assert row["dev"][row["chosen epoch"] - 1] == min(row["dev"])
    for metric in ("BLEU", "chrF"):
        low, high = row["test"][metric]["interval"]
        assert low < row["test"][metric]["score"] < high


def test_the_number_of_a_verb_goes_through_one_vector():
    for name, row in stored("agreement").items():
        (shares,) = by_distance(json.dumps({name: row})).values()
        assert min(shares) > 0.9, name
