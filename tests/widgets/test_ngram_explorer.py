"""The n-gram explorer without a browser: its Python side, and in Node the arithmetic of its JavaScript."""

import random
import re

import numpy as np
import pytest
import torch
from unrolled.ngrams import AddK, KneserNey, MaximumLikelihood
from unrolled.vocabulary import Vocabulary
from unrolled.widgets.modules import join_module
from unrolled.widgets.ngram_explorer import NGramExplorer
from widget_page import Table, assert_asks_nobody, assert_node_agrees, state_of

pytestmark = pytest.mark.unit("ngrams")

SENTENCES = (
    "the miller counts the sacks and the cat counts the mice",
    "a cat that sleeps on the sacks counts nothing at all",
    "when the mill stands still the mice come out and dance",
    "the miller's daughter writes each number in a small book",
    "nobody counts the stars, the miller said; the cat agreed",
)


def make_text(sentences: int = 60) -> str:
    """Every other sentence has its words in disorder, so that there are rare n-grams as well as frequent ones."""
    rng, text = random.Random(1), ""
    for i in range(sentences):
        words = rng.choice(SENTENCES).split()
        text += " ".join(words if i % 2 else rng.sample(words, len(words))) + rng.choice((".\n", "!\n", ". "))
    return text


TEXT = make_text()
WORDS = re.findall(r"[a-z']+|[.,;!]|\n", TEXT)


@pytest.fixture(scope="module")
def explorer():
    return NGramExplorer(TEXT, context="the mi")


# --- the numbers


@pytest.mark.parametrize("order", [1, 2, 3, 6])
def test_next_probs_are_those_of_the_course_models(explorer, order):
    vocabulary = Vocabulary.of(TEXT)
    ids = vocabulary.encode(TEXT)
    context = vocabulary.encode(explorer.context[-(order - 1) :] if order > 1 else "")
    size = len(vocabulary)
    twins = {
        "kneser_ney": KneserNey(order, size),
        "mle": MaximumLikelihood(order, size),
        "add_k": AddK(order, size, added=explorer.k),
    }
    for smoothing, model in twins.items():
        expected = model.fit(ids).next_probs(context).numpy()
        np.testing.assert_allclose(explorer.next_probs(order, smoothing), expected, rtol=1e-12, atol=0)


def test_seen_counts_only_what_has_a_successor():
    explorer = NGramExplorer("abcab", max_order=3, context="ab")
    assert [explorer.seen(n) for n in (1, 2, 3)] == [5, 1, 1]  # the last "b" and the last "ab" end the text


def test_a_context_never_seen_has_no_maximum_likelihood():
    explorer = NGramExplorer("abcab", max_order=3, context="cb")
    assert explorer.seen(3) == 0
    assert explorer.next_probs(3, "mle") is None
    np.testing.assert_allclose(explorer.next_probs(3, "add_k"), np.full(3, 1 / 3))
    assert explorer.next_probs(3, "kneser_ney").sum() == pytest.approx(1)


def test_a_context_too_short_has_no_answer():
    explorer = NGramExplorer("abcab", max_order=3, context="a")
    assert explorer.next_probs(3) is None
    assert explorer.seen(3) is None
    assert explorer.next_probs(2) is not None


def test_an_unknown_symbol_is_never_seen_unless_the_vocabulary_has_a_stand_in():
    explorer = NGramExplorer("abcab", max_order=3, context="Zb")
    assert [explorer.seen(n) for n in (1, 2, 3)] == [5, 1, 0]
    words = Vocabulary.of(WORDS, minimum_count=15, unknown="<unk>")
    with_stand_in = NGramExplorer(words.encode(WORDS), symbols=words, context="the zebra", max_order=2)
    assert with_stand_in.unknown == words.unknown
    assert with_stand_in.seen(2) == (words.encode(WORDS)[:-1] == words.unknown).sum() > 0


def test_discounts_are_those_of_the_models(explorer):
    ids, size = Vocabulary.of(TEXT).encode(TEXT), len(explorer.symbols)
    assert explorer.discounts[2]["raw"] == KneserNey(3, size).fit(ids).discounts(3).tolist()
    assert explorer.discounts[2]["continuation"] == KneserNey(6, size).fit(ids).discounts(3).tolist()
    assert explorer.discounts[2]["raw"] != explorer.discounts[2]["continuation"]


# --- what is read and sent


