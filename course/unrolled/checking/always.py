"""A model that a check passes in and whose answer never depends on the question."""

import inspect
from typing import Any


class Always:
    """A model that says `value` whatever it is asked, by as many arguments as it has `names`.

    Nothing depends on the question, so a grader may have it answered beside the student's code.
    """

    def __init__(self, value: Any, *names: str):
        self.value, self.names = value, names
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.__signature__.bind(*args, **kwargs)
        return self.value
