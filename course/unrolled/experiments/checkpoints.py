"""A long training that can be interrupted: its state in a file, and back.

    state = resumed(file, settings) or first_state
    kept(file, settings, state)                # after each epoch

A file is written whole or not at all. It is taken up again only by a training with the same settings.
"""

import os
from pathlib import Path

import torch

from unrolled.errors import OneLineError


class CheckpointError(OneLineError):
    """A checkpoint cannot be read, or belongs to another training."""


def kept(file: Path, settings: dict, state: dict) -> None:
    """Write a training's state, tensors and plain numbers, in place of the one before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    torch.save({"settings": settings, "state": state}, part)
    part.replace(file)


def resumed(file: Path, settings: dict) -> dict | None:
    """The state in a file; None if there is no file. CheckpointError for a damaged one, or one of other settings."""
    if not file.exists():
        return None
    try:
        found = torch.load(file, map_location="cpu", weights_only=True)
        its_settings, state = found["settings"], found["state"]
    except Exception as problem:  # torch raises many kinds for a damaged file
        raise CheckpointError(f"{file} cannot be read ({type(problem).__name__}): remove it to start anew.") from None
    if its_settings != settings:
        other = sorted(key for key in {*settings, *its_settings} if settings.get(key) != its_settings.get(key))
        raise CheckpointError(f"{file} is of a training with another {', '.join(other)}: remove it to start anew.")
    return state
