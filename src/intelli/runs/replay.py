"""Replay a run that has ended: run the graph over its recorded results, without network, keys or writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from intelli.deliverables import show as deliverables
from intelli.kit.compute import InProcess
from intelli.kit.context import System
from intelli.kit.db import Tx
from intelli.reasoning.reasoner import Reasoner
from intelli.runs import show
from intelli.runs.consent import ReplayConsent
from intelli.runs.context import RunContext, RunFacts
from intelli.runs.delivery import ReplayDelivery
from intelli.runs.errors import NotReplayable
from intelli.runs.evidence import ReplayEvidence
from intelli.runs.finish import answer_hash
from intelli.runs.graph import build_graph
from intelli.runs.graph.state import State
from intelli.runs.ledger import RecordedCall, RecordedStep, ReplayLedger, ToolOutcome
from intelli.runs.ports import EMPTY_LIBRARY
from intelli.runs.recorder import ReplayRecorder
from intelli.runs.store import calls, interactions
from intelli.runs.tool_events import build_announcer
from intelli.runs.tools import Toolbox
from intelli.runs.tools.tool import ToolContext
from intelli.runs.wire import RunStatus


@dataclass(frozen=True, slots=True)
class RunRecording:
    """Everything that a replay needs of a run."""

    facts: RunFacts
    steps: dict[str, RecordedCall]
    uses: dict[str, ToolOutcome]
    answer_sha256: str
    delivered: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a replay. `different` lists steps whose input is not the recorded one.

    `changed` lists deliverables whose text differs.
    """

    run_id: UUID
    answer: str
    sha256: str
    recorded_sha256: str
    steps: int
    different: tuple[str, ...]
    changed: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """True when the answer and every deliverable have the hashes they had."""
        return self.sha256 == self.recorded_sha256 and not self.changed


async def load(tx: Tx, run_id: UUID, *, max_tasks: int) -> RunRecording:
    """Load the recording of a completed run; raise NotReplayable for any other."""
    run = await show.get(tx, run_id)
    if run.status != RunStatus.COMPLETED or run.answer_sha256 is None:
        raise NotReplayable(f"This run is {run.status}. Only a run that was completed can be replayed.")
    steps = {
        call.key: RecordedCall(RecordedStep(call.answer, call.problem), call.asked_sha256)
        for call in await calls.list_of_run(tx, run_id)
        if call.answer is not None
    }
    uses = {
        row.key: ToolOutcome(row.tool_output, row.error_code, row.error_message)
        for row in await interactions.list_of_run(tx, run_id)
    }
    facts = RunFacts.of(run, max_tasks=max_tasks)
    # What runs of earlier versions delivered was composed by other rules: only their answers can be compared.
    delivered = await deliverables.load_content_hashes(tx, run_id) if facts.outlines else {}
    return RunRecording(facts, steps, uses, run.answer_sha256, delivered)


async def replay(recording: RunRecording, reasoner: Reasoner) -> ReplayResult:
    """Run the graph over a recording. The reasoner is never asked: every step is recorded."""
    ledger = ReplayLedger(recording.steps, recording.uses)
    tool_context = ToolContext(
        System(recording.facts.tenant_id, recording.facts.user_id), EMPTY_LIBRARY, recording.facts.scope
    )
    recorder, delivery = ReplayRecorder(), ReplayDelivery()
    context = RunContext(
        facts=recording.facts,
        recorder=recorder,
        evidence=ReplayEvidence(),
        tools=Toolbox(
            tool_context,
            ledger,
            consent=ReplayConsent(),
            on_used=lambda tool, outcome, seconds: None,
            announce=build_announcer(recorder, recording.facts.run_id),
        ),
        ledger=ledger,
        reasoner=reasoner,
        fallback=reasoner,
        delivery=delivery,
        compute=InProcess(),
    )
    config: Any = {"configurable": {"thread_id": str(recording.facts.run_id)}}
    start = State(outcomes=[], problems=[])
    async for _ in build_graph(None).astream(start, config, context=context, stream_mode="updates"):
        pass
    answer = recorder.text_of(recording.facts.answer_id)
    return ReplayResult(
        run_id=recording.facts.run_id,
        answer=answer,
        sha256=answer_hash(answer),
        recorded_sha256=recording.answer_sha256,
        steps=len(recording.steps) + len(recording.uses),
        different=tuple(dict.fromkeys(ledger.different)),
        changed=_changed(recording.delivered, delivery.written),
    )


def _changed(recorded: Mapping[str, str], written: Mapping[str, str]) -> tuple[str, ...]:
    """List the delivered kinds that are missing now or have another text."""
    return tuple(
        kind for kind, sha256 in recorded.items() if kind not in written or answer_hash(written[kind]) != sha256
    )
