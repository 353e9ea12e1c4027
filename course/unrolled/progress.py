"""A progress bar that leaves nothing behind, neither in a terminal nor in a notebook.

In a terminal it is tqdm's. In a notebook it is one line of output, which all trainings of a cell share and which is
empty in the end: what tqdm writes there would stay in the notebook's file, and in the book. Elsewhere (a log, a test)
nothing is shown.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")
EVERY = 0.5  # seconds between two updates


def progress(items: Iterable[Item], total: int, note: Callable[[], str]) -> Iterator[Item]:
    """The items, counted on the screen; note: a few words on how things stand, asked for now and then."""
    shell, written = _notebook(), False
    with tqdm(total=total, unit=" steps", leave=False, disable=True if shell else None) as bar:
        shown = time.monotonic()
        for done, item in enumerate(items):
            if done and time.monotonic() > shown + EVERY:
                shown = time.monotonic()
                bar.set_postfix_str(note(), refresh=False)
                bar.update(done - bar.n)
                if shell:
                    _write(shell, f"step {done:,} of {total:,}, {note()}")
                    written = True
            yield item
    if written:
        _write(shell, "")


def _notebook():
    """IPython's shell if there is a notebook around it, else None."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    shell = get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _write(shell, text: str) -> None:
    _line(shell.execution_count).update({"text/plain": text}, raw=True)


@lru_cache(maxsize=1)
def _line(cell: int):
    """The output that the running cell, by its count, writes over and over."""
    from IPython.display import display

    return display({"text/plain": ""}, raw=True, display_id=True)
