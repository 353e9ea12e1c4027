"""What a unit's source says in a few words, said to nbgrader in its own.

    :tags: [setup]                             the imports; students cannot change them
    :tags: [exercise]                          code with an answer between its markers
    :tags: [check]                             `check(viterbi, points=3)` and nothing else
    +++ {"tags": ["question"], "points": 4}    a written answer, marked by hand; "step": 0.5 allows half points

An exercise is called after what its check cell asks for, so name and points are said once. A cell with nbgrader's own
metadata keeps them as they are. What is wrong comes back as faults and stops nothing: a source is read to its end, so
that all its mistakes are told at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from autograder.releasing import check_call
from autograder.releasing.check_call import refuse_points, refuse_step
from autograder.releasing.slips import Slip, slips_in
from autograder.words import CHECK

FLAGS = {  # by kind and tag: what nbgrader is told about a cell
    "setup": {"grade": False, "locked": True, "solution": False},
    "exercise": {"grade": False, "locked": False, "solution": True},
    "check": {"grade": True, "locked": True, "solution": False},
    "question": {"grade": True, "locked": False, "solution": True},
}
CONSUMED = ("setup", "question")  # tags that the source has and the notebook has not
HIDDEN = "### BEGIN HIDDEN TESTS\nimport autograder.hidden.{unit}\n\n### END HIDDEN TESTS\n"


@dataclass(frozen=True)
class Fault:
    """What is wrong with the cell of this index; `other` is the cell that it collides with."""

    index: int
    says: str
    other: int | None = None


@dataclass
class Told:
    """A cell that nbgrader must know. `name` is the exercise's, which a check cell asks for; else the grade id."""

    index: int
    cell: Any
    kind: str
    by_hand: bool
    name: str | None = None
    points: Any = None
    defines: set[str] = field(default_factory=set)  # the names that an exercise cell may be asked for by
    values: set[str] = field(default_factory=set)  # those of them that are plain values
    says_name: bool = False  # whether a check says `exercise="…"`, too
    plain: bool = False  # a check of nbgrader's own kind: it asks for no declared checks
    slips: list[str] = field(default_factory=list)

    @property
    def grade_id(self) -> str | None:
        if self.plain:
            return self.cell.metadata["nbgrader"]["grade_id"]
        return self.name and self.name + CHECK * (self.kind == "check")


def expand(cells: list, unit: str) -> tuple[list[Told], list[Fault]]:
    """Gives the cells nbgrader's metadata and hidden blocks, in place. `unit` is the modules' name: "tagging"."""
    kinds = [_kind(cell) for cell in cells]
    told = [_told(index, cell, kind) for index, (cell, kind) in enumerate(zip(cells, kinds, strict=True)) if kind]
    faults = [Fault(each.index, slip) for each in told for slip in each.slips]
    for index, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
        faults += [Fault(index, slip) for slip in slips_in(cell, kind, unit)]
    faults += [*_call_exercises(told), *_unanswered(told), *_doubles(told)]
    hidden = HIDDEN.format(unit=unit) if find_spec(f"autograder.hidden.{unit}") else ""
    for each in told:
        if each.name and not each.by_hand:
            _say_it_to_nbgrader(each, hidden)
    return told, sorted(faults, key=lambda fault: fault.index)


def _kind(cell) -> str | None:
    """The cell's kind by nbgrader's metadata or, without any, by its tags."""
    about, tags = cell.metadata.get("nbgrader"), cell.metadata.get("tags", [])
    if isinstance(about, dict) and about:
        flags = {flag: bool(about.get(flag)) for flag in ("grade", "solution")}
        return next((kind for kind in FLAGS if kind != "setup" and flags.items() <= FLAGS[kind].items()), None)
    return next((kind for kind in FLAGS if not about and kind in tags), None)


def _told(index: int, cell, kind: str) -> Told:
    told = Told(index, cell, kind, by_hand=bool(cell.metadata.get("nbgrader")))
    try:
        (_read_by_hand if told.by_hand else _read)(told, cell)
    except Slip as slip:
        told.slips.append(str(slip))
    return told


