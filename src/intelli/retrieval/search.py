"""Search for the passages relevant to a query, by words and by vectors, grouped by document."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from itertools import takewhile
from uuid import UUID

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.db import Tx
from intelli.library import folders
from intelli.library.chunk import searchable_text
from intelli.library.errors import FolderNotFound
from intelli.library.sources import Sources
from intelli.reasoning.embedders import Embedders
from intelli.retrieval import excerpts as retrieval_excerpts
from intelli.retrieval import index, postings, query_vectors, ranking, spaces, wire
from intelli.retrieval.query_vectors import QueryVectors
from intelli.retrieval.ranking import NOTHING, Ranked, RankedQuery
from intelli.retrieval.rerank import DEPTH, PassageMatches, Reranker
from intelli.retrieval.store import passages, scope
from intelli.retrieval.store.passages import FoundChunk
from intelli.retrieval.store.scope import FoundDocument, SearchFilter
from intelli.retrieval.store.vectors import VectorsMoved
from intelli.retrieval.tables import Space

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
# Attempts to search again without readings that no document has any more, before fewer results are accepted.
_ROUNDS = 6
_NOT_ASKED = "The index has just moved to another embedding. Search again."


@dataclass(frozen=True, slots=True)
class DocumentHits:
    """A document with the passages found in it, best first, and the excerpt of each to show to a person."""

    document: FoundDocument
    passages: list[Passage]
    excerpts: list[wire.Excerpt]


@dataclass(frozen=True, slots=True)
class FoundByIndex:
    """What the indexes found, before it is ranked anew: chunks with their texts, and the documents that hold them."""

    tenant_id: UUID
    ranked: Ranked
    documents: Sequence[FoundDocument]
    chunks: Mapping[tuple[int, int], FoundChunk]
    searched: int
    words_only_reason: str | None


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The documents found for a query, and metadata of the search."""

    groups: list[DocumentHits]
    metadata: wire.SearchMetadata


async def search(
    begin: Begin, request: wire.Search, *, embedders: Embedders, reranker: Reranker, sources: Sources
) -> wire.SearchResult:
    """Search and return wire models, with excerpts that begin at the page most relevant to the query."""
    found = await find(begin, request, embedders=embedders, reranker=reranker)
    return wire.SearchResult(
        sources=[_source(group, sources) for group in found.groups], search_metadata=found.metadata
    )


async def find(
    begin: Begin,
    request: wire.Search,
    *,
    embedders: Embedders,
    reranker: Reranker,
    without: frozenset[UUID] = frozenset(),
) -> SearchOutcome:
    """Search and return documents with whole passages. No transaction is open while a model computes.

    Documents `without` are not looked at, so that none of them takes the place of another.
    """
    started = time.perf_counter()
    found = await _ask_indexes(begin, request, embedders, without)
    first = _texts_to_rank_anew(found)
    matched = await reranker.match(request.query, first, tenant_id=found.tenant_id) if first else PassageMatches()
    groups = await asyncio.to_thread(_rank_anew, request, found, matched)
    metadata = wire.SearchMetadata(
        query=request.query,
        total_chunks_searched=found.searched,
        threshold=request.threshold,
        elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        semantic=found.words_only_reason is None,
        words_only_reason=found.words_only_reason,
        reranked=len(matched.matches),
        rerank_cpu_ms=round(matched.cpu_ms, 2),
        not_reranked_reason=matched.reason,
    )
    return SearchOutcome(groups, metadata)


async def _ask_indexes(
    begin: Begin, request: wire.Search, embedders: Embedders, without: frozenset[UUID]
) -> FoundByIndex:
    try:
        return await _ask_once(begin, request, embedders, without)
    except VectorsMoved:
        return await _ask_once(begin, request, embedders, without)


