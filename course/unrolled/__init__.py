"""Unrolled: sequence models for language, from counting words to BERT.

One module a unit holds the finished model; `checking`, `data` and `widgets` serve the notebooks.
"""

__version__ = "0.1.0"
