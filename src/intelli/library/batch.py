"""Batches: small files that arrive together become documents in one transaction, each for itself as far as it can."""

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
class _Guest:
    """An arrival whose place is known."""

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
    """Make documents of received bytes, as `upload.add` would one after the other; for each its document or why not.

    Locks are taken in the order of the whole library, each kind for all files before the next. Names that are taken
    get a new version or are refused; another name is for single uploads.
    """
    outcomes: dict[int, AddedDocument | IntelliError] = {}
    guests = await _place(tx, arrived, outcomes)
    taken = await store.lock_paths(tx, sorted(guest.path for guest in guests.values()))
    blocked = await store.folders_at(tx, [guest.path for guest in guests.values()])
    for number, guest in list(guests.items()):
        if guest.path in blocked:
            outcomes[number] = NameTaken("There is a folder of this name here. Choose another name.")
            del guests[number]
    await artifacts.hold_still(tx, (guest.sha256 for guest in guests.values()))
    fresh = {number: guest for number, guest in guests.items() if guest.path not in taken}
    outcomes |= await _make(tx, fresh, storing=storing)
    for number in guests.keys() - fresh:
        outcomes[number] = await _meet(tx, guests[number], storing=storing)
    return [outcomes[number] for number in range(len(arrived))]


async def _place(
    tx: Tx, arrived: Sequence[tuple[ReceivedBytes, UploadedFile]], outcomes: dict[int, AddedDocument | IntelliError]
) -> dict[int, _Guest]:
    """Those that have a place; why the others have none goes to the outcomes."""
    entered = await folders.enter_paths(tx, (arrival.folder_path or "/" for _, arrival in arrived))
    guests: dict[int, _Guest] = {}
    seen = set[str]()
    for number, (received, arrival) in enumerate(arrived):
        folder = entered[arrival.folder_path or "/"]
        try:
            guest = _guest(received, arrival, folder)
        except IntelliError as error:
            outcomes[number] = error
            continue
        if guest.path in seen:
            outcomes[number] = InvalidUpload("Two of the files have the same name. Send them one after the other.")
            continue
        seen.add(guest.path)
        guests[number] = guest
    return guests


def _guest(received: ReceivedBytes, arrival: UploadedFile, folder: Folder | IntelliError | None) -> _Guest:
    if isinstance(folder, IntelliError):
        raise folder
    name = upload.name_of(arrival)
    return _Guest(received, arrival, folder, name, names.joined(folder.path if folder else None, name))


async def _make(
    tx: Tx, fresh: Mapping[int, _Guest], *, storing: ArtifactStored
) -> dict[int, AddedDocument | IntelliError]:
    """New documents, in as many statements for all as for one."""
    if not fresh:
        return {}
    new, refused = await artifacts.take_all(
        tx, [(guest.received, _said(guest)) for guest in fresh.values()], storing=storing
    )
    welcome = {number: guest for number, guest in fresh.items() if guest.sha256 not in refused}
    contents = {number: _content(guest, is_new=guest.sha256 in new) for number, guest in welcome.items()}
    rows = [
        upload.row(tx, guest.folder, guest.name, contents[number], arrival=guest.arrival)
        for number, guest in welcome.items()
    ]
    made = await store.add_all(tx, rows) if rows else {}
    readings = await extract.ask_for_all(tx, {each.sha256: each.size_bytes for each in contents.values()})
    added = {
        number: AddedDocument(
            DocumentWithReading(made[guest.path], readings[contents[number].sha256]), contents[number], is_new=True
        )
        for number, guest in welcome.items()
    }
    await _tell(tx, list(added.values()), new)
    return {**{n: refused[guest.sha256] for n, guest in fresh.items() if guest.sha256 in refused}, **added}


async def _tell(tx: Tx, added: Sequence[AddedDocument], new: set[str]) -> None:
    if not added:
        return
    made = [each.found.document for each in added]
    await store.add_versions(tx, [documents.version_of(tx, document, ChangeKind.CREATED) for document in made])
    await change_channel.tell(tx)
    happenings: list[AuditEvent] = []
    untold = set(new)
    for each in added:
        if each.content.sha256 in untold:
            untold.remove(each.content.sha256)
            happenings.append(artifacts.uploaded(each.content.sha256, each.content.size_bytes))
        happenings.append(documents.changed(each.found.document, ChangeKind.CREATED))
    await record_all(tx, happenings)


async def _meet(tx: Tx, guest: _Guest, *, storing: ArtifactStored) -> AddedDocument | IntelliError:
    """A file whose name was there: what a single upload does, which takes no lock that we have not."""
    if guest.arrival.on_conflict is OnConflict.REFUSE:
        return NameTaken("There is already a document of this name here. Choose another name, or add a version.")
    arrival = replace(guest.arrival, name=guest.name, on_conflict=OnConflict.VERSION)
    return await upload.add(tx, guest.received, arrival, storing=storing)


def _said(guest: _Guest) -> ArtifactInfo:
    arrival = guest.arrival
    return ArtifactInfo(
        PlatformType.DOCUMENT, dict(arrival.metadata), filename=guest.name, media_type=arrival.media_type
    )


def _content(guest: _Guest, *, is_new: bool) -> StoredContent:
    kind = media_types.decide(guest.arrival.media_type, guest.name, guest.received.head)
    return StoredContent(guest.sha256, guest.received.draft.size_bytes, kind, is_new)
