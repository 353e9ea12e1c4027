"""The head of a feedback page says whose it is and names exercises as the unit does; marks stay nbgrader's."""

import little_course
import pytest

from autograder.outcome import Exercise, Outcome
from autograder.recording import gradebook
from autograder.returning.head import Head

PAGE = """<title>dice</title><h4>dice (Score: 2.0 / 9.0)</h4><div id="toc"><ol>
<li><a href="#throw_sum-check">Test cell</a> (Score: 2.0 / 2.0)</li>
<li><a href="#surprise-check">Test cell</a> (Score: 0.0 / 3.0)</li>
<li><a href="#written-question">Written response</a> not marked yet (4 points)</li>
<li><a href="#comment-written-question">Comment</a></li>
</ol></div><h1>Two dice</h1><li><a href="#elsewhere">Test cell</a></li>
<li><a href="#surprise-check">my words</a></li>"""


@pytest.fixture
def assignment(tmp_path):
    return little_course.make(tmp_path)


def test_exercises_have_their_titles_and_what_was_lost(assignment):
    lost = Exercise("surprise", 3.0, 0.0, "1/6 < 1/2 & so on")
    page = Head(assignment).write(PAGE, Outcome("ada", "graded", exercises=[Exercise("throw_sum", 2.0, 2.0), lost]))
    assert '<li><a href="#throw_sum-check">The sum of two dice</a> (Score: 2.0 / 2.0)</li>' in page
    assert (
        '<li><a href="#surprise-check">The surprise of a throw</a> (Score: 0.0 / 3.0)'
        "<br><small>1/6 &lt; 1/2 &amp; so on</small></li>"
    ) in page
    assert ">Test cell<" not in page.replace('"#elsewhere">Test cell<', "") and ">Written response<" not in page
    assert " not marked yet (4 points)</li>" in page and '<a href="#comment-written-question">Comment</a>' in page
    assert "SOLUTION" not in page
    assert '<li><a href="#surprise-check">my words</a></li>' in page, "what a student wrote stays"


def test_the_page_bears_the_name_in_the_gradebook_or_else_the_id(assignment):
    gradebook.name_students(assignment.course, {"ada": ("Ada", "<Lind>"), "bo": ("", "")})
    head = Head(assignment)
    assert "<h4>Two dice · Ada &lt;Lind&gt; (Score: 2.0 / 9.0)</h4>" in head.write(PAGE, Outcome("ada", "graded"))
    assert "<title>Two dice · bo</title>" in head.write(PAGE, Outcome("bo", "graded"))


def test_a_page_of_another_make_stays_as_it_is(assignment):
    assert Head(assignment).write("<p>Score</p>", Outcome("ada", "graded")) == "<p>Score</p>"
