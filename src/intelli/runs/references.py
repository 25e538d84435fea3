"""References of the stream: what was found, each under the identifier that citations name."""

from collections.abc import Container, Iterable
from uuid import UUID

from intelli.entities import entities
from intelli.entities.entities import NewEntity
from intelli.kit import clock
from intelli.runs import event_parts
from intelli.runs.context import RunFacts
from intelli.runs.events import ReferencesFound


def build_references(facts: RunFacts, found: Iterable[NewEntity], named: Container[str]) -> ReferencesFound | None:
    """Build the event that tells those of the saved entities that are named; None when there are none."""
    references = [_reference(facts.run_id, facts.tenant_id, each) for each in found if each.identifier in named]
    return ReferencesFound(references=references) if references else None


def _reference(run_id: UUID, tenant_id: UUID, entity: NewEntity) -> event_parts.Reference:
    return event_parts.Reference(
        entity_type=entity.entity_type,
        identifier=entity.identifier,
        title=entity.title,
        file_name=entity.file_name,
        mimetype=entity.mimetype,
        workspace_id=tenant_id,
        stored_entity_id=entities.derive_id(run_id, entity.identifier),
        content_artifact_id=entity.content_artifact_id,
        external_url=entity.external_url,
        created_at=clock.now(),
        metadata=entity.details,
    )
