"""Whether a stand-in replaces production code of this project."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from fairtrial.integrity.comparing.graph import Graph
from fairtrial.integrity.comparing.sites import Site

#: Production files that are looked through for a definition at most.
_MOST: Final = 3_000
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

    def _asked(self, site: Site, target: str) -> bool:
        parts = _PARTS.findall(target)
        if not parts:
            return True
        outside = False
        for graph in self._sides:
            if graph.production.resolve(site.path, target) is not None:
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
