"""Whether a suite's trials take in telemetry, and what exporters are told of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from fairtrial.domain.names import RepoPath
from fairtrial.domain.settings import Network, Otlp, SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent
from fairtrial.laboratory.source import frozen_tree
from fairtrial.pipeline.brief import Brief
from fairtrial.trees import dependency_files

_MENTIONED: Final = re.compile(rb"opentelemetry|otlp", re.IGNORECASE)
#: Both protocols are understood there.
ENDPOINT: Final = "http://127.0.0.1:4318"
#: OpenTelemetry's own variable; where a suite sets it, it knows better.
_ENV: Final[Mapping[str, str]] = {"OTEL_EXPORTER_OTLP_ENDPOINT": ENDPOINT}


def with_sink(suite: SuiteSettings, brief: Brief) -> SuiteSettings:
    """The suite with `auto` settled by what the manifests of both sides mention.

    A sink listens where exporters look by default. Only `always` sets their variable,
    too: many programs send nothing without it, and would behave otherwise with it.
    """
    match suite.conditions.otlp:
        case Otlp.NEVER:
            return suite
        case Otlp.ALWAYS:
            alone = not suite.docker and suite.network is Network.NONE
            env = {**(_ENV if alone else {}), **suite.env}
            return replace(suite, env=env)
        case Otlp.AUTO:
            wanted = any(is_mentioned(_manifests(brief, side)) for side in Revision)
            settled = Otlp.ALWAYS if wanted else Otlp.NEVER
            return replace(suite, conditions=replace(suite.conditions, otlp=settled))


def is_mentioned(manifests: Iterable[FileContent]) -> bool:
    """Whether a manifest or lock file names OpenTelemetry or its protocol."""
    return any(_MENTIONED.search(each.data) for each in manifests)


def _manifests(brief: Brief, side: Revision) -> Iterable[FileContent]:
    found: Mapping[RepoPath, FileContent] = dependency_files(
        brief.source.listing(frozen_tree(side)),
        brief.subject.rules,
        brief.subject.sides.read,
    )
    return found.values()
