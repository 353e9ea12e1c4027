"""Numbers that a unit's text takes from stored results: each sentence is rendered from them and looked for in the text.

A result that is made again, with other numbers, makes the test fail with the sentence that has to be written anew.
What a cell prints, while the text stands beside it, is not here: a reader compares the two.
"""

import math
import re
from statistics import mean

import pytest
import quoting
from quoting import loss, mean_of, of_seeds, percent, prose, published, rung, stored, times, word
from unrolled.bert import BASE, LARGE, parameter_count

WHOLE = "shakespeare"


def ngrams():
    bigram, window, transformer = (published("names", model) for model in ("bigram", "multilayer", "transformer"))
    yield f"a bigram {bigram:.2f}, a neural network with a window between {window} and"
    yield f"a small transformer about {transformer:.2f}"


def lstm():
    elman, small = rung("lstm", WHOLE, "Elman RNN"), rung("lstm", WHOLE, "LSTM")
    wide, wider = rung("lstm", WHOLE, "LSTM, larger"), rung("lstm", WHOLE, "Elman RNN, larger")
    behind = small["nats"]["heldout"] - elman["nats"]["heldout"]
    yield f"worse at Shakespeare than the Elman net, by {times(behind / small['spread']['heldout'])} the spread"
    gains = [one["nats"]["heldout"] - two["nats"]["heldout"] for one, two in ((small, wide), (elman, wider))]
    yield f"there the LSTM gains {times(gains[0] / gains[1])} as much as the Elman net"
    yield f"as the Elman net of unit 2's ladder ({round(elman['settings']['parameters'], -5):,})"
    yield f"At {round(small['settings']['parameters'], -5):,} parameters, more text alone"
    yield f"at {round(wide['settings']['parameters'], -4):,} parameters, gates do more than more units"
    yield f"It has {wide['settings']['hidden']} units, half of what the larger Elman net has"
    assert wider["settings"]["hidden"] / wide["settings"]["hidden"] == pytest.approx(2, abs=0.1)


def tagging():
    ahead = [row["test"]["all"] - stored("tagging/baselines")["AveragedPerceptron"]["all"] for row in seeds_of_reach()]
    yield f"by {100 * min(ahead):.1f} to {100 * max(ahead):.1f} points in all, with each of the three seeds"
    few = [mean_of("tagging/embeddings", f"100 sentences, {kind}", "all") for kind in ("random", "frozen", "tuned")]
    yield f"With a hundred sentences the table is worth {word(math.floor(100 * (few[1] - few[0])))} points and more"
    every = [mean_of("tagging/embeddings", f"12544 sentences, {kind}", "all") for kind in ("random", "frozen", "tuned")]
    yield f"as a beginning it is still worth {word(100 * (every[2] - every[0]))}"
    assert every[1] - every[0] < 0.005, "a frozen table is worth next to nothing with all sentences"


def seeds_of_reach():
    return [stored("tagging/reach")[seed] for seed in "012"]


def seq2seq():
    exact = {width: mean(row[width]["exact"] for row in stored("seq2seq/beams").values()) for width in ("1", "2", "4")}
    gained = 100 * (exact["2"] - exact["1"]), 100 * (exact["4"] - exact["2"])
    yield f"Width 2 gains {word(gained[0])} points over width 1, and width 4 {word(gained[1])} more"
    told = stored("seq2seq/exposure")
    after = [told[f"every, seed {seed}"]["free_all"] / told[f"every, seed {seed}"]["forced_all"] for seed in (0, 1, 2)]
    yield f"and {math.floor(10 * min(after)) / 10} to {math.ceil(10 * max(after)) / 10} times for idea 2"
    waned = [(row[11] / row[0]) ** (1 / 11) for row in of_seeds("seq2seq/waning", "first", "before")]
    yield f"the influence of c shrinks by some {round(100 * (1 - mean(waned)), -1):.0f} % at each step"
    captions = stored("seq2seq/captions").values()
    looks = [row["looks right"] for row in captions]
    yield f"between {percent(min(looks))} and {percent(max(looks))} %"
    yield f"at least {math.floor(100 * min(row['exact'] for row in captions))} % of the captions were right"
    sizes = [stored("seq2seq/numbers")[f"{row}, seed 0"]["parameters"] for row in ("every", "every, twice as wide")]
    yield f"has nearly {word(sizes[1] / sizes[0])} times as many parameters"
    more = stored("seq2seq/numbers")["attention, seed 0"]["parameters"] / sizes[0] - 1
    yield f"about one parameter in {word(1 / more)} more than idea 2"


