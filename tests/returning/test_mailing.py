"""A page goes to its own student, once, and nothing that somebody wrote becomes a header or a second address."""

import dataclasses
import email
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from email.headerregistry import Address
from email.policy import default
from email.utils import getaddresses

import little_course
import mail_server
import pytest
from little_course import UNIT

from autograder import class_file
from autograder.course import Assignment, Course, Trouble
from autograder.receiving import class_list
from autograder.receiving.class_list import Student
from autograder.returning.mailing import Stopped, plan, send, sending, sent, settings
from autograder.returning.mailing.addresses import address, mailbox
from autograder.returning.mailing.letters import letter
from autograder.returning.mailing.settings import PASSWORD, password
from autograder.returning.packing import plain

STUDENTS = [Student(f"s{number}", f"Föö {number}", "Bär", f"s{number}@school.edu") for number in range(5)]
MAIL = '[mail]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nfrom = "Teacher <t@school.edu>"\n'


@pytest.fixture
def box():
    with mail_server.serving() as box:
        yield box


@pytest.fixture
def assignment(tmp_path, box, monkeypatch):
    """Five pages of students on the list; no gradebook is needed to say that they are up to date."""
    assignment = little_course.make(tmp_path / "course")
    class_list.keep(assignment.course, {student.id: student for student in STUDENTS})
    for student in STUDENTS:
        path = assignment.feedback(student.id)
        path.parent.mkdir(parents=True)
        path.write_text(f"<p>page of {student.id}, Sprünge\n.dot\n<!-- made of {'0' * 64} -->\n", encoding="utf-8")
    (assignment.course.root / "class.toml").write_text(MAIL.format(port=box.port), encoding="utf-8")
    monkeypatch.setattr("autograder.returning.mailing.planning.outdated", lambda assignment: [])
    monkeypatch.setattr("autograder.returning.mailing.planning.waiting.waiting", lambda assignment: {})
    return Assignment(Course.find(assignment.course.root), UNIT)


def mailed(assignment, **asked):
    return send(assignment, plan(assignment, **asked).letters, settings(assignment.course), "")


def read(content: bytes):
    return email.message_from_bytes(content, policy=default)


def test_each_page_goes_to_its_own_student_alone(assignment, box):
    assert mailed(assignment).students == ["s0", "s1", "s2", "s3", "s4"]
    assert len(box.letters) == 5
    for number, (sender, recipients, content) in enumerate(box.letters):
        message = read(content)
        assert (sender, recipients) == ("t@school.edu", [f"s{number}@school.edu"])
        assert message["To"].addresses[0].display_name == f"Föö {number} Bär" and len(message["To"].addresses) == 1
        assert message["Cc"] is None and message["Bcc"] is None and message["Subject"] == f"Feedback on {UNIT}"
        assert f"Föö {number} Bär" in message.get_body().get_content()
        (page,) = message.iter_attachments()
        assert page.get_filename() == f"{UNIT}-s{number}.html" and page.get_content_type() == "text/html"
        assert page.get_payload(decode=True) == assignment.feedback(f"s{number}").read_bytes()


def test_nothing_goes_twice_until_the_page_says_something_else(assignment, box):
    mailed(assignment)
    again = plan(assignment)
    assert again.letters == [] and again.have == ["s0", "s1", "s2", "s3", "s4"]
    path = assignment.feedback("s2")
    path.write_text(path.read_text(encoding="utf-8").replace("0" * 64, "1" * 64), encoding="utf-8")
    assert plan(assignment).letters == [], "the same words, made by newer code"
    path.write_text(path.read_text(encoding="utf-8").replace("page", "new page"), encoding="utf-8")
    assert mailed(assignment).students == ["s2"] and len(box.letters) == 6
    assert mailed(assignment, student="s3", again=True).students == ["s3"] and len(box.letters) == 7


