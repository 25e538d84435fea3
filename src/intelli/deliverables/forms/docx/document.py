"""The Word document: cover, contents, blocks, sources, running head and page numbers."""

import io
from collections.abc import Sequence
from datetime import UTC, datetime, time
from itertools import count
from typing import Any

import docx
from docx.enum.section import WD_ORIENT

from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, ListedSource
from intelli.deliverables.forms import citation_table, zip_pack
from intelli.deliverables.forms.docx import (
    contents,
    embedded_record,
    fields,
    footnotes,
    numbering,
    read_report,
    styles,
    tables,
)
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import PaperLayout, file_kind, flatten, lay_out, link
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


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the report as a Word document."""
    writer = _Writer(lay_out(brief, paper, options.edition), options)
    writer.write()
    saved = io.BytesIO()
    writer.document.save(saved)
    return zip_pack.make_reproducible(saved.getvalue())


class _Writer:
    """Writes a layout into a document; counts figures, tables and bookmarks as they are written."""

    def __init__(self, layout: PaperLayout, options: Options) -> None:
        self.document = docx.Document()
        self.layout = layout
        self._options = options
        styles.apply(self.document, layout.language)
        self.styles = styles.StyleIds(self.document)
        self._footnotes = footnotes.Footnotes(self.document, options, self.styles)
        self._figures = count(1)
        self._tables = count(1)
        self._bookmarks = count(1)

    def write(self) -> None:
        """Write the whole document."""
        self._properties()
        self._cover()
        self._edges()
        if not self._begins_with_heading():
            self.document.add_page_break()
        self.blocks(self.layout.blocks)
        self._sources()
        self._footnotes.finish()
        footnotes.declare_separators(self.document)
        names = read_report.style_names_of(self.document.styles.element)
        wording = read_report.read_wording(self.document.element.body, names, self._footnotes.names)
        checks = {footnotes.name_of(note): note.cited.check for note in self.layout.footnotes.values()}
        embedded_record.attach(self.document, wording, citation_table.to_dict(self.layout, self._options), checks)

    def blocks(self, blocks: Sequence[Block]) -> None:
        """Write some blocks, one after the other."""
        for block in blocks:
            self._block(block)

    def _block(self, block: Block) -> None:
        self._turn(is_wide=isinstance(block, TableBlock) and tables.fit(self.layout, block).is_turned)
        match block:
            case Heading():
                self._heading(block.text, block.level, block.id)
            case Paragraph():
                self.runs(self.document.add_paragraph(), block.runs)
            case QuoteBlock():
                self.runs(self.paragraph("Intelli Quote"), block.runs)
            case Callout():
                self._callout(block)
            case Bullets():
                self._items(block.items, "List Bullet")
            case Numbered():
                self._numbered(block.items)
            case Metrics():
                tables.write_metrics(self, block.metrics)
            case TableBlock():
                self._caption("Table", next(self._tables), block.caption)
                tables.write_table(self, block)
            case Chart():
                self._chart(block)
            case Row():
                self.blocks(block.primary)
                self.blocks(block.sidebar)
            case SourcesList():
                return

    def runs(self, paragraph: Any, runs: Runs) -> None:
        """Write text with its styles, links and footnotes."""
        for run in runs:
            if run.href:
                fields.add_link(paragraph, run.text, run.href)
            elif run.text:
                made = paragraph.add_run(run.text)
                made.bold, made.italic = run.bold or None, run.italic or None
            self._footnotes.refer(paragraph, self.layout.notes_after(run))

    def cite(self, paragraph: Any, identifiers: Sequence[str]) -> None:
        """Write footnotes for identifiers."""
        self._footnotes.refer(paragraph, self.layout.named(identifiers))

    def paragraph(self, style: str, text: str = "") -> Any:
        """Add a paragraph in a style."""
        return self.styles.put(self.document.add_paragraph(text), style)

    def _callout(self, callout: Callout) -> None:
        if callout.title:
            self.paragraph("Intelli Callout Title", callout.title)
        self.runs(self.paragraph("Intelli Callout"), callout.runs)

    def _items(self, items: Sequence[Runs], style: str) -> None:
        for item in items:
            self.runs(self.paragraph(style), item)

    def _numbered(self, items: Sequence[Runs]) -> None:
        """Write a list that begins at 1, which Word does only for a list with a number of its own."""
        list_id = numbering.create_list(self.document)
        for item in items:
            paragraph = self.paragraph("List Number")
            numbering.add_item(paragraph, list_id)
            self.runs(paragraph, item)

    def _heading(self, text: str, level: int, name: str) -> None:
        paragraph = self.paragraph(f"Heading {level}", text)
        if name == "s1" and self._begins_with_heading():
            paragraph.paragraph_format.page_break_before = True
        fields.bookmark(paragraph, f"_Toc_{name}", next(self._bookmarks))

    def _caption(self, kind: str, number: int, text: str, identifiers: Sequence[str] = ()) -> None:
        """Write a caption with Word's own counter, above a table and below a figure."""
        said = self.layout.phrases
        paragraph = self.paragraph("Caption")
        paragraph.paragraph_format.keep_with_next = True if kind == "Table" else None
        paragraph.add_run(f"{said.table if kind == 'Table' else said.figure} ").bold = True
        fields.add_field(paragraph, rf"SEQ {kind} \* ARABIC", str(number))
        paragraph.add_run(f": {text}" if text else "")
        self.cite(paragraph, identifiers)

    def _chart(self, chart: Chart) -> None:
        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.keep_with_next = True
        picture = io.BytesIO(charts.draw_png(chart.spec))
        inline = paragraph.add_run().add_picture(picture, width=styles.TEXT_WIDTH)
        inline._inline.docPr.set("descr", chart.alt)  # the library has no call for it
        self._caption("Figure", next(self._figures), chart.caption, chart.citations)

    def _begins_with_heading(self) -> bool:
        return isinstance(next(flatten(self.layout.blocks), None), Heading)

    def _properties(self) -> None:
        core, brief = self.document.core_properties, self.layout.brief
        core.title, core.subject, core.author = self.layout.title[:255], brief.question[:255], "Intelli"
        core.keywords, core.last_modified_by = "", "Intelli"
        # The library takes 255 characters of it, the format all.
        core.comments = ""
        core._element.description.text = brief.question
        core.language = self.layout.language
        core.created = core.modified = datetime.combine(brief.made_on, time(), UTC)

    def _cover(self) -> None:
        self.paragraph("Title", self.layout.title)
        if self.layout.subtitle:
            self.paragraph("Subtitle", self.layout.subtitle)
        self.paragraph("Intelli Made", self.layout.made)
        contents.write_contents(self.paragraph, self.layout)

    def _edges(self) -> None:
        """Write running head and page numbers; the cover has the number alone."""
        section = self.document.sections[0]
        contents.write_running_head(section.header, self.layout.title)
        contents.write_page_number(section.footer)
        contents.write_page_number(section.first_page_footer)

    def _turn(self, *, is_wide: bool) -> None:
        """Start a section in the other orientation, if the current one differs."""
        now = self.document.sections[-1]
        if (now.orientation == WD_ORIENT.LANDSCAPE) == is_wide:
            return
        begun = self.document.add_section()
        begun.orientation = WD_ORIENT.LANDSCAPE if is_wide else WD_ORIENT.PORTRAIT
        begun.page_width, begun.page_height = now.page_height, now.page_width
        begun.different_first_page_header_footer = False

    def _sources(self) -> None:
        self._turn(is_wide=False)
        self._heading(self.layout.phrases.sources, 1, "sources")
        for source in self.layout.brief.sources:
            self._source(source)
        if self.layout.small_print:
            self.paragraph("Intelli Made", self.layout.small_print)

    def _source(self, source: ListedSource) -> None:
        paragraph = self.paragraph("Intelli Source", f"[{source.number}] ")
        address = link(source, self._options)
        if address:
            fields.add_link(paragraph, self.layout.source_name(source), address)
        else:
            paragraph.add_run(self.layout.source_name(source)).bold = True
        paragraph.add_run(f" \u00b7 {file_kind(source)}")
        if notes := self.layout.notes_of_source(source):
            paragraph.add_run(f" \u00b7 {self.layout.noted(notes)}")
            self._footnotes.list_numbers(paragraph, notes)
        if self.layout.is_proof:
            paragraph.add_run().add_break()
            self.styles.add_run(paragraph, "Intelli Identifier", f"sha256 {source.sha256}")
        fields.bookmark(paragraph, f"source_{source.number}", next(self._bookmarks))
