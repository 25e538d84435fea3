"""The presentation: cover, slides of the deck, sources; the citations of each slide are in its notes."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

from pptx import Presentation
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Inches, Pt

from intelli.deliverables import charts
from intelli.deliverables.brief import DataBrief, ListedSource
from intelli.deliverables.forms import columns, deck, shorten, zip_pack
from intelli.deliverables.forms.deck import Slide
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    file_kind,
    lay_out,
    link,
    numbers_of,
    numeric_columns,
    plain_text,
)
from intelli.deliverables.forms.pptx import parts
from intelli.deliverables.paper import Paper, Runs, TableBlock

_WIDTH, _HEIGHT = 13.333, 7.5
_LEFT, _RIGHT, _TOP = 0.75, 0.75, 1.55
_INNER = _WIDTH - _LEFT - _RIGHT
# On a slide; the whole quote stands in its speaker's notes.
_LONGEST_QUOTE = 240
_NOTE_LINE, _MOST_LINES = 130, 22
# A table of so many is set in larger letters.
_FEW_ROWS, _FEW_COLUMNS = 9, 5
_SMALL = (13.0, 12.0, 11.0, 10.0, 9.0)
_LARGE = (16.0, 14.5, *_SMALL)
_STEPS = ((140, 6), (300, 3), (520, 0))
_ACROSS = {1: 1, 2: 2, 4: 2}
_VERDICTS = {"verified": parts.OK, "weak": parts.WARN, "failed": parts.BAD, "unchecked": parts.FAINT}
_COLOURS = {"verified": parts.ACCENT, "weak": parts.WARN, "failed": parts.BAD, "unchecked": parts.FAINT}


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
        self.presentation = Presentation()
        self.presentation.slide_width, self.presentation.slide_height = Inches(_WIDTH), Inches(_HEIGHT)
        self._slide_layout = self.presentation.slide_layouts[5]

    def write(self) -> None:
        """Write the whole presentation."""
        self._properties()
        self._cover()
        for slide in deck.slides_of(self._layout):
            self._slide(slide)
        for number, notes in enumerate(deck.notes_of(self._layout, _lines_of, most=_MOST_LINES), start=1):
            self._footnotes(deck.number_title(self._layout.phrases.notes, number), notes)
        for numbers in deck.sources_of(self._layout):
            self._sources(numbers)

    def _slide(self, slide: Slide) -> None:
        made = self._begin(slide.title)
        if slide.chart is not None:
            self._chart(made, slide)
        elif slide.table is not None:
            self._table(made, slide.table, slide.title)
        elif slide.metrics:
            self._metrics(made, slide)
        elif slide.quote:
            self._quote(made, slide.quote)
        else:
            self._lines(made, slide.lines, parts.Box(_LEFT, _TOP, _INNER, 5.1), 22)
        self._foot(made, slide.footnotes)
        self._notes(made, slide)

    def _begin(self, title: str) -> Any:
        made = self.presentation.slides.add_slide(self._slide_layout)
        shape = made.shapes.title
        shape.left, shape.top, shape.width, shape.height = parts.Box(_LEFT, 0.5, _INNER, 0.9).emu
        frame = shape.text_frame
        frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.MIDDLE
        frame.margin_left = frame.margin_right = 0
        size = 30 if len(title) <= 55 else 24 if len(title) <= 90 else 18
        self._say(frame.paragraphs[0], title[:300], parts.Look(size, is_bold=True))
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

    def _lines(self, made: Any, lines: Sequence[Runs], box: Any, size: float) -> None:
        frame = parts.add_text_box(made, box)
        fitting = _choose_size(lines, size)
        for at, runs in enumerate(lines):
            paragraph = parts.get_paragraph(frame, is_first=at == 0, after=10)
            parts.add_bullet(paragraph)
            self._runs(paragraph, runs, parts.Look(fitting))

    def _chart(self, made: Any, slide: Slide) -> None:
        chart = slide.chart
        assert chart is not None, "the slide is one with a chart"
        left = _LEFT + 4.6 if slide.lines else _LEFT
        box = parts.Box(left, _TOP, _WIDTH - _RIGHT - left, 4.6)
        if slide.lines:
            self._lines(made, slide.lines, parts.Box(_LEFT, _TOP, 4.3, 5.1), 16)
        plotted = charts.find_plotted(chart.spec)
        if plotted is not None:
            graphic = parts.add_chart(made, plotted, box, chart.caption)
            parts.set_alt_text(graphic._element, chart.alt)
        else:
            self._picture(made, slide, box)
        caption = parts.add_text_box(made, parts.Box(left, _TOP + 4.65, box.width, 0.4))
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
        cut = table.model_copy(update={"rows": tuple(tuple(map(deck.cut_cell, row)) for row in table.rows)})
        fit = columns.fit(self._layout, cut, columns.TableSpace(_INNER * 72, parts.CELL_PADDING * 72, sizes))
        look = parts.Look(fit.size)
        top = _TOP + (0.35 if table.caption not in title else 0.05)
        graphic = made.shapes.add_table(rows, across, *parts.Box(_LEFT, top, _INNER, height * rows).emu)
        grid = graphic.table
        for column, width in zip(grid.columns, fit.widths, strict=True):
            column.width = Pt(width)
        grid.first_row, grid.horz_banding = True, False
        parts.set_alt_text(graphic._element, table.caption or self._layout.phrases.table)
        is_numeric = numeric_columns(table)
        for at, name in enumerate(table.columns):
            paragraph = parts.format_cell(grid.cell(0, at), is_head=True, is_number=is_numeric[at])
            parts.add_run(paragraph, name, replace(look, is_bold=True))
        for number, row in enumerate(cut.rows, start=1):
            for at, content in enumerate(row):
                paragraph = parts.format_cell(grid.cell(number, at), is_head=False, is_number=is_numeric[at])
                self._runs(paragraph, content, look)
        if table.caption not in title:
            caption = parts.add_text_box(made, parts.Box(_LEFT - 0.1, _TOP - 0.1, _INNER, 0.4))
            self._say(parts.get_paragraph(caption, is_first=True), table.caption, parts.Look(13, parts.FAINT))

    def _metrics(self, made: Any, slide: Slide) -> None:
        across = _ACROSS.get(len(slide.metrics), 3)
        width = (_INNER - 0.3 * (across - 1)) / across
        for at, metric in enumerate(slide.metrics):
            left, top = _LEFT + (at % across) * (width + 0.3), _TOP + 0.2 + (at // across) * 2.4
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
        rule = made.shapes.add_shape(1, *parts.Box(_LEFT, 2.3, 0.06, 2.6).emu)
        parts.fill(rule, parts.ACCENT)
        frame = parts.add_text_box(made, parts.Box(_LEFT + 0.4, 2.3, _INNER - 0.8, 2.6), is_centred=True)
        self._runs(parts.get_paragraph(frame, is_first=True), runs, parts.Look(26, parts.SOFT, is_italic=True))

    def _foot(self, made: Any, notes: Sequence[Footnote]) -> None:
        """Write sources and slide number."""
        small = parts.Look(10, parts.FAINT)
        frame = parts.add_text_box(made, parts.Box(_LEFT - 0.1, 6.88, _INNER - 1, 0.45))
        line = parts.get_paragraph(frame, is_first=True, after=0)
        places = deck.places_of(notes)
        for numbers, place in places[: deck.MOST_AT_FOOT]:
            parts.make_superscript(parts.add_run(line, f"{numbers}\u2009", small))
            self._say(line, f"{place}   ", small)
        if len(places) > deck.MOST_AT_FOOT:
            self._say(line, f"+{len(places) - deck.MOST_AT_FOOT} \u2192 {self._layout.phrases.notes}", small)
        number = parts.add_text_box(made, parts.Box(_WIDTH - _RIGHT - 0.8, 6.88, 0.9, 0.45))
        parts.add_run(
            parts.get_paragraph(number, is_first=True, align=PP_ALIGN.RIGHT), str(len(self.presentation.slides)), small
        )

    def _notes(self, made: Any, slide: Slide) -> None:
        """Write the notes: the full text of the slide, then its footnotes with quote, check and identifier."""
        lines = [*(each for each in slide.spoken if each), *map(self._note, slide.footnotes)]
        made.notes_slide.notes_text_frame.text = "\n".join(lines)

    def _note(self, note: Footnote) -> str:
        place = f", {note.place}" if note.place else ""
        address = link(note, self._options)
        opened = f" {address}" if address else ""
        quote = f": \u201c{note.cited.quote}\u201d" if note.cited.quote else ""
        remark = f" ({note.remark})" if note.remark else ""
        identifier = f" {note.shown_identifier}" if note.shown_identifier else ""
        return f"{note.number}. {note.name}{place}{quote}{remark}{identifier}{opened}"

    def _footnotes(self, title: str, notes: Sequence[Footnote]) -> None:
        """Add a slide with footnotes, in the order of their numbers."""
        made = self._begin(title)
        frame = parts.add_text_box(made, parts.Box(_LEFT - 0.1, _TOP - 0.1, _INNER, 5.3))
        for at, note in enumerate(notes):
            paragraph = parts.get_paragraph(frame, is_first=at == 0, after=4)
            self._say(paragraph, f"{note.number}  ", parts.Look(12, parts.ACCENT, is_bold=True))
            where = f"[{note.cited.source}] {deck.place_of(note)}" if self._layout.is_proof else deck.place_of(note)
            parts.add_run(paragraph, where, parts.Look(12, is_bold=True), link(note, self._options))
            if note.cited.quote:
                quote = f"  \u201c{shorten.shorten(note.cited.quote, _LONGEST_QUOTE)}\u201d"
                parts.add_run(paragraph, quote, parts.Look(12, parts.SOFT, is_italic=True))
            if note.remark:
                parts.add_run(paragraph, f"  {note.remark}", parts.Look(11, _VERDICTS[note.cited.check]))
        made.notes_slide.notes_text_frame.text = "\n".join(map(self._note, notes))
        self._foot(made, ())

    def _cover(self) -> None:
        made = self._begin(self._layout.title)
        bar = made.shapes.add_shape(1, *parts.Box(0, 0, 0.28, _HEIGHT).emu)
        parts.fill(bar, parts.ACCENT)
        title = made.shapes.title
        title.left, title.top, title.width, title.height = parts.Box(0.95, 1.6, 11, 2).emu
        title.text_frame.vertical_anchor = MSO_ANCHOR.BOTTOM
        length = len(self._layout.title)
        title.text_frame.paragraphs[0].runs[0].font.size = Pt(46 if length <= 60 else 34 if length <= 120 else 24)
        frame = parts.add_text_box(made, parts.Box(0.85, 3.75, 10.5, 1.6))
        self._say(parts.get_paragraph(frame, is_first=True), self._layout.subtitle, parts.Look(20, parts.SOFT))
        small = parts.add_text_box(made, parts.Box(0.85, 6.6, 8, 0.4))
        self._say(
            parts.get_paragraph(small, is_first=True), self._layout.made, parts.Look(13, parts.ACCENT, is_bold=True)
        )
        made.notes_slide.notes_text_frame.text = "\n".join([self._layout.title, self._layout.brief.question])

    def _sources(self, numbers: Sequence[int]) -> None:
        made = self._begin(self._layout.phrases.sources)
        frame = parts.add_text_box(made, parts.Box(_LEFT - 0.1, _TOP, _INNER, 5.2))
        sources = [source for source in self._layout.brief.sources if source.number in numbers]
        for at, source in enumerate(sources):
            paragraph = parts.get_paragraph(frame, is_first=at == 0, after=7)
            self._say(paragraph, f"[{source.number}] ", parts.Look(15, parts.ACCENT, is_bold=True))
            parts.add_run(
                paragraph, self._layout.source_name(source)[:140], parts.Look(15), link(source, self._options)
            )
            parts.add_run(paragraph, f"  {file_kind(source)}", parts.Look(11, parts.FAINT))
            if notes := self._layout.notes_of_source(source):
                used = f"   {self._layout.noted(notes)} {numbers_of(notes)}"
                parts.add_run(paragraph, used, parts.Look(12, parts.SOFT))
        made.notes_slide.notes_text_frame.text = "\n".join(map(self._source, sources))
        self._foot(made, ())

    def _source(self, source: ListedSource) -> str:
        named = f"[{source.number}] {self._layout.source_name(source)}"
        proof = f" ({source.mime_type}) sha256 {source.sha256}" if self._layout.is_proof else ""
        return f"{named}{proof}"

    def _properties(self) -> None:
        core, brief = self.presentation.core_properties, self._layout.brief
        core.title, core.subject, core.author = self._layout.title[:255], brief.question[:255], "Intelli"
        core.last_modified_by, core.comments, core.keywords = "Intelli", "", ""
        core.language = self._layout.language
        core.created = core.modified = datetime.combine(brief.made_on, time(), UTC)


def _lines_of(note: Footnote) -> int:
    """Estimate the lines of a footnote on a slide."""
    return 1 + (len(deck.place_of(note)) + min(len(note.cited.quote), _LONGEST_QUOTE) + len(note.verdict)) // _NOTE_LINE


def _choose_size(lines: Sequence[Runs], size: float) -> float:
    """Choose the font size: larger for little text, so that no slide looks empty or overflows."""
    length = sum(len(plain_text(runs)) for runs in lines)
    return size + next((step for limit, step in _STEPS if length <= limit), -2)
