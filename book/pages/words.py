"""The notation page and the glossary, from two tables: each symbol and each term with the unit that brings it."""

import tomllib
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent


def notation() -> list[dict]:
    """The groups of symbols: {"title", "says", "symbols": [{"symbol", "means", "shape", "also", "code", "unit"}]}."""
    return tomllib.loads((HERE / "notation.toml").read_text("utf-8"))["group"]


def glossary() -> list[dict]:
    """The terms, by the alphabet: {"term", "unit", "says", "bold"}; `bold` is how the unit writes it, if otherwise."""
    terms = tomllib.loads((HERE / "glossary.toml").read_text("utf-8"))["term"]
    return sorted(terms, key=lambda entry: entry["term"].casefold())


def symbol_table(group: dict, link: Callable[[str], str]) -> str:
    """A Markdown table of one group of symbols, without columns that none of them needs."""
    rows = [
        {
            "symbol": row["symbol"],
            "what it is": row["means"],
            "shape": row.get("shape", ""),
            "also written": row.get("also", ""),
            "in `unrolled`": in_code(row.get("code", [])),
            "unit": link(row["unit"]),
        }
        for row in group["symbols"]
    ]
    head = [name for name in rows[0] if any(row[name] for row in rows)]
    lines = [head, ["---"] * len(head), *([row[name] or "–" for name in head] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def in_code(names: list[str]) -> str:
    """`lstm.Gates.f` as the module, and what is to be looked for in it."""
    by_module: dict[str, list[str]] = {}
    for name in names:
        module, _, rest = name.partition(".")
        by_module.setdefault(module, []).append(f"`{rest}`")
    return "; ".join(f"`{module}`: {', '.join(rest)}" for module, rest in by_module.items())


def term_list(link: Callable[[str], str]) -> str:
    """The glossary, as a directive that gives each term an address of its own."""
    entries = [f"{entry['term']}\n  {entry['says']} ({link(entry['unit'])})" for entry in glossary()]
    return "```{glossary}\n" + "\n\n".join(entries) + "\n```"
