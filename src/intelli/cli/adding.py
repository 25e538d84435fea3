"""Putting files into a library: a few at a time, leaving alone what has not changed, until all can be found."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from intelli.cli import gather
from intelli.cli.bar import Bar

if TYPE_CHECKING:
    from intelli.cli.gather import LocalFile
    from intelli.cli.shelf import Shelf, Shelved

_AT_ONCE = 4
_LOOK_S = 0.3


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


async def put(shelf: "Shelf", files: "list[LocalFile]", report: Report, bar: Bar) -> "list[Shelved]":
    """Put the files in, a few at a time; those that changed nothing are left out of the answer."""
    from intelli.kit.errors import IntelliError, Unauthenticated, Unavailable

    known = await shelf.known()
    shelved: list[Shelved] = []
    places = asyncio.Semaphore(_AT_ONCE)
    bar.begin("Adding", sum(file.size_bytes for file in files))

    async def put_one(file: "LocalFile") -> None:
        async with places:
            try:
                if known.get(file.path) == await asyncio.to_thread(gather.sha256_of, file.source):
                    report.unchanged += 1
                    return
                document = await shelf.add(file)
            except (Unavailable, Unauthenticated):
                raise
            except (IntelliError, OSError) as error:
                report.failed.append(Failure(file.path, str(error)))
                return
            finally:
                bar.advance(file.size_bytes)
        shelved.append(document)
        if document.version == 1:
            report.added += 1
        else:
            report.updated += 1

    async with asyncio.TaskGroup() as group:
        for file in files:
            group.create_task(put_one(file))
    return shelved


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
