"""What all commands keep: an example, JSON, a dry run, three exit codes; the console script's last line of defence.

What each of them does is tested beside its module.
"""

import json
import shlex

import little_course
import pytest
import typer
from typer.testing import CliRunner

from autograder import cli
from autograder.commands import telling
from autograder.course import Trouble


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "autograder: stopped; what was done so far is kept.\n"),
        (Trouble("There is no chalk: buy some."), 2, "autograder: There is no chalk: buy some.\n"),
        (Trouble("no\x1b[2J\n[b]chalk[/b]\x07"), 2, "autograder: no�[2J�[b]chalk[/b]�\n"),
    ],
)
def test_trouble_and_interrupt_are_one_line(monkeypatch, capsys, raised, code, says):
    def app():
        raise raised

    monkeypatch.setattr(cli, "app", app)
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == code
    assert capsys.readouterr().err == says


def test_a_line_is_a_line_whatever_stands_in_it(capsys):
    """A folder of a student's, in a path, an id, an error: no row of its own, no command to the terminal, no markup."""
    telling.say("submitted/\x1b]0;X\x07[red]\nforged row\udc80/a  path")
    assert capsys.readouterr().out == "submitted/�]0;X�[red]�forged row�/a  path\n"
    telling.say("x" * 10_000)
    assert len(capsys.readouterr().out) < 5_000


COMMANDS = typer.main.get_command(cli.app).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_that_is_shown_is_the_help_that_was_written(name):
    """Square brackets, for one, would be taken for markup and vanish."""
    shown = CliRunner().invoke(cli.app, [name, "--help"], env={"COLUMNS": "300", "NO_COLOR": "1"})
    assert shown.exit_code == 0
    for parameter in COMMANDS[name].params:
        assert " ".join((parameter.help or "").split()) in " ".join(shown.output.split()), parameter.name


def options(name: str) -> set[str]:
    return {option for parameter in COMMANDS[name].params for option in parameter.opts}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_ends_with_an_example_that_the_command_takes(name):
    shown = CliRunner().invoke(cli.app, [name, "--help"], env={"COLUMNS": "300", "NO_COLOR": "1"}).output
    example = next(line for line in shown.splitlines() if f"autograder {name} " in line and "Usage" not in line)
    arguments = shlex.split(example[example.index(f"autograder {name} ") :].strip(" │`"))[2:]
    COMMANDS[name].make_context(name, arguments)  # it raises for an option or a word too many


JSON = ("students", "collect", "grade", "feedback", "mail", "report", "marks", "verify", "class")


@pytest.mark.parametrize("name", JSON)
def test_what_prints_a_table_or_a_list_prints_json_if_asked(name):
    assert "--json" in options(name)


DRY = {  # what writes, and the option without which, or with which, it writes nothing
    **dict.fromkeys(
        ("new", "bundle", "students", "collect", "forget", "grade", "feedback", "marks", "report"), "--dry-run"
    ),
    "release": "--check",
    "mail": "--send",
}


@pytest.mark.parametrize("name", DRY)
def test_what_writes_can_say_first_what_it_would_do(name):
    assert DRY[name] in options(name)


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    assignment = little_course.make_released(tmp_path_factory.mktemp("commands"))
    (assignment.course.root / "class.csv").write_text("id,name\nada,Ada Lee\n,Bo Ek\n", encoding="utf-8")
    (assignment.course.root / "good.csv").write_text("id,name\nada,Ada Lee\n", encoding="utf-8")
    (assignment.course.root / "odd.csv").write_text("id,dice\nzoe and bo,\n", encoding="utf-8")
    little_course.hand_in(assignment, "ada", little_course.RIGHT)
    return assignment


CANNOT = {
    "new": "new tagging",
    "release": "release 77",
    "bundle": "bundle 77",
    "students": "students nowhere.csv",
    "collect": "collect dice nowhere.zip",
    "forget": "forget nobody",
    "grade": "grade 77",
    "feedback": "feedback dice",
    "mail": "mail 77",
    "report": "report dice",
    "marks": "marks dice --into nowhere.csv",
    "verify": "verify 77",
    "class": "class dice --root .",
}


@pytest.mark.parametrize("name", CANNOT)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(assignment, monkeypatch, capsys, name):
    code, said, complaint = little_course.in_process(monkeypatch, capsys, assignment, *CANNOT[name].split())
    assert code == 2 and said.strip() == "" and len(complaint.strip().splitlines()) == 1, complaint


def test_a_word_too_many_is_exit_code_2(assignment, monkeypatch, capsys):
    assert little_course.in_process(monkeypatch, capsys, assignment, "grade", "dice", "--nonsense")[0] == 2


LOOK = {  # command: done, and something is to be looked at
    "students class.csv --dry-run": 1,
    "students good.csv --dry-run": 0,
    "marks dice --into odd.csv --dry-run": 1,
    "marks dice --dry-run": 0,
    "release --check": 0,
    "grade dice --dry-run": 0,
    "bundle dice --dry-run": 0,
}


def state(assignment) -> dict:
    """Every file but the gradebook, which a reader may touch, and the class's secret, which makes itself."""
    files = (path for path in assignment.course.root.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in files if path.suffix not in (".db", ".secret")}


@pytest.mark.parametrize("line", LOOK)
def test_something_to_look_at_is_exit_code_1_and_a_dry_run_changes_nothing(assignment, monkeypatch, capsys, line):
    before = state(assignment)
    code, said, complaint = little_course.in_process(monkeypatch, capsys, assignment, *line.split())
    assert (code, complaint) == (LOOK[line], "") and said
    assert state(assignment) == before


def test_json_is_json_whatever_stands_in_the_list(assignment, monkeypatch, capsys):
    arguments = ("students", "class.csv", "--dry-run", "--json")
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, *arguments)
    assert code == 1 and json.loads(said)["new"] == ["ada"]
    telling.show(["a line"], {"student": "\udc80\x1b[2J"}, True)
    assert json.loads(capsys.readouterr().out)["student"] == "?\x1b[2J"
