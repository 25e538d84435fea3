"""Queries of the event log. An appender locks the run's row, so that seq has no gap and commits in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text

from intelli.kit.db import Tx

CHANNEL = "runs"
# PostgreSQL takes up to 8000 bytes in one notification; an item is an id, a colon and a number.
_ITEMS_PER_NOTIFICATION = 100
_PAGE_BYTES = 1_000_000
_PAGE_ROWS = 500
_NEWS_BYTES = 250_000
_NEWS_ROWS = 200

_HOLD = text("""
    select id, user_id, epoch, last_seq, status from runs
     where tenant_id = :tenant_id and id = any(:ids) order by id for no key update
""")
_KNOWN = text("""
    select e.run_id, e.key from unnest(cast(:ids as uuid[]), cast(:keys as text[])) as asked(run_id, key)
      join run_events e on e.tenant_id = :tenant_id and e.run_id = asked.run_id and e.key = asked.key
""")
_APPEND = text("""
    with added as (
        insert into run_events (tenant_id, run_id, seq, user_id, key, type, payload)
        select :tenant_id, line.* from unnest(
            cast(:run_ids as uuid[]), cast(:seqs as bigint[]), cast(:user_ids as uuid[]), cast(:keys as text[]),
            cast(:types as text[]), cast(:payloads as jsonb[])) as line),
    moved as (
        update runs set last_seq = head.seq
          from unnest(cast(:ids as uuid[]), cast(:heads as bigint[])) as head(id, seq)
         where runs.tenant_id = :tenant_id and runs.id = head.id)
    select pg_notify(:channel, payload) from unnest(cast(:notifications as text[])) as payload
""")
# A page is bounded in bytes as well as in rows: one that cannot be held in memory helps nobody.
_PAGE = text("""
    select seq, type, payload, created_at from (
        select seq, type, payload::text as payload, created_at,
               sum(octet_length(payload::text)) over (order by seq) - octet_length(payload::text) as before
          from run_events where tenant_id = :tenant_id and run_id = :run_id and seq > :after
         order by seq limit :limit) as line
     where before < :bytes order by seq
""")
# The same for many runs at once, with how far each log reaches.
_NEWS = text("""
    select asked.run_id, run.last_seq, run.status,
           exists (select from entities e where e.tenant_id = :tenant_id and e.run_id = asked.run_id
                                            and e.status = 'in_progress' and e.due_at > now()) as is_awaited,
           line.seq, line.type, line.payload, line.created_at
      from unnest(cast(:ids as uuid[]), cast(:afters as bigint[])) as asked(run_id, after)
      join runs run on run.tenant_id = :tenant_id and run.id = asked.run_id
      left join lateral (
        select seq, type, payload, created_at from (
            select seq, type, payload::text as payload, created_at,
                   sum(octet_length(payload::text)) over (order by seq) - octet_length(payload::text) as before
              from run_events e where e.tenant_id = :tenant_id and e.run_id = asked.run_id and e.seq > asked.after
             order by seq limit :limit) as whole
         where before < :bytes) as line on true
     order by asked.run_id, line.seq
""")
_HEAD = text("select last_seq, status from runs where tenant_id = :tenant_id and id = :run_id")
_SAID = text("""
    select payload->>'delta' as delta, cast(payload->>'offset' as integer) as "offset" from run_events
     where tenant_id = :tenant_id and run_id = :run_id and type = 'message_delta'
       and payload->>'message_id' = :message_id order by seq
