"""The engine: notebooks in, judgements out; deaths and delays cost what they touched and nothing else."""

import json
import os
import signal
import time
from dataclasses import replace

import psutil
import pytest
import torch
from one_judge import IN_THE_END, SHORT, asks, code, engine, notebook, patient
from processes import below
from unrolled.checking import LocalAnswer, check, close, forbid, holds, run, seeded
from unrolled.checking.registry import forbidden

from autograder import specimens
from autograder.judging.boundary.session import CRASHED, OUT_OF_MEMORY, TIMED_OUT
from autograder.judging.jail import bubblewrap, launch
from autograder.judging.judge import GRADED, UNREADABLE, Judge
from autograder.judging.rubric import Exercise, Rubric
from autograder.judging.warm import keeper
from autograder.judging.warm.worker import Worker, WorkerFailed


@check("square")
def a_number(answer):
    """Three squared is nine."""
    close(answer(3), 9, "3²")


@check("square", weight=3, hint="Square each element.")
def a_tensor(answer):
    """A tensor is squared by its elements."""
    x = torch.randn(4, generator=torch.Generator().manual_seed(seeded().randrange(2**31)))
    close(answer(x), x * x, "x²")


@check("cube")
def a_cube(answer):
    """Two cubed is eight."""
    close(answer(2), 8, "2³")


@check("draw")
def draws_once(answer):
    """Two draws differ."""
    holds(answer() != answer(), "two draws are the same")


@check("settings")
def rate_is_small(answer):
    """The rate is below one."""
    holds(answer.value()["rate"] < 1, "the rate is too large")


SQUARE, CUBE = "def square(x):\n    return x * x", "def cube(x):\n    return x ** 3"
RELEASE = notebook(code(SQUARE, "square"), asks("square", 4), code(CUBE, "cube"), asks("cube", 2))
UNIT = Rubric.of(RELEASE, "small")


def grade(*cells, unit=UNIT, **options):
    return engine().grade(notebook(*cells), unit, **options)


class Counted(list):
    """The times at which processes were started, within its context."""

    def __enter__(self):
        self._fork = Worker.fork
        Worker.fork = lambda *arguments: (self.append(time.time()), self._fork(*arguments))[1]
        return self

    def __exit__(self, *error):
        Worker.fork = self._fork


def both(square=SQUARE, cube=CUBE, between=""):
    return code(square, "square"), asks("square", 4), code(between), code(cube, "cube"), asks("cube", 2)


def earned(judgement):
    return {report.exercise: report.earned for report in judgement.reports}


# --- the usual ------------------------------------------------------------------------------------------------------


def test_a_right_notebook_is_graded_in_full():
    judgement = grade(*both())
    assert (judgement.status, judgement.note) == (GRADED, "")
    assert earned(judgement) == {"square": 4.0, "cube": 2.0}
    assert judgement.earned == 6.0


def test_partial_credit_and_messages_are_those_of_a_notebook():
    source = "def square(x):\n    return x * x if isinstance(x, int) else x"
    namespace = {}
    exec(source, namespace)
    report = grade(*both(square=source)).reports[0]
    assert report.to_dict() == run("square", LocalAnswer(namespace["square"]), 4).to_dict()
    assert report.earned == 1.0


def test_a_blank_notebook_earns_nothing_and_says_why():
    stub = "def {}(x):\n    raise NotImplementedError"
    judgement = grade(*both(stub.format("square"), stub.format("cube")))
    assert earned(judgement) == {"square": 0.0, "cube": 0.0}
    assert judgement.reports[0].checks[0].outcome == "not started"


def test_a_missing_definition_is_named():
    report = grade(code(SQUARE, "square"), asks("square", 4)).reports[1]
    assert report.earned == 0
    assert report.checks[0].message == "the notebook defines no cube"


def test_a_check_cell_shows_its_table_and_the_points_as_nbgrader_reads_them():
    from nbformat import from_dict
    from nbgrader.utils import determine_grade

    outputs = grade(*both(cube="def cube(x): return 0")).outputs
    for index, exercise, points, marks in ((1, "square", 4, 4.0), (4, "cube", 2, 0.0)):
        cell = from_dict(json.loads(json.dumps(asks(exercise, points) | {"outputs": outputs[index]})))
        assert determine_grade(cell) == (marks, points)
    assert "2³" in outputs[4][0]["data"]["text/html"]


