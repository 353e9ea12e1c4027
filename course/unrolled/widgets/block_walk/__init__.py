"""Block walk: one token's vector through the parts of a transformer's blocks, layer after layer.

In go tokens, what the blocks' parts give, and where their heads look; out comes the widget. `record` runs a stack of
`unrolled.transformer` and writes all of this down.
Read on in this order: `walking` (the parts in order), `reading` (what is refused), `widget`, `recording`, then
numbers.js, words.js, drawing.js, parts.js and view.js.
"""

from .recording import record
from .walking import parts_of
from .widget import BlockWalk

__all__ = ["BlockWalk", "parts_of", "record"]
