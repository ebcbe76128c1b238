"""Keys that OpenSSL makes sign and check; everything else is told in one sentence."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from fairtrial.clients.keys import read_signing_key, read_verifying_key
from fairtrial.domain.errors import ConfigurationError


def openssl(*words: str) -> None:
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    for name in ("one", "two"):
        openssl("genpkey", "-algorithm", "ed25519", "-out", f"{folder}/{name}.pem")
        openssl(
            "pkey",
            "-in",
            f"{folder}/{name}.pem",
            "-pubout",
            "-out",
            f"{folder}/{name}.pub",
        )
    openssl("genpkey", "-algorithm", "x25519", "-out", f"{folder}/other.pem")
    openssl(
        "pkey", "-in", f"{folder}/other.pem", "-pubout", "-out", f"{folder}/other.pub"
    )
    openssl(
        "pkey",
        "-in",
        f"{folder}/one.pem",
        "-aes256",
        "-passout",
        "pass:secret",
        "-out",
        f"{folder}/locked.pem",
    )
    (folder / "noise.pem").write_bytes(b"\xff" * 100_000)
    (folder / "empty.pem").write_bytes(b"")
    return folder


def test_a_signature_is_made_by_its_own_key_over_its_own_bytes(keys: Path) -> None:
    private = read_signing_key(keys / "one.pem")
    public, other = (read_verifying_key(keys / name) for name in ("one.pub", "two.pub"))
    signature = private.sign(b"data")

    assert public.made(signature, b"data")
    assert not public.made(signature, b"date")
    assert not public.made(signature[:-1], b"data")
    assert not public.made(b"", b"data")
    assert not other.made(signature, b"data")
    assert public.key_id == private.key_id != other.key_id


def test_openssl_agrees_with_the_signature(keys: Path, tmp_path: Path) -> None:
    (tmp_path / "sig").write_bytes(read_signing_key(keys / "one.pem").sign(b"data"))
    (tmp_path / "data").write_bytes(b"data")

    openssl(
        "pkeyutl", "-verify", "-pubin", "-inkey", f"{keys}/one.pub", "-rawin",
        "-in", f"{tmp_path}/data", "-sigfile", f"{tmp_path}/sig",
    )  # fmt: skip


@pytest.mark.parametrize(
    "name", ["other.pem", "locked.pem", "one.pub", "noise.pem", "empty.pem", "gone"]
)
def test_what_is_no_private_key_is_told_without_a_word_of_it(
    keys: Path, name: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read_signing_key(keys / name)

    assert name in refused.value.diagnostics()
    assert "BEGIN" not in refused.value.diagnostics()


@pytest.mark.parametrize("name", ["other.pub", "one.pem", "noise.pem", "empty.pem"])
def test_what_is_no_public_key_is_told(keys: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match="no public Ed25519 key"):
        read_verifying_key(keys / name)


def test_a_private_key_never_shows_itself(keys: Path) -> None:
    private = read_signing_key(keys / "one.pem")

    assert f"SigningKey({private.key_id})" == repr(private)
