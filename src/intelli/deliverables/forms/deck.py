"""A paper as slides: at most twelve with cover and sources, each with a statement as its title and little text.

A slide says three to five points, or shows one picture, in at most sixty words. All that its section says beside them
is in full in its speaker's notes, with the quotes it cites.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from intelli.deliverables.brief import Metric
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    flatten,
    numbers_of,
    plain_text,
    source_name,
)
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

MOST_SLIDES = 12
MOST_WORDS = 60
# Beside the cover and the list of sources.
_MOST_BETWEEN = MOST_SLIDES - 2
_MOST_POINTS, _MOST_BESIDE = 5, 3
# Beside a picture there is room for less.
_WORDS_BESIDE = 36
_LONGEST_POINT = 24
# A heading of so many words says something by itself; a statement of at most so many can stand in its place.
_LEAST_SAID, _MOST_SAID, _LONGEST_TITLE = 6, 15, 105
_LONGEST_CELL = 70
_MOST_ROWS, _MOST_COLUMNS = 9, 6
_LEAST_ROWS = 2
_MOST_METRICS = 6
_LONGEST_NAME = 34
MOST_AT_FOOT = 3
# What a slide shows first when its section has several.
_NUMBERED = re.compile(r"^\d{1,3}(?:\.\d{1,3}){0,3}\.?\s+(?=\D)")
_RANKS: tuple[type[Block], ...] = (Chart, TableBlock, Metrics, QuoteBlock)
Visual = Chart | TableBlock | Metrics | QuoteBlock


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: a title, points and at most one visual. `spoken` is the full text of its notes.

    A title that is a statement of the section has the section's heading above it, and its footnotes behind it.
    """

    title: str
    above: str = ""
    title_notes: tuple[Footnote, ...] = ()
    lines: tuple[Runs, ...] = ()
    chart: Chart | None = None
    table: TableBlock | None = None
    metrics: tuple[Metric, ...] = ()
    quote: Runs = ()
    spoken: tuple[str, ...] = ()
    footnotes: tuple[Footnote, ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands under a heading: statements, those of them that are points made for a slide, and visuals."""

    heading: str
    statements: tuple[Runs, ...]
    points: tuple[Runs, ...]
    visuals: tuple[Visual, ...]
    subheadings: tuple[str, ...] = ()


def slides_of(layout: PaperLayout) -> list[Slide]:
    """Build the slides between the cover and the sources."""
    sections = list(_sections(layout))
    if len(sections) > _MOST_BETWEEN:
        sections, rest = sections[: _MOST_BETWEEN - 1], sections[_MOST_BETWEEN - 1 :]
        sections.append(_joined(layout, rest))
    spare = _MOST_BETWEEN - len(sections)
    made: list[Slide] = []
    for section in sections:
        further = [each for each in _ranked(section.visuals)[1:] if not isinstance(each, QuoteBlock)][:spare]
        spare -= len(further)
        made += _slides(layout, section, further)
    return _apart(layout, made)


def _apart(layout: PaperLayout, slides: Sequence[Slide]) -> list[Slide]:
    """Return the slides, those of one title told apart by their sources."""
    taken: set[str] = set()
    made: list[Slide] = []
    for slide in slides:
        title = slide.title
        if title in taken:
            names = dict.fromkeys(layout.source_name(note.source) for note in slide.footnotes if note.source)
            title = ", ".join((title, *list(names)[:1]))
        taken.add(title)
        made.append(replace(slide, title=title))
    return made


def sources_of(layout: PaperLayout) -> tuple[list[int], int]:
    """Return the numbers of the sources that their slide has room for, and how many there are beside them."""
    shown: list[int] = []
    left = MOST_WORDS - _words(layout.phrases.sources)
    for source in layout.brief.sources:
        left -= 2 + _words(layout.source_name(source)) + _words(numbers_of(layout.notes_of_source(source)))
        if left < 0:
            break
        shown.append(source.number)
    return shown, len(layout.brief.sources) - len(shown)


def place_of(note: Footnote) -> str:
    """Return the short name of a source, for the foot of a slide."""
    called = source_name(note.source) if note.source is not None else note.file_name
    name = called if len(called) <= _LONGEST_NAME else f"{called[:_LONGEST_NAME]}\u2026"
    return f"{name}, {note.phrases.page} {note.cited.page}" if note.cited.page is not None else name


def places_of(notes: Sequence[Footnote]) -> list[tuple[str, str]]:
    """Return the foot of a slide: the places of its footnotes, each with the numbers of its footnotes."""
    by_place: dict[str, list[Footnote]] = {}
    for note in sorted(notes, key=lambda each: each.number):
        by_place.setdefault(place_of(note), []).append(note)
    return [(numbers_of(mine), place) for place, mine in by_place.items()]


def shown_notes(layout: PaperLayout, slide: Slide) -> list[Footnote]:
    """Return the footnotes whose numbers a slide shows; its speaker's notes have those of all that is spoken."""
    runs = [run for line in slide.lines for run in line]
    runs += [run for row in (slide.table.rows if slide.table else ()) for cell in row for run in cell]
    named = [identifier for run in (*runs, *slide.quote) for identifier in run.citations]
    named += slide.chart.citations if slide.chart else ()
    named += [metric.citation for metric in slide.metrics]
    return list(dict.fromkeys([*slide.title_notes, *layout.named(named)]))


def spoken_note(note: Footnote) -> str:
    """Return a footnote as the notes of a slide have it: number, source, place, quote and what must be known of it."""
    place = f", {note.place}" if note.place else ""
    quote = f": \u201c{note.cited.quote}\u201d" if note.cited.quote else ""
    remark = f" ({note.remark})" if note.remark else ""
    identifier = f" {note.shown_identifier}" if note.shown_identifier else ""
    return f"{note.number}. {note.name}{place}{quote}{remark}{identifier}"


def cut_cell(content: Runs) -> Runs:
    """Shorten a cell for a table on a slide."""
    if len(plain_text(content)) <= _LONGEST_CELL:
        return content
    citations = tuple(dict.fromkeys(identifier for run in content for identifier in run.citations))
    return (TextRun(text=shorten(plain_text(content), _LONGEST_CELL), citations=citations),)


def _sections(layout: PaperLayout) -> Iterator[_Section]:
    """Yield the blocks under each heading of the first level; a heading without blocks still has a slide."""
    heading, blocks = layout.title, list[Block]()
    is_begun = False
    lead = next(flatten(layout.blocks), None)
    for block in flatten(layout.blocks):
        if isinstance(block, Heading) and block.level == 1:
            if is_begun or blocks:
                yield _section(heading, blocks)
            heading, blocks, is_begun = block.text, [], True
        elif block is lead and isinstance(block, Callout) and block.title:
            heading = block.title
            blocks.append(Paragraph(runs=block.runs))
        else:
            blocks.append(block)
    if is_begun or blocks:
        yield _section(heading, blocks)


def _section(heading: str, blocks: Sequence[Block]) -> _Section:
    points = tuple(item for block in blocks if isinstance(block, Bullets | Numbered) for item in block.items)
    statements = tuple(line for block in blocks for line in _lines(block))
    visuals = tuple(block for block in blocks if isinstance(block, Chart | TableBlock | Metrics | QuoteBlock))
    subheadings = tuple(block.text for block in blocks if isinstance(block, Heading))
    return _Section(heading, statements, points, visuals, subheadings)


def _joined(layout: PaperLayout, sections: Sequence[_Section]) -> _Section:
    """Join the sections for which there are no slides left: their headings are the points, all else is spoken."""
    headings = tuple((TextRun(text=section.heading),) for section in sections)
    said = [line for section in sections for line in section.statements]
    subheadings = tuple(text for section in sections for text in section.subheadings)
    visuals = tuple(visual for section in sections for visual in section.visuals)
    spoken = [(TextRun(text=text),) for visual in visuals for text in _spoken(visual)]
    return _Section(layout.phrases.further, (*headings, *said, *spoken), headings, (), subheadings)


def _ranked(visuals: Sequence[Visual]) -> list[Visual]:
    return sorted(visuals, key=lambda each: next(at for at, kind in enumerate(_RANKS) if isinstance(each, kind)))


def _slides(layout: PaperLayout, section: _Section, further: Sequence[Visual]) -> Iterator[Slide]:
    """Yield the slide of a section, and one for each further visual; what none of them shows is spoken."""
    ranked = _ranked(section.visuals)
    first = ranked[0] if ranked else None
    lead = None if _says_something(section.heading) else _lead(section.statements)
    if first is None and len(section.points or section.statements) == 1:
        lead = None  # nothing would be left below it
    title = section.heading if lead is None else plain_text(lead).strip()
    spoken = [*section.subheadings, *(plain_text(line).strip() for line in section.statements)]
    spoken += [text for visual in section.visuals if visual not in further for text in _spoken(visual)]
    cited = [identifier for line in section.statements for run in line for identifier in run.citations]
    cited += [name for visual in section.visuals if visual not in further for name in _citations(visual)]
    slide = Slide(
        title.rstrip(".") if _words(title) > 1 else title,
        above="" if lead is None else section.heading,
        title_notes=() if lead is None else _footnotes(layout, lead),
        spoken=tuple(each for each in spoken if each),
        footnotes=tuple(layout.named(cited)),
    )
    room = MOST_WORDS - _words(slide.title) - _words(slide.above)
    points = [each for each in section.points or section.statements if each is not lead]
    yield _filled(slide, first, points, room)
    for visual in further:
        title = _name(getattr(visual, "caption", "")) or section.heading
        above = section.heading if title != section.heading else ""
        alone = Slide(title, above, spoken=_spoken(visual), footnotes=tuple(layout.named(_citations(visual))))
        yield _filled(alone, visual, (), MOST_WORDS - _words(title) - _words(above))


def _filled(slide: Slide, visual: Visual | None, points: Sequence[Runs], room: int) -> Slide:
    """Return a slide with its visual, or with the points that it has room for."""
    match visual:
        case Chart():
            beside = _choose(points, min(room - _words(visual.caption), _WORDS_BESIDE), _MOST_BESIDE)
            return replace(slide, chart=visual, lines=beside)
        case TableBlock():
            named = visual.model_copy(update={"caption": _name(visual.caption)})
            return replace(slide, table=_cut_table(named, room - _words(named.caption), slide.title))
        case Metrics():
            return replace(slide, metrics=_cut_metrics(visual.metrics, room))
        case QuoteBlock() if not points:
            return replace(slide, quote=_shortened(visual.runs, room))
        case QuoteBlock() | None:
            return replace(slide, lines=_choose(points, room, _MOST_POINTS))


def _choose(points: Sequence[Runs], room: int, most: int) -> tuple[Runs, ...]:
    """Choose the points that stand whole on a slide, in order; one that is longer is cut where none else fits."""
    chosen: list[Runs] = []
    left = room
    for point in points:
        words = _words(plain_text(point))
        if words <= min(left, _LONGEST_POINT) and len(chosen) < most:
            chosen.append(point)
            left -= words
    return tuple(chosen) or tuple(_shortened(point, room) for point in points[:1])


def _name(caption: str) -> str:
    """Return a caption as a title: the innermost of several headings, without its number."""
    return _NUMBERED.sub("", caption.rpartition("\u203a")[2].strip())


def _cut_table(table: TableBlock, room: int, title: str) -> TableBlock:
    """Return the first rows and columns of a table, as many as a slide has room for; all are in the notes."""
    columns = table.columns[:_MOST_COLUMNS]
    rows: list[tuple[Runs, ...]] = []
    left = room - sum(map(_words, columns))
    for row in table.rows[:_MOST_ROWS]:
        cut = tuple(cut_cell(cell) for cell in row[:_MOST_COLUMNS])
        left -= sum(_words(plain_text(cell)) for cell in cut)
        if left < 0 and len(rows) >= _LEAST_ROWS:
            break
        rows.append(cut)
    caption = table.caption
    if len(rows) < len(table.rows):
        shown = f"{len(rows)}/{len(table.rows)}"
        caption = shown if caption in title else f"{caption} ({shown})"
    return table.model_copy(update={"caption": caption, "columns": columns, "rows": tuple(rows)})


def _cut_metrics(metrics: Sequence[Metric], room: int) -> tuple[Metric, ...]:
    shown: list[Metric] = []
    left = room
    for metric in metrics[:_MOST_METRICS]:
        left -= sum(map(_words, (metric.shown, metric.name, metric.entity, metric.period)))
        if left < 0 and shown:
            break
        shown.append(metric)
    return tuple(shown)


def _says_something(heading: str) -> bool:
    return _words(heading) >= _LEAST_SAID or heading.rstrip().endswith((".", "?", "\u2026"))


def _lead(statements: Sequence[Runs]) -> Runs | None:
    """Return the first statement that is short and whole, to stand as a title; none of a timeline or a question."""
    for line in statements:
        text = plain_text(line).strip()
        is_plain = sum(1 for run in line if run.text.strip()) == 1 and not any(run.bold or run.href for run in line)
        is_short = _words(text) <= _MOST_SAID and len(text) <= _LONGEST_TITLE
        if is_plain and is_short and text.endswith((".", "\u3002")) and text[0].isupper():
            return line
    return None


def _lines(block: Block) -> list[Runs]:
    """Return the statements of a block."""
    match block:
        case Paragraph():
            return _statements(block.runs)
        case Callout():
            title = (TextRun(text=f"{block.title}: ", bold=True),) if block.title else ()
            return _statements((*title, *block.runs))
        case Bullets() | Numbered():
            return list(block.items)
        case Heading():
            return []
        case Chart() | Metrics() | TableBlock() | QuoteBlock() | Row() | SourcesList():
            return []


def _statements(runs: Runs) -> list[Runs]:
    """Split runs after each citation: a point on a slide is one statement."""
    parts: list[list[TextRun]] = [[]]
    for run in runs:
        parts[-1].append(run)
        if run.citations:
            parts.append([])
    return [_strip_left(part) for part in parts if any(run.text.strip() for run in part)]


def _strip_left(part: list[TextRun]) -> Runs:
    first, *rest = part
    return (first.model_copy(update={"text": first.text.lstrip()}), *rest)


def _spoken(visual: Visual) -> tuple[str, ...]:
    """Return all that a visual says, for the notes."""
    match visual:
        case Chart():
            return tuple(dict.fromkeys((visual.caption, visual.alt)))
        case TableBlock():
            rows = (" | ".join(plain_text(cell) for cell in row) for row in visual.rows)
            return (visual.caption, " | ".join(visual.columns), *rows)
        case Metrics():
            return tuple(" ".join((each.name, each.entity, each.period, each.shown)) for each in visual.metrics)
        case QuoteBlock():
            return (plain_text(visual.runs),)


def _citations(visual: Visual) -> list[str]:
    match visual:
        case Chart():
            return list(visual.citations)
        case TableBlock():
            return [name for row in visual.rows for cell in row for run in cell for name in run.citations]
        case Metrics():
            return [each.citation for each in visual.metrics]
        case QuoteBlock():
            return [name for run in visual.runs for name in run.citations]


def _footnotes(layout: PaperLayout, runs: Sequence[TextRun]) -> tuple[Footnote, ...]:
    return tuple(layout.named([identifier for run in runs for identifier in run.citations]))


def _words(text: str) -> int:
    """Count words as a reader does: what stands between spaces and has a letter or a digit."""
    return sum(1 for word in text.split() if any(map(str.isalnum, word)))


def _shortened(runs: Runs, most: int) -> Runs:
    """Cut a line to so many words; its citations stay, and what is left out is in the notes."""
    text = plain_text(runs).split()
    if len(text) <= most:
        return runs
    citations = tuple(dict.fromkeys(identifier for run in runs for identifier in run.citations))
    return (TextRun(text=f"{' '.join(text[: max(most - 1, 1)]).rstrip(' ,;:')}\u2026", citations=citations),)
