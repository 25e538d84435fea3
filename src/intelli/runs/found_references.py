"""The event that names passages which were found, each as the entity it is kept as."""

from collections.abc import Mapping, Sequence

from intelli.content.passage import Passage
from intelli.entities import entities, entity_types
from intelli.entities.entity_types import EntityType
from intelli.runs import event_parts
from intelli.runs.context import RunContext
from intelli.runs.events import ReferencesFound


def build_references(context: RunContext, passages: Sequence[Passage], texts: Mapping[str, str]) -> ReferencesFound:
    """Build the event of found passages; `texts` has the hash of each source's text, by the hash of its bytes."""
    references = [
        event_parts.Reference(
            entity_type=EntityType.KNOWLEDGE_BASE,
            identifier=passage.identifier,
            title=passage.title,
            file_name=passage.title,
            mimetype=passage.mime_type,
            workspace_id=context.facts.tenant_id,
            stored_entity_id=entities.derive_id(context.facts.run_id, passage.identifier),
            content_artifact_id=texts.get(passage.sha256),
            metadata=entity_types.passage_metadata(passage),
        )
        for passage in passages
    ]
    return ReferencesFound(references=references)
