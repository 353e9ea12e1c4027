"""What the jail is made of here, in one line, and the refusal to go on with less."""

from collections.abc import Iterable

LAYERS = {
    "bubblewrap": "a root of its own for the worker (install bubblewrap)",
    "nobody": "a user without rights (root's submissions run as nobody, who must be able to read the interpreter)",
    "users": "user namespaces",
    "mounts": "a scratch folder that vanishes (mount namespaces)",
    "processes": "process namespaces",
    "network": "a network of its own (network namespaces)",
    "ipc": "IPC namespaces",
    "landlock": "Landlock (Linux 5.13 or newer)",
    "seccomp": "seccomp filters",
    "limits": "resource limits",
}


class JailMissing(Exception):
    """`demand` was not met; the text is one line."""


def missing(layers: Iterable[str]) -> list[str]:
    """The names of the layers that are not in force, in the order of `LAYERS`."""
    here = set(layers)
    return [name for name in LAYERS if name not in here]


def describe(layers: Iterable[str]) -> str:
    """One line: "The jail is whole." or what it lacks."""
    lacking = missing(layers)
    if not lacking:
        return "The jail is whole."
    return f"The jail is incomplete; this system lacks: {', '.join(LAYERS[name] for name in lacking)}."


def demand(layers: Iterable[str]) -> None:
    """Raises JailMissing unless every layer is in force."""
    if missing(layers):
        raise JailMissing(f"{describe(layers)} Grading stops, since a whole jail is required.")
