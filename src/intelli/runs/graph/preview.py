"""Preview of a deliverable while it is written: emits each part once nothing can change it, in the paper's order.

The emitted text is a prefix of the saved one. The keys count the blocks: emitting it again after a crash, from the
recorded steps, repeats nothing.
"""

from collections.abc import Sequence
from typing import TypedDict
from uuid import UUID

from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import compose, prose
from intelli.deliverables.compile_brief import CompiledBrief
from intelli.runs import plans
from intelli.runs.context import RunContext
from intelli.runs.delivery import DeliverableSubject, WrittenDeliverable, build_reference
from intelli.runs.event_parts import Reference
from intelli.runs.node_events import NodeReportPreviewDelta, NodeReportPreviewDone, NodeReportPreviewStart
from intelli.runs.recorder import now_ms

_NODE = "deliver"


class _NodeFields(TypedDict):
    node_id: str
    plan_id: UUID
    plan_set_id: UUID


class PreviewWriter:
    """Emits the preview of one deliverable to the stream."""

    def __init__(self, context: RunContext, kind: DeliverableKind, made_id: UUID) -> None:
        self._context = context
        self._kind = kind
        self._id = made_id
        self._emitted: list[str] = []
        self._title = ""
        self._key_suffix = ""

    async def emit_certain(self, compiled: CompiledBrief, pending: Sequence[str]) -> None:
        """Emit the parts that have become final since the last call."""
        known = await self._context.compute.run(compose.compose_certain, self._kind.name, compiled.brief, pending)
        self._begin(known.title, known.sections)
        self._add(known.pieces)

    async def emit_chapters(self, compiled: CompiledBrief, sections: int) -> None:
        """Emit the chapters that are written so far; summary and figures come over them in the end."""
        pieces = await self._context.compute.run(compose.compose_chapters, self._kind.name, compiled.brief)
        self._begin(compiled.brief.title, sections)
        self._add(pieces)

    def begin_again(self, shown: Sequence[str]) -> None:
        """Go on behind the pieces that were shown before by another node."""
        self._emitted = list(shown)

    def end(self, written: WrittenDeliverable) -> None:
        """Emit the rest and the end. If the emitted parts are no prefix of the text, emit everything again."""
        title, pieces = written.compiled.brief.title, written.pieces
        if self._emitted != list(pieces[: len(self._emitted)]):
            self._emitted, self._title, self._key_suffix = [], "", ":anew"
        self._begin(title, prose.sections(written.paper))
        self._add(pieces)
        facts = self._context.facts
        done = NodeReportPreviewDone(
            **self._node_fields,
            preview_id=str(self._id),
            content=written.gml,
            report_title=title,
            final_report=True,
            entity=self._entity(title),
            timestamp=now_ms(),
            workspace_id=facts.tenant_id,
        )
        self._context.recorder.emit(done, f"preview:{self._id}:done")

    @property
    def _node_fields(self) -> _NodeFields:
        run_id = self._context.facts.run_id
        return _NodeFields(node_id=_NODE, plan_id=plans.plan_id(run_id), plan_set_id=plans.plan_set_id(run_id))

    def _begin(self, title: str, sections: int) -> None:
        if self._title:
            return
        self._title = title
        facts = self._context.facts
        start = NodeReportPreviewStart(
            **self._node_fields,
            preview_id=str(self._id),
            report_title=title,
            report_user_query=facts.question,
            final_report=True,
            entity=self._entity(title),
            sections_total=sections,
            timestamp=now_ms(),
            workspace_id=facts.tenant_id,
        )
        self._context.recorder.emit(start, f"preview:{self._id}:start{self._key_suffix}")

    def _add(self, pieces: Sequence[str]) -> None:
        for number, piece in enumerate(pieces[len(self._emitted) :], start=len(self._emitted)):
            delta = NodeReportPreviewDelta(**self._node_fields, preview_id=str(self._id), delta=piece)
            self._context.recorder.emit(delta, f"preview:{self._id}:{number}{self._key_suffix}")
            self._emitted.append(piece)

    def _entity(self, title: str) -> Reference:
        return build_reference(DeliverableSubject(self._kind, self._id, title, self._context.facts.tenant_id))
