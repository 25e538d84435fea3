"""Read what is to be checked: its text with citation tags, and the ranges of it that hold no statements."""

from dataclasses import dataclass
from uuid import UUID

from intelli.checks import start
from intelli.checks.errors import TextNotReadable
from intelli.checks.tables import TextCheck
from intelli.checks.wire import TextSource
from intelli.deliverables import show as deliverables
from intelli.kit.blobs import BlobDamaged, BlobMissing, Blobs
from intelli.kit.work import Work
from intelli.library import blob_copies, document_text, reading_result
from intelli.library.errors import DocumentNotFound
from intelli.library.extraction.model import BlockKind, Unreadable
from intelli.library.ports import ExtractorPort
from intelli.library.settings import LibrarySettings
from intelli.library.span_map import DamagedMap, SpanMap

# Notes, code and lists are the writer's words too.
_SILENT = {BlockKind.HEADING, BlockKind.FURNITURE, BlockKind.ATTACHMENT}
_GONE = "The file that was to be checked is damaged or gone. Send it again."


@dataclass(frozen=True, slots=True)
class TextToCheck:
    """A text with citation tags, and the ranges of it that are headings, page furniture or attachments."""

    text: str
    skipped: list[list[int]]


@dataclass(frozen=True, slots=True)
class PaperToCheck:
    """The GML of a deliverable, and its language."""

    gml: str
    language: str


async def read(work: Work, row: TextCheck) -> TextToCheck | PaperToCheck:
    """Read what a check is of. Raise TextNotReadable or TextTooLong."""
    found = await _read(work, row)
    if isinstance(found, TextToCheck):
        start.check_length(found.text)
        if not any(character.isalnum() for character in found.text):
            raise TextNotReadable("There are no words in this text, so there is nothing to check.")
    return found


async def _read(work: Work, row: TextCheck) -> TextToCheck | PaperToCheck:
    if row.cited_text is not None:
        return TextToCheck(row.cited_text, row.skipped)
    match TextSource(row.source):
        case TextSource.FILE:
            return await _read_file(work, row)
        case TextSource.DOCUMENT if row.document_id is not None:
            return await _read_document(work, row.document_id, row.document_version)
        case TextSource.DELIVERABLE if row.deliverable_id is not None:
            return await _read_deliverable(work, row.deliverable_id)
        case _:
            raise DocumentNotFound("What was to be checked has been deleted. Check something else.")


async def _read_file(work: Work, row: TextCheck) -> TextToCheck:
    assert row.file_sha256 is not None, "a check of a file holds it"
    extractor = work.part(ExtractorPort)  # type: ignore[type-abstract]  # found by its type alone
    step = reading_result.child_step(work.part(LibrarySettings))
    try:
        async with blob_copies.open_copy(work.part(Blobs), row.tenant_id, row.file_sha256) as path:
            made = await extractor.prepare(path, name=row.file_name, step=step)
    except Unreadable as error:
        raise TextNotReadable(error.reason) from error
    except (BlobMissing, BlobDamaged) as error:
        raise TextNotReadable(_GONE) from error
    return TextToCheck(_storable(made.text), _skipped(SpanMap(made.span_map)))


async def _read_document(work: Work, document_id: UUID, version: int | None) -> TextToCheck:
    async with work.begin() as tx:
        found = await document_text.get(tx, document_id, version)
        tenant_id = tx.tenant_id
    blobs = work.part(Blobs)
    try:
        text = await document_text.load_text(blobs, tenant_id, found.text_sha256)
        skipped = _skipped(await document_text.load_map(blobs, tenant_id, found.map_sha256))
    except (BlobMissing, BlobDamaged, DamagedMap) as error:
        raise TextNotReadable(_GONE) from error
    return TextToCheck(_storable(text), skipped)


async def _read_deliverable(work: Work, deliverable_id: UUID) -> PaperToCheck:
    async with work.begin() as tx:
        row = await deliverables.get(tx, deliverable_id)
    blobs = work.part(Blobs)
    brief = await deliverables.read_brief(blobs, row)
    return PaperToCheck(await deliverables.read_gml(blobs, row), brief.language)


def _skipped(span_map: SpanMap) -> list[list[int]]:
    blocks = (span_map.block(index) for index in range(span_map.block_count))
    return [[block.start, block.end] for block in blocks if block.kind in _SILENT]


def _storable(text: str) -> str:
    """Return a text that PostgreSQL can hold, in which every character stays at its place."""
    return text.replace("\0", " ")
