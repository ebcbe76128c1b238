from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.integrity.restoration.restoring import restored, spared


def asks_for(*gone: str) -> Callable[[str], bool]:
    """What tells whether an import names one of these."""
    return lambda source: not set(gone).isdisjoint(re.split("[.:]", source))


FILE = '''\
"""Numbers."""

from __future__ import annotations

import os, sys
from calc import (
    double as twice,
    half,
)

import pytest

PAIRS = [(1, twice(1))]
EMPTY = []
sys.path.insert(0, "src")


@pytest.fixture(name="numbers")
def _numbers():
    return [*EMPTY, 9]


@pytest.fixture(autouse=True)
def clean():
    yield


def setup_module():
    os.environ["A"] = "b"


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_double(one, two):
    assert two == twice(one)


def test_half(numbers):
    assert half(numbers[0]) == 4


def helper(value):
    return value.half


class TestHelper:
    size = EMPTY

    def setup_method(self):
        self.value = 1

    @pytest.mark.skip
    def test_one(self):
        assert twice(self.value) == 2

    def test_two(self):
        assert helper(self.value) == 2

    def check(self):
        """Some help."""


class TestInherits(TestHelper):
    pass
'''


def text_of(*names: str) -> str:
    found = restored(FILE, names)
    assert found is not None
    ast.parse(found.text)
    return found.text


def test_a_test_brings_what_it_uses_and_nothing_that_others_use() -> None:
    found = text_of("test_half")

    assert "def test_half(numbers):" in found
    assert "from calc import half\n" in found
    assert "def _numbers():" in found
    assert "EMPTY = []" in found
    assert "twice" not in found
    assert "test_double" not in found
    assert "TestHelper" not in found


def test_what_acts_on_every_test_stays() -> None:
    found = text_of("test_half")

    assert "from __future__ import annotations" in found
    assert "import os, sys" in found
    assert 'sys.path.insert(0, "src")' in found
    assert "def clean():" in found
    assert "def setup_module():" in found


def test_lines_keep_their_numbers() -> None:
    found = text_of("test_half").split("\n")

    line = "    assert half(numbers[0]) == 4"
    assert FILE.split("\n").index(line) == found.index(line)


def test_parameter_rows_come_with_their_test() -> None:
    found = text_of("test_double")

    assert "PAIRS = [(1, twice(1))]" in found
    assert "from calc import double as twice\n" in found


def test_of_a_class_the_set_up_stays_and_other_tests_go() -> None:
    found = text_of("TestHelper", "test_two")

    assert "def setup_method(self):" in found
    assert "def check(self):" in found
    assert "def helper(value):" in found
    assert "size = EMPTY" in found
    assert "test_one" not in found
    # A member of that name is no use of what was imported.
    assert "from calc" not in found


def test_an_inherited_test_is_found_where_it_is_written() -> None:
    found = text_of("TestInherits", "test_one")

    assert "def test_one(self):" in found
    assert "test_two" not in found


def test_a_class_that_loses_all_members_is_left_empty() -> None:
    text = "class Base:\n    def test_a(self): ...\n\n\nclass TestB(Base):\n"
    found = restored(f"{text}    def test_b(self): ...\n", ("TestB", "test_b"))

    assert found is not None
    assert "class Base:\n    pass\n" in found.text
    ast.parse(found.text)


@pytest.mark.parametrize(
    "names", [(), ("test_third",), ("test_half", "test_half"), ("half",)]
)
def test_what_is_no_test_of_the_file_is_not_restored(names: tuple[str, ...]) -> None:
    assert restored(FILE, names) is None


@pytest.mark.parametrize("text", ["def )test_a(): x", "(" * 600 + ")" * 600])
def test_a_file_that_can_not_be_read_is_not_restored(text: str) -> None:
    assert restored(text, ("test_a",)) is None


def test_the_last_definition_of_a_test_counts() -> None:
    text = "def test_a():\n    one()\n\n\ndef test_a():\n    two()\n"
    found = restored(text, ("test_a",))

    assert found is not None
    assert "\n\n\n\ndef test_a():\n    two()\n" == found.text


