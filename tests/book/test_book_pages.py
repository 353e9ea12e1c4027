"""What the builder does to the pages Jupyter Book wrote: formulas, finish, slim, leaks, verify."""

import gzip
import json
import os
import random
import re
import zipfile
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
import yaml
from book_built import ROOT, cell, course_with, needs_mathjax, soup
from PIL import Image

from autograder.course import Course, Trouble
from autograder.returning.formulas import can_set
from book import __main__ as command
from book import browser, finish, formulas, launch, leaks, packed, places, serving, shown, slim, source, verify

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
    assert not page.find("script") and not page.select("link[rel=stylesheet]")


# --- finish


def test_scripts_wait_for_the_text_and_the_widgets_state_goes_last():
    inline = "<script>DOCUMENTATION_OPTIONS.pagename = 'x';</script>"
    text = f'<head><script src="a.js"></script>{inline}<script type="{shown.WIDGET_STATE}">{{}}</script></head>'
    page = soup(f"<html>{text}<body><p>words</p></body></html>")
    finish.text_first(page, last=False)
    assert [script.get("src") for script in page.head.find_all("script")] == ["a.js"]
    assert page.head.script.has_attr("defer") and page.body.find_all(True)[-1]["type"] == shown.WIDGET_STATE


def test_pictures_of_a_cell_get_each_its_words_a_number_and_a_caption():
    alt = shown.BETWEEN_WORDS.join(["A curve. It falls slowly over all of the three hundred steps. More.", "Two."])
    page = soup(f'<div class="cell_output"><img alt="{alt}" src="a"/><img alt="{alt}" src="b"/></div>')
    finish.number_pictures(page, "05_seq2seq.html")
    assert [picture["alt"] for picture in page.select("figure > img")] == alt.split(shown.BETWEEN_WORDS)
    captions = [caption.get_text() for caption in page.select("figure > figcaption")]
    assert captions[0] == "Figure 5.1. A curve. It falls slowly over all of the three hundred steps."
    assert captions[1] == "Figure 5.2. Two."


def test_search_scripts_are_loaded_by_the_search_page_alone():
    text = '<script src="searchindex.js"></script><script src="_static/scripts/fontawesome.js?d=1"></script>'
    page, search = soup(text), soup(text)
    finish.mend(page, "index.html")
    finish.mend(search, "search.html")
    assert not page.find_all("script")
    assert [script["src"] for script in search.find_all("script")] == ["searchindex.js"]


# --- places


def widgets_page(kinds: list[str]) -> str:
    models = {
        f"m{i}": {"state": {"_anywidget_id": f"unrolled.widgets.a.{kind}", shown.TABLE: f"<table><tr><td>{i}</table>"}}
        for i, kind in enumerate(kinds)
    }
    views = "".join(f'<script type="{shown.WIDGET_VIEW}">{{"model_id": "{name}"}}</script>' for name in models)
    state = json.dumps({"state": models})
    return f'<html><head><script type="{shown.WIDGET_STATE}">{state}</script></head><body>{views}</body></html>'


def test_a_widget_gets_a_place_with_its_kind_room_to_draw_in_and_its_table():
    page = soup(widgets_page(["NGramExplorer", "TagReader"]))
    places.keep_places(page)
    first, second = page.select("div.unrolled-widget")
    assert [first["data-widget"], first["id"], second["id"]] == ["NGramExplorer", "widget-1", "widget-2"]
    assert first.script["type"] == shown.WIDGET_VIEW and first.select_one(".unrolled-drawn").get_text() == ""
    assert second.select_one(".unrolled-instead td").get_text() == "1" and second.noscript.get_text()
    assert shown.TABLE not in page.find("script", type=shown.WIDGET_STATE).string


def test_between_two_measured_widths_the_greater_height_is_kept():
    heights = [list(range(1000, 1000 - 10 * len(places.WIDTHS), -10))]
    css = places.rules(heights).splitlines()
    assert css[0] == "#widget-1 > .unrolled-drawn{min-height:1000px}"
    assert css[2] == "@container (min-width:310px){#widget-1 > .unrolled-drawn{min-height:990px}}"
    assert css[-1].startswith(f"@container (min-width:{places.WIDTHS[-1]}px)") and len(css) == 1 + len(places.WIDTHS)


# --- launch

GITHUB = {"repository": "https://github.com/somebody/course.git", "branch": "main", "hub": "https://hub.example.org/"}


def launched(tmp_path: Path, section) -> launch.Launch | None:
    (tmp_path / "book.yml").write_text(json.dumps({"title": "x"} | ({"launch": section} if section else {})))
    return launch.Launch.read(tmp_path / "book.yml")


