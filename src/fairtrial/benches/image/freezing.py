"""How a tree's image is made: prepare once per key, build once per tree, commit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from fairtrial import injected
from fairtrial.benches.image import archives
from fairtrial.benches.image.conditions import (
    AFTERMATH,
    COLLECTOR,
    HELPER,
    HOME,
    OUT,
    OWN,
    PLACES,
    PLAN,
    RELAY,
    RESULTS,
    ROOT,
    SINK,
    TEMPORARY,
    USER,
    VENV,
    Conditions,
)
from fairtrial.benches.image.workshop import Done, Workshop
from fairtrial.clients.docker import DockerEngine, Kind
from fairtrial.domain.errors import BenchUnavailable, ServiceError, TreeBroken
from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import ConditionSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import Door, FileContent, Setup

#: For installers in every step. Nothing is cached: a cache would be frozen, too.
_INSTALLERS: Final = {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_NO_CACHE_DIR": "1",
    "PIP_ROOT_USER_ACTION": "ignore",
}

#: Bytes and number of the streams that a trial may report; less than what is taken.
_REPORTED: Final = 200 * 1024 * 1024
_STREAMS: Final = 1500

#: Without network there is nothing to wait for.
_OFFLINE: Final = {"PIP_RETRIES": "0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """An image that trials start from, and its interpreter for the helper."""

    image: str
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freezer:
    """Makes the images of one run.

    `time` is when the trees' files were changed last; `secret_env` is for the steps
    with network alone and is never frozen.
    """

    engine: DockerEngine
    conditions: Conditions
    run: str
    labels: Mapping[str, str]
    secret_env: Mapping[str, str]
    time: int
    step_timeout: float

    def prepare(self, revision: Revision, setup: Setup) -> Frozen:
        """The image with what the project needs, made with network.

        Raises TreeBroken when a step fails, BenchUnavailable when the image lacks
        what the bench itself needs.
        """
        with self._container(self.conditions.image, "bridge") as container:
            files = archives.tree(
                PLACES.workspace, setup.prepare_files, owner=USER, time=self.time
            )
            self.engine.put(
                container,
                archives.joined(_places(self.time), own_files(self.time), files),
            )
            self.engine.start(container)
            python = _python_before(self._workshop(container, {}), setup)
            if self.conditions.private and python:
                _make_private(self._workshop(container, {}), python, setup.python)
            if not setup.prepare and not self.conditions.private:
                return Frozen(image=self.conditions.image, python=python)
            env = {**_INSTALLERS, **setup.env, **self.secret_env}
            _do_steps(self._workshop(container, env), revision, setup.prepare)
            python = python or find_python(self._workshop(container, {}))
            self._settle(container, python, deletes=())
            name = f"prepared-{key(setup)[:12]}"
            return Frozen(image=self._commit(container, name), python=python)

    def build(
        self,
        revision: Revision,
        prepared: Frozen,
        files: Mapping[RepoPath, FileContent],
        setup: Setup,
    ) -> Frozen:
        """The image with one tree in it, built without network.

        Raises TreeBroken when a step fails.
        """
        # What `prepare` was given and this tree doesn't have must not stay.
        deletes = tuple(sorted(setup.prepare_files.keys() - files.keys()))
        with self._container(prepared.image, "none") as container:
            tree = archives.tree(PLACES.workspace, files, owner=USER, time=self.time)
            parts = (_places(self.time), own_files(self.time), tree)
            self.engine.put(container, archives.joined(*parts))
            if setup.build or deletes:
                self.engine.start(container)
                if deletes:
                    self._settle(container, prepared.python, deletes=deletes)
                own = {**setup.env, **setup.offline}
                workshop = self._workshop(container, {**_INSTALLERS, **_OFFLINE, **own})
                _do_steps(workshop, revision, setup.build)
                self._settle(container, prepared.python, deletes=())
            image = self._commit(container, revision.value)
        return Frozen(image=image, python=prepared.python)

    @contextmanager
    def _container(self, image: str, network: str) -> Iterator[str]:
        plan = self.conditions.freezing(image, network, self.labels)
        container = self.engine.create(plan)
        try:
            yield container
        finally:
            self.engine.remove(Kind.CONTAINER, container)

    def _commit(self, container: str, name: str) -> str:
        # Whatever still runs ends first, so that nothing changes while it is frozen.
        self.engine.kill(container)
        return self.engine.commit(
            container, f"fairtrial-{self.run}-{name}", self.labels
        )

    def _workshop(self, container: str, env: Mapping[str, str]) -> Workshop:
        return Workshop(
            engine=self.engine,
            container=container,
            timeout=self.step_timeout,
            env=env,
        )

    def _settle(self, container: str, python: str, deletes: tuple[str, ...]) -> None:
        """Deletes what archives can't, and gives all files to the trial's user."""
        plan = plan_of(deletes=deletes, writes=())
        self.engine.put(
            container,
            archives.joined(
                own_files(self.time),
                archives.file(PLAN, plan, owner=0, mode=0o444, time=self.time),
            ),
        )
        done = self._workshop(container, {}).do(
            python, "-I", "-S", str(HELPER), str(PLAN), "settle"
        )
        if done.code != 0:
            raise ServiceError(
                f"a container could not be made ready to be frozen: {_end(done)}"
            )


def _do_steps(workshop: Workshop, revision: Revision, steps: tuple[str, ...]) -> None:
    for step in steps:
        done = workshop.do("sh", "-c", step)
        if done.code != 0:
            raise TreeBroken(revision, step, done.text)


def _python_before(workshop: Workshop, setup: Setup) -> str:
    """The image's interpreter; empty where the steps of `prepare` may bring one.

    They run no code of the project, so what they install can be believed.
    """
    try:
        return find_python(workshop)
    except BenchUnavailable:
        if not setup.prepare:
            raise
        return ""


def find_python(workshop: Workshop) -> str:
    """The image's own interpreter, before any code of the project could move it."""
    done = workshop.do("sh", "-c", "command -v python3 || command -v python || :")
    found = done.text.strip()
    if done.code != 0 or not found.startswith("/"):
        raise BenchUnavailable(
            "the suite's image has no python3, or no sh to look for it",
            means="A trial is set up inside its container by a small program that "
            "needs Python 3.6 or newer.",
            remedy="Name an image that has Python, install it in `prepare` (such as "
            "`apt-get update && apt-get install -y python3-minimal`), or use "
            "`--bench here`.",
        )
    # By a shell: the engine itself looks for a program with the container's rights.
    done = workshop.do(
        "sh", "-c", 'exec "$0" -I -S -c ""', found, user=f"{USER}:{USER}"
    )
    if done.code != 0:
        raise BenchUnavailable(
            f"user {USER} can't run {found} of the suite's image: {_end(done)}",
            means="Trials run as a user without rights; this image keeps Python "
            "where only root may read it, such as /root.",
            remedy="Install Python elsewhere in the image, or use `--bench here`.",
        )
    return found


