"""Check of a log: its entries form one sealed chain, and the chain reaches every head stored outside the database."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from intelli.audit import store
from intelli.audit.anchors import Anchors, KnownHeads, LocationHeads
from intelli.audit.chain import ChainCheck, ChainFault, Trust
from intelli.audit.statements import LogHead
from intelli.audit.wire import ChainFinding, ChainReport, FindingKind
from intelli.kit.db import Tx
from intelli.kit.room import WorkspaceAccess

CHECK_TIMEOUT_S = 600
_BATCH = 1000
_ACCEPT = 'If you restored a backup or changed the secret key, say so with `intelli verify --accept "reason"`.'
_RESTORE = "Keep a copy of the database, then compare it with a backup or an export."
_FAULTS = {
    FindingKind.MISSING: ("{who} missing", _RESTORE),
    FindingKind.CHANGED: ("{who} not as first written", _RESTORE),
    FindingKind.UNLINKED: ("{who} not the one that followed the entry before", _RESTORE),
    FindingKind.REWRITTEN: ("{who} rewritten: the hashes were computed anew, the seals do not fit", _RESTORE),
    FindingKind.UNSEALED: ("{who} without a seal, though entries are sealed since before", _RESTORE),
    FindingKind.UNKNOWN_KEY: ("{who} sealed under another secret key than this installation's", _ACCEPT),
}
_NO_BEGINNING = f"The log does not begin with the creation of its workspace: entries are missing. {_RESTORE}"
# An operator can accept a difference from the anchors, but not an inconsistent chain.
BROKEN = frozenset({FindingKind.MISSING, FindingKind.CHANGED, FindingKind.UNLINKED, FindingKind.ADDED})


async def check_log(
    begin: Callable[[], AbstractAsyncContextManager[Tx]], anchors: Anchors, tenant_id: UUID
) -> ChainReport:
    """Check a workspace's log against its heads.

    Done again when there was no head yet: the first one may have been stored between loading heads and reading the log,
    which then says that it is anchored.
    """
    known = await anchors.load_heads(tenant_id)
    async with begin() as tx:
        report = await check(tx, anchors, known)
    if report.ok or known.newest is not None:
        return report
    known = await anchors.load_heads(tenant_id)
    async with begin() as tx:
        return await check(tx, anchors, known)


async def check(tx: Tx, anchors: Anchors, known: KnownHeads) -> ChainReport:
    """Check the workspace's log against its heads, which are to be loaded before this transaction reads the log."""
    head, locations = known.newest, known.locations
    trust = Trust(anchors.key, head.accepted_until if head else 0, known.may_begin_unsealed)
    chain = ChainCheck(tx.tenant_id, trust, marks=[each.seq for location in locations for each in location.heads])
    await check_entries(tx, chain)
    found = [_finding(fault) for fault in chain.faults]
    if (rows := await store.count_rows(tx, upto=chain.seq)) != chain.checked:
        found.append(_added(rows - chain.checked))
    found += [*_check_heads(chain, head, locations), *_check_locations(chain, head, locations)]
    return ChainReport(
        ok=not found,
        checked=chain.checked,
        first_broken_seq=found[0].first_seq if found else None,
        reason=found[0].message if found else None,
        findings=found,
        head_hash=chain.hash,
        anchored_seq=head.seq if head else 0,
        anchored_at=head.signed_at if head else None,
        public_key=anchors.key.public_key,
    )


async def check_entries(tx: Tx, chain: ChainCheck) -> None:
    """Check every entry after `chain.seq`, read in batches."""
    while batch := await store.list_links(tx, after=chain.seq, limit=_BATCH):
        for entry in batch:
            chain.check(entry)


async def find_defects(access: WorkspaceAccess) -> AsyncIterator[str]:
    """Yield a text for each defect of a workspace's log, for `intelli verify`."""
    report = await check_log(access.begin, access.part(Anchors), access.tenant_id)
    for finding in report.findings:
        yield f"audit log of workspace {access.tenant_id}: {finding.message}"