def test_a_string_words_and_ids_are_read_alike():
    vocabulary = Vocabulary.of(WORDS)
    ids = vocabulary.encode(WORDS)
    explorers = [
        NGramExplorer(WORDS, max_order=3, context="the cat"),
        NGramExplorer(ids, max_order=3, context="the cat", symbols=vocabulary),
        NGramExplorer(ids.numpy(), max_order=3, context="the cat", symbols=vocabulary.symbols),
        NGramExplorer(ids.tolist(), max_order=3, context="the cat", symbols=vocabulary.symbols),
    ]
    first, *others = explorers
    assert first.unit == "words"
    for other in others:
        assert (other.ids, other.symbols, other.discounts) == (first.ids, first.symbols, first.discounts)


@pytest.mark.parametrize(("size", "width"), [(2, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 4)])
def test_a_symbol_takes_as_few_bytes_as_it_can(size, width):
    ids = [0, size - 1, 0, 1, 0, size - 1]
    explorer = NGramExplorer(ids, max_order=1, symbols=[f"w{i}" for i in range(size)])
    assert explorer.id_bytes == width
    assert np.frombuffer(explorer.ids, f"<u{width}").tolist() == ids


def test_a_long_text_is_cut_and_the_cut_is_told():
    explorer = NGramExplorer(TEXT, max_symbols=500)
    assert len(explorer.ids) == 500
    assert explorer.description.startswith(f"Counted on the first 500 of {len(TEXT):,} characters")
    assert NGramExplorer(TEXT).description.startswith(f"Counted on all {len(TEXT):,} characters")


def test_a_vocabulary_of_characters_may_hold_marks():
    explorer = NGramExplorer([0, 1, 2, 1, 2, 1], max_order=2, symbols=["<s>", "a", "b"], context="<s>ab")
    assert explorer.unit == "characters"
    assert explorer.tokens() == ["<s>", "a", "b"]


