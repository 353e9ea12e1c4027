"""What platforms give is put where grading looks, once, whole, and never by a guess."""

import json
import subprocess
import zipfile

import little_course
import pytest

from autograder.course import Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.receiving.collecting import collect, inbound, keeping, sources
from autograder.receiving.handed_in import handed_in

STUDENTS = [
    Student("ada", "Ada", "Lövgren", "ada.lovgren@school.edu"),
    Student("bo", "Bo", "Ek", "bo@school.edu"),
    Student("s_17", "Sean", "O'Neil-Ruiz", "sean@school.edu"),
    Student("nura", "نورة", "الفارسي", "nura@school.edu"),
    Student("kim1", "Kim", "Lee", "kim1@school.edu"),
    Student("kim2", "Kim", "Lee", "kim2@school.edu"),
]
A, B, C = b'{"cells": ["a"]}', b'{"cells": ["b"]}', b'{"cells": ["c"]}'
UNIT = little_course.UNIT

ARCHIVES = {  # a zip of each platform, and what must come of it: (content, time or None), by student
    "Moodle": (
        {
            "Ada Lövgren_4711_assignsubmission_file_/dice.ipynb": A,
            "Bo Ek_4712_assignsubmission_file_dice.ipynb": B,
            "Sean O'Neil-Ruiz_4713_assignsubmission_onlinetext_/onlinetext.html": b"hello",
        },
        {"ada": (A, None), "bo": (B, None)},
    ),
    "Canvas": (
        {
            "lovgrenada_98765_4455_dice.ipynb": A,
            "ekbo_LATE_98766_9999_dice.ipynb": A,
            "ekbo_LATE_98766_10001_dice-1.ipynb": B,
            "oneilruizsean_98767_4460_my dice-2.ipynb": C,
        },
        {"ada": (A, None), "bo": (B, None), "s_17": (C, None)},
    ),
    "Blackboard": (
        {
            "Unit 0_dice_ada_attempt_2026-11-02-14-30-00.txt": b"Name: Ada",
            "Unit 0_dice_ada_attempt_2026-11-02-14-30-00_dice.ipynb": A,
            "Unit 0_dice_ada_attempt_2026-11-03-09-05-00_dice.ipynb": B,
            "Unit 0_dice_s_17_attempt_2026-11-02-14-30-01_dice.ipynb": C,
        },
        {"ada": (B, "2026-11-03 08:05:00"), "s_17": (C, "2026-11-02 13:30:01")},
    ),
    "Brightspace": (
        {
            "index.html": b"<p>",
            "12345-67890 - Ada Lövgren - Nov 2, 2026 1230 PM/dice.ipynb": A,
            "12345-67891 - Ada Lövgren - November 3, 2026 9:05 AM/dice.ipynb": B,
            "12346-67892 - الفارسي نورة - Nov 2, 2026 1205 AM/dice.ipynb": C,
        },
        {"ada": (B, "2026-11-03 08:05:00"), "nura": (C, "2026-11-01 23:05:00")},
    ),
    "nbgrader's exchange": (
        {
            f"ada+{little_course.UNIT}+2026-11-02 14:30:00.250000 UTC+Zm9v/dice.ipynb": A,
            f"ada+{little_course.UNIT}+2026-11-02 15:30:00.000001 UTC/dice.ipynb": B,
            "bo+01_ngrams+2026-11-02 14:30:00.000000 UTC/ngrams.ipynb": C,
        },
        {"ada": (B, "2026-11-02 15:30:00")},
    ),
    "names": (
        {"ada/dice.ipynb": A, "EK, BO/00_dice/dice.ipynb": B, "EK, BO/01_ngrams/ngrams.ipynb": C, "s_17_dice.ipynb": C},
        {"ada": (A, None), "bo": (B, None), "s_17": (C, None)},
    ),
}


