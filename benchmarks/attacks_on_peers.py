"""The attacks of tests/attacks against this engine, nbgrader and otter-grader: what each gains where.

    python benchmarks/attacks_on_peers.py [--json FILE] [--only NAME …] [--system nbgrader …]

Each attack is a submission; a neighbour's is graded in the same run after it. For the peers the same checks are plain
asserts, a graded cell or test case each, as their users write them. Four questions, answered yes or no:

- mark: did it earn more than what it wrote deserves?
- secret: did a hidden value, a hidden input or a word of the grader's environment get into what the student is shown
  (a cell's outputs; those of the check cells, which show failed tests anyway, are not counted)? otter-grader's results
  hold no outputs: there it is what the student's code could print, caught in a file.
- out: did it reach the network, other programs or processes, or folders that are not its own?
- batch: did the neighbour lose marks, or did the run not end by itself, in each of two tries?

The peers run in a container without network, with limits, and with nothing of this machine in it but the interpreter:
what is gained there would be gained from the grader's own machine. Left out for the peers are attacks that would harm
this machine (NOT_RUN) and those that aim at parts that only this engine has (NO_EQUIVALENT).
With --json, what the file already tells is not run again, so a long run can be broken off.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
import otter_peer
from nbformat.v4 import new_code_cell, new_notebook
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "helpers")]

from attacks import RIGHT, Attack, test_attacks  # noqa: E402  (they live beside the tests)
from one_judge import engine  # noqa: E402

from autograder.judging.jail import visible  # noqa: E402

QUESTIONS = ("mark", "secret", "out", "batch")
CANARY, INPUT = test_attacks.CANARY, test_attacks.HIDDEN_INPUT
PORT, UNIT = 34567, "attacked"
MIB = 2**20
LIMITS = {resource.RLIMIT_AS: 6144 * MIB, resource.RLIMIT_CPU: 60, resource.RLIMIT_FSIZE: 64 * MIB}
CELL_SECONDS = 10  # for nbgrader, whose default is 30; otter-grader has no limit
PATIENCE = {"nbgrader": 120.0, "otter-grader": 60.0}  # then the run counts as one that does not end

NOT_RUN = {
    **dict.fromkeys(("fork bomb", "thread bomb"), "would take this machine's processes"),
    **dict.fromkeys(
        ("memory", "shared memory", "memory out of sight", "output flood"), "would take this machine's memory"
    ),
    "disk": "would fill this machine's disk",
}
NO_EQUIVALENT = {
    **dict.fromkeys(("patched worker", "patched sockets", "extra frames"), "aims at this engine's own connection"),
    **dict.fromkeys(
        ("message without end", "large arguments of a callback", "many arguments of callbacks"),
        "speaks by a function that plain asserts do not pass in",
    ),
    "detects grading": "knows this engine's signs",
    "finished implementation": "breaks a rule that plain asserts do not have",
}

HONEST = ["assert honest(1) == 2"]
TRIPLE = [
    f"expected = {{{CANARY!r}: 6}}\nassert triple(2) == expected[{CANARY!r}]",
    f"assert triple({INPUT}) == {3 * INPUT}",  # a number for the tensor: a kernel need not import torch
    "import math\nassert math.isclose(triple(5.0), 15.0)",
    "try:\n    triple(lambda x: float(x))\nexcept TypeError:\n    pass\nelse:\n    assert False, 'no triple'",
]

CONFIG = f"""
c = get_config()
c.CourseDirectory.root = "/course"
c.CourseDirectory.course_id = "attacked"
c.CourseDirectory.db_url = "sqlite:////course/gradebook.db"
c.Execute.timeout = {CELL_SECONDS}
"""
LISTENER = f"""
import socket, subprocess, sys
server = socket.create_server(("127.0.0.1", {PORT}))
sys.exit(subprocess.run(sys.argv[1:]).returncode)
"""
TELLING = """
def print(*what, **how):
    with open("/course/told", "a") as told:
        told.write(" ".join(map(str, what)) + "\\n")
