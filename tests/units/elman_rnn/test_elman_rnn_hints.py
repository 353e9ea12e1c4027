"""The hints of unit 2 speak of the mistake that was made: wrong answers, each with the hint that it gets."""

import pytest
import torch
import unrolled.checks.elman_rnn  # noqa: F401  (registers the checks)
from unrolled.checking import LocalAnswer, run
from unrolled.checks.helpers import sampling, told, toys
from unrolled.checks.helpers.recurrent import LibraryNet

import autograder.hidden.elman_rnn  # noqa: F401  (registers the hidden checks)

OUTPUT = "what_the_output_learns_equals_autograd"
INPUT = "what_the_input_learns_equals_autograd"
RECURRENCE = "what_the_recurrence_learns_equals_autograd"
SHARPENS = "temperature_sharpens_and_flattens"


def hints(exercise, answer):
    """The hint of each check that failed."""
    checks = run(exercise, LocalAnswer(answer)).to_dict()["checks"]
    return {one["name"]: one["hint"] for one in checks if one["outcome"] == "failed"}


# --- 2.5: errors that others build on --------------------------------------------------------------------------------


def gradients(**factors):
    """The right gradients but for a factor, by name."""

    def answer(ids, targets, h0, params):
        found = LibraryNet(params).gradients(ids, targets, h0)
        return {name: factors.get(name, 1) * gradient for name, gradient in found.items()}

    return answer


def test_a_wrong_error_is_named_where_others_build_on_it():
    got = hints("bptt_gradients", gradients(c=2, V=2, b=2, W=2, U=2))
    assert got[RECURRENCE] == told.ERRORS["b"] and got[INPUT] == told.ERRORS["c"]
    assert "δo" in got[OUTPUT] and got[OUTPUT] != told.ERRORS["c"]  # c itself is the first to be mended


@pytest.mark.parametrize(("name", "check", "says"), [("U", RECURRENCE, "h0 at first"), ("W", INPUT, "Each step adds")])
def test_a_gradient_that_is_wrong_by_itself_has_the_hint_of_its_check(name, check, says):
    assert says in hints("bptt_gradients", gradients(**{name: 2}))[check]


# --- the type of what comes back -------------------------------------------------------------------------------------


def tied(h, E, P, c):
    return h @ P.T @ E.T + c


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_right_numbers_of_another_type_are_called_so(dtype):
    got = hints("tied_logits", lambda *given: tied(*(part.to(dtype) for part in given)))
    assert got == {"other_states_and_embeddings": told.IN_TYPE}


def test_digits_lost_on_the_way_are_called_so():
    got = hints("tied_logits", lambda h, E, P, c: tied(h.float(), E.float(), P.float(), c.float()).to(h.dtype))
    assert got == {"other_states_and_embeddings": told.IN_TYPE}


def test_wrong_numbers_are_not_taken_for_another_type():
    got = hints("tied_logits", lambda *given: 1.01 * tied(*given).double())
    assert told.IN_TYPE not in got.values() and "other_states_and_embeddings" in got


def test_rows_that_are_mixed_are_called_so():
    got = hints("tied_logits", lambda h, E, P, c: tied(h[:1], E, P, c).repeat(len(h), 1, 1))
    assert "mix rows" in got["twice_the_state_moves_the_logits_twice_as_far"]


# --- gradients -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", "UWb")
def test_the_parameter_that_nothing_comes_back_to_is_named(name):
    def step(ids, h, params):
        params = params | {name: params[name].detach()}
        return torch.tanh(h @ params["U"].T + params["W"].T[ids] + params["b"])

    assert hints("elman_step", step) == {"the_gradient_finds_its_way_back_to_h": told.of_a_cut(name)}


# --- 2.8 -------------------------------------------------------------------------------------------------------------


def generator(change=lambda p: p, tau=lambda t: t, stop=None):
    def generate(step, h, start, length, temperature, seed):
        dice, waiting, new = torch.Generator().manual_seed(seed), list(start), []
        while len(new) < length and (stop is None or new[-1:] != [stop]):
            for symbol in waiting:
                logits, h = step(symbol, h)
            t = tau(temperature)
            p = change((logits.double() / t).softmax(0)) if t else None
            waiting = [int(torch.multinomial(p, 1, generator=dice) if t else logits.argmax())]
            new += waiting
        return new

    return generate


def test_the_generator_of_these_tests_is_right():
    assert hints("generate", generator()) == {}


def test_a_temperature_taken_for_zero_is_not_taken_for_a_seed():
    assert hints("generate", generator(tau=int))[SHARPENS] == sampling.RARE


def test_what_is_added_to_a_probability_is_called_so():
    assert hints("generate", generator(change=lambda p: p + 0.02))["each_state_has_its_own_probabilities"] == (
        sampling.ADDED
    )


def test_a_text_that_ends_too_early_is_called_so():
    assert hints("generate", generator(stop=0))[SHARPENS] == sampling.LENGTH


def test_every_hint_is_short_enough_to_be_read():
    own = (told.IN_TYPE, *told.ERRORS.values(), told.of_a_cut("W"), toys.CALLED)
    assert all(len(hint) <= 90 for hint in (*own, sampling.LENGTH, sampling.RARE, sampling.ADDED))
