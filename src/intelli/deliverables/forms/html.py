"""HTML form: one page without scripts or other files, with contents, charts, footnotes and sources."""

import base64
import hashlib
from html import escape

from intelli.deliverables import assets
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.layout import PaperLayout, lay_out
from intelli.deliverables.forms.page import HtmlPage
from intelli.deliverables.forms.phrases import direction
from intelli.deliverables.paper import Paper

_FACES = (
    ("Inter", 400, "normal", "inter-400.woff2"),
    ("Inter", 600, "normal", "inter-600.woff2"),
    ("Source Serif 4", 400, "normal", "serif-400.woff2"),
    ("Source Serif 4", 400, "italic", "serif-400-italic.woff2"),
    ("Source Serif 4", 600, "normal", "serif-600.woff2"),
)


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the whole report as one page."""
    layout = lay_out(brief, paper, options.edition)
    page, said = HtmlPage(layout, options), layout.phrases
    style = font_faces() + assets.read_own("page.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; font-src data:; base-uri 'none'; form-action 'none'"
    return (
        f"{head(layout, policy)}<style>{style}</style>\n</head>\n<body>\n"
        f'<header class="top">{masthead(layout)}</header>\n'
        f'<div class="page"><nav aria-label="{said.contents}"><h2>{said.contents}</h2>{page.contents()}</nav>\n<main>\n'
        f"{page.blocks(layout.blocks)}\n{ending(layout, page)}\n</main></div>\n</body>\n</html>\n"
    ).encode()


def head(layout: PaperLayout, policy: str) -> str:
    """Render the head of a page."""
    return (
        f'<!doctype html>\n<html lang="{escape(layout.language)}" dir="{direction(layout.language)}">\n'
        '<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="Intelli">\n'
        f"<title>{escape(layout.title)}</title>\n"
        f'<meta name="description" content="{escape(layout.brief.question)}">\n'
    )


def masthead(layout: PaperLayout) -> str:
    """Render title, question, date and workspace."""
    question = f'<p class="question">{escape(layout.subtitle)}</p>' if layout.subtitle else ""
    title = f"<h1>{escape(layout.title)}</h1>"
    return f'<div class="masthead"><p class="made">{escape(layout.made)}</p>{title}{question}</div>'


def ending(layout: PaperLayout, page: HtmlPage) -> str:
    """Render footnotes and sources."""
    asked = f'\n<p class="asked">{escape(layout.small_print)}</p>' if layout.small_print else ""
    return (
        f'<section class="ending"><h2 id="notes">{layout.phrases.notes}</h2>\n{page.footnotes()}\n'
        f'<h2 id="sources">{layout.phrases.sources}</h2>\n{page.sources()}{asked}</section>'
    )


def font_faces() -> str:
    """Return CSS with the fonts inline, for pages from disk or without an origin; "" when they are not built."""
    return "".join(
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};font-display:swap;"
        f"src:url(data:font/woff2;base64,{_base64(f'web/{name}')}) format('woff2')}}\n"
        for family, weight, style, name in _FACES
        if assets.is_built(f"web/{name}")
    )


def _base64(name: str) -> str:
    return base64.b64encode(assets.read_built(name)).decode()
