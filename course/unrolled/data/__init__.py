"""What the notebooks read: data sets, texts that are made, and files that the course brings itself.

In goes a name, as in `load("tiny_shakespeare")` or `asset("ladder/lstm.json")`; out comes a text or a path, whose
SHA-256 was looked at if it came from elsewhere, or one line that says what to do. `python -m unrolled.data` fetches
every data set and lists it.

Read on in this order: `datasets` (what is registered, in datasets.toml), `places` (cache, mirror, the course's folder),
`finding` (the four places that `load` looks in), `fetching` (the public address), `stand_ins` (texts out of packages),
`assets` (what the course brings), `made_text` (a made language), `__main__` (the command).
"""

from .assets import asset, asset_folder
from .finding import Source, describe, load, path, source
from .places import DataError, cache_folder, mirror_folder

__all__ = [
    "DataError",
    "Source",
    "asset",
    "asset_folder",
    "cache_folder",
    "describe",
    "load",
    "mirror_folder",
    "path",
    "source",
]
