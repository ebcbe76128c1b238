"""What follows from verdicts, and who may change what."""
