"""Lays out the folder of a hub: homes, the exchange, the course's files, and what each server is told.

    home/NAME             mode 0700; the teacher's holds a clone with solutions and hidden checks
    course                what students get: the package `unrolled`, without units
    exchange              nbgrader's, writable for all, as nbgrader wants it; sticky, so that nobody moves the course
    etc                   settings of nbgrader and of the servers, accounts, the plan
    hub                   mode 0700; the Hub's database and log, passwords

What is there already stays: a second run serves the same homes.
"""

import json
import os
import secrets
import shutil
import socket
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = Path(sys.prefix).resolve()
PYTHON = ENVIRONMENT / "bin" / Path(sys.executable).name
PACKAGES = (ROOT / "node_modules").resolve()  # npm's
CLONE = ("autograder", "assets", "course", "solutions", "LICENSE", "README.md", "nbgrader_config.py", "pyproject.toml")
NOT_OURS = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.egg-info", "build")
COURSE = "unrolled"
TEACHER = "teacher"

NBGRADER = """c = get_config()
c.CourseDirectory.course_id = {course!r}
c.Exchange.root = {exchange!r}
"""
TEACHERS = """c = get_config()
load_subconfig("nbgrader_config.py", path={clone!r})  # for formgrader, which starts at home
"""


@dataclass(frozen=True)
class Plan:
    """What the Hub needs to know. `apart`: everybody has an account of their own; `token`: of a script, or empty."""

    folder: str
    students: list[str]
    apart: bool
    port: int
    inner_ports: list[int]
    proxy: str
    passwords: dict[str, str]
    token: str = ""

    def write(self) -> Path:
        path = Path(self.folder, "hub", "plan.json")
        path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        path.chmod(0o600)
        return path


def plan(folder: Path, students: list[str], apart: bool, port: int, token: str = "") -> Plan:
    """Passwords are made anew each time; ports that only the Hub and its proxy use are any free ones."""
    proxy = PACKAGES / "configurable-http-proxy" / "bin" / "configurable-http-proxy"
    words = {"students": secrets.token_urlsafe(12), TEACHER: secrets.token_urlsafe(32)}
    return Plan(str(folder), students, apart, port or _free(1)[0], _free(2), str(proxy), words, token)


def lay(folder: Path, students: list[str]) -> None:
    """Folders and files, as the account that serves. Existing homes are left as they are."""
    for name, mode in (("", 0o755), ("home", 0o755), ("etc", 0o755), ("hub", 0o700), ("exchange", 0o1777)):
        _folder(folder / name, mode)
    for name in (TEACHER, *students):
        _folder(folder / "home" / name, 0o700)
    for name in ("all", "students", "teacher"):
        _folder(folder / "etc" / name, 0o755)
    clone = folder / "home" / TEACHER / COURSE
    (folder / "etc" / "teacher" / "nbgrader_config.py").write_text(TEACHERS.format(clone=str(clone)), encoding="utf-8")
    settings = NBGRADER.format(course=COURSE, exchange=str(folder / "exchange"))
    (folder / "etc" / "all" / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    (folder / "etc" / "students" / "jupyter_server_config.json").write_text(json.dumps(_students_see()))
    if not (folder / "course").exists():
        units = shutil.ignore_patterns("[0-9][0-9]_*", "__pycache__", "*.egg-info", "build")
        shutil.copytree(ROOT / "course", folder / "course", ignore=units)
    if not clone.exists():
        _clone(clone)


def _folder(path: Path, mode: int) -> None:
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)  # mkdir's mode is less the umask


def _students_see() -> dict:
    """Students list, fetch and hand in; what marks is the teacher's."""
    off = {f"nbgrader.server_extensions.{name}": False for name in ("formgrader", "course_list")}
    return {"ServerApp": {"jpserver_extensions": off}}


def _clone(home: Path) -> None:
    """What a teacher would clone; `course/` is released into, so it is a copy and no link."""
    for name in CLONE:
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place, ignore=NOT_OURS)
        else:
            shutil.copy(ROOT / name, place)
    if PACKAGES.exists():  # the formulas of feedback pages
        (home / "node_modules").symlink_to(PACKAGES)


def _free(count: int) -> list[int]:
    """Ports of loopback that nobody uses now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def give(path: Path, uid: int) -> None:
    """A folder and all in it to an account. Links are not followed."""
    os.chown(path, uid, uid, follow_symlinks=False)
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            os.chown(Path(folder, name), uid, uid, follow_symlinks=False)
