"""Taggers and classifiers before the nets: by hand, against all paths, and on the made language."""

import itertools
import math

import pytest
import torch
from unrolled.experiments.tagging.bags import LinearBag, NaiveBayes
from unrolled.experiments.tagging.baselines import AveragedPerceptron, HiddenMarkov, MostFrequentTag
from unrolled.experiments.tagging.grammar import Sentence, made_sentences
from unrolled.experiments.tagging.polarity import made_reviews
from unrolled.experiments.tagging.reports import accuracy

TRAIN, TEST = made_sentences(400, seed=0), made_sentences(100, seed=1)
SMALL = [
    Sentence(["the", "walk"], ["D", "N"]),
    Sentence(["they", "walk"], ["P", "V"]),
    Sentence(["the", "walk", "walk"], ["D", "N", "V"]),
    Sentence(["they", "the"], ["P", "D"]),
]
MODELS = {"most frequent": MostFrequentTag, "hidden Markov": HiddenMarkov, "perceptron": AveragedPerceptron}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_word_gets_a_tag_that_there_is(model):
    fitted = model().fit(TRAIN)
    assert fitted.tag([]) == []
    tags = {tag for s in TRAIN for tag in s.tags}
    for s in [*TEST, Sentence(["unheard", "Of", "12x"], ["X"] * 3)]:
        assert len(fitted.tag(s.words)) == len(s.words) and set(fitted.tag(s.words)) <= tags
    assert model().fit(TRAIN).tag(TEST[0].words) == fitted.tag(TEST[0].words)


def test_the_most_frequent_tag_of_a_word_and_of_all():
    model = MostFrequentTag().fit(SMALL)
    assert model.tag(["the", "they", "new"]) == ["D", "P", "D"]  # D stands three times, and comes first in the alphabet
    assert MostFrequentTag().fit(SMALL[:2]).tag(["walk"]) == ["N"]  # a tie: the first in the alphabet


def test_who_looks_around_is_better_than_who_does_not():
    def share(model):
        fitted = model().fit(TRAIN)
        return accuracy([s.tags for s in TEST], [fitted.tag(s.words) for s in TEST])

    alone, markov, perceptron = map(share, MODELS.values())
    assert alone < 0.9 < markov and perceptron > 0.97


# --- hidden Markov ---------------------------------------------------------------------------------------------------


def test_tables_by_hand():
    """Tags D N P V; "walk" stands four times, "the" three times, "they" twice; κ = 1."""
    model = HiddenMarkov(added=1.0).fit(SMALL)
    assert model.tags == ["D", "N", "P", "V"] and model.words == ["<unk>", "the", "they", "walk"]
    assert model.start.exp().tolist() == pytest.approx([3 / 8, 1 / 8, 3 / 8, 1 / 8])  # D and P begin two of four each
    assert model.transition.exp()[0].tolist() == pytest.approx([1 / 6, 3 / 6, 1 / 6, 1 / 6])  # after D: N twice
    assert model.emission.exp()[0].tolist() == pytest.approx([1 / 7, 4 / 7, 1 / 7, 1 / 7])  # D writes "the" three times
    assert model.encode(["walk", "new"]).tolist() == [3, 0]


def test_words_that_stand_once_teach_what_unknown_words_are():
    model = HiddenMarkov(added=1.0).fit([*SMALL, Sentence(["Bo"], ["N"])])
    assert model.words[0] == "<unk>" and "Bo" not in model.words
    assert model.emission[model.tags.index("N"), 0] > model.emission[model.tags.index("D"), 0]


def test_the_tables_are_distributions():
    model = HiddenMarkov().fit(TRAIN)
    for table in (model.start, model.transition, model.emission):
        assert table.dtype == torch.float64
        torch.testing.assert_close(table.logsumexp(-1), torch.zeros(table.shape[:-1], dtype=torch.float64))


