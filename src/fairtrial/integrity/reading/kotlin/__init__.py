"""How Kotlin test code is read."""
