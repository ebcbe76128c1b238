"""Which assertion of head stands where one of base stood, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final

from fairtrial.domain.demands import Aspect, AssertionKind, Demand, Difference
from fairtrial.integrity.comparing.lattice import canonical, is_derived, judge
from fairtrial.integrity.comparing.rules import Rule
from fairtrial.integrity.comparing.sites import Site, difference

#: What two assertions have to share to be taken for one, the closest first.
_LIKENESSES: Final[tuple[Callable[[Demand], Hashable], ...]] = (
    canonical,
    lambda it: (it.kind, it.subject, it.inputs, it.expected, it.tolerance),
    lambda it: (it.kind, it.subject, it.inputs, it.guard),
    lambda it: (it.kind, it.subject, it.inputs),
    lambda it: (it.subject, it.inputs) if it.subject or it.inputs else None,
    lambda it: (it.kind, it.subject, it.expected) if it.subject else None,
    lambda it: (it.subject, it.expected) if it.subject and it.expected else None,
    lambda it: (it.kind, it.subject) if it.subject else None,
    lambda it: it.subject or None,
    lambda it: (it.kind, it.expected) if it.expected else None,
    lambda it: it.expected or None,
)


def compared(
    lost: Sequence[Site],
    gained: Sequence[Site],
    equal: Sequence[tuple[Site, Site]],
    is_replaced: Callable[[Site, Site], bool],
) -> Iterator[Difference]:
    """The differences between assertions that one side has and the other has not.

    An assertion that is lost is lost, whatever was added; only one that became another
    one is told as a pair.
    """
    for was, now in equal:
        if is_derived(was.demand.source, now.demand.source):
            yield difference(Rule.EXPECTED_DERIVED, Aspect.ASSERTION, was=was, now=now)
    is_alone = not any(was.demand.aspect is Aspect.ASSERTION for was, _ in equal)
    raised = _raised(lost, gained, is_alone=is_alone)
    yield from _changed(list(lost), list(gained), is_replaced, raised)


def _changed(
    olds: list[Site],
    news: list[Site],
    is_replaced: Callable[[Site, Site], bool],
    raised: Mapping[int, Site],
) -> Iterator[Difference]:
    for likeness in _LIKENESSES:
        for was, now in _pairs(olds, news, likeness):
            for judged in judge(was.demand, now.demand):
                changed = judged is Rule.SUBJECT_CHANGED
                replaced = changed and is_replaced(was, now)
                rule = Rule.SUBJECT_REPLACED if replaced else judged
                yield difference(
                    _of_support(rule, was, now), Aspect.ASSERTION, was=was, now=now
                )
    # Nothing can be told of what an assertion that can't fail was meant to be.
    hollow = [it for it in news if it.demand.kind is AssertionKind.VACUOUS]
    for was, now in zip(list(olds), hollow, strict=False):
        olds.remove(was)
        news.remove(now)
        yield difference(Rule.ASSERTION_VACUOUS, Aspect.ASSERTION, was=was, now=now)
    for was in olds:
        if id(was) in raised:
            now = raised[id(was)]
            rule = Rule.ASSERTION_CHANGED
            yield difference(rule, Aspect.ASSERTION, was=was, now=now)
        elif was.demand.kind is not AssertionKind.VACUOUS:
            yield difference(
                _of_support(Rule.ASSERTION_REMOVED, was, None),
                Aspect.ASSERTION,
                was=was,
            )
    for now in news:
        if now.demand.kind is not AssertionKind.VACUOUS:
            yield difference(
                _of_support(Rule.ASSERTION_ADDED, None, now), Aspect.ASSERTION, now=now
            )


def _raised(
    lost: Sequence[Site], gained: Sequence[Site], *, is_alone: bool
) -> Mapping[int, Site]:
    """Assertions on what a call gives, by `id`, where that call has to raise now.

    Where this is all that the test demands now, it is all that could be demanded:
    a call that raises gives nothing, and what followed it is not reached.
    """
    raising = [it for it in gained if _has_to_raise(it)]
    found = {
        id(was): now for now in raising for was in lost if _is_about(was, now.demand)
    }
    if found and is_alone and len(raising) == len(gained):
        found = {id(was): found.get(id(was), raising[0]) for was in lost}
    return found


def _has_to_raise(site: Site) -> bool:
    demand = site.demand
    is_plain = not site.support and not demand.guard
    return demand.kind is AssertionKind.RAISES and is_plain


def _is_about(was: Site, call: Demand) -> bool:
    """Whether an assertion looks at what a call gives, or at a part of that."""
    if was.support or "(_)" not in call.subject:
        return False
    subject, inputs = was.demand.subject, was.demand.inputs
    whole = call.subject.replace("(_)", f"({call.inputs})", 1)
    begins = subject.startswith(call.subject) and inputs.startswith(call.inputs)
    return begins or whole in inputs


def _of_support(rule: Rule, was: Site | None, now: Site | None) -> Rule:
    """The pattern's name where a helper lost or gained the assertion."""
    if rule is Rule.ASSERTION_REMOVED and was is not None and was.support:
        return Rule.HELPER_WEAKENED
    if rule is Rule.ASSERTION_ADDED and now is not None and now.support:
        return Rule.HELPER_STRENGTHENED
    weaker = {Rule.ASSERTION_WEAKENED, Rule.ASSERTION_VACUOUS}
    if rule in weaker and now is not None and now.support:
        return Rule.HELPER_WEAKENED
    return rule


def _pairs(
    olds: list[Site], news: list[Site], likeness: Callable[[Demand], Hashable]
) -> list[tuple[Site, Site]]:
    """Takes what is alike out of both lists, in their order."""
    waiting: dict[Hashable, list[Site]] = {}
    for site in reversed(news):
        if (trait := likeness(site.demand)) is not None:
            waiting.setdefault(trait, []).append(site)
    found, taken = [], set[int]()
    for site in olds:
        trait = likeness(site.demand)
        partners = None if trait is None else waiting.get(trait)
        if partners:
            partner = partners.pop()
            found.append((site, partner))
            taken |= {id(site), id(partner)}
    olds[:] = [site for site in olds if id(site) not in taken]
    news[:] = [site for site in news if id(site) not in taken]
    return found
