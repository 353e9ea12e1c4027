"""The processes that a test has started, by what stands in their commands."""

import contextlib

import psutil


def below(word: str) -> dict[int, psutil.Process]:
    """The processes below this one that have `word` in their command, by process id; those just gone left out."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if word in " ".join(process.cmdline()):
                found[process.pid] = process
    return found
