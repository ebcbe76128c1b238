"""Containers that live beside the trials: servers, and ways to what is outside."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from socket import socket
from typing import Final

from fairtrial import injected
from fairtrial.benches.image import archives
from fairtrial.benches.image.cleaning import clean_run
from fairtrial.benches.image.conditions import DOORS, ROOT
from fairtrial.clients.docker import ContainerPlan, DockerEngine, Kind, Mounted
from fairtrial.clients.docker_owner import labels_of, new_run, now, own_container
from fairtrial.domain.errors import BenchFailed, ServiceError

#: In each companion; only root writes it.
PORTER: Final = ROOT / "companion" / "fairtrial_porter.py"
_RELAY: Final = PORTER.with_name("fairtrial_relay.py")
#: A porter's, in its folder.
SOCKET: Final = "door"
#: A user that no image gives a name, so that nothing in an image is its own.
SERVER: Final = 65533

_GIGABYTE: Final = 1024**3
#: Seconds for the relay inside a companion to say that it has connected.
_PATIENCE: Final = 20.0
#: Bytes of what a companion printed that are told.
_TOLD: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How one more process in a companion ended, with the end of what it printed."""

    code: int
    output: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """One running container beside the trials; safe to use from several threads."""

    engine: DockerEngine
    container: str
    name: str
    #: The volume's folder, the same in this container and in each trial; a socket in
    #: it is what `Door.to` names.
    sockets: PurePosixPath
    python: str
    user: int

    def do(
        self,
        *argv: str,
        env: Mapping[str, str] | None = None,
        user: int | None = None,
        limit: int = 64 * 1024,
    ) -> Done:
        """Run one more process in it to its end, as its own user unless told else."""
        as_user = self.user if user is None else user
        try:
            code, output = self.engine.execute(
                self.container,
                argv,
                env=env or {},
                workdir="/",
                limit=limit,
                user=f"{as_user}:{as_user}",
            )
        except ServiceError as error:
            raise BenchFailed(f"{self.name}: {error.happened}") from error
        return Done(code=code, output=output)

    def dial(self, path: PurePosixPath | str) -> socket:
        """A connection to a Unix socket inside it, as a socket of this process.

        Raises BenchFailed when nothing listens there.
        """
        return dial(self.engine, self.container, path, self.python, self.user)

    def lost(self) -> str:
        """Why it can't be used any more, in one sentence; empty while it runs."""
        try:
            state = self.engine.state(self.container)
        except ServiceError as error:
            return f"{self.name} is gone: {error.happened}"
        if state.running:
            return ""
        memory = " because memory ran out" if state.out_of_memory else ""
        return f"{self.name} ended with {state.code}{memory}: {self.printed()[-500:]}"

    def printed(self) -> str:
        """The end of what it printed; empty when it can't be asked."""
        try:
            both = self.engine.printed(self.container, _TOLD)
        except ServiceError:
            return ""
        return b"".join(both).decode("utf-8", "replace").strip()

    def stop(self) -> None:
        """Remove it; safe to call twice, and when the engine is gone."""
        with suppress(ServiceError):
            self.engine.remove(Kind.CONTAINER, self.container)


def dial(
    engine: DockerEngine,
    container: str,
    path: PurePosixPath | str,
    python: str = "python3",
    user: int = SERVER,
) -> socket:
    """A connection to a Unix socket inside a companion, through exec'd stdio.

    `python` is the container's own interpreter. The result is a real socket: pg8000
    takes it as `sock=`. Raises BenchFailed when nothing listens there.
    """
    argv = (python, "-I", "-S", str(PORTER), "stdio", str(path))
    try:
        near = engine.talk(container, argv, f"{user}:{user}")
    except ServiceError as error:
        raise BenchFailed(error.happened) from error
    try:
        _greet(near, str(path))
    except OSError as error:
        near.close()
        raise BenchFailed(f"{path} can't be reached: {error}") from error
    except BaseException:
        near.close()
        raise
    return near


def _greet(near: socket, path: str) -> None:
    """The porter waits for a line, so that nothing comes before it is awaited."""
    near.settimeout(_PATIENCE)
    near.sendall(b"\n")
    if near.recv(1) != b"+":
        why = near.recv(1000).decode("utf-8", "replace").strip()
        raise BenchFailed(f"{path} can't be reached: {why or 'no answer'}")
    near.settimeout(None)


