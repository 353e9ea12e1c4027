"""The boundary: a stand-in does what the answer itself does, and a process that breaks the rules is ended."""

import socket
import struct
import threading
import time

import pytest
import torch
from one_judge import IN_THE_END, SHORT, engine
from unrolled.checking import LocalAnswer, Mismatch, close, holds
from unrolled.checking.answer import NotStarted, StudentError
from unrolled.checking.finished import ShortCut

from autograder.judging.boundary.channel import Channel, Closed, Kind, TimeUp, content
from autograder.judging.boundary.encoding import encode
from autograder.judging.boundary.outputs import FULL, Room, cleaned
from autograder.judging.boundary.session import CRASHED, TIMED_OUT, Ended, Mishap, Session, TookTooLong
from autograder.judging.boundary.shell import OUTPUT_BYTES, Outputs
from autograder.judging.boundary.standin import RemoteAnswer
from autograder.judging.boundary.wire import FrameError


def standing_in(session, handle):
    return RemoteAnswer(lambda: (session, handle), lambda: 5.0, handle.name)


@pytest.fixture
def session():
    session = engine()._worker.fork(SHORT, standing_in)
    yield session
    session.end()


def remote(session, source, name="f"):
    """The stand-in for what `source` calls `name`."""
    session.cell(source, 5)
    return session.request(Kind.PIN, name, name, seconds=5)


def local(source, name="f"):
    namespace = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    return LocalAnswer(namespace[name])


def outcome(use, answer):
    """What a check sees: a value, or an exception without the line it came from."""
    try:
        return use(answer)
    except Exception as error:
        return type(error).__name__, str(error).split(" (in ")[0]


IMPORTS = "import collections, math, random, torch\nimport numpy as np\n"
SAME = {
    "numbers": ("def f(x, y=1): return x + y", lambda f: (f(1), f(2.5, y=2), f(10**30))),
    "plain data": ("def f(*a, **k): return [a, k]", lambda f: f(None, True, b"x", {"a": {(1, "b"), 2}}, k=(1, [2]))),
    "relatives": (
        "def f(): return collections.Counter('aab'), collections.OrderedDict(b=1), frozenset('x'), np.float32(0.5)",
        lambda f: f(),
    ),
    "arrays": ("def f(x): return x.numpy() * 2", lambda f: f(torch.arange(3))),
    "tensors": (
        "def f(x): return {'t': x.T, 'g': torch.nn.Parameter(x), 'i': x.long(), 'b': x > 0}",
        lambda f: f(torch.tensor([[1.0, -2.0]])),
    ),
    "arguments are copies": ("def f(x): x.add_(1); return x", lambda f: (x := torch.zeros(2), f(x), x)),
    "an exception": ("def f(x): return 1 / x", lambda f: f(0)),
    "an exception with odd text": (
        "def f(): raise ValueError('\\ud800 é')",
        lambda f: str(type(outcome(lambda g: g(), f))),
    ),
    "a stub": ("def f(x): raise NotImplementedError('write me')", lambda f: f(1)),
    "exit": ("def f(x): raise SystemExit(3)", lambda f: f(1)),
    "printing": ("def f(x): print('so', x); return x", lambda f: (f(1), f.printed)),
    "a value": ("f = {'learning rate': 0.1}", lambda f: f.value()),
    "a callback": ("def f(g, x): return g(x) + g(x, scale=2)", lambda f: f(lambda x, scale=1: x * scale, 3)),
    "a wrong call back": (
        "def f(g):\n try: return g(1, 2, 3)\n except TypeError as e: return str(e)",
        lambda f: f(lambda x: x),
    ),
    "a callback that fails": ("def f(g): return g(1)", lambda f: f(lambda x: {}["missing"])),
    "a callback that a check failed in": ("def f(g): return g(1)", lambda f: f(lambda x: holds(False, "no"))),
    "a swallowed failure": (
        "def f(g):\n try: g(1)\n except Exception: return 0",
        lambda f: f(lambda x: holds(False, "no")),
    ),
    "a callback that calls the answer": (
        "def f(n, g=None): return n if g is None else g(n) + 1",
        lambda f: f(3, lambda n: f(n * 10)),
    ),
    "the answer as an argument": ("def f(x, g=None): return g(x) * 2 if g else x + 1", lambda f: f(4, f)),
    "a class": (
        "class f:\n def __init__(s, n): s.n = n\n def up(s, k=1): s.n += k; return s.n",
        lambda f: (lambda o: (o.attribute("n"), o.method("up"), o.method("up", k=5), o.attribute("n")))(f(10)),
    ),
    "objects inside a list": ("def f(): return [lambda x: x + 1, 7]", lambda f: (lambda r: (r[0](1), r[1]))(f())),
    "a model's state": (
        "def f(): return torch.nn.Linear(2, 1)",
        lambda f: (lambda a, b: (b.method("load_state_dict", a.method("state_dict")), b(X), a(X))[1:])(f(), f()),
    ),
    "gradients": (
        "def f(x, w): return (x @ w).tanh()",
        lambda f: f.gradients(X, torch.tensor([[0.3], [0.1]]), upstream=torch.tensor([[2.0]])),
    ),
    "gradients in dictionaries and lists": (
        "def f(x, p, more): return (x @ p['w']).tanh() * more[0][1]",
        lambda f: f.gradients(X, {"w": torch.tensor([[0.3], [0.1]]), "b": X}, [(X, torch.tensor(2.0))]),
    ),
    "gradients by what a callback returned": (
        "def f(g, x):\n a, s = g(x, 1)\n b, s = g(s, 2)\n a[0] = 0\n return (a * b * x[0]).sum()",
        lambda f: f.gradients(lambda s, n: (n * X, {"s": s, "n": n}) if n == 1 else (n * X + 1, None), X),
    ),
    "no graph": ("def f(x): return x.detach()", lambda f: f.gradients(X)),
    "a sum of two chance numbers": ("def f(): return random.random() + torch.rand(()).item()", lambda f: type(f())),
    "a missing attribute": ("class f: pass", lambda f: f().attribute("nothing")),
}
X = torch.tensor([[3.0, 4.0]])


