"""One zip of the finished pages, to hand out or to put on any web host: unpacked, it reads from the disk as well."""

import zipfile
from pathlib import Path

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip's first moment: equal pages make an equal zip


def pack(html: Path, target: Path) -> Path:
    """Write all files of `html` into the zip `target`, in a folder of its name; returns `target`."""
    unfinished = target.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in html.rglob("*") if path.is_file()):
            name = f"{target.stem}/{path.relative_to(html).as_posix()}"
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED)
    unfinished.replace(target)
    return target
