"""Who left which row: committed changes joined with tests, and what remains of them."""
