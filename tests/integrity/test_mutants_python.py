"""Mutants of Python: each is another program that builds, and is worth a trial."""

from __future__ import annotations

import ast
import sysconfig
import textwrap
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.mutation.mutants import MUTATORS, Mutant, Operator, mutator_of

PYTHON = MUTATORS["python"]


def mutants(text: str, *lines: int) -> tuple[Mutant, ...]:
    every = range(1, text.count("\n") + 2)
    return PYTHON.mutants(text, frozenset(lines or every))


def builds(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile(text, "<mutant>", "exec", dont_inherit=True)
    return True


def in_function(code: str) -> str:
    body = textwrap.indent(textwrap.dedent(code).strip("\n"), "    ")
    return f"def f(x, y, xs, *rest, **more):\n{body}\n"


@pytest.mark.parametrize(
    ("code", "operator", "expected"),
    [
        ("a = x < y", "comparison", {"x <= y", "x > y"}),
        ("a = x == y", "comparison", {"x != y"}),
        ("a = x in xs", "comparison", {"x not in xs"}),
        ("a = x is not None", "comparison", {"x is None"}),
        ("a = (x) >= (\n        y)", "comparison", {"(x) > (", "(x) < ("}),
        ("a = 1 < x <= y", "comparison", {"1 <= x", "1 > x", "x < y", "x > y"}),
        ("a = x + y", "arithmetic", {"x - y"}),
        ("a = x // y", "arithmetic", {"x * y"}),
        ("x += y", "arithmetic", {"x -= y", "x = y"}),
        ("a = -x", "arithmetic", {"+x"}),
        ("a = x and y", "boolean", {"x or y"}),
        ("a = x or y or xs", "boolean", {"x and y and xs"}),
        ("a = not x", "boolean", {"a = x"}),
        ("a = 7", "constant", {"a = 8"}),
        ("a = 0.5", "constant", {"a = 1.5", "a = 0.505"}),
        ("a = True", "constant", {"a = False"}),
        ("a = 'some'", "constant", {'a = ""'}),
        ("a = ''", "constant", {'a = "XX"'}),
        ("a = b'some'", "constant", {'a = b""'}),
        ("if x:\n    y()", "condition", {"if True:", "if False:"}),
        ("while x:\n    y()", "condition", {"while False:"}),
        ("a = [i for i in xs if i]", "condition", {"if True]", "if False]"}),
        ("return x", "return", {"return None"}),
        ("return x == y", "return", {"return None", "return not (x == y)"}),
        (
            "return round(x)",
            "return",
            {"return None", "return -(round(x))", "return (round(x)) * 1.01"},
        ),
        ("yield x", "return", {"yield None"}),
        ("return str(x)", "return", {"return None", 'return ""'}),
        ("return ', '.join(xs)", "return", {"return None", 'return ""'}),
        ("return '%s!' % x", "return", {"return None", 'return ""'}),
        ("return f'{x}'", "return", {"return None", 'return ""'}),
        ("return [i for i in xs]", "return", {"return None", "return []"}),
        ("return {x: y}", "return", {"return None", "return {}"}),
        ("return x, y", "return", {"return None", "return ()"}),
        ("return []", "return", {"return None"}),
        ("x.save()", "statement", {"    pass"}),
        ("x.a = y", "statement", {"    pass"}),
        ("raise ValueError(x)", "statement", {"    pass"}),
        ("del xs[0]", "statement", {"    pass"}),
        ("a = x(y, key=1)", "argument", {"x(y)"}),
        ("a = x(y, xs)", "argument", {"x(y)"}),
        ("a = xs[x:]", "slice", {"xs[:]", "xs[(x) + 1:]"}),
        ("a = xs[-1]", "slice", {"xs[(-1) + 1]"}),
        ("for i in xs:\n    break", "loop", {"continue"}),
        ("for i in xs:\n    continue", "loop", {"break"}),
        ("a = min(x, y)", "counterpart", {"max(x, y)"}),
        ("a = x.startswith(y)", "counterpart", {"x.endswith(y)"}),
    ],
)
def test_each_operator_makes_its_faults(
    code: str, operator: str, expected: set[str]
) -> None:
    text = in_function(code)
    found = [m.of(text) for m in mutants(text) if m.operator == operator]

    assert len(expected) == len(found)
    for piece in expected:
        assert 1 == sum(piece in each and piece not in text for each in found), piece


def test_defaults_are_reached_through_the_body_of_their_function() -> None:
    text = "def f(x, rate=0.2, *, on=True):\n    return x\n"

    found = {m.of(text).splitlines()[0] for m in mutants(text, 2) if m.line == 1}

    assert found == {
        "def f(x, rate=1.2, *, on=True):",
        "def f(x, rate=0.202, *, on=True):",
        "def f(x, rate=0.2, *, on=False):",
    }


def test_an_equality_can_hold_for_everything() -> None:
    text = (
        "class A:\n"
        "    def __eq__(self, other):\n"
        "        if other is None:\n"
        "            return False\n"
        "        return self.x == other.x\n"
    )

    (found,) = (m for m in mutants(text, 5) if m.operator is Operator.EQUALITY)

    assert (
        found.of(text)
        == "class A:\n    def __eq__(self, other):\n        return True\n"
    )


def test_a_constant_of_the_module_is_reached_where_it_is_used() -> None:
    text = (
        "RATE = 2\nLIMIT = 3\n\n"
        "def f(x):\n    return x\n\n"
        "def g(x):\n    return x + RATE\n"
    )

    assert [] == [m.line for m in mutants(text, 5) if m.line < 4]
    assert [1] == [m.line for m in mutants(text, 8) if m.line < 4]


def test_a_constant_of_a_class_is_reached_through_its_own_methods() -> None:
    text = (
        "class A:\n    size = 1\n    def f(self):\n        return self.size\n"
        "class B:\n    size = 2\n    def f(self):\n        return self.size\n"
        "class C:\n    size = 3\n"
    )

    assert [2, 10] == [m.line for m in mutants(text, 4) if m.operator == "constant"]
    assert [6, 10] == [m.line for m in mutants(text, 8) if m.operator == "constant"]


def test_only_what_the_lines_reach_is_made() -> None:
    text = in_function("if x:\n    y = 1\nelse:\n    y = 2\nreturn y")

    assert {3} == {m.line for m in mutants(text, 3)}
    assert () == PYTHON.mutants(text, frozenset())


def test_each_part_of_a_statement_of_many_lines_is_reached() -> None:
    text = in_function("return x(\n    y + 1,\n    y - 1,\n)")

    assert {2, 3, 4} == {m.line for m in mutants(text, 2)}


@pytest.mark.parametrize(
    "code",
    [
        '"""A docstring."""',
        "logger.info('done', 1)",
        "self.log.debug('done %s', x + 1)",
        "a: 'Some[1]'",
        "import os",
        "pass",
        "a = f'{x + 1} and {y}'",
    ],
)
def test_what_no_test_can_notice_is_left_alone(code: str) -> None:
    found = [m for m in mutants(in_function(code)) if m.operator != "statement"]

    assert [] == found


def test_annotations_representations_and_scripts_are_left_alone() -> None:
    text = (
        "__all__ = ['f']\n"
        "class A:\n"
        "    def __repr__(self):\n"
        "        return 'A' + str(1)\n"
        "@cache(maxsize=1)\n"
        "def f(x: Literal[1]) -> Literal[2]:\n"
        "    pass\n"
        "if __name__ == '__main__':\n"
        "    f(1)\n"
    )

    assert () == mutants(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\r\n    # é\r\n    y = 'ü' + x\r\n    return y < 1\r\n",
        "\ufeffdef f(x):\n    return x < 1\n",
        "def f(x):\n\treturn [x,\n1][0]\n",
        "def f(x):\n    if x: return 1\n    elif x > 2: return 2; y = 3\n",
        "def f(x):\n  if x:\n    a = 1\n  elif x == 3:\n    a = 2\n  else:\n    a = 4",
        "def f(x):\n    if x == 'é': y = 'é' ; return y\n\x0c\ndef g(x):\n    x = 1\n",
        "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n",
        "async def f(x):\n    await x.save(1)\n    async with x as y:\n        x = 1\n",
        "def f(x):\n    match x:\n        case 1 | 2:\n            return 3\n",
        "def f(x):\n    try:\n        x(1)\n    except ValueError:\n        return 2\n",
    ],
)
def test_strange_texts_have_mutants_that_build(text: str) -> None:
    found = mutants(text)

    assert found
    for mutant in found:
        assert builds(mutant.of(text).removeprefix("\ufeff"))
        assert text.startswith("\ufeff") == mutant.of(text).startswith("\ufeff")


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n",
        "a = '\0'\n",
        "a = " + "(" * 5000 + ")" * 5000,
        "-" * 50_000 + "1",
        "a = '\ud800'\n",
        "x = 1\n" * 500_000,
    ],
)
def test_what_can_not_be_read_is_refused(text: str) -> None:
    with pytest.raises(CannotRead):
        mutants(text)


