"""What the generic runner needs to run and to read any tool that writes JUnit XML."""
