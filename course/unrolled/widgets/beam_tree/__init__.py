"""The beam tree: what beam search kept at each step, what it cut off, and what was left in the end.

In go plain records of each step's candidates, as `unrolled.decoding.beam_search` writes them; out comes the widget.
Read on in this order: `reading` (what is refused, what is drawn), `widget`, then tree.js and view.js.
"""

from .widget import BeamTree, Ranked

__all__ = ["BeamTree", "Ranked"]