def _read(told: Told, cell) -> None:
    """What a cell says that is tagged and no more."""
    others = [kind for kind in FLAGS if kind in cell.metadata.tags and kind != told.kind]
    where = "markdown" if told.kind == "question" else "code"
    if others or cell.cell_type != where:
        raise Slip(f"the tag {told.kind} belongs to a {where} cell, with no other of {', '.join(FLAGS)} beside it")
    if told.kind == "setup":
        told.name = "setup"
    elif told.kind == "question":
        told.name, told.points = "written-question", cell.metadata.get("points")
        refuse_points("the question", told.points)
        refuse_step(cell.metadata.get("step"), told.points)
    elif told.kind == "exercise":
        told.defines, told.values = check_call.bound(check_call.parsed(cell.source, "the exercise cell"))
    else:
        call = check_call.only_call(cell.source)
        told.name, told.points, told.says_name = call.exercise, call.points, call.by_keyword
        if call.points is None:
            raise Slip(f"the check cell says {call.said} without points")
        refuse_points(call.said, call.points)
        if len(check_call.parsed(cell.source, "").body) > 1:
            raise Slip(f"the check cell holds more than {call.said}")


def _read_by_hand(told: Told, cell) -> None:
    """What nbgrader's metadata say; a check's must agree with its call of `check`, if it has one."""
    about, told.says_name = cell.metadata["nbgrader"], True
    grade_id, told.points = about.get("grade_id"), about.get("points")
    if not isinstance(grade_id, str):
        raise Slip("nbgrader's metadata have no grade_id")
    told.name = grade_id.removesuffix(CHECK) if told.kind == "check" else grade_id
    if told.kind == "exercise":
        told.defines = {grade_id}
        return
    refuse_points(f"the cell {grade_id}", told.points)
    if told.kind == "check":
        _compare_with_call(told, cell.source, grade_id)


def _compare_with_call(told: Told, source: str, grade_id: str) -> None:
    call = check_call.call_by_name(source)
    told.name, told.plain = call.exercise if call else told.name, call is None
    if grade_id != told.grade_id:
        raise Slip(f"the check cell's grade_id is {grade_id!r}, not {told.grade_id!r}")
    if call and call.points is None:
        raise Slip(f"the check cell says {call.said} without points")
    if call and call.points != told.points:
        raise Slip(f"nbgrader's metadata say {told.points:g} points, the cell says {call.said}")


def _call_exercises(told: list[Told]) -> Iterator[Fault]:
    """Names each exercise cell after what a check cell asks for, or, beside cells of assertions, after itself."""
    asked = {each.name for each in told if each.kind == "check"}
    for each in told:
        if each.kind == "exercise" and not each.slips:
            names = sorted(each.defines & asked)
            if not names and any(other.plain for other in told):
                names = sorted(each.defines)[:1]  # what a cell of assertions asks for nobody can tell
            each.name = names[0] if len(names) == 1 else each.name
            if not names:
                yield Fault(each.index, f"no check cell asks for this exercise ({', '.join(sorted(each.defines))})")
            elif len(names) > 1:
                yield Fault(each.index, f"check cells ask for {' and '.join(names)} of one exercise cell")


def _unanswered(told: list[Told]) -> Iterator[Fault]:
    """Checks of what no exercise cell above defines, or of a value, which does not know its own name."""
    above: dict[str, Told] = {}
    for each in told:
        if each.kind == "exercise":
            above |= dict.fromkeys(each.defines, each)
        elif each.kind != "check" or not each.name or each.plain:
            continue
        elif each.name not in above:
            yield Fault(each.index, f"the check cell asks for {each.name}, which no exercise cell above it defines")
        elif each.name in above[each.name].values and not each.says_name:
            yield Fault(each.index, f'{each.name} is a plain value: say check(…, exercise="{each.name}")')


def _doubles(told: list[Told]) -> Iterator[Fault]:
    first: dict[str, Told] = {}
    for each in told:
        if each.grade_id and first.setdefault(each.grade_id, each) is not each:
            yield Fault(each.index, f"a second {each.kind} cell is called {each.grade_id}", first[each.grade_id].index)


def _say_it_to_nbgrader(told: Told, hidden: str) -> None:
    meta = told.cell.metadata
    meta["nbgrader"] = {"schema_version": 3, "grade_id": told.grade_id, "task": False, **FLAGS[told.kind]}
    if FLAGS[told.kind]["grade"]:
        meta["nbgrader"]["points"] = told.points
        meta.pop("points", None)
    if told.kind == "check":
        told.cell.source = hidden + told.cell.source
    meta["tags"] = [tag for tag in meta.tags if tag not in CONSUMED]
    if not meta["tags"]:
        del meta["tags"]
