"""Which file of a submission is the notebook: odd names, folders, archives, links, timestamps."""

import io
import os
import zipfile
from datetime import UTC, datetime

import pytest
import unit_one as one
from unit_one import UNIT, answers, filled, given, raw

from autograder.receiving.repair import Missing, Unreadable, find_submission, mend_submission


@pytest.fixture
def put(tmp_path):
    """Writes a file into the submission; its content is the filled notebook unless another is given."""

    def write(name: str, content: bytes | None = None):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw(filled()) if content is None else content)
        return path

    return write


def found(folder) -> list[str]:
    return [each.name for each in find_submission(folder, UNIT)]


def submission(folder):
    return mend_submission(folder, UNIT, one.release(), one.source())


def test_the_right_name_needs_no_words(tmp_path, put):
    put("ngrams.ipynb")
    file, result = submission(tmp_path)
    assert (file.name, file.repairs, result.repairs) == ("ngrams.ipynb", (), [])


@pytest.mark.parametrize(
    "name",
    [
        "Ngrams.ipynb",
        "NGRAMS.IPYNB",
        "ngrams (1).ipynb",
        "ngrams-Copy1.ipynb",
        "Copy of ngrams.ipynb",
        "01_ngrams.ipynb",
        "ngrams_Åsa_Nyholm.ipynb",
        "ngrams.ipynb.txt",
        "ngrams.ipynb (2).json",
        "ngrams .ipynb",
        "日本語.ipynb",
        "Untitled.ipynb",
        "work/unit 1/ngrams.ipynb",
        "a/b/c/d/e/ngrams (1).ipynb.txt",
    ],
)
def test_odd_names_are_found_and_told(tmp_path, put, name):
    put(name)
    put("notes.txt", b"ngrams")
    file, result = submission(tmp_path)
    assert file.name == name
    assert result.repairs == [f"the notebook was handed in as {name}"]
    assert given(result.notebook) == answers()


def test_names_come_in_their_order(tmp_path, put):
    names = ["ngrams.ipynb", "NGRAMS.ipynb", "ngrams (10).ipynb", "ngrams (2).ipynb", "a/ngrams.ipynb", "other.ipynb"]
    for name in reversed(names):
        put(name)
    assert found(tmp_path) == names


@pytest.mark.parametrize(
    "name", [".ipynb_checkpoints/ngrams-checkpoint.ipynb", "__MACOSX/ngrams.ipynb", ".ngrams.ipynb"]
)
def test_hidden_copies_are_none(tmp_path, put, name):
    put(name)
    with pytest.raises(Missing, match="no ngrams.ipynb; the folder is empty"):
        found(tmp_path)


def test_what_lies_too_deep_is_not_looked_for(tmp_path, put):
    put("1/2/3/4/5/6/ngrams.ipynb")
    with pytest.raises(Missing):
        found(tmp_path)


def test_missing_names_what_is_there(tmp_path, put):
    put("report.pdf")
    put("work/ngrams.py")
    with pytest.raises(Missing) as refusal:
        found(tmp_path)
    assert str(refusal.value) == "no ngrams.ipynb; the folder holds report.pdf, work/ngrams.py"
    with pytest.raises(Missing, match="the folder is empty"):
        found(tmp_path / "nowhere")


def test_a_name_that_is_no_text_can_be_written(tmp_path, put):
    path = os.fsencode(tmp_path / "ngrams_") + b"\xff\xfe.ipynb"
    with open(path, "wb") as stream:
        stream.write(raw(filled()))
    file, result = submission(tmp_path)
    "".join([file.name, *result.repairs]).encode("utf-8")


def test_a_name_with_line_ends_is_told_in_one_line(tmp_path, put):
    put("ngrams\n<b>\x1b[31m.ipynb")
    put("x" * 200 + ".ipynb", b"")
    file, result = submission(tmp_path)
    assert result.repairs == ["the notebook was handed in as ngrams <b>�[31m.ipynb"]
    put("ngrams\n<b>\x1b[31m.ipynb", b"")
    with pytest.raises(Unreadable) as refusal:
        submission(tmp_path)
    assert len(str(refusal.value)) <= 300 and str(refusal.value).isprintable()


# --- several files


