"""What can be set about memory."""

from pydantic import BaseModel, ConfigDict, Field

from intelli.memory.settings import MemorySettings


class MemoryOptions(BaseModel):
    """What flows into memory and what of it is kept."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    conversations: bool = Field(True, description="Remember what people say in conversations, for them alone.")
    keep_content: bool = Field(
        True, description="Keep the words of messages; if not, only nodes and facts remain of them."
    )
    model_calls_at_once: int = Field(4, ge=1, le=64, description="Calls to the model that one process makes at a time.")

    def settings(self, *, in_one_queue: bool) -> MemorySettings:
        """What memory is told of it."""
        return MemorySettings(
            conversations=self.conversations,
            keep_content=self.keep_content,
            in_one_queue=in_one_queue,
            model_calls_at_once=self.model_calls_at_once,
        )
