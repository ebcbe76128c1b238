"""What the Go runner is made of: the command, the sources, the events, the failures."""
