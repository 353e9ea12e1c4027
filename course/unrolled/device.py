"""Where to compute, and how much: one switch for the device, one for the size of an experiment.

Every experiment of the course runs at three scales: "smoke" (seconds, for tests), "cpu" (at most three minutes
a notebook on two cores) and "gpu". Both switches set themselves; the environment variables UNROLLED_DEVICE
and UNROLLED_SCALE overrule them. Left out on purpose: several devices at once.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from unrolled.errors import OneLineError

Value = TypeVar("Value")
SCALES = ("smoke", "cpu", "gpu")


class SettingError(OneLineError):
    """An environment variable holds something that the course does not know."""


def device():
    """The torch.device to compute on: CUDA when there is one, else the CPU.

    UNROLLED_DEVICE overrules ("cpu", "cuda:1", "mps" …). Raises SettingError if this machine has no such device.
    """
    import torch  # here, because `pick` and `scale` are asked by code that needs no torch

    wanted = os.environ.get("UNROLLED_DEVICE", "").strip()
    if not wanted:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        chosen = torch.device(wanted)
        torch.zeros(1, device=chosen).item()  # the only test that holds for every kind of device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise SettingError(
            f"UNROLLED_DEVICE is {wanted!r}, and this machine has no such device: unset it, or set it to 'cpu'."
        ) from error
    return chosen


def scale() -> str:
    """The scale of the experiments: "smoke", "cpu" or "gpu".

    UNROLLED_SCALE decides; without it, "gpu" where `device()` is CUDA, else "cpu".
    Raises SettingError on any other value.
    """
    wanted = os.environ.get("UNROLLED_SCALE", "").strip().lower()
    if not wanted:
        return "gpu" if device().type == "cuda" else "cpu"
    if wanted not in SCALES:
        raise SettingError(f"UNROLLED_SCALE is {wanted!r}: set it to 'smoke', 'cpu' or 'gpu', or unset it.")
    return wanted


def pick(*, smoke: Value, cpu: Value, gpu: Value) -> Value:
    """The value that belongs to the current scale: `steps = pick(smoke=20, cpu=2000, gpu=20000)`."""
    return {"smoke": smoke, "cpu": cpu, "gpu": gpu}[scale()]


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this block torch computes on one core: for nets so small that threads wait longer than they work.

    On a machine that is busy otherwise the difference is not small: the recall task of unit 2 took 25 times as long
    on two threads as on one while other programs used both cores, since each operation waits for its slowest thread.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
