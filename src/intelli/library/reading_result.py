"""Result of reading a file: text, span map, chunks and facts, built outside of any transaction, then stored."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from uuid import UUID

from intelli.content import artifacts
from intelli.content.artifacts import ArtifactInfo, ReceivedBytes
from intelli.content.wire import PlatformType
from intelli.kit.blobs import Blobs
from intelli.kit.db import Tx
from intelli.library import prepared_text
from intelli.library.extraction.sandbox import ChildStep
from intelli.library.ports import ChunkText, ExtractorPort
from intelli.library.prepared_text import PreparedText
from intelli.library.settings import LibrarySettings
from intelli.library.structure import document_facts

# Raise it when the same file would be read differently.
EXTRACTOR = "2"
# Raise it when the structure of the same text would be told otherwise: documents are then read anew for it.
STRUCTURE = "2"
STRUCTURE_MEDIA_TYPE = "application/x-intelli-structure"
_TITLE_CHARS = 500
_PROPERTY_CHARS = 4000
_WARNINGS, _WARNING_CHARS = 20, 500
_MEDIA_TYPES = {
    "text_sha256": "text/plain",
    "map_sha256": "application/x-intelli-map",
    "structure_sha256": STRUCTURE_MEDIA_TYPE,
}


StoredFiles = Mapping[str, Mapping[str, ReceivedBytes]]


class _Options(TypedDict):
    max_tokens: int
    overlap: float


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """Everything to store of a reading: files by the column of their hash, rows of chunks, and `facts` by column."""

    files: dict[str, bytes]
    chunks: list[dict[str, object]]
    facts: dict[str, object]
    passages: list[ChunkText]
    language: str | None


async def read_file(
    path: Path, name: str | None, *, extractor: ExtractorPort, settings: LibrarySettings
) -> ReadingResult:
    """Read a file. Raises Unreadable with the reason when it cannot be read."""
    made = await extractor.prepare(path, name=name, step=child_step(settings))
    return await asyncio.to_thread(build_result, made)


async def store_files(made: Mapping[str, ReadingResult], blobs: Blobs, tenant_id: UUID) -> StoredFiles:
    """Write the files to the blob store, durably, outside of any transaction; return them by source hash and column."""
    held = {
        sha256: {column: artifacts.draft_generated(blobs, tenant_id, content) for column, content in each.files.items()}
        for sha256, each in made.items()
    }
    await artifacts.place_all(received for files in held.values() for received in files.values())
    return held


async def insert_artifacts(tx: Tx, held: StoredFiles) -> None:
    """Insert the artifacts of stored files."""
    made = []
    for source_sha256, files in held.items():
        for column, received in files.items():
            metadata = {"source_sha256": source_sha256, "method": f"extractor {EXTRACTOR}"}
            made.append(
                (received, ArtifactInfo(PlatformType.EXTRACTED_DATA, {**metadata}, media_type=_MEDIA_TYPES[column]))
            )
    await artifacts.save_generated(tx, made)


def child_step(settings: LibrarySettings) -> ChildStep[PreparedText]:
    """Return the step that prepares a text in the process that reads the file."""
    return ChildStep(prepared_text.MODULE, prepared_text.collect, _options(settings))


def build_result(made: PreparedText) -> ReadingResult:
    """Build the rows and files to store from a prepared text."""
    rows: list[dict[str, object]] = [
        {
            "chunk_index": index,
            "char_start": each.start,
            "char_end": each.end,
            "page": each.page,
            "section": each.section,
            "kind": each.kind,
            "tokens": each.tokens,
            "body": made.text[each.start : each.end],
        }
        for index, each in enumerate(made.chunks)
    ]
    passages = [
        ChunkText(each.section, made.text[each.start : each.end], numbers)
        for each, numbers in zip(made.chunks, made.numbers, strict=True)
    ]
    files = {"text_sha256": made.text.encode(), "map_sha256": made.span_map, "structure_sha256": made.structure}
    return ReadingResult(files, rows, _facts(made), passages, made.language)


def _options(settings: LibrarySettings) -> _Options:
    return {"max_tokens": settings.chunk_tokens, "overlap": settings.chunk_overlap}


def _facts(made: PreparedText) -> dict[str, object]:
    return {
        "media_type": made.media_type,
        "title": _plain(made.title or "", _TITLE_CHARS) or None,
        "language": made.language,
        "properties": {_plain(name, 100): _plain(value, _PROPERTY_CHARS) for name, value in made.properties.items()},
        "warnings": [_plain(warning, _WARNING_CHARS) for warning in made.warnings[:_WARNINGS]],
        "page_count": made.page_count or None,
        "char_count": len(made.text),
        "extractor": EXTRACTOR,
        "structure_version": STRUCTURE,
        "facts": document_facts.dump(made.facts),
    }


def _plain(text: str, most: int) -> str:
    """Remove what PostgreSQL cannot store from a text, and cut it to a length."""
    return text.replace("\0", "").encode("utf-8", errors="ignore").decode()[:most].strip()