@pytest.fixture
def assignment(tmp_path):
    assignment = little_course.make(tmp_path / "course")
    root = assignment.course.root
    (root / "class.toml").write_text('timezone = "Europe/Berlin"\n', encoding="utf-8")
    class_list.keep(assignment.course, {student.id: student for student in STUDENTS})
    return assignment


def zipped(path, files, folder=""):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(folder + name, content)
    return path


def unpacked(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def there(assignment):
    """What lies under submitted/: for each student the one notebook's content, and the time."""
    found = {}
    for student in assignment.students():
        (notebook,) = assignment.submitted(student).glob("*.ipynb")
        time = handed_in(assignment.submitted(student))[0]
        found[student] = (notebook.read_bytes(), time and time.strftime("%Y-%m-%d %H:%M:%S"))
    return found


def everything(assignment):
    root = assignment.course.root
    files = [path for place in ("submitted", "collected") for path in (root / place).rglob("*") if path.is_file()]
    return {str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.mark.parametrize("kind", ["zip", "zip with a folder around", "folder"])
@pytest.mark.parametrize("platform", ARCHIVES)
def test_each_platforms_files_come_to_their_students(assignment, tmp_path, platform, kind):
    files, expected = ARCHIVES[platform]
    if kind == "folder":
        source = unpacked(tmp_path / "given", files)
    else:
        source = zipped(tmp_path / "given.zip", files, "unit 0/" if "around" in kind else "")
    if kind == "zip with a folder around" and platform == "names":
        pytest.skip("a folder with files beside folders may be a student's own")
    done = collect(assignment, [source])
    assert done.platforms == [platform] and not (done.unknown or done.ambiguous)
    assert there(assignment) == expected
    before = everything(assignment)
    again = collect(assignment, [source])
    assert again.placed == {"unchanged": sorted(expected)} and everything(assignment) == before


@pytest.mark.parametrize(("account", "placed"), [("bo", False), ("jupyter-bo", False), ("ada", True), ("jovyan", True)])
def test_nobody_hands_in_for_another(assignment, tmp_path, monkeypatch, account, placed):
    """An attempt in the exchange says whose it is; the account that wrote it must not be another student's."""
    monkeypatch.setattr(sources, "_account", lambda path: account)
    name = f"ada+{little_course.UNIT}+2026-11-02 14:30:00.250000 UTC+Zm9v/dice.ipynb"
    given = unpacked(tmp_path / "inbound", {name: A})
    done = collect(assignment, [given])
    assert ("ada" in there(assignment)) == placed
    assert done.ambiguous == ([] if placed else ["ada (handed in by bo's account)"])
    (tmp_path / "who.csv").write_text("ada (handed in by bo's account),ada\n")  # the teacher knows better
    collect(assignment, [given], who=tmp_path / "who.csv")
    assert there(assignment)["ada"][0] == A


def test_nor_where_accounts_and_ids_are_called_otherwise(assignment, tmp_path, monkeypatch):
    """The Littlest JupyterHub's accounts are jupyter-NAME, and so are its submissions: a list says whose."""
    monkeypatch.setattr(sources, "_account", lambda path: "jupyter-bo")
    name = f"jupyter-{{}}+{little_course.UNIT}+2026-11-02 14:30:00.250000 UTC+Zm9v/dice.ipynb"
    (tmp_path / "who.csv").write_text("jupyter-ada,ada\njupyter-bo,bo\n")
    given = unpacked(tmp_path / "inbound", {name.format("ada"): A, name.format("bo"): B})
    done = collect(assignment, [given], who=tmp_path / "who.csv")
    assert done.ambiguous == ["jupyter-ada (handed in by bo's account)"]
    assert {student: content for student, (content, _) in there(assignment).items()} == {"bo": B}


def test_the_exchange_is_found_by_nbgraders_own_settings(assignment, tmp_path, monkeypatch):
    settings = f"c = get_config()\nc.Exchange.root = {str(tmp_path / 'exchange')!r}\n"
    unpacked(tmp_path / "etc", {"nbgrader_config.py": settings.encode()})
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "etc"))
    with pytest.raises(Trouble, match="cannot be read"):
        inbound(assignment.course)
    folder = tmp_path / "exchange" / "unrolled" / "inbound"
    unpacked(folder, ARCHIVES["nbgrader's exchange"][0])
    assert inbound(assignment.course) == folder
    done = little_course.autograder(assignment, "collect", "dice", "--exchange")
    assert done.returncode == 0, done.stderr
    assert there(assignment)["ada"][0] == B
    nothing = little_course.autograder(assignment, "collect", "dice")
    assert nothing.returncode and "say --exchange" in nothing.stderr


