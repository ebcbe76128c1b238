"""How PHP test code is read."""
