"""How it is told which rows were left, and what they are enough for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from fairtrial.domain.databases import Verb
from fairtrial.domain.names import TestId
from fairtrial.inquiry.ledger.net import Left
from fairtrial.inquiry.ledger.proving import Proof
from fairtrial.inquiry.ledger.suspicion import short

#: Tests and tables that a sentence names before it only says that there are more.
_NAMED: Final = 3
#: A value that is longer than this is not told in a sentence.
_VALUE: Final = 40


def proven(proof: Proof, victim: TestId, by: Sequence[TestId]) -> str:
    """What was shown, in one or two sentences; nothing that was not tried."""
    enough = proof.enough
    verb = "is" if _is_one(enough) else "are"
    held = _held(proof)
    whose = _whose(enough, by)
    sentences = [f"{things(enough)}{whose}{held} {verb} enough to make `{victim}` fail"]
    if len(proof.lefts) < len(enough):
        sentences[0] += f"; so {_fewer(proof)}"
    sentences[0] = f"{sentences[0][0].upper()}{sentences[0][1:]}."
    if proof.columns:
        other = "other values there" if len(enough) > 1 else "another value there"
        sentences.append(f"With {other} it passes.")
    elif proof.alike:
        named = _joined([f"`{column}`" for column in proof.alike[:_NAMED]])
        more = " and more" if proof.alike[_NAMED:] else ""
        sentences.append(f"With other values of {named}{more} it fails, too.")
    return " ".join(sentences)


def advice(proof: Proof, by: Sequence[TestId]) -> str:
    """What would mend it: nothing committed, or nothing left to trip over."""
    parts = [f"roll back what {tests(by)} commit{'s' * (len(by) == 1)}"] if by else []
    if all(left.change.verb is Verb.INSERT for left in proof.enough):
        tables = dict.fromkeys(short(left.change.table) for left in proof.enough)
        named = _joined([f"`{table}`" for table in tables])
        parts.append(f"empty {named} before the test")
    said = ", or ".join(parts)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def not_enough(lefts: Sequence[Left], by: Sequence[TestId]) -> str:
    """That rows were left and no trial showed that they are enough."""
    return f"{things(lefts)}{_whose(lefts, by)} alone did not make it fail"


def things(lefts: Iterable[Left]) -> str:
    """As many of what: "3 rows of `orders` and the deletion of 2 rows of `rates`"."""
    counts: dict[tuple[Verb, str], int] = {}
    for left in lefts:
        key = (left.change.verb, short(left.change.table))
        counts[key] = counts.get(key, 0) + 1
    parts = [_thing(verb, table, count) for (verb, table), count in counts.items()]
    if len(parts) > _NAMED:
        rest = len(parts) - _NAMED + 1
        parts = [*parts[: _NAMED - 1], f"changes of {rest} more kinds"]
    return _joined(parts)


def tests(names: Sequence[TestId]) -> str:
    """Some tests by name."""
    shown = [f"`{name}`" for name in names[:_NAMED]]
    if len(names) > _NAMED:
        shown = [*shown[: _NAMED - 1], f"{len(names) - _NAMED + 1} more tests"]
    return _joined(shown)


def _thing(verb: Verb, table: str, count: int) -> str:
    rows = f"{count:,} row{'' if count == 1 else 's'} of `{table}`"
    match verb:
        case Verb.INSERT:
            return rows
        case Verb.UPDATE:
            return f"the update of {rows}"
        case Verb.DELETE:
            return f"the deletion of {rows}"
        case Verb.TRUNCATE:
            return f"the emptying of `{table}`"


def _whose(lefts: Iterable[Left], by: Sequence[TestId]) -> str:
    """Rows are left by a test; what it did to others' rows is done by it."""
    if not by:
        return ""
    added = all(left.change.verb is Verb.INSERT for left in lefts)
    return f" {'left by' if added else 'by'} {tests(by)}"


def _is_one(lefts: Sequence[Left]) -> bool:
    """Whether what is told of them is one thing."""
    kinds = {(left.change.verb, left.change.table) for left in lefts}
    if len(kinds) > 1:
        return False
    return len(lefts) == 1 or next(iter(kinds))[0] is not Verb.INSERT


def _held(proof: Proof) -> str:
    """What the columns that matter hold: ", `discount` NULL in each"."""
    if not proof.columns:
        return ""
    told = []
    each = " in each" if len(proof.columns_of) > 1 else ""
    for column in proof.columns:
        values = {
            left.change.values[column]
            for left in proof.columns_of
            if column in left.change.values
        }
        if values == {None}:
            told.append(f"`{column}` NULL{each}")
        elif len(values) == 1 and len(one := values.pop() or "") <= _VALUE and one:
            told.append(f"`{column}` {_quoted(one)}{each}")
        else:
            told.append(f"whose `{column}` counts")
    return f", {_joined(told)},"


def _quoted(value: str) -> str:
    return f"`'{' '.join(value.replace('`', ' ').split())}'`"


def _fewer(proof: Proof) -> str:
    """That a part of them is enough, too."""
    fewer, enough = proof.lefts, proof.enough
    one_kind = len({(each.change.verb, each.change.table) for each in enough}) == 1
    if one_kind:
        many = "one" if len(fewer) == 1 else f"{len(fewer):,}"
        return f"{'is' if len(fewer) == 1 else 'are'} {many} of them"
    return f"{'is' if _is_one(fewer) else 'are'} {things(fewer)} alone"


def _joined(parts: Sequence[str]) -> str:
    if len(parts) < 2:  # noqa: PLR2004 - one part has no "and"
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
