"""Vectors of texts, made before the transaction that may have to write them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from intelli.kit.db import Tx
from intelli.kit.errors import IntelliError
from intelli.memory import search_terms
from intelli.memory.search_terms import SearchKind
from intelli.memory.store import erase, history
from intelli.memory.store import write as store
from intelli.reasoning.ports import Embedder, Vectors

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TextVectors:
    """Vectors by their texts; a text without a vector is found by its words alone. `space` names the embedder."""

    space: str = ""
    of: Mapping[str, Vectors] = field(default_factory=dict)


async def embed(embedder: Embedder, texts: Sequence[str]) -> TextVectors:
    """Embed texts; return no vectors when the embedder fails."""
    wanted = list(dict.fromkeys(texts))
    if not wanted:
        return TextVectors()
    try:
        vectors = await embedder.embed(wanted)
    except IntelliError as error:
        log.warning("memory_without_meaning", code=error.code)
        return TextVectors()
    return TextVectors(embedder.name, dict(zip(wanted, vectors, strict=True)))


async def write_items(
    tx: Tx, group_id: str, items: Mapping[UUID, tuple[SearchKind, str]], vectors: TextVectors
) -> None:
    """Replace the terms and vectors by which items (nodes, facts, episodes) are found."""
    if not items:
        return
    spoken = await history.languages(tx, [group_id])
    only = next(iter(spoken)) if len(spoken) == 1 else None
    await erase.remove_search_entries(tx, items)
    embedded = {each: item for each, item in items.items() if item[1] in vectors.of}
    others = {each: item for each, item in items.items() if each not in embedded}
    rows = [vectors.of[text] for _, text in embedded.values()]
    for some, stacked in ((embedded, store.stack(rows) if rows else None), (others, None)):
        if some:
            found = list(_terms(some, only))
            ids = [(each, kind) for each, (kind, _) in some.items()]
            await store.write_search(tx, group_id, items=ids, terms=found, vectors=stacked, space=vectors.space)


def _terms(items: Mapping[UUID, tuple[SearchKind, str]], language: str | None) -> Iterator[tuple[int, int, float]]:
    for nth, (kind, text) in enumerate(items.values(), 1):
        for term, weight in search_terms.weighted_terms(
            text, kind, language=language or search_terms.language_of(text)
        ):
            yield term, nth, weight
