"""Is this really a receipt? Reads one as data that an attacker may have made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from fairtrial.domain.receipts import Result, Scope
from fairtrial.reporters import receipt_envelope
from fairtrial.reporters.receipt_envelope import Envelope, EnvelopeRefused
from fairtrial.reporters.strict_json import JsonRefused, check, parse

#: Bytes; 100,000 tests with long names take about fifteen million.
SIZE_LIMIT: Final = 64_000_000


class ReceiptRefused(ValueError):  # noqa: N818 - said as people say it
    """It is no receipt; the message says why, in a part of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenReceipt:
    """A receipt as somebody gave it; every field has the type that it should."""

    #: The statement's own bytes, which a signature is over.
    payload: bytes
    #: None: it came without an envelope, so without a signature.
    envelope: Envelope | None
    statement: Mapping[str, Any]

    @property
    def predicate(self) -> Mapping[str, Any]:
        """What is said of the subject."""
        found: Mapping[str, Any] = self.statement["predicate"]
        return found

    @property
    def more(self) -> Mapping[str, Any]:
        """Our own fields."""
        found: Mapping[str, Any] = self.predicate["fairtrial"]
        return found

    @property
    def result(self) -> Result:
        """The one word."""
        return Result(self.predicate["result"])

    @property
    def scope(self) -> Scope:
        """How much was run."""
        return Scope(self.more["scope"])

    def digests(self, algorithm: str) -> frozenset[str]:
        """The digests of this kind that its subject has."""
        return frozenset(
            each["digest"][algorithm]
            for each in self.statement["subject"]
            if algorithm in each["digest"]
        )

    def names(self, field: str) -> Counter[str]:
        """How many names of tests a list has, by suite."""
        return Counter(each.partition(" ")[0] for each in self.predicate[field])


def read(data: bytes) -> GivenReceipt:
    """The receipt in these bytes, a statement or an envelope around one.

    Raises ReceiptRefused for anything else, and never any other exception.
    """
    try:
        document = parse(data, SIZE_LIMIT)
        if not isinstance(document, dict):
            raise ReceiptRefused("it is no object")
        envelope, payload = None, data
        if "payload" in document:
            envelope = receipt_envelope.read(document)
            payload = envelope.payload
            document = parse(payload, SIZE_LIMIT)
        check(document, "receipt")
    except (JsonRefused, EnvelopeRefused) as wrong:
        raise ReceiptRefused(str(wrong)) from wrong
    return GivenReceipt(payload=payload, envelope=envelope, statement=document)
