"""Whether a receipt is to be believed, and how a trusted place puts its name to it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fairtrial.clients.git import Git
from fairtrial.clients.keys import SigningKey, VerifyingKey
from fairtrial.domain.errors import ConfigurationError
from fairtrial.pipeline.publishing import PREDICATE, RECEIPT, REPORT, write_whole
from fairtrial.reporters import receipt_envelope, report_json
from fairtrial.reporters.receipt_checks import (
    Check,
    Holds,
    agrees_with_itself,
    agrees_with_report,
    is_about,
)
from fairtrial.reporters.receipt_envelope import Envelope, Signature, signed_bytes
from fairtrial.reporters.receipt_reader import (
    SIZE_LIMIT,
    GivenReceipt,
    ReceiptRefused,
    read,
)
from fairtrial.reporters.report_reader import ReportRefused

#: GitHub takes no predicate that is longer.
_PREDICATE_LIMIT: Final = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a receipt is held against; None: it is not."""

    key: VerifyingKey | None = None
    report: bytes | None = None
    git: Git | None = None


def bytes_of(path: Path, what: str) -> bytes:
    """A file that somebody named, no more of it than a reader takes and one byte.

    Raises ConfigurationError where it can't be read.
    """
    try:
        with path.open("rb") as stream:
            return stream.read(SIZE_LIMIT + 1)
    except OSError as wrong:
        raise ConfigurationError(
            f"The {what} {path} can't be read: {wrong.strerror}.",
            means="`fairtrial gate` and `fairtrial run` write it into their report "
            "directory.",
            remedy="Name the file, or run one of them first.",
        ) from wrong


def report_of(receipt: Path, named: Path | None) -> bytes | None:
    """The report that was named, or else lies beside the receipt; None: there is none.

    Raises ConfigurationError where it can't be read.
    """
    beside = receipt.parent / REPORT
    report = beside if named is None and beside.is_file() else named
    return None if report is None else bytes_of(report, "report")


def verify(data: bytes, against: Held) -> tuple[Check, ...]:
    """Everything that was looked at; one check alone where it is no receipt."""
    try:
        given = read(data)
    except ReceiptRefused as wrong:
        say = f"It is no receipt: {wrong}."
        return (Check(what="receipt", holds=Holds.NO, say=say),)
    return (
        _signature(given, against.key),
        agrees_with_itself(given),
        *(() if against.report is None else (_report(given, against.report),)),
        _tree(given, against.git),
    )


def sign(data: bytes, report: bytes | None, key: SigningKey) -> tuple[str, Check]:
    """The text of an envelope around a receipt that holds together, and that check.

    The text is empty where it does not: nobody's name belongs under it. What was signed
    before is signed anew, alone.
    """
    try:
        given = read(data)
    except ReceiptRefused as wrong:
        say = f"It is no receipt: {wrong}."
        return "", Check(what="receipt", holds=Holds.NO, say=say)
    checks = [agrees_with_itself(given)]
    if report is not None:
        checks.append(_report(given, report))
    bad = next((each for each in checks if each.holds is not Holds.YES), None)
    if bad is not None:
        return "", bad
    signature = Signature(
        value=key.sign(signed_bytes(given.payload)), key_id=key.key_id
    )
    envelope = Envelope(payload=given.payload, signatures=(signature,))
    return receipt_envelope.dump(envelope), checks[0]


def put_predicate(report: Path, commit: str) -> str:
    """Writes what an attestation says, beside a report, and tells of it in a sentence.

    Only where the receipt there holds together, is the report's, and is about the
    commit that the trusted job's own event names; it comes from a job that ran the
    change. Raises OSError where the file can't be written.
    """
    target = report.parent / PREDICATE
    target.unlink(missing_ok=True)
    try:
        data = bytes_of(report.parent / RECEIPT, "receipt")
        given = read(data)
        judged = bytes_of(report, "report")
    except ConfigurationError:
        return "There is no receipt to attest."
    except ReceiptRefused as wrong:
        return f"There is nothing to attest: the receipt is refused: {wrong}."
    checks = (agrees_with_itself(given), _report(given, judged))
    bad = next((each for each in checks if each.holds is not Holds.YES), None)
    if bad is not None:
        return f"There is nothing to attest: {bad.say}"
    if not is_about(given, commit, "gitCommit"):
        return "There is nothing to attest: the receipt is about another commit."
    text = json.dumps(given.predicate, indent=1, allow_nan=False) + "\n"
    if len(text) > _PREDICATE_LIMIT:
        return "There is nothing to attest: the receipt is too long for GitHub."
    write_whole(target, text)
    return f"{target.name} holds what an attestation may say of this run."


def _signature(given: GivenReceipt, key: VerifyingKey | None) -> Check:
    def check(holds: Holds, say: str) -> Check:
        return Check(what="signature", holds=holds, say=say)

    envelope = given.envelope
    if envelope is None or not envelope.signatures:
        return check(Holds.UNKNOWN, "It is unsigned: anybody could have written it.")
    if key is None:
        return check(Holds.UNKNOWN, "It is signed; name the public key with `--key`.")
    signed = signed_bytes(envelope.payload, envelope.payload_type)
    if any(key.made(each.value, signed) for each in envelope.signatures):
        return check(Holds.YES, f"Signed with the key {key.key_id[:16]}….")
    return check(Holds.NO, "No signature is by this key.")


def _report(given: GivenReceipt, data: bytes) -> Check:
    try:
        report = report_json.load(data)
    except ReportRefused as wrong:
        return Check(what="report", holds=Holds.NO, say=f"No report: {wrong.why}.")
    return agrees_with_report(given, data, report)


def _tree(given: GivenReceipt, git: Git | None) -> Check:
    if git is None:
        say = "There is no repository to hold it against."
        return Check(what="tree", holds=Holds.UNKNOWN, say=say)
    for tree, commit, what in _trees(git):
        if is_about(given, tree, "gitTree"):
            commits = given.digests("gitCommit")
            if commit is None or not commits or commit in commits:
                return Check(what="tree", holds=Holds.YES, say=f"It is about {what}.")
            say = f"It is about the files of {what}, in another commit."
            return Check(what="tree", holds=Holds.YES, say=say)
    about = ", ".join(sorted(each[:12] for each in given.digests("gitTree"))) or "none"
    say = f"It is about another tree ({about}) than HEAD's and the working tree's."
    return Check(what="tree", holds=Holds.NO, say=say)


def _trees(git: Git) -> Iterator[tuple[str, str | None, str]]:
    """HEAD's tree, then the working tree's, which takes longer to make."""
    head = git.commit("HEAD")
    if head is not None:
        yield git.tree_id(head), head, f"HEAD ({head[:12]})"
    yield git.snapshot().tree, None, "the working tree"
