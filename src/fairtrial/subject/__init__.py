"""What is judged: head, base, and what changed between them."""
