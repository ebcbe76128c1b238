"""How Go test code is read."""
