"""Whether a stand-in replaces production code of this project."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.sites import Site

#: Production files that are looked through for a definition at most.
_MOST: Final = 3_000
_QUOTED: Final = re.compile(r"\"[^\"]{1,200}\"|'[^']{1,200}'")
#: A function that the test itself holds.
_MADE_HERE: Final = re.compile(r"\blambda\b|=>|\bfunction\b|->")
_DOTTED: Final = re.compile(r"[A-Za-z_][\w.]*")
_PARTS: Final = re.compile(r"[A-Za-z_$][\w$]*")
#: Words with which languages define something.
_DEFINES: Final = (
    rb"\b(?:def|class|func|fun|fn|function|interface|struct|trait|enum|object|module|"
    rb"const|let|var|val|void|int|static|public|async)\b[^\n=;]{0,80}?\b"
)


class StandIns:
    """Answers for the production of both sides."""

    def __init__(self, base: Graph, head: Graph) -> None:
        self._sides = (head, base)
        self._known: dict[tuple[str, str], bool] = {}
        self._defined: dict[str, bool] = {}

    def is_production(self, site: Site) -> bool:
        """Whether the target of a stand-in is a module or symbol of production.

        A target that no path and no import explains is production's where production
        defines a thing of its last name.
        """
        target = site.demand.subject.strip("\"'` ")
        key = (site.path, target)
        if key not in self._known:
            self._known[key] = self._asked(site, target)
        return self._known[key]

    def is_replaced(self, was: Site, now: Site) -> bool:
        """Whether production's own subject became test code's, of whatever name.

        A subject is test code's where its name leads to a test file, and where it is
        called as before and no longer comes from production.
        """
        old, new = _called(was), _called(now)
        head, base = self._sides
        if not old or old == new or base.production.resolve(was.path, old) is None:
            return False
        if base.modules.resolve(was.path, old) is not None:
            return False
        if not new:
            return bool(_MADE_HERE.search(now.demand.subject))
        if head.modules.resolve(now.path, new) is not None:
            return True
        return (
            head.production.resolve(now.path, new) is None
            and _PARTS.findall(old)[-1:] == _PARTS.findall(new)[-1:]
        )

    def _asked(self, site: Site, target: str) -> bool:
        parts = _PARTS.findall(target)
        if not parts:
            return True
        outside = False
        # `sys.modules["cart"]` is told by what stands in quotes.
        names = [target, *(each[1:-1] for each in _QUOTED.findall(target))]
        for graph in self._sides:
            if any(graph.production.resolve(site.path, each) for each in names):
                return True
            file = graph.reading.demands(site.path)
            spec = None if file is None else file.imports.get(parts[0])
            if spec is None:
                continue
            if graph.production.resolve(site.path, spec) is not None:
                return True
            # It is imported, and from nowhere in this repository.
            outside = graph.modules.resolve(site.path, spec) is None
        return not outside and self._is_defined(parts[-1])

    def _is_defined(self, name: str) -> bool:
        if name not in self._defined:
            pattern = re.compile(_DEFINES + re.escape(name).encode() + rb"\b")
            self._defined[name] = any(
                name.encode() in source and pattern.search(source)
                for graph in self._sides
                for source in islice(graph.sources.values(), _MOST)
            )
        return self._defined[name]


def _called(site: Site) -> str:
    """The dotted name with which a subject begins."""
    found = _DOTTED.match(site.demand.subject)
    return "" if found is None else found[0]
