"""The experiments of unit 4 that take longer than a notebook may, and store their results.

    python -m unrolled.experiments.tagging [baselines] [embeddings] [shapes] [pooling] [chances] [agreement]

Each writes assets/tagging/NAME.json, a row after each training; a row that is there already is not made again, so that
an interrupted run goes on where it stopped (--fresh begins anew). The long training of the tagger is `reach`, that of
the word vectors `skip_gram`.
"""

from unrolled.experiments.storing import main
from unrolled.experiments.tagging.stored import EXPERIMENTS

if __name__ == "__main__":
    main("tagging", EXPERIMENTS)
