"""What is kept of an extraction, made where nothing else is needed: also in the process that reads plain files.

A child loads this by its name and leaves a file; `collect` reads that as data, and believes no number in it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from operator import attrgetter
from pathlib import Path

import numpy as np

from intelli.library import chunk, language, spanmap
from intelli.library.chunk import Chunk
from intelli.library.extraction.model import Extraction
from intelli.reasoning import tokens
from intelli.reasoning.ports import Numbers

MODULE = __name__
_SOME_TEXT = "Enough letters to be told from another language."
_CODE = re.compile("[a-z]{2,3}")
_FIELDS = attrgetter(*(each.name for each in fields(Chunk)))


@dataclass(frozen=True, slots=True)
class Harvest:
    """A text with its passages and the tokens of each, its packed span map, and what the file says of itself."""

    text: str
    span_map: bytes
    chunks: Sequence[Chunk]
    numbers: Sequence[Numbers] = field(compare=False)
    media_type: str
    title: str | None
    properties: Mapping[str, str]
    warnings: Sequence[str]
    page_count: int
    language: str | None


def prepare() -> None:
    """Load what takes a moment, before many children need it."""
    tokens.count_tokens(["."])
    language.find_language(_SOME_TEXT)


def gather(extraction: Extraction, *, max_tokens: int, overlap: float) -> Harvest:
    """What is kept of an extraction. Takes a moment of CPU."""
    cut = tokens.cut(extraction.text)
    chunks = chunk.split(extraction, cut.count, max_tokens=max_tokens, overlap=overlap)
    return Harvest(
        text=extraction.text,
        span_map=spanmap.pack(extraction),
        chunks=chunks,
        numbers=[cut.numbers(each.start, each.end, heading=each.section) for each in chunks],
        media_type=extraction.media_type,
        title=extraction.title,
        properties=extraction.properties,
        warnings=extraction.warnings,
        page_count=len(extraction.pages),
        language=language.find_language(extraction.text),
    )


def leave(extraction: Extraction, path: Path, *, max_tokens: int, overlap: float) -> None:
    """Leave the harvest of an extraction in a file."""
    made = gather(extraction, max_tokens=max_tokens, overlap=overlap)
    parts = [made.text.encode(), b"".join(each.tobytes() for each in made.numbers), made.span_map]
    header = {
        "bytes": [len(part) for part in parts],
        "numbers": [len(each) for each in made.numbers],
        "chunks": [_FIELDS(each) for each in made.chunks],
        "media_type": made.media_type,
        "title": made.title,
        "properties": dict(made.properties),
        "warnings": list(made.warnings),
        "page_count": made.page_count,
        "language": made.language,
    }
    path.write_bytes(b"\n".join((json.dumps(header).encode(), b"".join(parts))))


def collect(path: Path) -> Harvest:
    """The harvest that was left in a file. Raises ValueError, KeyError or TypeError when it is none."""
    packed, _, rest = path.read_bytes().partition(b"\n")
    header = json.loads(packed)
    end, end_of_numbers = accumulate(map(int, header["bytes"][:2]))
    text = rest[:end].decode()
    chunks = [_chunk(*each, most=len(text)) for each in header["chunks"]]
    title = header["title"]
    return Harvest(
        text=text,
        span_map=rest[end_of_numbers:],
        chunks=chunks,
        numbers=_numbers(rest[end:end_of_numbers], header["numbers"], most=len(chunks)),
        media_type=str(header["media_type"]),
        title=None if title is None else str(title),
        properties={str(name): str(value) for name, value in header["properties"].items()},
        warnings=tuple(str(warning) for warning in header["warnings"]),
        page_count=int(header["page_count"]),
        language=_language(header["language"]),
    )


def _numbers(packed: bytes, counts: Sequence[int], *, most: int) -> list[Numbers]:
    numbers = np.frombuffer(packed, tokens.NUMBER)
    if len(counts) != most or min(counts, default=0) < 0 or sum(counts) != len(numbers):
        raise ValueError("the tokens are not those of the passages")
    if len(numbers) and int(numbers.max()) >= tokens.VOCABULARY:
        raise ValueError("there is no such token")
    return np.split(numbers, np.cumsum(counts)[:-1]) if len(counts) else []


def _language(said: object) -> str | None:
    if said is None or (isinstance(said, str) and _CODE.fullmatch(said)):
        return said
    raise ValueError("a language is named by two or three letters")


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
