"""What a taken-over child says ends as a value within its bounds or as a ValueError, whatever it says."""

import json
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intelli.library import prepared_text, reading_result, span_map, span_map_check
from intelli.library.extraction import untrusted
from intelli.library.extraction.model import (
    Block,
    BlockKind,
    BlockLocation,
    ExtractedAttachment,
    Extraction,
    PageWord,
    TextPage,
)
from intelli.library.extraction.sandbox import frames, transfer
from intelli.library.span_map import SpanMap

_TEXT = "The ship.\n\nIt sails on the sea.\f"
_EXTRACTION = Extraction(
    _TEXT,
    (
        Block(0, 9, BlockKind.HEADING, BlockLocation(page=1), level=1),
        Block(11, 31, BlockKind.PARAGRAPH, BlockLocation(page=1, box=(0.0, 1.0, 2.0, 3.0)), path=("The ship.",)),
    ),
    "application/pdf",
    (TextPage(1, 0, 32, 600, 800, (PageWord(0, 3, (1.0, 1.0, 9.0, 9.0)), PageWord(4, 9, (10.0, 1.0, 19.0, 9.0)))),),
    title="Ships",
    properties={"author": "Ada"},
    attachments=(ExtractedAttachment("a.pdf", "application/pdf", 7),),
    warnings=("Some of it is missing.",),
)
_OPTIONS = {"max_tokens": 8, "overlap": 0.5}
_ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["\0", "\ud800", "text/html\r\nX: y", 1 << 63, -(1 << 63), 1e308, [], {}, [[]] * 3, "x" * 2000]),
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, item in inside for each in _paths(item, (*path, key)))]


def _changed(value: Any, path: tuple[Any, ...], odd: object) -> Any:
    if not path:
        return odd
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = _changed(value[path[0]], path[1:], odd)
    return copied


def _with_odd_header(packed: bytes, data: st.DataObject) -> bytes:
    line, _, rest = packed.partition(b"\n")
    header = json.loads(line)
    for _ in range(data.draw(st.integers(1, 3))):
        header = _changed(header, data.draw(st.sampled_from(_paths(header))), data.draw(_ODD))
    return json.dumps(header).encode() + b"\n" + rest


def _cut_about(packed: bytes, data: st.DataObject) -> bytes:
    at = data.draw(st.integers(0, len(packed)))
    return packed[:at] + data.draw(st.binary(max_size=8)) + packed[data.draw(st.integers(0, len(packed))) :]


@cache
def _prepared() -> bytes:
    return prepared_text.dump(_EXTRACTION, **_OPTIONS)


@pytest.mark.parametrize("spoil", [_with_odd_header, _cut_about])
@given(data=st.data())
def test_a_spoilt_harvest_is_one_that_can_be_stored_or_none(spoil: Callable[..., bytes], data: st.DataObject):
    try:
        made = prepared_text.collect(spoil(_prepared(), data))
    except ValueError:
        return
    kept = reading_result.build_result(made)
    json.dumps([kept.facts, kept.chunks]).encode()
    stored = json.dumps([kept.facts, kept.chunks], ensure_ascii=False)
    assert "\\u0000" not in stored
    assert "\r" not in made.media_type
    for each in made.chunks:
        assert 0 <= each.start < each.end <= len(made.text)
        assert (each.page or 0) < 1 << 31 > each.tokens


@pytest.mark.parametrize("spoil", [_with_odd_header, _cut_about])
@given(data=st.data())
def test_a_spoilt_extraction_is_one_within_its_text_or_none(spoil: Callable[..., bytes], data: st.DataObject):
    try:
        found = transfer.load(spoil(transfer.dump(_EXTRACTION), data))
    except ValueError:
        return
    assert all(0 <= block.start <= block.end <= len(found.text) for block in found.blocks)
    assert all(0 <= word.start <= word.end <= len(found.text) for page in found.pages for word in page.words)


def _repacked(change: Callable[[bytes], bytes]) -> bytes:
    body = zlib.decompress(span_map.pack(_EXTRACTION)[len(span_map._MARK) :])
    return span_map._MARK + zlib.compress(change(body))


@given(st.data())
def test_a_spoilt_map_is_one_that_can_be_read_anywhere_or_none(data: st.DataObject):
    packed = _repacked(lambda body: _odd_map(body, data) if data.draw(st.booleans()) else _cut_about(body, data))
    try:
        span_map_check.check(packed, chars=len(_TEXT))
    except ValueError:
        return
    found = SpanMap(packed)
    for index in range(found.block_count):
        found.block(index)
    for offset in range(len(_TEXT)):
        found.section(offset)
        found.page_of(offset)
    found.boxes(0, len(_TEXT))
    found.places(0, len(_TEXT), text=_TEXT)


def _odd_map(body: bytes, data: st.DataObject) -> bytes:
    (size,) = span_map._SIZE.unpack_from(body)
    header = json.loads(body[4 : 4 + size])
    header = _changed(header, data.draw(st.sampled_from(_paths(header))), data.draw(_ODD))
    packed = json.dumps(header).encode()
    return span_map._SIZE.pack(len(packed)) + packed + body[4 + size :]


def test_a_map_that_unpacks_without_end_is_damaged(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(span_map, "_MOST_BYTES", 1 << 20)
    with pytest.raises(span_map.DamagedMap):
        SpanMap(span_map._MARK + zlib.compress(bytes(50 << 20)))


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_frames_come_back(results: list[bytes]):
    assert frames.unpack(b"".join(map(frames.pack, results)), len(results)) == results


@given(st.binary(max_size=100), st.integers(0, 5))
@example(b"\xff" * 8, 1)
def test_frames_that_are_none_are_refused(packed: bytes, count: int):
    try:
        found = frames.unpack(packed, count)
    except ValueError:
        return
    assert b"".join(map(frames.pack, found)) == packed


@pytest.mark.parametrize(
    "packed", [b"[" * 100_000, b"[" + b"0," * 17_000_000 + b"0]", b"NaN", b"-Infinity", b"{" * 99_999]
)
def test_json_that_would_use_up_memory_or_the_stack_is_refused(packed: bytes):
    with pytest.raises(ValueError, match=r"more|deeply|none|Expecting"):
        untrusted.parse(packed, most_bytes=1 << 26)
