"""What can be wrong with one cell of a source: metadata, tags, markers, the hidden block, a picture pasted into it."""

import ast
import re
from collections.abc import Iterator

ANSWER, HIDDEN = "SOLUTION", "HIDDEN TESTS"
MAY_HOLD = {ANSWER: ("exercise", "question"), HIDDEN: ("check", "question")}  # as nbgrader has it
IMPORTED = re.compile(r"^\s*(?:import autograder\.hidden\.|from autograder\.hidden(?: import |\.))(\w+)", re.MULTILINE)
READ_HERE = ("setup", "exercise", "check", "question", "experiment")  # tags that release, grading and the checks read
READ_BY_THE_BOOK = re.compile(r"(hide|remove)-\w+|full-width|margin|popout|output_scroll|scroll-input|raises-exception")
PASTED = re.compile(r"""[("']attachment:([^)"'\s]+)""")


class Slip(Exception):
    """What is wrong with a cell, in a few words."""


def slips_in(cell, kind: str | None, unit: str) -> Iterator[str]:
    """What is wrong with a cell of this kind (None: nbgrader need not know it) in the source of this unit."""
    if not isinstance(cell.metadata.get("nbgrader", {}), dict):
        yield f"nbgrader's metadata are {cell.metadata.nbgrader!r}, not names with values"
    for what, kinds in MAY_HOLD.items():
        yield from _unpaired(cell.source, what)
        if f"BEGIN {what}" in cell.source and kind not in kinds:
            yield f"### BEGIN {what} stands in a cell that is no {kinds[0]}"
    for module in IMPORTED.findall(cell.source):
        if module != unit:
            yield f"the hidden block imports autograder.hidden.{module}; this unit's is autograder.hidden.{unit}"
    for tag in cell.metadata.get("tags", []):
        if tag not in READ_HERE and not READ_BY_THE_BOOK.fullmatch(str(tag)):
            yield f"the tag {tag} means nothing; those that do are {', '.join(READ_HERE)}, and Jupyter Book's"
    if "experiment" in cell.metadata.get("tags", []):
        yield from _imports_of_its_own(cell)
    if cell.cell_type == "markdown":
        for name in PASTED.findall(cell.source):
            yield f"the picture {name} was pasted into {_begins(cell)}; a text keeps none: save it as a file"


def _imports_of_its_own(cell) -> Iterator[str]:
    """Libraries that an answer might use once they are there: its check would hold, and grading not find them."""
    try:
        statements = ast.parse(cell.source).body
    except SyntaxError:  # lines like %matplotlib inline
        return
    for line in statements:
        if isinstance(line, ast.Import | ast.ImportFrom):
            module = getattr(line, "module", None) or line.names[0].name
            if module.split(".")[0] != "unrolled":
                told = ast.unparse(line)
                yield f"{told} belongs to the setup cell: answers may use it, and grading runs no experiment"


def _unpaired(source: str, what: str) -> Iterator[str]:
    """A marker without its other half; one slip is enough, for those after it may only follow from it."""
    opened = False
    for line in source.splitlines():
        if (begins := f"BEGIN {what}" in line) or f"END {what}" in line:
            if begins == opened:
                yield f"### {'BEGIN' if begins else 'END'} {what} stands where {'END' if begins else 'BEGIN'} is due"
                return
            opened = begins
    if opened:
        yield f"### BEGIN {what} has no END"


def _begins(cell) -> str:
    return f"the cell “{cell.source.strip().splitlines()[0][:50]}”"
