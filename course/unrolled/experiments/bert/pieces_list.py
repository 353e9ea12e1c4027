"""The list of pieces for the pre-training, made of the books' words that are trained on.

python -m unrolled.experiments.bert.pieces_list vocab.txt [--size 5000] [--score gain]
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from unrolled.errors import OneLineError
from unrolled.experiments.bert.books import word_counts
from unrolled.wordpiece import WordPiece
from unrolled.wordpiece_training import SCORES, train

SIZE, RAREST = 5000, 20  # pieces; how often a letter must occur to get one


def fertility(pieces: WordPiece, counts: Counter[str]) -> dict[str, float]:
    """Pieces a word, and the share of words of which a part has no piece."""
    total = counts.total()
    unknown = sum(times for word, times in counts.items() if pieces.split(word) == ["[UNK]"])
    return {
        "pieces a word": sum(times * len(pieces.split(word)) for word, times in counts.items()) / total,
        "unknown": unknown / total,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m unrolled.experiments.bert.pieces_list")
    parser.add_argument("file", type=Path)
    parser.add_argument("--size", type=int, default=SIZE)
    parser.add_argument("--score", choices=SCORES, default="gain")
    parser.add_argument("--minimum", type=int, default=2, help="how often two neighbours must meet to be merged")
    asked = parser.parse_args()
    try:
        counts = word_counts()
        pieces = train(counts, asked.size, asked.score, asked.minimum, RAREST)
        pieces.write(asked.file)
    except (OneLineError, OSError) as problem:
        sys.exit(str(problem))
    print(", ".join(f"{name} {value:.4f}" for name, value in fertility(pieces, counts).items()))


if __name__ == "__main__":
    main()
