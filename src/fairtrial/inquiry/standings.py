"""Where a case stands when all its contexts were heard: the heaviest answer leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.domain.experiments import Unit
from fairtrial.inquiry.attribution import Attribution, attribute
from fairtrial.inquiry.cases import Case
from fairtrial.inquiry.contexts import (
    FAILING,
    Company,
    Kind,
    Says,
    deciding,
    hear,
    newest,
    too_small,
    tried,
    unit_of,
)
from fairtrial.inquiry.summaries import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The leading answer; where nothing is held against head, whether that acquits."""

    attribution: Attribution
    company: Company
    said: Says
    #: How it fails; None where nothing is held against head and no kind was shown.
    kind: Kind | None
    #: What the deciding trials ran as one unit.
    unit: Unit = Unit.TEST
    #: Nothing is held against head, and base was seen failing alike.
    acquitted: bool = False

    @property
    def introduced(self) -> bool:
        """Head was seen failing where base, in the same context, did not."""
        return self.said in (Says.CONVICTS, Says.FLAKIER, Says.NEW)


def standing(case: Case) -> Standing:
    """Where a case stands.

    Of answers that weigh the same, the one of the deciding context leads, else the
    narrowest one.
    """
    heard = hear(case)
    held = _held(case, heard)
    first = deciding(heard)
    company = max(held, key=lambda each: (held[each], each is first, -each))
    attribution = held[company]
    if case.never_acquitted:
        attribution = max(attribution, Attribution.INCONCLUSIVE)
    if attribution is not Attribution.NOTHING:
        return Standing(
            attribution=attribution,
            company=company,
            said=heard[company],
            kind=_kind(case, company),
            unit=unit_of(case, company),
        )
    if not _acquits(case, heard):
        return Standing(
            attribution=Attribution.LACKING,
            company=Company.SUITE,
            said=heard[Company.SUITE],
            kind=None,
        )
    alike = next(
        company
        for company, said in heard.items()
        if said in (Says.MATCHES, Says.NOT_FLAKIER)
    )
    return Standing(
        attribution=attribution,
        company=alike,
        said=heard[alike],
        kind=_old_kind(case, heard),
        unit=unit_of(case, alike),
        acquitted=True,
    )


def _held(case: Case, heard: Mapping[Company, Says]) -> Mapping[Company, Attribution]:
    """What each context holds against head."""
    return {
        company: Attribution.NOTHING
        if answer is Attribution.LACKING and _spared(company, heard)
        else answer
        for company, answer in (
            (company, attribute(case, reading, heard[company]))
            for company, reading in tried(case).items()
        )
    }


def _spared(company: Company, heard: Mapping[Company, Says]) -> bool:
    """Whether what a context lacks is not needed, because another one decides.

    Swaps are run where the case is decided, so their want elsewhere holds nothing. And
    once a context convicts, a wider one need not be known; a narrower one has to be.
    """
    first = deciding(heard)
    match heard[company]:
        case Says.CONVICTS | Says.FLAKIER:
            return company is not first
        case Says.NEW:
            return company is not newest(heard)
        case Says.UNKNOWN:
            return (
                first is not None and heard[first] is Says.CONVICTS and company > first
            )
        case (
            Says.UNDECIDED
            | Says.SILENT
            | Says.MATCHES
            | Says.UNPROVEN
            | Says.BASE_BROKEN
            | Says.NOT_FLAKIER
        ):
            return False


def _acquits(case: Case, heard: Mapping[Company, Says]) -> bool:
    """Whether base was seen failing in its own suite in every way that head fails.

    Polluters that explain the failure, and not all of it, may hide a new one.
    """
    seen_failing = case.suite.base in FAILING or case.suite.base is Summary.MIXED
    alike = heard[Company.SUITE] in (Says.MATCHES, Says.NOT_FLAKIER) or (
        heard[Company.SUITE] is Says.SILENT
        and seen_failing
        and Says.NOT_FLAKIER in heard.values()
    )
    hidden = heard.get(Company.AFTER) is Says.MATCHES and not case.necessary
    return alike and case.opening_seen_at_base and not hidden


def _kind(case: Case, company: Company) -> Kind:
    if tried(case)[company].head is Summary.MIXED:
        return Kind.NON_DETERMINISTIC
    if company is Company.ALONE:
        return Kind.ALONE
    if too_small(case):
        return Kind.BRITTLE
    if case.alone.head is Summary.PASSES:
        return Kind.VICTIM
    return Kind.NON_DETERMINISTIC


def _old_kind(case: Case, heard: Mapping[Company, Says]) -> Kind | None:
    """The kind of an acquitted failure, where an experiment shows it."""
    if any(reading.head is Summary.MIXED for reading in tried(case).values()):
        return Kind.NON_DETERMINISTIC
    if case.alone.head is Summary.PASSES and heard.get(Company.AFTER) is Says.MATCHES:
        return Kind.VICTIM
    cured = case.after is not None and (
        case.after.head is Summary.PASSES and case.after.base is Summary.PASSES
    )
    if heard[Company.ALONE] is Says.MATCHES and cured:
        return Kind.BRITTLE
    return None
