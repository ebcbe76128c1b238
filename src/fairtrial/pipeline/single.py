"""One suite of head on its bench, for the commands that try and do not judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from fairtrial.domain.errors import BenchUnavailable, ConfigurationError
from fairtrial.domain.request import Request
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.pipeline.brief import Brief, read_brief
from fairtrial.pipeline.stand import Stand, stand_up
from fairtrial.pipeline.world import World
from fairtrial.subject.workspace import open_repository


def _as_it_is(brief: Brief) -> Brief:
    return brief


@contextmanager
def standing(
    request: Request,
    world: World,
    *sides: Revision,
    change: Callable[[Brief], Brief] = _as_it_is,
) -> Iterator[tuple[Brief, Iterator[Stand]]]:
    """The asked-for suites one by one, each with these trees built and frozen.

    It is the path that the gate takes, so that everyone's runs can be compared.
    Raises BenchUnavailable when a tree does not build.
    """
    with open_repository(request.repo, world.environ) as git, ExitStack() as closers:
        brief = change(read_brief(git, request, world, closers))
        stands = (_standing(suite, brief, sides) for suite in brief.settings.suites)
        yield brief, stands


@contextmanager
def standing_one(
    request: Request,
    world: World,
    *sides: Revision,
    change: Callable[[Brief], Brief] = _as_it_is,
) -> Iterator[tuple[Brief, Stand]]:
    """The one suite that is meant; raises ConfigurationError when it is not clear."""
    with standing(request, world, *sides, change=change) as (brief, stands):
        names = [suite.name for suite in brief.settings.suites]
        if len(names) > 1:
            raise ConfigurationError(
                f"Several suites are configured: {', '.join(names)}.",
                means="A test belongs to one of them.",
                remedy=f"Say which one, with `--suite {names[0]}`.",
            )
        yield brief, next(stands)


def _standing(suite: SuiteSettings, brief: Brief, sides: tuple[Revision, ...]) -> Stand:
    stand = stand_up(suite, brief, sides)
    for revision, broken in stand.broken.items():
        raise BenchUnavailable(
            f"suite {suite.name}: {revision.value} does not build: `{broken.step}` "
            f"failed\n{broken.output.strip()[-4000:]}",
            means="A step of `prepare:`, `build:` or a `schema:` ended with an error.",
            remedy="Mend the step, or the project's manifests if it was detected.",
        )
    return stand
