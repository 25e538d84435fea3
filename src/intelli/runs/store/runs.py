"""Queries of runs and their leases. The database's clock decides when a lease has expired."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import InstrumentedAttribute

from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values
from intelli.runs.tables import Run

# Whoever comes from the same job follows an attempt that the queue has given up, so its lease counts no more. A worker
# that lives gives its lease back: where one is left, its worker died, and once more unless steps were done meanwhile.
_CLAIM = text("""
    with done as (
        select (select count(*) from model_calls
                 where tenant_id = :tenant_id and run_id = :run_id and status = 'completed')
             + (select count(*) from agent_interactions
                 where tenant_id = :tenant_id and run_id = :run_id and finished_at is not null)
             + (select count(*) from langgraph.checkpoints
                 where workspace_id = :tenant_id and run_id = :run_id) as steps)
    update runs
       set epoch = epoch + 1, status = 'processing', lease_job = :job_id, updated_at = now(),
           lease_until = now() + make_interval(secs => :lease_s), started_at = coalesce(started_at, now()),
           deaths = case when done.steps = steps_at_claim then deaths else 0 end + (lease_until is not null)::int,
           death_epoch = case when lease_until is not null then epoch else death_epoch end,
           steps_at_claim = done.steps
      from done
     where tenant_id = :tenant_id and id = :run_id and status in ('pending', 'processing')
       and (lease_until is null or lease_until < now() or lease_job = :job_id)
    returning epoch
""")
_GIVE_BACK = text("""
    update runs set lease_job = null, lease_until = null
     where tenant_id = :tenant_id and id = :run_id and lease_job = :job_id and status = 'processing'
""")
_SURVIVED = text("""
    update runs set deaths = greatest(deaths - 1, 0), death_epoch = null
     where tenant_id = :tenant_id and id = :run_id and death_epoch = :epoch
""")
_RENEW = text("""
    update runs set lease_until = now() + make_interval(secs => :lease_s)
     where tenant_id = :tenant_id and id = :run_id and epoch = :epoch and status = 'processing'
    returning epoch
""")
_FENCE = text("""
    select epoch from runs
     where tenant_id = :tenant_id and id = :run_id and epoch = :epoch and status = 'processing'
       for no key update
""")
_STRANDED = text("""
    select id, user_id, epoch from runs
     where tenant_id = :tenant_id
       and ((status = 'processing' and lease_until < now() - make_interval(secs => :silent_s))
         or (status = 'pending' and updated_at < now() - make_interval(secs => :waiting_s)))
     order by id limit 200
