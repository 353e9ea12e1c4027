"""Answers as HTML in which nothing acts, in a process of its own: what a student wrote may take long, or end it.

The way is that of the feedback pages: nbconvert's Markdown with attached pictures, cleaned, formulas as MathML. Gone is
also everything by which an answer could pass for a part of the page that marks it.
"""

import asyncio
import base64
import contextlib
import html
import json
import os
import sys
from collections.abc import Iterator

from autograder.judging.rubric import source_of
from autograder.returning import formulas, tame
from autograder.returning.in_time import TookTooLong, at_most

SECONDS = 20.0  # that one cell may take, or the formulas of all; most take some milliseconds
ALONE = 5.0  # that the formulas of one cell may take, where all together took too long
MOST_FORMULAS, MOST_TEX = 300, 30_000  # of one cell, and characters of them; with more they stay as they were written
MOST_TEXT, MOST_PICTURE = 100_000, 4_000_000  # characters of code and of its output; of a picture in base64
PICTURES = ("image/png", "image/jpeg")
TOGETHER = "<hr>"  # between answers whose formulas are set in one go
LINE = 2**30  # bytes of one line between the two processes, at most
SHOWN = ("cell_type", "source", "attachments", "outputs")

Cell = dict


class Ended(Exception):
    """The other process is no more."""


class Drawer:
    """Draws cells in one other process, which is begun anew if it ends, and keeps what is drawn."""

    def __init__(self):
        self._process, self._known, self._turn = None, {}, asyncio.Lock()

    async def draw(self, cells: list[Cell | None]) -> list[str]:
        """HTML of each cell. One that ends the process is shown as its text."""
        keys = [_key(cell) for cell in cells]
        async with self._turn:
            new = {key: cell for key, cell in zip(keys, cells, strict=True) if key not in self._known}
            self._known.update(zip(new, await self._drawn(list(new.values())), strict=True))
        return [self._known[key] for key in keys]

    async def _drawn(self, cells: list[Cell | None]) -> list[str]:
        if not cells:
            return []
        try:
            return await self._asked(cells)
        except (Ended, OSError):
            self._process = None
        if len(cells) == 1:
            return [_as_text(cells[0])]
        return [(await self._drawn([cell]))[0] for cell in cells]

    async def _asked(self, cells: list[Cell | None]) -> list[str]:
        """It reads a line and writes one, and ends with its input: so it never outlives the server."""
        if self._process is None:
            command = sys.executable, "-P", "-m", __name__
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=LINE)
        self._process.stdin.write(json.dumps([cell and _shown(cell) for cell in cells]).encode() + b"\n")
        await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise Ended
        return json.loads(line)

    async def close(self) -> None:
        """Ends the other process; a server that ends does so by itself."""
        if self._process is not None:
            self._process.stdin.close()
            await self._process.wait()
            self._process = None


def _shown(cell: Cell) -> dict:
    return {name: cell[name] for name in SHOWN if name in cell}


def main() -> None:
    """Draws what comes as lines; what a library prints goes to standard error."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(drawn(json.loads(line))), file=answer, flush=True)


def _key(cell: Cell | None) -> str:
    if cell is None:
        return ""
    return repr((cell["cell_type"], source_of(cell), cell.get("attachments"), cell.get("outputs")))


def drawn(cells: list[Cell | None]) -> list[str]:
    """HTML of each cell, in this process."""
    pages, known = [_one(cell) for cell in cells], {}
    if formulas.can_set(formulas.MATHJAX):
        modest = [_is_modest(page) for page in pages]
        together = TOGETHER.join(page for page, fits in zip(pages, modest, strict=True) if fits)
        with contextlib.suppress(TookTooLong), at_most(SECONDS):  # then each for itself
            formulas.set_formulas(together, known)
        pages = [_with_formulas(page, known) if fits else page for page, fits in zip(pages, modest, strict=True)]
    return pages


def _one(cell: Cell | None) -> str:
    if cell is None:
        return "<p><em>[No answer can be read: the file that was handed in last is damaged.]</em></p>"
    try:
        with at_most(SECONDS):
            if cell["cell_type"] == "code":
                return "".join(_code(cell))
            rendered = tame.render_markdown({"cell": cell}, source_of(cell))
            return tame.bare_html(tame.clean_markdown(rendered))
    except (TookTooLong, Exception):
        return _as_text(cell)


def _is_modest(page: str) -> bool:
    """Whether its formulas are set with those of others, who would wait for it."""
    try:
        with at_most(ALONE):
            return formulas.are_few(page, MOST_FORMULAS, MOST_TEX)
    except TookTooLong:
        return False


def _with_formulas(page: str, known: dict) -> str:
    """As it was, where its formulas take too long."""
    try:
        with at_most(ALONE):
            return formulas.set_formulas(page, known)
    except (TookTooLong, Exception):
        return page


def _as_text(cell: Cell | None) -> str:
    return _pre(source_of(cell)) if cell else ""


def _pre(text: str) -> str:
    return f"<pre>{html.escape(text[:MOST_TEXT])}{' …' * (len(text) > MOST_TEXT)}</pre>"


def _code(cell: Cell) -> Iterator[str]:
    """Its text, and what it printed or drew when it was graded."""
    yield _pre(source_of(cell))
    for output in cell.get("outputs") or []:
        data = output.get("data") or {}
        shown = next((_picture(kind, data[kind]) for kind in PICTURES if kind in data), None)
        text = output.get("text") or data.get("text/plain") or ""
        text = text if isinstance(text, str) else "".join(text)
        yield shown or (_pre(text) if text else "")


def _picture(kind: str, content) -> str | None:
    content = "".join((content if isinstance(content, str) else "".join(content)).split())
    if len(content) > MOST_PICTURE or not base64.b64decode(content, validate=True):
        return None
    return f'<img alt="What the cell drew" src="data:{kind};base64,{content}">'


if __name__ == "__main__":
    main()
