"""What the compiled languages share: statements, scopes, checks."""
