"""The graders are graded: mutants, specimens, trials in child processes, and what verify makes of them."""

import json

import psutil
import pytest
from unrolled.checking import check, close, registry

from autograder import specimens
from autograder.course import Assignment
from autograder.releasing.references import Reference
from autograder.specimens import MalformedSpecimen, Specimen
from autograder.verifying import rules, trial
from autograder.verifying import verify as module
from autograder.verifying.command import run_verify
from autograder.verifying.kept import Kept
from autograder.verifying.mutants import Mutant, mutants
from autograder.verifying.ordeal import Ordeal
from autograder.verifying.report import troubles
from autograder.verifying.trial import Job, run_all
from autograder.verifying.verify import verify

# --- mutants ---------------------------------------------------------------------------------------------------------


def lines_of(source):
    """The mutants of a function's body, each as its changed source in one line."""
    return {" ; ".join(line.strip() for line in mutant.source.splitlines()[1:]) for mutant in mutants(source)}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return a < b", {"return a <= b", "return a >= b"}),
        ("return a in b", {"return a not in b"}),
        ("return a + b", {"return a - b", "return a", "return b"}),
        ("return a / b", {"return a * b", "return a // b"}),
        ("return 3", {"return 4", "return 2"}),
        ("return 0.0625", {"return 0.625", "return 0.00625"}),
        ("return True", {"return False"}),
        ("return 'x'", {"return 'x!'", "return ''"}),
        ("return a and b", {"return a or b", "return a", "return b"}),
        ("return -a", {"return a", "return", "return --a"}),
        ("return not a", {"return a"}),
        ("return a[b:]", {"return a[:]", "return a[b + 1:]", "return a[b - 1:]"}),
        ("return f(a, b)", {"return f(b, a)", "return f(a)"}),
        ("return f(a, key=b)", {"return f(a)"}),
        ("return a.get(b, 0)", {"return a.get(b)", "return a.get(b, 1)"}),
        ("return max(a, b)", {"return min(a, b)", "return a"}),
        ("return a.double()", {"return a"}),
        ("return set()", {"return", "return -set()"}),
        ("return range(a, b)", {"return range(a, b + 1)", "return range(a, b - 1)"}),
        ("return a if b else c", {"return a", "return c", "return a if not b else c"}),
        ("return [x for x in a if x]", {"return [x for x in a]", "return [x for x in a if not x]"}),
        ("a += b ; return a", {"a -= b ; return a", "a = b ; return a", "pass ; return a"}),
        ("while a: ; break", {"while not a: ; break", "while True: ; break", "while a: ; continue"}),
    ],
)
def test_each_operator_plants_its_mistakes(body, wanted):
    lines = body.split(" ; ")
    inner = [lines[0], *("    " + line if lines[0].endswith(":") else line for line in lines[1:])]
    source = "def f(a, b, c):\n" + "\n".join("    " + line for line in inner)
    assert wanted <= lines_of(source)


def test_mutants_differ_from_the_answer_from_one_another_and_in_name():
    source = "def f(a):\n    '''Words.'''\n    if a > 0 and a < 9:\n        return a + 0\n    return a + 0\n"
    found = mutants(source)
    assert len({mutant.source for mutant in found}) == len({mutant.name for mutant in found}) == len(found)
    assert all(compile(mutant.source, "mutant", "exec") for mutant in found)
    assert all("Words" not in mutant.source for mutant in found)
    assert "return a + 0 → return a - 0" in {m.name for m in found}
    assert "return a + 0 → return a - 0 #2" in {m.name for m in found}
    assert "if a > 0 and a < 9: → if a >= 0 and a < 9:" in {m.name for m in found}


# --- trials ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def double(monkeypatch):
    """An exercise of its own with two checks, known to this process and its forks."""
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    @check("double")
    def two_is_four(answer):
        """Twice two is four."""
        close(answer(2), 4, "double of 2")

    @check("double")
    def zero_stays(answer):
        """Twice zero is zero."""
        close(answer(0), 0, "double of 0")

    return "double"


