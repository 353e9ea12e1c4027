"""Fill the mask: hide pieces of a sentence, and see what a pre-trained BERT puts in their place.

In go a net with its list of pieces, and a few sentences; out comes the widget.
Read on in this order: `reading` (what the net sees and says), `packing` (what travels), `widget`, then numbers.js,
words.js and view.js.
"""

from .reading import Filled, candidates
from .widget import FillMask

__all__ = ["Filled", "FillMask", "candidates"]
