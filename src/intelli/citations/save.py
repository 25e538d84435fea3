"""Save the citations and the evidence of a message. Saving again writes the same rows."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from pydantic import JsonValue

from intelli.citations import source_dates, store
from intelli.citations.check import CheckedStatement
from intelli.citations.figures import FigureEntry
from intelli.citations.prove import CitationProof, ProvenText
from intelli.citations.statements import CitedStatement
from intelli.citations.wire import Check, FigureStatus
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.library.sources import Sources
from intelli.library.wire import FetchStrategy

_DEFAULT_SOURCE = "blob_storage"
# What was said, as memory recalled it: an entity of the run holds the record.
MEMORY_SOURCE = "memory"


@dataclass(frozen=True, slots=True)
class CitedMessage:
    """The message that citations belong to, with its run, its conversation and its entities by identifier."""

    message_id: UUID
    run_id: UUID
    conversation_id: UUID | None
    entities: Mapping[str, UUID]


@dataclass(frozen=True, slots=True)
class ResearchSummary:
    """Queries with their number of results, and the identifiers found and read. `read` is a subset of `found`.

    `unanswered_parts` counts the parts of the question that nothing was found for.
    """

    queries: Sequence[tuple[str, int]]
    found: frozenset[str]
    read: frozenset[str]
    not_found: Sequence[str]
    disagreements: Sequence[dict[str, JsonValue]]
    unanswered_parts: int = 0


def citation_id_of(message_id: UUID, ordinal: int) -> UUID:
    """Return the id of a citation, derived from its message and ordinal."""
    return uuid5(message_id, f"citation:{ordinal}")


async def save_citations(
    tx: Tx, message: CitedMessage, proven: ProvenText, research: ResearchSummary, *, sources: Sources
) -> None:
    """Save the citations and the evidence of a message, replacing what was saved before. Locks the cited documents."""
    ids = {proof.passage.document_id for proof in proven.proofs if proof.passage and proof.passage.document_id}
    source_types = await store.lock_documents(tx, ids)
    versions = await store.newest_versions(tx, source_types)
    held = await store.lock_readings(tx, {proof.span.sha256 for proof in proven.proofs})
    owner = {"user_id": tx.person_id, "run_id": message.run_id, "conversation_id": message.conversation_id}
    rows = [
        {
            **owner,
            "id": citation_id_of(message.message_id, proof.ordinal),
            "ordinal": proof.ordinal,
            "entity_id": message.entities.get(proof.identifier),
            **_document_columns(proof, source_types, versions, sources=sources),
            **_proof_columns(proof),
            "held_sha256": proof.span.sha256 if proof.span.sha256 in held else None,
        }
        for proof in proven.proofs
    ]
    await store.replace_citations(tx, message.message_id, rows)
    await store.upsert_evidence(tx, message.message_id, {**owner, **_evidence_columns(proven, research)})


async def save_empty_evidence(tx: Tx, message: CitedMessage, *, user_id: UUID) -> None:
    """Save empty evidence for a person's message, unless it has some: the message is known and has no evidence."""
    if await store.find_evidence(tx, message.message_id) is not None:
        return
    owner = {"user_id": user_id, "run_id": message.run_id, "conversation_id": message.conversation_id}
    nothing = ResearchSummary(queries=(), found=frozenset(), read=frozenset(), not_found=(), disagreements=())
    await store.upsert_evidence(tx, message.message_id, {**owner, **_evidence_columns(ProvenText("", (), ()), nothing)})


def _document_columns(
    proof: CitationProof,
    source_types: Mapping[UUID, str],
    versions: Mapping[tuple[UUID, str], int],
    *,
    sources: Sources,
) -> dict[str, object]:
    """Return the columns of the cited document and its version; empty for a document deleted meanwhile."""
    passage = proof.passage
    document_id = passage.document_id if passage else None
    version = versions.get((document_id, proof.span.sha256)) if document_id else None
    if document_id is None or version is None:
        source_type = MEMORY_SOURCE if passage and document_id is None else _DEFAULT_SOURCE
        none = {"document_id": None, "document_version": None}
        return {**none, "source_type": source_type, "fetch_strategy": FetchStrategy.INTERNAL_API}
    source_type = source_types[document_id]
    return {
        "document_id": document_id,
        "document_version": version,
        "source_type": source_type,
        "fetch_strategy": sources.strategy_of(source_type),
    }


