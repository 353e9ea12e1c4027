"""How fast to learn at which step: rates that stay, that fall, and that rise first; and a training that follows one.

    share("warm-up, cosine", step=0, steps=400, warmup=40)            # 0.025: of the highest rate
    descended(net, batches, steps=400, rate=1e-3, schedule="cosine")  # the loss before each step

Steps are counted from 0. "warm-up, inverse root" is the one of Vaswani and others, "Attention is all you need" (2017),
section 5.3: d^(−1/2) · min(t^(−1/2), t · w^(−3/2)) for step t = 1, 2, … and w steps of warm-up, divided by its largest
value. The half cosine is that of Loshchilov and Hutter, "SGDR" (2017), without restarts.

Why a warm-up: Adam's first steps have about the full length of the rate in every number, since m/√v of a single
gradient is ±1, whatever its size. Left out on purpose: schedules that look at the loss.
"""

import math
from collections.abc import Iterable
from itertools import islice

import torch
from torch import nn

from unrolled.device import device, one_thread
from unrolled.progress import progress
from unrolled.training import Batch

SCHEDULES = "constant", "cosine", "warm-up", "warm-up, cosine", "warm-up, inverse root"


def share(schedule: str, step: int, steps: int, warmup: int) -> float:
    """Which share of the highest rate a step takes, of so many; warmup: steps of it, at least 1."""
    if schedule not in SCHEDULES:
        raise ValueError(f"there is no schedule {schedule!r}: choose one of {', '.join(SCHEDULES)}")
    if schedule == "warm-up, inverse root":
        return min((step + 1) ** -0.5, (step + 1) * warmup**-1.5) * warmup**0.5
    rises = schedule.startswith("warm-up")
    if rises and step < warmup:
        return (step + 1) / warmup
    if not schedule.endswith("cosine"):
        return 1.0
    gone = (step - warmup) / max(steps - warmup, 1) if rises else step / steps
    return (1 + math.cos(math.pi * gone)) / 2


def descended(
    net: nn.Module,
    batches: Iterable[Batch],
    *,
    steps: int,
    rate: float,
    schedule: str = "warm-up, cosine",
    warmup: int = 40,
    clip: float | None = None,
) -> list[float]:
    """Train by AdamW, as torch has it but for the rate: the loss of each step's batch, before the step.

    rate: the highest. clip: the largest norm of a gradient. The net is left ready for use.
    """
    net.to(device()).train()
    descent, losses = torch.optim.AdamW(net.parameters(), lr=rate), []
    counted = progress(islice(batches, steps), steps, note=lambda: f"loss {losses[-1]:.3f}")
    with one_thread():
        for step, piece in enumerate(counted):
            descent.param_groups[0]["lr"] = rate * share(schedule, step, steps, warmup)
            loss = net(piece.inputs.to(net.device), piece.targets.to(net.device)).loss
            descent.zero_grad()
            loss.backward()
            if clip is not None:
                nn.utils.clip_grad_norm_(net.parameters(), clip)
            descent.step()
            losses.append(loss.item())
    net.eval()
    return losses
