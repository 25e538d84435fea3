"""Evidence of a run: its plan, the passages it found, and the citations of its answer with their checks.

`DatabaseEvidence` writes rows and artifacts. A replay needs none of them for the text of the answer, so
`ReplayEvidence` does nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue

from intelli.audit.record import AuditEvent, record_all
from intelli.audit.wire import EventType
from intelli.citations import origins, save
from intelli.citations.prove import ProofMaterial, ProvenText
from intelli.citations.save import ResearchSummary
from intelli.citations.wire import Check
from intelli.content.ownership import ContentOwner
from intelli.content.passage import Passage
from intelli.entities import content, entities, entity_types
from intelli.entities.entities import NewEntity
from intelli.entities.entity_types import EntityType
from intelli.kit import clock
from intelli.kit.blobs import Blobs
from intelli.library import documents as library_documents
from intelli.library.documents import KnownOrigin
from intelli.library.sources import Sources
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import ResearchPlan
from intelli.runs import plans
from intelli.runs.lease import Lease
from intelli.runs.tools.search_documents import SearchOutput
from intelli.runs.tools.search_memory import Record

_PLAN = "plan"
_QUESTION = "question"
_JSON = "application/json"
_TASK_STRIDE = 1000
_WEB = "web"


@dataclass(frozen=True, slots=True)
class TaskSearch:
    """One search of a task: its step key, its query and the passages it returned.

    A search of memory also has the records that contain its passages, by their SHA-256.
    """

    key: str
    query: str
    passages: Sequence[Passage]
    records: Mapping[str, Record] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProofDraft:
    """A text whose citations are to be checked, and everything it may cite."""

    text: str
    passages: Sequence[Passage]
    brief: Brief
    research: ResearchSummary


class RunEvidence(Protocol):
    """Destination of a run's evidence. Saving something again changes nothing."""

    async def save_plan(self, question: str, plan: ResearchPlan) -> None:
        """Save the question and its plan."""

    async def save_found(
        self, index: int, searches: Sequence[TaskSearch], read: Sequence[Passage]
    ) -> Sequence[NewEntity]:
        """Save a task's search results, raw and passage by passage, before any event names them.

        Return the entities of the passages.
        """

    async def load_material(self, draft: ProofDraft) -> ProofMaterial | None:
        """Load what the answer may cite; None in a replay, where nothing is checked again."""

    async def save_checked(self, draft: ProofDraft, proven: ProvenText) -> Mapping[Check, int]:
        """Save the citations and statements of the answer; return the number of citations by check result."""


class ReplayEvidence:
    """Evidence of a replay: nothing is saved and nothing is checked again."""

    async def save_plan(self, question: str, plan: ResearchPlan) -> None:
        """Do nothing."""

    async def save_found(
        self, index: int, searches: Sequence[TaskSearch], read: Sequence[Passage]
    ) -> Sequence[NewEntity]:
        """Do nothing; return nothing."""
        return ()

    async def load_material(self, draft: ProofDraft) -> ProofMaterial | None:
        """Return None: a replay checks nothing."""
        return None

    async def save_checked(self, draft: ProofDraft, proven: ProvenText) -> Mapping[Check, int]:
        """Do nothing; return an empty mapping."""
        return {}


@dataclass(frozen=True, slots=True)
class EvidenceStores:
    """The stores that evidence is saved in, and the source types of documents."""

    blobs: Blobs
    sources: Sources


