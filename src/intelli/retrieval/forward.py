"""Reads of the forward index; chunks that were indexed before it are analysed at once."""

import asyncio
from collections.abc import Sequence

import numpy as np

from intelli.kit.db import Tx
from intelli.library import chunk as library_chunk
from intelli.retrieval import analysis, chunk_terms, postings
from intelli.retrieval.chunk_terms import ChunkTerms
from intelli.retrieval.postings import Keys
from intelli.retrieval.store import chunk_terms as store
from intelli.retrieval.store import passages
from intelli.retrieval.store.passages import IndexedText
from intelli.retrieval.store.scope import IndexScope


async def complete(tx: Tx, known: ChunkTerms, keys: Keys) -> ChunkTerms:
    """Return chunks with the terms of those with these keys that are not known; keys without a chunk are left out."""
    missing = np.setdiff1d(keys, known.keys)
    if not len(missing):
        return known
    found = await store.load(tx, missing)
    known = chunk_terms.join(known, found) if len(known.keys) else found
    missing = np.setdiff1d(missing, found.keys)
    if not len(missing):
        return known
    texts = await passages.load_texts(tx, [postings.place_of(key) for key in missing.tolist()])
    return chunk_terms.join(known, await asyncio.to_thread(_analyse, texts)) if texts else known


async def load_narrow(tx: Tx, scope: IndexScope) -> ChunkTerms | None:
    """Return all chunks of a narrow scope; None when some were indexed before there was a forward index."""
    assert scope.within.only is not None, "a narrow scope has a filter"
    found = await store.load_of_readings(tx, scope.within.only)
    if len(found.keys) < scope.chunks:
        return None
    return found.without(scope.within.never)


def _analyse(texts: Sequence[IndexedText]) -> ChunkTerms:
    read = {
        postings.key_of(each.reading, each.chunk_index): (
            analysis.analyse(library_chunk.searchable_text(each.section, each.body), each.language)
        )
        for each in texts
    }
    return chunk_terms.pack(postings.list_counts(read), [each.body for each in texts])