def _proof_columns(proof: CitationProof) -> dict[str, object]:
    passage, quote = proof.passage, _clean(proof.quote)
    return {
        "identifier": proof.identifier,
        "episode_id": passage.episode_id if passage else None,
        "file_name": passage.title if passage else "",
        "path": passage.path if passage else "",
        "mime_type": passage.mime_type if passage else "",
        "relevance_score": min(max(passage.score, 0.0), 1.0) if passage else 0.0,
        "sha256": proof.span.sha256,
        "text_sha256": proof.source.text_sha256 if proof.source else None,
        "char_start": proof.span.start,
        "char_end": proof.span.end,
        "page": proof.page,
        "section": proof.section,
        "quote": quote,
        "quote_sha256": quote_hash(quote),
        "sentence": _clean(proof.statement),
        "check": proof.outcome.check,
        "reason": _clean(proof.outcome.reason),
        "score": proof.outcome.score,
    }


def quote_hash(quote: str) -> str:
    """Return the SHA-256 of a quote, in hex."""
    return hashlib.sha256(quote.encode("utf-8", "replace")).hexdigest()


def _evidence_columns(proven: ProvenText, research: ResearchSummary) -> dict[str, object]:
    cited = {proof.identifier for proof in proven.proofs} & research.found
    used = (research.read & research.found) - cited
    return {
        "found": len(research.found),
        "cited": len(cited),
        "read_not_used": len(used),
        "screened_out": len(research.found) - len(cited) - len(used),
        "queries": [{"query": _clean(query), "found": found} for query, found in research.queries],
        "not_found": [_clean(each) for each in research.not_found],
        "disagreements": list(research.disagreements),
        "figures": [_figure(statement, entry) for statement, entry in proven.ledger],
        "statements": [_statement(number, each) for number, each in enumerate(filter(_states, proven.statements))],
        "unanswered_parts": research.unanswered_parts,
        "newest_source": source_dates.newest(proven.proofs, today=clock.now().date()),
    }


def _states(checked: CheckedStatement) -> bool:
    """Whether a statement says something: a question above its answer, and what introduces a list, do not."""
    statement = checked.statement
    return bool(statement.ordinals) or not statement.text.endswith(("?", "\uff1f", ":", "\uff1a"))


def _statement(number: int, checked: CheckedStatement) -> dict[str, JsonValue]:
    statement = checked.statement
    return {
        "number": number,
        "kind": statement.kind,
        "text": _clean(statement.text),
        "char_start": statement.start,
        "char_end": statement.end,
        "verdict": checked.verdict,
        "check": checked.check,
        "reason": _clean(checked.reason),
        "judged_by": checked.judged_by,
        "ordinals": list(statement.ordinals),
        "carried_by": list(checked.carried_by),
        "calculations": [_figure(statement, entry) for entry in checked.entries if entry.calculation],
    }


def _figure(statement: CitedStatement, entry: FigureEntry) -> dict[str, JsonValue]:
    return {
        "written": _clean(entry.written),
        "sentence": _clean(statement.text),
        "sentence_start": statement.start,
        "sentence_end": statement.end,
        "status": _status(statement, entry),
        "calculation": entry.calculation,
        "read": [
            {"ordinal": read.ordinal, "written": read.written, "char_start": read.start, "char_end": read.end}
            for read in entry.read
        ],
    }


def _status(statement: CitedStatement, entry: FigureEntry) -> FigureStatus:
    if entry.is_found:
        return FigureStatus.CALCULATED if entry.calculation else FigureStatus.READ
    return FigureStatus.MISSING if statement.ordinals else FigureStatus.UNCITED


def _clean(text: str) -> str:
    """Return the text without what PostgreSQL cannot store: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


async def remove(tx: Tx, message_id: UUID) -> None:
    """Remove the citations and the evidence of a message."""
    await store.remove_of_message(tx, message_id)


def count_by_check(proofs: Sequence[CitationProof]) -> dict[Check, int]:
    """Count citations by check result."""
    return {check: sum(1 for proof in proofs if proof.outcome.check is check) for check in Check}