async def _ask_once(begin: Begin, request: wire.Search, embedders: Embedders, without: frozenset[UUID]) -> FoundByIndex:
    read = await query_vectors.embed_usual(request.query, embedders)
    async with begin() as tx:
        searched = await spaces.list_searched(tx)
        if read.vectors.keys() >= {space.name for space in searched}:
            return await _collect(tx, request, (read, searched), without)
    read = await query_vectors.embed_for(request.query, embedders, [space.name for space in searched], read)
    async with begin() as tx:
        return await _collect(tx, request, (read, await spaces.list_searched(tx)), without)


async def check_folder(tx: Tx, request: wire.Search) -> None:
    """Raise FolderNotFound unless the folder exists. Not checked with `as_of`: the tree may have been another then."""
    if request.folder is None or request.as_of is not None:
        return
    path = await _folder_path(tx, request.folder)
    if path and not await folders.is_folder(tx, path):
        raise FolderNotFound(f"There is no folder at {path}. It may have been moved or deleted.")


async def _collect(
    tx: Tx, request: wire.Search, meant: tuple[QueryVectors, Sequence[Space]], without: frozenset[UUID]
) -> FoundByIndex:
    read, searched = meant
    is_semantic = not searched or any(space.name in read.vectors for space in searched)
    reason = None if is_semantic else read.reason or _NOT_ASKED
    wanted = replace(await _build_filter(tx, request), without=without)
    looked_at = await scope.load(tx, wanted)
    if not looked_at.chunks:
        return FoundByIndex(tx.tenant_id, NOTHING, [], {}, 0, reason)
    question = RankedQuery(request.query, read.vectors, looked_at)
    ranked, documents = await _find(tx, request, question, wanted=wanted, searched=searched)
    chosen = _choose(ranked, documents, limit=max(request.limit, DEPTH))
    chunks = await passages.load_chunks(tx, sorted({place for _, places in chosen for place, _ in places}))
    return FoundByIndex(tx.tenant_id, ranked, documents, chunks, looked_at.chunks, reason)


def _texts_to_rank_anew(found: FoundByIndex) -> list[str]:
    """Return the texts of the first chunks, up to one that no document holds any more."""
    places = map(postings.place_of, found.ranked.keys[:DEPTH].tolist())
    chunks = takewhile(lambda chunk: chunk is not None, map(found.chunks.get, places))
    return [searchable_text(chunk.section, chunk.body) for chunk in chunks if chunk is not None]


def _rank_anew(request: wire.Search, found: FoundByIndex, matched: PassageMatches) -> list[DocumentHits]:
    """Return the documents in the order of their best passages once these were compared token by token."""
    ranked = found.ranked.anew(matched.matches, model=matched.model)
    if request.threshold is not None:
        ranked = ranked.above(request.threshold)
    chosen = _choose(ranked, found.documents, limit=request.limit)
    return _groups(chosen, found.chunks, ranked.worth)


async def _build_filter(tx: Tx, request: wire.Search) -> SearchFilter:
    return SearchFilter(
        folder_path=await _folder_path(tx, request.folder) if request.folder else None,
        document_ids=tuple(request.document_ids) if request.document_ids else None,
        source_types=tuple(request.source_types) if request.source_types else None,
        scope=request.scope,
        as_of=request.as_of,
    )


async def _folder_path(tx: Tx, folder: str) -> str:
    """Return the path of a folder that is named by its path or its id; empty for the top, which includes everything."""
    if folder.startswith("/"):
        return folder.rstrip("/")
    try:
        folder_id = UUID(folder)
    except ValueError:
        return f"/{folder}".rstrip("/")
    return (await folders.get(tx, folder_id)).path


async def _find(
    tx: Tx, request: wire.Search, question: RankedQuery, *, wanted: SearchFilter, searched: Sequence[Space]
) -> tuple[Ranked, list[FoundDocument]]:
    """Return the best passages, and the documents of as many of them as may be shown or are ranked anew.

    The index still contains readings that only older versions or deleted documents have: when one of them is found,
    the search is repeated without all of them.
    """
    for _ in range(_ROUNDS):
        ranked = await ranking.rank(tx, question, searched)
        documents, gone = await _documents(tx, wanted, ranked.readings, limit=max(request.limit, DEPTH))
        if not gone:
            break
        known = question.scope.within.never or await scope.list_unused_readings(tx)
        question = replace(question, scope=question.scope.without(sorted({*known, *gone})))
    return ranked.without(gone), documents