""")


@dataclass(frozen=True, slots=True)
class StrandedRun:
    """A run that no worker is working on although one should."""

    id: UUID
    user_id: UUID
    epoch: int


def add(tx: Tx, run: Run) -> None:
    """Add a run to the session."""
    tx.session.add(run)


async def flush(tx: Tx) -> None:
    """Flush the session, so that later statements see its changes."""
    await tx.session.flush()


async def find(tx: Tx, run_id: UUID) -> Run | None:
    """Find a run that the caller may see."""
    statement = select(Run).where(Run.tenant_id == tx.tenant_id, Run.id == run_id)
    return await tx.session.scalar(statement.execution_options(populate_existing=True))


async def load_questions(tx: Tx, run_ids: Collection[UUID]) -> dict[UUID, UUID | None]:
    """Return the messages that runs answer, by the id of the run."""
    mine = select(Run.id, Run.message_id).where(Run.tenant_id == tx.tenant_id, in_values(Run.id, run_ids))
    return {row.id: row.message_id for row in await tx.session.execute(mine)}


async def lock(tx: Tx, run_id: UUID) -> Run | None:
    """Lock a run until the transaction ends; None when the caller may not see it."""
    statement = select(Run).where(Run.tenant_id == tx.tenant_id, Run.id == run_id)
    held = statement.with_for_update(key_share=True).execution_options(populate_existing=True)
    return await tx.session.scalar(held)


async def lock_of_conversation(tx: Tx, conversation_id: UUID) -> Sequence[Run]:
    """Lock the runs of a conversation, in the order of their ids."""
    statement = select(Run).where(Run.tenant_id == tx.tenant_id, Run.conversation_id == conversation_id)
    held = statement.order_by(Run.id).with_for_update().execution_options(populate_existing=True)
    return (await tx.session.scalars(held)).all()


async def list_first_titles(tx: Tx, conversation_id: UUID, *, but: UUID) -> Sequence[str | None]:
    """List the titles that other runs gave a conversation whose first question they answered."""
    mine = select(Run.title).where(Run.tenant_id == tx.tenant_id, Run.conversation_id == conversation_id)
    found = await tx.session.scalars(mine.where(Run.id != but, Run.turns == []))
    return found.all()


async def was_answered(tx: Tx, run: Run) -> bool:
    """Return whether another run has completed the same question."""
    before = select(Run.id).where(
        Run.tenant_id == tx.tenant_id,
        Run.message_id == run.message_id,
        Run.id != run.id,
        Run.status == "completed",
    )
    return await tx.session.scalar(before.limit(1)) is not None


async def list_newest(tx: Tx, *, status: str | None, before: UUID | None, limit: int) -> Sequence[Run]:
    """List runs that the caller may see, newest first."""
    statement = select(Run).where(Run.tenant_id == tx.tenant_id)
    if status is not None:
        statement = statement.where(Run.status == status)
    if before is not None:
        statement = statement.where(Run.id < before)
    return (await tx.session.scalars(statement.order_by(Run.id.desc()).limit(limit))).all()


async def claim(tx: Tx, run_id: UUID, *, job_id: int, lease_s: float) -> int | None:
    """Take the lease and return the new epoch; None when the run has ended, waits, or has another owner."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "job_id": job_id, "lease_s": lease_s}
    epoch: int | None = await tx.session.scalar(_CLAIM, values)
    return epoch


async def release_lease(tx: Tx, run_id: UUID, *, job_id: int) -> None:
    """Clear the lease of a run if this job owns it."""
    await tx.session.execute(_GIVE_BACK, {"tenant_id": tx.tenant_id, "run_id": run_id, "job_id": job_id})


async def undo_death(tx: Tx, run_id: UUID, *, epoch: int) -> None:
    """Undo the counted death of the worker of an epoch: it was only silent."""
    await tx.session.execute(_SURVIVED, {"tenant_id": tx.tenant_id, "run_id": run_id, "epoch": epoch})


async def renew(tx: Tx, run_id: UUID, *, epoch: int, lease_s: float) -> bool:
    """Extend the lease; return False when the run is no longer ours."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "epoch": epoch, "lease_s": lease_s}
    return await tx.session.scalar(_RENEW, values) is not None


async def fence(tx: Tx, run_id: UUID, *, epoch: int) -> bool:
    """Lock the run while it is ours; return False when it is not."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "epoch": epoch}
    return await tx.session.scalar(_FENCE, values) is not None


async def remove(tx: Tx, run_id: UUID) -> None:
    """Delete a run with everything that belongs to it."""
    await tx.session.execute(delete(Run).where(Run.tenant_id == tx.tenant_id, Run.id == run_id))


async def change(tx: Tx, run_id: UUID, **values: object) -> None:
    """Update columns of a run, and when it was updated."""
    statement = update(Run).where(Run.tenant_id == tx.tenant_id, Run.id == run_id)
    columns: dict[InstrumentedAttribute[object], object] = {getattr(Run, name): value for name, value in values.items()}
    await tx.session.execute(statement.values({**columns, Run.updated_at: text("now()")}))


async def list_stranded(tx: Tx, *, silent_s: float, waiting_s: float) -> list[StrandedRun]:
    """List runs whose worker fell silent or whose wake-up was lost."""
    values = {"tenant_id": tx.tenant_id, "silent_s": silent_s, "waiting_s": waiting_s}
    rows = await tx.session.execute(_STRANDED, values)
    return [StrandedRun(row.id, row.user_id, row.epoch) for row in rows]
