"""Check a span map that a child wrote, completely and once, so that later readers can trust it."""

from intelli.library.extraction import untrusted
from intelli.library.extraction.model import BlockKind
from intelli.library.extraction.sandbox import transfer
from intelli.library.span_map import SpanMap

_MOST = 1 << 31
_FAR = 1e9
_CHARS = 1 << 20
_KINDS = {kind.value for kind in BlockKind}


def check(packed: bytes, *, chars: int) -> None:
    """Raise ValueError unless the bytes are the span map of a text with `chars` characters."""
    span_map = SpanMap(packed)
    header = span_map.header
    for path in untrusted.check_list(header["paths"], _MOST):
        _check_texts(path)
    _check_blocks(header["blocks"], paths=len(untrusted.check_list(header["paths"], _MOST)), chars=chars)
    for page in untrusted.check_list(header["pages"], _MOST):
        _check_page(untrusted.check_row(page, 8), chars=chars)
    for name, media_type, size_bytes in (
        untrusted.check_row(each, 3) for each in untrusted.check_list(header["attachments"], _MOST)
    ):
        untrusted.check_text(name, _CHARS)
        untrusted.check_text(media_type, _CHARS)
        untrusted.check_int(size_bytes, 0, 1 << 63)
    _check_texts(header["warnings"])
    counts = [untrusted.check_int(each, 0, _MOST) for each in untrusted.check_row(header["words"], len(span_map.pages))]
    span_map.check_words(sum(counts), chars=chars)


def _check_blocks(blocks: object, *, paths: int, chars: int) -> None:
    before = 0
    for block in untrusted.check_list(blocks, _MOST):
        start, end, kind, level, path, place = untrusted.check_row(block, 6)
        begin, _ = untrusted.check_span(start, end, chars)
        if begin < before or untrusted.check_text(kind, _CHARS) not in _KINDS:
            raise ValueError("a block is not what it must be")
        before = begin
        untrusted.check_int(level, 0, _MOST)
        untrusted.check_int(path, 0, paths - 1)
        transfer.check_location(place)


def _check_page(page: list[object], *, chars: int) -> None:
    number, start, end, width, height, words, is_ocr, quality = page
    untrusted.check_int(number, 1, _MOST)
    untrusted.check_span(start, end, chars)
    for value in (width, height, quality):
        untrusted.check_number(value, -_FAR, _FAR)
    if words != [] or not isinstance(is_ocr, bool):
        raise ValueError("a page is not what it must be")


def _check_texts(value: object) -> None:
    for each in untrusted.check_list(value, _MOST):
        untrusted.check_text(each, _CHARS)