def test_earlier_attempts_are_kept_whole(assignment, tmp_path):
    collect(assignment, [zipped(tmp_path / "b.zip", ARCHIVES["Blackboard"][0])])
    kept = sorted(path.name[:20] for path in keeping.shelf(assignment, "ada").iterdir())
    assert kept == ["2026-11-02T13-30-00Z", "2026-11-03T08-05-00Z"]
    contents = {path.read_bytes() for path in keeping.shelf(assignment, "ada").rglob("*.ipynb")}
    assert contents == {A, B}


def test_a_later_archive_replaces_and_an_older_one_does_not(assignment, tmp_path):
    name = "Unit_ada_attempt_2026-11-0{}-10-00-00_dice.ipynb"
    first, second = (zipped(tmp_path / f"{n}.zip", {name.format(n): text}) for n, text in ((2, A), (3, B)))
    assert collect(assignment, [first]).placed == {"placed": ["ada"]}
    assert collect(assignment, [second]).placed == {"replaced": ["ada"]}
    assert collect(assignment, [first]).placed == {"older": ["ada"]}
    assert there(assignment)["ada"][0] == B


def test_what_somebody_put_there_stays_unless_it_may_go_and_is_kept_then(assignment, tmp_path):
    unpacked(assignment.submitted("ada"), {"dice.ipynb": C})
    source = zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0])
    done = collect(assignment, [source])
    assert done.placed == {"left alone": ["ada"], "placed": ["bo"]} and not done.is_whole
    assert there(assignment)["ada"][0] == C
    assert collect(assignment, [source], replace=True).placed == {"replaced": ["ada"], "unchanged": ["bo"]}
    assert there(assignment)["ada"][0] == A
    assert C in {path.read_bytes() for path in keeping.shelf(assignment, "ada").rglob("*.ipynb")}


def test_a_dry_run_says_the_same_and_writes_nothing(assignment, tmp_path):
    source = zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0])
    would = collect(assignment, [source], dry_run=True)
    assert everything(assignment) == {} and would.told(dry_run=True)[0].startswith("Would be")
    assert collect(assignment, [source]) == would


def test_nobody_is_guessed(assignment, tmp_path):
    files = {
        "Kim Lee_1_assignsubmission_file_/dice.ipynb": A,
        "Ada Lovgrem_2_assignsubmission_file_/dice.ipynb": B,
        "Nobody Here_3_assignsubmission_file_/dice.ipynb": C,
    }
    source = zipped(tmp_path / "m.zip", files)
    done = collect(assignment, [source])
    assert done.ambiguous == ["Kim Lee (kim1 or kim2?)"] and not done.placed and not done.is_whole
    assert done.unknown == ["Ada Lovgrem (is ada meant?)", "Nobody Here"]
    assert done.missing == sorted(student.id for student in STUDENTS) and "--who" in done.notes[-1]
    who = tmp_path / "who.csv"
    who.write_text("Kim Lee,kim2\nAda Lovgrem,ada\n", encoding="utf-8-sig")
    done = collect(assignment, [source], who=who)
    assert done.placed == {"placed": ["ada", "kim2"]} and done.unknown == ["Nobody Here"]


