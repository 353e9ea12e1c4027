"""What all commands share: the app they join, the options that several have, and how a line or a table is told."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from autograder.words import printable

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The instructor's side of Unrolled: release, grade, return.",
)
console = Console()
COLUMNS = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())

Root = Annotated[Path | None, typer.Option(help="The course's folder; left out: the one you are in.")]
Unit = Annotated[str, typer.Argument(help="A unit: 01_ngrams, ngrams or 1.")]
Units = Annotated[list[str] | None, typer.Argument(help="Units; left out: all.")]
Student = Annotated[str | None, typer.Option(help="Only this student.")]
Workers = Annotated[int, typer.Option(min=1, help="How many submissions at a time.", show_default="the cores here")]
Pages = Annotated[int, typer.Option("--workers", min=1, help="How many pages at once.", show_default="the cores here")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines and tables.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def example(line: str) -> str:
    """What stands at the end of a command's help."""
    return f"Example: autograder {line}"


def show(lines: list[str], data: object, as_json: bool) -> None:
    """Lines for a person, or the same as JSON for a program."""
    if as_json:
        print(json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode())
        return
    for line in lines:
        say(line)


def say(line: str) -> None:
    """A line as it is: no markup, no colours, not wrapped, so that a path can be copied; nothing for the terminal."""
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True, emoji=False)
