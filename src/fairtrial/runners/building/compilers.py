"""What a compiler complained about first: file, line and message.

The forms are those of javac and Maven's compiler plug-in, kotlinc 1 and 2, go, rustc,
tsc, gcc and clang, as their current versions print them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import RepoPath

_MESSAGE: Final = 500
_PATH: Final = r"(?P<path>[^\s:()\[\]][^:()\[\]\n]{0,500}\.[A-Za-z]{1,5})"
_FORMS: Final = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        # Maven: [ERROR] /x/src/main/java/A.java:[12,5] message
        rf"^\[ERROR\] (?:file://)?{_PATH}:\[?(?P<line>\d+)[,:]\d+\]?:? (?P<said>.+)$",
        # kotlinc: e: file:///x/A.kt:12:5 message, or e: /x/A.kt: (12, 5): message
        rf"^e: (?:file://)?{_PATH}:(?: \()?(?P<line>\d+)[,:] ?\d+\)?:? (?P<said>.+)$",
        # tsc: src/a.ts(12,5): error TS2304: message
        rf"^{_PATH}\((?P<line>\d+),\d+\): error (?P<said>.+)$",
        # tsc --pretty: src/a.ts:12:5 - error TS2304: message
        rf"^{_PATH}:(?P<line>\d+):\d+ - error (?P<said>.+)$",
        # javac: A.java:12: error: message; gcc, clang: a.cc:12:5: fatal error: message
        rf"^{_PATH}:(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<said>.+)$",
        # go: ./a.go:12:5: message
        rf"^(?:vet: )?{_PATH}:(?P<line>\d+):\d+: (?P<said>.+)$",
    )
)
#: rustc says what before it says where.
_RUST: Final = re.compile(
    r"^error(?:\[E\d+\])?: (?P<said>.+)\n\s*--> (?P<path>[^\n:]+):(?P<line>\d+):\d+$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileError:
    """The first error that a compiler told of."""

    path: RepoPath
    line: int
    message: str

    @property
    def where(self) -> str:
        """Path and line, as reports give places."""
        return f"{self.path}:{self.line}"


def first_error(text: str, workspace: str, folder: str = "") -> CompileError | None:
    """The first error in a build's output; None: no known compiler complained.

    `folder` is where the compiler ran, below the workspace.
    """
    found = [match for form in (*_FORMS, _RUST) if (match := form.search(text))]
    if not found:
        return None
    first = min(found, key=re.Match.start)
    path = first["path"].strip().removeprefix(f"{workspace}/").removeprefix("./")
    if folder and not first["path"].startswith("/"):
        path = f"{folder}/{path}"
    return CompileError(
        path=RepoPath(path),
        line=min(int(first["line"][:9]), 10_000_000),
        message=first["said"].strip()[:_MESSAGE],
    )
