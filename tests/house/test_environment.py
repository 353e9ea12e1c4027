"""One set of versions everywhere: the lock, the two packages' requirements, conda's file and what is running."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
OURS = {"unrolled", "unrolled-autograder"}
LOCKED_EXTRAS = ("test", "scale", "postgresql", "hub")


def lines_of_lock() -> list[str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


LOCK = {canonicalize_name(r.name): r for r in map(Requirement, lines_of_lock())}


def locked_version(name: str) -> str:
    (pin,) = LOCK[name].specifier
    return pin.version


def project(folder: Path) -> dict:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def wanted_by_projects() -> list[Requirement]:
    instructor, student = project(ROOT), project(ROOT / "course")
    extras = [text for extra in LOCKED_EXTRAS for text in instructor["optional-dependencies"][extra]]
    texts = instructor["dependencies"] + extras + student["dependencies"]
    return [r for r in map(Requirement, texts) if r.name not in OURS]


def is_one_public_version(pin: Requirement) -> bool:
    """Exactly `name==version`: no range, no address, and no local version, which exists on one machine only."""
    operators = [s.operator for s in pin.specifier]
    return operators == ["=="] and not re.search(r"[*+]", str(pin.specifier)) and not (pin.url or pin.extras)


def test_each_line_of_the_lock_pins_one_public_version():
    assert len(LOCK) > 100
    assert [line for line in lines_of_lock() if not is_one_public_version(Requirement(line))] == []


def test_the_lock_is_sorted_and_names_each_package_once():
    names = [Requirement(line).name for line in lines_of_lock()]
    assert names == sorted(set(names))


def test_the_lock_leaves_the_graphics_card_to_torch():
    assert not [name for name in LOCK if re.match(r"nvidia|cuda|triton", name)]


def test_the_lock_satisfies_what_the_projects_ask_for():
    wanted = wanted_by_projects()
    assert "torch" in {requirement.name for requirement in wanted}
    assert [r for r in wanted if not r.specifier.contains(locked_version(canonicalize_name(r.name)))] == []


def test_the_lock_brings_what_an_extra_of_an_extra_brings():
    """`psycopg[binary]` is two packages of one version; without the second the first wants a library of the system."""
    assert locked_version("psycopg-binary") == locked_version("psycopg")


def test_the_peers_of_the_benchmarks_are_pinned_and_stay_out_of_the_lock():
    for peer in map(Requirement, project(ROOT)["optional-dependencies"]["bench"]):
        assert [s.operator for s in peer.specifier] == ["=="]
        assert canonicalize_name(peer.name) not in LOCK


@pytest.mark.parametrize("system", ["Linux", "Darwin", "Windows"])
def test_each_system_gets_the_packages_that_only_it_needs(system):
    there = {
        "Linux": {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"},
        "Darwin": {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"},
        "Windows": {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows"},
    }[system]
    installed = {name for name, pin in LOCK.items() if pin.marker is None or pin.marker.evaluate(there)}
    special = {"Linux": {"ptyprocess"}, "Darwin": {"appnope", "ptyprocess"}, "Windows": {"pywinpty", "colorama"}}
    everything_special = set.union(*special.values())
    assert installed & everything_special == special[system]


def test_conda_gets_python_from_conda_and_every_version_from_the_lock():
    dependencies = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    from_conda = [item for item in dependencies if isinstance(item, str)]
    (from_pip,) = [item["pip"] for item in dependencies if isinstance(item, dict)]
    assert from_conda == ["python=3.11", "pip"]
    assert from_pip == ["--requirement requirements.lock", "--editable ./course", "--editable ."]


def test_what_is_installed_is_what_the_lock_says():
    here = [name for name, pin in LOCK.items() if pin.marker is None or pin.marker.evaluate()]
    # A CPU build of torch calls itself 2.13.0+cpu: the same version, built without CUDA.
    installed = {name: metadata.version(name).partition("+")[0] for name in here}
    assert installed == {name: locked_version(name) for name in here}, "`make test` brings .venv up to the lock"


def imported_by(folder: Path) -> set[str]:
    """The top-level modules that a folder's files import, wherever in the file."""
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    taken = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.partition(".")[0] for name in plain + taken} - sys.stdlib_module_names


def brought_by(requirements: list[str]) -> set[str]:
    """The packages that pip would install for these requirements here, those that they need included."""
    found, waiting = set(), list(map(Requirement, requirements))
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        needed = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if needed and name not in found:
            found.add(name)
            waiting += map(Requirement, metadata.requires(name) or [])
    return found


# Each of these may be missing, and the code that imports it says so: pyarrow is fetched by stand_ins.py at the one
# moment that needs it, playwright measures the finished book, sacrebleu scores unit 5's long training.
OPTIONAL = {"pyarrow", "playwright", "sacrebleu"}


@pytest.mark.parametrize(
    ("folders", "projects"),
    [(["course/unrolled"], ["course"]), (["autograder", "book"], [".", "course"])],
    ids=["student", "instructor"],
)
def test_what_the_code_imports_comes_with_the_packages_it_asks_for(folders, projects):
    imported = set.union(*(imported_by(ROOT / folder) for folder in folders)) - OPTIONAL
    assert "torch" in imported
    asked = [text for folder in projects for text in project(ROOT / folder)["dependencies"] if text not in OURS]
    if "." in projects:  # `distributed`, which pool.py alone imports, and says where it comes from
        asked += project(ROOT)["optional-dependencies"]["scale"]
    brought = brought_by(asked)
    ours = {"unrolled"} if projects == ["course"] else {"unrolled", "autograder", "book"}
    distributions = metadata.packages_distributions()
    owners = {name: set(map(canonicalize_name, distributions.get(name, []))) for name in imported - ours}
    assert sorted(name for name in owners if not owners[name] & brought) == []


def test_importing_the_course_does_not_import_torch():
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, unrolled; print('torch' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert loaded.stdout.strip() == "False"
