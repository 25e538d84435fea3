"""What can be set about evidence."""

from pydantic import BaseModel, ConfigDict, Field

from intelli.citations.settings import EvidenceSettings


class EvidenceOptions(BaseModel):
    """What stays of evidence whose document is gone."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    keep_excerpts: bool = Field(True, description="Show the words that were cited from a document after it is deleted.")

    def settings(self) -> EvidenceSettings:
        """What citations are told of it."""
        return EvidenceSettings(keep_excerpts=self.keep_excerpts)
