"""Ports of memory: reasoners and an embedder, provided by the composition root."""

import asyncio
from dataclasses import dataclass, field

from intelli.kit.compute import Compute, InProcess
from intelli.memory.settings import MemorySettings
from intelli.reasoning.ports import Embedder
from intelli.reasoning.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class MemoryReasoner:
    """The reasoners and the embedder of memory. `fallback` needs no model and is used when `reasoner` fails.

    `turns` limits the calls at once; `compute` runs pure functions, in another process where configured.
    """

    reasoner: Reasoner
    fallback: Reasoner
    embedder: Embedder
    settings: MemorySettings = field(default_factory=MemorySettings)
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(4))
    compute: Compute = field(default_factory=InProcess)

    @property
    def has_model(self) -> bool:
        """True when a model can be asked about open questions."""
        return self.reasoner is not self.fallback
