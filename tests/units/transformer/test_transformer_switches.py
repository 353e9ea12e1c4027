"""Nets without a part lack that part and nothing else; gradients and vectors by depth; rates by step."""

import math

import pytest
import torch
from unrolled.attention import causal_mask
from unrolled.experiments.transformer import ablation, norms, schedules
from unrolled.experiments.transformer.gradients import by_depth, passed
from unrolled.experiments.transformer.switched import PARTS, language_model
from unrolled.training import Batch

SMALL = {"width": 16, "heads": 2, "layers": 2, "context": 8}


def net(*without, **settings):
    return language_model(11, *without, **SMALL | settings)


# --- what is left out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["pre", "post"])
def test_without_residuals_an_answer_takes_the_place_of_what_was_read(order):
    (block,) = net("residual", norm=order, layers=1).stack.blocks
    x, mask = torch.randn(2, 5, 16), causal_mask(5)
    first, second = block.norms
    if order == "pre":
        after = block.attention(first(x), mask=mask)
        wanted = block.feed_forward(second(after))
    else:
        wanted = second(block.feed_forward(first(block.attention(x, mask=mask))))
    torch.testing.assert_close(block(x, mask), wanted)


@pytest.mark.parametrize("order", ["pre", "post"])
def test_other_parts_leave_the_sums(order):
    x, mask = torch.randn(2, 5, 16), causal_mask(5)
    (block,) = net("norm", norm=order, layers=1).stack.blocks
    after = x + block.attention(x, mask=mask)
    torch.testing.assert_close(block(x, mask), after + block.feed_forward(after))
    (block,) = net("feed-forward", "norm", norm=order, layers=1).stack.blocks
    torch.testing.assert_close(block(x, mask), x + block.attention(x, mask=mask))
    (block,) = net("attention", "norm", norm=order, layers=1).stack.blocks
    torch.testing.assert_close(block(x, mask), x + block.feed_forward(x))


def test_without_attention_no_symbol_hears_of_another_and_without_positions_place_does_not_count():
    ids = torch.tensor([[1, 2, 3, 4, 5]])
    other = torch.tensor([[9, 8, 7, 4, 5]])
    alone, bag = net("attention"), net("positions", layers=1)
    torch.testing.assert_close(alone(ids).logits[:, 3:], alone(other).logits[:, 3:])
    turned = torch.tensor([[3, 1, 2, 4, 5]])
    torch.testing.assert_close(bag(ids).logits[:, 3:], bag(turned).logits[:, 3:])
    assert (net(layers=1)(ids).logits - net(layers=1)(turned).logits)[:, 3:].abs().max() > 1e-3
    assert [block.attention.heads for block in net("heads").stack.blocks] == [1, 1]


def test_what_is_in_both_starts_from_the_same_numbers():
    whole = dict(net().named_parameters())
    for part in PARTS:
        lacking = dict(net(part).named_parameters())
        assert lacking.keys() <= whole.keys()
        assert all(torch.equal(value, whole[name]) for name, value in lacking.items()), part
    with pytest.raises(ValueError, match="there is no part 'soul' to leave out"):
        net("soul")


@pytest.mark.parametrize("part", PARTS)
def test_each_trains_and_the_same_seed_gives_the_same(part):
    text = norms.Letters(11, torch.randint(11, (200,)), torch.randint(11, (50,)))
    found = [ablation.ablated(text, part, seed=s, steps=3, **SMALL) for s in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert math.isfinite(found[0].heldout) and found[0].parameters == sum(p.numel() for p in net(part).parameters())


# --- depth -----------------------------------------------------------------------------------------------------------


def test_what_goes_through_the_blocks_is_what_the_net_reads():
    model, ids = net(), torch.randint(11, (2, 8))
    stream = passed(model, ids)
    assert len(stream) == 3
    torch.testing.assert_close(model.stack.last(stream[-1]) @ model.V.T, model(ids).logits)


def test_without_residuals_and_norms_no_gradient_arrives_and_without_residuals_words_become_alike():
    for seed in range(3):
        whole, bare = by_depth(layers=12, seed=seed), by_depth("residual", "norm", layers=12, seed=seed)
        straight = by_depth("residual", layers=12, seed=seed)
        assert whole.gradients[0] > whole.gradients[-1] > 1e-3
        assert bare.gradients[0] < 1e-12 < 1e-2 < bare.gradients[-1]
        assert straight.alike[6] > 0.98 > 0.9 > whole.alike[6]
        assert by_depth(layers=12, norm="post", seed=seed).sizes[1:] == pytest.approx([1.0] * 12, abs=1e-3)


def test_with_norms_what_is_added_does_not_grow_with_the_matrices_and_without_it_explodes():
    for seed in range(3):
        normed, bare = by_depth(seed=seed, larger=2), by_depth("norm", seed=seed, larger=2)
        assert normed.sizes[-1] < 10 and bare.sizes[-1] > 1e7
        assert by_depth("norm", seed=seed).sizes[-1] < 5  # as they are drawn


# --- rates -----------------------------------------------------------------------------------------------------------


def test_rates_rise_stay_and_fall_as_their_names_say():
    def rates(schedule):
        return [schedules.share(schedule, step, 100, 10) for step in range(100)]

    assert rates("constant") == [1.0] * 100
    assert rates("warm-up") == pytest.approx([(t + 1) / 10 for t in range(10)] + [1.0] * 90)
    cosine, both, root = rates("cosine"), rates("warm-up, cosine"), rates("warm-up, inverse root")
    assert cosine[0] == 1 and cosine[50] == pytest.approx(0.5) and cosine[99] == pytest.approx(0.0, abs=1e-3)
    assert both[0] == pytest.approx(0.1) and both[10] == 1 and both[55] == pytest.approx(0.5)
    # as published, with d = 512 and 10 steps of warm-up: 512^(−1/2) · min(t^(−1/2), t · 10^(−3/2)), t from 1
    published = [512**-0.5 * min(t**-0.5, t * 10**-1.5) for t in range(1, 101)]
    assert root == pytest.approx([rate / max(published) for rate in published])
    with pytest.raises(ValueError, match="there is no schedule 'none'"):
        schedules.share("none", 0, 1, 1)


def test_a_step_is_as_long_as_the_schedule_says():
    """AdamW's first step moves every number with a gradient by the rate, but for weight decay."""
    model = net()
    before = model.E.detach().clone()
    ids = torch.randint(11, (4, 8))
    losses = schedules.descended(model, [Batch(ids, ids)], steps=1, rate=1e-3, schedule="warm-up", warmup=10)
    moved = (model.E - before).detach().abs()
    assert len(losses) == 1 and not model.training
    assert moved.max().item() == pytest.approx(1e-4, rel=0.05)


def test_who_knows_frequencies_alone_loses_what_is_said():
    """Symbols 0, 0, 1 and once more each of three: 3, 2 and 1 in six. Of 1, 0, 2 the first is never predicted."""
    text = norms.Letters(3, torch.tensor([0, 0, 1]), torch.tensor([1, 0, 2]))
    assert norms.by_frequency(text) == pytest.approx((math.log(2) + math.log(6)) / 2)
