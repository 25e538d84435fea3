"""Where a run's deliverables go: kept with their citations and told, or, in a replay, only imagined."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue

from intelli.citations import keep
from intelli.citations.keep import Research
from intelli.citations.prove import Proven
from intelli.content.errors import PointerMoved
from intelli.deliverable_kinds import DeliverableKind
from intelli.deliverables import figured, keeping, prose, proving, stated
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.compiling import Compiled
from intelli.deliverables.keeping import File, Kept, Made, Owner
from intelli.deliverables.paper import Paper
from intelli.deliverables.wire import ENDED
from intelli.entities import entities, held
from intelli.entities.entities import Belonging
from intelli.entities.kinds import EntityType
from intelli.kit.compute import Compute
from intelli.kit.db import Tx
from intelli.runs import journal, telling
from intelli.runs.events import AnyEvent, ArtifactCreated, EntityCreated, ManifestCreated
from intelli.runs.evidence import Judging, KeptEvidence
from intelli.runs.lease import Lease

# Two runs of a conversation may end at once; the second then finds the pointer elsewhere and looks again.
_MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class Written:
    """A paper that was written from a brief, as GML block by block, and what was looked for on the way."""

    id: UUID
    kind: DeliverableKind
    compiled: Compiled
    paper: Paper
    pieces: tuple[str, ...]
    research: Research

    @property
    def gml(self) -> str:
        """The whole of it."""
        return "".join(self.pieces)


class Delivery(Protocol):
    """Where deliverables go. Each can be delivered twice: the second time changes nothing."""

    async def deliver(self, written: Written, judge: Judging) -> None:
        """Prove what was written and keep it."""

    async def judge(self, paper: Paper, compiled: Compiled, judge: Judging) -> None:
        """Have a paper judged that is not kept, so that what was judged is known when it is."""


class ImaginedDelivery:
    """The delivery of a replay: it remembers what was written and keeps nothing."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    async def deliver(self, written: Written, judge: Judging) -> None:
        """Remember."""
        self.written[written.kind.name] = written.gml

    async def judge(self, paper: Paper, compiled: Compiled, judge: Judging) -> None:
        """Nothing to judge."""


