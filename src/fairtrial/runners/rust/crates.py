"""How a Cargo workspace is fetched, built and found, for every runner of its tests."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib.resources import files as packaged
from typing import Any, Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.trials import FileContent, Places, Setup

#: Cargo's own manifests and settings, by which packages are fetched.
_MANIFESTS: Final = re.compile(r"(.*/)?(Cargo\.(toml|lock)|\.cargo/config(\.toml)?)")
_TARGETS: Final[Mapping[str, str]] = {
    "bin": "src/bin",
    "test": "tests",
    "bench": "benches",
    "example": "examples",
}
_REGULAR: Final = 0o100644
#: Every file of a tree has one and the same time, by which Cargo takes nothing for
#: changed: what differs from the last build is told by its content, and touched.
_TOUCH: Final = (
    'sources="$CARGO_HOME/sources"; (cd "$FAIRTRIAL_WORKSPACE" && find . -type f'
    " -not -path './.git/*' -not -path '*/target/*' -exec sha256sum {} +"
    ' | LC_ALL=C sort > "$sources.new" && if [ -f "$sources" ]; then'
    ' LC_ALL=C comm -13 "$sources" "$sources.new" | cut -c67- |'
    ' while IFS= read -r file; do touch -- "$file"; done; fi)'
    ' && mv "$sources.new" "$sources"'
)


def environment(places: Places, *, offline: bool) -> Mapping[str, str]:
    """Where packages and what is built of them lie, and that there is no network."""
    variables = {
        "CARGO_HOME": str(places.kept / "cargo"),
        "CARGO_TARGET_DIR": str(places.kept / "target"),
        "CARGO_TERM_COLOR": "never",
        "FAIRTRIAL_WORKSPACE": str(places.workspace),
    }
    return {**variables, "CARGO_NET_OFFLINE": "true"} if offline else variables


def setup(
    files: Mapping[RepoPath, FileContent], folder: str, build: str, build_tests: str
) -> Setup:
    """Packages by the lock file where there is one; then production, then tests."""
    needed = {path: one for path, one in files.items() if _MANIFESTS.fullmatch(path)}
    for path in sorted(needed):
        if path.endswith("Cargo.toml"):
            text = needed[path].data.decode("utf-8", "replace")
            for root in _roots(path, text, files):
                # Cargo refuses a manifest whose targets are not there, and reads
                # nothing of them where it only fetches.
                needed.setdefault(root, FileContent(data=b"", mode=_REGULAR))
    lock = posixpath.join(folder, "Cargo.lock")
    locked = " --locked" if lock in files else ""
    return Setup(
        prepare=(f"cargo fetch{locked}",),
        build=(_TOUCH, build),
        build_tests=(build_tests,),
        prepare_files=needed,
        origin=posixpath.join(folder, "Cargo.toml"),
    )


def _roots(
    manifest: str, text: str, files: Mapping[RepoPath, FileContent]
) -> Iterator[RepoPath]:
    """The roots of a package's crates, as far as Cargo looks for them to fetch."""
    top = posixpath.dirname(manifest)
    data = _toml(text)
    tried = ["src/lib.rs", "src/main.rs"]
    library = data.get("lib")
    if isinstance(library, dict) and isinstance(library.get("path"), str):
        tried.append(library["path"])
    for kind, home in _TARGETS.items():
        targets = data.get(kind)
        for target in targets if isinstance(targets, list) else ():
            if not isinstance(target, dict):
                continue
            if isinstance(target.get("path"), str):
                tried.append(target["path"])
            name = str(target.get("name"))
            tried += [f"{home}/{name}.rs", f"{home}/{name}/main.rs"]
    for each in tried:
        path = RepoPath(posixpath.normpath(posixpath.join(top, each)))
        if path in files:
            yield path


def _toml(text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def tops(
    paths: Collection[RepoPath], read: Callable[[RepoPath], str]
) -> tuple[str, ...]:
    """The folders of Cargo workspaces that stand by themselves, outermost first.

    A package inside another's folder belongs to it where that one is a workspace.
    """
    found: list[str] = []
    manifests = [path for path in paths if path.rpartition("/")[2] == "Cargo.toml"]
    for path in sorted(manifests, key=lambda each: (each.count("/"), each)):
        folder = posixpath.dirname(path)
        around = [top for top in found if top == "" or folder.startswith(f"{top}/")]
        if not around and ("[package]" in (text := read(path)) or "workspace" in text):
            found.append(folder)
    return tuple(found)


def uses_nextest(top: str, paths: Collection[RepoPath]) -> bool:
    """Whether a workspace has settings for nextest, so that its tests run there."""
    return RepoPath(posixpath.join(top, ".config/nextest.toml")) in paths


def injected(*names: str) -> Mapping[str, bytes]:
    """Files of ours that run inside trials."""
    folder = packaged("fairtrial.injected").joinpath("rust")
    return {name: folder.joinpath(name).read_bytes() for name in names}
