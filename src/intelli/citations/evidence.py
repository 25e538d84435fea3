"""Evidence of a message: citations, figures and research; and the messages that rely on a document."""

from collections.abc import Container, Mapping, Sequence
from typing import Any
from uuid import UUID

from intelli.citations import confidence, show, store, wire
from intelli.citations.confidence import AnswerFacts, StatementFacts
from intelli.citations.errors import EvidenceNotFound
from intelli.citations.store import CitationWithDocument
from intelli.citations.tables import Evidence
from intelli.entities import visibility
from intelli.kit import clock
from intelli.kit.db import Tx
from intelli.library import documents
from intelli.reasoning.verbs.judge import Verdict

_MOST = 1000


async def get_citations(tx: Tx, message_id: UUID, *, keep_excerpts: bool) -> wire.MessageCitations:
    """Return the citations of a message with the cited files; raise EvidenceNotFound."""
    await _get(tx, message_id)
    cited = (await show.load_of_messages(tx, [message_id], keep_excerpts=keep_excerpts)).get(message_id, show.NOTHING)
    return wire.MessageCitations(message_id=message_id, items=cited.citations, cited_files=cited.files)


async def get_figures(tx: Tx, message_id: UUID) -> wire.Figures:
    """Return the number ledger of a message; raise EvidenceNotFound."""
    row = await _get(tx, message_id)
    by_ordinal = {each.citation.ordinal: each for each in await store.list_of_messages(tx, [message_id])}
    items = [_figure(figure, by_ordinal) for figure in row.figures]
    return wire.Figures(message_id=message_id, items=items)


async def get_statements(tx: Tx, message_id: UUID) -> wire.MessageStatements:
    """Return the statements of a message with their verdicts; raise EvidenceNotFound."""
    row = await _get(tx, message_id)
    by_ordinal = {each.citation.ordinal: each for each in await store.list_of_messages(tx, [message_id])}
    return wire.MessageStatements(
        message_id=message_id, items=[_statement(each, by_ordinal) for each in row.statements]
    )


async def assess(tx: Tx, message_id: UUID, *, relevance: float) -> wire.Confidence | None:
    """Return the confidence in a checked answer; None for one that states nothing with a citation."""
    row = await store.find_evidence(tx, message_id)
    if row is None:
        return None
    stated = [
        StatementFacts(
            kind=wire.StatementKind(each["kind"]),
            verdict=Verdict(each["verdict"]),
            check=wire.Check(each["check"]),
            judged_by=wire.JudgedBy(each["judged_by"]),
            is_cited=bool(each["ordinals"]),
        )
        for each in row.statements
    ]
    facts = AnswerFacts(stated, relevance, row.unanswered_parts, len(row.disagreements), row.newest_source)
    return confidence.assess(facts, today=clock.now().date())


async def get_summary(tx: Tx, message_id: UUID) -> wire.Evidence:
    """Return what was found for a message and how it was used, what was not found, and where sources disagree."""
    row = await _get(tx, message_id)
    by_identifier: dict[str, list[UUID]] = {}
    cited = await store.list_of_messages(tx, [message_id])
    for each in cited:
        by_identifier.setdefault(each.citation.identifier, []).append(each.citation.id)
    # Of a document that is gone, what was cited is told as its quote is.
    gone = {each.citation.identifier for each in cited if each.citation.document_id is None}
    hidden = (
        (await visibility.list_hidden_identifiers(tx, message_id)) - gone if row.disagreements else frozenset[str]()
    )
    counts = {name: getattr(row, name) for name in ("found", "cited", "read_not_used", "screened_out")}
    return wire.Evidence(
        message_id=message_id,
        **counts,
        queries=[wire.Query.model_validate(query) for query in row.queries],
        not_found=row.not_found,
        disagreements=[told for each in row.disagreements if (told := _disagreement(each, by_identifier, hidden))],
    )


