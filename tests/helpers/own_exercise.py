"""The fixture of tests that declare checks: an exercise of their own."""

import pytest


@pytest.fixture
def exercise(monkeypatch):
    """An exercise of its own, so that no test sees another's checks."""
    from unrolled.checking import registry

    monkeypatch.setattr(registry, "_checks", {})
    monkeypatch.setattr(registry, "_forbidden", {})
    monkeypatch.setattr(registry, "checks_of", lambda name: list(registry._checks[name].values()))
    monkeypatch.setattr("unrolled.checking.running.checks_of", registry.checks_of)
    return "double"
