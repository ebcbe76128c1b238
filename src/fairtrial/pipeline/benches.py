"""On which bench a suite is tried."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fairtrial.benches import Bench
from fairtrial.benches.here import HereBench, HereOptions
from fairtrial.benches.here.toolchains import find_tools
from fairtrial.benches.package_index import way_from_elsewhere
from fairtrial.domain.errors import BenchUnavailable, ConfigurationError
from fairtrial.domain.settings import BenchKind, SuiteSettings
from fairtrial.pipeline.brief import Brief
from fairtrial.runners import RUNNERS

#: The runner's folders that hold command files and the event.
_RUNNER_FOLDERS: Final = ("RUNNER_TEMP", "GITHUB_WORKSPACE")


def kind_for(suite: SuiteSettings, brief: Brief) -> BenchKind:
    """Asked for, else what the suite says, else `image` in a job and `here` outside.

    A suite that starts containers itself is tried here: it needs the engine, and
    nothing that runs in a trial's container may have it.
    """
    asked = brief.request.bench
    if suite.docker:
        if asked is BenchKind.IMAGE:
            raise ConfigurationError(
                f"suite {suite.name} starts containers itself (`docker: true`) and "
                "can't be tried in one.",
                remedy="Leave `--bench image` out, or remove `docker: true`.",
            )
        return BenchKind.HERE
    if asked is not None:
        return asked
    in_job = "GITHUB_ACTIONS" in brief.request.event
    return BenchKind.IMAGE if suite.image or in_job else BenchKind.HERE


def bench_for(suite: SuiteSettings, brief: Brief) -> Bench:
    """The suite's bench; raises BenchUnavailable when it can't stand."""
    match kind_for(suite, brief):
        case BenchKind.HERE:
            return _here(suite, brief)
        case BenchKind.IMAGE:
            return _image(suite, brief)


def _here(suite: SuiteSettings, brief: Brief) -> Bench:
    world = brief.world
    event = brief.request.event
    found = find_tools(RUNNERS[suite.runner].tools(), world.environ)
    hidden = [event[name] for name in _RUNNER_FOLDERS if event.get(name)]
    return HereBench(
        HereOptions(
            scratch=world.scratch,
            cache=world.cache,
            environ=world.environ,
            env={**found.env, **suite.env},
            reachable=found.folders,
            network=suite.network,
            docker=suite.docker,
            hidden=tuple(map(Path, hidden)),
            conditions=suite.conditions,
        )
    )


def _image(suite: SuiteSettings, brief: Brief) -> Bench:
    # The engine's library is slow to load, and a run on this machine needs none of it.
    from fairtrial.benches.image import ImageBench  # noqa: PLC0415
    from fairtrial.clients.docker import DockerEngine  # noqa: PLC0415
    from fairtrial.clients.docker_owner import own_image  # noqa: PLC0415

    engine = DockerEngine.connect(brief.world.environ)
    brief.closers.callback(engine.close)
    image = suite.image or own_image(engine)
    if image is None:
        raise BenchUnavailable(
            f"suite {suite.name} names no image, and this process runs in none.",
            means="Outside the action there is no image of the gate's own to use.",
            remedy="Name an `image:` in the suite's configuration, or use "
            "`--bench here`.",
        )
    return ImageBench(
        image=image,
        client=engine,
        private=suite.image is None,
        network=suite.network,
        env=suite.env,
        pinned=suite.conditions,
        prepare_env=way_from_elsewhere(brief.world.environ),
    )
