"""Markdown form: headings, tables and footnotes in the common dialect. All text is escaped."""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from intelli.citations.marks import SIGNS
from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, Metric
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    file_kind,
    lay_out,
    link,
    numbers_of,
    numeric_columns,
)
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

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~!&$^])")
# What begins a list or underlines a heading when it stands first.
_LEADING = re.compile(r"^(\s*)([-+=:]|\d{1,9}[.)])(?=\s|$|-|=)")


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the whole report."""
    return _Writer(lay_out(brief, paper, options.edition), options).write().encode()


class _Writer:
    """Renders a layout; counts figures and tables as they are written."""

    def __init__(self, layout: PaperLayout, options: Options) -> None:
        self._layout = layout
        self._options = options
        self._figures = count(1)
        self._tables = count(1)

    def write(self) -> str:
        """Render the document."""
        parts = [f"# {_escape(self._layout.title)}", f"*{_escape(self._layout.made)}*"]
        if self._layout.subtitle:
            parts.append(f"> {_escape(self._layout.subtitle)}")
        parts += self._blocks(self._layout.blocks)
        parts += [f"## {self._layout.phrases.sources}", *self._sources(), *self._asked(), *self._footnotes()]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _blocks(self, blocks: Sequence[Block]) -> Iterator[str]:
        for block in blocks:
            if isinstance(block, Row):
                yield from self._blocks(block.primary)
                yield from self._blocks(block.sidebar)
            else:
                yield self._block(block)

    def _block(self, block: Block) -> str:
        match block:
            case Heading():
                written = f"{'#' * (block.level + 1)} {_escape(block.text)}"
            case Paragraph():
                written = _escape_start(self._runs(block.runs))
            case QuoteBlock():
                written = f"> {_escape_start(self._runs(block.runs))}"
            case Callout():
                title = f"> **{_escape(block.title)}**\n>\n" if block.title.strip() else ""
                written = f"{title}> {_escape_start(self._runs(block.runs))}"
            case Bullets():
                written = "\n".join(f"- {_escape_start(self._runs(item))}" for item in block.items)
            case Numbered():
                numbered = enumerate(block.items, start=1)
                written = "\n".join(f"{number}. {_escape_start(self._runs(item))}" for number, item in numbered)
            case Metrics():
                written = "\n".join(self._metric(metric) for metric in block.metrics)
            case TableBlock():
                written = self._table(block)
            case Chart():
                written = self._chart(block)
            case Row() | SourcesList():
                written = ""
        return written

    def _runs(self, runs: Runs) -> str:
        return "".join(self._run(run) for run in runs)

    def _run(self, run: TextRun) -> str:
        words = run.text.strip(" ")
        text = _escape(words)
        mark = f"{'**' * run.bold}{'*' * run.italic}" if words else ""
        text = f"{mark}{text}{mark[::-1]}"
        if run.href and words:
            text = f"[{text}](<{run.href}>)"
        before, after = run.text[: len(run.text) - len(run.text.lstrip(" "))], run.text[len(run.text.rstrip(" ")) :]
        return f"{before}{text}{after if words else ''}{_footnote_marks(self._layout.notes_after(run))}"

    def _metric(self, metric: Metric) -> str:
        about = ", ".join(each for each in (metric.entity, metric.period) if each)
        named = f"{metric.name} ({about})" if about else metric.name
        return f"- **{_escape(metric.shown)}** {_escape(named)}{_footnote_marks(self._layout.named([metric.citation]))}"

    def _table(self, table: TableBlock) -> str:
        caption = f": {_escape(table.caption)}" if table.caption else ""
        rows = [[self._runs(cell) for cell in row] for row in table.rows]
        title = f"**{self._layout.phrases.table} {next(self._tables)}**{caption}"
        return f"{title}\n\n{_grid([_escape(each) for each in table.columns], rows, numeric_columns(table))}"

    def _chart(self, chart: Chart) -> str:
        caption = f": {_escape(chart.caption)}" if chart.caption else ""
        cited = _footnote_marks(self._layout.named(chart.citations))
        title = f"**{self._layout.phrases.figure} {next(self._figures)}**{caption}{cited}"
        plotted = charts.find_plotted(chart.spec)
        if plotted is None:
            return f"{title}\n\n*{_escape(chart.alt)}*"
        rows = [[_escape(label), _escape(shown)] for label, shown in zip(plotted.labels, plotted.shown, strict=True)]
        return (
            f"{title}\n\n{_grid(['', _escape(charts.unit_or_title(chart.spec) or chart.caption)], rows, [False, True])}"
        )

    def _sources(self) -> Iterator[str]:
        for source in self._layout.brief.sources:
            address = link(source, self._options)
            named = _escape(self._layout.source_name(source))
            name = f"[{named}](<{address}>)" if address else named
            notes = self._layout.notes_of_source(source)
            cited = f", {self._layout.noted(notes)} {numbers_of(notes)}" if notes else ""
            sha256 = f", sha256 `{source.sha256.replace('`', '')}`" if self._layout.is_proof else ""
            yield f"\\[{source.number}\\] {name} ({_escape(file_kind(source))}){cited}{sha256}"

    def _asked(self) -> Iterator[str]:
        if self._layout.small_print:
            yield f"*{_escape(self._layout.small_print)}*"

    def _footnotes(self) -> Iterator[str]:
        for note in self._layout.footnotes.values():
            address = link(note, self._options)
            name = _escape(note.name)
            opened = f"[{name}](<{address}>)" if address else name
            place = f", {_escape(note.place)}" if note.place else ""
            check = f" ({_escape(f'{SIGNS[note.cited.check]} {note.remark}')})" if note.remark else ""
            quote = f": \u201c{_escape(note.cited.quote)}\u201d" if note.cited.quote else ""
            named = note.shown_identifier.replace("`", "")
            identifier = f" `{named}`" if named else ""
            yield f"[^{note.number}]: {opened}{place}{quote}{check}{identifier}"


def _footnote_marks(notes: Sequence[Footnote]) -> str:
    return "".join(f"[^{note.number}]" for note in notes)


def _escape(text: str) -> str:
    """Escape text so that Markdown shows it as it is."""
    return _MARKUP.sub(r"\\\1", text)


def _escape_start(line: str) -> str:
    """Escape the beginning of a line so that it starts no list."""
    return _LEADING.sub(lambda match: f"{match[1]}{_escape_last(match[2])}", line.lstrip(" "))


def _escape_last(mark: str) -> str:
    return f"{mark[:-1]}\\{mark[-1]}"


def _grid(columns: Sequence[str], rows: Sequence[Sequence[str]], is_numeric: Sequence[bool]) -> str:
    lines = [columns, ["---:" if each else "---" for each in is_numeric], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
