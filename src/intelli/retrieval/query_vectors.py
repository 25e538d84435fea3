"""Embedding of a query for the spaces that a workspace is searched in."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import structlog

from intelli.kit.errors import IntelliError
from intelli.reasoning.embedders import Embedders
from intelli.reasoning.ports import Embedder
from intelli.retrieval.semantic_shares import QueryVector

_EMBED_TIMEOUT_S = 5

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NotEmbedded:
    """Reason why the query was not embedded, for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Embeddings of a query by space, and the reason why one could not be made."""

    vectors: Mapping[str, QueryVector]
    reason: str | None = None


async def embed_usual(query: str, embedders: Embedders) -> QueryVectors:
    """Embed a query for the spaces that a workspace usually has."""
    names = dict.fromkeys([embedders.chosen.name, embedders.quick.name])
    return await embed_for(query, embedders, list(names), QueryVectors({}))


async def embed_for(query: str, embedders: Embedders, names: Sequence[str], known: QueryVectors) -> QueryVectors:
    """Embed a query for spaces that it was not embedded for; remember why that is not possible for the first."""
    vectors, reason = dict(known.vectors), None
    for name in names:
        if name in vectors:
            continue
        found = await _embed(query, partial(embedders.of_space, name))
        if isinstance(found, QueryVector):
            vectors[name] = replace(found, space=name)
        else:
            reason = reason or found.reason
    return QueryVectors(vectors, reason)


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
