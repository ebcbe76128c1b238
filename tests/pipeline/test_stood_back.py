from __future__ import annotations

from fairtrial.pipeline.stood_back import docstrings_of, with_docstrings

BASE = b'''class Cart:
    """A cart.

    >>> Cart().total()
    0
    """

    def total(self):
        """The sum."""
        return 0
'''


def test_heads_code_gets_bases_docstrings() -> None:
    head = BASE.replace(b"    0\n", b"    1\n").replace(b"return 0", b"return 1")
    found = with_docstrings(BASE, head)
    assert found is not None
    assert docstrings_of(BASE) == docstrings_of(found)
    assert b"return 1" in found


def test_equal_docstrings_leave_heads_code_alone() -> None:
    assert with_docstrings(BASE, BASE.replace(b"return 0", b"return 1")) is None


def test_a_docstring_that_base_lacks_stays_heads() -> None:
    head = (
        BASE
        + b'''
    def count(self):
        """How many."""
        return 0
'''
    )
    assert with_docstrings(BASE, head) is None


def test_a_docstring_on_one_line_keeps_what_follows_it() -> None:
    base = 'def f(): "é"; return 1\n'.encode()
    head = 'def f(): "ü"; return 2\n'.encode()
    found = with_docstrings(base, head)
    assert b"; return 2" in (found or b"")
    assert docstrings_of(base) == docstrings_of(found or b"")


def test_what_cannot_be_parsed_is_left_alone() -> None:
    assert with_docstrings(BASE, b"def f(:") is None
    assert with_docstrings(b"\xff\x00", BASE) is None
    assert docstrings_of(b"(" * 10_000) == ""
