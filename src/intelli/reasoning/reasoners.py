"""Reasoners of a caller: a port that finds them for a transaction, and fixed ones for an installation without rooms."""

from dataclasses import dataclass
from typing import Protocol

from intelli.kit.db import Tx
from intelli.reasoning.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class ReasonerPair:
    """The reasoner to ask, and the fallback that needs no model. Without a model both are the same."""

    reasoner: Reasoner
    fallback: Reasoner

    @property
    def has_model(self) -> bool:
        """True when a model can be asked."""
        return self.reasoner is not self.fallback


class ReasonerFinder(Protocol):
    """Finds the reasoners of a workspace. Whoever asks keeps them until the work is done that they were asked for."""

    async def find(self, tx: Tx) -> ReasonerPair:
        """Return the reasoners of the transaction's workspace."""


class FixedReasoners:
    """Finder that returns the same reasoners for every workspace."""

    def __init__(self, reasoner: Reasoner, fallback: Reasoner) -> None:
        self._pair = ReasonerPair(reasoner, fallback)

    async def find(self, tx: Tx) -> ReasonerPair:
        """Return the reasoners that were given."""
        return self._pair
