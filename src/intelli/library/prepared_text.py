"""Prepare extracted text for storage: chunks, tokens, span map, language; runs in the process that reads the file.

A child loads this module by its name and writes bytes; `collect` parses them and trusts no number in them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter

import numpy as np

from intelli.language import identify
from intelli.library import chunk, span_map_check
from intelli.library import span_map as library_span_map
from intelli.library.chunk import TextChunk
from intelli.library.extraction import untrusted
from intelli.library.extraction.model import Extraction
from intelli.library.structure import document_facts, document_structure, packed_structure
from intelli.library.structure.document_facts import DocumentFacts
from intelli.reasoning import tokens
from intelli.reasoning.ports import Numbers

MODULE = __name__
_SOME_TEXT = "Enough letters to be told from another language."
_CODE = re.compile("[a-z]{2,3}")
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
_MEDIA_TYPE_CHARS = 127
_HEADER_BYTES = 128 << 20
_MOST, _MOST_PAGES, _MOST_TOKENS = 10_000_000, 10_000_000, 1 << 30
_CHARS = 1 << 20
_PROPERTIES, _WARNINGS = 1000, 100_000
_HEADER = (
    "bytes",
    "numbers",
    "chunks",
    "media_type",
    "title",
    "properties",
    "warnings",
    "page_count",
    "language",
    "facts",
)
_FIELDS = attrgetter(*(each.name for each in fields(TextChunk)))


@dataclass(frozen=True, slots=True)
class PreparedText:
    """A text with its chunks and their token numbers, its packed span map and structure, and the file's metadata."""

    text: str
    span_map: bytes
    structure: bytes
    chunks: Sequence[TextChunk]
    numbers: Sequence[Numbers] = field(compare=False)
    media_type: str
    title: str | None
    properties: Mapping[str, str]
    warnings: Sequence[str]
    page_count: int
    language: str | None
    facts: DocumentFacts


def prepare() -> None:
    """Load the tokeniser and the language model, before children are forked that need them."""
    tokens.count_tokens(["."])
    identify.find_language(_SOME_TEXT)
    document_structure.build(Extraction(_SOME_TEXT, (), "text/plain"))


def build(extraction: Extraction, *, max_tokens: int, overlap: float) -> PreparedText:
    """Build the prepared text of an extraction. CPU-bound."""
    cut = tokens.tokenize(extraction.text)
    structure = document_structure.build(extraction)
    chunks = chunk.split(extraction, cut.count, max_tokens=max_tokens, overlap=overlap)
    return PreparedText(
        text=extraction.text,
        span_map=library_span_map.pack(extraction),
        structure=packed_structure.pack(structure),
        chunks=chunks,
        numbers=[cut.numbers(each.start, each.end, heading=each.section) for each in chunks],
        media_type=extraction.media_type,
        title=extraction.title,
        properties=extraction.properties,
        warnings=extraction.warnings,
        page_count=len(extraction.pages),
        language=identify.find_language(extraction.text),
        facts=document_facts.find_facts(extraction, structure),
    )


def dump(extraction: Extraction, *, max_tokens: int, overlap: float) -> bytes:
    """Build the prepared text of an extraction and serialise it, for `collect` in the parent process."""
    made = build(extraction, max_tokens=max_tokens, overlap=overlap)
    parts = [made.text.encode(), b"".join(each.tobytes() for each in made.numbers), made.span_map, made.structure]
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
        "facts": document_facts.dump(made.facts),
    }
    return b"\n".join((json.dumps(header).encode(), b"".join(parts)))


def collect(packed: bytes) -> PreparedText:
    """Parse and check the prepared text that a child wrote. Raises ValueError when anything in it is invalid."""
    line, _, rest = packed.partition(b"\n")
    header = untrusted.check_object(untrusted.parse(line, most_bytes=_HEADER_BYTES), _HEADER)
    sizes = [untrusted.check_int(each, 0, len(rest)) for each in untrusted.check_row(header["bytes"], 4)]
    if sum(sizes) != len(rest):
        raise ValueError("it does not end where it should")
    end, end_of_numbers, end_of_map = sizes[0], sizes[0] + sizes[1], sum(sizes[:3])
    text = untrusted.check_text(rest[:end].decode(), end)
    chunks = [_chunk(each, chars=len(text)) for each in untrusted.check_list(header["chunks"], _MOST)]
    counts = [untrusted.check_int(each, 0, _MOST) for each in untrusted.check_list(header["numbers"], _MOST)]
    span_map_check.check(rest[end_of_numbers:end_of_map], chars=len(text))
    packed_structure.unpack(rest[end_of_map:], chars=len(text))
    return PreparedText(
        text=text,
        span_map=rest[end_of_numbers:end_of_map],
        structure=rest[end_of_map:],
        chunks=chunks,
        numbers=_numbers(rest[end:end_of_numbers], counts, most=len(chunks)),
        media_type=_media_type(header["media_type"]),
        title=untrusted.check_optional_text(header["title"], _CHARS),
        properties=untrusted.check_text_map(header["properties"], most=_PROPERTIES, most_chars=_CHARS),
        warnings=tuple(
            untrusted.check_text(each, _CHARS) for each in untrusted.check_list(header["warnings"], _WARNINGS)
        ),
        page_count=untrusted.check_int(header["page_count"], 0, _MOST_PAGES),
        language=_language(header["language"]),
        facts=document_facts.load(header["facts"], chars=len(text)),
    )


def _numbers(packed: bytes, counts: Sequence[int], *, most: int) -> list[Numbers]:
    numbers = np.frombuffer(packed, tokens.NUMBER)
    if len(counts) != most or sum(counts) != len(numbers):
        raise ValueError("the tokens are not those of the passages")
    if len(numbers) and int(numbers.max()) >= tokens.VOCABULARY:
        raise ValueError("there is no such token")
    return np.split(numbers, np.cumsum(counts)[:-1]) if len(counts) else []


def _media_type(value: object) -> str:
    found = untrusted.check_text(value, _MEDIA_TYPE_CHARS)
    if not _MEDIA_TYPE.fullmatch(found):
        raise ValueError("there is no such type of file")
    return found


def _language(value: object) -> str | None:
    if value is None or (isinstance(value, str) and _CODE.fullmatch(value)):
        return value
    raise ValueError("a language is named by two or three letters")


def _chunk(value: object, *, chars: int) -> TextChunk:
    start, end, page, section, kind, counted, header = untrusted.check_row(value, 7)
    begin = untrusted.check_int(start, 0, chars)
    if kind not in chunk.KINDS:
        raise ValueError("there is no such kind of passage")
    return TextChunk(
        begin,
        untrusted.check_int(end, begin + 1, chars),
        None if page is None else untrusted.check_int(page, 0, _MOST_PAGES),
        untrusted.check_optional_text(section, _CHARS),
        kind,
        untrusted.check_int(counted, 0, _MOST_TOKENS),
        None if header is None else _header_row(header, chars=chars),
    )


def _header_row(value: object, *, chars: int) -> tuple[int, int]:
    start, end = untrusted.check_row(value, 2)
    return untrusted.check_span(start, end, chars)
