"""Under which conditions containers run: places, limits, environment, user."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from fairtrial.clients.docker import ContainerPlan, EngineFacts, Mounted
from fairtrial.domain.settings import ConditionSettings, Network, Otlp
from fairtrial.domain.trials import Levels, Places

ROOT: Final = PurePosixPath("/fairtrial")
#: Fetched in one go; what its folder holds is kept apart by its folder's name.
OUT: Final = ROOT / "out"
#: Root's alone: where the helper keeps what tests report. Before the outputs in order,
#: so that those can't use up what is taken.
RESULTS: Final = OUT / "kept"
PLACES: Final = Places(
    workspace=ROOT / "work",
    inputs=ROOT / "in",
    outputs=OUT / "left",
    channel=ROOT / "in" / "channel",
)
HOME: Final = ROOT / "home"
TEMPORARY: Final = ROOT / "tmp"
VENV: Final = ROOT / "env"
#: Where volumes with servers' sockets are seen, each below its own name.
DOORS: Final = ROOT / "doors"
#: What the bench itself puts in; root's, and read-only for a trial.
OWN: Final = ROOT / "bench"
HELPER: Final = OWN / "fairtrial_apply.py"
COLLECTOR: Final = OWN / "fairtrial_collector.py"
RELAY: Final = OWN / "fairtrial_relay.py"
AFTERMATH: Final = OWN / "fairtrial_aftermath.py"
#: What takes in telemetry.
SINK: Final = tuple(OWN / f"fairtrial_{name}.py" for name in ("otlp", "grpc", "hpack"))
PLAN: Final = OWN / "plan.json"

#: "nobody" nearly everywhere, so that asking for the user's name finds an answer.
USER: Final = 65534

#: What an installer needs as root to give files their owners and modes; for freezing
#: only.
INSTALLER: Final = (
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "SETGID",
    "SETUID",
)

#: What the helper needs as root before a trial's command starts: to hand over the
#: printed streams, and to become the trial's user, which takes all three away.
STARTER: Final = ("CHOWN", "SETGID", "SETUID")

#: What is kept of the environment of the gate's own image; an image that the
#: configuration names keeps all of its own.
_KEPT: Final = frozenset(
    {"LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)

#: As under the bench `here`; what the image or the suite sets counts instead.
_PINNED: Final = {
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "CI": "true",
    "PYTHONHASHSEED": "0",
}

#: The engine's own words.
_MODES: Final = {Network.NONE: "none", Network.OPEN: "bridge"}

_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_GIGABYTE: Final = 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What is equal in all containers of a bench; sizes in bytes."""

    #: The digest of the image that everything starts from.
    image: str
    image_env: Mapping[str, str]
    #: Whether the image is the gate's own, so that its packages must be kept out.
    private: bool
    network: Network
    #: On top of the rest, in every step and trial.
    env: Mapping[str, str]
    memory: int
    processes: int
    shared_memory: int = _GIGABYTE // 2
    #: For trials; steps have the bench's own.
    pinned: ConditionSettings = field(default_factory=ConditionSettings)

    def environment(self) -> dict[str, str | None]:
        """The environment of every container; None removes what the image has."""
        kept = {
            name: value
            for name, value in self.image_env.items()
            if not self.private or name in _KEPT
        }
        dropped = dict.fromkeys(self.image_env.keys() - kept.keys())
        result: dict[str, str | None] = {
            **dropped,
            **_PINNED,
            "PATH": _PATH,
            **kept,
            **self.env,
            "HOME": str(HOME),
            "TMPDIR": str(TEMPORARY),
        }
        if self.private:
            result["PATH"] = f"{VENV}/bin:{result['PATH']}"
            result["VIRTUAL_ENV"] = str(VENV)
        return result

    def freezing(
        self, image: str, network: str, labels: Mapping[str, str]
    ) -> ContainerPlan:
        """A container in which steps are run as root, one after the other."""
        return ContainerPlan(
            image=image,
            argv=("tail", "-f", "/dev/null"),
            user="0:0",
            workdir=str(PLACES.workspace),
            env=self.environment(),
            network=network,
            memory=self.memory,
            processes=self.processes,
            shared_memory=self.shared_memory,
            capabilities=INSTALLER,
            labels=labels,
        )

    def trial(
        self,
        image: str,
        argv: tuple[str, ...],
        env: Mapping[str, str],
        labels: Mapping[str, str],
        volumes: tuple[Mounted, ...] = (),
    ) -> ContainerPlan:
        """A container whose helper runs one command as a user without rights.

        The helper stays root, so that the command can't touch what it keeps.
        """
        return ContainerPlan(
            image=image,
            argv=argv,
            user="0:0",
            workdir="/",
            env={**self.environment(), **env},
            network=_MODES[self.network],
            memory=self.memory,
            processes=self.processes,
            shared_memory=self.shared_memory,
            capabilities=STARTER,
            labels=labels,
            volumes=volumes,
        )

    @property
    def has_sink(self) -> bool:
        """Whether a trial takes in telemetry; only on a loopback of its own."""
        wanted = self.pinned.otlp is Otlp.ALWAYS
        return wanted and self.network is Network.NONE

    def fingerprint(self, facts: EngineFacts) -> str:
        """A digest of all this; values of the environment go in hashed."""
        parts = {
            "image": self.image,
            "private": self.private,
            "network": self.network.value,
            "environment": {
                name: value and hashlib.sha256(value.encode()).hexdigest()
                for name, value in self.environment().items()
            },
            "memory": self.memory if facts.limits_memory else None,
            "processes": self.processes if facts.limits_processes else None,
            "shared_memory": self.shared_memory,
            "user": USER,
            "engine": facts.version,
            "architecture": facts.architecture,
            "cpus": facts.cpus,
            "pinned": dataclasses.asdict(self.pinned),
        }
        text = json.dumps(parts, sort_keys=True)
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def levels(self, facts: EngineFacts) -> Levels:
        """Which isolation the engine gives under these conditions."""
        why_not = {}
        if self.network is Network.OPEN:
            why_not["network"] = "the suite's configuration says `network: open`"
        if not facts.limits_memory:
            why_not["memory"] = (
                "the engine's kernel does not count memory by control group"
            )
        elif not facts.limits_swap:
            why_not["memory"] = (
                "the engine's kernel does not count swap, so it comes on top"
            )
        return Levels(
            files="container",
            user="dropped",
            network=self.network.value,
            memory="limited" if facts.limits_memory else "unlimited",
            results="separate user",
            why_not=why_not,
        )


def fair_share(facts: EngineFacts, parallel: int) -> int:
    """Memory for one container, so that as many as run together fit the machine."""
    return max(_GIGABYTE, facts.memory * 4 // 5 // parallel)
