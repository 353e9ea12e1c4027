"""What the course itself brings for its notebooks to read, such as the ladder's stored results.

In the repository these files stand in `assets/` at the top; `autograder release` copies those that notebooks read
into the course's own folder, so that whoever gets that folder alone has them.
"""

from pathlib import Path

from . import places
from .places import DataError


def asset_folder() -> Path:
    """Where the copies lie that go with the course's folder."""
    return places.COURSE / "assets"


def asset(name: str) -> Path:
    """A file that the course itself brings: `asset("ladder/ngrams.json")`. DataError if it is not there.

    Looked for in a folder `assets` beside the package, inside the course's folder and beside it; and from the
    notebook's own folder upwards, for a package that was installed elsewhere.
    """
    here = Path.cwd()
    for folder in (places.COURSE, places.COURSE.parent, *[here, *here.parents][:3]):
        if (found := folder / "assets" / name).is_file():
            return found
    raise DataError(
        f"{name} is missing: start the notebook inside the course's folder, with assets/ in it or beside it."
    )
