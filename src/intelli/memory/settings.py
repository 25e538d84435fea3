"""What memory is told of the settings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """What flows into memory, what of it is kept, and how far messages are remembered side by side.

    In one queue, all messages of a workspace are taken strictly in order; else those of each group are.
    """

    conversations: bool = True
    keep_content: bool = True
    in_one_queue: bool = True
    model_calls_at_once: int = 4
