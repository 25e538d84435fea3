"""What is kept of an extraction, made where nothing else is needed: also in the process that reads plain files.

A child loads this by its name and leaves a file; `collect` reads that as data, and believes no number in it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from intelli.library import chunk, spanmap
from intelli.library.chunk import Chunk
from intelli.library.extraction.model import Extraction
from intelli.reasoning import tokens

MODULE = __name__


@dataclass(frozen=True, slots=True)
class Harvest:
    """A text with its passages, its packed span map, and what the file says of itself."""

    text: str
    span_map: bytes
    chunks: Sequence[Chunk]
    media_type: str
    title: str | None
    properties: Mapping[str, str]
    page_count: int


def prepare() -> None:
    """Load what takes a moment, before many children need it."""
    tokens.count_tokens(["."])


def gather(extraction: Extraction, *, max_tokens: int, overlap: float) -> Harvest:
    """What is kept of an extraction. Takes a moment of CPU."""
    return Harvest(
        text=extraction.text,
        span_map=spanmap.pack(extraction),
        chunks=chunk.split(extraction, tokens.tally, max_tokens=max_tokens, overlap=overlap),
        media_type=extraction.media_type,
        title=extraction.title,
        properties=extraction.properties,
        page_count=len(extraction.pages),
    )


def leave(extraction: Extraction, path: Path, *, max_tokens: int, overlap: float) -> None:
    """Leave the harvest of an extraction in a file."""
    made = gather(extraction, max_tokens=max_tokens, overlap=overlap)
    text = made.text.encode()
    header = {
        "bytes": len(text),
        "chunks": [astuple(each) for each in made.chunks],
        "media_type": made.media_type,
        "title": made.title,
        "properties": dict(made.properties),
        "page_count": made.page_count,
    }
    path.write_bytes(b"\n".join((json.dumps(header).encode(), text + made.span_map)))


def collect(path: Path) -> Harvest:
    """The harvest that was left in a file. Raises ValueError, KeyError or TypeError when it is none."""
    packed, _, rest = path.read_bytes().partition(b"\n")
    header = json.loads(packed)
    text = rest[: int(header["bytes"])].decode()
    title = header["title"]
    return Harvest(
        text=text,
        span_map=rest[int(header["bytes"]) :],
        chunks=[_chunk(*each, most=len(text)) for each in header["chunks"]],
        media_type=str(header["media_type"]),
        title=None if title is None else str(title),
        properties={str(name): str(value) for name, value in header["properties"].items()},
        page_count=int(header["page_count"]),
    )


def _chunk(start: int, end: int, page: int | None, section: str | None, *rest: object, most: int) -> Chunk:
    kind, counted, header = rest
    if not 0 <= int(start) < int(end) <= most:
        raise ValueError("a passage is not in its text")
    return Chunk(
        int(start),
        int(end),
        None if page is None else int(page),
        None if section is None else str(section),
        str(kind),
        int(str(counted)),
        tuple(header) if isinstance(header, list) else None,
    )
