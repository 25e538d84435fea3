"""The entailment model of this installation: whether one text follows from another. None is bundled."""

from functools import cached_property

from intelli.reasoning.adapters.onnx_entailment import OnnxEntailment
from intelli.reasoning.ports import EntailmentModel
from intelli.reasoning.settings import EntailmentSettings


class EntailmentModels:
    """The entailment model of the settings, loaded at first use."""

    def __init__(self, settings: EntailmentSettings) -> None:
        self.settings = settings

    @cached_property
    def chosen(self) -> EntailmentModel | None:
        """The model, or None when the settings name none."""
        return OnnxEntailment(self.settings.model) if self.settings.model is not None else None
