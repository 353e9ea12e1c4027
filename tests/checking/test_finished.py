"""Calls of a finished model: every way to it is noticed, nothing else is, and all is open again afterwards."""

import importlib
import subprocess
import sys
import types

import finished_ways
import pytest
import torch
import unrolled.elman_rnn
import unrolled.lstm
import unrolled.ngrams
from conftest import UNITS
from finished_ways import CALLED, in_a_thread
from unrolled.checking import LocalAnswer, check, close, registry, run
from unrolled.checking.answer import StudentError
from unrolled.checking.finished import ShortCut, functions_in
from unrolled.checking.registry import forbidden

LESSONS = [importlib.import_module(f"unrolled.{unit}") for unit in UNITS]


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    yield finished_ways.lesson(tmp_path)
    del sys.modules["lesson"]


@pytest.mark.parametrize("way", CALLED)
def test_every_way_to_a_finished_model_is_noticed_and_open_afterwards(way, lesson):
    name, call = CALLED[way]
    model, before = lesson.Model(3), lesson.double.__code__
    answer = LocalAnswer(lambda: call(lesson, model), (lesson,))
    for _ in range(2):
        with pytest.raises(ShortCut, match=rf"calls lesson\.{name}, the finished implementation"):
            answer()
    assert call(lesson, model) == 6  # as experiments do
    assert lesson.double.__code__ is before
    assert LocalAnswer(lambda: 6, (lesson,))() == 6


def test_what_is_no_function_of_the_module_may_be_used(lesson):
    assert LocalAnswer(lambda: lesson.Pair(6).x, (lesson,))() == 6
    assert LocalAnswer(lambda: isinstance(6, lesson.Model) or lesson.dataclass.__name__, (lesson,))() == "dataclass"
    assert LocalAnswer(lambda: lesson.double(3))() == 6  # no exercise says that it may not


def test_it_is_open_after_an_answer_that_fails(lesson):
    with pytest.raises(StudentError, match="ZeroDivisionError"):
        LocalAnswer(lambda: 1 / 0, (lesson,))()
    assert lesson.double(3) == 6


def test_a_checks_own_function_may_use_it_and_the_answer_may_still_not(lesson):
    answer = LocalAnswer(lambda f: f(2), (lesson,))
    assert answer(lesson.double) == 4 and answer(lambda x: lesson.double(x)) == 4
    with pytest.raises(ShortCut):
        LocalAnswer(lambda f: f(2) + lesson.double(1), (lesson,))(lesson.double)
    inner = LocalAnswer(lambda x: x + 1, (lesson,))
    with pytest.raises(ShortCut):
        LocalAnswer(lambda f: f(2) + lesson.double(1), (lesson,))(lambda x: inner(x))


def test_a_module_that_is_loaded_anew_is_no_way_around(lesson):
    answer = LocalAnswer(lambda: sys.modules["lesson"].double(3), (lesson,))
    old = lesson.double
    with pytest.raises(ShortCut):
        answer()
    importlib.reload(lesson)
    with pytest.raises(ShortCut):
        answer()
    with pytest.raises(ShortCut):
        LocalAnswer(lambda: old(3), (lesson,))()


def test_an_object_that_an_answer_returned_is_watched_like_the_answer(lesson):
    made = LocalAnswer(lambda: lambda: lesson.double(3), (lesson,))()
    with pytest.raises(ShortCut):
        made()


def test_a_thread_that_calls_a_checks_function_late_leaves_nothing_shut(lesson):
    import threading

    go, come = threading.Event(), threading.Event()

    def late():
        come.set()
        return go.wait(5)

    def answer(f):
        threading.Thread(target=f).start()
        return come.wait(5)

    assert LocalAnswer(answer, (lesson,))(late) is True
    go.set()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.name.startswith("Thread-"):
            thread.join(5)
    assert lesson.double(3) == 6


@pytest.mark.parametrize("module", LESSONS, ids=UNITS)
def test_every_function_of_a_finished_model_is_found(module):
    """By the module's compiled source: functions at its top, and those in its classes."""
    with open(module.__file__, encoding="utf-8") as file:
        code = compile(file.read(), module.__file__, "exec")
    assert {function.__code__.co_qualname for function in functions_in(module)} == set(written(code))


def written(code, inside=""):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant.co_flags & 2:  # CO_NEWLOCALS: a function, not a class
            if constant.co_name[0] != "<" and "<locals>" not in constant.co_qualname:
                yield constant.co_qualname
        elif isinstance(constant, types.CodeType):
            yield from written(constant)


# --- whose model -----------------------------------------------------------------------------------------------------


