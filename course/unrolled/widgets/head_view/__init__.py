"""Head view: two rows of tokens, and lines for what one head of one layer lets each token see.

In go tokens and the attention weights of a model; out comes the widget.
Read on in this order: `head_sets` and `heads` above (what is taken, what is sent), `widget`, then words.js and view.js.
"""

from .widget import HeadView

__all__ = ["HeadView"]
