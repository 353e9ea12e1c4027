"""What `python -m hub` refuses, says and lays out, without a Hub."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hub import __main__ as command
from hub import apart, ground


@pytest.fixture
def ready(monkeypatch):
    """All is installed, so that the first thing wrong is what the test is about."""
    monkeypatch.setattr(command, "find_spec", lambda name: name)
    monkeypatch.setattr(command.shutil, "which", lambda name: name)
    monkeypatch.setattr(ground, "PACKAGES", Path("/"))
    monkeypatch.setattr(Path, "exists", lambda path: True)


@pytest.mark.parametrize(
    ("folder", "students", "told"),
    [
        (ground.ROOT / "trial", ["ada"], "must not lie in each other"),
        (ground.ROOT.parent, ["ada"], "must not lie in each other"),
        (Path("/srv/trial"), ["ada", "O'Neil"], "\"O'Neil\" cannot be a student's account"),
        (Path("/srv/trial"), ["teacher"], "'teacher' cannot be a student's account"),
        (Path("/srv/trial"), ["ada", "root"], "'root' is an account of this machine already"),
        (Path("/srv/trial"), ["ada", "bruno-2"], None),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(ready, folder, students, told):
    said = command.wrong(folder, students)
    assert (said is None) if told is None else (told in said and "\n" not in said)


def test_without_jupyterhub_and_without_its_proxy_the_way_to_each_is_told(ready, monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert "pip install 'unrolled-autograder[hub]'" in command.wrong(Path("/srv/trial"), ["ada"])
    monkeypatch.setattr(command, "find_spec", lambda name: name)
    monkeypatch.setattr(command.shutil, "which", lambda name: None)
    assert "tools/node_modules.sh" in command.wrong(Path("/srv/trial"), ["ada"])


def test_a_dry_run_makes_nothing_and_a_mistake_ends_with_two(tmp_path, ready, capsys):
    assert command.main([str(tmp_path / "trial"), "--dry-run"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert "Would serve teacher and ada, bruno, chiara" in capsys.readouterr().out
    assert command.main([str(ground.ROOT / "trial")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_help_has_an_example():
    said = subprocess.run([sys.executable, "-m", "hub", "--help"], cwd=ground.ROOT, capture_output=True, text=True)
    assert said.returncode == 0 and "python -m hub /srv/unrolled-trial --students" in said.stdout


def test_homes_are_closed_and_students_get_no_solution(tmp_path, monkeypatch):
    monkeypatch.setattr(ground, "_clone", lambda home: home.mkdir())
    ground.lay(tmp_path, ["ada"])
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("home/ada", "home/teacher", "hub")}
    assert modes == {"home/ada": 0o700, "home/teacher": 0o700, "hub": 0o700}
    assert (tmp_path / "exchange").stat().st_mode & 0o7777 == 0o1777
    assert (tmp_path / "course" / "unrolled" / "__init__.py").is_file()
    text = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "course").rglob("*.py"))
    assert "BEGIN SOLUTION" not in text and not list((tmp_path / "course").glob("[0-9][0-9]_*"))
    seen = json.loads((tmp_path / "etc" / "students" / "jupyter_server_config.json").read_text())
    assert seen["ServerApp"]["jpserver_extensions"]["nbgrader.server_extensions.formgrader"] is False
    (tmp_path / "home" / "ada" / "mine.txt").touch()
    ground.lay(tmp_path, ["ada"])  # again: nothing of anybody's goes
    assert (tmp_path / "home" / "ada" / "mine.txt").exists()


def test_the_plan_holds_the_passwords_and_nobody_else_reads_it(tmp_path):
    (tmp_path / "hub").mkdir()
    path = ground.plan(tmp_path, ["ada"], False, 0).write()
    plan = json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len({plan["port"], *plan["inner_ports"]}) == 3
    assert len(plan["passwords"]["teacher"]) >= 32 > len(plan["passwords"]["students"]) >= 8


def test_only_root_can_give_accounts_and_a_closed_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(apart.os, "geteuid", lambda: 1000)
    assert apart.lacking(tmp_path) == "only root can give everybody an account of their own"
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o700)
    monkeypatch.setattr(apart, "_closed", lambda path: shut)
    monkeypatch.setattr(apart.os, "geteuid", lambda: 0)
    monkeypatch.setattr(apart.shutil, "which", lambda name: name)
    monkeypatch.setattr(apart.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    assert apart.lacking(tmp_path) == f"other accounts cannot pass through {shut}"


def test_what_is_needed_of_a_hidden_place_is_set_aside_before_and_put_back_after(tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "_hidden", lambda: [Path("/clone")])
    monkeypatch.setattr(apart, "_needed", lambda: [Path("/clone/.venv"), Path("/usr")])
    lines = apart.command(tmp_path, ["jupyterhub"])[-1].splitlines()
    aside = f"mount --bind /clone/.venv {tmp_path}/hub/kept-0"
    back = f"mount --bind {tmp_path}/hub/kept-0 /clone/.venv"
    hide = "mount -t tmpfs -o mode=755 none /clone"
    assert lines.index(aside) < lines.index(hide) < lines.index(back) and lines[-1] == "exec jupyterhub"
    assert not any("/usr" in line for line in lines)


def test_who_had_an_account_keeps_its_number(tmp_path, monkeypatch):
    """What was handed in belongs to a number: another order of names must not make it somebody else's."""
    monkeypatch.setattr(ground, "give", lambda path, uid: None)
    monkeypatch.setattr(apart.os, "chown", lambda *_: None)
    (tmp_path / "etc").mkdir()
    first = apart.accounts(tmp_path, ["ada", "bruno"])
    second = apart.accounts(tmp_path, ["chiara", "bruno", "ada"])
    assert first.items() <= second.items() and len(set(second.values())) == 4
    assert (tmp_path / "etc" / "passwd").read_text().count("ada:x:") == 1
