"""PDF form: tagged, with contents, running heads, footnotes and sources; the citations are also attached as JSON.

Typst sets it. All text reaches Typst as a value of a JSON file, never as markup.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from intelli.deliverables import assets, charts
from intelli.deliverables.brief import DataBrief, Metric
from intelli.deliverables.forms import citation_table, columns, shorten, slides_pdf, typeset
from intelli.deliverables.forms.form import Edition, Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    file_kind,
    group_consecutive,
    lay_out,
    link,
    numeric_columns,
    plain_text,
)
from intelli.deliverables.forms.typeset import insert_breaks
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
)

Value = dict[str, Any]

# What a running head has room for.
_SHORT = 48
_MOST_ROWS_KEPT = 12
_MOST_CHARACTERS_KEPT = 900
_SHORT_FIGURE = 10
# Footnotes must leave room for the text; whole quotes are in the attached table.
_LONGEST_QUOTE = {Edition.CLEAN: 180, Edition.PROOF: 320}
_MOST_METRICS_A_LINE = 4
# As the template has it: 154 mm of text, 241 on a page that is turned, and the inset of cells.
_UPRIGHT = columns.TableSpace(width=436.5, padding=4, sizes=(8.5, 7.8, 7.2, 6.6))
_TURNED = columns.TableSpace(width=683.1, padding=4, sizes=(8.5, 7.8, 7.2, 6.6, 6, 5.5))


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the report as a PDF; slides as one page each."""
    if options.kind == "SLIDES":
        return slides_pdf.render(brief, paper, options)
    layout = lay_out(brief, paper, options.edition)
    composer = _Composer(layout, options)
    content = composer.content()
    files = {
        "main": assets.read_own("report.typ").encode(),
        "content.json": json.dumps(content, ensure_ascii=False).encode(),
        "citations.json": citation_table.to_json(layout, options),
        **composer.drawings,
    }
    return typeset.typeset(files)