class DatabaseEvidence:
    """Evidence of a running run, stored in the database and the blob store."""

    def __init__(self, lease: Lease, entity_owner: entities.EntityOwner, stores: EvidenceStores) -> None:
        self._lease = lease
        self._entity_owner = entity_owner
        self._stores = stores

    async def save_plan(self, question: str, plan: ResearchPlan) -> None:
        """Save the question and its plan as entities, each with its content."""
        contents = {
            _QUESTION: content.EntityContent(
                EntityType.USER_QUERY_PART, question.encode(), "text/plain", "question.txt"
            ),
            _PLAN: content.encode_json(EntityType.SEARCH_PLAN, plan.model_dump(mode="json"), "plan.json"),
        }
        placed = await content.place(self._stores.blobs, self._lease.tenant_id, contents)
        async with self._lease.begin() as tx:
            hashes = await content.save(tx, contents, placed, owner=self._owner)
            await entities.save(tx, self._entity_owner, [_question(question, hashes), _plan(question, plan, hashes)])

    async def save_found(
        self, index: int, searches: Sequence[TaskSearch], read: Sequence[Passage]
    ) -> Sequence[NewEntity]:
        """Save the raw results as artifacts and all passages as entities, in one transaction."""
        kind = EntityType.INTRA_ENTITY_SEARCH_RESULT
        # A raw answer has passages of anything that the person may read, also where others see the conversation.
        contents = {
            each.key: replace(content.encode_json(kind, _raw(each), "search.json"), is_personal=True)
            for each in searches
        }
        records = _records(searches)
        contents |= records
        passages = {passage.identifier: passage for each in searches for passage in each.passages}
        placed = await content.place(self._stores.blobs, self._lease.tenant_id, contents)
        async with self._lease.begin() as tx:
            hashes = await content.save(tx, contents, placed, owner=self._owner)
            texts = await origins.find(tx, {passage.sha256 for passage in passages.values()} - records.keys())
            texts |= {sha256: origins.TextOrigin(sha256, None) for sha256 in records}
            task = SearchedTask(self._entity_owner.run_id, index)
            results = [_result(each, hashes[each.key], task) for each in searches]
            is_read = {passage.identifier for passage in read}
            documents = {each.document_id for each in passages.values() if each.document_id}
            come_from = await library_documents.find_origins(tx, documents)
            found = [
                _passage(
                    passage,
                    texts.get(passage.sha256),
                    come_from.get(passage.document_id) if passage.document_id else None,
                    is_read=passage.identifier in is_read,
                )
                for passage in passages.values()
            ]
            known = await entities.load_ids(tx, self._entity_owner.run_id)
            await entities.save(tx, self._entity_owner, [*results, *found], first=(index + 1) * _TASK_STRIDE)
            await record_all(tx, _reads([each for name, each in passages.items() if name not in known]))
        return found

    @property
    def _owner(self) -> ContentOwner:
        return self._entity_owner.owner(self._lease.user_id)

    @property
    def blobs(self) -> Blobs:
        """The blob store of the evidence."""
        return self._stores.blobs

    @property
    def sources(self) -> Sources:
        """The source types of documents."""
        return self._stores.sources

    async def load_material(self, draft: ProofDraft) -> ProofMaterial | None:
        """Load the passages of the run and the texts that they are of."""
        passages = {passage.identifier: passage for passage in draft.passages}
        material = await self.load_sources(passages, _hints(draft.brief))
        return replace(material, question=draft.brief.question)

    async def load_sources(self, passages: Mapping[str, Passage], hints: Mapping[str, Sequence[str]]) -> ProofMaterial:
        """Load the texts of some passages, as the material of a check."""
        lease = self._lease
        async with lease.db.begin(lease.who) as tx:
            texts = await origins.find(tx, {passage.sha256 for passage in passages.values()})
        return ProofMaterial(passages, await origins.load(self._stores.blobs, lease.tenant_id, texts), hints)

    async def save_checked(self, draft: ProofDraft, proven: ProvenText) -> Mapping[Check, int]:
        """Write the rows of a checked answer."""
        mine = self._entity_owner
        async with self._lease.begin() as tx:
            ids = await entities.load_ids(tx, mine.run_id)
            cited_message = save.CitedMessage(mine.message_id, mine.run_id, mine.conversation_id, ids)
            await save.save_citations(tx, cited_message, proven, draft.research, sources=self._stores.sources)
        return save.count_by_check(proven.proofs)


