"""The book's builder up to Jupyter Book, the command and the whole. The pages after it are in test_book_pages.py."""

import json
import os
import py_compile
import shutil
import tomllib

import nbformat
import pytest
from book_built import ROOT, SOLUTION, cell, course_with, needs_mathjax, small_book, small_course, soup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from rich.console import Console
from unrolled.widgets.tables import AGAIN

from autograder.course import Assignment, Course, Trouble
from book import __main__ as command
from book import browser, execute, kept, leaks, shown, site, source, verify
from book.pages import PAGES
from book.pages.writing import TEXTS

LAUNCH = '{repository: "https://github.com/somebody/unrolled", branch: main, hub: "https://hub.example.org"}'


def quiet(number: int, total: int) -> None:
    """A progress that shows nothing."""


# --- execute


def test_an_unchanged_unit_is_not_run_again(tmp_path, monkeypatch):
    text = "# Tiny\n\n" + cell("import os\nprint(os.environ['UNROLLED_SCALE'], 6 * 7)")
    course, store, numbers = course_with(tmp_path, text), tmp_path / "store", []
    first = execute.executed(course.assignment("01_tiny"), store, "smoke", lambda *state: numbers.append(state))
    assert first.cells[1].outputs[0].text == "smoke 42\n"
    assert numbers[-1] == (2, 2)
    monkeypatch.setattr(execute, "run", lambda *given: pytest.fail("ran again"))
    again = execute.executed(course.assignment("01_tiny"), store, "smoke", quiet)
    assert again.cells[1].outputs == first.cells[1].outputs


def test_a_new_run_takes_the_place_of_the_outdated_one(tmp_path, monkeypatch):
    monkeypatch.setattr(execute, "run", lambda *given: None)
    store = tmp_path / "store"
    for text in ("# A\n", "# B\n"):
        execute.executed(course_with(tmp_path, text).assignment("01_tiny"), store, "smoke", quiet)
    execute.executed(course_with(tmp_path, "# B\n").assignment("01_tiny"), store, "cpu", quiet)
    assert sorted(path.name.split(".")[1] for path in store.iterdir()) == ["cpu", "smoke"]


