"""Whether the names that a test uses still come from where they came from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairtrial.domain.demands import Aspect, Difference
from fairtrial.integrity.comparing.graph import Closure, Graph
from fairtrial.integrity.comparing.modules import Target
from fairtrial.integrity.comparing.names import names_in
from fairtrial.integrity.comparing.renames import Renames
from fairtrial.integrity.comparing.rules import Rule, change_of
from fairtrial.integrity.comparing.sites import Located

#: A test, what it uses, and the side it is on.
Sided = tuple[Located, Closure, Graph]


def changed_imports(base: Sided, head: Sided, renames: Renames) -> Iterator[Difference]:
    """Names that mean something else at head than at base."""
    old, new = _meanings(base), _meanings(head)
    for name, meaning in old.items():
        was = _defined_here(base, name) or meaning
        now = _defined_here(head, name) or new.get(name)
        if now is None or now == was or _spelled(now) == _spelled(was):
            continue
        rule = _rule(was, now, base[2], head[2], renames)
        if rule is not None:
            yield Difference(
                rule=rule.value,
                aspect=Aspect.SUPPORT,
                change=change_of(rule),
                path=head[0].place.path,
                line=head[0].test.line,
                was=f"{name} from {_shown(was)}",
                now=f"{name} from {_shown(now)}",
            )


def _meanings(side: Sided) -> dict[str, Target | str]:
    """Each imported name that the test or what it uses mentions, and what it means."""
    located, closure, graph = side
    file = graph.reading.demands(located.place.path)
    found = dict(closure.imports)
    if file is not None:
        mentioned = located.test.uses | names_in(located.test.text)
        for name, spec in file.imports.items():
            if name in mentioned and name not in found:
                found[name] = graph.resolve(located.place.path, spec) or spec
    for each in closure.supports.values():
        other = graph.reading.demands(each.path)
        mentioned = each.support.uses | names_in(each.support.text)
        for name, spec in {} if other is None else other.imports.items():
            if name in mentioned and name not in found:
                found[name] = graph.resolve(each.path, spec) or spec
    return found


def _defined_here(side: Sided, name: str) -> Target | None:
    """A name that the test's own file gives a meaning, whatever it imports, too."""
    located, closure, _ = side
    found = closure.supports.get(name)
    if found is None or found.path != located.place.path:
        return None
    return Target(path=found.path, name=name)


def _rule(
    was: Target | str, now: Target | str, base: Graph, head: Graph, renames: Renames
) -> Rule | None:
    was_ours = isinstance(was, Target) and was.path in base.production.paths
    if isinstance(now, Target) and now.path in head.modules.paths:
        if was_ours:
            return Rule.SUBJECT_REPLACED
        if isinstance(was, Target):
            # Test code that moved within test code is compared by its own text.
            return None
        return Rule.IMPORT_CHANGED
    if was_ours and isinstance(was, Target) and isinstance(now, Target):
        moved = was.path not in head.production.paths
        arrived = now.path not in base.production.paths
        if moved and arrived:
            return Rule.SUBJECT_RENAMED
        if renames.names.get(was.name) == now.name and was.path == now.path:
            return Rule.SUBJECT_RENAMED
        if renames.moved.get((was.path, was.name)) == now.path and was.name == now.name:
            return Rule.SUBJECT_RENAMED
    return Rule.IMPORT_CHANGED


def _spelled(meaning: Target | str) -> Target | str:
    """`import a.b as b` and `from a import b` bring the same module.

    So do Python's `mock` and `unittest.mock`: one is the other's backport.
    """
    if not isinstance(meaning, str):
        return meaning
    return re.sub(r"^mock\b", "unittest.mock", meaning.replace(":", "."))


def _shown(meaning: Target | str) -> str:
    if isinstance(meaning, str):
        return meaning
    return f"{meaning.path}:{meaning.name}" if meaning.name else meaning.path
