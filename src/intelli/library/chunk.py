"""Split a text into chunks along its structure; `text[chunk.start:chunk.end]` is always the chunk's text.

Blocks are packed up to a budget of tokens. A block longer than the budget is cut at rows, lines or sentences; only
prose, where structure gives no boundary, is cut with an overlap. Furniture (running headers and footers) is left out.
The time is linear.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from intelli.library.extraction.assemble import continues_cells, shorten_heading
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction, TextPage

Spans = Iterable[tuple[int, int]]
# Counts the tokens of each of some spans of a text.
Count = Callable[[Spans], Sequence[int]]

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я])|(?<=[。！？؟۔।])|\n+"  # noqa: RUF001
)
_JOINT = 2  # tokens that the line feeds between two blocks may cost
_FEW = 96  # a passage with fewer tokens may go on below the next small heading
_LONG = 8  # characters a token never has on average: a longer block is cut without being counted
_DOUBT = 4  # tokens that a part may cost more among others than by itself
_SURE = 0.9  # share of the budget up to which the sum of sentences is believed
_MARK = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "
_OF_MAIL = re.compile(r"(?:^|/)(?:headers|body)$")
_PROSE = (BlockKind.PARAGRAPH, BlockKind.NOTE, BlockKind.HEADING, BlockKind.ATTACHMENT)


KINDS = ("text", "table", "code")


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A chunk of a text. `header` is the span of its table's first row when the chunk is a later part of that table."""

    start: int
    end: int
    page: int | None
    section: str | None
    kind: str
    tokens: int
    header: tuple[int, int] | None = None


def searchable_text(section: str | None, body: str) -> str:
    """Return the text of a chunk that is indexed: its headings and its body, since headings name the topic."""
    return f"{section}\n{body}" if section else body


