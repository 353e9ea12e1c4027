"""Words counted and scored a second, and the perplexity that comes of it: ours, NLTK's lm and KenLM in one run.

    python benchmarks/ngrams.py [--lmplz PATH | --build-kenlm] [--order 3 …] [--json FILE]

All three get the same lines of lower-case words and punctuation, every tenth of them held out, and the same
vocabulary. KenLM and ours estimate the same model, so their perplexities must agree. NLTK's differs by design (one
fixed discount, nothing for an unknown word) and is slow to score: its perplexity is that of a sample without unknown
words, beside the others' on the same. Seconds are CPU seconds, all threads and child processes together, the fastest
of a few runs, so that other work on the machine changes them little. A peer that is missing is named and left out.
"""

import argparse
import importlib.util
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import torch
from rich import box
from rich.console import Console
from rich.table import Table
from tqdm import tqdm
from unrolled import data
from unrolled.errors import OneLineError
from unrolled.ngrams import KneserNey
from unrolled.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "_build" / "kenlm"
Lines = list[list[str]]


@dataclass
class Row:
    """One model's figures. The end of a line counts as a word, for it is predicted too."""

    who: str
    order: int
    count_per_second: float
    score_per_second: float
    perplexity: float | None  # of all held-out lines
    perplexity_of_sample: float


def stopwatch(work: Callable, repeats: int = 1):
    """What `work()` returns, and the CPU seconds of its fastest run."""
    seconds = []
    for _ in range(repeats):
        start = _cpu_seconds()
        result = work()
        seconds.append(_cpu_seconds() - start)
    return result, min(seconds)


def _cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def size(lines: Lines) -> int:
    return sum(len(line) + 1 for line in lines)


# --- the text --------------------------------------------------------------------------------------------------------


def read(files: list[Path], words: int) -> tuple[Lines, Lines, str]:
    """Lines to count, lines held out, and what the text is; about `words` words in all."""
    folder = Path(os.environ.get("UNROLLED_DATA") or ROOT.parent / "shared" / "data") / "books"
    files = files or sorted(folder.glob("*.txt"))
    texts = ((file.stem, file.read_text(encoding="utf-8")) for file in files)
    lines, total, titles = [], 0, []
    for title, text in texts if files else [("tiny Shakespeare", data.load("tiny_shakespeare"))]:
        titles.append(title)
        for line in filter(None, map(re.compile(r"\w+|[^\w\s]").findall, text.lower().splitlines())):
            lines.append(line)
            total += len(line) + 1
            if total >= words:
                break
        if total >= words:
            break
    train = [line for i, line in enumerate(lines) if i % 10 != 9]
    return train, lines[9::10], ", ".join(titles)


def draw_sample(train: Lines, held: Lines, words: int) -> Lines:
    """The first held-out lines without an unknown word, about `words` words together."""
    known, sample = set(chain.from_iterable(train)), []
    for line in held:
        if known.issuperset(line) and size(sample) < words:
            sample.append(line)
    return sample


# --- the three -------------------------------------------------------------------------------------------------------


def run_ours(order: int, train: Lines, held: Lines, sample: Lines) -> list[Row]:
    """Twice: from lists of words, as the others, and on ids that are there already."""
    (words, ids), reading = stopwatch(lambda: _encode(train))
    model, fitting = stopwatch(lambda: KneserNey(order, len(words), words.boundary).fit(ids), repeats=5)
    new, encoding = stopwatch(lambda: [words.encode(line) for line in held])
    nats, scoring = stopwatch(lambda: model.nats(new), repeats=5)
    of_all, of_sample = math.exp(nats), math.exp(model.nats([words.encode(line) for line in sample]))
    return [
        Row("ours", order, size(train) / (reading + fitting), size(held) / (encoding + scoring), of_all, of_sample),
        Row("ours, on ids", order, size(train) / fitting, size(held) / scoring, of_all, of_sample),
    ]


def _encode(train: Lines) -> tuple[Vocabulary, list[torch.Tensor]]:
    words = Vocabulary.of(chain.from_iterable(train), boundary="</s>", unknown="<unk>")
    return words, [words.encode(line) for line in train]


def run_nltk(order: int, train: Lines, held: Lines, sample: Lines) -> list[Row]:
    """NLTK's interpolated Kneser–Ney, its discount left at 0.1."""
    from nltk.lm import KneserNeyInterpolated
    from nltk.lm.preprocessing import padded_everygram_pipeline

    def fit():
        model = KneserNeyInterpolated(order)
        model.fit(*padded_everygram_pipeline(order, train))
        return model

    def score(model):
        logs = []
        for line in tqdm(sample, desc="NLTK scores", leave=False):
            padded = ["<s>"] * (order - 1) + list(model.vocab.lookup(line)) + ["</s>"]
            for end in range(order - 1, len(padded)):
                logs.append(model.logscore(padded[end], padded[end - order + 1 : end]))
        return 2 ** (-sum(logs) / len(logs))

    model, fitting = stopwatch(fit)
    perplexity, scoring = stopwatch(lambda: score(model))
    return [Row("NLTK", order, size(train) / fitting, size(sample) / scoring, None, perplexity)]


