"""nbgrader's own run, without walls: a submission goes in, and nbgrader itself writes marks and notebook.

It serves check cells of plain assertions, and the test that both ways give equal marks. Read on in this order:
`preprocessors` (our two steps inside nbgrader's), `nbgrader_run` (one submission), `runner` (a process that can be
ended).
"""

__all__ = ["nbgrader_run", "preprocessors", "runner"]