def test_moodles_worksheet_tells_people_of_one_name_apart_and_has_the_times(assignment, tmp_path):
    names = {"kim1": "Participant_12", "kim2": "Kim Lee_13", "bo": "Bo Ek_14", "ada": "Ada Lövgren_15"}
    files = {
        f"Participant {12}_12_assignsubmission_file_/dice.ipynb": A,
        "Kim Lee_13_assignsubmission_file_/dice.ipynb": B,
        "Bo Ek_14_assignsubmission_file_/dice.ipynb": C,
        "Ada Lövgren_15_assignsubmission_file_/dice.ipynb": A,
    }
    head = "Identifier,Full name,Email address,Status,Last modified (submission)\n"
    rows = [
        'Participant 12,Kim Lee,kim1@school.edu,x,"Monday, 2 November 2026, 3:30 PM"\n',
        'Participant 13,Kim Lee,KIM2@school.edu,x,"Monday, 2 November 2026, 15:30"\n',
        "Participant 14,Bo Ek,bo@school.edu,x,gestern\n",
        "Participant 15,Ada Lövgren,,x,-\n",
    ]
    sheet = tmp_path / "grades.csv"
    sheet.write_text(head + "".join(rows), encoding="utf-8-sig")
    done = collect(assignment, [zipped(tmp_path / "m.zip", files)], moodle=sheet)
    assert done.placed == {"placed": sorted(names)}
    time = "2026-11-02 14:30:00"
    assert there(assignment) == {"kim1": (A, time), "kim2": (B, time), "bo": (C, None), "ada": (A, None)}
    assert [note for note in done.notes if "gestern" in note]


def test_clones_are_told_by_the_end_of_their_names_and_timed_by_their_last_commit(assignment, tmp_path):
    for name, content in (("unit-0-dice-ada", A), ("unit-0-dice-s_17", B)):
        home = unpacked(tmp_path / "clones" / name, {"dice.ipynb": content, "README.md": b"#"})
        git = ["git", "-C", str(home), "-c", "user.name=x", "-c", "user.email=x@y"]
        subprocess.run([*git, "init", "-q"], check=True)
        subprocess.run([*git, "add", "-A"], check=True)
        when = {"GIT_AUTHOR_DATE": "2026-11-02T15:30:00+01:00", "GIT_COMMITTER_DATE": "2026-11-02T15:30:00+01:00"}
        subprocess.run([*git, "commit", "-qm", "done"], check=True, env={"PATH": "/usr/bin:/bin", **when})
    done = collect(assignment, [tmp_path / "clones"])
    assert done.platforms == ["clones"]
    time = "2026-11-02 14:30:00"
    assert there(assignment) == {"ada": (A, time), "s_17": (B, time)}


def test_late_without_a_time_is_told_and_no_time_is_made_up(assignment, tmp_path):
    done = collect(assignment, [zipped(tmp_path / "c.zip", ARCHIVES["Canvas"][0])])
    assert done.late == ["bo"] and "late, says the platform" in "\n".join(done.told())
    assert not (assignment.submitted("bo") / "timestamp.txt").exists()


def test_without_a_class_list_ids_are_taken_and_names_are_not(assignment, tmp_path):
    (assignment.course.root / "students.csv").unlink()
    done = collect(assignment, [zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0])])
    assert done.unknown == ["Ada Lövgren", "Bo Ek"] and "autograder students" in done.notes[-1]
    done = collect(assignment, [unpacked(tmp_path / "plain", {"zoe/dice.ipynb": A})])
    assert done.placed == {"placed": ["zoe"]}


@pytest.mark.parametrize("name", ["..", " .. ", ".ada", "a:b", "a\\b", "ad\u200ba", "*"])
def test_without_a_class_list_no_name_is_a_way_out(assignment, tmp_path, name):
    (assignment.course.root / "students.csv").unlink()
    files = {f"dice_{name}_attempt_2026-01-01-10-00-00_dice.ipynb": A}
    source = unpacked(tmp_path / "given", files | {"dice_zoe_attempt_2026-01-01-10-00-00_dice.ipynb": B})
    before = sorted(tmp_path.rglob("*"))
    assert collect(assignment, [source]).placed == {"placed": ["zoe"]}
    new = [path.relative_to(assignment.course.root) for path in set(tmp_path.rglob("*")) - set(before)]
    assert {path.parts[:2] for path in new if path.suffix == ".ipynb"} == {("submitted", "zoe"), ("collected", UNIT)}