def test_outputs_belong_to_their_cells():
    outputs = grade("print('first')", *both(between="7"), "1 / 0").outputs
    assert outputs[0][0]["text"] == "first\n"
    assert outputs[3][0]["data"] == {"text/plain": "7"}
    assert outputs[6][0]["ename"] == "ZeroDivisionError"


def test_experiments_are_not_run():
    cells = [code("raise SystemExit", tags=("experiment",)), *both(), code("1 / 0", "plot")]
    unit = replace(UNIT, experiments=frozenset(["plot"]))
    judgement = grade(*cells, unit=unit)
    assert judgement.earned == 6.0
    assert not {0, 6} & set(judgement.outputs)


def test_the_definitions_of_a_changed_experiment_are_run():
    """Of one that is as it was released nothing is; and never the experiment itself."""
    shown, helper = (
        "def helper(x): return x\nraise SystemExit",
        "import math\ndef helper(x): return x * x\nraise SystemExit",
    )
    unit = replace(Rubric.of(notebook(*both(), code(shown, tags=("experiment",))), "small"), preload=())
    for source, points in ((shown, 0.0), (helper, 4.0)):
        cells = [code(source, tags=("experiment",)), *both(square="def square(x): return helper(x)")]
        judgement = patient().grade(notebook(*cells), unit)
        assert (judgement.status, earned(judgement)["square"]) == (GRADED, points)


def test_an_exercise_cannot_be_made_an_experiment_nor_an_experiment_an_exercise():
    """Cells of the release are what the release says they are."""
    tagged = code(SQUARE, "square", tags=("experiment",))
    assert earned(grade(tagged, asks("square", 4)))["square"] == 4.0


def test_what_a_name_meant_at_its_check_counts():
    cells = [code(SQUARE, "square"), asks("square", 4), "square = square(3)", code(CUBE, "cube"), asks("cube", 2)]
    assert earned(grade(*cells)) == {"square": 4.0, "cube": 2.0}


def test_a_check_above_its_answer_or_gone_is_judged_at_the_end():
    assert earned(grade(asks("square", 4), SQUARE, CUBE)) == {"square": 4.0, "cube": 2.0}


def test_values_are_exercises_too():
    unit = Rubric("small", (Exercise("settings", 2),))
    assert grade("settings = {'rate': 0.1}", unit=unit).earned == 2.0
    assert grade("settings = {'rate': 10}", unit=unit).earned == 0.0


@pytest.mark.parametrize("lie", ["finished.ShortCut('no')", "answer.NotStarted('no')", "answer.StudentError('no')"])
def test_a_process_may_deny_what_it_defines_at_its_own_cost_only(lie):
    deny = "import unrolled.checking as c\nfrom unrolled.checking import answer, finished\n"
    deny += f"def lie(*things): raise {lie}\nc.registry.forbidden = lie"
    judgement = grade(*both(between=deny))
    assert (judgement.status, earned(judgement)) == (GRADED, {"square": 4.0, "cube": 0.0})


def test_forbidden_functions_are_noticed_in_the_process():
    forbid("cube", torch.pow)
    try:
        judgement = grade(
            *both(cube="import unrolled.checking, torch\ndef cube(x): return int(torch.pow(torch.tensor(x), 3))")
        )
    finally:
        forbid("cube")
    assert earned(judgement)["cube"] == 2.0  # the child knows what the course's own check files forbid, no more


# --- the same each time ---------------------------------------------------------------------------------------------


def test_chance_is_the_same_each_time():
    unit = Rubric("small", (Exercise("draw", 1),))
    source = "import random, torch\ndef draw(): raise ValueError((random.random(), torch.rand(()).item()))"
    messages = [grade(source, unit=unit).reports[0].checks[0].message for _ in range(2)]
    assert messages[0] == messages[1]
    assert messages[0] != grade(source, unit=unit, seed=1).reports[0].checks[0].message


def test_a_cell_that_gives_seed_another_meaning_costs_nothing():
    spoilt = "import random, torch\nrandom.seed = 42\ntorch.manual_seed = None"
    assert earned(grade(spoilt, *both())) == {"square": 4.0, "cube": 2.0}


def test_global_chance_goes_on_within_a_check():
    unit = Rubric("small", (Exercise("draw", 1),))
    assert grade("import random\ndef draw(): return random.random()", unit=unit).earned == 1


