"""A progress bar that leaves nothing behind, neither in a terminal nor in a notebook.

In a terminal it is tqdm's. In a notebook it is one line of output, overwritten and emptied at the end: what tqdm
writes there would stay in the notebook's file, and in the book. Elsewhere (a log, a test) nothing is shown.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")
EVERY = 0.5  # seconds between two updates


def progress(items: Iterable[Item], total: int, note: Callable[[], str]) -> Iterator[Item]:
    """The items, counted on the screen; note: a few words on how things stand, asked for now and then."""
    line = _notebook_line()
    with tqdm(total=total, unit=" steps", leave=False, disable=True if line else None) as bar:
        shown = time.monotonic()
        for done, item in enumerate(items):
            if done and time.monotonic() > shown + EVERY:
                shown = time.monotonic()
                bar.set_postfix_str(note(), refresh=False)
                bar.update(done - bar.n)
                if line:
                    line.update(_plain(f"step {done:,} of {total:,}, {note()}"), raw=True)
            yield item
    if line:
        line.update(_plain(""), raw=True)


def _notebook_line():
    """An output that can be overwritten; None where there is no notebook."""
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        return None
    return display(_plain(""), raw=True, display_id=True) if hasattr(get_ipython(), "kernel") else None


def _plain(text: str) -> dict[str, str]:
    return {"text/plain": text}
