"""Where the tools of a suite are on this machine, for a bench that names its PATH.

A bench hands no path of the user's on. What a suite's runner needs is looked for on
the user's PATH, followed to where it is really installed (behind the shims of rustup,
nvm or SDKMAN), and put on the path of steps and trials by that folder.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fairtrial.clients import process
from fairtrial.domain.errors import BenchUnavailable

_SYSTEM: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: What asks a tool where its toolchain lies; its first line is a folder.
_ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "go": ("go", "env", "GOROOT"),
    "cargo": ("rustc", "--print", "sysroot"),
    "rustc": ("rustc", "--print", "sysroot"),
}
#: How a tool tells its version; `--version` for all others.
_VERSION: Final[Mapping[str, tuple[str, ...]]] = {
    "go": ("version",),
    "java": ("-version",),
    "cargo-nextest": ("nextest", "--version"),
}
#: Which variable names the home of what a tool belongs to.
_HOMES: Final[Mapping[str, str]] = {"java": "JAVA_HOME"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchains:
    """What trials need to find and to be able to read, and which versions they are."""

    folders: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def find_tools(names: Sequence[str], environ: Mapping[str, str]) -> Toolchains:
    """The tools of these names; raises BenchUnavailable for one that is not there.

    A name that ends with "?" may be absent: projects bring some tools themselves.
    """
    names = [
        name.rstrip("?")
        for name in names
        if not name.endswith("?") or _path_has(name[:-1], environ)
    ]
    if not names:
        return Toolchains()
    path: list[str] = []
    folders: list[Path] = []
    env: dict[str, str] = {}
    versions: list[str] = []
    for name in names:
        found = _found(name, environ)
        root = found.parent.parent if found.parent.name == "bin" else found
        if not _is_system(found):
            folders.append(root)
            path.append(str(found.parent))
        elif found.parent.name == "bin" and not _on_system_path(name):
            # Debian's alternatives: the tool is a link into /usr/lib.
            path.append(str(found.parent))
        if name in _HOMES:
            env[_HOMES[name]] = environ.get(_HOMES[name]) or str(root)
        versions.append(f"{name} {_version(name, found, environ)}")
    env["PATH"] = ":".join(dict.fromkeys((*path, *_SYSTEM.split(":"))))
    # Part of what has to be equal between trials that are compared.
    env["FAIRTRIAL_TOOLS"] = "; ".join(versions)
    return Toolchains(folders=tuple(dict.fromkeys(folders)), env=env)


def _path_has(name: str, environ: Mapping[str, str]) -> bool:
    return shutil.which(name, path=environ.get("PATH", _SYSTEM)) is not None


def _found(name: str, environ: Mapping[str, str]) -> Path:
    asked = _ASKED.get(name)
    if asked is not None:
        answer = _said(asked, environ).splitlines()
        place = Path(answer[0].strip()) / "bin" / name if answer else None
        if place is not None and place.is_file():
            return place
    found = shutil.which(name, path=environ.get("PATH", _SYSTEM))
    if found is None:
        raise BenchUnavailable(
            f"There is no {name} on this machine.",
            means="The suite's runner needs it, and it is not on PATH.",
            remedy=f"Install {name}, or name an `image:` that has it.",
        )
    # Scripts such as npm find their own files by the link that they are called by.
    real = Path(found).resolve()
    return real if real.parent.name == "bin" and real.name == name else Path(found)


def _is_system(place: Path) -> bool:
    return any(place.is_relative_to(top) for top in ("/usr", "/bin", "/sbin"))


def _on_system_path(name: str) -> bool:
    return shutil.which(name, path=_SYSTEM) is not None


def _version(name: str, found: Path, environ: Mapping[str, str]) -> str:
    words = _VERSION.get(name, ("--version",))
    lines = _said((str(found), *words), environ).strip().splitlines()
    return " ".join(lines[0].split())[:120] if lines else "unknown"


def _said(words: tuple[str, ...], environ: Mapping[str, str]) -> str:
    try:
        done = process.run(list(words), env=dict(environ), timeout=60, cwd=Path(os.sep))
    except OSError:
        return ""
    return (done.stdout + b"\n" + done.stderr).decode(errors="replace").strip()
