"""Sets the formulas of a feedback page as MathML, which browsers draw by themselves.

nbgrader's pages load MathJax from another server, so that without a network a reader sees TeX, and with one the server
sees the reader. A page travels alone, without files beside it, so what it shows must be in it.

Left out on purpose: TeX that MathJax does not understand stays as it was written, and so does what output contains as
plain text.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

MATHJAX = Path(__file__).parents[2] / "node_modules" / "mathjax" / "es5"
SECONDS = 60
MISSING = "Formulas in feedback stay as TeX, since node or node_modules is missing: run `npm ci` in the clone."

SCRIPTS = re.compile(
    r'<script src="https?://[^"]*mathjax[^"]*">\s*</script>|<script type="text/x-mathjax-config">.*?</script>',
    re.DOTALL | re.IGNORECASE,
)
# First what holds no formula, then formulas: within a page's text, as MathJax was told by nbgrader to find them.
# Behind an opening sign no more than LONGEST characters are looked at: else those that nothing closes take the square
# of their number. An attribute may hold a > and what looks like a formula.
LONGEST = 4_000
PIECE = re.compile(
    rf"""(?P<other> <(?P<tag>script|style|pre|code|textarea|title)\b.*?</(?P=tag)> | <!--.*?-->
        | </?[A-Za-z] (?: [^<>"'] | "[^"]*" | '[^']*' )*+ > | <[^>]*> | \\\$ )
    | \$\$ (?P<display>[^<]{{1,{LONGEST}}}?) \$\$ | \\\[ (?P<bracket>[^<]{{1,{LONGEST}}}?) \\\]
    | (?P<environment> \\begin\{{(?P<name>equation|align|gather|multline)\*?\}} [^<]{{0,{LONGEST}}}?
        \\end\{{(?P=name)\*?\}} )
    | \$ (?P<inline> (?:\\.|[^$<\\]){{1,{LONGEST}}} ) \$ | \\\( (?P<round>[^<]{{1,{LONGEST}}}?) \\\)""",
    re.DOTALL | re.VERBOSE,
)

Formula = tuple[str, bool]  # TeX, and whether it stands on a line of its own


def can_set(mathjax: Path) -> bool:
    """Whether node and MathJax's files are there."""
    return shutil.which("node") is not None and (mathjax / "node-main.js").exists()


def set_formulas(page: str, known: dict[Formula, str | None]) -> str:
    """The page with its formulas set, and without the scripts that would; as TeX if node fails.

    `known` holds formulas that are set already, and gets those of this page.
    """
    new = sorted({found for match in PIECE.finditer(page) if (found := _formula(match)) and found not in known})
    if new:
        done = _ask_mathjax(new)
        if done is None:
            return without_scripts(page)
        known.update(zip(new, done, strict=True))
    return without_scripts(PIECE.sub(lambda match: known.get(_formula(match)) or _plain(match[0]), page))


def without_scripts(page: str) -> str:
    """The page without the scripts that would load MathJax from another server, which sees every reader."""
    return SCRIPTS.sub("", page)


def are_few(page: str, most: int, length: int) -> bool:
    """Whether a page has at most so many formulas, and so many characters in all of them."""
    for match in PIECE.finditer(page):
        if found := _formula(match):
            most, length = most - 1, length - len(found[0])
            if most < 0 or length < 0:
                return False
    return True


def _formula(match: re.Match) -> Formula | None:
    display = match["display"] or match["bracket"] or match["environment"]
    tex = display or match["inline"] or match["round"]
    return (html.unescape(tex).strip(), display is not None) if tex else None


def _plain(piece: str) -> str:
    return "$" if piece == r"\$" else piece


def _ask_mathjax(formulas: list[Formula]) -> list[str | None] | None:
    """MathML for each formula; None if node does not answer."""
    asked = json.dumps([{"tex": tex, "display": display} for tex, display in formulas])
    command = ["node", Path(__file__).with_suffix(".js"), MATHJAX]
    try:
        done = subprocess.run(command, input=asked, text=True, capture_output=True, timeout=SECONDS, encoding="utf-8")
        return json.loads(done.stdout) if done.returncode == 0 else None
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
