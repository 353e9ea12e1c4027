"""What is stored of the experiments is whole, and says what the unit tells of it."""

import json
from pathlib import Path
from statistics import fmean

import pytest
from unrolled.experiments.bert.finetuning import TASKS
from unrolled.experiments.bert.retrieval import POOLS
from unrolled.experiments.bert.stored import EXPERIMENTS
from unrolled.experiments.tagging.agreement import by_distance

STORED = Path(__file__).parents[3] / "assets" / "bert"
SEEDS = range(3)


def stored(name):
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))


def of_seeds(rows, name, what="score", seeds=SEEDS):
    return [rows[f"{name}, seed {seed}"][what] for seed in seeds]


def ahead(better, worse, by=0.0):
    """With each seed, by any seed of the other."""
    return min(better) > max(worse) + by


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_row_of_an_experiment_is_stored_and_no_other(name):
    names = [row for row, _ in EXPERIMENTS[name]()]
    assert len(set(names)) == len(names)
    assert set(stored(name)) == set(names)
    assert all(row["seconds"]["cpu"] >= 0 for row in stored(name).values())


# --- fine-tuning -----------------------------------------------------------------------------------------------------


def bought(task, count):
    return [of_seeds(stored("labels"), f"{task}, {count} labels, {kind}") for kind in ("pre-trained", "from scratch")]


def test_for_parts_of_speech_100_sentences_are_worth_more_than_3000_from_scratch():
    for count in (100, 300, 1000, 3000):
        assert ahead(*bought("parts of speech", count), by=0.06)
    assert ahead(bought("parts of speech", 100)[0], bought("parts of speech", 3000)[1])


def test_for_film_reviews_next_to_nothing_is_bought():
    assert ahead(*bought("films", 100)) and max(map(max, bought("films", 100))) < 0.6
    known, fresh = bought("films", 300)
    assert ahead(fresh, known)
    known, fresh = bought("films", 1000)
    assert ahead([score for score in fresh if score > 0.52], known)
    assert sum(score < 0.52 for score in fresh) == 1  # learned nothing
    known, fresh = bought("films", 3000)
    assert 0.015 < fmean(fresh) - fmean(known) < 0.025


def test_reviews_read_before_help_a_little_with_many_labels_and_pairs_do_not():
    rows = stored("between")
    for seed in SEEDS:
        nats = rows[f"hidden pieces of reviews, seed {seed}"]["nats"]
        assert nats["after"] < nats["before"] - 1
    kinds = "reviews read", "pairs first"
    for count, (reviews, pairs) in {300: (0.01, 0.0), 1000: (0.01, -0.025), 3000: (0.025, 0.0)}.items():
        plain = bought("films", count)[0]
        gained = [fmean(of_seeds(rows, f"films, {count} labels, {kind}")) - fmean(plain) for kind in kinds]
        assert 0 < gained[0] < reviews and gained[1] < pairs
    read = of_seeds(rows, "films, 3000 labels, reviews read")
    assert all(more > less for more, less in zip(read, bought("films", 3000)[0], strict=True))
    assert ahead(bought("films", 1000)[0], of_seeds(rows, "films, 1000 labels, pairs first"))


def test_long_pairs_tell_more_of_what_follows_and_short_rows_stay_known():
    found = [stored("lengths")[f"pairs of {length}"]["heldout"] for length in (32, 64, 128)]
    assert found[0]["following right"] < found[1]["following right"] < found[2]["following right"]
    assert found[2]["following right"] > 0.84 and found[2]["following"] < 0.34
    assert all(each["masked"] < each["unigram"] - 3 for each in found)
    last = json.loads((STORED / "small" / "log.json").read_text(encoding="utf-8"))[-1]
    assert last["step"] == 40_000 and abs(last["heldout"]["masked"] - found[2]["masked"]) < 1e-3


def test_every_task_is_learned_and_the_first_piece_is_the_better_one():
    rows = stored("tasks")
    for name in TASKS:
        guessed = rows[f"{name}, the commonest label"]["score"]
        assert min(of_seeds(rows, name)) > guessed + 0.15
    assert min(of_seeds(rows, "intents")) > 0.92 and max(of_seeds(rows, "pairs")) < 0.57
    assert ahead(of_seeds(rows, "slots"), of_seeds(rows, "slots, every piece"), by=0.015)
    assert ahead(of_seeds(rows, "parts of speech"), of_seeds(rows, "parts of speech, every piece"))


