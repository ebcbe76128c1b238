"""The nouns: what every other layer talks about, without any I/O."""
