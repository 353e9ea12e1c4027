"""Short trainings and what is asked of the nets: they learn, seeds decide, and a long training can be interrupted."""

import math

import pytest
import torch
from unrolled.errors import OneLineError
from unrolled.experiments.seq2seq import agreeing, reach, scoring
from unrolled.experiments.seq2seq.alignment import alignment_accuracy, diagonal_accuracy, entropy
from unrolled.experiments.seq2seq.beams import beam_report, searched
from unrolled.experiments.seq2seq.captions import COLOURS, GRID, drawn, shape, train_captions
from unrolled.experiments.seq2seq.copying import by_length, strings
from unrolled.experiments.seq2seq.costs import DESIGNS, products, seconds, ways
from unrolled.experiments.seq2seq.evaluating import evaluated
from unrolled.experiments.seq2seq.exposure import exposure
from unrolled.experiments.seq2seq.numbers import Pair, number_phrases
from unrolled.experiments.seq2seq.reading import Reader, batches, exact, word_accuracy
from unrolled.experiments.seq2seq.sick_translator import classmates_translator, healthy_translator, parts, reported
from unrolled.experiments.seq2seq.trainer import train_translator
from unrolled.experiments.seq2seq.two_answers import Blind, all_times, judged
from unrolled.experiments.seq2seq.waning import waning
from unrolled.experiments.tagging.grammar import agreement_items, agreement_probe, made_sentences
from unrolled.language_model import IGNORED
from unrolled.seq2seq import BEGIN, CONTEXTS, END, UNKNOWN, Config, Translator

PAIRS = [Pair(["two", "ten"], ["zehn", "nach", "zwei"], [1, None, 0]), Pair(["one"], ["eins"], [0])]
NET = {"width": 16, "hidden": 16, "state": 32}
STRINGS = strings(1000, longest=3, seed=0)


@pytest.fixture(scope="module")
def copier():
    """A net with attention that copies strings of up to three letters."""
    return train_translator(STRINGS, steps=150, rate=1e-2, context="attention", score="additive", **NET)


# --- words to ids ----------------------------------------------------------------------------------------------------


def test_a_batch_has_marks_where_the_writer_needs_them():
    reader = Reader.of(PAIRS)
    piece = reader.batch(PAIRS)
    zehn, nach, zwei, eins = reader.ids(["zehn", "nach", "zwei", "eins"])
    assert piece.inputs.words.tolist() == [[BEGIN, zehn, nach, zwei], [BEGIN, eins, 0, 0]]
    assert piece.targets.tolist() == [[zehn, nach, zwei, END], [eins, END, IGNORED, IGNORED]]
    assert piece.inputs.mask.tolist() == [[True, True], [True, False]]
    assert reader.words([zehn, END]) == ["zehn", "</s>"] and reader.ids(["elf"]) == [UNKNOWN]
    turned = Reader.of(PAIRS, backwards=True).inputs([["two", "ten"], ["one"]]).source
    assert turned[0].tolist() == piece.inputs.source[0].tolist()[::-1] and turned[1, 1] == 0
    assert reader.inputs([["two"]]).words.tolist() == [[BEGIN]]


def test_an_epoch_has_every_pair_once():
    reader, rows = Reader.of(STRINGS), []
    drawn = batches(reader, STRINGS, 32, seed=0)
    for _ in range(math.ceil(len(STRINGS) / 32)):
        piece = next(drawn).inputs
        rows += [tuple(ids[mask].tolist()) for ids, mask in zip(piece.source, piece.mask, strict=True)]
    assert sorted(rows) == sorted(tuple(reader.batch([p]).inputs.source[0].tolist()) for p in STRINGS)


def test_counting_what_is_right():
    given, right = [["a", "b"], ["a"], []], [["a", "b"], ["a", "c"], ["d"]]
    assert exact(given, right) == pytest.approx(1 / 3)
    assert word_accuracy(given, right) == pytest.approx(3 / 5)


# --- trainings -------------------------------------------------------------------------------------------------------


def test_a_net_with_attention_learns_to_copy_and_looks_where_it_should(copier):
    found = by_length(copier, (1, 2, 3), asked=50, seed=1)
    assert min(found.values()) > 0.9
    asked = strings(60, longest=3, seed=2)
    aligned = alignment_accuracy(copier, asked)
    assert aligned.words == sum(len(p.source) for p in asked) and aligned.right > 0.5
    assert 0 <= aligned.entropy <= 2
    assert diagonal_accuracy(asked) == 1.0
    weights = copier.weights(["a", "b", "c"], ["a", "b"])
    assert weights.shape == (2, 3) and weights.sum(1).tolist() == pytest.approx([1, 1], abs=1e-5)


