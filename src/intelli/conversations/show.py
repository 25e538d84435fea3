"""Conversion of messages into wire models, with their citations, cited files and entities."""

from collections.abc import Sequence
from uuid import UUID

from intelli.citations import show as citations
from intelli.citations.show import NOTHING, CitedSources
from intelli.conversations import wire
from intelli.conversations.tables import Message
from intelli.entities import entities
from intelli.entities.entity_types import EntityType
from intelli.entities.wire import Entity, EntityStatus
from intelli.kit.db import Tx

# Plans and raw results are shown with the run, not with the message.
_OPENABLE = tuple(each for each in EntityType if each.declared.is_opened)


def to_wire(
    row: Message,
    *,
    run_status: str | None = None,
    reasoner: str | None = None,
    feedback: wire.Feedback | None = None,
) -> wire.Message:
    """Convert a row into the wire model without citations and entities."""
    columns = {name: getattr(row, name) for name in wire.Message.model_fields if hasattr(row, name)}
    return wire.Message.model_validate(
        {**columns, "run_status": run_status, "reasoner": reasoner, "feedback": feedback}
    )


async def attach_details(tx: Tx, messages: Sequence[wire.Message], *, keep_excerpts: bool) -> list[wire.Message]:
    """Add citations, cited files and entities to the messages, in two queries whatever their number."""
    ids = [message.id for message in messages if message.role is wire.Speaker.AGENT]
    cited = await citations.load_of_messages(tx, ids, keep_excerpts=keep_excerpts)
    made = await entities.list_for_messages(tx, ids, _OPENABLE)
    return [_attach(message, cited.get(message.id, NOTHING), made.get(message.id, [])) for message in messages]


def _referenced_files(message: wire.Message, cited: CitedSources) -> list[UUID]:
    focus = (each.document_id for each in message.context_references)
    named = (*(each.file_id for each in cited.files), *focus)
    return list(dict.fromkeys(each for each in named if each is not None))


def _attach(message: wire.Message, cited: CitedSources, made: list[Entity]) -> wire.Message:
    return message.model_copy(
        update={
            "citations": cited.citations,
            "cited_files": cited.files,
            "referenced_files": _referenced_files(message, cited),
            "entities": made,
            "has_async_entities_in_progress": any(each.root.status is EntityStatus.IN_PROGRESS for each in made),
        }
    )
