"""A paper as plain prose: one statement a line with its citations, so that it can be checked, compared and counted.

The citations of the prose are those of the GML, in the same order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import assert_never

from intelli.citations.parse import segments, tag
from intelli.citations.prove import CitingText
from intelli.citations.statements import CitedStatement, statements_of
from intelli.citations.wire import StatementKind
from intelli.deliverables import charts
from intelli.deliverables.brief import Metric
from intelli.deliverables.paper import (
    Block,
    Bullets,
    Callout,
    Chart,
    Heading,
    Metrics,
    Numbered,
    Paper,
    Paragraph,
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)
from intelli.language import words as terms
from intelli.language.markdown import plain

_GAP = "\n\n"


def of(paper: Paper) -> str:
    """The whole paper, statement by statement; what cites nothing is left out."""
    return citing_of(paper).text


def citing_of(paper: Paper) -> CitingText:
    """The statements of a paper with what they cite: sentences, rows of tables, cards and points of charts."""
    text = ""
    found: list[CitedStatement] = []
    names: list[str] = []
    for block in paper.blocks:
        for line in _lines(block):
            cited = [segment.identifier or "" for segment in segments(line.text) if segment.ordinal is not None]
            if not cited:
                continue
            text += f"{_GAP if text else ''}- "
            found += _statements(line, len(text), len(names))
            text += line.text
            names += cited
    # The notes of a paper are laid out with its citations.
    return CitingText(text, tuple(found), tuple(names), is_fixed=True)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a paper's prose; that of a figure or a table row with its parts."""

    text: str
    kind: StatementKind | None = None
    row: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    is_calculated: bool = False


def _statements(line: _Line, start: int, ordinal: int) -> Iterator[CitedStatement]:
    """The statements of a line that begins at `start` and whose first citation is `ordinal`."""
    stated = statements_of(line.text)
    if line.kind is not None:
        marks = tuple(dict.fromkeys(mark for each in stated for mark in each.ordinals))
        said = " ".join(each.text for each in stated if each.text)
        whole = CitedStatement(
            said, marks, 0, len(line.text), line.kind, row=line.row, cells=line.cells, is_calculated=line.is_calculated
        )
        stated = [whole]
    for each in stated:
        ordinals = tuple(ordinal + mark for mark in each.ordinals)
        yield replace(each, ordinals=ordinals, start=start + each.start, end=start + each.end)


def words(block: Block) -> str:
    """What a block says, without its citations."""
    return "\n".join(_bare(block))


def citations(paper: Paper) -> list[str]:
    """Every identifier that is cited, in the order of the GML."""
    return [identifier for block in paper.blocks for identifier in cited(block)]


def sections(paper: Paper) -> int:
    """How many sections a paper has."""
    return sum(1 for block in paper.blocks if isinstance(block, Heading) and block.level == 2)


def count_words(paper: Paper) -> int:
    """How many words a paper has."""
    return sum(terms.count_words(words(block)) for block in paper.blocks)


def _lines(block: Block) -> Iterator[_Line]:
    match block:
        case Heading():
            yield _Line(plain(block.text))
        case Paragraph() | QuoteBlock():
            yield from _spoken(block.runs)
        case Callout():
            yield from (_Line(plain(block.title)), *_spoken(block.runs))
        case Bullets() | Numbered():
            yield from chain.from_iterable(map(_spoken, block.items))
        case TableBlock():
            yield from chain.from_iterable(_row(block.columns, row) for row in block.rows)
        case Chart():
            yield from _plotted(block)
        case Metrics():
            yield from map(_metric, block.metrics)
        case Row():
            yield from chain.from_iterable(map(_lines, (*block.primary, *block.sidebar)))
        case SourcesList():
            return
        case _:
            assert_never(block)


def _spoken(runs: Runs) -> Iterator[_Line]:
    """Sentences as a line; what is judged of what it cites, in italics, as lines of its own."""
    for is_judged, group in groupby(runs, key=lambda run: run.italic and bool(run.citations)):
        if is_judged:
            yield from (_Line(_run(run).strip(), StatementKind.OWN) for run in group)
        else:
            yield _Line(_runs(tuple(group)).strip())


