"""Looks for answers, hidden checks and specimens in what students see: the course's files, the book, their feedback.

A secret is a line that stands only on the instructor's side: in a solution, a hidden test, the hidden checks or the
specimens. Lines are compared without white space, quotes and backslashes, and texts are read with and without their
tags, so that neither formatting, highlighting nor JSON hides one.

Left out on purpose: lines of fewer than SHORTEST characters, and the same idea in other words.
"""

import ast
import html
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.course import Assignment
from autograder.releasing.source import read_source

SHORTEST = 15  # characters that count; below it lines like `return 0.0` are everywhere
LONGEST_COMMON_HEAD = 40  # of a line that ends in a colon
IGNORED = re.compile(r"[\s\"'\\]+")
TAG = re.compile(r"<[^>]*>")
SENTENCE = re.compile(r"""[rf]?(["']).*\1[,)]*""")
STUB = "raise NotImplementedError"
COMMON = (  # there is one way to say it
    *("import ", "from ", "generator = torch.Generator().manual_seed(", "torch.multinomial("),
    *(
        "needs=",
        "states.append(h)",
        "outputs.append(h)",
        "parts.append(part)",
        "return torch.tensor(rows",
        "ids_are_well(ids)",
    ),
)


def secret_lines(assignment: Assignment, public: str = "") -> dict[str, str]:
    """Every secret line of a unit, by its bare form: what its source does not give to students, nor `public` has.

    Common lines, such as imports and short heads of blocks, are no secret where the course's package has them, too;
    and a specimen may quote the visible checks: one that fits itself to them has to.
    """
    private, given = _divided(read_source(assignment).cells)
    package, name = assignment.course.root / "course" / "unrolled", assignment.notebook
    quotable = lines_of(text_in(package / "checks"), text_in(package / "checking"))
    side = assignment.course.root / "autograder"
    specimens = lines_of(text_in(side / "specimens" / name)).items()
    secrets = lines_of(private, text_in(side / "hidden" / f"{name}.py"), text_in(side / "hidden" / name))
    secrets |= {key: line for key, line in specimens if key not in quotable}
    known, shared = bare(f"{given}\n{public}"), bare(text_in(package))
    return {key: line for key, line in secrets.items() if key not in known and not (_common(line) and key in shared)}


def hidden_code(path: Path, public: str) -> dict[str, str]:
    """The code of hidden checks that `public` has not. Their sentences are no secret: feedback shows them."""
    known, lines = bare(public), lines_of(_without_sentences(path.read_text("utf-8")))
    return {key: line for key, line in lines.items() if key not in known}


def leaked(secrets: Mapping[str, str], text: str) -> list[str]:
    """Those secret lines that stand in `text`, be it plain, HTML or JSON."""
    texts = bare(text), bare(html.unescape(TAG.sub("", text)))
    return sorted(line for key, line in secrets.items() if any(key in text for text in texts))


def lines_of(*texts: str) -> dict[str, str]:
    """The lines of these texts that tell something, by their bare form."""
    lines = {bare(line): line.strip() for text in texts for line in text.splitlines()}
    return {key: line for key, line in lines.items() if len(key) >= SHORTEST and not line.startswith(STUB)}


def bare(text: str) -> str:
    """The text without what highlighting or JSON may change."""
    return IGNORED.sub("", text)


def text_in(place: Path) -> str:
    """The Python source of a file, or of all files in a folder; nothing if there is none."""
    paths = [place] if place.is_file() else sorted(place.rglob("*.py"))
    return "\n".join(path.read_text("utf-8") for path in paths)


def _divided(cells: Iterable) -> tuple[str, str]:
    """What stands between the source's markers, or in an answer's cell without any; and all the rest."""
    private, given = [], []
    for cell in cells:
        inside = False
        whole = cell.metadata.get("nbgrader", {}).get("solution", False) and "### BEGIN" not in cell.source
        for line in cell.source.splitlines():
            inside = whole or ((inside or "### BEGIN" in line) and "### END" not in line)
            (private if inside else given).append(line)
    return "\n".join(private), "\n".join(given)


def _common(line: str) -> bool:
    return line.startswith(COMMON) or (line.endswith(":") and len(line) <= LONGEST_COMMON_HEAD)


def _without_sentences(source: str) -> str:
    """Python source without docstrings, comments and lines that are a string and nothing else."""
    prose = {
        number
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for number in range(node.lineno, node.end_lineno + 1)
    }
    lines = [line.strip() for number, line in enumerate(source.splitlines(), 1) if number not in prose]
    return "\n".join(line for line in lines if not line.startswith("#") and not SENTENCE.fullmatch(line))
