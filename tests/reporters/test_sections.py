"""Around the tables: who accepted, what to do next, under whose authority."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reporters.sample import PASSED, REPORT

from fairtrial.domain.report import Next
from fairtrial.reporters import Locale, headline, markdown, sections, terminal
from fairtrial.reporters.words import WORDS

EN = WORDS[Locale.EN]
ACCEPTED = replace(PASSED, acceptances=("review by @alice at 1a2b3c4",))


def test_an_acceptance_is_said_by_whom_and_the_headline_claims_no_more() -> None:
    page = markdown.comment(ACCEPTED)

    assert page.startswith("### ✅ A person has accepted this change as it stands\n")
    assert "**Accepted:** review by `@alice` at `1a2b3c4`." in page
    assert "accepted: review by @alice at 1a2b3c4" in terminal.final(ACCEPTED)


def test_what_nobody_accepted_is_not_said_to_be() -> None:
    assert "accepted" not in markdown.comment(PASSED).lower()
    assert "accepted" not in terminal.final(PASSED).lower()


@pytest.mark.parametrize("hostile", ["@everyone <b>", "x\n\n# y", "[a](http://b)"])
def test_an_acceptance_of_a_forged_report_says_nothing_else(hostile: str) -> None:
    line = sections.accepted(replace(PASSED, acceptances=(hostile,)), EN)

    assert 1 == len(line.splitlines())
    assert "`" in line


def test_what_the_first_line_says_is_not_said_again_and_the_rest_is() -> None:
    said = headline.says(REPORT, EN)
    report = replace(REPORT, next=Next(actor="person", say=f"{said}. Do this."))

    assert "**Next:** Do this." == sections.following(report, EN)
    assert "" == sections.following(
        replace(REPORT, next=Next(actor="person", say=f"{said}.")), EN
    )


def test_an_agents_authority_is_told_with_its_reason() -> None:
    assert REPORT.subject is not None
    subject = replace(
        REPORT.subject, authority="repair", authority_because="fix[bot] pushed"
    )

    footer = sections.footer(replace(REPORT, subject=subject))

    assert "authority `repair` (`fix[bot]` pushed)" in footer
    assert "authority" not in sections.footer(REPORT)
