"""Composition of each kind of deliverable, one module each. `intelli.deliverable_kinds` declares the kinds."""

import pkgutil
from collections.abc import Callable

from intelli.deliverable_kinds import KINDS, DeliverableKind
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.paper import Paper

__all__ = ["KINDS", "compose", "kind_of"]


def kind_of(name: str) -> DeliverableKind:
    """The kind of a name."""
    return next(kind for kind in KINDS if kind.name == name)


def compose(kind: DeliverableKind, brief: DataBrief) -> Paper:
    """The paper of a kind."""
    composer: Callable[[DataBrief], Paper] = pkgutil.resolve_name(f"{kind.composer}:compose")
    return composer(brief)
