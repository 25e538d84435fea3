"""Settings of the library, nested under `library` by the root settings."""

from uuid import UUID

from pydantic import Field, SecretStr

from intelli.kit import setting_types
from intelli.kit.setting_types import SettingsGroup
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.sandbox.caps import Caps


class OAuthSettings(SettingsGroup):
    """How to sign in to a source of documents as the installation; all empty leaves the source unconnected."""

    client_id: str = Field("", description="Client id of the registered application.")
    client_secret: SecretStr | None = Field(None, description="Secret of the registered application.")
    token_url: setting_types.HttpUrl | None = Field(None, description="Address that gives out access tokens.")
    refresh_token: SecretStr | None = Field(
        None, description="Refresh token of the account to act for; empty acts for the application itself."
    )
    api_url: setting_types.HttpUrl | None = Field(
        None, description="Address of the source's API; empty uses its usual one."
    )
    workspaces: tuple[UUID, ...] = Field(
        (), description="Ids of the workspaces that may use this access; empty allows the first workspace alone."
    )


class LibrarySettings(SettingsGroup):
    """How documents are read, and where they may be fetched from."""

    chunk_tokens: int = Field(512, ge=32, le=8192, description="Most tokens that a passage may have.")
    chunk_overlap: float = Field(
        0.5, ge=0, le=0.9, description="Share that passages overlap where a text gives no place to part them."
    )
    ocr_languages: str = Field(
        "eng", pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$", description="Languages of text in pictures, such as eng+deu."
    )
    reader_memory_mb: int = Field(1024, ge=256, description="Megabytes of memory that reading one file may take.")
    reader_timeout_s: float = Field(120, ge=5, description="Seconds that reading a small file may take.")
    fetch_limit_bytes: int = Field(
        104_857_600, ge=1024, description="Largest document fetched from a source, in bytes."
    )
    fetch_timeout_s: float = Field(60, ge=1, le=600, description="Seconds that fetching a document may take.")
    web_allow_private: bool = Field(
        False,
        description="Let web import reach addresses inside the server's own network, such as an intranet. "
        "Metadata services of clouds stay out of reach.",
    )
    sharepoint: OAuthSettings = OAuthSettings()
    onedrive: OAuthSettings = OAuthSettings()
    email: OAuthSettings = OAuthSettings()

    def access(self, source_type: str) -> OAuthSettings:
        """How to sign in to a source; all empty for one that has no such settings."""
        found = getattr(self, source_type, None)
        return found if isinstance(found, OAuthSettings) else OAuthSettings()

    def limits(self) -> Limits:
        """How much of a file is read."""
        return Limits(ocr_languages=self.ocr_languages)

    def caps(self) -> Caps:
        """What reading a file may take of the machine."""
        return Caps(memory_bytes=self.reader_memory_mb << 20, wall_s=self.reader_timeout_s)
