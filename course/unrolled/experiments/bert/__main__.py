"""The experiments of unit 8 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.bert [labels] [tasks] [grid] …      # all if none is named

Each writes assets/bert/NAME.json, a row after each training; a row that is there already is not made again, so that an
interrupted run goes on where it stopped (--fresh begins anew). They begin with the small net under assets/bert/small;
its own pre-training is `pretrain`.
"""

from unrolled.experiments.bert.stored import EXPERIMENTS
from unrolled.experiments.storing import main

if __name__ == "__main__":
    main("bert", EXPERIMENTS)
