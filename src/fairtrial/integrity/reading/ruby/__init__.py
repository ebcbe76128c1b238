"""How Ruby test code is read."""
