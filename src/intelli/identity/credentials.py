"""Secret strings for API keys, refresh tokens and invitations: `<prefix>_<43 random characters><6 of checksum>`.

The prefix names the kind and the checksum catches typing errors. Only a credential's SHA-256 is stored; it is drawn
from 256 random bits, so an unsalted hash is enough.
"""

import hashlib
import hmac
import secrets
import string
import zlib
from enum import StrEnum

_ALPHABET = string.digits + string.ascii_letters
_BODY, _CHECK = 43, 6
VISIBLE = 10


class CredentialKind(StrEnum):
    """Kind of a credential; the value is its prefix."""

    API_KEY = "ik"
    REFRESH = "ir"
    INVITATION = "iv"


def mint(kind: CredentialKind) -> str:
    """Generate a new random credential of this kind."""
    return _assemble(kind, "".join(secrets.choice(_ALPHABET) for _ in range(_BODY)))


def derive_successor(raw: str, *, secret: bytes) -> str:
    """Derive the refresh token that follows `raw`: deterministic, and computable only with the secret."""
    drawn = hmac.digest(secret, f"intelli-refresh:{raw}".encode(), "sha256")
    return _assemble(CredentialKind.REFRESH, _to_base62(int.from_bytes(drawn), _BODY))


def is_well_formed(raw: str, kind: CredentialKind) -> bool:
    """True when prefix, length and checksum are right; does not check that the credential exists."""
    prefix, _, rest = raw.partition("_")
    body, check = rest[:_BODY], rest[_BODY:]
    return prefix == kind and len(rest) == _BODY + _CHECK and rest.isascii() and check == _checksum(kind, body)


def digest(raw: str) -> str:
    """Return the SHA-256 hex digest, which is stored and looked up instead of the secret."""
    return hashlib.sha256(raw.encode()).hexdigest()


def _assemble(kind: CredentialKind, body: str) -> str:
    """Prefix the body with its kind and append the checksum."""
    return f"{kind}_{body}{_checksum(kind, body)}"


def _checksum(kind: CredentialKind, body: str) -> str:
    return _to_base62(zlib.crc32(f"{kind}_{body}".encode()), _CHECK)


def _to_base62(number: int, length: int) -> str:
    """Encode the number in base 62 with exactly `length` digits; higher digits are cut off."""
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
