"""Every unit is whole: verify finds nothing to mend. What it looks at is said in `autograder.verifying.verify`.

A unit joins by having a source. What only one unit's checks need stands in its own file, such as
`test_ngrams_checks.py`.
"""

import pytest

from autograder import specimens
from autograder.course import Course
from autograder.releasing.references import of_unit
from autograder.verifying import fingerprint, trial
from autograder.verifying.generic import generic
from autograder.verifying.report import troubles
from autograder.verifying.trial import Job, run_all
from autograder.verifying.verify import verify
from autograder.words import word_of

UNITS = [each.name for each in Course.find().assignments()]
CALLED = [{"arguments": {}, "result": "number", "flows": [], "differentiated": False}]


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_verify_has_nothing_to_say_about_a_unit(unit):
    assert list(troubles(verify([unit]))) == []


def first_message(answer: Job) -> str:
    """What an answer that earns nothing is told first."""
    (result,) = run_all([answer])
    assert result.earned == 0
    return result.report["checks"][0]["message"]


@pytest.mark.parametrize("unit", UNITS)
def test_a_call_of_the_finished_model_is_named_whatever_else_it_does(unit):
    trial.prepare(unit)
    name = word_of(unit)
    for reference in of_unit(unit):
        made = generic(reference, CALLED, fingerprint.path_of(f"unrolled.{name}"))
        (cheat,) = (one for one in made if one.name == "calls the finished model")
        message = first_message(Job(reference.exercise, cheat.source, reference.prelude))
        assert "the finished implementation" in message and f"{name}." in message


@pytest.mark.parametrize(
    ("unit", "exercise", "name", "called"),
    [
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
    message = first_message(Job(cheat.exercise, cheat.source))
    assert "write it yourself" in message and called in message
