"""Which exact versions a lock file holds a project to, as constraints for pip."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from fairtrial.runners.manifests.demands import Demands, name_of, table

#: Lock files of the tools that write TOML with a list of packages, by tool.
TOML_LOCKS: Final = {"uv.lock": "uv", "poetry.lock": "poetry", "pdm.lock": "pdm"}
_EDITABLE: Final = re.compile(r'^source = \{ editable = "\." \}$', re.MULTILINE)
_VERSION: Final = re.compile(r"[0-9A-Za-z.!+_-]{1,100}")
_FOLDERS: Final = ("editable", "virtual", "directory", "path", "workspace")


def constraints(text: str) -> tuple[str, ...]:
    """`name==version` for each package that the lock names in one version only.

    A package in several versions is chosen by markers that only the tool's own
    resolver knows all of; pip chooses it freely then.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return ()
    packages = content.get("package")
    versions: dict[str, set[str]] = {}
    for package in packages if isinstance(packages, list) else ():
        if not isinstance(package, Mapping) or _is_local(package):
            continue
        name, version = str(package.get("name", "")), package.get("version")
        if name_of(name) and isinstance(version, str) and _VERSION.fullmatch(version):
            versions.setdefault(name_of(name), set()).add(version)
    return tuple(
        f"{name}=={next(iter(found))}"
        for name, found in sorted(versions.items())
        if len(found) == 1
    )


def is_built_in_place(text: str) -> bool:
    """Whether uv's lock holds the project itself as one that is installed in place."""
    return _EDITABLE.search(text) is not None


def _is_local(package: Mapping[str, Any]) -> bool:
    """The project itself or a folder beside it, which no index has."""
    source = table(package, "source")
    kind = source.get("type")
    return kind == "directory" or any(key in source for key in _FOLDERS)


def pipfile_demands(text: str) -> Demands:
    """What a `Pipfile` demands, packages for development included."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Demands(unread=(f"Pipfile ({error})",))
    requirements = []
    for section in ("packages", "dev-packages"):
        for name, value in table(content, section).items():
            version = value.get("version", "*") if isinstance(value, Mapping) else value
            pinned = version if isinstance(version, str) and version != "*" else ""
            requirements.append(f"{name}{pinned}")
    return Demands(
        requirements=tuple(requirements), sources=("Pipfile",), for_tests=True
    )


def pipfile_constraints(text: str) -> tuple[str, ...]:
    """The versions that a `Pipfile.lock` holds."""
    try:
        content = json.loads(text)
    except ValueError:
        return ()
    found = {}
    for section in ("default", "develop"):
        for name, entry in table(content, section).items():
            version = entry.get("version") if isinstance(entry, Mapping) else None
            if isinstance(version, str) and version.startswith("=="):
                found[name_of(name)] = version
    return tuple(f"{name}{version}" for name, version in sorted(found.items()) if name)
