"""What is stored for unit 4 is whole: every row of every experiment, nets of equal size, a table that is small."""

import json
from pathlib import Path

import numpy as np
import pytest
from unrolled.experiments.tagging import skip_gram
from unrolled.experiments.tagging.stored import EXPERIMENTS, SHAPES
from unrolled.experiments.vectors import nearest, word_vectors
from unrolled.tagging import BiLSTM

STORED = Path(__file__).parents[3] / "assets" / "tagging"


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)


def test_nets_of_another_shape_have_about_as_many_parameters():
    sizes = [
        sum(p.numel() for p in BiLSTM(96, hidden, layers, directions=directions).parameters())
        for (layers, directions), hidden in SHAPES.items()
    ]
    assert max(sizes) < 1.02 * min(sizes)
    assert {row["parameters"] for row in stored("shapes").values()} == set(sizes)


def test_the_long_training_is_above_the_perceptron():
    perceptron = stored("baselines")["AveragedPerceptron"]["all"]
    for run in stored("reach").values():
        assert run["test"]["all"] > perceptron
        assert run["dev"][run["chosen epoch"] - 1] == max(run["dev"])
        assert run["seconds"] < 20 * 60


def test_the_table_has_the_words_and_the_size_that_its_note_tells():
    note, (words, vectors) = stored("vectors"), word_vectors()
    assert vectors.shape == (note["settings"]["words"], note["settings"]["width"]) == (len(words), 64)
    assert len(set(words)) == len(words)
    assert np.isfinite(vectors).all() and np.sqrt((vectors**2).mean()) == pytest.approx(1, abs=0.01)
    assert note["bytes"] == (STORED / "vectors.npz").stat().st_size <= 4_000_000
    assert len(note["books"]) == len(skip_gram.registry()["books"].files) == 30


def test_words_of_one_kind_are_near_each_other():
    for word, near in ("three", "four"), ("would", "might"), ("London", "Liverpool"), ("Monday", "Tuesday"):
        assert near in dict(nearest(word, 8)), word
