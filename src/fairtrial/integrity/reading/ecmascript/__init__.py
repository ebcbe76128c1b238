"""How JavaScript and TypeScript test code is read."""
