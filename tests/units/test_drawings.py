"""The drawings of unit 2 show the numbers of the net, and the shapes that their names say."""

import pytest
import torch
from unrolled.elman_rnn import ElmanRNN
from unrolled.experiments.drawings import KINDS, draw_kinds, draw_unrolled
from unrolled.vocabulary import Vocabulary

pytestmark = pytest.mark.unit("elman_rnn", "tagging")
WORDS = Vocabulary(["leaves", "ferry", "the"], boundary="</s>")


def shown(ax):
    return [text.get_text() for text in ax.texts]


@pytest.fixture
def net():
    torch.manual_seed(3)
    return ElmanRNN(len(WORDS), hidden=2)


def test_each_step_shows_its_state_its_probability_and_its_loss(net):
    tokens = torch.tensor([0, 3, 2, 1, 0])
    words = shown(draw_unrolled(net, WORDS, tokens).axes[0])
    log_probabilities = net(tokens[None, :-1]).logits[0].log_softmax(1)
    for t, target in enumerate(tokens[1:].tolist()):
        log_probability = log_probabilities[t, target].item()
        assert f"{-log_probability:.2f}" in words
        assert f"{WORDS.symbols[target]}\n{torch.tensor(log_probability).exp():.2f}" in words
    h = net(tokens[None, :2]).state[0]
    assert "\n".join(f"{number:.2f}" for number in h).replace("-", "−") in words


def test_the_mean_of_the_steps_is_the_loss_of_the_text(net):
    tokens = torch.tensor([0, 3, 2, 0])
    loss = net(tokens[None, :-1], tokens[None, 1:]).loss
    assert any(f"loss {loss:.2f}" in words for words in shown(draw_unrolled(net, WORDS, tokens).axes[0]))


def test_one_u_less_than_steps_and_one_that_is_folded(net):
    words = shown(draw_unrolled(net, WORDS, torch.tensor([0, 3, 2, 1, 0])).axes[0])
    assert [words.count(name) for name in "UWV"] == [3 + 1, 4 + 1, 4 + 1]


def test_each_kind_has_the_inputs_and_outputs_of_its_name():
    for ax, (inputs, outputs) in zip(draw_kinds().axes, KINDS.values(), strict=True):
        words = shown(ax)
        assert (words.count("x"), words.count("y")) == (len(inputs), len(outputs))
        one, many = ax.get_title().split(",")[0].split("-to-")
        assert (one == "many") == (len(inputs) > 1) and (many == "many") == (len(outputs) > 1)
