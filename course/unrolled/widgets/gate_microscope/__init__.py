"""The gate microscope: what the gates and cells of a trained net held along a text.

In go a text and the net's arrays, as `unrolled.experiments.lstm.trace` gives them; out comes the widget.
Read on in this order: `reading` (what may be shown), `widget`, then numbers.js and view.js.
"""

from .widget import GateMicroscope, correlations, followers

__all__ = ["GateMicroscope", "correlations", "followers"]