def split(extraction: Extraction, count: Count, *, max_tokens: int = 512, overlap: float = 0.5) -> list[TextChunk]:
    """Return the chunks of a text in reading order, none with more than `max_tokens`."""
    cutter = _Cutter(extraction.text, count, max_tokens, overlap)
    passages = cutter.fit(_pack(cutter.units(_with_gaps(extraction)), max_tokens))
    finished = (_finish(passage, extraction) for passage in passages)
    # Windows that differ by blanks alone are one passage.
    distinct = {(chunk.start, chunk.end): chunk for chunk in finished if chunk.end > chunk.start}
    return [distinct[span] for span in sorted(distinct)]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Smallest part that is not cut again: a block, or a row, line, sentence or window of one."""

    start: int
    end: int
    tokens: int
    block: Block
    header: tuple[int, int] | None = None
    is_window: bool = False  # already a passage of its own


@dataclass(slots=True)
class _Passage:
    """Units that form one chunk."""

    units: list[_Unit] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return sum(unit.tokens + _JOINT for unit in self.units) - _JOINT if self.units else 0

    @property
    def is_bare(self) -> bool:
        """True when all units are headings."""
        return all(unit.block.kind is BlockKind.HEADING for unit in self.units)


def _with_gaps(extraction: Extraction) -> Iterator[Block]:
    """Yield the blocks, and a paragraph block for any text between them."""
    position = 0
    for block in extraction.blocks:
        if block.start > position:
            yield from _gap(extraction.text, position, block.start)
        if block.end > position:
            yield block if block.start >= position else replace(block, start=position)
            position = block.end
    yield from _gap(extraction.text, position, len(extraction.text))


def _gap(text: str, start: int, end: int) -> Iterator[Block]:
    if text[start:end].strip():
        yield Block(start, end, BlockKind.PARAGRAPH)


class _Cutter:
    """Cuts blocks into units and passages that fit the token budget. Tokens are counted for many spans at a time."""

    def __init__(self, text: str, count: Count, max_tokens: int, overlap: float) -> None:
        self._text = text
        self._counts = count
        self._max = max_tokens
        self._step = max(0.05, 1.0 - overlap)

    def units(self, blocks: Iterable[Block]) -> Iterator[_Unit]:
        """Yield the units of all blocks in order, furniture included: it separates the blocks around it."""
        blocks = list(blocks)
        whole = [block for block in blocks if self._is_countable(block)]
        counts = iter(self._counts((block.start, block.end) for block in whole))
        header: tuple[int, int] | None = None
        before: Block | None = None
        for block in blocks:
            tokens = next(counts) if self._is_countable(block) else self._max + 1
            if block.kind is BlockKind.TABLE:
                is_continued = before is not None and continues_cells(before.place, block.place)
                header = header if is_continued else self._first_row(block)
            before = block
            if tokens <= self._max or block.kind is BlockKind.FURNITURE:
                yield _Unit(block.start, block.end, tokens, block, header)
            else:
                yield from self._cut(block, header)

    def _is_countable(self, block: Block) -> bool:
        return block.kind is not BlockKind.FURNITURE and block.end - block.start <= self._max * _LONG

    def _first_row(self, block: Block) -> tuple[int, int]:
        end = self._text.find("\n", block.start, block.end)
        return block.start, block.end if end < 0 else end

    def _cut(self, block: Block, header: tuple[int, int] | None) -> Iterator[_Unit]:
        """Yield the rows or lines of a long block, or the overlapping windows of long prose."""
        if block.kind not in _PROSE:
            spans = self._within_budget(_lines(self._text, block.start, block.end))
            yield from (_Unit(start, end, tokens, block, header) for start, end, tokens in spans)
            return
        sentences = list(self._within_budget(_sentences(self._text, block.start, block.end)))
        for start, end, tokens in self._windows(sentences):
            yield _Unit(start, end, tokens, block, is_window=True)

    def _within_budget(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield spans with their token counts; spans beyond the budget are cut until they fit."""
        pieces = [piece for start, end in spans for piece in self._pieces(start, end)]
        for (start, end), tokens in zip(pieces, self._counts(pieces), strict=True):
            yield from self._halves(start, end, tokens)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a span, or parts of it that are small enough to be counted and to build windows from."""
        while end - start > self._max * _LONG // 2:
            middle = self._break(start, start + self._max)
            yield start, middle
            start = middle
        yield start, end

    def _halves(self, start: int, end: int, tokens: int) -> Iterator[tuple[int, int, int]]:
        if tokens <= self._max or end - start < 2:
            yield start, end, tokens
            return
        middle = self._break(start, (start + end + 1) // 2)
        for first, last in ((start, middle), (middle, end)):
            yield from self._halves(first, last, self._counts([(first, last)])[0])

    def _break(self, start: int, wanted: int) -> int:
        """Return where to cut: behind the last space before `wanted` if it is in the second half, else at `wanted`."""
        space = self._text.rfind(" ", (start + wanted) // 2, wanted)
        return space + 1 if space > start else max(wanted, start + 1)

    def _windows(self, spans: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield overlapping runs of spans up to the budget; each starts a share of the budget after the one before."""
        first, after, total = 0, 0, 0
        while after < len(spans):
            while after < len(spans) and (after == first or total + spans[after][2] <= self._max):
                total += spans[after][2]
                after += 1
            yield spans[first][0], spans[after - 1][1], total
            if after == len(spans):
                return
            passed = 0
            while first < after and (passed == 0 or passed < self._step * self._max):
                passed += spans[first][2]
                first += 1
            total -= passed
            # The next window must bring something new.
            while first < after and total + spans[after][2] > self._max:
                total -= spans[first][2]
                first += 1

    def fit(self, passages: Iterable[_Passage]) -> Iterator[_Passage]:
        """Yield the passages with their exact token counts; those that exceed the budget after all are cut again."""
        passages = list(passages)
        doubtful = [passage for passage in passages if self._is_doubtful(passage)]
        counts = iter(self._counts(_span(passage) for passage in doubtful))
        for passage in passages:
            tokens = next(counts) if self._is_doubtful(passage) else passage.tokens
            yield from self._cut_to_budget(passage, tokens)

    def _is_doubtful(self, passage: _Passage) -> bool:
        """True when the whole may have more tokens than the sum of its parts; a window is a sum of sentences."""
        if any(unit.is_window for unit in passage.units):
            return passage.tokens > self._max * _SURE
        return len(passage.units) > 1 and passage.tokens + _DOUBT * len(passage.units) > self._max

    def _cut_to_budget(self, passage: _Passage, tokens: int) -> Iterator[_Passage]:
        first = passage.units[0]
        start, end = _span(passage)
        if tokens <= self._max or end - start < 2:
            is_one = len(passage.units) == 1 and first.tokens == tokens
            yield passage if is_one else _Passage([replace(first, end=end, tokens=tokens), *_without_tokens(passage)])
            return
        half = (len(passage.units) + 1) // 2
        parts = [_Passage(passage.units[:half]), _Passage(passage.units[half:])]
        if len(passage.units) == 1:
            middle = self._break(start, (start + end + 1) // 2)
            parts = [_Passage([replace(first, end=middle)]), _Passage([replace(first, start=middle)])]
        for part in parts:
            yield from self._cut_to_budget(part, self._counts([_span(part)])[0])


def _span(passage: _Passage) -> tuple[int, int]:
    return passage.units[0].start, max(unit.end for unit in passage.units)


def _without_tokens(passage: _Passage) -> list[_Unit]:
    """Return the units after the first, without tokens: they still tell the kind and headings of the passage."""
    return [replace(unit, tokens=-_JOINT) for unit in passage.units[1:]]


def _pack(units: Iterable[_Unit], max_tokens: int) -> Iterator[_Passage]:
    """Group units into passages: by section, sheet and file, up to the budget."""
    current = _Passage()
    for unit in units:
        if unit.block.kind is BlockKind.FURNITURE:
            if current.units:
                yield current
            current = _Passage()
            continue
        if current.units and _starts_passage(current, unit, max_tokens):
            carried = _carry_headings(current, unit, max_tokens)
            if current.units:
                yield current
            current = carried
        current.units.append(unit)
    if current.units:
        yield current


def _starts_passage(current: _Passage, unit: _Unit, max_tokens: int) -> bool:
    last, block = current.units[-1], unit.block
    if _container(last.block.place) != _container(block.place):
        return True
    if current.tokens + _JOINT + unit.tokens > max_tokens or last.is_window:
        return True
    if current.is_bare:
        return False
    if unit.is_window:
        return True
    is_new_slide = last.block.place.slide != block.place.slide
    is_new_section = block.kind is BlockKind.HEADING and block.level in (1, 2)
    return is_new_section or (current.tokens >= _FEW and (is_new_slide or block.kind is BlockKind.HEADING))


def _container(place: BlockLocation) -> tuple[str, str | None]:
    """Return (part, sheet): passages end where it changes. Headers and body of an e-mail count as one part."""
    return _OF_MAIL.sub("", place.part) if place.part else "", place.sheet


def _carry_headings(current: _Passage, unit: _Unit, max_tokens: int) -> _Passage:
    """Move headings at the end of `current` to the passage that `unit` starts, unless they do not fit the budget."""
    count = 0
    for last in reversed(current.units):
        if last.block.kind is not BlockKind.HEADING or _container(last.block.place) != _container(unit.block.place):
            break
        count += 1
    carried = _Passage(current.units[len(current.units) - count :])
    if not carried.units or carried.tokens + _JOINT + unit.tokens > max_tokens or unit.is_window:
        return _Passage()
    del current.units[len(current.units) - count :]
    return carried


def _finish(passage: _Passage, extraction: Extraction) -> TextChunk:
    text = extraction.text
    start, end = _span(passage)
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    end = start + len(body.strip())
    units = [unit for unit in passage.units if unit.block.kind is not BlockKind.HEADING] or passage.units
    header = units[0].header if units[0].block.kind is BlockKind.TABLE else None
    return TextChunk(
        start,
        end,
        _page(start, units[0].block, extraction.pages),
        _section(units[0].block, text),
        _kind(units),
        passage.units[0].tokens,
        header if header and header[0] < start else None,
    )


def _page(offset: int, block: Block, pages: Sequence[TextPage]) -> int | None:
    index = bisect_right(pages, offset, key=lambda page: page.start) - 1
    return pages[index].number if index >= 0 else block.place.page or block.place.slide


def _section(block: Block, text: str) -> str | None:
    path = block.path
    if block.kind is BlockKind.HEADING:
        path = (*path, shorten_heading(text[block.start : block.end]))
    return _MARK.join(path) or None


def _kind(units: Sequence[_Unit]) -> str:
    kinds = {unit.block.kind for unit in units}
    if kinds == {BlockKind.TABLE}:
        return "table"
    return "code" if kinds == {BlockKind.CODE} else "text"


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        after = text.find("\n", start, end) + 1 or end
        yield start, after
        start = after


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _SENTENCE_END.finditer(text, start, end):
        if found.end() > start:
            yield start, found.end()
            start = found.end()
    if start < end:
        yield start, end