def test_a_damaged_file_gives_way_to_its_copy(tmp_path, put):
    put("ngrams.ipynb", b"<!doctype html><html>Log in</html>")
    put("ngrams (1).ipynb")
    file, result = submission(tmp_path)
    assert file.name == "ngrams (1).ipynb"
    assert result.repairs[1].startswith("ngrams.ipynb: a web page, not a notebook")


def test_a_blank_file_gives_way_to_one_with_answers(tmp_path, put):
    put("ngrams.ipynb", raw(one.release()))
    put("ngrams (1).ipynb")
    assert submission(tmp_path)[0].name == "ngrams (1).ipynb"


def test_of_two_that_were_answered_it_is_told_which_counts(tmp_path, put):
    blank = {one.name(cell): one.text(cell) for cell in one.release()["cells"] if one.name(cell)}
    first, *more = answers()
    put("ngrams.ipynb", raw(filled({name: blank[name] for name in more})))
    put("ngrams (1).ipynb")
    file, result = submission(tmp_path)
    assert file.name == "ngrams.ipynb"
    told = f"ngrams.ipynb counts, with 1 exercise answered; ngrams (1).ipynb has {1 + len(more)} and does not count"
    assert result.repairs == [told]


def test_of_copies_and_of_blank_ones_nothing_is_told(tmp_path, put):
    for name in ("ngrams.ipynb", "ngrams (1).ipynb", "old/ngrams.ipynb"):
        put(name)
    put("released.ipynb", raw(one.release()))
    put("other.ipynb", b"no notebook")
    assert submission(tmp_path)[1].repairs == []


def test_of_blank_files_the_first_is_taken(tmp_path, put):
    put("ngrams.ipynb", raw(one.release()))
    put("ngrams (1).ipynb", raw(one.release()))
    assert submission(tmp_path)[0].name == "ngrams.ipynb"


def test_every_reason_is_told_if_nothing_can_be_read(tmp_path, put):
    put("ngrams.ipynb", b"")
    put("ngrams (1).ipynb", b"%PDF")
    with pytest.raises(Unreadable) as refusal:
        submission(tmp_path)
    assert str(refusal.value) == "ngrams.ipynb: the file is empty; ngrams (1).ipynb: a PDF, not a notebook"


def test_one_reason_needs_no_name(tmp_path, put):
    put("ngrams.ipynb", b"")
    with pytest.raises(Unreadable, match="^the file is empty$"):
        submission(tmp_path)


# --- archives


