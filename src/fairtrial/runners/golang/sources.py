"""Which tests a package's files hold, as `go test` itself reads them.

`go test -list` would link every package's tests and run their `TestMain`; what `go`
compiles into a test binary is told by the sources alone: functions of certain names
and parameters in the files that `go list` names, after build constraints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from fairtrial.domain.names import RepoPath, TestId
from fairtrial.runners import TriedTree
from fairtrial.runners.golang.packages import Package

#: Comments, strings, runes: whatever only looks like code.
_OTHER: Final = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|`[^`]*(?:`|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\.|[^'\\\n])*'?",
    re.DOTALL,
)
_FUNCTION: Final = re.compile(
    r"\bfunc\s+(?P<name>(?:Test|Fuzz|Example)\w*)\s*\((?P<takes>[^()]*)\)"
)
_METHOD: Final = re.compile(
    r"\bfunc\s*\(\s*(?:\w+\s+)?\*?\s*(?P<type>\w+)\s*\)\s*(?P<name>Test\w*)\s*\(\s*\)"
)
_TAKES: Final = {
    "Test": re.compile(r"\s*(?:\w+\s+)?\*\s*(?:\w+\s*\.\s*)?T\s*,?\s*"),
    "Fuzz": re.compile(r"\s*(?:\w+\s+)?\*\s*(?:\w+\s*\.\s*)?F\s*,?\s*"),
    "Example": re.compile(r"\s*"),
}
_SUITE: Final = re.compile(
    r"\bsuite\s*\.\s*Run\s*\(\s*\w+\s*,\s*(?:new\s*\(\s*(\w+)\s*\)|&\s*(\w+)\s*\{)"
)
_OUTPUT: Final = re.compile(r"\s*(?:unordered )?output:", re.IGNORECASE)
_MARKS: Final = re.compile(r"^\s*(?://|/\*)[ \t]?|\*/\s*$", re.MULTILINE)
#: Characters of one file that are read.
_LIMIT: Final = 4_000_000


@dataclass(frozen=True)
class Source:
    """One file, with what is no code blanked out at the same length."""

    path: RepoPath
    text: str

    @cached_property
    def code(self) -> str:
        """The text with spaces in place of comments, strings and runes."""
        return _OTHER.sub(lambda found: _blank(found[0]), self.text)

    def functions(self, kind: str) -> Iterator[tuple[str, str]]:
        """Name and body of each test function of a kind, in the file's order."""
        for found in _FUNCTION.finditer(self.code):
            name = found["name"]
            if not name.startswith(kind) or name[len(kind) :][:1].islower():
                continue
            if _TAKES[kind].fullmatch(found["takes"]) is None:
                continue
            end = self._end(found.end())
            if kind == "Example" and not self._has_output(found.end(), end):
                continue
            yield name, self.code[found.end() : end]

    def methods(self) -> Iterator[tuple[str, str]]:
        """Type and name of each method that may be a suite's test."""
        for found in _METHOD.finditer(self.code):
            yield found["type"], found["name"]

    def _end(self, begin: int) -> int:
        depth = 0
        for found in re.compile(r"[{}]").finditer(self.code, begin):
            depth += 1 if found[0] == "{" else -1
            if depth <= 0:
                return found.end()
        return len(self.code)

    def _has_output(self, begin: int, end: int) -> bool:
        """Whether the last comment in a body says what is printed."""
        group, last = "", -1
        for found in _OTHER.finditer(self.text, begin, end):
            if found["comment"] is None:
                last = -1
                continue
            between = self.text[last : found.start()] if last >= 0 else "x"
            joined = not between.strip() and between.count("\n") <= 1
            group = f"{group}\n{found[0]}" if joined else found[0]
            last = found.end()
        said = _MARKS.sub("", group).lstrip()
        return _OUTPUT.match(said) is not None


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The tests that are written in one package."""

    #: In the order in which they run, methods of suites behind their function.
    tests: tuple[TestId, ...]
    #: The ids of each function's name; two where both halves of a package have it.
    places: dict[str, tuple[TestId, ...]]
    #: For the name of a suite's function: the ids of its methods, by name.
    methods: dict[str, dict[str, TestId]] = field(default_factory=dict)

    def id_of(self, name: str, occurrence: int = 0) -> TestId | None:
        """The id of a test by the name that Go reports; None: nobody wrote it."""
        top, slash, rest = name.partition("/")
        ids = self.places.get(top, ())
        if occurrence >= len(ids):
            return None
        first, more, others = rest.partition("/")
        method = self.methods.get(top, {}).get(first)
        if method is not None:
            return TestId(f"{method}{more}{others}")
        return TestId(f"{ids[occurrence]}{slash}{rest}")


def written(package: Package, tree: TriedTree) -> Written:
    """What a package's test files hold."""
    sources = [
        Source(path=path, text=tree.text(path)[:_LIMIT]) for path in package.files
    ]
    declared: dict[str, dict[str, RepoPath]] = {}
    for source in sources:
        for kind, name in source.methods():
            declared.setdefault(kind, {}).setdefault(name, source.path)
    tests: list[TestId] = []
    places: dict[str, tuple[TestId, ...]] = {}
    methods: dict[str, dict[str, TestId]] = {}
    for kind in _TAKES:
        for source in sources:
            for name, body in source.functions(kind):
                test = TestId(f"{source.path}::{name}")
                places[name] = (*places.get(name, ()), test)
                tests.append(test)
                suites = _SUITE.findall(body)
                if len(suites) == 1:
                    owner = suites[0][0] or suites[0][1]
                    found = {
                        method: TestId(f"{path}::{name}/(*{owner}).{method}")
                        for method, path in sorted(declared.get(owner, {}).items())
                    }
                    methods[name] = found
                    tests += found.values()
    return Written(tests=tuple(tests), places=places, methods=methods)


def function_at(text: str, line: int) -> str:
    """The name of the function around a line, with its receiver; "" for none."""
    lines = text.splitlines()
    for each in reversed(lines[: max(0, line)]):
        found = _DECLARED.match(each)
        if found is not None:
            owner = found["owner"]
            return f"(*{owner}).{found['name']}" if owner else found["name"]
        if each.startswith("}") and each != lines[line - 1]:
            return ""
    return ""


def line_of(text: str, function: str) -> int:
    """Where a function is declared, counted from 1; 0 for nowhere."""
    found = re.search(rf"^func {re.escape(function)}\b", text, re.MULTILINE)
    return 0 if found is None else text.count("\n", 0, found.start()) + 1


_DECLARED: Final = re.compile(
    r"func\s*(?:\(\s*(?:\w+\s+)?\*?\s*(?P<owner>\w+)[^)]*\)\s*)?(?P<name>\w+)"
)
