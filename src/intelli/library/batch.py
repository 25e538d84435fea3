"""Batch upload: add many small files as documents in one transaction; one refused file does not stop the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intelli.audit.record import AuditEvent, record_all
from intelli.content import artifacts, media_types
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.errors import InvalidUpload
from intelli.content.ports import ArtifactStored
from intelli.content.wire import PlatformType
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.library import change_channel, documents, extract, folders, names, upload
from intelli.library.errors import NameTaken
from intelli.library.store import documents as store
from intelli.library.store.documents import DocumentWithReading
from intelli.library.tables import Folder
from intelli.library.upload import AddedDocument, StoredContent, UploadedFile
from intelli.library.wire import ChangeKind, OnConflict

MOST_FILES = 100
LIMIT_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class _PlacedFile:
    """An uploaded file with its folder, name and path resolved."""

    received: ReceivedBytes
    arrival: UploadedFile
    folder: Folder | None
    name: str
    path: str

    @property
    def sha256(self) -> str:
        return self.received.draft.sha256


async def add(
    tx: Tx, arrived: Sequence[tuple[ReceivedBytes, UploadedFile]], *, storing: ArtifactStored
) -> list[AddedDocument | IntelliError]:
    """Add documents for received bytes, as `upload.add` would one by one; return each file's document or error.

    Locks are taken in the lock order of the library, each kind for all files before the next kind. A taken name gets
    a new version or is refused; choosing a free name is only offered for single uploads.
    """
    outcomes: dict[int, AddedDocument | IntelliError] = {}
    placed = await _place(tx, arrived, outcomes)
    taken = await store.lock_paths(tx, sorted(file.path for file in placed.values()))
    blocked = await store.find_folders_at(tx, [file.path for file in placed.values()])
    for number, file in list(placed.items()):
        if file.path in blocked:
            outcomes[number] = NameTaken("There is a folder of this name here. Choose another name.")
            del placed[number]
    await artifacts.lock_hashes(tx, (file.sha256 for file in placed.values()))
    fresh = {number: file for number, file in placed.items() if file.path not in taken}
    outcomes |= await _insert_new(tx, fresh, storing=storing)
    for number in placed.keys() - fresh:
        outcomes[number] = await _add_version(tx, placed[number], storing=storing)
    return [outcomes[number] for number in range(len(arrived))]


async def _place(
    tx: Tx, arrived: Sequence[tuple[ReceivedBytes, UploadedFile]], outcomes: dict[int, AddedDocument | IntelliError]
) -> dict[int, _PlacedFile]:
    """Resolve folder, name and path of each file, by its number; put the errors of the others into `outcomes`."""
    targets = await folders.ensure_paths(tx, (arrival.folder_path or "/" for _, arrival in arrived))
    placed: dict[int, _PlacedFile] = {}
    seen = set[str]()
    for number, (received, arrival) in enumerate(arrived):
        folder = targets[arrival.folder_path or "/"]
        try:
            file = _resolve(received, arrival, folder)
        except IntelliError as error:
            outcomes[number] = error
            continue
        if file.path in seen:
            outcomes[number] = InvalidUpload("Two of the files have the same name. Send them one after the other.")
            continue
        seen.add(file.path)
        placed[number] = file
    return placed


def _resolve(received: ReceivedBytes, arrival: UploadedFile, folder: Folder | IntelliError | None) -> _PlacedFile:
    if isinstance(folder, IntelliError):
        raise folder
    name = upload.choose_name(arrival)
    return _PlacedFile(received, arrival, folder, name, names.join_path(folder.path if folder else None, name))


async def _insert_new(
    tx: Tx, fresh: Mapping[int, _PlacedFile], *, storing: ArtifactStored
) -> dict[int, AddedDocument | IntelliError]:
    """Insert new documents for files at free paths, with as many statements for all files as for one."""
    if not fresh:
        return {}
    new, refused = await artifacts.save_all_without_audit(
        tx, [(file.received, _artifact_info(file)) for file in fresh.values()], storing=storing
    )
    accepted = {number: file for number, file in fresh.items() if file.sha256 not in refused}
    contents = {number: _content(file, is_new=file.sha256 in new) for number, file in accepted.items()}
    rows = [
        upload.build_row(tx, file.folder, file.name, contents[number], arrival=file.arrival)
        for number, file in accepted.items()
    ]
    made = await store.add_all(tx, rows) if rows else {}
    readings = await extract.ensure_readings(tx, {each.sha256: each.size_bytes for each in contents.values()})
    added = {
        number: AddedDocument(
            DocumentWithReading(made[file.path], readings[contents[number].sha256]), contents[number], is_new=True
        )
        for number, file in accepted.items()
    }
    await _record(tx, list(added.values()), new)
    return {**{n: refused[file.sha256] for n, file in fresh.items() if file.sha256 in refused}, **added}


async def _record(tx: Tx, added: Sequence[AddedDocument], new: set[str]) -> None:
    """Insert the first versions, notify followers of the library and write the audit log for added documents."""
    if not added:
        return
    made = [each.found.document for each in added]
    await store.add_versions(tx, [documents.version_row(tx, document, ChangeKind.CREATED) for document in made])
    await change_channel.notify(tx)
    events: list[AuditEvent] = []
    unrecorded = set(new)
    for each in added:
        if each.content.sha256 in unrecorded:
            unrecorded.remove(each.content.sha256)
            events.append(artifacts.upload_event(each.content.sha256, each.content.size_bytes))
        events.append(documents.change_event(each.found.document, ChangeKind.CREATED))
    await record_all(tx, events)


async def _add_version(tx: Tx, file: _PlacedFile, *, storing: ArtifactStored) -> AddedDocument | IntelliError:
    """Add a file whose path is taken, as a single upload does; that takes no lock that we do not hold already."""
    if file.arrival.on_conflict is OnConflict.REFUSE:
        return NameTaken("There is already a document of this name here. Choose another name, or add a version.")
    arrival = replace(file.arrival, name=file.name, on_conflict=OnConflict.VERSION)
    return await upload.add(tx, file.received, arrival, storing=storing)


def _artifact_info(file: _PlacedFile) -> ArtifactInfo:
    arrival = file.arrival
    return ArtifactInfo(
        PlatformType.KNOWLEDGE, dict(arrival.metadata), filename=file.name, media_type=arrival.media_type
    )


def _content(file: _PlacedFile, *, is_new: bool) -> StoredContent:
    kind = media_types.decide(file.arrival.media_type, file.name, file.received.head)
    return StoredContent(file.sha256, file.received.draft.size_bytes, kind, is_new)
