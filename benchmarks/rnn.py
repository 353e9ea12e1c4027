"""One recurrent layer, forward and backward: the step loop, the hoisted loop, and torch's own layer in one run.

    python benchmarks/rnn.py [--nets Elman LSTM] [--batch 32] [--length 64] [--hidden 32 128 256] [--json FILE]

All ways of a net have the same parameters and read the same input. Each round times every way once, and a ratio is the
median over the rounds of time(peer) / time(way), so other work on the machine weighs on both sides; above 1 is faster
than the peer, torch.nn.RNN or torch.nn.LSTM. On the CPU, where the course takes the hoisted loop for an Elman net and
the fused way (oneDNN) for an LSTM, seconds are CPU seconds of all threads. On CUDA, where it takes the fused way
(cuDNN) for both, they are those of the clock, and the device is waited for.
"""

import argparse
import itertools
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
from unrolled import elman_rnn, lstm

PEERS = {"Elman": "torch.nn.RNN", "LSTM": "torch.nn.LSTM"}
Way = Callable[[Tensor, Tensor], Tensor]  # x (B, T, D), zeros (B, H) -> outputs (B, T, H)


def elman_ways(hidden: int, device: str) -> dict[str, Way]:
    """Every way to apply an Elman cell to a text, and the library's layer with the cell's parameters."""
    cell = elman_rnn.ElmanCell(hidden, hidden).to(device)
    peer = _copied(nn.RNN(hidden, hidden, batch_first=True).to(device), cell)
    return {
        "step loop": lambda x, h: elman_rnn.run_steps(cell, x, h)[0],
        "hoisted loop": lambda x, h: elman_rnn.run_hoisted(cell, x, h)[0],
        "fused": lambda x, h: elman_rnn.run_fused(cell, x, h)[0],
        PEERS["Elman"]: lambda x, h: peer(x, h[None])[0],
    }


def lstm_ways(hidden: int, device: str) -> dict[str, Way]:
    """The same for an LSTM cell."""
    cell = lstm.LSTMCell(hidden, hidden).to(device)
    peer = _copied(nn.LSTM(hidden, hidden, batch_first=True).to(device), cell)
    return {
        "step loop": lambda x, h: lstm.run_steps(cell, x, (h, h))[0],
        "hoisted loop": lambda x, h: lstm.run_hoisted(cell, x, (h, h))[0],
        "fused": lambda x, h: lstm.run_fused(cell, x, (h, h))[0],
        PEERS["LSTM"]: lambda x, h: peer(x, (h[None], h[None]))[0],
    }


WAYS = {"Elman": elman_ways, "LSTM": lstm_ways}


def _copied(peer: nn.RNNBase, cell: nn.Module) -> nn.RNNBase:
    """The library's layer with the cell's parameters; its second bias is zero."""
    with torch.no_grad():
        for theirs, ours in (peer.weight_ih_l0, cell.W), (peer.weight_hh_l0, cell.U), (peer.bias_ih_l0, cell.b):
            theirs.copy_(ours)
        peer.bias_hh_l0.zero_()
    peer.flatten_parameters()
    return peer


def measure(net: str, device: str, batch: int, length: int, hidden: int, rounds: int) -> list[dict]:
    """Rows of one net and size on one device: median milliseconds, and ratios to the peer."""
    torch.manual_seed(0)
    everyone = WAYS[net](hidden, device)
    x = torch.randn(batch, length, hidden, device=device, requires_grad=True)
    h = torch.zeros(batch, hidden, device=device)
    _agree(everyone, PEERS[net], x, h)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in everyone}
    for _ in tqdm(range(rounds), desc=f"{net}, {device}, hidden {hidden}", leave=False):
        for name, way in everyone.items():
            seconds[name].append(_time(way, x, h))
    about = {"net": net, "device": _device_name(device), "batch": batch, "length": length, "hidden": hidden}
    return [about | _figures(name, seconds[name], seconds[PEERS[net]]) for name in everyone]


def _agree(everyone: dict[str, Way], peer: str, x: Tensor, h: Tensor) -> None:
    """A fast way that computes something else is no way. This is also each way's first, slow call."""
    wanted = everyone[peer](x, h)
    wanted.sum().backward()
    for name, way in everyone.items():
        got = way(x, h)
        got.sum().backward()
        if not torch.allclose(got, wanted, atol=1e-3):
            raise RuntimeError(f"{name} differs from {peer} by {(got - wanted).abs().max():.2g}")


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


def _device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device == "cuda" else f"CPU, threads: {torch.get_num_threads()}"


def _figures(name: str, ours: list[tuple[float, float]], peers: list[tuple[float, float]]) -> dict:
    both = [sum(peer) / sum(our) for our, peer in zip(ours, peers, strict=True)]
    forward, backward = (statistics.median(passes) * 1000 for passes in zip(*ours, strict=True))
    return {
        "way": name,
        "forward_ms": round(forward, 3),
        "backward_ms": round(backward, 3),
        "ratio": round(statistics.median(both), 3),
    }


def show(rows: list[dict], console: Console) -> None:
    for title in dict.fromkeys(f"{row['net']}, {row['device']}" for row in rows):
        table = Table("H", "way", "forward ms", "backward ms", "speed", title=title)
        for row in (row for row in rows if f"{row['net']}, {row['device']}" == title):
            times = f"{row['forward_ms']:.2f}", f"{row['backward_ms']:.2f}", f"{row['ratio']:.2f} ×"
            table.add_row(str(row["hidden"]), row["way"], *times)
        console.print(table)
    console.print(f"{rows[0]['batch']} sequences of {rows[0]['length']} steps; speed: both passes, torch's layer is 1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nets", nargs="+", choices=list(WAYS), default=list(WAYS), help="which (both)")
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
            for net, hidden in itertools.product(arguments.nets, arguments.hidden):
                rows += measure(net, device, arguments.batch, arguments.length, hidden, arguments.rounds)
    except RuntimeError as problem:
        sys.exit(str(problem))
    show(rows, Console())
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
