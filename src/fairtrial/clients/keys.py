"""Keys of a user's own: Ed25519 in PEM files, as OpenSSL makes them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from fairtrial.domain.errors import ConfigurationError

#: Bytes; a key's file has a few hundred.
_SIZE: Final = 16_384
_HOW: Final = "openssl genpkey -algorithm ed25519 -out key.pem"
_HOW_PUBLIC: Final = "openssl pkey -in key.pem -pubout -out key.pub"


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key; it says nothing of itself where it is printed."""

    _key: Ed25519PrivateKey

    def __repr__(self) -> str:
        """No part of the key."""
        return f"SigningKey({self.key_id})"

    @property
    def key_id(self) -> str:
        """The id of the public key that belongs to it."""
        return _key_id(self._key.public_key())

    def sign(self, data: bytes) -> bytes:
        """The signature over some bytes."""
        return self._key.sign(data)


@dataclass(frozen=True, slots=True)
class VerifyingKey:
    """A public key."""

    _key: Ed25519PublicKey

    @property
    def key_id(self) -> str:
        """SHA-256 over its DER form (SubjectPublicKeyInfo), in hexadecimal digits."""
        return _key_id(self._key)

    def made(self, signature: bytes, data: bytes) -> bool:
        """Whether the private key that belongs to it made this signature."""
        try:
            self._key.verify(signature, data)
        except InvalidSignature:
            return False
        return True


def read_signing_key(path: Path) -> SigningKey:
    """The private key of a PEM file (PKCS #8, no password); ConfigurationError."""
    data = _read(path)
    try:
        key = load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        # The library's own words may quote what it read.
        raise _wrong(path, "private", _HOW) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _wrong(path, "private", _HOW)
    return SigningKey(key)


def read_verifying_key(path: Path) -> VerifyingKey:
    """The public key of a PEM file; raises ConfigurationError."""
    data = _read(path)
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise _wrong(path, "public", _HOW_PUBLIC) from None
    if not isinstance(key, Ed25519PublicKey):
        raise _wrong(path, "public", _HOW_PUBLIC)
    return VerifyingKey(key)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_SIZE)
    except OSError as wrong:
        raise ConfigurationError(
            f"The key {path} can't be read: {wrong.strerror}.",
            remedy="Name a PEM file with `--key`.",
        ) from wrong


def _wrong(path: Path, kind: str, how: str) -> ConfigurationError:
    return ConfigurationError(
        f"{path} holds no {kind} Ed25519 key that can be read.",
        means="It is another kind of key, has a password, or is no PEM file.",
        remedy=f"Such a key is made by `{how}`.",
    )


def _key_id(key: Ed25519PublicKey) -> str:
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()
