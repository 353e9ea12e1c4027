"""The set-up scripts and the Makefile: what they do with nothing to do, and what they say when they cannot."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (
    "bash",
    "awk",
    "cat",
    "cmp",
    "dirname",
    "env",
    "find",
    "grep",
    "head",
    "id",
    "mkdir",
    "rm",
    "sed",
    "tail",
    "tee",
)


def run(command: list[str], cwd: Path, path: str | Path, **variables: str) -> subprocess.CompletedProcess:
    environment = {"PATH": str(path), "HOME": str(cwd), **variables}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.fixture
def bare_path(tmp_path) -> Path:
    """A folder for PATH with the shell's own tools and nothing to install with."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        (folder / tool).symlink_to(shutil.which(tool))
    return folder


@pytest.fixture
def clone(tmp_path) -> Path:
    """As much of the repository as the set-up scripts look at."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "tools", folder / "tools")
    (folder / "course").mkdir()
    for name in ("requirements.lock", "pyproject.toml", "course/pyproject.toml", "package-lock.json"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def targets() -> dict[str, str]:
    """Each target of the Makefile with its line of help ('' if it has none)."""
    found = re.findall(r"^([a-z]+):[^=\n]*?(?:## (.*))?$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return dict(found)


def test_help_says_one_line_about_every_target_that_a_person_calls():
    if shutil.which("make") is None:
        pytest.skip("needs make")
    said = run(["make", "help"], ROOT, os.environ["PATH"]).stdout.splitlines()
    wanted = {name: line for name, line in targets().items() if line}
    assert {line.split()[1] for line in said} == set(wanted)
    assert set(targets()) - set(wanted) == {"data"}
    assert all(len(line) <= 100 for line in said)


def test_a_computer_without_a_fitting_python_is_told_so_in_one_line(clone, bare_path):
    outcome = run(["tools/environment.sh"], clone, bare_path, PYTHON="no-such-python")
    assert outcome.returncode == 1
    assert outcome.stdout == ""
    assert outcome.stderr.splitlines() == [
        "make: Unrolled needs Python 3.11 to 3.14 and found none in PYTHON=no-such-python. "
        "Install one, or name it: make PYTHON=/path/to/python3.11 …"
    ]


def fake_environment(clone: Path, log: Path) -> None:
    """A .venv whose python writes down each call and does nothing else."""
    folder = clone / ".venv" / "bin"
    folder.mkdir(parents=True)
    program(folder, "python", f'echo "$@" >> "{log}"')


def test_the_environment_is_made_once_and_again_after_the_lock_has_changed(clone, bare_path, tmp_path):
    log = tmp_path / "calls"
    fake_environment(clone, log)

    def installs() -> int:
        log.write_text("")
        outcome = run(["tools/environment.sh"], clone, bare_path)
        assert outcome.returncode == 0, outcome.stderr
        return len(re.findall("pip install", log.read_text()))

    assert installs() == 2  # the lock, then our two packages
    assert installs() == 0
    with (clone / "requirements.lock").open("a") as lock:
        lock.write("zzz==1.0\n")
    assert installs() == 2
    assert installs() == 0


def test_a_failed_installation_shows_pips_reason_and_leaves_no_stamp(clone, bare_path, tmp_path):
    fake_environment(clone, tmp_path / "calls")
    failing = 'case "$*" in *install*) echo "ERROR: No matching distribution found for torch"; exit 1;; esac'
    program(clone / ".venv" / "bin", "python", failing)
    outcome = run(["tools/environment.sh"], clone, bare_path)
    assert outcome.returncode == 1
    assert outcome.stderr.splitlines() == [
        "ERROR: No matching distribution found for torch",
        "make: the environment could not be made; all that pip said is in .venv/setup.log",
    ]
    assert not (clone / ".venv" / "made-from").exists()


def test_nothing_is_started_when_every_program_is_there(clone, bare_path):
    for name in ("chromium", "bwrap", "node", "npm", "initdb"):
        program(bare_path, name, "exit 0")
    program(bare_path, "apt-get", "echo apt-get was run; exit 1")
    fonts = clone / ".fonts"
    fonts.mkdir()
    (fonts / "DejaVuSans.ttf").touch()
    outcome = run(["tools/system_packages.sh", "browser", "jail", "node", "postgresql"], clone, bare_path)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")


def test_where_nothing_may_be_installed_one_line_says_what_is_missing(clone, bare_path):
    outcome = run(["tools/system_packages.sh", "jail", "node"], clone, bare_path)
    assert outcome.returncode == 0
    assert outcome.stdout.splitlines() == [
        "Missing: bubblewrap nodejs npm. Please install (Debian, Ubuntu: apt-get install bubblewrap nodejs npm). "
        "Without: submissions are graded with fewer walls; the book has no formulas offline."
    ]


def test_with_the_right_to_do_so_only_what_is_missing_is_installed(clone, bare_path, tmp_path):
    program(bare_path, "npm", "exit 0")
    program(bare_path, "node", "exit 0")
    program(bare_path, "sh", 'exec /bin/sh "$@"')
    program(bare_path, "apt-get", f'echo "$@" >> "{tmp_path}/apt"')
    program(bare_path, "sudo", 'shift; exec "$@"')
    program(bare_path, "true", "exit 0")
    outcome = run(["tools/system_packages.sh", "jail", "node"], clone, bare_path)
    assert outcome.stdout == "Installing bubblewrap …\n"
    update, install = (tmp_path / "apt").read_text().splitlines()
    assert update == "-qq update"
    assert install == "-qq install --yes --no-install-recommends bubblewrap"


def test_an_unknown_kind_of_program_is_refused(clone, bare_path):
    outcome = run(["tools/system_packages.sh", "printer"], clone, bare_path)
    assert outcome.returncode == 2
    assert outcome.stderr == "system_packages.sh: unknown: printer (browser, jail, node or postgresql)\n"


def test_node_modules_are_installed_once_for_each_lock(clone, bare_path, tmp_path):
    (bare_path / "cp").symlink_to(shutil.which("cp"))
    program(bare_path, "npm", f'mkdir -p node_modules; echo "$@" >> "{tmp_path}/npm"')
    for _ in range(2):
        assert run(["tools/node_modules.sh"], clone, bare_path).returncode == 0
    assert (tmp_path / "npm").read_text().splitlines() == ["ci --no-audit --no-fund --loglevel=error"]


def test_a_failing_npm_is_named(clone, bare_path):
    program(bare_path, "npm", "echo no such package >&2; exit 1")
    outcome = run(["tools/node_modules.sh"], clone, bare_path)
    assert outcome.returncode == 1
    assert outcome.stderr.splitlines()[0] == "no such package"
    assert "npm could not install" in outcome.stderr


def test_without_npm_the_node_modules_are_left_out(clone, bare_path):
    outcome = run(["tools/node_modules.sh"], clone, bare_path)
    assert outcome.returncode == 0
    assert not (clone / "node_modules").exists()


def test_ci_runs_the_same_command_as_a_person():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert "set -euo pipefail" in lines
    assert lines[-1] == "make test"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


@pytest.mark.parametrize("builds", [True, False])
def test_the_benchmarks_get_kenlms_own_counter_once_and_go_on_without_it(clone, bare_path, builds):
    (clone / "_build" / "otter" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin").mkdir(parents=True)
    program(clone / "_build" / "otter" / "bin", "python", "exit 0")  # the other peers are there already
    done = "mkdir -p _build/kenlm/bin && : > _build/kenlm/bin/lmplz && chmod +x _build/kenlm/bin/lmplz"
    program(clone / ".venv" / "bin", "python", f'case "$2" in *build_lmplz*) {done if builds else "exit 1"};; esac')
    (bare_path / "chmod").symlink_to(shutil.which("chmod"))
    first, again = (run(["bash", "tools/bench_packages.sh"], clone, bare_path) for _ in range(2))
    assert first.returncode == again.returncode == 0, first.stderr
    assert "Building KenLM's lmplz" in first.stdout
    assert ("goes on without KenLM" in first.stderr) != builds
    assert ("Building" in again.stdout) != builds
