"""What a kind of deliverable is: how its paper is composed from the brief, and which forms it is delivered in."""

from collections.abc import Callable
from dataclasses import dataclass

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.paper import Paper
from intelli.deliverables.wire import Kind as Name
from intelli.entities.kinds import EntityType


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind. Without forms it is complete once its paper is written; else a job renders them, the first is shown."""

    name: Name
    pointer: str
    entity_type: EntityType
    media_type: str
    file_name: str
    forms: tuple[str, ...]
    compose: Callable[[DataBrief], Paper]

    @property
    def is_built(self) -> bool:
        """True when a job renders its forms."""
        return bool(self.forms)

    @property
    def stem(self) -> str:
        """What its files are called, without their endings."""
        return self.file_name.rpartition(".")[0]