def packed(*members, method=zipfile.ZIP_DEFLATED, **contents) -> bytes:
    """A zip archive of (name or ZipInfo, bytes)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["hand-in.zip", "HAND-IN.ZIP", "ngrams.ipynb"])
@pytest.mark.parametrize("inside", ["ngrams.ipynb", "unit/NGRAMS.ipynb"])
def test_a_zipped_notebook(tmp_path, put, name, inside):
    put(name, packed(("readme.txt", b"hello"), ("__MACOSX/._ngrams.ipynb", b"?"), (inside, raw(filled()))))
    file, result = submission(tmp_path)
    assert result.repairs == [f"the notebook was handed in as {name}/{inside}"]
    assert given(result.notebook) == answers()
    assert os.listdir(tmp_path) == [name], "nothing is unpacked"


def test_an_open_file_comes_before_a_zipped_one(tmp_path, put):
    put("a.zip", packed(("ngrams.ipynb", raw(filled()))))
    put("sub/ngrams (1).ipynb")
    assert found(tmp_path) == ["sub/ngrams (1).ipynb", "a.zip/ngrams.ipynb"]


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("ngrams.ipynb")
    info.external_attr = 0o120777 << 16
    return info


GOOD = ("ngrams.ipynb", b"{}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed(("../../ngrams.ipynb", b"{}")), "the archive would write outside its folder: ../../ngrams.ipynb"),
        (packed(GOOD, ("/etc/x", b"")), "the archive would write outside its folder: /etc/x"),
        (packed(GOOD, ("a\\..\\x", b"")), "the archive would write outside its folder: a"),
        (packed(GOOD, ("C:/x", b"")), "the archive would write outside its folder: C:/x"),
        (packed((link(), b"/etc/passwd")), "the archive holds a link: ngrams.ipynb"),
        (packed(*((f"{n}.ipynb", b"") for n in range(1001))), "the archive has more than 1,000 members"),
        (
            packed(("x" * 60_000, b""), *((f"{n}" + "x" * 60_000, b"") for n in range(18))),
            "table of contents is too long",
        ),
        (packed(GOOD)[:-30], "a damaged zip archive: File is not a zip file"),
        (b"not a zip", "a damaged zip archive: File is not a zip file"),
        (b"PK\x03\x04" + b"\0" * (26 * 2**20), "the archive is too long"),
    ],
    ids=["up", "absolute", "backslash", "drive", "link", "many", "long", "torn", "text", "big"],
)
def test_archives_that_cannot_be_trusted_are_not_opened(tmp_path, put, content, reason):
    put("hand-in.zip", content)
    with pytest.raises(Missing) as refusal:
        found(tmp_path)
    assert reason in str(refusal.value) and "hand-in.zip was not opened" in str(refusal.value)


def encrypted() -> bytes:
    content = bytearray(packed(GOOD))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def lying() -> bytes:
    """An archive whose table of contents names a size of 10 bytes."""
    content = bytearray(packed(("ngrams.ipynb", b" " * 10**6)))
    place = content.index(b"PK\x01\x02") + 24
    content[place : place + 4] = (10).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (packed(("ngrams.ipynb", b" " * (30 * 2**20))), "ngrams.ipynb unpacks to 30 MiB: it may be a zip bomb"),
        (packed(("ngrams.ipynb", b" " * (20 * 2**20))), "ngrams.ipynb unpacks to 20 MiB: it may be a zip bomb"),
        (lying(), "ngrams.ipynb is damaged in the archive: Bad CRC-32 for file 'ngrams.ipynb'"),
        (encrypted(), "ngrams.ipynb is encrypted"),
        (packed(GOOD, method=zipfile.ZIP_LZMA), "ngrams.ipynb is packed in a way that is not opened here"),
        (packed(GOOD, method=zipfile.ZIP_STORED).replace(b"{}", b"[]", 1), "ngrams.ipynb is damaged in the archive"),
        (packed(("ngrams.ipynb", packed(GOOD))), "a zip archive, not a notebook"),
    ],
    ids=["bomb", "small bomb", "lying", "encrypted", "lzma", "torn", "nested"],
)
def test_members_that_cannot_be_read(tmp_path, put, content, reason):
    put("hand-in.zip", content)
    with pytest.raises(Unreadable) as refusal:
        submission(tmp_path)
    assert str(refusal.value).startswith(reason)


def test_a_bad_archive_beside_a_good_file_is_told(tmp_path, put):
    put("ngrams.ipynb")
    put("more.zip", b"")
    assert submission(tmp_path)[1].repairs == ["more.zip was not opened: a damaged zip archive: File is not a zip file"]


# --- links and other files that are none


def test_the_true_size_of_a_file_that_is_too_long_is_told(tmp_path, put):
    with put("ngrams.ipynb", b"{").open("r+b") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(Unreadable, match="the file has 300 MiB, more than 128: clear the outputs"):
        submission(tmp_path)


def test_links_are_not_followed(tmp_path, put):
    secret = put("elsewhere/secret.ipynb")
    folder = tmp_path / "submitted"
    folder.mkdir()
    (folder / "ngrams.ipynb").symlink_to(secret)
    (folder / "sub").symlink_to(secret.parent)
    with pytest.raises(Missing) as refusal:
        found(folder)
    assert "ngrams.ipynb is a link, which is not followed" in str(refusal.value)
    (tmp_path / "link").symlink_to(secret.parent)
    with pytest.raises(Missing, match="the folder is a link"):
        found(tmp_path / "link")
    put("submitted/ada/01_ngrams/ngrams.ipynb")
    (folder / "bo").symlink_to(folder / "ada")
    with pytest.raises(Missing, match="the folder is a link"):
        found(folder / "bo" / UNIT)


def test_a_link_put_there_later_is_not_read(tmp_path, put):
    secret, path = put("secret.txt"), put("submitted/ngrams.ipynb")
    (file,) = find_submission(path.parent, UNIT)
    path.unlink()
    path.symlink_to(secret)
    with pytest.raises(Unreadable, match="ngrams.ipynb is a link"):
        file.read()
    path.unlink()
    with pytest.raises(Unreadable, match="ngrams.ipynb cannot be read: No such file"):
        file.read()
    os.mkfifo(path)
    with pytest.raises(Unreadable, match="ngrams.ipynb is no ordinary file"):
        file.read()


def test_pipes_and_folders_are_no_submissions(tmp_path):
    os.mkfifo(tmp_path / "ngrams.ipynb")
    (tmp_path / "ngrams (1).ipynb").mkdir()
    with pytest.raises(Missing, match="the folder is empty"):
        found(tmp_path)


def test_a_folder_with_too_many_files_comes_to_an_end(tmp_path, put):
    for number in range(2_100):
        (tmp_path / f"{number:05d}.txt").touch()
    put("aaa/ngrams.ipynb")
    with pytest.raises(Missing):
        found(tmp_path)


# --- the time of handing in

HALF_PAST = datetime(2026, 11, 2, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "content",
    [
        b"2026-11-02 15:30:00.000000 UTC",
        b"2026-11-02 15:30",
        b"2026-11-02T15:30:00Z\r\n",
        b"2026-11-02 16:30:00 +0100",
        b"2026-11-02 16:30:00.000000000 Europe/Stockholm",
        b"2026-11-02 10:00:00-05:30",
        b"\xef\xbb\xbf2026-11-02 15:30:00 GMT",
        b"2026-11-02 16:30:00 +01",
        b"20261102T153000Z",
        b"20261102T1630+0100",
        b"2026-11-02T15:30:00.123456+00:00",
        b"2026-11-02 03:30:00 PM",
        b"2026-11-02 3:30 pm UTC",
        b"2026-11-02 16:30:00 CET",
        b"2026-11-02 10:30:00.000000 EST",
        b"2026-11-02 11:30:00 EDT",
        b"2026-11-02 17:30:00.000000 CEST",
        b"Mon, 02 Nov 2026 15:30:00 +0000",
        b"Mon, 2 Nov 2026 16:30:00 +0100",
        b"02 Nov 2026 10:30:00 EST",
        b"Mon, 02 Nov 2026 15:30:00 GMT",
    ],
)
def test_timestamps(tmp_path, put, content):
    put("ngrams.ipynb")
    put("timestamp.txt", content)
    (file,) = find_submission(tmp_path, UNIT)
    assert (file.handed_in, file.repairs) == (HALF_PAST, ())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"\0\0\0", "it is empty"),
        (b"yesterday", "it holds no date"),
        (b"2026-13-02 15:30:00 UTC", "month must be in 1..12"),
        (b"2026-11-02 15:30:00 Nowhere/Land", "there is no time zone Nowhere/Land, or more than one"),
        (b"2026-11-02 15:30:00 ../../etc/passwd", "there is no time zone ../../etc/passwd, or more than one"),
        (b"2026-11-02 15:30:00 IST", "there is no time zone IST, or more than one"),
        (b"2026-11-02 15:30:00 PM", "there is no 15 PM"),
        (b"Mon, 42 Nov 2026 15:30:00 +0000", "it holds no date"),
        (b"0001-11-02 15:30:00 UTC", "the year is 1"),
        (b"x" * 5000, "it holds no date"),
        (b"\xff\xfe2\x000\x00", "it holds no date"),
    ],
)
def test_a_bad_timestamp_counts_as_none_and_is_told(tmp_path, put, content, why):
    put("ngrams.ipynb")
    put("timestamp.txt", content)
    (file,) = find_submission(tmp_path, UNIT)
    assert file.handed_in is None
    assert file.repairs == (f"timestamp.txt: time not understood ({why}): not counted as late",)


def test_a_timestamp_that_is_a_link_is_not_followed(tmp_path, put):
    put("ngrams.ipynb")
    (tmp_path / "timestamp.txt").symlink_to(put("other.txt", b"2026-11-02 15:30:00 UTC"))
    file = find_submission(tmp_path, UNIT)[0]
    assert file.handed_in is None and "timestamp.txt is a link" in "".join(file.repairs)
