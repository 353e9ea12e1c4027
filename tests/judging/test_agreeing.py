"""Hidden checks that compare with the source's solution: inputs, both sides' calls, precision, and faults."""

import pytest
from unrolled.checking import LocalAnswer, registry, run

from autograder.judging import agreeing
from autograder.judging.agreeing import agrees
from autograder.releasing.references import of_unit, solution


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))
    monkeypatch.setattr(agreeing, "solution", lambda unit, exercise: lambda x, y=0: 2 * x + y)


def outcome(answer):
    (result,) = run("double", LocalAnswer(answer)).checks
    return result


def declare(draw, **options):
    draw.__module__ = "autograder.hidden.example"
    agrees("double", **options)(draw)


def test_it_is_a_hidden_check_with_the_name_and_the_sentence_of_the_draw():
    def other_numbers(rng):
        """Other numbers are doubled."""
        return (rng.random(),)

    declare(other_numbers, weight=2, hint="Twice?")
    (found,) = registry._checks["double"].values()
    assert (found.name, found.sentence, found.weight, found.hint) == (
        "other_numbers",
        "Other numbers are doubled.",
        2,
        "Twice?",
    )
    assert found.hidden
    assert outcome(lambda x: x + x).outcome == "held"
    assert outcome(lambda x: 3 * x).outcome == "failed"


def test_one_set_of_arguments_is_drawn_several_times_and_many_as_they_come():
    asked = []

    def one(rng):
        """One."""
        return (rng.random(),)

    def many(rng):
        """Many."""
        yield from ((1, 2), (3, 4))

    for draw in (one, many):
        declare(draw)

    def answer(*given):
        asked.append(given)
        return 2 * given[0] + sum(given[1:])

    assert [check.outcome for check in run("double", LocalAnswer(answer)).checks] == ["held", "held"]
    several, again, *many = asked[: agreeing.DRAWS], asked[agreeing.DRAWS], *asked[agreeing.DRAWS + 1 :]
    assert len(set(several)) == agreeing.DRAWS and again == several[0]
    assert many == [(1, 2), (3, 4), (1, 2)]


def test_numbers_depend_on_the_seed(monkeypatch):
    asked = []

    def number(rng):
        """A number."""
        return (rng.random(),)

    declare(number)
    for seed in ("1", "1", "2"):
        monkeypatch.setenv(registry.SEED_VARIABLE, seed)
        outcome(lambda x: asked.append(x) or 2 * x)
    first, again, other = asked[:5], asked[5:10], asked[10:]
    assert first == again != other


@pytest.mark.parametrize(
    ("off", "options", "held"), [(1e-6, {}, True), (1e-4, {}, False), (1e-4, {"rtol": 1e-3}, True)]
)
def test_the_precision_is_that_of_the_visible_checks_unless_given(off, options, held):
    def number(rng):
        """A number."""
        return (rng.uniform(1, 2),)

    declare(number, **options)
    assert (outcome(lambda x: 2 * x * (1 + off)).outcome == "held") == held


def test_a_function_is_called_on_both_sides(monkeypatch):
    monkeypatch.setattr(agreeing, "solution", lambda unit, exercise: lambda f: f(3) + 1)

    def functions(rng):
        """Functions are called."""
        times = rng.randint(2, 9)
        return (lambda x: x * times,)

    declare(functions)
    assert outcome(lambda f: 1 + f(3)).outcome == "held"
    assert outcome(lambda f: f(2)).outcome == "failed"


def test_neither_side_can_change_what_the_other_gets(monkeypatch):
    monkeypatch.setattr(agreeing, "solution", lambda unit, exercise: lambda x: x.pop())

    def lists(rng):
        """Lists."""
        return ([1, 2, 3],)

    declare(lists)
    assert outcome(lambda x: x[-1]).outcome == "held"


def broken(*given):
    raise NotImplementedError("no solution")


@pytest.mark.parametrize("fault", [broken, lambda x: object(), lambda: None])
def test_a_broken_solution_is_a_fault_of_the_check_and_costs_nothing(monkeypatch, fault):
    monkeypatch.setattr(agreeing, "solution", lambda unit, exercise: fault)

    def number(rng):
        """A number."""
        return (rng.random(),)

    declare(number)
    result = outcome(lambda x: 2 * x)
    assert result.outcome == "fault" and "the solution of double raised" in result.message


def test_a_missing_solution_is_one_too(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    def number(rng):
        """A number."""
        return (rng.random(),)

    number.__module__ = "autograder.hidden.ngrams"
    agrees("double")(number)
    assert outcome(lambda x: 2 * x).outcome == "fault"


def test_what_is_shown_of_a_failure_holds_no_value():
    def number(rng):
        """A number."""
        return (rng.random(),)

    declare(number)
    assert outcome(lambda x: 0.123).message == "the result for other arguments: different"


def test_solutions_are_made_of_the_source_with_what_the_notebook_imports():
    names = [reference.exercise for reference in of_unit("lstm")]
    assert "lstm_forward" in names and of_unit("03_lstm") is of_unit("lstm")
    assert solution("ngrams", "mle")({("a",): {"b": 1, "c": 3}}, ("a",)) == {"b": 0.25, "c": 0.75}
    assert solution("ngrams", "mle") is solution("ngrams", "mle")
    with pytest.raises(LookupError, match="no exercise 'triple'"):
        solution("ngrams", "triple")


def test_an_answer_that_is_right_only_the_first_time_is_found_out():
    def other(rng):
        """Other numbers are doubled."""
        return (rng.random(),)

    declare(other)
    asked = []
    assert outcome(lambda x: (asked.append(x), 2 * x if asked.count(x) == 1 else 0)[1]).outcome == "failed"
    assert len(asked) == agreeing.DRAWS + 1 and asked[-1] == asked[0]