def attention():
    yield f"Guessing the commonest answer is right for {percent(mean_of('attention/scale', UNSCALED, 'accuracy'))} %"
    yield f"with any of three seeds, {percent(mean_of('attention/scale', UNSCALED, 'accuracy'))} %"
    counted = stored("attention/costs")
    ratios = [
        counted[f"self-attention, {n} words, counted"]["products"]
        / counted[f"recurrent, {n} words, counted"]["products"]
        for n in (10, 1000)
    ]
    yield f"{ratios[0]:.0f} times as many as the recurrent net at 10 words and {ratios[1]:.1f} times at 1,000"
    took = [counted[f"self-attention, {n} words, measured"]["cpu seconds"] for n in (1024, 2048)]
    yield f"twice the words took {times(took[1] / took[0])} as long"
    kept = [counted[f"{kind}, 2048 words, measured"]["kept bytes"] / 1e6 for kind in ("fused", "self-attention")]
    yield f"no longer in memory: {kept[0]:.0f} MB in the place of {kept[1]:.0f}"
    yield f"{percent(mean_of('attention/syntax', 'trained', 'tags'))} % of the tags are right"


UNSCALED = "width 64, unscaled"


def transformer():
    stuck = [one for one in of_seeds("transformer/norms", "post, constant, rate 0.005", "heldout") if one > 3.3]
    yield f"{word(len(stuck))} seeds of three stay at {mean(stuck):.2f} nats"
    letters = next(row for row in stored("ladder/ngrams")["rungs"] if row["settings"] == {"order": 1})
    yield f"A table of single letters has {letters['nats']['heldout']:.2f}"
    apart = [mean_of("transformer/ablation", row, "heldout") for row in ("whole", "without residual", "without norm")]
    yield f"how often each letter stands ({apart[1]:.2f} nats)"
    yield f"Three blocks without norms lose {apart[2] - apart[0]:.2f} nats on average"
    exact = [row["exact"] for name, row in stored("transformer/tasks").items() if "exact" in row]
    yield f"every training gets more than {math.floor(100 * min(exact) - 1e-9)} % of new pairs right"
    yield from on_the_ladder()
    sliding = stored("transformer/by_position")["seed 0"]["sliding"]
    yield f"gains {sliding['64'] - sliding['32']:.3f} nats"
    far = mean(row["160"] for row in of_seeds("transformer/beyond", "brackets, LSTM", "accuracy"))
    yield f"the LSTM is right for {percent(far)} %"
    near = [row["accuracy"]["20"] for name, row in stored("transformer/beyond").items() if name.startswith(BRACKETS)]
    yield f"All nets are right for at least {math.floor(100 * min(near))} % at the length of the training"
    means = of_seeds("tagging/pooling", "mean", "test")
    yield f"the mean it had {percent(min(means))} to {percent(max(means))} % in unit 4"
    yield f"Naive Bayes with {100 * stored('tagging/baselines')['polarity, NaiveBayes']['test']:.1f} %"


BRACKETS = "brackets, LSTM", "brackets, transformer"


def on_the_ladder():
    counts = loss("transformer", WHOLE, "Kneser–Ney", "heldout")
    small, large = published(WHOLE, "transformer, 4 layers"), published(WHOLE, "transformer, 6 layers")
    yield f"is published with {small:.2f}, in pieces of 64 letters"
    yield f"is published with {large:.2f}: {counts - large:.2f} below the counts"
    yield f"is published with {published('names', 'transformer'):.2f} on names"
    once = [loss(unit, "distinct names", model, "dev") for unit, model in NETS]
    yield f"of the LSTM by {once[1] - once[0]:.2f} nats, of the counts by {once[2] - once[0]:.2f}"
    yield f"the same counts have {loss('transformer', 'names', 'Kneser–Ney', 'test'):.3f} on ours"
    behind = {
        size: loss("transformer", WHOLE, "transformer, small", "heldout", size)
        - loss("elman_rnn", WHOLE, "Kneser–Ney", "heldout", size)
        for size in (30_000, 300_000, None)
    }
    yield f"its distance to the counts falls from {behind[30_000]:.2f} to {behind[300_000]:.2f} nats"
    yield f"where the text is read three times only, it is {behind[None]:.2f}"
    gained = loss("transformer", WHOLE, "transformer, small", "heldout") - loss("transformer", *LARGER)
    yield f"the one above is {gained:.2f} nats ahead of this one"
    sizes = [
        rung(unit, WHOLE, model)["settings"]["parameters"] / 1000
        for unit, model in (("elman_rnn", "window model"), ("transformer", "transformer, small"))
    ]
    yield f"Small nets, of {sizes[0]:.0f} to {sizes[1]:.0f} thousand parameters"


