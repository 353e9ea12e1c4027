"""What the builder does to the pages Jupyter Book wrote: formulas, finish, slim, leaks, verify."""

import json
from pathlib import Path

import pytest
from book_built import ROOT, cell, course_with, needs_mathjax, soup
from PIL import Image

from autograder.course import Course, Trouble
from autograder.returning.formulas import can_set
from book import browser, finish, formulas, leaks, shown, slim, source, verify

MATHJAX = ROOT / source.MATHJAX


# --- formulas


@needs_mathjax
def test_formulas_are_set_with_their_numbers_and_mathml():
    text = r'<span class="math nohighlight">\(x^2\)</span><div class="math"><span class="eqno">(1)</span>\[a=b\]</div>'
    page = soup(f"<head></head>{text}")
    css = formulas.set_formulas({"p.html": page}, MATHJAX)
    inline, display = page.select("mjx-container")
    assert inline.select("math msup") and display["display"] == "true"
    assert page.select_one("div.math .eqno").get_text() == "(1)"
    assert "\\(" not in page.get_text() and formulas.FONTS in css


@needs_mathjax
def test_a_formula_that_is_none_is_named_with_its_page():
    page = soup(r'<span class="math">\(\nosuchmacro{x}\)</span><span class="math">\(y\)</span>')
    with pytest.raises(Trouble, match=r"p.html: Undefined control sequence \\nosuchmacro in \\nosuchmacro\{x\}"):
        formulas.set_formulas({"p.html": page}, MATHJAX)


def test_a_failure_of_node_is_one_line(tmp_path, monkeypatch):
    if not can_set(MATHJAX):
        pytest.skip("needs node")
    with pytest.raises(Trouble, match="node could not set the formulas: ") as caught:
        formulas.set_formulas({"p.html": soup(r'<i class="math">\(y\)</i>')}, tmp_path)
    assert "\n" not in str(caught.value)


def test_without_node_pages_keep_the_script_that_sets_formulas(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not can_set(MATHJAX)
    page = soup(r'<head><script src="_static/mathjax/tex-chtml.js"></script></head><i class="math">\(y\)</i>')
    finish.mend(page, "p.html")
    assert page.find("script")["src"] == "_static/mathjax/tex-chtml.js"


def test_a_page_without_formulas_loads_nothing_for_them():
    page = soup('<head><script src="_static/mathjax/tex-chtml.js"></script></head><p>words</p>')
    finish.mend(page, "p.html")
    assert not page.find("script") and not page.find("link")


# --- finish


def test_a_widget_gets_a_place_that_names_its_kind():
    state = {"state": {"m1": {"state": {"_anywidget_id": "unrolled.widgets.ngram_explorer.NGramExplorer"}}}}
    page = soup(
        f'<head><script type="{shown.WIDGET_STATE}">{json.dumps(state)}</script></head>'
        f'<script type="{shown.WIDGET_VIEW}">{{"model_id": "m1"}}</script>'
    )
    finish.keep_places(page)
    place = page.select_one("div.unrolled-widget")
    assert place["data-widget"] == "NGramExplorer"
    assert place.script["type"] == shown.WIDGET_VIEW and place.noscript.get_text()


def test_search_scripts_are_loaded_by_the_search_page_alone():
    text = '<script src="searchindex.js"></script><script src="_static/scripts/fontawesome.js?d=1"></script>'
    page, search = soup(text), soup(text)
    finish.mend(page, "index.html")
    finish.mend(search, "search.html")
    assert not page.find_all("script")
    assert [script["src"] for script in search.find_all("script")] == ["searchindex.js"]


# --- slim


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        (".used{a:b}", ".used{a:b}"),
        (".unused{a:b}", ""),
        (".unused,#main .used:hover{a:b}", "#main .used:hover{a:b}"),
        ("p > em{a:b}", "p > em{a:b}"),
        (".used:not(.unused){a:b}", ".used:not(.unused){a:b}"),
        (":is(.unused,.used){a:b}", ":is(.unused,.used){a:b}"),
        ("@media print{.unused{a:b}}", ""),
        ("@media print{.unused{a:b}.used{c:d}}", "@media print{.used{c:d}}"),
        ("@font-face{font-family:x;src:url(../fontawesome/x.woff2)}", ""),
        ("@keyframes turn{from{a:b}}", "@keyframes turn{from{a:b}}"),
        (r".col\:2{a:b}", r".col\:2{a:b}"),
    ],
)
def test_only_rules_that_match_something_stay(css, kept):
    assert slim.slim_style(css, {"used", "main", "col:2"}) == kept


