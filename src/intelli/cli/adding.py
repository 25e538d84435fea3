"""Putting files into a library: a few at a time, leaving alone what has not changed, until all can be found."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from intelli.cli import gather
from intelli.cli.bar import Bar

if TYPE_CHECKING:
    from intelli.cli.gather import LocalFile
    from intelli.cli.shelf import Shelf, Shelved
    from intelli.kit.errors import IntelliError

_AT_ONCE = 4
_LOOK_S = 0.3
# A server takes a hundred files in a request, and sixteen megabytes.
_MOST_FILES = 100
_SMALL_BYTES = 256 << 10
_ARMFUL_BYTES = 4 << 20
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that did not get in, or could not be read, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class Report:
    """What became of the files."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: list[Failure] = field(default_factory=list)


def armfuls(files: Sequence[Item], *, size_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Files to send as one: small ones together, as many as one request takes, and each of the others by itself."""
    together: list[Item] = []
    size_bytes = 0
    for file in files:
        if size_of(file) > _SMALL_BYTES:
            yield [file]
            continue
        if together and (len(together) == _MOST_FILES or size_bytes + size_of(file) > _ARMFUL_BYTES):
            yield together
            together, size_bytes = [], 0
        together, size_bytes = [*together, file], size_bytes + size_of(file)
    if together:
        yield together


async def put(shelf: "Shelf", files: "list[LocalFile]", report: Report, bar: Bar) -> "list[Shelved]":
    """Put the files in, a few at a time; those that changed nothing are left out of the answer."""
    from intelli.kit.errors import IntelliError, Unauthenticated, Unavailable

    known = await shelf.known()
    shelved: list[Shelved] = []
    bar.begin("Adding", sum(file.size_bytes for file in files))
    waiting = armfuls(files, size_of=lambda file: file.size_bytes)

    async def put_some() -> None:
        for armful in waiting:
            changed = [file for file in armful if await _is_changed(file, known, report)]
            try:
                outcomes = await _put(shelf, changed)
            except (Unavailable, Unauthenticated):
                raise
            except (IntelliError, OSError) as error:
                report.failed += [Failure(file.path, str(error)) for file in changed]
                outcomes = []
            for file, outcome in zip(changed, outcomes, strict=False):
                _note(file, outcome, report, shelved)
            bar.advance(sum(file.size_bytes for file in armful))

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(put_some())
    return shelved


async def _is_changed(file: "LocalFile", known: Mapping[str, str], report: Report) -> bool:
    """Whether a file has to be put in; what became of it is told otherwise."""
    try:
        is_changed = known.get(file.path) != await asyncio.to_thread(gather.sha256_of, file.source)
    except OSError as error:
        report.failed.append(Failure(file.path, str(error)))
        return False
    report.unchanged += not is_changed
    return is_changed


async def _put(shelf: "Shelf", files: "Sequence[LocalFile]") -> "Sequence[Shelved | IntelliError]":
    """Several together, unless it is one."""
    if len(files) > 1:
        return await shelf.add_all(files)
    return [await shelf.add(file) for file in files]


def _note(file: "LocalFile", outcome: "Shelved | IntelliError", report: Report, shelved: "list[Shelved]") -> None:
    if isinstance(outcome, Exception):
        report.failed.append(Failure(file.path, str(outcome)))
        return
    shelved.append(outcome)
    if outcome.version == 1:
        report.added += 1
    else:
        report.updated += 1


async def until_settled(shelf: "Shelf", shelved: "list[Shelved]", report: Report, bar: Bar) -> None:
    """Wait until each has been read, or has failed, which is reported."""
    bar.begin("Reading", len(shelved))
    for document in shelved:
        settled = await _settled(shelf, document)
        bar.advance(1)
        if settled.status == "failed":
            report.failed.append(Failure(settled.path, settled.reason or "It could not be read."))


async def _settled(shelf: "Shelf", document: "Shelved") -> "Shelved":
    while not document.is_settled:
        await asyncio.sleep(_LOOK_S)
        document = await shelf.look(document.id)
    return document
