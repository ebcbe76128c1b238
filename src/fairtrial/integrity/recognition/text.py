"""A source of production with its comments blanked, and a place found in it.

Python is read with its grammar. For the other languages comments and strings are told
apart by their signs alone: some grammars take minutes for a hostile text, and these
signs take no longer than the text is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from ast_grep_py import SgNode

from fairtrial.domain.names import RepoPath
from fairtrial.integrity.errors import CannotRead
from fairtrial.integrity.syntax import line_of, one_line, parse, walk

#: Longer sources, in characters, are generated or hostile.
LONGEST: Final = 300_000

#: ast-grep's name of the grammar, by how a file's name ends.
GRAMMARS: Final = {
    ".cjs": "javascript",
    ".cs": "csharp",
    ".cts": "typescript",
    ".go": "go",
    ".java": "java",
    ".js": "javascript",
    ".jsx": "javascript",
    ".kt": "kotlin",
    ".mjs": "javascript",
    ".mts": "typescript",
    ".php": "php",
    ".py": "python",
    ".rb": "ruby",
    ".rs": "rust",
    ".ts": "typescript",
    ".tsx": "tsx",
}


@dataclass(frozen=True, slots=True)
class Source:
    """One file; `code` has its line numbers, and blanks for what is no code."""

    path: RepoPath
    language: str
    code: str
    #: Python's syntax tree; None for the others.
    root: SgNode | None


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of one rule; `text` is on one line."""

    rule: str
    line: int
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """Equal for the same thing at another place."""
        return self.rule, "".join(self.text.split())


def language_of(path: RepoPath) -> str | None:
    """The grammar for a file, by its name; None where there is none."""
    return GRAMMARS.get(PurePosixPath(path).suffix.lower())


def source_of(path: RepoPath, text: str) -> Source | None:
    """A file as it is searched; None without a grammar, CannotRead beyond bounds."""
    language = language_of(path)
    if language is None:
        return None
    if len(text) > LONGEST:
        raise CannotRead(f"it is longer than {LONGEST} characters")
    if language != "python":
        sign = _HASHED if language in {"ruby", "php"} else _SLASHED
        return Source(path, language, sign.sub(_blanked, text), None)
    root = parse(text, language)
    return Source(path, language, "".join(_without_comments(root, text)), root)


#: A string, which stays, or a comment. Each ends at the latest with its line or text,
#: so that no sign is looked at twice.
_STRINGS: Final = (
    r"\"(?:[^\"\\\n]|\\.)*+(?:\"|$)|'(?:[^'\\\n]|\\.){0,200}+'|"
    r"`(?:[^`\\]|\\.)*+(?:`|\Z)"
)
_SLASHED: Final = re.compile(
    rf"({_STRINGS})|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)",
    re.MULTILINE | re.DOTALL,
)
_HASHED: Final = re.compile(
    rf"({_STRINGS})|\#[^\n]*+|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|"
    r"^=begin\b.*?(?:^=end\b|\Z)",
    re.MULTILINE | re.DOTALL,
)
_VISIBLE: Final = re.compile(r"[^\n]")


def _blanked(found: re.Match[str]) -> str:
    return found[0] if found[1] is not None else _VISIBLE.sub(" ", found[0])


def _without_comments(root: SgNode, text: str) -> Iterator[str]:
    last = 0
    for node in walk(root):
        start, end = node.range().start.index, node.range().end.index
        comment = "comment" in node.kind() or _is_docstring(node)
        if comment and start >= last:
            yield text[last:start]
            yield _VISIBLE.sub(" ", text[start:end])
            last = end
    yield text[last:]


def _is_docstring(node: SgNode) -> bool:
    """Whether it is a string of Python's that stands there alone."""
    if node.kind() != "expression_statement":
        return False
    children = node.children()
    return len(children) == 1 and children[0].kind() in {
        "string",
        "concatenated_string",
    }


def spot_at(rule: str, node: SgNode) -> Spot:
    """A place that is a node."""
    return Spot(rule, line_of(node), one_line(node.text()))
