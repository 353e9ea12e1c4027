"""The rooms of autograder/: one for each step that a submission takes, told in their `__init__`, without circles."""

import ast
from pathlib import Path

import pytest
from imports import circles, graph, imported, modules

AUTOGRADER = Path(__file__).parents[2] / "autograder"
OF_UNITS = ("hidden", "specimens")  # what an author writes: a file or a folder for each unit
MODULES = modules(AUTOGRADER, without=("specimens",))
ROOMS = sorted(path.parent for path in AUTOGRADER.rglob("__init__.py") if path.parent != AUTOGRADER)


def public(room: Path) -> list[str]:
    """What a room lets others use: the names in its `__all__`."""
    for node in ast.parse((room / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.literal_eval(node.value)
    return []


def test_at_the_top_are_rooms_the_command_line_and_what_all_rooms_share():
    files = [path.name for path in AUTOGRADER.iterdir() if path.is_file()]
    assert len(files) <= 8 and {"cli.py", "course.py"} <= set(files)
    steps = {path.name for path in AUTOGRADER.iterdir() if path.is_dir() and path.name != "__pycache__"} - set(OF_UNITS)
    assert steps - {"commands"} == {
        "releasing",
        "receiving",
        "judging",
        "recording",
        "marking",
        "returning",
        "verifying",
    }


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_says_what_it_is_for_and_what_it_lets_others_use(room):
    if room.name == "hidden":
        return  # its modules are found by the name of their unit
    told = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert len(told.splitlines()) >= 3, "say what goes in, what comes out, and in which order to read"
    if room.name != "specimens":
        assert public(room), "name in __all__ what other rooms may use"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_that_leads_through_its_modules_names_each(room):
    told = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    if "Read on in this order" in told:
        own = {path.stem for path in room.glob("*.py")} | {path.parent.name for path in room.glob("*/__init__.py")}
        missing = sorted(name for name in own - {"__init__"} if f"`{name}`" not in told)
        assert missing == []


def test_no_two_modules_import_each_other_in_a_circle():
    assert circles(graph(MODULES)) == []


def test_the_finder_of_circles_finds_one():
    assert [sorted(one) for one in circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})] == [["a", "b", "c"]]


def test_no_room_reaches_past_the_public_names_of_another():
    found = [
        f"{name} uses {wanted}"
        for name, path in MODULES.items()
        for wanted in imported(name, path)
        if wanted.startswith("autograder.") and not allowed(name, wanted)
    ]
    assert found == []


def allowed(name: str, wanted: str) -> bool:
    """Whether a module may import that: on the way down, each room entered from outside must offer the next part."""
    place = AUTOGRADER
    for part in wanted.split(".")[1:]:
        here = ".".join(place.relative_to(AUTOGRADER.parent).parts)
        outside = not f"{name}.".startswith(f"{here}.")
        if part.startswith("_") and outside:
            return False
        if outside and place.name not in OF_UNITS and part not in public(place):
            return False
        place /= part
        if not place.is_dir():
            private = [rest for rest in wanted.split(".")[1:] if rest.startswith("_")]
            return not private
    return True
