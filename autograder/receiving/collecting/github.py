"""A folder of clones, as GitHub Classroom makes them: `unit-1-ada/`, each a repository; its last commit counts."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from .shapes import Attempt, Who
from .sources import entries

SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false")


def clones(source: Path) -> list[Path]:
    """The repositories in a folder; none in what is no folder of clones."""
    return sorted(path for path in source.iterdir() if (path / ".git").exists()) if source.is_dir() else []


def attempts(repositories: list[Path]) -> list[Attempt]:
    """What each holds. A name is told by all of its ends, since what stands before it is the assignment's."""
    found = []
    for path in repositories:
        parts = path.name.split("-")
        ids = tuple("-".join(parts[at:]) for at in range(len(parts)))
        attempt = Attempt(Who(path.name, ids), _committed(path))
        attempt.files = {PurePosixPath(*entry.path.parts): entry for entry in entries(path)}
        found.append(attempt)
    return found


def _committed(path: Path) -> datetime | None:
    """When the last commit was made, by the clock of whoever made it; None without git or without a commit."""
    command = ["git", *SAFE, "-C", str(path), "log", "-1", "--format=%ct"]
    environment = {"PATH": os.environ.get("PATH", ""), "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}
    environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return datetime.fromtimestamp(int(done.stdout), UTC) if done.stdout.strip().isdigit() else None