def test_pictures_become_lossless_webp(tmp_path):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "a.js").write_text("element.classList.add('made-by-script')")
    (tmp_path / "_static" / "a.css").write_text(".made-by-script{a:b}.nobody{c:d}")
    (tmp_path / "_images").mkdir()
    picture = Image.effect_noise((40, 30), 80).convert("RGB")
    picture.save(tmp_path / "_images" / "plot.png")
    page = soup('<img src="_images/plot.png"/>')
    slim.slim(tmp_path, {"p.html": page})
    assert page.img["src"] == "_images/plot.webp"
    assert Image.open(tmp_path / "_images" / "plot.webp").convert("RGB").tobytes() == picture.tobytes()
    assert (tmp_path / "_static" / "a.css").read_text() == ".made-by-script{a:b}"


# --- leaks

ANSWER = "total_of_both_sides = left_side + right_side"


def leaking_course(tmp_path: Path) -> Course:
    check = cell('check(total_of_both_sides, points=1, exercise="total_of_both_sides")', ":tags: [check]\n\n")
    region = f'### BEGIN SOLUTION\n{ANSWER}\nname = "a public line here"\n### END SOLUTION'
    course = course_with(tmp_path, cell(region, ":tags: [exercise]\n\n") + check + cell('name = "a public line here"'))
    for folder in ("hidden", "specimens/tiny"):
        (tmp_path / "autograder" / folder).mkdir(parents=True)
    (tmp_path / "autograder" / "hidden" / "tiny.py").write_text("assert answer(31, 17) == 48\n")
    (tmp_path / "autograder" / "specimens" / "tiny" / "wrong.py").write_text("    return left_side - right_side\n")
    return course


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<pre><span>total_of_both_sides</span> <span>=</span> left_side + right_side</pre>", ANSWER),
        (f"<script>{json.dumps({'x': 'y = 1' + chr(10) + ANSWER})}</script>", ANSWER),
        ("<p>assert answer(31, 17) == 48</p>", "assert answer(31, 17) == 48"),
        ("<p>return left_side - right_side</p>", "return left_side - right_side"),
        ('<p>name = "a public line here"</p>', None),
        ("<p>nothing</p>", None),
    ],
)
def test_secrets_are_found_and_public_lines_are_none(tmp_path, text, found):
    (tmp_path / "page.html").write_text(text)
    told = leaks.leaks(leaking_course(tmp_path).assignment("01_tiny"), [tmp_path / "page.html"])
    assert told == ([f"page.html gives away: {found}"] if found else [])


def test_a_page_made_of_a_guide_may_quote_it_and_no_other_page_may(tmp_path):
    course = leaking_course(tmp_path)
    (tmp_path / "CONTRIBUTING.md").write_text("As in `assert answer(31, 17) == 48`.\n")
    pages = [tmp_path / name for name in ("authoring.html", "index.html")]
    for page in pages:
        page.write_text(f"<p>assert answer(31, 17) == 48</p><p>{ANSWER}</p>")
    told = leaks.leaks(course.assignment("01_tiny"), pages)
    quoted = "gives away: assert answer(31, 17) == 48"
    assert told == [
        f"authoring.html gives away: {ANSWER}",
        f"index.html {quoted}",
        f"index.html gives away: {ANSWER}",
    ]


# --- verify


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('<script src="https://example.org/a.js"></script>', "asks another server for https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css"/>', "asks another server for //example.org/a.css"),
        ('<img alt="A curve." src="http://example.org/a.png"/>', "asks another server for http://example.org/a.png"),
        ('<script src="gone.js?v=1"></script>', "asks for gone.js, which is not there"),
        ('<img src="here.png"/>', "has a picture without words"),
        ('<img alt="_images/here.png" src="here.png"/>', "has a picture without words"),
        (r'<span class="math">\(x\)</span>', "shows 1 formulas as raw TeX"),
        ("<li>size: $h_t = W x_t</li>", "shows a formula as it was written: $h_t = W x_t"),
        ("<pre>cost = '$5'</pre><code>$x$</code><script>`${x}`</script>", None),
        ('<link rel="stylesheet" href="style.css"/>', "style.css asks another server for https://example.org/f.woff"),
        ('<a href="https://example.org">elsewhere</a><img alt="A curve." src="here.png"/>', None),
    ],
)
def test_problems_of_a_page_are_told(tmp_path, text, problem):
    (tmp_path / "here.png").write_bytes(b"1234")
    (tmp_path / "style.css").write_text("a{src:url('https://example.org/f.woff')}")
    (tmp_path / "page.html").write_text(text)
    told = verify.check_page(tmp_path / "page.html").problems
    assert (told == []) if problem is None else (len(told) == 1 and told[0].startswith(problem))


def test_a_missing_and_a_heavy_page_are_told(tmp_path):
    (tmp_path / "index.html").write_text('<script src="big.js"></script>')
    (tmp_path / "big.js").write_text("/" * 1_300_000)
    index, gone = verify.check_book(tmp_path, ["index", "gone"])
    assert index.problems == ["weighs 1300 kB, more than 1200"] and index.first_paint is None
    assert gone.problems == ["is missing"]


def test_what_is_lacking_to_measure_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.missing() == (
        "first paint not measured: none of chromium, chromium-browser, google-chrome is installed"
    )
