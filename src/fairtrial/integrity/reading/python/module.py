"""What a Python test module does and holds outside its functions and classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairtrial.domain.demands import Aspect, Demand, Support
from fairtrial.integrity.reading.python.body import effect, walk
from fairtrial.integrity.reading.python.classes import Contents
from fairtrial.integrity.reading.python.functions import Around, module_scope, used
from fairtrial.integrity.reading.python.names import FileNames
from fairtrial.integrity.reading.python.reader import Reader
from fairtrial.integrity.reading.python.shape import digest_of
from fairtrial.integrity.reading.python.tree import Node

NAME: Final = "<module>"
IMPORTS: Final = frozenset(
    {"import_statement", "import_from_statement", "future_import_statement"}
)
#: Names that a runner reads.
READ_BY_RUNNER: Final = frozenset(
    {
        "pytestmark",
        "pytest_plugins",
        "collect_ignore",
        "collect_ignore_glob",
        "__test__",
    }
)
TOLD: Final = frozenset({Aspect.MOCK, Aspect.ARRANGEMENT, Aspect.SWALLOWED})


def module_support(
    found: Contents, file: FileNames
) -> tuple[Support | None, list[Demand]]:
    """The module's own effects as support, and the skips that hold for all tests."""
    nodes = [each for each in found.others if _has_effect(each)]
    reader = Reader(module_scope(file), walk)
    walk(reader, nodes)
    for each in _skipping(found):
        effect(reader, each)
    skips = [each for each in reader.demands if each.aspect is Aspect.SKIP]
    told = [
        node
        for name in sorted(READ_BY_RUNNER & found.values.keys())
        for node in found.values[name]
    ]
    if not nodes and not told:
        return None, skips
    around = Around(file=file)
    first = min((*nodes, *told), key=lambda each: each.line)
    support = Support(
        name=NAME,
        demands=tuple(
            each
            for each in reader.demands
            if each.aspect in TOLD and "in a function" not in each.guard
        ),
        uses=frozenset(name for each in (*nodes, *told) for name in used(each, around)),
        digest=digest_of([*nodes, *told], file.imports, frozenset()),
        automatic=True,
        line=first.line,
        last_line=first.last,
        text="\n".join(each.text for each in (*nodes, *told)),
    )
    return support, skips


def _has_effect(node: Node) -> bool:
    if node.kind in IMPORTS:
        return False
    if node.kind == "if_statement" and "__name__" in node.kids[1].text:
        # What a module does as a script is nothing to its tests.
        return False
    return not all(
        each.kind in {"string", "concatenated_string", "ellipsis"} for each in node.kids
    )


def _skipping(found: Contents) -> list[Node]:
    """`numpy = pytest.importorskip("numpy")` is a value that skips."""
    return [
        node
        for values in found.values.values()
        for node in values
        if node.kind == "call" and node.kids[0].text.endswith("importorskip")
    ]


def values_support(found: Contents, file: FileNames) -> Iterator[Support]:
    """Each name that the module gives a value, as support."""
    around = Around(file=file)
    for name, nodes in found.values.items():
        if name in READ_BY_RUNNER:
            continue
        yield Support(
            name=name,
            uses=frozenset(
                {one for each in nodes for one in used(each, around)} - {name}
            ),
            digest=digest_of(nodes, file.imports, frozenset()),
            line=nodes[0].line,
            last_line=nodes[-1].last,
            text="\n".join(each.text for each in nodes),
        )
