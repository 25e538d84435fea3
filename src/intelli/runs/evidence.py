"""Evidence of a run: its plan, the passages it found, and the citations of its answer with their checks.

`DatabaseEvidence` writes rows and artifacts. A replay needs none of them for the text of the answer, so
`ReplayEvidence` does nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pydantic import JsonValue

from intelli.citations import origins, save
from intelli.citations.prove import ProofMaterial, ProvenText
from intelli.citations.save import ResearchSummary
from intelli.citations.wire import Check
from intelli.content.ownership import ContentOwner
from intelli.content.passage import Passage
from intelli.entities import content, entities, entity_types
from intelli.entities.entities import NewEntity
from intelli.entities.entity_types import EntityType
from intelli.kit.blobs import Blobs
from intelli.library.sources import Sources
from intelli.reasoning.verbs.brief import Brief
from intelli.reasoning.verbs.understand import ResearchPlan
from intelli.runs.lease import Lease
from intelli.runs.tools.search_documents import SearchOutput
from intelli.runs.tools.search_memory import Record

_PLAN = "plan"
_QUESTION = "question"
_JSON = "application/json"
_TASK_STRIDE = 1000


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
    ) -> Mapping[str, str]:
        """Save a task's search results, raw and passage by passage, before any event names them.

        Return the hash of the extracted text of each passage's source, by the hash of the source's bytes.
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
    ) -> Mapping[str, str]:
        """Do nothing; return an empty mapping."""
        return {}

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
    ) -> Mapping[str, str]:
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
            results = [_result(each, hashes[each.key]) for each in searches]
            is_read = {passage.identifier for passage in read}
            found = [
                _passage(passage, texts.get(passage.sha256), is_read=passage.identifier in is_read)
                for passage in passages.values()
            ]
            await entities.save(tx, self._entity_owner, [*results, *found], first=(index + 1) * _TASK_STRIDE)
        return {sha256: origin.text_sha256 for sha256, origin in texts.items() if origin.text_sha256}

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
        details={"tasks": len(plan.tasks)},
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


def _result(searched: TaskSearch, sha256: str) -> NewEntity:
    return NewEntity(
        EntityType.INTRA_ENTITY_SEARCH_RESULT,
        searched.key,
        "search.json",
        _JSON,
        title=searched.query[:500],
        content_artifact_id=sha256,
        is_own=True,
        user_query=searched.query,
        details={"query": searched.query[:2000], "found": len(searched.passages)},
    )


def _passage(passage: Passage, origin: origins.TextOrigin | None, *, is_read: bool) -> NewEntity:
    return NewEntity(
        EntityType.KNOWLEDGE_BASE,
        passage.identifier,
        passage.title,
        passage.mime_type,
        title=passage.title,
        content_artifact_id=origin.text_sha256 if origin else None,
        is_own=passage.document_id is None,
        details={
            **entity_types.passage_metadata(passage),
            "score": min(max(passage.score, 0.0), 1.0),
            "content_preview": passage.text[:200],
            "is_read": is_read,
        },
    )


def _hints(brief: Brief) -> dict[str, list[str]]:
    hints: dict[str, list[str]] = {}
    for quote in (quote for finding in brief.findings for quote in finding.quotes):
        if quote.text:
            hints.setdefault(quote.identifier, []).append(quote.text)
    return hints
