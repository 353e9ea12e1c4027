"""How much of everything a submission may use."""

import resource
from dataclasses import dataclass
from pathlib import Path

MIB = 2**20
ADDRESSES = 1024 * MIB  # for what takes addresses and no memory: libraries, and what malloc sets aside by thread


@dataclass(frozen=True)
class Limits:
    """Bounds for one submission. Seconds are wall time but for `cpu_seconds`, sizes are bytes."""

    cell_seconds: float = 30.0
    call_seconds: float = 10.0
    exercise_seconds: float = 30.0  # all calls of one exercise's checks
    notebook_seconds: float = 240.0  # everything, restarts included
    cpu_seconds: int = 300
    memory: int = 2048 * MIB  # beyond what the warm worker holds
    threads: int = 64
    file: int = 32 * MIB  # any one file
    scratch: int = 64 * MIB  # all files together
    open_files: int = 256


def apply(limits: Limits) -> None:
    """Set this process's resource limits, soft and hard. Memory counts from what the process holds now.

    Addresses are limited, too: what is mapped and let go of, or mapped by way of a device, is no data.
    """
    sizes = [int(pages) * resource.getpagesize() for pages in Path("/proc/self/statm").read_text().split()]
    hard = {
        resource.RLIMIT_DATA: sizes[5] + limits.memory,
        resource.RLIMIT_AS: sizes[0] + limits.memory + ADDRESSES,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.file,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for what, most in hard.items():
        resource.setrlimit(what, (most, most))
