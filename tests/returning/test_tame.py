"""What a student wrote as HTML does nothing in a teacher's browser, and what is harmless stays."""

import time
from pathlib import Path

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from one_judge import IN_THE_END
from unrolled.checking.running import Report, Result
from unrolled.checking.table import to_html

from autograder.course import Course
from autograder.returning import tame
from autograder.returning.in_time import TookTooLong, at_most
from autograder.returning.tame import clean_html

HARM = {
    "script": "<script>owned()</script>",
    "handler": '<img src="x" onerror="owned()">',
    "svg": '<svg onload="owned()"><script>owned()</script></svg>',
    "frame": '<iframe srcdoc="<script>parent.owned()</script>"></iframe>',
    "address": '<a href="javascript:owned()">mark me</a>',
    "hidden address": '<a href="&#106;ava&#9;script:owned()">mark me</a>',
    "data address": '<a href="data:text/html,<script>owned()</script>">mark me</a>',
    "form": '<form action="/formgrader/api/grade/1"><input name="manual_score" value="99"><button>Next</button></form>',
    "refresh": '<meta http-equiv="refresh" content="0;url=http://elsewhere">',
    "base": '<base href="http://elsewhere/">',
    "style": "<style>* { display: none }</style>",
    "overlay": '<div style="position:fixed;top:0;left:0;width:100%">',
    "picture elsewhere": '<img src="http://elsewhere/seen.png">',
    "picture by style": '<p style="background:url(http://elsewhere/seen.png)">',
    "picture as svg": '<img src="data:image/svg+xml;base64,AAAA">',
    "formgrader's own parts": '<div class="score tabbable" id="written-question-comment">',
    "comment": "<!--><script>owned()</script>-->",
    "mathml": "<math><mtext><table><mglyph><style><img src=x onerror=owned()></style></mglyph></table></mtext></math>",
}
TAGS = ("<script", "<svg", "<iframe", "<form", "<input", "<button", "<meta", "<base", "<style", "<math", "<!--")
PARTS = (" onerror=", " onload=", 'href="j', 'href="d', 'src="h', 'src="x', "position", "url(http", "tabbable", " id=")


@pytest.mark.parametrize("name", HARM)
def test_nothing_of_it_acts(name):
    _harmless(clean_html(HARM[name]))


def _harmless(page: str) -> None:
    live = [part for part in page.split("&lt;")]  # what bleach escaped is text until the next tag
    text = "".join([live[0], *(part[part.find("&gt;") :] for part in live[1:])])
    assert not [tag for tag in TAGS if tag in page] and not [part for part in PARTS if part in text]


def test_what_the_course_shows_stays():
    checks = [Result("a", "All sums are < 1 & so on.", "held")]
    table = to_html(Report("mle", 2, checks, mend_first="ngram_counts").to_dict())
    cleaned = clean_html(table)
    assert cleaned.count("<td") == table.count("<td") and 'class="unrolled-check"' in cleaned
    assert cleaned.count("text-align:right;white-space:nowrap") == 2 and "ngram_counts, which it calls" in cleaned
    assert "border-radius:.3em" in cleaned and "caption-side:top" in cleaned and "&lt; 1 &amp; so on" in cleaned
    for text in (
        '<h2 id="2.-Gates">2. Gates<a class="anchor-link" href="#2.-Gates">¶</a></h2>',
        '<p>See <a href="https://example.org/a">this</a>, $a &lt; b$ and <code>x</code>.</p>',
        '<img alt="A curve" src="data:image/png;base64,AAAA">',
        '<div class="highlight"><pre><span class="k">def</span></pre></div>',
        "<details><summary>Hint 1</summary><ul><li>one</li></ul></details>",
    ):
        assert clean_html(text) == text


@pytest.fixture(scope="module")
def exporter():
    return HTMLExporter(config=Course.find(Path(__file__).parents[2]).config)


@pytest.mark.parametrize("name", [name for name in HARM if name != "comment"])
def test_the_settings_clean_answers_and_outputs(exporter, name):
    harm = HARM[name]
    shown = {"text/html": harm}
    cell = new_code_cell("1", outputs=[new_output("display_data", shown)])
    isolated = new_output("display_data", shown, metadata={"text/html": {"isolated": True}})
    marked = new_output("display_data", {"text/markdown": harm})
    acting = new_output("display_data", {"application/javascript": "owned()", "text/plain": "a script"})
    cells = [new_markdown_cell(harm), cell, new_code_cell("2", outputs=[isolated, marked, acting])]
    page, _ = exporter.from_notebook_node(new_notebook(cells=cells))
    body = page[page.index("<body") :]
    assert "\nowned()" not in body and harm not in body


# --- what takes too long, or fails -----------------------------------------------------------------------------------

SLOW = {
    "nested": "<div>" * 39_000,
    "long": "<p>x</p>" * 200_000,
    "brackets in a style": f'<p style="color:{"(" * 3_000}">x</p>',
    "other brackets in a style": f'<p style="color:{"[" * 900}">x</p>',
}


@pytest.mark.parametrize("name", SLOW)
def test_what_would_take_minutes_or_fail_is_shown_all_the_same(name, monkeypatch):
    monkeypatch.setattr(tame, "SECONDS", 1.0)
    begin = time.monotonic()
    shown = clean_html(SLOW[name])
    assert time.monotonic() - begin < IN_THE_END and len(shown) < 2_000_000
    assert ("&lt;" in shown) == ("style" not in name) and ("x" in shown or name == "nested")


def test_a_table_with_its_styles_is_no_such_text():
    style = "background-color: rgba(1, 2, 3, 0.5); border: 1px solid rgb(1, 2, 3); padding: 1px; color: rgb(1, 2, 3);"
    assert clean_html(f'<table><tr><td style="{style}">1</td></tr></table>').count("rgb") == 3


def test_time_is_up_within_what_swallows_errors_and_within_a_longer_time():
    def deaf():
        while True:
            try:
                time.sleep(60)
            except Exception:
                continue

    with pytest.raises(TookTooLong), at_most(60), at_most(0.1):
        deaf()
    with pytest.raises(TookTooLong), at_most(0.2):
        with at_most(60):
            pass
        deaf()
    with at_most(0.05):
        pass
    time.sleep(0.1)  # nothing rings any more
