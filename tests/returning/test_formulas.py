"""Formulas of feedback pages: set where there are any, left as written where not, and no other server is asked."""

import re
import time

import little_course
import pytest
from book_built import needs_mathjax

from autograder.outcome import Outcome
from autograder.recording import ledger
from autograder.returning import formulas
from autograder.returning.feedback import feedback
from book import browser, verify
from book.browser import chromium

SCRIPT = (
    '<script src="https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/latest.js?config=Safe"> </script>\n'
    '<script type="text/x-mathjax-config">\n init_mathjax = 1;\n</script>'
)


def bare(page: str) -> str:
    """A page without white space and the attributes that say nothing."""
    return re.sub(r"\s+|data-mjx-\w+=\"\w+\"", "", page.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', ""))


@needs_mathjax
@pytest.mark.parametrize(
    ("tex", "mathml"),
    [
        (r"$\frac{a}{b}$", "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"),
        ("$$\nx\n$$", '<math display="block"><mi>x</mi></math>'),
        (r"\(x\), \[y\]", '<math><mi>x</mi></math>, <math display="block"><mi>y</mi></math>'),
        ("$a &lt; b$", "<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>"),
        (r"\begin{equation}x\end{equation}", '<math display="block"><mi>x</mi></math>'),
        (r"\$5, <code>$x$</code>, <pre>$x$ <b>$y$</b></pre> <a title='$x$'>$</a>$",) * 2,
        (r"$\frac{1$ and $x$", r"$\frac{1$ and <math><mi>x</mi></math>"),
    ],
    ids=["inline", "display", "brackets", "entity", "environment", "no formula", "wrong"],
)
def test_tex_becomes_mathml_and_what_is_none_stays(tex, mathml):
    assert bare(formulas.set_formulas(f"<p>{tex}</p>{SCRIPT}", {})) == bare(f"<p>{mathml}</p>".replace(r"\$", "$"))


@needs_mathjax
@pytest.mark.parametrize("tex", [r"\href{javascript:alert(1)}{x}", r"\require{html}", r"\text{&lt;script&gt;}"])
def test_a_students_tex_makes_no_link_and_no_script(tex):
    page = formulas.set_formulas(f"<p>${tex}$</p>", {})
    assert "href=" not in page and "<script" not in page
    assert (f"${tex}$" in page) == ("text" not in tex), "what is refused stays as it was written"


ACTS = ['href="javascript:owned()"', 'style="position:fixed"', 'id="points"', 'class="score"', 'onclick="owned()"']


@needs_mathjax
@pytest.mark.parametrize("attribute", ACTS)
def test_a_students_tex_writes_no_attribute_that_acts(attribute):
    tex = rf"\mmlToken{{mi}}[{attribute}]{{x}}"
    assert formulas.set_formulas(f"<p>${tex}$</p>", {}) == f"<p>${tex}$</p>"


@needs_mathjax
@pytest.mark.parametrize("defined", [r"\def\alpha{\beta}", r"\let\alpha=\beta", r"\DeclareMathOperator{\alpha}{\beta}"])
def test_what_one_formula_defines_changes_no_other(defined):
    """They may be of different students, and what is set is kept for the pages after it."""
    page = formulas.set_formulas(rf"<p>${defined} x$ $\alpha$ $\alpha y$</p>", {})
    assert page.count("\u03b1") + page.count("&#x3B1;") == 2 and "<mi>x</mi>" in page


ATTRIBUTES = [
    '<abbr title="a>$y$<b>">k</abbr>',
    "<abbr title='a>$y$\">'>k</abbr>",
    '<img alt="$$y$$ > $z$ > \\(x\\)" src="data:,">',
    "<!-- it's > $y$ --> <b title='>$x$'>k</b>",
]


@pytest.mark.parametrize("page", ATTRIBUTES)
def test_an_attribute_holds_no_formula_whatever_stands_in_it(page):
    assert formulas.are_few(page, 0, 0) and not formulas.are_few(f"{page} $y$", 0, 0)


OPENING = ["\\begin{equation}", "\\begin{align*}x ", "\\[", "\\(", "$\\$", "$$ x<b></b>", "<p title='"]


@pytest.mark.parametrize("sign", OPENING)
def test_signs_that_nothing_closes_take_their_number_and_not_its_square(sign):
    """In seconds of the processor; 12,000 of the first took over a minute."""
    before = time.process_time()
    formulas.are_few(f"<p>{sign * 12_000}</p>", 10**6, 10**9)
    assert time.process_time() - before < 10


@needs_mathjax
def test_a_formula_is_set_once(monkeypatch):
    known = {}
    formulas.set_formulas("<p>$x$ $$x$$</p>", known)
    assert set(known) == {("x", False), ("x", True)}
    monkeypatch.setattr(formulas, "_ask_mathjax", None)  # would fail if it was called
    assert "<math" in formulas.set_formulas("<p>$x$</p>", known)


@pytest.mark.parametrize("script", ["exit 1", "echo nonsense", "exec sleep 5"])
def test_where_node_fails_formulas_stay_as_tex_and_no_script_is_loaded(tmp_path, monkeypatch, script):
    (tmp_path / "node").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(formulas, "SECONDS", 1)
    assert formulas.set_formulas(f"<p>$x$</p>{SCRIPT}", {}).strip() == "<p>$x$</p>"


@pytest.fixture
def graded(tmp_path):
    """One submission with a formula in an answer, as if it had been graded."""
    assignment = little_course.make(tmp_path)
    little_course.autograder(assignment, "release")
    submission = little_course.hand_in(assignment, "ada", {"written-question": r"It is $\frac{\pi}{6}$, so $\bad{x}$."})
    run = assignment.autograded("ada")
    run.parent.mkdir(parents=True)
    run.write_bytes(submission.read_bytes())
    from autograder.recording.gradebook import clear_scores

    clear_scores(assignment, "ada")
    ledger.write(assignment, {"ada": Outcome("ada", "graded")})
    return assignment


@needs_mathjax
@pytest.mark.browser
def test_a_feedback_page_needs_no_network(graded, capsys):
    (written,) = feedback(graded)
    unknown = r"shows a formula as it was written: $\bad{x}$."  # by the student, and so shown
    assert verify.check_page(written.path).problems == [unknown] * 2  # above, and in the notebook
    assert capsys.readouterr().err == ""
    if browser.missing():
        pytest.skip(browser.missing())
    with chromium() as running:
        page = running.new_page()
        visit = browser.watch(page)
        page.goto(written.path.as_uri(), wait_until="networkidle")
        fraction = page.locator("math mfrac").first.bounding_box()
        assert fraction["height"] > 1.4 * page.locator("math mi").first.bounding_box()["height"]
        assert r"$\bad{x}$" in page.locator("body").inner_text()
        assert (visit.outside, visit.errors) == ([], [])


def test_without_mathjax_formulas_stay_as_tex_one_line_says_so_and_no_server_is_asked(
    graded, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(formulas, "MATHJAX", tmp_path / "absent")
    (written,) = feedback(graded)
    assert capsys.readouterr().err == formulas.MISSING + "\n"
    page = written.path.read_text(encoding="utf-8")
    assert r"$\frac{\pi}{6}$" in page and not re.search(r"<(script|link)[^>]*(src|href)=.https?:", page)
