"""Attention step by step: where a decoder looks while it writes each target word.

In go the source words, the target words and a matrix of weights for each score; out comes the widget.
Read on in this order: `reading` (what is refused), `widget`, then numbers.js and view.js.
"""

from .widget import AttentionSteps

__all__ = ["AttentionSteps"]
