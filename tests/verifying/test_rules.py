"""Each rule can be broken, and its line says where and what to do: a little unit is made whole, then spoilt."""

import importlib
import sys
from pathlib import Path

import pytest
import unrolled.checks
from unrolled.checking import registry

import autograder.hidden
from autograder import specimens
from autograder.course import Course, Trouble
from autograder.verifying import rules
from autograder.verifying import verify as module
from autograder.verifying.findings import Findings
from autograder.verifying.report import troubles
from autograder.verifying.trial import run_all
from autograder.verifying.unwritten import unwritten
from autograder.verifying.verify import verify

SOURCE = '''---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Tiny

```{code-cell} ipython3
:tags: [exercise]

def doubled(numbers):
    """Each number twice as large."""
    ### BEGIN SOLUTION
    return [2 * number_at_hand for number_at_hand in numbers]
    ### END SOLUTION
```

```{code-cell} ipython3
:tags: [check]

check(doubled, points=1)
```
'''
PUBLIC = '''
from unrolled.checking import check, close


@check("doubled", hint="How long is the list?")
def three_numbers(answer):
    """Three numbers are doubled."""
    close(answer([1, 2, 3]), [2, 4, 6], "the doubles")


@check("doubled", hint="And its sign?")
def negative_ones(answer):
    """Numbers below zero are doubled."""
    close(answer([-5, 0, 1]), [-10, 0, 2], "the doubles")


@check("doubled", hint="What is twice nothing?")
def none_at_all(answer):
    """Of no numbers and of one there are as many doubles."""
    close(answer([]) + answer([7]) if isinstance(answer([]), list) else None, [14], "the doubles")
'''
HIDDEN = '''
import unrolled.checks.tiny
from unrolled.checking import check, close, seeded


@check("doubled", hint="Try larger ones.")
def larger_numbers(answer):
    """Larger numbers are doubled."""
    drawn_now = [seeded().randint(10, 99) for _ in range(3)]
    close(answer(drawn_now), [number + number for number in drawn_now], "other doubles")


@check("doubled", hint="Try halves.")
def halves(answer):
    """Halves are doubled, too."""
    close(answer([0.5, 1.5]), [1, 3], "doubles of halves")
'''
SPECIMENS = """
# %% right: by_adding — Adds each to itself
def doubled(numbers):
    return [each_of_them + each_of_them for each_of_them in numbers]


# %% right: by_a_loop — Step by step
def doubled(numbers):
    found_so_far = []
    for each_of_them in numbers:
        found_so_far.append(each_of_them * 2)
    return found_so_far


# %% right: by_map — With map
def doubled(numbers):
    return list(map(lambda each_of_them: 2 * each_of_them, numbers))


# %% wrong: squares — Squares
# fails: three_numbers
def doubled(numbers):
    return [each_of_them**2 for each_of_them in numbers]


# %% wrong: repeats — Repeats the list
# fails: three_numbers, halves
def doubled(numbers):
    return numbers * 2


# %% wrong: without_signs — Loses the sign
# fails: negative_ones
def doubled(numbers):
    return [abs(2 * each_of_them) for each_of_them in numbers]


# %% wrong: whole_numbers — Cuts halves off
# fails: halves
def doubled(numbers):
    return [2 * int(each_of_them) for each_of_them in numbers]
"""
FILES = {
    "nbgrader_config.py": "",
    "solutions/00_tiny.md": SOURCE,
    "course/unrolled/checks/tiny.py": PUBLIC,
    "autograder/hidden/tiny.py": HIDDEN,
    "autograder/specimens/tiny/doubled.py": SPECIMENS,
}
SURVIVORS = "autograder/specimens/tiny/survivors.toml"
CHECKS, SECRET, TRIED = "course/unrolled/checks/tiny.py", "autograder/hidden/tiny.py", list(FILES)[-1]


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Makes the unit, with changes {file: [(old, new)]} or {file: text}, and returns verify's lines on it."""
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr(unrolled.checks, "__path__", [*unrolled.checks.__path__, str(tmp_path / Path(CHECKS).parent)])
    hidden = [*autograder.hidden.__path__, str(tmp_path / "autograder" / "hidden")]
    monkeypatch.setattr(autograder.hidden, "__path__", hidden)
    for place in (specimens, rules, module):
        monkeypatch.setattr(place, "HOME", tmp_path / "autograder" / "specimens")

    def make(changes=None, more=None, **options):
        for name, text in {**FILES, **(more or {})}.items():
            for old, new in (changes or {}).get(name, ()):
                assert old in text, old
                text = text.replace(old, new, 1)
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        importlib.invalidate_caches()
        return list(troubles(verify(course=Course.find(tmp_path), **options)))

    yield make
    for name in [name for name in sys.modules if name.startswith(("unrolled.checks.tiny", "autograder.hidden.tiny"))]:
        del sys.modules[name]


