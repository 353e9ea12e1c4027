"""The checks of unit 4: batches, the library's nets, paths, the parts that 4.10 asks, and what messages say.

What all units share is in `test_verify_units.py`.
"""

import itertools
import random

import pytest
import torch
from unrolled.checking import LocalAnswer, Mismatch, registry, run, table
from unrolled.checking.registry import checks_of, forbidden
from unrolled.checks.helpers import batches, parts, paths, pooled, told
from unrolled.checks.helpers.batches import LibraryBothWays, both_ways, lengths_of, mask_of
from unrolled.checks.helpers.recurrent import exact, numbers
from unrolled.experiments.tagging import sick_classifier
from unrolled.tagging import POOLINGS, Classifier, Config

import autograder.hidden.tagging  # noqa: F401  (registers the hidden checks)
from autograder import specimens
from autograder.releasing.references import solution

UNIT = ("viterbi", "embedding_matrix", "pad_batch", "masked_cross_entropy", "tag_accuracy", "bidirectional_forward")
UNIT += ("span_scores", "masked_mean", "attention_pool", "leaking_parts")


def specimen(exercise, name):
    (found,) = (one for one in specimens.load("tagging", exercise) if one.name == name)
    space = {"__name__": "__main__"}
    exec(found.source, space)
    return LocalAnswer(space[exercise], forbidden(exercise))


def told_of(exercise, answer, hidden=False):
    """What students see of each check that does not hold, by its name."""
    checks = run(exercise, answer).to_dict()["checks"]
    lines = {one["name"]: table.details(one) for one in checks if one["hidden"] == hidden}
    return {name: said for name, said in lines.items() if said}


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
        report = run(exercise, LocalAnswer(solution("tagging", exercise)))
        assert report.all_held, (seed, [c.name for c in report.checks if c.outcome != "held"])


@pytest.mark.parametrize(
    ("exercise", "name", "called"),
    [
        ("pad_batch", "librarys_pads", "pad_sequence"),
        ("bidirectional_forward", "librarys_net", "RNN"),
        ("viterbi", "the_experiments_search", "tag"),
        ("span_scores", "the_experiments_scores", "span_scores"),
    ],
)
def test_a_short_cut_is_named(exercise, name, called):
    report = run(exercise, specimen(exercise, name))
    assert report.earned == 0
    assert "the finished implementation" in report.checks[0].message and called in report.checks[0].message


# --- what the checks say ---------------------------------------------------------------------------------------------


def test_a_backward_net_that_begins_in_the_pads_hears_where_to_begin():
    said = told_of("bidirectional_forward", specimen("bidirectional_forward", "backward_begins_in_the_pads"))
    assert "without_pads_it_is_the_librarys_net" not in said
    assert "The forward half is right" in said["with_pads_it_is_the_librarys_net"][-1]


def test_outputs_at_pads_are_not_blamed_on_a_direction():
    said = told_of("bidirectional_forward", specimen("bidirectional_forward", "outputs_at_pads_not_zero"))
    assert "Are the outputs at the pads zeros?" in said["with_pads_it_is_the_librarys_net"][-1]


def test_exchanged_results_of_attention_are_said_to_be_exchanged():
    said = told_of("attention_pool", specimen("attention_pool", "exchanged_results"))
    assert any("exchanged" in line for lines in said.values() for line in lines)


def test_a_loss_without_tag_0_hears_that_it_is_a_tag():
    said = told_of("masked_cross_entropy", specimen("masked_cross_entropy", "tag_0_is_the_pads"))
    for name in ("three_real_words_by_hand", "without_pads_it_is_the_librarys"):
        assert pooled.TAG_0 in said[name][-1], name


def test_logits_that_overflow_are_told_so_and_not_taken_for_a_missing_tag():
    said = told_of("masked_cross_entropy", specimen("masked_cross_entropy", "log_of_softmax"))
    assert pooled.OVERFLOWS in said["large_logits_are_no_trouble"][-1]
    for name in ("mean_over_all_places", "in_bits", "sum_for_mean"):
        said = told_of("masked_cross_entropy", specimen("masked_cross_entropy", name))
        assert not any(pooled.OVERFLOWS in lines[-1] for lines in said.values())


@pytest.mark.parametrize(
    ("exercise", "name", "check", "hint"),
    [
        ("viterbi", "turned_round", "rows_come_before_columns", paths.BACK_TO_FRONT),
        ("bidirectional_forward", "halves_exchanged", "two_steps_and_one_by_hand", batches.EXCHANGED),
        ("bidirectional_forward", "halves_exchanged", "without_pads_it_is_the_librarys_net", batches.EXCHANGED),
        ("bidirectional_forward", "transposed_u", "without_pads_it_is_the_librarys_net", batches.BY_ROWS),
        ("bidirectional_forward", "outputs_at_pads_not_zero", "two_steps_and_one_by_hand", batches.AT_PADS),
        ("bidirectional_forward", "states_kept_in_float32", "two_steps_and_one_by_hand", told.IN_TYPE),
        ("attention_pool", "softmax_over_the_batch", "a_quarter_and_three_quarters_by_hand", pooled.OVER_ROWS),
        ("attention_pool", "softmax_over_the_batch", "weights_are_zero_at_pads_and_sum_to_one", pooled.OVER_ROWS),
    ],
)
def test_a_known_mistake_is_named(exercise, name, check, hint):
    assert hint in told_of(exercise, specimen(exercise, name))[check][-1]


