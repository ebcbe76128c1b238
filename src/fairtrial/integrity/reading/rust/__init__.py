"""How Rust test code is read."""