def test_hidden_tests_are_cut_before_running(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(execute, "run", lambda notebook, *rest: seen.append(notebook.cells[1].source))
    about = {**SOLUTION, "grade_id": "f-check", "solution": False, "grade": True, "points": 1}
    hidden = "### BEGIN HIDDEN TESTS\nassert secret\n### END HIDDEN TESTS\ncheck(f, points=1)"
    text = cell("def f(): ...", ":tags: [exercise]\n\n") + cell(hidden, f"---\nnbgrader: {json.dumps(about)}\n---\n")
    execute.executed(course_with(tmp_path, text).assignment("01_tiny"), tmp_path / "store", "smoke", quiet)
    assert seen == ["check(f, points=1)"]


def test_a_failing_cell_is_named_and_its_run_not_stored(tmp_path):
    head = f"---\nnbgrader: {json.dumps(SOLUTION)}\n---\n"
    check = cell("check(double, points=1)", ":tags: [check]\n\n")
    course = course_with(tmp_path, "# Tiny\n\n" + cell("x = 1") + cell("\n{}['a key']", head) + check)
    with pytest.raises(Trouble) as caught:
        execute.executed(course.assignment("01_tiny"), tmp_path / "store", "smoke", quiet)
    assert str(caught.value) == "01_tiny.md, cell 3 'double' (`{}['a key']`) raised KeyError: 'a key'"
    assert not (tmp_path / "store").exists()


def test_a_kernel_that_dies_is_named(tmp_path):
    course = course_with(tmp_path, cell("import os\nos._exit(3)"))
    with pytest.raises(Trouble, match=r"01_tiny.md, cell 1 \(`import os`\) ended its Python process"):
        execute.executed(course.assignment("01_tiny"), tmp_path / "store", "smoke", quiet)


def test_a_cell_without_end_is_stopped_and_named(tmp_path, monkeypatch):
    monkeypatch.setattr(execute, "SECONDS_A_CELL", 1)
    course = course_with(tmp_path, cell("while True:\n    pass"))
    with pytest.raises(Trouble, match=r"cell 1 \(`while True:`\) ran longer than 1 s"):
        execute.executed(course.assignment("01_tiny"), tmp_path / "store", "smoke", quiet)


def test_an_unknown_scale_is_refused(monkeypatch):
    monkeypatch.setenv("UNROLLED_SCALE", "huge")
    with pytest.raises(Trouble, match="UNROLLED_SCALE is 'huge': set it to one of smoke, cpu, gpu"):
        execute.scale_from_environment()
    monkeypatch.delenv("UNROLLED_SCALE")
    assert execute.scale_from_environment() == "cpu"


def test_a_notebook_runs_where_the_student_would_run_it(tmp_path):
    course = course_with(tmp_path, "# A\n")
    assert execute.working_folder(course.assignment("01_tiny")) == tmp_path / "course"
    (tmp_path / "course" / "01_tiny").mkdir()
    assert execute.working_folder(course.assignment("01_tiny")) == tmp_path / "course" / "01_tiny"


READER = """import json
import beside
print(beside.x + json.load(open("assets/a.json")), [name for name in ("os", "sys", "_watch") if name in globals()])"""


def test_a_run_holds_until_something_that_it_read_changes(tmp_path):
    """A module, also where Python had compiled it before, and a stored result; and nothing of the watching is left."""
    course, store, students = course_with(tmp_path, cell(READER)), tmp_path / "store", tmp_path / "course"
    files = {"beside.py": "x = 40", "assets/a.json": "2", "not_read.py": "", "unrolled/not_read.py": ""}
    for name, text in files.items():
        (students / name).parent.mkdir(exist_ok=True)
        (students / name).write_text(text)
        os.utime(students / name, (10**9, 10**9))
    py_compile.compile(students / "beside.py")
    run = execute.executed(course.assignment("01_tiny"), store, "smoke", quiet)
    assert run.cells[0].outputs[0].text == "42 []\n"
    (stored,) = store.glob("*.ipynb")
    assert set(nbformat.read(stored, 4).metadata[kept.READ]["files"]) == {"course/beside.py", "course/assets/a.json"}
    for name, text in files.items():
        (students / name).write_text(text + " ")
        assert (kept.load(stored, tmp_path) is None) == (name in ("beside.py", "assets/a.json")), name
        (students / name).write_text(text)
    assert kept.READ not in kept.load(stored, tmp_path).metadata
    (students / "beside.py").unlink()
    assert kept.load(stored, tmp_path) is None


def test_another_source_or_scale_is_another_run(tmp_path):
    places = [kept.place_of(course_with(tmp_path, "# A\n").assignment("01_tiny"), tmp_path, scale) for scale in "ab"]
    places.append(kept.place_of(course_with(tmp_path, "# B\n").assignment("01_tiny"), tmp_path, "a"))
    assert len(set(places)) == 3


def test_a_run_on_a_stand_in_holds_until_the_original_is_there(tmp_path, monkeypatch):
    monkeypatch.setenv("UNROLLED_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("UNROLLED_DATA", str(tmp_path / "mirror"))
    made = tmp_path / "cache" / kept.STAND_INS / "text.txt"
    made.parent.mkdir(parents=True)
    made.write_text("made")
    (tmp_path / "noted").write_text(f"{made}\n{tmp_path / 'elsewhere.txt'}\n")
    read = kept.what_was_read(tmp_path / "noted", tmp_path)
    assert read == {"files": {}, "stand_ins": ["text.txt"]}
    kept.save(new_notebook(), tmp_path / "01_tiny.smoke.0.ipynb", read)
    assert kept.load(tmp_path / "01_tiny.smoke.0.ipynb", tmp_path) is not None
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "text.txt").write_text("the original")
    assert kept.load(tmp_path / "01_tiny.smoke.0.ipynb", tmp_path) is None


def test_a_file_that_is_written_while_the_run_goes_on_leaves_it_unstored(tmp_path):
    (tmp_path / "a.py").write_text("")
    read, now = {"files": {"a.py": ""}, "stand_ins": []}, (tmp_path / "a.py").stat().st_mtime
    assert kept.changed_since(now - 1, read, tmp_path) and not kept.changed_since(now + 1, read, tmp_path)


def test_each_unit_ends_with_a_line(tmp_path, monkeypatch, capsys):
    def runs(assignment, store, scale, progress):
        if assignment.name == "01_tiny":
            progress(3, 3)

    for name in ("01_tiny", "02_kept"):
        course = course_with(tmp_path, "# A\n", name)
    monkeypatch.setattr(command, "executed", runs)
    monkeypatch.setattr(command, "console", Console(highlight=False))
    command.run_units(course, tmp_path)
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert lines == ["01_tiny at scale smoke: 3 cells run in 0 s", "02_kept at scale smoke: unchanged, not run again"]


# --- shown


def solved() -> nbformat.NotebookNode:
    """A solved and executed notebook: an answer, its check, a written answer."""
    answer = "def double(x):\n    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION"
    points = new_output("execute_result", {"text/plain": "2.0"}, execution_count=2)
    table = new_output("display_data", {"text/html": "<table></table>", "application/vnd.unrolled.report+json": {}})
    words = {"schema_version": 3, "grade_id": "words", "solution": True, "grade": True, "points": 4, "locked": False}
    return new_notebook(
        cells=[
            new_code_cell(answer, metadata={"nbgrader": SOLUTION}, outputs=[new_output("stream", text="kept\n")]),
            new_code_cell("check(double, points=2)", metadata={"tags": ["check"]}, outputs=[table, points]),
            new_code_cell("1.0 + 1.0", outputs=[points]),
            new_markdown_cell("It adds the number to itself.", metadata={"nbgrader": {**words, "task": False}}),
        ]
    )


def test_students_see_stubs_and_outputs():
    seen = shown.students_edition(solved(), Assignment(small_course(), "01_tiny"))
    assert "x + x" not in json.dumps(seen) and "to itself" not in json.dumps(seen)
    assert seen.cells[0].source.startswith("def double(x):\n    # Your code here.\n    raise NotImplementedError")
    assert seen.cells[0].outputs[0].text == "kept\n"
    assert seen.cells[3].source == "Your answer here."


def test_instructors_see_answers_without_markers():
    seen = shown.instructors_edition(solved())
    assert seen.cells[0].source == "def double(x):\n    return x + x"


def test_the_points_of_a_check_are_dropped_and_other_results_kept():
    seen = shown.instructors_edition(solved())
    assert [list(output.data) for output in seen.cells[1].outputs] == [["text/html"]]
    assert seen.cells[2].outputs[0].data["text/plain"] == "2.0"


@pytest.mark.parametrize(
    ("code", "metadata", "complaint"),
    [
        ("### BEGIN SOLUTION\nsecret = 1", {"nbgrader": SOLUTION}, "no end solution statement"),
        ("### BEGIN SOLUTION\nsecret = 1\n### END SOLUTION", {}, "in a non-solution cell"),
    ],
)
def test_markers_that_hide_nothing_are_refused_without_showing_the_answer(code, metadata, complaint, capfd):
    notebook = new_notebook(cells=[new_code_cell(code, metadata=metadata)])
    with pytest.raises(Trouble, match=complaint) as caught:
        shown.students_edition(notebook, Assignment(small_course(), "01_tiny"))
    assert str(caught.value).startswith("01_tiny.md: ")
    assert "secret" not in "".join(capfd.readouterr()) + str(caught.value)


def test_only_widgets_the_page_can_draw_are_kept():
    def view(name):
        return new_output("display_data", {shown.WIDGET_VIEW: {"model_id": name}, "text/plain": name})

    models = {"ours": {"model_module": "anywidget"}, "bar": {"model_module": "@jupyter-widgets/controls"}}
    notebook = new_notebook(
        cells=[new_code_cell("x", outputs=[view("bar"), view("ours")])],
        metadata={"widgets": {shown.WIDGET_STATE: {"state": models}}},
    )
    seen = shown.instructors_edition(notebook)
    assert [output.data["text/plain"] for output in seen.cells[0].outputs] == ["ours"]
    assert list(seen.metadata.widgets[shown.WIDGET_STATE]["state"]) == ["ours"]


def test_what_a_finished_progress_bar_leaves_takes_no_room():
    outputs = [new_output("display_data", {"text/plain": text}) for text in ("", "2.0")]
    seen = shown.instructors_edition(new_notebook(cells=[new_code_cell("x", outputs=outputs)]))
    assert [output.data["text/plain"] for output in seen.cells[0].outputs] == ["2.0"]


def test_how_to_bring_a_picture_back_is_said_in_notebooks_alone():
    texts = ("<p>Read on.</p>", AGAIN)
    outputs = [new_output("display_data", {"text/html": text, "text/plain": ""}) for text in texts]
    seen = shown.instructors_edition(new_notebook(cells=[new_code_cell("x", outputs=outputs)]))
    assert [output.data["text/html"] for output in seen.cells[0].outputs] == ["<p>Read on.</p>"]


def test_the_words_of_a_picture_reach_the_page():
    picture = new_output("display_data", {"image/png": "aaaa"}, metadata={"image/png": {"alt": "A falling curve."}})
    seen = shown.instructors_edition(new_notebook(cells=[new_code_cell("x", outputs=[picture])]))
    assert seen.cells[0].metadata["mystnb"]["image"]["alt"] == "A falling curve."


def test_a_widgets_table_goes_with_its_model_onto_the_page():
    model = {"model_module": "anywidget", "state": {"x": 1}}
    state = {shown.WIDGET_STATE: {"state": {"m": model, "bar": {"model_module": "@jupyter-widgets/controls"}}}}
    view = new_output("display_data", {shown.WIDGET_VIEW: {"model_id": "m"}, "text/html": "<table></table>"})
    seen = shown.instructors_edition(
        new_notebook(metadata={"widgets": state}, cells=[new_code_cell("x", outputs=[view])])
    )
    assert seen.metadata.widgets[shown.WIDGET_STATE].state == {
        "m": {"model_module": "anywidget", "state": {"x": 1, shown.TABLE: "<table></table>"}}
    }


def test_pictures_of_one_cell_keep_their_own_words():
    pictures = [
        new_output("display_data", {"image/png": "", "text/plain": ""}, metadata={"image/png": {"alt": words}})
        for words in ("One.", "Two.")
    ]
    seen = shown.instructors_edition(new_notebook(cells=[new_code_cell("x", outputs=pictures)]))
    assert seen.cells[0].metadata["mystnb"]["image"]["alt"] == f"One.{shown.BETWEEN_WORDS}Two."


# --- source


def test_the_table_of_contents_is_written_out(tmp_path):
    import yaml

    source.write_toc(ROOT / "jupyter_book.yml", tmp_path / "deep" / "toc.yml")
    toc = yaml.safe_load((tmp_path / "deep" / "toc.yml").read_text())
    assert toc["root"] == "index"
    assert [part["caption"] for part in toc["parts"]] == ["The course", "Units", "To look up", "For those who teach"]


@pytest.mark.parametrize("text", ["title: x\n", "toc: [", "just words"])
def test_settings_without_contents_are_refused(tmp_path, text):
    (tmp_path / "book.yml").write_text(text)
    with pytest.raises(Trouble, match="book.yml has no readable `toc:` key"):
        source.write_toc(tmp_path / "book.yml", tmp_path / "toc.yml")


def test_every_data_set_is_on_the_data_page_with_its_licence_and_hash():
    registry = ROOT / "course" / "unrolled" / "data" / "datasets.toml"
    page = source.data_page(registry)
    for name, entry in tomllib.loads(registry.read_text()).items():
        section = page.partition(f'load("{name}")')[2].partition("\n## ")[0]
        assert f"## {entry['title']}\n" in page
        assert f"Licence: {entry['licence']}" in section and f"Attribution: {entry['attribution']}" in section
        for file in entry["files"]:
            assert file["sha256"] in section and file["name"] in section
            if "wheel" in entry:
                assert entry["wheel"]["package"] in section and entry["wheel"]["sha256"] in section
            else:
                assert f"{file['repository']}/blob/{file['commit']}" in section


def test_missing_packages_and_node_are_named(tmp_path, monkeypatch):
    said = source.missing(tmp_path)
    assert "npm ci" in said and "formulas stay raw" in said and "\n" not in said
    for name in source.MATHJAX_FILES:
        (tmp_path / source.MATHJAX / name).mkdir(parents=True)
    monkeypatch.setattr(source.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert source.missing(tmp_path) is None
    monkeypatch.setattr(source.shutil, "which", lambda name: None)
    assert source.missing(tmp_path).startswith("node is missing: formulas are set in the reader's browser")


def test_without_packages_the_source_folder_is_still_whole(tmp_path):
    (tmp_path / "course" / "unrolled" / "data").mkdir(parents=True)
    (tmp_path / "course" / "unrolled" / "data" / "datasets.toml").write_text("")
    for name in ("TEACHING.md", "CONTRIBUTING.md", "LICENSE", "course/pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    source.write_source(Course(tmp_path, tmp_path), {"01_tiny": new_notebook()}, tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"static", "index.ipynb", "data.md", "01_tiny.ipynb", *(f"{page}.md" for page in TEXTS)}


# --- site


@pytest.mark.slow
def test_a_warning_of_jupyter_book_names_file_and_line(tmp_path):
    (tmp_path / "source" / "static").mkdir(parents=True)
    (tmp_path / "source" / "index.md").write_text("# Book\n\n[gone](nowhere.md)\n")
    (tmp_path / "toc.yml").write_text("format: jb-book\nroot: index\n")
    settings = tmp_path / "book.yml"  # a section of ours is nothing that Jupyter Book minds
    settings.write_text((ROOT / "jupyter_book.yml").read_text("utf-8") + f"\nlaunch: {LAUNCH}\n")
    with pytest.raises(Trouble) as caught:
        site.build_site(settings, tmp_path / "toc.yml", tmp_path / "source", tmp_path / "work")
    assert "index.md:3: WARNING" in str(caught.value) and "nowhere.md" in str(caught.value)
    assert str(caught.value).count("\n") == 1


def test_only_telling_lines_of_a_log_are_shown():
    log = "reading\n\x1b[91mWARNING: bad link\x1b[39;49;00m\nbuild finished, warnings treated as errors: WARNING\n"
    assert site.telling_lines(log) == "  WARNING: bad link"
    assert site.telling_lines("one\ntwo") == "  one\n  two"


# --- the command


def test_a_folder_without_units_is_one_line_and_exit_2(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert command.main(["--solutions", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("book: no unit found: ") and said.count("\n") == 1


def test_checking_what_was_never_built_says_what_is_missing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(browser, "missing", lambda: "first paint not measured: here")
    assert command.main(["--check", "--to", str(tmp_path), "--solutions", str(small_course().solutions)]) == 1
    out, err = capsys.readouterr()
    assert "book: index.html is missing" in err and "book: 01_coins.html is missing" in err
    assert "first paint not measured: here" in out


# --- the whole, without a browser


@pytest.mark.slow
@needs_mathjax
def test_the_students_edition_shows_stubs_with_the_outputs_of_answers():
    built = small_book()
    page = soup((built.html / "01_coins.html").read_text())
    exercise = page.select_one("div.tag_exercise").get_text()
    assert "raise NotImplementedError" in exercise and "sides_that_can_land" not in exercise
    assert "A coin with two heads never surprises." in page.select_one("div.tag_check td").get_text()
    assert leaks.leaks(built.course.assignment("01_coins"), sorted(built.html.glob("*.html"))) == []
    assert leaks.secret_lines(built.course.assignment("01_coins"))


@pytest.mark.slow
def test_the_instructors_edition_shows_answers_and_no_hidden_test():
    run = execute.executed(small_course().assignment("01_coins"), ROOT / "_build" / "executed", "smoke", quiet)
    text = json.dumps(shown.instructors_edition(run))
    assert "sides_that_can_land" in text and "neither side is expected" in text
    assert "BEGIN SOLUTION" not in text and "hidden sentence" not in text


@pytest.mark.slow
def test_a_failing_cell_stops_the_build_with_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    course_with(tmp_path, "# Tiny\n\n" + cell("1 / 0"))
    assert command.main(["--solutions", str(tmp_path / "solutions"), "--to", str(tmp_path / "book")]) == 2
    said = capsys.readouterr().err
    assert said == "book: 01_tiny.md, cell 2 (`1 / 0`) raised ZeroDivisionError: division by zero\n"


def test_an_interrupted_build_says_so_in_one_line(monkeypatch, capsys):
    def build(*given):
        raise KeyboardInterrupt

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(command, "build", build)
    assert command.main([]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "book: interrupted; the units that had been run are kept, and the next build goes on"
    ]


def test_the_instructors_edition_goes_into_a_folder_of_its_own(monkeypatch):
    monkeypatch.chdir(ROOT)
    calls = []
    monkeypatch.setattr(command, "build", lambda course, folder, answers: calls.append((folder, answers)))
    monkeypatch.setattr(command, "report", lambda course, folder, answers: 0)
    assert command.main([]) == command.main(["--edition", "instructor"]) == 0
    assert calls == [(ROOT / "_build" / "book", False), (ROOT / "_build" / "book-instructor", True)]
    zips = [command.zip_of(folder).name for folder, _ in calls]
    assert zips == ["book.zip", "book-instructor.zip"]


@pytest.mark.slow
@needs_mathjax
def test_the_book_lists_its_units_and_the_static_check_is_content():
    built = small_book()
    index = soup((built.html / "index.html").read_text())
    assert "01_coins.html" in [link["href"] for link in index.select("nav a")]
    pages = (*PAGES, "01_coins")
    assert [verify.check_page(built.html / f"{page}.html").problems for page in pages] == [[]] * len(pages)
