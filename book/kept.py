"""Which stored run of a unit still holds: one whose source is the same, and all that it read.

A run writes down what it read of the course (see `watching`): modules, a widget's scripts, stored results. Their
hashes go with it, so that a change of one unit's files leaves the other units' runs as they are, and a change of what
all of them read runs all of them again.

Left out on purpose: files that a run looked for in vain. The exception are data sets: a run on a stand-in no longer
holds once the original lies on this machine.
"""

import hashlib
import sys
from importlib.metadata import version
from importlib.util import source_from_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from unrolled.data import cache_folder, mirror_folder

from autograder.course import Assignment

READ = "unrolled_read"  # the notebook's metadata, while it is stored
STAND_INS = "stand-ins"  # the folder of the cache that they are made in


def place_of(assignment: Assignment, store: Path, scale: str) -> Path:
    """Where a unit's run is stored: by its source, the scale, and the versions that every printed number depends on."""
    digest = hashlib.sha256(f"{scale} {sys.version_info[:2]} {version('torch')}\0".encode())
    digest.update(assignment.source.read_bytes())
    return store / f"{assignment.name}.{scale}.{digest.hexdigest()[:16]}.ipynb"


def load(stored: Path, root: Path) -> NotebookNode | None:
    """The stored run, or None if there is none, or if something that it read is another now."""
    if not stored.exists():
        return None
    notebook = nbformat.read(stored, as_version=4)
    read = notebook.metadata.pop(READ, None)
    return notebook if read is not None and _holds(read, root) else None


def save(notebook: NotebookNode, stored: Path, read: dict) -> None:
    """Store a run with what it read, in place of the unit's earlier runs at this scale."""
    stored.parent.mkdir(parents=True, exist_ok=True)
    unit, scale, _ = stored.name.split(".", 2)
    for outdated in stored.parent.glob(f"{unit}.{scale}.*.ipynb"):
        outdated.unlink(missing_ok=True)
    unfinished = stored.with_suffix(".part")
    notebook.metadata[READ] = read
    nbformat.write(notebook, unfinished)
    del notebook.metadata[READ]
    unfinished.replace(stored)  # an interrupted write leaves no half of a run behind


def what_was_read(noted: Path, root: Path) -> dict:
    """{"files": {path under the course's root: SHA-256}, "stand_ins": names}, from the lines of `watching`."""
    opened = {_source_of(Path(line)) for line in noted.read_text("utf-8").splitlines()}
    folders = [root.resolve() / name for name in ("course", "assets")]
    ours = sorted(path for path in opened if any(folder in path.parents for folder in folders) and path.is_file())
    made = cache_folder().resolve() / STAND_INS
    return {
        "files": {path.relative_to(root.resolve()).as_posix(): _hash(path) for path in ours},
        "stand_ins": sorted(path.relative_to(made).as_posix() for path in opened if made in path.parents),
    }


def changed_since(began: float, read: dict, root: Path) -> bool:
    """Whether a file was written while the run went on: then nobody knows which text of it the run has read."""
    return any((root / name).stat().st_mtime >= began for name in read["files"])


def _source_of(opened: Path) -> Path:
    """The module that Python had compiled into `opened`; else the file itself."""
    return Path(source_from_cache(opened)).resolve() if opened.suffix == ".pyc" else opened.resolve()


def _holds(read: dict, root: Path) -> bool:
    same = all((root / name).is_file() and _hash(root / name) == was for name, was in read["files"].items())
    folders = cache_folder(), mirror_folder()
    return same and not any((folder / name).is_file() for folder in folders for name in read["stand_ins"])


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
