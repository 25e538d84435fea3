"""Browser slides: reveal.js with all its files; they open from disk and request nothing from the network."""

from collections.abc import Iterator, Sequence
from html import escape

from intelli.deliverables import assets, charts
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms import deck, zip_pack
from intelli.deliverables.forms.deck import Slide
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.html import font_faces, head
from intelli.deliverables.forms.layout import Footnote, PaperLayout, lay_out, plain_text
from intelli.deliverables.forms.page import HtmlPage
from intelli.deliverables.paper import Chart, Paper, TableBlock

# reveal.js moves its slides by styles that it sets on elements.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src data:; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'"
)
_FEW, _MANY = 200, 420
_BESIDE = 420
_BETWEEN = " \u00b7 "


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the presentation as a zip."""
    layout = lay_out(brief, paper, options.edition)
    return zip_pack.pack(
        {
            "index.html": _Writer(layout, options).write().encode(),
            "assets/deck.css": (font_faces() + assets.read_own("deck.css")).encode(),
            "assets/deck.js": assets.read_own("deck.js").encode(),
            **{
                f"assets/{name}": assets.read_built(f"reveal/{name}")
                for name in ("reset.css", "reveal.css", "reveal.js", "LICENSE")
            },
        }
    )


class _Writer:
    """Renders the slides of a layout."""

    def __init__(self, layout: PaperLayout, options: Options) -> None:
        self._layout = layout
        self._page = HtmlPage(layout, options, target="source")

    def write(self) -> str:
        """Render the page with all slides."""
        links = "".join(f'<link rel="stylesheet" href="assets/{name}.css">\n' for name in ("reset", "reveal", "deck"))
        slides = "\n".join([self._cover(), *map(self._slide, deck.slides_of(self._layout)), *self._ending()])
        return (
            f"{head(self._layout, _POLICY)}{links}</head>\n<body>\n"
            f'<div class="reveal"><div class="slides">\n{slides}\n</div></div>\n'
            '<script src="assets/reveal.js"></script>\n<script src="assets/deck.js"></script>\n</body>\n</html>\n'
        )

    def _cover(self) -> str:
        return (
            f'<section class="cover"><h1>{escape(self._layout.title)}</h1>'
            f'<p class="question">{escape(self._layout.subtitle)}</p>'
            f'<p class="made">{escape(self._layout.made)}</p></section>'
        )

    def _slide(self, slide: Slide) -> str:
        said = "".join(f"<p>{escape(each)}</p>" for each in slide.spoken if each)
        cited = "".join(f'<p class="note">{escape(deck.spoken_note(each))}</p>' for each in slide.footnotes)
        above = f'<p class="above">{escape(slide.above)}</p>' if slide.above else ""
        title = f"<h2>{escape(slide.title)}{self._page.marks(slide.title_notes)}</h2>"
        foot = self._foot(deck.shown_notes(self._layout, slide))
        return f'<section>{above}{title}{self._seen(slide)}{foot}<aside class="notes">{said}{cited}</aside></section>'

    def _seen(self, slide: Slide) -> str:
        if slide.chart is not None:
            drawn = self._chart(slide.chart, slide)
            return f'<div class="two"><div>{self._lines(slide)}</div>{drawn}</div>' if slide.lines else drawn
        if slide.table is not None:
            return self._table(slide.table, slide.title)
        if slide.metrics:
            return self._metrics(slide)
        if slide.quote:
            return f"<blockquote>{self._page.runs(slide.quote)}</blockquote>"
        return self._lines(slide)

    def _lines(self, slide: Slide) -> str:
        length = sum(len(plain_text(runs)) for runs in slide.lines)
        size = " few" if length <= _FEW else " many" if length > _MANY else ""
        items = "".join(f"<li>{self._page.runs(runs)}</li>" for runs in slide.lines)
        return f'<ul class="lines{size}">{items}</ul>' if items else ""

    def _chart(self, chart: Chart, slide: Slide) -> str:
        """Render a chart, without a caption that the title repeats; beside lines it is narrow, its letters as large."""
        is_titled = bool(chart.caption) and chart.caption in slide.title
        spec, caption = (charts.remove_title(chart.spec), "") if is_titled else (chart.spec, chart.caption)
        spec = charts.narrow(spec, _BESIDE) if slide.lines else spec
        notes = self._layout.named(chart.citations)
        return (
            f'<div><div class="chart" role="img" aria-label="{escape(chart.alt)}">{charts.draw_svg(spec)}</div>'
            f'<p class="caption">{escape(caption or self._layout.noted(notes))}{self._page.marks(notes)}</p></div>'
        )

    def _table(self, table: TableBlock, title: str) -> str:
        is_titled = not table.caption or table.caption in title
        caption = "" if is_titled else f'<p class="caption">{escape(table.caption)}</p>'
        return f"{caption}<table>{self._page.rows(table)}</table>"

    def _metrics(self, slide: Slide) -> str:
        across = " two-across" if len(slide.metrics) in {1, 2, 4} else ""
        return f'<dl class="metrics{across}">{"".join(self._page.metric(each) for each in slide.metrics)}</dl>'

    def _foot(self, notes: Sequence[Footnote]) -> str:
        places = deck.places_of(notes)
        shown = [f"<sup>{numbers}</sup>\u2009{escape(place)}" for numbers, place in places[: deck.MOST_AT_FOOT]]
        more = len(places) - len(shown)
        shown += [f"+{more} \u2192 {escape(self._layout.phrases.notes)}"] if more else []
        return f'<div class="foot">{_BETWEEN.join(shown)}</div>'

    def _ending(self) -> Iterator[str]:
        """Render the sources; those that the slide has no room for are in its notes."""
        shown, beside = deck.sources_of(self._layout)
        sources = self._layout.brief.sources
        some = "".join(self._page.source(each) for each in sources if each.number in shown)
        rest = "".join(self._page.source(each) for each in sources if each.number not in shown)
        more = f'<p class="caption">+{beside} \u2192 {escape(self._layout.phrases.notes)}</p>' if beside else ""
        notes = f'<aside class="notes"><ol class="sources">{rest}</ol></aside>' if rest else ""
        if sources:
            title = f"<h2>{self._layout.phrases.sources}</h2>"
            yield f'<section>{title}<ol class="sources">{some}</ol>{more}{notes}</section>'
