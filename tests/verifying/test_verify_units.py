"""What verify says about the checks of each unit: right answers accepted, wrong ones caught, mutants killed.

A unit joins by having a folder of specimens; the tests that need its notebook's source wait for that.
"""

import pytest
from unrolled.checking.registry import checks_of

from autograder import specimens
from autograder.course import Course
from autograder.verifying import trial
from autograder.verifying.trial import Job, run_all
from autograder.verifying.verify import Examination, examine

SOURCES = {assignment.notebook for assignment in Course.find().assignments()}
UNITS = sorted(folder.name for folder in specimens.HOME.iterdir() if any(folder.glob("*.py")))
EXERCISES = [(unit, path.stem) for unit in UNITS for path in sorted((specimens.HOME / unit).glob("*.py"))]
EXAMINED: dict[str, dict[str, Examination]] = {}

each_unit = pytest.mark.parametrize("unit", UNITS)
each_exercise = pytest.mark.parametrize(("unit", "exercise"), EXERCISES)


def examined(unit: str) -> dict[str, Examination]:
    """Everything of a unit tried once, and kept for the tests of this file: references, specimens and mutants."""
    if unit not in SOURCES:
        pytest.skip(f"{unit} has no source in solutions/ yet")
    if unit not in EXAMINED:
        EXAMINED[unit] = {found.exercise: found for found in examine([unit])}
    return EXAMINED[unit]


@pytest.mark.slow
@each_exercise
def test_right_answers_are_accepted_and_wrong_ones_caught(unit, exercise):
    found = examined(unit)[exercise]
    assert found.refused == {} and found.let_through == {}
    assert len(found.accepted) >= 4 and len(found.caught) >= 6
    assert {"returns_a_constant", "calls_the_finished_model"} <= set(found.caught)


@pytest.mark.slow
@each_exercise
def test_every_mutant_that_lives_is_explained(unit, exercise):
    found = examined(unit)[exercise]
    assert found.unexplained == [] and found.stale == []


@pytest.mark.slow
@each_unit
def test_nearly_all_mutants_are_killed(unit):
    killed = sum(found.killed for found in examined(unit).values())
    survived = sum(len(found.survived) for found in examined(unit).values())
    assert killed + survived >= 20 * len(examined(unit))
    assert killed / (killed + survived) >= 0.95


@pytest.mark.slow
@each_unit
def test_every_exercise_of_the_source_has_specimens(unit):
    assert set(examined(unit)) == {exercise for of, exercise in EXERCISES if of == unit}


@pytest.mark.slow
@each_unit
@pytest.mark.parametrize("seed", [1, 2])
def test_right_answers_are_accepted_on_the_inputs_of_other_seeds(unit, seed):
    trial.prepare(unit)
    right = [specimen for specimen in specimens.load(unit) if specimen.kind == "right"]
    for result in run_all([Job(specimen.exercise, specimen.source) for specimen in right], seed=seed):
        assert result.all_held, (result.job.exercise, result.job.source, result.report)


@each_unit
def test_wrong_specimens_name_checks_that_exist(unit):
    trial.prepare(unit)
    for specimen in specimens.load(unit):
        assert set(specimen.fails) <= {check.name for check in checks_of(specimen.exercise)}, specimen.name


@pytest.mark.parametrize(
    ("unit", "exercise", "name", "called"),
    [
        ("ngrams", "perplexity", "calls_the_finished_model", "ngrams."),
        ("elman_rnn", "window_logits", "calls_the_finished_model", "elman_rnn.WindowModel"),
        ("elman_rnn", "elman_step", "calls_the_finished_model", "elman_rnn.ElmanCell"),
        ("elman_rnn", "elman_step", "librarys_cell", "RNNCell"),
        ("elman_rnn", "rnn_forward", "librarys_rnn", "RNN"),
        ("elman_rnn", "rnn_forward", "librarys_routine", "rnn_tanh"),
        ("elman_rnn", "bptt_gradients", "by_autograd", "backward"),
        ("elman_rnn", "bptt_gradients", "by_functional_autograd", "grad"),
        ("elman_rnn", "bptt_gradients", "by_forward_mode", "jacfwd"),
        ("elman_rnn", "clip_gradients", "librarys_clipping", "clip_grad_norm_"),
    ],
)
def test_a_short_cut_is_named_whatever_else_it_does(unit, exercise, name, called):
    trial.prepare(unit)
    (cheat,) = (specimen for specimen in specimens.load(unit, exercise) if specimen.name == name)
    (result,) = run_all([Job(cheat.exercise, cheat.source)])
    assert result.earned == 0
    message = result.report["checks"][0]["message"]
    assert "the finished implementation" in message and called in message