def _reads(passages: Sequence[Passage]) -> list[AuditEvent]:
    """Return an audit event for each document of which passages were read."""
    counts = Counter(each.document_id for each in passages if each.document_id)
    return [
        AuditEvent(EventType.FILE_READ, entity=("document", document_id), details={"passages": count})
        for document_id, count in counts.items()
    ]


def _question(question: str, hashes: Mapping[str, str]) -> NewEntity:
    return NewEntity(
        EntityType.USER_QUERY_PART,
        _QUESTION,
        "question.txt",
        "text/plain",
        title=question[:200],
        content_artifact_id=hashes[_QUESTION],
        is_own=True,
        user_query=question,
        details={"source": "text", "content_preview": question[:200]},
    )


def _plan(question: str, plan: ResearchPlan, hashes: Mapping[str, str]) -> NewEntity:
    return NewEntity(
        EntityType.SEARCH_PLAN,
        _PLAN,
        "plan.json",
        _JSON,
        title=plan.title[:500],
        content_artifact_id=hashes[_PLAN],
        is_own=True,
        user_query=question,
        details={"tasks": len(plan.tasks), "plan_version": 1, "user_query": question[:2000]},
    )


def _raw(searched: TaskSearch) -> JsonValue:
    return {"query": searched.query, **SearchOutput.of(searched.passages).model_dump(mode="json")}


def _records(searches: Sequence[TaskSearch]) -> dict[str, content.EntityContent]:
    """Return the recalled memory records by hash: the run stores them, so that what it cites stays readable."""
    return {
        sha256: content.EntityContent(
            EntityType.KNOWLEDGE_BASE, record.text.encode(), "text/plain", "memory.txt", is_personal=record.is_personal
        )
        for each in searches
        for sha256, record in each.records.items()
    }


@dataclass(frozen=True, slots=True)
class SearchedTask:
    """The task of a run that a search is for."""

    run_id: UUID
    index: int


def _result(searched: TaskSearch, sha256: str, task: SearchedTask) -> NewEntity:
    return NewEntity(
        EntityType.INTRA_ENTITY_SEARCH_RESULT,
        searched.key,
        "search.json",
        _JSON,
        title=searched.query[:500],
        content_artifact_id=sha256,
        is_own=True,
        user_query=searched.query,
        details={
            "query": searched.query[:2000],
            "found": len(searched.passages),
            "provider": "memory" if searched.records else "library",
            "retrieved_at": clock.now().isoformat(),
            "parent_entity_id": str(entities.derive_id(task.run_id, _PLAN)),
            "task_id": str(plans.task_id(task.run_id, task.index)),
        },
    )


def _passage(
    passage: Passage, origin: origins.TextOrigin | None, place: KnownOrigin | None, *, is_read: bool
) -> NewEntity:
    is_web = place is not None and place.source_type == _WEB
    return NewEntity(
        EntityType.WEB_PAGE if is_web else EntityType.KNOWLEDGE_BASE,
        passage.identifier,
        passage.title,
        passage.mime_type,
        title=passage.title,
        content_artifact_id=origin.text_sha256 if origin else None,
        is_own=passage.document_id is None,
        external_url=place.external_url if place else None,
        details={
            **entity_types.passage_metadata(passage),
            "content_preview": passage.text[:200],
            "is_read": is_read,
            **(_web_metadata(passage, place) if is_web and place else {}),
        },
    )


def _web_metadata(passage: Passage, place: KnownOrigin) -> dict[str, JsonValue]:
    return {
        "title": passage.title,
        "external_url": place.external_url,
        "provider": _WEB,
        "retrieved_at": place.retrieved_at.isoformat(),
        "snippet": passage.text[:500],
        "word_count": len(passage.text.split()),
    }


def _hints(brief: Brief) -> dict[str, list[str]]:
    hints: dict[str, list[str]] = {}
    for quote in (quote for finding in brief.findings for quote in finding.quotes):
        if quote.text:
            hints.setdefault(quote.identifier, []).append(quote.text)
    return hints
