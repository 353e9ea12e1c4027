"""The course's data sets: found, fetched, checked, and named to the reader.

    text = load("tiny_shakespeare")

looks in four places, in this order: the user's cache (UNROLLED_CACHE moves it), a mirror folder (UNROLLED_DATA, or
`../shared/data` beside a checkout of the course), the public address (UNROLLED_OFFLINE=1 leaves it out), and a
stand-in made from a package. Whatever is used has its registered SHA-256. `python -m unrolled.data` fetches
every set and lists it. Left out on purpose: unpacking archives, and guessing at files that are not registered.
"""

import argparse
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pooch

from unrolled import stand_ins
from unrolled.datasets import DataSet, File, registry
from unrolled.errors import OneLineError
from unrolled.fetching import NotFetched, fetch

_on_stand_in: set[str] = set()  # sets of this process that run on a stand-in: they stay on it


class DataError(OneLineError):
    """There is no such data set, or neither it nor a stand-in can be had; the message says what to do."""


@dataclass(frozen=True)
class Source:
    """What a run stands on: title, attribution and licence of the text that was found, and where that was."""

    title: str
    attribution: str
    licence: str
    place: str  # "cache", "mirror folder", "public address", or "stand-in from …"
    path: Path
    is_stand_in: bool = False


# --- what the notebooks call ---------------------------------------------------------------------------------------


def load(name: str, file: str | None = None) -> str:
    """The text of a data set, fetched first if need be. A stand-in announces itself in one line.

    `file` names one of several files. Raises DataError if there is no such set, or no way to get it.
    """
    return path(name, file).read_text(encoding="utf-8")


def path(name: str, file: str | None = None) -> Path:
    """Where the data set's file lies on this machine; fetches, announces and raises as `load` does."""
    found = source(name, file)
    if found.is_stand_in:
        print(f"Running on a stand-in for {registry()[name].title}: {found.title}.", flush=True)
    return found.path


def describe(name: str, file: str | None = None) -> str:
    """One line on what a run stands on: title, original or stand-in, attribution and licence; else as `load`."""
    found = source(name, file)
    kind = f"stand-in: {found.title}" if found.is_stand_in else "original"
    return f"{registry()[name].title} ({kind}). {found.attribution}. Licence: {found.licence}."


def source(name: str, file: str | None = None) -> Source:
    """What a run stands on, as data. Fetches and raises as `load` does."""
    data_set = _data_set(name)
    wanted = _file(data_set, file)
    found = _on_disk(data_set, wanted) or _from_address(data_set, wanted)
    return found or _from_package(data_set, wanted)


def asset(name: str) -> Path:
    """A file that the course itself brings: `asset("ladder/ngrams.json")`. DataError if it is not there.

    Looked for in a folder `assets` beside the package, inside the course's folder and beside it; and from the
    notebook's own folder upwards, for a package that was installed elsewhere.
    """
    course, here = Path(__file__).resolve().parents[1], Path.cwd()
    for folder in (course, course.parent, *[here, *here.parents][:3]):
        if (found := folder / "assets" / name).is_file():
            return found
    raise DataError(
        f"{name} is missing: start the notebook inside the course's folder, with assets/ in it or beside it."
    )


def _data_set(name: str) -> DataSet:
    if name not in registry():
        raise DataError(f"There is no data set {name!r}; there are {', '.join(sorted(registry()))}.")
    return registry()[name]


def _file(data_set: DataSet, wanted: str | None) -> File:
    files = {file.name: file for file in data_set.files}
    if wanted is None and len(files) == 1:
        return data_set.files[0]
    if wanted not in files:
        raise DataError(f"{data_set.title} has the files {', '.join(files)}: ask for one of them, not {wanted!r}.")
    return files[wanted]


# --- the cache and the mirror folder -------------------------------------------------------------------------------


def _on_disk(data_set: DataSet, file: File) -> Source | None:
    """The original from the cache or a mirror folder."""
    mirror = _mirror_folder()
    if os.environ.get("UNROLLED_DATA") and not mirror.is_dir():
        _say_once(f"UNROLLED_DATA names {mirror}, which is no folder: it is passed over.")
    for place, folder in ("cache", _cache_folder()), ("mirror folder", mirror):
        if _sound(folder / file.name, file.sha256):
            return _original(data_set, place, folder / file.name)
    return None


