"""Where the modules and classes of one side of a change are, and what they offer."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final, TypeVar

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.restoration.offers import Offered, Offers

#: Folders that are usually on the import path; "" is the project's own.
ROOTS: Final = frozenset({"", "src", "lib"})

_T = TypeVar("_T")

_BUILTINS: Final = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The production of one side."""

    #: Python files of production.
    paths: AbstractSet[RepoPath]
    #: What one of them offers; raises CannotRead.
    read: Callable[[RepoPath], Offers]
    #: Those that may hold a class of a name.
    mentioning: Callable[[str], Iterable[RepoPath]]
    _parts: set[str] = field(default_factory=set)
    _roots: dict[str, frozenset[str]] = field(default_factory=dict)

    def roots(self, module: str) -> frozenset[str]:
        """The folders from which a dotted path leads to a file or folder of modules."""
        if module not in self._roots:
            self._roots[module] = self._found_roots(module)
        return self._roots[module]

    def _found_roots(self, module: str) -> frozenset[str]:
        inside = f"/{module.replace('.', '/')}"
        found: set[str] = set()
        for path in self.paths:
            whole = f"/{path}"
            if whole.endswith(f"{inside}.py"):
                found.add(whole.removesuffix(f"{inside}.py")[1:])
            at = whole.find(f"{inside}/")
            while at >= 0:
                found.add(whole[1:at])
                at = whole.find(f"{inside}/", at + 1)
        return frozenset(root for root in found if not self._is_package(root))

    def files(self, module: str, roots: Iterable[str]) -> list[RepoPath]:
        """The files that a dotted path may mean."""
        return [
            path
            for stem in _stems(module, roots)
            for path in (RepoPath(f"{stem}.py"), RepoPath(f"{stem}/__init__.py"))
            if path in self.paths
        ]

    def has_folder(self, module: str, roots: Iterable[str]) -> bool:
        """Whether a dotted path leads to a folder with modules somewhere below it."""
        stems = tuple(f"{stem}/" for stem in _stems(module, roots))
        return any(path.startswith(stems) for path in self.paths)

    def has(self, module: str, roots: Iterable[str]) -> bool:
        """Whether there is such a module."""
        return bool(self.files(module, roots)) or self.has_folder(module, roots)

    def surely_offers(self, path: RepoPath, name: str) -> bool:
        """Whether a file binds a name, or takes it by a star from one that does."""
        return any(
            name in self.read(one).names and (one == path or not name.startswith("_"))
            for one in _each_once(path, self._behind_stars)
        )

    def may_offer(self, path: RepoPath, name: str) -> bool:
        """Whether a file may bind a name in any way."""
        return any(
            self._may_bind(one, name) for one in _each_once(path, self._behind_stars)
        )

    def _may_bind(self, path: RepoPath, name: str) -> bool:
        found = self.read(path)
        if found.opaque or name in found.maybe:
            return True
        return not all(self._imported(path, star) for star in found.stars)

    def _behind_stars(self, path: RepoPath) -> list[RepoPath]:
        stars = self.read(path).stars
        return [each for star in stars for each in self._imported(path, star)]

    def classes(self, name: str) -> list[tuple[Offers, Offered]]:
        """All classes of a name, with their modules."""
        return [
            (module, each)
            for path in self.mentioning(name)
            for module in (self.read(path),)
            for each in module.classes
            if each.name == name
        ]

    def surely_have(self, owner: str, member: str) -> bool:
        """Whether one of the classes of a name has a member, be it by a base."""
        return any(
            member in each.members
            for name in _each_once(owner, self._bases)
            for _, each in self.classes(name)
        )

    def may_have(self, owner: str, member: str) -> bool:
        """Whether one of the classes of a name may have a member in any way."""
        return any(
            self._may_hold(module, each, member)
            for name in _each_once(owner, self._own_bases)
            for module, each in self.classes(name)
        )

    def _may_hold(self, module: Offers, one: Offered, member: str) -> bool:
        if one.opaque or member in one.maybe | module.elsewhere:
            return True
        if not all(self._is_foreign(module, maker) for maker in one.makers):
            return True
        return not all(
            self._is_foreign(module, base) or self.classes(base.rpartition(".")[2])
            for base in one.bases
        )

    def _bases(self, owner: str) -> list[str]:
        return [
            base.rpartition(".")[2]
            for _, each in self.classes(owner)
            for base in each.bases
        ]

    def _own_bases(self, owner: str) -> list[str]:
        return [
            base.rpartition(".")[2]
            for module, each in self.classes(owner)
            for base in each.bases
            if not self._is_foreign(module, base)
        ]

    def _is_foreign(self, module: Offers, name: str) -> bool:
        """Whether what a module knows by a name is a library's, or Python's own."""
        root = name.partition(".")[0]
        if not root or root in module.defined:
            return False
        sources = module.imports.get(root)
        if sources is None:
            return root in _BUILTINS and not module.stars
        return not any(self._is_own(source) for source in sources)

    def _is_own(self, source: str) -> bool:
        """Whether an import may be of the project; anything that is called like it."""
        if not self._parts:
            for path in self.paths:
                pure = PurePosixPath(path)
                self._parts.update((*pure.parts[:-1], pure.stem))
        top = source.partition(":")[0].partition(".")[0]
        return not top or top in self._parts

    def _imported(self, importer: RepoPath, module: str) -> list[RepoPath]:
        """The files that an import in a file of production may mean."""
        name = module.lstrip(".")
        level = len(module) - len(name)
        folders = [_folder(folder) for folder in PurePosixPath(importer).parents]
        if not level:
            return self.files(name, {*ROOTS, *folders})
        above = folders[level - 1 : level]
        if name:
            return self.files(name, above)
        return [
            path
            for folder in above
            for path in (RepoPath(f"{folder}/__init__.py".lstrip("/")),)
            if path in self.paths
        ]

    def _is_package(self, folder: str) -> bool:
        return folder not in ROOTS and f"{folder}/__init__.py" in self.paths


def _stems(module: str, roots: Iterable[str]) -> Iterator[str]:
    inside = module.replace(".", "/")
    for root in roots:
        yield f"{root}/{inside}".lstrip("/")


def _folder(path: PurePosixPath) -> str:
    return "" if str(path) == "." else str(path)


def _each_once(start: _T, onward: Callable[[_T], Iterable[_T]]) -> Iterator[_T]:
    """What can be reached from a start, each once, the start first."""
    seen: set[_T] = set()
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += onward(one)
