"""Ports of memory: reasoners and an embedder, provided by the composition root."""

import asyncio
from dataclasses import dataclass, field

from intelli.kit.compute import Compute, InProcess
from intelli.kit.db import Tx
from intelli.memory.settings import MemorySettings
from intelli.reasoning.ports import Embedder
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.reasoners import ReasonerFinder


@dataclass(frozen=True, slots=True)
class MemoryReasoner:
    """The reasoners and the embedder for a job of memory. `fallback` needs no model; used when `reasoner` fails.

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


@dataclass(frozen=True, slots=True)
class MemoryReasoners:
    """The reasoners of memory, found for the workspace when a job begins, and what all workspaces share."""

    finder: ReasonerFinder
    embedder: Embedder
    settings: MemorySettings = field(default_factory=MemorySettings)
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(4))
    compute: Compute = field(default_factory=InProcess)

    async def find(self, tx: Tx) -> MemoryReasoner:
        """Return the reasoners and the embedder for one job."""
        pair = await self.finder.find(tx)
        return MemoryReasoner(
            pair.reasoner, pair.fallback, self.embedder, settings=self.settings, turns=self.turns, compute=self.compute
        )
