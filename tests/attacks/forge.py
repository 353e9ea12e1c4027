"""Attacks that want marks for work that was not done."""

from . import Attack

# Tensors that are no answer, or none that may cross; the check of tensors asks for two floating numbers.
_TENSORS = {
    "sparse tensor": "torch.eye(2).to_sparse()",
    "tensor without memory": "torch.ones(2, device='meta')",
    "tensor of NaN": "torch.full((2,), float('nan'))",
    "tensor with a history": "torch.zeros(2, requires_grad=True) * 1",
    "tensor with gaps": "torch.zeros(4)[::2]",
    "tensor of integers": "(3 * x).long()",
    "tensor of whatever number": "(3 * x).to(torch.complex64)",
    "tensor of other shape": "(3 * x).reshape(2, 1)",
}


def _returning(name: str, tensor: str) -> Attack:
    source = f"import torch\ndef triple(x): return {tensor} if isinstance(x, torch.Tensor) else torch.zeros(3)"
    return Attack(name, f"return a {name} that passes for another: {tensor}", source)


FORGE = [
    *(_returning(name, tensor) for name, tensor in _TENSORS.items()),
    Attack(
        "always equal",
        "return an object that claims to be equal to, close to and larger than everything",
        """
class Equal:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return 0.0
    __rsub__ = __le__ = __ge__ = __lt__ = __gt__ = __eq__
    def __abs__(self): return 0.0
    def __float__(self): return 6.0
    def __hash__(self): return 0
    def __bool__(self): return True
    def __int__(self): return 6
    __index__ = __int__
    def __array__(self, *a, **k): return __import__("numpy").array(6.0)
def triple(x): return Equal()
""",
    ),
    Attack(
        "always equal number",
        "return an int of a subclass whose comparisons always agree",
        """
class Number(int):
    def __eq__(self, other): return True
    def __sub__(self, other): return Number(0)
    __rsub__ = __sub__
    __hash__ = int.__hash__
def triple(x): return Number(0)
""",
    ),
    Attack(
        "tensor subclass",
        "return a tensor whose __torch_function__ answers every comparison with true",
        """
import torch
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.tensor(True)
def triple(x): return torch.zeros(2).as_subclass(Yes)
""",
    ),
    Attack(
        "patched comparison",
        "replace what checks compare with, in the process where it would look for it",
        """
import builtins, math, torch
import unrolled.checking, unrolled.checking.compare
torch.testing.assert_close = torch.allclose = torch.equal = lambda *a, **k: True
torch.isclose = lambda a, *b, **k: torch.ones_like(a, dtype=torch.bool)
math.isclose = lambda *a, **k: True
builtins.abs = lambda x: 0
unrolled.checking.close = unrolled.checking.compare.close = lambda *a, **k: None
unrolled.checking.compare._close = unrolled.checking.holds = lambda *a, **k: None
unrolled.checking.running.Report.earned = 1.0
def triple(x): return 0
""",
    ),
    Attack(
        "patched builtins",
        "replace builtins, json and struct with versions that always agree",
        """
import builtins, json, struct
json.dumps = lambda *a, **k: '{"earned": 1}'
struct.Struct.pack = lambda *a: b""
def triple(x): return 0
# %%
builtins.isinstance = lambda *a: True
builtins.type = lambda *a: int
""",
        statuses=("graded", "crashed"),
    ),
    Attack(
        "fake displayed result",
        "show a check's table and a number of points before the check can",
        """
from IPython.display import display
display({"application/vnd.unrolled.report+json": {"exercise": "triple", "points": 1, "earned": 1.0, "checks": []},
         "text/html": "triple: all properties hold"}, raw=True)
def triple(x): return 0
# %%
1.0
""",
    ),
    Attack(
        "patched worker",
        "replace the functions of the worker that send results",
        """
import autograder.judging.boundary.child as child
from autograder.judging.boundary.channel import Channel, Kind
send = Channel.send
def lies(self, kind, *content, **more):
    send(self, Kind.RETURN, content[0], 6, "") if kind == Kind.RETURN else send(self, kind, *content, **more)
Channel.send = lies
def triple(x): return 0
""",
        statuses=("graded", "crashed"),
    ),
    Attack(
        "patched sockets",
        "replace what the worker sends and receives with, so that its answers become others",
        """
import socket
from autograder.judging.boundary.channel import Kind
from autograder.judging.boundary.encoding import encode
send = socket.socket.send
def lies(self, data, *more):
    data, (true, false) = bytes(data), (encode(6), encode(0))
    return send(self, data.replace(false, true) if data[:2] == b"un" and data[2] == Kind.RETURN else data, *more)
try: socket.socket.send = lies
except TypeError as error: print("refused", error)
def triple(x): return 0
""",
        earns=0.25,  # what it sends is what it answers: three times two is six
    ),
    Attack(
        "extra frames",
        "find the connection to the grader among the garbage and send a verdict of its own",
        """
import gc, os, socket
from autograder.judging.boundary.channel import Channel, Kind
def triple(x):
    for thing in gc.get_objects():
        if isinstance(thing, Channel):
            for number in range(200):
                thing.send(Kind.RETURN, number, {"earned": 1.0, "outcome": "held"}, "")
    return 0
""",
        statuses=("crashed",),
    ),
    Attack(
        "raw bytes",
        "write noise to every open file",
        """
import os
def triple(x):
    for number in range(64):
        try: os.write(number, b"earned 1.0" * 100)
        except OSError: pass
    return 0
""",
        statuses=("crashed",),
    ),
    Attack(
        "break the check",
        "return values that make a check raise, so that it is taken for the grader's fault and not counted",
        """
import torch
values = iter([{}, [], "6", 10 ** 300, torch.zeros(2, 3), None, {1}, (), b"6", float("nan"), triple_is := object()])
def triple(x): return next(values, torch.zeros(0))
""",
    ),
    Attack(
        "break all but one",
        "do the easiest thing asked and break every other check, so that the account shrinks to what was done",
        """
def triple(x): return 6 if x == 2 and type(x) is int else {}
""",
        earns=0.25,
    ),
    Attack(
        "array subclass",
        "return a numpy array that answers every comparison with true",
        """
import numpy as np
class Yes(np.ndarray):
    def __array_ufunc__(self, *a, **k): return np.True_
    def __eq__(self, other): return True
    __array_priority__ = 1e9
def triple(x): return np.zeros(2).view(Yes)
""",
    ),
    Attack(
        "string subclass",
        "return a dict and a string whose methods lie",
        """
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Map(dict):
    def __contains__(self, key): return True
    def __getitem__(self, key): return 6
    def __len__(self): return 1
def triple(x): return Map({Text("6"): 6})
""",
    ),
    Attack(
        "detects grading",
        "behave well only where no grader is seen",
        """
import os, sys
graded = os.getpid() == 1 or "autograder.judging.boundary.child" in sys.modules
def triple(x): return 0 if graded else 3 * x
""",
    ),
    Attack(
        "namespace that lies",
        "replace the namespace in which names are looked up",
        """
class Lies(dict):
    def __contains__(self, name): return True
    def __getitem__(self, name): return (lambda *a: 6) if name == "triple" else dict.__getitem__(self, name)
shell = get_ipython()
try: shell.user_ns = Lies(shell.user_ns)
except Exception as error: print(error)
def triple(x): return 0
""",
        earns=0.25,
        statuses=("graded", "crashed"),
    ),
    Attack(
        "raise what checks raise",
        "raise the checks' own exceptions, so that a failure is taken for something else",
        """
from unrolled.checking.compare import Mismatch
from unrolled.checking.plain import NotPlain
from unrolled.checking.answer import CallbackError
def triple(x): raise CallbackError(ValueError("the check itself broke"))
""",
    ),
    Attack(
        "finished implementation",
        "call the course's own implementation, hidden from the profiler",
        """
import sys
from unrolled import ngrams as helper
def triple(x):
    sys.setprofile(None)
    helper.perplexity
    return 3 * x
""",
    ),
    Attack(
        "swallowed callback",
        "swallow the failure of a function that a check passed in",
        """
def triple(x):
    if callable(x):
        try: x("not a number")
        except BaseException: pass
        return 6
    return 0
""",
    ),
    Attack(
        "forged metadata",
        "raise the points and rename the exercise from within the notebook's own process",
        """
from unrolled.checking import registry
registry._checks.clear()
registry.checks_of = lambda exercise: []
import os
os.environ["UNROLLED_CHECK_SEED"] = "7"
def triple(x): return 0
""",
    ),
]