def test_other_mistakes_of_attention_are_not_blamed_on_the_axis():
    for name in ("the_mask_is_not_looked_at", "scaled", "minus_ten_for_pads", "averaged_over_steps"):
        said = told_of("attention_pool", specimen("attention_pool", name))
        assert not any(pooled.OVER_ROWS in lines[-1] for lines in said.values()), name


def test_no_short_cut_through_the_text_s_example_holds():
    for name in ("greedy", "no_way_back", "words_alone", "maximum_over_the_tag_that_comes", "sums_for_maxima"):
        assert "cooks_taste_fish_by_hand" in told_of("viterbi", specimen("viterbi", name)), name


def test_a_type_that_is_lost_is_told_as_such():
    def narrow(x, mask, layers):
        return solution("tagging", "bidirectional_forward")(x, mask, layers).float()

    said = told_of("bidirectional_forward", LocalAnswer(narrow), hidden=True)["other_nets_and_batches"]
    assert "of the wrong dtype" in said[0] and told.IN_TYPE in said[-1]


def test_a_row_that_nothing_is_left_of_hears_why():
    said = told_of("attention_pool", specimen("attention_pool", "the_largest_of_the_batch"))
    assert pooled.OWN_LARGEST in said["a_silent_question_takes_the_mean_and_a_loud_one_a_step"][-1]


def test_a_batch_of_another_width_hears_of_its_width():
    right = solution("tagging", "pad_batch")

    def at_least_one(sequences, pad=0):
        ids, mask = right(sequences, pad)
        return (ids, mask) if ids.shape[1] else (ids.new_full((len(ids), 1), pad), mask.new_zeros(len(ids), 1))

    said = told_of("pad_batch", LocalAnswer(at_least_one))["ids_are_int64_and_nothing_is_a_batch_too"]
    assert "of the wrong shape" in said[0] and batches.LONGEST in said[-1]


def test_a_sound_part_that_is_accused_gets_the_hint_for_that():
    said = told_of("leaking_parts", LocalAnswer(lambda read, pool, width, hidden: ["read", "pool"]))
    assert parts.ACCUSED in said["sound_parts_are_not_accused"][-1]
    assert "['read', 'pool'] came" in said["sound_parts_are_not_accused"][0]
    said = told_of("leaking_parts", LocalAnswer(lambda read, pool, width, hidden: []))
    assert parts.MISSED in said["a_net_that_reads_the_pads_is_found"][-1]


def test_hidden_checks_of_the_diagnosis_tell_no_answer():
    said = told_of("leaking_parts", LocalAnswer(lambda read, pool, width, hidden: ["pool"]), hidden=True)
    assert said and not any("came" in line or "['" in line for lines in said.values() for line in lines)


# --- batches ---------------------------------------------------------------------------------------------------------


def test_a_mask_is_true_where_a_step_is_real():
    assert mask_of((2, 0), 3).tolist() == [[True, True, False], [False, False, False]]
    for seed in range(50):
        lengths = lengths_of(random.Random(seed), 4, 5)
        assert max(lengths) == 5 and 1 <= min(lengths) < 5


def test_disturbing_changes_all_pads_and_nothing_else():
    x, mask = torch.ones(2, 3, 4), mask_of((1, 3), 3)
    other = batches.disturbed(x, mask, random.Random(0))
    assert torch.equal(other[mask], x[mask]) and bool((other[~mask] != 1).all())


def test_the_librarys_net_is_the_formula_row_by_row():
    """h = tanh(U h + W x + b) in both directions, each row alone, two layers."""
    rng = random.Random(1)
    layers, x, lengths = both_ways(rng, 3, 2, 2, torch.float64), numbers(rng, 3, 5, 3, dtype=torch.float64), (5, 1, 3)
    got = LibraryBothWays(layers)(x, mask_of(lengths, 5))
    for row, length in enumerate(lengths):
        below = x[row, :length]
        for layer in layers:
            ways = []
            for way in ("forward", "backward"):
                p, h, states = layer[way], torch.zeros(2, dtype=torch.float64), []
                for now in below if way == "forward" else below.flip(0):
                    h = torch.tanh(p["U"] @ h + p["W"] @ now + p["b"])
                    states.append(h)
                ways.append(torch.stack(states if way == "forward" else states[::-1]))
            below = torch.cat(ways, dim=1)
        torch.testing.assert_close(got[row, :length], below)
        assert bool((got[row, length:] == 0).all())


def test_attention_of_the_library_is_a_softmax_of_dot_products():
    states, query = exact([[0, 4], [1.0986122886681098, 8], [9, 9]]), exact(1, 0)
    torch.testing.assert_close(pooled.library_attention(states, mask_of((2,), 3), query)[0, 1], exact(7)[0])


