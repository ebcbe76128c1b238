"""Which file of the repository an import means."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from fairtrial.domain.names import RepoPath

_SEPARATORS: Final = re.compile(r"[./\\:]+|::")
#: Files that stand for their folder.
_FOLDERS_OWN: Final = frozenset({"__init__", "index", "mod", "lib"})
#: Folders that are usually where modules are looked for.
_ROOTS: Final = frozenset({"", "src", "lib", "app", "python", "tests", "test"})
#: Longest import text that is looked at.
_LONGEST: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an import means: a file, and a name inside it ("" for the file itself)."""

    path: RepoPath
    name: str = ""


class Modules:
    """The files of one side as imports name them."""

    def __init__(self, paths: Collection[RepoPath]) -> None:
        self.paths = frozenset(paths)
        self._by_stem: dict[str, list[RepoPath]] | None = None

    def stems(self) -> Mapping[str, list[RepoPath]]:
        """Files by the name an import would use last."""
        if self._by_stem is None:
            found: dict[str, list[RepoPath]] = {}
            for path in sorted(self.paths):
                parts = _parts(path)
                if parts:
                    found.setdefault(parts[-1], []).append(path)
            self._by_stem = found
        return self._by_stem

    def resolve(self, importer: RepoPath, spec: str) -> Target | None:
        """The file that an import of one file means; None for what is elsewhere.

        `spec` is "module" or "module:name" as the importing file has it. A module
        may as well be the name of a thing inside the module before it.
        """
        module, _, name = spec[:_LONGEST].partition(":")
        if module.endswith(":"):  # Rust's `a::b`, cut at the wrong place
            module, name = spec[:_LONGEST], ""
        if name.startswith(":"):
            module, name = spec[:_LONGEST], ""
        for candidate in _readings(module, name):
            if found := self._file(importer, candidate[0]):
                return Target(path=found, name=candidate[1])
        if "\\" in module.strip("\\"):
            # PHP's first name stands for a folder of any name.
            return self.resolve(importer, module.strip("\\").partition("\\")[2])
        return None

    def _file(self, importer: RepoPath, module: str) -> RepoPath | None:
        if module.startswith("."):
            return self._relative(importer, module)
        parts = [each for each in _SEPARATORS.split(module) if each]
        if parts[:1] in (["crate"], ["super"], ["self"]):
            parts = parts[1:]
        if not parts:
            return None
        found = [
            path
            for path in self.stems().get(parts[-1], ())
            if _parts(path)[-len(parts) :] == parts
            and _may_import(importer, path, len(parts))
        ]
        return min(found, key=lambda path: (len(_parts(path)), path), default=None)

    def _relative(self, importer: RepoPath, module: str) -> RepoPath | None:
        folder = PurePosixPath(importer).parent
        if "/" in module or module in {".", ".."}:
            plain = normpath(str(folder / module))
            asked = PurePosixPath(plain)
        else:
            rest = module.lstrip(".")
            for _ in range(len(module) - len(rest) - 1):
                folder = folder.parent
            asked = folder.joinpath(*rest.split(".")) if rest else folder
        if (exact := RepoPath(str(asked))) in self.paths:
            return exact
        parts = [each for each in asked.parts if each != "."]
        stem = parts[-1].partition(".")[0] if parts else ""
        for path in self.stems().get(parts[-1] if parts else "", ()):
            if _parts(path) == parts:
                return path
        for path in self.stems().get(stem, ()):
            # TypeScript imports "./cart.js" and means cart.ts.
            if _parts(path) == [*parts[:-1], stem]:
                return path
        return None


def _readings(module: str, name: str) -> Iterator[tuple[str, str]]:
    """What an import may mean: a module in a module, a name in it, or less of it."""
    if name and name != "*":
        joined = f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
        yield (f"{module}/{name}" if "/" in module else joined), ""
    yield module, name
    if "/" not in module and not module.startswith("."):
        head, _, last = _rsplit(module)
        while head:
            yield head, last
            head, _, last = _rsplit(head)


def _rsplit(module: str) -> tuple[str, str, str]:
    places = list(_SEPARATORS.finditer(module))
    if not places:
        return "", "", module
    last = places[-1]
    return module[: last.start()], last[0], module[last.end() :]


def _parts(path: RepoPath) -> list[str]:
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    return [*pure.parts[:-1], *([] if stem in _FOLDERS_OWN else [stem])]


def _may_import(importer: RepoPath, path: RepoPath, length: int) -> bool:
    """Whether what stands before the module is where modules are looked for.

    Languages with packages declare them, whatever folder they lie in.
    """
    if PurePosixPath(path).suffix not in {".py", ".pyi"}:
        return True
    before = "/".join(_parts(path)[:-length])
    folders = {str(each) for each in PurePosixPath(importer).parents}
    return before in _ROOTS or before in folders or before.endswith(("/src", "/lib"))
