"""How a signature and what it signs travel together: DSSE, version 1.0.0.

https://github.com/secure-systems-lab/dsse: `protocol.md` and `envelope.md`. Nothing is
signed or checked here; `clients.keys` does that with what `signed_bytes` makes.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
#: Signatures of one envelope that are tried.
SIGNATURES: Final = 16


class EnvelopeRefused(ValueError):  # noqa: N818 - said as people say it
    """It is no envelope; the message says why, in a part of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """One signature; the key's id is a hint and decides nothing."""

    value: bytes
    key_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The bytes of a statement with the signatures over them."""

    payload: bytes
    payload_type: str = PAYLOAD_TYPE
    signatures: tuple[Signature, ...] = ()


def signed_bytes(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """What a signature is made over: DSSE's pre-authentication encoding."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def dump(envelope: Envelope) -> str:
    """The envelope as JSON text, ASCII only, ending with a line end."""
    document = {
        "payloadType": envelope.payload_type,
        "payload": base64.b64encode(envelope.payload).decode("ascii"),
        "signatures": [
            {
                "keyid": each.key_id,
                "sig": base64.b64encode(each.value).decode("ascii"),
            }
            for each in envelope.signatures
        ],
    }
    return json.dumps(document, indent=1) + "\n"


def read(document: Mapping[str, Any]) -> Envelope:
    """The envelope that a JSON object is; raises EnvelopeRefused."""
    kind, payload = document.get("payloadType"), document.get("payload")
    signatures = document.get("signatures")
    if kind != PAYLOAD_TYPE:
        raise EnvelopeRefused("its payload is no in-toto statement")
    if not isinstance(signatures, list) or len(signatures) > SIGNATURES:
        raise EnvelopeRefused("it has no list of signatures that could be read")
    return Envelope(
        payload=_decoded(payload),
        payload_type=kind,
        signatures=tuple(map(_signature, signatures)),
    )


def _signature(given: Any) -> Signature:
    if not isinstance(given, dict):
        raise EnvelopeRefused("a signature is no object")
    key_id = given.get("keyid")
    return Signature(
        value=_decoded(given.get("sig")),
        key_id=key_id if isinstance(key_id, str) else "",
    )


def _decoded(text: Any) -> bytes:
    """Both alphabets are allowed: the standard one, and that of URLs."""
    if not isinstance(text, str):
        raise EnvelopeRefused("it lacks a part")
    try:
        plain = text.translate(str.maketrans("-_", "+/")).encode("ascii")
        return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=True)
    except (ValueError, binascii.Error) as wrong:
        raise EnvelopeRefused("a part of it is no base64") from wrong
