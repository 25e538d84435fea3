"""Execute a run: claim the lease, continue from the last checkpoint, and work until the run ends or waits.

The queue only wakes; the run's own lease decides who works on it. A worker may die at any point: the next one
continues from the checkpoint, the recorded steps and the log. A run whose worker died twice without progress is not
started a third time. A run whose worker died once is executed with no other such run in the process: of several runs
that were active when a worker died, only the one that kills it is given up.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from typing import Any, TypeVar, cast
from uuid import UUID

import structlog
from langgraph.types import Command

from intelli.citations.settings import EvidenceSettings
from intelli.entities.entities import EntityOwner
from intelli.kit.blobs import Blobs
from intelli.kit.compute import Compute
from intelli.kit.telemetry import Telemetry
from intelli.kit.work import TRANSIENT, LeaseLost, Work
from intelli.library.sources import Sources
from intelli.memory.settings import MemorySettings
from intelli.reasoning.entailment import EntailmentModels
from intelli.reasoning.reasoners import ReasonerPair
from intelli.reasoning.usage import Usage
from intelli.runs import final_answer, finish, outcome, recover
from intelli.runs.checkpoints import LeaseSaver, thread_id_of
from intelli.runs.consent import DatabaseConsent
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.delivery import DatabaseDelivery
from intelli.runs.document_editor import DocumentEditor
from intelli.runs.errors import RunHeld, RunLost
from intelli.runs.evidence import DatabaseEvidence, EvidenceStores
from intelli.runs.graph import Graph, build_graph
from intelli.runs.graph.sources import load_searches
from intelli.runs.graph.state import State
from intelli.runs.journal import Journal
from intelli.runs.lease import Lease
from intelli.runs.ledger import DatabaseLedger
from intelli.runs.next_questions import find_next_questions
from intelli.runs.ports import LibraryAccess, MemoryAccess, RunReasoners, SuspectRunLock
from intelli.runs.recorder import DatabaseRecorder
from intelli.runs.settings import RunSettings
from intelli.runs.store import runs as store
from intelli.runs.tables import Run
from intelli.runs.tool_events import build_announcer
from intelli.runs.tools import Toolbox
from intelli.runs.tools.tool import ToolContext
from intelli.runs.wire import RunStatus

Result = TypeVar("Result")
_RELEASE_S = 2.0
_PAUSE_S = 1.0
log = structlog.get_logger()


async def execute(work: Work, run_id: UUID) -> None:
    """Work on a run until it ends or waits. One that has ended, waits or was cancelled is left alone."""
    async with _suspect_lock(work, await _is_suspect(work, run_id)):
        try:
            claimed = await _claim(work, run_id)
            if claimed is not None:
                await _work_on(work, *claimed)
        except TRANSIENT:
            await _give_back(work, run_id)
            raise


async def _is_suspect(work: Work, run_id: UUID) -> bool:
    """Return whether a worker died since the run last made progress: it left a lease, or was counted as dead."""
    async with work.begin() as tx:
        run = await store.find(tx, run_id)
    return run is not None and (run.deaths > 0 or run.lease_until is not None)


def _suspect_lock(work: Work, is_suspect: bool) -> AbstractAsyncContextManager[None]:
    """Return the lock that lets this process execute only one suspect run at a time; no lock for others."""
    return work.part(SuspectRunLock) if is_suspect else nullcontext()


async def _work_on(work: Work, lease: Lease, run: Run, reasoners: ReasonerPair) -> None:
    with structlog.contextvars.bound_contextvars(run_id=str(run.id), epoch=lease.epoch):
        try:
            await _run_with_heartbeat(lease, work, _research(work, lease, run, reasoners))
        except RunLost:
            await _retract_death(lease)
            raise
        except TRANSIENT:
            raise
        except asyncio.CancelledError:
            await _release(lease)
            raise
        except Exception as error:  # the edge of every run
            log.exception("run_failed", error=type(error).__name__)
            await work.part(Journal).settle(lease)  # what was said until then is part of the answer
            await finish.fail(lease, error)


async def _claim(work: Work, run_id: UUID) -> tuple[Lease, Run, ReasonerPair] | None:
    async with work.begin() as tx:
        run = await store.find(tx, run_id)
        if run is None or run.status not in {RunStatus.PENDING, RunStatus.PROCESSING}:
            return None
        epoch = await store.claim(tx, run_id, job_id=work.job_id, lease_s=work.stall_s)
        if epoch is None:
            raise RunHeld("Another worker holds this run.", retry_after_s=1)
        reasoners = await work.part(RunReasoners).find(tx)
        used = reasoners.reasoner
        await store.change(tx, run_id, reasoner=used.name, prompts=dict(used.prompts))
        run = await store.find(tx, run_id)
        assert run is not None, "it was there a moment ago"
        if await recover.give_up_deadly(tx, run):
            return None
    lease = Lease(work.db, run.tenant_id, run.user_id, run.id, epoch, run.conversation_id)
    return lease, run, reasoners


async def _run_with_heartbeat(lease: Lease, work: Work, task: Coroutine[Any, Any, Result]) -> Result:
    """Await the task while renewing the lease and pumping the journal. Losing the lease cancels the task."""
    try:
        async with asyncio.TaskGroup() as group:
            beside = (
                group.create_task(lease.keep_renewed(lease_s=work.stall_s)),
                group.create_task(work.part(Journal).pump()),
            )
            try:
                return await task
            finally:
                for each in beside:
                    each.cancel()
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None


async def _research(work: Work, lease: Lease, run: Run, reasoners: ReasonerPair) -> None:
    settings = work.part(RunSettings)
    graph = build_graph(LeaseSaver(lease))
    config: Any = {
        "configurable": {"thread_id": thread_id_of(lease)},
        "max_concurrency": settings.parallel_tasks,
        "recursion_limit": 50,
    }
    facts = RunFacts.of(run, max_tasks=settings.max_tasks)
    context = make_context(work, lease, facts, reasoners)
    begin = await _resume_point(graph, config, facts)
    async for _ in graph.astream(begin, config, context=context, durability="sync", stream_mode="updates"):
        pass
    rest = await graph.aget_state(config)
    if rest.interrupts and rest.values.get("awaits"):
        await finish.wait_for_decision(lease)
    elif rest.interrupts:
        await finish.wait_for_clarification(lease, str(rest.values["clarification"]))
    else:
        keep_excerpts = work.part(EvidenceSettings).keep_excerpts
        problems, closing = rest.values.get("problems", []), rest.values.get("closing", "")
        memory = work.part(MemorySettings)
        suggested = await _follow_ups(work, lease, context, cast(State, rest.values))
        end = finish.RunEnd(problems, closing, keep_excerpts=keep_excerpts, follow_ups=suggested)
        await finish.complete(lease, end, memory=memory)


async def _follow_ups(work: Work, lease: Lease, context: RunContext, state: State) -> list[str]:
    """Suggest questions to ask next; none for a run that only changed documents."""
    if not state.get("outcomes") or state.get("is_replied"):
        return []
    searches = await load_searches(context, state)
    text = (await final_answer.load(context.ledger)).text
    async with lease.begin() as tx:
        cited = await outcome.load_citations(tx, lease.run_id)
    asked = (context.facts.question, text, searches, cited)
    tools = _tools(work, lease, context.facts)
    return await find_next_questions(*asked, tools=tools, db=lease.db, turns=context.facts.turns)


def _tools(work: Work, lease: Lease, facts: RunFacts) -> ToolContext:
    return ToolContext(
        lease.who, work.part(LibraryAccess), facts.scope, work.part(MemoryAccess), work.part(DocumentEditor)
    )


def make_context(work: Work, lease: Lease, facts: RunFacts, reasoners: ReasonerPair) -> RunContext:
    """Build the context of a running run from the parts of the app."""
    journal, telemetry = work.part(Journal), work.part(Telemetry)

    def on_spent(usage: Usage) -> None:
        tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
        telemetry.observe_model(model=usage.model, **tokens, cost_cents=float(usage.cost))

    ledger = DatabaseLedger(lease, on_spent)
    tool_context = _tools(work, lease, facts)

    def on_used(tool: str, outcome: str, seconds: float) -> None:
        telemetry.observe_tool(tool=tool, outcome=outcome, seconds=seconds)

    entity_owner = EntityOwner(facts.run_id, facts.answer_id, facts.conversation_id)
    compute = work.part(Compute)  # type: ignore[type-abstract]  # found by its type alone
    stores = EvidenceStores(work.part(Blobs), work.part(Sources))
    evidence = DatabaseEvidence(lease, entity_owner, stores)
    recorder = DatabaseRecorder(lease, journal)
    return RunContext(
        facts=facts,
        recorder=recorder,
        evidence=evidence,
        tools=Toolbox(
            tool_context,
            ledger,
            consent=DatabaseConsent(lease),
            on_used=on_used,
            announce=build_announcer(recorder, facts.run_id),
        ),
        ledger=ledger,
        reasoner=reasoners.reasoner,
        fallback=reasoners.fallback,
        delivery=DatabaseDelivery(lease, entity_owner, evidence, compute),
        compute=compute,
        entailment=work.part(EntailmentModels),
        on_node=lambda node, seconds: telemetry.observe_node(node=node, seconds=seconds),
    )


async def _resume_point(graph: Graph, config: Any, facts: RunFacts) -> State | Command[Any] | None:
    """Return the graph's input: a new state, a resume command after an interrupt, or None at a checkpoint."""
    known = await graph.aget_state(config)
    if not known.created_at:
        return State(outcomes=[], problems=[])
    if known.interrupts:
        return Command(resume={"clarified": facts.clarified})
    return None


async def _give_back(work: Work, run_id: UUID) -> None:
    """Clear the lease after an outage, retrying until the database answers: this worker has not died."""
    while not work.is_stopping():
        try:
            async with work.begin() as tx:
                await store.release_lease(tx, run_id, job_id=work.job_id)
        except LeaseLost:
            return
        except TRANSIENT:
            await asyncio.sleep(_PAUSE_S)
        else:
            return


async def _retract_death(lease: Lease) -> None:
    """Undo the counted death of this worker: it was only silent when the run was taken over."""
    with suppress(*TRANSIENT):
        async with lease.db.begin(lease.who) as tx:
            await store.undo_death(tx, lease.run_id, epoch=lease.epoch)


async def _release(lease: Lease) -> None:
    with suppress(RunLost, TimeoutError, *TRANSIENT):
        async with asyncio.timeout(_RELEASE_S):
            await finish.release(lease)
