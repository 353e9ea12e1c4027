"""The console script's last line of defence; what its commands do is tested beside their modules."""

import pytest
import typer
from typer.testing import CliRunner

from autograder import cli
from autograder.course import Trouble


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "autograder: stopped; what was graded so far is kept.\n"),
        (Trouble("There is no chalk: buy some."), 1, "autograder: There is no chalk: buy some.\n"),
        (Trouble("no\x1b[2J\n[b]chalk[/b]\x07"), 1, "autograder: no�[2J�[b]chalk[/b]�\n"),
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
    cli._say("submitted/\x1b]0;X\x07[red]\nforged row\udc80/a  path")
    assert capsys.readouterr().out == "submitted/�]0;X�[red]�forged row�/a  path\n"
    cli._say("x" * 10_000)
    assert len(capsys.readouterr().out) < 5_000


COMMANDS = typer.main.get_command(cli.app).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_that_is_shown_is_the_help_that_was_written(name):
    """Square brackets, for one, would be taken for markup and vanish."""
    shown = CliRunner().invoke(cli.app, [name, "--help"], env={"COLUMNS": "300", "NO_COLOR": "1"})
    assert shown.exit_code == 0
    for parameter in COMMANDS[name].params:
        assert " ".join((parameter.help or "").split()) in " ".join(shown.output.split()), parameter.name
