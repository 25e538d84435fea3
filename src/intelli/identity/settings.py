"""Settings of identity. The root settings inherit them, so their names have no prefix."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr

from intelli.identity.wire import RegistrationMode
from intelli.kit import keyfile
from intelli.kit.setting_types import SettingsGroup


def _check_strong(value: SecretStr) -> SecretStr:
    if not keyfile.is_strong(value.get_secret_value()):
        raise ValueError(f"it must have at least {keyfile.MIN_BYTES} bytes. {keyfile.HOW_TO_MAKE_ONE}")
    return value


class IdentitySettings(SettingsGroup):
    """Secrets and limits of sign-in."""

    secret_key: Annotated[SecretStr, AfterValidator(_check_strong)] | None = Field(
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
        """The secret key as bytes. Raises ValueError without one; the server does not start then."""
        if self.secret_key is None:
            raise ValueError("there is no secret key to sign with")
        return self.secret_key.get_secret_value().encode()

    @property
    def access_token_lifetime(self) -> timedelta:
        """Time until an access token expires."""
        return timedelta(minutes=self.access_token_minutes)

    @property
    def refresh_token_lifetime(self) -> timedelta:
        """Time without use until a session expires."""
        return timedelta(days=self.refresh_token_days)
