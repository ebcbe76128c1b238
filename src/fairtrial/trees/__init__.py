"""Trees composed from two commits: which file comes from which side."""
