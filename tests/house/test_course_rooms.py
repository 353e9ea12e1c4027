"""The rooms of the course's package: what may stand at its top, what a room says of itself, who may import what."""

import ast
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "course" / "unrolled"

LESSONS = {path.stem for path in (PACKAGE / "checks").glob("[a-z]*.py")}
BESIDE = {  # taught in another lesson's unit, whose checks import it
    "gru": "lstm",
    "decoding": "seq2seq",
    "transformer_lm": "transformer",
    "encoder_decoder": "transformer",
    "wordpiece": "bert",
    "wordpiece_training": "bert",
    "pretraining": "bert",
    "bert_checkpoints": "bert",
}
COMING: dict[str, set[str]] = {}  # of a unit whose notebook is being made: what is there before its checks
SHARED = {"language_model", "vocabulary", "training", "device", "figures", "progress", "errors"}
ROOMS = {"checking", "checks", "data", "experiments", "widgets"}
PACKAGES = sorted(path.parent for path in PACKAGE.rglob("__init__.py"))
MODULES = {
    ".".join(("unrolled", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
OUTSIDE = [
    path
    for folder in ("autograder", "benchmarks", "book", "hub", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def imports(tree: ast.AST, package: str = "") -> Iterator[tuple[str, str | None, str]]:
    """(module, name taken from it or None, name bound here) for each import, also for those within functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None, alias.asname or alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield from ((module, alias.name, alias.asname or alias.name) for alias in node.names)


def package_of(module: str) -> str:
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


def taken_by(module: str) -> set[str]:
    """The modules of the package that a module of it imports."""
    found = set()
    for whence, name, _ in imports(parsed(MODULES[module]), package_of(module)):
        inner = f"{whence}.{name}"
        found.add(inner if inner in MODULES else whence)
    return found & set(MODULES) - {module}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def privates(tree: ast.AST, package: str = "") -> set[str]:
    """The underscored names of the package's modules that a file imports, or reads from a module it imported."""
    found, modules = set(), {}
    for whence, name, bound in imports(tree, package):
        whole = f"{whence}.{name}" if name else whence
        if whole.split(".")[0] == "unrolled":
            modules |= {bound: whole} if whole in MODULES else {}
            found |= {whole} if re.search(r"\._(?!_)", whole) else set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.match(r"_(?!_)", node.attr):
            found |= {f"{modules[name]}.{node.attr}"} if (name := ast.unparse(node.value)) in modules else set()
    return found


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_at_the_top_stand_lessons_what_they_share_and_rooms():
    entries = [path for path in PACKAGE.iterdir() if path.name not in ("__pycache__", "__init__.py")]
    assert {path.name for path in entries if path.is_dir()} == ROOMS
    assert {path.name for path in entries if path.is_file()} == {
        f"{name}.py" for name in LESSONS | set(BESIDE) | SHARED | set().union(*COMING.values())
    }


def test_a_lesson_is_a_unit():
    """The helpers of checks must not be taken for one: no check would hold anything of theirs."""
    from unrolled.checking.registry import lesson_of

    assert {path.stem.partition("_")[2] for path in (ROOT / "solutions").glob("[0-9][0-9]_*.md")} == LESSONS
    units = [module.name for module in pkgutil.iter_modules([str(PACKAGE / "checks")]) if not module.ispkg]
    assert {lesson_of(f"unrolled.checks.{name}") for name in units} == {f"unrolled.{name}" for name in LESSONS}
    for beside, lesson in BESIDE.items():
        assert f"unrolled.{beside}" in taken_by(f"unrolled.checks.{lesson}")


def test_what_only_one_units_experiments_need_stands_under_its_name():
    """A later unit may take up an earlier one's tasks, to compare its nets with that unit's; never the other way."""
    assert {path.parent.name for path in (PACKAGE / "experiments").glob("*/__init__.py")} <= LESSONS | set(COMING)
    order = [path.stem.partition("_")[2] for path in sorted((ROOT / "solutions").glob("*.md"))] + list(COMING)
    sources = {path.stem.partition("_")[2]: path.read_text("utf-8") for path in (ROOT / "solutions").glob("*.md")}
    taken = {module: taken_by(module) for module in MODULES}
    for module in [name for name in MODULES if name.startswith("unrolled.experiments.") and name.count(".") > 2]:
        unit = module.split(".")[2]
        readers = {name for name, text in sources.items() if f"from {module} import" in text}
        beside = {"".join(other.split(".")[2:3]) for other, needs in taken.items() if module in needs}
        whole_command = '__name__ == "__main__"' in MODULES[module].read_text("utf-8")
        assert readers | beside <= set(order[order.index(unit) :]), module
        coming = unit in COMING  # what only its notebook will read
        assert unit in readers | beside or whole_command or coming, f"{module} is not used by its own unit"
    for module in [name for name in MODULES if re.fullmatch(r"unrolled\.experiments\.\w+", name)]:
        if MODULES[module].name != "__init__.py":
            units = {unit for unit, text in sources.items() if f"from {module} import" in text}
            units |= {other.split(".")[2] for other, needs in taken.items() if module in needs and other.count(".") > 2}
            assert len(units) > 1, f"{module} is of one unit"


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: str(folder.relative_to(PACKAGE.parent)))
def test_a_room_says_what_it_is(folder):
    said = ast.get_docstring(parsed(folder / "__init__.py")) or ""
    assert len(said.splitlines()) >= 3


def test_no_two_modules_import_each_other_in_a_circle():
    waiting = {module: taken_by(module) for module in MODULES}
    assert "unrolled.data.datasets" in waiting["unrolled.data.finding"], "the imports are not found"
    while free := {module for module, needs in waiting.items() if not needs}:
        waiting = {module: needs - free for module, needs in waiting.items() if module not in free}
    assert waiting == {}


def test_nobody_takes_a_private_name_of_a_room_from_outside():
    inside = {module: privates(parsed(path), package_of(module)) for module, path in MODULES.items()}
    taken = {module: {name for name in names if room_of(name) != room_of(module)} for module, names in inside.items()}
    taken |= {str(path.relative_to(ROOT)): privates(parsed(path)) for path in OUTSIDE}
    for path in (ROOT / "solutions").glob("*.md"):
        taken[path.name] = set(re.findall(r"^from unrolled\S* import .*\b_\w+", path.read_text("utf-8"), re.MULTILINE))
    assert {who: names for who, names in taken.items() if names} == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from unrolled.data.finding import _file", {"unrolled.data.finding._file"}),
        ("def f():\n    from unrolled import data\n    return data._file", {"unrolled.data._file"}),
        ("import unrolled.data.places\nunrolled.data.places._x()", {"unrolled.data.places._x"}),
        ("from unrolled import data\ndata.load.__doc__", set()),
        ("from torch import _C\nself._data", set()),
    ],
)
def test_a_private_name_is_seen_however_it_is_taken(code, found):
    assert privates(ast.parse(code)) == found
