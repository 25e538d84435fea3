"""Ports of checks. The composition root fills them."""

from dataclasses import dataclass

from intelli.kit.db import Tx
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoners import ReasonerFinder, ReasonerPair


@dataclass(frozen=True, slots=True)
class CheckReasoners:
    """The reasoners of checks, found for the workspace when a check begins, and the entailment model if one is set."""

    finder: ReasonerFinder
    entailment: EntailmentModels | None = None

    async def find(self, tx: Tx) -> ReasonerPair:
        """Return the reasoners for one check."""
        return await self.finder.find(tx)
