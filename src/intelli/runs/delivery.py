"""Delivery of a run's deliverables: saved with their citations and announced, or, in a replay, only collected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue

from intelli.citations import prove
from intelli.citations import save as citations_save
from intelli.citations.check_text import check_text
from intelli.citations.judge import Judge
from intelli.citations.prove import ProvenText
from intelli.citations.save import ResearchSummary
from intelli.citations.wire import Check, StatementKind
from intelli.content.errors import PointerMoved
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import brief_proofs, brief_statements, entity_metadata, prose
from intelli.deliverables import save as deliverables_save
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.compile_brief import CompiledBrief
from intelli.deliverables.paper import Paper
from intelli.deliverables.save import DeliverableOwner, SavedDeliverable, SavedFile, WrittenContent
from intelli.deliverables.wire import ENDED
from intelli.entities import content as entities_content
from intelli.entities import entities
from intelli.entities.entities import EntityOwner, SavedEntity
from intelli.entities.entity_types import EntityType
from intelli.kit import clock
from intelli.kit.compute import Compute
from intelli.kit.db import Tx
from intelli.runs import event_parts, journal
from intelli.runs.events import AnyEvent, ArtifactCreated, EntityCreated, ManifestCreated
from intelli.runs.evidence import DatabaseEvidence
from intelli.runs.lease import Lease

# Two runs of a conversation may end at once; the second then finds the pointer elsewhere and looks again.
_MOST_TRIES = 5
_SENTENCES = frozenset({StatementKind.SENTENCE, StatementKind.CLAUSE, StatementKind.ITEM, StatementKind.OWN})


@dataclass(frozen=True, slots=True)
class WrittenDeliverable:
    """A paper composed from a brief, as GML pieces block by block, and the research behind it."""

    id: UUID
    kind: DeliverableKind
    compiled: CompiledBrief
    paper: Paper
    pieces: tuple[str, ...]
    research: ResearchSummary

    @property
    def gml(self) -> str:
        """Return the whole GML text."""
        return "".join(self.pieces)


class Delivery(Protocol):
    """Destination of deliverables. Delivering one again changes nothing."""

    async def deliver(self, written: WrittenDeliverable, judge: Judge | None) -> None:
        """Check the citations of a deliverable and save it."""

    async def judge(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> None:
        """Have a paper's citations judged without saving it, so that the judgements are recorded for later use."""

    async def list_rejected(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> list[str]:
        """Check a paper without saving it; return the sentences that its sources do not support."""


class ReplayDelivery:
    """Delivery of a replay: it collects the written texts by kind and saves nothing."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    async def deliver(self, written: WrittenDeliverable, judge: Judge | None) -> None:
        """Collect the text."""
        self.written[written.kind.name] = written.gml

    async def judge(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> None:
        """Do nothing."""

    async def list_rejected(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> list[str]:
        """Return nothing: what was rejected is recorded."""
        return []


class DatabaseDelivery:
    """Delivery of a running run. Kinds that a job builds are only promised here; the build starts when the run ends."""

    def __init__(self, lease: Lease, entity_owner: EntityOwner, evidence: DatabaseEvidence, compute: Compute) -> None:
        self._lease = lease
        self._entity_owner = entity_owner
        self._evidence = evidence
        self._compute = compute

    async def deliver(self, written: WrittenDeliverable, judge: Judge | None) -> None:
        """Load the sources, run the checks, then save everything in one transaction."""
        compiled = written.compiled
        proven = await self._prove(written.paper, compiled, judge)
        brief = brief_proofs.add_proofs(compiled.brief, proven.proofs, kept_as=written.id)
        made = WrittenContent(
            id=written.id,
            kind=written.kind,
            brief=await self._check_unused_statements(brief, written),
            gml=written.gml,
            words=prose.count_words(written.paper),
            sections=prose.sections(written.paper),
        )
        for left in reversed(range(_MOST_TRIES)):
            try:
                await self._save(made, written, proven)
            except PointerMoved:
                if not left:
                    raise
            else:
                return

    async def judge(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> None:
        """Check the paper; its judgements are in the ledger afterwards."""
        await self._prove(paper, compiled, judge)

    async def list_rejected(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> list[str]:
        """Check a paper without saving it; return the sentences that its sources do not support."""
        proven = await self._prove(paper, compiled, judge)
        return [
            each.statement.text
            for each in proven.statements
            if each.check is Check.FAILED and each.statement.kind in _SENTENCES
        ]

    async def _prove(self, paper: Paper, compiled: CompiledBrief, judge: Judge | None) -> ProvenText:
        """Check a paper: its sentences, the rows of its tables, its cards and the points of its charts."""
        material = await self._evidence.load_sources(compiled.references, compiled.hints)
        return (await check_text(prose.citing_of(paper), material, judge=judge, compute=self._compute)).proven

    async def _check_unused_statements(self, brief: DataBrief, written: WrittenDeliverable) -> DataBrief:
        """Return the brief with checked citations of the statements that this kind does not show."""
        compiled = written.compiled
        aside = brief_statements.unsaid(brief, prose.citations(written.paper))
        if not aside:
            return brief
        # No model is asked about what is not shown.
        material = await self._evidence.load_sources(compiled.references, compiled.hints)
        checked = await check_text(prove.read(aside), material, judge=None, compute=self._compute)
        return brief_statements.with_proofs(brief, checked.proven.proofs)

    async def _save(self, made: WrittenContent, written: WrittenDeliverable, proven: ProvenText) -> None:
        contents = deliverables_save.common_contents(made)
        placed = await entities_content.place(self._evidence.blobs, self._lease.tenant_id, contents)
        files = [
            SavedFile(name, content.media_type, placed[name].draft.size_bytes, placed[name].draft.sha256)
            for name, content in contents.items()
        ]
        async with self._lease.begin() as tx:
            ids = await entities.load_ids(tx, self._entity_owner.run_id)
            owner = self._owner(ids, written, proven)
            whose = self._entity_owner.owner(self._lease.user_id)
            row = await deliverables_save.insert_written(
                tx, made, owner, await entities_content.save(tx, contents, placed, owner=whose)
            )
            if row.status in ENDED:
                return
            await self._save_citations(tx, ids, written, proven)
            if made.kind.is_built:
                await self._append_entity_event(tx, made, await deliverables_save.promise(tx, row, owner))
                return
            kept = await deliverables_save.complete(
                tx, row, owner, files, details=entity_metadata.describe_written(made)
            )
            await journal.append(tx, self._entity_owner.run_id, *_storage_events(made, files, kept))
            await self._append_entity_event(tx, made, kept.entity_id)

    def _owner(self, ids: dict[str, UUID], written: WrittenDeliverable, proven: ProvenText) -> DeliverableOwner:
        mine = self._entity_owner
        passages = written.compiled.passages
        cited = dict.fromkeys(passages.get(proof.identifier, "") for proof in proven.proofs)
        return DeliverableOwner(
            run_id=mine.run_id,
            message_id=mine.message_id,
            conversation_id=mine.conversation_id,
            seen=[str(ids[each]) for each in sorted(written.research.found) if each in ids],
            cited=[str(ids[each]) for each in cited if each in ids],
        )

    async def _save_citations(
        self, tx: Tx, ids: dict[str, UUID], written: WrittenDeliverable, proven: ProvenText
    ) -> None:
        """Save the citations of a deliverable like those of a message, under the deliverable's id."""
        mine = self._entity_owner
        passages = written.compiled.passages
        named = {quote: ids[passage] for quote, passage in passages.items() if passage in ids}
        cited_message = citations_save.CitedMessage(written.id, mine.run_id, mine.conversation_id, named)
        await citations_save.save_citations(tx, cited_message, proven, written.research, sources=self._evidence.sources)

    async def _append_entity_event(self, tx: Tx, made: WrittenContent, entity_id: UUID | None) -> None:
        entity = await entities.load_saved(tx, entity_id) if entity_id is not None else None
        subject = DeliverableSubject(made.kind, made.id, made.brief.title, self._lease.tenant_id, entity)
        created = EntityCreated(entity=build_reference(subject))
        await journal.append(tx, self._entity_owner.run_id, (created, f"entity:{made.id}"))


def _storage_events(
    made: WrittenContent, files: Sequence[SavedFile], kept: SavedDeliverable
) -> list[tuple[AnyEvent, str]]:
    """Return events with their keys for the stored files and their manifest."""
    events: list[tuple[AnyEvent, str]] = [
        (
            ArtifactCreated(
                sha256=each.sha256,
                media_type=each.media_type,
                size_bytes=each.size_bytes,
                entity_type=deliverables_save.entity_type_of(made.kind, each.name),
                file_name=each.name,
            ),
            f"artifact:{made.id}:{each.name}",
        )
        for each in files
    ]
    manifest, pointer = kept.manifest, deliverables_save.pointer_of(kept.deliverable)
    created = ManifestCreated(sha256=manifest.sha256, entry_count=manifest.entry_count, pointer=pointer)
    return [*events, (created, f"manifest:{made.id}")]


@dataclass(frozen=True, slots=True)
class DeliverableSubject:
    """A deliverable as input of a stream reference."""

    kind: DeliverableKind
    id: UUID
    title: str
    tenant_id: UUID
    entity: SavedEntity | None = None


def build_reference(subject: DeliverableSubject, **more: JsonValue) -> event_parts.Reference:
    """Build the stream reference of a deliverable; `more` is added to its metadata."""
    kind, entity = subject.kind, subject.entity
    return event_parts.Reference(
        entity_type=EntityType(kind.entity_type),
        identifier=f"deliverable.{subject.id}",
        title=subject.title,
        file_name=kind.file_name,
        mimetype=kind.media_type,
        workspace_id=subject.tenant_id,
        stored_entity_id=entity.id if entity else None,
        content_artifact_id=entity.content_artifact_id if entity else None,
        user_query=entity.user_query if entity else None,
        all_seen_entities=entity.all_seen_entities if entity else [],
        cited_entities=entity.cited_entities if entity else [],
        created_at=entity.created_at if entity else clock.now(),
        metadata={"deliverable_id": str(subject.id), "kind": kind.name, **more},
    )
