"""What became of one assertion: looser, tighter, or about something else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairtrial.domain.demands import AssertionKind, Demand, Source
from fairtrial.integrity.comparing.expectations import says_less, says_more
from fairtrial.integrity.comparing.numbers import allows_more
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.words import contains, filled, words

_Kind = AssertionKind

#: How few values an assertion accepts: more is tighter. Kinds of one rank say
#: different things, none of them less than the other.
RANK: Final = {
    _Kind.EQUAL: 6,
    _Kind.IDENTICAL: 6,
    _Kind.SNAPSHOT: 6,
    _Kind.NONE: 6,
    _Kind.RAISES: 6,
    _Kind.CLOSE: 5,
    _Kind.CALLED: 5,
    # What it checks can't be seen: less than a value that is written down, and more
    # than anything that is known to be loose.
    _Kind.CUSTOM: 5,
    _Kind.CONTAINS: 4,
    _Kind.MATCHES: 4,
    _Kind.LENGTH: 4,
    _Kind.ORDERED: 4,
    _Kind.TYPE: 4,
    _Kind.TRUE: 4,
    _Kind.FALSE: 4,
    _Kind.NOT_EQUAL: 3,
    _Kind.NOT_NONE: 2,
    _Kind.RAISES_ANY: 2,
    _Kind.NOT_RAISES: 1,
    _Kind.VACUOUS: 0,
}

#: A boolean is told exactly by these, so that a type or a choice says less.
_BOOLEAN: Final = frozenset({_Kind.TRUE, _Kind.FALSE})
_LESS_THAN_BOOLEAN: Final = frozenset({_Kind.TYPE, _Kind.CONTAINS})

#: What says the opposite of what.
_OPPOSITES: Final = frozenset(
    frozenset(pair)
    for pair in (
        (_Kind.EQUAL, _Kind.NOT_EQUAL),
        (_Kind.IDENTICAL, _Kind.NOT_EQUAL),
        (_Kind.TRUE, _Kind.FALSE),
        (_Kind.NONE, _Kind.NOT_NONE),
        (_Kind.RAISES, _Kind.NOT_RAISES),
        (_Kind.RAISES_ANY, _Kind.NOT_RAISES),
    )
)

#: Kinds of which the opposite is told by a word before what is expected.
_NEGATABLE: Final = frozenset({_Kind.CONTAINS, _Kind.MATCHES, _Kind.TYPE})
_NOT: Final = "not "

_EXACT: Final = frozenset({_Kind.EQUAL, _Kind.IDENTICAL})
_SPELLINGS: Final = {
    "true": _Kind.TRUE,
    "false": _Kind.FALSE,
    "none": _Kind.NONE,
    "null": _Kind.NONE,
    "nil": _Kind.NONE,
}
#: Sources that are written down, and those that are worked out.
_DERIVED: Final = frozenset({Source.SUBJECT, Source.COMPUTED})
_FALSY: Final = frozenset({"0", "0.0", '""', "''", "[]", "{}", "()", "``"})


def canonical(demand: Demand) -> tuple[str, ...]:
    """The key of a demand with one spelling for `== True`, `is True` and the like."""
    kind, expected = _canonical_kind(demand)
    _, _, subject, inputs, _, tolerance, guard = demand.key
    name = "" if kind is None else kind.value
    return (demand.aspect.value, name, subject, inputs, expected, tolerance, guard)


def _canonical_kind(demand: Demand) -> tuple[AssertionKind | None, str]:
    kind, expected = demand.kind, demand.expected
    spelt = _SPELLINGS.get(expected.strip().lower())
    if kind in _EXACT and spelt is not None:
        return spelt, ""
    if kind is _Kind.NOT_EQUAL and spelt is _Kind.NONE:
        return _Kind.NOT_NONE, ""
    if kind is _Kind.IDENTICAL:
        return _Kind.EQUAL, expected
    if kind in _SPELLINGS.values():
        return kind, ""
    return kind, expected


def is_derived(base: Source, head: Source) -> bool:
    """Whether an expected value that was written down is worked out now."""
    return head in _DERIVED and base not in _DERIVED


def judge(base: Demand, head: Demand) -> tuple[Rule, ...]:
    """What became of an assertion; at least one pattern, whatever differs."""
    return tuple(dict.fromkeys(_judge(base, head))) or (Rule.ASSERTION_CHANGED,)


def _judge(base: Demand, head: Demand) -> Iterator[Rule]:
    if canonical(base) == canonical(head):
        yield Rule.ASSERTION_RESPELLED
        yield from _source(base, head)
        return
    yield from _guard(base, head)
    old, was = _canonical_kind(base)
    new, now = _canonical_kind(head)
    if old is None or new is None:
        yield Rule.ASSERTION_CHANGED
        return
    if new is _Kind.VACUOUS and old is not _Kind.VACUOUS:
        yield Rule.ASSERTION_VACUOUS
        return
    if _is_constant(head) and not _is_constant(base):
        yield Rule.ASSERTION_VACUOUS
        return
    yield from _source(base, head)
    if old is not new:
        yield _kinds(old, new, now)
    else:
        if was != now:
            yield _expected(old, was, now)
        if base.tolerance != head.tolerance:
            yield _tolerance(old, base.tolerance, head.tolerance)
    yield from _looked_at(base, head)


def _is_constant(demand: Demand) -> bool:
    """Whether nothing is looked at but what the test itself writes down."""
    return bool(demand.subject) and not any(
        word[0].isalpha() or word[0] in "_$@" for word in words(filled(demand))
    )


def _source(base: Demand, head: Demand) -> Iterator[Rule]:
    if is_derived(base.source, head.source):
        yield Rule.EXPECTED_DERIVED
    elif is_derived(head.source, base.source) and head.source is not Source.UNKNOWN:
        yield Rule.EXPECTED_PINNED


def _guard(base: Demand, head: Demand) -> Iterator[Rule]:
    if base.guard == head.guard:
        return
    if not base.guard or head.guard.startswith(base.guard):
        yield Rule.GUARD_ADDED
    elif not head.guard or base.guard.startswith(head.guard):
        yield Rule.GUARD_REMOVED
    else:
        yield Rule.GUARD_CHANGED


def _kinds(old: AssertionKind, new: AssertionKind, now: str) -> Rule:
    if frozenset({old, new}) in _OPPOSITES:
        looser = RANK[new] < RANK[old]
        return Rule.ASSERTION_WEAKENED if looser else Rule.ASSERTION_NEGATED
    if old in _BOOLEAN and new in _LESS_THAN_BOOLEAN:
        return Rule.ASSERTION_WEAKENED
    if old is _Kind.TRUE and (
        new is _Kind.NONE or (new is _Kind.EQUAL and now in _FALSY)
    ):
        return Rule.ASSERTION_NEGATED
    if RANK[new] < RANK[old]:
        return Rule.ASSERTION_WEAKENED
    if RANK[new] > RANK[old] and old is not _Kind.CUSTOM:
        return Rule.ASSERTION_STRENGTHENED
    return Rule.ASSERTION_CHANGED


def _expected(kind: AssertionKind, was: str, now: str) -> Rule:
    if kind in _NEGATABLE and was.startswith(_NOT) != now.startswith(_NOT):
        looser = now.startswith(_NOT)
        return Rule.ASSERTION_WEAKENED if looser else Rule.ASSERTION_NEGATED
    if says_less(kind, was, now):
        return Rule.ASSERTION_WEAKENED
    if says_more(kind, was, now):
        return Rule.ASSERTION_STRENGTHENED
    return Rule.EXPECTED_CHANGED


def _tolerance(kind: AssertionKind, was: str, now: str) -> Rule:
    if kind is _Kind.TYPE:
        # Only a type itself, or its subtypes, too.
        return Rule.ASSERTION_STRENGTHENED if now else Rule.ASSERTION_WEAKENED
    if kind is not _Kind.CLOSE:
        return Rule.ASSERTION_CHANGED
    if not now:
        # A library's own tolerance is taken to be the tighter one.
        return Rule.TOLERANCE_NARROWED
    if was and allows_more(was, now) is False:
        return Rule.TOLERANCE_NARROWED
    return Rule.TOLERANCE_WIDENED


def _looked_at(base: Demand, head: Demand) -> Iterator[Rule]:
    if (base.subject, base.inputs) == (head.subject, head.inputs):
        return
    old, new = filled(base), filled(head)
    if base.subject and _passes_through(old, new):
        yield Rule.SUBJECT_NORMALISED
    elif base.subject == head.subject:
        yield Rule.INPUT_CHANGED
    else:
        yield Rule.SUBJECT_CHANGED


def _passes_through(old: str, new: str) -> bool:
    """Whether what was looked at is a part of what is looked at now."""
    if old == new or "(" not in new or not contains(new, old):
        return False
    # A call with other arguments begins with the same words.
    was, now = words(old), words(new)
    return not (now[: len(was)] == was and now[len(was)] == "(")
