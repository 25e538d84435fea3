"""`intelli verify`: every room checks what it keeps, in every workspace."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID

import typer

from intelli.cli import show
from intelli.cli.faults import ExitCode
from intelli.cli.options import AsJson, Data

# Reading all that a large workspace keeps takes its time.
_CHECK_S = 6 * 3600


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that is not as it was written."""

    workspace_id: UUID
    room: str
    finding: str


@dataclass(slots=True)
class Report:
    """How much was looked at, and what is broken."""

    workspaces: int = 0
    checks: int = 0
    broken: list[Broken] = field(default_factory=list)


def verify(data: Data = None, as_json: AsJson = False) -> None:
    """Check that nothing that is kept was changed or lost; end with 1 and a list of what is broken.

    It only reads, and may run while the product is in use.
    """
    report = asyncio.run(_verify(data))
    if as_json:
        show.machine(report)
    else:
        _tell(report)
    if report.broken:
        raise typer.Exit(ExitCode.FAILED)


async def _verify(data: Path | None) -> Report:
    from intelli.app import ROOMS
    from intelli.cli import opening
    from intelli.identity import census
    from intelli.kit.context import Census, System
    from intelli.kit.room import Premises

    report = Report()
    async with opening.stores(data, timeout_s=_CHECK_S) as (db, blobs):
        async with db.begin(Census()) as tx:
            workspace_ids = await census.workspace_ids(tx)
        for workspace_id in workspace_ids:
            report.workspaces += 1
            for room in ROOMS:
                if room.verify is None:
                    continue
                report.checks += 1
                findings = room.verify(Premises(workspace_id, blobs, partial(db.begin, System(workspace_id))))
                report.broken += [Broken(workspace_id, room.name, finding) async for finding in findings]
    return report


def _tell(report: Report) -> None:
    for broken in report.broken:
        show.line(f"broken: {broken.finding}")
    result = f"{len(report.broken)} things are broken." if report.broken else "Everything is whole."
    show.line(f"{report.checks} checks in {report.workspaces} workspaces. {result}")