@pytest.mark.parametrize("kind", ["zip", "folder"])
@pytest.mark.parametrize("way", [" ../../../x.py", "..\t/x.py", " .. / .. /x.py", "\u2003../x.py", " ./x.py", " .x.py"])
def test_no_files_name_is_a_way_out(assignment, tmp_path, way, kind):
    """What is `..` once spaces are gone would lead to where the course's own settings lie."""
    given = {f"ada/{'/'.join(way.split('/'))}": B, "ada/dice.ipynb": A}
    if kind == "folder" and "/../" in way:
        pytest.skip("no folder can be called so")
    source = unpacked(tmp_path / "given", given) if kind == "folder" else tmp_path / "given.zip"
    if kind == "zip":
        zipped(source, given)
    before = set(tmp_path.rglob("*"))
    try:
        collect(assignment, [source])
    except Trouble:
        assert "/../" in way
    home, shelf = assignment.submitted("ada"), keeping.shelf(assignment, "ada")
    for path in set(tmp_path.rglob("*")) - before:
        assert path.is_dir() or home in path.parents or shelf in path.parents or path.name == f"{UNIT}.json", path


def test_the_teachers_list_has_ids_in_it(assignment, tmp_path):
    (tmp_path / "who.csv").write_text("Ada Lövgren,../x\n", encoding="utf-8")
    with pytest.raises(Trouble, match="line 1: no folder can be called"):
        collect(assignment, [zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0])], who=tmp_path / "who.csv")


def test_one_that_cannot_be_read_stops_nobody(assignment, tmp_path, monkeypatch):
    source = zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0] | {"other.txt": b"?"})
    raw = bytearray(source.read_bytes())
    at = raw.index(A)
    raw[at] ^= 1  # the checksum of Ada's file no longer holds
    source.write_bytes(raw)
    done = collect(assignment, [source])
    assert done.placed == {"placed": ["bo"]}
    assert [told for told in done.failed if told.startswith("Ada Lövgren: ")] and not done.is_whole
    assert "other.txt" in "".join(done.notes)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path, "is not there"),
        (lambda path: path.write_bytes(b"no zip") and path, "no zip archive"),
        (lambda path: zipped(path, {"../../x_1_assignsubmission_file_/a.ipynb": A}), "outside its folder"),
        (lambda path: zipped(path, {}), "nothing that looks like a submission"),
    ],
    ids=["absent", "no archive", "a wanderer", "empty"],
)
def test_a_source_that_cannot_be_taken_is_one_line(assignment, tmp_path, make, says):
    with pytest.raises(Trouble, match=says):
        collect(assignment, [make(tmp_path / "given.zip")])
    assert everything(assignment) == {}


def test_names_that_a_terminal_takes_amiss_are_harmless(assignment, tmp_path):
    source = zipped(tmp_path / "p.zip", {"ada/\x1b[2J\nforged.ipynb": A, "bo/dice.ipynb": B})
    done = collect(assignment, [source])
    assert done.placed == {"placed": ["ada", "bo"]}
    (file,) = assignment.submitted("ada").iterdir()
    assert file.name.isprintable()
    assert all(line.isprintable() for line in done.told())


def test_the_command_says_what_became_of_everything(assignment, tmp_path, monkeypatch, capsys):
    source = zipped(tmp_path / "m.zip", ARCHIVES["Moodle"][0])
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "collect", "0", str(source))
    assert code == 0 and "2 placed: ada, bo" in said and "4 on the list, with nothing handed in" in said
    code, said, _ = little_course.in_process(monkeypatch, capsys, assignment, "collect", "0", str(source), "--json")
    assert json.loads(said)["placed"] == {"unchanged": ["ada", "bo"]}
