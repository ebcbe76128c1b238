from __future__ import annotations

import ast
import sys
import types

import pytest

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import conftest
from fairtrial.trees.splitters.conftest_control import is_control
from fairtrial.trees.splitters.tables import CannotSplit

BASE = '''\
"""Shared by all tests."""

import sys

import pytest

sys.path.insert(0, "src")


@pytest.fixture
def cart():
    return []


# Slow ones go last.
def pytest_collection_modifyitems(items):
    items.sort(key=order)


def order(item):
    return "slow" in item.keywords
'''

HEAD = """\
import pytest

from shop import Cart

sys.path.insert(0, "elsewhere")


@pytest.fixture
def cart():
    return Cart()


@pytest.fixture
def full_cart(cart):
    return cart


def pytest_collection_modifyitems(items):
    items.clear()
"""


def compose(tests: str, control: str) -> str:
    texts = {PathClass.TEST: tests, PathClass.CONTROL: control}
    return conftest.compose(lambda path_class: texts[path_class])


@pytest.mark.parametrize(
    "statement",
    [
        "import os",
        "from x import *",
        "from . import fixtures",
        "ROOT = 1",
        "ROOT: int = 1",
        "ROOT = Path(__file__).parent",
        "ROOT = os.path.join('a', 'b')",
        "TOKEN = os.environ.get('A')",
        "pytestmark = pytest.mark.slow",
        "MARK = pytest.mark.parametrize('a', [1])",
        "LATER = lambda: act()",
        "def helper(a, b=1): act()",
        "async def helper(): act()",
        "@pytest.fixture\ndef a(): act()",
        "@pytest.fixture(scope='session', autouse=True)\ndef a(): act()",
        "@contextmanager\ndef a(): yield",
        "class Fake:\n    '''Doc.'''\n    x = 1\n    def get(self): act()",
        "class Fake(Base): pass",
        "if sys.version_info > (3, 8):\n    import a\nelse:\n    import b",
        "try:\n    import a\nexcept ImportError:\n    a = None",
        "'''docstring'''",
    ],
)
def test_fixtures_imports_functions_and_constants_are_no_control(
    statement: str,
) -> None:
    assert not is_control(ast.parse(statement).body[0])


@pytest.mark.parametrize(
    "statement",
    [
        "def pytest_configure(config): pass",
        "async def pytest_x(): pass",
        "pytest_plugins = ['a']",
        "pytest_plugins += ['a']",
        "collect_ignore = ['a']",
        "collect_ignore_glob: list = []",
        "a, collect_ignore = 1, 2",
        "from plugin import pytest_runtest_protocol",
        "from plugin import hook as pytest_runtest_protocol",
        "sys.path.insert(0, 'a')",
        "os.environ['A'] = 'b'",
        "module.function = fake",
        "_ = sys.path.insert(0, 'a')",
        "A = os.environ.setdefault('A', 'b')",
        "A = [act() for _ in range(1)]",
        "@pytest.hookimpl\ndef hook(): pass",
        "@pytest.hookimpl(tryfirst=True)\ndef hook(): pass",
        "@atexit.register\ndef late(): pass",
        "@pytest.fixture(params=act())\ndef a(): pass",
        "def helper(a=act()): pass",
        "class Plugin:\n    def pytest_runtest_setup(self): pass",
        "class Plugin:\n    act()",
        "class Plugin(act()): pass",
        "if A:\n    pytest_plugins = []",
        "if act(): pass",
        "try:\n    import a\nexcept ImportError:\n    collect_ignore = []",
        "for a in b: pass",
        "with a: pass",
        "del a",
        "assert a",
        "raise SystemExit",
    ],
)
def test_hooks_and_whatever_acts_on_import_are_control(statement: str) -> None:
    assert is_control(ast.parse(statement).body[0])


def test_heads_fixtures_stay_under_bases_hooks() -> None:
    found = compose(HEAD, BASE)

    assert "full_cart" in found
    assert "return Cart()" in found
    assert "items.clear()" not in found
    assert '"elsewhere"' not in found
    assert "# Slow ones go last.\ndef pytest_collection_modifyitems" in found


def test_what_bases_hooks_need_comes_with_them() -> None:
    found = compose(HEAD, BASE)

    assert "import sys\n" in found
    assert "def order(item):" in found
    assert found.index("import sys\n") < found.index("sys.path.insert")
    assert 1 == found.count("def cart()")


def test_a_composed_file_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = types.ModuleType("shop")
    vars(shop)["Cart"] = list
    monkeypatch.setitem(sys.modules, "shop", shop)
    monkeypatch.setattr(sys, "path", list(sys.path))
    namespace: dict[str, object] = {}

    exec(compile(compose(HEAD, BASE), "conftest.py", "exec"), namespace)

    assert {"cart", "full_cart", "order"} <= set(namespace)
    assert "src" == sys.path[0]


def test_an_equal_control_part_leaves_the_file_to_the_byte() -> None:
    other = BASE.replace("return []", "return [1]").replace("# Slow", "# The slow")

    assert (
        conftest.parts(BASE)[PathClass.CONTROL]
        == (conftest.parts(other)[PathClass.CONTROL])
    )
    assert other == compose(other, BASE)


def test_layout_and_comments_of_a_hook_are_no_difference() -> None:
    other = BASE.replace("(items):", "( items ):  # here").replace("\n\n\n", "\n\n")

    assert conftest.parts(BASE) == conftest.parts(other)


def test_a_deleted_conftest_leaves_bases_hooks() -> None:
    found = compose("", BASE)

    assert "def pytest_collection_modifyitems" in found
    assert "def cart" not in found


def test_a_new_conftests_hooks_are_left_out() -> None:
    found = compose(HEAD, "")

    assert "pytest_" not in found
    assert "sys.path" not in found
    assert "full_cart" in found


def test_statements_on_one_line_go_together() -> None:
    found = compose("a = 1; act()\nb = 2\n", "")

    assert "b = 2\n" == found


@pytest.mark.parametrize("text", ["def f(:", "\0", "(" * 500])
def test_what_python_can_not_read_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        conftest.parts(text)
