"""The experiments of unit 6 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.attention [positions] [scale] [heads] [costs] [pronouns] [syntax]
                                             [agreement]

Each writes assets/attention/NAME.json, a row after each training; a row that is there already is not made again, so
that an interrupted run goes on where it stopped (--fresh begins anew).
"""

from unrolled.experiments.attention.stored import EXPERIMENTS
from unrolled.experiments.storing import main

if __name__ == "__main__":
    main("attention", EXPERIMENTS)
