"""Damaged submissions of unit 1: what comes back, cell by cell, and what is said about it."""

import codecs
import json
import time
from pathlib import Path

import pytest
import unit_one as one
from unit_one import (
    CHECKS,
    answers,
    cell,
    every,
    filled,
    given,
    graded,
    mended,
    own,
    raw,
    same,
    text,
    whole,
)

from autograder.course import Assignment, Course
from autograder.receiving.repair import AnotherUnit, Unreadable, Unrecognisable
from autograder.receiving.submission import NotGradable, read

# --- nothing to mend


def test_a_sound_submission_stays_as_it_is():
    assert whole().repairs == [] and whole().answered == len(answers())
    assert given(whole().notebook) == answers()


def test_graded_cells_have_the_settings_of_the_source_and_the_text_of_the_release():
    settings = {one.name(each): one.about(each) for each in graded(one.source())}
    for each in graded(whole().notebook):
        assert settings[one.name(each)].items() <= one.about(each).items()
        if one.name(each) in CHECKS:
            assert text(each) == text(cell(one.release(), one.name(each)))
            assert "autograder.hidden" not in text(each)


def test_settings_come_from_the_source_where_the_release_is_older():
    source = json.loads(json.dumps(one.source()))
    cell(source, "mle-check")["metadata"]["nbgrader"]["points"] = 7
    result = one.mend(raw(filled()), one.release(), source)
    assert one.about(cell(result.notebook, "mle-check"))["points"] == 7


def test_an_untouched_release_answers_nothing():
    result = mended(one.release())
    assert (result.repairs, result.answered) == ([], 0)


def test_the_mended_notebook_is_valid_by_nbformats_own_word():
    import nbformat

    notebook = filled()
    notebook["cells"] = [own("x = 1"), *notebook["cells"][::-1], own("![](attachment:a.png)", "markdown", id="§")]
    nbformat.validate(mended(notebook).notebook)


def test_an_ordinary_notebook_takes_milliseconds():
    content, release, source = raw(filled()), one.release(), one.source()
    took = []
    for _ in range(20):
        begin = time.process_time()
        one.mend(content, release, source)
        took.append(time.process_time() - begin)
    assert min(took) < 0.005