class _Composer:
    """Converts a layout to the input of the template; a footnote is written where it is first cited."""

    def __init__(self, layout: PaperLayout, options: Options) -> None:
        self._layout = layout
        self._options = options
        self._written: set[int] = set()
        self.drawings: dict[str, bytes] = {}

    def content(self) -> Value:
        """Return the whole input of the template."""
        layout, brief = self._layout, self._layout.brief
        made_on = brief.made_on
        blocks = list(self._blocks(layout.blocks))
        return {
            "title": layout.title,
            "short": shorten.shorten(layout.title, _SHORT),
            "asked": layout.brief.question,
            "question": insert_breaks(layout.subtitle),
            "small-print": insert_breaks(layout.small_print),
            "made": layout.made,
            "lang": layout.language.partition("-")[0],
            "year": made_on.year,
            "month": made_on.month,
            "day": made_on.day,
            "heads": {each.id: shorten.shorten(each.text, _SHORT) for each in layout.headings},
            "has-contents": bool(layout.headings),
            "said": layout.phrases.model_dump(),
            "blocks": blocks,
            "notes": {str(note.number): self._note(note) for note in layout.footnotes.values()},
            "sources": list(self._sources()),
        }

    def _blocks(self, blocks: Sequence[Block]) -> Iterator[Value]:
        for block in blocks:
            match block:
                case Row():
                    yield from self._blocks(block.primary)
                    if block.sidebar:
                        yield {"type": "aside", "blocks": list(self._blocks(block.sidebar))}
                case SourcesList():
                    continue
                case _:
                    yield {"type": block.type, **self._block(block)}

    def _block(self, block: Block) -> Value:
        match block:
            case Heading():
                value = {"level": block.level, "text": insert_breaks(block.text), "id": block.id}
            case Paragraph() | QuoteBlock():
                value = {"runs": self._runs(block.runs)}
            case Callout():
                value = {"title": insert_breaks(block.title), "runs": self._runs(block.runs)}
            case Bullets() | Numbered():
                value = {"items": [self._runs(item) for item in block.items]}
            case Metrics():
                columns = _metrics_per_line(len(block.metrics))
                size = 16 if max((len(metric.shown) for metric in block.metrics), default=0) <= _SHORT_FIGURE else 12
                value = {"columns": columns, "size": size, "metrics": [self._metric(each) for each in block.metrics]}
            case TableBlock():
                value = self._table(block)
            case Chart():
                value = self._chart(block)
            case Row() | SourcesList():
                value = {}
        return value

    def _runs(self, runs: Runs) -> list[Value]:
        return [
            {
                "text": insert_breaks(run.text),
                "bold": run.bold,
                "italic": run.italic,
                "href": run.href,
                "marks": self._marks(self._layout.notes_after(run)),
            }
            for run in runs
        ]

    def _marks(self, notes: Sequence[Footnote]) -> list[Value]:
        marks = [{"number": note.number, "first": note.number not in self._written} for note in notes]
        self._written.update(note.number for note in notes)
        return marks

    def _metric(self, metric: Metric) -> Value:
        return {
            "shown": insert_breaks(metric.shown),
            "name": insert_breaks(metric.name),
            "about": insert_breaks(", ".join(each for each in (metric.entity, metric.period) if each)),
            "marks": self._marks(self._layout.named([metric.citation])),
        }

    def _table(self, table: TableBlock) -> Value:
        count = len(table.columns)
        is_numeric = numeric_columns(table)
        fit = columns.fit(self._layout, table, _UPRIGHT, _TURNED)
        rows = [
            [{"runs": self._runs(row[at] if at < len(row) else ()), "number": is_numeric[at]} for at in range(count)]
            for row in table.rows
        ]
        return {
            "caption": insert_breaks(table.caption),
            "columns": [
                {"text": insert_breaks(name), "number": number}
                for name, number in zip(table.columns, is_numeric, strict=True)
            ],
            "widths": fit.widths,
            "has-breaks": fit.has_breaks,
            "is-turned": fit.is_turned,
            "is-whole": _is_kept_on_page(table),
            "size": fit.size,
            "rows": rows,
        }

    def _chart(self, chart: Chart) -> Value:
        name = f"drawing-{len(self.drawings) + 1}.svg"
        self.drawings[name] = charts.draw_svg(chart.spec).encode()
        marks = self._marks(self._layout.named(chart.citations))
        return {"file": name, "alt": chart.alt, "caption": insert_breaks(chart.caption), "marks": marks}

    def _note(self, note: Footnote) -> Value:
        return {
            "source": note.cited.source,
            "name": insert_breaks(note.name),
            "place": insert_breaks(note.place),
            "quote": insert_breaks(shorten.shorten(note.cited.quote, _LONGEST_QUOTE[note.edition])),
            "check": note.cited.check,
            "verdict": insert_breaks(note.remark),
            "identifier": insert_breaks(note.shown_identifier),
            "url": link(note, self._options),
        }

    def _sources(self) -> Iterator[Value]:
        for source in self._layout.brief.sources:
            notes = self._layout.notes_of_source(source)
            yield {
                "number": source.number,
                "name": insert_breaks(self._layout.source_name(source)),
                "kind": insert_breaks(file_kind(source)),
                "noted": self._layout.noted(notes),
                "sha256": insert_breaks(source.sha256) if self._layout.is_proof else "",
                "url": link(source, self._options),
                "notes": [[note.number for note in dict.fromkeys(span)] for span in group_consecutive(notes)],
            }


def _metrics_per_line(count: int) -> int:
    """Return the number of figures per line: the most that fit, unless fewer leave less of the last line empty."""
    if count <= _MOST_METRICS_A_LINE:
        return max(count, 1)
    return min(range(_MOST_METRICS_A_LINE, 2, -1), key=lambda columns: -count % columns)


def _is_kept_on_page(table: TableBlock) -> bool:
    """Return whether a table is kept on one page, which only one that surely fits is."""
    said = sum(len(plain_text(cell)) for row in table.rows for cell in row)
    return len(table.rows) <= _MOST_ROWS_KEPT and said <= _MOST_CHARACTERS_KEPT
