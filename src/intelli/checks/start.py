"""Start a check: of a text, of a file that comes with it, of a document, or of a deliverable."""

from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record_all
from intelli.checks import show, store, wire
from intelli.checks.errors import NotOneText, TextTooLong
from intelli.checks.tables import TextCheck
from intelli.checks.wire import TextSource
from intelli.content import artifacts, file_names
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.ownership import ContentOwner
from intelli.content.ports import ArtifactStored
from intelli.content.wire import PlatformType
from intelli.deliverables import show as deliverables
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.kit.jobs import JobRef, Queue
from intelli.language import sentences
from intelli.library import document_text, documents, folders
from intelli.library.errors import DocumentNotFound

CHECK = JobRef(name="checks.check", queue=Queue.DELIVERABLES)
# Fifty pages of prose.
MOST_CHARACTERS = 200_000
_TITLE_CHARACTERS = 120
_UNTITLED = "Text"


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that is sent to be checked, with its name and where to look for passages."""

    received: ReceivedBytes
    filename: str | None
    media_type: str | None
    title: str | None
    context: wire.CheckContext


async def start(tx: Tx, asked: wire.NewTextCheck) -> TextCheck:
    """Start a check. Raise NotOneText, TextTooLong, or what says that something named is not there."""
    context = asked.context or wire.CheckContext()
    await check_context(tx, context)
    of_document = await _of_document(tx, asked.document_id) if asked.document_id else {}
    of_deliverable = await _of_deliverable(tx, asked.deliverable_id) if asked.deliverable_id else {}
    if sum(each is not None for each in (asked.text, asked.document_id, asked.deliverable_id)) != 1:
        raise NotOneText("Say what to check: either text, or document_id, or deliverable_id.")
    values: dict[str, object] = {**of_document, **of_deliverable}
    if asked.text is not None:
        check_length(asked.text)
        values = {"source": TextSource.TEXT, "title": _title_of(asked.text), "cited_text": asked.text}
    return await _insert(tx, {**values, **({"title": asked.title} if asked.title else {})}, context)


async def start_with_file(tx: Tx, sent: SentFile, *, storing: ArtifactStored) -> TextCheck:
    """Start a check of a file. Only its person can read the file, and it goes with the check."""
    await check_context(tx, sent.context)
    name = file_names.clean(sent.filename) or _UNTITLED
    owner = ContentOwner(tx.person_id)
    info = ArtifactInfo(
        PlatformType.USER_INPUT, {}, filename=name, media_type=sent.media_type, owner=owner, is_personal=True
    )
    artifact, is_new = await artifacts.save_without_audit(tx, sent.received, info, storing=storing)
    values: dict[str, object] = {
        "source": TextSource.FILE,
        "title": sent.title or name[:_TITLE_CHARACTERS],
        "file_sha256": artifact.sha256,
        "source_sha256": artifact.sha256,
        "file_name": name,
        "media_type": artifact.media_type,
    }
    row = await _insert(tx, values, sent.context)
    if is_new:
        await record_all(tx, [artifacts.upload_event(artifact.sha256, artifact.size_bytes)])
    return row


def check_length(text: str) -> None:
    """Raise TextTooLong when a text has more characters than one check takes."""
    if len(text) > MOST_CHARACTERS:
        raise TextTooLong(
            f"This text has {len(text):,} characters, and a check takes {MOST_CHARACTERS:,}: about fifty pages. "
            "Check it in parts."
        )


async def check_context(tx: Tx, context: wire.CheckContext) -> None:
    """Raise FolderNotFound or DocumentNotFound when the context names something that is not there."""
    if context.folder_id is not None:
        await folders.get(tx, context.folder_id)
    wanted = set(context.document_ids or ())
    if wanted and wanted - await documents.find_existing(tx, wanted):
        raise DocumentNotFound("A document to look in is not there. It may have been deleted.")


async def _of_document(tx: Tx, document_id: UUID) -> dict[str, object]:
    read = await document_text.get(tx, document_id, None)
    return {
        "source": TextSource.DOCUMENT,
        "title": read.version.name[:_TITLE_CHARACTERS],
        "document_id": document_id,
        "document_version": read.version.version,
        "source_sha256": read.version.artifact_sha256,
        "file_name": read.version.name,
        "media_type": read.version.mime_type,
    }


async def _of_deliverable(tx: Tx, deliverable_id: UUID) -> dict[str, object]:
    row = await deliverables.get(tx, deliverable_id)
    title = row.title[:_TITLE_CHARACTERS] or row.kind.capitalize()
    return {"source": TextSource.DELIVERABLE, "title": title, "deliverable_id": deliverable_id}


async def _insert(tx: Tx, values: dict[str, object], context: wire.CheckContext) -> TextCheck:
    check_id = uuid7()
    told = context.model_dump(mode="json", exclude_none=True)
    await store.insert_check(tx, {"id": check_id, **values, "context": told})
    await tx.defer(CHECK, key=f"check:{check_id}", check_id=str(check_id))
    return await show.get(tx, check_id)


def _title_of(text: str) -> str:
    """Return the first sentence of a text as its title; a salutation only where nothing else is said."""
    lines = [line.strip(" #*>-\t\r") for line in text[:10_000].split("\n")]
    lines = [line for line in lines if any(character.isalnum() for character in line)]
    first = next((line for line in lines if not line.endswith(",")), lines[0] if lines else _UNTITLED)
    first = next((first[span.start : span.end] for span in sentences.split(first)), first).rstrip(",")
    return "".join(character for character in first if character.isprintable())[:_TITLE_CHARACTERS] or _UNTITLED
