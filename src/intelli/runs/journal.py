"""The journal: buffers the events of all runs of a process and writes them together every few milliseconds.

One transaction writes the events of all runs since the last one, so that a thousand deltas cost a handful of commits.
Each event has a key that is unique per run: a step that runs again does not repeat its events.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from intelli.kit.context import System
from intelli.kit.db import Database, Tx, run_to_completion
from intelli.kit.work import TRANSIENT
from intelli.runs.events import AnyEvent, MessageDelta
from intelli.runs.lease import Lease
from intelli.runs.store import log as store

_LONGEST_PAUSE_S = 2.0
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class _PendingEvent:
    """An event that is not yet written. It is sealed once a write was tried: that write may have happened."""

    lease: Lease
    event: AnyEvent
    key: str
    is_sealed: bool = False


async def append(tx: Tx, run_id: UUID, *events: tuple[AnyEvent, str]) -> None:
    """Append events with their keys to a run's log; keys that are in the log are skipped. Locks the run."""
    held = await store.lock_runs(tx, [run_id])
    await _append(tx, [build_line(run_id, event, key) for event, key in events], held)


def build_line(run_id: UUID, event: AnyEvent, key: str) -> store.NewEvent:
    """Convert an event to a row of the log."""
    return store.NewEvent(run_id, event.type, clean_json(event.model_dump(mode="json")), key)


def clean_json(value: object) -> str:
    """Return JSON that PostgreSQL accepts, without NUL and lone surrogates, whatever a model wrote."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace").decode()
    if "\\u0000" not in text:
        return text
    return json.dumps(_without_nul(json.loads(text)), ensure_ascii=False, separators=(",", ":"))


class Journal:
    """Event buffer of all runs of this process. A part of the app; whoever runs a job also runs `pump`."""

    def __init__(self, db: Database, *, flush_s: float = 0.03) -> None:
        self._db = db
        self._flush_s = flush_s
        self._entries: list[_PendingEvent] = []
        self._newest: dict[UUID, _PendingEvent] = {}
        self._dirty = asyncio.Event()
        self._writing = asyncio.Lock()

    def emit(self, lease: Lease, event: AnyEvent, key: str) -> None:
        """Queue an event to be written within the flush time. Consecutive deltas of one message are joined.

        A later owner of the run may have to emit a delta again, so the key of a delta is unique per epoch.
        """
        if isinstance(event, MessageDelta) and self._join(lease, event):
            return
        entry = _PendingEvent(lease, event, f"{key}:{lease.epoch}" if isinstance(event, MessageDelta) else key)
        self._entries.append(entry)
        self._newest[lease.run_id] = entry
        self._dirty.set()

    async def settle(self, lease: Lease) -> None:
        """Return when all events emitted so far are in the log; raise RunLost when the run is no longer ours."""
        await self.flush()
        if lease.lost.is_set():
            raise lease.forfeit()

    async def pump(self) -> None:
        """Write queued events every few milliseconds until cancelled. Of several pumps the first writes all."""
        failures = 0
        while True:
            await self._dirty.wait()
            await asyncio.sleep(min(_LONGEST_PAUSE_S, self._flush_s * 2**failures))
            try:
                await self.flush()
                failures = 0
            except TRANSIENT as error:
                failures += 1
                log.warning("events_not_written", error=type(error).__name__, failures=failures)

    async def flush(self) -> None:
        """Write all queued events. When the caller is cancelled, the write still completes."""
        error = await run_to_completion(self._write())
        if error is not None:
            raise error

    async def _write(self) -> Exception | None:
        async with self._writing:
            entries, self._entries = self._entries, []
            self._newest.clear()
            self._dirty.clear()
            if not entries:
                return None
            for entry in entries:
                entry.is_sealed = True
            try:
                await self._write_all(entries)
            except Exception as error:  # noqa: BLE001  # told to whoever waits; nothing that was said is lost
                self._entries = [*entries, *self._entries]
                self._dirty.set()
                return error
            return None

    async def _write_all(self, entries: Sequence[_PendingEvent]) -> None:
        """Write the events of all workspaces in one transaction, which enters one workspace after the other."""
        by_tenant: defaultdict[UUID, list[_PendingEvent]] = defaultdict(list)
        for entry in entries:
            by_tenant[entry.lease.tenant_id].append(entry)
        first, *rest = sorted(by_tenant)
        async with self._db.begin(System(first)) as tx:
            await self._write_tenant(tx, by_tenant[first])
            for tenant_id in rest:
                await tx.become(System(tenant_id))
                await self._write_tenant(tx, by_tenant[tenant_id])

    async def _write_tenant(self, tx: Tx, entries: Sequence[_PendingEvent]) -> None:
        held = await store.lock_runs(tx, sorted({entry.lease.run_id for entry in entries}))
        lines = []
        for entry in entries:
            run = held.get(entry.lease.run_id)
            if run is None or run.epoch != entry.lease.epoch or run.status != "processing":
                entry.lease.lost.set()
            else:
                lines.append(build_line(run.id, entry.event, entry.key))
        await _append(tx, lines, held)

    def _join(self, lease: Lease, event: MessageDelta) -> bool:
        entry = self._newest.get(lease.run_id)
        if entry is None or entry.is_sealed or entry.lease is not lease or not isinstance(entry.event, MessageDelta):
            return False
        before = entry.event
        if before.message_id != event.message_id or before.offset + len(before.delta) != event.offset:
            return False
        entry.event = before.model_copy(update={"delta": before.delta + event.delta})
        return True


async def _append(tx: Tx, lines: Sequence[store.NewEvent], held: dict[UUID, store.LockedRun]) -> None:
    known = await store.known_keys(tx, lines)
    fresh = []
    for line in lines:
        if (line.run_id, line.key) not in known:
            known.add((line.run_id, line.key))
            fresh.append(line)
    if fresh:
        await store.append(tx, fresh, held)


def _without_nul(value: object) -> object:
    match value:
        case str():
            return value.replace("\0", "")
        case list():
            return [_without_nul(item) for item in value]
        case dict():
            return {key.replace("\0", ""): _without_nul(item) for key, item in value.items()}
        case _:
            return value
