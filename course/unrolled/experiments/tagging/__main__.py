"""The experiments of unit 4 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.tagging [baselines] [embeddings] [shapes] [pooling] [chances] [agreement]

Each writes assets/tagging/NAME.json, a row after each training; a row that is there already is not made again, so that
an interrupted run goes on where it stopped (--fresh begins anew). The long training of the tagger is `reach`, that of
the word vectors `skip_gram`.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import torch
from tqdm import tqdm

from unrolled.errors import OneLineError
from unrolled.experiments.tagging.stored import EXPERIMENTS


def run(name: str, file: Path, fresh: bool) -> dict:
    """Make what is missing of an experiment's rows, and write them after each."""
    rows = {} if fresh or not file.exists() else json.loads(file.read_text(encoding="utf-8"))
    file.parent.mkdir(parents=True, exist_ok=True)
    for row, make in tqdm(list(EXPERIMENTS[name]()), desc=name, unit=" rows"):
        if row in rows:
            continue
        clock, cpu = time.perf_counter(), time.process_time()
        rows[row] = make()
        spent = {"clock": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
        rows[row] |= {"seconds": {kind: round(seconds, 1) for kind, seconds in spent.items()}}
        file.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m unrolled.experiments.tagging", description="Store results.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(EXPERIMENTS)}; all if none is named")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="begin anew")
    parser.add_argument("--out", type=Path, default=Path("assets/tagging"), help="folder of the results")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in EXPERIMENTS]:
        parser.error(f"there is no experiment {unknown[0]!r}: choose from {', '.join(EXPERIMENTS)}")
    torch.set_num_threads(asked.threads)
    try:
        for name in asked.names or EXPERIMENTS:
            run(name, asked.out / f"{name}.json", asked.fresh)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; what is stored stays, and the next call goes on.")


if __name__ == "__main__":
    main()
