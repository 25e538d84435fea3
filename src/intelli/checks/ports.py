"""Ports of checks. The composition root fills them."""

from dataclasses import dataclass

from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class CheckReasoners:
    """The reasoners of checks: the configured one, the one without a model, and the entailment model if one is set."""

    reasoner: Reasoner
    fallback: Reasoner
    entailment: EntailmentModels | None = None

    @property
    def has_model(self) -> bool:
        """True when a model is configured."""
        return self.reasoner.name != self.fallback.name