def test_fixtures_that_are_named_in_strings_are_used() -> None:
    text = (
        "from fixtures import database, other\n\n"
        '@pytest.mark.usefixtures("database")\ndef test_a(request):\n'
        '    request.getfixturevalue("own")\n'
        '    assert name == "other"\n\n'
        "@fixture\ndef own(): ...\n"
        "@fixture\ndef unused(): ...\n"
        "other()\n"
    )
    found = restored(text.replace("other()\n", "def b(): other()\n"), ("test_a",))

    assert found is not None
    assert "from fixtures import database\n" in found.text
    assert "def own()" in found.text
    assert "unused" not in found.text


def test_an_import_that_nothing_uses_stays_for_its_effect() -> None:
    text = "import models\nfrom calc import gone\n\ndef test_a(): ...\n"
    found = restored(text, ("test_a",), asks_for("gone"))

    assert found is not None
    assert "import models\n\n\ndef test_a(): ...\n" == found.text


def test_it_is_told_what_is_needed_from_elsewhere() -> None:
    text = (
        "from . import a, b\nfrom x.y import z as w, v\nfrom s import *\nimport p.q\n"
        "def test_a(cart): a(w, p.q)\ndef test_b(): b(v)\n"
    )
    found = restored(text, ("test_a",))

    assert found is not None
    assert {"a": ".:a", "w": "x.y:z", "p": "p.q"} == found.imports
    assert {"s"} == found.stars
    assert "cart" in found.names


def test_statements_on_one_line_go_together() -> None:
    found = restored("a = 1; b = 2\ndef test_a(): b\n", ("test_a",))

    assert found is not None
    assert "a = 1; b = 2\ndef test_a(): b\n" == found.text


def test_windows_line_ends_stay() -> None:
    text = FILE.replace("\n", "\r\n")
    found = restored(text, ("test_half",))

    assert found is not None
    assert found.text.count("\n") == found.text.count("\r\n") == FILE.count("\n")


def test_helpers_lose_what_uses_a_removed_name_and_nothing_else() -> None:
    found = spared(FILE, {"helper"}, asks_for("double"))

    assert found is not None
    ast.parse(found.text)
    assert "from calc import half\n" in found.text
    assert "PAIRS" not in found.text
    assert "test_double" not in found.text
    assert "TestHelper" not in found.text
    assert "def test_half(numbers):" in found.text
    assert "def _numbers():" in found.text


def test_helpers_keep_a_removed_name_that_is_needed() -> None:
    found = spared(FILE, {"test_double"}, asks_for("double"))

    assert found is not None
    assert "    double as twice,\n" in found.text
    assert "PAIRS" in found.text


@pytest.mark.parametrize("lost", [(), ("elsewhere",)])
def test_helpers_that_lack_nothing_stay_to_the_byte(lost: tuple[str, ...]) -> None:
    found = spared(FILE, {"helper"}, asks_for(*lost))

    assert found is not None
    assert FILE == found.text


def test_a_module_that_is_gone_is_a_removed_name() -> None:
    found = spared("from shop.cart import Cart\nimport os\n", {"x"}, asks_for("cart"))

    assert found is not None
    assert "\nimport os\n" == found.text


STATEMENTS = (
    "import a",
    "import a.b, c",
    "from a import x, y",
    "from .a import *",
    "X = x",
    "X, Y = y, 1",
    "x.y = 1",
    "a()",
    "def helper(x): return X",
    "def test_a(helper): Y",
    "class C:\n    def test_x(self): x\n    def y(self): y",
    "class TestD(C):\n    def test_y(self): helper",
    "try:\n    import a\nexcept ImportError:\n    a = None",
    "if X:\n    Y = 2\nelif Y:\n    pass\nelse:\n    import x",
    "with x: pass",
    "# comment",
    "",
)


@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=12),
    st.sampled_from([("test_a",), ("TestD", "test_y"), ("TestD", "test_x")]),
)
def test_what_is_left_is_python_with_the_test_in_it(
    statements: list[str], names: tuple[str, ...]
) -> None:
    text = "\n".join(statements) + "\n"
    found = restored(text, names)

    if found is None:
        assert f"{names[0]}(" not in text
        return
    compile(found.text, "test.py", "exec")
    assert f"{names[0]}(" in found.text
    assert text.count("\n") == found.text.count("\n")
    left = set(found.text.splitlines())
    assert left - {"", "    pass"} - set(text.splitlines()) <= {
        line for line in left if line.startswith(("import ", "from "))
    }
