"""The language model's training, its checkpoints, and what is measured on it."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from unrolled.errors import OneLineError
from unrolled.experiments.transformer import by_position as positions
from unrolled.experiments.transformer import cache, counts, hunger, language
from unrolled.experiments.transformer.language import train_language, warmed
from unrolled.experiments.transformer.recipes import NOTEBOOK, RECIPES, Recipe
from unrolled.experiments.transformer.texts import text_parts
from unrolled.language_model import cross_entropy
from unrolled.training import evaluate
from unrolled.transformer_lm import TransformerLM, parameter_count

ROOT = Path(__file__).parents[3]
TINY = Recipe(width=8, heads=2, layers=1, context=8, batch=4, steps=6, warmup=2)
IDS = torch.arange(300) % 7 % 5


# --- the training ----------------------------------------------------------------------------------------------------


def test_the_rate_rises_in_a_line_and_falls_along_half_a_cosine():
    shares = [warmed(step, 12, 4) for step in range(12)]
    assert shares[:4] == [0.25, 0.5, 0.75, 1.0] and shares[4] == 1
    assert shares[8] == pytest.approx(0.5) and shares[11] == pytest.approx((1 + math.cos(math.pi * 7 / 8)) / 2)
    assert warmed(0, 1, 1) == 1


@pytest.mark.parametrize("text", [IDS, [IDS[:5], IDS[:9], IDS[3:7]]])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_an_interrupted_training_goes_on_as_if_it_had_not_stopped(tmp_path, monkeypatch, text, dropout):
    monkeypatch.setattr(language, "EVERY", 2)
    recipe, file = replace(TINY, dropout=dropout), tmp_path / "kept.pt"
    whole = train_language(text, 5, recipe)
    inner, calls = language._downhill, []

    def interrupted(*given):
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return inner(*given)

    monkeypatch.setattr(language, "_downhill", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train_language(text, 5, recipe, file)
    monkeypatch.setattr(language, "_downhill", inner)
    again = train_language(text, 5, recipe, file)
    assert again.losses == whole.losses and len(again.losses) == 6
    for one, other in zip(again.model.parameters(), whole.model.parameters(), strict=True):
        assert torch.equal(one, other)
    monkeypatch.setattr(language, "_downhill", None)  # what is whole is not trained again
    done = train_language(text, 5, recipe, file)
    assert done.losses == whole.losses and done.seconds == again.seconds and not done.model.training
    with pytest.raises(OneLineError, match="is of a training with another rate"):
        train_language(text, 5, replace(recipe, rate=1.0), file)


def test_matrices_decay_and_vectors_do_not():
    model = TINY.net(5)
    matrices, vectors = language._groups(model)
    assert matrices["weight_decay"] > 0 == vectors["weight_decay"]
    assert sum(p.numel() for g in (matrices, vectors) for p in g["params"]) == parameter_count(5, 8, 1, 8)
    assert any(p is model.E for p in matrices["params"]) and all(p.ndim == 1 for p in vectors["params"])


def test_it_learns_and_tells_both_losses():
    trained = train_language(IDS, 5, replace(TINY, width=16, steps=120, rate=1e-2))
    assert trained.losses[0] > 1.5 and trained.losses[-1] < 0.5 and trained.cpu > 0
    scores = trained.scores(IDS[:100])
    assert set(scores) == {"window", "pieces"} and scores["window"] < scores["pieces"]  # a piece begins with nothing
    assert scores["window"] == pytest.approx(evaluate(trained.model, IDS[:100], rows=1), abs=0.05)
    assert set(trained.scores([IDS[:9]])) == {"window"}


def test_every_recipe_makes_a_net_that_reads_its_text():
    for text, recipes in RECIPES.items():
        for recipe in [*recipes.values(), *NOTEBOOK.values()]:
            assert recipe.width % recipe.heads == 0 and recipe.warmup < recipe.steps
            assert text != "names" or recipe not in recipes.values() or recipe.context >= 16  # "." and 15 letters
    small = hunger.recipe(1_003_854, seed=0)
    assert small.batch * small.context == hunger.CHARACTERS == 32 * 32 and small.steps == 3000
    assert hunger.recipe(10_000, seed=1).steps == 97


def test_the_command_keeps_its_state_and_prints_what_came_out(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("unrolled.data.load", lambda name: "ann bo cy dee ed flo gil hal ida jo " * 9)
    asked = ["--text", "names", "--scale", "smoke", "--threads", "1", "--keep", str(tmp_path)]
    monkeypatch.setattr("sys.argv", ["language", *asked])
    language.main()
    printed = capsys.readouterr().out
    assert "dev: window" in printed and "test: window" in printed and (tmp_path / "names-smoke-0.pt").exists()


# --- the texts -------------------------------------------------------------------------------------------------------


def test_the_texts_are_the_ladders(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import climbing
    import ladder

    made = {
        "names": "\n".join(f"{a}{b}" for a in "abcdefgh" for b in "ijkl") * 2,
        "tiny_shakespeare": "to be or not " * 20,
    }
    monkeypatch.setattr(ladder.data, "load", made.__getitem__)
    for name, text in ladder.texts().items():
        ours = text_parts(name)
        assert ours.vocabulary.symbols == text.vocabulary.symbols
        for part, ids in {"train": ours.train, **ours.others}.items():
            torch.testing.assert_close(ids, climbing.sequences(text, text.parts[part]))
    with pytest.raises(ValueError, match="there is no text 'name': choose one of shakespeare, names"):
        text_parts("name")


def test_makemores_names_are_all_names_of_which_the_last_drawn_are_held_out(monkeypatch):
    made = [f"{a}{b}" for a in "abcdefgh" for b in "ijklm"]
    monkeypatch.setattr("unrolled.data.load", {"names": "\n".join(made)}.__getitem__)
    ours = text_parts("makemore's names")
    train, test = ([ours.vocabulary.decode(ids)[1:-1] for ids in some] for some in (ours.train, ours.others["test"]))
    order = torch.randperm(40, generator=torch.Generator().manual_seed(3407)).tolist()
    assert [*train, *test] == [made[i] for i in order] and len(test) == 4 and list(ours.others) == ["test"]


# --- what is measured ------------------------------------------------------------------------------------------------


def net(**settings):
    torch.manual_seed(0)
    return TransformerLM(5, **{"width": 8, "heads": 2, "layers": 2, "context": 6} | settings).eval()


def test_losses_by_position_are_those_of_windows_read_from_nothing():
    model = net()
    found = positions.by_position(model, IDS, windows=3)
    for i in range(6):
        wanted = [
            cross_entropy(model(IDS[None, a : a + i + 1]).logits[:, -1:], IDS[None, a + i + 1 :][:, :1])
            for a in (0, 6, 12)
        ]
        assert found[i].item() == pytest.approx(torch.stack(wanted).mean().item(), abs=1e-5)


@pytest.mark.parametrize("stride", [1, 2, 4, 5, 6])
@pytest.mark.parametrize("n", [7, 12, 20, 21])
def test_a_sliding_window_scores_each_symbol_once(stride, n):
    model, ids = net(), IDS[:n]
    losses = {}
    for start in [*range(0, n - 6, stride), n - 7]:
        window = ids[start : start + 7]
        each = model(window[None, :-1]).logits[0].log_softmax(1).gather(1, window[1:, None])[:, 0]
        for place, log_prob in enumerate(each.tolist()):
            losses.setdefault(start + place, -log_prob)
    assert set(losses) == set(range(n - 1))
    assert positions.sliding(model, ids, stride) == pytest.approx(sum(losses.values()) / (n - 1), abs=1e-5)


def test_texts_and_strides_that_do_not_fit_get_one_line():
    with pytest.raises(ValueError, match="the text has 6 symbols: for a window of 6 it takes one more"):
        positions.by_position(net(), IDS[:6])
    with pytest.raises(ValueError, match="stride is 7: from 1 to the context, 6"):
        positions.sliding(net(), IDS, 7)


def test_what_a_cache_saves_is_counted_and_measured(monkeypatch):
    model, read = cache.writer(width=16, layers=2, context=40, symbols=5), []
    inner = model.embedded
    monkeypatch.setattr(model, "embedded", lambda ids, start=0: read.append(ids.shape[1]) or inner(ids, start))
    for keeps in (True, False):
        read.clear()
        assert cache.seconds(model, 30, keeps, repeats=1) > 0
        assert sum(read) == cache.computed(30, keeps)
    assert cache.kept_numbers(model, 30) == 2 * 2 * 16 * 30


def test_parameters_are_where_the_formula_says():
    model = TransformerLM(11, width=12, heads=3, layers=3, context=9, inner=20)
    assert counts.counted(model) == counts.by_formula(11, 12, 3, 9, 20)
    assert sum(counts.by_formula(**counts.GPT2).values()) == parameter_count(**counts.GPT2)


def test_curves_are_those_of_all_units_the_first_wins():
    one = {"shakespeare_by_size": {"Kneser–Ney, order 6": [[10, 2.0, 0.0]], "Elman RNN": [[10, 3.0, 0.1]]}}
    two = {"shakespeare_by_size": {"Kneser–Ney": [[10, 9.0, 0.0]], "LSTM": [[10, 2.5, 0.1]]}}
    found = hunger.curves(one, two)
    assert list(found) == ["Kneser–Ney", "Elman RNN", "LSTM"] and found["Kneser–Ney"] == [[10, 2.0, 0.0]]


# --- what is stored --------------------------------------------------------------------------------------------------


def stored(name):
    return json.loads((ROOT / "assets" / "transformer" / f"{name}.json").read_text(encoding="utf-8"))


def test_the_first_symbols_of_a_window_cost_most_and_half_a_window_is_enough():
    row = stored("by_position")["seed 0"]
    losses, sliding = row["by position"], row["sliding"]
    assert losses[0] > losses[1] > losses[2] > max(losses[8:])
    assert sum(losses) / len(losses) == pytest.approx(sliding["64"], abs=0.002)
    assert sliding["64"] > sliding["32"] + 0.03 and abs(sliding["32"] - sliding["8"]) < 0.005
    ladder = json.loads((ROOT / "assets/ladder/transformer.json").read_text(encoding="utf-8"))
    nats = ladder["side_by_side"]["shakespeare"]["transformer"]["nats"]
    assert nats["heldout"] == pytest.approx(sliding["32"], abs=0.005)


def test_a_cache_saves_the_more_the_longer_the_text():
    rows = [row["cpu seconds"] for row in stored("cache").values()]
    assert all(row["cache"] < row["plain"] for row in rows)
    assert rows[-1]["plain"] / rows[-1]["cache"] > 2 > rows[0]["plain"] / rows[0]["cache"]


# --- on a GPU --------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_on_cuda_it_trains_compiled_and_in_bfloat16():
    trained = train_language(IDS, 5, replace(TINY, width=16, steps=20, rate=1e-2))
    assert trained.model.device.type == "cuda" and trained.losses[-1] < trained.losses[0]
    assert all(math.isfinite(nats) for nats in trained.scores(IDS[:50]).values())
