"""Settings of content, under `content` in the root settings."""

from datetime import timedelta

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup


class ContentSettings(SettingsGroup):
    """How much may be uploaded at once, and how long what nobody references is kept."""

    upload_limit_bytes: int = Field(2_147_483_648, ge=1, description="Largest file that can be uploaded, in bytes.")
    grace_hours: float = Field(
        24, ge=0, le=87_600, description="Hours that content which nothing references is kept before it is removed."
    )

    @property
    def grace(self) -> timedelta:
        """Time that unreferenced content is kept before it is deleted."""
        return timedelta(hours=self.grace_hours)