@pytest.mark.parametrize("name", SAME)
def test_a_stand_in_does_what_the_answer_does(name, session):
    source, use = SAME[name]
    expected = outcome(use, local(IMPORTS + source))
    got = outcome(use, remote(session, IMPORTS + source))
    if name == "a model's state":
        expected, got = expected[0] == expected[1], got[0] == got[1]
        assert bool(got) and bool(expected)
    elif isinstance(expected, type):
        assert got is expected
    else:
        close(got, expected, name, same_dtype=True)


def test_errors_name_the_students_line(session):
    answer = remote(session, "def f(x):\n    y = x - 1\n    return 1 / y\n")
    with pytest.raises(StudentError, match=r"ZeroDivisionError.*in f, line 3: return 1 / y"):
        answer(1)


def test_a_call_into_a_lesson_module_is_noticed_in_the_process(session):
    answer = remote(session, "from unrolled.ngrams import CountModel\ndef mle(): return CountModel(2, 3)", "mle")
    with pytest.raises(ShortCut, match="ngrams.CountModel.__init__"):
        answer()


def test_what_cannot_cross_is_the_answers_fault(session):
    answer = remote(session, "import torch\ndef f(x): return x * 1j")
    with pytest.raises(StudentError, match="complex64"):
        answer(torch.ones(2))


@pytest.mark.parametrize("lie", ["7", "{}", "dict(whole, arguments=[])", "dict(whole, arguments=['steep'])"])
def test_gradients_that_are_none_are_the_answers_fault(lie, session):
    """The process may say what it likes; a check must not break on it."""
    source = "import torch, unrolled.checking.answer as a\ndef f(x): return x * x\ntrue = a.gradients\n"
    source += f"def lie(*given, **named):\n    whole = true(*given, **named)\n    return {lie}\na.gradients = lie"
    with pytest.raises(StudentError, match="its gradients cannot be read"):
        remote(session, source).gradients(X)


def test_a_check_may_not_pass_an_object(session):
    with pytest.raises(TypeError, match="neither plain data nor a function"):
        remote(session, "def f(x): return x")(object())


def test_objects_of_a_process_that_ended_are_gone(session):
    thing = remote(session, "class f: n = 1")()
    session.end()
    with pytest.raises(StudentError, match="ended"):
        thing.attribute("n")


# --- time and the end -----------------------------------------------------------------------------------------------


def test_a_call_that_takes_too_long_is_interrupted_and_the_process_lives_on(session):
    remote(session, "import time\ndef f(x): time.sleep(x); return 7\nf(0)")
    answer = RemoteAnswer(
        lambda: (session, session.request(Kind.PIN, "f", "f", seconds=5).handle_in(session)), lambda: 2
    )
    with pytest.raises(StudentError, match="longer than 2"):
        answer(100)
    assert answer(0) == 7
    assert [mishap.status for mishap in session.mishaps] == [TIMED_OUT]


