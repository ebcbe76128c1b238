"""Which functions, classes and methods a production source defines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ast_grep_py import SgNode

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import digest, parse, tokens, walk

#: ast-grep's names of languages by the ends of file names.
_GRAMMARS: Final = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "tsx",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".java": "java",
    ".kt": "kotlin",
    ".go": "go",
    ".rs": "rust",
    ".rb": "ruby",
    ".cs": "csharp",
    ".php": "php",
}
_ENDS: Final = ("_definition", "_declaration", "_item", "_declarator")
#: Ruby's kinds are plain words.
_PLAIN: Final = frozenset({"method", "singleton_method", "class", "module"})
#: Longest source whose definitions are looked at, in bytes.
_LONGEST: Final = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """One named thing of production, with what it consists of."""

    path: RepoPath
    name: str
    #: Its kind of syntax node.
    kind: str
    #: Its words without its own name.
    body: tuple[str, ...]

    @property
    def digest(self) -> str:
        """Equal for definitions that differ by nothing but their names."""
        return digest([self.kind, *self.body])


def definitions(path: RepoPath, data: bytes | None) -> Iterator[Definition]:
    """All definitions of a source; none where it can't be read."""
    grammar = _GRAMMARS.get(PurePosixPath(path).suffix.lower())
    if data is None or grammar is None or len(data) > _LONGEST:
        return
    try:
        root = parse(data.decode("utf-8-sig"), grammar)
        for node in walk(root):
            if (name := _name(node)) is not None:
                yield Definition(
                    path=path,
                    name=name,
                    kind=node.kind(),
                    body=tuple("\1" if it == name else it for it in tokens(node)),
                )
    except (CannotRead, UnicodeDecodeError, RecursionError):
        return


def _name(node: SgNode) -> str | None:
    kind = node.kind()
    if not (kind.endswith(_ENDS) or kind in _PLAIN) or not node.is_named():
        return None
    name = node.field("name")
    if name is None and kind in {"function_declaration", "class_declaration"}:
        # Kotlin's grammar names no fields.
        name = next(
            (
                each
                for each in node.children()
                if each.kind() in {"simple_identifier", "type_identifier"}
            ),
            None,
        )
    if name is None or not name.text().replace("$", "_").isidentifier():
        return None
    return name.text()
