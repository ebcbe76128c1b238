"""Three actions by name, done by hand: checkout, upload-artifact, download-artifact.

As their documentation says, as far as our workflows ask; another input is an error.
"""

from __future__ import annotations

import io
import subprocess
import uuid
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.emulator.layout import Layout, give_to_runner
from tests.emulator.origin import Origin


class StandInError(Exception):
    """The step fails, with this message."""


@dataclass(slots=True)
class Artifacts:
    """A run's artifacts: a zip each, by name."""

    zips: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInCall:
    """What one of them works with."""

    inputs: Mapping[str, str]
    layout: Layout
    origin: Origin
    artifacts: Artifacts
    #: Artifacts of other runs, by run.
    earlier: Mapping[str, Artifacts]
    sha: str
    ref: str
    event: str
    fork: bool
    token: str
    say: Callable[[str], None]
    warn: Callable[[str], None]

    def input(self, name: str, default: str = "") -> str:
        return self.inputs.get(name, default)

    def only(self, *known: str) -> None:
        if unknown := set(self.inputs) - set(known):
            raise StandInError(f"the emulator does not follow the inputs {unknown}")


def checkout(call: StandInCall) -> dict[str, str]:
    """The repository at the event's commit, as actions/checkout leaves it from 6 on."""
    call.only("ref", "fetch-depth", "persist-credentials", "token", "path")
    if call.event in {"workflow_run", "pull_request_target"} and "pull/" in call.ref:
        raise StandInError("refusing to check out a fork's pull request here")
    workspace = call.layout.workspace / call.input("path")
    workspace.mkdir(parents=True, exist_ok=True)
    depth = int(call.input("fetch-depth", "1"))
    ref = call.input("ref")
    commit = call.origin.sha(ref) if ref else call.sha
    _git(workspace, "init", "--quiet", "--initial-branch", "main")
    _git(workspace, "remote", "add", "origin", f"https://github.com/{call.origin.name}")
    wanted = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
    if depth or not (ref or call.ref).startswith("refs/heads/"):
        commit_as = f"+{commit}:refs/remotes/{_local(ref or call.ref)}"
        wanted = [commit_as] if depth else [*wanted, commit_as]
    limit = [f"--depth={depth}", "--no-tags"] if depth else []
    # By protocol, not by path: a path would be taken whole, whatever the depth.
    url = call.origin.bare.as_uri()
    _git(
        workspace,
        *("-c", "protocol.file.allow=always"),
        *("-c", "uploadpack.allowAnySHA1InWant=true"),
        *("fetch", "--quiet", *limit, url, *wanted),
    )
    _git(workspace, "checkout", "--quiet", "--force", "--detach", commit)
    if call.input("persist-credentials", "true") == "true":
        _persist_credentials(call, workspace)
    give_to_runner(call.layout.pipeline)
    call.say(f"HEAD is now at {commit[:7]}")
    return {"ref": ref or call.ref, "commit": commit}


def _local(ref: str) -> str:
    return ref.removeprefix("refs/").replace("heads/", "origin/", 1)


def _persist_credentials(call: StandInCall, workspace: Path) -> None:
    # Since version 6 the token lies beside the workspace; the repository includes it,
    # by the path on the host and by the path in a container.
    file = call.layout.temp / f"git-credentials-{uuid.uuid4()}.config"
    file.write_text(
        '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic '
        f"{call.input('token', call.token)}\n"
    )
    for folder, path in (
        (str(workspace), str(file)),
        ("/github/workspace", call.layout.to_container(str(file))),
    ):
        _git(workspace, "config", f"includeIf.gitdir:{folder}/.git.path", path)


def _git(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise StandInError(done.stderr.strip())


def upload_artifact(call: StandInCall) -> dict[str, str]:
    """Files of the workspace, zipped under a name that the run does not have yet."""
    call.only(
        "name",
        "path",
        "if-no-files-found",
        "retention-days",
        "overwrite",
        "include-hidden-files",
    )
    name = call.input("name", "artifact")
    files = _files(call)
    if not files:
        message = f"No files were found with the provided path: {call.input('path')}"
        when_none = call.input("if-no-files-found", "warn")
        if when_none == "error":
            raise StandInError(message)
        if when_none == "warn":
            call.warn(message)
        return {}
    if name in call.artifacts.zips and call.input("overwrite") != "true":
        raise StandInError(f"an artifact with the name {name} already exists")
    # One path's artifact starts at that path, several start at what they share.
    root = _common_root([one.parent if one.is_file() else one for one in files])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(root))
    call.artifacts.zips[name] = packed.getvalue()
    call.say(f"Artifact {name} has been uploaded: {len(files)} files")
    return {"artifact-id": str(len(call.artifacts.zips))}


def _files(call: StandInCall) -> list[Path]:
    hidden = call.input("include-hidden-files") == "true"
    found: list[Path] = []
    for pattern in call.input("path").split():
        for match in call.layout.workspace.glob(pattern):
            inside = match.rglob("*") if match.is_dir() else [match]
            found += [
                one
                for one in inside
                if one.is_file()
                and (hidden or not any(p.startswith(".") for p in _below(one, match)))
            ]
    return sorted(set(found))


def _below(file: Path, start: Path) -> tuple[str, ...]:
    return file.relative_to(start).parts or (file.name,)


def _common_root(folders: list[Path]) -> Path:
    root = folders[0]
    while not all(one.is_relative_to(root) for one in folders):
        root = root.parent
    return root


def download_artifact(call: StandInCall) -> dict[str, str]:
    """One artifact's files, in the folder that the step names."""
    call.only("name", "path", "run-id", "github-token", "repository")
    name = call.input("name")
    run = call.input("run-id")
    store = call.artifacts
    if run and call.input("github-token"):
        store = call.earlier.get(run, Artifacts())
    if name not in store.zips:
        raise StandInError(f"Unable to download artifact(s): {name} was not found")
    target = call.layout.workspace / call.input("path")
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(io.BytesIO(store.zips[name])) as archive:
        archive.extractall(target)
    give_to_runner(call.layout.pipeline)
    call.say(f"Artifact {name} has been downloaded")
    return {"download-path": str(target)}


StandIn = Callable[[StandInCall], dict[str, str]]

STAND_INS: dict[str, StandIn] = {
    "actions/checkout": checkout,
    "actions/upload-artifact": upload_artifact,
    "actions/download-artifact": download_artifact,
}
