"""Behind JupyterLab's own login: the settings of the top folder add the pages to it."""

import json
import shutil
import urllib.error
import urllib.request
from pathlib import Path

import lab_server
import marking_class
from marking_class import QUESTION

ROOT = Path(__file__).parents[2]


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_jupyterlab_in_the_top_folder_has_the_pages(tmp_path):
    """Jupyter reads jupyter_server_config.py in the folder that it is started in; other extensions stay."""
    assignment = marking_class.made(tmp_path, {"ada": "Throws do not know each other."})
    shutil.copy(ROOT / "jupyter_server_config.py", tmp_path)
    with lab_server.served(tmp_path, tmp_path / "log") as address:
        status, page = get(f"{address}/autograder/mark")
        assert status == 200 and "0 of 1" in page
        status, page = get(f"{address}/autograder/mark/dice/{QUESTION}")
        assert status == 200 and "Throws do not know each other." in page and "ada" not in page
        status, state = get(f"{address}/autograder/mark/{assignment.name}/{QUESTION}/state")
        assert status in (200, 403)  # a script without a referrer may be refused; never an answer to another page
        assert get(f"{address}/lab")[0] == 200 and json.loads(get(f"{address}/api")[1])["version"]


def test_elsewhere_one_line_says_that_there_is_no_course(tmp_path):
    shutil.copy(ROOT / "jupyter_server_config.py", tmp_path)
    with lab_server.served(tmp_path, tmp_path / "log") as address:
        status, page = get(f"{address}/autograder/mark")
        assert status == 404 and "is not inside a course" in page and "Traceback" not in page
