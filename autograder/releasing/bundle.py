"""The zip that students get: the chosen units as they were released, with all that their notebooks need.

Everything lies in one folder whose name carries the day and a hash of the content. A newer bundle, unpacked where an
older one lies, so has a folder of its own and never touches anybody's answers. Two bundles of the same content are the
same bytes. Left out on purpose: solutions, hidden checks, other units' notebooks, and what only a build leaves behind.
"""

import hashlib
import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path

import unrolled

from autograder.course import Assignment, Course, Trouble
from autograder.releasing import assets, assistants, release
from autograder.releasing.start_page import ROW
from autograder.words import word_of

BESIDE = ("README.md", "pyproject.toml", "start.ipynb")  # of the students' folder, beside the package
LICENCES = ("LICENSE",)
LEFT_OUT = re.compile(r"__pycache__|\.ipynb_checkpoints|\.egg-info|(^|/)\.|~$|\.pyc$")
COMMAND = re.compile(r"(python -m unrolled\.checking )\d\d_\w+/\w+\.ipynb")
MOMENT = (2020, 1, 1, 0, 0, 0)  # of every file: a zip knows no other way to be the same twice


def bundle(course: Course, units: list[Assignment], folder: Path, day: date) -> Path:
    """Writes the zip into `folder` and returns its path; the same content of the same day is the same file.

    Raises Trouble where a unit is not released, or where somebody worked in its notebook.
    """
    files = contents(course, units)
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + hashlib.sha256(files[name]).digest())
    name = f"unrolled-{day.isoformat()}-{digest.hexdigest()[:6]}"
    path = folder / f"{name}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_zipped({f"{name}/{place}": content for place, content in files.items()}))
    return path


def contents(course: Course, units: list[Assignment]) -> dict[str, bytes]:
    """The files of a bundle by their place in it."""
    package = Path(unrolled.__file__).parent
    files = {f"unrolled/{path.relative_to(package).as_posix()}": path for path in package.rglob("*") if path.is_file()}
    files |= {name: package.parent / name for name in BESIDE}
    files |= {name: course.solutions.parent / name for name in LICENCES}
    for unit in units:
        files[f"{unit.name}/{unit.released.name}"] = _ready(unit)
        files |= {f"assets/{name}": assets.copy_of(unit, name) for name in assets.read_by(unit)}
    found = {place: path.read_bytes() for place, path in files.items() if path.is_file() and not LEFT_OUT.search(place)}
    said = assistants.text(course)
    if said is not None:
        found[assistants.AGENTS] = said.encode()
    if assistants.START in found:
        page = assistants.on_start_page(found[assistants.START], said)
        found[assistants.START] = _start_page(page, [unit.name for unit in units])
    return found


def _ready(unit: Assignment) -> Path:
    if not unit.released.is_file():
        raise Trouble(f"{unit.name} is not released yet: run `autograder release {unit.name}` first.")
    if release.worked_in(unit.released.read_bytes()):
        raise Trouble(f"{unit.released} holds somebody's answers: run `autograder release {unit.name}` first.")
    return unit.released


def _start_page(page: bytes, units: list[str]) -> bytes:
    """With links to the units that are there, and to no others, and one of them as the example of a command."""
    content, numbers, example = json.loads(page), {int(unit[:2]) for unit in units}, min(units)
    for cell in content["cells"]:
        lines = "".join(cell["source"]).splitlines(keepends=True)
        rows = [_row(line, numbers) for line in lines]
        cell["source"] = [COMMAND.sub(rf"\g<1>{example}/{word_of(example)}.ipynb", row) for row in rows]
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def _row(line: str, numbers: set[int]) -> str:
    row = ROW.match(line)
    if not row or int(row[1]) in numbers:
        return line
    return re.sub(r"^\| \[(\d+ · [^]|]*)\]\([^)]*\) \|", r"| \1 |", line)


def _zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[name])
    return stream.getvalue()
