"""Making the students' notebook: a unit's source goes in; out come the solved notebook and the one that students get.

Read on in this order: `source` (Markdown to notebook), `declared` (what its tags say, said to nbgrader), `check_call`
and `slips` (what one cell says, and what can be wrong with it), `proofread` (all mistakes at once), `release`
(nbgrader's own steps, and what is put aside), `history` (every version that was released), `assets` (what notebooks
read besides data sets) and `imported` (by way of which modules), `references` (the source's own answers), `leaks`
(what of the instructor's side must stand nowhere else), `assistants` (what AI assistants may do, told to students and
to them), `bundle` (the zip that students get). A new unit begins in `scaffold`, which makes its files of `templates/`:
`new_unit` (what it may be called), `start_page` (its row there), `transaction` (all files or none).
"""

__all__ = [
    "assets",
    "assistants",
    "bundle",
    "history",
    "leaks",
    "proofread",
    "references",
    "release",
    "scaffold",
    "source",
]
