"""The pages that are no unit: made from what the course keeps, so that they change with it and name what is there."""

import importlib
import inspect
import json
import re
import shutil

import pytest
from book_built import ROOT, small_course
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.course import Course, Trouble
from book import shown
from book.pages import drawings, front, guides, ladder, unit_map, words, writing

COURSE = Course(ROOT, ROOT / "solutions")
UNITS = [assignment.notebook for assignment in COURSE.assignments()]


def prose(unit: str) -> str:
    """A unit's source with its lines joined, in small letters."""
    return re.sub(r"\s+", " ", COURSE.assignment(unit).source.read_text("utf-8")).casefold()


@pytest.fixture
def stored(tmp_path):
    """A course that has the ladder's results in a folder of its own; returns it and a way to change a rung."""
    folder = tmp_path / "assets" / "ladder"
    shutil.copytree(ROOT / "assets" / "ladder", folder)

    def change(file: str, of: dict, **new):
        path = folder / f"{file}.json"
        result = json.loads(path.read_text())
        (row,) = [row for row in result["rungs"] if all(row[key] == value for key, value in of.items())]
        row |= new
        path.write_text(json.dumps(result))

    return Course(tmp_path, ROOT / "solutions"), change


# --- the ladder

LARGER = {"model": "LSTM, larger", "text": "shakespeare"}


def test_a_changed_result_changes_table_sentence_figure_and_its_words(stored, tmp_path):
    course, change = stored
    before = writing.written("ladder", course, tmp_path / "before")
    loss = json.loads((ROOT / "assets" / "ladder" / "lstm.json").read_text())
    (row,) = [row for row in loss["rungs"] if row["model"] == "LSTM, larger"]
    assert f"{row['nats']['heldout']:.4f} ± {row['spread']['heldout']:.4f}" in before
    change("lstm", LARGER, nats={"heldout": 1.2345}, spread={"heldout": 0.0678})
    after = writing.written("ladder", course, tmp_path / "after")
    assert "1.2345 ± 0.0678" in after and "**LSTM, larger**: 1.2345" in after
    assert "to LSTM, larger with 1.234" in after or "down to LSTM, larger with 1.23" in after
    assert f"{row['nats']['heldout']:.4f}" not in after
    for name in ("rungs", "times"):
        pictures = [
            (tmp_path / when / "figures" / f"{name}-shakespeare.png").read_bytes() for when in ("before", "after")
        ]
        assert pictures[0] != pictures[1]


def test_the_same_results_give_the_same_page(stored, tmp_path):
    course, _ = stored
    pages = [writing.written("ladder", course, tmp_path / when) for when in "ab"]
    assert pages[0] == pages[1]
    files = [sorted((tmp_path / when / "figures").iterdir()) for when in "ab"]
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]


def test_no_number_is_typed_on_the_ladders_page():
    text = (ROOT / "book" / "pages" / "ladder.md").read_text("utf-8")
    assert re.findall(r"\d", re.sub(r"\{[{%].*?[%}]\}", "", text)) == []


def test_every_rung_on_a_whole_text_has_its_row_and_its_dot():
    found = ladder.read(ROOT / "assets" / "ladder", UNITS)
    table = ladder.rung_table(found, "shakespeare", str)
    for file in (ROOT / "assets" / "ladder").glob("[!p]*.json"):
        result = json.loads(file.read_text())
        for row in result["rungs"]:
            if row["text"] == "shakespeare" and row["train_symbols"] == 1_003_854 and "heldout" in row["nats"]:
                assert f"| {row['nats']['heldout']:.4f}" in table
    names = [rung.name for rung in found.of("shakespeare")]
    assert len(names) == len(set(names)), "one rung, two rows"
    losses = [rung.loss for rung in found.of("shakespeare")]
    assert losses == sorted(losses, reverse=True)
    assert not [rung for rung in found.rungs if "trial" in rung.model]


def test_every_published_figure_stands_with_its_source(tmp_path):
    page = writing.written("ladder", COURSE, tmp_path)
    for figure in json.loads((ROOT / "assets" / "ladder" / "published.json").read_text())["figures"]:
        (line,) = [line for line in page.splitlines() if figure["model"] in line and figure["source"] in line]
        assert all(str(loss) in line for loss in figure["nats"].values())


