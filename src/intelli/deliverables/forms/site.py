"""Website form: a page with contents, search, charts and a sidebar with the evidence of each citation.

It opens from disk, requests nothing from the network and, without scripts, is still a page with footnotes.
"""

from intelli.deliverables import assets
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms import citation_table, zip_pack
from intelli.deliverables.forms.form import Options
from intelli.deliverables.forms.html import ending, font_faces, head, masthead
from intelli.deliverables.forms.layout import PaperLayout, lay_out
from intelli.deliverables.forms.page import HtmlPage
from intelli.deliverables.forms.phrases import Phrases
from intelli.deliverables.paper import Paper

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src data:; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'"
)


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """Render the site as a zip."""
    layout = lay_out(brief, paper, options.edition)
    return zip_pack.pack(
        {
            "index.html": _index(layout, options).encode(),
            "style.css": (font_faces() + assets.read_own("page.css") + assets.read_own("site.css")).encode(),
            "site.js": assets.read_own("site.js").encode(),
            "data.json": layout.brief.model_dump_json(indent=1).encode(),
            "citations.json": citation_table.to_json(layout, options),
        }
    )


def _index(layout: PaperLayout, options: Options) -> str:
    page, said = HtmlPage(layout, options), layout.phrases
    return (
        f'{head(layout, _POLICY)}<link rel="stylesheet" href="style.css">\n<script src="site.js" defer></script>\n'
        f'</head>\n<body>\n<a class="skip" href="#main">{said.skip}</a>\n'
        f'<header class="top">{masthead(layout)}</header>\n<div class="page">\n'
        f'<nav aria-label="{said.contents}">{_search(said)}<h2>{said.contents}</h2>{page.contents()}</nav>\n'
        '<main id="main">\n'
        f"{page.blocks(layout.blocks)}\n{ending(layout, page)}\n</main>\n{_evidence(said)}\n</div>\n</body>\n</html>\n"
    )


def _search(said: Phrases) -> str:
    return (
        f'<div class="search"><label for="search">{said.search}</label>'
        '<input id="search" type="search" autocomplete="off" aria-controls="found">'
        f'<p id="count" role="status" aria-live="polite" data-places="{said.places}"></p><ol id="found"></ol></div>'
    )


def _evidence(said: Phrases) -> str:
    return (
        f'<aside id="evidence" class="evidence" aria-label="{said.note}" hidden>'
        f'<button type="button" id="close">{said.close}</button>'
        f'<div id="passage" tabindex="-1" data-note="{said.note}"></div></aside>'
    )