NETS = ("transformer", "transformer"), ("lstm", "LSTM"), ("transformer", "Kneser–Ney")
LARGER = WHOLE, "transformer", "heldout"


def bert():
    steps, short = stored("bert/small/log")[-1]["step"], stored("bert/lengths")["pairs of 32"]["heldout"]
    yield f"The small net with its {steps:,} steps has {short['masked']:.2f} nats in rows as short"
    guessed = stored("bert/lengths")["pairs of 32"]["heldout"]["unigram"]
    yield f"they cost about what guessing by frequency costs, {guessed:.2f} nats"
    sizes = [parameter_count(size) / 1e6 for size in (BASE, LARGE)]
    yield f"Base is {sizes[0]:.1f} million, large {sizes[1]:.1f} million"
    bayes = {task: stored("tagging/baselines")[f"{task}, NaiveBayes"]["test"] for task in ("polarity", "intents")}
    yield f"unit 4's Naive Bayes, which counts words, had {bayes['polarity']:.3f} with all"
    yield f"unit 4's Naive Bayes has {bayes['intents']:.3f} there"
    films = {name: row["score"] for name, row in stored("bert/labels").items() if name.startswith("films")}
    worst = min(score for name, score in films.items() if "1000 labels, from scratch" in name)
    yield f"(one seed of three did not: {worst:.2f},"
    read = [row["score"] for name, row in stored("bert/between").items() if "reviews read" in name]
    best = max(*read, *(score for name, score in films.items() if "pre-trained" in name))
    yield f"the small net's best was {best:.2f}, and unit 4's Naive Bayes had {bayes['polarity']:.3f}"
    drawn = [share for seed in (0, 1, 2) for share in stored("bert/senses")[UNREAD.format(seed)]["mean of the words"]]
    yield f"in nets that have read nothing it stays between {min(drawn):.2f} and {max(drawn):.2f}"
    failed = [row for name, row in stored("bert/seeds").items() if name.startswith("rate 0.003") and row["dev"] < 0.53]
    yield f"{word(len(failed))} of ten runs have learned nothing"


UNREAD = "small net, untrained, seed {}"

QUOTED = (ngrams, lstm, tagging, seq2seq, attention, transformer, bert)
EACH = [pytest.param(unit, id=unit.__name__, marks=pytest.mark.unit(unit.__name__)) for unit in QUOTED]


def missing(sentences, unit: str) -> list[str]:
    return [sentence for sentence in sentences if sentence.casefold() not in prose(unit).casefold()]


@pytest.mark.parametrize("unit", EACH)
def test_each_number_that_a_text_takes_from_stored_results_is_theirs(unit):
    assert missing(unit(), unit.__name__) == [], f"the results say this; solutions/*_{unit.__name__}.md says otherwise"


@pytest.mark.parametrize("unit", EACH)
def test_each_such_sentence_has_a_number_that_a_result_can_change(unit):
    numbers = re.compile(rf"\d|\b({'|'.join([*quoting.WORDS[1:], *quoting.TIMES.values()])})\b")
    sentences = list(unit())
    assert sentences and all(numbers.search(sentence) for sentence in sentences)


def test_another_result_is_told_with_the_sentence_that_it_changes(monkeypatch):
    rungs = [dict(row) for row in stored("ladder/transformer")["rungs"]]
    for row in rungs:
        if row["model"] == "transformer, small" and row["train_symbols"] == 30_000:
            row["nats"] = {"heldout": row["nats"]["heldout"] - 0.1}
    files = {"ladder/transformer": {**stored("ladder/transformer"), "rungs": rungs}}
    monkeypatch.setattr(quoting, "stored", lambda name, read=stored: files.get(name) or read(name))
    assert missing(transformer(), "transformer") == ["its distance to the counts falls from 0.31 to 0.12 nats"]
