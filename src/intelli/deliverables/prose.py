"""A paper as plain prose: one statement a line with its citations, so that it can be checked, compared and counted.

The citations of the prose are those of the GML, in the same order.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import assert_never

from intelli.citations.parse import segments, tag
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
from intelli.reasoning.extractive import words as terms
from intelli.reasoning.extractive.answer_text import plain


def of(paper: Paper) -> str:
    """The whole paper, statement by statement. What cites nothing would be read with the one before it: left out."""
    lines = (line for block in paper.blocks for line in _lines(block))
    return "\n\n".join(f"- {line}" for line in lines if any(segment.ordinal is not None for segment in segments(line)))


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


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield plain(block.text)
        case Paragraph() | QuoteBlock():
            yield _runs(block.runs)
        case Callout():
            yield from filter(None, (plain(block.title), _runs(block.runs)))
        case Bullets() | Numbered():
            yield from (_runs(item) for item in block.items)
        case TableBlock():
            yield from (" ".join(_runs(cell) for cell in row) for row in block.rows)
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


def _metric(metric: Metric) -> str:
    said = " ".join(filter(None, (metric.entity, metric.name, metric.period)))
    return f"{plain(said)}: {plain(metric.shown)} {_tags(filter(None, (metric.citation,)))}"


def _plotted(chart: Chart) -> Iterator[str]:
    """A chart as statements: each point with its own citation where there are as many."""
    plotted = charts.find_plotted(chart.spec)
    if plotted is None:
        yield f"{plain(chart.alt or chart.caption)} {_tags(chart.citations)}"
        return
    title = chart.spec.get("title")
    name = str(title.get("text", "")) if isinstance(title, dict) else ""
    points = list(zip(plotted.labels, plotted.plain, strict=True))
    if len(points) != len(chart.citations):
        values = ", ".join(f"{label}: {value}" for label, value in points)
        yield f"{plain(f'{chart.caption or name}: {values}')} {_tags(chart.citations)}"
        return
    for (label, value), mark in zip(points, chart.citations, strict=True):
        yield f"{plain(f'{name} {label}')}: {plain(value)} {_tags((mark,))}"


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
