"""nbgrader, called with nothing on the screen."""

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def nbgrader_quiet() -> Iterator[list[Exception]]:
    """Calls nbgrader with nothing on the screen; gives the list in which the errors that it logs collect.

    nbgrader catches what goes wrong with a notebook, logs it and raises an error that no longer says what it was.
    The environment's programs come first on PATH while it runs, since nbgrader calls `alembic` by name.
    """
    from traitlets.log import get_logger

    log, errors = get_logger(), []
    handler = logging.Handler(level=logging.ERROR)
    handler.emit = lambda record: errors.append(sys.exc_info()[1] or RuntimeError(record.getMessage()))
    handlers, propagate, path = log.handlers[:], log.propagate, os.environ.get("PATH", "")
    log.handlers, log.propagate = [handler], False
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield errors
    finally:
        log.handlers, log.propagate = handlers, propagate
        os.environ["PATH"] = path
