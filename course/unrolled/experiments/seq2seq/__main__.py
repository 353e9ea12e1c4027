"""The experiments of unit 5 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.seq2seq [bottleneck] [numbers] [two_answers] [waning] [exposure] [beams] [faults]
                                           [costs] [captions] [alignment] [agreement]

Each writes assets/seq2seq/NAME.json, a row after each training; a row that is there already is not made again, so that
an interrupted run goes on where it stopped (--fresh begins anew). The long training on sentences is `reach`.
"""

from unrolled.experiments.seq2seq.stored import EXPERIMENTS
from unrolled.experiments.storing import main

if __name__ == "__main__":
    main("seq2seq", EXPERIMENTS)
