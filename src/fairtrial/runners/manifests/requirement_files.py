"""What a requirements file asks of an index, once the project itself is taken out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from fairtrial.runners.manifests.demands import TEST_NAMES, WORK_NAMES, name_of

#: A file that a requirements file reads in: `-r other.txt`, `--constraint=c.txt`.
_INCLUDED: Final = re.compile(
    r"^\s*(?:-r|-c|--requirement|--constraint)(?:\s+|=)?\s*([^\s#]+)"
)
_EDITABLE: Final = re.compile(r"^\s*(?:-e|--editable)(?:\s+|=)\s*(\S.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementFile:
    """A requirements file as `prepare` gets it."""

    path: str
    text: str
    #: Every requirement in it is pinned by hash, so pip takes no other beside it.
    hashed: bool
    #: Normalised names of what it asks for.
    names: frozenset[str]
    #: Extras of the project itself that it asked for.
    own_extras: tuple[str, ...]
    #: Lines that need a folder of the project, which `prepare` does not have.
    dropped: tuple[str, ...]


def chosen_files(exists: Callable[[str], bool]) -> tuple[str, ...]:
    """The requirements files that a test run needs, by where they usually are."""
    plain = ("requirements.txt", "requirements/base.txt", "requirements/common.txt")
    found = [path for path in plain if exists(path)][:1]
    tests = [path for path in _spelled(TEST_NAMES) if exists(path)]
    work = [path for path in _spelled(WORK_NAMES) if exists(path)]
    return (*found, *(tests or work))


def for_tests(paths: tuple[str, ...]) -> bool:
    """Whether one of the files is for tests or for work on the project."""
    spelled = {*_spelled(TEST_NAMES), *_spelled(WORK_NAMES)}
    return not spelled.isdisjoint(paths)


def _spelled(names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for separator in "-_":
            yield f"requirements{separator}{name}.txt"
            yield f"{name}{separator}requirements.txt"
        yield f"requirements/{name}.txt"
        yield f"requirements/requirements-{name}.txt"
        yield f"{name}/requirements.txt"


def with_included(
    paths: tuple[str, ...], files: Mapping[str, str]
) -> tuple[RequirementFile, ...]:
    """The files and all that they read in, each once, without the project itself."""
    found: dict[str, RequirementFile] = {}
    waiting = list(paths)
    while waiting:
        path = posixpath.normpath(waiting.pop(0))
        if path in found or path not in files:
            continue
        found[path] = _cleaned(path, files[path])
        folder = posixpath.dirname(path)
        for line in files[path].splitlines():
            included = _INCLUDED.match(line)
            if included is not None and "://" not in included.group(1):
                waiting.append(posixpath.join(folder, included.group(1)))
    return tuple(found.values())


def _cleaned(path: str, text: str) -> RequirementFile:
    kept: list[str] = []
    extras: list[str] = []
    dropped: list[str] = []
    names: set[str] = set()
    for line in text.splitlines():
        wanted = line.split(" #")[0].strip()
        editable = _EDITABLE.match(wanted)
        target = editable.group(1).strip("'\"") if editable else wanted
        if _is_project(target):
            listed = target.partition("[")[2].partition("]")[0]
            extras.extend(each.strip() for each in listed.split(",") if each.strip())
        elif _is_folder(target):
            dropped.append(f"{wanted} in {path}")
        else:
            kept.append(line)
            if wanted and not wanted.startswith(("-", "#")):
                names.add(name_of(wanted))
    return RequirementFile(
        path=path,
        text="\n".join(kept) + "\n",
        hashed="--hash=" in text,
        names=frozenset(names - {""}),
        own_extras=tuple(extras),
        dropped=tuple(dropped),
    )


def _is_project(target: str) -> bool:
    """The project's own folder, maybe with extras: `.`, `./`, `.[test]`."""
    place = target.partition("[")[0].partition(";")[0].strip()
    return place in {".", "./", "file:."}


def _is_folder(target: str) -> bool:
    place = target.partition(" @ ")[2].strip() or target
    return place.startswith(("./", "../", "/", "file:")) or (
        "/" in place and "://" not in place and not place.startswith(("-", "#"))
    )
