"""What the script languages share: pieces, names, claims."""