def test_a_cell_that_ignores_the_interrupt_ends_the_process(session):
    begin = time.monotonic()
    with pytest.raises(Ended) as ended:
        session.cell("import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass", 1)
    assert ended.value.mishap.status == TIMED_OUT
    assert time.monotonic() - begin < IN_THE_END


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import os; os._exit(5)", "exit code 5"),
        ("import os; os._exit(0)", "exit code 0"),
        ("import ctypes; ctypes.string_at(0)", "signal 11"),
    ],
)
def test_how_a_process_ended_is_told(session, source, says):
    with pytest.raises(Ended, match=says):
        session.cell(source, 5)
    assert session.mishaps[0].status == CRASHED


class Puppet:
    """A process that is none: the test plays it on the other end of the socket."""

    def __init__(self):
        self.interrupts, self.ended = 0, False

    def interrupt(self):
        self.interrupts += 1

    def end(self, gone=False):
        self.ended = True
        return Mishap(CRASHED, "it was ended")


@pytest.fixture
def puppet():
    ours, theirs = socket.socketpair()
    puppet = Puppet()
    session = Session(Channel(ours), puppet, standing_in)
    yield session, theirs, puppet
    session.end()
    theirs.close()


def frame(kind, *values):
    body = encode(values)
    return struct.pack("<2sBBI", b"un", kind, 0, len(body)) + body


WRONG_ANSWERS = {
    "noise": b"no frame at all, but long enough",
    "a huge length": struct.pack("<2sBBI", b"un", Kind.RETURN, 0, 2**32 - 1),
    "an unknown kind": struct.pack("<2sBBI", b"un", 99, 0, 0),
    "a request": frame(Kind.CALL, 1, "x", ""),
    "another number": frame(Kind.RETURN, 2, 6, ""),
    "a number that is none": frame(Kind.RETURN, True, 6, ""),
    "too few values": frame(Kind.RETURN, 1, 6),
    "a list in place of a tuple": struct.pack("<2sBBI", b"un", Kind.RETURN, 0, 5) + encode([]),
    "printed numbers": frame(Kind.RETURN, 1, 6, 7),
    "a raise without text": frame(Kind.RAISE, 1, "student", None, ""),
    "a callback nobody passed": frame(Kind.CALLBACK, 1, 0, [], {}),
    "a negative callback": frame(Kind.CALLBACK, 1, -1, [], {}),
}


@pytest.mark.parametrize("name", WRONG_ANSWERS)
def test_a_process_that_breaks_the_rules_is_ended(puppet, name):
    session, theirs, process = puppet
    theirs.sendall(WRONG_ANSWERS[name])
    with pytest.raises(Ended):
        session.request(Kind.VALUE, seconds=2)
    assert process.ended
    with pytest.raises(Ended):
        session.request(Kind.VALUE, seconds=2)


def test_a_failure_nobody_had_cannot_be_claimed(puppet):
    session, theirs, _ = puppet
    theirs.sendall(frame(Kind.RAISE, 1, "callback", "the check broke", ""))
    with pytest.raises(StudentError):
        session.request(Kind.VALUE, seconds=2)


def test_not_started_is_told(puppet):
    session, theirs, _ = puppet
    theirs.sendall(frame(Kind.RAISE, 1, "not started", "", ""))
    with pytest.raises(NotStarted):
        session.request(Kind.VALUE, seconds=2)


def test_a_frame_that_drips_is_timed_out(puppet):
    session, theirs, process = puppet
    stop = threading.Event()

    def drip():
        for byte in frame(Kind.RETURN, 1, "x" * 1000, ""):
            if stop.wait(0.05):
                return
            theirs.send(bytes([byte]))

    thread = threading.Thread(target=drip)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(Ended):
        session.request(Kind.VALUE, seconds=0.3)
    stop.set()
    thread.join()
    assert time.monotonic() - begin < IN_THE_END
    assert process.interrupts == 1


def test_an_interrupt_answered_in_time_leaves_the_process_alive(puppet):
    session, theirs, process = puppet
    threading.Timer(0.4, lambda: theirs.sendall(frame(Kind.RAISE, 1, "student", "interrupted", ""))).start()
    with pytest.raises(TookTooLong):
        session.request(Kind.VALUE, seconds=0.2)
    assert not process.ended


