"""What students wrote as HTML, as it may be shown in a teacher's browser: no script, no form, no address elsewhere.

Formgrader shows answers and outputs in a page that may change marks, and nbgrader puts their HTML there as it is. A
script in a written answer could so raise its own mark when it is read. These are filters for nbconvert's HTMLExporter
(see `nbgrader_config.py`), and so hold for formgrader and for feedback pages. Left out on purpose: JupyterLab's view
of a notebook, which cleans by itself what the viewer did not run.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote

import bleach
from bleach.css_sanitizer import CSSSanitizer
from jinja2 import pass_context
from nbconvert.filters import strip_files_prefix
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.returning.in_time import TookTooLong, at_most

_TEXT = (
    "a abbr b blockquote br cite code dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp"
)
_MORE = "details img small span strong sub summary sup table tbody td tfoot th thead tr u ul var caption col colgroup"
_TAGS = frozenset(f"{_TEXT} {_MORE}".split())
# What the tables of checks, of pandas and of nbconvert use; none takes an element out of its place.
_STYLES = [
    *("background", "background-color", "color", "font-size", "font-style", "font-weight", "text-align", "white-space"),
    *("border", "border-bottom", "border-collapse", "border-left", "border-radius", "border-right", "border-top"),
    *("caption-side", "margin", "margin-top", "max-width", "overflow-wrap", "padding", "vertical-align", "width"),
]
_CLASSES = re.compile(r"[\w-]{1,3}|unrolled-[\w-]+|highlight|dataframe|anchor-link")  # the first: Pygments' kinds
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,", re.IGNORECASE)
MOST_STYLE, MOST_BRACKETS = 1_000, 20  # of one style, which is read by a parser that calls itself at each bracket
MOST_HTML = 200_000  # characters of a text that is shown as HTML
SECONDS = 10.0  # that one text may take: bleach takes the square of its nesting


def _allowed(tag: str, name: str, value: str) -> bool:
    if name == "style":
        plain = len(value) <= MOST_STYLE and value.count("(") <= MOST_BRACKETS
        return plain and not re.search(r"url|[\\@{\[]|/\*", value, re.IGNORECASE)
    if name == "class":
        return all(_CLASSES.fullmatch(part) for part in value.split())
    if name == "id":
        return re.fullmatch(r"h[1-6]", tag) is not None  # where a table of contents leads
    if name == "src":
        return tag == "img" and _PICTURE.match(value) is not None
    if name == "href":
        return tag == "a" and re.match(r"(https?:|mailto:|#)", value, re.IGNORECASE) is not None
    return name in ("alt", "title", "scope", "colspan", "rowspan", "start", "open")


@lru_cache(maxsize=512)  # most texts are the unit's, the same for every student
def clean_html(element: str | bytes) -> str:
    """`element` with nothing but harmless tags and attributes; other tags are shown as the text that they are.

    So is all of it where it is very long, or where cleaning it takes too long or fails.
    """
    text = element.decode("utf-8", "replace") if isinstance(element, bytes) else str(element)
    return _cleaned(text) if len(text) <= MOST_HTML else _as_text(text)


@lru_cache(maxsize=4096)
def bare_html(element: str) -> str:
    """`element` as a page shows it that acts: nothing of it can be taken for a part of that page, or lead into it.

    That is `clean_html` without styles, classes, names of places, and addresses of the page itself.
    """
    return _bared(element) if len(element) <= MOST_HTML else _as_text(element)


def _in_time(work: Callable[[str], str]) -> Callable[[str], str]:
    """`work` on a text; the text itself where that takes too long, or fails."""

    def worked(text: str) -> str:
        try:
            with at_most(SECONDS):
                return work(text)
        except (TookTooLong, Exception):
            return _as_text(text)

    return worked


def _as_text(text: str) -> str:
    return f"<pre>{html.escape(text[:MOST_HTML])}{' …' * (len(text) > MOST_HTML)}</pre>"


@_in_time
def _cleaned(text: str) -> str:
    return _with_attributes(text, _allowed)


@_in_time
def _bared(text: str) -> str:
    return _with_attributes(text, _allowed_bare)


def _with_attributes(text: str, allowed: Callable[[str, str, str], bool]) -> str:
    return bleach.clean(
        text,
        tags=_TAGS,
        attributes=allowed,
        protocols={"http", "https", "mailto", "data"},
        css_sanitizer=CSSSanitizer(allowed_css_properties=_STYLES),
    )


def _allowed_bare(tag: str, name: str, value: str) -> bool:
    return name not in ("style", "class", "id") and not value.startswith("#") and _allowed(tag, name, value)


@pass_context
def render_markdown(context, source: str) -> str:
    """nbconvert's `markdown2html`, for which a picture that is not attached is no reason to stop."""
    attachments = context.get("cell", {}).get("attachments")
    pictures = _Pictures(attachments if isinstance(attachments, dict) else {})
    return _in_time(MarkdownWithMath(renderer=pictures).render)(source)


class _Pictures(IPythonRenderer):
    """Finds attached pictures by names with spaces and letters of any script; says of a missing one that it is."""

    def __init__(self, attachments: dict):
        super().__init__(escape=False)
        self._attached = {_plain_name(name): bundle for name, bundle in attachments.items()}

    def image(self, text: str, url: str, title: str | None = None) -> str:
        scheme, _, name = url.partition(":")
        if scheme != "attachment":
            return super().image(text, url, title)
        bundle = self._attached.get(_plain_name(name))
        kinds = [kind for kind, data in bundle.items() if isinstance(data, str)] if isinstance(bundle, dict) else []
        if not kinds:
            return f"<em>[The picture {html.escape(unquote(name))[:100]} is missing.]</em>"
        kind = min(kinds, key=lambda kind: (kind != "image/png", kind))
        return super().image(text, f"data:{kind};base64,{''.join(bundle[kind].split())}", title)


def _plain_name(name: str) -> str:
    return unicodedata.normalize("NFC", unquote(name)).strip()


def clean_markdown(rendered: str) -> str:
    """nbconvert's last step for rendered Markdown, and then `clean_html`."""
    return clean_html(strip_files_prefix(rendered))
