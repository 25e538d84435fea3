"""An extraction as files in a folder, and back: the text as it is, words as packed numbers, the rest as JSON."""

import json
import struct
from collections.abc import Iterator
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import Any

from intelli.library.extraction.model import Attachment, Block, BlockKind, Extraction, Page, Place, Word

_TEXT, _WORDS, _REST = "text", "words", "extraction.json"
_KINDS = {kind.value: kind for kind in BlockKind}
_NOWHERE = Place()
_WORD = struct.Struct("<IIdddd")


def write(extraction: Extraction, folder: Path) -> None:
    """Leave an extraction in a folder."""
    folder.joinpath(_TEXT).write_bytes(extraction.text.encode())
    with folder.joinpath(_WORDS).open("wb") as file:
        for page in extraction.pages:
            file.write(b"".join(_WORD.pack(word.start, word.end, *word.box) for word in page.words))
    paths: dict[tuple[str, ...], int] = {}
    rest = {
        "media_type": extraction.media_type,
        "title": extraction.title,
        "properties": extraction.properties,
        "warnings": extraction.warnings,
        "attachments": [astuple(attachment) for attachment in extraction.attachments],
        "blocks": [_pack_block(block, paths) for block in extraction.blocks],
        "paths": list(paths),
        "pages": [_pack_page(page) for page in extraction.pages],
    }
    with folder.joinpath(_REST).open("w", encoding="utf-8") as file:
        json.dump(rest, file)


def read(folder: Path) -> Extraction:
    """The extraction that was left in a folder."""
    rest = json.loads(folder.joinpath(_REST).read_bytes())
    words = _WORD.iter_unpack(folder.joinpath(_WORDS).read_bytes())
    paths = [tuple(path) for path in rest["paths"]]
    return Extraction(
        text=folder.joinpath(_TEXT).read_bytes().decode(),
        blocks=tuple(_unpack_block(packed, paths) for packed in rest["blocks"]),
        media_type=str(rest["media_type"]),
        pages=tuple(_unpack_page(packed, words) for packed in rest["pages"]),
        title=rest["title"],
        properties={str(key): str(value) for key, value in rest["properties"].items()},
        attachments=tuple(Attachment(*attachment) for attachment in rest["attachments"]),
        warnings=tuple(rest["warnings"]),
    )


def _pack_block(block: Block, paths: dict[tuple[str, ...], int]) -> list[object]:
    path = paths.setdefault(block.path, len(paths))
    place = {name: value for name in Place.__slots__ if (value := getattr(block.place, name)) is not None}
    return [block.start, block.end, block.kind, block.level, path, place]


def _unpack_block(packed: list[Any], paths: list[tuple[str, ...]]) -> Block:
    start, end, kind, level, path, place = packed
    if "box" in place:
        place["box"] = tuple(place["box"])
    return Block(start, end, _KINDS[kind], Place(**place) if place else _NOWHERE, level, paths[path])


def _pack_page(page: Page) -> list[object]:
    return [page.number, page.start, page.end, page.width, page.height, len(page.words), page.is_ocr, page.quality]


def _unpack_page(packed: list[Any], words: Iterator[tuple[Any, ...]]) -> Page:
    number, start, end, width, height, count, is_ocr, quality = packed
    found = tuple(Word(word[0], word[1], word[2:]) for word in islice(words, count))
    return Page(number, start, end, width, height, found, is_ocr, quality)
