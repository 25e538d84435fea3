"""Structure jobs: read documents anew for their structure that were read before it was, or by an earlier version.

Text, span map and passages stay as they are, so what is findable stays so, and what is cited keeps its place. Files are
read one by one and stored one by one: a job that is interrupted goes on with those that are left.
"""

import asyncio
from uuid import UUID

import structlog

from intelli.content import artifacts
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.wire import PlatformType
from intelli.identity import installation
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.db import Tx
from intelli.kit.jobs import Job, Queue
from intelli.kit.work import Work
from intelli.library import blob_copies, document_text, prepared_structure, reading_result
from intelli.library.extraction.model import Unreadable
from intelli.library.extraction.sandbox import ChildStep
from intelli.library.ports import ExtractorPort
from intelli.library.prepared_structure import PreparedStructure
from intelli.library.span_map import DamagedMap
from intelli.library.store import readings as store
from intelli.library.store.readings import StoredReading
from intelli.library.structure import document_facts

_AT_ONCE = 20
_METHOD = f"structure {reading_result.STRUCTURE}"
_STEP = ChildStep(prepared_structure.MODULE, prepared_structure.collect)

log = structlog.get_logger()


async def count(tx: Tx) -> tuple[int, int]:
    """Count the texts that have a structure of this version, and all that could have one."""
    return await store.count_structured(tx, version=reading_result.STRUCTURE)


async def _find_workspaces(work: Work) -> None:
    """Enqueue the reading of each workspace that has documents without a structure of this version."""
    async with work.begin() as tx:
        workspaces = await installation.list_workspace_ids(tx)
    for workspace_id in workspaces:
        async with work.begin(workspace_id) as tx:
            if await store.list_without_structure(tx, version=reading_result.STRUCTURE, limit=1):
                await tx.wake(READ_STRUCTURE, key="library.read_structure")


async def _read_structures(work: Work) -> None:
    """Read some documents for their structure; then leave the queue to others, and go on."""
    async with work.begin() as tx:
        found = await store.list_without_structure(tx, version=reading_result.STRUCTURE, limit=_AT_ONCE)
        tenant_id = tx.tenant_id
    for each in found:
        await _save(work, tenant_id, each, await _read(work, tenant_id, each))
    if len(found) == _AT_ONCE:
        async with work.begin() as tx:
            await tx.wake(READ_STRUCTURE, key="library.read_structure")


async def _read(work: Work, tenant_id: UUID, read: StoredReading) -> PreparedStructure | None:
    """Return the structure of a text: from the file, else from its span map when it is read otherwise today."""
    extractor = work.part(ExtractorPort)  # type: ignore[type-abstract]  # found by its type alone
    try:
        async with blob_copies.open_copy(work.part(Blobs), tenant_id, read.sha256) as path:
            made = await extractor.prepare(path, name=read.name, step=_STEP)
        if made.text_sha256 == read.text_sha256:
            return made
    except (Unreadable, BlobDamaged, BlobMissing):
        log.info("structure_not_read_from_file")
    try:
        return await _read_from_map(work.part(Blobs), tenant_id, read)
    except (BlobDamaged, BlobMissing, DamagedMap):
        return None


async def _read_from_map(blobs: Blobs, tenant_id: UUID, read: StoredReading) -> PreparedStructure:
    text = await document_text.load_text(blobs, tenant_id, read.text_sha256)
    span_map = await document_text.load_map(blobs, tenant_id, read.map_sha256)
    properties = {name: str(value) for name, value in read.properties.items()}

    def build() -> PreparedStructure:
        media_type = read.media_type or "text/plain"
        return prepared_structure.build(span_map.extraction(text, media_type, title=read.title, properties=properties))

    return await asyncio.to_thread(build)


async def _save(work: Work, tenant_id: UUID, read: StoredReading, made: PreparedStructure | None) -> None:
    """Store a structure beside the reading; one that cannot be made is not tried again by this version."""
    values: dict[str, object] = {"structure_version": reading_result.STRUCTURE}
    received: ReceivedBytes | None = None
    if made is not None:
        received = artifacts.draft_generated(work.part(Blobs), tenant_id, made.structure)
        await artifacts.place_all([received])
        values |= {"structure_sha256": received.draft.sha256, "facts": document_facts.dump(made.facts)}
    async with work.begin() as tx:
        if received is not None:
            await artifacts.lock_hashes(tx, [received.draft.sha256])
        reading = await store.lock(tx, read.sha256)
        if reading is None or reading.text_sha256 != read.text_sha256:
            return
        if received is not None:
            metadata = {"source_sha256": read.sha256, "method": _METHOD}
            media_type = reading_result.STRUCTURE_MEDIA_TYPE
            info = ArtifactInfo(PlatformType.EXTRACTED_DATA, {**metadata}, media_type=media_type)
            await artifacts.save_generated(tx, [(received, info)])
        await store.update_by_hash(tx, read.sha256, values)


# Whatever else there is to do goes first, thumbnails too.
READ_STRUCTURE = Job(name="library.read_structure", queue=Queue.INDEX, run=_read_structures, priority=-2)
FIND_UNSTRUCTURED = Job(
    name="library.find_unstructured", queue=Queue.MAINTENANCE, run=_find_workspaces, every="*/10 * * * *"
)
JOBS = (READ_STRUCTURE, FIND_UNSTRUCTURED)
