"""A file for each of the gate's steps that is more than a line."""
