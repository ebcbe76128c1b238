"""The order in which a suite's tables are emptied, from the schema that it builds."""

from __future__ import annotations

from fairtrial.benches.databases.foreign_keys import References, of_clone, of_url
from fairtrial.domain.databases import DatabaseSettings
from fairtrial.domain.errors import ConfigurationError
from fairtrial.domain.request import Request
from fairtrial.domain.settings import SuiteSettings
from fairtrial.domain.trees import HEAD, Revision
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.single import standing_one
from fairtrial.pipeline.world import World
from fairtrial.policy.clean_order import clean_order
from fairtrial.policy.clean_statements import statements


def lines_of_url(variable: str, world: World) -> tuple[str, ...]:
    """The statements for the database whose URL a variable holds; it is only read."""
    url = world.environ.get(variable, "")
    if not url:
        raise ConfigurationError(
            f"The variable {variable} is not set.",
            remedy="Set it to the database's URL, or leave `--url-from` out.",
        )
    return _lines(of_url(url, variable))


def lines_of_suite(
    request: Request, world: World, database: str | None
) -> tuple[str, ...]:
    """The statements for one of a suite's databases, as head's schema builds it.

    Raises ConfigurationError when it is not clear which one is meant.
    """

    def checked(brief: Brief) -> Brief:
        # Before anything is built for an answer that can't be given.
        if len(brief.settings.suites) == 1:
            _chosen(brief.settings.suites[0], database)
        return brief

    with standing_one(request, world, Revision.HEAD, change=checked) as (_, stand):
        chosen = _chosen(stand.suite, database)
        databases = stand.laboratory.surroundings.databases
        assert databases is not None
        with databases.fresh(HEAD) as fresh:
            clone = fresh.clones[stand.suite.databases.index(chosen)]
            return _lines(of_clone(clone))


def _chosen(suite: SuiteSettings, database: str | None) -> DatabaseSettings:
    names = [each.name for each in suite.databases]
    if not names:
        raise ConfigurationError(
            f"suite {suite.name} has no databases.",
            means="They stand in the configuration of the base commit.",
            remedy="Give the suite `databases:`, or use `--url-from VARIABLE`.",
        )
    if database is None and len(names) == 1:
        return suite.databases[0]
    for each in suite.databases:
        if each.name == database:
            return each
    raise ConfigurationError(
        f"suite {suite.name} has several databases: {', '.join(names)}."
        if database is None
        else f"suite {suite.name} has no database {database}.",
        remedy=f"Say which one, with `--database {names[0]}`.",
    )


def _lines(found: References) -> tuple[str, ...]:
    return statements(clean_order(found.tables, found.keys), found.engine)
