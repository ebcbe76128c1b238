"""What a build without network needs beforehand: the project's own build backend."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePosixPath
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import Setup

#: Below the private environment; on `build`'s module path, never on a trial's, so
#: that the project is tested without setuptools unless it asks for it itself.
FOLDER: Final = PurePosixPath("share/fairtrial-backends")

#: A step that may call a build backend.
_BUILDS: Final = re.compile(r"\b(pip|uv|build|setup\.py|poetry|pdm|flit|hatch)\b")

#: A step that says this has seen to its backend in `prepare`.
_OWN: Final = "--no-build-isolation"

#: What a backend asks for at build time only, which pip would fetch then.
_HOOKS: Final = {"setuptools": ("wheel",), "hatchling": ("editables",)}
_LEGACY: Final = ("setuptools>=40.8.0", "wheel")

#: Prints, one a line, the requirements that the environment does not meet by itself.
MISSING: Final = """
import sys
try:
    from importlib.metadata import PackageNotFoundError, version
    from pip._vendor.packaging.requirements import Requirement
except ImportError:
    print(*sys.argv[1:], sep="\\n")
    sys.exit()
for text in sys.argv[1:]:
    wanted = Requirement(text)
    if wanted.marker and not wanted.marker.evaluate():
        continue
    try:
        if wanted.specifier.contains(version(wanted.name), prereleases=True):
            continue
    except PackageNotFoundError:
        pass
    print(text)
"""


def requirements(setup: Setup) -> tuple[str, ...]:
    """What has to be there before `build` runs; nothing when no step would use it.

    Read from `[build-system]` of pyproject.toml (PEP 518), which names setuptools and
    wheel where it is silent.
    """
    if not any(_BUILDS.search(step) and _OWN not in step for step in setup.build):
        return ()
    content = setup.prepare_files.get(RepoPath("pyproject.toml"))
    table: Any = {}
    if content is not None:
        try:
            table = tomllib.loads(content.data.decode()).get("build-system", {})
        except (ValueError, AttributeError):
            # The build itself says better what is wrong with the file.
            return _LEGACY
    required = table.get("requires") if isinstance(table, dict) else None
    if not isinstance(required, list):
        return _LEGACY
    named = [each for each in required if isinstance(each, str)]
    hooks = [
        hook
        for backend, wanted in _HOOKS.items()
        if any(re.match(rf"{backend}\b", each.strip(), re.IGNORECASE) for each in named)
        for hook in wanted
    ]
    return tuple(dict.fromkeys((*named, *hooks)))
