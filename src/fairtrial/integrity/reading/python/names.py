"""What a name of a Python test file stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from fairtrial.domain.demands import Demand, Source
from fairtrial.integrity.reading.python.looseness import MUTABLE
from fairtrial.integrity.reading.python.tree import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNames:
    """The names at a file's module level."""

    #: Local name to the full dotted name: "total" to "cart.total".
    imports: Mapping[str, str] = field(default_factory=dict)
    #: Names that are given one literal, once.
    constants: Mapping[str, Node] = field(default_factory=dict)
    #: Names that are given one value, once, whatever it is.
    given: Mapping[str, Node] = field(default_factory=dict)
    #: Functions and classes of the file.
    helpers: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class Slot:
    """A place in a test's order that may turn out to be needed."""

    demand: Demand
    #: What was done before it; None where any use of the name speaks for it.
    effects: int | None
    keep: bool = True


class Scope:
    """The names inside one function, as far as it has been read."""

    __slots__ = (
        "_over",
        "claimed",
        "effects",
        "file",
        "handed_on",
        "imported",
        "local",
        "loose",
        "mentions",
        "nodes",
        "owned",
        "pending",
        "rebound",
        "sources",
        "texts",
    )

    def __init__(self, file: FileNames, owned: Mapping[str, Node]) -> None:
        self.file = file
        #: Literals of the class, read as `self.NAME`.
        self.owned = owned
        #: Local name to rendered text.
        self.local: dict[str, str] = {}
        self.sources: dict[str, Source] = {}
        #: Local name to the value that it was given, where that is one node.
        self.nodes: dict[str, Node] = {}
        #: Rendered text to the local name that has it first.
        self.claimed: dict[str, str] = {}
        #: Calls whose result was named and not looked at yet.
        self.pending: dict[str, Slot] = {}
        #: Full names of what is imported inside the function.
        self.imported: set[str] = set()
        #: How often each name stands in the function.
        self.mentions: Mapping[str, int] = {}
        #: Names that calls and inner functions get hold of, and that they assign.
        self.handed_on: frozenset[str] = frozenset()
        self.rebound: frozenset[str] = frozenset()
        #: Local names whose value may no longer be what they were given.
        self.loose: set[str] = set()
        self.effects = 0
        #: Rendered module and class constants.
        self.texts: dict[str, str] = {}
        self._over: list[dict[str, str]] = []

    def lookup(self, name: str) -> str | None:
        """The rendered text that a local or imported name stands for."""
        for layer in reversed(self._over):
            if name in layer:
                return layer[name]
        slot = self.pending.pop(name, None)
        if slot is not None:
            slot.keep = slot.effects not in {None, self.effects}
        if name in self.local:
            return self.local[name]
        return None if name in self.file.constants else self.file.imports.get(name)

    def constant(self, name: str) -> Node | None:
        """The literal of a module constant; None where a local name hides it."""
        return None if name in self.local else self.file.constants.get(name)

    def changes(self, node: Node) -> bool:
        """Whether an expression holds a name whose value may have changed."""
        for each in node.walk():
            if each.kind != "identifier":
                continue
            name = each.text
            constant = self.constant(name)
            if name in self.loose or (
                constant is not None and constant.kind in MUTABLE
            ):
                return True
        return False

    def value(self, node: Node) -> Node:
        """What a name was given, where that is known; else the node itself."""
        if node.kind == "identifier":
            name = node.text
            return self.nodes.get(name) or self.constant(name) or node
        if node.kind == "attribute" and node.kids[0].text in {"self", "cls"}:
            return self.owned.get(node.kids[-1].text, node)
        return node

    def marker(self, node: Node) -> Node:
        """What a name in a marker stands for, even where that is worked out."""
        if node.kind == "identifier" and node.text not in self.local:
            return self.file.given.get(node.text, node)
        return self.value(node)

    def bind(self, name: str, text: str, source: Source, node: Node | None) -> None:
        """Give a local name its value; equal values of two names stay two values."""
        if "\x01" in text or text in {"[]", "{}"}:
            plain, count = text, 2
            while self.claimed.setdefault(text, name) != name:
                text, count = f"{plain}#{count}", count + 1
        loose = name in self.rebound or (
            node is not None and node.kind in MUTABLE and name in self.handed_on
        )
        self.loose.discard(name)
        if loose:
            self.loose.add(name)
        self.local[name] = f"carried({text})" if name in self.rebound else text
        self.sources[name] = source
        self.pending.pop(name, None)
        if node is None or loose:
            self.nodes.pop(name, None)
        else:
            self.nodes[name] = node

    @contextmanager
    def over(self, names: dict[str, str]) -> Iterator[None]:
        """Names of a comprehension or lambda, for as long as it is read."""
        self._over.append(names)
        try:
            yield
        finally:
            self._over.pop()

    @property
    def depth(self) -> int:
        """How many comprehensions and lambdas stand around."""
        return len(self._over)


def imported(node: Node) -> Iterator[tuple[str, str, str]]:
    """What an import statement binds: local name, module, name in it ("" for none)."""
    if node.kind == "import_statement":
        for each in node.every("dotted_name", "aliased_import"):
            if each.kind == "dotted_name":
                yield each.kids[0].text, each.kids[0].text, ""
            else:
                yield each.kids[-1].text, _joined(each.kids[0]), ""
    elif node.kind == "import_from_statement":
        module, *names = node.every(
            "dotted_name", "relative_import", "aliased_import", "wildcard_import"
        )
        for each in names:
            if each.kind == "wildcard_import":
                yield "*", _joined(module), "*"
            elif each.kind == "dotted_name":
                yield _joined(each), _joined(module), _joined(each)
            else:
                yield each.kids[-1].text, _joined(module), _joined(each.kids[0])


def dotted(module: str, name: str) -> str:
    """The full name of something imported."""
    if module == "mock" or module.startswith("mock."):
        # The backport of what the standard library has by now.
        module = f"unittest.{module}"
    if not name:
        return module
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


def _joined(node: Node) -> str:
    return "".join(node.text.split())