"""


# --- this engine -----------------------------------------------------------------------------------------------------


def try_ours(attack: Attack, folder: Path) -> dict[str, bool]:
    gradebook = folder / "gradebook.db"
    gradebook.write_text(CANARY)
    os.environ["GRADERS_SECRET"] = CANARY
    paths = paths_of(str(gradebook), str(ROOT / "autograder" / "hidden" / "__init__.py"), str(ROOT))
    judged = engine().grade(test_attacks.submission(attack.source, paths), test_attacks.UNIT)
    after = engine().grade(test_attacks.NEIGHBOUR, test_attacks.UNIT)
    earned = judged.reports[1].earned if judged.reports else 0.0
    told = json.dumps(judged.outputs, default=repr)
    return verdict(attack, earned, told, (after.status, after.earned) == ("graded", 2.0))


def verdict(attack: Attack, earned: float, told: str, neighbour_well: bool) -> dict[str, bool]:
    """The four answers. GAINED is what an attack prints where it got at something."""
    reads = kind_of(attack) == "read"
    gained = "GAINED" in told
    return {
        "mark": earned > attack.earns + 1e-6,
        "secret": CANARY in told or str(int(INPUT)) in told or (gained and reads),
        "out": gained and not reads,
        "batch": not neighbour_well,
    }


def kind_of(attack: Attack) -> str:
    return next((kind for kind, attacks in test_attacks.KINDS.items() if attack in attacks), "control")


def paths_of(gradebook: str, hidden: str, course: str) -> dict[str, Any]:
    import unrolled

    about = {"gradebook": gradebook, "hidden": hidden, "course": course, "package": list(unrolled.__path__)[0]}
    return about | {"grader": 2, "port": PORT}


# --- the container ---------------------------------------------------------------------------------------------------


def contained(command: list, folder: Path, seconds: float) -> bool:
    """Run a command with `folder` as /course and nothing else to write to; whether it ended in time."""
    (folder / "home").mkdir(exist_ok=True)
    (folder / "passwd").write_text("student:x:1000:1000::/course/home:/bin/sh\n")
    (folder / "hosts").write_text("127.0.0.1 localhost\n")
    (folder / "nsswitch.conf").write_text("hosts: files\n")
    words = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--die-with-parent"]
    words += [
        "--new-session",
        "--clearenv",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/var/tmp",
    ]
    shown = {*visible.shown(), "/usr/bin", str(otter_peer.ENVIRONMENT.resolve())}
    for path in sorted(path for path in shown if os.path.exists(path)):
        words += ["--ro-bind", path, path]
    words += ["--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"]
    for name in ("passwd", "hosts", "nsswitch.conf"):
        words += ["--ro-bind", str(folder / name), f"/etc/{name}"]
    words += ["--bind", str(folder), "/course", "--chdir", "/course"]
    for name, value in environment().items():
        words += ["--setenv", name, value]
    process = subprocess.Popen(
        [*words, "--", sys.executable, "-c", LISTENER, *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=open(folder / "log", "w"),  # noqa: SIM115  (the child has it)
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=lambda: [resource.setrlimit(what, (most, most)) for what, most in LIMITS.items()],
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()  # bubblewrap's namespace ends with it, and all in it
        process.wait()
        return False
    return True


def environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:/usr/bin"
    quiet = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return quiet | {"PATH": path, "HOME": "/course/home", "USER": "student", "GRADERS_SECRET": CANARY}


# --- nbgrader --------------------------------------------------------------------------------------------------------


def nbgrader_course(folder: Path) -> Path:
    """A released course; each attack gets a copy of it."""
    source = folder / "source" / UNIT / f"{UNIT}.ipynb"
    source.parent.mkdir(parents=True)
    cells = [about(new_code_cell("def honest(x): ..."), "honest"), *checks("honest", HONEST, 1.0)]
    cells += [about(new_code_cell("def triple(x): ..."), "triple"), *checks("triple", TRIPLE, 0.25)]
    nbformat.write(new_notebook(cells=cells, metadata=KERNEL), source)
    (folder / "nbgrader_config.py").write_text(CONFIG)
    if not contained([Path(sys.executable).parent / "nbgrader", "generate_assignment", UNIT], folder, 120):
        raise RuntimeError("nbgrader generate_assignment did not end")
    if not (folder / "release" / UNIT / source.name).exists():
        raise RuntimeError("nbgrader generate_assignment failed: " + (folder / "log").read_text()[-300:])
    return folder


KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}


def about(cell, grade_id: str, points: float | None = None):
    grade = points is not None
    meta = {"schema_version": 3, "grade_id": grade_id, "grade": grade, "solution": not grade, "locked": grade}
    cell.metadata["nbgrader"] = meta | {"task": False} | ({"points": points} if grade else {})
    return cell


def checks(name: str, sources: list[str], points: float) -> list:
    hidden = [f"### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS" for source in sources]
    return [about(new_code_cell(text), f"{name}-{number}", points) for number, text in enumerate(hidden)]


def try_nbgrader(attack: Attack, folder: Path, template: Path) -> dict[str, bool]:
    shutil.copytree(template, folder, dirs_exist_ok=True)
    paths = paths_of("/course/gradebook.db", f"/course/source/{UNIT}/{UNIT}.ipynb", "/course")
    released = folder / "release" / UNIT / f"{UNIT}.ipynb"
    for student, source in (("attacker", attack.source), ("neighbour", RIGHT)):
        path = folder / "submitted" / student / UNIT / released.name
        path.parent.mkdir(parents=True)
        nbformat.write(handed_in(nbformat.read(released, 4), source, paths), path)
    ended = contained([Path(sys.executable).parent / "nbgrader", "autograde", UNIT], folder, PATIENCE["nbgrader"])
    marks = nbgrader_marks(folder)
    told = outputs_of(folder / "autograded" / "attacker" / UNIT / released.name)
    return verdict(attack, marks.get("attacker", 0.0), told, ended and marks.get("neighbour") == 1.0)


def handed_in(notebook, source: str, paths: dict):
    """The release with the honest answer, and the attack's cells where the other answer belongs."""
    parts = source.split("# %%")
    at = {cell.metadata.nbgrader.grade_id: cell for cell in notebook.cells if "nbgrader" in cell.metadata}
    at["honest"].source = test_attacks.HONEST
    at["triple"].source = parts[0]
    index = notebook.cells.index(at["triple"])
    notebook.cells[index + 1 : index + 1] = [new_code_cell(part) for part in parts[1:]]
    notebook.cells.insert(0, new_code_cell(f"PATHS = {paths!r}"))
    return notebook


