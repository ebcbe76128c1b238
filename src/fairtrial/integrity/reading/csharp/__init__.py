"""How C# test code is read."""
