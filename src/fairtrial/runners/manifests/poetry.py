"""What Poetry's own tables demand, in the words of pip."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fairtrial.runners.manifests.demands import (
    Demands,
    Extras,
    normalised,
    strings,
    table,
)

_NUMBERS: Final = re.compile(r"\d+")
_COMPARED: Final = re.compile(r"^([<>=!~]+)(.+)$")


def poetry_demands(content: Mapping[str, Any]) -> Demands:
    """What `[tool.poetry]` demands: its dependencies and its group for tests."""
    poetry = table(content, "tool", "poetry")
    if not poetry:
        return Demands()
    own = table(poetry, "dependencies")
    wanted = Extras(word="extra", lists=_extras(poetry)).chosen()
    needed = {each for key in wanted for each in _extras(poetry)[key]}
    requirements = [
        line
        for name, value in own.items()
        for line in _lines(name, value, optional_too=normalised(name) in needed)
    ]
    groups = {
        normalised(name): table(group, "dependencies")
        for name, group in table(poetry, "group").items()
    }
    if "dev-dependencies" in poetry:
        groups.setdefault("dev", table(poetry, "dev-dependencies"))
    chosen = Extras(word="group", lists=dict.fromkeys(groups, ())).chosen()
    for key in chosen:
        for name, value in groups[key].items():
            requirements.extend(_lines(name, value, optional_too=True))
    sources = ("tool.poetry.dependencies",) if own else ()
    return Demands(
        requirements=tuple(requirements),
        sources=(
            *sources,
            *(f"extra {key}" for key in wanted),
            *(f"group {key}" for key in chosen),
        ),
        for_tests=bool(chosen or wanted),
        name=normalised(str(poetry.get("name", ""))),
    )


def _extras(poetry: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {
        normalised(key): tuple(normalised(each) for each in strings(listed))
        for key, listed in table(poetry, "extras").items()
    }


def _lines(name: str, value: Any, *, optional_too: bool) -> Iterator[str]:
    """The requirements that one entry of a table of Poetry's stands for."""
    if normalised(name) == "python":
        return
    if isinstance(value, list):
        for each in value:
            yield from _lines(name, each, optional_too=optional_too)
        return
    entry = value if isinstance(value, Mapping) else {"version": value}
    if entry.get("optional") is True and not optional_too:
        return
    extras = ",".join(strings(entry.get("extras")))
    wanted = f"{name}[{extras}]" if extras else name
    if "git" in entry:
        at = next(
            (entry[key] for key in ("rev", "tag", "branch") if key in entry), None
        )
        wanted += f" @ git+{entry['git']}" + (f"@{at}" if at else "")
    elif "url" in entry:
        wanted += f" @ {entry['url']}"
    elif "path" in entry:
        wanted += f" @ {entry['path']}"
    else:
        wanted += specifier(str(entry.get("version", "*")))
    markers = [str(entry["markers"])] if entry.get("markers") else []
    python = specifier(str(entry.get("python", "*")))
    markers.extend(
        _COMPARED.sub(r'python_version \1 "\2"', part)
        for part in filter(None, python.split(","))
    )
    yield f"{wanted} ; {' and '.join(markers)}" if markers else wanted


def specifier(constraint: str) -> str:
    """A constraint of Poetry's as a version specifier; empty for any version.

    Its caret, tilde and wildcard rules are in Poetry's page on dependency
    specification. Of alternatives (`||`) only the outer bounds are kept.
    """
    alternatives = [part.strip() for part in constraint.split("||")]
    if len(alternatives) > 1:
        lower = specifier(alternatives[0]).split(",")[0]
        return lower if lower.startswith((">", "==")) else ""
    joined = re.sub(r"([<>=!~^])\s+", r"\1", constraint.strip())
    return ",".join(filter(None, map(_part, re.split(r"[,\s]+", joined))))


def _part(part: str) -> str:
    if part in {"", "*"}:
        return ""
    numbers = [int(each) for each in _NUMBERS.findall(part.partition("-")[0])]
    if part.startswith("^"):
        first = next((at for at, n in enumerate(numbers) if n), len(numbers) - 1)
        return f">={part[1:].strip()},<{_next(numbers, first)}"
    if part.startswith("~") and not part.startswith("~="):
        return f">={part[1:].strip()},<{_next(numbers, min(1, len(numbers) - 1))}"
    if part[0].isdigit():
        return f"=={part}"
    return part.replace(" ", "")


def _next(numbers: list[int], at: int) -> str:
    """The first version beyond all that share the numbers up to a place."""
    return ".".join(map(str, [*numbers[:at], numbers[at] + 1]))