def nbgrader_marks(folder: Path) -> dict[str, float]:
    """What `triple` earned by student; empty if the gradebook can no longer be read."""
    from nbgrader.api import Gradebook

    try:
        with Gradebook(f"sqlite:///{folder}/gradebook.db", "attacked") as book:
            grades = [
                (submission.student.id, grade.auto_score or 0.0)
                for submission in book.find_assignment(UNIT).submissions
                for grade in submission.notebooks[0].grades
                if grade.name.startswith("triple")
            ]
    except Exception:  # whatever an attack left of it
        return {}
    return {student: sum(score for who, score in grades if who == student) for student, _ in grades}


def outputs_of(path: Path) -> str:
    """What the cells printed, without the check cells."""
    try:
        cells = nbformat.read(path, 4).cells
    except Exception:
        return ""
    return json.dumps([cell.get("outputs") for cell in cells if not cell.metadata.get("nbgrader", {}).get("grade")])


# --- otter-grader ----------------------------------------------------------------------------------------------------


def otter_archive(folder: Path) -> Path:
    tests = folder / "tests"
    tests.mkdir()
    for name, sources, points in (("honest", HONEST, 1.0), ("triple", TRIPLE, 0.25)):
        text = f"from otter.test_files import test_case\n\nOK_FORMAT = False\nname = {name!r}\n"
        for number, source in enumerate(sources):
            body = "\n".join(f"    {line}" for line in source.splitlines())
            text += f"\n\n@test_case(points={points}, hidden=True)\ndef case_{number}({name}):\n{body}\n"
        (tests / f"{name}.py").write_text(text)
    otter_peer.generate(tests, folder / "autograder.zip")
    return folder / "autograder.zip"


def try_otter(attack: Attack, folder: Path, archive: Path) -> dict[str, bool]:
    """otter-grader grades one submission a run; the neighbour's comes after, in the same place.

    After attacks that only forge or read there is nothing that could reach the neighbour's run, and none is made.
    """
    shutil.copy(archive, folder / "autograder.zip")
    (folder / "gradebook.db").write_text(CANARY)
    paths = paths_of("/course/gradebook.db", "tests/triple.py", "/course")
    ended, marks = {}, {}
    students = {"attacker": attack.source} | ({} if kind_of(attack) in ("forge", "read") else {"neighbour": RIGHT})
    for student, source in students.items():
        (folder / student).mkdir()
        sources = [f"PATHS = {paths!r}\n{TELLING}", test_attacks.HONEST, *source.split("# %%")]
        notebook = new_notebook(cells=[new_code_cell(text) for text in sources], metadata=KERNEL)
        nbformat.write(notebook, folder / student / "attacked.ipynb")
        command = otter_peer.command(Path(student, "attacked.ipynb"), Path("autograder.zip"), Path(student))
        ended[student] = contained(command, folder, PATIENCE["otter-grader"])
        marks[student] = otter_peer.marks(folder / student, test_attacks.UNIT).get("triple", 0.0)
    told = (folder / "told").read_text(errors="replace") if (folder / "told").exists() else ""
    return verdict(attack, marks["attacker"], told, all(ended.values()) and marks.get("neighbour", 1.0) == 1.0)


# --- the run ---------------------------------------------------------------------------------------------------------


