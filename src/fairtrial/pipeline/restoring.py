"""How one test of base is put on head's production where its whole file can't be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Final

from fairtrial.domain.demands import Place
from fairtrial.domain.names import OverlayId, RepoPath, TestId
from fairtrial.domain.paths import PathClass
from fairtrial.domain.trees import BASE_TESTS, Revision
from fairtrial.integrity.restoration.restoring import Restored, restored, spared
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.contracts import lost_import
from fairtrial.trees.listing import Listing, bytes_of

#: Folders that are usually on the import path.
_ROOTS: Final = ("", "src", "lib", "test", "tests")

#: How far helpers of helpers are followed.
_ROUNDS: Final = 20


def restore_unit(
    brief: Brief, place: Place, control: Revision = Revision.BASE
) -> OverlayId | None:
    """What to lay over BASE_TESTS so that one test of base is there by itself.

    Base's file with nothing in it but that test and what it uses; the helpers and
    fixtures of other files without what uses names that production removed, where the
    test does not need it. The tree to try is
    `replace(BASE_TESTS, control=control, overlay=…)`. None where this can't be done
    (the file can't be read, base has no such test) or would change nothing.
    """
    listing = brief.source.listing(replace(BASE_TESTS, control=control))
    files = _Paring(brief=brief, listing=listing).of(place)
    if not files:
        return None
    overlay = OverlayId(f"unit {control.value} {place}")
    brief.source.lay(overlay, files)
    return overlay


@dataclass(frozen=True, slots=True, kw_only=True)
class Restorable(Mapping[TestId, OverlayId]):
    """The overlays of tests whose files the change touches, made when asked for."""

    brief: Brief
    tests: Mapping[TestId, Place]
    control: Revision = Revision.BASE
    _made: dict[TestId, OverlayId | None] = field(default_factory=dict)

    def __getitem__(self, test: TestId) -> OverlayId:
        """What lays one test by itself over X; KeyError where that can't be done."""
        if test not in self._made:
            self._made[test] = restore_unit(self.brief, self.tests[test], self.control)
        found = self._made[test]
        if found is None:
            raise KeyError(test)
        return found

    def __iter__(self) -> Iterator[TestId]:
        """The tests for which it may be done."""
        return iter(self.tests)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.tests)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Paring:
    brief: Brief
    listing: Listing
    _texts: dict[RepoPath, str | None] = field(default_factory=dict)

    def of(self, place: Place) -> Mapping[RepoPath, bytes]:
        """The files that differ from base's; empty where nothing can be done."""
        is_lost = lost_import(self.brief)
        text = self._text(place.path)
        unit = None if text is None else restored(text, place.names, is_lost)
        if unit is None:
            return {}
        found: dict[RepoPath, Restored] = {place.path: unit}
        above = tuple(self._conftests(place.path))
        for _ in range(_ROUNDS):
            wanted = self._wanted(found)
            everything = frozenset[str]().union(*(one.names for one in found.values()))
            wanted |= dict.fromkeys(above, everything)
            again = {place.path: unit}
            for path, names in wanted.items():
                helper = self._text(path)
                one = None if helper is None else spared(helper, names, is_lost)
                if one is not None and path != place.path:
                    again[path] = one
            if again == found:
                break
            found = again
        return {
            path: one.text.encode("utf-8")
            for path, one in found.items()
            if one.text != self._text(path)
        }

    def _wanted(
        self, found: Mapping[RepoPath, Restored]
    ) -> dict[RepoPath, frozenset[str]]:
        """Which names are imported from which helper; those used whole are left out."""
        names: dict[RepoPath, set[str]] = {}
        whole: set[RepoPath] = set()
        for importer, one in found.items():
            for source in one.imports.values():
                module, _, name = source.partition(":")
                for path in self._modules(importer, module):
                    if name:
                        names.setdefault(path, set()).add(name)
                    else:
                        whole.add(path)
            for module in one.stars:
                whole.update(self._modules(importer, module))
        return {
            path: frozenset(each) for path, each in names.items() if path not in whole
        }

    def _conftests(self, path: RepoPath) -> Iterator[RepoPath]:
        for folder in PurePosixPath(path).parents:
            conftest = RepoPath(str(folder / "conftest.py"))
            if conftest in self.listing:
                yield conftest

    def _modules(self, importer: RepoPath, module: str) -> Iterator[RepoPath]:
        """The test code's files that an import may mean."""
        name = module.lstrip(".")
        level = len(module) - len(name)
        folders = [str(folder) for folder in PurePosixPath(importer).parents]
        roots = folders[level - 1 : level] if level else [*_ROOTS, *folders]
        for root in dict.fromkeys("" if root == "." else root for root in roots):
            stem = str(PurePosixPath(root, *name.split(".")))
            for candidate in (f"{stem}.py", f"{stem}/__init__.py"):
                path = RepoPath(candidate)
                if path in self.listing and self._is_test_code(path):
                    yield path

    def _is_test_code(self, path: RepoPath) -> bool:
        found = self.brief.subject.rules.classify(path)
        return found.path_class is PathClass.TEST

    def _text(self, path: RepoPath) -> str | None:
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: RepoPath) -> str | None:
        entry = self.listing.get(path)
        if entry is None or not entry.is_file or not path.endswith(".py"):
            return None
        try:
            return bytes_of(entry, self.brief.subject.sides.read).decode("utf-8")
        except UnicodeDecodeError:
            return None
