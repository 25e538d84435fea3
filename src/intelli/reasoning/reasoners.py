"""Choice of the reasoner: a model where the settings name one, else the one without a model."""

from intelli.kit.compute import Compute
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.ports import Embedder
from intelli.reasoning.reasoner import Reasoner


class Reasoners:
    """The reasoners of this installation. `without_model` also replaces a model that fails or is too expensive."""

    def __init__(self, settings: ModelSettings, compute: Compute, embedder: Embedder | None = None) -> None:
        self.without_model: Reasoner = ExtractiveReasoner(embedder, compute)
        self.chosen: Reasoner = self.without_model
        self._close = None
        if settings.name:
            # A model's client is slow to load: only an installation that has a model waits for it.
            from intelli.reasoning.adapters.model import ModelReasoner

            model = ModelReasoner(settings)
            self.chosen, self._close = model, model.close

    async def close(self) -> None:
        """Close connections."""
        if self._close is not None:
            await self._close()