def test_a_channel_tells_end_and_time(puppet):
    _, theirs, _ = puppet
    channel = Channel(theirs)
    with pytest.raises(TimeUp):
        channel.receive(time.monotonic() + 0.05)
    with pytest.raises(TimeUp):
        channel.receive(time.monotonic() - 1)
    ours, other = socket.socketpair()
    ours.close()
    with pytest.raises(Closed):
        Channel(other).receive()
    with pytest.raises(Closed):
        for _ in range(3):
            Channel(other).send(Kind.VALUE, 1)
    other.close()


def test_a_reader_that_does_not_read_is_timed_out(puppet):
    _, theirs, _ = puppet
    with pytest.raises(TimeUp):
        Channel(theirs).send(Kind.VALUE, b"x" * 20_000_000, deadline=time.monotonic() + 0.2)


def test_contents_have_exact_types():
    assert content(memoryview(encode((1, "a"))), (int, object)) == (1, "a")
    for wrong in ((1,), (1.0, "a"), (True, "a"), [1, "a"]):
        with pytest.raises(FrameError):
            content(memoryview(encode(wrong)), (int, object))


# --- cells and what they show -----------------------------------------------------------------------------------


def test_outputs_are_those_of_a_notebook(session):
    source = (
        "import sys\nprint('a')\nprint('b')\nprint('c', file=sys.stderr)\ndisplay({'text/plain': 'd'}, raw=True)\n1 + 1"
    )
    raw, raised = session.cell(source, 5)
    assert not raised
    assert cleaned(raw) == [
        {"output_type": "stream", "name": "stdout", "text": "a\nb\n"},
        {"output_type": "stream", "name": "stderr", "text": "c\n"},
        {"output_type": "display_data", "data": {"text/plain": "d"}, "metadata": {}},
        {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 1},
    ]


def test_an_error_is_kept_and_told(session):
    raw, raised = session.cell("x = 1\nx / 0", 5)
    assert raised
    assert [(o["ename"], o["evalue"]) for o in cleaned(raw)] == [("ZeroDivisionError", "division by zero")]
    raw, raised = session.cell("def broken(:", 5)
    assert raised
    assert cleaned(raw)[0]["ename"] == "SyntaxError"


def test_magics_and_awaits_work(session):
    raw, raised = session.cell("import asyncio\nawait asyncio.sleep(0)\n%time x = 3\nx", 5)
    assert not raised
    assert cleaned(raw)[-1]["data"] == {"text/plain": "3"}


def test_a_figure_is_kept_as_a_picture(session):
    source = "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots()\naxes.plot([1, 2])\nplt.show()"
    raw, raised = session.cell(source, 20)
    assert not raised, raw
    pictures = [o for o in cleaned(raw) if "image/png" in o.get("data", {})]
    assert len(pictures) == 1
    assert pictures[0]["data"]["image/png"].startswith("iVBOR")


