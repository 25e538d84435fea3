"""`intelli verify`: every room checks what it keeps, in every workspace; or a bundle is checked by itself."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated
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


Bundle = Annotated[
    Path | None,
    typer.Argument(
        metavar="[BUNDLE]",
        help="An evidence bundle to check instead; that needs no server, no database and no network.",
        show_default=False,
    ),
]


def verify(bundle: Bundle = None, data: Data = None, as_json: AsJson = False) -> None:
    """Check that nothing that is kept was changed or lost; end with 1 and a list of what is broken.

    It only reads, and may run while the product is in use. With a path, that evidence bundle is checked.
    """
    if bundle is not None:
        _verify_bundle(bundle, as_json=as_json)
        return
    report = asyncio.run(_verify(data))
    if as_json:
        show.machine(report)
    else:
        _tell(report)
    if report.broken:
        raise typer.Exit(ExitCode.FAILED)


def _verify_bundle(path: Path, *, as_json: bool) -> None:
    from intelli.deliverables.bundle import unproven
    from intelli.deliverables.bundle.kind import insist
    from intelli.deliverables.bundle.verify import verify as check

    insist(path)
    faults = check(path)
    aside, cited = ([], 0) if faults else unproven.read(path)
    if as_json:
        show.machine({"bundle": str(path), "faults": faults, "unproven": aside})
    else:
        for fault in faults:
            show.line(f"broken: {fault.file or path.name}: {fault.what}")
        show.line(f"{path.name}: {_broken(len(faults))}." if faults else f"{path.name} is whole.")
    if aside and not as_json:
        show.line(f"{len(aside)} of its {cited} citations cannot be proven by it: the text they cite is not in it.")
    if faults:
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
    result = f"{_broken(len(report.broken))}.".capitalize() if report.broken else "Everything is whole."
    show.line(f"{report.checks} checks in {report.workspaces} workspaces. {result}")


def _broken(count: int) -> str:
    return "one thing is broken" if count == 1 else f"{count} things are broken"
