"""A hint speaks of the mistake that was made: wrong answers, each with the hint that it gets, and one it does not."""

import math

import pytest
import torch
import unrolled.checks.elman_rnn
import unrolled.checks.lstm
import unrolled.checks.ngrams  # noqa: F401
from unrolled import checking
from unrolled.checking import LocalAnswer, run
from unrolled.checks.helpers import gated_answers, told
from unrolled.checks.helpers.gated import LibraryLSTM
from unrolled.checks.helpers.recurrent import LibraryNet


def hints(exercise, answer):
    """The hint of each public check that did not hold."""
    checks = run(exercise, LocalAnswer(answer)).to_dict()["checks"]
    return {one["name"]: one["hint"] for one in checks if one["outcome"] == "failed" and not one["hidden"]}


# --- 1.4, 1.8 --------------------------------------------------------------------------------------------------------


def log_prob(log):
    def sentence_log_prob(words, prob, n, vocab):
        padded = ["<s>"] * (n - 1) + [word if word in vocab else "<unk>" for word in words] + ["</s>"]
        places = range(n - 1, len(padded))
        return log([prob(padded[i], tuple(padded[i - n + 1 : i])) for i in places])

    return sentence_log_prob


def total(log, sign=1):
    return lambda factors: sign * sum(log(p) if p else -math.inf for p in factors)


@pytest.mark.parametrize(
    ("log", "says"),
    [
        (total(math.log2), "base 2"),
        (total(math.log10), "base 10"),
        (total(math.log, -1), "sign"),
        (math.prod, "the probability itself"),
    ],
    ids=["log2", "log10", "sign", "product"],
)
def test_another_logarithm_is_not_taken_for_a_missing_factor(log, says):
    got = hints("sentence_log_prob", log_prob(log))
    for name in ("two_words_make_three_factors", "each_word_is_asked_for_after_its_context"):
        assert says in got[name] and "factors" not in got[name] and "padded" not in got[name]


def test_a_missing_factor_is_still_called_so():
    got = hints("sentence_log_prob", log_prob(lambda factors: total(math.log)(factors[:-1])))
    assert "three factors" in got["two_words_make_three_factors"]
    assert hints("sentence_log_prob", log_prob(total(math.log))) == {}


def test_a_tolerance_that_is_too_wide_is_not_taken_for_rounding():
    def diagnose(tolerance):
        def find(prob, contexts, vocab):
            masses = {context: sum(prob(word, context) for word in vocab) for context in contexts}
            return {context: mass for context, mass in masses.items() if abs(mass - 1) > tolerance}

        return find

    assert "0.0001 is too much" in hints("diagnose", diagnose(1e-3))["rounding_is_no_mistake"]
    assert "0.1 + 0.2" in hints("diagnose", diagnose(0))["rounding_is_no_mistake"]
    assert hints("diagnose", diagnose(1e-6)) == {}


# --- 1.7, 2.8 --------------------------------------------------------------------------------------------------------


def sampled(next_probs, start, length, temperature, seed, anew=True):
    ids, one = list(start), torch.Generator().manual_seed(seed)
    for _ in range(length):
        p = next_probs(ids)
        if temperature == 0:
            ids.append(int(p.argmax()))
            continue
        p = (p.double().log() / temperature).softmax(-1)
        ids.append(int(torch.multinomial(p, 1, generator=torch.Generator().manual_seed(seed) if anew else one)))
    return ids[len(start) :]


def generated(step, h, start, length, temperature, seed):
    for symbol in start:
        logits, h = step(symbol, h)
    ids = []
    for _ in range(length):
        one = torch.Generator().manual_seed(seed)
        cold = temperature == 0
        p = None if cold else (logits.double() / temperature).softmax(-1)
        ids.append(int(logits.argmax() if cold else torch.multinomial(p, 1, generator=one)))
        logits, h = step(ids[-1], h)
    return ids


@pytest.mark.parametrize(("exercise", "answer"), [("sample", sampled), ("generate", generated)])
def test_a_generator_seeded_anew_is_not_taken_for_a_wrong_temperature(exercise, answer):
    got = hints(exercise, answer)["temperature_sharpens_and_flattens"]
    assert "seeded once" in got and "\N{GREEK SMALL LETTER TAU}" not in got


