"""The settings of memory: the group `memory` of the settings."""

from typing import Self

from pydantic import Field

from intelli.kit.setting_types import SettingsGroup, internal


class MemorySettings(SettingsGroup):
    """What flows into memory, what of it is kept, and how far messages are remembered side by side."""

    conversations: bool = Field(True, description="Remember what people say in conversations, for them alone.")
    keep_content: bool = Field(
        True, description="Keep the words of messages; if not, only nodes and facts remain of them."
    )
    model_calls_at_once: int = Field(4, ge=1, le=64, description="Calls to the model that one process makes at a time.")
    # In one queue, all messages of a workspace are taken strictly in order; else those of each group are.
    in_one_queue: bool = internal(True)

    def queued(self, *, in_one_queue: bool) -> Self:
        """These settings for one queue of a workspace, or for one queue of each group."""
        return self.model_copy(update={"in_one_queue": in_one_queue})
