"""Convert citations to wire models, with the state of their documents, as far as the reader may see them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from intelli.citations import store, wire
from intelli.citations.save import MEMORY_SOURCE
from intelli.citations.store import CitationWithDocument
from intelli.citations.tables import Citation
from intelli.citations.wire import CitedFileStatus, FileStatus
from intelli.content.span import Span
from intelli.kit.db import Tx
from intelli.library.wire import FetchStrategy

# What else of a citation is in the words of its source, or leads to them.
_WITHHELD = {"section": None, "reason": "", "sha256": "", "text_sha256": None}


@dataclass(frozen=True, slots=True)
class CitedSources:
    """Citations of a message in order, and the files they cite, each once."""

    citations: list[wire.Citation]
    files: list[wire.CitedFile]


NOTHING = CitedSources([], [])


async def load_of_messages(
    tx: Tx, message_ids: Iterable[UUID], *, keep_excerpts: bool = True
) -> dict[UUID, CitedSources]:
    """Load the citations of several messages, by message, in one query."""
    by_message: dict[UUID, list[CitationWithDocument]] = {}
    for row in await store.list_of_messages(tx, message_ids):
        by_message.setdefault(row.citation.message_id, []).append(row)
    return {
        message_id: CitedSources(
            [to_wire(row, keep_excerpts=keep_excerpts) for row in rows], _files(rows, keep_excerpts)
        )
        for message_id, rows in by_message.items()
    }


async def load_research(tx: Tx, message_id: UUID) -> tuple[list[tuple[str, int]], list[str]]:
    """Load the queries of the research behind a message, each with its number of results, and what was not found."""
    evidence = await store.find_evidence(tx, message_id)
    if evidence is None:
        return [], []
    queries = [(str(each["query"]), int(str(each["found"]))) for each in evidence.queries]
    return queries, list(evidence.not_found)


def to_wire(row: CitationWithDocument, *, keep_excerpts: bool) -> wire.Citation:
    """Convert a citation to its wire model."""
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
    """Return whether the cited document exists but the caller may not read it."""
    return row.citation.document_id is not None and row.document is None


def is_gone(mine: Citation) -> bool:
    """Return whether the cited source was deleted: its document, or the memory record that an entity holds."""
    is_remembered = mine.source_type == MEMORY_SOURCE and mine.entity_id is not None
    return mine.document_id is None and not is_remembered


def is_stale(row: CitationWithDocument) -> bool:
    """Return whether a newer version of the document no longer contains the quote."""
    mine, document = row.citation, row.document
    if document is None or document.artifact_sha256 == mine.sha256:
        return False
    return mine.compared_sha256 == document.artifact_sha256 and mine.is_stale


def _quote(row: CitationWithDocument, keep_excerpts: bool) -> str:
    """Return the quote: of a deleted file only if excerpts are kept, of a file the caller may not read never."""
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
    """Return each cited file once, in the order of first citation."""
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
        external_url=document.external_url if document else None,
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
    """Return each cited span once, with the citations that refer to it."""
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