def test_repair_loads_neither_nbformat_nor_torch():
    import subprocess
    import sys

    code = (
        "import sys, autograder.receiving.repair; print({'nbformat', 'nbgrader', 'torch', 'numpy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=one.ROOT)
    assert run.stdout == "set()\n", run.stderr


# --- bytes


def latin(notebook) -> bytes:
    """Letters up to ÿ as Latin-1, all others escaped."""
    plain = json.dumps(notebook, ensure_ascii=False)
    return "".join(c if ord(c) < 256 else f"\\u{ord(c):04x}" for c in plain).encode("latin-1")


UTF16 = "the file was in UTF-16 and was read as such"


@pytest.mark.parametrize(
    ("encode", "told"),
    [
        (lambda text: codecs.BOM_UTF8 + text.encode(), "the file began with a byte order mark"),
        (lambda text: codecs.BOM_UTF8 * 2 + text.encode(), "the file began with a byte order mark"),
        (lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"), UTF16),
        (lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"), UTF16),
        (lambda text: text.encode("utf-16-le"), UTF16),
        (lambda text: text.encode("utf-16-be"), UTF16),
        (lambda text: text.encode("utf-32"), "the file was in UTF-32 and was read as such"),
        (lambda text: latin(json.loads(text)), "what was not UTF-8 was read as Windows-1252 (Latin-1)"),
    ],
    ids=["BOM", "two BOMs", "UTF-16-LE+BOM", "UTF-16-BE+BOM", "UTF-16-LE", "UTF-16-BE", "UTF-32", "Latin-1"],
)
def test_encodings(encode, told):
    result = mended(encode(raw(filled()).decode()))
    assert same(result) and result.repairs == [told]


def test_windows_quotes_and_the_bytes_that_windows_does_not_know():
    content = raw(filled({"written-question": "QUOTE"}), ensure_ascii=True).replace(b"QUOTE", b"\x93so\x94 \x81")
    assert given(mended(content).notebook)["written-question"] == "“so” \x81"


def test_a_stray_byte_leaves_the_rest_of_the_file_in_utf8():
    content = raw(filled()).replace("façade".encode(), b"fa\xe7ade \xc3\xa9")
    assert given(mended(content).notebook)["written-question"] == one.WRITTEN.replace("façade", "façade é")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\0" * 500, "the file is empty"),
        (codecs.BOM_UTF16_LE, "the file is empty"),
        (b"{}", "not a notebook: it holds no list of cells"),
        (b"[1, 2]", "not a notebook: it holds no list of cells"),
        (b'"cells"', "not a notebook: it holds no list of cells"),
        (b"import torch\n", "not a notebook: Expecting value: line 1 column 1 (char 0)"),
        (b"[" * 200_000, "not a notebook: nested without measure"),
        (b"[" * 1_000_001, "the file has more than 1,000,000 brackets: clear the outputs and hand in again"),
        (b" " * 10 + b"x" * (26 * 2**20), "the file has 26 MiB, more than 25: clear the outputs"),
        (b"PK\x03\x04...", "a zip archive, not a notebook"),
        (b"%PDF-1.7", "a PDF, not a notebook"),
        (b'{"cells": null, "nbformat": 4}', "not a notebook: it holds no list of cells"),
        (b'{"cells": ' + b"[" + b"{}," * 3000 + b"{}]}", "the notebook has more than 3,000 cells"),
    ],
    ids=lambda value: value[:12].decode("latin-1") if isinstance(value, bytes) else None,
)
def test_what_cannot_be_read_is_refused_in_one_line(content, reason):
    with pytest.raises(Unreadable) as refusal:
        mended(content)
    assert str(refusal.value) == reason


@pytest.mark.parametrize("page", ["<!DOCTYPE html>\n<html><body>{cells}", "\ufeff \n<HTML>", "<!-- saved --><html>"])
def test_a_web_page_is_named(page):
    with pytest.raises(Unreadable, match="^a web page, not a notebook: download the notebook itself"):
        mended(page.encode())


@pytest.mark.parametrize("cells", [[], [None], [own("print(1)")], [own("# Unit 7", "markdown")]])
def test_somebody_elses_notebook_is_refused(cells):
    with pytest.raises(Unrecognisable, match="was it made from the released notebook"):
        mended({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


# --- shapes of notebooks and cells


def third(notebook):
    """The notebook in nbformat 3."""
    cells = []
    for each in notebook["cells"]:
        old = {key: value for key, value in each.items() if key not in ("id", "source")}
        if each["cell_type"] == "code":
            old |= {"input": each["source"], "language": "python", "prompt_number": 3, "collapsed": False}
        else:
            old |= {"source": each["source"]}
        cells.append(old)
    return {"worksheets": [{"cells": cells}], "metadata": notebook["metadata"], "nbformat": 3, "nbformat_minor": 0}


def metadata(**values):
    """A change of the notebook's metadata; None takes a key away."""

    def change(notebook):
        for key, value in values.items():
            notebook["metadata"].pop(key, None)
            if value is not None:
                notebook["metadata"][key] = value

    return change


def version(major, minor=None):
    def change(notebook):
        notebook["nbformat"], notebook["nbformat_minor"] = major, minor
        if minor is None:
            del notebook["nbformat_minor"]
        if major is None:
            del notebook["nbformat"]

    return change


def without_ids_in(minor):
    def change(notebook):
        every("id")(notebook)
        notebook["nbformat_minor"] = minor

    return change


def outputs(notebook):
    blob = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBO" * 3_000_000}}
    cell(notebook, "mle-check")["outputs"] = [blob, {"output_type": "stream", "name": "stdout", "text": "x" * 10**6}]
    cell(notebook, "mle-check")["execution_count"] = 12


def joined(notebook):
    for each in notebook["cells"]:
        each["source"] = text(each)


def bare_lines(notebook):
    for each in notebook["cells"]:
        each["source"] = text(each).split("\n")


def nulls(notebook):
    notebook["cells"][3:3] = [None, None]
    notebook["cells"].append("a string")


CELLS = len(filled()["cells"])
SHAPES = [
    (version(5, 0), ["nbformat 5 was read as 4.5"]),
    (version(4, 9), ["nbformat 4.9 was read as 4.5"]),
    (version(4, 2), []),
    (version("4", 5), ["nbformat 4 was read as 4.5"]),
    (version(None), ["the notebook named no nbformat and was read as 4.5"]),
    (every("id"), [f"{CELLS} cells had no cell id of their own"]),
    (without_ids_in(4), []),
    (every("id", "abcdef"), [f"{CELLS - 1} cells had no cell id of their own"]),
    (every("id", "not valid!"), [f"{CELLS} cells had no cell id of their own"]),
    (metadata(kernelspec=None), ["the notebook named no kernel; it is python3 again"]),
    (metadata(kernelspec={"name": "conda-env-nlp-py"}), ["the kernel was “conda-env-nlp-py”; it is python3 again"]),
    (metadata(kernelspec={"name": "a\n<b>" * 30}), [f"the kernel was “{('a <b>' * 30)[:39]}…”; it is python3 again"]),
    (metadata(kernelspec=7, language_info=None), ["the notebook named no kernel; it is python3 again"]),
    (metadata(widgets={"application/x": {"version": 2}}), ["half of the saved widgets was missing; they were dropped"]),
    (metadata(widgets={"application/x": {"state": {}}}), []),
    (metadata(colab={"provenance": []}, toc=[[1]], authors="me"), []),
    (outputs, []),
    (every("outputs"), []),
    (every("outputs", {"no": "list"}), []),
    (every("execution_count", 3), []),
    (joined, []),
    (bare_lines, []),
    (nulls, ["3 entries among the cells held no cell and went"]),
    (every("cell_type"), []),
    (every("cell_type", "kode"), []),
]


@pytest.mark.parametrize(("damage", "told"), SHAPES, ids=range(len(SHAPES)))
def test_shapes_of_notebooks_that_leave_no_trace(damage, told):
    notebook = filled()
    damage(notebook)
    result = mended(notebook)
    assert same(result) and result.repairs == told


def test_nbformat_3():
    result = mended(third(filled()))
    assert same(result) and result.repairs == ["nbformat 3 was read as 4.5"]


def test_headings_of_nbformat_3_become_markdown():
    notebook = third(filled())
    notebook["worksheets"][0]["cells"].append({"cell_type": "heading", "level": 2, "source": ["Mine"], "metadata": {}})
    assert mended(notebook).notebook["cells"][-1]["source"] == "## Mine"


@pytest.mark.parametrize("value", [None, 7, {}, [None, 7], [["x"]]])
def test_a_source_that_is_no_text_is_empty(value):
    notebook = filled()
    cell(notebook, "mle")["source"] = value
    assert given(mended(notebook).notebook) == answers() | {"mle": ""}


def test_letters_of_all_scripts_and_halves_of_them():
    said = "# 日本語 ελληνικά 𝛼\n" + answers()["mle"]
    assert given(mended(filled({"mle": said})).notebook)["mle"] == said
    content = raw(filled({"mle": "HALF" + answers()["mle"]}), ensure_ascii=True).replace(b"HALF", b"#\\ud835\\n")
    mended(content).notebook["cells"][8]["source"].encode("utf-8")
    json.dumps(mended(content).notebook, ensure_ascii=False).encode("utf-8")


def test_pictures_in_a_written_answer_stay():
    notebook = filled({"written-question": "![](attachment:ü.png)"})
    cell(notebook, "written-question")["attachments"] = {"ü.png": {"image/png": ["iVBO", "Rw=="]}, "odd": 7}
    kept = cell(mended(notebook).notebook, "written-question")["attachments"]
    assert kept == {"ü.png": {"image/png": "iVBORw=="}}


def test_a_notebook_of_another_unit_is_not_taken_for_this_ones():
    notebook = filled()
    for number, each in enumerate(notebook["cells"]):
        if grade_id := each["metadata"].get("nbgrader", {}).get("grade_id"):
            each["metadata"]["nbgrader"]["grade_id"] = f"other-{grade_id}"
            each["source"] = f"def other_{number}(x):\n    return x"
        each["id"] = f"other-{number}"
    with pytest.raises(AnotherUnit, match="other exercises than this unit's: other-") as refused:
        mended(notebook)
    assert len(refused.value.names) > 3


def test_two_hundred_figures_make_no_notebook_unreadable():
    notebook = filled()
    picture = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBO" * 40_000, "text/plain": "x"}}
    notebook["cells"][-1] |= {"cell_type": "code", "execution_count": 1, "outputs": [picture] * 200}
    content = raw(notebook)
    assert len(content) > 30 * 2**20
    assert given(mended(content).notebook) == answers()


def test_pictures_of_a_written_answer_are_counted():
    notebook = filled()
    notebook["cells"][0]["attachments"] = {"a.png": {"image/png": "iVBO" * 7_000_000}}
    with pytest.raises(Unreadable, match="more than 25: clear the outputs"):
        mended(raw(notebook))


@pytest.mark.parametrize("unit", ["02_elman_rnn", "07_transformer"])
def test_it_is_told_which_units_notebook_it_looks_like(tmp_path, monkeypatch, unit):
    course = Course.find(Path(__file__))
    content = course.assignment(unit).released.read_bytes()
    (tmp_path / "ngrams.ipynb").write_bytes(content)
    monkeypatch.setattr(Assignment, "submitted", lambda *_: tmp_path)
    told = f"This looks like the notebook of {unit}; please hand in ngrams.ipynb"
    with pytest.raises(NotGradable, match=told) as refused:
        read(course.assignment("ngrams"), "kim", one.release(), one.source())
    assert refused.value.status == "unreadable"