def test_submissions_do_not_see_each_other():
    grade("import math, torch, os\nmath.left = torch.left = 1\nopen('left', 'w').write('x')\nos.environ['LEFT'] = '1'")
    source = "import math, torch, os\nprint(hasattr(math, 'left'), hasattr(torch, 'left'))\n"
    source += "print(os.listdir('.'), 'LEFT' in os.environ)"
    assert grade(source).outputs[0][0]["text"] == "False False\n[] False\n"


def test_what_a_cell_shows_the_first_time_stays():
    """When a notebook runs again, its process may know hidden inputs: from a channel that nobody has thought of."""
    with Counted() as forks:
        judgement = grade("import time\nprint(time.time())", *both(square="import os\ndef square(x): os._exit(1)"))
    assert len(forks) > 1 and float(judgement.outputs[0][0]["text"]) < forks[1]


# --- deaths and delays ----------------------------------------------------------------------------------------------


def test_a_cell_that_kills_costs_only_itself():
    judgement = grade(*both(between="import os; os._exit(3)"))
    assert earned(judgement) == {"square": 4.0, "cube": 2.0}
    assert (judgement.status, judgement.note) == (CRASHED, "the code ended the process with exit code 3")
    assert "exit code 3" in judgement.outputs[2][0]["evalue"]


def test_a_cell_without_end_costs_only_itself():
    judgement = grade(*both(between="while True: pass"))
    assert earned(judgement) == {"square": 4.0, "cube": 2.0}
    assert judgement.status == TIMED_OUT


def test_a_call_that_kills_costs_only_its_exercise():
    judgement = grade(
        *both(square="import os\ndef square(x):\n    os._exit(1) if isinstance(x, int) else 0\n    return x * x")
    )
    assert earned(judgement) == {"square": 3.0, "cube": 2.0}
    assert judgement.status == CRASHED


def test_an_exercise_that_kills_and_kills_is_given_up():
    begin = time.monotonic()
    judgement = grade(*both(square="import os\ndef square(x): os._exit(1)"))
    assert earned(judgement) == {"square": 0.0, "cube": 2.0}
    assert time.monotonic() - begin < IN_THE_END


def test_an_endless_exercise_costs_its_own_time_only():
    begin = time.monotonic()
    judgement = grade(*both(square="def square(x):\n    while True: pass"))
    assert earned(judgement) == {"square": 0.0, "cube": 2.0}
    assert judgement.status == TIMED_OUT
    assert "longer than 1 s" in judgement.reports[0].checks[0].message
    assert time.monotonic() - begin < IN_THE_END


def test_memory_is_a_status():
    judgement = grade(*both(square="def square(x): return bytearray(10**10)"))
    assert earned(judgement) == {"square": 0.0, "cube": 2.0}
    assert judgement.status == OUT_OF_MEMORY


def test_a_notebook_that_dies_in_every_cell_ends():
    cells = [f"import os; os._exit({number})" for number in range(12)]
    judgement = grade(*cells, *both())
    assert judgement.status == CRASHED
    assert earned(judgement) == {"square": 0.0, "cube": 0.0}
    assert "too often" in judgement.reports[0].checks[0].message


def test_a_notebooks_time_is_bounded():
    with Judge(replace(SHORT, notebook_seconds=3, cell_seconds=1)) as small:
        small.describe()  # starts the worker
        judgement = small.grade(notebook(*["while True: pass"] * 9, *both()), UNIT)
    assert judgement.status == TIMED_OUT
    assert judgement.earned == 0
    assert judgement.seconds < IN_THE_END


def test_processor_time_is_bounded_however_many_threads_spend_it():
    burn = "import torch\ntorch.set_num_threads(2)\nx = torch.randn(600, 600)\nwhile True: x = (x @ x).clamp(-1, 1)"
    with Judge(replace(SHORT, cpu_seconds=2, cell_seconds=12)) as small:
        judgement = small.grade(notebook(burn, *both()), UNIT)
    assert (judgement.status, judgement.note) == (TIMED_OUT, "it used more than 2 s of processor time")
    assert judgement.earned == 6.0


@pytest.mark.parametrize("threads", [1, 2])
def test_large_operations_and_their_gradients_do_not_hang_in_a_fork(threads):
    source = f"import torch\ntorch.set_num_threads({threads})\nx = torch.randn(900, 900, requires_grad=True)\n"
    source += "(x @ x).sin().sum().backward()\nprint(torch.get_num_threads(), x.grad.isfinite().all().item())"
    assert patient().grade(notebook(source), UNIT).outputs[0][0]["text"] == f"{threads} True\n"


