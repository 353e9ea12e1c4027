"""Model view: every head of every layer as a small picture, and one of them opened.

In go tokens and the attention weights of a model; out comes the widget.
Read on in this order: `head_sets` and `heads` above (what is taken, what is sent), `habits` (a head in a few numbers),
`widget`, then words.js and view.js.
"""

from .widget import ModelView

__all__ = ["ModelView"]