def tried(*sources, limit=20):
    """The trials of these sources, in their order."""
    jobs = [Job("double", source, limit=limit) for source in sources]
    found = {result.job: result for result in run_all(jobs)}
    return [found[job] for job in jobs]


def test_trials_run_side_by_side_and_keep_their_reports(double):
    right, wrong, squared = tried(
        "def double(x):\n    return 2 * x", "def double(x):\n    return x + 1", "def double(x):\n    return x * x"
    )
    assert right.all_held and right.earned == 1 and right.failed == []
    assert not wrong.all_held and wrong.earned == 0 and wrong.failed == ["two_is_four", "zero_stays"]
    assert squared.all_held


@pytest.mark.parametrize(
    ("source", "outcome"),
    [
        ("def double(x):\n    while True: pass", "timed out"),
        ("import os\ndef double(x):\n    os._exit(0)", "died"),
        ("raise SystemExit", "died"),
        ("import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGSEGV)", "died"),
        ("def double(x):\n    return [0] * 10**11", "finished"),
        ("def double(x):\n    return double(x)", "finished"),
        ("def something_else(x): pass", "finished"),
        ("1 / 0", "finished"),
    ],
)
def test_answers_that_loop_crash_or_eat_memory_earn_nothing_and_leave_nothing(double, source, outcome):
    before = {child.pid for child in psutil.Process().children()}  # other tests keep a warm worker
    (result,) = tried(source, limit=1)
    assert (result.outcome, result.earned, result.all_held) == (outcome, 0, False)
    assert {child.pid for child in psutil.Process().children()} <= before  # a zombie would be among them


def test_a_loop_is_stopped_at_its_limit(double):
    (result,) = tried("def double(x):\n    while True: pass", limit=1)
    assert result.outcome == "timed out" and result.seconds >= 0.9


def test_one_that_sleeps_is_stopped_by_the_clock(double, monkeypatch):
    monkeypatch.setattr(trial, "PATIENCE", 2)
    (result,) = tried("import time\ndef double(x):\n    time.sleep(3600)", limit=1)
    assert result.outcome == "timed out" and result.seconds >= 2


def test_children_write_nothing_here(double, capfd):
    tried("import os\nprint('loud')\ndef double(x):\n    os.system('echo louder')\n    return 2 * x")
    assert capfd.readouterr() == ("", "")


def test_a_seed_reaches_the_checks(double):
    @check("double")
    def draws(answer):
        """A number drawn."""
        close(answer(1), registry.seeded().random(), "the number")

    job = Job("double", "def double(x):\n    return 2 * x")
    expected = {seed: next(run_all([job], seed=seed)).report["checks"][-1]["expected"] for seed in (1, 2)}
    assert expected[1] != expected[2]


# --- specimens -------------------------------------------------------------------------------------------------------


def test_the_loader_reads_cells(tmp_path):
    path = tmp_path / "double.py"
    path.write_text(
        "# Answers.\n\n# %% right: plain — As it is\ndef double(x):\n    return 2 * x\n\n\n"
        "# %% wrong: adds — Adds two\n# fails: one, two\n# fails: three\n"
        "import math\n\n\ndef double(x):\n    return x + 2\n"
    )
    right, wrong = specimens.read(path)
    assert right == Specimen(
        tmp_path.name, "double", "right", "plain", "As it is", (), "def double(x):\n    return 2 * x\n"
    )
    assert (wrong.kind, wrong.name, wrong.title, wrong.fails) == ("wrong", "adds", "Adds two", ("one", "two", "three"))
    assert wrong.source == "import math\n\n\ndef double(x):\n    return x + 2\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# %% right adds - Adds\nx = 1\n", "is not of the form"),
        ("# %% wrong: adds — Adds\nx = 1\n", "adds names no check"),
        ("# %% right: adds — Adds\n# fails: one\nx = 1\n", "adds is right"),
        (
            "# %% right: adds — Adds\nx = 1\n# %% right: adds — Adds again\nx = 2\n",
            "two specimens with the name 'adds'",
        ),
    ],
)
def test_a_malformed_file_is_named(tmp_path, text, says):
    (tmp_path / "double.py").write_text(text)
    with pytest.raises(MalformedSpecimen, match=says):
        specimens.read(tmp_path / "double.py")