def test_what_is_written_to_stderr_decides_no_mark():
    """nbgrader takes it for a failed check where no points are shown."""
    from nbformat import from_dict
    from nbgrader.utils import determine_grade

    loud = "import os, sys, warnings\ndef square(x):\n    warnings.warn('odd')\n    os.write(2, b'raw')\n"
    loud += "    print('AssertionError', file=sys.stderr)\n    return x * x"
    judgement = grade(*both(square=loud, between="raise ValueError"))
    assert (judgement.status, judgement.earned) == (GRADED, 6.0)
    for index, exercise, points in ((1, "square", 4), (4, "cube", 2)):
        cell = from_dict(json.loads(json.dumps(asks(exercise, points) | {"outputs": judgement.outputs[index]})))
        assert determine_grade(cell) == (points, points)


# --- whose fault ----------------------------------------------------------------------------------------------------


@check("fragile")
def indexes_the_answer(answer):
    """The answer's first item is one."""
    holds(answer()[0] == 1, "the first item is not 1")


@check("fragile")
def exists(answer):
    """It returns something."""
    holds(answer() is not None, "nothing")


FRAGILE = Rubric("small", (Exercise("fragile", 2),))


def test_an_answer_that_breaks_a_sound_check_loses_it():
    learned = engine().learn(notebook("def fragile(): return [1]"), FRAGILE)
    assert learned.sound == {"fragile": frozenset(["indexes_the_answer", "exists"])}
    judgement = grade("def fragile(): return {}", unit=learned)
    assert [result.outcome for result in judgement.reports[0].checks] == ["failed", "held"]
    assert judgement.earned == 1.0


def test_a_check_that_breaks_on_the_reference_is_nobodys_loss():
    learned = engine().learn(notebook("def fragile(): return {}"), FRAGILE)
    judgement = grade("def fragile(): return {}", unit=learned)
    assert [result.outcome for result in judgement.reports[0].checks] == ["fault", "held"]
    assert judgement.earned == 2.0


# --- the same marks as in a notebook ---------------------------------------------------------------------------------

PRELUDE = "import collections, math, random, torch\nfrom collections import Counter, defaultdict"
SOME = specimens.load("ngrams")[::6]


@pytest.mark.parametrize("specimen", SOME, ids=lambda specimen: f"{specimen.exercise}-{specimen.name}")
def test_a_specimen_fares_across_the_boundary_as_in_a_notebook(specimen):
    unit = Rubric("ngrams", (Exercise(specimen.exercise, 12),), preload=("unrolled.checks.ngrams",))
    theirs = patient().grade(notebook(PRELUDE, specimen.source), unit).reports[0]
    namespace = {}
    exec(PRELUDE, namespace)
    exec(specimen.source, namespace)
    ours = run(specimen.exercise, LocalAnswer(namespace[specimen.exercise], forbidden(specimen.exercise)), 12)
    assert [(check.name, check.outcome) for check in theirs.checks] == [(c.name, c.outcome) for c in ours.checks]
    assert theirs.earned == ours.earned


# --- what is asked for ----------------------------------------------------------------------------------------------


def test_a_unit_is_read_from_its_release():
    release = notebook(
        "import torch\nfrom unrolled.ngrams import CountModel\nimport autograder.hidden.ngrams",
        code("%matplotlib inline"),
        code(SQUARE, "square"),
        asks("square", 4),
        code("plot()", "plot-it", tags=("experiment",)),
    )
    written = code("", "written-question", 4)
    written["metadata"]["nbgrader"]["solution"] = True
    release["cells"] += [written, {"cell_type": "markdown", "source": "text", "metadata": {}}]
    unit = Rubric.of(release, "ngrams")
    assert unit.exercises == (Exercise("square", 4.0),)
    assert unit.experiments == {"plot-it"}
    assert unit.preload == ("torch", "unrolled.checks.ngrams", "unrolled.ngrams")


def test_points_in_a_submission_decide_nothing():
    assert earned(grade(code(SQUARE, "square"), asks("square", 400)))["square"] == 4.0


