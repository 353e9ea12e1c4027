"""Pronouns have one noun of their kind; trees are read as they stand, and pointers scored by hand."""

import pytest
import torch
from unrolled.experiments.attention import pronouns, syntax
from unrolled.experiments.attention.pronouns import KINDS, pronoun_sentences, train_finder
from unrolled.experiments.tagging.grammar import made_sentences

# --- pronouns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unseen", [True, False])
def test_a_pronoun_has_one_noun_of_its_kind(unseen):
    for s in pronoun_sentences(300, 0, unseen):
        pronoun = s.words[s.pronoun]
        assert [i for i, word in enumerate(s.words) if word in KINDS] == sorted([s.noun, s.other])
        assert KINDS[s.words[s.noun]] == pronoun != KINDS[s.words[s.other]]
        assert s.pronoun > max(s.noun, s.other) and [w for w in s.words if w in pronouns.NOUNS] == [pronoun]
    both = [s.noun < s.other for s in pronoun_sentences(300, 0, unseen)]
    assert 0.4 < sum(both) / 300 < 0.6


def test_pairs_of_nouns_are_either_trained_on_or_asked():
    def pairs(unseen, seed):
        return {frozenset((s.words[s.noun], s.words[s.other])) for s in pronoun_sentences(1500, seed, unseen)}

    assert not pairs(False, 0) & pairs(True, 1) and len(pairs(True, 1)) > 20
    assert pronoun_sentences(20, 3) == pronoun_sentences(20, 3) != pronoun_sentences(20, 4)


def test_the_net_finds_nouns_and_one_of_its_heads_looks_at_them():
    finder, unseen = train_finder(pronoun_sentences(2000, 0), steps=200), pronoun_sentences(200, 1, unseen=True)
    assert finder.accuracy(unseen) > 0.9
    found = pronouns.looks_right(finder, unseen)
    assert len(found) == 4 and max(of.right for of in found) > 0.9
    looks = finder.looks(["Anna", "dreamt", "of", "Tom", "because", "he", "sang"])  # words that it does not know, too
    assert looks.shape == (4, 7, 7)
    torch.testing.assert_close(looks.sum(2), torch.ones(4, 7))


# --- trees -----------------------------------------------------------------------------------------------------------

CONLLU = """# text = The old dog sleeps.
1\tThe\tthe\tDET\t_\t_\t3\tdet\t_\t_
2\told\told\tADJ\t_\t_\t3\tamod\t_\t_
3\tdog\tdog\tNOUN\t_\t_\t4\tnsubj:outer\t_\t_
3.1\tthat\tthat\tPRON\t_\t_\t_\t_\t_\t_
4\tsleeps\tsleep\tVERB\t_\t_\t0\troot\t_\t_
5\t.\t.\tPUNCT\t_\t_\t4\tpunct\t_\t_

# text = Go!
1-2\tGo!\t_\t_\t_\t_\t_\t_\t_\t_
1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_
2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""


def test_trees_are_read():
    first, second = syntax.read_trees(CONLLU)
    assert first.words == ["The", "old", "dog", "sleeps", "."] and first.tags[2] == "NOUN"
    assert first.heads == [2, 2, 3, -1, 3] and first.relations == ["det", "amod", "nsubj", "root", "punct"]
    assert second.heads == [-1, 0]


def test_fixed_distances_are_scored_by_hand(monkeypatch):
    """The dog's tree twice, a half each. One place to the right: old → dog and dog → sleeps, 2 of 3; not The → dog."""
    monkeypatch.setattr(syntax, "RARE", 1)
    trees = [syntax.read_trees(CONLLU)[0]] * 2
    found = syntax.syntax(syntax.offsets(trees), trees)
    assert found["all"] == syntax.Found(pytest.approx(2 / 3), "+1", "up", 3)
    assert found["det"] == syntax.Found(1.0, "+2", "up", 1)
    assert set(found) == {"all", "det", "amod", "nsubj"}


def test_weights_point_up_and_down_and_never_at_themselves():
    tree = syntax.read_trees(CONLLU)[0]
    weights = torch.zeros(1, 5, 5)
    weights[0].fill_diagonal_(0.9)
    weights[0, 0, 2], weights[0, 2, 1] = 0.1, 0.1  # The looks at dog, which it hangs on; dog at old, which hangs on it
    hits = syntax._hits(tree, weights)
    assert hits[:, :3].tolist() == [[1, 0, 0], [0, 1, 0]]


def test_the_pointer_is_chosen_on_the_first_half_alone(monkeypatch):
    monkeypatch.setattr(syntax, "RARE", 1)
    near, far = (syntax.Tree(["a", "b", "c"], ["X"] * 3, [h, -1, -1], ["det", "root", "root"]) for h in (1, 2))
    found = syntax.syntax(syntax.offsets([near, far]), [near, far])
    assert found["det"] == syntax.Found(0.0, "+1", "up", 1)


def test_a_net_that_tags_has_pointers_and_one_without_steps_has_them_too():
    train = made_sentences(200, 0)
    trees = [syntax.Tree(s.words, s.tags, [-1, *range(len(s.words) - 1)], ["x"] * len(s.words)) for s in train[:5]]
    for steps in (0, 30):
        reading = syntax.train_reader(train, steps)
        assert (reading.accuracy(train) > 0.35) == (steps > 0)
        for tree, (names, weights) in zip(trees, syntax.looks(reading, trees), strict=True):
            assert names[5] == "layer 1, head 1" and weights.shape == (8, len(tree.words), len(tree.words))
