"""The jail: each layer does what it says, alone and with the others, with and without bubblewrap, as root and not."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from attacks import test_attacks
from attacks.escape import ESCAPE
from attacks.exhaust import EXHAUST
from attacks.leave import LEAVE
from attacks.read import READ
from attacks.write import WRITE
from one_judge import SHORT, engine

from autograder.judging import jail
from autograder.judging.boundary.outputs import cleaned
from autograder.judging.jail import bubblewrap, landlock, launch, linux, seccomp, visible
from autograder.judging.judge import Judge
from autograder.judging.warm.worker import Worker

HAS_LANDLOCK = pytest.mark.skipif(not landlock.version(), reason="needs a kernel with Landlock")
HAS_BUBBLEWRAP = pytest.mark.skipif(not bubblewrap.available(), reason="needs bubblewrap")


def in_a_fork(work) -> str:
    """What `work` returns, or the exception it raises, in a process of its own."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        try:
            text = str(work())
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text


# --- words ----------------------------------------------------------------------------------------------------------


def test_a_whole_jail_is_called_whole():
    assert jail.describe(jail.LAYERS) == "The jail is whole."
    jail.demand(jail.LAYERS)


def test_what_is_missing_is_named_in_one_line():
    here = set(jail.LAYERS) - {"landlock", "bubblewrap"}
    assert jail.missing(here) == ["bubblewrap", "landlock"]
    line = jail.describe(here)
    assert "install bubblewrap" in line and "Landlock" in line and "\n" not in line
    with pytest.raises(jail.JailMissing, match="Landlock"):
        jail.demand(here)


def test_without_bubblewrap_grading_that_requires_it_stops_with_one_line():
    with (
        Judge(SHORT, require_jail=True, bubblewrapped=False) as small,
        pytest.raises(jail.JailMissing, match="bubblewrap"),
    ):
        small.describe()


# --- single layers --------------------------------------------------------------------------------------------------


@HAS_LANDLOCK
def test_landlock_leaves_only_what_is_listed(tmp_path):
    for name in ("shown", "mine", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)

    def work():
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict([str(tmp_path / "shown"), "/no/such/path"], [str(tmp_path / "mine")])
        (tmp_path / "mine" / "new").write_text("x")
        (tmp_path / "mine" / "file").unlink()
        return [(tmp_path / "shown" / "file").read_text(), *map(refused, (read_other, write_shown, list_top, link))]

    def read_other():
        (tmp_path / "other" / "file").read_text()

    def write_shown():
        (tmp_path / "shown" / "file").write_text("x")

    def list_top():
        os.listdir(tmp_path)

    def link():
        os.rename(tmp_path / "shown" / "file", tmp_path / "mine" / "stolen")

    def refused(work):
        try:
            work()
        except OSError:
            return True
        return False

    assert in_a_fork(work) == "['shown', True, True, True, True]"


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (lambda: os.fork(), "PermissionError"),
        (lambda: __import__("socket").socket(), "PermissionError"),
        (lambda: os.execv(sys.executable, [sys.executable]), "PermissionError"),
        (lambda: os.kill(os.getppid(), 0), "PermissionError"),
        (lambda: linux.unshare(linux.CLONE_NEWUSER), "PermissionError"),
        (lambda: linux.prctl(linux.PR_SET_PDEATHSIG, 0), "PermissionError"),
        (lambda: os.memfd_create("x"), "PermissionError"),
        (lambda: os.pidfd_open(os.getppid()), "PermissionError"),
        (lambda: os.kill(os.getpid(), 0), "None"),
        (lambda: [pair.close() for pair in __import__("socket").socketpair()], "[None, None]"),
        (lambda: _thread_works(), "works"),
    ],
    ids=["fork", "socket", "exec", "kill", "unshare", "prctl", "memfd", "pidfd", "kill-self", "socketpair", "thread"],
)
def test_seccomp_refuses_what_reaches_out_and_nothing_else(work, says):
    def jailed():
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.restrict(os.getpid())
        return work()

    assert in_a_fork(jailed).startswith(says)


def _thread_works() -> str:
    import threading

    done = []
    thread = threading.Thread(target=done.append, args=("works",))
    thread.start()
    thread.join()
    return done[0]


def test_a_machine_without_a_list_of_calls_is_told(monkeypatch):
    monkeypatch.setattr(linux, "MACHINE", "riscv64")
    with pytest.raises(OSError, match="riscv64"):
        seccomp.restrict(1)


def test_a_system_call_that_fails_raises_with_its_reason():
    with pytest.raises(OSError, match="mount /no/such/place"):
        linux.mount("none", "/no/such/place", "tmpfs", 0)


