"""The check of a log: its entries form one sealed chain, and the chain reaches every head that is kept outside."""

from collections.abc import AsyncIterator, Iterator, Sequence
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
# What the anchors say can be accepted; a chain that does not fit itself cannot.
BROKEN = frozenset({FindingKind.MISSING, FindingKind.CHANGED, FindingKind.UNLINKED, FindingKind.ADDED})


async def check(tx: Tx, anchors: Anchors, sighting: KnownHeads) -> ChainReport:
    """Compare the workspace's log with what is known of it outside the database."""
    head, sights = sighting.newest, sighting.sights
    trust = Trust(anchors.key, head.accepted_until if head else 0, sighting.may_begin_unsealed)
    walk = ChainCheck(tx.tenant_id, trust, marks=[each.seq for sight in sights for each in sight.heads])
    await take_all(tx, walk)
    findings = [_finding(fault) for fault in walk.faults]
    if (rows := await store.count(tx, upto=walk.seq)) != walk.checked:
        findings.append(_added(rows - walk.checked))
    findings += [*_of_heads(walk, head, sights), *_of_places(walk, head, sights)]
    return ChainReport(
        ok=not findings,
        checked=walk.checked,
        first_broken_seq=findings[0].first_seq if findings else None,
        reason=findings[0].message if findings else None,
        findings=findings,
        head_hash=walk.hash,
        anchored_seq=head.seq if head else 0,
        anchored_at=head.signed_at if head else None,
        public_key=anchors.key.public_key,
    )


async def take_all(tx: Tx, walk: ChainCheck) -> None:
    """Let the walk check every entry after where it is, in batches."""
    while batch := await store.links(tx, after=walk.seq, limit=_BATCH):
        for entry in batch:
            walk.take(entry)


async def findings(premises: WorkspaceAccess) -> AsyncIterator[str]:
    """What is wrong with a workspace's log, for `intelli verify`."""
    anchors = premises.part(Anchors)
    sighting = await anchors.look(premises.tenant_id)
    async with premises.begin() as tx:
        report = await check(tx, anchors, sighting)
    for finding in report.findings:
        yield f"audit log of workspace {premises.tenant_id}: {finding.message}"


async def missing_workspaces(anchors: Anchors, living: Sequence[UUID]) -> dict[UUID, ChainFinding]:
    """Workspaces whose logs were anchored and that are no more, though nobody removed them knowingly."""
    found = dict[UUID, ChainFinding]()
    for tenant_id in sorted(await anchors.tenants() - set(living)):
        sighting = await anchors.look(tenant_id)
        head = sighting.newest
        if head is not None and not sighting.is_closed:
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


def _of_heads(walk: ChainCheck, head: LogHead | None, sights: Sequence[LocationHeads]) -> Iterator[ChainFinding]:
    """What the chain lacks of what the newest heads say, or of what every log has that was never anchored."""
    if head is None:
        if not walk.has_beginning:
            yield ChainFinding(kind=FindingKind.BEGINNING_MISSING, first_seq=1, message=f"{_NO_BEGINNING} {_ACCEPT}")
        return
    when = f"{head.signed_at:%Y-%m-%d %H:%M:%S} UTC"
    if walk.seq == 0:
        message = f"All {head.seq} entries that the log had at {when} are missing. {_RESTORE} {_ACCEPT}"
        yield ChainFinding(kind=FindingKind.EMPTIED, first_seq=1, last_seq=head.seq, message=message)
    elif walk.seq < head.seq:
        lost = (
            f"The log ends at entry {walk.seq}; at {when} it had {head.seq}. The entries after {walk.seq} are missing."
        )
        message = f"{lost} {_RESTORE} {_ACCEPT}"
        yield ChainFinding(kind=FindingKind.CUT, first_seq=walk.seq + 1, last_seq=head.seq, message=message)
    current = {each.seq: each.hash for sight in sights for each in sight.heads if each.epoch == head.epoch}
    differing = [seq for seq, signed in current.items() if walk.hash_at.get(seq, signed) != signed]
    if differing:
        seq = min(differing)
        message = (
            f"The log up to entry {seq} is not the one that was there when its end was signed. {_RESTORE} {_ACCEPT}"
        )
        yield ChainFinding(kind=FindingKind.DIVERGED, last_seq=seq, message=message)


def _of_places(walk: ChainCheck, head: LogHead | None, sights: Sequence[LocationHeads]) -> Iterator[ChainFinding]:
    is_expected = walk.is_announced or (head is not None and head.is_announced)
    for sight in sights:
        if sight.forged:
            names = f"{len(sight.forged)} signed ends of the log in the {sight.place.name}"
            message = f"{names} are damaged, forged, or signed under another secret key. {_RESTORE} {_ACCEPT}"
            yield ChainFinding(kind=FindingKind.ANCHOR_FORGED, message=message)
        is_lost = is_expected and sight.newest is None and (sight.place.is_lasting or head is None)
        if is_lost:
            message = f"The signed end of the log is missing in the {sight.place.name}. {_RESTORE} {_ACCEPT}"
            yield ChainFinding(kind=FindingKind.ANCHOR_MISSING, message=message)
