"""What is stored of the fine-tunings is whole, and says what the unit tells of it."""

import json
from pathlib import Path

import pytest
from unrolled.experiments.bert.stored_tuning import EXPERIMENTS, SEEDS

STORED = Path(__file__).parents[3] / "assets" / "bert"


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def of_seeds(rows, name, what="score"):
    return [rows[f"{name}, seed {seed}"][what] for seed in SEEDS]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)
