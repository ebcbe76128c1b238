"""Which suites a first configuration names, and which Python they are pinned to."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from fairtrial.domain.names import RepoPath, SuiteName
from fairtrial.domain.settings import SuiteSettings
from fairtrial.pipeline.starting.ground import Ground
from fairtrial.pipeline.starting.words import encodable, shown
from fairtrial.runners import RUNNERS, Detected
from fairtrial.settings.suites import RUNNERS as KNOWN
from fairtrial.subject.detected import all_detected

#: The Python of the action's own image.
ACTION: Final = 13
_OLDEST: Final = 6
_NEWEST: Final = 15
_WANTED: Final = re.compile(r"^\s*requires-python\s*=\s*[\"']([^\"']+)", re.MULTILINE)
_OTHER: Final = re.compile(
    r"^\s*python_requires\s*=\s*[\"']?([^\"'\n,)]+[^\"'\n)]*)", re.MULTILINE
)
_CLAUSE: Final = re.compile(r"(>=|<=|==|!=|~=|>|<)\s*3\.([0-9]{1,2})(?:\.([0-9*]+))?")
_PINNED: Final = re.compile(r"\s*3\.([0-9]{1,2})(?:\.[0-9]{1,2})?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A suite for the configuration, with why it is written as it is."""

    suite: SuiteSettings
    because: str
    #: Why it has its `python`; "" where it has none.
    pinned: str = ""
    #: A line with the Python of the project's own tools, which may do without.
    suggested: str = ""


def found_suites(ground: Ground) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    """The suites, each with a name of its own, and what could not be written."""
    said: list[str] = []
    taken: set[str] = set()
    found = []
    detected = all_detected(ground.paths, ground.read)
    for each in detected:
        if not encodable(each.folder + each.command):
            said.append(
                f"A {each.runner} suite is left out: the name of its folder"
                f" ({shown(each.folder)}) is no UTF-8."
            )
            continue
        name = _name(each, len([one for one in detected if one.runner == each.runner]))
        name = _free(name, taken)
        taken.add(name)
        found.append(_found(each, name, ground))
    return tuple(found), tuple(said)


def configured(suites: Collection[SuiteSettings]) -> tuple[Found, ...]:
    """The suites of a configuration that is there already."""
    return tuple(Found(suite=each, because="") for each in suites)


def _name(each: Detected, alike: int) -> str:
    """The runner's name, with the folder's where it has several suites."""
    plain = each.name or each.runner
    if alike > 1 and each.folder and plain == each.runner:
        plain = f"{each.runner}-{each.folder.replace('/', '-')}"
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-._")
    return slug[:48] or each.runner


def _free(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"


def _found(each: Detected, name: str, ground: Ground) -> Found:
    python, pinned, suggested = None, "", ""
    if is_python(each.runner):
        python, pinned = _pin(each.folder, ground)
        suggested = "" if python else _suggestion(each.folder, ground)
    return Found(
        suite=SuiteSettings(
            name=SuiteName(name),
            runner=each.runner,
            command=each.command or KNOWN[each.runner],
            folder=each.folder,
            python=python,
        ),
        because=each.because,
        pinned=pinned,
        suggested=suggested,
    )


def is_python(runner: str) -> bool:
    """Whether a runner needs nothing but Python, which the gate's own image has."""
    return runner != "generic" and not RUNNERS[runner].tools()


def _pin(folder: str, ground: Ground) -> tuple[str | None, str]:
    """A Python that has to be named: the project refuses a bench's usual one."""
    for name, pattern in (
        ("pyproject.toml", _WANTED),
        ("setup.cfg", _OTHER),
        ("setup.py", _OTHER),
    ):
        path = ground.nearest(folder, (name,))
        wanted = pattern.search(ground.read(path)) if path else None
        if path is None or wanted is None:
            continue
        allowed = allowed_minors(wanted[1])
        usual = {ACTION, sys.version_info.minor}
        if not allowed or usual <= set(allowed):
            return None, ""
        best = max(allowed)
        return f"3.{best}", f"{shown(path)} wants {shown(wanted[1].strip())}"
    return None, ""


def allowed_minors(specifier: str) -> tuple[int, ...]:
    """The minor versions of Python 3 that a specifier allows, as far as it is read."""
    allowed = set(range(_OLDEST, _NEWEST))
    for sign, minor, rest in _CLAUSE.findall(specifier):
        number = int(minor)
        patched = rest not in {"", "*", "0"}
        match sign:
            case ">=":
                allowed &= set(range(number, _NEWEST))
            case ">":
                allowed &= set(range(number if patched else number + 1, _NEWEST))
            case "<=":
                allowed &= set(range(number + 1))
            case "<":
                allowed &= set(range(number + 1 if patched else number))
            case "==":
                allowed &= {number}
            case "~=":
                allowed &= {number} if rest else set(range(number, _NEWEST))
            case _:
                allowed -= {number} if not patched else set()
    return tuple(sorted(allowed))


def _suggestion(folder: str, ground: Ground) -> str:
    path = ground.nearest(folder, (".python-version",))
    if path is None:
        return ""
    pinned = _PINNED.fullmatch(ground.read(path).partition("\n")[0])
    if pinned is None:
        return ""
    why = f"{shown(path)} has it; without, it is the bench's own"
    return f'python: "3.{pinned[1]}" # {why}'


def manifest(folder: str, name: str) -> RepoPath:
    """A file in a suite's folder."""
    return RepoPath(f"{folder}/{name}" if folder else name)
