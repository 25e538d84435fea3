"""Keys of endpoints: encrypted with a key derived from the installation's secret, and shown by their end only."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from pydantic import SecretStr

from intelli.models.errors import ModelKeyUnreadable

_SHOWN = 4
# A hint of a short key would be most of it.
_LEAST_FOR_HINT = 12


def encrypt(key: SecretStr, secret: bytes) -> bytes:
    """Encrypt a key for the database."""
    return _cipher(secret).encrypt(key.get_secret_value().encode())


def decrypt(stored: bytes, secret: bytes) -> SecretStr:
    """Decrypt a key. Raises ModelKeyUnreadable when the installation's secret is another one now."""
    try:
        return SecretStr(_cipher(secret).decrypt(stored).decode())
    except InvalidToken:
        raise ModelKeyUnreadable(
            "The key of this endpoint can no longer be read, because the secret key of the installation has changed. "
            "Enter the key again in Settings, Models."
        ) from None


def hint_of(key: SecretStr) -> str:
    """Return the end of a key, by which its owner tells it from others."""
    text = key.get_secret_value()
    return f"\u2026{text[-_SHOWN:]}" if len(text) >= _LEAST_FOR_HINT else "\u2026"


def _cipher(secret: bytes) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(secret + b"\0model-keys\0").digest()))
