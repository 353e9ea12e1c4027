"""The experiments of unit 7 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.transformer [norms] [ablation] [tasks] …      # all if none is named

Each writes assets/transformer/NAME.json, a row after each training; a row that is there already is not made again, so
that an interrupted run goes on where it stopped (--fresh begins anew).
"""

from unrolled.experiments.storing import main
from unrolled.experiments.transformer.stored import EXPERIMENTS

if __name__ == "__main__":
    main("transformer", EXPERIMENTS)
