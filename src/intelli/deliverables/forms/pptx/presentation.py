"""The presentation: cover, slides of the deck, sources; what a slide leaves out and its citations are in its notes."""

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any
from xml.sax.saxutils import escape

from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches, Pt

from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, ListedSource
from intelli.deliverables.forms import citation_table, columns, deck, zip_pack
from intelli.deliverables.forms.deck import Slide
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    lay_out,
    link,
    numbers_of,
    numeric_columns,
    plain_text,
)
from intelli.deliverables.forms.pptx import master, parts
from intelli.deliverables.forms.pptx.master import INNER, LEFT, RIGHT, TOP, WIDTH
from intelli.deliverables.paper import Paper, Runs, TableBlock

# A table of so many is set in larger letters.
_FEW_ROWS, _FEW_COLUMNS = 9, 5
_SMALL = (13.0, 12.0, 11.0, 10.0, 9.0)
_LARGE = (16.0, 14.5, *_SMALL)
_STEPS = ((140, 6), (300, 3), (520, 0))
_ACROSS = {1: 1, 2: 2, 4: 2}
_COLOURS = {"verified": parts.ACCENT, "weak": parts.WARN, "failed": parts.BAD, "unchecked": parts.FAINT}
_NAMESPACE = "urn:intelli:citations:1"


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the report as a presentation."""
    writer = _Writer(lay_out(brief, paper, options.edition), options)
    writer.write()
    saved = io.BytesIO()
    writer.presentation.save(saved)
    return zip_pack.make_reproducible(saved.getvalue())


class _Writer:
    """Writes the slides of a layout."""

    def __init__(self, layout: PaperLayout, options: Options) -> None:
        self._layout = layout
        self._options = options
        self.presentation = master.create()

    def write(self) -> None:
        """Write the whole presentation."""
        self._properties()
        self._cover()
        for slide in deck.slides_of(self._layout):
            self._slide(slide)
        if self._layout.brief.sources:
            self._sources()
        self._attach_citations()

    def _slide(self, slide: Slide) -> None:
        has_points = slide.chart is None and slide.table is None and not slide.metrics and not slide.quote
        made = self._begin(slide.title, master.CONTENT if has_points and slide.lines else master.TITLE_ONLY)
        self._cite(made.shapes.title.text_frame.paragraphs[0], slide.title_notes, 16)
        if slide.above:
            above = parts.get_paragraph(parts.add_text_box(made, master.ABOVE, has_margin=False), is_first=True)
            self._say(above, slide.above, parts.Look(13, parts.ACCENT, is_bold=True))
        if slide.chart is not None:
            self._chart(made, slide)
        elif slide.table is not None:
            self._table(made, slide.table, slide.title)
        elif slide.metrics:
            self._metrics(made, slide)
        elif slide.quote:
            self._quote(made, slide.quote)
        elif slide.lines:
            self._points(made.placeholders[1].text_frame, slide.lines, 22)
        self._foot(made, deck.shown_notes(self._layout, slide))
        self._notes(made, slide)

    def _begin(self, title: str, layout: int) -> Any:
        made = self.presentation.slides.add_slide(self.presentation.slide_layouts[layout])
        frame = made.shapes.title.text_frame
        run = frame.paragraphs[0].add_run()
        run.text = title[:300]
        if len(title) > 90:
            run.font.size = Pt(22)
        return made

    def _say(self, paragraph: Any, text: str, look: Any) -> None:
        paragraph.alignment = PP_ALIGN.LEFT
        parts.add_run(paragraph, text, look)

    def _runs(self, paragraph: Any, runs: Runs, look: Any) -> None:
        for run in runs:
            styled = replace(look, is_bold=look.is_bold or run.bold, is_italic=look.is_italic or run.italic)
            if run.text:
                parts.add_run(paragraph, run.text, styled, run.href)
            self._cite(paragraph, self._layout.notes_after(run), look.size)

    def _cite(self, paragraph: Any, notes: Sequence[Footnote], size: float) -> None:
        """Write numbers of footnotes, raised, directly after the last word."""
        for at, note in enumerate(notes):
            look = parts.Look(max(size, 11), _COLOURS[note.cited.check])
            if at:
                parts.make_superscript(parts.add_run(paragraph, ",", look))
            parts.make_superscript(parts.add_run(paragraph, str(note.number), look, link(note, self._options)))

    def _points(self, frame: Any, lines: Sequence[Runs], size: float) -> None:
        fitting = _choose_size(lines, size)
        for at, runs in enumerate(lines):
            self._runs(parts.get_paragraph(frame, is_first=at == 0, after=12), runs, parts.Look(fitting))

    def _chart(self, made: Any, slide: Slide) -> None:
        chart = slide.chart
        assert chart is not None, "the slide is one with a chart"
        left = LEFT + 4.6 if slide.lines else LEFT
        box = parts.Box(left, TOP, WIDTH - RIGHT - left, 4.4)
        if slide.lines:
            frame = parts.add_text_box(made, parts.Box(LEFT, TOP, 4.3, 4.9), has_margin=False)
            self._points(frame, slide.lines, 16)
            for paragraph in frame.paragraphs:
                parts.add_bullet(paragraph)
        plotted = charts.find_plotted(chart.spec)
        if plotted is not None:
            graphic = parts.add_chart(made, plotted, box, chart.caption)
            parts.set_alt_text(graphic._element, chart.alt)
        else:
            self._picture(made, slide, box)
        caption = parts.add_text_box(made, parts.Box(left, TOP + 4.45, box.width, 0.4))
        paragraph = parts.get_paragraph(caption, is_first=True)
        named = chart.spec.get("title", {}).get("text", "")
        fresh = [each for each in dict.fromkeys((chart.caption, named)) if each and each not in slide.title]
        said = fresh or [charts.unit_or_title(chart.spec)]
        self._say(paragraph, " \u00b7 ".join(said), parts.Look(12, parts.FAINT))
        self._cite(paragraph, self._layout.named(chart.citations), 14)

    def _picture(self, made: Any, slide: Slide, box: Any) -> None:
        assert slide.chart is not None, "the slide is one with a chart"
        picture = made.shapes.add_picture(
            io.BytesIO(charts.draw_png(slide.chart.spec, 3)), Inches(box.left), Inches(box.top)
        )
        scale = min(Inches(box.width) / picture.width, Inches(box.height) / picture.height)
        picture.width, picture.height = int(picture.width * scale), int(picture.height * scale)
        parts.set_alt_text(picture._element, slide.chart.alt)

    def _table(self, made: Any, table: TableBlock, title: str) -> None:
        if not table.columns:
            return
        rows, across = len(table.rows) + 1, len(table.columns)
        is_small = rows <= _FEW_ROWS and across <= _FEW_COLUMNS
        height, sizes = (0.5, _LARGE) if is_small else (0.42, _SMALL)
        fit = columns.fit(self._layout, table, columns.TableSpace(INNER * 72, parts.CELL_PADDING * 72, sizes))
        look = parts.Look(fit.size)
        top = TOP + (0.35 if table.caption not in title else 0.05)
        graphic = made.shapes.add_table(rows, across, *parts.Box(LEFT, top, INNER, height * rows).emu)
        grid = graphic.table
        for column, width in zip(grid.columns, fit.widths, strict=True):
            column.width = Pt(width)
        grid.first_row, grid.horz_banding = True, False
        parts.set_alt_text(graphic._element, table.caption or self._layout.phrases.table)
        is_numeric = numeric_columns(table)
        for at, name in enumerate(table.columns):
            paragraph = parts.format_cell(grid.cell(0, at), is_head=True, is_number=is_numeric[at])
            parts.add_run(paragraph, name, replace(look, is_bold=True))
        for number, row in enumerate(table.rows, start=1):
            for at, content in enumerate(row):
                paragraph = parts.format_cell(grid.cell(number, at), is_head=False, is_number=is_numeric[at])
                self._runs(paragraph, content, look)
        if table.caption not in title:
            caption = parts.add_text_box(made, parts.Box(LEFT, TOP - 0.1, INNER, 0.4), has_margin=False)
            self._say(parts.get_paragraph(caption, is_first=True), table.caption, parts.Look(13, parts.FAINT))

    def _metrics(self, made: Any, slide: Slide) -> None:
        across = _ACROSS.get(len(slide.metrics), 3)
        width = (INNER - 0.3 * (across - 1)) / across
        for at, metric in enumerate(slide.metrics):
            left, top = LEFT + (at % across) * (width + 0.3), TOP + 0.2 + (at // across) * 2.35
            ground = made.shapes.add_shape(1, *parts.Box(left, top, width, 2.1).emu)
            parts.fill(ground, parts.TINT)
            frame = ground.text_frame
            frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
            frame.margin_top = frame.margin_left = Inches(0.25)
            size = 40 if len(metric.shown) <= 10 else 26
            shown = parts.get_paragraph(frame, is_first=True, after=4)
            self._say(shown, metric.shown, parts.Look(size, parts.ACCENT, is_bold=True))
            self._cite(shown, self._layout.named([metric.citation]), 24)
            self._say(parts.get_paragraph(frame, is_first=False, after=0), metric.name, parts.Look(15))
            about = ", ".join(each for each in (metric.entity, metric.period) if each)
            self._say(parts.get_paragraph(frame, is_first=False, after=0), about, parts.Look(12, parts.FAINT))

    def _quote(self, made: Any, runs: Runs) -> None:
        rule = made.shapes.add_shape(1, *parts.Box(LEFT, 2.3, 0.06, 2.6).emu)
        parts.fill(rule, parts.ACCENT)
        frame = parts.add_text_box(made, parts.Box(LEFT + 0.4, 2.3, INNER - 0.8, 2.6), is_centred=True)
        self._runs(parts.get_paragraph(frame, is_first=True), runs, parts.Look(26, parts.SOFT, is_italic=True))

    def _foot(self, made: Any, notes: Sequence[Footnote]) -> None:
        """Write sources and the number of the slide, which PowerPoint counts."""
        small = parts.Look(10, parts.FAINT)
        frame = parts.add_text_box(made, parts.Box(LEFT, 6.88, INNER - 1, 0.45), has_margin=False)
        line = parts.get_paragraph(frame, is_first=True, after=0)
        places = deck.places_of(notes)
        for numbers, place in places[: deck.MOST_AT_FOOT]:
            parts.make_superscript(parts.add_run(line, f"{numbers}\u2009", small))
            self._say(line, f"{place}   ", small)
        if len(places) > deck.MOST_AT_FOOT:
            self._say(line, f"+{len(places) - deck.MOST_AT_FOOT} \u2192 {self._layout.phrases.notes}", small)
        number = parts.add_text_box(made, parts.Box(WIDTH - RIGHT - 0.8, 6.88, 0.8, 0.45), has_margin=False)
        paragraph = parts.get_paragraph(number, is_first=True, align=PP_ALIGN.RIGHT)
        at = len(self.presentation.slides)
        paragraph._p.append(
            parse_xml(
                f'<a:fld {nsdecls("a")} id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum">'
                f'<a:rPr lang="en-US" sz="1000"><a:solidFill><a:srgbClr val="{parts.FAINT}"/></a:solidFill></a:rPr>'
                f"<a:t>{at}</a:t></a:fld>"
            )
        )

    def _notes(self, made: Any, slide: Slide) -> None:
        """Write the notes: all that the section says, then its footnotes with quote and check."""
        lines = [*(each for each in slide.spoken if each), *map(self._note, slide.footnotes)]
        made.notes_slide.notes_text_frame.text = "\n".join(lines) or slide.title

    def _note(self, note: Footnote) -> str:
        address = link(note, self._options)
        return f"{deck.spoken_note(note)}{f' {address}' if address else ''}"

    def _cover(self) -> None:
        made = self.presentation.slides.add_slide(self.presentation.slide_layouts[master.COVER])
        title, line = made.shapes.title, made.placeholders[1]
        title.text_frame.text = self._layout.title
        length = len(self._layout.title)
        title.text_frame.paragraphs[0].runs[0].font.size = Pt(46 if length <= 60 else 34 if length <= 120 else 24)
        first = line.text_frame.paragraphs[0]
        self._say(first, self._layout.made, parts.Look(14, parts.ACCENT, is_bold=True))
        if self._layout.subtitle:
            self._say(line.text_frame.add_paragraph(), self._layout.subtitle, parts.Look(18, parts.SOFT))
        made.notes_slide.notes_text_frame.text = "\n".join([self._layout.title, self._layout.brief.question])

    def _sources(self) -> None:
        made = self._begin(self._layout.phrases.sources, master.CONTENT)
        shown, beside = deck.sources_of(self._layout)
        sources = [source for source in self._layout.brief.sources if source.number in shown]
        frame = made.placeholders[1].text_frame
        for at, source in enumerate(sources):
            paragraph = parts.get_paragraph(frame, is_first=at == 0, after=7)
            parts.remove_bullet(paragraph)
            self._say(paragraph, f"[{source.number}] ", parts.Look(15, parts.ACCENT, is_bold=True))
            name = self._layout.source_name(source)[:140]
            parts.add_run(paragraph, name, parts.Look(15), link(source, self._options))
            if notes := self._layout.notes_of_source(source):
                used = f"   {self._layout.noted(notes)} {numbers_of(notes)}"
                parts.add_run(paragraph, used, parts.Look(12, parts.SOFT))
        if beside:
            paragraph = parts.get_paragraph(frame, is_first=not sources)
            parts.remove_bullet(paragraph)
            self._say(paragraph, f"+{beside} \u2192 {self._layout.phrases.notes}", parts.Look(12, parts.FAINT))
        made.notes_slide.notes_text_frame.text = "\n".join(map(self._source, self._layout.brief.sources))
        self._foot(made, ())

    def _source(self, source: ListedSource) -> str:
        named = f"[{source.number}] {self._layout.source_name(source)}"
        proof = f" ({source.mime_type}) sha256 {source.sha256}" if self._layout.is_proof else ""
        return f"{named}{proof}"

    def _attach_citations(self) -> None:
        """Attach the citations as data, which no slide shows."""
        package = self.presentation.part.package
        record = escape(json.dumps(citation_table.to_dict(self._layout, self._options), sort_keys=True))
        body = f'<?xml version="1.0" encoding="UTF-8"?><citations xmlns="{_NAMESPACE}">{record}</citations>'
        part = Part(PackURI("/customXml/item1.xml"), "application/xml", package, body.encode())
        self.presentation.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)

    def _properties(self) -> None:
        core, brief = self.presentation.core_properties, self._layout.brief
        core.title, core.subject, core.author = self._layout.title[:255], brief.question[:255], "Intelli"
        core.last_modified_by, core.comments, core.keywords = "Intelli", "", ""
        core.language = self._layout.language
        core.created = core.modified = datetime.combine(brief.made_on, time(), UTC)


def _choose_size(lines: Sequence[Runs], size: float) -> float:
    """Choose the font size: larger for little text, so that no slide looks empty or overflows."""
    length = sum(len(plain_text(runs)) for runs in lines)
    return size + next((step for limit, step in _STEPS if length <= limit), -2)
