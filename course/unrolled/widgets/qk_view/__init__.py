"""Query and keys: how one query's products with all keys become its weights.

In go tokens, queries and keys; out comes the widget.
Read on in this order: `reading` (what is refused), `widget`, then numbers.js and view.js.
"""

from .widget import QKView

__all__ = ["QKView"]
