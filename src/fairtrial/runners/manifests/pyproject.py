"""What `pyproject.toml` demands: its standard tables and those of its tools."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, Final

from fairtrial.runners.manifests.demands import (
    TEST_NAMES,
    WORK_NAMES,
    Demands,
    Extras,
    expanded,
    normalised,
    strings,
    table,
)
from fairtrial.runners.manifests.poetry import poetry_demands

#: What a build backend asks for on top when it installs in place without isolation.
_EDITABLE_NEEDS: Final = {
    "hatchling": ("editables",),
    "pdm-backend": ("editables",),
    "meson-python": ("ninja",),
    "scikit-build-core": ("ninja", "cmake"),
}
#: The backend of a project that names none.
DEFAULT_BUILD: Final = ("setuptools>=64", "wheel")


def pyproject_demands(text: str, also: frozenset[str] = frozenset()) -> Demands:
    """What the file demands, with the extras in `also` on top."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Demands(unread=(f"pyproject.toml ({error})",))
    project = table(content, "project")
    name = normalised(str(project.get("name", "")))
    extras = _extras(project)
    demands = Demands(name=name, build_requirements=_build(content))
    if "dependencies" in project:
        demands = demands.plus(
            Demands(
                requirements=strings(project["dependencies"]),
                sources=("dependencies",),
            )
        )
    demands = demands.plus(_chosen(extras, name, extras, also))
    demands = demands.plus(_chosen(_groups(content), name, extras))
    demands = demands.plus(_dynamic(content)).plus(poetry_demands(content))
    if not demands.for_tests:
        demands = demands.plus(_hatch(content))
    return demands


def _extras(project: Mapping[str, Any]) -> Extras:
    lists = {
        normalised(name): strings(listed)
        for name, listed in table(project, "optional-dependencies").items()
    }
    return Extras(word="extra", lists=lists)


def _groups(content: Mapping[str, Any]) -> Extras:
    """Dependency groups (PEP 735) with inclusions, and what uv and PDM had before."""
    groups = {
        normalised(name): listed
        for name, listed in table(content, "dependency-groups").items()
        if isinstance(listed, list)
    }
    lists = {name: _group(name, groups, frozenset()) for name in groups}
    older = table(content, "tool", "uv").get("dev-dependencies")
    if isinstance(older, list):
        lists["dev"] = (*lists.get("dev", ()), *strings(older))
    for name, listed in table(content, "tool", "pdm", "dev-dependencies").items():
        lists.setdefault(normalised(name), strings(listed))
    return Extras(word="group", lists=lists)


def _group(
    name: str, groups: Mapping[str, list[Any]], inside: frozenset[str]
) -> tuple[str, ...]:
    if name in inside:
        return ()
    found: list[str] = []
    for entry in groups.get(name, ()):
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, Mapping) and "include-group" in entry:
            included = normalised(str(entry["include-group"]))
            found.extend(_group(included, groups, inside | {name}))
    return tuple(found)


def _chosen(
    extras: Extras, name: str, own: Extras, also: frozenset[str] = frozenset()
) -> Demands:
    chosen = extras.chosen(also)
    listed = [each for key in chosen for each in extras.lists[key]]
    return Demands(
        requirements=expanded(listed, name, own.lists),
        sources=tuple(f"{extras.word} {key}" for key in chosen),
        for_tests=bool(chosen),
    )


def _dynamic(content: Mapping[str, Any]) -> Demands:
    """Requirement files that setuptools or a hook of hatch reads at build time."""
    dynamic = table(content, "tool", "setuptools", "dynamic")
    files = list(strings(table(dynamic, "dependencies").get("file")))
    optional = table(dynamic, "optional-dependencies")
    chosen = Extras(word="extra", lists={normalised(key): () for key in optional})
    for key, value in optional.items():
        if normalised(key) in chosen.chosen() and isinstance(value, Mapping):
            files.extend(strings(value.get("file")))
    hook = table(content, "tool", "hatch", "metadata", "hooks", "requirements_txt")
    files.extend(strings(hook.get("files")))
    return Demands(files=tuple(files), sources=tuple(files))


def _hatch(content: Mapping[str, Any]) -> Demands:
    """Hatch's own environments, where nothing else names what tests need."""
    environments = table(content, "tool", "hatch", "envs")
    for name in ("hatch-test", *TEST_NAMES, *WORK_NAMES, "default"):
        chosen = table(environments, name)
        listed = (
            *strings(chosen.get("dependencies")),
            *strings(chosen.get("extra-dependencies")),
        )
        if listed:
            return Demands(
                requirements=listed, sources=(f"hatch's {name}",), for_tests=True
            )
    return Demands()


def _build(content: Mapping[str, Any]) -> tuple[str, ...] | None:
    """What building in place takes; None where the project is not to be built."""
    build = table(content, "build-system")
    package = table(content, "tool", "uv").get("package")
    poetry = table(content, "tool", "poetry").get("package-mode")
    if package is False or poetry is False:
        return None
    # Without the table a folder is a package only where something says that it is.
    if not build and package is not True and not table(content, "tool", "setuptools"):
        return None
    requires = strings(build.get("requires")) or DEFAULT_BUILD
    text = f"{build.get('build-backend', '')} {' '.join(requires)}".replace("_", "-")
    more = [
        need for key, needs in _EDITABLE_NEEDS.items() if key in text for need in needs
    ]
    return (*requires, *more)
