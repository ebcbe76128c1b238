"""Rows in which each of n things stands right behind each other one.

Tuscan squares, as Wei, Yi, Xie, Marinov and Lam use them: "Probabilistic and Systematic
Coverage of Consecutive Test-Method Pairs for Detecting Order-Dependent Flaky Tests"
(TACAS 2021). For an even n these are the rows of a row-complete Latin square (Williams,
"Experimental designs balanced for the estimation of residual effects of treatments",
1949): 0, n-1, 1, n-2, … and its shifts. For an odd n the square of n + 1 without its
last symbol, which takes one row more than the smallest possible.
"""

from __future__ import annotations


def rows(n: int) -> int:
    """How many rows put each ordered pair of n things next to each other."""
    if n < 2:  # noqa: PLR2004 - one thing has no pair
        return n
    return n + n % 2


def row(n: int, number: int) -> tuple[int, ...]:
    """One of those rows, as a permutation of 0 to n - 1; made in O(n)."""
    if n < 2:  # noqa: PLR2004
        return tuple(range(n))
    size = rows(n)
    zigzag = (
        place // 2 if place % 2 == 0 else -1 - place // 2 for place in range(size)
    )
    shifted = ((each + number) % size for each in zigzag)
    return tuple(each for each in shifted if each < n)


def pairs(n: int) -> int:
    """How many ordered pairs n things have."""
    return n * (n - 1)


def pairs_in(n: int, first: int) -> int:
    """How many different pairs stand next to each other in the first so many rows."""
    if first >= rows(n):
        return pairs(n)
    if n % 2 == 0:
        return first * (n - 1)
    # A symbol that was left out in the middle of a row takes two pairs with it, at an
    # end of one only.
    found = 0
    for number in range(first):
        size = n + 1
        ends = (number % size, (number - size // 2) % size)
        found += n - 1 if n in ends else n - 2
    return found
