"""What memory needs from outside: someone to think, and a space of meaning. The composition root fills it."""

import asyncio
from dataclasses import dataclass, field

from intelli.kit.compute import Compute, InProcess
from intelli.memory.settings import MemorySettings
from intelli.reasoning.ports import Embedder
from intelli.reasoning.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class MemoryReasoner:
    """Who reads messages for memory. `fallback` needs no model and stands in when the reasoner fails."""

    reasoner: Reasoner
    fallback: Reasoner
    embedder: Embedder
    settings: MemorySettings = field(default_factory=MemorySettings)
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(4))
    compute: Compute = field(default_factory=InProcess)

    @property
    def has_model(self) -> bool:
        """True when there is someone to ask about what is in doubt."""
        return self.reasoner is not self.fallback
