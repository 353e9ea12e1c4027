"""Make the finished site light without changing what is seen: fewer style rules, smaller pictures.

The theme brings the whole of Bootstrap, of which our pages use a tenth. A rule stays if each class and id in one of
its selectors occurs in a page or in a script. Pictures become lossless WebP, less than half of a plot's PNG.
"""

import re
from pathlib import Path

import tinycss2
from bs4 import BeautifulSoup
from PIL import Image

WORD = re.compile(r"[A-Za-z0-9_-]+")
NEGATION = re.compile(r":not\([^()]*(\([^()]*\))*[^()]*\)")
ESCAPE = re.compile(r"\\(.)")
NAME = re.compile(r"[.#](-?[A-Za-z_](?:[\w-]|\\.)*)")
ICON_FONT = "fontawesome"


def slim(site: Path, pages: dict[str, BeautifulSoup]) -> None:
    """Rewrite the style sheets under `site` and its pictures, and the pages' references to these."""
    words = words_in_use(site, pages)
    for sheet in sorted((site / "_static").rglob("*.css")):
        sheet.write_text(slim_style(sheet.read_text("utf-8"), words), "utf-8")
    sizes = {f"_images/{picture.name}": _to_webp(picture) for picture in sorted((site / "_images").glob("*.png"))}
    for page in pages.values():
        for tag in page.select("img[src^='_images/'][src$='.png']"):
            tag["width"], tag["height"] = map(str, sizes[tag["src"]])  # its place is kept before it has come
            tag["loading"] = "lazy"
            tag["src"] = tag["src"].removesuffix(".png") + ".webp"


def _to_webp(picture: Path) -> tuple[int, int]:
    """Put the same picture in its place; returns its width and height in pixels."""
    with Image.open(picture) as image:
        image.save(picture.with_suffix(".webp"), lossless=True, method=6)
        size = image.size
    picture.unlink()
    return size


def words_in_use(site: Path, pages: dict[str, BeautifulSoup]) -> set[str]:
    """Classes and ids of all pages, and every word of every script, since scripts make classes as they run."""
    words = set()
    for page in pages.values():
        for tag in page.find_all(True):
            words.update(tag.get("class", []))
            words.add(tag.get("id"))
        for script in page.find_all("script"):
            words.update(WORD.findall(script.string or ""))
    for script in (site / "_static").rglob("*.js"):
        words.update(WORD.findall(script.read_text("utf-8")))
    return words


def slim_style(css: str, words: set[str]) -> str:
    """The style sheet without rules for names that are not in use."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return _write(rules, words)


def _write(rules: list, words: set[str]) -> str:
    return "\n".join(filter(None, (_write_rule(rule, words) for rule in rules)))


def _write_rule(rule, words: set[str]) -> str:
    """One rule as text, or nothing if no page needs it."""
    if rule.type == "qualified-rule":
        selectors = _in_use(tinycss2.serialize(rule.prelude), words)
        return f"{selectors}{{{tinycss2.serialize(rule.content).strip()}}}" if selectors else ""
    if rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports") and rule.content:
        inner = _write(tinycss2.parse_rule_list(rule.content, True, True), words)
        return f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}" if inner else ""
    text = rule.serialize()
    return "" if ICON_FONT in text else text


def _in_use(prelude: str, words: set[str]) -> str:
    """Those of a rule's selectors that a page can match, joined by commas."""
    kept = [part.strip() for part in _split(prelude) if _names(part) <= words]
    return ",".join(kept)


def _names(selector: str) -> set[str]:
    """The classes and ids a selector demands; those it excludes, or offers as alternatives, do not count."""
    demanded = NEGATION.sub("", selector)
    if ":is(" in demanded or ":where(" in demanded:
        return set()
    return {ESCAPE.sub(r"\1", name) for name in NAME.findall(demanded)}


def _split(prelude: str) -> list[str]:
    """Split at commas that stand in no bracket."""
    parts, depth = [""], 0
    for character in prelude:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
