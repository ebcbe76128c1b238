"""Which modules under test paths production imports.

A module that lies where tests lie and that production imports is production: an
edit to it changes what is shipped. The answer is read from the sources by their
syntax trees, without importing anything; only files that so much as mention a name
are parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from fairtrial.domain.names import RepoPath

_IDENTIFIER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
#: Anything that may be an import statement, over continued and bracketed lines.
_IMPORTS = re.compile(rb"\b(?:from|import)\b((?:\([^)]*\)?|\\\r?\n|[^\n(])*)")
_DYNAMIC = re.compile(
    rb"import_module|__import__|run_module|run_path|resolve_name|import_string"
    rb"|find_spec|spec_from_file_location|SourceFileLoader"
)
#: Calls whose strings name modules, and those whose strings name files.
_BY_MODULE = frozenset(
    {
        "__import__",
        "find_spec",
        "import_module",
        "import_string",
        "resolve_name",
        "run_module",
    }
)
_BY_FILE = frozenset({"SourceFileLoader", "run_path", "spec_from_file_location"})
_IMPORT_LINE = re.compile(r"^\s*(?:import|from)\s+(\.*)([\w.]*)(?:\s+import\s+(.*))?")
_NAME = re.compile(r"[A-Za-z_]\w*")

#: Folders that are usually on the import path.
_ROOTS = ("", "src", "lib")


def _mention(path: RepoPath) -> str:
    """The name that a source has to mention to import this module."""
    pure = PurePosixPath(path)
    return pure.parent.name if pure.stem == "__init__" else pure.stem


def _mentions(source: bytes) -> frozenset[bytes]:
    """Every name that an import of this source may be about."""
    if _DYNAMIC.search(source):
        return frozenset(_IDENTIFIER.findall(source))
    found: set[bytes] = set()
    for statement in _IMPORTS.findall(source):
        found.update(_IDENTIFIER.findall(statement))
    return frozenset(found)


def _targets(source: bytes) -> Iterator[tuple[int, str]]:
    """Every module that a source may import: relative level and dotted name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _targets_by_line(source)
        return
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((0, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield level, module or ""
                dot = f"{module}." if module else ""
                yield from ((level, dot + alias.name) for alias in names)
            case ast.Call():
                yield from _called_for(node)
            case _:
                pass


def _called_for(call: ast.Call) -> Iterator[tuple[int, str]]:
    """What a call loads whose strings name modules or files."""
    match call.func:
        case ast.Name(id=called) | ast.Attribute(attr=called):
            pass
        case _:
            return
    if called not in _BY_MODULE | _BY_FILE:
        return
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    strings = [
        inner.value
        for value in values
        for inner in ast.walk(value)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    ]
    for text in strings:
        if called in _BY_FILE:
            yield 0, text.removesuffix(".py").replace("/", ".")
            continue
        # "a.b:name" is a name in a module, and so may be the end of "a.b.name".
        module = text.partition(":")[0]
        yield 0, module
        yield from ((0, above + module) for above in strings if module[:1] == ".")


def _targets_by_line(source: bytes) -> Iterator[tuple[int, str]]:
    """What a source that can't be parsed seems to import, on the strict side."""
    for line in source.decode("utf-8", "replace").splitlines():
        found = _IMPORT_LINE.match(line)
        if found is None:
            continue
        level, module = len(found[1]), found[2]
        yield level, module
        dot = f"{module}." if module else ""
        for name in _NAME.findall(found[3] or ""):
            yield level, dot + name


def _resolved(
    importer: RepoPath, level: int, module: str, known: Mapping[RepoPath, bytes]
) -> Iterator[RepoPath]:
    """The files of the repository that an import may mean."""
    folders = PurePosixPath(importer).parents
    if level:
        roots = [str(folders[level - 1])] if level <= len(folders) else []
    else:
        roots = [*_ROOTS, *(str(folder) for folder in folders)]
    parts = [part for part in module.split(".") if part]
    for root in dict.fromkeys(root if root != "." else "" for root in roots):
        # Importing a.b.c runs the packages a and a.b as well.
        for length in range(len(parts), -1 if level else 0, -1):
            stem = "/".join([*([root] if root else []), *parts[:length]])
            if not stem:
                continue
            for candidate in (f"{stem}.py", f"{stem}/__init__.py"):
                path = RepoPath(candidate)
                if path in known:
                    yield path


def imported_by_production(
    suspects: Iterable[RepoPath],
    production: Mapping[RepoPath, bytes],
    tests: Mapping[RepoPath, bytes],
) -> Mapping[RepoPath, RepoPath]:
    """Each suspect that production imports, with a production file at the root of it.

    `suspects` are Python modules under test paths; `production` and `tests` are the
    sources of Python files by path. An import counts also when it goes by way of
    other test modules.
    """
    sources = {**tests, **production}
    mentioning: dict[bytes, list[RepoPath]] = {}
    for path, data in sources.items():
        for name in _mentions(data):
            mentioning.setdefault(name, []).append(path)
    imports: dict[RepoPath, frozenset[RepoPath]] = {}

    def imports_of(path: RepoPath) -> frozenset[RepoPath]:
        if path not in imports:
            imports[path] = frozenset(
                found
                for level, module in _targets(sources[path])
                for found in _resolved(path, level, module, sources)
            )
        return imports[path]

    def culprit(suspect: RepoPath) -> RepoPath | None:
        seen, waiting = {suspect}, [suspect]
        while waiting:
            target = waiting.pop()
            for path in mentioning.get(_mention(target).encode(), ()):
                if path in seen or target not in imports_of(path):
                    continue
                if path in production:
                    return path
                seen.add(path)
                waiting.append(path)
        return None

    found = ((suspect, culprit(suspect)) for suspect in suspects)
    return {suspect: path for suspect, path in found if path is not None}
