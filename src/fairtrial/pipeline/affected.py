"""Which suites a change affects, as their configuration has it."""

from __future__ import annotations

from fairtrial.domain.settings import SuiteSettings
from fairtrial.pipeline.brief import Brief
from fairtrial.policy.paths_globs import first_match


def affected(
    brief: Brief,
) -> tuple[tuple[SuiteSettings, ...], tuple[SuiteSettings, ...]]:
    """The suites to try, and those of which no `when:` glob matches a changed path."""
    paths = [change.path for change in brief.subject.changed]
    tried: list[SuiteSettings] = []
    spared: list[SuiteSettings] = []
    for suite in brief.settings.suites:
        touched = any(first_match(suite.when, path) for path in paths)
        (tried if touched or not suite.when else spared).append(suite)
    return tuple(tried), tuple(spared)
