"""What the languages of the JVM share: frameworks, marks, stand-ins."""
