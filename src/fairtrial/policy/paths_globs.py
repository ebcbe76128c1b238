"""Whether a path is what a pattern of the configuration describes.

A pattern without a slash is matched against the file's name, in any folder; one with
a slash is matched from the repository's root. `*` and `?` stay inside a name, `**`
crosses folders, a trailing slash means everything below. Brackets mean themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from fairtrial.domain.names import RepoPath

_PIECES = re.compile(r"(\*\*/|/\*\*$|\*\*|\*|\?)")


def _piece(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:.*/)?"
        case "/**":
            return "/.+"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _:
            return re.escape(piece)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    anywhere = "/" not in pattern
    body = pattern.removeprefix("/")
    if body.endswith("/"):
        body += "**"
    prefix = "(?:.*/)?" if anywhere else ""
    pieces = "".join(_piece(piece) for piece in _PIECES.split(body))
    return re.compile(prefix + pieces, re.DOTALL)


def matches(pattern: str, path: RepoPath) -> bool:
    """Whether the whole path is what the pattern describes."""
    return _compiled(pattern).fullmatch(path) is not None


def first_match(patterns: Iterable[str], path: RepoPath) -> str | None:
    """The first pattern that describes the path."""
    return next((pattern for pattern in patterns if matches(pattern, path)), None)
