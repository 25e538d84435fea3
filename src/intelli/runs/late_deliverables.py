"""Events of deliverables that a job completed, or failed to build, after their run had ended."""

from uuid import UUID

from intelli.deliverables import save, show
from intelli.deliverables.kinds import kind_of
from intelli.entities import entities
from intelli.kit.db import Tx
from intelli.runs import journal
from intelli.runs.delivery import DeliverableSubject, build_reference
from intelli.runs.events import ArtifactCreated, ManifestCreated, ReferencesFound


async def append_events(tx: Tx, deliverable_id: UUID) -> None:
    """Append the deliverable to its run's log, with its files and, when it is complete, its manifest."""
    row = await show.get(tx, deliverable_id)
    if row.run_id is None:
        return
    kind = kind_of(row.kind)
    made = await entities.load_saved(tx, row.entity_id) if row.entity_id is not None else None
    entity = build_reference(DeliverableSubject(kind, row.id, row.title, row.tenant_id, made), status=row.status)
    revision = f"{row.id}:{row.version}:{row.status}"
    events = [
        (
            ArtifactCreated(
                sha256=each["sha256"],
                media_type=each["media_type"],
                size_bytes=each["size_bytes"],
                entity_type=save.entity_type_of(kind, each["name"]),
                file_name=each["name"],
            ),
            f"artifact:{revision}:{each['name']}",
        )
        for each in row.files
    ]
    if row.manifest_hash is not None:
        event = ManifestCreated(sha256=row.manifest_hash, entry_count=len(row.files), pointer=save.pointer_of(row))
        await journal.append(tx, row.run_id, *events, (event, f"manifest:{revision}"))
    await journal.append(tx, row.run_id, (ReferencesFound(references=[entity]), f"delivered:{revision}"))