def test_a_plan_that_is_older_than_another_run_sends_nothing_twice(assignment, box):
    old = plan(assignment)
    mailed(assignment)
    assert send(assignment, old.letters, settings(assignment.course), "").students == [] and len(box.letters) == 5


def test_a_page_that_is_written_anew_meanwhile_is_not_taken_for_the_old_one(assignment, box):
    old = plan(assignment, student="s0")
    assignment.feedback("s0").write_text("<p>new", encoding="utf-8")
    done = send(assignment, old.letters, settings(assignment.course), "")
    assert "run this again" in done.refused["s0"] and box.letters == []
    assert mailed(assignment, student="s0").students == ["s0"]


def test_a_cut_connection_is_told_and_the_next_run_goes_on(assignment, box):
    box.cut_after = 3
    with pytest.raises(Stopped, match="ended the connection .*2 were sent. Run the same command again") as stopped:
        mailed(assignment)
    assert stopped.value.done.students == ["s0", "s1"]
    box.cut_after = None
    rest = plan(assignment)
    assert [one.student for one in rest.letters] == ["s3", "s4"] and "s2 (s2@school.edu" in rest.held["unsure"][0]
    mailed(assignment)
    assert [recipients for _, recipients, _ in box.letters].count(["s2@school.edu"]) == 1
    assert mailed(assignment, student="s2", again=True).students == ["s2"]


def test_a_killed_run_sends_nobody_a_second_letter(assignment, box):
    """Killed between a letter and the server's answer: that one is unsure, those before are done, the rest goes on."""
    box.hang = threading.Event()
    script = (
        "import sys; from pathlib import Path; from autograder.course import Course\n"
        "from autograder.returning import mailing; import autograder.returning.mailing.planning as planning\n"
        "planning.outdated = lambda assignment: []; planning.waiting.waiting = lambda assignment: {}\n"
        "one = Course.find(Path.cwd()).assignment('dice')\n"
        "mailing.send(one, mailing.plan(one).letters, mailing.settings(one.course), '')"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=assignment.course.root) as run:
        deadline = time.monotonic() + 240
        while len(box.letters) < 2:
            assert time.monotonic() < deadline and run.poll() is None
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
    box.hang.set()
    before = len(box.letters)
    rest = plan(assignment)
    assert rest.have == ["s0"] and rest.held["unsure"][0].startswith("s1 (") and len(rest.letters) == 3
    mailed(assignment)
    everybody = [recipients[0] for _, recipients, _ in box.letters]
    assert before == 2 and len(everybody) == len(set(everybody)) == 5


def test_a_refused_address_concerns_nobody_else_and_is_tried_again(assignment, box):
    box.refuse = {"s1@school.edu"}
    done = mailed(assignment)
    assert done.students == ["s0", "s2", "s3", "s4"] and done.refused == {"s1": "550 no such user here"}
    box.refuse = set()
    assert mailed(assignment).students == ["s1"]


