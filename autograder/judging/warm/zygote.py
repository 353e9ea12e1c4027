"""The warm worker: imports everything once, then forks for each submission and does nothing else.

It runs no student code and no operation on more than one thread (a process that has done so leaves its forks with
thread pools that hang), and holds no secret: no hidden check, no other submission, no path to either.

`python -m autograder.judging.warm.zygote FD` is the nursery of such workers: it imports what all of them need, and
forks one whenever it is asked to over the socket FD. A worker talks over the socket that came with the asking: first
comes a setup, then, for each submission, the limits with two sockets, one for the student's process and one for its
keeper.
"""

import contextlib
import gc
import importlib
import importlib.util
import os
import resource
import signal
import socket
import sys
from dataclasses import astuple

from autograder.judging.boundary.channel import Channel, Kind
from autograder.judging.boundary.decoding import decode
from autograder.judging.boundary.encoding import encode
from autograder.judging.jail import Layout, enter
from autograder.judging.jail.bubblewrap import SCRATCH
from autograder.judging.jail.enter import separate
from autograder.judging.jail.launch import WANTED
from autograder.judging.jail.limits import Limits
from autograder.judging.jail.namespaces import nobody_can_read

from . import keeper

READY = b"ready"
MAX_MESSAGE = 2**18


def main(descriptor: int) -> None:
    """The nursery. It ends when whoever started it is gone."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this may ignore it; cells must not
    asked = socket.socket(fileno=descriptor)
    _import()
    apart = _kept_apart()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers are reaped by the system
    while True:
        message, files, _, _ = socket.recv_fds(asked, len(WANTED), 2)
        if not message:
            return
        if not apart or os.fork() == 0:
            asked.close()
            control, words = files
            os.dup2(words, 1)
            os.dup2(words, 2)
            return _work(socket.socket(fileno=control))
        for file in files:
            os.close(file)


def _kept_apart() -> bool:
    """Whether submissions of two workers of one nursery would see nothing of each other: neither files nor processes.

    Where the system refuses that, the nursery becomes the first worker itself, and another one is started for the next.
    """
    child = os.fork()
    if child == 0:
        try:
            layers = separate(Layout(SCRATCH, ()), Limits())
            os._exit(0 if {"mounts", "processes"} <= set(layers) else 1)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def _work(control: socket.socket) -> None:
    """A warm worker's whole life. It ends when whoever tells it what to do is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # what is imported may start processes and wait for them
    scratch, shown, layers, preload, cores = decode(control.recv(MAX_MESSAGE))
    shell = _warm(preload)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)
    layout = Layout(scratch, tuple(shown), tuple(layers), nobody_can_read(shown))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are reaped by the system
    control.send(READY)
    while True:
        message, files, _, _ = socket.recv_fds(control, MAX_MESSAGE, 2)
        if not message:
            return
        limits = Limits(*decode(message))
        if os.fork() == 0:
            control.close()
            _submission(layout, limits, files, shell)
        for file in files:
            os.close(file)


def _import() -> None:
    """Import what every unit needs, while whoever started this may be busy with the same."""
    import matplotlib.pyplot  # noqa: F401
    import torch._dynamo  # noqa: F401  (torch.func imports it at its first call: a time limit would cut that in two)
    from matplotlib_inline import backend_inline  # noqa: F401

    from autograder.judging.boundary import child, shell  # noqa: F401


def _warm(preload: list[str]):
    """Import what the unit's notebook imports. Returns the shell that every submission starts from."""
    import matplotlib
    import torch
    from matplotlib_inline.backend_inline import configure_inline_support

    from autograder.judging.boundary.shell import Shell

    torch.set_num_threads(1)
    torch.zeros(2).add(1)
    for name in preload:
        try:
            importlib.import_module(name)
        except Exception as error:  # the submission will find out for itself
            print(f"cannot preload {name}: {error}", file=sys.stderr)
    _shut_finished(preload)
    shell = Shell.instance()
    configure_inline_support(shell, matplotlib.get_backend())
    shell.run("1 + 1")
    shell.reset(new_session=True)
    gc.collect()
    gc.freeze()  # so that collections in the forks do not touch, and copy, what all of them share
    return shell


def _shut_finished(preload: list[str]) -> None:
    """Shut the finished model of each unit whose checks are there: nothing that grading runs needs it. Keep watch."""
    from unrolled.checking import finished, registry

    from autograder.judging.boundary import child

    lessons = {registry.lesson_of(name) for name in preload if name in sys.modules} - {None}
    finished.keep_watch(child.__file__)
    for name in sorted(lessons):
        if importlib.util.find_spec(name) is not None:
            finished.shut_for_good(name)


def _submission(layout: Layout, limits: Limits, files: list[int], shell) -> None:
    """In the first fork: become the keeper of a second, which becomes the student's process. Never returns."""
    end, watch = files
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        layers = separate(layout, limits)
        child = os.fork()
        if child == 0:
            os.close(watch)
            _serve(layout, limits, end, shell, layers)
        os.close(end)
        sweep = None if "mounts" in layers else layout.scratch  # else it vanishes by itself
        keeper.keep(child, socket.socket(fileno=watch), limits, sweep)
    finally:
        os._exit(0)


def _serve(layout: Layout, limits: Limits, end: int, shell, layers: list[str]) -> None:
    from autograder.judging.boundary.child import Child

    code = 70
    try:
        layers += enter(layout, limits, keep=end)
        channel = Channel(socket.socket(fileno=end))
        channel.send(Kind.HELLO, sorted(layers))
        Child(channel, shell).serve()
        code = 0
    finally:
        os._exit(code)


def message(limits: Limits) -> bytes:
    """What the zygote reads to fork once."""
    return encode(astuple(limits))


def setup(scratch: str, shown: list[str], layers: list[str], preload: list[str], cores: list[int]) -> bytes:
    """What the zygote reads first. `cores` are those that it and its forks run on."""
    return encode((scratch, shown, layers, preload, cores))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main(int(sys.argv[1]))