@dataclass(slots=True, kw_only=True)
class Companions:
    """Containers of one image with a label of their own; `close` removes them all.

    They live as long as this, not as long as a bench: one server may serve the trials
    of several benches on the same engine.
    """

    engine: DockerEngine
    #: An image that has Python: the gate's own, or a suite's.
    image: str
    #: Bytes for each container.
    memory: int = 2 * _GIGABYTE
    run: str = field(default_factory=new_run)
    _labels: Mapping[str, str] = field(default_factory=dict)
    _volumes: list[str] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def sockets(self) -> PurePosixPath:
        """A folder for sockets that no companion has yet, for `start`."""
        return DOORS / f"fairtrial-{self.run}-{next(self._numbers)}"

    def start(
        self,
        name: str,
        argv: tuple[str, ...],
        *,
        sockets: PurePosixPath | None = None,
        files: Iterable[bytes] = (),
        env: Mapping[str, str] | None = None,
        user: int = SERVER,
        network: str = "none",
        capabilities: tuple[str, ...] = (),
        processes: int = 512,
        shared_memory: int = _GIGABYTE // 4,
    ) -> Companion:
        """A container with a volume at `sockets`, started.

        `name` is for messages. `files` are pieces of a tar stream as `archives` makes
        them, put in before the start. `user` runs `argv` and may write the volume;
        root may, too, and no trial's user. Raises BenchFailed when it can't be made.
        """
        sockets = sockets or self.sockets()
        try:
            with self._lock:
                if self._closed:
                    raise BenchFailed("the companions are closed")
                if not self._labels:
                    self._labels = labels_of(self.run, self.engine)
                self._volumes.append(sockets.name)
            self.engine.make_volume(sockets.name, self._labels)
            container = self.engine.create(
                ContainerPlan(
                    image=self.image,
                    argv=argv,
                    user=f"{user}:{user}",
                    workdir="/",
                    env=env or {},
                    network=network,
                    memory=self.memory,
                    processes=processes,
                    shared_memory=shared_memory,
                    capabilities=capabilities,
                    labels=self._labels,
                    volumes=(Mounted(volume=sockets.name, at=str(sockets)),),
                )
            )
            own = _own_files(sockets, user)
            self.engine.put(container, archives.joined(own, files))
            self.engine.start(container)
            python = self._python(container, user)
        except ServiceError as error:
            raise BenchFailed(
                f"{name} can't be started beside the trials: {error.happened}"
            ) from error
        return Companion(
            engine=self.engine,
            container=container,
            name=name,
            sockets=sockets,
            python=python,
            user=user,
        )

    def porter(self, place: str, network: str | None = None) -> Companion:
        """A companion whose `SOCKET` leads to HOST:PORT, once somebody connects.

        It is on the gate's own network unless told otherwise, and so reaches what the
        gate reaches, by the same names.
        """
        sockets = self.sockets()
        find = 'exec "$(command -v python3 || command -v python)" -I -S "$@"'
        socket_ = str(sockets / SOCKET)
        porter = (str(PORTER), "porter", socket_, place)
        started = self.start(
            f"the way to {place}",
            ("sh", "-c", find, "porter", *porter),
            sockets=sockets,
            network=network or gates_network(self.engine),
        )
        waited = 'until test -S "$0"; do sleep 0.05; done'
        if started.do("timeout", "20", "sh", "-c", waited, socket_).code != 0:
            raise BenchFailed(started.lost() or f"{started.name} does not open")
        return started

    def _python(self, container: str, user: int) -> str:
        code, output = self.engine.execute(
            container,
            ("sh", "-c", "command -v python3 || command -v python"),
            env={},
            workdir="/",
            limit=1000,
            user=f"{user}:{user}",
        )
        found = output.decode("utf-8", "replace").strip()
        if code != 0 or not found.startswith("/"):
            raise ServiceError(
                f"{self.image} has no python3, or ended at once: {found}"
            )
        return found

    def close(self) -> None:
        """Remove every companion with its volume; safe to call twice.

        A trial that is still behind a door to one of them goes, too: it has lost what
        it needs, and keeps the volume in use.
        """
        with self._lock:
            self._closed = True
            volumes, self._volumes = self._volumes, []
        for volume in volumes:
            with suppress(ServiceError):
                for user in self.engine.users(volume):
                    self.engine.remove(Kind.CONTAINER, user)
        clean_run(self.engine, self.run)


def gates_network(engine: DockerEngine) -> str:
    """What a container's network has to be to see what this process sees."""
    own = own_container(engine)
    return f"container:{own}" if own else "host"


def _own_files(sockets: PurePosixPath, user: int) -> Iterable[bytes]:
    """The relay, and the volume's own folder: root's and the server's, nobody else's.

    Root in a trial's container has no right to pass over modes, so it has to be the
    owner; the trial's user has no way through.
    """
    time = now()
    yield archives.folder(ROOT, owner=0, mode=0o755, time=time)
    yield archives.folder(PORTER.parent, owner=0, mode=0o755, time=time)
    for file in (PORTER, _RELAY):
        source = Path(injected.__path__[0], file.name).read_bytes()
        yield from archives.file(file, source, owner=0, mode=0o444, time=time)
    yield archives.folder(DOORS, owner=0, mode=0o755, time=time)
    yield archives.folder(sockets, owner=0, group=user, mode=0o770, time=time)
