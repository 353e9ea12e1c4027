"""Giving back: recorded marks go in; out come a page for each student and a table for the teacher.

Read on in this order: `report` (the table), `feedback` (which pages are written), `freshness` (which are up to date),
`pages` (one of them), `digest` (what it begins with), `waiting` (what a person has still to mark), `formulas` (set
without a network), `tame` (what students wrote as HTML), `in_time` (a limit for both), `for_exchange` (what nbgrader's
exchange wants beside a page), `packing` (all pages in a zip for a learning platform), `mailing` (each page to its
student), `exporting` (marks for learning platforms), `class_report` (what the class has understood).
"""

__all__ = [
    "class_report",
    "digest",
    "exporting",
    "feedback",
    "formulas",
    "in_time",
    "mailing",
    "packing",
    "report",
    "tame",
    "waiting",
]