def test_the_order_of_the_sources_changes_no_translation(copier):
    sources = [p.source for p in STRINGS[:40]]
    assert copier.translations(sources[::-1]) == copier.translations(sources)[::-1]
    assert copier.translations([sources[3]]) == copier.translations(sources)[3:4]


def test_a_source_that_is_read_backwards_is_aligned_as_it_was_written():
    backwards = train_translator(STRINGS, steps=3, backwards=True, context="attention", **NET)
    flipped = backwards.weights(["a", "b", "c"], ["a"])
    ids = backwards.reader.inputs([["a", "b", "c"]], [["a"]])
    assert torch.equal(backwards.model(ids).weights[0, :1].flip(1), flipped)


def test_the_same_seed_gives_the_same_net():
    losses = [train_translator(STRINGS, steps=4, seed=seed, **NET).history.losses for seed in (1, 1, 2)]
    assert losses[0] == losses[1] != losses[2]


def test_entropy_in_bits():
    assert entropy(torch.tensor([0.5, 0.25, 0.25, 0.0])) == pytest.approx(1.5)
    assert entropy(torch.tensor([1.0, 0.0])) == 0.0
    with pytest.raises(ValueError, match="no word has a true source word"):
        alignment_accuracy(train_translator(PAIRS, steps=1, **NET), [Pair(["one"], ["eins"], [None])])


def test_a_writer_that_does_not_read_its_words_mixes_two_answers():
    found = {}
    for make in (Translator, Blind):
        trained = train_translator(all_times(), steps=200, rate=1e-2, make=make, context="every", **NET)
        found[make] = judged(trained.model, trained.reader, all_times(), draws=5, seed=0)
    assert found[Translator].right > 0.5 and found[Translator].mixed < 0.1
    assert found[Blind].right < 0.4 and found[Blind].mixed > found[Blind].right
    assert sum(found[Blind]) == pytest.approx(1)


def test_c_wanes_in_idea_1_and_not_in_idea_2():
    asked = strings(50, longest=10, seed=3, shortest=10)
    first, every = (
        waning(trained.model, trained.reader, asked)
        for trained in (
            train_translator(strings(50, 10, 0), steps=1, rate=0.0, context=c, **NET) for c in ("first", "every")
        )
    )
    assert len(first) == len(every) == 11
    assert first[9] < 0.1 * first[0] and every[9] > 0.5 * every[0]


def test_the_norm_of_a_derivative_by_differences():
    trained = train_translator(strings(50, 3, 0), steps=5, context="every", **NET)
    model, p = trained.model.double(), strings(1, 3, 1, shortest=3)
    piece = trained.reader.batch(p)
    state = model.start(piece.inputs.source, piece.inputs.mask)

    def log_prob(c, t):
        states, _ = model.written(piece.inputs.words, state._replace(s=torch.tanh(model.first(c)), summary=c))
        return model.output(states).log_softmax(2)[0, t, piece.targets[0, t]].item()

    c, wanted = state.summary.detach(), waning(model, trained.reader, p)
    for t in (0, 3):
        slopes = []
        for i in range(c.shape[1]):
            step = torch.zeros_like(c)
            step[0, i] = 1e-5
            slopes.append((log_prob(c + step, t) - log_prob(c - step, t)) / 2e-5)
        assert math.hypot(*slopes) == pytest.approx(wanted[t], rel=1e-4)


def test_after_the_right_words_and_after_its_own(copier):
    told = exposure(copier, STRINGS[:50])
    piece = copier.reader.batch(STRINGS[:50])
    assert told.forced_all == pytest.approx(copier.model(piece.inputs, piece.targets).loss.item(), rel=1e-4)
    assert told.forced[0] == pytest.approx(told.free[0])
    assert told.pairs == (piece.targets != IGNORED).sum(0).tolist()
    weak = train_translator(STRINGS, steps=20, context="first", **NET)
    told = exposure(weak, STRINGS[:50])
    assert told.free_all > told.forced_all


def test_wider_beams_find_what_is_more_probable_and_cost_more():
    weak = train_translator(STRINGS, steps=60, context="every", **NET)
    one, four = (beam_report(weak, STRINGS[:30], width) for width in (1, 4))
    assert four.log_prob >= one.log_prob and four.rows > 2 * one.rows
    greedy = weak.translations([p.source for p in STRINGS[:30]])
    assert one.exact == exact(greedy, [p.target for p in STRINGS[:30]])
    best = searched(weak.model, weak.reader, STRINGS[0].source, width=3)
    assert len(best) == 3 and best[0].log_prob == max(h.log_prob for h in best)


# --- the classmate's net ---------------------------------------------------------------------------------------------


