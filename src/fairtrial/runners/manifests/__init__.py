"""How the files that declare a Python project's dependencies are read, unexecuted."""
