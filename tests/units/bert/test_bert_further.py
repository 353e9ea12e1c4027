"""What is read between pre-training and a task, and what poorer books are."""

from dataclasses import replace
from itertools import islice

import torch
from unrolled.experiments.bert import further
from unrolled.experiments.bert.books import Corpus, Encoded
from unrolled.experiments.bert.reading import Reader
from unrolled.experiments.bert.recipes import RECIPES
from unrolled.experiments.bert.small import Small
from unrolled.language_model import IGNORED
from unrolled.wordpiece import SPECIALS, WordPiece

PIECES = WordPiece([*SPECIALS, *(f"w{i}" for i in range(195))])


def made_net():
    return Small(replace(RECIPES["smoke"], pieces=200).net().eval(), PIECES)


def made_items(n=48, size=8):
    """Texts that count upwards: a hidden word is told by its neighbours."""
    starts = torch.randint(0, 40, (n,), generator=torch.Generator().manual_seed(1)).tolist()
    return [Reader(PIECES, ()).text(" ".join(f"w{at + i}" for i in range(size))) for at in starts]


def made_corpus(documents=60):
    rows = [[list(range(5 + at, 11 + at)), list(range(40 + at, 44 + at))] for at in range(documents)]
    return Corpus([Encoded(row) for row in rows], [Encoded(row) for row in rows[:2]], "made")


def test_batches_hide_pieces_of_every_text_once_an_epoch_and_others_each_time():
    items = made_items(12)
    stream = further.hidden_batches(items, PIECES, 4, seed=0)
    first, second = list(islice(stream, 3)), list(islice(stream, 3))
    for epoch in (first, second):
        whole = [torch.where(b.targets != IGNORED, b.targets, b.inputs.ids)[b.inputs.mask].tolist() for b in epoch]
        assert sorted(sum(whole, [])) == sorted(i for item in items for i in item.ids)
        assert all((b.targets != IGNORED).any(1).all() and not b.inputs.segments.any() for b in epoch)
    hidden = [sum(int((b.targets != IGNORED).sum()) for b in epoch) for epoch in (first, second)]
    assert hidden == [12, 12]  # 15 % of 8 pieces
    assert [b.inputs.ids.tolist() for b in first] != [b.inputs.ids.tolist() for b in second]


def test_what_was_read_is_known_better_and_the_net_stays():
    net, items = made_net(), made_items()
    before = {name: tensor.clone() for name, tensor in net.model.state_dict().items()}
    more = further.read_on(net, items, steps=60, seed=0, rate=3e-3)
    assert all(torch.equal(before[name], tensor) for name, tensor in net.model.state_dict().items())
    known, unknown = further.hidden_loss(more, items, batches=2), further.hidden_loss(net, items, batches=2)
    assert known < unknown - 1 and known == further.hidden_loss(more, items, batches=2)
    assert torch.equal(more.model.following.weight, net.model.following.weight)  # which nobody asked
    again = further.read_on(net, items, steps=60, seed=0, rate=3e-3)
    assert all(torch.equal(a, b) for a, b in zip(again.bert.parameters(), more.bert.parameters(), strict=True))


def test_shuffled_books_have_the_same_pieces_in_each_sentence_and_heldout_ones_their_order():
    corpus = made_corpus()
    worse = further.shuffled(corpus, seed=0)
    for old, new in zip(corpus.train, worse.train, strict=True):
        assert [sorted(ids) for ids in new] == [sorted(ids) for ids in old]
    assert any(new[0] != old[0] for old, new in zip(corpus.train, worse.train, strict=True))
    assert worse.heldout is corpus.heldout
    assert [list(one) for one in further.shuffled(corpus, seed=0).train] == [list(one) for one in worse.train]


def test_one_book_is_a_thirtieth_from_the_beginning():
    corpus = made_corpus(documents=60)
    assert further.one_book(corpus).train == corpus.train[:2]
    assert further.one_book(corpus, share=7).train == corpus.train[:9]  # 8.57 documents, so the ninth begins
    assert further.one_book(corpus).heldout is corpus.heldout