def test_the_classmates_net_reads_the_answer_and_forgets_c():
    some = strings(60, longest=8, seed=0)
    for make, sick in (classmates_translator, True), (healthy_translator, False):
        trained = make(some, steps=60)
        write, step, sizes = parts(trained.model)
        source, one, other = [5, 4, 6], [4, 5, 6], [7, 7, 7]
        assert (write(source, one) != write(source, other)) == sick
        state, c, words = torch.zeros(1, sizes["S"]), torch.ones(1, sizes["K"]), torch.tensor([4])
        log_probs, after, given_on = step(state, words, c)
        assert log_probs.exp().sum().item() == pytest.approx(1, abs=1e-5)
        assert log_probs.shape == (1, sizes["U"]) and after.shape == state.shape
        assert torch.equal(given_on, c) != sick
        alone = word_accuracy(trained.translations([p.source for p in some]), [p.target for p in some])
        seems = reported(trained.model, trained.reader, some)
        assert seems > alone + 0.05 if sick else seems == pytest.approx(alone)


# --- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_shows_what_its_caption_says():
    for picture in drawn(40, seed=0):
        colour, form, *between, other_colour, other_form = picture.caption
        cells = [min(picture.cells[0]), min(picture.cells[-1])]
        (row, column), (row2, column2) = (divmod(cell, GRID) for cell in cells)
        assert (row == row2 and column < column2) if between == ["left", "of"] else (row < row2 and column == column2)
        for cell, c, f in zip(cells, (colour, other_colour), (form, other_form), strict=True):
            y, x = (8 * place for place in divmod(cell, GRID))
            patch = picture.points[:, y : y + 8, x : x + 8]
            assert torch.equal((patch != 1).any(0), shape(f))
            assert patch[:, shape(f)].unique(dim=1)[:, 0].tolist() == pytest.approx(COLOURS[c])
        assert int((picture.points != 1).any(0).sum()) == int(shape(form).sum() + shape(other_form).sum())


def test_captions_are_learned_by_the_same_writer():
    pictures, new = drawn(400, seed=0), drawn(40, seed=1)
    captioner = train_captions(pictures, steps=40)
    given = captioner.captions(new)
    assert word_accuracy(given, [picture.caption for picture in new]) > 0.25  # one colour of four, one form of four
    weights = captioner.weights(new[0])
    assert weights.shape == (len(new[0].caption), GRID**2) and weights.sum(1).tolist() == pytest.approx(
        [1] * len(weights), abs=1e-5
    )
    assert 0 <= captioner.looks_right(new) <= 1


# --- costs -----------------------------------------------------------------------------------------------------------


def test_products_are_those_of_the_matrices():
    """The output, m · S · U; and of attention n · m · S for scores, n · m · G for sums, n · G · S for W h."""
    config = Config(source=10, target=7, width=2, hidden=3, state=5)
    counted = products("attention", 4, 6, config)
    assert counted["output"] == 6 * 5 * 7 and counted["scores"] == 4 * 6 * 5 and counted["sums"] == 4 * 6 * 6
    assert counted["keys"] == 4 * 6 * 5 and counted["all"] == sum(counted.values()) - counted["all"]
    model = Translator(config)
    assert counted["decoder"] == 6 * (model.cell.weight_ih.numel() + model.cell.weight_hh.numel())
    cells = model.encoder.states.layers[0]
    assert counted["encoder"] == 4 * sum(cell.W.numel() + cell.U.numel() for cell in cells)
    for context in ("first", "every"):
        twice = products(context, 20, 20)["all"] / products(context, 10, 10)["all"]
        assert twice == 2
    assert products("attention", 800, 800)["all"] / products("attention", 400, 400)["all"] >= 2.9


def test_ways_by_hand():
    """n = m = 3. From the middle word to the last: to its state, to an end, to c, to s_0, s_1, s_2, s_3, and to y."""
    assert ways("first", 3, 3).longest == 1 + 1 + 1 + 1 + 3 + 1
    assert ways("every", 3, 3).longest == 1 + 1 + 1 + 1 + 1
    assert ways("attention", 3, 3).longest == ways("attention", 9, 30).longest == 4
    assert {ways(context, 3, 3).steps for context in ("first", "every")} == {3 + 1 + 1 + 3 + 1}
    assert ways("attention", 3, 3).steps == 3 + 1 + 1 + 2 * 3 + 1  # before each state it looks
    assert set(DESIGNS) == set(CONTEXTS)
    assert seconds("attention", 3, 3, batch=2, repeats=1) > 0


# --- sentences -------------------------------------------------------------------------------------------------------


