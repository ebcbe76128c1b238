"""What a verification of a receipt finds on a real repository, with real keys."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from tests.reporters.receipts import BLOCKED
from tests.reporters.sample import REPORT

from fairtrial.clients.git import Git
from fairtrial.clients.keys import (
    SigningKey,
    VerifyingKey,
    read_signing_key,
    read_verifying_key,
)
from fairtrial.pipeline.verifying import Held, put_predicate, sign, verify
from fairtrial.reporters import receipt, report_json
from fairtrial.reporters.receipt_checks import Holds, all_of

JUDGED = report_json.dump(REPORT).encode()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "a.py").write_text("A = 1\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
            cwd=folder,
            check=True,
        )
    return folder


@pytest.fixture
def keys(tmp_path: Path) -> tuple[SigningKey, VerifyingKey]:
    made = Ed25519PrivateKey.generate()
    private, public = tmp_path / "key.pem", tmp_path / "key.pub"
    private.write_bytes(
        made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    public.write_bytes(
        made.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    return read_signing_key(private), read_verifying_key(public)


def receipt_of(folder: Path) -> bytes:
    with Git(folder) as git:
        head = git.commit("HEAD")
        assert head is not None
        made = replace(BLOCKED, head_commit=head, head_tree=git.tree_id(head))
    return receipt.dump(made).encode()


def found(data: bytes, folder: Path, key: VerifyingKey | None) -> dict[str, Holds]:
    with Git(folder) as git:
        checks = verify(data, Held(key=key, report=JUDGED, git=git))
    return {each.what: each.holds for each in checks}


def test_a_signed_receipt_of_this_tree_and_report_is_verified(
    repository: Path, keys: tuple[SigningKey, VerifyingKey]
) -> None:
    text, _ = sign(receipt_of(repository), JUDGED, keys[0])

    assert found(text.encode(), repository, keys[1]) == {
        "signature": Holds.YES,
        "result": Holds.YES,
        "report": Holds.YES,
        "tree": Holds.YES,
    }


def test_an_unsigned_receipt_is_told_as_such(
    repository: Path, keys: tuple[SigningKey, VerifyingKey]
) -> None:
    for key in (None, keys[1]):
        seen = found(receipt_of(repository), repository, key)

        assert Holds.UNKNOWN is seen["signature"]
        assert Holds.YES is seen["tree"]


def test_a_signature_that_nobody_has_checked_verifies_nothing(
    repository: Path, keys: tuple[SigningKey, VerifyingKey]
) -> None:
    text, _ = sign(receipt_of(repository), JUDGED, keys[0])

    assert Holds.UNKNOWN is found(text.encode(), repository, None)["signature"]


def test_another_payload_under_an_old_signature_does_not_hold(
    repository: Path, keys: tuple[SigningKey, VerifyingKey]
) -> None:
    text, _ = sign(receipt_of(repository), JUDGED, keys[0])
    other, _ = sign(receipt.dump(BLOCKED).encode(), JUDGED, keys[0])
    forged = {**json.loads(text), "payload": json.loads(other)["payload"]}

    seen = found(json.dumps(forged).encode(), repository, keys[1])

    assert Holds.NO is seen["signature"]


def test_a_receipt_of_another_tree_does_not_hold(repository: Path) -> None:
    data = receipt_of(repository)
    (repository / "a.py").write_text("A = 2\n")
    assert Holds.YES is found(data, repository, None)["tree"]
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "b"],
        cwd=repository,
        check=True,
    )

    assert Holds.NO is found(data, repository, None)["tree"]


def test_a_receipt_of_the_working_tree_is_about_it(repository: Path) -> None:
    (repository / "a.py").write_text("A = 2\n")
    with Git(repository) as git:
        tree = git.snapshot().tree
    made = replace(BLOCKED, head_commit=None, head_tree=tree)

    seen = found(receipt.dump(made).encode(), repository, None)

    assert Holds.YES is seen["tree"]


def test_nobody_signs_what_contradicts_its_report(
    keys: tuple[SigningKey, VerifyingKey],
) -> None:
    other = report_json.dump(replace(REPORT, notices=("else",))).encode()

    text, check = sign(receipt.dump(BLOCKED).encode(), other, keys[0])

    assert ("", Holds.NO) == (text, check.holds)
    assert ("", Holds.NO) == (
        sign(b"{}", None, keys[0])[0],
        sign(b"{}", None, keys[0])[1].holds,
    )


def test_what_is_no_receipt_is_one_check_that_does_not_hold() -> None:
    checks = verify(b"[" * 100_000, Held())

    assert [Holds.NO] == [each.holds for each in checks]
    assert Holds.NO is all_of(checks)


def test_without_a_repository_the_tree_can_not_be_told() -> None:
    checks = verify(receipt.dump(BLOCKED).encode(), Held())

    assert Holds.UNKNOWN is all_of(checks)


def test_a_trusted_job_attests_only_the_receipt_of_its_own_commit(
    tmp_path: Path,
) -> None:
    report, target = tmp_path / "report.json", tmp_path / "predicate.json"
    report.write_bytes(JUDGED)
    target.write_text("an old one")

    assert "no receipt" in put_predicate(report, "a" * 40)
    assert not target.exists()

    (tmp_path / "receipt.json").write_text(receipt.dump(BLOCKED))
    assert "another commit" in put_predicate(report, "e" * 40)
    assert not target.exists()

    assert BLOCKED.head_commit is not None
    said = put_predicate(report, BLOCKED.head_commit)
    assert "what an attestation may say" in said
    assert json.loads(target.read_text()) == receipt.statement(BLOCKED)["predicate"]

    report.write_bytes(JUDGED + b" ")
    assert "not the one" in put_predicate(report, BLOCKED.head_commit)
    assert not target.exists()
