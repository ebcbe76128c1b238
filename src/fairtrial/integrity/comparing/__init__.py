"""How two versions of the same tests are held against each other, without running."""
