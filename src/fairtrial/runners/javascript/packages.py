"""Which packages a tree holds, and how their dependencies come onto a bench.

Install scripts are never run: they are code of strangers, with the network open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Places, Setup

MANIFEST: Final = "package.json"
_NPM: Final = ("package-lock.json", "npm-shrinkwrap.json")
#: All that says what `node_modules` will hold, by name; and patches of it.
_DECIDING: Final = frozenset(
    {
        MANIFEST,
        *_NPM,
        "pnpm-lock.yaml",
        "pnpm-workspace.yaml",
        ".pnpmfile.cjs",
        "yarn.lock",
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
    }
)
_BELOW: Final = (".yarn/patches/", ".yarn/releases/", ".yarn/plugins/", "patches/")
_BYTES: Final = 4 * 1024 * 1024
#: A pnpm that reads the lock file's own version, where the manifest names none.
_PNPM: Final = {"5": "7", "6": "8", "9": "10"}
_BUILDS: Final = re.compile(r"\b(?:build|compile|tsc|transpile|generate)\b")
_WORD: Final = re.compile(r"""(?:[^\s"';&|]|"[^"]*"|'[^']*')+|[;&|]+""")
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One manifest of a tree."""

    folder: str
    scripts: Mapping[str, str] = field(default_factory=dict)
    #: Every dependency that it names, of whatever kind.
    wants: frozenset[str] = frozenset()
    #: The whole of it, for what only one runner looks at.
    whole: Mapping[str, Any] = field(default_factory=dict)


def packages(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> Iterator[Package]:
    """Each package of a tree, the outermost first; not those of dependencies."""
    found = [
        path
        for path in paths
        if path.rpartition("/")[2] == MANIFEST and "node_modules" not in path.split("/")
    ]
    for path in sorted(found, key=lambda each: (each.count("/"), each)):
        package = read_package(path.rpartition("/")[0], read(path))
        if package is not None:
            yield package


def read_package(folder: str, text: str) -> Package | None:
    """The package that a manifest's text describes; None for what is no manifest."""
    try:
        whole = json.loads(text[:_BYTES])
    except (ValueError, RecursionError):
        return None
    if not isinstance(whole, dict):
        return None
    kinds = ("dependencies", "devDependencies", "peerDependencies")
    wants = {name for kind in kinds for name in _texts(whole.get(kind))}
    return Package(
        folder=folder,
        scripts=_texts(whole.get("scripts")),
        wants=frozenset(wants),
        whole=whole,
    )


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if isinstance(v, str)}


def invocation(package: Package, tool: str) -> str | None:
    """How a package's scripts call a tool: "npx jest --coverage"; None: they don't.

    The script named `test` counts first, then `test:unit`, `unit` and others that
    begin with `test`; a script that starts another one is followed.
    """
    names = sorted(
        (name for name in package.scripts if _is_test_script(name)),
        key=lambda name: (name != "test", "unit" not in name, name),
    )
    for name in names:
        for words in _commands(package.scripts[name]):
            found = _call(words, tool)
            if found is not None:
                return found
    return None


def _is_test_script(name: str) -> bool:
    watching = re.search(r"watch|update|debug|dev|:ui\b|bench", name)
    return (
        watching is None
        and re.match(r"(?:test|unit|jest|vitest|mocha)\b", name) is not None
    )


def _commands(script: str) -> Iterator[list[str]]:
    words: list[str] = []
    for word in _WORD.findall(script):
        if word[0] in ";&|":
            yield words
            words = []
        else:
            words.append(word)
    yield words


def _call(words: list[str], tool: str) -> str | None:
    """The words of one command, where it runs the tool, with `npx` before its name."""
    assigned: list[str] = []
    rest = list(words)
    while rest and (
        _ASSIGNED.fullmatch(rest[0])
        or rest[0] in {"cross-env", "npx", "env", "c8", "nyc"}
    ):
        word = rest.pop(0)
        if _ASSIGNED.fullmatch(word):
            assigned.append(word)
    if not rest:
        return None
    if rest[0] == tool:
        return " ".join((*assigned, "npx", *rest))
    path = re.compile(rf"(?:\./)?node_modules/(?:\.bin/{tool}|{tool}/\S+)")
    if path.fullmatch(rest[0]) or (
        rest[0] == "node" and any(path.fullmatch(word) for word in rest[1:])
    ):
        return " ".join((*assigned, *rest))
    return None


def setup_of(files: Mapping[RepoPath, FileContent], folder: str) -> Setup:
    """How `node_modules` is made: by the lock file's own tool, without scripts.

    The lock file is looked for in the suite's folder and then above it, as those of
    workspaces stand at their root.
    """
    deciding = {
        path: content
        for path, content in files.items()
        if "node_modules" not in path.split("/")
        and (
            path.rpartition("/")[2] in _DECIDING
            or any(f"/{part}" in f"/{path}" for part in _BELOW)
        )
    }
    root, lock = _lock(deciding, folder)
    text = deciding[RepoPath(_at(root, lock))].data if lock else b""
    manifest = deciding.get(RepoPath(_at(root, MANIFEST)))
    step = _install(lock, text.decode("utf-8", "replace")[:2000], manifest)
    if root != folder:
        above = "/".join([".."] * (_depth(folder) - _depth(root)))
        step = f"cd {above} && {step}"
    return Setup(
        prepare=(step,),
        build=_build(files, folder),
        prepare_files=deciding,
        origin=_at(root, lock or MANIFEST),
    )


def _at(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _depth(folder: str) -> int:
    return len(folder.split("/")) if folder else 0


def _lock(files: Collection[RepoPath], folder: str) -> tuple[str, str]:
    """The folder of the lock file that holds for a suite, and its name; "" for none."""
    above = folder
    while True:
        for name in (*_NPM, "pnpm-lock.yaml", "yarn.lock"):
            if _at(above, name) in files:
                return above, name
        if not above:
            return folder, ""
        above = above.rpartition("/")[0]


def _install(lock: str, text: str, manifest: FileContent | None) -> str:
    """The step that installs what a lock file, or else the manifest, holds."""
    asked = _asked_manager(manifest)
    if lock in _NPM:
        return "npm ci --ignore-scripts"
    if lock == "pnpm-lock.yaml":
        found = re.search(r"lockfileVersion: '?(\d+)", text)
        own = asked if asked.startswith("pnpm@") else ""
        version = own or f"pnpm@{_PNPM.get(found[1] if found else '', '10')}"
        return (
            f"npx --yes {version} install --frozen-lockfile --ignore-scripts"
            " --ignore-pnpmfile"
        )
    if lock == "yarn.lock" and "yarn lockfile v1" in text:
        return (
            "YARN_IGNORE_PATH=1 npx --yes yarn@1 install --frozen-lockfile"
            " --ignore-scripts"
        )
    if lock == "yarn.lock":
        return (
            "YARN_IGNORE_PATH=1 YARN_NODE_LINKER=node-modules npx --yes"
            " @yarnpkg/cli-dist@4 install --immutable --mode=skip-build"
        )
    return "npm install --ignore-scripts --no-package-lock"


def _asked_manager(manifest: FileContent | None) -> str:
    """The tool and version that a manifest's `packageManager` names."""
    package = (
        read_package("", manifest.data.decode("utf-8", "replace")) if manifest else None
    )
    named = package.whole.get("packageManager") if package else None
    found = re.match(r"[a-z]+@\d+\.\d+\.\d+", named) if isinstance(named, str) else None
    return found[0] if found else ""


def _build(files: Mapping[RepoPath, FileContent], folder: str) -> tuple[str, ...]:
    """`npm run pretest` where that compiles: npm runs it before the tests."""
    manifest = files.get(RepoPath(_at(folder, MANIFEST)))
    if manifest is None:
        return ()
    package = read_package(folder, manifest.data.decode("utf-8", "replace"))
    script = package.scripts.get("pretest", "") if package else ""
    return ("npm run pretest",) if _BUILDS.search(script) else ()


def environment(places: Places, *, offline: bool) -> dict[str, str]:
    """What keeps package tools quiet, and tells them that there is no network."""
    quiet = {
        "npm_config_audit": "false",
        "npm_config_fund": "false",
        "npm_config_update_notifier": "false",
        "npm_config_logs_max": "0",
        "NO_UPDATE_NOTIFIER": "1",
        "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
        "YARN_ENABLE_TELEMETRY": "0",
    }
    if not offline:
        return quiet
    return {
        **quiet,
        "npm_config_offline": "true",
        "COREPACK_ENABLE_NETWORK": "0",
        "YARN_ENABLE_NETWORK": "0",
    }
