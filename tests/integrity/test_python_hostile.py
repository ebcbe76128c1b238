from __future__ import annotations

import time
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.integrity import python
from fairtrial.integrity.errors import CannotRead

WORDS: Final = """def test_a ( ) : assert == != in is not pytest . mark skip @ Test
class
x = 1 'a' f'{x}' [ ] { } , lambda for while if else try except with as return raise
yield await async del global import from * ** -> := \\ # \x01 \x00 é"""
PIECES: Final = st.sampled_from([*WORDS.split(), "\n    "])


def survives(text: str) -> None:
    try:
        found = python.read(text)
    except CannotRead:
        return
    assert all(1 <= test.line <= test.last_line for test in found.tests)


@given(text=st.text())
def test_any_text_is_read_or_said_to_be_unreadable(text: str) -> None:
    survives(text)


@given(words=st.lists(PIECES, max_size=40))
def test_any_words_of_python_are_read_or_said_to_be_unreadable(
    words: list[str],
) -> None:
    survives("def test_a():\n    " + " ".join(words) + "\n")
    survives(" ".join(words))


@pytest.mark.parametrize(
    "text",
    [
        "def test_a():\n    x = 1\n" + "    x = f(x, x)\n" * 2_000 + "    assert x\n",
        "def test_a():\n    assert " + " + ".join(["f(1)"] * 150) + " == 1\n",
        "def test_a():\n" + "    if x:\n        return\n" * 1_000 + "    assert x\n",
        "@pytest.mark.parametrize('a', ["
        + "(1, 2), " * 20_000
        + "])\ndef test_a(a):\n    assert a\n",
        "class A:\n    pass\n"
        + "".join(
            f"class T{n}(T{n - 1}):\n    def test_{n}(self):\n        pass\n"
            for n in range(1, 60)
        ),
        "class A(A):\n    def test_a(self):\n        pass\n",
        (
            "X = X\nY = [*Y]\n@pytest.mark.parametrize('a', Y)\n"
            "def test_a(a):\n    x = x\n    assert x\n"
        ),
        "def test_a():\n"
        + "".join(f"{'    ' * (n + 1)}if x{n}:\n" for n in range(60))
        + "    " * 61
        + "assert x\n",
    ],
    ids=[
        "calls of calls",
        "chain",
        "returns",
        "rows",
        "heirs",
        "own base",
        "own value",
        "ifs",
    ],
)
def test_what_multiplies_is_bounded(text: str) -> None:
    started = time.process_time()

    survives(text)

    assert time.process_time() - started < 5


def test_a_line_of_too_many_parts_is_said_and_a_long_text_is_read() -> None:
    with pytest.raises(CannotRead, match="line 2: it is too long"):
        python.read("x = 1\ny = [" + "1, " * 60_000 + "]\n")
    found = python.read("def test_a():\n    assert f() == '" + "a" * 200_000 + "'\n")

    assert 1 == len(found.tests)


def test_what_is_nested_too_deeply_is_said() -> None:
    with pytest.raises(CannotRead, match="nested too deeply"):
        python.read("x = " + "[" * 2_000 + "]" * 2_000 + "\n")
    with pytest.raises(CannotRead, match="nested too deeply"):
        python.read("def test_a():\n    assert " + "[" * 400 + "]" * 400 + "\n")
