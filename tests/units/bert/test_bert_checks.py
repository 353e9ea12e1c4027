"""The checks of unit 8: the library's parts against torch's and the module's, the models of the diagnosis, messages.

What all units share is in `test_verify_units.py`.
"""

import itertools
import random
from functools import partial

import pytest
import torch
import tried
from torch import nn
from unrolled.bert import BASE, LARGE, Bert, BertConfig, Classifier, Pieces
from unrolled.checking import LocalAnswer, Mismatch, registry, run
from unrolled.checking.registry import checks_of
from unrolled.checks.helpers import drawn, tunings
from unrolled.experiments.bert.sick_tunings import SIZES, sicknesses, suspects
from unrolled.language_model import IGNORED
from unrolled.wordpiece import SPECIALS, WordPiece

import autograder.hidden.bert  # noqa: F401  (registers the hidden checks)
from autograder.releasing.references import solution

UNIT = ("wordpiece", "best_merge", "pack_pair", "mask_tokens", "next_sentence_pairs", "embeddings", "bert_size")
UNIT += ("align_labels", "classify", "faults")

specimen = partial(tried.specimen, "bert")


# --- the checks as a whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", UNIT)
def test_each_exercise_has_three_to_eight_public_checks(exercise):
    public = [check for check in checks_of(exercise) if not check.hidden]
    assert 3 <= len(public) <= 8
    assert all(check.hint.endswith((".", "?", "!")) for check in public)


@pytest.mark.parametrize("exercise", UNIT)
def test_inputs_drawn_anew_refuse_no_right_answer(exercise, monkeypatch):
    for seed in range(2 if exercise == "faults" else 5):
        monkeypatch.setenv(registry.SEED_VARIABLE, str(seed + 10))
        report = run(exercise, LocalAnswer(solution("bert", exercise)))
        assert report.all_held, (seed, [c.name for c in report.checks if c.outcome != "held"])


@pytest.mark.parametrize(
    ("exercise", "module", "call"),
    [
        ("wordpiece", "wordpiece", "WordPiece([*m.SPECIALS, *pieces]).split(word)"),
        ("best_merge", "wordpiece_training", "Merging({}).best('ratio')"),
    ],
)
def test_a_short_cut_by_a_finished_version_is_named(exercise, module, call):
    source = f"def answer(word, pieces=()):\n    from unrolled import {module} as m\n    return m.{call}"
    space = {}
    exec(source, space)
    report = run(exercise, LocalAnswer(space["answer"], registry.forbidden(exercise)))
    assert report.earned == 0
    assert any("the finished implementation" in (c.message or "") for c in report.checks)


def test_hidden_checks_of_the_diagnosis_tell_no_fault():
    said = tried.told("faults", LocalAnswer(lambda model, label, sizes: ["pads"]), hidden=True)
    lines = [line for lines in said.values() for line in lines]
    assert lines and not any("came" in line or "'pads'" in line for line in lines)


# --- what is drawn, and the library's parts ---------------------------------------------------------------------------


def test_a_count_is_near_what_is_likely_and_no_other_is():
    """1000 draws of 0.1: the standard deviation is √90 = 9.49, six of it and three are 59.9."""
    assert drawn.near(100, 1000, 0.1) and drawn.near(159, 1000, 0.1) and drawn.near(41, 1000, 0.1)
    assert not drawn.near(160, 1000, 0.1) and not drawn.near(40, 1000, 0.1)


def test_a_sentence_of_another_document_may_read_like_ones_own():
    """`x` stands in both documents: drawn from the other it is a stranger; `y` stands in the own alone."""
    documents = [["x", "y"], ["x"]]
    assert drawn.drawn_pairs(lambda documents, seed: [("x", "x", 1)], documents, 0) == [("x", "x", 1)]
    with pytest.raises(Mismatch, match="not what its number says"):
        drawn.drawn_pairs(lambda documents, seed: [("x", "y", 1)], documents, 0)


def test_a_stranger_that_reads_like_the_next_sentence_must_come():
    """Whoever takes the label from the text gives p, q, 0 always, though the other q may be drawn."""

    def by_text(documents, seed):
        right = solution("bert", "next_sentence_pairs")(documents, seed)
        return [(first, second, int(second != "q")) for first, second, _ in right]

    with pytest.raises(Mismatch, match="q from another document never comes behind p"):
        drawn.all_come(by_text, [["p", "q"], ["p", "q"], ["z"]], 100)


