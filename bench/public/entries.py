"""Which regressions of public projects are put back: what `bench/public/*.yml` say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

FOLDER: Final = Path(__file__).parent
_KEYS: Final = {"repository", "commit", "revert", "configuration", "tests", "culprit"}
_NEEDED: Final = _KEYS - {"configuration"}


class WrongEntry(Exception):  # noqa: N818 - said as people say it
    """An entry does not say what it has to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A fix whose production part is taken back."""

    runner: str
    #: OWNER/NAME on GitHub.
    repository: str
    #: The fix; it is the base.
    commit: str
    #: Production paths that head has as the fix's parent had them.
    revert: tuple[str, ...]
    #: A `.fairtrial.yml`; empty: `fairtrial init` writes one.
    configuration: str
    #: Tests that must be blocked, by id.
    tests: tuple[str, ...]
    #: Paths that must be named as what broke them.
    culprit: tuple[str, ...]


def entries(folder: Path = FOLDER) -> tuple[Entry, ...]:
    """All entries by runner; raises WrongEntry."""
    return tuple(
        _entry(path, fields)
        for path in sorted(folder.glob("*.yml"))
        for fields in _listed(yaml.safe_load(path.read_text("utf-8")))
    )


def _listed(read: Any) -> list[Any]:
    return read if isinstance(read, list) else [read]


def chosen(found: Sequence[Entry], runners: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of these runners, of none all; raises WrongEntry for one without."""
    unknown = sorted(set(runners) - {each.runner for each in found})
    if unknown:
        raise WrongEntry(f"no entry for {', '.join(unknown)}")
    return tuple(each for each in found if not runners or each.runner in runners)


def _entry(path: Path, fields: Any) -> Entry:
    if not isinstance(fields, Mapping):
        raise WrongEntry(f"{path.name}: a mapping was meant")
    unknown = sorted(map(str, set(fields) - _KEYS))
    missing = sorted(_NEEDED - set(fields))
    if unknown or missing:
        raise WrongEntry(
            f"{path.name}: "
            + "; ".join(
                f"{word} {', '.join(names)}"
                for word, names in (("unknown:", unknown), ("missing:", missing))
                if names
            )
        )
    lists = {name: _texts(path, name, fields[name]) for name in _LISTS}
    return Entry(
        runner=path.stem,
        repository=_text(path, "repository", fields["repository"]),
        commit=_text(path, "commit", fields["commit"]),
        configuration=str(fields.get("configuration") or ""),
        **lists,
    )


_LISTS: Final = ("revert", "tests", "culprit")


def _texts(path: Path, name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise WrongEntry(f"{path.name}: {name}: a list of at least one was meant")
    return tuple(_text(path, name, each) for each in value)


def _text(path: Path, name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise WrongEntry(f"{path.name}: {name}: text was meant; put it in quotes")
    return value
