"""Files that are made together or not at all: if anything is raised on the way, what was made is removed again."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autograder.course import Trouble
from autograder.words import first_line


@contextmanager
def whole_or_not_at_all(folders: list[Path], changed: Path) -> Iterator[Callable[[Path, str], None]]:
    """Gives a function that writes a new file. `folders` may be made within by others; `changed` may be changed.

    After a failure the new files and folders are gone, and `changed` is as it was.
    """
    made, before, there = [], changed.read_bytes(), set(filter(Path.exists, folders))

    def write(path: Path, text: str) -> None:
        made.append(path)
        parents.update(_missing([path.parent]))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    parents = set(_missing(folders))
    try:
        yield write
    except BaseException as error:
        for path in made:
            with suppress(OSError):  # what could not be written is not there
                path.unlink()
        for folder in set(folders) - there:
            shutil.rmtree(folder, ignore_errors=True)
        for folder in sorted(parents, reverse=True):  # a folder's name sorts before the names of what is in it
            with suppress(OSError):  # something else is in it, or it was never made
                folder.rmdir()
        changed.write_bytes(before)
        if isinstance(error, OSError):
            raise Trouble(f"{first_line(error)}: nothing was made.") from error
        raise


def _missing(folders: list[Path]) -> list[Path]:
    return [above for folder in folders for above in (folder, *folder.parents) if not above.exists()]
