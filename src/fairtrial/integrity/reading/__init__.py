"""How sources of each language are read: a folder a language, and what they share."""