@pytest.mark.parametrize(
    "code",
    [
        " + ".join(["x"] * 900),
        "[" + ", ".join(map(str, range(3_000))) + "]",
        "{" + ", ".join(f"'k{i}': {i}" for i in range(20_000)) + "}",
        "f(" * 80 + "1" + ")" * 80,
    ],
)
def test_a_statement_has_only_so_many(code: str) -> None:
    assert len(mutants(f"def f(x):\n    return {code}\n\nTABLE = {code}\n")) <= 80


LIBRARY = Path(sysconfig.get_path("stdlib"))
REAL = ("textwrap", "fractions", "json/decoder", "heapq", "shlex")


@pytest.mark.parametrize("name", REAL)
def test_mutants_of_real_code_build_and_differ(name: str) -> None:
    text = (LIBRARY / f"{name}.py").read_text()
    own = ast.dump(ast.parse(text))
    found = mutants(text)

    assert len(found) > 100
    assert len({(m.cut, m.now) for m in found}) == len(found)
    for mutant in found[::37]:
        changed = mutant.of(text)
        assert builds(changed)
        assert own != ast.dump(ast.parse(changed))
        assert mutant.was != mutant.now


_NAMES = st.sampled_from(["a", "b", "self.c", "d[0]", "1", "'é'", "2.5", "None"])
_VALUES = st.recursive(
    _NAMES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "<", "and", "in", "or"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map(lambda value: f"(not {value})"),
        st.tuples(inner, inner).map(lambda two: f"f({two[0]}, k={two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"[{two[0]}, {two[1]}][1:]"),
        st.tuples(inner, inner, inner).map(
            lambda three: f"({three[0]} if {three[1]} else {three[2]})"
        ),
    ),
    max_leaves=6,
)
_STATEMENTS = st.one_of(
    _VALUES.map(lambda value: f"x = {value}"),
    _VALUES.map(lambda value: f"x += {value}"),
    _VALUES.map(lambda value: f"return {value}"),
    _VALUES.map(lambda value: f"f({value})"),
    _VALUES.map(lambda value: f"if {value}: y = {value}"),
    _VALUES.map(lambda value: f"while {value}:\n        break"),
    _VALUES.map(lambda value: f"raise E({value})"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_STATEMENTS, min_size=1, max_size=4))
def test_every_mutant_of_any_function_builds_and_differs(lines: list[str]) -> None:
    body = "\n".join(f"    {line}" for line in lines)
    text = f"def f(self, a, b=1):\n{body}\n"
    found = mutants(text)

    for mutant in found:
        changed = mutant.of(text)
        assert builds(changed)
        assert text != changed
        assert mutant.reach


def test_a_file_of_another_language_has_no_mutator() -> None:
    assert mutator_of(RepoPath("src/Cart.PY")) is PYTHON
    assert mutator_of(RepoPath("src/cart.rs")) is None


def test_the_words_of_a_test_are_its_own() -> None:
    text = (
        "from shop import total, tax\n"
        "class TestCart:\n"
        "    def test_a(self):\n"
        "        assert total(1)\n"
        "    def test_b(self):\n"
        "        assert shop.tax(1)\n"
    )

    assert {"total"} == PYTHON.words_of(text, ("TestCart", "test_a"))
    assert {"shop", "tax"} == PYTHON.words_of(text, ("TestCart", "test_b"))
    assert {"total", "shop", "tax"} <= PYTHON.words_of(text, ("elsewhere",))
    assert {"def", "f"} == PYTHON.words_of("def f(:", ("f",))
