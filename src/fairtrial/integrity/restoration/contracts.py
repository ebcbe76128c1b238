"""What a Python production offered, and offers no more.

A thing is removed where base surely had exactly that thing and head can't have it in
any way. Wherever this can't be told, nothing was removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from ast_grep_py import SgNode

from fairtrial.domain.contracts import Lack, Missing
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.restoration.offers import SYS_MODULES, Offers, offers
from fairtrial.integrity.restoration.pieces import targets
from fairtrial.integrity.restoration.side import ROOTS, Side
from fairtrial.integrity.syntax import broken_at, parse

__all__ = ["Contracts", "Offers", "Side", "defined_names", "offers"]

#: What reaches a name that it need not spell, in a module that mentions the name.
_REACHING: Final = frozenset(
    {
        *(SYS_MODULES, "__dict__", "attrgetter", "delattr", "exec", "getattr"),
        *("globals", "import_module", "methodcaller", "setattr", "vars"),
    }
)

_NAMED: Final = frozenset({"class_definition", "function_definition"})
_ASSIGNED: Final = frozenset({"assignment", "augmented_assignment"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contracts:
    """Base's production and head's; holds what the one had and the other has not."""

    base: Side
    head: Side
    #: Every file of head, whatever it is.
    everything: AbstractSet[RepoPath]
    #: The files of head's production that the change touches.
    changed: Iterable[RepoPath]
    #: Names that base defines and head defines nowhere.
    nowhere: AbstractSet[str]

    def __contains__(self, missing: object) -> bool:
        """Whether the change removed a thing; raises nothing."""
        if not isinstance(missing, Missing):
            return False
        try:
            return self._is_removed(missing)
        except (CannotRead, RecursionError):
            return False

    def has_import(self, source: str) -> bool:
        """Whether an import still finds what it asks for: "module" or "module:name"."""
        module, _, name = source.partition(":")
        parts = module.split(".")
        asked = [
            Missing(lack=Lack.MODULE, name=".".join(parts[: at + 1]))
            for at in range(len(parts))
        ]
        if name:
            asked.append(Missing(lack=Lack.NAME, owner=module, name=name))
        return not any(each in self for each in asked)

    def _is_removed(self, missing: Missing) -> bool:
        owner, name = missing.owner, missing.name
        match missing.lack:
            case Lack.MODULE:
                return self._lost_module(name)
            case Lack.NAME:
                return self._lost_name(owner, name) and not self._is_reached(name)
            case Lack.MEMBER:
                return (
                    self.base.surely_have(owner, name)
                    and bool(self.head.classes(owner))
                    and not self.head.may_have(owner, name)
                    and not self._is_reached(name)
                )
            case Lack.ANYWHERE:
                return name in self.nowhere

    def _lost_module(self, module: str) -> bool:
        """The import path is base's, so a folder that is new makes no new root."""
        found = self.base.roots(module)
        return bool(found) and not self._is_there(module, found | ROOTS)

    def _is_there(self, module: str, roots: AbstractSet[str]) -> bool:
        """Whether head has anything there, were it an extension or an empty folder."""
        inside = module.replace(".", "/")
        stems = tuple(
            f"{root}/{inside}".lstrip("/") + ending
            for root in roots
            for ending in (".", "/")
        )
        return any(path.startswith(stems) for path in self.everything)

    def _lost_name(self, module: str, name: str) -> bool:
        found = self.base.roots(module)
        inner = f"{module}.{name}"
        had = self.base.has(inner, found) or any(
            self.base.surely_offers(path, name)
            for path in self.base.files(module, found)
        )
        roots = found | ROOTS
        if not had or not self.head.has(module, roots) or self._is_there(inner, roots):
            return False
        return not any(
            self.head.may_offer(path, name) for path in self.head.files(module, roots)
        )

    def _is_reached(self, name: str) -> bool:
        """Whether what the change touched may set, delete or look up that name."""
        for path in self.changed:
            found = self.head.read(path)
            if name in found.elsewhere:
                return True
            if name in found.words and not found.words.isdisjoint(_REACHING):
                return True
        return False


def defined_names(text: str) -> frozenset[str]:
    """Functions, classes, methods, attributes, constants: what others can refer to.

    What is only imported is defined elsewhere, and what is bound inside a function is
    its own. Raises CannotRead.
    """
    module = parse(text, "python")
    line = broken_at(module)
    if line is not None:
        raise CannotRead(f"line {line}: it is no Python")
    found: set[str] = set()
    waiting = [(module, True)]
    while waiting:
        node, visible = waiting.pop()
        kind = node.kind()
        if kind in _ASSIGNED:
            found |= set(_assigned(node, visible))
        elif visible and kind in _NAMED:
            name = node.field("name")
            found |= set() if name is None else {name.text()}
        elif visible and kind == "type_alias_statement":
            found.add(node.children()[1].text().partition("[")[0])
        inside = visible and kind != "function_definition"
        waiting += [(each, inside) for each in node.children()]
    return frozenset(found)


def _assigned(node: SgNode, visible: bool) -> Iterator[str]:  # noqa: FBT001
    """An object's attributes can be seen wherever they are set."""
    for target in targets(node):
        if target.kind() == "attribute":
            yield target.children()[-1].text()
        elif visible and target.kind() == "identifier":
            yield target.text()
