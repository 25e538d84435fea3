"""A paper as slides: a section becomes as many as it needs, each with one visual and little text.

Text that a slide shortens is in full in its speaker's notes, with the quotes it cites.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from intelli.deliverables.brief import Metric
from intelli.deliverables.forms.layout import Footnote, PaperLayout, flatten, numbers_of, plain_text
from intelli.deliverables.forms.shorten import shorten
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
    """A slide: a title, lines of text and at most one visual. `spoken` is the full text of its notes."""

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


def slides_of(layout: PaperLayout) -> list[Slide]:
    """Build the slides between the cover and the sources."""
    made: list[Slide] = []
    for section in _sections(layout):
        made += _number_titles(section.title, list(_slides(layout, section)) or [Slide(section.title)])
    return made


def sources_of(layout: PaperLayout) -> list[list[int]]:
    """Group the numbers of the sources by slide."""
    numbers = [source.number for source in layout.brief.sources]
    return [numbers[start : start + _MOST_SOURCES] for start in range(0, len(numbers), _MOST_SOURCES)]


def notes_of(layout: PaperLayout, lines_of: Callable[[Footnote], int], *, most: int) -> list[list[Footnote]]:
    """Distribute the footnotes, in order, over as few slides as possible, evenly.

    `lines_of` counts the lines of a footnote in a form, `most` is the number of lines of a slide.
    """
    notes = [(note, lines_of(note)) for note in layout.footnotes.values()]
    pages = _fill_pages(notes, most)
    even = _fill_pages(notes, -(-sum(lines for _, lines in notes) // max(len(pages), 1)) + 1)
    return even if len(even) == len(pages) else pages


def _fill_pages(notes: Sequence[tuple[Footnote, int]], most: int) -> list[list[Footnote]]:
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
    """Return the short name of a source, for the foot of a slide."""
    name = note.file_name if len(note.file_name) <= _LONGEST_NAME else f"{note.file_name[:_LONGEST_NAME]}\u2026"
    return f"{name}, {note.phrases.page} {note.cited.page}" if note.cited.page is not None else name


def places_of(notes: Sequence[Footnote]) -> list[tuple[str, str]]:
    """Return the foot of a slide: the places of its footnotes, each with the numbers of its footnotes."""
    by_place: dict[str, list[Footnote]] = {}
    for note in sorted(notes, key=lambda each: each.number):
        by_place.setdefault(place_of(note), []).append(note)
    return [(numbers_of(mine), place) for place, mine in by_place.items()]


def number_title(title: str, number: int) -> str:
    """Return the title of a slide, numbered from the second slide of a section: "Costs (2)"."""
    return title if number == 1 else f"{title} ({number})"


def cut_cell(content: Runs) -> Runs:
    """Shorten a cell for a table on a slide."""
    if len(plain_text(content)) <= _LONGEST_CELL:
        return content
    citations = tuple(dict.fromkeys(identifier for run in content for identifier in run.citations))
    return (TextRun(text=shorten(plain_text(content), _LONGEST_CELL), citations=citations),)


def _sections(layout: PaperLayout) -> Iterator[_Section]:
    """Yield the blocks under each heading; a heading without blocks still has a slide."""
    title, blocks = layout.title, list[Block]()
    is_begun = False
    lead = next(flatten(layout.blocks), None)
    for block in flatten(layout.blocks):
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


def _slides(layout: PaperLayout, section: _Section) -> Iterator[Slide]:
    """Collect lines until the next visual; a chart takes the last lines before it to its side."""
    lines: list[tuple[Runs, str]] = []
    for block in section.blocks:
        match block:
            case Chart():
                *whole, beside = _pages(lines) or [[]]
                yield from (_text_slide(layout, section.title, page) for page in whole)
                yield _chart_slide(layout, _text_slide(layout, section.title, beside), chart=block)
                lines = []
                continue
            case Metrics() | TableBlock() | QuoteBlock():
                yield from (_text_slide(layout, section.title, page) for page in _pages(lines))
                lines = []
                yield from _block_slides(layout, section.title, block)
            case _:
                lines += _lines(block)
    yield from (_text_slide(layout, section.title, page) for page in _pages(lines))


def _lines(block: Block) -> list[tuple[Runs, str]]:
    """Return the lines of a block, each as shown and in full."""
    match block:
        case Paragraph():
            return [(_shorten_line(part), plain_text(part)) for part in _statements(block.runs)]
        case Callout():
            title = (TextRun(text=f"{block.title}: ", bold=True),) if block.title else ()
            return [(_shorten_line(part), plain_text(part)) for part in _statements((*title, *block.runs))]
        case Bullets() | Numbered():
            return [(_shorten_line(item), plain_text(item)) for item in block.items]
        case Heading() | Chart() | Metrics() | TableBlock() | QuoteBlock() | Row() | SourcesList():
            return []


def _statements(runs: Runs) -> list[Runs]:
    """Split runs after each citation: a line on a slide is one statement."""
    parts: list[list[TextRun]] = [[]]
    for run in runs:
        parts[-1].append(run)
        if run.citations:
            parts.append([])
    return [_strip_left(part) for part in parts if any(run.text.strip() for run in part)]


def _strip_left(part: list[TextRun]) -> Runs:
    first, *rest = part
    return (first.model_copy(update={"text": first.text.lstrip()}), *rest)


def _pages(lines: Sequence[tuple[Runs, str]]) -> list[list[tuple[Runs, str]]]:
    """Distribute lines over slides, evenly, so that no slide is left with one of many."""
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
    return sum(len(plain_text(shown)) for shown, _ in lines)


def _text_slide(layout: PaperLayout, title: str, lines: Sequence[tuple[Runs, str]]) -> Slide:
    notes = _footnotes(layout, [run for shown, _ in lines for run in shown])
    return Slide(title, tuple(shown for shown, _ in lines), spoken=tuple(said for _, said in lines), footnotes=notes)


def _chart_slide(layout: PaperLayout, slide: Slide, *, chart: Chart) -> Slide:
    notes = dict.fromkeys([*slide.footnotes, *layout.named(chart.citations)])
    spoken = (*slide.spoken, chart.alt)
    return Slide(slide.title, slide.lines, chart=chart, spoken=spoken, footnotes=tuple(notes))


def _block_slides(layout: PaperLayout, title: str, block: Metrics | TableBlock | QuoteBlock) -> Iterator[Slide]:
    match block:
        case QuoteBlock():
            notes = _footnotes(layout, block.runs)
            yield Slide(title, quote=_shorten_line(block.runs), spoken=(plain_text(block.runs),), footnotes=notes)
        case Metrics():
            for start in range(0, len(block.metrics), _MOST_METRICS):
                some = block.metrics[start : start + _MOST_METRICS]
                spoken = tuple(" ".join((each.name, each.entity, each.period, each.shown)) for each in some)
                notes = tuple(layout.named([metric.citation for metric in some]))
                yield Slide(title, metrics=some, spoken=spoken, footnotes=notes)
        case TableBlock():
            yield from _tables(layout, title, block)


def _tables(layout: PaperLayout, title: str, table: TableBlock) -> Iterator[Slide]:
    """Yield slides with the first columns and equal numbers of rows; all columns are in the notes."""
    slides = max(1, -(-len(table.rows) // _MOST_ROWS))
    each = max(1, -(-len(table.rows) // slides))
    for start in range(0, max(len(table.rows), 1), each):
        rows = table.rows[start : start + each]
        part = table.model_copy(
            update={"columns": table.columns[:_MOST_COLUMNS], "rows": tuple(row[:_MOST_COLUMNS] for row in rows)}
        )
        notes = _footnotes(layout, [run for row in rows for cell in row for run in cell])
        spoken = (
            table.caption,
            " | ".join(table.columns),
            *(" | ".join(plain_text(cell) for cell in row) for row in rows),
        )
        yield Slide(title, table=part, spoken=spoken, footnotes=notes)


def _number_titles(title: str, slides: list[Slide]) -> list[Slide]:
    """Number the titles of the slides from the second on."""
    return [
        slide if number == 1 else _with_title(slide, number_title(title, number))
        for number, slide in enumerate(slides, start=1)
    ]


def _with_title(slide: Slide, title: str) -> Slide:
    return Slide(
        title, slide.lines, slide.chart, slide.table, slide.metrics, slide.quote, slide.spoken, slide.footnotes
    )


def _footnotes(layout: PaperLayout, runs: Sequence[TextRun]) -> tuple[Footnote, ...]:
    return tuple(layout.named([identifier for run in runs for identifier in run.citations]))


def _shorten_line(runs: Runs) -> Runs:
    """Shorten a line to whole sentences that fit. Citations of the omitted rest move to its end."""
    if len(plain_text(runs)) <= _LONGEST_LINE:
        return runs
    kept: list[TextRun] = []
    left = _LONGEST_LINE
    for run in runs:
        if left <= 0:
            break
        text = run.text if len(run.text) <= left else shorten(run.text, left)
        kept.append(run.model_copy(update={"text": text}))
        left -= len(run.text)
    rest = [identifier for run in runs[len(kept) :] for identifier in run.citations]
    last = kept[-1]
    kept[-1] = last.model_copy(update={"citations": tuple(dict.fromkeys([*last.citations, *rest]))})
    return tuple(kept)
