"""What every test may count on: the same seeds, one thread, no window, and nothing of the user's touched.

The variables are set before any test module is imported, so that torch, matplotlib and Jupyter see them.
"""

import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRATCH = Path(tempfile.mkdtemp(prefix="unrolled-tests-"))

# One thread: repeatable sums, and a process that has run torch on several threads cannot be forked safely.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MPLBACKEND"] = "Agg"
os.environ["UNROLLED_SCALE"] = "smoke"
os.environ["UNROLLED_CACHE"] = str(ROOT / "_build" / "test-cache")  # kept between runs, unlike SCRATCH
# Jupyter, IPython and matplotlib read and write a user's own settings; a test starts from none.
for variable in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
    os.environ[variable] = str(SCRATCH / variable.lower())
# nbgrader calls `alembic` by name.
os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"]

import pytest  # noqa: E402
import selection  # noqa: E402
from jaxtyping import install_import_hook  # noqa: E402

UNITS = sorted(source.stem.partition("_")[2] for source in (ROOT / "solutions").glob("[0-9][0-9]_*.md"))

# The shapes written in the lesson modules' signatures are checked while tests run, and only then.
install_import_hook([f"unrolled.{unit}" for unit in UNITS], "beartype.beartype")

pytest_plugins = ["own_exercise", "widget_browser"]  # fixtures: of tests that declare checks; of widgets in a browser

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER_PATH = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)


def pytest_addoption(parser):
    parser.addoption("--unit", choices=UNITS, help="only the tests of this unit")


def pytest_configure(config):
    selection.only = config.getoption("--unit")


def pytest_xdist_auto_num_workers(config):
    """One process more than there are cores: many tests wait for a process of their own."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out whole groups, in their order."""
    from xdist.scheduler import LoadScopeScheduling

    schedule = type(
        "GroupScheduling", (LoadScopeScheduling,), {"_split_scope": lambda self, test: selection.group_of(test)}
    )
    return schedule(config, log)


def pytest_collection_modifyitems(config, items):
    """Which tests run, and in which order; one that cannot run here is skipped, and says what it would need."""
    if unit := config.getoption("--unit"):
        chosen = [item for item in items if selection.belongs(item, unit, ROOT)]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
    if named := next((item.nodeid for item in items if " at 0x" in item.nodeid), None):
        raise pytest.UsageError(f"{named} has another name in each process, so no parallel run finds it: give `ids`.")
    selection.in_order(items)
    reasons = {
        "browser": None if BROWSER_PATH else f"needs one of {', '.join(BROWSER_NAMES)}",
        "network": None if os.environ.get("UNROLLED_NETWORK") else "needs UNROLLED_NETWORK=1 and a network",
        "gpu": None if _has_cuda(items) else "needs a CUDA device",
    }
    for item in items:
        for name, reason in reasons.items():
            if reason and item.get_closest_marker(name):
                item.add_marker(pytest.mark.skip(reason=reason))


def _has_cuda(items) -> bool:
    """torch takes seconds to import, so it is asked only when a test wants to know."""
    if not any(item.get_closest_marker("gpu") for item in items):
        return False
    import torch

    return torch.cuda.is_available()


@pytest.fixture(autouse=True)
def seeds():
    """Python's, numpy's and torch's generators start from zero in every test (if the test has them loaded)."""
    random.seed(0)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(0)
    if torch := sys.modules.get("torch"):
        torch.manual_seed(0)


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The Chromium to start: Playwright's own download is not needed."""
    assert BROWSER_PATH is not None, "mark the test with `browser`"
    return BROWSER_PATH


def pytest_unconfigure():
    shutil.rmtree(SCRATCH, ignore_errors=True)
