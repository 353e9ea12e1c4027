"""Processes start wherever temporary files are kept, or one line says why they cannot."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.judging import forkserver

STARTS = """
import sys
from autograder.judging import forkserver
from autograder.course import Trouble

forkserver.SHORT = sys.argv[1]
try:
    process = forkserver.context("json").Process(target=print, args=("started",))
    process.start()
    process.join()
except Trouble as trouble:
    sys.exit(f"autograder: {trouble}")
"""


def start(tmpdir: Path, short: Path) -> subprocess.CompletedProcess:
    """Start a process with TMPDIR and with `short` in place of /tmp, and give what both said."""
    tmpdir.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-W", "error", "-c", STARTS, str(short)]
    environment = os.environ | {"TMPDIR": str(tmpdir)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


def named(folder: Path, length: int) -> Path:
    """A folder in `folder` whose path is `length` bytes long."""
    return folder / ("x" * (length - len(os.fsencode(folder)) - 1))


@pytest.fixture
def top():
    """A folder with a path that leaves room for every length tried."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="fs") as folder:
        yield Path(folder)


@pytest.mark.parametrize("length", [forkserver.LONGEST, forkserver.LONGEST + 1, 103, 200])
def test_a_process_starts_however_long_the_path_of_temporary_files_is(top, length):
    short = top / "s"
    short.mkdir()
    started = start(named(top, length), short)
    assert (started.stdout, started.stderr, started.returncode) == ("started\n", "", 0)
    assert list(short.iterdir()) == []  # nothing stays behind


def test_the_socket_lies_elsewhere_only_where_it_must(top, monkeypatch):
    used = []
    monkeypatch.setattr(forkserver, "_keep_sockets_in", used.append)
    for length in (forkserver.LONGEST, forkserver.LONGEST + 1):
        monkeypatch.setattr(forkserver.tempfile, "tempdir", str(named(top, length)))
        forkserver.context("json")
    assert used == ["/tmp"]


def test_where_no_socket_can_be_made_one_line_says_so(top):
    refused = start(named(top, 120), top / "absent")
    assert refused.returncode == 1
    assert refused.stderr == (
        "autograder: TMPDIR is too long a path for a socket, and "
        f"{top / 'absent'} cannot be used instead (No such file or directory): shorten TMPDIR.\n"
    )
