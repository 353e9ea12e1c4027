"""A finished model in small, with every kind of function that one may have, and ways in which an answer reaches it."""

import functools
import importlib.util
import sys
import threading
from types import ModuleType

SOURCE = """
import functools
from dataclasses import dataclass


def double(x):
    return 2 * x


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@logged
@logged
def twice(x):
    return double(x)


def steps(x):
    yield 2 * x


class Base:
    def __init__(self, x=3):
        self.x = x


class Model(Base):
    def __init__(self, x=3):
        super().__init__(x)

    def doubled(self):
        return 2 * self.x

    @staticmethod
    def still(x):
        return 2 * x

    @classmethod
    def make(cls, x):
        return cls(x)

    @property
    def size(self):
        return 2 * self.x

    @functools.cached_property
    def kept(self):
        return 2 * self.x

    def __call__(self, x):
        return 2 * x

    class Inner:
        def doubled(self, x):
            return 2 * x


@dataclass
class Pair:
    x: int
"""

CALLED = {  # a way, and what it is caught at
    "a function": ("double", lambda m, model: m.double(3)),
    "an alias": ("double", lambda m, model, alias=None: (alias or m.double)(3)),
    "a partial": ("double", lambda m, model: functools.partial(m.double, 3)()),
    "a wrapped function": ("twice", lambda m, model: m.twice(3)),
    "a generator": ("steps", lambda m, model: next(m.steps(3))),
    "a new instance": ("Model.__init__", lambda m, model: m.Model().x * 2),
    "an inherited method": ("Base.__init__", lambda m, model: type("Mine", (m.Base,), {})().x * 2),
    "a method of an old instance": ("Model.doubled", lambda m, model: model.doubled()),
    "a bound method": ("Model.doubled", lambda m, model: next(map(lambda f: f(), [model.doubled]))),
    "a static method": ("Model.still", lambda m, model: m.Model.still(3)),
    "a class method": ("Model.make", lambda m, model: m.Model.make(3).x * 2),
    "a property": ("Model.size", lambda m, model: model.size),
    "a cached property": ("Model.kept", lambda m, model: model.kept),
    "an operator": ("Model.__call__", lambda m, model: model(3)),
    "a nested class": ("Model.Inner.doubled", lambda m, model: m.Model.Inner().doubled(3)),
    "a thread": ("double", lambda m, model: in_a_thread(lambda: m.double(3))),
    "a computed import": ("double", lambda m, model: getattr(importlib.import_module("les" + "son"), "dou" + "ble")(3)),
    "without a profile hook": ("double", lambda m, model: sys.setprofile(None) or m.double(3)),
    "swallowed": ("double", lambda m, model: swallowing(lambda: m.double(3))),
}


def in_a_thread(work):
    """What `work` gives in a thread; 6 if it fails there."""
    found = []
    thread = threading.Thread(target=lambda: found.append(swallowing(work)))
    thread.start()
    thread.join()
    return found[0]


def swallowing(work):
    """What `work` gives; 6, the right answer, if it fails."""
    try:
        return work()
    except Exception:
        return 6


def lesson(folder, name: str = "lesson") -> ModuleType:
    """The module, loaded from a file of its own and known under its name."""
    path = folder / f"{name}.py"
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
