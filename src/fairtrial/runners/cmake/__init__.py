"""What the CTest runner is made of: the command, the list, the reports."""
