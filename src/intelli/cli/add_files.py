"""Putting files into a library: a few at a time, leaving alone what has not changed, until all can be found."""

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
_LOOK_S, _LONGEST_LOOK_S = 0.3, 2.0
_FEW = 8
# A server takes a hundred files in a request, and sixteen megabytes.
_MOST_FILES = 100
_SMALL_BYTES = 256 << 10
_ARMFUL_BYTES = 4 << 20
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class AddFailure:
    """A file that did not get in, and why; one that `is_in` is in the library, but could not be read."""

    path: str
    reason: str
    is_in: bool = False


@dataclass(frozen=True, slots=True)
class AddWarning:
    """What a reader should know of a file that was read: that only a part of it was, that it is damaged."""

    path: str
    warning: str


@dataclass(slots=True)
class AddReport:
    """What became of the files."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    hidden: int = 0
    failed: list[AddFailure] = field(default_factory=list)
    warnings: list[AddWarning] = field(default_factory=list)


def armfuls(
    files: Sequence[Item], *, size_of: Callable[[Item], int], may_share: Callable[[Item], bool] = lambda _: True
) -> Iterator[list[Item]]:
    """Files to send as one: small ones together, as many as one request takes, and each of the others by itself."""
    together: list[Item] = []
    size_bytes = 0
    for file in files:
        if size_of(file) > _SMALL_BYTES or not may_share(file):
            yield [file]
            continue
        if together and (len(together) == _MOST_FILES or size_bytes + size_of(file) > _ARMFUL_BYTES):
            yield together
            together, size_bytes = [], 0
        together, size_bytes = [*together, file], size_bytes + size_of(file)
    if together:
        yield together


async def put(
    shelf: "LibraryClient", files: "list[LocalFile]", report: AddReport, bar: ProgressBar
) -> "list[LibraryDocument]":
    """Put the files in, a few at a time. The answer has what is to be read: those that changed, or that still wait."""
    known = await shelf.known()
    shelved: list[LibraryDocument] = []
    bar.begin("Adding", sum(file.size_bytes for file in files))
    placed = _placed(files, report)
    waiting = armfuls(placed, size_of=lambda file: file.size_bytes, may_share=lambda file: file.may_share)

    async def put_some() -> None:
        for armful in waiting:
            changed = [file for file in armful if await _is_changed(file, known, report, shelved)]
            for file, outcome in zip(changed, await _put(shelf, changed), strict=True):
                _note(file, outcome, report, shelved)
            bar.advance(sum(file.size_bytes for file in armful))

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(put_some())
    return shelved


def _placed(files: "Sequence[LocalFile]", report: AddReport) -> "list[LocalFile]":
    """Those that have a place of their own in the library; why the others have none is told."""
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
    file: "LocalFile", known: "Mapping[str, KnownDocument]", report: AddReport, shelved: "list[LibraryDocument]"
) -> bool:
    """Whether a file has to be put in; what became of it is told otherwise."""
    try:
        sha256 = await asyncio.to_thread(gather.sha256_of, file.source)
    except OSError as error:
        report.failed.append(_failure(file, error))
        return False
    there = known.get(file.library_path)
    if there is None or there.sha256 != sha256:
        return True
    report.unchanged += 1
    if not there.shelved.is_settled:
        shelved.append(there.shelved)
    return False


async def _put(shelf: "LibraryClient", files: "Sequence[LocalFile]") -> "Sequence[LibraryDocument | Exception]":
    """Several together, unless it is one; what is refused together is put in one by one."""
    from intelli.kit.errors import Forbidden, IntelliError, Unauthenticated, Unavailable

    try:
        if len(files) > 1:
            return await shelf.add_all(files)
        return [await shelf.add(file) for file in files]
    except (Unavailable, Unauthenticated, Forbidden):
        raise  # and so would be all others
    except (IntelliError, OSError) as error:
        if len(files) == 1:
            return [error]
    return [outcome for file in files for outcome in await _put(shelf, [file])]


def _note(
    file: "LocalFile", outcome: "LibraryDocument | Exception", report: AddReport, shelved: "list[LibraryDocument]"
) -> None:
    if isinstance(outcome, Exception):
        report.failed.append(_failure(file, outcome))
        return
    shelved.append(outcome)
    if outcome.version == 1:
        report.added += 1
    else:
        report.updated += 1


def _failure(file: "LocalFile", reason: object) -> AddFailure:
    """Names that are not UTF-8 are told with escapes, for they cannot be written anywhere."""
    return AddFailure(file.path.encode(errors="backslashreplace").decode(), str(reason))


async def until_settled(
    shelf: "LibraryClient", shelved: "list[LibraryDocument]", report: AddReport, bar: ProgressBar
) -> None:
    """Wait until each has been read, or has failed, which is reported."""
    waiting = {document.id: document for document in shelved}
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
            await asyncio.sleep(min(_LONGEST_LOOK_S, _LOOK_S + len(waiting) / 500))
            waiting = await _looked_at(shelf, waiting, most=most)


async def _looked_at(
    shelf: "LibraryClient", waiting: "dict[UUID, LibraryDocument]", *, most: int
) -> "dict[UUID, LibraryDocument]":
    """The same documents as they are now: many are looked at as a list, a few one by one."""
    found = await shelf.latest(most) if len(waiting) > _FEW else {}
    # Others may have brought more than we did meanwhile, and so have pushed some of ours off the list.
    missing = [document_id for document_id in waiting if document_id not in found][:_FEW]
    found |= {document_id: await _look(shelf, waiting[document_id]) for document_id in missing}
    return {document_id: found.get(document_id, document) for document_id, document in waiting.items()}


async def _look(shelf: "LibraryClient", document: "LibraryDocument") -> "LibraryDocument":
    from intelli.kit.errors import NotFound

    try:
        return await shelf.look(document.id)
    except NotFound:
        return replace(document, status="failed", reason="It was deleted before it was read.")
