"""Meanings: vectors made before a transaction, for what it may have to write."""

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
    """Vectors of texts. What has none is found by its words alone."""

    space: str = ""
    of: Mapping[str, Vectors] = field(default_factory=dict)


async def read(embedder: Embedder, texts: Sequence[str]) -> TextVectors:
    """The vectors of texts; none when the embedder does not answer."""
    wanted = list(dict.fromkeys(texts))
    if not wanted:
        return TextVectors()
    try:
        vectors = await embedder.embed(wanted)
    except IntelliError as error:
        log.warning("memory_without_meaning", code=error.code)
        return TextVectors()
    return TextVectors(embedder.name, dict(zip(wanted, vectors, strict=True)))


async def write(tx: Tx, group_id: str, items: Mapping[UUID, tuple[SearchKind, str]], meanings: TextVectors) -> None:
    """Make items found by their words and meanings, in place of what they were found by."""
    if not items:
        return
    spoken = await history.languages(tx, [group_id])
    only = next(iter(spoken)) if len(spoken) == 1 else None
    await erase.remove_words(tx, items)
    known = {each: said for each, said in items.items() if said[1] in meanings.of}
    unknown = {each: said for each, said in items.items() if each not in known}
    vectors = [meanings.of[said] for _, said in known.values()]
    for some, stacked in ((known, store.stack(vectors) if vectors else None), (unknown, None)):
        if some:
            found = list(_terms(some, only))
            ids = [(each, kind) for each, (kind, _) in some.items()]
            await store.write_search(tx, group_id, items=ids, terms=found, vectors=stacked, space=meanings.space)


def _terms(items: Mapping[UUID, tuple[SearchKind, str]], language: str | None) -> Iterator[tuple[int, int, float]]:
    for nth, (kind, said) in enumerate(items.values(), 1):
        for term, weight in search_terms.weighted(said, kind, language=language or search_terms.language_of(said)):
            yield term, nth, weight