def test_a_newline_is_a_word_where_the_text_has_it_as_one():
    assert NGramExplorer(WORDS, context="the \n cat").tokens() == ["the", "\n", "cat"]
    words = [w for w in WORDS if w != "\n"]
    assert NGramExplorer(words, context=" the\n cat ").tokens() == ["the", "cat"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (dict(text_or_ids=""), "the text is empty"),
        (dict(text_or_ids="abc"), "3 symbols: too few for order 6"),
        (dict(text_or_ids=7), "got int"),
        (dict(text_or_ids=[0, 1, 0]), "say what they stand for"),
        (dict(text_or_ids=[0, 1, 2], symbols=["a", "b"]), "ids run from 0 to 2, but there are 2 symbols"),
        (dict(text_or_ids=[0, -1, 1], symbols=["a", "b"]), "ids run from -1"),
        (dict(text_or_ids=[[0, 1], [1, 0]], symbols=["a", "b"]), "shape (2, 2)"),
        (dict(text_or_ids=torch.tensor([0.5, 1.0]), symbols=["a", "b"]), "float"),
        (dict(text_or_ids=[0, 1, 0], symbols=["a", "a"]), "none twice"),
        (dict(text_or_ids=[0, 1, 0], symbols=["a", ""]), "none empty"),
        (dict(text_or_ids=["new york", "paris"] * 9), "'new york' has a space inside"),
        (dict(text_or_ids="abcdz" * 9, symbols=list("abcd")), "'z' is not in the vocabulary"),
        (dict(text_or_ids=TEXT, max_order=0), "max_order is 0"),
        (dict(text_or_ids=TEXT, max_order=9), "from 1 to 8"),
        (dict(text_or_ids=TEXT, max_order=2.5), "must be an integer"),
        (dict(text_or_ids=TEXT, max_symbols=0), "max_symbols is 0"),
        (dict(text_or_ids=TEXT, order=7), "order is 7: it must be from 1 to max_order"),
        (dict(text_or_ids=TEXT, smoothing="katz"), "'katz'"),
        (dict(text_or_ids=TEXT, k=0.0), "k is 0.0: it must be above 0"),
        (dict(text_or_ids=TEXT, temperature=-1.0), "temperature is -1.0"),
        (dict(text_or_ids=TEXT, seed=-1), "seed is -1"),
        (dict(text_or_ids=TEXT, colour="red"), "there is no 'colour'"),
        (dict(text_or_ids=TEXT, context=None), "context is None"),
    ],
)
def test_bad_input_gets_one_line(arguments, says):
    with pytest.raises(ValueError) as error:
        NGramExplorer(**arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_trait_set_later_is_held_to_the_same_rules(explorer):
    with pytest.raises(ValueError, match="temperature is -2.0"):
        explorer.temperature = -2.0
    assert explorer.temperature == 1.0


# --- the table beside the view


def test_the_table_shows_the_distribution_of_every_order(explorer):
    data, _ = explorer._repr_mimebundle_()
    table = Table(data["text/html"])
    head, seen, *symbols = table.rows
    assert head[1:] == [f"order {n}" for n in range(1, 7)]
    assert seen[1:] == [f"{explorer.seen(n):,} ×" for n in range(1, 7)]
    best = explorer.next_probs(6)
    assert symbols[0][0] == explorer.symbols[best.argmax()]
    assert symbols[0][6] == f"{100 * best.max():.1f} %"
    assert "after “the␣mi”, Kneser–Ney of order 6 expects" in table.caption
    assert data["text/plain"].startswith("n-gram explorer: after “the␣mi”")
    assert "application/vnd.jupyter.widget-view+json" in data


def test_the_table_marks_what_has_no_answer_and_escapes_the_text():
    explorer = NGramExplorer("<b>&<b>&<i>", max_order=3, context="&&", smoothing="mle")
    html = explorer._repr_mimebundle_()[0]["text/html"]
    assert "<b>" not in html and "“&amp;&amp;”" in html
    assert all(row[3] == "–" for row in Table(html).rows[2:])


# --- the JavaScript


def test_a_module_takes_the_place_of_its_import(tmp_path):
    (tmp_path / "a.js").write_text('import {\n  one, two,\n} from "./b.js";\nexport default one;\n')
    (tmp_path / "b.js").write_text("export const one = 1, two = 2;\n")
    assert join_module(tmp_path / "a.js") == "export const one = 1, two = 2;\nexport default one;\n"


def test_so_do_styles(tmp_path):
    (tmp_path / "a.css").write_text('/* a */\n@import "./b.css";\n.a { color: red; }\n')
    (tmp_path / "b.css").write_text(".b { color: blue; }\n")
    assert join_module(tmp_path / "a.css") == "/* a */\n.b { color: blue; }\n.a { color: red; }\n"


def test_what_stands_above_comes_in_once(tmp_path):
    folder = tmp_path / "widget"
    folder.mkdir()
    (tmp_path / "shared.js").write_text("export const one = 1;\n")
    (folder / "a.js").write_text(
        'import { one } from "../shared.js";\nimport { two } from "./b.js";\nexport default two;\n'
    )
    (folder / "b.js").write_text('import { one } from "../shared.js";\nexport const two = one + 1;\n')
    joined = join_module(folder / "a.js")
    assert joined == "export const one = 1;\nexport const two = one + 1;\nexport default two;\n"


def test_the_widget_asks_nobody_and_writes_no_markup(explorer):
    assert_asks_nobody(explorer)


def case(name: str, explorer: NGramExplorer, contexts: list[str]) -> dict:
    """A corpus, and what Python says after each context: tokens and, for each order, counts and distributions."""
    answers = []
    for explorer.context in contexts:
        orders = []
        for n in range(1, explorer.max_order + 1):
            probs = {method: explorer.next_probs(n, method) for method in ("mle", "add_k", "kneser_ney")}
            probs = {method: None if p is None else p.tolist() for method, p in probs.items()}
            orders.append({"seen": explorer.seen(n), **probs})
        answers.append({"context": explorer.context, "tokens": explorer.tokens(), "orders": orders})
    state = {key: value for key, value in state_of(explorer).items() if not key.startswith("_")}
    return {"name": name, "state": state, "contexts": answers}


def cases() -> list[dict]:
    rng = random.Random(2)
    places = [rng.randrange(len(TEXT) - 12) for _ in range(25)]
    frequent = Vocabulary.of(WORDS, minimum_count=15, unknown="<unk>")
    noise = "".join(rng.choice("abc") for _ in range(400))
    wide = [f"w{rng.randrange(300)}" for _ in range(3000)]
    return [
        case("characters", NGramExplorer(TEXT), ["", "t", "zzz", "the Q", "Qthe", *(TEXT[i : i + 9] for i in places)]),
        case("beginning", NGramExplorer("Xab" + noise, max_order=4), ["X", "Xa", "Xab", "ab", noise[-3:]]),
        case("tiny", NGramExplorer("abcab", max_order=4), ["", "a", "ab", "abc", "bca", "cab"]),
        case("words", NGramExplorer(WORDS, max_order=4), ["", "the", "the cat zebra", "cat \n the", "the miller"]),
        case("unknown", NGramExplorer(frequent.encode(WORDS), 3, symbols=frequent), ["the zebra", "zebra the", "cat"]),
        case("two bytes", NGramExplorer(wide, max_order=3, k=0.5), ["", wide[0], " ".join(wide[7:9]), "w1 w1"]),
    ]


def test_javascript_counts_as_python_does(tmp_path, explorer):
    assert_node_agrees("ngram_explorer", explorer, cases(), tmp_path)