# --- paths -----------------------------------------------------------------------------------------------------------


def test_the_best_of_all_paths_is_the_best():
    """Two words, two tags: the four sums written out."""
    start, transition, emission = exact(-1, -2), exact([-1, -3], [-5, -1]), exact([-1, -1], [-4, -1])
    sums = [-1 - 1 - 1 - 4, -1 - 1 - 3 - 1, -2 - 1 - 5 - 4, -2 - 1 - 1 - 1]
    every = torch.tensor(list(itertools.product((0, 1), repeat=2)))
    assert paths.scores_of(every, start, transition, emission).tolist() == sums
    assert paths.best_of_all(start, transition, emission) == max(sums)


def test_one_path_against_two_is_the_best_of_all_though_another_tag_is_likelier():
    start, transition, emission = paths.ONE_AGAINST_TWO
    every = torch.tensor(list(itertools.product(range(3), repeat=3)))
    scores = paths.scores_of(every, start, transition, emission)
    assert every[scores.argmax()].tolist() == [0, 0, 2]
    shares = [scores[every[:, 1] == tag].logsumexp(0).item() for tag in range(3)]
    assert max(range(3), key=shares.__getitem__) == 1


def test_a_path_that_cannot_be_is_told_so():
    start, transition, emission = paths.ring()
    with pytest.raises(Mismatch) as refused:
        paths.no_better_path(lambda *tables: [1, 1, 1, 1, 1], (start, transition, emission), 0.0)
    assert refused.value.hint == paths.IMPOSSIBLE


# --- the parts of 4.10 -----------------------------------------------------------------------------------------------


def differs(part, size, value, sign):
    """Whether a part gives two rows other numbers when pads of this value stand behind them, and a row is above."""
    x = sign * (torch.rand(3, 4, size, generator=torch.Generator().manual_seed(1)) + 0.1)
    long, mask = torch.cat([x, torch.full((3, 3, size), value)], 1), mask_of((6, 4, 4), 7)
    alone, among = part(x, mask[:, :4])[1:], part(long, mask)[1:]
    return not torch.allclose(among[:, :4] if among.dim() == 3 else among, alone, atol=1e-4)


@pytest.mark.parametrize("name", parts.POOLS)
def test_sound_pools_see_no_pad(name):
    assert not any(differs(parts.POOLS[name], 4, v, s) for v in (0.0, 50.0, -50.0) for s in (-1, 1))


@pytest.mark.parametrize("name", parts.LEAKY_POOLS)
def test_leaky_pools_see_pads_somehow(name):
    assert any(differs(parts.LEAKY_POOLS[name], 4, v, s) for v in (0.0, 50.0, -50.0) for s in (-1, 1))


@pytest.mark.parametrize("sizes", [(3, 4), (1, 2), (2, 5)])
def test_readers_are_sound_or_leak(sizes):
    sound, leaky = parts.readers(random.Random(2), *sizes)
    assert sound(torch.ones(2, 3, sizes[0]), mask_of((3, 1), 3)).shape == (2, 3, sizes[1])
    assert not any(differs(sound, sizes[0], v, 1) for v in (0.0, 50.0))
    assert all(differs(part, sizes[0], 50.0, 1) for part in leaky.values())


@pytest.mark.parametrize(
    ("x", "mask", "says"),
    [
        (None, mask_of((2,), 2), "pool was given None first"),
        (torch.ones(1, 2, 5), mask_of((2,), 2), r"shape \(1, 2, 5\)"),
        (torch.ones(1, 2, 3), torch.ones(1, 2), "dtype float32 as mask"),
        (torch.ones(1, 2, 3), mask_of((2,), 3), r"shape \(1, 3\) and dtype bool as mask"),
        (torch.ones(1, 2, 3), mask_of((0,), 2), "without a real step"),
        (torch.ones(1, 2, 3), torch.tensor([[False, True]]), "do not stand at the end"),
    ],
)
def test_a_part_that_is_asked_badly_says_so(x, mask, says):
    with pytest.raises(Mismatch, match=says):
        parts.held(parts.POOLS["the mean"], 3, "pool")(x, mask)


# --- the diagnosis, on nets of the course ----------------------------------------------------------------------------


@pytest.mark.parametrize("pooling", POOLINGS)
def test_the_diagnosis_finds_nothing_in_the_finished_classifier(pooling):
    torch.manual_seed(0)
    model = Classifier(Config(words=9, classes=2, width=3, hidden=2, pooling=pooling)).eval()
    assert solution("tagging", "leaking_parts")(*sick_classifier.parts(model)) == []


def test_the_diagnosis_finds_both_faults_of_the_classmate():
    torch.manual_seed(0)
    model = sick_classifier.SickClassifier(Config(words=9, classes=2, width=3, hidden=2, pooling="mean")).eval()
    assert solution("tagging", "leaking_parts")(*sick_classifier.parts(model)) == ["read", "pool"]
