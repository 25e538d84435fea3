"""Secret strings we hand out: a prefix that tells the kind, random characters, and a checksum that catches typos.

Only a credential's SHA-256 is ever stored. It is drawn from 256 random bits, so a plain hash is enough.
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
    """What a credential opens."""

    API_KEY = "ik"
    REFRESH = "ir"
    INVITATION = "iv"


def mint(kind: CredentialKind) -> str:
    """A new secret of a kind."""
    return _stamped(kind, "".join(secrets.choice(_ALPHABET) for _ in range(_BODY)))


def successor(raw: str, *, secret: bytes) -> str:
    """The refresh token that follows another: the same whenever it is asked for, and known only with the secret."""
    drawn = hmac.digest(secret, f"intelli-refresh:{raw}".encode(), "sha256")
    return _stamped(CredentialKind.REFRESH, _digits(int.from_bytes(drawn), _BODY))


def is_well_formed(raw: str, kind: CredentialKind) -> bool:
    """True when prefix, length and checksum fit; says nothing about whether the credential exists."""
    prefix, _, rest = raw.partition("_")
    body, check = rest[:_BODY], rest[_BODY:]
    return prefix == kind and len(rest) == _BODY + _CHECK and rest.isascii() and check == _checksum(kind, body)


def digest(raw: str) -> str:
    """What is stored and looked up in place of the secret."""
    return hashlib.sha256(raw.encode()).hexdigest()


def _stamped(kind: CredentialKind, body: str) -> str:
    return f"{kind}_{body}{_checksum(kind, body)}"


def _checksum(kind: CredentialKind, body: str) -> str:
    return _digits(zlib.crc32(f"{kind}_{body}".encode()), _CHECK)


def _digits(number: int, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
