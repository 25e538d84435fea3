"""Serialisation of an extraction: a JSON line, the text, and word boxes as packed numbers. Loading validates all."""

import json
import struct
from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice

from intelli.library.extraction import untrusted
from intelli.library.extraction.model import (
    Block,
    BlockKind,
    BlockLocation,
    Box,
    ExtractedAttachment,
    Extraction,
    PageWord,
    PieceKind,
    TextPage,
)

_WORD = struct.Struct("<IIdddd")
_HEADER_BYTES = 128 << 20
_MOST = 1 << 31
_FAR = 1e9
_CHARS = 1 << 20
_FIELDS = ("bytes", "media_type", "title", "properties", "warnings", "attachments", "blocks", "paths", "pages")
_NUMBERS = {"page", "slide", "paragraph", "line"}
_TEXTS = {"sheet": _CHARS, "cells": 64, "part": _CHARS}


def dump(extraction: Extraction) -> bytes:
    """Serialise an extraction."""
    text = extraction.text.encode()
    words = b"".join(_WORD.pack(word.start, word.end, *word.box) for page in extraction.pages for word in page.words)
    paths: dict[tuple[str, ...], int] = {}
    header = {
        "bytes": [len(text), len(words)],
        "media_type": extraction.media_type,
        "title": extraction.title,
        "properties": extraction.properties,
        "warnings": extraction.warnings,
        "attachments": [astuple(attachment) for attachment in extraction.attachments],
        "blocks": [_pack_block(block, paths) for block in extraction.blocks],
        "paths": list(paths),
        "pages": [_pack_page(page) for page in extraction.pages],
    }
    return b"".join((json.dumps(header).encode(), b"\n", text, words))


def load(packed: bytes) -> Extraction:
    """Parse and validate an extraction that a child wrote. Raises ValueError when it is invalid."""
    line, _, rest = packed.partition(b"\n")
    header = untrusted.check_object(untrusted.parse(line, most_bytes=_HEADER_BYTES), _FIELDS)
    text_bytes, word_bytes = (
        untrusted.check_int(each, 0, len(rest)) for each in untrusted.check_row(header["bytes"], 2)
    )
    if text_bytes + word_bytes != len(rest) or word_bytes % _WORD.size:
        raise ValueError("it does not end where it should")
    text = rest[:text_bytes].decode()
    words = (_word(*each, most=len(text)) for each in _WORD.iter_unpack(rest[text_bytes:]))
    paths = [_texts(path) for path in untrusted.check_list(header["paths"], _MOST)]
    return Extraction(
        text=untrusted.check_text(text, len(text)),
        blocks=tuple(_unpack_block(each, paths, len(text)) for each in untrusted.check_list(header["blocks"], _MOST)),
        media_type=untrusted.check_text(header["media_type"], _CHARS),
        pages=tuple(_unpack_page(each, words, len(text)) for each in untrusted.check_list(header["pages"], _MOST)),
        title=untrusted.check_optional_text(header["title"], _CHARS),
        properties=untrusted.check_text_map(header["properties"], most=_CHARS, most_chars=_CHARS),
        attachments=tuple(_attachment(each) for each in untrusted.check_list(header["attachments"], _MOST)),
        warnings=_texts(header["warnings"]),
    )


def check_location(fields: object) -> BlockLocation:
    """Validate the location of a block. Raises ValueError for unknown or invalid fields."""
    found: dict[str, object] = {}
    for name, value in untrusted.check_object(fields, ()).items():
        if name in _NUMBERS:
            found[name] = untrusted.check_int(value, 0, _MOST)
        elif name in _TEXTS:
            found[name] = untrusted.check_text(value, _TEXTS[name])
        elif name == "box":
            found[name] = tuple(untrusted.check_number(each, -_FAR, _FAR) for each in untrusted.check_row(value, 4))
        else:
            raise ValueError("a place has no such part")
    return BlockLocation(**found)  # type: ignore[arg-type]  # checked one by one


def _pack_block(block: Block, paths: dict[tuple[str, ...], int]) -> list[object]:
    path = paths.setdefault(block.path, len(paths))
    location = {name: value for name in BlockLocation.__slots__ if (value := getattr(block.place, name)) is not None}
    return [block.start, block.end, block.kind, block.level, path, location, block.told]


def _unpack_block(packed: object, paths: list[tuple[str, ...]], chars: int) -> Block:
    start, end, kind, level, path, location, told = untrusted.check_row(packed, 7)
    return Block(
        *untrusted.check_span(start, end, chars),
        BlockKind(untrusted.check_text(kind, _CHARS)),
        check_location(location),
        untrusted.check_int(level, 0, _MOST),
        paths[untrusted.check_int(path, 0, len(paths) - 1)],
        None if told is None else PieceKind(untrusted.check_text(told, _CHARS)),
    )


def _pack_page(page: TextPage) -> list[object]:
    return [page.number, page.start, page.end, page.width, page.height, len(page.words), page.is_ocr, page.quality]


def _unpack_page(packed: object, words: Iterator[PageWord], chars: int) -> TextPage:
    number, start, end, width, height, count, is_ocr, quality = untrusted.check_row(packed, 8)
    return TextPage(
        untrusted.check_int(number, 0, _MOST),
        *untrusted.check_span(start, end, chars),
        untrusted.check_number(width, -_FAR, _FAR),
        untrusted.check_number(height, -_FAR, _FAR),
        tuple(islice(words, untrusted.check_int(count, 0, _MOST))),
        bool(is_ocr),
        untrusted.check_number(quality, -_FAR, _FAR),
    )


def _word(start: int, end: int, *box: float, most: int) -> PageWord:
    left, top, right, bottom = (untrusted.check_number(each, -_FAR, _FAR) for each in box)
    found: Box = (left, top, right, bottom)
    return PageWord(*untrusted.check_span(start, end, most), found)


def _attachment(packed: object) -> ExtractedAttachment:
    name, media_type, size_bytes = untrusted.check_row(packed, 3)
    return ExtractedAttachment(
        untrusted.check_text(name, _CHARS),
        untrusted.check_text(media_type, _CHARS),
        untrusted.check_int(size_bytes, 0, 1 << 63),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(untrusted.check_text(each, _CHARS) for each in untrusted.check_list(value, _CHARS))
