"""The hidden checks, one file a unit; importing one registers them."""
