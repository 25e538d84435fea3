"""What a file yields when it is read: text, span map, thumbnail and chunks, made outside of any transaction."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from intelli.content import artifacts
from intelli.content.artifacts import Received, Said
from intelli.content.wire import EntityType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import chunk, language, spanmap
from intelli.library.extraction.model import Extraction, Unreadable
from intelli.library.ports import Extracting
from intelli.library.settings import LibrarySettings
from intelli.reasoning import tokens

# Grows when the same file would be read differently.
EXTRACTOR = "1"
_TITLE_CHARS = 500
_PROPERTY_CHARS = 4000
_CARD_CHARS = 2000
_ANY_SIZE = 1 << 40
_MEDIA_TYPES = {
    "text_sha256": "text/plain",
    "map_sha256": "application/x-intelli-map",
    "thumbnail_sha256": "image/webp",
}


@dataclass(frozen=True, slots=True)
class Yield:
    """Everything that is kept of a reading: bytes under the column that names them, chunks and facts as columns."""

    files: dict[str, bytes]
    chunks: list[dict[str, object]]
    facts: dict[str, object]


async def make(path: Path, name: str | None, *, extractor: Extracting, settings: LibrarySettings) -> Yield:
    """Read a file. Raises Unreadable with the reason when that cannot be done."""
    extraction = await extractor.extract(path, name=name)
    picture = await _picture(path, name, extraction, extractor=extractor)
    made = await asyncio.to_thread(_digest, extraction, settings)
    return Yield({**made.files, **picture}, made.chunks, made.facts)


@asynccontextmanager
async def stored(made: Yield, blobs: Blobs, tenant_id: UUID) -> AsyncIterator[dict[str, Received]]:
    """The files as drafts in the blob store, while the block lasts."""
    async with AsyncExitStack() as stack:
        yield {
            column: await stack.enter_async_context(
                artifacts.receive(blobs, tenant_id, _once(content), limit_bytes=_ANY_SIZE)
            )
            for column, content in made.files.items()
        }


async def keep(tx: Tx, drafts: Mapping[str, Received], *, source_sha256: str) -> dict[str, str]:
    """Make the files the workspace's; their hashes, by column."""
    said = {"source_sha256": source_sha256, "method": f"extractor {EXTRACTOR}"}
    for column, draft in drafts.items():
        what = Said(EntityType.EXTRACTED_DATA, {**said}, media_type=_MEDIA_TYPES[column])
        await artifacts.keep_derived(tx, draft, what)
    return {column: draft.draft.sha256 for column, draft in drafts.items()}


def _digest(extraction: Extraction, settings: LibrarySettings) -> Yield:
    chunks = chunk.split(
        extraction, tokens.count_tokens, max_tokens=settings.chunk_tokens, overlap=settings.chunk_overlap
    )
    text = extraction.text
    rows: list[dict[str, object]] = [
        {
            "chunk_index": index,
            "char_start": each.start,
            "char_end": each.end,
            "page": each.page,
            "section": each.section,
            "kind": each.kind,
            "tokens": each.tokens,
            "body": text[each.start : each.end],
        }
        for index, each in enumerate(chunks)
    ]
    files = {"text_sha256": text.encode(), "map_sha256": spanmap.pack(extraction)}
    return Yield(files, rows, _facts(extraction))


def _facts(extraction: Extraction) -> dict[str, object]:
    return {
        "media_type": extraction.media_type,
        "title": _plain(extraction.title or "", _TITLE_CHARS) or None,
        "language": language.find_language(extraction.text),
        "properties": {
            _plain(name, 100): _plain(value, _PROPERTY_CHARS) for name, value in extraction.properties.items()
        },
        "page_count": len(extraction.pages) or None,
        "char_count": len(extraction.text),
        "extractor": EXTRACTOR,
    }


async def _picture(path: Path, name: str | None, extraction: Extraction, *, extractor: Extracting) -> dict[str, bytes]:
    """A document without a picture is still a document."""
    title = extraction.title or name or ""
    try:
        picture = await extractor.thumbnail(
            path, extraction.media_type, title=title, text=extraction.text[:_CARD_CHARS]
        )
    except Unreadable:
        return {}
    return {"thumbnail_sha256": picture}


def _plain(text: str, most: int) -> str:
    """Text that PostgreSQL can hold, cut to a length."""
    return text.replace("\0", "").encode("utf-8", errors="ignore").decode()[:most].strip()


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
