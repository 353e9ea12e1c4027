"""The public checks of unit 1: n-grams."""
