"""Runs a function in a process of its own that can be ended at any moment, with everything it started.

A server process imports nbgrader once and forks for each call (multiprocessing's forkserver), so a submission
costs no import. The server has no threads, which makes its forks safe.
"""

import os
from collections.abc import Callable
from typing import Any

from autograder.judging import forkserver


class TookTooLong(Exception):
    """The function had not returned when its time was up; it was ended."""


class Died(Exception):
    """The process ended without an answer; the text says how."""


def call(function: Callable, *arguments: Any, seconds: float) -> Any:
    """`function(*arguments)` in a process of its own. Both ends must be picklable by name.

    Raises TookTooLong, Died, Trouble, or what the function raised.
    """
    context = forkserver.context("autograder.judging.plain.nbgrader_run")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, function, arguments), daemon=False)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise TookTooLong
        good, value = ours.recv()
    except EOFError:
        process.join()
        raise Died(f"the process ended with code {process.exitcode}") from None
    finally:
        _end(process)
        ours.close()
    if not good:
        raise value
    return value


def _answer(connection, function: Callable, arguments: tuple) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # kernels chatter on standard error
    try:
        connection.send((True, function(*arguments)))
    except Exception as error:
        connection.send((False, RuntimeError(f"{type(error).__name__}: {error}")))


def _end(process) -> None:
    """Ends the process and all that it started, if it has not ended by itself within a second or two."""
    import psutil

    try:
        family = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        family = []
    process.join(0.0 if family else 2.0)
    if process.is_alive():
        process.kill()
    for child in family:
        if child.is_running():
            child.kill()
    process.join()