def measure(arguments: argparse.Namespace, console: Console) -> dict[str, dict]:
    """{system: {attack: {question: yes or no}, or the reason why it was not run}}"""
    results = json.loads(arguments.json.read_text()) if arguments.json and arguments.json.exists() else {}
    with tempfile.TemporaryDirectory() as top:
        for system in arguments.system:
            done = results.setdefault(system, {})
            todo = [attack for attack in chosen(arguments.only) if attack.name not in done]
            attempt = attempts(system, Path(top, system), console) if todo else None
            if attempt:
                control(attempt, Path(top, system, "control"))
            for number, attack in enumerate(tqdm(todo if attempt else [], desc=system, leave=False)):
                folder = Path(top, system, str(number))
                done[attack.name] = reason(system, attack) or tried(attempt, attack, folder)
                shutil.rmtree(folder, ignore_errors=True)
                if arguments.json:
                    arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    return results


def tried(attempt, attack: Attack, folder: Path) -> dict[str, bool]:
    """What an attack gains. One that broke the batch must do so twice: a busy machine does it once by itself."""
    (folder / "first").mkdir(parents=True)
    answers = attempt(attack, folder / "first")
    if answers["batch"]:
        (folder / "second").mkdir()
        answers["batch"] = attempt(attack, folder / "second")["batch"]
    return answers


def attempts(system: str, folder: Path, console: Console):
    """The function that tries one attack on a system, or None if the system is not there."""
    folder.mkdir()
    if system == "unrolled":
        return try_ours
    if not shutil.which("bwrap"):
        console.print(f"{system} is left out: it runs attacks only in bubblewrap, which is not installed")
        return None
    if system == "nbgrader":
        template = folder / "template"
        template.mkdir()
        nbgrader_course(template)
        return lambda attack, place: try_nbgrader(attack, place, template)
    if not otter_peer.installed():
        console.print("otter-grader is not installed and left out: tools/bench_packages.sh otter")
        return None
    archive = otter_archive(folder)
    return lambda attack, place: try_otter(attack, place, archive)


CONTROL = Attack("control", "earn the mark by work", RIGHT, earns=0.0)


def control(attempt, folder: Path) -> None:
    """Before the attacks, honest work: it must get its mark and do nothing else, or no answer would mean a thing."""
    folder.mkdir()
    answers = attempt(CONTROL, folder)
    if answers != dict.fromkeys(QUESTIONS, False) | {"mark": True}:
        raise RuntimeError(f"honest work is not graded as it should be ({answers}): nothing can be told of attacks")


def reason(system: str, attack: Attack) -> str | None:
    return None if system == "unrolled" else NOT_RUN.get(attack.name) or NO_EQUIVALENT.get(attack.name)


def chosen(names: list[str] | None) -> list[Attack]:
    return [attack for attack in test_attacks.ATTACKS if not names or attack.name in names or kind_of(attack) in names]


def counts(results: dict[str, dict]) -> dict[str, dict[str, int]]:
    """By system: how many attacks were run, and for how many each answer is yes."""
    table = {}
    for system, attacks in results.items():
        ran = [answers for answers in attacks.values() if isinstance(answers, dict)]
        table[system] = {"run": len(ran)} | {what: sum(answers[what] for answers in ran) for what in QUESTIONS}
    return table


def show(results: dict[str, dict], console: Console) -> None:
    titles = "gained a mark", "read a secret", "got out", "broke the batch"
    details = Table("attack", *results)
    for name in dict.fromkeys(name for attacks in results.values() for name in attacks):
        details.add_row(name, *(_told(attacks.get(name, "")) for attacks in results.values()))
    console.print(details)
    table = Table("", "attacks run", *titles)
    for system, row in counts(results).items():
        table.add_row(system, *map(str, row.values()))
    console.print(table)


def _told(answers: dict[str, bool] | str) -> str:
    if isinstance(answers, str):
        return f"not run: {answers}" if answers else ""
    return ", ".join(what for what in QUESTIONS if answers[what]) or "—"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    systems = ["unrolled", "nbgrader", "otter-grader"]
    parser.add_argument("--system", nargs="+", choices=systems, default=systems, help="which to attack (all)")
    named = f"only these attacks, by name or kind: {' '.join(test_attacks.KINDS)}"
    parser.add_argument("--only", nargs="+", help=named)
    parser.add_argument("--json", type=Path, help="write the answers there, and go on from what is there")
    arguments, console = parser.parse_args(), Console()
    try:
        results = measure(arguments, console)
    except (OSError, RuntimeError) as problem:
        sys.exit(str(problem))
    show(results, console)


if __name__ == "__main__":
    main()
