"""The settings of citations. The root hangs them under `evidence`."""

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup


class EvidenceSettings(SettingsGroup):
    """What stays of evidence whose document is gone."""

    keep_excerpts: bool = Field(True, description="Show the words that were cited from a document after it is deleted.")
