"""The checks of unit 6: the library's twins by hand, the models that answers call, and what messages say.

What all units share is in `test_verify_units.py`.
"""

import itertools
import math
import random
from functools import partial

import pytest
import torch
import tried
from unrolled.checking import LocalAnswer, Mismatch, registry, run
from unrolled.checking.registry import checks_of
from unrolled.checks.helpers import attention_cases as cases
from unrolled.checks.helpers import heads as twins
from unrolled.checks.helpers import leaking
from unrolled.checks.helpers import told as hints
from unrolled.checks.helpers.attending import sees
from unrolled.checks.helpers.recurrent import exact, numbers
from unrolled.experiments.attention.masks import VOCABULARY, sees_ahead, suspects

import autograder.hidden.attention  # noqa: F401  (registers the hidden checks)
from autograder.releasing.references import solution

UNIT = ("plain_self_attention", "attend", "attention_mask", "split_heads", "multi_head_attention", "sinusoids")
UNIT += ("label_logits", "pruned", "leaks")


specimen = partial(tried.specimen, "attention")


# --- the checks as a whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", UNIT)
def test_each_exercise_has_three_to_eight_public_checks(exercise):
    public = [check for check in checks_of(exercise) if not check.hidden]
    assert 3 <= len(public) <= 8
    assert all(check.hint.endswith((".", "?", "!")) for check in public)


@pytest.mark.parametrize("exercise", UNIT)
def test_inputs_drawn_anew_refuse_no_right_answer(exercise, monkeypatch):
    for seed in range(5):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed))
        report = run(exercise, LocalAnswer(solution("attention", exercise)))
        assert report.all_held, (seed, [c.name for c in report.checks if c.outcome != "held"])


@pytest.mark.parametrize(
    ("exercise", "name", "called"),
    [
        ("plain_self_attention", "librarys_attention", "scaled_dot_product_attention"),
        ("attend", "librarys_attention", "scaled_dot_product_attention"),
        ("multi_head_attention", "librarys_layer", "MultiheadAttention"),
    ],
)
def test_a_short_cut_is_named(exercise, name, called):
    report = run(exercise, specimen(exercise, name))
    assert report.earned == 0
    assert "the finished implementation" in report.checks[0].message and called in report.checks[0].message


# --- what the checks say ---------------------------------------------------------------------------------------------


def test_a_missed_leak_and_a_false_one_get_hints_of_their_own():
    said = tried.told("leaks", LocalAnswer(lambda model, vocabulary, length: []))
    assert leaking.MISSED in said["wrong_masks_are_found"][-1]
    said = tried.told("leaks", LocalAnswer(lambda model, vocabulary, length: list(range(length - 1))))
    assert leaking.ACCUSED in said["sound_models_are_not_accused"][-1]


def test_hidden_checks_of_the_detector_tell_no_position():
    said = tried.told("leaks", LocalAnswer(lambda model, vocabulary, length: [0]), hidden=True)
    assert said and not any("position 0" in line or "came" in line for lines in said.values() for line in lines)


def test_a_mask_of_another_type_hears_which_was_wanted():
    answer = specimen("attention_mask", "double_precision")
    assert any("float32" in line for line in tried.told("attention_mask", answer)["three_kinds_are_one_mask"])


@pytest.mark.parametrize(
    ("exercise", "name", "check", "hint"),
    [
        ("plain_self_attention", "largest_of_the_batch", "scores_of_any_size", hints.ROW_BY_ROW),
        ("plain_self_attention", "minus_a_milliard_added", "scores_of_any_size", "lower than any number"),
        ("attend", "largest_of_the_batch", "scores_of_queries_of_any_size", hints.ROW_BY_ROW),
        ("attend", "minus_a_milliard", "scores_of_queries_of_any_size", "A masked score may not count"),
        ("attend", "mean_for_the_blind", "a_query_with_nothing_to_see_finds_zeros", "Weights of zeros find zeros"),
        ("attend", "first_sentences_mask", "masks_of_all_shapes", "put in line"),
        ("attention_mask", "zero_times_infinity", "three_kinds_are_one_mask", "are no numbers"),
        ("attention_mask", "both_must_be_real", "three_kinds_are_one_mask", "Who is looked at decides"),
        ("attention_mask", "ones_and_zeros", "three_kinds_are_one_mask", "Keep is True"),
        ("leaks", "the_text_cut_off", "sound_models_are_not_accused", leaking.WHOLE),
    ],
)
def test_a_hint_is_about_the_mistake(exercise, name, check, hint):
    assert hint in tried.told(exercise, specimen(exercise, name))[check][-1]


@pytest.mark.parametrize("name", ["root_of_the_values", "root_of_the_keys_number"])
def test_a_wrong_root_is_not_said_to_be_a_wrong_mask(name):
    outcomes = {one.name: one.outcome for one in run("attend", specimen("attend", name)).checks}
    for check in ("masks_of_all_shapes", "a_query_with_nothing_to_see_finds_zeros", "scores_of_queries_of_any_size"):
        assert outcomes[check] == "skipped"


# --- the cases by hand -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("case", [cases.three_words, cases.loud_texts])
def test_new_vectors_are_those_of_a_softmax_row_by_row(case, causal):
    x, new = case()
    for b, i in itertools.product(range(len(x)), range(3)):
        seen = x[b, : i + 1 if causal else 3]
        torch.testing.assert_close(new[causal][b, i], (seen @ x[b, i]).softmax(0) @ seen)


def test_loud_queries_are_masked_where_their_scores_are_largest():
    (q, k, _), mask, weights = cases.loud_queries()
    scores = q @ k.T / 2
    torch.testing.assert_close(weights, scores.masked_fill(~mask, -torch.inf).softmax(1))
    assert (scores.argmax(1) == 2)[:3].all() and not mask[:3, 2].any()


