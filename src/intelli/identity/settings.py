"""The settings of identity. The root inherits them: their names have no prefix."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from intelli.identity.wire import RegistrationMode
from intelli.kit import keyfile
from intelli.kit.setting_types import SettingsGroup


def _strong(value: SecretStr) -> SecretStr:
    if not keyfile.is_strong(value.get_secret_value()):
        raise ValueError(f"it must have at least {keyfile.MIN_BYTES} bytes. {keyfile.HOW_TO_MAKE_ONE}")
    return value


class IdentitySettings(SettingsGroup):
    """Secrets and limits of sign-in."""

    secret_key: Annotated[SecretStr, AfterValidator(_strong)] | None = Field(
        None, description="Key that signs sessions, at least 32 bytes; generated when the database is embedded."
    )
    registration: RegistrationMode = Field(
        RegistrationMode.INVITE,
        description="Who may create an account once the installation has an owner: invite, open or closed.",
    )
    access_token_minutes: int = Field(15, ge=1, le=1440, description="Minutes until an access token expires.")
    refresh_token_days: int = Field(30, ge=1, le=365, description="Days without use until a session ends.")

    @property
    def signing_key(self) -> bytes:
        """The secret key in clear; no server starts without one."""
        if self.secret_key is None:
            raise ValueError("there is no secret key to sign with")
        return self.secret_key.get_secret_value().encode()

    @property
    def access_token_lifetime(self) -> timedelta:
        """How long an access token is good."""
        return timedelta(minutes=self.access_token_minutes)

    @property
    def refresh_token_lifetime(self) -> timedelta:
        """How long a session lasts without use."""
        return timedelta(days=self.refresh_token_days)