def test_units_go_by_either_name_and_may_have_no_specimens():
    assert specimens.load("01_ngrams", "mle") == specimens.load("ngrams", "mle") != []
    assert specimens.load("ngrams", "no_exercise") == specimens.load("99_nothing") == []


# --- verify ----------------------------------------------------------------------------------------------------------

RIGHT = Specimen("u", "double", "right", "sum", "A sum", (), "def double(x):\n    return x + x\n")
SQUARE = Specimen("u", "double", "wrong", "square", "Squares", ("two_is_four",), "def double(x):\n    return x * x\n")
CONSTANT = Specimen("u", "double", "wrong", "four", "Always 4", ("zero_stays",), "def double(x):\n    return 4\n")


@pytest.fixture
def small_unit(double, monkeypatch, tmp_path):
    """verify sees one exercise, `double`, with the reference and the specimens of the test, and no rules."""
    path = lambda reference: tmp_path / f"{reference.exercise}.json"  # noqa: E731
    monkeypatch.setattr(module.Kept, "of", lambda assignment, reference, fresh: Kept(path(reference), "small", fresh))
    monkeypatch.setattr(Ordeal, "carry_out", lambda job, seed: {"lines": []})
    for rule in ("of_exercise", "of_unit"):
        monkeypatch.setattr(rules, rule, lambda *given: [])
    every = module.generic  # the test's exercise is no unit's, so there is no finished model to call
    some = lambda *given: [one for one in every(*given) if one.name != "calls the finished model"]  # noqa: E731
    monkeypatch.setattr(module, "generic", some)

    def settle(*answers, reference="def double(x):\n    return 2 * x", reasons=()):
        monkeypatch.setattr(module, "references", lambda assignment: [Reference("double", reference)])
        monkeypatch.setattr(module, "load", lambda unit, exercise: list(answers))
        monkeypatch.setattr(module, "explanations", lambda unit: {"double": dict(reasons)})
        monkeypatch.setattr(module, "prepare", lambda unit: None)
        monkeypatch.setattr("autograder.course.Course.assignments", lambda course: [Assignment(course, "01_ngrams")])

    return settle


def test_a_weak_check_lets_a_wrong_answer_through_and_verify_says_so(small_unit):
    small_unit(RIGHT, SQUARE, CONSTANT)
    (found,) = verify()
    assert found.accepted == ["reference", "sum"] and found.caught["four"] == ["zero_stays"]
    assert found.let_through == {"square": "earned all points"}
    assert not found.good and any("square was let through" in line for line in troubles([found]))


def test_losing_points_is_not_enough_the_named_check_must_fail(small_unit):
    named = Specimen("u", "double", "wrong", "four", "Always 4", ("two_is_four",), CONSTANT.source)
    small_unit(named)
    (found,) = verify()
    assert found.let_through == {"four": "did not fail two_is_four"}


def test_a_check_that_was_skipped_is_named_with_what_it_needs(small_unit):
    @check("double", needs="zero_stays")
    def three_is_six(answer):
        """Twice three is six."""
        close(answer(3), 6, "double of 3")

    small_unit(Specimen("u", "double", "wrong", "four", "Always 4", ("three_is_six",), CONSTANT.source))
    (found,) = verify()
    why = "three_is_six was skipped, since zero_stays failed, which it needs: name that one"
    assert found.let_through == {"four": why}