def test_a_rung_of_two_units_is_one_with_the_seconds_of_both():
    found = ladder.read(ROOT / "assets" / "ladder", UNITS)
    (elman,) = [rung for rung in found.of("shakespeare") if rung.name == "Elman RNN"]
    assert elman.unit == "elman_rnn" and elman.processor is not None
    assert elman.seconds["fit"] == pytest.approx(58.1)  # of the unit that has it first


def test_where_nothing_is_stored_the_page_says_how_to_run_it(tmp_path):
    page = writing.written("ladder", Course(tmp_path, ROOT / "solutions"), tmp_path)
    assert "python benchmarks/ladder.py` runs the rungs" in page and "![" not in page


def test_a_result_that_is_none_is_named_in_one_line(tmp_path):
    (tmp_path / "lstm.json").write_text("{")
    with pytest.raises(Trouble, match="lstm.json is no result of benchmarks/ladder.py") as caught:
        ladder.read(tmp_path, UNITS)
    assert "\n" not in str(caught.value)


def test_the_words_of_a_figure_tell_its_ends(tmp_path):
    found = ladder.read(ROOT / "assets" / "ladder", UNITS)
    rungs = found.of("names")
    words = drawings.draw_rungs(found, "names", tmp_path / "x.png")
    assert rungs[0].name in words and rungs[-1].name in words and f"{rungs[-1].loss:.3f}" in words


# --- the map


def test_each_unit_is_a_stop_with_its_question_and_what_breaks():
    stops = unit_map.stops(COURSE)
    assert [stop.name for stop in stops] == UNITS
    drawn = unit_map.drawn(stops)
    start = "".join(
        "".join(cell["source"]) for cell in json.loads((ROOT / "course" / "start.ipynb").read_text())["cells"]
    )
    for stop in stops:
        assert stop.breaks, f"book/pages/units.toml does not say what breaks in {stop.name}"
        assert stop.question and stop.question in start
        assert f'href="{stop.page}.html"' in drawn
        assert (ROOT / "book" / "pages" / "pictograms" / f"{stop.name}.svg").exists()
    assert drawn.count("<svg") == len(UNITS)
    assert drawn.count('aria-hidden="true"') == len(UNITS)  # the list itself says all there is to say


def test_a_unit_that_no_start_page_has_is_on_the_map_by_its_own_title():
    (stop,) = unit_map.stops(small_course())
    assert (stop.title, stop.question, stop.breaks) == ("1 · A coin, tossed", "", None)
    assert "01_coins.html" in unit_map.drawn([stop]) and "What breaks" not in unit_map.drawn([stop])


# --- notation and glossary


@pytest.mark.parametrize(
    "name", sorted({name for group in words.notation() for row in group["symbols"] for name in row.get("code", [])})
)
def test_each_code_name_of_the_notation_is_in_the_package(name):
    module, *path = name.split(".")
    found = importlib.import_module(f"unrolled.{module}")
    source = inspect.getsource(found)
    for step, part in enumerate(path):
        if hasattr(found, part):
            found = getattr(found, part)
        else:  # a parameter that only an instance has, or a field without a default
            assert step == len(path) - 1 and inspect.isclass(found)
            assert re.search(rf"\bself\.{part}\b|^    {part}: ", source, re.MULTILINE)


def test_each_symbol_has_a_unit_and_each_row_as_many_columns():
    for group in words.notation():
        assert all(row["unit"] in UNITS for row in group["symbols"])
        rows = words.symbol_table(group, str).splitlines()
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
        assert "symbol" in rows[0] and "unit" in rows[0]


@pytest.mark.parametrize("entry", words.glossary(), ids=lambda entry: entry["term"])
def test_a_term_is_told_by_the_unit_that_brings_it(entry):
    word = entry.get("bold", entry["term"]).casefold()
    assert word in prose(entry["unit"])
    bold = [unit for unit in UNITS if f"**{word}" in prose(unit)]
    assert not bold or bold[0] == entry["unit"], f"{bold[0]} has it in bold before"
    assert len(re.findall(r"[.:](?= |$)|\)$", entry["says"])) <= 5


def test_no_result_is_typed_in_the_glossary():
    assert not [entry["term"] for entry in words.glossary() if re.search(r"\d\.\d|\d %", entry["says"])]


# --- the guides


def test_the_guides_are_those_of_the_repository_word_for_word(tmp_path):
    for page, file in (("teaching", "TEACHING.md"), ("authoring", "CONTRIBUTING.md")):
        plain = re.sub(r"[\s`]+", " ", writing.written(page, COURSE, tmp_path))
        for name, text in guides.parts((ROOT / file).read_text("utf-8")).items():
            if page == "teaching" or name in writing.OF_AN_AUTHOR:
                for paragraph in re.split(r"\n\n", guides.FILE_LINK.sub(r"\1", text)):
                    if not paragraph.startswith("    "):
                        assert re.sub(r"[\s`]+", " ", paragraph).strip() in plain, (file, name)


