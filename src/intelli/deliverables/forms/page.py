"""HTML of a layout (blocks, footnotes and sources) for every form that is a page. All text is escaped."""

from collections.abc import Sequence
from html import escape
from itertools import count
from typing import Literal

from intelli.citations.marks import SIGNS
from intelli.deliverables import charts
from intelli.deliverables.brief import ListedSource, Metric
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    file_kind,
    group_consecutive,
    link,
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
    Paragraph,
    QuoteBlock,
    Row,
    Runs,
    SourcesList,
    TableBlock,
    TextRun,
)

# Copied out of the page, the number of a note must not run into a figure before it; nor may a line end between.
_APART = "&#8202;&#8288;"


class HtmlPage:
    """Renders the parts of a page; counts figures and tables as they are written."""

    def __init__(self, layout: PaperLayout, options: Options, *, target: Literal["note", "source"] = "note") -> None:
        self._layout = layout
        # Where a mark leads: slides have their notes elsewhere.
        self._target = target
        self._options = options
        self._figures = count(1)
        self._tables = count(1)

    def contents(self) -> str:
        """Render the table of contents."""
        items = (
            f'<li class="level-{heading.level}"><a href="#{heading.id}">{escape(heading.text)}</a></li>'
            for heading in self._layout.headings
            if heading.level <= 2
        )
        said = self._layout.phrases
        return (
            f'<ol class="contents">{"".join(items)}<li class="level-1"><a href="#sources">{said.sources}</a></li></ol>'
        )

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Render some blocks, one below the other."""
        return "\n".join(self._block(block) for block in blocks)

    def footnotes(self) -> str:
        """Render every cited passage with its words, its place and its check."""
        items = "\n".join(self.footnote(note) for note in self._layout.footnotes.values())
        return f'<ol class="footnotes">\n{items}\n</ol>' if items else ""

    def sources(self) -> str:
        """Render the list of sources."""
        items = "\n".join(self.source(source) for source in self._layout.brief.sources)
        return f'<ol class="sources">\n{items}\n</ol>' if items else ""

    def runs(self, runs: Runs) -> str:
        """Render a line of text with its citations."""
        return "".join(self._run(run) for run in runs)

    def marks(self, notes: Sequence[Footnote]) -> str:
        """Render citations as links to their footnotes."""
        return "".join(
            f'{_APART}<a class="cite {note.cited.check}" href="#{self._address(note)}"'
            f' data-identifier="{escape(note.cited.identifier)}" title="{escape(_summary(note))}">{note.number}</a>'
            for note in notes
        )

    def _numbered(self, note: Footnote) -> str:
        is_linked = self._target == "note"
        return f'<a href="#note-{note.number}">{note.number}</a>' if is_linked else str(note.number)

    def _address(self, note: Footnote) -> str:
        return f"note-{note.number}" if self._target == "note" else f"source-{note.cited.source}"

    def _block(self, block: Block) -> str:
        match block:
            case Heading():
                tag = f"h{block.level + 1}"
                written = f'<{tag} id="{block.id}">{escape(block.text)}</{tag}>'
            case Paragraph():
                written = f"<p>{self.runs(block.runs)}</p>"
            case QuoteBlock():
                written = f"<blockquote><p>{self.runs(block.runs)}</p></blockquote>"
            case Callout():
                title = f"<h4>{escape(block.title)}</h4>" if block.title else ""
                written = f'<aside class="callout">{title}<p>{self.runs(block.runs)}</p></aside>'
            case Bullets() | Numbered():
                written = self._list(block)
            case Metrics():
                written = f'<dl class="metrics">{"".join(self.metric(each) for each in block.metrics)}</dl>'
            case TableBlock():
                written = self._table(block)
            case Chart():
                written = self._chart(block)
            case Row():
                beside = f'<div class="beside">{self.blocks(block.sidebar)}</div>' if block.sidebar else ""
                written = f'<div class="row"><div class="primary">{self.blocks(block.primary)}</div>{beside}</div>'
            case SourcesList():
                written = ""
        return written

    def _list(self, block: Bullets | Numbered) -> str:
        tag = "ul" if isinstance(block, Bullets) else "ol"
        items = "".join(f"<li>{self.runs(item)}</li>" for item in block.items)
        return f"<{tag}>{items}</{tag}>"

    def _run(self, run: TextRun) -> str:
        text = escape(run.text)
        if run.italic:
            text = f"<em>{text}</em>"
        if run.bold:
            text = f"<strong>{text}</strong>"
        if run.href:
            text = f'<a href="{escape(run.href)}" rel="noreferrer">{text}</a>'
        return text + self.marks(self._layout.notes_after(run))

    def metric(self, metric: Metric) -> str:
        """Render a figure with its name, as a list item."""
        about = ", ".join(each for each in (metric.entity, metric.period) if each)
        small = f"<small>{escape(about)}</small>" if about else ""
        cited = self.marks(self._layout.named([metric.citation]))
        return f"<div><dt>{escape(metric.name)}{small}</dt><dd>{escape(metric.shown)}{cited}</dd></div>"

    def _table(self, table: TableBlock) -> str:
        caption = f": {escape(table.caption)}" if table.caption else ""
        said = self._layout.phrases
        return (
            f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.caption or said.table)}"><table>'
            f"<caption><b>{said.table} {next(self._tables)}</b>{caption}</caption>"
            f"{self.rows(table)}</table></div>"
        )

    def rows(self, table: TableBlock) -> str:
        """Render head and body of a table."""
        kinds = [' class="number"' if is_numeric else "" for is_numeric in numeric_columns(table)]
        names = zip(kinds, table.columns, strict=True)
        head = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for kind, name in names)
        rows = "".join(
            "<tr>"
            + "".join(f"<td{kind}>{self.runs(cell)}</td>" for kind, cell in zip(kinds, row, strict=False))
            + "</tr>"
            for row in table.rows
        )
        return f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"

    def _chart(self, chart: Chart) -> str:
        caption = f": {escape(chart.caption)}" if chart.caption else ""
        wide, narrow = charts.draw_svg(chart.spec), charts.draw_svg(charts.narrow(chart.spec))
        return (
            f'<figure><div class="chart" role="img" aria-label="{escape(chart.alt)}">'
            f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div></div>'
            f"<figcaption><b>{self._layout.phrases.figure} {next(self._figures)}</b>{caption}"
            f"{self.marks(self._layout.named(chart.citations))}</figcaption></figure>"
        )

    def footnote(self, note: Footnote) -> str:
        """Render a cited passage, as a list item."""
        cited = note.cited
        quote = f"<q>{escape(cited.quote)}</q>" if cited.quote else ""
        address = link(note, self._options)
        opens = f' <a href="{escape(address)}" rel="noreferrer">{note.phrases.open}</a>' if address else ""
        place = f", {escape(note.place)}" if note.place else ""
        return (
            f'<li id="note-{note.number}" value="{note.number}" data-identifier="{escape(cited.identifier)}">'
            f'<a href="#source-{cited.source}">{escape(note.name)}</a>{place}{opens}{quote}'
            f"{_remark(note)}{_code(note.shown_identifier)}</li>"
        )

    def source(self, source: ListedSource) -> str:
        """Render a source, as a list item."""
        address = link(source, self._options)
        name = escape(self._layout.source_name(source))
        title = f'<a href="{escape(address)}" rel="noreferrer">{name}</a>' if address else f"<b>{name}</b>"
        notes = self._layout.notes_of_source(source)
        cited = ", ".join("\u2013".join(map(self._numbered, dict.fromkeys(span))) for span in group_consecutive(notes))
        used = f'<span class="used">{self._layout.noted(notes)} {cited}</span>' if cited else ""
        return (
            f'<li id="source-{source.number}"><b class="of">[{source.number}]</b> {title}'
            f" <small>{escape(file_kind(source))}</small>"
            f" {used}{_code(f'sha256 {source.sha256}' if self._layout.is_proof else '')}</li>"
        )


def _remark(note: Footnote) -> str:
    check = note.cited.check
    return f'<span class="check {check}">{SIGNS[check]} {escape(note.remark)}</span>' if note.remark else ""


def _code(text: str) -> str:
    return f" <code>{escape(text)}</code>" if text else ""


def _summary(note: Footnote) -> str:
    place = f", {note.place}" if note.place else ""
    quote = note.cited.quote if len(note.cited.quote) <= 200 else f"{note.cited.quote[:200]}\u2026"
    return f"{note.name}{place}: \u201c{quote}\u201d"
