"""What is said of answers that nobody has marked yet."""

from autograder.returning.waiting import say_so, summary

PAGE = """<a name="a-check"></a><div class="panel-heading"><span class="pull-right">
      Score: 0.0 / 2.0 <a href="#top">(Top)</a></span></div>
<a name="comment-a"></a><a name="a"></a><div class="panel-heading"><span>Answer</span><span class="pull-right">
      Score: 0.0 / 4.0 <a href="#top">(Top)</a></span></div><p>Score: 0.0 / 4.0</p>"""


def test_only_the_answers_that_wait_lose_their_zero():
    page = say_so(PAGE, {"a": 4.0})
    assert page.count("not marked yet (4 points)") == 1 and page.count("Score: 0.0 / 2.0") == 1
    assert "<p>Score: 0.0 / 4.0</p>" in page, "what a student wrote stays"


def test_a_page_on_which_nothing_waits_stays_as_it_is():
    assert say_so(PAGE, {}) == PAGE


def test_the_summary_counts_answers_of_all_pages():
    assert summary([{}, {}]) is None
    assert summary([{"a": 4.0}]) == (
        "1 written answer is not marked yet: its page shows 0 of 4 points for it; "
        "mark it by `autograder mark`, then run this again."
    )
    told = summary([{"a": 4.0}, {}, {"a": 4.0, "b": 4.0}])
    assert told.startswith("3 written answers are not marked yet: their pages show 0 of 4 points for them")
    assert "show 0 points" in summary([{"a": 4.0, "b": 2.0}])