def test_a_wrong_answer_that_dies_fails_no_check(small_unit):
    """Its report has none to look at."""
    dies = "import os\nos._exit(3)\n"
    small_unit(Specimen("u", "double", "wrong", "gone", "Ends it all", ("zero_stays",), dies))
    (found,) = verify()
    assert found.let_through == {"gone": "did not run (died)"}


def test_a_right_answer_that_is_refused_is_named_with_its_reason(small_unit):
    small_unit(Specimen("u", "double", "right", "late", "Too late", (), "def double(x):\n    return 2 * x + 1\n"))
    (found,) = verify()
    assert found.refused == {"late": "two_is_four failed: double of 2: different"}
    assert not found.good


def test_surviving_mutants_are_listed_and_may_be_explained(small_unit):
    square, power = "return 2 * x → return x * x", "return x ** 2 → return x * 2"
    small_unit(reference="def double(x):\n    return x ** 2")
    (found,) = verify()
    assert power in found.survived and power in found.unexplained and not found.good
    small_unit(reference="def double(x):\n    return x ** 2", reasons={n: "Same." for n in [*found.survived, square]})
    (found,) = verify()
    assert found.unexplained == [] and found.stale == [square] and not found.good
    assert any("does not survive" in line for line in troubles([found]))


def test_a_mutant_that_loops_for_ever_is_killed_by_the_limit(small_unit, monkeypatch):
    loop = "def double(x):\n    n = x\n    while n > 0:\n        {}\n    return 2 * x\n"
    monkeypatch.setattr(module, "MUTANT_LIMIT", 1)
    monkeypatch.setattr(module, "mutants", lambda source: [Mutant("n -= 1 → pass", loop.format("pass"))])
    small_unit(reference=loop.format("n -= 1"))
    (found,) = verify()
    assert (found.accepted, found.killed, found.survived) == (["reference"], 1, [])


def test_the_objects_have_exactly_the_documented_keys(small_unit):
    small_unit(RIGHT, SQUARE, CONSTANT)
    (row,) = [found.to_dict() for found in verify()]
    assert list(row) == ["unit", "exercise", "right", "refused", "wrong", "let_through", "mutants", "survived"]
    made = 2  # a constant, the argument ignored
    assert (row["right"], row["refused"], row["wrong"], row["let_through"]) == (2, [], 2 + made, ["square"])
    assert row["mutants"] >= 5 and row["survived"] == ["return 2 * x → return 2 + x"][: len(row["survived"])]


def test_the_command_prints_json_and_its_exit_code_says_whether_all_is_well(small_unit, capsys):
    small_unit(RIGHT, CONSTANT)
    names = verify()[0].survived
    small_unit(RIGHT, CONSTANT, reasons={name: "Known." for name in names})
    assert run_verify(as_json=True) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["wrong"] == 1 + 2 and row["let_through"] == []
    small_unit(RIGHT, SQUARE)
    assert run_verify() == 1
    assert "square was let through" in capsys.readouterr().out


def test_an_unknown_unit_or_exercise_is_one_line(small_unit, capsys):
    small_unit()
    assert run_verify(exercises=["triple"]) == 2
    assert run_verify(units=["99"]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert "no exercise 'triple'" in lines[0] and "no unit '99'" in lines[1] and len(lines) == 2


def test_the_program_takes_the_same_options(small_unit, capsys):
    from typer.testing import CliRunner

    from autograder.cli import app

    small_unit(RIGHT, CONSTANT, SQUARE)
    done = CliRunner().invoke(app, ["verify", "ngrams", "--exercise", "double", "--json"])
    assert done.exit_code == 1 and json.loads(done.stdout)[0]["let_through"] == ["square"]


def test_progress_is_told_of_every_trial(small_unit):
    small_unit(RIGHT)
    told = []
    verify(progress=lambda done, total, exercise: told.append((done, total, exercise)))
    assert [done for done, _, _ in told] == list(range(1, told[-1][1] + 1)) and told[-1][2] == "double"
