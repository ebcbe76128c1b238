"""What runners of compiled languages share: building again, and compilers' words."""
