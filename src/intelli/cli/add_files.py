"""Adds changed files to a library, several at a time, and waits until all are read."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from intelli.cli import gather
from intelli.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from uuid import UUID

    from intelli.cli.gather import LocalFile
    from intelli.cli.library_client import KnownDocument, LibraryClient, LibraryDocument

_AT_ONCE = 4
_POLL_S, _LONGEST_POLL_S = 0.3, 2.0
_FEW = 8
# A server takes a hundred files in a request, and sixteen megabytes.
_MOST_FILES = 100
_SMALL_BYTES = 256 << 10
_BATCH_BYTES = 4 << 20
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class AddFailure:
    """A file that could not be added, and why; with `is_in` it was added, but could not be read there."""

    path: str
    reason: str
    is_in: bool = False


@dataclass(frozen=True, slots=True)
class AddWarning:
    """A warning about a file that was read: such as that only a part of it was, or that it is damaged."""

    path: str
    warning: str


@dataclass(slots=True)
class AddReport:
    """Counts of added files, with failures and warnings. `--json` prints it."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    hidden: int = 0
    failed: list[AddFailure] = field(default_factory=list)
    warnings: list[AddWarning] = field(default_factory=list)


def small_batches(
    files: Sequence[Item], *, size_of: Callable[[Item], int], may_share: Callable[[Item], bool] = lambda _: True
) -> Iterator[list[Item]]:
    """Group files into requests: small ones together, as many as one request takes, each other file alone.

    Files for which `may_share` is False are sent alone too. Batches come in no particular order.
    """
    together: list[Item] = []
    size_bytes = 0
    for file in files:
        if size_of(file) > _SMALL_BYTES or not may_share(file):
            yield [file]
            continue
        if together and (len(together) == _MOST_FILES or size_bytes + size_of(file) > _BATCH_BYTES):
            yield together
            together, size_bytes = [], 0
        together, size_bytes = [*together, file], size_bytes + size_of(file)
    if together:
        yield together


async def add_changed(
    library: "LibraryClient", files: "list[LocalFile]", report: AddReport, bar: ProgressBar
) -> "list[LibraryDocument]":
    """Add new and changed files, a few requests at a time, and count the outcomes in `report`.

    Return the documents that are not read yet: those just added, and unchanged ones that still wait.
    """
    known = await library.list_known()
    unread: list[LibraryDocument] = []
    bar.begin("Adding", sum(file.size_bytes for file in files))
    accepted = _drop_unplaceable(files, report)
    waiting = small_batches(accepted, size_of=lambda file: file.size_bytes, may_share=lambda file: file.may_share)

    async def add_batches() -> None:
        for batch in waiting:
            changed = [file for file in batch if await _is_changed(file, known, report, unread)]
            for file, outcome in zip(changed, await _add(library, changed), strict=True):
                _record(file, outcome, report, unread)
            bar.advance(sum(file.size_bytes for file in batch))

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(add_batches())
    return unread


def _drop_unplaceable(files: "Sequence[LocalFile]", report: AddReport) -> "list[LocalFile]":
    """Return the files with a valid library path of their own; report the others as failed."""
    from intelli.kit.errors import IntelliError

    placed: dict[str, LocalFile] = {}
    for file in files:
        try:
            first = placed.setdefault(file.library_path, file)
        except IntelliError as error:
            report.failed.append(_failure(file, error))
            continue
        if first.source != file.source:
            report.failed.append(_failure(file, "Another of the files has the same name in the library. Rename one."))
    return list(placed.values())


async def _is_changed(
    file: "LocalFile", known: "Mapping[str, KnownDocument]", report: AddReport, unread: "list[LibraryDocument]"
) -> bool:
    """Tell whether a file is new or changed; otherwise count it in `report` as unchanged or failed."""
    try:
        sha256 = await asyncio.to_thread(gather.sha256_of, file.source)
    except OSError as error:
        report.failed.append(_failure(file, error))
        return False
    there = known.get(file.library_path)
    if there is None or there.sha256 != sha256:
        return True
    report.unchanged += 1
    if not there.document.is_settled:
        unread.append(there.document)
    return False


async def _add(library: "LibraryClient", files: "Sequence[LocalFile]") -> "Sequence[LibraryDocument | Exception]":
    """Add the files in one request; when that is refused as a whole, add them one by one."""
    from intelli.kit.errors import Forbidden, IntelliError, Unauthenticated, Unavailable

    try:
        if len(files) > 1:
            return await library.add_all(files)
        return [await library.add(file) for file in files]
    except (Unavailable, Unauthenticated, Forbidden):
        raise  # every further request would fail likewise
    except (IntelliError, OSError) as error:
        if len(files) == 1:
            return [error]
    return [outcome for file in files for outcome in await _add(library, [file])]


def _record(
    file: "LocalFile", outcome: "LibraryDocument | Exception", report: AddReport, unread: "list[LibraryDocument]"
) -> None:
    if isinstance(outcome, Exception):
        report.failed.append(_failure(file, outcome))
        return
    unread.append(outcome)
    if outcome.version == 1:
        report.added += 1
    else:
        report.updated += 1


def _failure(file: "LocalFile", reason: object) -> AddFailure:
    """Build a failure; bytes of the path that are not UTF-8 are escaped, since they cannot be printed."""
    return AddFailure(file.path.encode(errors="backslashreplace").decode(), str(reason))


async def wait_until_read(
    library: "LibraryClient", unread: "list[LibraryDocument]", report: AddReport, bar: ProgressBar
) -> None:
    """Poll until each document is read or has failed; add failures and warnings to `report`."""
    waiting = {document.id: document for document in unread}
    most = len(waiting)
    bar.begin("Reading", most)
    while waiting:
        settled = [document for document in waiting.values() if document.is_settled]
        for document in settled:
            del waiting[document.id]
            if document.status == "failed":
                reason = document.reason or "It could not be read."
                report.failed.append(AddFailure(document.path, reason, is_in=True))
            report.warnings += [AddWarning(document.path, warning) for warning in document.warnings]
        bar.advance(len(settled))
        if waiting:
            await asyncio.sleep(min(_LONGEST_POLL_S, _POLL_S + len(waiting) / 500))
            waiting = await _refresh_all(library, waiting, most=most)


async def _refresh_all(
    library: "LibraryClient", waiting: "dict[UUID, LibraryDocument]", *, most: int
) -> "dict[UUID, LibraryDocument]":
    """Read the current state of the documents: many from the list of latest changes, a few one by one."""
    found = await library.list_latest(most) if len(waiting) > _FEW else {}
    # Uploads of others may have pushed some of ours off the list meanwhile.
    missing = [document_id for document_id in waiting if document_id not in found][:_FEW]
    found |= {document_id: await _refresh(library, waiting[document_id]) for document_id in missing}
    return {document_id: found.get(document_id, document) for document_id, document in waiting.items()}


async def _refresh(library: "LibraryClient", document: "LibraryDocument") -> "LibraryDocument":
    from intelli.kit.errors import NotFound

    try:
        return await library.get(document.id)
    except NotFound:
        return replace(document, status="failed", reason="It was deleted before it was read.")
