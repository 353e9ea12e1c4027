"""Finds lines of secret files (answers, hidden checks, specimens) in texts that students see.

A line counts when it tells something: code of more than 20 characters that is no import and no short head of a
block, such as `for context in table:`. Docstrings and comments are left out, since the sentences of hidden checks
are meant to be read.
"""

import ast
import html
import re
from collections.abc import Iterable

SHORTEST = 21
SHORTEST_HEAD = 41  # of a line that ends in a colon
TRIVIAL = (
    *("import ", "from ", "#", "@", "else:", "return None", "raise NotImplementedError"),
    "generator = torch.Generator().manual_seed(",  # there is one way to say it
)


def telling_lines(source: str) -> set[str]:
    """The lines of a Python source whose appearance elsewhere would give it away."""
    prose = _docstring_lines(source)
    lines = (line.strip() for number, line in enumerate(source.splitlines(), 1) if number not in prose)
    return {line for line in lines if _tells(line)}


def leaked(secrets: Iterable[str], text: str) -> list[str]:
    """Those secret lines that stand in `text`, be it plain, HTML or JSON."""
    plain = _plain(text)
    return sorted(line for line in secrets if any(_stands(form, plain) for form in (line, line.replace('"', '\\"'))))


def _tells(line: str) -> bool:
    shortest = SHORTEST_HEAD if line.endswith(":") else SHORTEST
    return len(line) >= shortest and not line.startswith(TRIVIAL)


def _stands(line: str, text: str) -> bool:
    """Whether the line is in the text, and not as the end of a longer name."""
    return line in text and re.search(rf"(?<![\w.]){re.escape(line)}", text) is not None


def _plain(text: str) -> str:
    """Without the markup that highlighting puts between the words of a line of code."""
    return html.unescape(re.sub(r"</?span[^>]*>", "", text))


def _docstring_lines(source: str) -> set[int]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.update(range(node.lineno, node.end_lineno + 1))
    return lines