def test_the_rates_of_large_nets_do_not_move_the_small_one():
    rows = stored("grid")
    for batch in (16, 32):
        found = {rate: rows[f"batch {batch}, rate {rate}, seed 0"] for rate in (3e-6, 2e-5, 5e-5, 5e-4, 1e-3)}
        for rate in (3e-6, 2e-5, 5e-5):
            assert found[rate]["score"] < 0.52 and found[rate]["last losses"] > 0.67
        assert min(found[rate]["score"] for rate in (5e-4, 1e-3)) > 0.6


def test_at_a_high_rate_three_of_ten_seeds_fail_and_at_the_usual_one_none():
    rows = stored("seeds")
    for rate, failed in ((0.0005, 0), (0.003, 3)):
        losses = of_seeds(rows, f"rate {rate}", "last losses", range(10))
        assert sum(loss > 0.68 for loss in losses) == failed
    usual = of_seeds(rows, "rate 0.0005", "test", range(10))
    assert 0.53 < min(usual) < max(usual) < 0.61 and max(usual) - min(usual) > 0.055
    best = {
        rate: max(range(10), key=of_seeds(rows, f"rate {rate}", "dev", range(10)).__getitem__) for rate in (5e-4, 3e-3)
    }
    assert usual[best[5e-4]] < fmean(usual)  # what is best on dev need not be on test
    high = of_seeds(rows, "rate 0.003", "test", range(10))
    assert high[best[3e-3]] > fmean(high) + 0.02


def test_a_span_is_found_better_with_what_was_read_and_that_there_is_none_is_not():
    rows = stored("questions")
    for what in ("exact", "f1", "exact_of_answered", "f1_of_answered"):
        assert ahead(of_seeds(rows, "pre-trained", what), of_seeds(rows, "from scratch", what), by=0.05)
    none = [of_seeds(rows, kind, "none") for kind in ("pre-trained", "from scratch")]
    assert not ahead(*none) and 0.86 < min(map(min, none)) < max(map(max, none)) < 0.9


# --- vectors ---------------------------------------------------------------------------------------------------------


def test_senses_are_told_apart_by_nets_that_have_read():
    rows = stored("senses")
    last = {name: row["told apart"] for name, row in rows.items()}
    for name in ("small net", "MiniLM"):
        assert all(layers[-1] > 0.9 for layers in last[name].values())
    for seed in SEEDS:
        assert max(rows[f"small net, untrained, seed {seed}"]["mean of the words"]) < 0.66
    around = last["the words around it, static"].values()
    assert fmean(around) < rows["small net"]["mean of the words"][-1] - 0.14
    growing = rows["small net"]["mean of the words"]
    assert growing[0] < 0.6 < growing[1] < growing[2] and min(growing[2:]) > 0.89


def test_a_masked_nets_vectors_do_not_find_what_counting_words_finds():
    rows = stored("search")
    found = {name: row["recall at 1"] for name, row in rows.items()}
    assert all(found[f"small net, {pool}"] < found["TF-IDF"] - 0.1 for pool in POOLS)
    assert found["small net, mean"] < max(of_seeds(rows, "small net, untrained, mean", "recall at 1"))
    assert found["small net, [CLS]"] < min(of_seeds(rows, "small net, untrained, [CLS]", "recall at 1"))
    assert found["MiniLM, mean"] > found["MiniLM, max"] > found["MiniLM, [CLS]"] > found["TF-IDF"]


def test_ranking_again_needs_what_was_read_and_is_no_help_even_so():
    rows = stored("search")
    known, fresh = (
        of_seeds(rows, f"TF-IDF, ranked again, {kind}", "recall at 1") for kind in ("pre-trained", "from scratch")
    )
    assert ahead(known, fresh, by=0.25) and ahead([rows["TF-IDF"]["recall at 1"]], known, by=0.05)
    assert rows["TF-IDF"]["among the first ten"] > 0.95


# --- real weights, long texts, smaller nets --------------------------------------------------------------------------


def test_what_was_read_decides():
    rows, small = stored("minilm"), stored("tasks")
    for name, least in (("parts of speech", 0.96), ("films", 0.83)):
        assert rows[f"{name}, seed 0"]["score"] > least
        assert rows[f"{name}, seed 0"]["score"] > max(of_seeds(small, name)) + 0.06


