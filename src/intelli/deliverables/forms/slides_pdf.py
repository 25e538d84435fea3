"""Slides as a PDF: one landscape page each; what a slide leaves out is in the attached notes and citations."""

import json
from collections.abc import Sequence
from typing import Any

from intelli.deliverables import assets, charts
from intelli.deliverables.brief import DataBrief, ListedSource, Metric
from intelli.deliverables.forms import citation_table, columns, deck, typeset
from intelli.deliverables.forms.deck import Slide
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import (
    Footnote,
    PaperLayout,
    lay_out,
    numbers_of,
    numeric_columns,
    plain_text,
)
from intelli.deliverables.forms.typeset import insert_breaks
from intelli.deliverables.paper import Chart, Paper, Runs, TableBlock

Value = dict[str, Any]

_TABLE = columns.TableSpace(width=852, padding=5, sizes=(15, 13.5, 12, 11, 10, 9))
_BESIDE = 520
_ACROSS = {1: 1, 2: 2, 4: 2}
# Larger letters for little text.
_SIZES = ((160, 24), (320, 20), (480, 17))


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the slides as a PDF."""
    layout = lay_out(brief, paper, options.edition)
    composer = _Composer(layout)
    content = composer.content()
    return typeset.typeset(
        {
            "main": assets.read_own("slides.typ").encode(),
            "content.json": json.dumps(content, ensure_ascii=False).encode(),
            "citations.json": citation_table.to_json(layout, options),
            **composer.drawings,
        }
    )


class _Composer:
    """Converts the slides of a layout to the input of the template."""

    def __init__(self, layout: PaperLayout) -> None:
        self._layout = layout
        self.drawings: dict[str, bytes] = {}

    def content(self) -> Value:
        """Return the whole input of the template."""
        layout, made_on = self._layout, self._layout.brief.made_on
        shown, beside = deck.sources_of(layout)
        return {
            "title": layout.title,
            "asked": layout.brief.question,
            "question": insert_breaks(layout.subtitle),
            "made": layout.made,
            "lang": layout.language.partition("-")[0],
            "year": made_on.year,
            "month": made_on.month,
            "day": made_on.day,
            "said": layout.phrases.model_dump(),
            "slides": [self._slide(slide) for slide in deck.slides_of(layout)],
            "sources": [self._source(source) for source in layout.brief.sources if source.number in shown],
            "beside": beside,
        }

    def _slide(self, slide: Slide) -> Value:
        length = sum(len(plain_text(runs)) for runs in slide.lines)
        places = deck.places_of(deck.shown_notes(self._layout, slide))
        return {
            "title": insert_breaks(slide.title),
            "above": insert_breaks(slide.above),
            "marks": _marks(slide.title_notes),
            "points": [self._runs(runs) for runs in slide.lines],
            "size": next((size for most, size in _SIZES if length <= most), 15),
            "chart": self._chart(slide.chart, slide) if slide.chart else None,
            "table": self._table(slide.table, slide.title) if slide.table and slide.table.columns else None,
            "metrics": [self._metric(metric) for metric in slide.metrics],
            "across": _ACROSS.get(len(slide.metrics), 3),
            "quote": self._runs(slide.quote),
            "places": [
                {"numbers": numbers, "place": insert_breaks(place)} for numbers, place in places[: deck.MOST_AT_FOOT]
            ],
        }

    def _runs(self, runs: Runs) -> list[Value]:
        return [
            {
                "text": insert_breaks(run.text),
                "bold": run.bold,
                "italic": run.italic,
                "marks": _marks(self._layout.notes_after(run)),
            }
            for run in runs
        ]

    def _chart(self, chart: Chart, slide: Slide) -> Value:
        is_titled = bool(chart.caption) and chart.caption in slide.title
        spec = charts.remove_title(chart.spec) if is_titled else chart.spec
        name = f"drawing-{len(self.drawings) + 1}.svg"
        self.drawings[name] = charts.draw_svg(charts.narrow(spec, _BESIDE) if slide.lines else spec).encode()
        caption = charts.unit_or_title(spec) if is_titled else chart.caption
        marks = _marks(self._layout.named(chart.citations))
        return {"file": name, "alt": chart.alt, "caption": insert_breaks(caption), "marks": marks}

    def _table(self, table: TableBlock, title: str) -> Value:
        is_numeric = numeric_columns(table)
        fit = columns.fit(self._layout, table, _TABLE)
        return {
            "caption": "" if table.caption in title else insert_breaks(table.caption),
            "columns": [
                {"text": insert_breaks(name), "number": number}
                for name, number in zip(table.columns, is_numeric, strict=True)
            ],
            "widths": fit.widths,
            "size": fit.size,
            "rows": [
                [
                    {"runs": self._runs(row[at] if at < len(row) else ()), "number": is_numeric[at]}
                    for at in range(len(table.columns))
                ]
                for row in table.rows
            ],
        }

    def _metric(self, metric: Metric) -> Value:
        return {
            "shown": insert_breaks(metric.shown),
            "name": insert_breaks(metric.name),
            "about": insert_breaks(", ".join(each for each in (metric.entity, metric.period) if each)),
            "marks": _marks(self._layout.named([metric.citation])),
        }

    def _source(self, source: ListedSource) -> Value:
        notes = self._layout.notes_of_source(source)
        used = f"{self._layout.noted(notes)} {numbers_of(notes)}" if notes else ""
        return {"number": source.number, "name": insert_breaks(self._layout.source_name(source)), "used": used}


def _marks(notes: Sequence[Footnote]) -> list[Value]:
    return [{"number": note.number, "check": note.cited.check} for note in notes]