async def find_missing_workspaces(anchors: Anchors, living: Sequence[UUID]) -> dict[UUID, ChainFinding]:
    """Find workspaces that have anchors but no longer exist, though no operator removed them."""
    found = dict[UUID, ChainFinding]()
    for tenant_id in sorted(await anchors.list_tenants() - set(living)):
        known = await anchors.load_heads(tenant_id)
        head = known.newest
        if head is not None and not known.is_closed:
            message = f"The workspace is missing; its log had {head.seq} entries at {head.signed_at:%Y-%m-%d %H:%M}."
            kind = FindingKind.WORKSPACE_MISSING
            found[tenant_id] = ChainFinding(kind=kind, last_seq=head.seq, message=f"{message} {_RESTORE} {_ACCEPT}")
    return found


def _finding(fault: ChainFault) -> ChainFinding:
    words, advice = _FAULTS[fault.kind]
    is_one = fault.first_seq == fault.last_seq
    who = f"Entry {fault.first_seq} is" if is_one else f"Entries {fault.first_seq} to {fault.last_seq} are"
    message = f"{words.format(who=who)}. {advice}"
    return ChainFinding(kind=fault.kind, first_seq=fault.first_seq, last_seq=fault.last_seq, message=message)


def _added(rows: int) -> ChainFinding:
    message = f"{rows} rows of the log repeat a number or have one below 1: they were added by hand. {_RESTORE}"
    return ChainFinding(kind=FindingKind.ADDED, message=message)


def _check_heads(chain: ChainCheck, head: LogHead | None, locations: Sequence[LocationHeads]) -> Iterator[ChainFinding]:
    """Compare the chain with the heads of the newest epoch; without a head, check that it has its first entry."""
    if head is None:
        if not chain.has_beginning:
            yield ChainFinding(kind=FindingKind.BEGINNING_MISSING, first_seq=1, message=f"{_NO_BEGINNING} {_ACCEPT}")
        return
    when = f"{head.signed_at:%Y-%m-%d %H:%M:%S} UTC"
    if chain.seq == 0:
        message = f"All {head.seq} entries that the log had at {when} are missing. {_RESTORE} {_ACCEPT}"
        yield ChainFinding(kind=FindingKind.EMPTIED, first_seq=1, last_seq=head.seq, message=message)
    elif chain.seq < head.seq:
        lost = (
            f"The log ends at entry {chain.seq}; at {when} it had {head.seq}. "
            f"The entries after {chain.seq} are missing."
        )
        message = f"{lost} {_RESTORE} {_ACCEPT}"
        yield ChainFinding(kind=FindingKind.CUT, first_seq=chain.seq + 1, last_seq=head.seq, message=message)
    current = {each.seq: each.hash for location in locations for each in location.heads if each.epoch == head.epoch}
    differing = [seq for seq, signed in current.items() if chain.hash_at.get(seq, signed) != signed]
    if differing:
        seq = min(differing)
        message = (
            f"The log up to entry {seq} is not the one that was there when its end was signed. {_RESTORE} {_ACCEPT}"
        )
        yield ChainFinding(kind=FindingKind.DIVERGED, last_seq=seq, message=message)


def _check_locations(
    chain: ChainCheck, head: LogHead | None, locations: Sequence[LocationHeads]
) -> Iterator[ChainFinding]:
    is_expected = chain.is_announced or (head is not None and head.is_announced)
    for location in locations:
        if location.forged:
            names = f"{len(location.forged)} signed ends of the log in the {location.place.name}"
            message = f"{names} are damaged, forged, or signed under another secret key. {_RESTORE} {_ACCEPT}"
            yield ChainFinding(kind=FindingKind.ANCHOR_FORGED, message=message)
        is_lost = is_expected and location.newest is None and (location.place.is_lasting or head is None)
        if is_lost:
            message = f"The signed end of the log is missing in the {location.place.name}. {_RESTORE} {_ACCEPT}"
            yield ChainFinding(kind=FindingKind.ANCHOR_MISSING, message=message)
