"""What unittest and Django have in common: one command, one way to name tests."""
