"""The zip for students: what is in it, what is not, and that unpacking a newer one loses nobody's answers."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest

from autograder.course import Course, Trouble
from autograder.releasing.bundle import LICENCES, bundle, contents

HOME = Course.find(Path(__file__).parent)
UNITS = [HOME.assignment(name) for name in ("ngrams", "lstm")]
DAY = date(2026, 11, 2)


@pytest.fixture(scope="module")
def files():
    return contents(HOME, UNITS)


def test_the_chosen_units_are_as_released_and_others_are_not_there(files):
    notebooks = [name for name in files if name.endswith(".ipynb")]
    assert notebooks == ["start.ipynb", "01_ngrams/ngrams.ipynb", "03_lstm/lstm.ipynb"]
    assert files["03_lstm/lstm.ipynb"] == UNITS[1].released.read_bytes()
    assert not any(re.search(r"hidden|specimens|solutions|__pycache__|/\.", name) for name in files)
    assert not any("BEGIN SOLUTION" in content.decode("utf-8", "ignore") for content in files.values())


def test_what_the_notebooks_read_and_the_licences_are_there(files):
    assert "assets/ladder/lstm.json" in files and "assets/attention/heads.json" not in files
    assert {"README.md", "pyproject.toml", "unrolled/checks/lstm.py"} <= set(files)
    assert set(LICENCES) & set(files)


def test_the_start_pages_command_names_a_notebook_that_is_there():
    made = contents(HOME, [HOME.assignment("06_attention"), HOME.assignment("04_tagging")])
    page = "".join(line for cell in json.loads(made["start.ipynb"])["cells"] for line in cell["source"])
    assert "`python -m unrolled.checking 04_tagging/tagging.ipynb`" in page and "01_ngrams/" not in page


def test_the_start_page_links_to_what_is_there(files):
    page = "".join(line for cell in json.loads(files["start.ipynb"])["cells"] for line in cell["source"])
    linked = set(re.findall(r"\((\d\d_\w+/\w+\.ipynb)\)", page))
    assert linked == {"01_ngrams/ngrams.ipynb", "03_lstm/lstm.ipynb"} and "| 2 · " in page


def test_a_newer_bundle_overwrites_no_answers_and_the_same_content_is_the_same_file(tmp_path):
    first = bundle(HOME, UNITS, tmp_path, DAY)
    before = first.read_bytes()
    assert bundle(HOME, UNITS, tmp_path, DAY) == first and first.read_bytes() == before
    second = bundle(HOME, UNITS[:1], tmp_path, date(2026, 11, 9))
    place = tmp_path / "home"
    for path in (first, second):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(place)
        work = place / path.stem / "01_ngrams" / "ngrams.ipynb"
        assert "my answer" not in work.read_text(encoding="utf-8")
        work.write_text("my answer", encoding="utf-8")
    assert (place / first.stem / "01_ngrams" / "ngrams.ipynb").read_text() == "my answer"


def test_the_unpacked_package_is_found_before_any_other(tmp_path):
    path = bundle(HOME, UNITS, tmp_path, DAY)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    says = "import unrolled, unrolled.checks.lstm; print(unrolled.__file__)"
    command = [sys.executable, "-c", says]
    done = subprocess.run(command, cwd=tmp_path / path.stem, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(tmp_path))


def test_a_unit_that_is_not_released_or_was_worked_in_is_refused(tmp_path):
    course = Course.find(Path(__file__).parent)
    (tmp_path / "course" / "01_ngrams").mkdir(parents=True)
    shutil.copy(course.root / "nbgrader_config.py", tmp_path)
    (tmp_path / "solutions").symlink_to(course.solutions)
    unit = Course.find(tmp_path).assignment("ngrams")
    with pytest.raises(Trouble, match="not released yet: run `autograder release 01_ngrams` first"):
        contents(unit.course, [unit])
    worked = json.loads(UNITS[0].released.read_text(encoding="utf-8"))
    cell = next(cell for cell in worked["cells"] if cell["metadata"].get("nbgrader", {}).get("solution"))
    cell["source"] = "x = 1"
    unit.released.write_text(json.dumps(worked), encoding="utf-8")
    with pytest.raises(Trouble, match="holds somebody's answers"):
        contents(unit.course, [unit])
