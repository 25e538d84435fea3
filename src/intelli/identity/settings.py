"""What identity needs to know, handed over by the composition root."""

from dataclasses import dataclass
from datetime import timedelta

from intelli.identity.wire import RegistrationMode


@dataclass(frozen=True, slots=True)
class IdentitySettings:
    """Secrets and limits of sign-in."""

    secret_key: bytes
    registration: RegistrationMode = RegistrationMode.INVITE
    access_token_lifetime: timedelta = timedelta(minutes=15)
    refresh_token_lifetime: timedelta = timedelta(days=30)
    public_url: str | None = None
