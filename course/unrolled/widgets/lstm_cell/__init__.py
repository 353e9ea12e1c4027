"""The LSTM cell: one step as a diagram that lights up in the order of computation.

In go the parameters, an input, a state and a cell; out comes the widget.
Read on in this order: `widget`, then step.js (the numbers), drawing.js and view.js.
"""

from .widget import PARTS, PRESETS, LSTMCellDiagram, lstm_step

__all__ = ["PARTS", "PRESETS", "LSTMCellDiagram", "lstm_step"]