def test_a_wrong_temperature_is_still_called_so():
    def warm(next_probs, start, length, temperature, seed):
        return sampled(next_probs, start, length, temperature and 1 / temperature, seed, anew=False)

    assert "\N{GREEK SMALL LETTER TAU}" in hints("sample", warm)["temperature_sharpens_and_flattens"]


def test_the_text_given_as_a_tensor_is_not_shown_as_a_list():
    def sample(next_probs, start, length, temperature, seed):
        next_probs(torch.tensor(start))

    report = run("sample", LocalAnswer(sample)).to_dict()["checks"]
    message = next(one["message"] for one in report if one["name"] == "each_symbol_depends_on_all_before")
    assert "was given a tensor of shape (2,)" in message and "[1, 2]" not in message


# --- gradients -------------------------------------------------------------------------------------------------------


def stepped(ids, h, params, cut=lambda h: h, factor=1.0):
    return torch.tanh(factor * cut(h) @ params["U"].T + params["W"].T[ids] + params["b"])


def test_only_a_gradient_that_is_cut_off_is_called_so():
    name = "the_gradient_finds_its_way_back_to_h"
    assert ".detach()" in hints("elman_step", lambda *given: stepped(*given, cut=torch.Tensor.detach))[name]

    def detour(ids, h, params):
        right = stepped(ids, h, params)
        return right + 0.1 * (h.sum() - h.sum().detach())  # which adds nothing, and a path

    assert hints("elman_step", detour)[name] == told.ARRIVES
    of_wrong_values = hints("elman_step", lambda *given: stepped(*given, factor=1.1))
    assert of_wrong_values[name] == "" and len(of_wrong_values) > 1
    assert hints("elman_step", stepped) == {}


def test_a_loss_that_is_wrong_and_can_be_learnt_is_not_called_a_plain_number():
    def loss(logits, targets, pad):
        return 2 * torch.nn.functional.cross_entropy(logits.mT, targets, ignore_index=pad)

    # its own check is skipped where the value is wrong; so that it is not, the value alone is right
    def value_alone(logits, targets, pad):
        twice = loss(logits, targets, pad)
        return twice - twice.detach() / 2

    assert hints("sequence_loss", value_alone) == {"a_net_can_learn_from_it": told.ARRIVES}
    cut = hints("sequence_loss", lambda *given: loss(*given).detach() / 2)
    assert "plain number" in cut["a_net_can_learn_from_it"]


def test_a_gradient_of_zeros_or_none_has_not_arrived():
    expected = torch.tensor([1.0, 0.0, 2.0])
    for got in (None, torch.zeros(3), torch.tensor([1.0, 0.0, 0.0])):
        assert told.of_gradient(got, expected) == ""
    for got in (torch.ones(3), 3 * expected):
        assert told.of_gradient(got, expected) == told.ARRIVES
    assert told.of_gradient(expected / torch.tensor([1.0, 0.0, 1.0]), expected) == told.NO_SLOPE


# --- 3.4, T = 0 ------------------------------------------------------------------------------------------------------


def test_a_transposed_formula_is_not_taken_for_differences():
    def transposed(x, c, o, params):
        return LibraryLSTM([params]).jacobian(x, c, o).T.clone()

    got = hints("cell_jacobian", transposed)["it_is_the_formula_and_no_difference"]
    assert got == gated_answers.FAR and "axis" in got and "Differences are near" not in got


def test_wrong_states_of_no_symbols_get_no_hint_on_shapes():
    def forward(ids, h0, params):
        if ids.shape[1]:
            return LibraryNet(params)(ids, h0)
        return torch.zeros(len(ids), 0, len(params["V"])), torch.zeros_like(h0)

    got = hints("rnn_forward", forward)["no_symbols_leave_the_state_as_it_was"]
    assert "state start" in got and "rows" not in got

    def stack(x, layers, states):
        if x.shape[1]:
            return LibraryLSTM(layers)(x, states)
        return x.new_zeros(len(x), 0, 4), [(0 * h, 0 * c) for h, c in states]

    got = hints("lstm_forward", stack)["no_steps_leave_the_states_as_they_were"]
    assert "state start" in got and "shape" not in got


def test_every_hint_is_short_enough_to_be_read():
    assert all(len(hint) <= 90 for hint in (told.ARRIVES, told.NO_SLOPE, *told.LOGARITHMS, gated_answers.FAR))
    assert len(checking.chance.ALL_THE_SAME) <= 90
