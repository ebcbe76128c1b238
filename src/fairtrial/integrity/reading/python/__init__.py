"""How Python test code is read."""
