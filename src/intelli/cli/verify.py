"""`intelli verify`: every room checks its stored data in every workspace; or one exported file is checked."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intelli.audit.anchors import Anchors
    from intelli.kit.db import Database

# Reading all data of a large workspace takes long.
_CHECK_S = 6 * 3600


@dataclass(frozen=True, slots=True)
class BrokenItem:
    """Stored data that was changed or lost."""

    workspace_id: UUID
    room: str
    finding: str


@dataclass(slots=True)
class VerifyReport:
    """Counts of checked workspaces and checks, and what is broken. `--json` prints it."""

    workspaces: int = 0
    checks: int = 0
    public_key: str = ""
    accepted: list[UUID] = field(default_factory=list)
    broken: list[BrokenItem] = field(default_factory=list)


_FORMS = {
    "as_written": "",
    "packed_anew": ": another program packed it anew, and every file in it is as it was written",
    "unpacked": ": it was unpacked, and every file in it is as it was written",
}
File = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="An evidence bundle or an exported audit log to check instead; that needs no server, no database and "
        "no network.",
        show_default=False,
    ),
]
Key = Annotated[
    str | None,
    typer.Option(help="Public key that an exported log must be signed with, or a file that holds it.", metavar="KEY"),
]
Accept = Annotated[
    str | None,
    typer.Option(
        help="Accept audit logs as they are, after a backup was restored or the secret key was changed. "
        "Each of these logs tells of it with this reason.",
        metavar="REASON",
    ),
]


def verify(
    file: File = None, *, key: Key = None, accept: Accept = None, data: Data = None, as_json: AsJson = False
) -> None:
    """Check that nothing that is kept was changed or lost; end with 1 and a list of what is broken.

    It only reads, and may run while the product is in use. With a path, that evidence bundle or exported log is
    checked.
    """
    if file is not None:
        _verify_file(file, key, as_json=as_json)
        return
    report = asyncio.run(_verify(data, accept=accept))
    if as_json:
        output.write_json(report)
    else:
        _print_report(report)
    if report.broken:
        raise typer.Exit(ExitCode.FAILED)


def _verify_file(path: Path, key: str | None, *, as_json: bool) -> None:
    from intelli.audit.verify_export import is_export
    from intelli.cli import verify_audit_export

    if is_export(path):
        verify_audit_export.verify(path, key, as_json=as_json)
    else:
        _verify_bundle(path, as_json=as_json)


def _verify_bundle(path: Path, *, as_json: bool) -> None:
    from intelli.deliverables.bundle import unproven
    from intelli.deliverables.bundle.detect import require_bundle
    from intelli.deliverables.bundle.files import open_files
    from intelli.deliverables.bundle.verify import verify as check

    require_bundle(path)
    faults = check(path)
    aside, cited = ([], 0) if faults else unproven.list_unproven(path)
    with open_files(path) as opened:
        form = opened.form
    if as_json:
        output.write_json({"bundle": str(path), "form": form, "faults": faults, "unproven": aside})
    else:
        for fault in faults:
            output.line(f"broken: {fault.file or path.name}: {fault.what}")
        output.line(f"{path.name}: {_broken_text(len(faults))}." if faults else f"{path.name} is whole{_FORMS[form]}.")
    if aside and not as_json:
        output.line(f"{len(aside)} of its {cited} citations cannot be proven by it: the text they cite is not in it.")
    if faults:
        raise typer.Exit(ExitCode.FAILED)


async def _verify(data: Path | None, *, accept: str | None) -> VerifyReport:
    from intelli.app import ROOMS, open_log_anchors
    from intelli.audit.anchors import Anchors
    from intelli.audit.verify import find_missing_workspaces
    from intelli.cli import local
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister
    from intelli.kit.room import WorkspaceAccess

    report = VerifyReport()
    async with local.stores(data, timeout_s=_CHECK_S) as (db, blobs):
        anchors = open_log_anchors(local.load(data))
        report.public_key = anchors.key.public_key
        async with db.begin(WorkspaceLister()) as tx:
            workspace_ids = await installation.list_workspace_ids(tx)
        if accept is not None:
            report.accepted = await _accept(db, anchors, workspace_ids, reason=accept)
        for workspace_id, finding in (await find_missing_workspaces(anchors, workspace_ids)).items():
            report.broken.append(BrokenItem(workspace_id, "audit", f"workspace {workspace_id}: {finding.message}"))
        for workspace_id in workspace_ids:
            report.workspaces += 1
            begin = partial(db.begin, System(workspace_id))
            access = WorkspaceAccess(workspace_id, blobs, begin, {Anchors: anchors})
            for room in ROOMS:
                if room.verify is None:
                    continue
                report.checks += 1
                report.broken += [BrokenItem(workspace_id, room.name, each) async for each in room.verify(access)]
    return report


async def _accept(db: "Database", anchors: "Anchors", workspace_ids: "Sequence[UUID]", *, reason: str) -> list[UUID]:
    """Sign changed audit logs anew, close the anchors of missing workspaces, and return the ids of both."""
    from intelli.audit.accept import accept
    from intelli.audit.verify import find_missing_workspaces

    accepted = [each for each in workspace_ids if await accept(db, anchors, each, reason=reason) is not None]
    for workspace_id in await find_missing_workspaces(anchors, workspace_ids):
        await anchors.close(workspace_id)
        accepted.append(workspace_id)
    return accepted


def _print_report(report: VerifyReport) -> None:
    for workspace_id in report.accepted:
        output.line(f"accepted: the audit log of workspace {workspace_id} as it is")
    for broken in report.broken:
        output.line(f"broken: {broken.finding}")
    result = f"{_broken_text(len(report.broken))}.".capitalize() if report.broken else "Everything is whole."
    output.line(f"{report.checks} checks in {report.workspaces} workspaces. {result}")


def _broken_text(count: int) -> str:
    return "one thing is broken" if count == 1 else f"{count} things are broken"
