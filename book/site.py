"""Run Jupyter Book on the source folder. Every warning is an error, and each is shown on its own line."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.course import Trouble

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
TELLING = re.compile(r"WARNING|ERROR|Error:|Exception")


def build_site(settings: Path, toc: Path, source: Path, work: Path) -> Path:
    """The folder of HTML pages as Jupyter Book leaves them, in `work`.

    Raises Trouble with Jupyter Book's warnings, one a line, if there is any.
    """
    shutil.rmtree(work, ignore_errors=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", source, "--path-output", work]
    command += ["--config", settings.resolve(), "--toc", toc.resolve(), "-W", "--keep-going"]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "NO_COLOR": "1"}
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    work.mkdir(parents=True, exist_ok=True)
    (work / "jupyter-book.log").write_text(done.stdout, "utf-8")
    if done.returncode:
        raise Trouble(f"Jupyter Book is not content:\n{telling_lines(done.stdout)}")
    return work / "_build" / "html"


def telling_lines(log: str) -> str:
    """The warnings and errors of a log; its last lines if it has none."""
    lines = COLOURS.sub("", log).splitlines()
    told = [line for line in lines if TELLING.search(line) and "warnings treated as errors" not in line]
    return "\n".join(f"  {line.strip()}" for line in told or lines[-5:])
