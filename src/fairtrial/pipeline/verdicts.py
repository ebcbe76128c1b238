"""The verdicts of a run, and what the victims among them trip over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.report import Verdict
from fairtrial.inquiry.state import Inquiry
from fairtrial.pipeline.brief import Brief
from fairtrial.pipeline.judging import verdicts_of
from fairtrial.pipeline.opening import Opening
from fairtrial.pipeline.pinning import pinned
from fairtrial.pipeline.reporting import subject_of
from fairtrial.pipeline.surroundings import surrounded
from fairtrial.reporters.commands import replay_command


def pronounced(
    openings: Sequence[Opening], inquiries: Sequence[Inquiry], brief: Brief
) -> Iterator[Verdict]:
    """A verdict for each failed test, in the order of suites and tests.

    Pure up to the verdict; then trials pin down what was left behind, and add to what
    it says without changing it. Each inquiry is that of the opening at its place.
    """
    subject = subject_of(brief)
    for opening, inquiry in zip(openings, inquiries, strict=True):
        verdicts = verdicts_of(
            inquiry,
            brief.settings.policy.pre_existing_max,
            lambda verdict: replay_command(verdict, subject),
        )
        told = surrounded(verdicts, inquiry, opening.stand.suite.network)
        yield from pinned(told, inquiry, opening.stand, brief)
