"""`autograder collect`: what a learning platform gives is put where grading looks, and nothing else is touched.

Read on in this order: `sources` (folders and zip archives as entries), `shapes` (which platform's names they have, and
what these say), `github` (folders of clones; `commits`: when they were made), `exchange` (where nbgrader's lies),
`worksheet` (Moodle's table, which says whose number is whose), `whom` (from what a name says to a student of the class
list, or to nobody), `naming` (names that any file system takes), `keeping` (every attempt is kept, the last one
counts), `called` (what the platform calls each submission), `collected` (what became of everything), `collect` (all of
it).
"""

from . import called
from .collect import collect
from .collected import Collected
from .exchange import inbound
from .shapes import Who
from .whom import whom
from .worksheet import worksheet

__all__ = ["Collected", "Who", "called", "collect", "inbound", "whom", "worksheet"]
