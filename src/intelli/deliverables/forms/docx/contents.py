"""Contents, running head and page numbers of a Word report.

Every line of the contents is a link to its heading, with an estimate of its page.
"""

from collections.abc import Callable
from typing import Any

from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt, RGBColor

from intelli.deliverables.forms.docx import fields, page_estimate, styles
from intelli.deliverables.forms.layout import PaperLayout

_DEEPEST = 2


def write_contents(add: Callable[..., Any], layout: PaperLayout) -> None:
    """Write the contents, with a line for each heading; `add` adds a paragraph in a style."""
    said, pages = layout.phrases, page_estimate.estimate_pages(layout)
    shown = [(each.level, each.text, each.id) for each in layout.headings if each.level <= _DEEPEST]
    add("TOC Heading", said.contents)
    paragraph: Any = None
    for at, (level, text, name) in enumerate([*shown, (1, said.sources, "sources")]):
        paragraph = add(f"toc {level}")
        if at == 0:
            fields.begin_field(paragraph, rf'TOC \o "1-{_DEEPEST}" \h \z \u')
        _line(paragraph, text, f"_Toc_{name}", pages[name])
    fields.end_field(paragraph)


def write_running_head(header: Any, title: str) -> None:
    """Write the title above a rule, on every page but the first."""
    paragraph = _edge(header)
    paragraph.add_run(title if len(title) <= 100 else f"{title[:100]}\u2026")
    properties = paragraph._p.get_or_add_pPr()
    properties.insert_element_before(
        fields.borders("w:pBdr", {"bottom": (4, styles.LINE)}), "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr"
    )
    _small(paragraph)


def write_page_number(footer: Any) -> None:
    """Write page number and number of pages."""
    paragraph = _edge(footer)
    paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    fields.add_field(paragraph, "PAGE", "1")
    paragraph.add_run(" / ")
    fields.add_field(paragraph, "NUMPAGES", "1")
    _small(paragraph)


def _line(paragraph: Any, text: str, name: str, page: int) -> None:
    link = fields.add_inner_link(paragraph, name)
    link.append(fields.text_run(text))
    link.append(fields.tab_run())
    for each in fields.field_runs(rf"PAGEREF {name} \h", str(page)):
        link.append(each)


def _edge(part: Any) -> Any:
    part.is_linked_to_previous = False
    return part.paragraphs[0]


def _small(paragraph: Any) -> None:
    for run in paragraph.runs:
        run.font.name, run.font.size = styles.SANS, Pt(7.5)
        run.font.color.rgb = RGBColor.from_string(styles.FAINT)
