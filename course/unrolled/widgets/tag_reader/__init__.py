"""The tag reader: what a tagger says of each word, and what each of its two directions adds to that.

In go a trained tagger and a few sentences; out comes the widget.
Read on in this order: `reading` (what the net says), `widget`, then numbers.js and view.js.
"""

from .reading import contributions, cut
from .widget import TagReader

__all__ = ["TagReader", "contributions", "cut"]
