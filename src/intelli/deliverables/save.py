"""Save a deliverable: artifacts, manifest, pointer, history, entity and row in one transaction, or none of them.

Artifacts are placed in the blob store before; those that no transaction references are collected as garbage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from pydantic import JsonValue

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.content import manifests, ownership, pointers
from intelli.content.wire import CommitManifest, Manifest, MovePointer, NewEntry, PointerType
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import store
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.tables import Deliverable
from intelli.deliverables.wire import ENDED, Status
from intelli.entities import content, entities
from intelli.entities.entities import EntityOwner, NewEntity
from intelli.entities.entity_types import EntityType
from intelli.kit import clock
from intelli.kit.db import Tx

BRIEF = "brief.json"
CONTENT = "report.gml"
GML = "text/x-gml"
_REASON = "deliverable_generated"
# A build that is silent for longer counts as failed.
PROMISED = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class WrittenContent:
    """Brief and GML of a deliverable, with its number of words and sections."""

    id: UUID
    kind: DeliverableKind
    brief: DataBrief
    gml: str
    words: int
    sections: int


@dataclass(frozen=True, slots=True)
class DeliverableOwner:
    """Run, message and conversation of a deliverable. `seen` and `cited` are ids of the run's entities."""

    run_id: UUID | None
    message_id: UUID | None
    conversation_id: UUID | None
    seen: list[str] = field(default_factory=list)
    cited: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SavedDeliverable:
    """A completed deliverable, its entity and its manifest."""

    deliverable: Deliverable
    entity_id: UUID | None
    manifest: Manifest


def entity_type_of(kind: DeliverableKind, name: str) -> EntityType:
    """Return the entity type of a file of a deliverable: the brief is what it was made of, all others are it."""
    return EntityType.GENERATED_CONTENT if name == BRIEF else EntityType(kind.entity_type)


def pointer_of(row: Deliverable) -> str:
    """Return the namespace and name of the pointer to the newest deliverable of this kind."""
    return f"{pointers.namespace_of(owner_of(row))}/{kind_of(row.kind).pointer}"


def common_contents(made: WrittenContent) -> dict[str, content.EntityContent]:
    """Return the files that every deliverable has: brief and GML."""
    brief = made.brief.model_dump_json().encode()
    return {
        BRIEF: content.EntityContent(EntityType.GENERATED_CONTENT, brief, "application/json", BRIEF),
        CONTENT: content.EntityContent(
            EntityType(made.kind.entity_type), made.gml.encode("utf-8", "replace"), GML, CONTENT
        ),
    }


async def insert_announced(
    tx: Tx, deliverable_id: UUID, owner: DeliverableOwner, *, kind: str, title: str = ""
) -> None:
    """Insert the row of a deliverable that is yet to be written; an existing row stays as it is."""
    of = {"run_id": owner.run_id, "conversation_id": owner.conversation_id, "message_id": owner.message_id}
    await store.insert_deliverable(
        tx, {"id": deliverable_id, "user_id": tx.person_id, "kind": kind, "title": title, **of}
    )


async def insert_written(
    tx: Tx, made: WrittenContent, owner: DeliverableOwner, hashes: Mapping[str, str]
) -> Deliverable:
    """Insert or update the row with the hashes of brief and content; return it locked. A completed one stays."""
    await insert_announced(tx, made.id, owner, kind=made.kind.name)
    row = await get_locked(tx, made.id)
    if row.status == Status.COMPLETED:
        return row
    await store.update_deliverable(
        tx,
        made.id,
        title=made.brief.title,
        status=Status.PENDING,
        words=made.words,
        # Its paper is whole: what is still to be made are its files.
        sections_done=made.sections,
        sections_total=made.sections,
        started_at=row.started_at or row.created_at,
        brief_sha256=hashes[BRIEF],
        content_sha256=hashes[CONTENT],
        error_code=None,
        error_message=None,
    )
    return await get_locked(tx, made.id)