def run_kenlm(order: int, train: Lines, held: Lines, sample: Lines, lmplz: str) -> list[Row]:
    """lmplz counts from a file to a file, with its defaults; the Python module scores line by line."""
    import kenlm

    with tempfile.TemporaryDirectory() as folder:
        text, arpa = Path(folder, "train.txt"), Path(folder, "model.arpa")
        text.write_text("\n".join(" ".join(line) for line in train) + "\n", encoding="utf-8")
        command = [lmplz, "-o", str(order), "-S", "20%", "--text", str(text), "--arpa", str(arpa), "-T", folder]
        done, fitting = stopwatch(lambda: subprocess.run(command, capture_output=True, text=True), repeats=3)
        if done.returncode:
            raise RuntimeError(f"lmplz failed: {done.stderr.strip().splitlines()[-1]}")
        config = kenlm.Config()
        config.show_progress = False
        model = kenlm.Model(str(arpa), config)
    sentences = [" ".join(line) for line in held]
    tens, scoring = stopwatch(lambda: [model.score(sentence) for sentence in sentences], repeats=5)
    of_all = 10 ** (-sum(tens) / size(held))
    of_sample = 10 ** (-sum(model.score(" ".join(line)) for line in sample) / size(sample))
    return [Row("KenLM", order, size(train) / fitting, size(held) / scoring, of_all, of_sample)]


# --- getting KenLM ---------------------------------------------------------------------------------------------------


def find_lmplz(given: str | None, build: bool) -> str | None:
    """The program that estimates KenLM's models: the one given, the one built here, or one on the PATH."""
    built = BUILT / "bin" / "lmplz"
    if build and not built.exists():
        build_lmplz()
    return given or (str(built) if built.exists() else shutil.which("lmplz"))


def build_lmplz() -> None:
    """Build it from the source archive of PyPI's kenlm; needs cmake, a C++ compiler and Boost's development files."""
    source = BUILT / "kenlm-0.3.0"
    BUILT.mkdir(parents=True, exist_ok=True)
    try:
        _do(sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "kenlm", "kenlm==0.3.0", "-d", BUILT)
        with tarfile.open(f"{source}.tar.gz") as archive:
            archive.extractall(BUILT, filter="data")
        _do("cmake", "-S", source, "-B", BUILT, "-DCMAKE_BUILD_TYPE=Release")
        _do("cmake", "--build", BUILT, "--target", "lmplz", "-j2")
    except FileNotFoundError as missing:
        sys.exit(f"KenLM needs {missing.filename} to be built: install it, or leave --build-kenlm out")
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip() or failed.stdout.strip()).splitlines()[-1:]
        sys.exit(f"KenLM could not be built (cmake, a C++ compiler and Boost are needed): {''.join(last)}")


def _do(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)


# --- the run ---------------------------------------------------------------------------------------------------------


def measure(arguments: argparse.Namespace, console: Console) -> dict:
    train, held, title = read(arguments.text, arguments.words)
    sample = draw_sample(train, held, arguments.sample)
    lmplz = find_lmplz(arguments.lmplz, arguments.build_kenlm)
    has = {name: importlib.util.find_spec(name) is not None for name in ("nltk", "kenlm")}
    if not has["nltk"]:
        console.print("NLTK is not installed and left out: pip install nltk")
    if not (has["kenlm"] and lmplz):
        console.print("KenLM is left out: pip install kenlm, and name its lmplz with --lmplz or give --build-kenlm")
    rows = []
    for order in tqdm(arguments.order, desc="order", leave=False):
        rows += run_ours(order, train, held, sample)
        rows += run_nltk(order, train, held, sample) if has["nltk"] and order <= arguments.nltk_order else []
        rows += run_kenlm(order, train, held, sample, lmplz) if has["kenlm"] and lmplz else []
    about = {"text": title, "trained_on": size(train), "held_out": size(held), "sample": size(sample)}
    return about | {"rows": [asdict(row) for row in rows]}


def show(result: dict, console: Console) -> None:
    console.print(
        f"{result['text']}: {result['trained_on']:,} words to count, {result['held_out']:,} held out, "
        f"a sample of {result['sample']:,}; speeds in words a CPU second"
    )
    heads = "n", "", "counted", "× NLTK's", "scored", "perplexity", "of sample"
    table = Table(*heads, box=box.SIMPLE)  # narrow, so that 80 columns hold every digit
    for row in result["rows"]:
        peer = [other for other in result["rows"] if (other["who"], other["order"]) == ("NLTK", row["order"])]
        times = f"{row['count_per_second'] / peer[0]['count_per_second']:.0f}" if peer else ""
        perplexity = "" if row["perplexity"] is None else f"{row['perplexity']:.4f}"
        speeds = f"{row['count_per_second']:,.0f}", times, f"{row['score_per_second']:,.0f}"
        table.add_row(str(row["order"]), row["who"], *speeds, perplexity, f"{row['perplexity_of_sample']:.4f}")
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--text", type=Path, nargs="+", default=[], help="text files (the mirror's books, or Shakespeare)"
    )
    parser.add_argument("--words", type=int, default=1_000_000, help="how many words to read (1,000,000)")
    parser.add_argument("--sample", type=int, default=300, help="how many words NLTK scores (300)")
    parser.add_argument("--order", type=int, nargs="+", default=[2, 3, 5], help="orders to run (2 3 5)")
    parser.add_argument("--nltk-order", type=int, default=3, help="the highest order NLTK takes part in (3)")
    parser.add_argument("--lmplz", help="KenLM's lmplz")
    parser.add_argument(
        "--build-kenlm", action="store_true", help="build lmplz into _build/kenlm (minutes; needs Boost)"
    )
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    arguments, console = parser.parse_args(), Console()
    torch.set_num_threads(1)  # NLTK and KenLM's scoring have one
    try:
        result = measure(arguments, console)
    except (OSError, RuntimeError, ValueError, OneLineError) as problem:
        sys.exit(str(problem))
    show(result, console)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
