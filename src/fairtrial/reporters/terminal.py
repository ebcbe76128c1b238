"""The report for whoever watches: a line a suite and a verdict, the decision last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.domain.decisions import Blame, Decision
from fairtrial.domain.report import FailureInfo, Finding, Report, SuiteInfo, Verdict
from fairtrial.reporters import counts, headline, leftovers
from fairtrial.reporters.hostile import console
from fairtrial.reporters.publication import Publication, PublicationKind
from fairtrial.reporters.table import heaviest_first
from fairtrial.reporters.words import WORDS, Locale, Words

#: Verdicts shown before the terminal only says how many more there are.
_SHOWN = 30
#: Last lines of a failed step's output.
_OUTPUT = 8


def render(report: Report, locale: Locale = Locale.EN) -> Sequence[Publication]:
    """The final view, as one text."""
    return (Publication(kind=PublicationKind.TERMINAL, content=final(report, locale)),)


def final(report: Report, locale: Locale = Locale.EN) -> str:
    """All lines of the final view; the last one says the decision.

    No line is a workflow command, whatever a test is called.
    """
    return "\n".join(_lines(report, WORDS[locale])) + "\n"


def _lines(report: Report, words: Words) -> Iterator[str]:
    for suite in report.suites:
        yield _suite(suite)
    verdicts = heaviest_first(report.verdicts)
    for verdict in verdicts[:_SHOWN]:
        yield from _verdict(verdict, words)
    if verdicts[_SHOWN:]:
        yield f"  {words.more.format(count=len(verdicts) - _SHOWN)}"
    for finding in heaviest_first(report.findings)[:_SHOWN]:
        yield from _finding(finding)
    if report.acceptances:
        yield f"accepted: {console(', '.join(report.acceptances), 400)}"
    for notice in report.notices[:_SHOWN]:
        yield f"note: {console(notice, 400)}"
    if report.stopped is not None:
        for text in report.stopped.splitlines()[:_SHOWN]:
            yield f"  {console(text, 400)}"
    if report.next.say and report.decision is not Decision.PASS:
        yield f"next: {console(report.next.say, 400)}"
    yield decision_line(report, words)


def decision_line(report: Report, words: Words) -> str:
    """The decision, what it rests on, and what it cost, in one line."""
    word = "STOPPED" if report.stopped is not None else report.decision.word.upper()
    culprits = dict.fromkeys(
        f"{culprit.path}:{culprit.lines}"
        for verdict in report.verdicts
        if verdict.side in {Blame.PRODUCTION, Blame.BOTH}
        for culprit in verdict.culprit
    )
    where = f" ({console(', '.join(list(culprits)[:2]), 160)})" if culprits else ""
    cost = report.cost
    spent = f"   {cost.trials:,} trials, {cost.seconds:,.0f} s" if cost.trials else ""
    return f"{word}  {headline.says(report, words)}{where}{spent}"


def _reason(failure: FailureInfo) -> str:
    message = failure.message.strip().partition("\n")[0]
    named = not message or message.startswith(failure.type)
    return message or failure.type if named else f"{failure.type}: {message}"


def _suite(suite: SuiteInfo) -> str:
    numbers = [f"{suite.listed:,} tests", f"{suite.seconds:,.1f} s"]
    for name, count in (
        ("failed", suite.failed),
        ("errored", suite.errored),
        ("missing", suite.missing),
        ("skipped", suite.skipped),
    ):
        if count:
            numbers.append(f"{count:,} {name}")
    if suite.state != "tried":
        numbers.append(console(suite.state, 40))
    return f"suite {console(suite.name, 60):<12} {'   '.join(numbers)}"


def _finding(finding: Finding) -> Iterator[str]:
    place = finding.test or finding.path or ""
    story, *output = finding.because.splitlines() or [""]
    yield "  " + console(f"{_name(finding)}: {place} {story}", 300)
    if finding.was or finding.now:
        yield "    " + console(f"was: {finding.was or '(nothing)'}", 160)
        yield "    " + console(f"now: {finding.now or '(nothing)'}", 160)
    # Of a failed step's output, the end tells why it failed.
    for text in output[-_OUTPUT:]:
        yield f"    {console(text)}"


def _name(finding: Finding) -> str:
    if finding.category is None or finding.category == finding.rule:
        return finding.rule
    return f"{finding.category.value} ({finding.rule})"


def _verdict(verdict: Verdict, words: Words) -> Iterator[str]:
    what = f"{words.categories[verdict.category]} → {words.sides[verdict.side]}"
    if verdict.decision is Decision.PASS and not verdict.introduced:
        what = f"{words.categories[verdict.category]}, {words.here_before}"
    culprit = ", ".join(f"{c.path}:{c.lines}" for c in verdict.culprit[:2])
    company = ", ".join((*verdict.polluters[:2], *verdict.setters[:2]))
    told = (
        console(counts.seen(verdict), 200),
        f"culprit {console(culprit, 120)}" if culprit else "",
        f"after {console(company, 200)}" if company else "",
        what,
    )
    yield f"  {console(verdict.test, 160)}   " + "   ".join(t for t in told if t)
    yield from (f"    {text}" for text in leftovers.on_a_terminal(verdict))
    # What could not be judged is often a bench that lacks something: the failure's
    # own words say what.
    if verdict.decision is Decision.INCONCLUSIVE and verdict.failure is not None:
        yield f"    {console(_reason(verdict.failure))}"
