"""What a path is: production, migration, dependencies, test, control or neutral.

Only the path and the base's configuration are looked at here; what takes a look
inside a file (sections of mixed files, production that imports a test module) is
decided where the change is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.paths import (
    ChangedPath,
    Classified,
    PathClass,
    Strictness,
)
from fairtrial.policy.paths_defaults import DEFAULTS
from fairtrial.policy.paths_globs import first_match

Patterns = Mapping[PathClass, tuple[str, ...]]

NO_PATTERNS: Final[Patterns] = MappingProxyType({})

#: The configuration can't take a path out of these.
_BINDING = frozenset({PathClass.CONTROL, PathClass.MIGRATION})


def _claims(patterns: Patterns, path: RepoPath) -> dict[PathClass, str]:
    found = {}
    for path_class in PathClass:
        pattern = first_match(patterns.get(path_class, ()), path)
        if pattern is not None:
            found[path_class] = pattern
    return found


def strictest(classes: Iterable[PathClass]) -> PathClass:
    """The strictest of at least one class."""
    return max(classes, key=Strictness.of)


def classify(
    path: RepoPath, overrides: Patterns = NO_PATTERNS, source: str = "configuration"
) -> Classified:
    """The class of a path, with the reason.

    `overrides` are the base's `paths:`; they beat the defaults, except that what is
    control or migration by default can only become stricter. `source` is named in
    the reason.
    """
    default = _claims(DEFAULTS, path)
    configured = _claims(overrides, path)
    by_default = strictest(default) if default else None
    if configured:
        chosen = strictest(configured)
        binding = by_default in _BINDING
        if (
            not binding
            or by_default is None
            or (Strictness.of(chosen) >= Strictness.of(by_default))
        ):
            reason = f"{configured[chosen]}: paths.{chosen.value} in {source}"
            return Classified(path=path, path_class=chosen, reason=reason)
    if by_default is None:
        return Classified(
            path=path,
            path_class=PathClass.PRODUCTION,
            reason="no pattern claims it: unknown is production",
        )
    reason = f"{default[by_default]}: {by_default.value} by default"
    if configured:
        reason += ", which paths: can't loosen"
    return Classified(path=path, path_class=by_default, reason=reason)


def changed_classes(changes: Iterable[ChangedPath]) -> frozenset[PathClass]:
    """The classes in which base and head differ."""
    return frozenset(change.path_class for change in changes)


def by_class(changes: Iterable[ChangedPath]) -> Mapping[str, tuple[str, ...]]:
    """Changed paths by class name, sorted; every class is present."""
    found: dict[str, set[str]] = {path_class.value: set() for path_class in PathClass}
    for change in changes:
        found[change.path_class.value].add(change.path)
    return {name: tuple(sorted(paths)) for name, paths in found.items()}