def test_each_exercise_may_not_call_its_own_units_model_and_may_call_the_others():
    assert forbidden("mle") == (unrolled.ngrams,)
    assert unrolled.elman_rnn in forbidden("elman_step") and unrolled.lstm not in forbidden("elman_step")
    assert unrolled.lstm in forbidden("lstm_step") and unrolled.elman_rnn not in forbidden("lstm_step")
    assert forbidden("nobody's exercise") == ()


def test_an_earlier_units_model_is_a_tool():
    cell = unrolled.elman_rnn.ElmanCell(2, 2)
    answer = LocalAnswer(lambda: cell(torch.zeros(1, 2), torch.zeros(1, 2)), forbidden("lstm_step"))
    assert answer().shape == (1, 2)
    with pytest.raises(ShortCut, match=r"elman_rnn\.ElmanCell\.forward"):
        LocalAnswer(answer._target, forbidden("elman_step"))()


def test_a_check_may_forbid_a_module(lesson, monkeypatch):
    monkeypatch.setattr(registry, "_forbidden", {})
    registry.forbid("mle", lesson)
    assert forbidden("mle") == (lesson, unrolled.ngrams)


# --- library functions -----------------------------------------------------------------------------------------------

DERIVATIVES = (torch.autograd.grad, torch.autograd.backward)


def derivative():
    x = torch.ones(1, requires_grad=True)
    return torch.autograd.grad(x * x, x)[0]


def test_a_forbidden_function_is_noticed_in_a_thread():
    for forbidden_, work in (DERIVATIVES, derivative), ((torch.tanh,), lambda: torch.tanh(torch.zeros(1))):
        with pytest.raises(ShortCut, match="grad|tanh"):
            LocalAnswer(lambda work=work: in_a_thread(work), forbidden_)()
        assert isinstance(LocalAnswer(lambda work=work: in_a_thread(work))(), torch.Tensor)


def test_a_check_may_differentiate_where_the_answer_may_not():
    answer = LocalAnswer(lambda x: x * x, DERIVATIVES)
    close(answer.gradients(torch.tensor([3.0]))["arguments"][0], torch.tensor([6.0]), "the gradient")
    with pytest.raises(ShortCut, match="autograd"):
        LocalAnswer(lambda x: derivative() * x, DERIVATIVES).gradients(torch.tensor([3.0]))


class Lazy(dict):
    """Does its work when it is asked for its items."""

    def __init__(self, work):
        super().__init__(result=None)
        self.items = lambda: [("result", work())]


def test_a_result_that_does_its_work_late_is_watched():
    for forbidden_, work in (DERIVATIVES, derivative), ((torch.tanh,), lambda: torch.tanh(torch.zeros(1))):
        late = Lazy(work)
        answers = [LocalAnswer(lambda late=late: late, forbidden_), LocalAnswer(lambda late=late: [late], forbidden_)]
        for ask in [*answers, LocalAnswer(late, forbidden_).value]:
            with pytest.raises(ShortCut, match="grad|tanh"):
                ask()
        assert isinstance(LocalAnswer(lambda late=late: late)()["result"], torch.Tensor)


def test_the_profile_hook_is_what_it_was_and_there_for_builtins_alone():
    seen = []

    def mine(frame, event, arg):
        seen.append(event)

    sys.setprofile(mine)
    try:
        during = LocalAnswer(lambda: sys.getprofile() is mine, DERIVATIVES)()
        other = LocalAnswer(lambda: sys.getprofile() is mine, (torch.tanh,))()
        after = sys.getprofile() is mine
    finally:
        sys.setprofile(None)
    assert (during, other, after) == (True, False, True)


def test_a_fresh_kernel_knows_at_its_first_check_what_is_forbidden(tmp_path):
    """The checks of a unit are imported when they are first asked for."""
    source = "import torch\nfrom unrolled.checking import check, notebook\n"
    source += "def elman_step(x, h, p): return torch.nn.RNNCell(1, 1)(x, h)\ncheck(elman_step, points=1)\n"
    source += "print(notebook.reports[0].checks[0].message)"
    said = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1].startswith("the answer calls rnn.RNNCell.__init__, the finished")


def test_a_short_cut_counts_whatever_else_the_answer_raises(monkeypatch, lesson):
    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr("unrolled.checking.running.checks_of", lambda name: list(registry._checks[name].values()))

    @check("six")
    def is_six(answer):
        """Six."""
        close(answer(), 6, "six")

    for answer in (lambda: 1 / finished_ways.swallowing(lambda: lesson.double(3)) / 0, lambda: lesson.double(3)):
        (result,) = run("six", LocalAnswer(answer, (lesson,))).checks
        assert result.outcome == "failed" and "lesson.double" in result.message
