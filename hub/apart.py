"""An account of its own for each user, without a change to the machine: they exist in the Hub's own view of it.

Root starts the Hub in a mount namespace. There /etc/passwd and /etc/group have the hub's users, and the clone that the
Hub was started from is empty but for the environment, so that no student finds solutions or hidden checks in it. The
namespace ends with the Hub. Elsewhere all servers are processes of one account, which can read everything.
"""

import os
import pwd
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from hub import ground

FIRST = 59_000  # the numbers of the accounts; adduser begins at 1000


def lacking(folder: Path) -> str | None:
    """Why there can be no accounts of their own here, or None. One line."""
    if os.name != "posix" or os.geteuid() != 0:
        return "only root can give everybody an account of their own"
    if not shutil.which("unshare") or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        return "this machine lets nobody mount (unshare --mount), as most containers do"
    if closed := _closed(folder):
        return f"other accounts cannot pass through {closed}"
    return None


def _closed(path: Path) -> Path | None:
    """The outermost folder on the way to `path`, itself included, that others cannot pass through."""
    way = [each for each in (*reversed(path.parents), path) if each.is_dir()]
    return next((each for each in way if not each.stat().st_mode & stat.S_IXOTH), None)


def accounts(folder: Path, students: list[str]) -> dict[str, int]:
    """Writes etc/passwd and etc/group with everybody in them, and gives the homes. By name, the number.

    Who had a number keeps it, since what was handed in belongs to it.
    """
    numbers = _before(folder)
    for name in (ground.TEACHER, *students):
        numbers.setdefault(name, max([FIRST - 1, *numbers.values()]) + 1)
    passwd, group = Path("/etc/passwd").read_text(), Path("/etc/group").read_text()
    for name, uid in numbers.items():
        passwd += f"{name}:x:{uid}:{uid}::{folder / 'home' / name}:/bin/bash\n"
        group += f"{name}:x:{uid}:\n"
    for name in (ground.TEACHER, *students):
        ground.give(folder / "home" / name, numbers[name])
    (folder / "etc" / "passwd").write_text(passwd)
    (folder / "etc" / "group").write_text(group)
    os.chown(folder / "exchange", numbers[ground.TEACHER], numbers[ground.TEACHER])
    return numbers


def _before(folder: Path) -> dict[str, int]:
    """The accounts of an earlier run: those that the machine has not."""
    path, own = folder / "etc" / "passwd", {each.pw_name for each in pwd.getpwall()}
    rows = [line.split(":") for line in path.read_text().splitlines()] if path.is_file() else []
    return {row[0]: int(row[2]) for row in rows if row[0] not in own}


def command(folder: Path, inner: list[str]) -> list[str]:
    """The command that runs `inner` in the Hub's own view of the machine."""
    hidden = _hidden()
    inside = [path for path in _needed() if _within(path, hidden)]
    kept = {folder / "hub" / f"kept-{number}": path for number, path in enumerate(inside)}
    lines = ["set -e"]
    lines += [_mount("--bind", folder / "etc" / name, f"/etc/{name}") for name in ("passwd", "group")]
    for aside, path in kept.items():
        lines += [f"mkdir -p {_q(aside)}", _mount("--bind", path, aside)]
    lines += [_mount("-t", "tmpfs", "-o", "mode=755", "none", path) for path in hidden]
    for aside, path in kept.items():
        lines += [f"mkdir -p {_q(path)}", _mount("--bind", aside, path)]
    return ["unshare", "--mount", "sh", "-c", "\n".join([*lines, f"cd {_q(folder)}", f"exec {shlex.join(inner)}"])]


def _hidden() -> list[Path]:
    """This clone, the one that the environment's editable packages name, and what bars the way to what is needed."""
    ask = "import autograder; print(autograder.__file__)"
    said = subprocess.run([ground.PYTHON, "-I", "-c", ask], capture_output=True, text=True, cwd="/").stdout.strip()
    clones = [ground.ROOT, *([Path(said).resolve().parents[1]] if said and "site-packages" not in said else [])]
    found = {*clones, *filter(None, map(_closed, _needed()))}
    return sorted(path for path in found if not _within(path.parent, found))


def _needed() -> list[Path]:
    """Of what may lie in a hidden place: the environment, its interpreter, npm's packages, node."""
    node = Path(shutil.which("node") or "/usr/bin/node").resolve().parents[1]
    return [ground.ENVIRONMENT, Path(sys.base_prefix).resolve(), ground.PACKAGES, node]


def _within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _mount(*words) -> str:
    return f"mount {' '.join(map(_q, words))}"


def _q(word) -> str:
    return shlex.quote(str(word))
