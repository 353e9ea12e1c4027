"""Skip-gram with negative sampling on the books: where the table of `unrolled.experiments.vectors` comes from.

    python -m unrolled.experiments.tagging.skip_gram [--epochs 4] [--out assets/tagging]

A word's vector v_c is trained to tell the words u_o that stood near it from words u_n drawn by chance:

    loss = −ln σ(u_o · v_c) − Σ_n ln σ(−u_n · v_c)

(Mikolov and others 2013). So the gradient by v_c is (σ(u_o · v_c) − 1) u_o + Σ_n σ(u_n · v_c) u_n, written out below.
How far "near" reaches is drawn for each word, 1 to WINDOW; frequent words are skipped at times; negative words come
by their frequency to the power 3/4, and the pairs of a batch share them, which makes a matrix product of them (Ji and
others, "Parallelizing word2vec in shared and distributed memory", 2016). After each epoch the state is kept under
_build/, and taken up again by the next call. Left out on purpose: phrases, and vectors for parts of words.

Shapes: V words, D numbers in a vector, B pairs in a batch, K negative words in it.
"""

import argparse
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from unrolled.data import load
from unrolled.data.datasets import registry
from unrolled.errors import OneLineError
from unrolled.experiments.checkpoints import kept, resumed
from unrolled.progress import progress

WINDOW, NEGATIVES, SHARED, BATCH, OFTEN, CHUNK = 5, 5, 128, 512, 1e-4, 200_000
QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "—": " - ", "–": "-", "\u2060": "", "\xa0": " "})
ENDS = ".", "!", "?", '"', "'"  # after these a word may be capital for no reason of its own
WORD = re.compile(
    r"(?:mrs?|ms|dr|st)\.|\w+(?=n't\b)|n't\b"  # Mr., do n't
    r"|'(?:s|re|ve|ll|d|m)\b"  # he 's
    r"|\d+(?:[.,:]\d+)*|\w+(?:-\w+)*|[^\w\s]",
    re.IGNORECASE,
)


# --- the text --------------------------------------------------------------------------------------------------------


def words_of(line: str) -> list[str]:
    """The words and marks of a paragraph, cut as a treebank cuts them: do n't, he 's."""
    return WORD.findall(line.translate(QUOTES))


def paragraphs() -> Iterator[list[str]]:
    """Every paragraph of every book. DataError if a book is not there."""
    for file in registry()["books"].files:
        for line in load("books", file.name).splitlines():
            if line.strip():
                yield words_of(line)


def settled(texts: list[list[str]]) -> list[list[str]]:
    """The word that begins a sentence, in lower case if it mostly is so within sentences."""
    inside = Counter(w for words in texts for before, w in pairwise(words) if before not in ENDS)

    def lower(word: str) -> str:
        return word.lower() if inside[word.lower()] >= inside[word] else word

    return [[lower(w) if before in ENDS else w for before, w in pairwise([".", *words])] for words in texts]


# --- pairs -----------------------------------------------------------------------------------------------------------


def pairs(ids: Tensor, line: Tensor, generator: torch.Generator) -> Tensor:
    """Center and context (N, 2), shuffled: each word with those at most its own reach away, in the same paragraph."""
    reach, found = torch.randint(1, WINDOW + 1, ids.shape, generator=generator), []
    for apart in range(1, WINDOW + 1):
        left, right = ids[:-apart], ids[apart:]
        together = line[:-apart] == line[apart:]
        for center, context, its_reach in (left, right, reach[:-apart]), (right, left, reach[apart:]):
            chosen = together & (its_reach >= apart)
            found.append(torch.stack([center[chosen], context[chosen]], dim=1))
    every = torch.cat(found)
    return every[torch.randperm(len(every), generator=generator)]


def thinned(ids: Tensor, frequency: Tensor, generator: torch.Generator) -> Tensor:
    """Which words of a text are kept: one of frequency f with probability √(OFTEN / f), if that is below 1."""
    keep = (OFTEN / frequency).sqrt().clamp(max=1)
    return torch.rand(ids.shape, generator=generator) < keep[ids]


# --- one step downhill -----------------------------------------------------------------------------------------------


def step(V: Tensor, U: Tensor, center: Tensor, context: Tensor, negative: Tensor, rate: float) -> Tensor:
    """Change the tables V and U (V, D) in place by one batch; the mean loss before, shape ().

    center, context (B,); negative (K,), which all pairs share: each counts NEGATIVES / K times.
    """
    v, u, n = V[center], U[context], U[negative]  # (B, D), (B, D), (K, D)
    near, far = (u * v).sum(1), v @ n.T  # (B,), (B, D) @ (D, K) -> (B, K)
    share = NEGATIVES / len(negative)
    loss = F.softplus(-near).mean() + share * F.softplus(far).sum(1).mean()  # softplus(x) = −ln σ(−x)
    near, far = near.sigmoid()[:, None] - 1, share * far.sigmoid()  # how wrong: (B, 1), (B, K)
    V.index_add_(0, center, near * u + far @ n, alpha=-rate)
    U.index_add_(0, context, near * v, alpha=-rate)
    U.index_add_(0, negative, far.T @ v, alpha=-rate)
    return loss


