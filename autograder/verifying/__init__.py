"""Testing the checks: specimens and mutants go in; out comes what the checks refuse and what they let through.

Read on in this order: `trial` (one answer, one child process), `mutants` (small mistakes, made), `verify` (all answers
to an exercise), `report` and `command` (the terminal), `demo_class` (a class made of specimens).
"""

__all__ = ["command", "demo_class"]
