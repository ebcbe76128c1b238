"""When a suite's trials take in telemetry, and what exporters are told of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from fairtrial.domain.names import SuiteName
from fairtrial.domain.settings import ConditionSettings, Network, Otlp, SuiteSettings
from fairtrial.domain.trees import Revision
from fairtrial.domain.trials import FileContent
from fairtrial.pipeline import telemetry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.telemetry import ENDPOINT, is_mentioned, with_sink

BRIEF = cast(Brief, SimpleNamespace())
NAME = "OTEL_EXPORTER_OTLP_ENDPOINT"


def suite(otlp: Otlp, **more: Any) -> SuiteSettings:
    return SuiteSettings(
        name=SuiteName("unit"),
        runner="pytest",
        command="pytest",
        conditions=ConditionSettings(otlp=otlp),
        **more,
    )


def manifest(text: str) -> FileContent:
    return FileContent(mode=0o100644, data=text.encode())


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("opentelemetry-sdk==1.2\n", True),
        ("<artifactId>opentelemetry-exporter-otlp</artifactId>", True),
        ("OpenTelemetry.Exporter", True),
        ("requests\nhotel-api\n", False),
        ("", False),
    ],
)
def test_a_manifest_mentions_it_or_not(text: str, mentioned: bool) -> None:
    assert mentioned == is_mentioned([manifest("a"), manifest(text)])


@pytest.mark.parametrize(
    ("mentioning", "settled"),
    [
        ((), Otlp.NEVER),
        ((Revision.BASE,), Otlp.ALWAYS),
        ((Revision.HEAD,), Otlp.ALWAYS),
    ],
)
def test_auto_is_settled_by_the_manifests_of_both_sides_and_sets_no_variable(
    monkeypatch: pytest.MonkeyPatch,
    mentioning: tuple[Revision, ...],
    settled: Otlp,
) -> None:
    def manifests(brief: Brief, side: Revision) -> list[FileContent]:
        return [manifest("opentelemetry-sdk" if side in mentioning else "requests")]

    monkeypatch.setattr(telemetry, "_manifests", manifests)
    found = with_sink(suite(Otlp.AUTO), BRIEF)

    assert (settled, {}) == (found.conditions.otlp, dict(found.env))


def test_always_tells_exporters_where_to_send_unless_the_suite_does() -> None:
    told = with_sink(suite(Otlp.ALWAYS), BRIEF)
    own = with_sink(suite(Otlp.ALWAYS, env={NAME: "http://mine:1"}), BRIEF)

    assert {NAME: ENDPOINT} == told.env
    assert {NAME: "http://mine:1"} == own.env


@pytest.mark.parametrize("more", [{"docker": True}, {"network": Network.OPEN}])
def test_where_no_trial_has_a_loopback_of_its_own_nothing_is_told(
    more: dict[str, Any],
) -> None:
    assert {} == with_sink(suite(Otlp.ALWAYS, **more), BRIEF).env


def test_never_stays_never() -> None:
    never = suite(Otlp.NEVER)

    assert never == with_sink(never, BRIEF)
