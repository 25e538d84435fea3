"""Queries of model calls. The amount that a run has spent is the sum of its calls, and nothing else."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.runs.tables import ModelCall

# A reservation of an earlier epoch is void: whoever made it can record nothing any more.
_COMMITTED = text("""
    select coalesce(sum(case when status = 'completed' then input_cost + output_cost else reserved end), 0)
      from model_calls
     where tenant_id = :tenant_id and run_id = :run_id and key <> :key and (status = 'completed' or epoch = :epoch)
""")
_COMPLETE = text("""
    update model_calls
       set status = 'completed', answer = cast(:answer as jsonb), problem = :problem, model = :model, calls = :calls,
           input_tokens = :input_tokens, output_tokens = :output_tokens, input_cost = :input_cost,
           output_cost = :output_cost, reserved = 0, finished_at = now()
     where tenant_id = :tenant_id and run_id = :run_id and key = :key and status = 'started'
    returning id
""")
_SUM_UP = text("""
    update runs set input_tokens = s.input_tokens, output_tokens = s.output_tokens, cost_llm_input = s.input_cost,
                    cost_llm_output = s.output_cost, updated_at = now()
      from (select coalesce(sum(input_tokens), 0) as input_tokens, coalesce(sum(output_tokens), 0) as output_tokens,
                   coalesce(sum(input_cost), 0) as input_cost, coalesce(sum(output_cost), 0) as output_cost
              from model_calls where tenant_id = :tenant_id and run_id = :run_id and status = 'completed') as s
     where runs.tenant_id = :tenant_id and runs.id = :run_id
    returning runs.input_tokens, runs.output_tokens, runs.cost_llm_input + runs.cost_llm_output as cost,
              runs.budget_cents
""")


@dataclass(frozen=True, slots=True)
class SpentBudget:
    """Tokens and cost (cents) of a run so far, and its budget."""

    input_tokens: int
    output_tokens: int
    cost: Decimal
    budget_cents: Decimal


async def find(tx: Tx, run_id: UUID, key: str) -> ModelCall | None:
    """Find the call under a key, ended or not."""
    statement = select(ModelCall).where(
        ModelCall.tenant_id == tx.tenant_id, ModelCall.run_id == run_id, ModelCall.key == key
    )
    return await tx.session.scalar(statement)


async def list_of_run(tx: Tx, run_id: UUID) -> list[ModelCall]:
    """List every call of a run, in the order they began."""
    statement = select(ModelCall).where(ModelCall.tenant_id == tx.tenant_id, ModelCall.run_id == run_id)
    return list(await tx.session.scalars(statement.order_by(ModelCall.started_at, ModelCall.id)))


async def sum_committed(tx: Tx, run_id: UUID, *, epoch: int, key: str) -> Decimal:
    """Return the cost in cents of all other calls, ended or reserved. It is exact only while the run is locked."""
    values = {"tenant_id": tx.tenant_id, "run_id": run_id, "epoch": epoch, "key": key}
    total: Decimal = await tx.session.scalar(_COMMITTED, values) or Decimal(0)
    return total


async def start(tx: Tx, values: dict[str, Any]) -> None:
    """Insert a call that is about to be made; one that was begun before and never ended is begun again."""
    statement = insert(ModelCall).values(tenant_id=tx.tenant_id, id=uuid7(), **values)
    again = {name: statement.excluded[name] for name in ("epoch", "reserved", "model", "asked_sha256")}
    await tx.session.execute(
        statement.on_conflict_do_update(
            index_elements=["tenant_id", "run_id", "key"],
            set_={**again, "attempts": ModelCall.attempts + 1, "started_at": text("now()")},
        )
    )


async def complete(tx: Tx, run_id: UUID, key: str, values: dict[str, Any]) -> SpentBudget | None:
    """Store the result of a call and update the run's totals; return None when the call had already ended."""
    where = {"tenant_id": tx.tenant_id, "run_id": run_id}
    if await tx.session.scalar(_COMPLETE, {**where, "key": key, **values}) is None:
        return None
    row = (await tx.session.execute(_SUM_UP, where)).one()
    return SpentBudget(row.input_tokens, row.output_tokens, row.cost, row.budget_cents)