def small_config(**changes):
    settings = {"pieces": 9, "width": 4, "heads": 2, "layers": 2, "inner": 6, "longest": 5, "dropout": 0.0}
    return BertConfig(**(settings | changes))


def test_the_librarys_embeddings_are_the_modules():
    torch.manual_seed(0)
    table = Bert(small_config()).embeddings.eval()
    nn.init.normal_(table.norm.gamma)
    nn.init.normal_(table.norm.beta)
    ids, segments = torch.randint(9, (2, 3)), torch.randint(2, (2, 3))
    params = {"T": table.pieces.weight, "P": table.positions.weight, "S": table.segments.weight}
    params |= {"gamma": table.norm.gamma, "beta": table.norm.beta}
    torch.testing.assert_close(drawn.library_embeddings(ids, segments, params), table(ids, segments))
    torch.testing.assert_close(solution("bert", "embeddings")(ids, segments, params), table(ids, segments))


def test_the_librarys_head_is_the_modules():
    torch.manual_seed(0)
    model = Classifier(Bert(small_config()), 3).eval()
    pieces = Pieces.of([[2, 5, 6, 3], [2, 7, 3]])
    read = model.bert(pieces)
    (pooler,) = [one for name, one in model.bert.named_modules() if name.endswith("pooler")]
    (dense,) = [one for one in pooler.modules() if isinstance(one, nn.Linear)]
    top = [one for one in model.modules() if isinstance(one, nn.Linear)][-1]
    params = {"W": dense.weight, "b": dense.bias, "Wc": top.weight, "bc": top.bias}
    torch.testing.assert_close(drawn.library_head(read.hidden[-1], params), model(pieces).logits)


def test_the_exercises_count_is_the_modules():
    answer = solution("bert", "bert_size")
    config = small_config()
    assert answer(9, 4, 2, 6, 5) == sum(one.numel() for one in Bert(config).parameters())
    for config, number in ((BASE, 109482240), (LARGE, 335141888)):
        assert answer(config.pieces, config.width, config.layers, config.inner, config.longest) == number


def test_the_exercises_pieces_are_the_modules():
    rng = random.Random(0)
    for _ in range(50):
        pieces = {("##" * rng.randint(0, 1)) + drawn.word_of(rng, "abc", 3) for _ in range(20)}
        word = drawn.word_of(rng, "abc", 8)
        assert solution("bert", "wordpiece")(word, pieces) == WordPiece([*SPECIALS, *sorted(pieces)]).split(word)


# --- the models of 8.10 ----------------------------------------------------------------------------------------------

PARTS = [("piece", name) for name in (*tunings.WITH_SEGMENTS, *tunings.WITHOUT_SEGMENTS)]
PARTS += [("seen", name) for name in (*tunings.REAL_ALONE, *tunings.ALL_PADS)]
PARTS += [("say", name) for name in tunings.SAID]
PARTS += [("read", name) for name in (*tunings.IN_ORDER, *tunings.AS_A_BAG, *tunings.FIRST_ALONE)]


def shown(model, V, batches=20):
    """By fault, in which share of rows something moves by 1e-3, drawn as the text says; and the most that moves."""
    B, N = 60, 8
    gaps = {name: [] for name in tunings.NAMES[:3]}
    for _ in range(batches):
        ids, anew = torch.randint(V, (2, B, N))
        segments, other = torch.randint(2, (2, B, N))
        real = torch.arange(N) < torch.randint(2, N + 1, (B, 1))
        dice = torch.rand(B, N) + ~real
        dice[:, 0] = -1
        places = dice.argsort(1)
        said = model(ids, segments, real)
        again = (
            model(ids, torch.where(real, other, segments), real),
            model(torch.where(real, ids, anew), segments, real),
            model(ids.gather(1, places), segments.gather(1, places), real),
        )
        for name, logits in zip(gaps, again, strict=True):
            gaps[name].append((logits - said).abs().amax(1))
    joined = {name: torch.cat(them) for name, them in gaps.items()}
    return {name: ((gap >= 1e-3).float().mean().item(), gap.max().item()) for name, gap in joined.items()}


