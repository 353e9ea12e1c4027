"""Random damage to a submission of unit 1, and files made to exhaust the grader.

Whatever happens to a file, repair mends it or raises Unreadable, and an answer whose text came through is still there.
"""

import json
import random
import re
import time

import pytest
import unit_one as one
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from unit_one import answers, filled, given, mended, own, raw

from autograder.receiving.repair import Mended, Unreadable

CODE = [name for name in answers() if name != "written-question"]
WHOLE = raw(filled())


def tried(content: bytes) -> Mended | None:
    """The mended notebook, or None; the reason must be one line."""
    try:
        result = mended(content)
    except Unreadable as refusal:
        assert re.fullmatch(r"[^\n]{5,300}", str(refusal))
        return None
    graded = [one.name(cell) for cell in one.graded(result.notebook)]
    assert graded == [one.name(cell) for cell in one.graded(one.release())]
    ids = [cell["id"] for cell in result.notebook["cells"]]
    assert len(set(ids)) == len(ids)
    json.dumps(result.notebook, ensure_ascii=False).encode("utf-8")
    return result


def texts() -> dict[str, tuple[int, int]]:
    """Where each answer's text lies in the file, its key and brackets included."""
    spans = {}
    for name in CODE:
        begin = WHOLE.index(f'"grade_id": "{name}"'.encode())
        begin = WHOLE.index(b'"source"', begin)
        spans[name] = (begin, WHOLE.index(b"\n  }", begin))
    return spans


@settings(max_examples=150, deadline=None)
@drawn(st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_overwritten_bytes_cost_no_answer_that_they_do_not_hit(changes):
    content = bytearray(WHOLE)
    for place, byte in changes:
        content[place] = byte
    result = tried(bytes(content))
    for name, (begin, end) in texts().items():
        if not any(begin <= place < end for place, _ in changes):
            assert result is not None and given(result.notebook)[name] == answers()[name]


@settings(max_examples=60, deadline=None)
@drawn(st.integers(1, len(WHOLE)), st.integers(0, 3000), st.binary(max_size=50))  # from 0 on it may be a picture
def test_a_hole_costs_no_answer_outside(place, length, filling):
    result = tried(WHOLE[:place] + filling + WHOLE[place + length :])
    for name, (begin, end) in texts().items():
        if end < place or place + length < begin - 1500:
            assert result is not None and given(result.notebook)[name] == answers()[name]


KEYS = ["cell_type", "id", "metadata", "outputs", "execution_count"]


@settings(max_examples=60, deadline=None)
@drawn(st.integers(0, 2**32), st.sampled_from([0.1, 0.5, 0.9, 1]))
def test_removed_keys_and_shuffled_cells_cost_no_answer(seed, share):
    notebook, chance = filled(), random.Random(seed)
    for key in ("metadata", "nbformat", "nbformat_minor"):
        if chance.random() < share:
            del notebook[key]
    for cell in notebook["cells"]:
        for key in KEYS:
            if chance.random() < share:
                cell.pop(key, None)
        for key in list(one.about(cell)):
            if chance.random() < share:
                one.about(cell).pop(key)
    chance.shuffle(notebook["cells"])
    result = tried(raw(notebook))
    found = given(result.notebook)
    assert {name: found[name] for name in CODE} == {name: answers()[name] for name in CODE}
    assert one.WRITTEN in one.texts(result.notebook["cells"])


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PLACES = ["cell_type", "id", "metadata", "source", "outputs", "attachments", "nbgrader", "tags", "grade_id", "points"]


@settings(max_examples=80, deadline=None)
@drawn(st.lists(st.tuples(st.integers(0, 95), st.sampled_from(PLACES), ODD), max_size=20), ODD, ODD)
def test_odd_values_anywhere_never_raise_anything_else(changes, metadata, version):
    notebook = filled() | {"metadata": metadata, "nbformat": version}
    hit = set()
    for number, key, value in changes:
        cell = notebook["cells"][number]
        hit.add(number)
        inner = cell["metadata"] if isinstance(cell["metadata"], dict) else {}
        about = inner.get("nbgrader") if isinstance(inner.get("nbgrader"), dict) else {}
        where = {"nbgrader": inner, "tags": inner, "grade_id": about, "points": about}.get(key, cell)
        where[key] = value
    result = tried(raw(notebook))
    untouched = [name for name in CODE if one.index(filled(), name) not in hit]
    assert all(given(result.notebook)[name] == answers()[name] for name in untouched)


@settings(max_examples=100, deadline=None)
@drawn(st.binary(max_size=300) | st.text(max_size=200).map(str.encode) | ODD.map(lambda value: raw(value)))
def test_any_file_at_all(content):
    tried(content)


@settings(max_examples=60, deadline=None)
@drawn(st.lists(st.sampled_from(CODE) | st.integers(0, 95), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_copied_and_scattered_cells_leave_the_last_answer(copies, chance: random.Random):
    notebook = filled()
    for copy in copies:
        number = one.index(notebook, copy) if isinstance(copy, str) else copy
        notebook["cells"].insert(chance.randrange(len(notebook["cells"])), one.copy(notebook["cells"][number]))
    assert given(tried(raw(notebook)).notebook) == answers()


# --- the work is bounded


@pytest.mark.parametrize(
    "content",
    [
        b'{"cells": [' + b'{"cell_type":' * 200_000,
        b'{"cells": [{"source": ' * 100_000,
        b'{"cell_type": "code", "source": "' * 100_000,
        b"<<<<<<< a\n" * 500_000,
        b"{" + b"<<<<<<< a\n=======\n" * 200_000,
        raw({"cells": [own("def mle(" * 200_000)], "nbformat": 4, "metadata": {}}),
        raw({"cells": [own("def mle(c, k): return " + "-" * 90_000 + "1")] * 30, "nbformat": 4, "metadata": {}}),
        raw({"cells": [own("def mle():\n  x")] * 2_999, "nbformat": 4, "metadata": {}}),
        raw({"cells": [own(f"a = {n}\nb = {n}") for n in range(2_999)], "nbformat": 4, "metadata": {}}),
        raw({"cells": [one.cell(filled(), "mle")] * 2_999, "nbformat": 4, "metadata": {}}),
    ],
    ids=range(10),
)
def test_hostile_files_take_no_more_than_seconds(content):
    begin = time.process_time()
    try:
        mended(content)
    except Unreadable as refusal:
        assert re.fullmatch(r"[^\n]{5,200}", str(refusal))
    assert time.process_time() - begin < 5
