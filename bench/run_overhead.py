"""What does durability cost a run? The graph of a run with an instant model, with and without persistence."""

import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic import SecretStr
from sqlalchemy import text
from tests.support.reasoner import PlainReasoner
from tests.support.runs import QUESTION as ASKED
from tests.support.runs import FakeLibrary

from bench.figures import Comparison, Size, medians
from bench.scratch import scratch
from intelli.app import App, Engine
from intelli.kit.compute import InProcess
from intelli.kit.context import System
from intelli.kit.ids import uuid7
from intelli.kit.work import Work
from intelli.reasoning.reasoners import FixedReasoners
from intelli.reasoning.usage import Usage
from intelli.reasoning.verbs.verb import ReasonerInput
from intelli.runs import wire
from intelli.runs.consent import ReplayConsent
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.delivery import ReplayDelivery
from intelli.runs.evidence import ReplayEvidence
from intelli.runs.execute import execute
from intelli.runs.graph import build_graph
from intelli.runs.graph.state import State
from intelli.runs.ledger import RecordedStep, ToolOutcome, ToolRequest
from intelli.runs.ports import LibraryAccess, RunReasoners
from intelli.runs.recorder import ReplayRecorder
from intelli.runs.start import start
from intelli.runs.store import runs as store
from intelli.runs.tools import Toolbox
from intelli.runs.tools.tool import ToolContext
from intelli.settings import Settings

QUESTION = "What does durability cost a run? Per node, with a model that answers at once. Less is better."
_ROUNDS = 10
# plan, two researchers, gather, brief, answer, finish
_NODES = 7
_MS = 1000
# Nobody's memory is asked: the run is that of the installation, not of an account.
_STARTED = wire.StartRun(question=ASKED, context=wire.Context(memory=False))
Walk = Callable[[], Awaitable[None]]


class MemoryLedger:
    """In-memory ledger, lost with the process."""

    def __init__(self) -> None:
        self._steps: dict[str, RecordedStep] = {}
        self._uses: dict[str, ToolOutcome] = {}

    async def find(self, key: str) -> RecordedStep | None:
        return self._steps.get(key)

    async def list_steps(self, prefix: str) -> list[RecordedStep]:
        return [step for key, step in self._steps.items() if key.startswith(prefix)]

    async def begin(self, key: str, asked: ReasonerInput, *, ceiling: Decimal, model: str) -> RecordedStep | None:
        return self._steps.get(key)

    async def record(self, key: str, recorded: RecordedStep, usage: Usage) -> None:
        self._steps[key] = recorded

    async def find_use(self, key: str) -> ToolOutcome | None:
        return self._uses.get(key)

    async def begin_use(self, key: str, request: ToolRequest) -> ToolOutcome | None:
        return self._uses.get(key)

    async def end_use(self, key: str, used: ToolOutcome) -> None:
        self._uses[key] = used


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Wall time and this process's CPU time of a whole run, divided by its nodes."""
    with scratch(workspaces=1) as place, tempfile.TemporaryDirectory() as folder:
        app = App(Settings(data=Path(folder), secret_key=SecretStr("k" * 48)), Engine(place.app_url, place.admin_url))
        who = System(place.workspaces[0], uuid7())
        try:
            facts = await _facts(app, who)

            async def bare() -> None:
                await _walk(facts)

            async def kept() -> None:
                await _run(app, who)

            rounds = size.of(_ROUNDS, 1)
            walks: dict[str, Walk] = {"LangGraph, nothing kept": bare, "a durable run": kept}
            wall = await medians({way: _timed(walk, time.perf_counter) for way, walk in walks.items()}, rounds=rounds)
            cpu = await medians({way: _timed(walk, _cpu_s) for way, walk in walks.items()}, rounds=rounds)
        finally:
            await app.close()
    return [Comparison("wall time per node", "ms", wall), Comparison("CPU time per node", "ms", cpu)]


def _timed(walk: Walk, clock: Callable[[], float]) -> Callable[[], Awaitable[float]]:
    async def measured() -> float:
        begun = clock()
        await walk()
        return (clock() - begun) * _MS / _NODES

    return measured


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def _facts(app: App, who: System) -> RunFacts:
    async with app.db.begin(who) as tx:
        run = await start(tx, _STARTED, app.settings.budget)
        found = await store.find(tx, run.id)
        assert found is not None
        return RunFacts.of(found, max_tasks=app.settings.budget.max_tasks)


async def _walk(facts: RunFacts) -> None:
    ledger, library = MemoryLedger(), FakeLibrary().library()
    tool_context = ToolContext(System(facts.tenant_id), library, facts.scope)
    context = RunContext(
        facts=facts,
        recorder=ReplayRecorder(),
        evidence=ReplayEvidence(),
        tools=Toolbox(tool_context, ledger, consent=ReplayConsent(), on_used=lambda *_: None, announce=lambda *_: None),
        ledger=ledger,
        reasoner=PlainReasoner(),
        fallback=PlainReasoner(),
        delivery=ReplayDelivery(),
        compute=InProcess(),
    )
    config: Any = {"configurable": {"thread_id": str(facts.run_id)}}
    async for _ in build_graph(None).astream(State(outcomes=[], problems=[]), config, context=context):
        pass


async def _run(app: App, who: System) -> None:
    async with app.db.begin(who) as tx:
        run = await start(tx, _STARTED, app.settings.budget)
        job_id = await tx.session.scalar(text("select max(id) from procrastinate_jobs"))
        await tx.session.execute(text("update procrastinate_jobs set status = 'doing' where id = :id"), {"id": job_id})
    parts = {
        **app.parts,
        RunReasoners: RunReasoners(FixedReasoners(PlainReasoner(), PlainReasoner())),
        LibraryAccess: FakeLibrary().library(),
    }
    await execute(Work(job_id, 0, who, app.db, 30, parts), run.id)
    await _insist_on_answer(app, who, run.id)


async def _insist_on_answer(app: App, who: System, run_id: UUID) -> None:
    async with app.db.begin(who) as tx:
        run = await store.find(tx, run_id)
        assert run is not None
        assert run.status == "completed", run.error_message
