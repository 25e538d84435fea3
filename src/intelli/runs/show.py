"""Read runs, plans, tool calls and events for the API."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from intelli.kit import clock, pagination
from intelli.kit.db import Tx
from intelli.kit.wire import Page
from intelli.runs import approvals, event_parts, plans, wire
from intelli.runs.errors import RunNotFound
from intelli.runs.store import interactions, log
from intelli.runs.store import runs as store
from intelli.runs.tables import AgentInteraction, Run


async def get(tx: Tx, run_id: UUID) -> Run:
    """Return one run of the caller's; raise RunNotFound."""
    run = await store.find(tx, run_id)
    if run is None:
        raise not_found()
    return run


async def list_runs(tx: Tx, *, status: wire.RunStatus | None, cursor: str | None, limit: int) -> Page[wire.Run]:
    """List a page of the caller's runs, newest first."""
    rows = await store.list_newest(tx, status=status, before=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=to_wire, key=lambda row: row.id)


async def get_plan(tx: Tx, run_id: UUID) -> event_parts.PlanSet:
    """Return the plan of a run with its current status."""
    return await plans.load_plan_set(tx, await get(tx, run_id))


async def list_interactions(tx: Tx, run_id: UUID, *, cursor: str | None, limit: int) -> Page[wire.Interaction]:
    """List a page of a run's tool calls, in order."""
    run = await get(tx, run_id)
    rows = await interactions.page(tx, run.id, after=pagination.decode_number(cursor) or 0, limit=limit + 1)
    item = await _interaction_renderer(tx, rows)
    return pagination.page(rows, limit, item=item, key=lambda row: row.sequence_order)


async def list_confirmations(
    tx: Tx, *, status: wire.Confirmation | None, cursor: str | None, limit: int
) -> Page[wire.Interaction]:
    """List a page of the tool calls that need a decision and the caller may see, oldest first."""
    rows = await interactions.list_confirmations(tx, status=status, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=await _interaction_renderer(tx, rows), key=lambda row: row.id)


async def interaction_to_wire(tx: Tx, row: AgentInteraction) -> wire.Interaction:
    """Convert a tool call to its wire model."""
    return (await _interaction_renderer(tx, [row]))(row)


async def _interaction_renderer(
    tx: Tx, rows: Sequence[AgentInteraction]
) -> Callable[[AgentInteraction], wire.Interaction]:
    """Return a function that converts these tool calls to wire models, with conflicts of unfinished ones."""
    paths = {row.path for row in rows if row.path is not None and row.finished_at is None}
    others = await approvals.list_conflicts(tx, sorted(paths))
    asked = await store.load_questions(tx, {row.run_id for row in rows})

    def render(row: AgentInteraction) -> wire.Interaction:
        is_open = row.requires_confirmation and row.finished_at is None
        against = [each for each in others if each.path == row.path and each.id != row.id] if is_open else []
        told = wire.Interaction.model_validate(row)
        conflicts = [approvals.describe_conflict(each) for each in against]
        return told.model_copy(update={"conflicts": conflicts, "message_id": asked.get(row.run_id)})

    return render


async def render_events(tx: Tx, run_id: UUID, *, after: int, limit: int) -> str:
    """Return part of the log as JSON. Payloads are passed on unparsed, whatever version wrote them."""
    head = await log.find_position(tx, run_id)
    if head is None:
        raise not_found()
    lines = await log.page(tx, run_id, after=after, limit=limit)
    items = ",".join(
        f'{{"seq":{line.seq},"created_at":"{line.created_at.isoformat()}","event":{line.payload}}}' for line in lines
    )
    return f'{{"items":[{items}],"last_seq":{head.last_seq}}}'


def to_wire(run: Run) -> wire.Run:
    """Convert a run to its wire model."""
    error = wire.Failure(code=run.error_code, message=run.error_message or "") if run.error_code else None
    columns = {name: getattr(run, name) for name in wire.Run.model_fields if hasattr(run, name)}
    return wire.Run(**{**columns, "cost": _cost(run), "error": error, "processing_time_ms": _duration_ms(run)})


def not_found() -> RunNotFound:
    """Build the error for a run that the caller cannot see."""
    return RunNotFound("There is no such run. List your runs to find it.")


def _cost(run: Run) -> wire.Cost:
    return wire.Cost(
        llm_input=run.cost_llm_input,
        llm_output=run.cost_llm_output,
        embeddings=run.cost_embeddings,
        web_search=run.cost_web_search,
        total=run.cost_llm_input + run.cost_llm_output + run.cost_embeddings + run.cost_web_search,
    )


def _duration_ms(run: Run) -> int | None:
    if run.started_at is None:
        return None
    ended: datetime = run.finished_at or clock.now()
    return max(0, int((ended - run.started_at).total_seconds() * 1000))