def test_buttons_open_the_released_notebook(tmp_path):
    links = launched(tmp_path, GITHUB).links(Course(ROOT, ROOT / "solutions").assignment("01_ngrams"))
    notebook, quoted = "course/01_ngrams/ngrams.ipynb", "course%2F01_ngrams%2Fngrams.ipynb"
    pull = "repo=https%3A%2F%2Fgithub.com%2Fsomebody%2Fcourse&branch=main"
    assert (ROOT / notebook).is_file()
    assert links == {
        "Colab": f"https://colab.research.google.com/github/somebody/course/blob/main/{notebook}",
        "Binder": f"https://mybinder.org/v2/gh/somebody/course/main?urlpath=lab%2Ftree%2F{quoted}",
        "JupyterHub": f"https://hub.example.org/hub/user-redirect/git-pull?{pull}&urlpath=lab%2Ftree%2Fcourse%2F{quoted}",
    }


@pytest.mark.parametrize(
    ("repository", "binder"),
    [
        ("https://gitlab.com/group/part/course", "gl/group%2Fpart%2Fcourse/a%2Fb"),
        ("https://git.example.org/course", "git/https%3A%2F%2Fgit.example.org%2Fcourse/a%2Fb"),
    ],
)
def test_elsewhere_than_on_github_there_is_no_colab(tmp_path, repository, binder):
    section = {"repository": repository, "branch": "a/b"}
    links = launched(tmp_path, section).links(Course(ROOT, ROOT / "solutions").assignment("01_ngrams"))
    assert list(links) == ["Binder"] and f"/v2/{binder}?" in links["Binder"]


@pytest.mark.parametrize(
    ("section", "fault"),
    [
        ("main", "give repository, branch, hub, each on a line of its own"),
        ({"repo": "x", "branch": "main"}, "there is no repo: give repository, branch, hub"),
        ({"repository": "https://github.com/a/b"}, "branch is missing"),
        (
            {**GITHUB, "repository": "git@github.com:a/b"},
            "repository is 'git@github.com:a/b': give an address that begins",
        ),
        ({**GITHUB, "hub": "hub.example.org"}, "hub is 'hub.example.org': give an address that begins with https://"),
    ],
)
def test_a_wrong_launch_section_is_one_line(tmp_path, section, fault):
    with pytest.raises(Trouble) as caught:
        launched(tmp_path, section)
    assert str(caught.value).startswith(f"book.yml, launch: {fault}") and "\n" not in str(caught.value)


def test_buttons_are_links_that_load_nothing_and_without_a_section_there_are_none(tmp_path):
    assert launched(tmp_path, None) is None
    assert "launch" not in yaml.safe_load((ROOT / "jupyter_book.yml").read_text("utf-8"))
    unit = Course(ROOT, ROOT / "solutions").assignment("01_ngrams")
    assert command.buttons(None, [unit]) == {}
    page = soup("<article><h1>Unit 1</h1><p>words</p></article>")
    launch.add_buttons(page, {})
    assert not page.find("a")
    launch.add_buttons(page, command.buttons(launched(tmp_path, GITHUB), [unit])["01_ngrams.html"])
    assert [link.get_text() for link in page.h1.find_next_sibling().find_all("a")] == ["Colab", "Binder", "JupyterHub"]
    assert verify.loaded_addresses(page) == [] and not page.find(["script", "iframe", "img"])


# --- packed


def test_a_zip_holds_every_file_and_is_the_same_for_the_same_pages(tmp_path):
    for name in ("index.html", "_static/a.css"):
        (tmp_path / "html" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "html" / name).write_text(name)
    first = packed.pack(tmp_path / "html", tmp_path / "book.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "book.zip") as archive:
        assert sorted(archive.namelist()) == ["book/_static/a.css", "book/index.html"]
        assert archive.read("book/_static/a.css") == b"_static/a.css"
    os.utime(tmp_path / "html" / "index.html", (0, 10**9))
    assert packed.pack(tmp_path / "html", tmp_path / "book.zip").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["book.zip", "html"]


# --- serving


def test_a_folder_is_served_compressed_and_nothing_beside_it(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.html").write_text("a" * 10_000)
    (tmp_path / "secret").write_text("x")
    with serving.served(tmp_path / "in") as address:
        with urlopen(f"{address}/a.html?x=1") as answer:
            body, packing = answer.read(), answer.headers["Content-Encoding"]
        assert packing == "gzip" and gzip.decompress(body) == b"a" * 10_000
        assert serving.weight(tmp_path / "in" / "a.html") == len(body) < 200
        for path in ("gone.html", "%2e%2e/secret"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{address}/{path}")


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
    assert (page.img["width"], page.img["height"], page.img["loading"]) == ("40", "30", "lazy")
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
    (tmp_path / "index.html").write_text('<script src="big.js"></script><script src="zeros.js"></script>')
    (tmp_path / "big.js").write_bytes(random.Random(0).randbytes(1_300_000))
    (tmp_path / "zeros.js").write_text("/" * 5_000_000)  # compressed it is nothing
    index, gone = verify.check_book(tmp_path, ["index", "gone"])
    assert len(index.problems) == 1 and re.fullmatch(r"weighs 13\d\d kB, more than 1200", index.problems[0])
    assert index.first_paint is None and gone.problems == ["is missing"]


def test_what_is_lacking_to_measure_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert browser.missing() == (
        "first paint not measured: none of chromium, chromium-browser, google-chrome is installed"
    )
