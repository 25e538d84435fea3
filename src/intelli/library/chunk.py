"""Cuts a text into passages along its structure: `text[chunk.start:chunk.end]` is the passage, always.

Blocks are packed up to a budget of tokens. A block longer than the budget is cut at rows, lines or sentences, and only
prose, where structure gives no boundary, is cut with an overlap. Furniture is left out. The time is linear.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from intelli.library.extraction.assemble import as_heading, continues
from intelli.library.extraction.model import Block, BlockKind, BlockLocation, Extraction, TextPage

Spans = Iterable[tuple[int, int]]
# How many tokens each of some spans of a text has.
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
    """A passage. `header` is where the first row of its table stands, when the passage is a later part of the table."""

    start: int
    end: int
    page: int | None
    section: str | None
    kind: str
    tokens: int
    header: tuple[int, int] | None = None


def passage(section: str | None, body: str) -> str:
    """What of a chunk is searched: the headings it stands under say what it is about."""
    return f"{section}\n{body}" if section else body


def split(extraction: Extraction, count: Count, *, max_tokens: int = 512, overlap: float = 0.5) -> list[TextChunk]:
    """The passages of a text in the order they stand in it, none with more than `max_tokens`."""
    cutter = _Cutter(extraction.text, count, max_tokens, overlap)
    passages = cutter.fit(_pack(cutter.units(_stretches(extraction)), max_tokens))
    finished = (_finish(passage, extraction) for passage in passages)
    # Windows that differ by blanks alone are one passage.
    distinct = {(chunk.start, chunk.end): chunk for chunk in finished if chunk.end > chunk.start}
    return [distinct[span] for span in sorted(distinct)]


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never cut again: a block, or a row, line, sentence or window of one."""

    start: int
    end: int
    tokens: int
    block: Block
    header: tuple[int, int] | None = None
    is_window: bool = False  # already a passage of its own


@dataclass(slots=True)
class _Passage:
    """Units that stand together."""

    units: list[_Unit] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return sum(unit.tokens + _JOINT for unit in self.units) - _JOINT if self.units else 0

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing but headings."""
        return all(unit.block.kind is BlockKind.HEADING for unit in self.units)


def _stretches(extraction: Extraction) -> Iterator[Block]:
    """The blocks, and as a block whatever text lies between them."""
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
    """Turns blocks into units and passages that fit the budget. Texts are counted many at a time."""

    def __init__(self, text: str, count: Count, max_tokens: int, overlap: float) -> None:
        self._text = text
        self._counts = count
        self._max = max_tokens
        self._step = max(0.05, 1.0 - overlap)

    def units(self, blocks: Iterable[Block]) -> Iterator[_Unit]:
        """The units of all blocks in order; furniture comes along, to keep apart what stands around it."""
        blocks = list(blocks)
        whole = [block for block in blocks if self._is_countable(block)]
        counts = iter(self._counts((block.start, block.end) for block in whole))
        header: tuple[int, int] | None = None
        before: Block | None = None
        for block in blocks:
            tokens = next(counts) if self._is_countable(block) else self._max + 1
            if block.kind is BlockKind.TABLE:
                is_continued = before is not None and continues(before.place, block.place)
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
        """The rows or lines of a long block; the overlapping windows of a long paragraph."""
        if block.kind not in _PROSE:
            spans = self._small(_lines(self._text, block.start, block.end))
            yield from (_Unit(start, end, tokens, block, header) for start, end, tokens in spans)
            return
        sentences = list(self._small(_sentences(self._text, block.start, block.end)))
        for start, end, tokens in self._windows(sentences):
            yield _Unit(start, end, tokens, block, is_window=True)

    def _small(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Spans with their tokens; those beyond the budget are cut until they fit."""
        pieces = [piece for start, end in spans for piece in self._pieces(start, end)]
        for (start, end), tokens in zip(pieces, self._counts(pieces), strict=True):
            yield from self._halves(start, end, tokens)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """A span, or parts of it small enough to be counted and to make windows of."""
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
        """Where to cut: behind the last space before `wanted`, if there is one in the second half."""
        space = self._text.rfind(" ", (start + wanted) // 2, wanted)
        return space + 1 if space > start else max(wanted, start + 1)

    def _windows(self, spans: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
        """Runs of spans up to the budget; each begins where its predecessor has used its share of the budget."""
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
        """The passages, those that are longer than their parts promised cut again, and all with their tokens."""
        passages = list(passages)
        doubtful = [passage for passage in passages if self._is_doubtful(passage)]
        counts = iter(self._counts(_span(passage) for passage in doubtful))
        for passage in passages:
            tokens = next(counts) if self._is_doubtful(passage) else passage.tokens
            yield from self._fitted(passage, tokens)

    def _is_doubtful(self, passage: _Passage) -> bool:
        """Whether the sum of the parts may be less than the whole has; a window is a sum of sentences."""
        if any(unit.is_window for unit in passage.units):
            return passage.tokens > self._max * _SURE
        return len(passage.units) > 1 and passage.tokens + _DOUBT * len(passage.units) > self._max

    def _fitted(self, passage: _Passage, tokens: int) -> Iterator[_Passage]:
        first = passage.units[0]
        start, end = _span(passage)
        if tokens <= self._max or end - start < 2:
            is_one = len(passage.units) == 1 and first.tokens == tokens
            yield passage if is_one else _Passage([replace(first, end=end, tokens=tokens), *_shadow(passage)])
            return
        half = (len(passage.units) + 1) // 2
        parts = [_Passage(passage.units[:half]), _Passage(passage.units[half:])]
        if len(passage.units) == 1:
            middle = self._break(start, (start + end + 1) // 2)
            parts = [_Passage([replace(first, end=middle)]), _Passage([replace(first, start=middle)])]
        for part in parts:
            yield from self._fitted(part, self._counts([_span(part)])[0])


def _span(passage: _Passage) -> tuple[int, int]:
    return passage.units[0].start, max(unit.end for unit in passage.units)


def _shadow(passage: _Passage) -> list[_Unit]:
    """The further units, empty: they still say what the passage is made of."""
    return [replace(unit, tokens=-_JOINT) for unit in passage.units[1:]]


def _pack(units: Iterable[_Unit], max_tokens: int) -> Iterator[_Passage]:
    """Passages of units that belong together."""
    current = _Passage()
    for unit in units:
        if unit.block.kind is BlockKind.FURNITURE:
            if current.units:
                yield current
            current = _Passage()
            continue
        if current.units and _begins_anew(current, unit, max_tokens):
            carried = _carry(current, unit, max_tokens)
            if current.units:
                yield current
            current = carried
        current.units.append(unit)
    if current.units:
        yield current


def _begins_anew(current: _Passage, unit: _Unit, max_tokens: int) -> bool:
    last, block = current.units[-1], unit.block
    if _whereabouts(last.block.place) != _whereabouts(block.place):
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


def _whereabouts(place: BlockLocation) -> tuple[str, str | None]:
    """Where passages end: at sheets and at files within files, not between the headers and the body of an e-mail."""
    return _OF_MAIL.sub("", place.part) if place.part else "", place.sheet


def _carry(current: _Passage, unit: _Unit, max_tokens: int) -> _Passage:
    """Headings at the end go with what they head, unless there is no room."""
    count = 0
    for last in reversed(current.units):
        if last.block.kind is not BlockKind.HEADING or _whereabouts(last.block.place) != _whereabouts(unit.block.place):
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
        path = (*path, as_heading(text[block.start : block.end]))
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