def test_a_flood_is_cut_and_says_so():
    outputs = Outputs(100)
    for _ in range(50):
        outputs.stream("stdout", "0123456789")
    outputs.add({"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}})
    assert len(outputs.kept) == 1
    assert outputs.kept[0]["text"].startswith("0123456789" * 10)
    assert "cut off" in outputs.kept[0]["text"]


def test_a_flood_costs_no_memory(session):
    source = "for _ in range(3000): print('x' * 20_000)\nimport resource\n"
    source += "open('peak', 'w').write(str(resource.getrusage(0).ru_maxrss))"
    before = float(_text(session.cell("import resource; print(resource.getrusage(0).ru_maxrss)", 5)))
    raw, _ = session.cell(source, 10)
    assert len(raw[0]["text"]) < OUTPUT_BYTES + 100
    assert float(_text(session.cell("print(open('peak').read())", 5))) - before < 20_000  # KiB; 60 MB were printed


def _text(cell):
    return cell[0][0]["text"]


HOSTILE_OUTPUTS = {
    "no list": {"output_type": "stream"},
    "no dicts": [1, "x", None, []],
    "unknown kinds": [{"output_type": "comm"}, {"output_type": ["stream"]}, {}],
    "wrong types": [
        {"output_type": "stream", "name": "stdin", "text": "x"},
        {"output_type": "stream", "name": "stdout", "text": 5},
        {"output_type": "error", "ename": "E", "evalue": None, "traceback": []},
        {"output_type": "display_data", "data": []},
    ],
    "too large": [{"output_type": "stream", "name": "stdout", "text": "x" * 3_000_000}],
}


@pytest.mark.parametrize("name", HOSTILE_OUTPUTS)
def test_what_is_no_output_is_left_out(name):
    assert cleaned(HOSTILE_OUTPUTS[name]) == []


def test_of_a_display_only_what_may_be_shown_stays():
    data = {
        "text/plain": "x",
        "image/png": b"raw",
        "application/json": {"a": [1, None, 0.5]},
        "application/geo+json": {"a": float("nan")},
        "application/vnd.unrolled.report+json": {"earned": 4},
        7: "x",
    }
    kept = cleaned([{"output_type": "execute_result", "data": data, "metadata": {"x": 1}, "execution_count": -5}])
    assert kept == [
        {
            "output_type": "execute_result",
            "data": {"text/plain": "x", "application/json": {"a": [1, None, 0.5]}},
            "metadata": {},
            "execution_count": None,
        }
    ]


def test_an_error_has_a_length_that_can_be_worked_with():
    """Patterns that look for names and places in it take the square of its length."""
    told = {"output_type": "error", "ename": "E" * 10**6, "evalue": "(<" * 10**6, "traceback": ["(<" * 10_000] * 10}
    (kept,) = cleaned([told])
    assert len(kept["ename"]) == 100 and len(kept["evalue"]) == 2_000 and kept["evalue"].endswith("(<")


def test_what_a_process_says_of_an_error_is_cut_where_it_arrives(puppet):
    session, there = puppet[0], Channel(puppet[1])

    def answer(*message):  # beside the request, since so long a message waits for its reader
        threading.Thread(target=there.send, args=message, daemon=True).start()

    answer(Kind.RAISE, 1, "student", "y" * 3_000_000 + " (in f, line 3)", "x" * 3_000_000)
    with pytest.raises(StudentError, match=r"^y+ … y+ \(in f, line 3\)$") as raised:
        session.request(Kind.CALL, 0, [], {}, None, seconds=5)
    assert len(str(raised.value)) == len(session.printed) == 2_000
    answer(Kind.RETURN, 2, 5, "x" * 3_000_000)
    assert session.request(Kind.CALL, 0, [], {}, None, seconds=5) == 5 and len(session.printed) == 2_000


def test_outputs_have_one_bound_for_all_cells_of_a_notebook():
    room, long = Room(2_500), [{"output_type": "stream", "name": "stdout", "text": "x" * 1_000}]
    assert [room.cleaned(long), room.cleaned(long)] == [long, long]
    (left_out,) = room.cleaned(long)
    assert left_out["text"] == FULL
    assert room.cleaned(long[:0]) == []


# --- classes of objects that stay ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("from collections import UserDict as f", "an object of class UserDict"),
        ("async def f(): pass", "an object of class coroutine (leave out the word async)"),
        ("class Größe: pass\ndef f(): return Größe()", "an object of class Größe"),
        ("f = type('<script>', (), {})", "an object of class object"),
        ("f = type('a' * 41, (), {})", "an object of class object"),
        ("f = type('two words', (), {})", "an object of class object"),
    ],
)
def test_the_students_class_is_named_if_its_name_is_a_word(session, source, says):
    with pytest.raises(Mismatch) as caught:
        close(remote(session, source)(), {}, "the table")
    assert caught.value.got == says


def test_fractions_and_decimals_cross_as_numbers(session):
    source = "from decimal import Decimal\nfrom fractions import Fraction\n"
    source += "def f(): return {'a': Fraction(1, 4)}, Decimal('2.5')"
    assert remote(session, source)() == ({"a": 0.25}, 2.5)


def test_the_argument_that_is_changed_is_named_from_there(session):
    with pytest.raises(StudentError, match=r"an argument that it was given, params\['U'\]: work on a copy"):
        remote(session, "def f(h, params): params['U'].zero_()")(1, {"W": torch.ones(1), "U": torch.ones(1)})


def test_torch_func_is_ready_before_the_first_call(session):
    """It imports a large part of torch at its first call: cut short by a time limit, every later call would fail."""
    source = "import sys, torch\nready = 'torch._dynamo' in sys.modules\n"
    source += "def f(x): return ready, torch.func.grad(lambda y: (y * y).sum())(x)"
    ready, gradient = remote(session, source)(torch.ones(2))
    assert ready and gradient.tolist() == [2, 2]