HOSTILE = [
    "a@school.edu\nBcc: x@evil.org",
    "a@school.edu\r\nRCPT TO:<x@evil.org>",
    "a@school.edu,x@evil.org",
    "a@school.edu;x@evil.org",
    "a@school.edu x@evil.org",
    "<a@school.edu>x@evil.org",
    "a>x@school.edu",
    '"a b"@school.edu',
    "a@b@school.edu",
    "a(c)@school.edu",
    "a@school.edu\0",
    "a@\u2028school.edu",
    "@school.edu",
    "a@",
    "a@-school.edu",
    "ä@school.edu",
    "group: a@school.edu;",
    "x" * 65 + "@school.edu",
    "=?utf-8?q?a=0ABcc=3A=20x=40evil.org?=@school.edu",
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_single_address_is_none(text):
    assert address(text) is None and (mailbox(text) is None or "\n" not in str(mailbox(text)))


def test_an_address_of_another_script_is_written_as_mail_servers_know_it():
    assert address("a@bücher.example").addr_spec == "a@xn--bcher-kva.example"


TO = "a@school.edu"
HEADERS = {"From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"}
NAMES = [
    "=?utf-8?q?Ada=0AReply-To:_eve@evil.org?= Lee",
    "=?utf-8?q?Ada=0A=0A<h1>?=",
    "x" * 60 + ", evil@x.org" + "y" * 20,
]
NAMES += [
    "<evil@x.org>; " + "b" * 70,
    "Ada\r\nBcc: x@evil.org",
    "Ada\nSubject: free",
    '"Ada" <x@evil.org>,',
    "Ada\0\x1b[2J",
    "x" * 5_000,
    "نورة",
    "",
]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_adds_no_header_and_no_recipient(assignment, name):
    said = settings(assignment.course)
    content = letter(said, address(TO, name), UNIT, f"{UNIT}-{plain(name)}.html", b"<p>")
    message = read(content)
    assert set(message.keys()) == HEADERS
    assert [each.addr_spec for each in message["To"].addresses] == ["a@school.edu"]
    assert [bare for _, bare in getaddresses([email.message_from_bytes(content)["To"]])] == [TO], "to old programs, too"
    assert b"\nBcc" not in content and max(map(len, content.split(b"\r\n"))) <= 998


PIECES = [
    *(
        "a",
        "Ada ",
        "é",
        "日本",
        '"',
        ", ",
        "<evil@x.org>",
        "evil@x.org",
        "\\",
        "(",
        ")",
        ";",
        ":",
        "=?utf-8?q?=0ABcc:_e@x?=",
    ),
    *("\r\n", "Bcc: e@x.org", "\u2028", "\x85", "\u202e", "x" * 40, "   ", "@", "\ud800", "\0", "=?utf-8?b?"),
]


def test_no_name_of_whatever_pieces_adds_a_header_or_a_recipient(assignment):
    said, draw = settings(assignment.course), random.Random(1)
    for _ in range(300):
        name = "".join(draw.choices(PIECES, k=draw.randint(1, 9)))
        content = letter(said, address("a@school.edu", name), UNIT, f"{UNIT}.html", b"<p>")
        assert set(read(content).keys()) == HEADERS, ascii(name)
        assert [each.addr_spec for each in read(content)["To"].addresses] == ["a@school.edu"], ascii(name)


def test_a_message_that_would_be_read_otherwise_is_one_students_refusal(assignment, box, monkeypatch):
    """Whatever goes wrong in writing one, of whatever kind: the others get theirs."""
    plans = plan(assignment).letters
    bad = ["=?utf-8?q?Ada=0ABcc:_evil@x.org?=", "x" * 60 + ", evil@x.org" + "y" * 20 + " z"]
    for place, name in enumerate(bad):
        plans[place] = dataclasses.replace(plans[place], to=Address(name, f"s{place}", "school.edu"))
    whole = sending.letter
    monkeypatch.setattr(
        sending, "letter", lambda said, to, *rest: 1 / 0 if to.username == "s2" else whole(said, to, *rest)
    )
    done = send(assignment, plans, settings(assignment.course), "")
    assert done.students == ["s3", "s4"] and set(done.refused) == {"s0", "s1", "s2"}
    assert all("no message can be written" in why and "\n" not in why for why in done.refused.values())
    assert [recipients for _, recipients, _ in box.letters] == [["s3@school.edu"], ["s4@school.edu"]]


def test_one_letter_box_in_two_spellings_is_shared(assignment):
    spelt = {"s0": "Ada@müller.de", "s1": "ada@xn--mller-kva.de", "s2": "ada@MÜLLER.de "}
    class_list.keep(assignment.course, {name: Student(name, "A", "B", text) for name, text in spelt.items()})
    assert plan(assignment, student="s0").held == {"shared address": ["s0"]}
    assert plan(assignment).held["shared address"] == ["s0", "s1", "s2"] and plan(assignment).letters == []


def test_a_folder_with_a_space_more_is_nobody_elses(assignment):
    twins = [unicodedata.normalize(form, "zoé") for form in ("NFC", "NFD")]
    class_list.keep(assignment.course, {each.id: each for each in [*STUDENTS, Student(twins[0], "Z", "E", "z@s.edu")]})
    for folder in ("s0 ", "s1\u00a0", " s2", *twins):
        path = assignment.feedback(folder)
        path.parent.mkdir(parents=True)
        path.write_text("<p>another page", encoding="utf-8")
    found = plan(assignment)
    assert [one.student for one in found.letters] == ["s0", "s1", "s2", "s3", "s4"]
    assert found.held == {"no address": [" s2", "s0 ", "s1\u00a0"], "two pages": sorted(twins)}


def test_the_plan_says_who_gets_nothing_and_why(assignment, monkeypatch):
    odd = {
        "s0": Student("s0", "A", "B", ""),
        "s1": Student("s1", "A", "B", "s1@school.edu\nBcc: x@evil.org"),
        "s2": Student("s2", "A", "B", "both@school.edu"),
        "s3": Student("s3", "A", "B", "Both@School.edu "),
    }
    (assignment.course.root / class_list.NAME).unlink()
    class_list.keep(assignment.course, odd)
    found = plan(assignment)
    assert found.letters == []
    assert found.held == {"no address": ["s0", "s4"], "odd address": ["s1"], "shared address": ["s2", "s3"]}
    class_list.keep(assignment.course, {each.id: each for each in STUDENTS})
    monkeypatch.setattr("autograder.returning.mailing.planning.outdated", lambda assignment: ["s0"])
    monkeypatch.setattr("autograder.returning.mailing.planning.waiting.waiting", lambda assignment: {"s1": {"q": 4}})
    assert plan(assignment).held == {"old page": ["s0"], "not marked yet": ["s1"]}
    assert plan(assignment, unmarked=True).held == {"old page": ["s0"]}


def test_the_command_lists_first_and_sends_only_if_told(assignment, box, monkeypatch, capsys):
    def command(*arguments):
        return little_course.in_process(monkeypatch, capsys, assignment, "mail", "dice", *arguments)

    code, said, _ = command()
    assert code == 0 and "s0: 00_dice-s0.html to " in said and "5 would be sent. Nothing was" in said
    assert box.letters == [] and box.said == [] and not sent.place(assignment).exists()
    code, said, _ = command("--send", "--most", "2")
    assert code == 0 and "2 sent." in said and len(box.letters) == 2
    code, said, _ = command("--send", "--json")
    assert code == 0 and json.loads(said)["sent"] == ["s2", "s3", "s4"]
    assert command("--again")[0] == 2 and len(box.letters) == 5
    box.refuse = {"s0@school.edu"}
    code, said, _ = command("--send", "--again", "--student", "s0")
    assert code == 1 and "Refused: s0: 550" in said


def test_two_at_once_do_not_happen(assignment):
    with sent.writing(assignment), pytest.raises(Trouble, match="another `autograder mail`"):
        mailed(assignment)


def test_a_torn_last_line_is_taken_off_and_a_damaged_one_is_told(assignment):
    mailed(assignment, student="s0")
    path = sent.place(assignment)
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"student": "s1", "dig')
    assert mailed(assignment).students == ["s1", "s2", "s3", "s4"] and plan(assignment).letters == []
    path.write_text("nonsense\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(Trouble, match="line 1 is damaged: mend it"):
        plan(assignment)


# --- class.toml and the server ----------------------------------------------------------------------------------------

SLIPS = [
    ("", r"has no \[mail\]: write \[mail\] with host"),
    ('[mail]\nhost = "a"', "write .mail. with host"),
    ('[mail]\nhost = "a"\nfrom = "nobody"', "from is 'nobody': say it like"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\npassword = "x"', f"a password stands in no file.*{PASSWORD}"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\nsecurity = "none"\nuser = "t"', "readable on the way"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\nsecurity = "ssl"', "security is 'ssl': say one of starttls, tls, none"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\nport = "25"', "port is '25': a number is needed"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\nsubject = "a\\nBcc: x@evil.org"', "the subject is one line"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\ntext = "{mark}"', "only {unit} and {name} are filled in"),
    ('[mail]\nhost = "a"\nfrom = "t@s.edu"\nhots = "b"', "not 'hots'"),
]


@pytest.mark.parametrize(("text", "says"), SLIPS, ids=range(len(SLIPS)))
def test_a_slip_in_the_settings_is_one_line(assignment, text, says):
    (assignment.course.root / class_file.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(Trouble, match=says) as told:
        settings(Course.find(assignment.course.root))
    assert "\n" not in str(told.value)


def test_a_server_that_is_not_there_is_one_line(assignment, box):
    (assignment.course.root / class_file.NAME).write_text(MAIL.format(port=1), encoding="utf-8")
    course = Assignment(Course.find(assignment.course.root), UNIT)
    with pytest.raises(Trouble, match="No mail server answers at 127.0.0.1:1 .*look at .mail. in class.toml"):
        mailed(course)


@pytest.fixture
def certificate(tmp_path):
    """A certificate for localhost that nobody has signed but itself."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl")
    key, path = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run([*command.split(), "-keyout", key, "-out", path], check=True, capture_output=True)
    return key, path


def test_the_password_goes_only_through_a_channel_that_is_trusted(assignment, certificate, monkeypatch):
    import ssl

    key, path = certificate
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path, key)
    with mail_server.serving(context) as box:
        box.password = "s3cret"
        said = f'[mail]\nhost = "localhost"\nport = {box.port}\nuser = "t"\nfrom = "t@school.edu"\n'
        (assignment.course.root / class_file.NAME).write_text(said, encoding="utf-8")
        one = Assignment(Course.find(assignment.course.root), UNIT)
        letters, how = plan(one).letters, settings(one.course)
        with pytest.raises(Trouble, match="no certificate that can be trusted"):
            send(one, letters, how, "s3cret")
        assert box.logins == []
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        with pytest.raises(Trouble, match="does not take the password of t"):
            send(one, letters, how, "wrong")
        assert box.letters == []
        monkeypatch.setenv(PASSWORD, "s3cret")
        assert send(one, letters, how, password(how)).students == ["s0", "s1", "s2", "s3", "s4"]
        assert b"s3cret" not in b"".join(file.read_bytes() for file in one.course.root.rglob("*") if file.is_file())


def test_a_server_without_starttls_gets_no_password(assignment, box):
    said = f'[mail]\nhost = "127.0.0.1"\nport = {box.port}\nuser = "t"\nfrom = "t@school.edu"\n'
    (assignment.course.root / class_file.NAME).write_text(said, encoding="utf-8")
    one = Assignment(Course.find(assignment.course.root), UNIT)
    with pytest.raises(Trouble, match="does not do what .mail. in class.toml asks .*STARTTLS.*nothing was sent"):
        send(one, plan(one).letters, settings(one.course), "s3cret")
    assert box.logins == [] and "AUTH" not in box.said


def test_without_a_terminal_the_password_is_asked_of_the_environment(assignment, box, monkeypatch):
    said = f'[mail]\nhost = "127.0.0.1"\nport = {box.port}\nuser = "t"\nfrom = "t@school.edu"\n'
    (assignment.course.root / class_file.NAME).write_text(said, encoding="utf-8")
    monkeypatch.delenv(PASSWORD, raising=False)
    with open(os.devnull) as nobody, pytest.raises(Trouble, match=f"set {PASSWORD}"):
        monkeypatch.setattr(sys, "stdin", nobody)
        password(settings(Course.find(assignment.course.root)))
