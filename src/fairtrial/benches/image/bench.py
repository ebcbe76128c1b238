"""The bench of containers: frozen as an image per tree, a fresh container a trial."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fairtrial.benches.image.cleaning import clean_abandoned, clean_run
from fairtrial.benches.image.companions import Companions
from fairtrial.benches.image.conditions import PLACES, Conditions, fair_share
from fairtrial.benches.image.freezing import Freezer, Frozen, key
from fairtrial.benches.image.thawing import Thawer
from fairtrial.benches.image.turns import Turns
from fairtrial.benches.image.ways import ImageWays, Porters, find_ways
from fairtrial.clients.docker import DockerEngine, EngineFacts, ImageFacts
from fairtrial.clients.docker_owner import labels_of, new_run, now
from fairtrial.clients.untrusted_archive import Caps
from fairtrial.domain.errors import (
    BenchFailed,
    BenchUnavailable,
    ServiceError,
    SurroundingsLost,
)
from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import ConditionSettings, Network, ServiceSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import (
    FileContent,
    Levels,
    Places,
    Setup,
    TrialOutput,
    TrialSpec,
)

#: Processes and threads of one trial.
PROCESSES = 2048

#: Seconds for one step of prepare or build.
STEP_TIMEOUT = 1800.0

#: Seconds that `close` gives trials whose container it removed.
_LAST_TRIAL = 3.0


class ImageBench:
    """Trials in containers of one image, through the engine's API alone.

    `private`: the image is the gate's own, so the suite gets a virtual environment
    that the gate's packages are not in; else the image's own Python is used.
    `prepare_env` goes to the steps with network alone (an index with a password, a
    proxy) and is never frozen.
    """

    def __init__(
        self,
        *,
        image: str,
        client: DockerEngine,
        private: bool = False,
        network: Network = Network.NONE,
        env: Mapping[str, str] | None = None,
        prepare_env: Mapping[str, str] | None = None,
        memory: int | None = None,
        processes: int = PROCESSES,
        pinned: ConditionSettings | None = None,
        parallel: int | None = None,
        step_timeout: float = STEP_TIMEOUT,
    ) -> None:
        """Looks at the engine and the image, which is pulled when it is not there.

        Removes what dead runs left. Raises BenchUnavailable. `memory` is in bytes,
        for one trial.
        """
        self._engine = client
        try:
            self._facts = _fit(client.facts())
            clean_abandoned(client)
            found = _found_or_pulled(client, image)
            self._run = new_run()
            self._labels = labels_of(self._run, client)
        except ServiceError as error:
            raise _unavailable(error) from error
        self._parallel = parallel or max(1, min(2, self._facts.cpus))
        self._conditions = Conditions(
            image=found.id,
            image_env=found.env,
            private=private,
            network=network,
            env=dict(env or {}),
            memory=memory or fair_share(self._facts, self._parallel),
            processes=processes,
            pinned=pinned or ConditionSettings(),
        )
        # Files of a trial are newer than those of the frozen trees, so that nothing
        # compiled from an old one is taken for the new; neither is in the future.
        begun = now()
        self._freezer = Freezer(
            engine=client,
            conditions=self._conditions,
            run=self._run,
            labels=self._labels,
            secret_env=dict(prepare_env or {}),
            time=begun - 20,
            step_timeout=step_timeout,
        )
        self._thawer = Thawer(
            engine=client,
            conditions=self._conditions,
            labels=self._labels,
            time=begun - 10,
            caps=Caps(),
        )
        self._porters = Porters(companions=self.companions())
        self._turns = Turns(self._parallel)
        self._freezing = threading.Lock()
        self._prepared: dict[str, Frozen] = {}
        self._frozen: dict[Revision, Frozen] = {}
        self._closed = threading.Event()

    @property
    def places(self) -> Places:
        """Where things are inside each container."""
        return PLACES

    @property
    def parallel(self) -> int:
        """How many trials may run side by side."""
        return self._parallel

    @property
    def own_loopback(self) -> bool:
        """Each container has its own."""
        return True

    @property
    def run_id(self) -> str:
        """The value of the label that everything of this bench carries."""
        return self._run

    def companions(self) -> Companions:
        """Makes containers of the same image beside the trials; they outlive this.

        Whoever asks closes it.
        """
        return Companions(engine=self._engine, image=self._conditions.image)

    def ways(self, services: Sequence[ServiceSettings]) -> ImageWays:
        """Make the ways to services; raises BenchFailed when one can't be made."""
        return find_ways(services, self._porters)

    def levels(self) -> Levels:
        """Which isolation this engine gives."""
        return self._conditions.levels(self._facts)

    def fingerprint(self) -> str:
        """A digest of image, limits, environment, network, user and engine."""
        return self._conditions.fingerprint(self._facts)

    def freeze(
        self, revision: Revision, files: Mapping[RepoPath, FileContent], setup: Setup
    ) -> None:
        """Makes one tree's image; `prepare` is shared by trees with equal keys."""
        with self._freezing:
            self._refuse_when_closed()
            try:
                prepared = self._prepared.get(key(setup))
                if prepared is None:
                    prepared = self._freezer.prepare(revision, setup)
                    self._prepared[key(setup)] = prepared
                self._frozen[revision] = self._freezer.build(
                    revision, prepared, files, setup
                )
            except (ServiceError, BenchFailed) as error:
                raise _unavailable(error) from error

    def run(self, spec: TrialSpec) -> TrialOutput:
        """Runs one trial in a fresh container of its frozen tree."""
        frozen = self._frozen.get(spec.frozen)
        if frozen is None:
            raise BenchFailed(f"the tree of {spec.frozen.value} was not frozen")
        with self._turns.taken(quiet=spec.quiet):
            self._refuse_when_closed()
            try:
                doors = self._porters.led(spec.doors)
                return self._thawer.run(frozen, replace(spec, doors=doors))
            except ServiceError as error:
                raise self._failed(error) from error

    def _failed(self, error: ServiceError) -> BenchFailed:
        """What it means that the engine did not do as it was asked."""
        try:
            self._engine.facts()
        except ServiceError:
            return SurroundingsLost(
                f"the Docker engine went away: {error.happened}",
                means="It was stopped or crashed in the middle of a run.",
                remedy="Look at the engine's log, and run again.",
            )
        return BenchFailed(error.happened)

    def close(self) -> None:
        """Removes every container, image, network and volume of this run."""
        self._closed.set()
        clean_run(self._engine, self._run)
        self._porters.close()
        # A trial that was on its way up may have made its container since.
        if self._turns.wait_until_idle(_LAST_TRIAL):
            clean_run(self._engine, self._run)

    def _refuse_when_closed(self) -> None:
        if self._closed.is_set():
            raise BenchFailed("the bench is closed")


def _fit(facts: EngineFacts) -> EngineFacts:
    if facts.system != "linux":
        raise BenchUnavailable(
            f"the Docker engine runs {facts.system} containers",
            means="Trials need Linux containers.",
            remedy="Switch the engine to Linux containers, or use `--bench here`.",
        )
    return facts


def _found_or_pulled(client: DockerEngine, image: str) -> ImageFacts:
    found = client.image(image)
    if found is not None:
        return found
    try:
        client.pull(image)
    except ServiceError as error:
        raise BenchUnavailable(
            f"image {image} is not on this machine and can't be pulled: "
            f"{error.happened}",
            means="Its name is wrong, its registry can't be reached from here, or it "
            "asks for a login.",
            remedy=f"Try `docker pull {image}`, or correct `image:` in the suite's "
            "configuration.",
        ) from error
    found = client.image(image)
    if found is None:
        raise BenchUnavailable(f"image {image} was pulled and is not there")
    return found


def _unavailable(error: ServiceError | BenchFailed) -> BenchUnavailable:
    return BenchUnavailable(
        error.happened,
        means=error.means or "The Docker engine answers, but not to this.",
        remedy=error.remedy or "Look at the engine's log, or use `--bench here`.",
    )