async def _documents(
    tx: Tx, wanted: SearchFilter, readings: Sequence[int], *, limit: int
) -> tuple[list[FoundDocument], list[int]]:
    """Return at least `limit` documents of the best readings if there are, and the readings that no document has."""
    documents: list[FoundDocument] = []
    gone: list[int] = []
    for start in range(0, len(readings), 2 * limit):
        some = readings[start : start + 2 * limit]
        found = await scope.find_documents(tx, wanted, some)
        documents += found
        gone += sorted(set(some) - {document.reading for document in found})
        if len(documents) >= limit:
            break
    return documents, gone


Places = list[tuple[tuple[int, int], float]]


def _choose(ranked: Ranked, documents: Sequence[FoundDocument], *, limit: int) -> list[tuple[FoundDocument, Places]]:
    """Choose the best `limit` documents, each with its best passage and those among the `limit` best passages."""
    holders: dict[int, list[FoundDocument]] = {}
    for document in documents:
        holders.setdefault(document.reading, []).append(document)
    chosen: dict[UUID, tuple[FoundDocument, Places]] = {}
    for rank, (key, relevance) in enumerate(zip(ranked.keys.tolist(), ranked.relevance.tolist(), strict=True)):
        place = postings.place_of(key)
        for document in holders.get(place[0], []):
            if document.id in chosen:
                if rank < limit:
                    chosen[document.id][1].append((place, relevance))
            elif len(chosen) < limit:
                chosen[document.id] = document, [(place, relevance)]
    return list(chosen.values())


def _groups(
    chosen: Sequence[tuple[FoundDocument, Places]],
    bodies: Mapping[tuple[int, int], FoundChunk],
    worth: Mapping[int, float],
) -> list[DocumentHits]:
    groups = []
    for document, places in chosen:
        language = document.language or index.UNKNOWN_LANGUAGE
        found = [(bodies[place], relevance) for place, relevance in places if place in bodies]
        shown = [retrieval_excerpts.begin_at_best_page(chunk, worth=worth, language=language) for chunk, _ in found]
        passages = [_passage(document, *each, page=focused.page) for each, focused in zip(found, shown, strict=True)]
        excerpts = [_excerpt(focused, relevance) for focused, (_, relevance) in zip(shown, found, strict=True)]
        groups.append(DocumentHits(document, passages, excerpts))
    return groups


def _passage(document: FoundDocument, chunk: FoundChunk, relevance: float, *, page: int | None) -> Passage:
    """Build a passage from the whole chunk; `page` is the one most relevant to the query."""
    return Passage(
        span=Span(document.sha256, chunk.char_start, chunk.char_end),
        text=chunk.body,
        title=document.name,
        path=document.path,
        mime_type=document.mime_type,
        score=relevance,
        document_id=document.id,
        page=page,
        section=chunk.section,
        chunk_index=chunk.chunk_index,
    )


def _source(group: DocumentHits, sources: Sources) -> wire.Source:
    document = group.document
    return wire.Source(
        file_id=document.id,
        file_name=document.name,
        path=document.path,
        source_type=document.source_type,
        mime_type=document.mime_type,
        fetch_strategy=sources.strategy_of(document.source_type),
        external_url=document.external_url,
        relevance_score=max((excerpt.score for excerpt in group.excerpts), default=0.0),
        is_image=document.mime_type.startswith("image/"),
        version=document.version,
        latest_version=document.latest,
        sha256=document.sha256,
        excerpts=group.excerpts,
    )


def _excerpt(chunk: FoundChunk, relevance: float) -> wire.Excerpt:
    return wire.Excerpt(
        content=chunk.body,
        score=relevance,
        chunk_index=chunk.chunk_index,
        char_start=chunk.char_start,
        char_end=chunk.char_end,
        page=chunk.page,
        section=chunk.section,
    )
