"""Salvaging an answer that was broken off: what it had cited by then is bound and checked like that of a whole one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from intelli.citations.prove import CitationProof
from intelli.kit.db import Tx
from intelli.kit.work import Work
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.judge import Judgement
from intelli.reasoning.verbs.plan import ResearchPlan
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.evidence import ProofDraft
from intelli.runs.execute import make_context
from intelli.runs.graph.check import research_of
from intelli.runs.graph.sources import found_in, searches_of
from intelli.runs.graph.state import State, TaskOutcome
from intelli.runs.lease import Lease
from intelli.runs.settings import RunSettings
from intelli.runs.steps import BRIEF, note_key, plan_key
from intelli.runs.store import runs as store
from intelli.runs.wire import RunStatus

_BROKEN_OFF: frozenset[str] = frozenset({RunStatus.CANCELLED, RunStatus.FAILED})


@dataclass(eq=False, slots=True)
class SalvageLease(Lease):
    """A claim on a run that is at rest: it holds as long as nobody takes the run up again."""

    states: frozenset[str] = _BROKEN_OFF

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Tx]:
        """A transaction that holds the run; raises RunLost when it is no longer at rest."""
        async with self.db.begin(self.who) as tx:
            run = await store.hold(tx, self.run_id)
            if run is None or run.epoch != self.epoch or run.status not in self.states:
                raise self.forfeit()
            yield tx


async def salvage(work: Work, run_id: UUID) -> None:
    """Prove what a run had said when it was broken off. Nothing is asked of a model for it."""
    async with work.begin() as tx:
        run = await store.find(tx, run_id)
    if run is None or run.status not in _BROKEN_OFF or not run.agent_response:
        return
    claim = SalvageLease(work.db, run.tenant_id, run.user_id, run.id, run.epoch)
    context = make_context(work, claim, RunFacts.of(run, max_tasks=work.part(RunSettings).max_tasks))
    if await context.ledger.find(BRIEF) is None:
        # It was broken off while it told what it had changed, and rests on no source.
        return
    searches = await searches_of(context, await state_of(context))
    brief = await context.recorded_reasoner().load_step(BRIEF, Brief)
    passages = tuple(found_in(searches).values())
    await context.evidence.prove(
        ProofDraft(run.agent_response, passages, brief, research_of(searches, brief)), no_judge
    )


async def state_of(context: RunContext) -> State:
    """Which tasks had succeeded, by the notes that were kept."""
    plan = await context.recorded_reasoner().load_step(plan_key(context.facts.clarified), ResearchPlan)
    noted = [index for index in range(len(plan.tasks)) if await context.ledger.find(note_key(index)) is not None]
    return State(outcomes=[TaskOutcome(index=index, succeeded=True, findings=0) for index in noted])


async def no_judge(proof: CitationProof) -> Judgement | None:
    """Nothing is asked of a model."""
    return None
