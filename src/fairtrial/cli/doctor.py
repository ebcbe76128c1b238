"""Which isolation a machine reaches, and why not more: `fairtrial doctor`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields

import click

from fairtrial.benches.here import HereBench, HereOptions
from fairtrial.benches.image.conditions import Conditions, fair_share
from fairtrial.cli.world import real_world
from fairtrial.clients.docker import DockerEngine
from fairtrial.domain.errors import ExitCode, FairtrialError
from fairtrial.domain.settings import Network
from fairtrial.domain.trials import Levels
from fairtrial.pipeline.world import World


@click.command("doctor")
def command() -> int:
    """Say which isolation each bench reaches on this machine, and why not more.

    Exit codes: 0 when a bench stands, 3 when none does.
    """
    world = real_world()
    stands = 0
    for name, look in (("here", _here), ("image", _image)):
        try:
            lines = list(_lines(look(world)))
            stands += 1
        except FairtrialError as stop:
            lines = [
                f"  can't stand: {line}" for line in stop.diagnostics().split("\n")
            ]
        sys.stdout.write(f"bench {name}\n" + "".join(f"{line}\n" for line in lines))
    sys.stdout.write(_ADVICE)
    return ExitCode.PASS if stands else ExitCode.NO_BENCH


_ADVICE = """\
on GitHub
  Make the gate's job a required check, and keep its workflow out of the author's
  reach: a ruleset that requires the workflow, or CODEOWNERS on `.github/**`.
"""


def _here(world: World) -> Levels:
    options = HereOptions(
        scratch=world.scratch, cache=world.cache, environ=world.environ
    )
    bench = HereBench(options)
    try:
        return bench.levels()
    finally:
        bench.close()


def _image(world: World) -> Levels:
    engine = DockerEngine.connect(world.environ)
    try:
        facts = engine.facts()
        conditions = Conditions(
            image="",
            image_env={},
            private=True,
            network=Network.NONE,
            env={},
            memory=fair_share(facts, 1),
            processes=1,
        )
        return conditions.levels(facts)
    finally:
        engine.close()


def _lines(levels: Levels) -> Iterator[str]:
    for field in fields(Levels):
        value = getattr(levels, field.name)
        if isinstance(value, str):
            why = levels.why_not.get(field.name, "")
            yield f"  {field.name:<10} {value}" + (f"   ({why})" if why else "")
