"""Arguments on the student's side: read once, handed over as often as they come.

A check asks about one table word by word, so most arguments are the same bytes as one before. What they mean is kept
as `marshal` spells it, in this process only: Python's own code copies it many times faster than ours reads frames,
and by comparing spellings sees at once whether the student's code changed what it was given. Tensors, functions and
objects have no such spelling and are read anew.
"""

import marshal
from collections.abc import Callable
from typing import Any

from unrolled.checking import LocalAnswer
from unrolled.checking.finished import Seal
from unrolled.checking.loan import Spoilt, first_changed
from unrolled.checking.plain import plain, same

MAX_REMEMBERED = 256
VERSION = 2  # of marshal's format: the last that spells equal values equally


class Memory:
    """What was read before; `read` is for what was not."""

    def __init__(self, read: Callable[[bytes], Any]):
        self._read, self._known = read, {}

    def value(self, data: bytes) -> tuple[Any, bytes | None]:
        """The value that `data` spells, nobody else's, and marshal's spelling of it if there is one."""
        spelling = self._known.get(data)
        if spelling is not None:
            return marshal.loads(spelling), spelling
        value = self._read(data)
        spelling = spelled(value)
        if spelling is not None:
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            self._known[data] = spelling
        return value, spelling


class Held(LocalAnswer):
    """A `LocalAnswer` whose arguments come as the bytes that the grader sent; `enter` is done before each call."""

    def __init__(self, target: Any, forbidden: tuple | Seal, memory: Memory, enter: Callable[[], None]):
        super().__init__(target, forbidden)
        self._memory, self._enter = memory, enter

    def _run(self, target: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
        self._enter()
        return super()._run(target, args, kwargs)

    def _handed_over(self, args: tuple, kwargs: dict[str, Any]) -> tuple[list, dict, Callable[[], Spoilt]]:
        read = [self._memory.value(data) for data in (*args, *kwargs.values())]
        values = [value if spelling else plain(value, self._callback) for value, spelling in read]
        before = [spelling or plain(value, _itself) for value, (_, spelling) in zip(values, read, strict=True)]
        named = dict(zip(kwargs, values[len(args) :], strict=True))
        return values[: len(args)], named, lambda: first_changed(values, before, _unchanged)

    def _another(self, value: Any) -> LocalAnswer:
        return Held(value, self._seal, self._memory, self._enter)


def spelled(value: Any) -> bytes | None:
    """marshal's spelling of plain data without tensors; None for anything else."""
    try:
        return marshal.dumps(value, VERSION)
    except ValueError:
        return None


def _unchanged(value: Any, before: Any) -> bool:
    if type(before) is not bytes:
        return same(value, before)
    return spelled(value) == before or same(value, marshal.loads(before))


def _itself(value: Any) -> Any:
    return value