def test_where_a_chapter_is_cut_matters():
    rows = stored("cuts")
    head, both, windows, tail = (of_seeds(rows, way) for way in ("head", "head and tail", "windows", "tail"))
    for middling in (both, windows):
        assert ahead(head, middling, by=0.05) and ahead(middling, tail, by=0.05)
    assert min(tail) > 5 * rows["chapters"]["commonest book"]


def test_eight_bits_cost_nothing_that_shows_and_two_cost_nearly_all():
    rows = stored("smaller")
    for name in ("films", "intents"):
        for bits in of_seeds(rows, f"{name}, bits", "bits"):
            assert abs(bits["8"]["score"] - bits["32"]["score"]) < 0.006
            assert bits["8"]["bytes"] < 0.27 * bits["32"]["bytes"]
            assert bits["2"]["score"] < bits["32"]["score"] - 0.09
        lost = [bits["32"]["score"] - bits["4"]["score"] for bits in of_seeds(rows, f"{name}, bits", "bits")]
        assert all(0.015 < each < 0.035 for each in lost) if name == "intents" else max(lost) < 0.135


def test_heads_go_and_are_missed_more_and_more():
    rows = stored("smaller")
    for heads in of_seeds(rows, "intents, heads", "heads"):
        scores = [row["score"] for row in heads]
        assert len(heads) == 13 and [row["gone"] for row in heads] == list(range(13))
        assert scores[4] > scores[0] - 0.05 and scores[0] - 0.215 < scores[8] < scores[0] - 0.105
        assert scores[12] < scores[0] - 0.4
    assert 0.75 < rows["one head a layer"]["time"] < 0.9


def test_what_books_taught_helps_a_verb_find_its_subject():
    rows = {name: {name: row} for name, row in stored("agreement").items()}
    shares = {name: next(iter(by_distance(json.dumps(row)).values())) for name, row in rows.items()}
    assert shares["BERT, as shipped"][0] > 0.95 and max(shares["BERT, as shipped"][1:]) < 0.56
    following = [
        share for share, asked in stored("agreement")["BERT, as shipped"]["distractors"].values() if asked > 50
    ]
    assert following == sorted(following, reverse=True) and following[1] < 0.45
    read, fresh = ([shares[f"BERT, {kind}, seed {seed}"] for seed in SEEDS] for kind in ("read on", "from scratch"))
    for group in range(5):
        assert ahead([each[group] for each in read], [each[group] for each in fresh])
        assert min(each[group] for each in read) > shares["BERT, as shipped"][group]


def test_after_a_short_reading_the_one_way_net_is_ahead():
    rows = stored("directions")
    both, one = rows["both sides"], rows["one way"]
    assert both["steps"] == one["steps"] == 1500
    assert one["heldout"]["pieces hidden from BERT"] < both["heldout"]["masked"] < both["heldout"]["unigram"] - 1.5
    for name in ("intents", "parts of speech"):
        assert ahead(of_seeds(rows, f"{name}, one way"), of_seeds(rows, f"{name}, both sides"), by=0.01)
    for way in ("one way", "both sides"):
        known, fresh = (of_seeds(rows, f"parts of speech, {way}{start}") for start in ("", ", from scratch"))
        assert ahead(known, fresh, by=0.02)
        known, fresh = (of_seeds(rows, f"intents, {way}{start}") for start in ("", ", from scratch"))
        assert not ahead(known, fresh)


def test_less_to_read_is_a_worse_start_and_no_order_a_worse_one_than_none():
    rows, ways = stored("poorer"), stored("directions")
    assert abs(rows["one book"]["heldout"]["masked"] - rows["words shuffled"]["heldout"]["unigram"]) < 0.05
    assert rows["words shuffled"]["heldout"]["masked"] < rows["words shuffled"]["heldout"]["unigram"] - 0.5
    every, drawn = (of_seeds(ways, f"parts of speech, both sides{start}") for start in ("", ", from scratch"))
    one, shuffled = (of_seeds(rows, f"parts of speech, {books}") for books in ("one book", "words shuffled"))
    assert ahead(every, one, by=0.005) and ahead(one, drawn, by=0.01) and ahead(drawn, shuffled, by=0.01)
    intents = [of_seeds(rows, f"intents, {books}") for books in ("one book", "words shuffled")]
    assert not ahead(of_seeds(ways, "intents, both sides"), intents[0]) and not ahead(*intents)
