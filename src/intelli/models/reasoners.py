"""Reasoners of workspaces: made of the models that each has chosen, and kept while these stay as they are."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from intelli.kit import lazy_import
from intelli.kit.db import Tx
from intelli.models import choice, start_test
from intelli.models.choice import ChosenModel
from intelli.models.ports import InstallationModels
from intelli.models.refused_reasoner import RefusedReasoner
from intelli.models.split_reasoner import SplitReasoner
from intelli.models.wire import PromptShape
from intelli.reasoning.errors import ModelRefused
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.reasoner import Reasoner
from intelli.reasoning.reasoners import ReasonerPair

# No run lasts so long: what was not asked for meanwhile is used by nobody.
_UNUSED_S = 6 * 3600.0
_Made = tuple[ModelSettings, PromptShape]


class ClosableReasoner(Reasoner, Protocol):
    """Reasoner with connections of its own."""

    async def close(self) -> None:
        """Close the connections."""


@dataclass(slots=True)
class _Kept:
    """A reasoner, and when it was last asked for."""

    reasoner: ClosableReasoner
    used_at: float = field(default_factory=time.monotonic)


class WorkspaceReasoners:
    """Finder of the reasoners of each workspace. Those of the same settings are one, so that limits on calls hold."""

    def __init__(self, installation: InstallationModels, without_model: Reasoner) -> None:
        self._installation = installation
        self._without_model = without_model
        self._kept: dict[_Made, _Kept] = {}

    async def find(self, tx: Tx) -> ReasonerPair:
        """Return the reasoners of the transaction's workspace. A model of the installation is tested at first use."""
        chosen = await choice.choose(tx, self._installation)
        if chosen.thinking is None:
            return ReasonerPair(self._without_model, self._without_model)
        await self._close_unused()
        if chosen.thinking.is_to_be_tested:
            await start_test.start_first(tx, chosen.thinking)
        # Slow to load, so not in the event loop; only the first search of a process waits for it.
        await lazy_import.load("intelli.reasoning.adapters.model")
        reasoner = self._get(chosen.thinking)
        if chosen.small is not None:
            reasoner = SplitReasoner(reasoner, self._get(chosen.small))
        return ReasonerPair(reasoner, self._without_model)

    async def close(self) -> None:
        """Close the connections of all reasoners."""
        kept, self._kept = self._kept, {}
        for each in kept.values():
            await each.reasoner.close()

    def _get(self, chosen: ChosenModel) -> Reasoner:
        """Return the reasoner of a model; for one that cannot be asked, one that says why."""
        if chosen.problem is not None:
            return RefusedReasoner(chosen.settings.name or "", chosen.problem)
        made = (chosen.settings, chosen.shape)
        if made not in self._kept:
            try:
                self._kept[made] = _Kept(build_reasoner(chosen.settings, chosen.shape, self._without_model))
            except ModelRefused as refused:
                return RefusedReasoner(chosen.settings.name or "", refused.detail)
        self._kept[made].used_at = time.monotonic()
        return self._kept[made].reasoner

    async def _close_unused(self) -> None:
        oldest = time.monotonic() - _UNUSED_S
        for made in [made for made, kept in self._kept.items() if kept.used_at < oldest]:
            await self._kept.pop(made).reasoner.close()


def build_reasoner(settings: ModelSettings, shape: PromptShape, without_model: Reasoner) -> ClosableReasoner:
    """Build the reasoner of a model by the shape of its prompts. Raises ModelRefused when its price is not known."""
    from intelli.reasoning.adapters.model import ModelReasoner
    from intelli.reasoning.adapters.short_model import ShortModelReasoner

    if shape is PromptShape.SHORT:
        return ShortModelReasoner(settings, without_model)
    return ModelReasoner(settings)
