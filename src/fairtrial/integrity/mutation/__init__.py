"""Small faults that are put into production, and which of them tests notice."""
