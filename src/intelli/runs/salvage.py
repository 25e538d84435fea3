"""Salvage an answer that was broken off: bind and check the citations it has, like those of a complete one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from intelli.citations import prove
from intelli.citations.check_text import check_text
from intelli.kit.db import Tx
from intelli.kit.work import Work
from intelli.reasoning.verbs.brief import Brief
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.evidence import ProofDraft
from intelli.runs.execute import make_context
from intelli.runs.graph.check import summarise_research
from intelli.runs.graph.sources import collect_passages, load_searches
from intelli.runs.graph.state import State, TaskOutcome
from intelli.runs.lease import Lease
from intelli.runs.ports import RunReasoners
from intelli.runs.settings import RunSettings
from intelli.runs.steps import BRIEF, OUTLINE, search_key
from intelli.runs.store import runs as store
from intelli.runs.understood_message import load_plan
from intelli.runs.wire import RunStatus

_BROKEN_OFF: frozenset[str] = frozenset({RunStatus.CANCELLED, RunStatus.FAILED})


@dataclass(eq=False, slots=True)
class SalvageLease(Lease):
    """Lease on a run that is at rest. It holds as long as nobody resumes the run."""

    states: frozenset[str] = _BROKEN_OFF

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Tx]:
        """Open a transaction that locks the run; raise RunLost when it is no longer at rest."""
        async with self.db.begin(self.who) as tx:
            run = await store.lock(tx, self.run_id)
            if run is None or run.epoch != self.epoch or run.status not in self.states:
                raise self.forfeit()
            yield tx


async def salvage(work: Work, run_id: UUID) -> None:
    """Check the citations of an answer that was broken off, without a model."""
    async with work.begin() as tx:
        run = await store.find(tx, run_id)
        reasoners = await work.part(RunReasoners).find(tx)
    if run is None or run.status not in _BROKEN_OFF or not run.agent_response:
        return
    claim = SalvageLease(work.db, run.tenant_id, run.user_id, run.id, run.epoch)
    context = make_context(work, claim, RunFacts.of(run, max_tasks=work.part(RunSettings).max_tasks), reasoners)
    if await context.ledger.find(BRIEF) is None:
        # It was broken off while it told what it had changed, and rests on no source.
        return
    searches = await load_searches(context, await rebuild_state(context))
    brief = await context.recorded_reasoner().load_step(BRIEF, Brief)
    passages = tuple(collect_passages(searches).values())
    draft = ProofDraft(run.agent_response, passages, brief, summarise_research(searches, brief))
    material = await context.evidence.load_material(draft)
    assert material is not None, "a run that is no replay has its sources"
    checked = await check_text(prove.read(draft.text), material, judge=None, compute=context.compute)
    await context.evidence.save_checked(draft, checked.proven)


async def rebuild_state(context: RunContext) -> State:
    """Rebuild the state of the graph: a task whose first search was recorded has succeeded."""
    plan = await load_plan(context.ledger, context.facts.clarified)
    found = [await context.ledger.find_use(search_key(index, 0)) for index in range(len(plan.tasks))]
    done = [index for index, used in enumerate(found) if used is not None and used.output is not None]
    outcomes = [TaskOutcome(index=index, succeeded=True, findings=0) for index in done]
    return State(outcomes=outcomes, is_outlined=await context.ledger.find(OUTLINE) is not None)
