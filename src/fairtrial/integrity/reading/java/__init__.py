"""How Java test code is read."""
