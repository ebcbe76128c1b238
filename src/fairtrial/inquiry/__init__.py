"""What to try next: summaries of what was seen, the plan, the searches."""
