"""Specimens as answers in this process, and what students are told of one: for the tests of a unit's checks."""

from unrolled.checking import LocalAnswer, run, table
from unrolled.checking.registry import forbidden

from autograder import specimens


def specimen(unit, exercise, name):
    """The specimen of this name as an answer; `unit` is the word of its modules."""
    (found,) = (one for one in specimens.load(unit, exercise) if one.name == name)
    space = {"__name__": "__main__"}
    exec(found.source, space)
    return LocalAnswer(space[exercise], forbidden(exercise))


def told(exercise, answer, hidden=False):
    """What students see of each check that does not hold, by its name."""
    checks = run(exercise, answer).to_dict()["checks"]
    lines = {one["name"]: table.details(one) for one in checks if one["hidden"] == hidden}
    return {name: said for name, said in lines.items() if said}