def test_a_unit_of_one_exercise_can_be_whole(tiny):
    assert tiny() == []


UNREAD = "answer([]) + answer([7]) if isinstance(answer([]), list) else None, [14]"
UNCALLED = "    return\n    close(answer([1"
UNSURE = "    if answer([1]) == 0.5:\n        raise KeyError\n    close(answer([0.5"
SEEDED = 'if __import__("os").environ["UNROLLED_CHECK_SEED"] != "2" else 0'
LEAK = "    drawn_now = [seeded().randint(10, 99) for _ in range(3)]\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        (CHECKS, '@check("doubled", hint="And its sign?")\n', "", "it has 2 public checks: write 3 or more"),
        (SECRET, '@check("doubled", hint="Try halves.")\n', "", "it has 1 hidden checks: write 2 or more"),
        (CHECKS, "are doubled.", "are doubled", "three_numbers does not end with a period"),
        (CHECKS, "are doubled.", f"are {'doubled' * 30}.", "three_numbers has 229 characters: say it in 130"),
        (CHECKS, "How long is the list?", "", "the check three_numbers has no hint"),
        (CHECKS, "How long is", f"How {'long' * 30} is", "the hint of three_numbers has 137 characters"),
        (CHECKS, "@check", "def helper(answer):\n    return 2\n\n\n@check", "tiny.py has the function helper"),
        (CHECKS, "three_numbers(answer)", "three_numbers(answer, more=1)", "three_numbers takes something else"),
        (SECRET, '"doubled", hint="Try h', '"doubles", hint="Try h', "declared for 'doubles', which is no exercise"),
        (TRIED, "fails: negative_ones", "fails: negative_ones, nothing", "names a check that does not exist: nothing"),
        (TRIED, "right: by_map — With map", "wrong: by_map — Map\n# fails: halves", "has 2 right answers: write 3"),
        (TRIED, "wrong: squares — Squares\n# fails: three_numbers", "right: squares — Right?", "has 3 wrong answers"),
        (TRIED, "each_of_them + each_of_them for", "each_of_them for", "the right answer by_adding was refused"),
        (TRIED, "2 * each_of_them, n", f"2 * each_of_them {SEEDED}, n", "by_map was refused (with seed 2, "),
        (TRIED, "each_of_them**2", "each_of_them * 2", "the wrong answer squares was let through"),
        (CHECKS, UNREAD, "answer([]), []", "none_at_all holds for an answer that always returns empty list"),
        (CHECKS, "if isinstance(answer([]), list) else None", "", "the check none_at_all breaks on an answer"),
        (SECRET, "    close(answer([0.5", UNSURE, "the check halves breaks on"),
        (SECRET, '"doubles of halves"', 'f"not {answer([0.5, 1.5])}"', "the hidden check halves shows values"),
        (CHECKS, "    close(answer([1", UNCALLED, "an answer that is not written earns points"),
    ],
)
def test_each_rule_can_be_broken_and_says_so(tiny, file, old, new, line):
    lines = tiny({file: [(old, new)]})
    assert any(line in said for said in lines), lines
    assert all(said.startswith("00_tiny") and "\n" not in said for said in lines)


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("course/notes.md", LEAK, "notes.md gives away a line of an answer, a hidden check or a specimen: drawn_now"),
        ("course/00_tiny/tiny.ipynb", '"return [2 * number_at_hand for', "gives away a line"),
        ("autograder/specimens/tiny/tripled.py", SPECIMENS, "tripled.py is about no exercise of the source"),
        ("solutions/01_other.md", SOURCE, "01_other has an exercise of the same name: give one of them another"),
        (SURVIVORS, '[doubled]\n"x → y" = "Same."\n', "survivors.toml explains what does not survive: x → y"),
    ],
)
def test_a_file_too_many_is_named(tiny, file, text, line):
    if file.endswith("ipynb"):
        text += ' number_at_hand in numbers]"'
    (said,) = tiny(more={file: text}, units=["tiny"])
    assert line in said and said.startswith("00_tiny")


