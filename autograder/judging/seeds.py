"""What a submission's checks draw their inputs from: the class's secret and what the student wrote.

Equal code gets equal inputs, and so equal marks. Another class, and whoever changes a letter, gets others, so that
inputs that one run gave away are of no use to the next; those of the notebook's own checks are others, too.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator

from nbgrader.utils import is_locked
from unrolled.checking.registry import SEED_VARIABLE


def seed_of(notebook, secret: str) -> int:
    """A number of 64 bits, by the code cells of a mended notebook but those that nobody may change."""
    said = json.dumps([cell.source for cell in notebook.cells if cell.cell_type == "code" and not is_locked(cell)])
    return int.from_bytes(hashlib.sha256(f"{secret}\n{said}".encode("utf-8", "surrogatepass")).digest()[:8], "big")


@contextlib.contextmanager
def in_environment(seed: int) -> Iterator[None]:
    """Processes that begin in this block, such as a notebook's kernel, draw from `seed`."""
    before = os.environ.get(SEED_VARIABLE)
    os.environ[SEED_VARIABLE] = str(seed)
    try:
        yield
    finally:
        os.environ.pop(SEED_VARIABLE)
        if before is not None:
            os.environ[SEED_VARIABLE] = before