def test_every_command_for_a_class_stands_at_a_glance():
    shown_commands = guides.commands(ROOT / "TEACHING.md")
    for command in re.findall(r"^ {4}(autograder .+)$", (ROOT / "TEACHING.md").read_text("utf-8"), re.MULTILINE):
        assert re.sub(r" {2,}", "  ", command) in shown_commands


def test_indented_code_gets_a_fence_with_its_language(tmp_path):
    file = tmp_path / "GUIDE.md"
    file.write_text(
        "# T\n\nRead [this](OTHER.md), [that](https://x.y).\n\n    make lab\n\n    [due]\n\n1. item\n   more\n"
    )
    text = guides.guide(file)
    assert "```toml\nmake lab\n\n[due]\n```" in text and "    make" not in text
    assert "Read this, [that](https://x.y)." in text and "1. item\n   more" in text
    file.write_text("# T\n\n## A\n\ntext\n\n    autograder grade x  # grades\n")
    assert "```bash\nautograder grade x  # grades\n```" in guides.guide(file)
    assert guides.commands(file) == "**A**\n\n```bash\nautograder grade x  # grades\n```"


def test_a_guide_that_is_missing_or_lacks_a_section_is_one_line(tmp_path):
    with pytest.raises(Trouble, match="TEACHING.md cannot be read"):
        guides.guide(tmp_path / "TEACHING.md")
    (tmp_path / "GUIDE.md").write_text("# T\n\n## A\n\ntext\n")
    with pytest.raises(Trouble, match="GUIDE.md has no section “B”"):
        guides.guide(tmp_path / "GUIDE.md", ["B"])


# --- the front page


def notebook_with(*kinds: str):
    """A notebook that shows a widget of each kind."""
    models = {kind: {"model_module": "anywidget", "state": {"_anywidget_id": f"a.b.{kind}"}} for kind in kinds}
    views = [new_output("display_data", {shown.WIDGET_VIEW: {"model_id": kind}, "text/plain": kind}) for kind in kinds]
    cells = [new_code_cell("x", outputs=[view]) for view in views]
    return new_notebook(cells=cells, metadata={"widgets": {shown.WIDGET_STATE: {"state": models}}})


def test_the_front_page_shows_one_widget_of_the_course_and_its_state_alone():
    units = {"01_a": notebook_with("Other", "LSTMCellDiagram"), "02_b": notebook_with("NGramExplorer", "Third")}
    page = front.front_page(units)
    outputs = [output for cell in page.cells for output in cell.get("outputs", [])]
    assert [output.data[shown.WIDGET_VIEW]["model_id"] for output in outputs] == ["NGramExplorer"]
    assert list(page.metadata.widgets[shown.WIDGET_STATE]["state"]) == ["NGramExplorer"]
    assert front.front_page(units) == page


def test_a_front_page_without_any_widget_has_its_text():
    page = front.front_page({"01_a": new_notebook()})
    assert [cell.cell_type for cell in page.cells] == ["markdown", "markdown"]
    assert page.cells[0].source.startswith("# Unrolled")


# --- the page on data


def test_every_set_that_a_unit_reads_and_every_package_that_makes_one_is_on_the_page():
    from book.source import data_page

    page = data_page(ROOT / "course" / "unrolled" / "data" / "datasets.toml") + writing.data_tail(COURSE)
    folders = (ROOT / "solutions", ROOT / "course" / "unrolled" / "experiments")
    texts = [
        path.read_text("utf-8") for folder in folders for path in folder.rglob("*.*") if path.suffix in (".md", ".py")
    ]
    read = {name for text in texts for name in re.findall(r"\b(?:data\.)?(?:load|path|source)\(\"(\w+)\"", text)}
    assert read and not [name for name in read if f'load("{name}")' not in page]
    used = {
        name for text in texts for name in re.findall(r"^\s*(?:from|import) (num2words|babel)\b", text, re.MULTILINE)
    }
    assert used == set(writing.PHRASES)
    for name in used:
        assert re.search(rf"`{name}` [\d.]+\. Licence: \S+", page)
    assert "CC BY 4.0" in page and "MIT" in page
