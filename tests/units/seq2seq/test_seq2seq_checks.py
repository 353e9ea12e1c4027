"""The checks of unit 5: the library's twins by hand, decoders and parts that answers call, and what messages say.

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
from unrolled.checks.helpers import broken, deciding, translators
from unrolled.checks.helpers.batches import mask_of
from unrolled.checks.helpers.recurrent import exact, numbers
from unrolled.experiments.seq2seq import sick_translator
from unrolled.seq2seq import Config, Translator

import autograder.hidden.seq2seq  # noqa: F401  (registers the hidden checks)
from autograder.releasing.references import solution

UNIT = ("translation_batch", "encode", "decoder_step", "teacher_forced_loss", "beam_search", "best_hypothesis")
UNIT += ("attention_scores", "attention_weights", "attention_step", "broken_parts")


specimen = partial(tried.specimen, "seq2seq")


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
        report = run(exercise, LocalAnswer(solution("seq2seq", exercise)))
        assert report.all_held, (seed, [c.name for c in report.checks if c.outcome != "held"])


@pytest.mark.parametrize(
    ("exercise", "name", "called"),
    [
        ("encode", "librarys_net", "RNN"),
        ("decoder_step", "librarys_cell", "rnn_tanh_cell"),
        ("beam_search", "the_units_own", "beam_search"),
        ("attention_weights", "unit_4s_function", "attention_pool"),
        ("attention_weights", "librarys_attention", "scaled_dot_product_attention"),
    ],
)
def test_a_short_cut_is_named(exercise, name, called):
    report = run(exercise, specimen(exercise, name))
    assert report.earned == 0
    assert "the finished implementation" in report.checks[0].message and called in report.checks[0].message


# --- what the checks say ---------------------------------------------------------------------------------------------


def test_a_search_that_goes_on_behind_an_end_hears_so():
    said = tried.told("beam_search", specimen("beam_search", "finished_beams_extended"))
    assert any("after the end mark" in line for lines in said.values() for line in lines)


def test_a_state_from_before_the_first_word_is_told_as_such():
    """The state that was given is kept for all words, in the place of the one that came back."""

    def stale(step, state, begin, end, width, limit):
        words, total = [], 0.0
        while len(words) < limit and words[-1:] != [end]:
            log_probs, _ = step(state, words[-1] if words else begin)
            words.append(int(log_probs.argmax()))
            total += log_probs.max().item()
        return [(words, total)]

    said = tried.told("beam_search", LocalAnswer(stale))["the_tree_of_the_text"]
    assert "with the state from before the first word" in said[0] and "Hand on the state" in said[-1]

    def unbegun(step, state, begin, end, width, limit):
        return stale(step, state, begin + 2, end, width, limit)

    assert "is not `begin`" in tried.told("beam_search", LocalAnswer(unbegun))["the_tree_of_the_text"][0]


def test_a_loss_that_teaches_nothing_hears_where_the_way_is_cut():
    for name in ("made_anew", "detached_at_the_end"):
        said = tried.told("teacher_forced_loss", specimen("teacher_forced_loss", name))
        assert set(said) == {"the_loss_teaches_the_decoder"}
        assert "missing" in said["the_loss_teaches_the_decoder"][0]


def test_a_state_that_was_not_handed_out_is_told():
    answer = LocalAnswer(lambda step, state, read, said, mask: step(read[:, 0], state)[0].sum())
    said = tried.told("teacher_forced_loss", answer)
    assert any("What does each call hand to step?" in line for lines in said.values() for line in lines)


def test_a_sound_part_that_is_accused_gets_the_hint_for_that():
    said = tried.told("broken_parts", LocalAnswer(lambda write, step, sizes: ["write", "step"]))
    assert broken.ACCUSED in said["sound_evaluations_are_not_accused"][-1]
    said = tried.told("broken_parts", LocalAnswer(lambda write, step, sizes: []))
    assert broken.MISSED in said["an_evaluation_that_reads_the_answer_is_found"][-1]


def test_hidden_checks_of_the_diagnosis_tell_no_answer():
    said = tried.told("broken_parts", LocalAnswer(lambda write, step, sizes: ["step"]), hidden=True)
    assert said and not any("came" in line or "['" in line for lines in said.values() for line in lines)


# --- the library's twins, by hand ------------------------------------------------------------------------------------


def test_the_encoders_twin_is_the_formula_row_by_row():
    rng = random.Random(1)
    params, _ = translators.encoder_of(rng, (5, 2, 3, 4), torch.float64)
    ids, lengths = torch.tensor([[1, 2, 3], [4, 0, 0]]), (3, 1)
    states, first = translators.encoded(ids, mask_of(lengths, 3), params)
    for row, length in enumerate(lengths):
        found, ends = [], []
        for way in ("forward", "backward"):
            p, h, each = params[way], torch.zeros(3, dtype=torch.float64), []
            order = range(length) if way == "forward" else reversed(range(length))
            for i in order:
                h = torch.tanh(p["U"] @ h + p["W"] @ params["E"][ids[row, i]] + p["b"])
                each.append(h)
            found.append(torch.stack(each if way == "forward" else each[::-1]))
            ends.append(h)
        torch.testing.assert_close(states[row, :length], torch.cat(found, 1))
        torch.testing.assert_close(first[row], torch.tanh(params["W"] @ torch.cat(ends) + params["b"]))


def test_the_decoders_twin_is_the_formula():
    state, words, c, p = translators.step_given(random.Random(2), 1, (4, 2, 3, 5), torch.float64)
    new = torch.tanh(p["U"] @ state[0] + p["W"] @ p["E"][words[0]] + p["C"] @ c[0] + p["b"])
    logits, got = translators.library_step(state, words, c, p)
    torch.testing.assert_close(got[0], new)
    torch.testing.assert_close(logits[0], p["V"] @ new + p["d"])


@pytest.mark.parametrize("kind", ["dot", "scaled", "bilinear", "additive"])
def test_the_scores_twins_are_the_formulas(kind):
    rng = random.Random(3)
    query, keys = numbers(rng, 1, 3, dtype=torch.float64), numbers(rng, 1, 2, 3, dtype=torch.float64)
    params = translators.score_of(rng, kind, (3, 3, 4), torch.float64)
    (q,), formulas = query, {"dot": lambda q, h: q @ h, "scaled": lambda q, h: q @ h / math.sqrt(3)}
    formulas["bilinear"] = lambda q, h: q @ params["W"] @ h
    formulas["additive"] = lambda q, h: params["u"] @ torch.tanh(params["Wq"] @ q + params["Wh"] @ h + params["b"])
    expected = torch.stack([formulas[kind](q, h) for h in keys[0]])
    torch.testing.assert_close(translators.library_scores(query, keys, kind, params)[0], expected)


def test_the_weights_twin_is_zero_behind_the_real_places():
    got = translators.library_weights(exact([0, math.log(3), 9], [1, 2, 3]), mask_of((2, 0), 3))
    torch.testing.assert_close(got, exact([0.25, 0.75, 0], [0, 0, 0]))


# --- decoders that answers call --------------------------------------------------------------------------------------


def test_a_tree_gives_probabilities_whoever_asks_first():
    one, other = (deciding.Tree(random.Random(4), 5, closed_off=0.3) for _ in range(2))
    beginnings = [(), (4,), (4, 1), (0, 0)]
    rows = [one.after(words) for words in beginnings]
    for words, row in zip(reversed(beginnings), reversed(rows), strict=True):
        assert torch.equal(other.after(words), row)
        assert row.exp().sum().item() == pytest.approx(1)
        assert row[other.ends] > -torch.inf


def test_the_best_of_a_tree_is_the_best_of_all_its_texts():
    tree = deciding.Tree(random.Random(5), 4)
    others = [0, 1, 2]
    texts = [[3], *([word, 3] for word in others), *([a, b] for a, b in itertools.product(others, repeat=2))]
    assert tree.best(2) == max(map(tree.worth, texts))


@pytest.mark.parametrize("form", deciding.FORMS)
def test_a_decoder_takes_only_the_states_that_it_gave(form):
    step, state = deciding.remembering(random.Random(6), 2, 5, form)
    log_probs, after = step(state, torch.tensor([2, 4]))
    torch.testing.assert_close(log_probs.exp().sum(1), torch.ones(2))
    step(after, torch.tensor([1, 1]))
    for wrong in (None, torch.zeros(2, 2), (1, 2), {"s": 1}):
        with pytest.raises(Mismatch, match="step was given"):
            step(wrong, torch.tensor([2, 4]))
    with pytest.raises(Mismatch, match="as words"):
        step(state, torch.tensor([[2, 4]]))


def test_a_beam_that_is_none_is_told():
    for got, says in (
        ([([1, 3], -1.0), ([1, 3], -2.0)], "twice"),
        ([([1, 3], -2.0), ([2, 3], -1.0)], "not sorted"),
        ([([3, 1], -1.0)], "after the end mark"),
        ([([1, 1, 1], -1.0)], "more words than"),
        ([], "no hypothesis"),
        ([([n], -1.0) for n in range(3)], "more hypotheses"),
    ):
        with pytest.raises(Mismatch, match=says):
            deciding.hypotheses(got, 2, 2, 5, 3)


# --- the parts of 5.10 -----------------------------------------------------------------------------------------------

SIZES = {"V": 12, "U": 10, "S": 5, "K": 3}
REFERENCES = [[word] * n for word in range(4, 10) for n in (1, 2, 5, 10)] + [[4, 5, 6], [7, 9, 4]]


def heeds(write):
    sources = [[a, b] * 5 for a, b in itertools.product(range(4, 12), repeat=2)]
    sources += [source[:n] for source in sources for n in (1, 2, 5)]
    return any(len({tuple(write(source, r, 10)) for r in REFERENCES}) > 1 for source in sources)


@pytest.mark.parametrize("name", broken.SOUND_WRITES)
def test_sound_evaluations_heed_no_reference(name):
    assert not heeds(broken.SOUND_WRITES[name])


@pytest.mark.parametrize("name", broken.BROKEN_WRITES)
def test_broken_evaluations_heed_it(name):
    assert heeds(broken.BROKEN_WRITES[name])


@pytest.mark.parametrize(("kinds", "kept"), [(broken.SOUND_STEPS, True), (broken.BROKEN_STEPS, False)])
def test_steps_keep_the_context_or_do_not(kinds, kept):
    c, state = numbers(random.Random(7), 10, 3), numbers(random.Random(8), 10, 5)
    for carry in kinds.values():
        _, _, after = broken.held_step(carry, SIZES)(state, torch.arange(10), c)
        assert torch.equal(after, c) == kept and after.shape == c.shape


@pytest.mark.parametrize(
    ("source", "reference", "says"),
    [
        (None, [4], "was given None as source"),
        ([], [4], r"was given \[\] as source"),
        ([4], [4] * 11, "as reference: it takes a list of 1 to 10"),
        ([12], [4], "go from 4 to 11"),
        ([4], [3], "go from 4 to 9"),
    ],
)
def test_an_evaluation_that_is_asked_badly_says_so(source, reference, says):
    write = broken.held_write(broken.SOUND_WRITES["a net that says nothing"], SIZES)
    with pytest.raises(Mismatch, match=says):
        write(source, reference)


# --- the diagnosis, on nets of the course ----------------------------------------------------------------------------

SMALL = Config(source=12, target=10, context="every", width=3, hidden=2, state=5)


def test_the_diagnosis_finds_nothing_in_the_finished_translator():
    torch.manual_seed(0)
    assert solution("seq2seq", "broken_parts")(*sick_translator.parts(Translator(SMALL).eval())) == []


def test_the_diagnosis_finds_both_faults_of_the_classmate():
    """Her net carries its state where the context stood, which takes widths that are equal."""
    torch.manual_seed(0)
    model = sick_translator.SickTranslator(Config(source=12, target=10, context="every", width=3, hidden=2, state=4))
    assert solution("seq2seq", "broken_parts")(*sick_translator.parts(model.eval())) == ["write", "step"]
