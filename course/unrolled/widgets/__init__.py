"""Pictures one can touch: one Python and one JavaScript file a widget."""