def _make_private(workshop: Workshop, python: str, version: str | None) -> None:
    """A virtual environment that the gate's own packages are not in."""
    interpreter = f"python{version}" if version else python
    done = workshop.do(interpreter, "-I", "-m", "venv", str(VENV))
    if done.code != 0:
        raise BenchUnavailable(
            f"the gate's image can't make an environment with {interpreter}: "
            f"{_end(done)}",
            means="The image has no such interpreter, or it has no venv module.",
            remedy="Name an `image:` that has it in the suite's configuration.",
        )


def _end(done: Done) -> str:
    return done.text.strip()[-1000:]


def key(setup: Setup) -> str:
    """What `prepare` depends on, as a digest; equal keys share one image."""
    digest = hashlib.sha256()
    what = [setup.prepare, setup.python, sorted(setup.env.items())]
    digest.update(json.dumps(what).encode())
    for path in sorted(setup.prepare_files):
        content = setup.prepare_files[path]
        data = hashlib.sha256(content.data).hexdigest()
        digest.update(json.dumps([path, content.mode, data]).encode())
    return digest.hexdigest()


def plan_of(
    *,
    deletes: Iterable[str],
    writes: Iterable[str],
    doors: Iterable[Door] = (),
    pinned: ConditionSettings | None = None,
    first: int = 0,
    otlp: bool = False,
    look_after: bool = False,
) -> bytes:
    """What the helper is told; `first` is the first of a trial's processors."""
    conditions = pinned or ConditionSettings()
    plan = {
        "workspace": str(PLACES.workspace),
        "deletes": list(deletes),
        "writes": list(writes),
        "owner": USER,
        "sockets": str(PLACES.inputs),
        "results": str(RESULTS),
        "size": _REPORTED,
        "count": _STREAMS,
        "owned": [str(PLACES.workspace), str(HOME), str(PLACES.kept)],
        "doors": [(one.port, one.to, one.to_port) for one in doors],
        "umask": conditions.umask,
        "cpus": (conditions.cpus or 0, first),
        "otlp": otlp,
        "aftermath": _looking() if look_after else None,
    }
    return json.dumps(plan).encode("ascii")


def _looking() -> dict[str, object]:
    """Where a trial can leave what others find; the helper looks there as its user."""
    shared = PurePosixPath("/tmp"), PurePosixPath("/var/tmp")  # noqa: S108 - a container's
    return {
        "folders": [
            {"at": str(path), "path": None, "upper": False}
            for path in (PLACES.workspace, HOME, TEMPORARY, *shared)
        ],
        "own_ports": True,
        "own_processes": True,
    }


def own_files(time: int) -> Iterator[bytes]:
    """The helper, in a folder that only root writes and that held nothing."""
    yield archives.folder(ROOT, owner=0, mode=0o755, time=time)
    yield from archives.emptied(OWN, owner=0, mode=0o755, time=time)
    for file in (HELPER, COLLECTOR, AFTERMATH, RELAY, *SINK):
        source = Path(injected.__path__[0], file.name).read_bytes()
        yield from archives.file(file, source, owner=0, mode=0o444, time=time)


def _places(time: int) -> Iterator[bytes]:
    yield archives.folder(ROOT, owner=0, mode=0o755, time=time)
    yield archives.folder(HOME, owner=USER, mode=0o755, time=time)
    yield archives.folder(PLACES.workspace, owner=USER, mode=0o755, time=time)
    yield archives.folder(VENV, owner=0, mode=0o755, time=time)
    yield archives.folder(PLACES.kept, owner=USER, mode=0o755, time=time)
    yield from fresh_folders(time)


def fresh_folders(time: int) -> Iterator[bytes]:
    """Input, output and temporary folders, with nothing in them."""
    folders: tuple[tuple[PurePosixPath, int, int], ...] = (
        (PLACES.inputs, 0, 0o755),
        (OUT, 0, 0o755),
        (RESULTS, 0, 0o700),
        (PLACES.outputs, USER, 0o755),
        (TEMPORARY, USER, 0o755),
    )
    for path, owner, mode in folders:
        yield from archives.emptied(path, owner=owner, mode=mode, time=time)