# --- the training ----------------------------------------------------------------------------------------------------


USE = "Train word vectors on the books."


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unrolled.experiments.tagging.skip_gram", description="Word vectors."
    )
    parser.add_argument("--words", type=int, default=25_000, help="the most frequent words get a vector")
    parser.add_argument("--width", type=int, default=64, help="numbers in a vector")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("_build/tagging/skip_gram.pt"), help="the checkpoint")
    parser.add_argument("--out", type=Path, default=Path("assets/tagging"), help="folder of the results")
    asked = parser.parse_args()
    try:
        run(asked)
    except OneLineError as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        sys.exit("Interrupted; the next call goes on after the last whole epoch.")


def run(asked: argparse.Namespace) -> None:
    """The whole training, from books to files."""
    torch.set_num_threads(asked.threads)
    texts = settled(list(paragraphs()))
    counts = Counter(w for words in texts for w in words)
    words = [word for word, _ in counts.most_common(asked.words)]
    at = {word: i for i, word in enumerate(words)}
    rows = [[at[w] for w in line if w in at] for line in texts]
    ids = torch.from_numpy(np.fromiter((i for row in rows for i in row), dtype=np.int64))
    line = torch.repeat_interleave(torch.arange(len(rows)), torch.tensor([len(row) for row in rows]))
    occurrences = torch.tensor([counts[word] for word in words], dtype=torch.float64)
    settings = {key: getattr(asked, key) for key in ("words", "width", "epochs", "rate", "seed")}
    print(f"{len(ids):,} running words, {len(counts):,} different ones", flush=True)
    state = _trained(ids, line, occurrences, settings, asked.keep)
    about = {
        "settings": settings
        | {"window": WINDOW, "negatives": NEGATIVES, "shared": SHARED, "batch": BATCH, "often": OFTEN}
    }
    about |= {"running words": len(ids), "different words": len(counts), "losses": state["losses"]}
    about |= {"seconds": round(state["seconds"], 1), "threads": asked.threads, "torch": torch.__version__}
    _write(asked.out, words, state["V"], about)


def _trained(ids: Tensor, line: Tensor, occurrences: Tensor, settings: dict, file: Path) -> dict:
    V, D = len(occurrences), settings["width"]
    torch.manual_seed(settings["seed"])
    first = {"V": (torch.rand(V, D) - 0.5) / D, "U": torch.zeros(V, D), "epoch": 0, "losses": [], "seconds": 0.0}
    state = resumed(file, settings) or first
    frequency, drawn = (occurrences / occurrences.sum()).float(), occurrences.pow(0.75).float()
    for epoch in range(state["epoch"], settings["epochs"]):
        began, generator = time.perf_counter(), torch.Generator().manual_seed(1000 * settings["seed"] + epoch)
        kept_words = thinned(ids, frequency, generator)
        loss = _epoch(state, ids[kept_words], line[kept_words], drawn, settings, epoch, generator)
        seconds = state["seconds"] + time.perf_counter() - began
        state |= {"epoch": epoch + 1, "losses": [*state["losses"], round(loss, 4)], "seconds": seconds}
        kept(file, settings, state)
        print(f"epoch {epoch + 1} of {settings['epochs']}: loss {loss:.4f}, {seconds:.0f} s so far", flush=True)
    return state


def _epoch(state, ids, line, drawn, settings, epoch, generator) -> float:
    chunks, losses = range(0, len(ids), CHUNK), [torch.tensor(0.0)]
    order = torch.randperm(len(chunks), generator=generator).tolist()
    for number, chunk in enumerate(progress(order, len(order), note=lambda: f"loss {losses[-1].item():.3f}")):
        at = slice(chunks[chunk], chunks[chunk] + CHUNK)
        every = pairs(ids[at], line[at], generator)
        rate = settings["rate"] * max(1 - (epoch + number / len(order)) / settings["epochs"], 0.01)
        negatives = torch.multinomial(drawn, -(-len(every) // BATCH) * SHARED, True, generator=generator)
        for both, negative in zip(every.split(BATCH), negatives.split(SHARED), strict=True):
            losses.append(step(state["V"], state["U"], both[:, 0], both[:, 1], negative, rate))
    return torch.stack(losses[1:]).mean().item()


def _write(folder: Path, words: list[str], V: Tensor, about: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    scaled = V / V.square().mean().sqrt()  # so that a number is about as large as one of a fresh embedding
    file = folder / "vectors.npz"
    np.savez_compressed(file, words=np.array("\n".join(words)), vectors=scaled.numpy().astype(np.float16))
    about |= {"bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    about["books"] = {book.name: book.sha256 for book in registry()["books"].files}
    (folder / "vectors.json").write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{file}: {len(words):,} words, {about['bytes']:,} bytes")


if __name__ == "__main__":
    main()
