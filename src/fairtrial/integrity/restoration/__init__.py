"""One test of base by itself, and which names production removed."""
