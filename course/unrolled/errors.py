"""An error that is one sentence: what is wrong, and what to do about it.

A traceback tells a programmer where; a student who has no network needs to know what. Jupyter asks an
exception how it wants to be shown, so in a notebook only the sentence appears. In a plain script Python
still prints where the error came from, above the sentence.
"""


class OneLineError(Exception):
    """Raise with a single sentence that a student can act on."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]
