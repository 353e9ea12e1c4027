"""`autograder report`: gradebook and record of a unit go in; out comes one page on what the class has understood.

Read on in this order: `gathering` (what is known of each submission), `properties` (which fail, and together with
which), `mistakes` (what wrong answers have in common), `timing` (when they were handed in), `normal` (code without its
names), `similarity` (answers that are more alike than answers are), `found` (all of that), `drawing` (figures as SVG),
`telling` (what the template draws from), `page` (it is put together and written).
"""

from .found import Found
from .page import look, write

__all__ = ["Found", "look", "write"]