class KeptDelivery:
    """The delivery of a run at work. What is built by a job is promised here and begun when the run ends."""

    def __init__(self, lease: Lease, belonging: Belonging, evidence: KeptEvidence, compute: Compute) -> None:
        self._lease = lease
        self._belonging = belonging
        self._evidence = evidence
        self._compute = compute

    async def deliver(self, written: Written, judge: Judging) -> None:
        """Read, think, write: the sources, the checks, and all that is kept in one transaction."""
        compiled = written.compiled
        proven = await self._proven(written.paper, compiled, judge)
        brief = proving.with_proofs(compiled.brief, proven.proofs, kept_as=written.id)
        made = Made(
            id=written.id,
            kind=written.kind,
            brief=await self._proven_aside(brief, written),
            gml=written.gml,
            words=prose.count_words(written.paper),
            sections=prose.sections(written.paper),
        )
        for left in reversed(range(_MOST_TRIES)):
            try:
                await self._keep(made, written, proven)
            except PointerMoved:
                if not left:
                    raise
            else:
                return

    async def judge(self, paper: Paper, compiled: Compiled, judge: Judging) -> None:
        """Prove it; the judgements are in the ledger then."""
        await self._proven(paper, compiled, judge)

    async def _proven(self, paper: Paper, compiled: Compiled, judge: Judging) -> Proven:
        """The check of a paper. Its figures are settled by their parts before a model is asked about its sentences."""
        weighed = await self._evidence.weighed(prose.of(paper), compiled.references, compiled.hints)
        outcomes = await self._compute.run(figured.outcomes_in, paper, weighed.without_maps)
        return await self._evidence.judged(figured.with_outcomes(weighed, outcomes), judge)

    async def _proven_aside(self, brief: DataBrief, written: Written) -> DataBrief:
        """The brief with its other citations checked: those of statements for which this kind has no place."""
        compiled = written.compiled
        aside = stated.unsaid(brief, prose.citations(written.paper))
        if not aside:
            return brief
        # No model is asked about what is not shown.
        proven = await self._evidence.weighed(aside, compiled.references, compiled.hints)
        return stated.with_proofs(brief, proven.proofs)

    async def _keep(self, made: Made, written: Written, proven: Proven) -> None:
        contents = keeping.contents_of(made)
        placed = await held.place(self._evidence.blobs, self._lease.tenant_id, contents)
        files = [
            File(name, content.media_type, placed[name].draft.size_bytes, placed[name].draft.sha256)
            for name, content in contents.items()
        ]
        async with self._lease.begin() as tx:
            ids = await entities.ids_of(tx, self._belonging.run_id)
            owner = self._owner(ids, written, proven)
            whose = self._belonging.owner(self._lease.user_id)
            row = await keeping.begin(tx, made, owner, await held.keep(tx, contents, placed, owner=whose))
            if row.status in ENDED:
                return
            await self._cite(tx, ids, written, proven)
            if made.kind.is_built:
                await self._tell(tx, made, await keeping.promise(tx, row, owner))
                return
            kept = await keeping.complete(tx, row, owner, files)
            await journal.append(tx, self._belonging.run_id, *_stored(made, files, kept))
            await self._tell(tx, made, kept.entity_id)

    def _owner(self, ids: dict[str, UUID], written: Written, proven: Proven) -> Owner:
        mine = self._belonging
        passages = written.compiled.passages
        cited = dict.fromkeys(passages.get(proof.identifier, "") for proof in proven.proofs)
        return Owner(
            run_id=mine.run_id,
            message_id=mine.message_id,
            conversation_id=mine.conversation_id,
            seen=[str(ids[each]) for each in sorted(written.research.found) if each in ids],
            cited=[str(ids[each]) for each in cited if each in ids],
        )

    async def _cite(self, tx: Tx, ids: dict[str, UUID], written: Written, proven: Proven) -> None:
        """The citations of a deliverable are kept as a message's are, under its own id."""
        mine = self._belonging
        passages = written.compiled.passages
        named = {quote: ids[passage] for quote, passage in passages.items() if passage in ids}
        belonging = keep.Belonging(written.id, mine.run_id, mine.conversation_id, named)
        await keep.keep(tx, belonging, proven, written.research, sources=self._evidence.sources)

    async def _tell(self, tx: Tx, made: Made, entity_id: UUID | None) -> None:
        subject = Subject(made.kind, made.id, made.brief.title, self._lease.tenant_id, entity_id)
        created = EntityCreated(entity=entity_of(subject))
        await journal.append(tx, self._belonging.run_id, (created, f"entity:{made.id}"))


def _stored(made: Made, files: Sequence[File], kept: Kept) -> list[tuple[AnyEvent, str]]:
    """What was stored, as events with their keys."""
    said: list[tuple[AnyEvent, str]] = [
        (
            ArtifactCreated(
                sha256=each.sha256,
                media_type=each.media_type,
                size_bytes=each.size_bytes,
                entity_type=EntityType(made.kind.entity_type),
                file_name=each.name,
            ),
            f"artifact:{made.id}:{each.name}",
        )
        for each in files
    ]
    manifest, pointer = kept.manifest, f"{kept.namespace}/{kept.pointer}"
    created = ManifestCreated(sha256=manifest.sha256, entry_count=manifest.entry_count, pointer=pointer)
    return [*said, (created, f"manifest:{made.id}")]


@dataclass(frozen=True, slots=True)
class Subject:
    """A deliverable to tell of."""

    kind: DeliverableKind
    id: UUID
    title: str
    tenant_id: UUID
    entity_id: UUID | None = None


def entity_of(subject: Subject, **more: JsonValue) -> telling.Reference:
    """A deliverable as the stream tells it."""
    kind = subject.kind
    return telling.Reference(
        entity_type=EntityType(kind.entity_type),
        identifier=f"deliverable.{subject.id}",
        title=subject.title,
        file_name=kind.file_name,
        mimetype=kind.media_type,
        workspace_id=subject.tenant_id,
        stored_entity_id=subject.entity_id,
        metadata={"deliverable_id": str(subject.id), "kind": kind.name, **more},
    )