async def promise(tx: Tx, row: Deliverable, owner: DeliverableOwner) -> UUID | None:
    """Insert the entity of a deliverable that is being built, in progress; return its id."""
    if row.run_id is None or row.message_id is None or row.status in ENDED:
        return row.entity_id
    belonging = EntityOwner(row.run_id, row.message_id, row.conversation_id)
    entity_id = await entities.insert_in_progress(tx, belonging, _entity(row, owner, None), within=PROMISED)
    await store.update_deliverable(tx, row.id, entity_id=entity_id)
    return entity_id


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file of a deliverable that is stored as an artifact."""

    name: str
    media_type: str
    size_bytes: int
    sha256: str


async def complete(
    tx: Tx,
    row: Deliverable,
    owner: DeliverableOwner,
    files: Sequence[SavedFile],
    *,
    details: Mapping[str, JsonValue],
) -> SavedDeliverable:
    """Make a deliverable the newest of its kind: write manifest, pointer, history, entity and row.

    `details` is the metadata of its entity.
    """
    kind = kind_of(row.kind)
    whose = owner_of(row)
    current = await pointers.find_own(tx, whose, kind.pointer)
    before = current.manifest_sha256 if current else None
    manifest = await manifests.commit(
        tx,
        CommitManifest(
            tree={each.name: NewEntry(sha256=each.sha256, media_type=each.media_type) for each in files},
            parent_sha256=before,
            message=f"{kind.name} {row.id}: {row.title}"[:2000],
        ),
        owner=whose,
    )
    move = MovePointer(
        manifest_sha256=manifest.sha256,
        expected=before,
        reason=_REASON,
        pointer_type=PointerType.SNAPSHOT,
        description=row.title[:500],
        meta={"deliverable_type": kind.name, "user_query": str(details["user_query"]), "run_id": str(row.run_id)},
    )
    await pointers.move_own(tx, whose, kind.pointer, move)
    number = max((each.version for each in await store.list_versions(tx, row)), default=0) + 1
    shown = next((each for each in files if each.name == kind.file_name), files[0])
    entity_id = await _fulfil(tx, row, owner, shown, details=details)
    await store.update_deliverable(
        tx,
        row.id,
        status=Status.COMPLETED,
        phase="",
        progress=1.0,
        sections_done=row.sections_total,
        version=number,
        manifest_hash=manifest.sha256,
        entity_id=entity_id,
        files=[{name: getattr(each, name) for name in SavedFile.__dataclass_fields__} for each in files],
        started_at=row.started_at or clock.now(),
        finished_at=clock.now(),
    )
    await record(
        tx,
        EventType.COMPLETION,
        run_id=row.run_id,
        conversation_id=row.conversation_id,
        entity=("deliverable", row.id),
        action=_REASON,
        kind=kind.name,
    )
    return SavedDeliverable(await get_locked(tx, row.id), entity_id, manifest)


async def get_locked(tx: Tx, deliverable_id: UUID) -> Deliverable:
    """Load an existing deliverable and lock it until the transaction ends."""
    row = await store.find_locked(tx, deliverable_id)
    assert row is not None, "it was added before"
    return row


def owner_of(row: Deliverable) -> ownership.ContentOwner:
    """Return the owner of a deliverable's files."""
    return ownership.ContentOwner(row.user_id, row.conversation_id, row.run_id)


async def _fulfil(
    tx: Tx, row: Deliverable, owner: DeliverableOwner, shown: SavedFile, *, details: Mapping[str, JsonValue]
) -> UUID | None:
    if row.run_id is None or row.message_id is None:
        return None
    if row.entity_id is not None:
        await entities.mark_ready(tx, row.entity_id, content_artifact_id=shown.sha256, details=details)
        return row.entity_id
    belonging = EntityOwner(row.run_id, row.message_id, row.conversation_id)
    new = replace(_entity(row, owner, shown.sha256), details={**details}, user_query=str(details["user_query"]))
    await entities.save(tx, belonging, [new])
    return entities.derive_id(row.run_id, new.identifier)


def _entity(row: Deliverable, owner: DeliverableOwner, sha256: str | None) -> NewEntity:
    kind = kind_of(row.kind)
    return NewEntity(
        EntityType(kind.entity_type),
        f"deliverable.{row.id}",
        kind.file_name,
        kind.media_type,
        title=row.title[:500],
        content_artifact_id=sha256,
        is_own=sha256 is not None,
        details={"title": row.title[:2000]},
        all_seen_entities=owner.seen,
        cited_entities=owner.cited,
    )
