"""Showing citations: as rows tell them, with what became of their documents, and what the reader may see of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.citations import store, wire
from intelli.citations.save import MEMORY_SOURCE
from intelli.citations.store import CitationWithDocument
from intelli.citations.tables import Citation
from intelli.citations.wire import Check, CitedFileStatus, FileStatus
from intelli.content.span import Span
from intelli.kit.db import Tx
from intelli.library.wire import FetchStrategy

# What else of a citation is in the words of its source, or leads to them.
_WITHHELD = {"section": None, "reason": "", "sha256": "", "text_sha256": None}
# How far each outcome of a check bears an answer.
_BEARS = {Check.VERIFIED: 1.0, Check.WEAK: 0.5, Check.UNCHECKED: 0.5, Check.FAILED: 0.0}


@dataclass(frozen=True, slots=True)
class CitedSources:
    """What a message cites: the citations in order, and the files they are of, each once."""

    citations: list[wire.Citation]
    files: list[wire.CitedFile]


NOTHING = CitedSources([], [])


async def of_messages(tx: Tx, message_ids: Iterable[UUID], *, keep_excerpts: bool = True) -> dict[UUID, CitedSources]:
    """What several messages cite, in one query."""
    by_message: dict[UUID, list[CitationWithDocument]] = {}
    for row in await store.of_messages(tx, message_ids):
        by_message.setdefault(row.citation.message_id, []).append(row)
    return {
        message_id: CitedSources(
            [citation(row, keep_excerpts=keep_excerpts) for row in rows], _files(rows, keep_excerpts)
        )
        for message_id, rows in by_message.items()
    }


def citation(row: CitationWithDocument, *, keep_excerpts: bool) -> wire.Citation:
    """A citation as the wire tells it."""
    mine = row.citation
    names = wire.Citation.model_fields.keys() - {"review", "quote", "is_stale", "file_status", "group_id"}
    told = {name: getattr(mine, name) for name in names}
    return wire.Citation(
        **{**told, **(_WITHHELD if is_hidden(row) else {})},
        quote=_quote(row, keep_excerpts),
        review=_review(mine),
        group_id=mine.path if mine.source_type == MEMORY_SOURCE else None,
        is_stale=is_stale(row),
        file_status=FileStatus.DELETED if is_gone(mine) else FileStatus.ACTIVE,
    )


def is_hidden(row: CitationWithDocument) -> bool:
    """Whether the document is there, but not for the caller to read."""
    return row.citation.document_id is not None and row.document is None


def is_gone(citation: Citation) -> bool:
    """Whether what was cited is there no more: its document, or the record of memory that an entity holds."""
    is_remembered = citation.source_type == MEMORY_SOURCE and citation.entity_id is not None
    return citation.document_id is None and not is_remembered


def is_stale(row: CitationWithDocument) -> bool:
    """Whether a newer version of the document no longer has the quote."""
    mine, document = row.citation, row.document
    if document is None or document.artifact_sha256 == mine.sha256:
        return False
    return mine.compared_sha256 == document.artifact_sha256 and mine.is_stale


def confidence(citations: Sequence[wire.Citation], evidence: float, figures: Sequence[wire.Figure] = ()) -> float:
    """How far an answer can be relied on.

    It is how sure its evidence is, times the share of its citations that hold and of its figures that rest on one.
    """
    if not citations:
        return 0.0
    held = sum(_BEARS[each.check] for each in citations) / len(citations)
    bare = sum(1 for each in figures if each.status is wire.FigureStatus.UNCITED)
    return round(evidence * held * (1 - bare / len(figures) if figures else 1), 4)


def _quote(row: CitationWithDocument, keep_excerpts: bool) -> str:
    """The words that were cited: of a deleted file only where they are kept, and of others' files never."""
    if is_gone(row.citation):
        return row.citation.quote if keep_excerpts else ""
    return "" if is_hidden(row) else row.citation.quote


def _review(mine: Citation) -> wire.Review | None:
    if mine.decision is None or mine.reviewer_id is None or mine.reviewed_at is None:
        return None
    return wire.Review(
        decision=wire.Decision(mine.decision),
        note=mine.note,
        reviewer_id=mine.reviewer_id,
        reviewed_at=mine.reviewed_at,
    )


def _files(rows: Sequence[CitationWithDocument], keep_excerpts: bool) -> list[wire.CitedFile]:
    """Each file once, in the order it is first cited."""
    by_file: dict[object, list[CitationWithDocument]] = {}
    for row in rows:
        key = row.citation.document_id or (row.citation.sha256, row.citation.file_name)
        by_file.setdefault(key, []).append(row)
    return [_file(same, keep_excerpts) for same in by_file.values()]


def _file(rows: Sequence[CitationWithDocument], keep_excerpts: bool) -> wire.CitedFile:
    first = rows[0].citation
    document = rows[0].document
    return wire.CitedFile(
        file_name=document.name if document else first.file_name,
        file_id=first.document_id if document else None,
        source_type=first.source_type,
        mime_type=document.mime_type if document else first.mime_type,
        relevance_score=max(row.citation.relevance_score for row in rows),
        is_image=first.mime_type.startswith("image/"),
        fetch_strategy=FetchStrategy(first.fetch_strategy),
        excerpts=_excerpts(rows, keep_excerpts),
        status=_status(rows),
        path=document.path if document else None,
        has_thumbnail=rows[0].has_thumbnail,
    )


def _status(rows: Sequence[CitationWithDocument]) -> CitedFileStatus:
    if is_gone(rows[0].citation):
        return CitedFileStatus.DELETED
    return CitedFileStatus.STALE if any(is_stale(row) for row in rows) else CitedFileStatus.ACTIVE


def _excerpts(rows: Sequence[CitationWithDocument], keep_excerpts: bool) -> list[wire.CitedExcerpt]:
    """Each passage once, with the citations that rest on it."""
    by_span: dict[Span, list[CitationWithDocument]] = {}
    for row in rows:
        mine = row.citation
        by_span.setdefault(Span(mine.sha256, mine.char_start, mine.char_end), []).append(row)
    return [
        wire.CitedExcerpt(
            citation_ids=[row.citation.id for row in same],
            quote=_quote(same[0], keep_excerpts),
            char_start=same[0].citation.char_start,
            char_end=same[0].citation.char_end,
            page=same[0].citation.page,
            section=None if is_hidden(same[0]) else same[0].citation.section,
        )
        for same in by_span.values()
    ]
