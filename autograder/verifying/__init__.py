"""Testing the checks: specimens and mutants go in; out comes what the checks refuse and what they let through.

Read on in this order: `trial` (one answer, one child process), `mutants` (small mistakes, made), `seen`, `mistakes` and
`generic` (the mistakes that everybody makes, made where they make sense), `ordeal` (what no answer may do to a check),
`rules` (what needs no answers), `findings` and `verify` (all of it, for an exercise), `fingerprint` and `kept` (trials
that need not be made again), `unwritten` (what a new unit still lacks), `report` and `command` (the terminal),
`demo_class` (a class made of specimens), `demo_moodle` (the same as a learning platform gives it).
"""

__all__ = ["command", "demo_class", "demo_moodle"]
