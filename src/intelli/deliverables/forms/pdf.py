"""PDF form: tagged, with contents, running heads, footnotes and sources; the citations are also attached as JSON.

Typst sets it. All text reaches Typst as a value of a JSON file, never as markup.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from intelli.deliverables import assets, charts
from intelli.deliverables.brief import DataBrief, Metric
from intelli.deliverables.forms import citation_table, columns, shorten
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import Footnote, PaperLayout, file_kind, lay_out, link, numeric, plain, ranges
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

_UNIVERSAL_ACCESS = "ua-1"
# A word longer than a line would run out of the page.
_LONG_WORD = re.compile(r"[^\s\u200b]{28}(?=[^\s\u200b])")
# What a running head has room for.
_SHORT = 48
_MOST_ROWS_KEPT = 12
_MOST_CHARACTERS_KEPT = 900
_SHORT_FIGURE = 10
# Footnotes must leave room for the text; whole quotes are in the attached table.
_LONGEST_QUOTE = 320
_MOST_METRICS_A_LINE = 4
# As the template has it: 154 mm of text, 241 on a page that is turned, and the inset of cells.
_UPRIGHT = columns.TableSpace(width=436.5, padding=4, sizes=(8.5, 7.8, 7.2, 6.6))
_TURNED = columns.TableSpace(width=683.1, padding=4, sizes=(8.5, 7.8, 7.2, 6.6, 6, 5.5))


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the report as a PDF."""
    sheet = lay_out(brief, paper)
    composer = _Composer(sheet, options)
    content = composer.content()
    files = {
        "main": assets.own("report.typ").encode(),
        "content.json": json.dumps(content, ensure_ascii=False).encode(),
        "citations.json": citation_table.table(sheet, options),
        **composer.drawings,
    }
    return _compile(files)


def _compile(files: dict[str, bytes]) -> bytes:
    """Compile with the checks for universal access; when text without a font fails them, tagged without that claim."""
    import typst

    # Its types do not know that it takes several files.
    compile_files: Callable[..., bytes] = typst.compile
    try:
        return compile_files(files, font_paths=_fonts(), pdf_standards=_UNIVERSAL_ACCESS)
    except typst.TypstError:
        return compile_files(files, font_paths=_fonts())


@cache
def _fonts() -> list[str | Path]:
    fonts = assets.font_directory()
    return [fonts] if fonts is not None else []


class _Composer:
    """Converts a layout to the input of the template; a footnote is written where it is first cited."""

    def __init__(self, sheet: PaperLayout, options: Options) -> None:
        self._sheet = sheet
        self._options = options
        self._written: set[int] = set()
        self.drawings: dict[str, bytes] = {}

    def content(self) -> Value:
        """Return the whole input of the template."""
        sheet, brief = self._sheet, self._sheet.brief
        made_on = brief.made_on
        blocks = list(self._blocks(sheet.blocks))
        return {
            "title": sheet.title,
            "short": shorten.shortened(sheet.title, _SHORT),
            "asked": sheet.brief.question,
            "question": _soft(sheet.question),
            "made": sheet.made,
            "lang": sheet.language.partition("-")[0],
            "year": made_on.year,
            "month": made_on.month,
            "day": made_on.day,
            "heads": {each.id: shorten.shortened(each.text, _SHORT) for each in sheet.headings},
            "has-contents": bool(sheet.headings),
            "said": sheet.phrases.model_dump(),
            "blocks": blocks,
            "notes": {str(note.number): self._note(note) for note in sheet.footnotes.values()},
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
                value = {"level": block.level, "text": _soft(block.text), "id": block.id}
            case Paragraph() | QuoteBlock():
                value = {"runs": self._runs(block.runs)}
            case Callout():
                value = {"title": _soft(block.title), "runs": self._runs(block.runs)}
            case Bullets() | Numbered():
                value = {"items": [self._runs(item) for item in block.items]}
            case Metrics():
                columns = _columns(len(block.metrics))
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
                "text": _soft(run.text),
                "bold": run.bold,
                "italic": run.italic,
                "href": run.href,
                "marks": self._marks(self._sheet.cited_after(run)),
            }
            for run in runs
        ]

    def _marks(self, notes: Sequence[Footnote]) -> list[Value]:
        marks = [{"number": note.number, "first": note.number not in self._written} for note in notes]
        self._written.update(note.number for note in notes)
        return marks

    def _metric(self, metric: Metric) -> Value:
        return {
            "shown": _soft(metric.shown),
            "name": _soft(metric.name),
            "about": _soft(", ".join(each for each in (metric.entity, metric.period) if each)),
            "marks": self._marks(self._sheet.named([metric.citation])),
        }

    def _table(self, table: TableBlock) -> Value:
        count = len(table.columns)
        is_numeric = numeric(table)
        fit = columns.fit(self._sheet, table, _UPRIGHT, _TURNED)
        rows = [
            [{"runs": self._runs(row[at] if at < len(row) else ()), "number": is_numeric[at]} for at in range(count)]
            for row in table.rows
        ]
        return {
            "caption": _soft(table.caption),
            "columns": [
                {"text": _soft(name), "number": number} for name, number in zip(table.columns, is_numeric, strict=True)
            ],
            "widths": fit.widths,
            "has-breaks": fit.has_breaks,
            "is-turned": fit.is_turned,
            "is-whole": _is_whole(table),
            "size": fit.size,
            "rows": rows,
        }

    def _chart(self, chart: Chart) -> Value:
        name = f"drawing-{len(self.drawings) + 1}.svg"
        self.drawings[name] = charts.svg(chart.spec).encode()
        marks = self._marks(self._sheet.named(chart.citations))
        return {"file": name, "alt": chart.alt, "caption": _soft(chart.caption), "marks": marks}

    def _note(self, note: Footnote) -> Value:
        return {
            "source": note.cited.source,
            "name": _soft(note.file_name),
            "place": _soft(note.place),
            "quote": _soft(shorten.shortened(note.cited.quote, _LONGEST_QUOTE)),
            "check": note.cited.check,
            "verdict": _soft(note.verdict),
            "identifier": _soft(note.cited.identifier),
            "url": link(note, self._options),
        }

    def _sources(self) -> Iterator[Value]:
        for source in self._sheet.brief.sources:
            notes = self._sheet.of_source(source)
            yield {
                "number": source.number,
                "name": _soft(source.file_name),
                "kind": _soft(file_kind(source)),
                "noted": self._sheet.noted(notes),
                "sha256": _soft(source.sha256),
                "url": link(source, self._options),
                "notes": [[note.number for note in dict.fromkeys(span)] for span in ranges(notes)],
            }


def _columns(count: int) -> int:
    """Return the number of figures per line: the most that fit, unless fewer leave less of the last line empty."""
    if count <= _MOST_METRICS_A_LINE:
        return max(count, 1)
    return min(range(_MOST_METRICS_A_LINE, 2, -1), key=lambda columns: -count % columns)


def _is_whole(table: TableBlock) -> bool:
    """Return whether a table is kept on one page, which only one that surely fits is."""
    said = sum(len(plain(cell)) for row in table.rows for cell in row)
    return len(table.rows) <= _MOST_ROWS_KEPT and said <= _MOST_CHARACTERS_KEPT


def _soft(text: str) -> str:
    """Insert break opportunities into words that are longer than a line."""
    return _LONG_WORD.sub(lambda match: f"{match[0]}\u200b", text)
