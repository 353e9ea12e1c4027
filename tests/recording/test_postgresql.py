"""A gradebook in a real PostgreSQL server: the same marks as in SQLite, by way of nbgrader's `db_url`."""

import os
import shutil
import socket
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

import jailed_course
import pytest
from jailed_course import SUM, TWO, UNIT, book, hand_in, mark

from autograder import grade as grading
from autograder.recording import gradebook


def _program(name: str) -> str | None:
    """Debian keeps the server's programs off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(_program("initdb") is None, reason="needs a PostgreSQL server (Debian: postgresql)"),
    pytest.mark.skipif(find_spec("psycopg") is None, reason="needs the extra `postgresql` (psycopg)"),
]


def _as_its_user(*command: str) -> None:
    """The server refuses to be root's, so root lends it the user that Debian's package made."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": ()} if os.geteuid() == 0 else {}
    done = subprocess.run(command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, **user)
    assert done.returncode == 0, done.stdout.decode()


@pytest.fixture(scope="module")
def db_url():
    """A fresh server on a free port of this machine, for as long as the tests of this file run."""
    folder = tempfile.mkdtemp(prefix="unrolled-postgresql-")
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, pg_ctl = f"{folder}/data", _program("pg_ctl")
    _as_its_user(_program("initdb"), "-D", data, "-U", "teacher", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    _as_its_user(pg_ctl, "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
    yield f"postgresql+psycopg://teacher@127.0.0.1:{port}/postgres"
    _as_its_user(pg_ctl, "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder)


def test_marks_are_those_of_sqlite_and_a_regrade_keeps_what_a_person_gave(db_url, tmp_path):
    courses = [jailed_course.make(tmp_path / "sqlite"), jailed_course.make(tmp_path / "postgresql", db_url=db_url)]
    for assignment in courses:
        hand_in(assignment, "åsa_nyholm", TWO | {"written-question": "Counts grow thin."})
        hand_in(assignment, "half", TWO | {"perplexity": SUM})
        hand_in(assignment, "torn", {}).write_bytes(b"")
        grading.grade(assignment, workers=2)
    sqlite, postgresql = courses
    assert book(postgresql) == book(sqlite)
    assert mark(postgresql, "åsa_nyholm") == 3
    with gradebook.gradebook(postgresql.course) as opened:
        opened.find_grade("written-question", "ngrams", UNIT, "åsa_nyholm").manual_score = 2.5
        opened.db.commit()
    grading.grade(postgresql, force=True)
    assert mark(postgresql, "åsa_nyholm") == 5.5 and not (postgresql.course.root / "gradebook.db").exists()
