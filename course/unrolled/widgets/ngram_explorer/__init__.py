"""The n-gram explorer: a context typed by the reader, and what every order and smoothing expects next.

In goes a text; out comes the widget.
Read on in this order: `widget`, then counts.js (the arithmetic) and view.js.
"""

from .widget import NGramExplorer

__all__ = ["NGramExplorer"]
