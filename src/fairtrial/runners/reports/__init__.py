"""How the pytest plugin's report is read: hostile bytes in, checked results out."""