# --- the library's twins, by hand ------------------------------------------------------------------------------------


def test_attention_is_the_formula():
    rng = random.Random(1)
    q, k, v = twins.qkv(rng, (2,), (2, 3, 4, 5), dtype=torch.float64)
    mask = sees("110 011")
    out, weights = twins.library_attend(q, k, v, mask)
    for b, i in itertools.product(range(2), range(2)):
        scores = [math.exp(q[b, i] @ k[b, j] / 2) * mask[i, j].item() for j in range(3)]
        expected = torch.tensor(scores, dtype=torch.float64) / sum(scores)
        torch.testing.assert_close(weights[b, i], expected)
        torch.testing.assert_close(out[b, i], expected @ v[b])


@pytest.mark.parametrize("heads", [1, 2, 6])
def test_head_by_head_is_the_librarys_layer(heads):
    rng = random.Random(2)
    x, params = numbers(rng, 2, 4, 6), twins.layer_of(rng, 6, 6)
    for mask in (None, twins.seen_of(rng, 2, 1, 4, 4), twins.seen_of(rng, 2, heads, 4, 4)):
        for one, other in zip(
            twins.library_heads(x, params, heads, mask), twins.head_by_head(x, params, heads, mask), strict=True
        ):
            torch.testing.assert_close(one, other)


def test_the_table_has_the_published_numbers():
    torch.testing.assert_close(
        twins.table_by_formula(2, 4), exact([0, 1, 0, 1], [0.841471, 0.540302, 0.0099998, 0.99995]), rtol=0, atol=1e-6
    )
    assert twins.table_by_formula(0, 4).shape == (0, 4)


def test_a_net_is_its_parts():
    rng = random.Random(3)
    params = twins.net_of(rng, (5, 4, 6, 3), torch.float64)
    ids, real = torch.tensor([[1, 4, 2]]), sees("110")
    x = params["E"][ids] + twins.table_by_formula(3, 4)
    found, _ = twins.head_by_head(x, params, 2, sees("110 110 110"))
    expected = found @ params["W"].T + params["b"]
    torch.testing.assert_close(twins.library_logits(ids, real, params, 2, False), expected)


@pytest.mark.parametrize(("batch", "places"), [(1, 1), (4, 5), (5, 5), (3, 1), (2, 7)])
def test_padding_masks_have_words_and_differ(batch, places):
    real = twins.real_of(random.Random(4), batch, places)
    assert real.shape == (batch, places) and real.any(1).all()
    assert batch == 1 or places == 1 or len(set(real.sum(1).tolist())) > 1


def test_each_row_of_a_drawn_mask_has_a_place():
    for seed in range(5):
        mask = twins.seen_of(random.Random(seed), 3, 2, 4, 4)
        assert mask.any(-1).all() and not mask.all()


def test_seen_by_loops_is_a_triangle_without_the_pads():
    assert twins.seen_by_loops(sees("101"), True)[0, 0].tolist() == sees("100 100 101").tolist()


# --- the models of 6.9 -----------------------------------------------------------------------------------------------

VOCABULARY_OF_THREE = 3


def sees_future(model, length):
    """The positions that see the future, by all texts there are: those with one beginning must agree at its end."""
    ids = torch.tensor(list(itertools.product(range(VOCABULARY_OF_THREE), repeat=length)))
    out, found = model(ids), []
    for t in range(length):
        groups = {}
        for row, beginning in zip(out[:, t], ids[:, : t + 1].tolist(), strict=True):
            groups.setdefault(tuple(beginning), []).append(row)
        spread = max((torch.stack(rows) - rows[0]).abs().max().item() for rows in groups.values())
        assert spread < 1e-5 or spread > 1e-3  # as the exercise says
        if spread > 1e-3:
            found.append(t)
    return found


@pytest.mark.parametrize("name", leaking.SOUND)
def test_sound_models_see_no_future(name):
    assert sees_future(leaking.SOUND[name], 5) == []


@pytest.mark.parametrize("name", leaking.LEAKING)
@pytest.mark.parametrize("length", [1, 2, 5])
def test_leaking_models_see_it_where_they_are_said_to(name, length):
    model, positions = leaking.LEAKING[name]
    assert sees_future(model, length) == positions(length)


@pytest.mark.parametrize("name", leaking.LEAKING)
def test_a_leak_shows_in_one_of_twenty_texts(name):
    model, positions = leaking.LEAKING[name]
    g = torch.Generator().manual_seed(0)
    for vocabulary, length in ((2, 2), (7, 6), (12, 9)):
        for t in positions(length):
            one, other = torch.randint(vocabulary, (2, 2000, length), generator=g)
            other[:, : t + 1] = one[:, : t + 1]
            moved = (model(one)[:, t] - model(other)[:, t]).abs().amax(1)
            assert (moved > 1e-3).float().mean() > 0.05, (name, vocabulary, t)


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        (None, "was given None: it takes int64"),
        (torch.zeros(2, 3, dtype=torch.int64), r"shape \(2, 3\)"),
        (torch.zeros(2, 4), "float32"),
        (torch.full((1, 4), 7), "no symbol: they go from 0 to 6"),
    ],
)
def test_a_model_that_is_asked_badly_says_so(ids, says):
    with pytest.raises(Mismatch, match=says):
        leaking.held(leaking.SOUND["the same for all"], 7, 4)(ids)


@pytest.mark.parametrize("name", suspects())
def test_the_detector_finds_what_the_suspects_hide(name):
    torch.manual_seed(0)
    expected = [t for t, ahead in enumerate(sees_ahead(name, 9)) if ahead]
    assert solution("attention", "leaks")(suspects()[name], VOCABULARY, 9) == expected
