"""Keys of the log, derived from the installation's secret: one seals entries, one signs statements about the log.

Without the secret, the database alone is not enough to seal or sign. The public key is enough to check statements.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from intelli.kit.canonical import Json, canonical_json

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_KEY_BYTES = 32
_NAME_DIGITS = 16
_ENTRIES = b"intelli audit entries v1"
_STATEMENTS = b"intelli audit statements v1"


@dataclass(frozen=True, slots=True)
class AuditKey:
    """Sealing key and signing key. `name` identifies them in entries: the first digits of the public key's SHA-256."""

    name: str
    public_key: str
    _sealing: bytes = field(repr=False)
    _signing: "Ed25519PrivateKey" = field(repr=False)

    def seal(self, entry_hash: str) -> str:
        """Compute the keyed hash over an entry's hash, which covers all its fields and every entry before it."""
        return hmac.digest(self._sealing, entry_hash.encode(), "sha256").hex()

    def has_sealed(self, entry_hash: str, seal: str) -> bool:
        """Return True when the seal was made with this key."""
        return hmac.compare_digest(self.seal(entry_hash).encode(), seal.encode())

    def sign(self, statement: Json) -> str:
        """Return the Ed25519 signature over the statement's canonical JSON."""
        return self._signing.sign(canonical_json(statement)).hex()


@lru_cache(maxsize=8)
def derive(secret: bytes) -> AuditKey:
    """Derive the keys from a secret."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signing = Ed25519PrivateKey.from_private_bytes(_expand(secret, _STATEMENTS))
    public = signing.public_key().public_bytes_raw()
    return AuditKey(hashlib.sha256(public).hexdigest()[:_NAME_DIGITS], public.hex(), _expand(secret, _ENTRIES), signing)


def is_public_key(text: str) -> bool:
    """Return True when the text has the form of a public key: 64 hexadecimal digits."""
    return len(text) == 2 * _KEY_BYTES and all(digit in "0123456789abcdef" for digit in text)


def is_signed(statement: Json, *, signature: str, public_key: str) -> bool:
    """Return True when the signature of the statement was made with the public key's private half."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        checker = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        checker.verify(bytes.fromhex(signature), canonical_json(statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def _expand(secret: bytes, label: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=label).derive(secret)
