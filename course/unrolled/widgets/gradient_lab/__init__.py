"""The gradient laboratory: how a gradient fades or grows on its way back through a recurrent net.

In go sizes and a seed; out comes the widget, with sliders for all that decides about the gradient.
Read on in this order: `widget`, then flow.js (the arithmetic), words.js and view.js.
"""

from .widget import GradientLab, flow, spectral_radius

__all__ = ["GradientLab", "flow", "spectral_radius"]