@pytest.mark.parametrize(
    "broken",
    [None, [], {}, {"cells": 3}, {"cells": [None]}, {"cells": [{"source": 7}]}, {"cells": [{"source": [7]}]}],
    ids=repr,
)
def test_what_is_no_notebook_is_unreadable(broken):
    judgement = engine().grade(broken, UNIT)
    assert judgement.status == UNREADABLE
    assert judgement.note


@pytest.mark.parametrize(
    "metadata", [{"nbgrader": 7}, {"nbgrader": {"grade_id": []}}, {"tags": "experiment"}, {"tags": [[]]}]
)
def test_odd_metadata_is_let_be(metadata):
    odd = code("print('ran')") | {"metadata": metadata}
    judgement = grade(odd, *both())
    assert judgement.earned == 6.0
    assert judgement.outputs[0][0]["text"] == "ran\n"


def test_odd_cells_are_let_be():
    lines = code("") | {"source": ["def square(x):\n", "    return x * x"]}
    raw = {"cell_type": "raw", "source": "x", "metadata": {}}
    assert earned(grade(lines, raw, {"cell_type": 5}, asks("square", 4)))["square"] == 4.0


# --- the worker -----------------------------------------------------------------------------------------------------


def test_a_worker_that_was_killed_is_started_anew():
    with Judge(SHORT) as small:
        assert small.grade(notebook(*both()), UNIT).earned == 6.0
        (small._worker._nursery or launch._nursery([])).end()  # without bubblewrap it has one of its own
        assert small.grade(notebook(*both()), UNIT).earned == 6.0


def test_a_worker_that_does_not_start_says_so(monkeypatch):
    monkeypatch.setattr(launch.sys, "executable", "/bin/false")
    with pytest.raises(WorkerFailed, match="does not start"):
        Worker(bubblewrapped=False).start()


ALONE = """
import sys
from autograder.judging.warm import zygote
zygote._kept_apart = lambda: False
zygote.main(int(sys.argv[1]))
"""


@pytest.mark.skipif(not bubblewrap.available(), reason="needs bubblewrap")
def test_a_nursery_that_cannot_keep_its_workers_apart_has_only_one(monkeypatch):
    """Both are whole all the same: the second comes from another nursery."""
    spawned, spawn = [], launch.spawn
    monkeypatch.setattr(launch, "_nurseries", {})
    monkeypatch.setattr(launch, "spawn", lambda *given: spawned.append(1) or spawn(*given))
    monkeypatch.setattr(launch, "NURSERY", ("-c", ALONE))
    with Judge(SHORT) as first, Judge(SHORT) as second:
        for judge in (first, second, first, second):
            assert judge.grade(notebook(*both()), UNIT).earned == 6.0
    assert len(spawned) == 2


def test_a_worker_of_a_process_that_ignores_interrupts_can_interrupt():
    """A shell lets what it starts in the background ignore SIGINT, and each process hands that on to the next."""
    cells = notebook("kept = 3", "while True: pass", *both(square=f"{SQUARE} + kept - 3"))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Judge(SHORT) as small:
            judgement = small.grade(cells, UNIT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert judgement.status == TIMED_OUT and judgement.earned == 6.0
    assert judgement.outputs[1][0]["ename"] == "TookTooLong"  # not "Ended": the process went on


def test_what_cannot_be_preloaded_stops_nobody():
    with Judge(SHORT, preload=["no_such_module"]) as small:
        assert small.grade(notebook(*both()), UNIT).earned == 6.0


def test_a_scratch_folder_that_does_not_vanish_is_emptied(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("stays")
    scratch = tmp_path / "scratch"
    (scratch / "locked" / "inside").mkdir(parents=True)
    (scratch / "locked" / "inside" / "file").write_text("goes")
    (scratch / "link").symlink_to(outside)
    (scratch / "locked" / "inside").chmod(0)
    (scratch / "locked").chmod(0)
    keeper.empty(str(scratch))
    assert list(scratch.iterdir()) == []
    assert (outside / "file").read_text() == "stays"


def test_nothing_is_left_of_a_worker():
    engine().describe()  # its nursery is there
    before = below("zygote")
    small = Judge(SHORT)
    with small:
        small.grade(notebook(*both()), UNIT)
        folder = small._worker._folder.name
        born = [process for number, process in below("zygote").items() if number not in before]
    assert len(born) == 1
    assert psutil.wait_procs(born, timeout=20)[1] == []
    assert not os.path.exists(folder)
