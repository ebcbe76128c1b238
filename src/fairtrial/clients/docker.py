"""What the Docker engine is asked, and what it answers; nothing is decided here."""

from __future__ import annotations

import datetime as dt
import math
import os
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

import docker
import docker.utils
from docker.types import LogConfig, Mount, Ulimit

from fairtrial.clients.docker_door import open_door
from fairtrial.clients.docker_errors import Conflict, Gone, asking, is_silence
from fairtrial.clients.docker_stream import stream
from fairtrial.domain.errors import ServiceError


class Kind(StrEnum):
    """What a run makes in the engine."""

    CONTAINER = "container"
    IMAGE = "image"
    NETWORK = "network"
    VOLUME = "volume"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFacts:
    """What the engine says of itself and its machine; memory in bytes."""

    version: str
    architecture: str
    system: str
    cpus: int
    memory: int
    limits_memory: bool
    limits_swap: bool
    limits_processes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFacts:
    """An image as the engine knows it; `id` is the digest of its configuration."""

    id: str
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounted:
    """A volume of the engine's, and where it is seen in a container."""

    volume: str
    at: str
    read_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerPlan:
    """A container to be made; memory in bytes, everything not named is forbidden."""

    image: str
    argv: tuple[str, ...]
    user: str
    workdir: str
    #: None removes what the image has.
    env: Mapping[str, str | None]
    #: "none", "bridge", "host", the name of a network, or "container:" and an id.
    network: str
    memory: int
    processes: int
    shared_memory: int
    capabilities: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    volumes: tuple[Mounted, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerState:
    """How a container stands, or how it ended; `seconds` from start to end."""

    running: bool
    code: int
    out_of_memory: bool
    image: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """Something in the engine that carries a label that was asked for."""

    kind: Kind
    id: str
    labels: Mapping[str, str]


class DockerEngine:
    """One connection to an engine; may be used from several threads at once."""

    def __init__(self, api: docker.APIClient) -> None:
        self._api = api

    @classmethod
    def connect(cls, environ: Mapping[str, str] | None = None) -> Self:
        """The engine that DOCKER_HOST names, or the local one.

        Raises BenchUnavailable, with the true cause, when none answers.
        """
        return cls(open_door(os.environ if environ is None else environ))

    def close(self) -> None:
        """Lets the connection go."""
        self._api.close()

    def facts(self) -> EngineFacts:
        """What the engine says of itself."""
        with asking("describe itself"):
            info: dict[str, Any] = self._api.info()
        return EngineFacts(
            version=str(info.get("ServerVersion", "unknown")),
            architecture=str(info.get("Architecture", "unknown")),
            system=str(info.get("OSType", "unknown")),
            cpus=int(info.get("NCPU") or 1),
            memory=int(info.get("MemTotal") or 0),
            limits_memory=bool(info.get("MemoryLimit")),
            limits_swap=bool(info.get("SwapLimit")),
            limits_processes=bool(info.get("PidsLimit", True)),
        )

    def image(self, reference: str) -> ImageFacts | None:
        """The local image of that name or digest; None when there is none."""
        try:
            with asking(f"look at image {reference}"):
                found: dict[str, Any] = self._api.inspect_image(  # type: ignore[no-untyped-call]
                    reference
                )
        except Gone:
            return None
        config = found.get("Config") or {}
        pairs = (str(line).partition("=") for line in config.get("Env") or ())
        return ImageFacts(
            id=str(found["Id"]),
            env={name: value for name, _, value in pairs},
        )

    def pull(self, reference: str) -> None:
        """Fetches an image from its registry; raises ServiceError when it can't."""
        name, tag = docker.utils.parse_repository_tag(reference)
        with asking(f"pull {reference}"):
            for line in self._api.pull(
                name, tag=tag or "latest", stream=True, decode=True
            ):
                if isinstance(line, dict) and line.get("error"):
                    raise ServiceError(
                        f"the Docker engine could not pull {reference}: {line['error']}"
                    )

    def create(self, plan: ContainerPlan) -> str:
        """The id of a new container that has not been started."""
        host = self._api.create_host_config(
            network_mode=plan.network,
            cap_drop=["ALL"],
            cap_add=list(plan.capabilities),
            security_opt=["no-new-privileges"],
            mem_limit=plan.memory,
            memswap_limit=plan.memory,
            pids_limit=plan.processes,
            shm_size=plan.shared_memory,
            ulimits=[Ulimit(name="core", soft=0, hard=0)],
            init=True,
            # What an image has at the place of a volume is not copied into it.
            mounts=[
                Mount(one.at, one.volume, "volume", one.read_only, no_copy=True)
                for one in plan.volumes
            ],
            log_config=LogConfig(
                type=LogConfig.types.JSON,
                config={"max-size": "4m", "max-file": "2"},
            ),
        )
        with asking(f"make a container from {plan.image}"):
            made: dict[str, Any] = self._api.create_container(
                plan.image,
                entrypoint=[plan.argv[0]],
                command=list(plan.argv[1:]),
                user=plan.user,
                working_dir=plan.workdir,
                environment=[
                    name if value is None else f"{name}={value}"
                    for name, value in plan.env.items()
                ],
                # Who shares another's network has its name, too.
                hostname=None if plan.network.startswith("container:") else "fairtrial",
                labels=dict(plan.labels),
                host_config=host,
                healthcheck={"test": ["NONE"]},
                # The client's own proxy settings may hold a password.
                use_config_proxy=False,
            )
        return str(made["Id"])

    def make_volume(self, name: str, labels: Mapping[str, str]) -> None:
        """Makes an empty volume; one of that name that is there stays as it is."""
        with asking(f"make volume {name}"):
            self._api.create_volume(name, labels=dict(labels))

    def put(self, container: str, archive: Iterable[bytes]) -> None:
        """Extracts a tar stream at the container's root, started or not."""
        with asking("put files into a container"):
            self._api.put_archive(container, "/", archive)

    def start(self, container: str) -> None:
        """Starts a container."""
        with asking("start a container"):
            self._api.start(container)

    def wait(self, container: str, seconds: float) -> bool:
        """Whether the container ended within that time."""
        try:
            with asking("wait for a container"):
                self._api.wait(container, timeout=math.ceil(seconds))
        except ServiceError as error:
            if is_silence(error.__cause__):
                return not self.state(container).running
            raise
        return True

    def state(self, container: str) -> ContainerState:
        """How a container stands."""
        with asking("look at a container"):
            found: dict[str, Any] = self._api.inspect_container(container)
        state = found["State"]
        return ContainerState(
            running=bool(state.get("Running")),
            code=int(state.get("ExitCode") or 0),
            out_of_memory=bool(state.get("OOMKilled")),
            image=str(found.get("Image", "")),
            seconds=_between(state.get("StartedAt", ""), state.get("FinishedAt", "")),
        )

    def printed(self, container: str, limit: int) -> tuple[bytes, bytes]:
        """The last bytes of standard output and of standard error."""
        with asking("read what a container printed"):
            return (
                _tail(
                    self._api.logs(
                        container, stdout=True, stderr=False, stream=True, follow=False
                    ),
                    limit,
                ),
                _tail(
                    self._api.logs(
                        container, stdout=False, stderr=True, stream=True, follow=False
                    ),
                    limit,
                ),
            )

    @contextmanager
    def fetched(self, container: str, path: str) -> Iterator[Iterator[bytes]]:
        """A folder of a container as a tar stream, let go when the block is left."""
        with asking(f"read {path} of a container"):
            stream, _ = self._api.get_archive(container, path)
            try:
                yield stream
            finally:
                close = getattr(stream, "close", None)
                if close is not None:
                    close()

    def execute(
        self,
        container: str,
        argv: tuple[str, ...],
        *,
        env: Mapping[str, str],
        workdir: str,
        limit: int,
        user: str = "",
    ) -> tuple[int, bytes]:
        """Exit code and last output of one more process in a running container."""
        with asking("run a step in a container"):
            made: dict[str, Any] = self._api.exec_create(
                container, list(argv), environment=dict(env), workdir=workdir, user=user
            )
            stream: Any = self._api.exec_start(made["Id"], stream=True)
            try:
                output = _tail(stream, limit)
            finally:
                # The library leaves the connection to whoever asked for it, and
                # closes half of it when it is asked to.
                stream._response.close()  # noqa: SLF001
                stream.close()
            ended: dict[str, Any] = self._api.exec_inspect(made["Id"])
        code = ended.get("ExitCode")
        return (-1 if code is None else int(code), output)

    def talk(self, container: str, argv: tuple[str, ...], user: str) -> socket.socket:
        """A socket whose other end is standard input and output of one more process.

        Nothing may come from that process before it was sent something.
        """
        with asking("talk to a process in a container"):
            return stream(self._api, container, argv, user)

    def kill(self, container: str) -> None:
        """Ends every process of a container; one that has ended is left as it is."""
        with suppress(Conflict), asking("kill a container"):
            self._api.kill(container)

    def commit(self, container: str, name: str, labels: Mapping[str, str]) -> str:
        """The id of an image of what the container holds now, named `name:latest`."""
        changes = [f'LABEL {key}="{value}"' for key, value in labels.items()]
        with asking("freeze a container"):
            made: dict[str, Any] = self._api.commit(
                container,
                repository=name,
                tag="latest",
                changes=changes,
            )
        return str(made["Id"])

    def labelled(self, label: str) -> tuple[Labelled, ...]:
        """Everything that carries a label, "name" or "name=value", containers first."""
        wanted = {"label": label}
        with asking("list what a run made"):
            containers = self._api.containers(all=True, filters=wanted)
            # One that others were made from and that lost its name is listed with all.
            images = self._api.images(all=True, filters=wanted)
            networks = self._api.networks(filters=wanted)
            volumes = (self._api.volumes(filters=wanted) or {}).get("Volumes") or []
        return (
            *(_labelled(Kind.CONTAINER, one, "Id") for one in containers),
            *(_labelled(Kind.IMAGE, one, "Id") for one in images),
            *(_labelled(Kind.NETWORK, one, "Id") for one in networks),
            *(_labelled(Kind.VOLUME, one, "Name") for one in volumes),
        )

    def users(self, volume: str) -> tuple[str, ...]:
        """The containers that have a volume, whoever made them."""
        with asking(f"look for what uses {volume}"):
            found = self._api.containers(all=True, filters={"volume": volume})
        return tuple(str(one["Id"]) for one in found)

    def remove(self, kind: Kind, name: str) -> None:
        """Removes one thing; one that is gone already is no error."""
        with suppress(Gone), asking(f"remove {kind} {name}"):
            match kind:
                case Kind.CONTAINER:
                    self._api.remove_container(name, force=True, v=True)
                case Kind.IMAGE:
                    # Its parents are somebody else's, or removed by their own name.
                    self._api.remove_image(name, force=True, noprune=True)
                case Kind.NETWORK:
                    self._api.remove_network(name)
                case Kind.VOLUME:
                    self._api.remove_volume(name, force=True)


def _labelled(kind: Kind, one: Mapping[str, Any], key: str) -> Labelled:
    return Labelled(kind=kind, id=str(one[key]), labels=dict(one.get("Labels") or {}))


def _tail(chunks: Iterable[bytes], limit: int) -> bytes:
    """The last bytes of a stream, never more than about twice as many in memory."""
    kept: deque[bytes] = deque()
    size = 0
    for chunk in chunks:
        kept.append(chunk)
        size += len(chunk)
        while size - len(kept[0]) >= limit:
            size -= len(kept.popleft())
    return b"".join(kept)[-limit:]


def _between(started: str, finished: str) -> float:
    """Seconds between two of the engine's times; they have nanoseconds and a Z."""
    try:
        first, last = (
            dt.datetime.fromisoformat(f"{moment[:26].rstrip('Z')}+00:00")
            for moment in (started, finished)
        )
    except ValueError:
        return 0.0
    return max(0.0, (last - first).total_seconds())