""")


@dataclass(frozen=True, slots=True)
class LockedRun:
    """A run whose row this transaction has locked."""

    id: UUID
    user_id: UUID
    epoch: int
    last_seq: int
    status: str


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append. `payload` is JSON; a `key` occurs once per run."""

    run_id: UUID
    type: str
    payload: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """An event as stored in the log; its payload is never parsed on the way out."""

    seq: int
    type: str
    payload: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Last seq of a log, the status of its run, and whether a job still builds something of the run."""

    last_seq: int
    status: str
    is_awaited: bool = False


@dataclass(frozen=True, slots=True)
class NewEvents:
    """New events of a log, and its position."""

    position: LogPosition
    lines: list[Logged]


async def lock_runs(tx: Tx, run_ids: Sequence[UUID]) -> dict[UUID, LockedRun]:
    """Lock runs in the order of their ids, so that two transactions that lock several cannot deadlock."""
    rows = await tx.session.execute(_HOLD, {"tenant_id": tx.tenant_id, "ids": list(run_ids)})
    return {row.id: LockedRun(row.id, row.user_id, row.epoch, row.last_seq, row.status) for row in rows}


async def known_keys(tx: Tx, lines: Sequence[NewEvent]) -> set[tuple[UUID, str | None]]:
    """Return the keys of these events that are in the log already."""
    keyed = [line for line in lines if line.key is not None]
    if not keyed:
        return set()
    values = {"ids": [line.run_id for line in keyed], "keys": [line.key for line in keyed]}
    rows = await tx.session.execute(_KNOWN, {"tenant_id": tx.tenant_id, **values})
    return {(row.run_id, row.key) for row in rows}


async def append(tx: Tx, lines: Sequence[NewEvent], held: Mapping[UUID, LockedRun]) -> None:
    """Number the events, insert them, and notify followers, in one round trip."""
    heads = {run_id: run.last_seq for run_id, run in held.items()}
    seqs = []
    for line in lines:
        heads[line.run_id] += 1
        seqs.append(heads[line.run_id])
    touched = sorted({line.run_id for line in lines})
    await tx.session.execute(
        _APPEND,
        {
            "tenant_id": tx.tenant_id,
            "run_ids": [line.run_id for line in lines],
            "seqs": seqs,
            "user_ids": [held[line.run_id].user_id for line in lines],
            "keys": [line.key for line in lines],
            "types": [line.type for line in lines],
            "payloads": [line.payload for line in lines],
            "ids": touched,
            "heads": [heads[run_id] for run_id in touched],
            "channel": CHANNEL,
            "notifications": _notifications([f"{run_id}:{heads[run_id]}" for run_id in touched]),
        },
    )


async def page(tx: Tx, run_id: UUID, *, after: int, limit: int = _PAGE_ROWS) -> list[Logged]:
    """List the next events after a seq: at least one, if there is any, and no more than the limit and size allow."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "after": after, "limit": limit, "bytes": _PAGE_BYTES}
    return [Logged(*row) for row in await tx.session.execute(_PAGE, values)]


async def list_new(tx: Tx, afters: Mapping[UUID, int]) -> dict[UUID, NewEvents]:
    """List new events of several runs, each after a seq of its own, with the position of each log."""
    values = {"tenant_id": tx.tenant_id, "ids": list(afters), "afters": list(afters.values())}
    rows = await tx.session.execute(_NEWS, {**values, "limit": _NEWS_ROWS, "bytes": _NEWS_BYTES})
    found: dict[UUID, NewEvents] = {}
    for run_id, last_seq, status, is_awaited, *line in rows:
        new = found.setdefault(run_id, NewEvents(LogPosition(last_seq, status, is_awaited), []))
        if line[0] is not None:
            new.lines.append(Logged(*line))
    return found


async def find_position(tx: Tx, run_id: UUID) -> LogPosition | None:
    """Return the position of a log; None when the caller may not see the run."""
    row = (await tx.session.execute(_HEAD, {"tenant_id": tx.tenant_id, "run_id": run_id})).one_or_none()
    return LogPosition(*row) if row else None


async def load_text(tx: Tx, run_id: UUID, message_id: UUID) -> str:
    """Return the text of a message, joined from its deltas so far."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "message_id": str(message_id)}
    text_so_far = ""
    for row in await tx.session.execute(_SAID, values):
        text_so_far = text_so_far[: row.offset] + row.delta
    return text_so_far


def _notifications(items: Sequence[str]) -> list[str]:
    return [
        ",".join(items[start : start + _ITEMS_PER_NOTIFICATION])
        for start in range(0, len(items), _ITEMS_PER_NOTIFICATION)
    ]
