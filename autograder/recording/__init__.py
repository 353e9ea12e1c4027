"""Recording: judged submissions go in; out come nbgrader's gradebook, autograded/ and the record of the unit.

Read on in this order: `ledger` (the record, and what marks depend on), `gradebook` (what we ask of nbgrader's),
`by_hand` (which answer a person's points were given for), `marking` (how a person gives them), `marks` (one
submission's marks in one transaction), `recorder` (the one writer of all three), `students` (the class list in the
gradebook), `cells` (graded cells that come or go when there are submissions already), `export` (a table of all marks).
"""

__all__ = ["cells", "gradebook", "ledger", "marking", "marks", "recorder", "students"]