async def get_impact(tx: Tx, document_id: UUID, *, keep_excerpts: bool) -> wire.Impact:
    """Return every message and deliverable that cites a document, as far as the caller may see it."""
    document = (await documents.get(tx, document_id)).document
    rows = await store.list_of_document(tx, document_id, limit=_MOST + 1)
    by_message: dict[UUID, list[CitationWithDocument]] = {}
    for row in rows[:_MOST]:
        by_message.setdefault(row.citation.message_id, []).append(row)
    made = await store.find_deliverables(tx, by_message)
    relying = {key: _reliance(same, keep_excerpts) for key, same in by_message.items()}
    return wire.Impact(
        document_id=document_id,
        version=document.version,
        messages=[reliance for key, reliance in relying.items() if key not in made],
        deliverables=[
            wire.DeliverableReliance(**dict(relying[key]), entity_type=entity.entity_type, title=entity.title)
            for key, entity in made.items()
        ],
        truncated=len(rows) > _MOST,
    )


def _reliance(rows: Sequence[CitationWithDocument], keep_excerpts: bool) -> wire.Reliance:
    first = rows[0].citation
    return wire.Reliance(
        message_id=first.message_id,
        conversation_id=first.conversation_id,
        run_id=first.run_id,
        version=max((row.citation.document_version or 0 for row in rows), default=0) or None,
        is_stale=any(show.is_stale(row) for row in rows),
        citations=[show.to_wire(row, keep_excerpts=keep_excerpts) for row in rows],
    )


def _figure(figure: Mapping[str, object], by_ordinal: Mapping[int, CitationWithDocument]) -> wire.Figure:
    known = {name: figure[name] for name in wire.Figure.model_fields if name != "sources"}
    read = figure["read"]
    assert isinstance(read, list), "a figure was kept with where it was read"
    rows = [(each, by_ordinal[each["ordinal"]]) for each in read if each["ordinal"] in by_ordinal]
    sources = [_source(each, row) for each, row in rows if not show.is_hidden(row)]
    # A calculation is made of what its sources give: with one of them hidden, so is all of it.
    calculation = known["calculation"] if len(sources) == len(rows) else ""
    return wire.Figure.model_validate({**known, "calculation": calculation, "sources": sources})


def _statement(stated: Mapping[str, Any], by_ordinal: Mapping[int, CitationWithDocument]) -> wire.Statement:
    ids = {ordinal: row.citation.id for ordinal, row in by_ordinal.items()}
    is_hidden = any(show.is_hidden(by_ordinal[each]) for each in stated["ordinals"] if each in by_ordinal)
    known = {name: stated[name] for name in ("number", "kind", "text", "char_start", "char_end", "verdict", "check")}
    made = [_figure(each, by_ordinal) for each in stated["calculations"]]
    return wire.Statement.model_validate(
        {
            **known,
            # A reason names words of the source, and so does a calculation.
            "reason": "" if is_hidden else stated["reason"],
            "judged_by": stated["judged_by"],
            "citation_ids": [ids[each] for each in stated["ordinals"] if each in ids],
            "carried_by": [ids[each] for each in stated["carried_by"] if each in ids],
            "calculations": [
                wire.Calculation(figure=each.written, formula=each.calculation, operands=each.sources)
                for each in made
                if each.calculation
            ],
        }
    )


def _source(read: Mapping[str, object], row: CitationWithDocument) -> wire.FigureSource:
    mine = row.citation
    place = {name: read[name] for name in ("written", "char_start", "char_end")}
    of = {"citation_id": mine.id, "document_id": mine.document_id, "text_sha256": mine.text_sha256}
    return wire.FigureSource.model_validate({**of, **place})


def _disagreement(
    told: Mapping[str, object], by_identifier: Mapping[str, list[UUID]], hidden: Container[str]
) -> wire.Disagreement | None:
    """Convert a disagreement; None when the caller may read none of its sources, since it quotes them."""
    readings = told["readings"]
    assert isinstance(readings, list), "a disagreement was kept with its readings"
    if all(each["identifier"] in hidden for each in readings):
        return None
    return wire.Disagreement(
        about=str(told["about"]),
        readings=[
            wire.DisagreementReading(
                value="" if each["identifier"] in hidden else each["value"],
                identifier=each["identifier"],
                citation_ids=by_identifier.get(each["identifier"], []),
            )
            for each in readings
        ],
    )


async def _get(tx: Tx, message_id: UUID) -> Evidence:
    row = await store.find_evidence(tx, message_id)
    if row is None:
        raise EvidenceNotFound("There is no such answer, or it was never checked.")
    return row
