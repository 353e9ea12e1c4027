"""The public checks, one file a unit; importing one registers them.

In goes an answer, as `unrolled.checking` hands it over; each function holds one property of it. A module here makes the
module of the same name in the package a lesson, whose functions no answer may call. `helpers` is no unit: what checks
compare answers with stands there.
"""
