"""Whether production looks as if it recognised that it is tested."""