def test_a_surviving_mistake_is_a_wrong_answer_let_through_unless_it_is_explained(tiny):
    """No check calls with two lists of one length, and none with a list that it looks at afterwards."""
    alike = {CHECKS: [("answer([-5, 0, 1]), [-10, 0, 2]", "answer([-5]), [-10]")], SECRET: [("range(3)", "range(4)")]}
    alike[SECRET].append(("answer([0.5, 1.5]), [1, 3]", "answer([0.5, 1.5, 2, 3, 4]), [1, 3, 4, 6, 8]"))
    alike[CHECKS].append(("[7]", "[7, 8]"))
    alike[CHECKS].append(("[14]", "[14, 16]"))
    (said,) = tiny(alike)
    assert "the wrong answer remembers by size was let through (earned all points)" in said
    reason = '[doubled]\n"remembers by size" = "No one would."\n'
    assert tiny(alike, more={SURVIVORS: reason}) == []


def test_too_few_killed_mutants_are_a_line_of_the_unit():
    found = Findings("00_tiny", "doubled", killed=18, survived=["a → b"])
    (line,) = rules._killed([found])
    assert "of 19 mutants 94.7% are killed" in line and "95% are" in line
    found.killed = 19
    assert list(rules._killed([found])) == []


def test_a_unit_without_checks_or_exercises_is_one_line(tiny, capsys):
    with pytest.raises(Trouble, match=r"^01_other has no checks: write 3 for each exercise into .*/checks/other.py.$"):
        tiny(more={"solutions/01_other.md": SOURCE}, units=["other"])
    with pytest.raises(Trouble, match=r"^00_tiny has no exercise: .* solutions/00_tiny.md"):
        tiny(more={"solutions/00_tiny.md": SOURCE.partition("```")[0]}, units=["tiny"])


@pytest.mark.parametrize("unit", [unit.name for unit in Course.find(Path(__file__).parent).assignments()])
def test_a_committed_unit_has_no_text_left_to_be_written(unit):
    assert unwritten(unit) == []


def test_quick_stops_at_the_first_trouble(tiny):
    spoilt = {TRIED: [("each_of_them**2", "each_of_them * 2"), ("abs(2 * each_of_them)", "2 * each_of_them")]}
    tried = []
    (said,) = tiny(spoilt, quick=True, progress=lambda done, total, exercise: tried.append((done, total)))
    assert "the wrong answer squares was let through" in said and tried[-1][0] < tried[-1][1]
    assert len(tiny(spoilt)) == 2


def test_a_second_run_tries_only_what_was_edited(tiny, monkeypatch, tmp_path):
    tiny()
    made = []
    monkeypatch.setattr(
        "autograder.verifying.kept.run_all", lambda jobs, seed: made.extend(jobs) or run_all(jobs, seed=seed)
    )
    assert tiny() == [] and made == []
    tiny({TRIED: [("abs(2 * each_of_them)", "abs(each_of_them * 2)")]})
    assert [job.source.count("abs(each_of_them * 2)") for job in made] == [1]
    tiny(fresh=True)
    assert len(made) > 30
