"""Warm workers that are started ahead, and the seats of the processes that take them."""

import os
import socket
import subprocess
import sys

import pytest

from autograder.judging.jail import bubblewrap, launch

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def cores(monkeypatch):
    monkeypatch.setattr(launch.os, "sched_getaffinity", lambda process: {0, 1})
    pinned = []
    monkeypatch.setattr(launch.os, "sched_setaffinity", lambda process, cores: pinned.append(cores))
    yield pinned
    launch._ahead.clear()


@pytest.fixture
def spawned(monkeypatch):
    """Processes in the place of nurseries, which are asked for workers and keep the sockets that come with it."""
    started = []

    def spawn(descriptor, wrapped, home, data, words):
        started.append(subprocess.Popen(SLEEP, pass_fds=[descriptor]))
        return started[-1]

    monkeypatch.setattr(launch, "spawn", spawn)
    monkeypatch.setattr(launch, "_nurseries", {})
    monkeypatch.setattr(bubblewrap, "available", lambda: True)
    yield started
    for nursery in launch._nurseries.values():
        nursery.end()


def sit_down(seats):
    """As a process does that has its own end of the queue."""
    launch.sit_down(socket.socket(fileno=os.dup(seats.taken_from.fileno())))


def test_each_process_gets_a_core_and_a_warm_worker_of_its_own(cores, spawned):
    seats = launch.Seats(2)
    sit_down(seats)
    sit_down(seats)
    assert cores == [{0}, {1}]
    first, second = launch.taken(), launch.taken()
    assert first.fileno() != second.fileno() and launch.taken() is None
    first.close()
    second.close()
    seats.clear()
    assert len(spawned) == 1, "one process imports for both"


def test_who_finds_no_seat_goes_without(cores, spawned):
    seats = launch.Seats(1)
    sit_down(seats)
    sit_down(seats)
    assert cores == [{0}] and len(launch._ahead) == 1
    launch.taken().close()
    seats.clear()


def test_more_processes_than_cores_are_placed_by_the_system(cores, spawned):
    seats = launch.Seats(3)
    for _ in range(3):
        sit_down(seats)
    assert cores == [] and len(launch._ahead) == 3
    while (taken := launch.taken()) is not None:
        taken.close()
    seats.clear()


def test_without_bubblewrap_a_seat_is_a_core(cores, spawned, monkeypatch):
    monkeypatch.setattr(bubblewrap, "available", lambda: False)
    seats = launch.Seats(1)
    sit_down(seats)
    assert cores == [{0}] and launch.taken() is None and not spawned
    seats.clear()


def test_a_warm_worker_whose_process_goes_hears_of_it(cores, spawned):
    """No other process keeps a copy of its socket, so it ends by itself."""
    seats = launch.Seats(1)
    sit_down(seats)
    end = launch.taken()
    spawned[0].kill()
    spawned[0].wait()
    assert end.recv(1) == b""
    end.close()
    seats.clear()


QUICK = """
import sys
from autograder.judging import quick
quick.import_jsonschema()
import nbformat
assert "rfc3987_syntax" not in sys.modules
nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]))
try:
    nbformat.validate({"cells": 3})
except nbformat.ValidationError:
    import rfc3987_syntax
    print("refused, and the package is still there")
"""


def test_jsonschema_without_the_grammar_validates_as_before():
    done = subprocess.run([sys.executable, "-c", QUICK], capture_output=True, text=True, timeout=120)
    assert "refused" in done.stdout, done.stderr
