"""The console script's last line of defence; what its commands do is tested beside their modules."""

import pytest

from autograder import cli
from autograder.course import Trouble


@pytest.mark.parametrize(
    ("raised", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "autograder: stopped; what was graded so far is kept.\n"),
        (Trouble("There is no chalk: buy some."), 1, "autograder: There is no chalk: buy some.\n"),
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