def test_the_path_is_the_best_of_all_paths():
    model = HiddenMarkov(added=0.3).fit(SMALL)
    start, transition, emission = (table.tolist() for table in (model.start, model.transition, model.emission))
    for words in itertools.product(["the", "they", "walk", "new"], repeat=3):
        ids = model.encode(words).tolist()

        def score(path, ids=ids):
            moves = sum(model.transition[a, b] for a, b in itertools.pairwise(path))
            return float(
                model.start[path[0]] + moves + sum(model.emission[k, w] for k, w in zip(path, ids, strict=True))
            )

        best = max(score(path) for path in itertools.product(range(4), repeat=3))
        found = [model.tags.index(tag) for tag in model.tag(words)]
        assert score(found) == pytest.approx(best)


def test_nothing_added_is_refused():
    with pytest.raises(ValueError, match="added is 0.0: it must be above 0"):
        HiddenMarkov(added=0.0)


# --- the perceptron --------------------------------------------------------------------------------------------------


def test_weights_are_the_mean_over_all_questions():
    """Two questions of one word; a mistake at the first one only. The weight is 1 from then on, so its mean is 1/2."""
    model = AveragedPerceptron().fit([Sentence(["b"], ["Z"]), Sentence(["b"], ["Z"]), Sentence(["c"], ["A"])], epochs=1)
    assert model.weights["word b"]["Z"] == pytest.approx((3 - 1) / 3)
    assert model.weights["word b"]["A"] == pytest.approx(-(3 - 1) / 3)
    assert model.weights["word c"]["A"] == pytest.approx(0.0)


def test_a_word_that_has_nearly_always_one_tag_is_not_asked_about():
    often = [Sentence(["of"], ["A"])] * 30 + [Sentence(["to"], ["P"])] * 15 + [Sentence(["to"], ["A"])] * 15
    model = AveragedPerceptron().fit(often, epochs=1)
    assert model.sure == {"of": "A"}
    assert "word of" not in model.weights and "word to" in model.weights


# --- bags ------------------------------------------------------------------------------------------------------------


def test_naive_bayes_by_hand():
    """Words good and bad; good: (2 + 1) / (3 + 3) in class 1, since <unk> counts as a word, too."""
    model = NaiveBayes().fit([["good", "good", "bad"], ["Bad", "bad"], ["new"]], [1, 0, 0])
    assert model.vocabulary.symbols == ["<unk>", "bad", "good"] and model.classes == [0, 1]
    wanted = [math.log(2 / 3) + math.log(1 / 5), math.log(1 / 3) + math.log(3 / 6)]
    total = math.log(sum(map(math.exp, wanted)))
    assert model.scores([["good", "unheard"]])[0].tolist() == pytest.approx([w - total for w in wanted])
    assert model.classify([["good"], ["bad"], []]) == [1, 0, 0]


def test_the_linear_bag_finds_the_weights_at_which_the_gradient_is_zero():
    reviews = made_reviews(200, seed=0)
    texts, labels = [r.words for r in reviews], [r.label for r in reviews]
    model = LinearBag(decay=1e-2).fit(texts, labels)
    weights = model.weights.clone().requires_grad_()
    scores = torch.sparse.mm(model.counts(texts), weights) + model.bias
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor(labels)) + 1e-2 * weights.square().sum()
    (gradient,) = torch.autograd.grad(loss, weights)
    assert gradient.abs().max() < 1e-3
    assert LinearBag(decay=1e-2).fit(texts, labels).classify(texts) == model.classify(texts)


@pytest.mark.parametrize("model", [NaiveBayes, LinearBag])
def test_order_is_nothing_to_a_bag_and_its_scores_are_log_probabilities(model):
    reviews = made_reviews(300, seed=1)
    fitted = model().fit([r.words for r in reviews], [str(r.label) for r in reviews])
    texts = [r.words for r in made_reviews(20, seed=2)]
    scores = fitted.scores(texts)
    torch.testing.assert_close(scores, fitted.scores([list(reversed(words)) for words in texts]))
    torch.testing.assert_close(scores.exp().sum(1), torch.ones(20))
    assert fitted.scores([[]]).shape == (1, 2)
