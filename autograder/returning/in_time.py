"""A time limit for work on what students wrote: libraries that take the square of its length, or of its nesting.

By a timer of the system's, so for the main thread of a process only; in others there is no limit.
"""

import contextlib
import signal
import threading
import time
from collections.abc import Iterator


class TookTooLong(BaseException):
    """Time is up. No `Exception`, which one of the libraries in between may swallow."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TookTooLong in the block once it has taken so long; within another one, no longer than that one allows."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    begin, outer = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)[0]
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, outer or seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, outer - (time.monotonic() - begin)))


def _ring(*_: object) -> None:
    raise TookTooLong