def _original(data_set: DataSet, place: str, path: Path) -> Source:
    return Source(data_set.title, data_set.attribution, data_set.licence, place, path)


def _sound(path: Path, sha256: str) -> bool:
    """Whether the registered file is there. Another file in its place is named in one line, and left to be replaced."""
    if not path.is_file():
        return False
    try:
        fault = None if pooch.file_hash(str(path)) == sha256 else "has a wrong SHA-256"
    except OSError as problem:
        fault = f"cannot be read ({problem.strerror})"
    if fault:
        _say_once(f"{path} {fault}: it is passed over.")
    return fault is None


def _cache_folder() -> Path:
    return Path(os.environ.get("UNROLLED_CACHE") or pooch.os_cache("unrolled")).expanduser()


def _mirror_folder() -> Path:
    checkout = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("UNROLLED_DATA") or checkout.parent / "shared" / "data").expanduser()


@cache
def _say_once(line: str) -> None:
    print(line, flush=True)


# --- the public address --------------------------------------------------------------------------------------------


def _from_address(data_set: DataSet, file: File) -> Source | None:
    """The original, fetched into the cache; or one line on why not, and None for "use the stand-in"."""
    if data_set.name in _on_stand_in:
        return None
    try:
        if _forbidden():
            raise NotFetched("UNROLLED_OFFLINE is set, so its public address is not tried")
        fetched = fetch(file, _cache_folder(), data_set.title)
    except NotFetched as problem:
        if data_set.stand_in is None:
            raise DataError(f"{data_set.title}: {problem}, and it has no stand-in: {_remedy(file)}.") from None
        print(f"{data_set.title}: {problem}; its stand-in is used instead.", flush=True)
        return None
    except OSError as problem:
        raise _unwritable(problem) from None
    return _original(data_set, "public address", fetched)


def _forbidden() -> bool:
    return os.environ.get("UNROLLED_OFFLINE", "").lower() not in ("", "0", "no", "false")


# --- the stand-in --------------------------------------------------------------------------------------------------


def _from_package(data_set: DataSet, file: File) -> Source:
    """The stand-in, made once and kept in the cache. Raises DataError if its package cannot be had."""
    made, told = _cache_folder() / "stand-ins" / file.name, data_set.stand_in
    if not _sound(made, told.sha256):
        try:
            _write(made, stand_ins.build(told))
        except stand_ins.StandInError as problem:
            raise DataError(f"No stand-in for {data_set.title} either: {problem}; {_remedy(file)}.") from None
    _on_stand_in.add(data_set.name)
    place = f"stand-in from {told.package} {told.version}"
    return Source(told.title, told.attribution, told.licence, place, made, is_stand_in=True)


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)  # whole or not at all, also when two notebooks start together
    except OSError as problem:
        raise _unwritable(problem) from None


def _unwritable(problem: OSError) -> DataError:
    reason = problem.strerror or problem
    return DataError(f"The cache {_cache_folder()} cannot be written ({reason}): name another in UNROLLED_CACHE.")


def _remedy(file: File) -> str:
    return f"connect to a network, or put {file.name} into a folder and name the folder in UNROLLED_DATA"


# --- python -m unrolled.data ---------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Fetch the data sets asked for and list them. Returns 0 if each, or a stand-in for it, is there."""
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.data",
        description="Fetch the course's data sets and list what each is and where it came from.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="the data sets to fetch (default: all of them)")
    parser.add_argument("--all", action="store_true", help="fetch every data set")
    asked = parser.parse_args(arguments)
    names = registry() if asked.all or not asked.names else asked.names
    try:
        rows = [_fetched(name) for name in names]
    except KeyboardInterrupt:
        print("Interrupted; what was fetched is kept.", file=sys.stderr)
        return 130
    if any(rows):
        print(_table(("name", "title", "licence", "where"), filter(None, rows)))
    return 0 if all(rows) else 1


def _fetched(name: str) -> tuple[str, ...] | None:
    """The table's row for one data set; None, and a line on standard error, if it cannot be had."""
    try:
        data_set = _data_set(name)
        found = [source(name, file.name) for file in data_set.files][0]
    except DataError as problem:
        print(problem, file=sys.stderr)
        return None
    return name, data_set.title, found.licence, found.place


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


if __name__ == "__main__":
    sys.exit(main())
