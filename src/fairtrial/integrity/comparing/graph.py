"""What a test uses on one side, directly and by way of what it uses."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from fairtrial.domain.demands import FileDemands
from fairtrial.domain.names import RepoPath
from fairtrial.integrity.comparing.modules import Modules, Target
from fairtrial.integrity.comparing.names import (
    acts_alone,
    is_class_text,
    last_name,
    names_in,
)
from fairtrial.integrity.comparing.reading import Reading
from fairtrial.integrity.comparing.residue import outside, residue
from fairtrial.integrity.comparing.sites import Located, LocatedSupport

#: Files whose hooks and helpers apply everywhere, by their stems.
_EVERYWHERE: Final = frozenset(
    {"spec_helper", "rails_helper", "test_helper", "setupTests"}
)
_SETUPS: Final = re.compile(r"^(?:jest|vitest|mocha|karma)[.-]setup|^setup[.-]tests?$")
#: Supports that one test is followed through at most.
_MOST: Final = 2_000
#: Files of one folder that are looked through for a name at most.
_MOST_NEIGHBOURS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """All that a test uses of test code, and the imports that lead out of it."""

    #: By name; a name that several files have is numbered from the nearest on.
    supports: Mapping[str, LocatedSupport] = field(default_factory=dict)
    #: Local name to the file and name that it means, or to what is written.
    imports: Mapping[str, Target | str] = field(default_factory=dict)
    #: Something was too large to be followed to its end.
    cut: bool = False


class _Use(NamedTuple):
    """A name as one file uses it."""

    path: RepoPath
    name: str
    #: All names around an import, to tell which part of a module is meant.
    mentioned: frozenset[str]


class Graph:
    """The test code of one side, as names lead through it."""

    def __init__(self, reading: Reading, production: Mapping[RepoPath, bytes]) -> None:
        self.reading = reading
        self.sources = production
        self.production = Modules(production)
        self.modules = Modules(reading.files)
        self._global = [
            path
            for path in sorted(self.modules.paths)
            if reading.is_code(path) and is_everywhere(path)
        ]
        self._around: dict[RepoPath, list[RepoPath]] = {}
        self._residues: dict[RepoPath, Counter[str]] = {}
        self._headed: dict[RepoPath, list[RepoPath]] = {}
        self._folders: dict[str, list[RepoPath]] | None = None

    def resolve(self, importer: RepoPath, spec: str) -> Target | None:
        """The file of this repository that an import means; test code goes first."""
        return self.modules.resolve(importer, spec) or self.production.resolve(
            importer, spec
        )

    def residue(self, path: RepoPath) -> Counter[str]:
        """What a file holds outside of all that its reader tells."""
        if path not in self._residues:
            file = self.reading.demands(path)
            text = self.reading.files[path].decode("utf-8-sig", "replace")
            self._residues[path] = Counter() if file is None else residue(text, file)
        return self._residues[path]

    def closure(self, located: Located) -> Closure:
        """All that a test uses, each with the file that has it."""
        supports: dict[str, LocatedSupport] = {}
        imports: dict[str, Target | str] = {}
        seen: set[_Use] = set()
        held: set[tuple[RepoPath, str]] = set()
        path, test = located.place.path, located.test
        waiting = deque(self._uses(path, test.uses, test.text))
        waiting += self._taken_in(path, test.text)
        waiting += [
            _Use(found.path, found.support.name, frozenset())
            for found in self.automatic(path)
        ]
        while waiting and len(seen) < _MOST:
            use = waiting.popleft()
            if use in seen:
                continue
            seen.add(use)
            for found in self._meant(use, imports):
                support = found.support
                if (found.path, support.name) in held:
                    continue
                held.add((found.path, support.name))
                supports[_free(support.name, supports)] = found
                uses = self._uses(
                    found.path,
                    support.uses,
                    support.text,
                    is_class=support.name in located.place.names
                    or is_class_text(support.text),
                )
                waiting += [each for each in uses if each.name != support.name]
                if support.name in support.uses:
                    for outer in self._outer(found):
                        if (outer.path, support.name) not in held:
                            held.add((outer.path, support.name))
                            supports[_free(support.name, supports)] = outer
        return Closure(supports=supports, imports=imports, cut=bool(waiting))

    def _uses(
        self, path: RepoPath, uses: frozenset[str], text: str, *, is_class: bool = False
    ) -> Iterator[_Use]:
        """What a piece of a file uses, by its reader's word and by the file's names.

        The text of a class holds all its tests, and says nothing of one of them.
        """
        file = self.reading.demands(path)
        if file is None:
            return
        mentioned = names_in(text)
        known = set() if is_class else mentioned & {*file.support, *file.imports}
        for name in sorted(uses | known):
            whole = name in file.imports
            yield _Use(path, name, mentioned if whole else frozenset())
        for target in () if is_class else self._stars(path, file):
            lent = self.reading.demands(target.path)
            if lent is not None:
                yield from (
                    _Use(target.path, name, frozenset())
                    for name in sorted(mentioned & {*lent.support, *lent.imports})
                    if name not in file.support and name not in file.imports
                )

    def _taken_in(self, path: RepoPath, text: str) -> Iterator[_Use]:
        """What a test has from base classes, traits and helper files of other files.

        Python's names are followed by its imports and fixtures alone.
        """
        if path.endswith(".py"):
            return
        mentioned = names_in(text)
        seen = {path}
        waiting = deque([*self.around(path), *self._headings(path)])
        while waiting and len(seen) < _MOST_NEIGHBOURS:
            at = waiting.popleft()
            if at in seen:
                continue
            seen.add(at)
            file = self.reading.demands(at)
            waiting += self._headings(at)
            for name, support in () if file is None else file.support.items():
                if acts_alone(support) or last_name(name) in mentioned:
                    yield _Use(at, name, frozenset())

    def _headings(self, path: RepoPath) -> list[RepoPath]:
        """Files of test code that a file names outside of tests and helpers."""
        if path not in self._headed:
            self._headed[path] = list(self._headed_by(path))
        return self._headed[path]

    def _headed_by(self, path: RepoPath) -> Iterator[RepoPath]:
        file = self.reading.demands(path)
        if file is None:
            return
        text = self.reading.files[path].decode("utf-8-sig", "replace")
        for name in sorted(names_in("\n".join(outside(text, file)))):
            found = self.modules.stems().get(name, [])
            if name in file.imports:
                target = self.modules.resolve(path, file.imports[name])
                found = [] if target is None else [target.path]
            for each in found:
                if each != path and PurePosixPath(each).suffix in path:
                    yield each

    def _stars(self, path: RepoPath, file: FileDemands) -> Iterator[Target]:
        """Files of which everything is imported."""
        for local, spec in file.imports.items():
            if local.startswith("*") or spec.endswith(":*"):
                target = self.resolve(path, spec.removesuffix(":*"))
                if target is not None and target.path != path:
                    yield target

    def _outer(self, found: LocatedSupport) -> Iterator[LocatedSupport]:
        """The support of the same name that one takes over, as fixtures may."""
        name = found.support.name
        for path in self.around(found.path):
            file = self.reading.demands(path)
            if path != found.path and file is not None and name in file.support:
                yield LocatedSupport(path=path, support=file.support[name])
                return

    def automatic(self, path: RepoPath) -> Iterator[LocatedSupport]:
        """What applies to every test of a file without being named."""
        for at in (path, *self.around(path)):
            file = self.reading.demands(at)
            if file is not None:
                for support in file.support.values():
                    if support.automatic or support.name.startswith("("):
                        yield LocatedSupport(path=at, support=support)

    def around(self, path: RepoPath) -> list[RepoPath]:
        """Files that lend their names without an import, the nearest first."""
        if path not in self._around:
            self._around[path] = list(self._lending(path))
        return self._around[path]

    def _lending(self, path: RepoPath) -> Iterator[RepoPath]:
        pure = PurePosixPath(path)
        if pure.suffix == ".py":
            for folder in pure.parents:
                at = RepoPath(str(folder / "conftest.py"))
                if at in self.modules.paths and at != path:
                    yield at
        else:
            yield from (
                each
                for each in self._global
                if PurePosixPath(each).suffix == pure.suffix and each != path
            )

    def _meant(
        self, use: _Use, imports: dict[str, Target | str]
    ) -> Iterator[LocatedSupport]:
        """What a name means in a file: its own, an imported, or a lent support."""
        at, name = use.path, use.name
        file = self.reading.demands(at)
        if file is None:
            return
        local, _, rest = name.partition(".")
        for each in (name, name.rpartition(".")[2], local):
            if each in file.support:
                yield LocatedSupport(path=at, support=file.support[each])
                return
        if local in file.imports:
            yield from self._imported(use, local, rest, file, imports)
        else:
            yield from self._lent(at, local)

    def _imported(
        self,
        use: _Use,
        local: str,
        rest: str,
        file: FileDemands,
        imports: dict[str, Target | str],
    ) -> Iterator[LocatedSupport]:
        spec = file.imports[local]
        target = self.resolve(use.path, spec)
        imports.setdefault(local, spec if target is None else target)
        lent = None if target is None else self.reading.demands(target.path)
        if target is None or lent is None:
            return
        asked = target.name or rest.partition(".")[0]
        if asked in lent.support:
            yield LocatedSupport(path=target.path, support=lent.support[asked])
        elif asked in lent.imports:
            further = _Use(target.path, asked, use.mentioned)
            if target.path != use.path:
                yield from self._meant(further, imports)
        else:
            # A whole module: what is mentioned of it, or all where that is hidden.
            named = [each for each in lent.support if each in use.mentioned]
            for name in named or lent.support:
                yield LocatedSupport(path=target.path, support=lent.support[name])

    def _lent(self, at: RepoPath, name: str) -> Iterator[LocatedSupport]:
        for path in self.around(at):
            file = self.reading.demands(path)
            if file is None:
                continue
            if name in file.support:
                yield LocatedSupport(path=path, support=file.support[name])
                return
            if name in file.imports:
                target = self.resolve(path, file.imports[name])
                lent = None if target is None else self.reading.demands(target.path)
                if target is not None and lent is not None:
                    asked = target.name or name
                    if asked in lent.support:
                        yield LocatedSupport(
                            path=target.path, support=lent.support[asked]
                        )
                        return
        if PurePosixPath(at).suffix != ".py":
            yield from self._neighbours(at, name)

    def _neighbours(self, at: RepoPath, name: str) -> Iterator[LocatedSupport]:
        """A name of the same package: a file called like it, or one that has it."""
        pure = PurePosixPath(at)
        named = self.modules.stems().get(name, [])
        folder = [
            path
            for path in self._folder(str(pure.parent))
            if PurePosixPath(path).suffix == pure.suffix and path != at
        ]
        mention = name.encode()
        for path in dict.fromkeys([*named, *folder[:_MOST_NEIGHBOURS]]):
            if mention in self.reading.files[path]:
                file = self.reading.demands(path)
                if file is not None and name in file.support:
                    yield LocatedSupport(path=path, support=file.support[name])
                    return

    def _folder(self, folder: str) -> list[RepoPath]:
        if self._folders is None:
            self._folders = {}
            for path in sorted(self.modules.paths):
                parent = str(PurePosixPath(path).parent)
                self._folders.setdefault(parent, []).append(path)
        return self._folders.get(folder, [])


def _free(name: str, taken: Mapping[str, LocatedSupport]) -> str:
    """The name itself, or with the first number that is free."""
    label, number = name, 2
    while label in taken:
        label, number = f"{name} ({number})", number + 1
    return label


def is_everywhere(path: RepoPath) -> bool:
    """Whether the hooks and helpers of a file apply to all tests."""
    pure = PurePosixPath(path)
    stem = pure.stem
    return (
        stem in _EVERYWHERE
        or bool(_SETUPS.match(stem))
        or (pure.suffix == ".rb" and "support" in pure.parts)
    )
