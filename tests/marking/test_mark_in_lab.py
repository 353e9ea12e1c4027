"""Behind JupyterLab's own login: what `make setup` writes into the environment adds the pages to it."""

import json
import re
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import lab_server
import marking_class
import pytest
from marking_class import QUESTION

ROOT = Path(__file__).parents[2]


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture(autouse=True)
def set_up(tmp_path_factory, monkeypatch):
    """Jupyter's settings as the script writes them, in a folder that Jupyter reads."""
    script = (ROOT / "tools" / "environment.sh").read_text(encoding="utf-8")
    function = re.search(r"^marking_pages\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)[0]
    assert "\nmarking_pages\n" in script
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run(["bash", "-c", f"{function}\nmarking_pages"], cwd=folder, check=True)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder / ".venv" / "etc" / "jupyter"))


@pytest.mark.slow
def test_jupyterlab_has_the_pages(tmp_path):
    assignment = marking_class.made(tmp_path, {"lovelace": "Throws do not know each other."})
    with lab_server.served(tmp_path, tmp_path / "log") as address:
        status, page = get(f"{address}/autograder/mark")
        assert status == 200 and "0 of 1" in page
        status, page = get(f"{address}/autograder/mark/dice/{QUESTION}")
        assert status == 200 and "Throws do not know each other." in page and "lovelace" not in page
        status, state = get(f"{address}/autograder/mark/{assignment.name}/{QUESTION}/state")
        assert status in (200, 403)  # a script without a referrer may be refused; never an answer to another page
        assert get(f"{address}/lab")[0] == 200 and json.loads(get(f"{address}/api")[1])["version"]


@pytest.mark.slow
def test_elsewhere_one_line_says_that_there_is_no_course(tmp_path):
    with lab_server.served(tmp_path, tmp_path / "log") as address:
        status, page = get(f"{address}/autograder/mark")
        assert status == 404 and "is not inside a course" in page and "Traceback" not in page
