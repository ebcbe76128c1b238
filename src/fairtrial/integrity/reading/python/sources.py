"""Where a value of a Python test comes from."""

from __future__ import annotations

from typing import Final

from fairtrial.domain.demands import Source
from fairtrial.integrity.reading.python.literals import is_literal
from fairtrial.integrity.reading.python.names import Scope
from fairtrial.integrity.reading.python.text import arguments, callee
from fairtrial.integrity.reading.python.tree import Node

#: The likelier one is what is expected, of two sides of a comparison, the higher it is.
LIKELIEST: Final = (
    Source.LITERAL,
    Source.LOCAL,
    Source.FILE,
    Source.ROW,
    Source.FIXTURE,
    Source.COMPUTED,
    Source.SUBJECT,
    Source.UNKNOWN,
)
#: Read from outside the test's text.
READERS: Final = frozenset(
    {"open", "json.load", "yaml.safe_load", "yaml.load", "pickle.load", "toml.load"}
)
READING: Final = (
    "read_text",
    "read_bytes",
    "read",
    "readlines",
    "read_csv",
    "read_json",
)
#: What builds a value of its arguments and looks at nothing else.
BUILDERS: Final = frozenset(
    {
        "abs",
        "bool",
        "bytes",
        "complex",
        "datetime.date",
        "datetime.datetime",
        "datetime.time",
        "datetime.timedelta",
        "decimal.Decimal",
        "dict",
        "float",
        "fractions.Fraction",
        "frozenset",
        "int",
        "json.loads",
        "list",
        "numpy.array",
        "pathlib.Path",
        "pytest.approx",
        "range",
        "set",
        "sorted",
        "str",
        "textwrap.dedent",
        "tuple",
        "uuid.UUID",
    }
)
#: Functions of the language that work something out; they are never the subject.
COMPUTING: Final = frozenset(
    {"len", "max", "min", "repr", "round", "sum", "zip", "type"}
)


def source_of(node: Node, scope: Scope) -> Source:
    """Where the value of an expression comes from."""
    if is_literal(node):
        return Source.LITERAL
    kind = node.kind
    if kind == "identifier":
        return _named(node.text, scope)
    if kind == "call":
        return _called(node, scope)
    if kind in {"attribute", "subscript", "await"}:
        if kind == "attribute" and scope.value(node) is not node:
            return Source.LITERAL
        inner = source_of(node.kids[-1 if kind == "await" else 0], scope)
        return Source.COMPUTED if inner in {Source.LITERAL, Source.LOCAL} else inner
    parts = [
        source_of(kid, scope)
        for kid in node.kids
        if kid.kids or kid.kind == "identifier"
    ]
    return _together(parts)


def _together(parts: list[Source]) -> Source:
    if not parts:
        return Source.COMPUTED
    return max(parts, key=LIKELIEST.index)


def _named(name: str, scope: Scope) -> Source:
    if name in scope.sources:
        return scope.sources[name]
    if name in scope.file.constants:
        return Source.LITERAL
    if name in scope.file.helpers:
        return Source.FIXTURE
    return Source.UNKNOWN if name in scope.file.imports else Source.COMPUTED


def _called(node: Node, scope: Scope) -> Source:
    name = callee(node, scope)
    if name in READERS or name.rpartition(".")[2] in READING:
        return Source.FILE
    placed, named = arguments(node)
    parts = [source_of(each, scope) for each in (*placed, *named.values())]
    if name in BUILDERS:
        return _together([Source.LITERAL, *parts])
    if name in COMPUTING:
        return _together([Source.COMPUTED, *parts])
    if node.kids[0].kind == "identifier" and node.kids[0].text in scope.file.helpers:
        return Source.FIXTURE
    if node.kids[0].kind == "attribute":
        # What a literal's own method gives is worked out: ", ".join(["a"]).
        owner = source_of(node.kids[0].kids[0], scope)
        if owner in {Source.LITERAL, Source.LOCAL}:
            return _together([Source.COMPUTED, *parts])
        if owner is Source.FILE:
            return Source.FILE
    return Source.UNKNOWN


def expected_first(one: Source, other: Source) -> bool:
    """Whether the first of two sides is what the second has to be."""
    return LIKELIEST.index(one) < LIKELIEST.index(other)
