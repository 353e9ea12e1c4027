"""One recurrent layer, forward and backward: the step loop, the hoisted loop, and torch.nn.RNN in one run.

    python benchmarks/rnn.py [--batch 32] [--length 64] [--hidden 32 128 256] [--threads 1] [--json FILE]

All ways have the same parameters and read the same input. Each round times every way once, and a ratio is the median
over the rounds of time(torch.nn.RNN) / time(way), so other work on the machine weighs on both sides; above 1 is
faster than torch.nn.RNN. On the CPU, where the course takes the hoisted loop, seconds are CPU seconds of all threads.
On CUDA, where it takes the fused way (cuDNN), they are those of the clock, and the device is waited for.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from tqdm import tqdm
from unrolled.elman_rnn import ElmanCell, run_fused, run_hoisted, run_steps

PEER = "torch.nn.RNN"
Way = Callable[[Tensor, Tensor], Tensor]  # x (B, T, D), h0 (B, H) -> states (B, T, H)


def ways(cell: ElmanCell) -> dict[str, Way]:
    """Every way to apply the cell to a text, and the library's layer with the cell's parameters."""
    rnn = nn.RNN(cell.W.shape[1], len(cell.b), batch_first=True).to(cell.b)
    with torch.no_grad():
        for theirs, ours in (rnn.weight_ih_l0, cell.W), (rnn.weight_hh_l0, cell.U), (rnn.bias_ih_l0, cell.b):
            theirs.copy_(ours)
        rnn.bias_hh_l0.zero_()
    rnn.flatten_parameters()
    return {
        "step loop": lambda x, h: run_steps(cell, x, h)[0],
        "hoisted loop": lambda x, h: run_hoisted(cell, x, h)[0],
        "fused": lambda x, h: run_fused(cell, x, h)[0],
        PEER: lambda x, h: rnn(x, h[None])[0],
    }


def measure(device: str, batch: int, length: int, hidden: int, rounds: int) -> list[dict]:
    """Rows of one size on one device: median milliseconds, and ratios to torch.nn.RNN."""
    torch.manual_seed(0)
    cell = ElmanCell(hidden, hidden).to(device)
    x = torch.randn(batch, length, hidden, device=device, requires_grad=True)
    h = torch.zeros(batch, hidden, device=device)
    everyone = ways(cell)
    _agree(everyone, x, h)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in everyone}
    for _ in tqdm(range(rounds), desc=f"{device}, hidden {hidden}", leave=False):
        for name, way in everyone.items():
            seconds[name].append(_time(way, x, h))
    return [_row(device, batch, length, hidden, name, seconds) for name in everyone]


def _agree(everyone: dict[str, Way], x: Tensor, h: Tensor) -> None:
    """A fast way that computes something else is no way. This is also each way's first, slow call."""
    wanted = everyone[PEER](x, h)
    wanted.sum().backward()
    for name, way in everyone.items():
        got = way(x, h)
        got.sum().backward()
        if not torch.allclose(got, wanted, atol=1e-3):
            raise RuntimeError(f"{name} differs from {PEER} by {(got - wanted).abs().max():.2g}")


def _time(way: Way, x: Tensor, h: Tensor) -> tuple[float, float]:
    """Seconds of the forward and of the backward pass."""
    start = _now(x)
    states = way(x, h)
    middle = _now(x)
    states.backward(torch.ones_like(states))
    return middle - start, _now(x) - middle


def _now(x: Tensor) -> float:
    if not x.is_cuda:
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def _row(device: str, batch: int, length: int, hidden: int, name: str, seconds: dict) -> dict:
    ours, peers = seconds[name], seconds[PEER]
    both = [sum(peer) / sum(our) for our, peer in zip(ours, peers, strict=True)]
    forward, backward = (statistics.median(passes) * 1000 for passes in zip(*ours, strict=True))
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else f"CPU, threads: {torch.get_num_threads()}",
        "batch": batch,
        "length": length,
        "hidden": hidden,
        "way": name,
        "forward_ms": round(forward, 3),
        "backward_ms": round(backward, 3),
        "ratio": round(statistics.median(both), 3),
    }


def show(rows: list[dict], console: Console) -> None:
    for device in dict.fromkeys(row["device"] for row in rows):
        table = Table("H", "way", "forward ms", "backward ms", "speed", title=device)
        for row in (row for row in rows if row["device"] == device):
            times = f"{row['forward_ms']:.2f}", f"{row['backward_ms']:.2f}", f"{row['ratio']:.2f} ×"
            table.add_row(str(row["hidden"]), row["way"], *times)
        console.print(table)
    console.print(f"{rows[0]['batch']} sequences of {rows[0]['length']} steps; speed: both passes, {PEER} is 1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=32, help="sequences (32)")
    parser.add_argument("--length", type=int, default=64, help="steps (64)")
    parser.add_argument("--hidden", type=int, nargs="+", default=[32, 128, 256], help="sizes of state and input")
    parser.add_argument("--rounds", type=int, default=15, help="how often each way is timed (15)")
    parser.add_argument("--threads", type=int, default=1, help="of the CPU (1)")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    arguments = parser.parse_args()
    if min(arguments.batch, arguments.length, arguments.rounds, arguments.threads, *arguments.hidden) < 1:
        parser.error("sizes, rounds and threads must be at least 1")
    torch.set_num_threads(arguments.threads)
    rows = []
    try:
        for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
            for hidden in arguments.hidden:
                rows += measure(device, arguments.batch, arguments.length, hidden, arguments.rounds)
    except RuntimeError as problem:
        sys.exit(str(problem))
    show(rows, Console())
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
