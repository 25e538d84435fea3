"""A paper as slides: a section becomes as many as it needs, each with one thing to see and little to read.

What a slide shortens stands whole in its speaker's notes, with the quotes that it rests on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from intelli.deliverables.brief import Metric
from intelli.deliverables.forms.layout import Footnote, PaperLayout, flat, numbers_of, plain
from intelli.deliverables.forms.shorten import shortened
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paragraph,
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)

_MOST_LINES = 5
_MOST_CHARACTERS = 720
_LONGEST_LINE = 240
_LONGEST_CELL = 70
_MOST_ROWS = 9
_MOST_COLUMNS = 8
_MOST_METRICS = 6
_MOST_SOURCES = 8
_LONGEST_NAME = 34
MOST_AT_FOOT = 3


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: a title, lines to read and at most one thing to see. `spoken` is all that it is about."""

    title: str
    lines: tuple[Runs, ...] = ()
    chart: Chart | None = None
    table: TableBlock | None = None
    metrics: tuple[Metric, ...] = ()
    quote: Runs = ()
    spoken: tuple[str, ...] = ()
    footnotes: tuple[Footnote, ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    blocks: tuple[Block, ...]


def slides_of(sheet: PaperLayout) -> list[Slide]:
    """The slides between the cover and the sources."""
    made: list[Slide] = []
    for section in _sections(sheet):
        made += _numbered(section.title, list(_slides(sheet, section)) or [Slide(section.title)])
    return made


def sources_of(sheet: PaperLayout) -> list[list[int]]:
    """The numbers of the sources, as many as a slide holds."""
    numbers = [source.number for source in sheet.brief.sources]
    return [numbers[start : start + _MOST_SOURCES] for start in range(0, len(numbers), _MOST_SOURCES)]


def notes_of(sheet: PaperLayout, lines_of: Callable[[Footnote], int], *, most: int) -> list[list[Footnote]]:
    """The footnotes in the order of their numbers, spread over as few slides as hold them.

    A form knows how many lines a footnote takes, and how many a slide has.
    """
    notes = [(note, lines_of(note)) for note in sheet.footnotes.values()]
    pages = _filled(notes, most)
    even = _filled(notes, -(-sum(lines for _, lines in notes) // max(len(pages), 1)) + 1)
    return even if len(even) == len(pages) else pages


def _filled(notes: Sequence[tuple[Footnote, int]], most: int) -> list[list[Footnote]]:
    pages: list[list[Footnote]] = []
    left = 0
    for note, lines in notes:
        if left < lines or not pages:
            pages.append([])
            left = most
        pages[-1].append(note)
        left -= lines
    return pages


def place_of(note: Footnote) -> str:
    """A source as short as it can be named at the foot of a slide."""
    name = note.file_name if len(note.file_name) <= _LONGEST_NAME else f"{note.file_name[:_LONGEST_NAME]}\u2026"
    return f"{name}, {note.phrases.page} {note.cited.page}" if note.cited.page is not None else name


def places_of(notes: Sequence[Footnote]) -> list[tuple[str, str]]:
    """What stands at the foot of a slide: the places of its footnotes, each with the numbers of those in it."""
    by_place: dict[str, list[Footnote]] = {}
    for note in sorted(notes, key=lambda each: each.number):
        by_place.setdefault(place_of(note), []).append(note)
    return [(numbers_of(mine), place) for place, mine in by_place.items()]


def numbered(title: str, number: int) -> str:
    """The title of a slide; after the first it says how far it goes on."""
    return title if number == 1 else f"{title} ({number})"


def cut_cell(content: Runs) -> Runs:
    """A cell as it fits into a table on a slide."""
    if len(plain(content)) <= _LONGEST_CELL:
        return content
    citations = tuple(dict.fromkeys(identifier for run in content for identifier in run.citations))
    return (TextRun(text=shortened(plain(content), _LONGEST_CELL), citations=citations),)


def _sections(sheet: PaperLayout) -> Iterator[_Section]:
    """What stands under each heading; a heading with nothing under it still has a slide."""
    title, blocks = sheet.title, list[Block]()
    is_begun = False
    lead = next(flat(sheet.blocks), None)
    for block in flat(sheet.blocks):
        if isinstance(block, Heading):
            if is_begun or blocks:
                yield _Section(title, tuple(blocks))
            title, blocks, is_begun = block.text, [], True
        elif block is lead and isinstance(block, Callout) and block.title:
            title = block.title
            blocks.append(Paragraph(runs=block.runs))
        else:
            blocks.append(block)
    if is_begun or blocks:
        yield _Section(title, tuple(blocks))


def _slides(sheet: PaperLayout, section: _Section) -> Iterator[Slide]:
    """Lines are gathered until something is to be seen; a chart takes the lines before it to its side."""
    lines: list[tuple[Runs, str]] = []
    for block in section.blocks:
        match block:
            case Chart():
                *whole, beside = _pages(lines) or [[]]
                yield from (_read(sheet, section.title, page) for page in whole)
                yield _seen(sheet, _read(sheet, section.title, beside), chart=block)
                lines = []
                continue
            case Metrics() | TableBlock() | QuoteBlock():
                yield from (_read(sheet, section.title, page) for page in _pages(lines))
                lines = []
                yield from _shown(sheet, section.title, block)
            case _:
                lines += _lines(block)
    yield from (_read(sheet, section.title, page) for page in _pages(lines))


def _lines(block: Block) -> list[tuple[Runs, str]]:
    """What is shown of a block, and all that it says."""
    match block:
        case Paragraph():
            return [(_short(part), plain(part)) for part in _statements(block.runs)]
        case Callout():
            title = (TextRun(text=f"{block.title}: ", bold=True),) if block.title else ()
            return [(_short(part), plain(part)) for part in _statements((*title, *block.runs))]
        case Bullets() | Numbered():
            return [(_short(item), plain(item)) for item in block.items]
        case Heading() | Chart() | Metrics() | TableBlock() | QuoteBlock() | Row() | SourcesList():
            return []


def _statements(runs: Runs) -> list[Runs]:
    """Runs up to and with each that cites something: a line on a slide is one statement."""
    parts: list[list[TextRun]] = [[]]
    for run in runs:
        parts[-1].append(run)
        if run.citations:
            parts.append([])
    return [_stripped(part) for part in parts if any(run.text.strip() for run in part)]


def _stripped(part: list[TextRun]) -> Runs:
    first, *rest = part
    return (first.model_copy(update={"text": first.text.lstrip()}), *rest)


def _pages(lines: Sequence[tuple[Runs, str]]) -> list[list[tuple[Runs, str]]]:
    """Lines, as many as a slide holds, and spread so that no slide is left with one of many."""
    pages: list[list[tuple[Runs, str]]] = []
    for line in lines:
        if not pages or len(pages[-1]) == _MOST_LINES or _length([*pages[-1], line]) > _MOST_CHARACTERS:
            pages.append([])
        pages[-1].append(line)
    if not pages:
        return []
    each = -(-len(lines) // len(pages))
    even = [list(lines[start : start + each]) for start in range(0, len(lines), each)]
    return even if all(_length(page) <= _MOST_CHARACTERS for page in even) else pages


def _length(lines: Sequence[tuple[Runs, str]]) -> int:
    return sum(len(plain(shown)) for shown, _ in lines)


def _read(sheet: PaperLayout, title: str, lines: Sequence[tuple[Runs, str]]) -> Slide:
    notes = _footnotes(sheet, [run for shown, _ in lines for run in shown])
    return Slide(title, tuple(shown for shown, _ in lines), spoken=tuple(said for _, said in lines), footnotes=notes)


def _seen(sheet: PaperLayout, slide: Slide, *, chart: Chart) -> Slide:
    notes = dict.fromkeys([*slide.footnotes, *sheet.named(chart.citations)])
    spoken = (*slide.spoken, chart.alt)
    return Slide(slide.title, slide.lines, chart=chart, spoken=spoken, footnotes=tuple(notes))


def _shown(sheet: PaperLayout, title: str, block: Metrics | TableBlock | QuoteBlock) -> Iterator[Slide]:
    match block:
        case QuoteBlock():
            notes = _footnotes(sheet, block.runs)
            yield Slide(title, quote=_short(block.runs), spoken=(plain(block.runs),), footnotes=notes)
        case Metrics():
            for start in range(0, len(block.metrics), _MOST_METRICS):
                some = block.metrics[start : start + _MOST_METRICS]
                spoken = tuple(" ".join((each.name, each.entity, each.period, each.shown)) for each in some)
                notes = tuple(sheet.named([metric.citation for metric in some]))
                yield Slide(title, metrics=some, spoken=spoken, footnotes=notes)
        case TableBlock():
            yield from _tables(sheet, title, block)


def _tables(sheet: PaperLayout, title: str, table: TableBlock) -> Iterator[Slide]:
    """The first columns and some rows on each slide, on each as many as on the others; all columns in the notes."""
    slides = max(1, -(-len(table.rows) // _MOST_ROWS))
    each = max(1, -(-len(table.rows) // slides))
    for start in range(0, max(len(table.rows), 1), each):
        rows = table.rows[start : start + each]
        part = table.model_copy(
            update={"columns": table.columns[:_MOST_COLUMNS], "rows": tuple(row[:_MOST_COLUMNS] for row in rows)}
        )
        notes = _footnotes(sheet, [run for row in rows for cell in row for run in cell])
        spoken = (table.caption, " | ".join(table.columns), *(" | ".join(plain(cell) for cell in row) for row in rows))
        yield Slide(title, table=part, spoken=spoken, footnotes=notes)


def _numbered(title: str, slides: list[Slide]) -> list[Slide]:
    """The title of every slide after the first says how far it goes on."""
    return [
        slide if number == 1 else _retitled(slide, numbered(title, number))
        for number, slide in enumerate(slides, start=1)
    ]


def _retitled(slide: Slide, title: str) -> Slide:
    return Slide(
        title, slide.lines, slide.chart, slide.table, slide.metrics, slide.quote, slide.spoken, slide.footnotes
    )


def _footnotes(sheet: PaperLayout, runs: Sequence[TextRun]) -> tuple[Footnote, ...]:
    return tuple(sheet.named([identifier for run in runs for identifier in run.citations]))


def _short(runs: Runs) -> Runs:
    """A line that fits: whole sentences as far as they do. What is cited for the rest is cited at its end."""
    if len(plain(runs)) <= _LONGEST_LINE:
        return runs
    kept: list[TextRun] = []
    left = _LONGEST_LINE
    for run in runs:
        if left <= 0:
            break
        text = run.text if len(run.text) <= left else shortened(run.text, left)
        kept.append(run.model_copy(update={"text": text}))
        left -= len(run.text)
    rest = [identifier for run in runs[len(kept) :] for identifier in run.citations]
    last = kept[-1]
    kept[-1] = last.model_copy(update={"citations": tuple(dict.fromkeys([*last.citations, *rest]))})
    return tuple(kept)
