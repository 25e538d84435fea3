"""Make deliverables from an existing answer: the run's recording is read again, and no model is asked."""

from uuid import UUID

import structlog

from intelli.citations import show as citations
from intelli.citations.wire import Check
from intelli.conversations import messages
from intelli.conversations.wire import Speaker
from intelli.deliverables import build, save
from intelli.deliverables import show as showing
from intelli.deliverables.errors import NothingToDeliver
from intelli.deliverables.kinds import kind_of
from intelli.deliverables.save import DeliverableOwner
from intelli.deliverables.wire import ENDED
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.reasoning.values import QuotedFinding
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.tabulate import DataTables
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.errors import RunLost
from intelli.runs.execute import make_context
from intelli.runs.graph import sections
from intelli.runs.graph.chapter_brief import compile_whole
from intelli.runs.graph.check import summarise_research
from intelli.runs.graph.deliver import (
    DeliveryMaterial,
    PlannedDeliverable,
    build_tabulate_input,
    compile_data_brief,
    compose_deliverable,
)
from intelli.runs.graph.sources import TaskSearchResult, load_searches
from intelli.runs.judges import RecordedJudge
from intelli.runs.ports import RunReasoners
from intelli.runs.salvage import SalvageLease, rebuild_state
from intelli.runs.settings import RunSettings
from intelli.runs.steps import BRIEF, TABULATED
from intelli.runs.store import plans
from intelli.runs.store import runs as store
from intelli.runs.wire import RunStatus

# Of a statement of an answer: it answers the question, or it would not be there.
_RELEVANCE = 0.9
_NOT_RESEARCHED = "Nothing was researched for this message. Choose an answer that has sources."
_AT_REST: frozenset[str] = frozenset({RunStatus.COMPLETED})
log = structlog.get_logger()


async def begin(tx: Tx, message_id: UUID, kind: str) -> showing.Row:
    """Announce a deliverable of an answer; a job then makes it from the run's recording."""
    message = await messages.get(tx, message_id)
    is_answer = message.role is Speaker.AGENT
    run = await store.find(tx, message.run_id) if message.run_id and is_answer else None
    if run is None or run.status != RunStatus.COMPLETED or not run.agent_response:
        raise NothingToDeliver(_NOT_RESEARCHED)
    if await plans.find_set(tx, run.id) is None:
        raise NothingToDeliver(_NOT_RESEARCHED)
    made_id = uuid7()
    owner = DeliverableOwner(run.id, message.id, message.conversation_id)
    await save.insert_announced(tx, made_id, owner, kind=kind, title=run.title or "")
    return await showing.get(tx, made_id)


async def deliver(work: Work, deliverable_id: UUID) -> None:
    """Make an announced deliverable. One that has ended is left alone."""
    async with work.begin() as tx:
        row = await showing.find(tx, deliverable_id)
        run = await store.find(tx, row.run_id) if row and row.run_id else None
        reasoners = await work.part(RunReasoners).find(tx)
    if row is None or run is None or row.status in ENDED:
        return
    claim = SalvageLease(work.db, run.tenant_id, run.user_id, run.id, run.epoch, states=_AT_REST)
    context = make_context(work, claim, RunFacts.of(run, max_tasks=work.part(RunSettings).max_tasks), reasoners)
    try:
        await _deliver(context, row, await _load_brief(work, context))
    except (LeaseLost, *TRANSIENT):
        raise
    except Exception as error:  # the edge of every delivery
        if not isinstance(error, RunLost):
            log.exception("deliverable_failed", deliverable_id=str(deliverable_id), error=type(error).__name__)
        await build.mark_failed(work, deliverable_id, error)
        return
    if kind_of(row.kind).is_built:
        async with work.begin() as tx:
            await build.enqueue(tx, deliverable_id)


async def _load_brief(work: Work, context: RunContext) -> Brief:
    """Return the brief of a run; of an answer that was written without one, its own statements as findings."""
    brief = await context.recorded_reasoner().load_step(BRIEF, Brief)
    # What was only shown as the closest passages answers nothing, and is no finding.
    if brief.findings or brief.closest:
        return brief
    answer_id = context.facts.answer_id
    async with work.begin() as tx:
        cited = (await citations.load_of_messages(tx, [answer_id])).get(answer_id, citations.NOTHING).citations
    findings = [
        QuotedFinding(text=each.sentence, identifier=each.identifier, quote=each.quote, relevance=_RELEVANCE)
        for each in cited
        if each.quote and each.check is not Check.FAILED
    ]
    stated = {finding.text: finding for finding in reversed(findings)}
    return brief.model_copy(update={"findings": tuple(reversed(stated.values()))})


async def _deliver(context: RunContext, row: showing.Row, brief: Brief) -> None:
    state = await rebuild_state(context)
    searches = await load_searches(context, state)
    if not brief.findings:
        raise NothingToDeliver("The sources did not answer this question, so there is nothing to deliver.")
    if state.get("is_outlined"):
        compiled = await compile_whole(context, state)
    else:
        data = await _data(context, brief, searches)
        made = DeliveryMaterial(data, await sections.load_sections(context, brief, data))
        compiled = await compile_data_brief(context, brief, searches, made)
    making = PlannedDeliverable(kind_of(row.kind), row.id)
    written = await compose_deliverable(context, making, compiled, summarise_research(searches, brief))
    await context.delivery.deliver(written, RecordedJudge(context.ledger))


async def _data(context: RunContext, brief: Brief, searches: list[TaskSearchResult]) -> DataTables:
    """Return the recorded tables; for a run that delivered nothing, extract them without a model."""
    recorded = await context.ledger.find(TABULATED)
    if recorded is not None:
        return DataTables.model_validate(recorded.answer)
    data, _ = await context.fallback.do(build_tabulate_input(context, brief, searches))
    return data