def _row(columns: Sequence[str], row: Sequence[Runs]) -> Iterator[_Line]:
    """A row of a table as a line; one whose cells rest on sources of their own, cell by cell."""
    cells = [_text(cell).strip() for cell in row]
    heads = [*columns, *[""] * len(cells)]
    label = cells[0] if cells else ""
    if sum(any(run.citations for run in cell) for cell in row) > 1:
        for at, (head, said) in enumerate(zip(heads, row, strict=False)):
            about = " ".join(filter(None, (label if at else "", head)))
            formula = next((run.formula for run in said if run.formula), "")
            if formula:
                told = f"{cells[at]} = {formula} {_tags(mark for run in said for mark in run.citations)}"
                yield _Line(told, StatementKind.CELL, label, is_calculated=True)
                continue
            own = tuple((head, text) for text in cells[at : at + 1] if text)
            yield _Line(f"{plain(about)}: {_runs(said).strip()}", StatementKind.CELL, label, own)
        return
    pairs = tuple((head, cell) for head, cell in zip(heads, cells, strict=False) if cell)
    yield _Line(" ".join(_runs(cell) for cell in row), StatementKind.CELL, label, pairs)


def _metric(metric: Metric) -> _Line:
    said = " ".join(filter(None, (metric.entity, metric.name, metric.period)))
    line = f"{plain(said)}: {plain(metric.shown)} {_tags(filter(None, (metric.citation,)))}"
    about = " ".join(filter(None, (metric.entity, metric.period)))
    return _Line(line, StatementKind.FIGURE, about, ((metric.name, metric.shown),))


def _plotted(chart: Chart) -> Iterator[_Line]:
    """A chart as statements: each point with its own citation where there are as many."""
    plotted = charts.find_plotted(chart.spec)
    if plotted is None:
        yield _Line(f"{plain(chart.alt or chart.caption)} {_tags(chart.citations)}")
        return
    title = chart.spec.get("title")
    name = str(title.get("text", "")) if isinstance(title, dict) else ""
    points = tuple(zip(plotted.labels, plotted.plain, strict=True))
    if len(points) != len(chart.citations):
        values = ", ".join(f"{label}: {value}" for label, value in points)
        line = f"{plain(f'{chart.caption or name}: {values}')} {_tags(chart.citations)}"
        yield _Line(line, StatementKind.FIGURE, name, points)
        return
    for (label, value), mark in zip(points, chart.citations, strict=True):
        line = f"{plain(f'{name} {label}')}: {plain(value)} {_tags((mark,))}"
        yield _Line(line, StatementKind.FIGURE, label, ((name, value),))


def _bare(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield block.text
        case Paragraph() | QuoteBlock():
            yield _text(block.runs)
        case Callout():
            yield from filter(None, (block.title, _text(block.runs)))
        case Bullets() | Numbered():
            yield from (_text(item) for item in block.items)
        case TableBlock():
            yield from filter(None, (block.caption, "\t".join(block.columns)))
            yield from ("\t".join(_text(cell) for cell in row) for row in block.rows)
        case Chart():
            yield from filter(None, (block.caption, block.alt))
        case Metrics():
            yield from (
                " ".join(filter(None, (each.entity, each.name, each.period, each.shown))) for each in block.metrics
            )
        case Row():
            yield from chain.from_iterable(map(_bare, (*block.primary, *block.sidebar)))
        case SourcesList():
            return
        case _:
            assert_never(block)


def cited(block: Block) -> Iterator[str]:
    """Every identifier that a block cites, in the order of the GML."""
    match block:
        case Paragraph() | QuoteBlock() | Callout():
            yield from _marks(block.runs)
        case Bullets() | Numbered():
            for item in block.items:
                yield from _marks(item)
        case TableBlock():
            for row in block.rows:
                for cell in row:
                    yield from _marks(cell)
        case Chart():
            yield from block.citations
        case Metrics():
            yield from (each.citation for each in block.metrics if each.citation)
        case Row():
            for inner in (*block.primary, *block.sidebar):
                yield from cited(inner)
        case Heading() | SourcesList():
            return
        case _:
            assert_never(block)


def _marks(runs: Runs) -> Iterator[str]:
    for run in runs:
        yield from run.citations


def _text(runs: Runs) -> str:
    return "".join(run.text for run in runs)


def _runs(runs: Runs) -> str:
    return "".join(_run(run) for run in runs)


def _run(run: TextRun) -> str:
    """The words as Markdown that shows them unchanged; the space around them stays."""
    inner = run.text.strip()
    before = " " if run.text[:1].isspace() else ""
    after = " " if inner and run.text[-1].isspace() else ""
    said = f"{before}{plain(inner) if inner else ''}{after}"
    return f"{said} {_tags(run.citations)}" if run.citations else said


def _tags(identifiers: Iterable[str]) -> str:
    return "".join(tag(identifier) for identifier in identifiers)