def test_the_hidden_checks_are_never_shown():
    shown = visible.shown()
    hidden = str(visible.AUTOGRADER / "hidden")
    assert not any(hidden.startswith(path) for path in shown)
    assert not any(hidden.startswith(path) for path in visible.worker_parts())
    assert any(Path(sys.executable).resolve().is_relative_to(path) for path in shown)


def test_a_grader_inside_a_shown_folder_is_cut_out(tmp_path, monkeypatch):
    for name in ("lib/site/torch", "lib/site/autograder/hidden", "lib/other"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setattr(visible, "AUTOGRADER", tmp_path / "lib" / "site" / "autograder")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    shown = {path for path in visible.shown() if path.startswith(str(tmp_path))}
    assert shown == {str(tmp_path / "lib" / "site" / "torch"), str(tmp_path / "lib" / "other")}


# --- all together ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bare():
    """An engine that has to do without bubblewrap."""
    with Judge(SHORT, bubblewrapped=False) as engine:
        yield engine


@HAS_BUBBLEWRAP
def test_here_the_jail_is_whole():
    assert engine().describe() == "The jail is whole."


def test_without_bubblewrap_only_what_hangs_on_it_is_missing(bare):
    session = bare._worker.fork(SHORT, lambda session, handle: None)
    missing = set(jail.missing(session.layers))
    session.end()
    assert "bubblewrap" in missing
    assert missing <= {"bubblewrap", "nobody"}  # root's own home may hold the interpreter


paths = test_attacks.paths


@pytest.mark.parametrize(
    "attack", [*READ, *WRITE, *ESCAPE, *LEAVE, *EXHAUST], ids=lambda attack: attack.name.replace(" ", "-")
)
def test_without_bubblewrap_nothing_is_gained_either(attack, bare, paths):
    test_attacks.hold_that_nothing_is_gained(attack, bare, paths)


AS_A_USER = """
import sys
sys.path.insert(0, {tests!r})
from one_judge import SHORT, asks, code, notebook
from autograder.judging.judge import Judge
with Judge(SHORT) as engine:
    print(engine.describe())
"""


@pytest.mark.skipif(os.geteuid() != 0 or not bubblewrap.available(), reason="needs root, who can become somebody else")
def test_without_root_the_jail_is_whole_too():
    somebody = [
        "bwrap",
        "--dev-bind",
        "/",
        "/",
        "--unshare-user",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--cap-drop",
        "ALL",
    ]
    program = AS_A_USER.format(tests=str(Path(__file__).parents[1] / "helpers"))
    done = subprocess.run([*somebody, sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "The jail is whole.\n", done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="tests what root's submissions run as")
def test_roots_submissions_run_as_nobody():
    session = engine()._worker.fork(SHORT, lambda session, handle: None)
    raw, _ = session.cell("import os\nprint(os.getuid(), os.getpid(), os.getcwd(), len(os.listdir('.')))", 5)
    session.end()
    assert cleaned(raw)[0]["text"] == f"65534 1 {bubblewrap.SCRATCH} 0\n"


def test_a_bubblewrap_that_does_not_work_is_done_without(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho no permission >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(os, "defpath", f"{tmp_path}{os.pathsep}{os.defpath}")
    monkeypatch.setattr(launch, "_nurseries", {})  # one that was started before works
    assert shutil.which("bwrap") == str(fake)
    with Judge(SHORT) as small:
        assert "install bubblewrap" in small.describe()


@HAS_BUBBLEWRAP
def test_where_there_is_bubblewrap_the_warm_worker_is_in_it():
    """It goes without if it cannot start there, so a module too many would open the jail, with no more than a line."""
    worker = Worker()
    try:
        worker.start()
        assert worker.layers == ["bubblewrap", "network"]
    finally:
        worker.close()


def test_the_warm_worker_imports_nothing_of_the_grader_but_what_it_can_see():
    """And not the judge: what is in its memory, student code can read."""
    code = "import sys; from autograder.judging.warm import zygote; zygote._import(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    ours = {name.removeprefix("autograder.") for name in done.stdout.split() if name.startswith("autograder.")}
    files = {part.removesuffix("/__init__.py").removesuffix(".py") for part in visible.WORKER_PARTS if ".py" in part}
    rooms = tuple(part.replace("/", ".") + "." for part in visible.WORKER_PARTS if ".py" not in part)
    assert [name for name in ours - files if not f"{name}.".startswith(rooms)] == []
    assert {name.split(".")[1] for name in ours if name.startswith("judging.")} == {"boundary", "jail", "warm"}
    assert {name for name in ours if name.startswith("judging.warm.")} == {"judging.warm.zygote", "judging.warm.keeper"}
