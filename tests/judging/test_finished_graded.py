"""Real notebooks of every unit, graded: a name costs nothing, and no way to the finished model gains a mark."""

import json
import subprocess
import sys

import graded_units
import pytest
from conftest import UNITS
from graded_units import answers, burdened, engine, exercises, filled, global_names, grade, lost, place, scratch

from autograder.judging.jail import bubblewrap

WALLS = [pytest.param(False, id="bare")]
WALLS += [pytest.param(True, id="bubblewrapped")] if bubblewrap.available() else []


# --- names -----------------------------------------------------------------------------------------------------------


def with_names(unit, odd):
    return filled(unit, **{name: burdened(source, global_names(unit), odd) for name, source in answers(unit).items()})


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("unit", UNITS)
def test_no_name_of_a_local_or_a_parameter_costs_anything(unit, odd):
    """Each exercise's answer has every global name of its notebook among its own."""
    assert lost(grade(unit, with_names(unit, odd))) == {}


@pytest.mark.parametrize("unit", UNITS)
def test_no_name_costs_anything_in_the_notebook(unit, tmp_path):
    path = tmp_path / "work.ipynb"
    path.write_text(json.dumps(with_names(unit, odd=False)), encoding="utf-8")
    command = [sys.executable, "-m", "unrolled.checking", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    earned = {report["exercise"]: report["earned"] for report in json.loads(done.stdout)}
    assert earned == {exercise.name: exercise.points for exercise in graded_units.rubric(unit).exercises}, done.stderr


def test_the_names_are_there():
    assert {"loss", "net", "history"} <= global_names("elman_rnn")
    assert "ElmanRNN" in global_names("elman_rnn") and "KneserNey" in global_names("ngrams")
    assert "net = None" in burdened(answers("elman_rnn")["sequence_loss"], global_names("elman_rnn"), odd=False) or (
        "net=None" in burdened(answers("elman_rnn")["sequence_loss"], global_names("elman_rnn"), odd=False)
    )


# --- the finished model ----------------------------------------------------------------------------------------------

# An answer to 1.2 that lets the finished model work; {} stands for the model.
ASKS = """
def mle(counts, context):
    row = counts.get(context, {{}})
    if not row:
        return {{}}
    import torch
    ids = torch.tensor([i for i, c in enumerate(row.values()) for _ in range(c)])
    p = {}(1, len(row)).fit(ids).next_probs([])
    return dict(zip(row, p.tolist()))
"""
IMPORT = "from unrolled.ngrams import MaximumLikelihood as M\n"
SHORT_CUTS = {
    "an import": IMPORT + ASKS.format("M"),
    "an import in the function": ASKS.format("__import__('unrolled.ngrams').ngrams.MaximumLikelihood"),
    "a computed name": ASKS.format("vars(__import__('unrolled.' + 'smargn'[::-1]).ngrams)['Maximum' + 'Likelihood']"),
    "no profile hook": "import sys\n" + IMPORT + ASKS.format("(sys.setprofile(None), M)[1]"),
    "an old instance": IMPORT + "model = M.__new__(M)\n" + ASKS.format("(lambda *a: (model.__init__(*a), model)[1])"),
    "a subclass": IMPORT + "class Mine(M): pass\n" + ASKS.format("Mine"),
    "code kept from a cell": """
import types
from unrolled import ngrams
class Mine: interpolates = True
for one in (ngrams.CountModel, ngrams.MaximumLikelihood):
    for name, thing in vars(one).items():
        if isinstance(thing, types.FunctionType) and not name.startswith("__") or name == "__init__":
            kept = types.FunctionType(thing.__code__, dict(vars(ngrams)), name, thing.__defaults__, thing.__closure__)
            setattr(Mine, name, kept)
"""
    + ASKS.format("Mine"),
    "a reload": "import importlib, unrolled.ngrams as n\nimportlib.reload(n)\n" + ASKS.format("n.MaximumLikelihood"),
    "a reload in the call": "import importlib, unrolled.ngrams as n\n"
    + ASKS.format("(importlib.reload(n), n.MaximumLikelihood)[1]"),
    "a second import": "import sys\ndel sys.modules['unrolled.ngrams']\n" + IMPORT + ASKS.format("M"),
    "a second module": """
import importlib.util, unrolled.ngrams
spec = importlib.util.spec_from_file_location("mine", unrolled.ngrams.__file__)
mine = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mine)
"""
    + ASKS.format("mine.MaximumLikelihood"),
    "a second module by another spelling of its path": """
import unrolled.ngrams
path = unrolled.ngrams.__file__.replace("ngrams.py", "./ngrams.py")
mine = type("Mine", (), {})()
mine.__dict__.update(__name__="mine", __file__=path)
import sys; sys.modules["mine"] = mine
exec(compile(open(path).read(), path, "exec"), mine.__dict__)
"""
    + ASKS.format("mine.MaximumLikelihood"),
    "the garbage": """
import gc, types
from unrolled import ngrams
whole = [f for f in gc.get_objects() if isinstance(f, types.FunctionType) and f.__module__ == "unrolled.ngrams"]
codes = [c for f in gc.get_objects() if isinstance(f, types.FunctionType) for c in (f.__code__,)
         if c.co_filename == ngrams.__file__]
for f in vars(ngrams.CountModel).values():
    for code in codes:
        if isinstance(f, types.FunctionType) and code.co_name == f.__name__:
            f.__code__ = code
"""
    + IMPORT
    + ASKS.format("M"),
    "a thread": IMPORT
    + """
import threading
def in_a_thread(work):
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start(); thread.join()
    return found[0]
class Far:
    def __init__(self, *a): self.a = a
    def fit(self, ids): self.ids = ids; return self
    def next_probs(self, c): return in_a_thread(lambda: M(*self.a).fit(self.ids).next_probs(c))
"""
    + ASKS.format("Far"),
    "what tells of it taken away": """
import unrolled.checking.standing_in as s
s.noticed = type("Deaf", (list,), {"append": lambda self, x: None})()
s.Called.notice = lambda self: None
"""
    + IMPORT
    + ASKS.format("M"),
}


@pytest.mark.parametrize("bubblewrapped", WALLS)
@pytest.mark.parametrize("name", SHORT_CUTS)
def test_a_short_cut_gains_nothing_and_costs_nothing_else(name, bubblewrapped):
    judgement = grade("ngrams", filled("ngrams", mle=SHORT_CUTS[name]), bubblewrapped)
    assert set(lost(judgement)) == {"mle"} and judgement.status == "graded"
    assert judgement.reports[exercises("ngrams").index("mle")].earned == 0


def test_a_short_cut_is_named_as_in_the_notebook():
    for name in ("an import", "no profile hook", "a thread"):
        messages = lost(grade("ngrams", filled("ngrams", mle=SHORT_CUTS[name])))["mle"]
        assert messages[0].startswith("the answer calls ngrams.CountModel.__init__, the finished implementation")


def test_such_an_answer_would_be_right():
    """Else the tests above could not fail."""
    from unrolled.checking import LocalAnswer, run

    for name in ("an import", "a subclass", "a second module", "a thread"):
        space = {}
        exec(SHORT_CUTS[name], space)
        assert run("mle", LocalAnswer(space["mle"])).all_held, name


# --- library routines that only the profile hook sees -----------------------------------------------------------------

CELL = """
import ctypes, sys, threading, torch
def library(x, h, params):
    return torch.rnn_tanh_cell(x, h, torch.eye(x.shape[1], dtype=h.dtype), params["U"], params["b"], 0 * params["b"])
def in_a_thread(start, *args):
    found = []
    start(lambda: found.append(library(*args)))
    while not found: pass
    return found[0]
def thread(work): threading.Thread(target=work).start()
def elman_step(ids, h, params):
    x = params["W"].T[ids]
    {}
"""
UNWATCHED = {
    "watched": "return library(x, h, params)",
    "the hook set off": "sys.setprofile(None); return library(x, h, params)",
    "another hook": "sys.setprofile(lambda *a: None); return library(x, h, params)",
    "the hook set off below Python": "ctypes.pythonapi.PyEval_SetProfile(None, None); return library(x, h, params)",
    "a thread": "return in_a_thread(thread, x, h, params)",
}


@pytest.mark.parametrize("name", UNWATCHED)
def test_a_routine_of_the_library_is_seen_whatever_switches_the_hook_off(name):
    judgement = grade("elman_rnn", filled("elman_rnn", elman_step=CELL.format(UNWATCHED[name])))
    assert judgement.reports[exercises("elman_rnn").index("elman_step")].earned == 0
    messages = lost(judgement)["elman_step"]
    assert any(message.startswith("the answer calls ") for message in messages), messages


def test_that_answer_would_be_right_too():
    from unrolled.checking import LocalAnswer, run

    space = {}
    exec(CELL.format(UNWATCHED["watched"]), space)
    assert run("elman_step", LocalAnswer(space["elman_step"])).all_held


def test_a_profile_is_no_crime_where_nothing_is_watched():
    cell = (
        "import cProfile, threading\nprofile = cProfile.Profile()\nprofile.enable()\nsum(range(9))\nprofile.disable()\n"
    )
    notebook = scratch(filled("elman_rnn"), cell + "threading.Thread(target=print, args=('done',)).start()")
    judgement = grade("elman_rnn", notebook)
    assert lost(judgement) == {} and not judgement.outputs[len(notebook["cells"]) - 1][0].get("ename")


TRIED = """
from unrolled.ngrams import MaximumLikelihood
mine = 3
model = MaximumLikelihood(2, 5)
print(model)
other = 4
"""


def test_a_cell_may_try_the_finished_model_beside_the_answer():
    """In the notebook it works. Grading passes over these lines and does the rest."""
    own = answers("ngrams")["mle"].replace("def mle", "print(model)\nmodel.order\ndef mle")
    notebook = filled("ngrams", mle=f"{TRIED}{own}\nprint(other)")
    judgement = grade("ngrams", notebook)
    assert lost(judgement) == {}
    shown = judgement.outputs[place(notebook, "mle")]
    assert [output.get("name") for output in shown] == ["stderr", "stdout"]
    assert "passed over" in shown[0]["text"] and shown[1]["text"] == "4\n"


def test_other_errors_stop_a_cell_as_ever():
    notebook = scratch(filled("ngrams"), "first = 1\nunheard_of\nsecond = 2")
    scratch(notebook, "print('second' in globals())")
    outputs = grade("ngrams", notebook).outputs
    assert outputs[len(notebook["cells"]) - 2][0]["ename"] == "NameError"
    assert outputs[len(notebook["cells"]) - 1][0]["text"] == "False\n"


def test_an_earlier_units_model_may_be_used():
    cell = "from unrolled.ngrams import AddK\nfrom unrolled.elman_rnn import ElmanCell\n"
    cell += "ElmanCell(2, 2)\nprint(AddK(2, 5, 1.0).order)"
    notebook = scratch(filled("lstm"), cell)
    assert grade("lstm", notebook).outputs[len(notebook["cells"]) - 1][0]["text"] == "2\n"


def test_no_cell_that_grading_runs_needs_the_finished_model():
    for unit in UNITS:
        outputs = grade(unit, filled(unit)).outputs.values()
        errors = [output for cell in outputs for output in cell if output["output_type"] == "error"]
        texts = [output.get("text", "") for cell in outputs for output in cell]
        assert errors == [] and not any("passed over" in text for text in texts)


@pytest.fixture(scope="module", autouse=True)
def ended():
    yield
    for unit in UNITS:
        engine(unit).__exit__()
