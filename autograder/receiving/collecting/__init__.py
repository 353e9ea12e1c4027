"""`autograder collect`: what a learning platform gives is put where grading looks, and nothing else is touched.

Read on in this order: `sources` (folders and zip archives as entries), `shapes` (which platform's names they have, and
what these say), `github` (folders of clones), `exchange` (where nbgrader's
lies), `worksheet` (Moodle's table, which says whose number is whose), `whom`
(from what a name says to a student of the class list, or to nobody), `keeping` (every attempt is kept, the last one
counts), `collect` (all of it).
"""

from .collect import Collected, collect
from .exchange import inbound
from .shapes import Who
from .whom import whom

__all__ = ["Collected", "Who", "collect", "inbound", "whom"]
