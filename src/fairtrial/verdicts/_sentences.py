"""How reasons are said: the facts of a standing in words that rules share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairtrial.inquiry.contexts import Company, Says
from fairtrial.inquiry.standings import Standing

#: What was seen of head and base, as the main clause of a sentence.
SEEN: Final[Mapping[Says, str]] = {
    Says.CONVICTS: "it always fails at head and always passes at base",
    Says.MATCHES: "it always fails at head and at base, in the same ways",
    Says.UNPROVEN: "it always fails at head and at base, but not in the same ways",
    Says.NEW: "it fails at head, and base has no such test",
    Says.BASE_BROKEN: "it fails at head, and base's version can't be collected",
    Says.FLAKIER: "it fails at head significantly more often than at base",
    Says.NOT_FLAKIER: "it fails at base as often as at head, in the same ways",
    Says.UNDECIDED: "it passes and fails, and the runs do not tell head from base",
    Says.SILENT: "the failure was not seen again at head",
    Says.UNKNOWN: "too little was seen of it at head or at base",
}


def company(found: Standing) -> str:
    """The company in which the test was seen, to begin a sentence with."""
    match found.company:
        case Company.ALONE:
            return "Alone"
        case Company.AFTER:
            return "After the tests named here"
        case Company.WIDER:
            return f"In its {found.unit.name.lower()}"
        case Company.SUITE:
            return "In the suite"


def facts(found: Standing) -> str:
    """Company and what was seen, without a full stop."""
    return f"{company(found)}, {SEEN[found.said]}"


def production_shown(found: Standing) -> str:
    """Why production is to blame, as a whole sentence."""
    if found.said is Says.NEW:
        return f"{facts(found)}; it passes on base's production."
    return f"{facts(found)}; base's own version fails on head's production too."


def tests_shown(found: Standing) -> str:
    """Why only tests are to blame, as a whole sentence."""
    if found.said is Says.NEW:
        return (
            f"{facts(found)}; it fails on base's production too, where it passes alone."
        )
    return f"{facts(found)}; base's own version passes on head's production."


def acquittal_shown(found: Standing) -> str:
    """Why it does not count against this change, as a whole sentence."""
    if found.company is Company.SUITE:
        return f"{facts(found)}."
    return f"{facts(found)}, and base fails in its own suite."
