"""A folder of clones, as GitHub Classroom makes them: `unit-1-ada/`, each a repository; its last commit counts.

A student fills these folders, so Git itself is never run in them: a repository's settings may name programs to run.
"""

import os
import re
from pathlib import Path, PurePosixPath

from .commits import committed
from .shapes import Attempt, Who
from .sources import entries, passed_over

NAME = re.compile(r"(?!.*_assignsubmission_)[A-Za-z0-9._-]+")  # as GitHub has them; nbgrader's exchange has a + in each


def clones(source: Path) -> list[Path]:
    """The repositories in a folder of nothing but clones; none where something else was handed in beside them."""
    folders, repositories = parted(source)
    loose = any(name.casefold().endswith((".ipynb", ".zip")) for name in beside(source))
    return repositories if folders == repositories and not loose and all(map(_is_called_so, folders)) else []


def parted(source: Path) -> tuple[list[Path], list[Path]]:
    """All folders of a source, and those of them that are repositories."""
    if not source.is_dir():
        return [], []
    shown = sorted(path for path in source.iterdir() if not passed_over(path.name))
    folders = [path for path in shown if path.is_dir() and not path.is_symlink()]
    return folders, [path for path in folders if os.path.lexists(path / ".git")]


def beside(source: Path) -> list[str]:
    """The names of files that lie beside the folders."""
    files = (path.name for path in sorted(source.iterdir()) if path.is_file()) if source.is_dir() else ()
    return [name for name in files if not passed_over(name)]


def attempts(repositories: list[Path]) -> list[Attempt]:
    """What each holds. What all names begin with is the assignment's, and maybe more: an id begins there or before."""
    names = [path.name.split("-") for path in repositories]
    begun = len(os.path.commonprefix(names)) if len(names) > 1 else len(names[0])
    found = []
    for path, parts in zip(repositories, names, strict=True):
        ids = tuple("-".join(parts[at:]) for at in range(min(begun + 1, len(parts))))
        attempt = Attempt(Who(path.name, ids), committed(path / ".git"))
        attempt.files = {PurePosixPath(*entry.path.parts): entry for entry in entries(path)}
        found.append(attempt)
    return found


def _is_called_so(path: Path) -> bool:
    return NAME.fullmatch(path.name) is not None