def test_an_interrupted_training_ends_where_an_uninterrupted_one_does(tmp_path, monkeypatch, capsys):
    some = number_phrases("fr", train=60, dev=20, test=10)
    recipe = reach.recipe_of("smoke", "attention", seed=0) | {"epochs": 3}

    def run(file):
        return reach.trained(some, recipe, tmp_path / file)

    whole = run("whole.pt")
    epoch, done = reach.Training.epoch, []

    def interrupted(self, train):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(1)
        return epoch(self, train)

    monkeypatch.setattr(reach.Training, "epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run("cut.pt")
    monkeypatch.setattr(reach.Training, "epoch", epoch)
    rest = run("cut.pt")
    for key in ("losses", "dev"):
        assert rest.told[key] == whole.told[key]
    for one, other in zip(rest.model.state_dict().values(), whole.model.state_dict().values(), strict=True):
        assert torch.equal(one, other)
    assert capsys.readouterr().out.count("epoch 3 of 3") == 2


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_gpu_recipe_at_tiny_sizes_in_half_precision(context):
    """On the CPU, where bfloat16 is slow and says about the same."""
    some = number_phrases("fr", train=32, test=0)["train"]
    recipe = reach.recipe_of("gpu", context, seed=0) | {"width": 8, "hidden": 8, "state": 16, "batch": 16}
    training = reach.Training(Reader.of(some), recipe)
    piece = training.reader.batch(some[:16])
    with torch.autocast("cpu", torch.bfloat16):
        half = training.model(piece.inputs, piece.targets).loss
    half.backward()
    assert all(p.grad.isfinite().all() for p in training.model.parameters() if p.grad is not None)
    training.model.eval()
    assert half.item() == pytest.approx(training.model(piece.inputs, piece.targets).loss.item(), rel=0.05)
    assert training.epoch(some) > training.dev_loss(some)


def test_without_sacrebleu_one_line_says_what_to_do(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sacrebleu.metrics", None)
    with pytest.raises(OneLineError, match="not installed: pip install sacrebleu"):
        scoring.scores(["a"], [["a"]])


def test_scores_of_sacrebleu_on_sentences_by_hand():
    """Both sentences are among their references but for one word of eight; without a draw there is no interval."""
    pytest.importorskip("sacrebleu", reason="needs the extra `scores` (sacrebleu)")
    given, right = ["je ne sais pas .", "il est là ."], [["je ne sais pas ."], ["il dort .", "il est là ."]]
    perfect = scoring.scores(given, right, draws=0)
    assert perfect["BLEU"]["score"] == perfect["chrF"]["score"] == 100
    found = scoring.scores(given, [["je ne sais rien ."], ["il est là ."]], draws=50)
    low, high = found["BLEU"]["interval"]
    assert low <= found["BLEU"]["score"] <= high + 1e-6 and 0 < found["BLEU"]["score"] < 100
    assert found["chrF"]["signature"].startswith("nrefs:")


def test_a_translator_is_evaluated_at_every_width(copier, monkeypatch):
    monkeypatch.setattr("unrolled.experiments.seq2seq.evaluating.scores", lambda given, right: {"n": len(given)})
    found = evaluated(copier.model, copier.reader, STRINGS[:20], widths=(1, 2))
    asked = len({tuple(p.source) for p in STRINGS[:20]})
    assert found["test sentences"] == found["test"]["n"] == asked
    assert set(found["beams"][1]["alpha"]) == {"0.0", "0.6", "1.0"} and set(found["beams"][0]["alpha"]) == {"0.0"}
    assert found["beams"][1]["alpha"]["0.0"]["log prob"] >= found["test"]["log prob"]
    for shown in found["shown"]:
        assert len(shown["weights"]) == len(shown["target"])


# --- unit 4's question -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_number_of_a_verb_is_told_without_seeing_it(context):
    teller = agreeing.trained_teller(made_sentences(200, seed=0), steps=3, context=context, score="additive", **NET)
    assert sorted(teller.reader.target.symbols[4:]) == sorted(agreeing.ANSWERS)
    score, items = agreeing.teller_score(teller), agreement_items(20, seed=1)
    other = [item.__class__(**vars(item) | {"words": [*item.words[: item.at], "xxx", "."]}) for item in items]
    assert score(items) == score(other)
    for one, other in score(items):
        assert math.exp(one) + math.exp(other) < 1 + 1e-5


def test_a_translator_learns_to_agree_with_a_neighbour():
    teller = agreeing.trained_teller(made_sentences(600, seed=0), steps=60, rate=1e-2, context="every", **NET)
    told = agreement_probe(agreeing.teller_score(teller), agreement_items(200, seed=1))
    assert told["distance"][1][0] > 0.75
