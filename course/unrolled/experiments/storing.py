"""Experiments whose results are stored: rows of a JSON file, each made once.

An experiment is a function that yields rows, each a name and what makes it. A row that is stored already is not made
again, so that an interrupted run goes on where it stopped. The command of a unit, as in
`python -m unrolled.experiments.tagging`, is `main` with the unit's experiments.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from tqdm import tqdm

from unrolled.errors import OneLineError

Rows = Iterator[tuple[str, Callable[[], dict]]]  # a name, and what makes the row
Experiments = dict[str, Callable[[], Rows]]


def run(name: str, experiment: Callable[[], Rows], file: Path, fresh: bool) -> dict:
    """Make what is missing of an experiment's rows, and write them after each."""
    rows = {} if fresh or not file.exists() else json.loads(file.read_text(encoding="utf-8"))
    file.parent.mkdir(parents=True, exist_ok=True)
    for row, make in tqdm(list(experiment()), desc=name, unit=" rows"):
        if row in rows:
            continue
        clock, cpu = time.perf_counter(), time.process_time()
        rows[row] = make()
        spent = {"clock": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
        rows[row] |= {"seconds": {kind: round(seconds, 1) for kind, seconds in spent.items()}}
        file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return rows


def main(unit: str, experiments: Experiments) -> None:
    """The command line of a unit's experiments."""
    parser = argparse.ArgumentParser(prog=f"python -m unrolled.experiments.{unit}", description="Store results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(experiments)}; all if none is named")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    parser.add_argument("--out", type=Path, default=Path("assets") / unit, help="folder of the results")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in experiments]:
        parser.error(f"there is no experiment {unknown[0]!r}: choose from {', '.join(experiments)}")
    torch.set_num_threads(asked.threads)
    try:
        for name in asked.names or experiments:
            run(name, experiments[name], asked.out / f"{name}.json", asked.fresh)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; what is stored stays, and the next call goes on.")
