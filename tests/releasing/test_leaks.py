"""What counts as a secret, and in which disguises it is found. That no student's file holds one is in test_release."""

import html
import json

import pytest

from autograder.course import Course
from autograder.releasing.leaks import bare, hidden_code, leaked, secret_lines, text_in
from autograder.releasing.source import read_source

HERE = Course.find()
SOURCE = """:tags: [exercise]

def total(left, right):  # given
    ### BEGIN SOLUTION
    return "to" "tal", left + right
    ### END SOLUTION
"""
CELLS = {
    "answer": SOURCE,
    "whole": ":tags: [exercise]\n\neverything = left - right\n",
    "check of it": ':tags: [check]\n\ncheck(everything, points=1, exercise="everything")\n',
    "hidden region": "---\nnbgrader: {grade: true, grade_id: total-check, points: 1, schema_version: 3}\n---\n"
    "### BEGIN HIDDEN TESTS\nassert total(31, 17) == 48\n### END HIDDEN TESTS\ncheck(total, points=1)\n",
}
FILES = {
    "autograder/hidden/tiny.py": "from unrolled.checking import check\nfor context in table:\nclose(answer(3, 4), 7)\n",
    "autograder/specimens/tiny/wrong.py": '"""A sum of squares too."""\nreturn left**2 + right**2\nquoted(answer, 1)\n',
    "course/unrolled/checks/tiny.py": "quoted(answer, 1)\nclose(answer(3, 4), 7)\nfor context in table: pass\n",
    "course/unrolled/tiny.py": "from unrolled.checking import check\n",
}
SECRETS = {
    'return "to" "tal", left + right',
    "everything = left - right",
    "assert total(31, 17) == 48",
    "close(answer(3, 4), 7)",
    "return left**2 + right**2",
    '"""A sum of squares too."""',
    "### BEGIN SOLUTION",
    "### BEGIN HIDDEN TESTS",
}


@pytest.fixture
def course(tmp_path):
    """One unit with a secret of each kind, and lines that look like one."""
    cells = "".join(f"\n```{{code-cell}} ipython3\n{cell}```\n" for cell in CELLS.values())
    for name, text in {"solutions/01_tiny.md": f"# Tiny\n{cells}", "nbgrader_config.py": "", **FILES}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Course.find(tmp_path)


def test_answers_hidden_checks_and_specimens_are_secrets_and_what_students_have_is_none(course):
    """A hidden check's line in the visible checks is a leak; a specimen's is a quotation; common lines are neither."""
    assert set(secret_lines(course.assignment("01_tiny")).values()) == SECRETS


def test_what_is_public_by_other_ways_is_no_secret(course):
    assert (
        "close(answer(3, 4), 7)"
        not in secret_lines(course.assignment("01_tiny"), "    close(answer(3,4), 7)  # shown").values()
    )


def test_a_common_line_is_a_secret_where_the_package_does_not_have_it(course):
    (course.root / "course/unrolled/checks/tiny.py").write_text("")
    assert "for context in table:" in secret_lines(course.assignment("01_tiny")).values()


@pytest.mark.parametrize(
    "disguised",
    [
        "x = 1\n\treturn 'to'  'tal',left+right",
        '<span class="k">return</span> &quot;to&quot; &#39;tal&#39;<b>,</b> left +\u00a0right',
        json.dumps({"source": ["def f():\n", '    return "to" "tal", left + right\n']}),
        json.dumps(json.dumps('    return "to" "tal", left + right')),
        'if a < b: return "to" "tal", left + right > c',
    ],
)
def test_a_secret_is_found_whatever_stands_between_its_words(course, disguised):
    assert leaked(secret_lines(course.assignment("01_tiny")), disguised) == ['return "to" "tal", left + right']
    assert leaked(secret_lines(course.assignment("01_tiny")), disguised.replace("left", "right")) == []


def test_of_hidden_checks_in_feedback_the_sentences_are_no_secret(tmp_path):
    path = tmp_path / "tiny.py"
    path.write_text(
        'def sums(answer):\n    """What the check says, in words."""\n    # a comment on that\n'
        '    close(answer(3, 4), 7,\n        "the sum of three and four")\n    holds(answer(known_here))\n'
    )
    assert set(hidden_code(path, "holds( answer(known_here) )").values()) == {
        "def sums(answer):",
        "close(answer(3, 4), 7,",
    }


@pytest.mark.parametrize("unit", HERE.assignments(), ids=str)
def test_each_kind_of_secret_of_a_real_unit_is_known_and_would_be_found(unit):
    secrets, name = secret_lines(unit), unit.notebook
    answers = [cell.source.partition("### BEGIN SOLUTION")[2] for cell in read_source(unit).cells]
    sides = [text_in(HERE.root / "autograder" / side) for side in (f"hidden/{name}.py", f"specimens/{name}")]
    for text in ("\n".join(answers), *sides):
        known = [line for line in map(str.strip, text.splitlines()) if bare(line) in secrets]
        assert len(known) > 5
        for line in known:
            assert line in leaked(secrets, f"<pre>{html.escape(line)}</pre>")
