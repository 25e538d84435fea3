"""Search for the passages relevant to a query, by words and by vectors, grouped by document."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
import structlog

from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.library import folders
from intelli.library.errors import FolderNotFound
from intelli.library.sources import Sources
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval import excerpts as retrieval_excerpts
from intelli.retrieval import index, postings, ranking, spaces, wire
from intelli.retrieval.ranking import QueryVector, Ranked, RankedQuery
from intelli.retrieval.store import lexical as lexical_store
from intelli.retrieval.store import passages, scope
from intelli.retrieval.store.lexical import ReadingFilter
from intelli.retrieval.store.passages import FoundChunk
from intelli.retrieval.store.scope import FoundDocument, SearchFilter
from intelli.retrieval.tables import Space

Begin = Callable[[], AbstractAsyncContextManager[Tx]]
_EMBED_TIMEOUT_S = 5
# Attempts to search again without readings that no document has any more, before fewer results are accepted.
_ROUNDS = 6

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NotEmbedded:
    """Reason why the query was not embedded, for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class DocumentHits:
    """A document with the passages found in it, best first, and the excerpt of each to show to a person."""

    document: FoundDocument
    passages: list[Passage]
    excerpts: list[wire.Excerpt]


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The documents found for a query, and metadata of the search."""

    groups: list[DocumentHits]
    metadata: wire.SearchMetadata


async def search(begin: Begin, request: wire.Search, *, embedders: Embedders, sources: Sources) -> wire.SearchResult:
    """Search and return wire models, with excerpts that begin at the page most relevant to the query."""
    found = await find(begin, request, embedders=embedders)
    return wire.SearchResult(
        sources=[_source(group, sources) for group in found.groups], search_metadata=found.metadata
    )


async def find(begin: Begin, request: wire.Search, *, embedders: Embedders) -> SearchOutcome:
    """Search and return documents with whole passages. No transaction is open while the query is embedded."""
    started = time.perf_counter()
    meaning = await _embed(request.query, lambda: embedders.chosen)
    async with begin() as tx:
        space = await spaces.find_active(tx)
        if space is None or (isinstance(meaning, QueryVector) and meaning.space == space.name):
            return await _answer(tx, request, meaning, space, started=started)
    name = space.name
    meaning = await _embed(request.query, lambda: embedders.of_space(name))
    async with begin() as tx:
        space = await spaces.find_active(tx)
        if isinstance(meaning, QueryVector) and (space is None or space.name != meaning.space):
            meaning = NotEmbedded("The index has just moved to another embedding. Search again.")
        return await _answer(tx, request, meaning, space, started=started)


async def check_folder(tx: Tx, request: wire.Search) -> None:
    """Raise FolderNotFound unless the folder exists. Not checked with `as_of`: the tree may have been another then."""
    if request.folder is None or request.as_of is not None:
        return
    path = await _folder_path(tx, request.folder)
    if path and not await folders.is_folder(tx, path):
        raise FolderNotFound(f"There is no folder at {path}. It may have been moved or deleted.")


async def embed_query(query: str, choose: Callable[[], Embedder]) -> QueryVector | None:
    """Embed a query; None when the embedder does not answer, since a search by words does not need it."""
    found = await _embed(query, choose)
    return found if isinstance(found, QueryVector) else None


async def _embed(query: str, choose: Callable[[], Embedder]) -> QueryVector | NotEmbedded:
    """Embed a query, within a time limit; return the reason when that fails."""
    try:
        embedder = choose()
        fit = await asyncio.to_thread(embedder.fit, query)
        async with asyncio.timeout(_EMBED_TIMEOUT_S):
            vector = await embedder.embed_query(query)
    except (IntelliError, TimeoutError) as error:
        reason = str(error) or f"The embedding model did not answer within {_EMBED_TIMEOUT_S} seconds."
        log.warning("search_without_meaning", error=type(error).__name__, reason=reason)
        return NotEmbedded(reason)
    return QueryVector(embedder.name, vector, embedder.prior * fit if np.any(vector) else 0.0, embedder.background)


async def _answer(
    tx: Tx, request: wire.Search, read: QueryVector | NotEmbedded, space: Space | None, *, started: float
) -> SearchOutcome:
    meaning = read if isinstance(read, QueryVector) else None
    wanted = await _build_filter(tx, request)
    within = ReadingFilter(None if wanted.is_everything else await scope.list_readings(tx, wanted))
    sizes = await lexical_store.load_sizes(tx, within)
    question = RankedQuery(request.query, meaning, within, sizes)
    groups = await _find(tx, request, question, wanted=wanted, space=space) if sizes else []
    metadata = wire.SearchMetadata(
        query=request.query,
        total_chunks_searched=sum(size.chunks for size in sizes),
        threshold=request.threshold,
        elapsed_ms=round((time.perf_counter() - started) * 1000, 2),
        semantic=meaning is not None,
        words_only_reason=read.reason if isinstance(read, NotEmbedded) else None,
    )
    return SearchOutcome(groups, metadata)


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
    tx: Tx, request: wire.Search, question: RankedQuery, *, wanted: SearchFilter, space: Space | None
) -> list[DocumentHits]:
    """Return the best passages with their documents.

    The index still contains readings that only older versions or deleted documents have: when one of them is found,
    the search is repeated without all of them.
    """
    for _ in range(_ROUNDS):
        ranked = await ranking.rank(tx, question, space)
        documents, gone = await _documents(tx, wanted, ranked.readings, limit=request.limit)
        if not gone:
            break
        known = question.within.never or await scope.list_unused_readings(tx)
        question = replace(question, within=replace(question.within, never=sorted({*known, *gone})))
    relevant = ranked.without(gone) if request.threshold is None else ranked.without(gone).above(request.threshold)
    chosen = _choose(relevant, documents, limit=request.limit)
    bodies = await passages.load_chunks(tx, sorted({place for _, places in chosen for place, _ in places}))
    return await asyncio.to_thread(_groups, chosen, bodies, ranked.worth)


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