@pytest.mark.parametrize("V", [8, 40])
@pytest.mark.parametrize(("part", "name"), PARTS)
def test_models_have_the_faults_that_they_are_said_to_have(part, name, V):
    torch.manual_seed(0)
    model, faults = tunings.model_of(**{part: name}, top=2)
    for fault, (share, most) in shown(model, V).items():
        moves = (fault in faults) == (fault == "pads")
        assert share > 0.1 if moves else most <= 1e-5, fault


@pytest.mark.parametrize(
    ("piece", "read"), [*itertools.product(tunings.WITH_SEGMENTS, tunings.IN_ORDER | tunings.AS_A_BAG)]
)
def test_segments_matter_whatever_reads_them(piece, read):
    torch.manual_seed(0)
    share, _ = shown(tunings.model_of(piece=piece, read=read, top=2)[0], 8)["segments"]
    assert share > 0.1


def test_large_ids_alone_have_segments():
    torch.manual_seed(0)
    assert shown(tunings.model_of(piece="segments of ids above eleven")[0], 20)["segments"][0] > 0.1


@pytest.mark.parametrize("name", tunings.LABELLERS)
def test_labellers_have_the_faults_that_they_are_said_to_have(name):
    """[CLS], a word of one piece, one of two, [SEP]: 7 and 9 belong at places 1 and 2."""
    label, faults = tunings.labeller_of(name)
    got = label([7, 9], [None, 0, 1, 1, None])
    assert (got.count(9) == 2) == ("pieces" in faults)
    assert (got.index(7) != 1) == ("shift" in faults)
    assert got.count(IGNORED) == 5 - got.count(9) - got.count(7)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"ids": torch.zeros(2, 3)}, "as ids: it takes int64"),
        ({"ids": torch.full((2, 3), 9)}, "a number in ids that is none: they go from 0 to 8"),
        ({"segments": torch.full((2, 3), 2)}, "a number in segments that is none: they go from 0 to 1"),
        ({"segments": torch.zeros(2, 4, dtype=torch.int64)}, "as segments, and ids of another shape"),
        ({"real": torch.ones(2, 3)}, "as real: it takes torch.bool"),
        ({"real": torch.tensor([[True, False, False]] * 2)}, "fewer than two real pieces"),
        ({"real": torch.tensor([[True, True, False, True]] * 2)}, "as real: it takes torch.bool"),
        ({"ids": torch.zeros(2, 13, dtype=torch.int64)}, "up to 1000 texts of 12"),
    ],
)
def test_a_model_that_is_asked_badly_says_so(change, says):
    none = torch.zeros(2, 3, dtype=torch.int64)
    given = {"ids": none, "segments": none, "real": torch.ones(2, 3, dtype=torch.bool)}
    with pytest.raises(Mismatch, match=says):
        tunings.held(tunings.model_of()[0], 9)(*(given | change).values())


def test_a_model_may_be_asked_as_often_as_the_text_says():
    given = torch.zeros(1, 2, dtype=torch.int64), torch.zeros(1, 2, dtype=torch.int64), torch.ones(1, 2).bool()
    model = tunings.held(tunings.model_of()[0], 9)
    for _ in range(200):
        model(*given)
    with pytest.raises(Mismatch, match="more than 200 times"):
        model(*given)


@pytest.mark.parametrize(
    ("labels", "word_of", "says"),
    [
        ((1, 2), [None, 0, None], "two lists"),
        ([1, 2], [None, 2, None], "a word without label"),
        ([1, 2], [0, 1, None], "without None in front or at its end"),
        ([1, 2], [None, 0, 1, 0, None], "do not stand side by side"),
    ],
)
def test_a_labeller_that_is_asked_badly_says_so(labels, word_of, says):
    with pytest.raises(Mismatch, match=says):
        tunings.held_label(tunings.labeller_of()[0])(labels, word_of)


@pytest.mark.parametrize("name", suspects())
def test_the_diagnosis_finds_what_the_suspects_have(name):
    torch.manual_seed(0)
    assert solution("bert", "faults")(*suspects()[name], SIZES) == sicknesses(name)
