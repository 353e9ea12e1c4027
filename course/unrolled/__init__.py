"""Unrolled: sequence models for language, from counting words to BERT.

One module a unit holds the finished model: `ngrams`, `elman_rnn`, `lstm`, with `gru` beside it, and `tagging`. Several
share `vocabulary`, `language_model`, `training`, `device`, `progress`, `figures` and `errors`. The folders serve the
notebooks: `data` (what they read), `checking` and `checks` (what an answer must satisfy), `widgets` (pictures one can
touch), `experiments` (what only one unit's experiments need).
"""

__version__ = "0.1.0"
