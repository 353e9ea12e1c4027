"""Tasks of unit 7's experiments: right answers found one by one, nets that learn them, maps against leaving out."""

import pytest
import torch
from unrolled.experiments.transformer import beyond, classmates, explaining, first_position, tasks

# --- beyond the length of the training -------------------------------------------------------------------------------


def slowly(task, symbols):
    """The answer at each symbol, from all symbols up to it."""
    found, stack = [], []
    for i, symbol in enumerate(symbols):
        ones = sum(symbols[: i + 1])
        if task == "brackets" and symbol < 2:
            stack.append(symbol)
        elif task == "brackets":
            assert stack.pop() == symbol - 2
        zeros = i + 1 - ones
        answers = {"parity": ones % 2, "counts": 1 + (ones > zeros) - (ones < zeros)}
        found.append(answers.get(task, stack[-1] + 1 if stack else 0))
    return found


@pytest.mark.parametrize("task", beyond.TASKS)
def test_right_answers_are_those_found_one_by_one(task):
    symbols, answers = beyond.TASKS[task].drawn(30, 25, torch.Generator().manual_seed(0))
    for row, right in zip(symbols.tolist(), answers.tolist(), strict=True):
        assert slowly(task, row) == right
    assert symbols.max() == beyond.TASKS[task].symbols - 1 and answers.max() == beyond.TASKS[task].classes - 1


def test_an_lstm_carries_parity_on_and_says_so():
    learned = beyond.train_net("parity", "LSTM", steps=200, seed=0)
    assert learned.accuracy(20) > 0.95 and learned.accuracy(60) > 0.9
    assert beyond.commonest("parity", 60) < 0.55


def test_a_transformer_sees_no_symbol_before_it_is_due():
    net = beyond.Reading(beyond.TASKS["counts"], "sinusoid")
    batch = beyond.exam("counts", 12, asked=2)
    changed = batch.inputs._replace(ids=batch.inputs.ids.clone())
    changed.ids[:, 8:] = 3 - changed.ids[:, 8:]
    torch.testing.assert_close(net(changed).logits[:, :8], net(batch.inputs).logits[:, :8])
    with pytest.raises(ValueError, match="there is no task 'sums'"):
        beyond.train_net("sums", "LSTM", steps=1)


# --- unit 5's tasks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", tasks.TASKS)
def test_both_nets_are_measured_on_the_same_pairs(task):
    found = tasks.compared(task, steps=2, read=50, asked=10)
    assert list(found) == list(tasks.TRAINERS)
    for name, one in found.items():
        assert 0 <= one.exact <= 1 and one.training > 0 and one.writing > 0 and one.parameters > 10_000, name


def test_the_transformer_learns_to_translate():
    parts = tasks.TASKS["German"](train=300, test=50, seed=0)
    trained = tasks.train_transformer(parts["train"], steps=80)
    assert trained.exact(parts["train"][:50]) > 0.4
    assert len(trained.history.losses) == 80 and trained.history.losses[-1] < trained.history.losses[0] / 5


# --- a classmate's ---------------------------------------------------------------------------------------------------


def test_a_fine_report_and_nonsense_alone():
    hers, sound = (make(steps=120) for make in (classmates.classmates_translator, classmates.healthy_translator))
    assert classmates.most_words() == 0.875
    assert classmates.told_words(hers) > 0.98 > 0.88 > classmates.told_words(sound) > 0.8
    assert classmates.alone(hers) < 0.3 < 0.9 < classmates.alone(sound)


def test_the_parts_are_those_of_the_net():
    trained = classmates.healthy_translator(steps=1)
    model, sizes = classmates.parts(trained.model)
    batch = trained.reader.batch(classmates.all_times()[:3])
    logits = model(*batch.inputs)
    torch.testing.assert_close(logits, trained.model(batch.inputs).logits.detach(), rtol=1e-4, atol=1e-5)
    assert not logits.requires_grad and sizes == {"V": len(trained.reader.source), "U": len(trained.reader.target)}


# --- classes, and maps -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained():
    return first_position.train_class(*first_position.made(600, 0), steps=60)


@pytest.mark.parametrize("reading", first_position.READINGS)
def test_each_reading_learns_and_the_same_seed_gives_the_same(reading):
    texts, labels = first_position.made(60, 0)
    found = [first_position.train_class(texts, labels, 4, seed, reading).losses for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    with pytest.raises(ValueError, match="there is no reading 'last'"):
        first_position.train_class(texts, labels, 1, reading="last")


def test_what_stands_beside_a_text_changes_no_class(trained):
    texts, _ = first_position.made(20, 5)
    for net in (trained, first_position.train_class(*first_position.made(60, 0), steps=3, reading="mean")):
        alone = [net.model(net.shown([text])).logits for text in texts]
        torch.testing.assert_close(torch.cat(alone), net.model(net.shown(texts)).logits, rtol=1e-4, atol=1e-5)


def test_a_word_that_is_left_out_counts_as_much_as_the_odds_fall(trained):
    text = first_position.made(1, 3)[0][0]
    found = explaining.left_out(trained, text)
    shown = trained.shown([text])
    logits = trained.model(shown).logits[0].detach()
    answer = int(logits.argmax())
    for i in range(len(text)):
        mask = shown.mask.clone()
        mask[0, i] = False
        less = trained.model(shown._replace(mask=mask)).logits[0].detach()
        odds = [(of[answer] - of[1 - answer]).item() for of in (logits, less)]  # of two classes
        assert found[i].item() == pytest.approx(odds[0] - odds[1], abs=1e-4)


def test_maps_are_those_of_the_net_and_a_rollout_shares_one(trained):
    text = first_position.made(1, 3)[0][0]
    found = explaining.scores(trained, text)
    for at, weights in enumerate(trained.looks(text)):
        torch.testing.assert_close(found[f"weights, layer {at}"], weights.mean(0)[1:])
    assert 0 < found["rollout"].sum() < 1 and all(len(row) == len(text) for row in found.values())


def test_what_a_layer_fetches_adds_up_to_what_it_gives(trained):
    """With one key alone, its share is all: the attention's answer without the bias."""
    layer = trained.model.encoder.blocks[0].attention
    read, weights = torch.randn(1, 1, 32), torch.ones(1, layer.heads, 1, 1)
    given = layer(read) - layer.output.bias
    torch.testing.assert_close(explaining._fetched(layer, read, weights)[0, 0], given.norm())


def test_ranks_agree_as_by_hand():
    """Ranks 1, 2, 3 against 1, 3, 2: the deviations −1, 0, 1 and −1, 1, 0 give 1 / 2."""
    assert explaining.spearman(torch.tensor([0.1, 0.2, 0.9]), torch.tensor([1.0, 3.0, 2.0])) == pytest.approx(0.5)
    assert explaining.spearman(torch.tensor([1.0, 2.0, 2.0]), torch.tensor([5.0, 7.0, 7.0])) == pytest.approx(1)
    assert explaining.spearman(torch.ones(3), torch.tensor([5.0, 7.0, 6.0])) == 0


def test_agreement_is_told_for_every_map_and_for_chance(trained):
    found = explaining.agreement(trained, [["good"], *first_position.made(10, 3)[0]])
    assert set(found) == {*explaining.scores(trained, ["a", "b"]), "chance"}
    assert all(-1 <= of.rank <= 1 and 0 <= of.top <= 1 for of in found.values())
